"""Deals at the level of the model: one dealer who sees everything, players who see their Views, no keys and
no sockets.

Good for statistics, for trying out bots and for finding rules that misbehave. Everything follows from the
seed.
"""

import random
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Final

from engine.bots import Policy, policy
from engine.cards import Card
from engine.events import Event, deal_events, events
from engine.moves import (
    DiscardSets,
    Draw,
    DrawIndex,
    Duty,
    GoOut,
    Move,
    Obligation,
    PickUp,
    Reveal,
    Seat,
    Slot,
)
from engine.rules import Ruleset
from engine.state import State, new_deal, next_dealer
from engine.transitions import apply
from engine.view import View

TURN_LIMIT = 2000
"""Lays and calls after which a deal is void. No form provably ends; deals among people take 60 to 90."""


@dataclass(frozen=True, slots=True)
class SimResult:
    """What came of many deals. `moves`: lays and calls, void deals included. Shares are of a policy's
    seats' deals.

    `wins` and `loses` leave void deals out of the numerator only.
    """

    deals: int
    void: int
    moves: int
    seconds: float
    moves_per_second: float
    loses: dict[str, float] = field(default_factory=dict)
    wins: dict[str, float] = field(default_factory=dict)


Choose = Callable[[Policy, View, Obligation], Move]
"""How a policy is asked for a move."""

_ONLY_ANSWERS: Final[dict[Duty, type[PickUp | Draw | GoOut]]] = {
    Duty.PICK_UP: PickUp,
    Duty.DRAW: Draw,
    Duty.GO_OUT: GoOut,
}


class Table:
    """One deal with open cards behind it: knows every face, and gives each seat only what it has read."""

    def __init__(
        self, ruleset: Ruleset, order: tuple[Seat, ...], dealer: Seat, chance: random.Random
    ) -> None:
        self.state = new_deal(ruleset, order, dealer)
        self._chance = chance
        deck = list(self.state.ruleset.deck)
        chance.shuffle(deck)
        self.faces: dict[Slot, Card] = {Slot(place): card for place, card in enumerate(deck)}
        self._read: dict[Seat, dict[Slot, Card]] = {
            seat: {slot: self.faces[slot] for slot in self.state.hand_of(seat)} for seat in order
        }

    def view(self, seat: Seat) -> View:
        """What a seat knows now."""
        return View(self.state, seat, self._read[seat])

    def play(self, move: Move) -> tuple[Event, ...]:
        """Makes a move and says what happened. Raises: IllegalMove."""
        before = self.state
        self.make(move)
        return events(before, move, self.state)

    def make(self, move: Move) -> None:
        """Makes a move without a word about it. Raises: IllegalMove."""
        before = self.state
        after = apply(before, move)
        if isinstance(move, PickUp | Draw):
            self._redeal(move.seat, before.owed[0].slots, after)
        elif isinstance(move, Reveal):
            shown = dict(zip(move.slots, move.faces, strict=True))
            for read in self._read.values():
                read.update(shown)
        self.state = after

    def answer(self) -> Move | None:
        """The move that is owed, if there is only one or chance has it; None if a seat has to choose."""
        return self.only_answer(self.state.owed[0])

    def only_answer(self, owed: Obligation) -> Move | None:
        """The only move that meets an obligation, or what chance chooses; None if there is a choice."""
        seat, duty = owed.seat, owed.duty
        if duty in (Duty.LAY, Duty.LAY_OR_CALL):
            return None
        if duty is Duty.REVEAL:
            return Reveal(seat, owed.slots, self._faces(owed.slots))
        if duty is Duty.DRAW_INDEX:
            return DrawIndex(seat, self._chance.randrange(self.state.index_range))
        if duty is Duty.DISCARD_SETS and self.state.ruleset.sets == "forced":
            slots = tuple(sorted(slot for group in self.view(seat).sets for slot in group))
            return DiscardSets(seat, slots, self._faces(slots))
        simple: type[PickUp | Draw | GoOut] | None = _ONLY_ANSWERS.get(duty)
        return None if simple is None else simple(seat)

    def _faces(self, slots: tuple[Slot, ...]) -> tuple[Card, ...]:
        return tuple(self.faces[slot] for slot in slots)

    def _redeal(self, taker: Seat, old: tuple[Slot, ...], after: State) -> None:
        """Moves the faces of `old` slots, the hand among them, to the taker's new slots, in a new order, and
        forgets the old ones.
        """
        cards = [self.faces.pop(slot) for slot in old]
        self._chance.shuffle(cards)
        fresh = dict(zip(after.hand_of(taker), cards, strict=True))
        self.faces.update(fresh)
        for read in self._read.values():
            for slot in old:
                read.pop(slot, None)
        self._read[taker] = fresh.copy()


def choose(mind: Policy, view: View, owed: Obligation) -> Move:
    """What a policy decides; whoever measures decisions puts his own in its place."""
    return mind.choose(view, owed)


def play_deal(
    table: Table, players: dict[Seat, Policy], limit: int = TURN_LIMIT, choose: Choose = choose
) -> int | None:
    """Plays a deal to its end; the number of lays and calls, or None if it passed `limit`.

    All answers of an open window together count once, with the lay before them.
    """
    # Telling costs more than playing: who keeps no memory is not told.
    listeners = {seat: mind for seat, mind in players.items() if type(mind).observe is not Policy.observe}
    turns = 0
    _tell(table, listeners, deal_events(table.state))
    while not table.state.over:
        owed = table.state.owed
        moves = [table.only_answer(owed[0])]
        if moves[0] is None:
            if owed[0].duty not in (Duty.DISCARD_SETS, Duty.ANSWER):
                if turns == limit:
                    return None
                turns += 1
            # Answers of an open window are all chosen before any is known.
            moves = [choose(players[one.seat], table.view(one.seat), one) for one in owed]
        for move in moves:
            assert move is not None
            if listeners:
                _tell(table, listeners, table.play(move))
            else:
                table.make(move)
    return turns


def _tell(table: Table, listeners: dict[Seat, Policy], happened: tuple[Event, ...]) -> None:
    if not happened:
        return
    for seat, mind in listeners.items():
        view = table.view(seat)
        for event in happened:
            mind.observe(view, event)


def run(
    deals: int,
    players: int,
    ruleset: Ruleset,
    seed: int,
    bots: Sequence[str],
    *,
    limit: int = TURN_LIMIT,
    choose: Choose = choose,
) -> SimResult:
    """Plays `deals` deals. `bots`: a policy's name for each player; they move one seat on from deal to deal.

    Raises: ValueError for unknown names or a wrong number of them; RulesetError if so many cannot play.
    """
    if len(bots) != players:
        raise ValueError(f"{players} players need as many bots, not {len(bots)}")
    chance = random.Random(seed)  # noqa: S311 - a simulation repeats itself by its seed
    minds = [policy(name, chance.getrandbits(64)) for name in bots]
    order = tuple(Seat(place) for place in range(players))
    dealer = Seat(chance.randrange(players))
    losses, wins = dict.fromkeys(bots, 0), dict.fromkeys(bots, 0)
    void = moves = 0
    started = time.perf_counter()
    for deal in range(deals):
        seated = {seat: (seat + deal) % players for seat in order}
        table = Table(ruleset, order, dealer, chance)
        turns = play_deal(table, {seat: minds[mind] for seat, mind in seated.items()}, limit, choose)
        moves += limit if turns is None else turns
        state = table.state
        if turns is None:
            void += 1
            continue
        dealer = next_dealer(state)
        if state.loser is not None:
            losses[bots[seated[state.loser]]] += 1
        if state.winner is not None:
            wins[bots[seated[state.winner]]] += 1
    seconds = time.perf_counter() - started
    seats = {name: bots.count(name) * deals for name in losses}
    return SimResult(
        deals=deals,
        void=void,
        moves=moves,
        seconds=seconds,
        moves_per_second=moves / seconds if seconds else 0.0,
        loses={name: losses[name] / seats[name] if deals else 0.0 for name in losses},
        wins={name: wins[name] / seats[name] if deals else 0.0 for name in wins},
    )
