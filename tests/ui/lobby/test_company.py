"""Another company between two deals: the pages, the keys and the app, over made-up tables."""

from dataclasses import replace

import page_samples as samples
import pytest
from fake_node import FakeCompany, FakeNode
from pilots import settled
from settings_samples import still

from engine import Ruleset
from p2p.protocol.snapshot import ClosedBecause, JoinRefused, RefusedJoin, TableClosed
from ui import i18n
from ui.app import VerishApp
from ui.keys import Place, action_named
from ui.lobby import (
    CodeScreen,
    EnterCode,
    Go,
    Join,
    NextDeal,
    OverScreen,
    ReadyScreen,
    Reopen,
    ResultScreen,
    SaveTranscript,
    Where,
)
from ui.lobby.lobby_page import LobbyPage
from ui.lobby.over_page import OverPage, ResultPage
from ui.lobby.page import Page
from ui.lobby.ready_page import ReadyPage
from ui.table.size import Size
from ui.table.view import CanvasView
from ui.words.leaving import leaving_costs


def text(page: Page, width: int = 80, height: int = 24) -> str:
    """Return the page as text, its words one space apart."""
    return " ".join("\n".join(page.draw(Size(width, height)).lines()).replace("│", " ").split())


def test_the_keys_have_cyrillic_twins_on_the_same_keys() -> None:
    places = {"reopen": Place.OVER, "result": Place.READY, "elsewhere": Place.READY}
    found = {name: action_named(name, place).keys for name, place in places.items()}
    assert found == {
        "reopen": ("r", "R", "к", "К"),
        "result": ("r", "R", "к", "К"),
        "elsewhere": ("g", "G", "п", "П"),
    }


def test_r_opens_the_table_again_for_as_many_as_before_or_as_were_chosen() -> None:
    page = OverPage(samples.over())
    assert page.press("reopen") is None
    assert page.enter_line().text == "Open the table again for 4"
    assert "Seats and dealer are drawn anew." in text(page)
    assert page.press("enter") == Reopen(4)
    assert page.enter_line().text == "Next deal"
    page.press("reopen")
    for _ in range(9):
        page.press("right")
    assert page.press("enter") == Reopen(6)
    page.press("reopen")
    for _ in range(9):
        page.press("left")
    assert page.enter_line().text == "Open the table again for 2"
    assert page.press("back") is None
    assert page.press("enter") == NextDeal()


def test_somebody_who_left_is_no_reason_not_to_open_the_table_again() -> None:
    gone = samples.over()
    gone = replace(gone, members=(*gone.members[:3], replace(gone.members[3], left=True)))
    page = OverPage(gone)
    assert not page.enter_line().live
    page.press("reopen")
    assert page.press("enter") == Reopen(4)


@pytest.mark.parametrize("language", i18n.LANGUAGES)
def test_a_table_opened_again_says_who_did_and_enter_leads_there(language: str) -> None:
    i18n.use_language(language)
    page = OverPage(samples.over(reopened=samples.reopened()))
    expected = {
        "en": "Boris has opened the table again: press Enter to take your seat there.",
        "ru": "Стол снова открыт (Boris): нажмите Enter, чтобы занять там место.",
    }
    assert expected[language] in text(page)
    assert page.press("enter") == Join(samples.key(1), b"r" * 16)


@pytest.mark.parametrize("language", i18n.LANGUAGES)
@pytest.mark.parametrize("size", [(80, 24), (60, 20)])
def test_whoever_opens_the_table_again_does_not_take_the_next_deal_away(
    size: tuple[int, int], language: str
) -> None:
    """Boris opens it again and never starts: the others play on here, by a key that is always shown."""
    i18n.use_language(language)
    page = OverPage(samples.over(reopened=samples.reopened()))
    expected = {"en": "n next deal here", "ru": "n т сдача здесь"}
    assert expected[language] in text(page, *size)
    assert page.press("next_deal") == NextDeal()
    page.show(samples.over(reopened=samples.reopened(), next_ready=frozenset({samples.key(0)})))
    assert expected[language] not in text(page, *size)
    assert page.press("next_deal") is None
    assert page.note


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"taken": 5}, "but all seats there are taken."),
        ({"left": True}, "and you have left that one."),
        ({"agrees": False}, "with other rules or counts than your program has: it takes no seat there."),
    ],
)
def test_where_no_seat_can_be_taken_enter_is_the_next_deal_and_a_sentence_says_why(
    changes: dict[str, object], words: str
) -> None:
    page = OverPage(samples.over(reopened=samples.reopened(can_join=False, **changes)))
    assert words in text(page)
    assert page.enter_line().text == "Next deal"
    assert page.press("enter") == page.press("next_deal") == NextDeal()


def test_a_key_leads_back_to_a_table_that_was_left_and_to_no_other() -> None:
    left = samples.reopened(can_join=False, left=True)
    page = OverPage(samples.over(reopened=left))
    assert "g go to Boris" in text(page)
    assert page.press("elsewhere") == Join(samples.key(1), b"r" * 16)
    for other in (replace(left, taken=5), replace(left, agrees=False), replace(left, left=False), None):
        page = OverPage(samples.over(reopened=other))
        assert page.press("elsewhere") is None
        assert "go to Boris" not in text(page)


@pytest.mark.parametrize("size", [(80, 24), (60, 20)])
def test_a_newcomer_sees_every_count_and_what_it_is_before_he_agrees(size: tuple[int, int]) -> None:
    page = ReadyPage(samples.going_on(before=None))
    shown = text(page, *size)
    assert "Boris 9XW2 2 ✓ ready" in shown
    assert "Vera 4H7P 1 reading" in shown
    assert "The numbers are deals lost" in shown
    assert "newcomers have none" in shown
    assert "drawn anew" in shown
    assert "last result" not in shown


def test_where_the_first_out_wins_the_numbers_are_wins_and_without_a_session_there_are_none() -> None:
    wins = Ruleset.preset("pagat").with_(end="first_out")
    shown = text(ReadyPage(samples.going_on(ruleset=wins, wins=(3, 0, 1, 0))))
    assert "Boris 9XW2 3 ✓ ready" in shown
    assert "deals won" in shown
    alone = Ruleset.preset("pagat").with_(session="none")
    shown = text(ReadyPage(samples.going_on(ruleset=alone)))
    assert "Boris 9XW2 ✓ ready" in shown
    assert "The numbers" not in shown


def test_getting_ready_leads_back_to_the_last_result_and_to_the_other_table() -> None:
    page = ReadyPage(samples.going_on(reopened=samples.reopened(name="Anna")))
    assert "Anna has opened it again, too" in text(page)
    assert page.press("result") == Go(Where.RESULT)
    assert page.press("elsewhere") == Join(samples.key(1), b"r" * 16)
    alone = ReadyPage(samples.gathering())
    assert alone.press("result") is None
    assert alone.press("elsewhere") is None


def test_the_last_result_can_be_looked_at_and_saved_and_nothing_else() -> None:
    page = ResultPage(samples.over())
    assert "Boris is left with cards and loses." in text(page)
    assert page.press("save") == SaveTranscript()
    assert page.press("enter") == page.press("back") == Go(Where.BACK)
    assert page.press("reopen") is None
    assert page.press("trust") is None


def test_the_lobby_marks_a_table_that_goes_on() -> None:
    offers = (samples.offer(1, "Kitchen", goes_on=True), samples.offer(2, "Evening"))
    page = LobbyPage(replace(samples.lobby(), offers=offers))
    assert "Kitchen pagat 2/4 goes on" in text(page)
    assert "It goes on from an earlier table" in text(page)
    page.press("down")
    assert "It goes on from an earlier table" not in text(page)


def test_leaving_on_the_way_costs_the_new_seat_only() -> None:
    assert "back at the last result" in leaving_costs(samples.going_on())
    assert "back at the last result" not in leaving_costs(samples.going_on(before=None))


@pytest.mark.parametrize("language", i18n.LANGUAGES)
def test_where_the_code_is_forgotten_it_is_asked_for(language: str) -> None:
    i18n.use_language(language)
    private = samples.reopened(asks_code=True)
    page = OverPage(samples.over(reopened=private))
    expected = {"en": "press Enter and type its code", "ru": "нажмите Enter и введите код"}
    assert expected[language] in text(page)
    assert page.press("enter") == EnterCode(private.opener, b"r" * 16)
    assert ReadyPage(samples.going_on(reopened=private)).press("elsewhere") == EnterCode(
        private.opener, b"r" * 16
    )


# In the app


def seen(app: VerishApp) -> str:
    """Return what stands on the screen."""
    canvas = app.screen.query_one(CanvasView).canvas
    assert canvas is not None
    return " ".join("\n".join(canvas.lines()).split())


async def test_a_person_opens_the_table_again_and_looks_back_while_others_come() -> None:
    node, company = FakeNode(table_override=samples.over()), FakeCompany()
    app = VerishApp(node, settings=still(), company=company)
    async with app.run_test(size=(80, 24)) as pilot:
        await settled(pilot)
        assert isinstance(app.screen, OverScreen)
        await pilot.press("к", "right", "enter")
        await settled(pilot)
        assert node.wished == [("reopen", 5)]
        node.table_override = samples.going_on()
        node.changed()
        await settled(pilot)
        assert isinstance(app.screen, ReadyScreen)
        await pilot.press("r")
        await settled(pilot)
        assert isinstance(app.screen, ResultScreen)
        node.changed()
        await settled(pilot)
        assert "Boris is left with cards" in seen(app)
        await pilot.press("escape")
        await settled(pilot)
        assert isinstance(app.screen, ReadyScreen)
        await pilot.press("escape", "down", "down", "down", "enter")
        await settled(pilot)
        assert node.wished[-1] == ("leave",)
        # Who gives up the way is at the table again, and so are his bots.
        assert company.dismissed == 0
        node.table_override = samples.over()
        node.said.put(TableClosed(ClosedBecause.LEFT))
        await settled(pilot)
        assert isinstance(app.screen, OverScreen)


async def test_who_came_back_types_the_code_of_the_table_that_was_opened_again() -> None:
    private = samples.offer(1, "Kitchen", offer_id=b"r" * 16, needs_code=True, goes_on=True)
    node = FakeNode(table_override=samples.over(reopened=samples.reopened(asks_code=True)))
    app = VerishApp(node, settings=still())
    async with app.run_test(size=(80, 24)) as pilot:
        await settled(pilot)
        await pilot.press("enter")
        await settled(pilot)
        assert isinstance(app.screen, OverScreen)
        assert "This table is no longer there." in seen(app)
        node.lobby = replace(samples.lobby(), offers=(private,))
        await pilot.pause(0.5)  # Enter twice within a moment is one press
        await pilot.press("enter")
        await settled(pilot)
        assert isinstance(app.screen, CodeScreen)
        await pilot.press(*"48219037", "enter")
        await settled(pilot)
        assert node.wished == [("join", samples.key(1), b"r" * 16, "48219037")]
        node.table_override = samples.going_on()
        node.changed()
        await settled(pilot)
        assert isinstance(app.screen, ReadyScreen)


async def test_a_seat_that_is_not_taken_says_why() -> None:
    node = FakeNode(table_override=samples.over(reopened=samples.reopened()))
    app = VerishApp(node, settings=still())
    async with app.run_test(size=(80, 24)) as pilot:
        await settled(pilot)
        await pilot.press("enter")
        await settled(pilot)
        assert node.wished == [("join", samples.key(1), b"r" * 16)]
        node.said.put(JoinRefused(b"r" * 16, RefusedJoin.BEFORE))
        await settled(pilot)
        assert "no seat is taken" in seen(app)
