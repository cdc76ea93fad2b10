"""The lobby, drawn as text and pressed by name: tables, people, nobody found."""

from dataclasses import replace

import pytest
from page_samples import FINGERPRINTS, crowd, key, lobby, offer, person
from page_text import AROUND, text

from p2p.protocol.snapshot import NameWarning, OfferStatus
from p2p.protocol.table_rules import TableRules
from ui.lobby import CopyAddress, EnterCode, Go, Join, PlayWithBots, Surroundings, Where
from ui.lobby.lobby_page import LobbyPage


def test_the_lobby_lists_tables_with_form_seats_and_state() -> None:
    drawn = text(LobbyPage(lobby(), AROUND))
    assert "Open tables · 4" in drawn
    assert "you are Oleg · 7F3K" in drawn
    assert "► Kitchen pagat ≠2 3/4" in " ".join(drawn.split())
    assert "Evening 2T" in drawn
    assert "Evening 3T" in drawn
    assert "full" in drawn
    assert "playing" in drawn


def test_the_card_of_a_table_tells_differences_people_and_free_seats() -> None:
    drawn = text(LobbyPage(lobby(), AROUND), 120, 36)
    assert "≠ Lay 1 to 4 cards a turn  usually: 3" in drawn
    assert "≠ The loser deals next  usually: left" in drawn
    assert "Seats  Anna, Boris, Vera, 1 free" in drawn


@pytest.mark.parametrize(
    ("warning", "words"),
    [
        (NameWarning.IMITATES_YOU, "! imitates you"),
        (NameWarning.SAME_NAME, "! has your name"),
        (NameWarning.NOT_YOURS, "! not your Boris"),
        (NameWarning.IMITATES, "! look-alike"),
        (NameWarning.NEW_KEY, "! new key"),
    ],
)
def test_a_warning_takes_the_place_of_the_whereabouts(warning: NameWarning, words: str) -> None:
    people = (person(1, "Boris", warning=warning, table_title="Kitchen"),)
    drawn = text(LobbyPage(replace(lobby(), people=people)))
    assert words in drawn
    assert "at Kitchen" not in drawn


def test_enter_joins_the_chosen_table_by_its_random_id() -> None:
    page = LobbyPage(lobby())
    assert page.press("enter") == Join(key(1), bytes([1]) * 16)
    page.press("down")
    assert page.enter_line().text == "Join Evening"
    assert page.press("enter") == Join(key(2), bytes([2]) * 16)


def test_the_chosen_table_stays_chosen_when_others_come_and_go() -> None:
    page = LobbyPage(lobby())
    page.press("down")
    page.show(replace(lobby(), offers=(offer(7, "New"), *lobby().offers)))
    assert page.chosen is not None
    assert page.chosen.offer_id == bytes([2]) * 16
    page.show(replace(lobby(), offers=(offer(7, "New"),)))
    assert page.chosen.title == "New"


def test_full_and_playing_tables_answer_why_they_are_not_joined() -> None:
    unwatched = replace(lobby().offers[3], table_rules=TableRules(watchers="no"))
    page = LobbyPage(replace(lobby(), offers=(*lobby().offers[:3], unwatched)))
    page.pick("offer", 2)
    assert page.press("enter") is None
    assert page.note == "The table is full."
    page.pick("offer", 3)
    assert page.press("enter") is None
    assert page.note == "This table is playing already."


def test_a_table_that_was_asked_is_not_asked_again() -> None:
    page = LobbyPage(replace(lobby(), joining=bytes([1]) * 16))
    assert page.enter_line().text == "Asking for a seat at Kitchen…"
    assert page.press("enter") is None


def test_an_empty_lobby_says_first_that_it_looks_then_what_may_be_wrong() -> None:
    page = LobbyPage(lobby(empty=True), Surroundings(3.0, AROUND.addresses))
    assert "Looking for people on this network…" in text(page)
    assert page.press("enter") == Go(Where.OPEN_TABLE)
    page.show(lobby(empty=True), AROUND)
    drawn = text(page)
    assert "Nobody found yet. Looking for 14 s on Wi-Fi, eth0." in drawn
    assert "192.168.1.23:52417" in drawn
    assert page.enter_line().text == "Play with 3 bots meanwhile"
    assert page.press("enter") == PlayWithBots(3)
    assert page.press("copy") == CopyAddress("192.168.1.23:52417")


def test_nobody_found_is_said_in_russian(russian: None) -> None:
    drawn = text(LobbyPage(lobby(empty=True), AROUND))
    assert "Пока никого не видно. Ищем 14 с: Wi-Fi, eth0." in drawn
    assert "Запущен ли Verish на другом компьютере этой сети?" in drawn


def test_without_any_network_the_lobby_says_so() -> None:
    page = LobbyPage(lobby(empty=True), Surroundings(14.0))
    assert "There is no network" in text(page)
    assert page.press("enter") == PlayWithBots(3)


def test_in_a_narrow_window_space_shows_the_card() -> None:
    page = LobbyPage(lobby())
    assert "usually: left" not in text(page, 60, 20)
    page.press("space")
    assert "usually: left" in text(page, 60, 20)
    assert page.press("back") is None
    assert "usually: left" not in text(page, 60, 20)
    assert page.press("back") == Go(Where.MENU)


def test_more_tables_than_rows_keep_the_chosen_one_in_view() -> None:
    page = LobbyPage(replace(lobby(), offers=tuple(offer(n, f"Table {n}") for n in range(40))))
    for _ in range(39):
        page.press("down")
    assert "► Table 39" in text(page)


def test_the_lobby_shows_which_tables_need_a_code_and_asks_for_it() -> None:
    private = offer(1, "Kitchen", needs_code=True, people=("Boris", "Vera"))
    page = LobbyPage(replace(lobby(), offers=(private,)), AROUND)
    drawn = text(page, 120, 36)
    assert "2/4     code" in drawn
    assert "Code  needed: ask Boris" in drawn
    assert "asks for the code" in drawn
    assert page.press("enter") == EnterCode(*private.place)


def test_control_characters_that_slip_through_do_not_reach_the_canvas() -> None:
    page = LobbyPage(replace(lobby(), people=(person(1, "a\x1b[2Jb\u202e"),)))
    drawn = text(page)
    assert "\x1b" not in drawn
    assert "\u202e" not in drawn


def test_short_fingerprints_stand_beside_every_name() -> None:
    drawn = text(LobbyPage(lobby()))
    assert all(fingerprint[:4] in drawn for fingerprint in FINGERPRINTS)


def test_an_own_table_leads_back_to_it() -> None:
    page = LobbyPage(replace(lobby(), offers=(offer(1, "Mine", own=True, status=OfferStatus.FULL),)))
    assert page.enter_line().text == "Back to your table"
    assert page.press("enter") == Go(Where.BACK)


def test_people_who_no_longer_answer_are_no_company() -> None:
    snapshot = replace(lobby(empty=True), people=(person(1, "Boris", reachable=False),))
    assert "Nobody found yet." in text(LobbyPage(snapshot, AROUND))


def test_of_more_people_than_rows_those_to_be_looked_at_twice_are_shown() -> None:
    snapshot = crowd()
    people = (*snapshot.people[:50], replace(snapshot.people[50], warning=NameWarning.IMITATES_YOU))
    for size in ((60, 20), (80, 24), (120, 36)):
        shown = text(LobbyPage(replace(snapshot, people=people)), *size)
        assert "! imitates you" in shown
        assert "more" in shown


@pytest.mark.parametrize("size", [(60, 20), (80, 24)])
def test_the_own_fingerprint_is_shown_however_long_the_name_is(size: tuple[int, int]) -> None:
    top = text(LobbyPage(crowd()), *size).splitlines()[0]
    assert "… · 7F3K" in top
