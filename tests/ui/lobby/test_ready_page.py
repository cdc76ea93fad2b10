"""Getting ready, drawn as text and pressed by name: seats, rules, agreement."""

from dataclasses import replace

import pytest
from page_samples import gathering, key, lobby, member, offer, person
from page_text import SIZES, text

from engine import Ruleset
from p2p.protocol.snapshot import NameWarning
from p2p.protocol.table_code import own_code
from p2p.protocol.table_rules import TableRules
from ui.keys import Place
from ui.lobby import Go, SetReady, StartWithout, Where
from ui.lobby.help_page import HelpPage
from ui.lobby.lobby_page import LobbyPage
from ui.lobby.ready_page import ReadyPage


def test_who_has_opened_a_private_table_sees_the_code_while_it_gathers() -> None:
    code = own_code("4821 9037")
    for width, height in SIZES:
        assert "Code to read out  4821 9037" in text(ReadyPage(gathering(code=code)), width, height)
    assert "Code" not in text(ReadyPage(gathering()))


@pytest.mark.parametrize(("width", "height"), [(80, 24), (60, 20), (120, 36)])
def test_a_warning_hides_nobodys_readiness(width: int, height: int) -> None:
    members = list(gathering().members)
    number = next(i for i, one in enumerate(members) if one.ready and not one.own)
    members[number] = replace(members[number], warning=NameWarning.SAME_NAME)
    shown = ReadyPage(replace(gathering(), members=tuple(members)))
    rows = text(shown, width, height).splitlines()
    row = next(i for i, line in enumerate(rows) if members[number].name in line)
    assert "✓ ready" in rows[row]
    assert "! has your name" in rows[row + 1] or "! ✓ ready" in rows[row]


def test_a_name_that_carries_its_fingerprint_is_not_followed_by_it_again() -> None:
    short = gathering().members[0].fingerprint[:4]
    members = tuple(
        replace(one, name=f"Root {one.fingerprint[:4]}") if one.own else one for one in gathering().members
    )
    drawn = text(ReadyPage(replace(gathering(), members=members)))
    own = next(one for one in members if one.own)
    assert f"Root {own.fingerprint[:4]} (you)" in drawn
    assert f"you are Root {own.fingerprint[:4]}" in drawn
    seats = next(line for line in drawn.splitlines() if "(you)" in line)
    assert seats.count(own.fingerprint[:4]) == 1
    people = (person(1, f"Boris {short}"),)
    people = (replace(people[0], name=f"Boris {people[0].fingerprint[:4]}"),)
    drawn = text(LobbyPage(replace(lobby(), people=people)))
    assert drawn.count(people[0].fingerprint[:4]) == 1


def test_seats_show_who_is_ready_and_rules_show_differences_first() -> None:
    drawn = text(ReadyPage(gathering()))
    assert "Seats · 2 of 4 ready" in drawn
    assert "► your answer?" in drawn
    assert drawn.count("✓ ready") == 2
    assert drawn.index("≠ Lay 1 to 4 cards a turn") < drawn.index("The dealer's left leads first")
    assert "READ THE RULES  2 differ from pagat (≠). Do you agree?" in drawn


def test_enter_agrees_and_takes_it_back_only_after_the_pause() -> None:
    page = ReadyPage(gathering(), now=lambda: 100.0)
    assert page.press("enter") == SetReady(True)
    ready = gathering(members=(member(0, "Oleg"), member(1, "Boris", ready=False)), ready_locked_until=103.0)
    page.show(ready)
    assert page.press("enter") is None
    assert page.note == "Readiness can be taken back once in 5 s."
    page.show(replace(ready, ready_locked_until=99.0))
    assert page.press("enter") == SetReady(False)


def test_starting_without_somebody_takes_two_keys() -> None:
    members = (member(0, "Oleg"), member(1, "Boris"), member(2, "Vera", ready=False))
    table = gathering(members=members, can_start_without=key(2))
    page = ReadyPage(table)
    assert "start without Vera" in text(page)
    assert page.press("space") is None
    assert page.enter_line().text == "Start without Vera"
    assert page.press("enter") == StartWithout()


def test_an_armed_start_falls_when_the_last_one_gets_ready() -> None:
    members = (member(0, "Oleg"), member(1, "Boris"), member(2, "Vera", ready=False))
    page = ReadyPage(gathering(members=members, can_start_without=key(2)))
    page.press("space")
    page.show(gathering(members=(*members[:2], member(2, "Vera")), can_start_without=None))
    assert page.enter_line().text != "Start without Vera"
    assert page.press("enter") == SetReady(False)


def test_long_rules_scroll() -> None:
    page = ReadyPage(gathering())
    assert "Lost deals are counted" not in text(page, 60, 20)
    for _ in range(30):
        page.press("down")
        text(page, 60, 20)
    assert "Lost deals are counted" in text(page, 60, 20)


def test_a_table_with_a_time_for_a_turn_says_so_first_wherever_its_rules_are_read() -> None:
    rules = TableRules(clock_s=30, dealer=2)
    game = Ruleset.preset("pagat").with_(first_dealer="chosen").resolve(4)
    table = replace(gathering(), ruleset=game, table_rules=rules)
    drawn = text(ReadyPage(table), 120, 36)
    assert "pagat, 3 differences" in drawn
    assert "≠ 30 s for a turn, then the program plays for you" in drawn
    assert "usually: no limit" in drawn
    assert "≠ Seat 3 deals first  usually: 1, who opens the table" in drawn
    assert "3 differ from pagat (≠). Do you agree?" in drawn
    assert "to call after each packet" not in drawn
    shown = offer(1, "Kitchen", ruleset=game, table_rules=rules)
    lobby_text = text(LobbyPage(replace(lobby(), offers=(shown,))), 120, 36)
    assert "pagat ≠3" in lobby_text
    assert "30 s for a turn" in lobby_text
    page = HelpPage(Place.READY, table)
    page.rules = True
    assert "If a packet can be doubted it says “I don't believe”." in text(page, 120, 46)


def test_who_gets_ready_reads_how_long_somebody_may_stay_away() -> None:
    assert "Who is away for 1 min can be voted out" in text(ReadyPage(gathering()), 120, 46)
    forfeit = TableRules(grace_s=10, absence="forfeit")
    drawn = text(ReadyPage(replace(gathering(), table_rules=forfeit)), 120, 46)
    assert "≠ Who is away for 10 s is put to the vote at once" in drawn


def test_the_time_for_a_call_is_told_where_anyone_may_call_only() -> None:
    calls = replace(gathering(), ruleset=Ruleset.with_preset("pagat", {"callers": "any"}).resolve(4))
    assert "20 s to call after each packet" in text(ReadyPage(calls), 120, 36)
    assert "to call after each packet" not in text(ReadyPage(gathering()), 120, 36)


def test_the_ready_page_leads_to_the_rules_themselves() -> None:
    assert ReadyPage(gathering()).press("help") == Go(Where.RULES)
