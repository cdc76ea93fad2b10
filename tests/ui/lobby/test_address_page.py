"""Joining by address, without Textual."""

import pytest
from page_text import text

from ui.lobby import Connect
from ui.lobby.address_page import AddressPage, looks_like_address


@pytest.mark.parametrize("address", ["192.168.1.23:52417", "[fe80::1%eth0]:1", "host.local:65535"])
def test_what_looks_like_an_address_can_be_connected_to(address: str) -> None:
    page = AddressPage()
    page.type_text(address)
    assert page.press("enter") == Connect(address)
    assert not page.enter_line().live


@pytest.mark.parametrize("address", ["", "192.168.1.23", ":52417", "host:", "host:0", "host:65536", "host:١"])
def test_what_is_no_address_is_not_sent(address: str) -> None:
    assert not looks_like_address(address)
    page = AddressPage()
    page.type_text(address)
    assert page.press("enter") is None
    assert "192.168.1.23:52417" in page.note


def test_spaces_around_the_colon_do_not_matter_and_failures_are_said() -> None:
    page = AddressPage()
    page.type_text("192.168.1.23 : 52417")
    assert page.press("enter") == Connect("192.168.1.23:52417")
    page.failed("Nobody answers there.")
    assert "! Nobody answers there." in text(page)
    assert page.enter_line().live
