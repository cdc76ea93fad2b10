"""What is read out of aioquic without its word."""

from typing import Any

import pytest
from aioquic.quic.connection import QuicConnection

from p2p.errors import LocalError, LocalReason
from p2p.net import quic_internals
from p2p.net.quic_internals import check_library


def test_the_installed_library_has_all_that_is_read() -> None:
    check_library()


def test_a_library_that_keeps_it_elsewhere_is_named_before_anything_starts(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    class Changed(QuicConnection):
        def __getattribute__(self, name: str) -> Any:
            if name == "_streams" and super().__getattribute__("__dict__").get("moved"):
                raise AttributeError(name)
            return super().__getattribute__(name)

        def connect(self, addr: Any, now: float) -> None:
            super().connect(addr, now)
            self.moved = True

    monkeypatch.setattr(quic_internals, "QuicConnection", Changed)
    with pytest.raises(LocalError) as caught:
        check_library()
    assert caught.value.reason is LocalReason.NO_CRYPTOGRAPHY
    assert caught.value.subject.startswith("aioquic ")
