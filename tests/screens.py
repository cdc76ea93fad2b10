"""Shows one screen of the program as a picture, over a made-up table: `python -m tests.screens NAME`.

Without more options the picture is printed as text; `--svg FILE` writes it with colours. Names: `--list`.
"""

import argparse
import asyncio
import os
import re
import sys
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent / "helpers"))

import page_samples as samples
from fake_node import FakeNode
from finished_table import twelve as twelve_watched
from finished_table import watched
from model_table import ModelTable, cards

from engine import Call, Duty, Rank, Ruleset, Seat, Value
from p2p.protocol.deal_cards import Reading
from p2p.protocol.deal_views import CardReading
from p2p.protocol.replay import Replay
from p2p.protocol.snapshot import (
    OfferStatus,
    Phase,
    PollView,
    Remark,
    ResultKind,
    SessionView,
    ShuffleState,
    ShuffleView,
    TalkLine,
    TrustAnswer,
)
from p2p.protocol.table_code import own_code
from p2p.protocol.table_rules import TableRules
from ui import i18n
from ui.app import VerishApp
from ui.glyphs import GlyphSet, choose
from ui.house_app import HouseApp
from ui.replay.app import ReplayApp
from ui.rulesets import on_the_network
from ui.settings import OwnSettings, Settings
from ui.table.coach import Coach
from ui.table.view import CanvasView
from ui.table_form import TableForm
from ui.theme import VERISH_LIGHT

ME = Seat(3)
SETTINGS_FILE = Path("/home/oleg/.config/verish/settings.json")
"""Only shown: no picture changes a setting."""
NAMES = {"en": ("Vera", "Anna", "Boris", "Oleg"), "ru": ("Вера", "Анна", "Борис", "Олег")}
NOW = 12.0
"""The clock of the pictures: one that stands makes the same picture twice."""
TIMES = TableRules(clock_s=30, dealer=2)
FORTY = " ".join(f"{rank}{suit}" for rank in (*"23456789", "10", "J") for suit in "SHDC")


LONG_NAMES = (
    "Wilhelmina-Alexandra of Wolfsburg",
    "Константин Константинопольский 2",
    "Maximilian Maximilianowitsch III",
    "Oleg Verified Neighbour Upstairs",
)
WIDE_NAMES = ("田中さんと鈴木さんと佐藤さんの家族", "김민준과이서연과박지훈의가족모임", "Борис", "Oleg")
HOSTILE_NAMES = ("[/]", "[bold", "[@click=app.quit]x[/]", "\u202eOleg\x1b[31m")
"""What cleaning would have let through, and what it would not."""


@dataclass
class Pictured:
    """A node to look at, the keys to press, and how long ago the program began to look for people."""

    node: FakeNode
    keys: tuple[str, ...] = ()
    looked_s: float = 3.0
    now: Callable[[], float] = lambda: NOW
    coached: bool = False
    """Whether the deal explains itself."""
    replay: Callable[[], Replay] | None = None
    """In the place of the node: a deal to watch again."""

    over: dict[str, tuple[object, str]] = field(default_factory=dict)
    """Settings that flags or variables settle."""

    def app(self, glyphs: GlyphSet, settings: Settings) -> HouseApp:
        """The app that shows it."""
        own = OwnSettings(SETTINGS_FILE, settings)
        for setting, (value, by) in self.over.items():
            own.override(setting, value, by)
        if self.replay is not None:
            return ReplayApp(self.replay(), own, glyphs)
        coach = Coach() if self.coached else None
        app = VerishApp(self.node, settings=own, glyphs=glyphs, now=self.now, coach=coach)
        app._looking_since -= self.looked_s
        return app


def playing(hand: str = "6S 6H 7D 9C 10S 10D JH QS KD KC AS AD AC", players: int = 4) -> ModelTable:
    """Return a table whose own seat, the last one, holds a hand."""
    names = (*NAMES[i18n.current_language()][:3], *(f"Player {n}" for n in range(4, players)))
    own = Seat(players - 1)
    model = ModelTable((*names, NAMES[i18n.current_language()][3]), own=own, dealer=own, title="Kitchen")
    model.give(own, cards(hand))
    return model


def to_answer(*, lie: bool = True) -> ModelTable:
    """Return a table at which three have laid queens and the own seat must answer."""
    model = playing()
    model.lay(Seat(0), 1, Rank.QUEEN)
    model.lay(Seat(1), 3, lie=True)
    model.lay(Seat(2), 2 if lie else 1, lie=lie)
    return model


def called(*, lie: bool, hand: str = "6S 6H 7D 9C 10S 10D JH KS KD KC AS AD AC") -> ModelTable:
    """Return a table at which the own call has opened the packet."""
    model = playing(hand)
    model.give(Seat(2), cards("QS QH 3S 3D"))
    model.lay(Seat(0), 1, Rank.QUEEN, lie=True)
    model.lay(Seat(1), 3, lie=True)
    model.lay(Seat(2), 2, lie=lie)
    model.play(Call(ME, believe=False))
    model.settle()
    return model


def to_lead() -> ModelTable:
    """Return a table at which the own seat leads."""
    names = NAMES[i18n.current_language()]
    model = ModelTable(names, own=ME, dealer=Seat(2), title="Kitchen")
    model.give(ME, cards("6S 6H 7D 9C 10S 10D JH QS KD KC AS AD AC"))
    return model


def fours() -> ModelTable:
    """Return a table at which the own pick-up has completed a four."""
    return called(lie=False, hand="6S 6H 7D 9C 10S 10D JH QD QC KD KC AS AD")


def pending() -> ModelTable:
    """Return a table at which somebody has laid the last cards."""
    model = playing()
    while model.state.pending is None:
        seat = model.state.owed[0].seat
        most = 3 if seat == Seat(2) else 1
        model.lay(seat, min(most, len(model.state.hand_of(seat))), Rank.QUEEN)
        model.settle()
    return model


def last_packet() -> ModelTable:
    """Return a table at which the own hand has gone."""
    model = playing()
    while ME not in model.state.out:
        seat = model.state.owed[0].seat
        most = 3 if seat == ME else 1
        model.lay(seat, min(most, len(model.state.hand_of(seat))), Rank.QUEEN)
        model.settle()
    return model


def variant(form: str, hand: str = "6S 6H 7D 9C 10S QC KS KD AC", /, **options: Value) -> ModelTable:
    """Return a table of another form, whose own seat holds a hand and is the last to lay."""
    names = NAMES[i18n.current_language()]
    rules = on_the_network(Ruleset.preset(form)).with_(**options)
    dealer = ME if rules.first_lead == "dealer_left" else Seat(0)
    model = ModelTable(names, own=ME, dealer=dealer, title="Kitchen", ruleset=rules)
    if "deal" not in options:
        model.give(ME, cards(hand))
        model.give(Seat(2), cards("QS QH QD 8S 8H"))
    model.settle()
    return model


def laid(model: ModelTable, seats: int = 3, *, lie: bool = False) -> ModelTable:
    """Let the first seats lay, and nobody call."""
    for number in range(seats):
        model.settle()
        seat = model.state.owed[0].seat
        model.lay(seat, 1 + number, model.state.due_rank or Rank.QUEEN, lie=lie)
        if number < seats - 1:
            while model.state.owed and model.state.owed[0].duty is Duty.ANSWER:
                model.answer(model.state.owed[0].seat)
    model.settle()
    return model


def called_with(model: ModelTable, *, believe: bool = False, index: int | None = None) -> ModelTable:
    """Let the own seat call, and settle what follows."""
    model.play(Call(ME, believe, index))
    model.settle()
    return model


def window(*answered: int) -> ModelTable:
    """Return a table whose window for calls is open."""
    model = laid(variant("pagat", callers="any"))
    for seat in answered:
        model.answer(Seat(seat))
    return model


def nothing_to_call() -> ModelTable:
    """Return a table at which the packet before the own turn was rightly believed."""
    model = variant("club")
    model.give(Seat(1), cards("JS JH"))
    model.lay(Seat(0), 1, Rank.JACK)
    model.lay(Seat(1), 2, Rank.JACK)
    model.play(Call(Seat(2), believe=True))
    model.settle()
    return model


def hurried(left_s: float) -> ModelTable:
    """Return a table with a time for a turn, of which the own seat has so much left."""
    model = to_answer()
    model.table_rules = TIMES
    model.now = NOW + left_s - TIMES.clock_s
    return model


def twelve(packs: int = 1) -> ModelTable:
    """Return a table of twelve."""
    names = (*NAMES[i18n.current_language()], *(f"Player {number}" for number in range(5, 13)))
    rules = Ruleset.preset("dictionary").with_(packs=packs)
    model = ModelTable(names, own=ME, dealer=Seat(0), title="Kitchen", ruleset=rules)
    return laid(model)


def named(*names: str) -> ModelTable:
    """Return a table at which people of such names have laid queens, and the last one must answer."""
    model = ModelTable(names, own=ME, dealer=ME, title=names[0])
    model.lay(Seat(0), 1, Rank.QUEEN)
    model.lay(Seat(1), 3, lie=True)
    model.lay(Seat(2), 2, lie=True)
    return model


def crowd() -> ModelTable:
    """Return a table of twelve, whose own seat holds forty cards and must answer."""
    return holding_forty(twelve(packs=2))


def to_announce() -> ModelTable:
    """Return a table whose own seat has forgotten to say that its cards are gone."""
    model = laid(variant("encyclopedia", out_call="manual"))
    model.leave_none(ME, 2)
    model.lay(ME, 2)
    return laid(model)


def first_out() -> ModelTable:
    """Return a table at which the own last cards have won."""
    model = laid(variant("club"))
    model.leave_none(ME, 2)
    model.lay(ME, 2)
    model.lay(Seat(0), 1)
    return model


def watching() -> ModelTable:
    """Return a table whose deal the own person does not play."""
    model = to_answer()
    model.own = None
    return model


def beside(node: FakeNode) -> FakeNode:
    """Return a node that watches that table without a seat at it."""
    table = node.table
    assert table is not None
    return FakeNode(table_override=samples.watched(table))


def with_watchers(*names: str) -> FakeNode:
    """Return a node at whose table such people watch."""
    table = to_answer().snapshot()
    return FakeNode(table_override=replace(table, watchers=samples.watchers(*names)))


def missing(seconds: float, *, players: int = 4, polled: bool = False) -> ModelTable:
    """Return a table that waits for a player who has been away for so long."""
    now = NOW
    model = playing(players=players)
    if players > 2:
        model.lay(Seat(0), 1, Rank.QUEEN)
    late = model.state.owed[0].seat
    model.away = {late: now - seconds}
    model.wait_until = now - seconds + 60
    if polled:
        voters = tuple(Seat(seat) for seat in range(players) if seat != late)
        model.poll = PollView((late,), (), voters, voters[1:], now - 2)
    return model


def shuffling(own: Seat | None = ME, *, talk: bool = False) -> FakeNode:
    """Return a node whose table is shuffling."""
    model = playing()
    model.own = own
    model.phase = Phase.SHUFFLING
    states = (ShuffleState.DONE, ShuffleState.DONE, ShuffleState.WORKING, ShuffleState.WAITING)
    model.shuffles = tuple(
        ShuffleView(Seat(seat), state, checked)
        for seat, (state, checked) in enumerate(zip(states, (4, 2, 0, 0), strict=True))
    )
    model.trust = TrustAnswer.NOT_YET
    return FakeNode(talked(model) if talk else model)


def gathered(**changes: object) -> FakeNode:
    """Return a node whose table gets ready."""
    return FakeNode(table_override=samples.gathering(**changes))


def ended(kind: ResultKind = ResultKind.FINISHED) -> FakeNode:
    """Return a node whose deal has ended."""
    return FakeNode(table_override=samples.over(kind))


def session_of(session: SessionView, **changes: object) -> FakeNode:
    """Return a node whose deal has ended in such a session."""
    losses = tuple(one.losses for one in session.counts)
    over = samples.over(session=session, losses=losses, **changes)
    result = over.result
    assert result is not None
    standings = tuple(replace(one, losses=losses[one.seat]) for one in result.standings)
    return FakeNode(table_override=replace(over, result=replace(result, standings=standings)))


def back(**changes: bool) -> FakeNode:
    """Return a node that has come back to its table."""
    return FakeNode(table_override=replace(to_answer().snapshot(), own_wait=True, **changes))


def talked(model: ModelTable) -> ModelTable:
    """Return a table at which people have talked."""
    model.say(Seat(1), Remark.HM)
    model.say(Seat(2), "Everything here is true, of course. [bold]Look me in the eyes![/]")
    model.say(ME, Remark.ONE_MOMENT)
    return model


def readings() -> tuple[CardReading, ...]:
    """Return who can read which card of `called`: its holder since the deal, the opened ones everybody."""
    state = called(lie=True).state
    owners = {slot: Seat(seat) for seat, hand in enumerate(state.hands) for slot in hand}
    return tuple(CardReading(slot, 8, (Reading(seat, 9),), None) for slot, seat in sorted(owners.items()))


def first(model: ModelTable) -> ModelTable:
    """Return a table as that of its first deal."""
    model.deal = 1
    model.happened = [replace(one, deal=1) for one in model.happened]
    return model


def said() -> tuple[TalkLine, ...]:
    """Return what two people have said."""
    first, second = samples.member(1, "").key, samples.member(2, "").key
    return (TalkLine(first, Remark.HELLO, 0, 0), TalkLine(second, "Thanks! Who sits where?", 0, 0))


def met() -> FakeNode:
    """Return a node that sees four tables and six people."""
    return FakeNode(lobby=samples.lobby())


def friends() -> FakeNode:
    """Return a node that sees what one sees at home."""
    lobby = samples.lobby()
    return FakeNode(lobby=replace(lobby, offers=lobby.offers[:2], people=lobby.people[:3]))


def private(status: OfferStatus = OfferStatus.OPEN) -> FakeNode:
    """Return a node that sees a table with a code."""
    private = samples.offer(1, "Kitchen", needs_code=True, people=("Boris", "Vera"), status=status)
    return FakeNode(lobby=replace(samples.lobby(), offers=(private,)))


def forty() -> ModelTable:
    """Return a table whose own seat leads and holds forty cards."""
    names = NAMES[i18n.current_language()]
    return holding_forty(ModelTable(names, own=ME, dealer=Seat(2), title="Kitchen"))


def holding_forty(model: ModelTable) -> ModelTable:
    """Let the own seat take cards of all others, who keep one at least, until it holds forty."""
    hands = [list(hand) for hand in model.state.hands]
    own = hands[model.state.order.index(ME)]
    while len(own) < 40:
        own.append(max((hand for hand in hands if hand is not own), key=len).pop())
    model.state = replace(model.state, hands=tuple(tuple(sorted(hand)) for hand in hands))
    model.give(ME, cards(FORTY))
    return model


SCREENS: dict[str, Callable[[], Pictured]] = {
    "nobody": lambda: Pictured(FakeNode(lobby=samples.lobby(empty=True)), looked_s=14),
    "looking": lambda: Pictured(FakeNode(lobby=samples.lobby(empty=True))),
    "lobby": lambda: Pictured(met()),
    "bots": lambda: Pictured(met(), ("b", "down")),
    "replay": lambda: Pictured(FakeNode(), ("down", "down"), replay=lambda: watched(opened=True)),
    "replay-twelve": lambda: Pictured(FakeNode(), ("down",), replay=twelve_watched),
    "records": lambda: Pictured(FakeNode(past=samples.past()), ("p", "down")),
    "records-empty": lambda: Pictured(FakeNode(), ("p",)),
    "statistics": lambda: Pictured(FakeNode(past=samples.past()), ("z",)),
    "statistics-many": lambda: Pictured(FakeNode(past=samples.long_past()), ("z",)),
    "crowd": lambda: Pictured(FakeNode(lobby=samples.crowd())),
    "crowd-card": lambda: Pictured(FakeNode(lobby=samples.crowd()), ("down", "space")),
    "friends": lambda: Pictured(friends()),
    "card": lambda: Pictured(met(), ("space",)),
    "open": lambda: Pictured(met(), ("o",)),
    "open-changed": lambda: Pictured(met(), ("o", "down", "down", "down", "right", "down", "right")),
    "open-times": lambda: Pictured(
        met(), ("o", *["down"] * (5 + TableForm().offered.index("clock_s")), "right", "right")
    ),
    "address": lambda: Pictured(met(), ("i", *"192.168.1.7:5")),
    "code": lambda: Pictured(private(), ("enter", *"4821 90")),
    "open-private": lambda: Pictured(met(), ("o", "down", "down", "right")),
    "ready-private": lambda: Pictured(gathered(code=own_code("4821 9037"))),
    "ready": lambda: Pictured(gathered()),
    "ready-waits": lambda: Pictured(
        gathered(
            members=(samples.member(0, "Oleg"), *samples.gathering().members[1:]),
            can_start_without=samples.key(3),
        )
    ),
    "ready-times": lambda: Pictured(
        gathered(table_rules=TIMES, ruleset=Ruleset.preset("pagat").with_(first_dealer="chosen").resolve(4))
    ),
    "shuffle": lambda: Pictured(shuffling()),
    "lead": lambda: Pictured(FakeNode(to_lead())),
    "lead-two": lambda: Pictured(FakeNode(to_lead()), ("6", "7")),
    "lead-name": lambda: Pictured(FakeNode(to_lead()), ("6", "7", "enter", "j")),
    "follow": lambda: Pictured(FakeNode(to_answer())),
    "follow-two": lambda: Pictured(FakeNode(to_answer()), ("7", "q")),
    "follow-cursor": lambda: Pictured(FakeNode(to_answer()), ("right", "right")),
    "table": lambda: Pictured(FakeNode(to_answer()), ("7", "q")),
    "call": lambda: Pictured(FakeNode(to_answer()), ("x",)),
    "refused": lambda: Pictured(FakeNode(to_answer()), ("5",)),
    "cover": lambda: Pictured(FakeNode(to_answer()), ("c",)),
    "true": lambda: Pictured(FakeNode(called(lie=False))),
    "false": lambda: Pictured(FakeNode(called(lie=True))),
    "fours": lambda: Pictured(FakeNode(fours())),
    "fours-one": lambda: Pictured(FakeNode(fours()), ("q",)),
    "away": lambda: Pictured(FakeNode(missing(25))),
    "overdue": lambda: Pictured(FakeNode(missing(72))),
    "polled": lambda: Pictured(FakeNode(missing(72, polled=True))),
    "absent": lambda: Pictured(ended(ResultKind.ABSENT)),
    "leave-costs": lambda: Pictured(FakeNode(to_answer()), ("escape", *["down"] * 3)),
    "pending": lambda: Pictured(FakeNode(pending())),
    "out": lambda: Pictured(FakeNode(last_packet())),
    "believe": lambda: Pictured(FakeNode(laid(variant("encyclopedia"))), ("v",)),
    "believe-packet": lambda: Pictured(FakeNode(laid(variant("club"))), ("v",)),
    "believed-packet": lambda: Pictured(FakeNode(called_with(laid(variant("club")), believe=True))),
    "believed-pile": lambda: Pictured(FakeNode(called_with(laid(variant("encyclopedia")), believe=True))),
    "believed-bluff": lambda: Pictured(FakeNode(called_with(laid(variant("club"), lie=True), believe=True))),
    "nothing-to-call": lambda: Pictured(FakeNode(nothing_to_call())),
    "rank-due": lambda: Pictured(FakeNode(laid(variant("club", rank_rule="ascending"))), ("q",)),
    "rank-due-lead": lambda: Pictured(FakeNode(variant("encyclopedia", rank_rule="ascending")), ("q",)),
    "zero": lambda: Pictured(FakeNode(laid(variant("club"))), ("minus",)),
    "one-card": lambda: Pictured(FakeNode(laid(variant("encyclopedia", check="one_by_caller"))), ("x", "2")),
    "one-card-open": lambda: Pictured(
        FakeNode(called_with(laid(variant("encyclopedia", check="one_by_caller")), index=1))
    ),
    "one-random": lambda: Pictured(
        FakeNode(called_with(laid(variant("encyclopedia", check="one_random"), lie=True)))
    ),
    "window": lambda: Pictured(FakeNode(window())),
    "window-call": lambda: Pictured(FakeNode(window(0)), ("x",)),
    "window-silent": lambda: Pictured(FakeNode(window(0)), ("s",)),
    "window-answered": lambda: Pictured(FakeNode(window(3))),
    "draw-pile": lambda: Pictured(FakeNode(laid(variant("club", deal="hand")))),
    "announce": lambda: Pictured(FakeNode(to_announce()), ("o",)),
    "announce-ask": lambda: Pictured(FakeNode(to_announce())),
    "sets-at-deal": lambda: Pictured(
        FakeNode(variant("encyclopedia", "6S 6H 6D 6C 10S QD QH QS", sets="optional", sets_at_deal="yes"))
    ),
    "first-out": lambda: Pictured(FakeNode(first_out())),
    "watch": lambda: Pictured(FakeNode(watching())),
    "watch-shuffle": lambda: Pictured(shuffling(own=None)),
    "lobby-watch": lambda: Pictured(met(), ("down", "down", "down")),
    "code-watch": lambda: Pictured(private(OfferStatus.PLAYING), ("w", *"4821 9037")),
    "watcher": lambda: Pictured(beside(FakeNode(to_answer()))),
    "watcher-reveal": lambda: Pictured(beside(FakeNode(called(lie=True)))),
    "watcher-shuffle": lambda: Pictured(beside(shuffling(own=None))),
    "watcher-trust": lambda: Pictured(beside(FakeNode(called(lie=True))), ("t",)),
    "watcher-help": lambda: Pictured(beside(FakeNode(to_answer())), ("f1",)),
    "watcher-menu": lambda: Pictured(beside(FakeNode(to_answer())), ("escape", "down", "down")),
    "watcher-over": lambda: Pictured(beside(ended())),
    "watched": lambda: Pictured(with_watchers("Zoya", "Pavel")),
    "watched-trust": lambda: Pictured(with_watchers("Zoya", "Pavel"), ("t",)),
    "twelve": lambda: Pictured(FakeNode(twelve())),
    "help-club": lambda: Pictured(FakeNode(laid(variant("club"))), ("f1",)),
    "clock": lambda: Pictured(FakeNode(hurried(25.0)), ("7", "q")),
    "clock-short": lambda: Pictured(FakeNode(hurried(8.0))),
    "help-clock": lambda: Pictured(FakeNode(hurried(25.0)), ("f1",)),
    "rules-clock": lambda: Pictured(FakeNode(hurried(25.0)), ("f1", "tab", *["down"] * 6)),
    "talk": lambda: Pictured(FakeNode(talked(to_answer()))),
    "talk-open": lambda: Pictured(FakeNode(talked(to_answer())), ("m",)),
    "talk-typed": lambda: Pictured(FakeNode(talked(to_answer())), ("m", *"mine too")),
    "talk-muted": lambda: Pictured(FakeNode(talked(to_answer())), ("u",)),
    "talk-log": lambda: Pictured(FakeNode(talked(to_answer())), ("h",)),
    "talk-shuffle": lambda: Pictured(shuffling(talk=True), ("m",)),
    "talk-ready": lambda: Pictured(gathered(talk=said()), ("m",)),
    "talk-over": lambda: Pictured(FakeNode(table_override=samples.over(talk=said()))),
    "first-deal": lambda: Pictured(FakeNode(first(to_answer())), coached=True),
    "first-lead": lambda: Pictured(FakeNode(first(to_lead())), coached=True),
    "small": lambda: Pictured(FakeNode(to_answer())),
    "forty": lambda: Pictured(FakeNode(forty())),
    "forty-chosen": lambda: Pictured(FakeNode(forty()), ("2", "5", "j")),
    "twelve-forty": lambda: Pictured(FakeNode(crowd()), ("2", "9", "9")),
    "long-names": lambda: Pictured(FakeNode(named(*LONG_NAMES))),
    "wide-names": lambda: Pictured(FakeNode(named(*WIDE_NAMES))),
    "hostile-names": lambda: Pictured(FakeNode(named(*HOSTILE_NAMES))),
    "hostile-reveal": lambda: Pictured(FakeNode(called_with(named(*HOSTILE_NAMES)))),
    "long-reveal": lambda: Pictured(FakeNode(called_with(named(*LONG_NAMES)))),
    "over": lambda: Pictured(ended()),
    "over-twelve": lambda: Pictured(FakeNode(table_override=samples.over_twelve())),
    "books": lambda: Pictured(FakeNode(table_override=samples.opening(wished=(1,)))),
    "books-ask": lambda: Pictured(FakeNode(table_override=samples.opening(wished=(1, 2))), ("b",)),
    "books-open": lambda: Pictured(FakeNode(table_override=samples.opening(wished=(0, 1, 2, 3)))),
    "reopen": lambda: Pictured(ended(), ("r", "right")),
    "reopened": lambda: Pictured(FakeNode(table_override=samples.over(reopened=samples.reopened()))),
    "reopened-otherwise": lambda: Pictured(
        FakeNode(table_override=samples.over(reopened=samples.reopened(agrees=False, can_join=False)))
    ),
    "goes-on": lambda: Pictured(FakeNode(table_override=samples.going_on())),
    "goes-on-twice": lambda: Pictured(
        FakeNode(table_override=samples.going_on(reopened=samples.reopened(name="Anna")))
    ),
    "goes-on-result": lambda: Pictured(FakeNode(table_override=samples.going_on()), ("r",)),
    "lobby-goes-on": lambda: Pictured(
        FakeNode(lobby=replace(samples.lobby(), offers=(samples.offer(1, "Kitchen", goes_on=True),)))
    ),
    "resume": lambda: Pictured(FakeNode(unfinished=samples.left_behind())),
    "resume-between": lambda: Pictured(FakeNode(unfinished=samples.left_behind(between=True))),
    "resume-help": lambda: Pictured(FakeNode(unfinished=samples.left_behind()), ("f1",)),
    "taking-up": lambda: Pictured(back(taking_up=True)),
    "only-watching": lambda: Pictured(back(silent=True)),
    "session": lambda: Pictured(session_of(samples.session((1, 2, 1, 0)))),
    "session-over": lambda: Pictured(
        session_of(samples.session((1, 3, 2, 0), losers=(samples.key(1),), best=(samples.key(3),)))
    ),
    "tie": lambda: Pictured(
        session_of(
            samples.session((2, 3, 1, 1), losers=(samples.key(1),), best=(samples.key(2), samples.key(3))),
            next_players=(samples.key(2), samples.key(3)),
        )
    ),
    "tie-mine": lambda: Pictured(
        session_of(
            samples.session((1, 3, 1, 2), losers=(samples.key(1),), best=(samples.key(0), samples.key(2))),
            next_players=(samples.key(0), samples.key(2)),
            next_ready=frozenset(),
        )
    ),
    "tie-break": lambda: Pictured(FakeNode(table_override=samples.tie_break())),
    "void": lambda: Pictured(ended(ResultKind.VOID)),
    "stopped": lambda: Pictured(ended(ResultKind.STOPPED)),
    "trust": lambda: Pictured(FakeNode(called(lie=True)), ("t",)),
    "proof": lambda: Pictured(FakeNode(called(lie=True), readings=readings()), ("t", "enter")),
    "fingerprints": lambda: Pictured(FakeNode(called(lie=True)), ("t", "f")),
    "log": lambda: Pictured(FakeNode(called(lie=True)), ("h",)),
    "help": lambda: Pictured(FakeNode(to_answer()), ("f1",)),
    "rules": lambda: Pictured(FakeNode(to_answer()), ("f1", "tab")),
    "help-lobby": lambda: Pictured(met(), ("f1",)),
    "help-open": lambda: Pictured(met(), ("o", "f1")),
    "help-ready": lambda: Pictured(gathered(), ("f1",)),
    "help-over": lambda: Pictured(ended(), ("f1",)),
    "menu": lambda: Pictured(FakeNode(to_answer()), ("escape",)),
    "settings": lambda: Pictured(met(), ("s",)),
    "settings-table": lambda: Pictured(FakeNode(to_answer()), ("escape", "down", "down", "enter")),
    "settings-name": lambda: Pictured(met(), ("s", "down", "right", "y")),
    "settings-settled": lambda: Pictured(
        met(), ("s", *["down"] * 3), over={"theme": ("nord", "VERISH_THEME"), "suits": ("four", "--suits")}
    ),
    "help-settings": lambda: Pictured(met(), ("s", "f1")),
    "menu-lobby": lambda: Pictured(met(), ("escape",)),
    "quit": lambda: Pictured(FakeNode(to_answer()), ("ctrl+q",)),
}


_FONTS = re.compile(r"@font-face \{.*?\}\s*", re.DOTALL)
"""A picture names fonts of another server; whoever opens it has monospaced ones."""

README_PICTURES = ("friends", "table", "false", "replay")


async def picture(
    name: str, size: tuple[int, int], glyphs: GlyphSet, settings: Settings
) -> tuple[tuple[str, ...], str]:
    """Return a screen as lines of text and as SVG."""
    pictured = SCREENS[name]()
    app = pictured.app(glyphs, settings)
    async with app.run_test(size=size) as pilot:
        await pilot.pause()
        await pilot.pause()
        for key in pictured.keys:
            await pilot.press({":": "colon", ".": "full_stop"}.get(key, key))
        for _ in range(4):
            await pilot.pause()
        table = app.glyphs.table(i18n.current_language())
        lines = app.screen.query_one(CanvasView).canvas.lines()
        return tuple(line.translate(table) for line in lines), _FONTS.sub("", app.export_screenshot())


def main() -> None:
    """Print or write the picture that the arguments ask for."""
    parser = argparse.ArgumentParser(prog="python -m tests.screens", description=__doc__)
    parser.add_argument("name", choices=(*SCREENS, "all", "readme"))
    parser.add_argument("--size", default="80x24", help="WIDTHxHEIGHT")
    parser.add_argument("--lang", choices=i18n.LANGUAGES, default="en")
    parser.add_argument("--light", action="store_true")
    parser.add_argument("--no-color", action="store_true")
    parser.add_argument("--ascii", action="store_true")
    parser.add_argument("--four-colours", action="store_true")
    parser.add_argument("--term", default="xterm-256color", help="as TERM: linux has fewer characters")
    parser.add_argument(
        "--svg", type=Path, help="write to this file; for `all` and `readme`, into this folder"
    )
    options = parser.parse_args()
    i18n.compile_catalogs()
    i18n.use_language(options.lang)
    os.environ.pop("NO_COLOR", None)
    if options.no_color:
        os.environ["NO_COLOR"] = "1"
    width, height = map(int, options.size.split("x"))
    glyphs = choose(options.term, "utf-8")
    settings = Settings(
        theme=VERISH_LIGHT.name if options.light else None,
        ascii=options.ascii,
        suits="four" if options.four_colours else "two",
        animation=False,
    )
    several = {"all": tuple(SCREENS), "readme": README_PICTURES}.get(options.name)
    for name in several or (options.name,):
        lines, svg = asyncio.run(picture(name, (width, height), glyphs, settings))
        if options.svg is None:
            print(f"--- {name} {options.size}", *lines, sep="\n")
        elif several:
            options.svg.mkdir(parents=True, exist_ok=True)
            (options.svg / f"{name}.svg").write_text(svg)
        else:
            options.svg.write_text(svg)


if __name__ == "__main__":
    main()
