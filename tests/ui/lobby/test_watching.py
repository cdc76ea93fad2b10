"""Watching in the lobby and around the table: what is offered, what is asked for, and what is not."""

from dataclasses import replace

import page_samples as samples
import pytest
from page_samples import HOSTILE, lobby, offer

from p2p.protocol.snapshot import OfferStatus
from p2p.protocol.table_code import own_code
from p2p.protocol.table_rules import TableRules
from ui import i18n
from ui.keys import Place
from ui.lobby import EnterCode, Reopen, Watch
from ui.lobby.code_page import CodePage
from ui.lobby.help_page import HelpPage
from ui.lobby.lobby_page import LobbyPage
from ui.lobby.over_page import OverPage
from ui.table.size import Size
from ui.table_form import TableForm
from ui.words.leaving import leaving_costs
from ui.words.rules import difference_lines, rule_lines

PLAYED = offer(1, "Kitchen", status=OfferStatus.PLAYING)


def page_of(*offers: object) -> LobbyPage:
    return LobbyPage(replace(lobby(), offers=offers))


@pytest.mark.parametrize("press", ["enter", "watch"])
def test_a_table_that_is_played_is_watched_by_enter_and_by_its_own_key(press: str) -> None:
    page = page_of(PLAYED)
    line = page.enter_line()
    assert (line.text, line.aside, line.live) == ("Watch Kitchen", "you see no hand", True)
    assert any(cap.name == "watch" for cap in page.acts())
    assert page.press(press) == Watch(PLAYED.opener, PLAYED.offer_id)
    private = replace(PLAYED, needs_code=True)
    assert page_of(private).press(press) == EnterCode(*PLAYED.place, watch=True)


@pytest.mark.parametrize(
    ("shown", "words"),
    [
        (offer(1, "Kitchen"), "Nobody plays at this table yet: there is nothing to watch."),
        (offer(1, "Kitchen", status=OfferStatus.FULL), "Nobody plays at this table yet"),
        (replace(PLAYED, table_rules=TableRules(watchers="no")), "This table lets nobody watch."),
        (replace(PLAYED, own=True), "You already sit at a table there."),
        (None, "Nobody has opened a table yet."),
    ],
)
def test_what_cannot_be_watched_says_why(shown: object, words: str) -> None:
    page = page_of(*(() if shown is None else (shown,)))
    assert page.press("watch") is None
    assert words in page.note


def test_a_table_that_lets_nobody_watch_is_only_said_to_be_playing() -> None:
    page = page_of(replace(PLAYED, table_rules=TableRules(watchers="no")))
    assert (page.enter_line().text, page.enter_line().live) == ("This table is playing already.", False)
    assert not any(cap.name == "watch" for cap in page.acts())


def test_while_it_is_asked_the_line_says_so() -> None:
    snapshot = replace(lobby(), offers=(PLAYED,), joining=PLAYED.offer_id)
    assert LobbyPage(snapshot).enter_line().text == "Asking to watch Kitchen…"


def test_the_code_of_a_table_that_is_watched_is_typed_like_any_other() -> None:
    private = replace(PLAYED, needs_code=True)
    page = CodePage(private, replace(lobby(), offers=(private,)), watch=True)
    page.type_text("4821 9037")
    assert page.enter_line().text == "Watch Kitchen"
    assert page.press("enter") == Watch(private.opener, private.offer_id, own_code("4821 9037"))


def test_after_a_deal_a_watcher_may_look_closer_and_can_do_nothing_else() -> None:
    page = OverPage(samples.watched(samples.over()))
    assert page.enter_line().text == "You watch the next deal."
    assert {cap.name for cap in page.acts()} == {"trust", "replay", "log", "save"}
    for name in ("enter", "next_deal", "reopen", "elsewhere"):
        assert page.press(name) is None
    assert not isinstance(page.press("enter"), Reopen)


def test_after_a_deal_a_watcher_is_offered_no_talk_that_nobody_would_hear() -> None:
    page = OverPage(samples.watched(samples.over()))
    assert not {"talk", "mute"} & {cap.name for cap in page.foot()}
    for name in ("talk", "mute"):
        assert page.press(name) is None
        assert page.note == "You are watching: nothing is asked of you."
        assert not page.typing
    helped = "\n".join(HelpPage(Place.OVER, page.table).draw(Size(100, 40)).lines())
    assert "say something to the table" not in helped


def test_who_watches_is_told_that_leaving_costs_nothing() -> None:
    assert leaving_costs(samples.watched(samples.over())) == "you only watch"


def test_whether_others_may_watch_is_chosen_with_the_other_rules_and_told_to_all() -> None:
    form = TableForm()
    assert "watchers" in form.offered
    form.change("watchers", 1, around=True)
    assert form.table_rules == TableRules(watchers="no")
    assert (form.value_word("watchers"), form.usual_word("watchers")) == ("not allowed", "allowed")
    rules = form.ruleset
    assert rules is not None
    told = [line.text for line in difference_lines(rules, 4, form.table_rules)]
    assert told[-1] == "Nobody else may watch"
    assert "Others may watch; they see no hand" in [line.text for line in rule_lines(rules, 4, TableRules())]


@pytest.mark.parametrize("size", [(60, 20), (80, 24), (120, 36)])
@pytest.mark.parametrize("language", i18n.LANGUAGES)
def test_a_hostile_title_is_drawn_as_it_is_in_the_line_that_offers_to_watch(
    size: tuple[int, int], language: str
) -> None:
    i18n.use_language(language)
    page = page_of(replace(PLAYED, title=HOSTILE))
    assert HOSTILE in "\n".join(page.draw(Size(*size)).lines())
