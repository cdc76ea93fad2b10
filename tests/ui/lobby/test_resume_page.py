"""A table that was left: what coming back means, in the middle of a deal and between two."""

import pytest
from page_samples import left_behind

from ui.lobby import TakeUp
from ui.lobby.resume_page import ResumePage
from ui.table.size import Size


def shown(*, between: bool) -> str:
    return " ".join(" ".join(ResumePage(left_behind(between=between)).draw(Size(80, 24)).lines()).split())


def test_in_the_middle_of_a_deal_one_comes_back_to_ones_cards() -> None:
    page = shown(between=False)
    for words in ("A deal was left", "deal 3 is unfinished", "with your cards", "leave it unfinished"):
        assert words in page


def test_between_two_deals_no_cards_are_promised() -> None:
    page = shown(between=True)
    for words in ("A table was left", "is over", "you sit in your seat", "leave the table"):
        assert words in page
    for words in ("with your cards", "unfinished"):
        assert words not in page


@pytest.mark.parametrize(("key", "really"), [("enter", True), ("back", False)])
def test_both_answers(key: str, really: bool) -> None:
    assert ResumePage(left_behind()).press(key) == TakeUp(really=really)
