"""The first deal explains itself: each situation once, in the log, when it is met for the first time."""

import random

import pytest
from fake_node import FakeCompany, FakeNode
from model_table import ModelTable, cards
from page_samples import lobby
from pilots import settled, text_of
from settings_samples import still
from table_pictures import Clock, drawn, flow_of

from engine import Call, DiscardSets, Duty, Rank, Seat
from p2p.net.history import History
from ui.app import VerishApp
from ui.i18n import use_language
from ui.lobby import PlayWithBots, Surroundings
from ui.lobby.lobby_page import LobbyPage
from ui.table.coach import Coach
from ui.table.flow import Flow
from ui.table.screen import TableScreen
from ui.table.situation import Situation
from ui.words.coach import Lesson, following, last_cards, plain
from ui.words.people import Who

ME = Seat(3)


def first_deal(seed: int = 1) -> ModelTable:
    model = ModelTable(("Vera", "Anna", "Boris", "Oleg"), own=ME, dealer=Seat(2), seed=seed)
    model.deal = 1
    model.happened = [type(one)(1, one.step, one.event) for one in model.happened]
    return model


def act(model: ModelTable, chance: random.Random, *, doubt: float) -> None:
    """Let whoever is to act do something, now and then a lie, and so often a call."""
    model.settle()
    if model.state.over:
        return
    owed = model.state.owed[0]
    seat = owed.seat
    if owed.duty is Duty.DISCARD_SETS:
        model.play(DiscardSets(seat, (), ()))
        return
    held = len(model.state.hand_of(seat))
    if owed.duty is Duty.LAY_OR_CALL and (not held or chance.random() < doubt):
        model.play(Call(seat, believe=False))
        return
    rank = model.state.due_rank or Rank.QUEEN
    model.lay(seat, min(held, chance.randint(1, 3)), rank, lie=chance.random() < 0.4)


def lessons(flow: Flow) -> list[Lesson]:
    return [one.lesson for one in flow.scene().coach]


@pytest.mark.parametrize("seed", range(3))
def test_over_a_whole_deal_each_situation_is_explained_once_when_it_is_met(seed: int) -> None:
    model, chance, coach = first_deal(seed), random.Random(seed), Coach()
    flow = Flow(model.snapshot(), Clock(), animate=False, coach=coach)
    assert lessons(flow) == [Lesson.GOAL, Lesson.LEADING]
    grown = acts = 0
    while not model.state.over:
        acts += 1
        act(model, chance, doubt=0.4 if acts < 40 else 0.0)
        flow.update(model.snapshot())
        found = lessons(flow)
        assert len(found) == len(set(found))
        assert found[:grown] == [one for one in found if one in found[:grown]]
        grown = len(found)
    assert {Lesson.WAITING, Lesson.FOLLOWING, Lesson.BLUFF, Lesson.TRUTH, Lesson.LAST_CARDS} <= set(found)


@pytest.mark.parametrize("lesson", [*Lesson])
def test_every_situation_has_its_sentence_in_both_languages(lesson: Lesson, russian: None) -> None:
    del russian

    def sentence() -> str:
        special = {Lesson.FOLLOWING: following(Rank.QUEEN, "x"), Lesson.LAST_CARDS: last_cards(Who("Anna"))}
        return special[lesson] if lesson in special else plain(lesson)

    translated = sentence()
    use_language("en")
    assert translated != sentence()


def test_the_sentence_stands_in_the_log_where_its_situation_was_met() -> None:
    model = first_deal()
    flow = Flow(model.snapshot(), Clock(), animate=False, coach=Coach())
    shown = " ".join(line[35:79].strip() for line in drawn(flow))
    assert "◆ You want to be rid of your cards" in shown
    assert "◆ You lead: pick cards by the keys of their ranks" in shown


def test_a_bluff_is_not_explained_before_its_verdict_stands_on_the_table() -> None:
    clock, model = Clock(), first_deal()
    flow = Flow(model.snapshot(), clock, coach=Coach())
    model.lay(ME, 2, Rank.QUEEN, lie=True)
    flow.update(model.snapshot())
    model.play(Call(Seat(0), believe=False))
    model.settle()
    flow.update(model.snapshot())
    assert flow.showing
    assert not any("That was a bluff" in line for line in drawn(flow, 120, 36))
    clock.pass_s(30)
    assert any("That was a bluff" in line for line in drawn(flow, 120, 36))


def test_later_deals_and_other_tables_are_not_explained() -> None:
    model = first_deal()
    model.deal = 2
    coach = Coach()
    coach.follow(Situation(model.snapshot()))
    assert coach.lines(model.snapshot()) == ()
    assert flow_of(first_deal()).scene().coach == ()


@pytest.mark.parametrize("novice", [True, False])
def test_enter_in_an_empty_lobby_begins_a_first_deal_only_for_a_newcomer(novice: bool) -> None:
    page = LobbyPage(lobby(empty=True), Surroundings(looked_s=60, novice=novice))
    assert (page.enter_line().text == "Play a first deal") is novice
    assert page.press("enter") == PlayWithBots(3, coached=novice)
    assert page.press("first_deal") == PlayWithBots(3, coached=True)


async def test_who_has_never_played_and_finds_nobody_is_offered_a_first_deal() -> None:
    node, company = FakeNode(lobby=lobby(empty=True), past=History()), FakeCompany()
    app = VerishApp(node, settings=still(), company=company)
    app._looking_since -= 60
    async with app.run_test(size=(80, 24)) as pilot:
        await settled(pilot)
        assert "Play a first deal" in text_of(app)
        assert "f  a first deal" not in text_of(app), "Enter does it; the address needs the room"
        await pilot.press("f")
        await settled(pilot)
        assert node.wished == [("open_table", "Oleg", "pagat", 4)]
        assert company.called == [("Oleg", 3)]
        node.model = first_deal()
        node.model.give(ME, cards("6S 6H 7D"))
        node.changed()
        await settled(pilot)
        assert isinstance(app.screen, TableScreen)
        assert "You want to be rid of your cards" in text_of(app)
        await pilot.press("h")
        await settled(pilot)
        assert "You want to be rid of your cards" in text_of(app)
