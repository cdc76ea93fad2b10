"""The end of a deal, drawn as text and pressed by name: result, session, what is next."""

from dataclasses import replace

import pytest
from page_samples import key, opening, over, over_twelve, session, tie_break
from page_text import text

from engine import Ruleset, Seat
from p2p.protocol.snapshot import PollView, ResultKind, TrustAnswer
from ui import i18n
from ui.lobby import EndWait, Go, NextDeal, Where
from ui.lobby.over_page import OverPage


def test_the_end_counts_only_public_facts() -> None:
    drawn = text(OverPage(over()))
    assert "4. Boris 3 1 2 ◂" in " ".join(drawn.split())
    assert "Lies that nobody called stay secret until all open their books." in drawn
    assert "✓ Audited without any key" in drawn
    assert "Next deal  ready 2 of 4" in drawn


def test_the_first_out_wins_and_wins_are_counted() -> None:
    ended = over()
    club = Ruleset.with_preset("club", {"claim_number": "honest"})
    result = ended.result
    assert result is not None
    standings = tuple(replace(one, wins=4) for one in result.standings)
    drawn = text(
        OverPage(replace(ended, ruleset=club, result=replace(result, loser=None, standings=standings)))
    )
    assert "won" in drawn
    assert "lost" not in drawn
    assert "is out first and wins." in drawn or "You are out first and win." in drawn


def test_where_deals_stand_alone_nothing_is_counted() -> None:
    drawn = text(OverPage(replace(over(), ruleset=Ruleset.with_preset("pagat", {"session": "none"}))))
    assert "guessed" in drawn
    assert "lost" not in drawn


def ended_session(losses: tuple[int, ...], *tied: int, **changes: object) -> OverPage:
    """Return the page after the deal with which Boris has lost a session to three losses."""
    rules = Ruleset.preset("pagat").with_(session="to_n_losses")
    best = tuple(key(number) for number in tied)
    ended = session(losses, losers=(key(1),), best=best)
    return OverPage(over(ruleset=rules, session=ended, **changes))


def test_a_session_that_goes_on_says_what_it_goes_to() -> None:
    rules = Ruleset.preset("pagat").with_(session="to_n_losses")
    page = OverPage(over(ruleset=rules, session=session((0, 2, 1, 0))))
    assert "The session goes to 3 losses." in text(page)
    assert "DEAL OVER" in text(page)
    assert page.enter_line().text == "Next deal"
    club = Ruleset.preset("club").with_(session="to_n_losses", session_losses=1)
    page.show(over(ruleset=club, session=session((0, 0, 0, 0), goal=1)))
    assert "The session goes to 1 win." in text(page)


def test_a_session_that_is_over_names_its_loser_and_its_best() -> None:
    page = ended_session((0, 3, 2, 1), 0)
    assert "The session is over. Lost: Boris. Best: You." in text(page)
    assert "SESSION OVER" in text(page)
    assert page.enter_line().text == "Start a new session"
    assert page.press("enter") == NextDeal()


def test_a_tie_says_who_plays_it_off() -> None:
    tied = "A tie for the fewest losses: Vera, Anna. One more deal among them settles it."
    watching = ended_session((2, 3, 1, 1), 2, 3, next_players=(key(2), key(3)), next_ready=frozenset())
    assert tied in " ".join(text(watching).replace("│", " ").split())
    assert "DEAL OVER" in text(watching)
    assert "You watch the tie-break.  ready 0 of 2" in text(watching)
    assert not watching.enter_line().live
    assert watching.press("enter") is None
    assert "Next deal  · Vera  · Anna" in text(watching)
    playing = ended_session((1, 3, 1, 2), 0, 2, next_players=(key(0), key(2)), next_ready=frozenset())
    assert playing.enter_line().text == "Play the tie-break"
    assert playing.press("enter") == NextDeal()


def test_after_a_tie_break_the_counts_of_those_who_watched_stand_below() -> None:
    page = OverPage(tie_break())
    lines = text(page).splitlines()
    places = [next(at for at, line in enumerate(lines) if name in line) for name in ("1. Anna", "2. Vera")]
    assert places == sorted(places)
    assert any("·  You" in line and line.split()[-2:] == ["2", "│"] for line in lines)
    assert any("·  Boris" in line and line.split()[-2:] == ["3", "│"] for line in lines)
    assert "The session is over. Lost: Boris. Best: Anna." in text(page)
    assert page.enter_line().text == "Start a new session"


def test_the_next_deal_is_wished_once() -> None:
    page = OverPage(over())
    assert page.press("enter") == NextDeal()
    page.show(over(next_ready=frozenset({key(0), key(2), key(3)})))
    assert not page.enter_line().live
    assert "Waiting for the others.  ready 3 of 4" in text(page)
    assert page.press("enter") is None


def test_after_a_stopped_deal_the_next_one_can_be_wanted() -> None:
    page = OverPage(over(ResultKind.STOPPED))
    assert "DEAL STOPPED" in text(page)
    assert page.press("enter") == NextDeal()


def test_trust_log_and_menu_are_asked_for() -> None:
    page = OverPage(over())
    assert [page.press(name) for name in ("trust", "log", "back", "help")] == [
        Go(Where.TRUST), Go(Where.LOG), Go(Where.MENU), Go(Where.HELP),
    ]  # fmt: skip


def test_after_somebody_left_the_next_deal_goes_on_without_him() -> None:
    members = tuple(replace(one, left=one.name == "Vera") for one in over().members)
    page = OverPage(over(members=members))
    assert page.press("enter") is None
    assert "Vera has left: the next deal goes on without them." in text(page)
    page = OverPage(over(members=members, next_players=(key(0), key(1), key(3))))
    assert page.press("enter") == NextDeal()
    page = OverPage(over(members=members, next_players=()))
    assert page.press("enter") is None
    assert "Too few are left: no more deals here." in text(page)
    assert "Next deal" not in text(page), "and nobody plays it"


def test_the_wait_for_who_keeps_the_next_deal_waiting_can_be_ended() -> None:
    page = OverPage(over())
    assert "end the wait" not in text(page)
    page.show(over(wait_until=1000.0))
    assert "w  end the wait" in text(page)
    assert page.press("go_on_without") == EndWait()
    page.show(over(wait_until=1000.0, two_alone=True))
    assert "w  end the wait" not in text(page)
    assert page.press("go_on_without") is None
    poll = PollView((Seat(1),), (), (Seat(0), Seat(2), Seat(3)), (Seat(0),), 0.0)
    page.show(over(wait_until=1000.0, poll=poll))
    assert "end the wait for Boris: 1 of 3 have answered." in " ".join(text(page).split())
    assert "w  end the wait" not in text(page)


def test_who_was_voted_absent_has_lost_and_is_marked() -> None:
    drawn = text(OverPage(over(ResultKind.ABSENT)))
    assert "DEAL OVER  Boris was voted absent and loses." in drawn
    assert [line for line in drawn.splitlines() if "Boris" in line and "◂" in line]
    assert "ready 2 of 3" in drawn


def test_a_void_deal_never_says_that_nobody_can_peek() -> None:
    table = over(ResultKind.VOID)
    table = replace(table, trust=replace(table.trust, answer=TrustAnswer.NOBODY))
    drawn = text(OverPage(table))
    assert "a breach was caught" in drawn
    assert "peek" not in drawn.splitlines()[0]


def test_where_not_all_players_have_room_the_others_are_scrolled_to() -> None:
    page = OverPage(over_twelve())
    shown = text(page, 60, 20)
    assert " 1. You" in shown
    assert "12. Player 12" not in shown
    assert "scroll" in shown
    page.press("page_down")
    shown = text(page, 60, 20)
    assert "12. Player 12" in shown
    assert " 1. You" not in shown
    page.press("up")
    assert "12. Player 12" not in text(page, 60, 20), "no press was lost behind the end"
    assert "scroll" not in text(page, 120, 36)
    assert "+9" in shown, "those whose mark has no room are counted"


@pytest.mark.parametrize("language", i18n.LANGUAGES)
def test_what_is_to_be_decided_has_room_in_the_least_window(language: str) -> None:
    i18n.use_language(language)
    page = OverPage(opening(wished=(1, 2)))
    caps = [cap.name for cap in page.acts()]
    assert caps[0] == "books"
    next_deal = {"en": "Next deal  ►", "ru": "Следующая сдача  ►"}[language]
    opened = {"en": "Open the books  ►", "ru": "Книги  ►"}[language]
    shown = text(page, 60, 20)
    assert next_deal in shown
    assert opened in shown
    page.press("books")
    shown = text(page, 60, 20)
    audited = {"en": "every proof and every move", "ru": "все подписи, доказательства"}[language]
    assert audited in " ".join(shown.split()), "the longest of notes leaves room for what was found"
    assert next_deal in shown


def test_a_deal_that_ended_by_a_vote_is_spoken_of_in_the_past() -> None:
    assert "nobody could peek" in text(OverPage(over(ResultKind.ABSENT))).splitlines()[0]


def test_two_stories_are_told_without_a_word_of_the_protocol() -> None:
    assert "The audit found a breach: two stories of one step. Step 45. By Boris." in text(
        OverPage(over(ResultKind.VOID))
    )
