"""`verish serve` on the command line: what is refused, and what it warns of."""

import socket
from collections.abc import Callable

import pytest
from command_line import Answer

from ui.cli.exits import Exit


def test_options_of_play_that_are_wrong_are_refused_before_a_page_is_served(
    quickly: Callable[..., Answer],
) -> None:
    for options in (("--bots", "many"), ("--no-such-option",), ("more",)):
        answer = quickly("serve", "--port", "0", *options)
        assert answer.returncode == Exit.USAGE
        assert options[-1] in answer.stderr


def test_serving_without_the_web_server_says_what_to_install(
    quickly: Callable[..., Answer], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("importlib.util.find_spec", lambda _name: None)
    answer = quickly("serve")
    assert answer.returncode == Exit.USAGE
    assert answer.stderr.count("\n") == 1
    assert "make serve" in answer.stderr


def test_serving_where_nothing_can_be_served_is_a_sentence(quickly: Callable[..., Answer]) -> None:
    pytest.importorskip("textual_serve", reason="textual-serve is not installed")
    with socket.create_server(("127.0.0.1", 0)) as other:
        answer = quickly("serve", "--port", str(other.getsockname()[1]))
    assert answer.returncode == Exit.NETWORK
    assert "Nothing can be served at 127.0.0.1" in answer.stderr
    assert answer.stderr.count("\n") == 1


def test_serving_for_others_warns_of_them(quickly: Callable[..., Answer]) -> None:
    pytest.importorskip("textual_serve", reason="textual-serve is not installed")
    # Nobody has this address, so nothing is served.
    answer = quickly("serve", "--host", "192.0.2.1")
    assert answer.returncode == Exit.NETWORK
    assert "plays as you and sees your cards" in answer.stderr
