"""Typing the code of a private table, without Textual."""

from dataclasses import replace

from page_samples import lobby, offer
from page_text import text

from p2p.protocol.table_code import own_code
from ui.lobby import Go, Join, Where
from ui.lobby.code_page import CodePage


def test_the_code_is_typed_and_goes_along_with_the_wish_for_a_seat() -> None:
    private = offer(1, "Kitchen", needs_code=True, people=("Boris", "Vera"))
    page = CodePage(private, replace(lobby(), offers=(private,)))
    assert page.press("enter") is None
    assert page.note == "Type the code: letters or digits."
    page.type_text("4821 9037")
    assert page.press("enter") == Join(private.opener, private.offer_id, own_code("4821 9037"))
    page.note = ""
    page.show(replace(lobby(), offers=(private,), joining=private.offer_id))
    assert not page.enter_line().live
    assert "Comparing codes with Boris…" in text(page)
    page.show(replace(lobby(), offers=(private,)))
    assert page.press("enter") is None
    assert page.note == "Type the code: letters or digits."
    page.type_text("4821 9038")
    assert page.enter_line().live, "another code can be tried"
    page.show(replace(lobby(), offers=()))
    assert page.enter_line().text == "This table is no longer there."
    assert page.press("back") == Go(Where.BACK)
