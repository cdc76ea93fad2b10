"""The policy that counts: it weighs what it believes against what a mistake costs.

Values are in cards: laying one card is worth about one, taking a pile costs its size. A choice is made by
value plus noise, so that the same situation is not always played the same way.
"""

from dataclasses import dataclass
from math import log

from engine.bots.memory import Memory, own_counts
from engine.bots.policy import Policy
from engine.bots.simple import allowed, by_rank, lay
from engine.cards import Rank
from engine.events import DealStarted, Event
from engine.legality import Choices
from engine.moves import Call, Lay, Move, Slot
from engine.view import View


@dataclass(frozen=True, slots=True)
class Weights:
    """What things are worth, in cards."""

    lead: float = 1.5
    """Naming the rank of a round oneself."""
    share: float = 0.35
    """One card falling to some other player."""
    clear: float = 1.0
    """Having no more cards of a rank: one rank less to bluff about."""
    leave: float = 12.0
    """Leaving the deal."""
    win: float = 25.0
    """Leaving the deal where the first one out wins."""
    with_stock: float = 0.4
    """The share of a lay's worth that is left while there are cards to draw."""
    other_leaves: float = 4.0
    """Another player leaving."""
    set_of: float = 4.0
    """A complete set that a pick-up brings and that may then be removed."""
    noise: float = 0.3
    """The scale of the noise on every value."""


LONG_DEAL = 150
"""Lays. Most deals end before; in one that does not, each so many more double the noise on every value."""

MOST_LAYS = 20 * LONG_DEAL
"""From here on nothing but chance is left, and more would only overflow."""


class CountingPolicy(Policy):
    """Remembers, believes by the odds, and bluffs where a call is unlikely or cheap."""

    def __init__(self, seed: int, weights: Weights | None = None) -> None:
        super().__init__(seed)
        self._weights = weights or Weights()
        self._memory: Memory | None = None
        self._doubts: dict[tuple[Rank, int, bool], float] = {}
        """Chances of a doubt already worked out for the choice at hand."""

    def observe(self, view: View, event: Event) -> None:
        """Keeps count of what happened."""
        if isinstance(event, DealStarted):
            last, self._memory = self._memory, Memory.of_deal(view, event)
            if last is not None:
                self._memory.learn_from(last)
        elif self._memory is not None:
            self._memory.observe(view, event)

    def choose_turn(self, view: View) -> Move:
        """The lay or call of most value."""
        assert view.seat is not None
        if self._memory is None or len(self._memory.pile) != len(view.state.table):
            # Whoever comes back in the middle of a deal has not heard all of it.
            self._memory = Memory.of_table(view)
        choices = view.choices
        options: list[tuple[float, Move]] = []
        if view.state.live:
            options.extend(self._calls(view, choices, self._memory))
            if view.state.pending is not None and options and self._settles(view):
                return max(options, key=lambda option: option[0])[1]
        if choices.most:
            self._doubts.clear()
            options.extend(self._lays(view, choices, self._memory))
        scale = self._noise(self._memory)
        move = max(options, key=lambda option: option[0] - scale * log(-log(self._uniform())))[1]
        if isinstance(move, Lay) and move.slots:
            self._memory.intend([view.faces[slot].rank for slot in move.slots])
        return move

    def choose_call(self, view: View) -> Call | None:
        """The call of most value, if it is worth more than none."""
        if self._memory is None or len(self._memory.pile) != len(view.state.table):
            self._memory = Memory.of_table(view)
        choices = view.choices
        options: list[tuple[float, Call | None]] = [*self._calls(view, choices, self._memory)]
        if choices.may_pass and not (view.state.pending is not None and self._settles(view)):
            options.append((0.0, None))
        scale = self._noise(self._memory)
        return max(options, key=lambda option: option[0] - scale * log(-log(self._uniform())))[1]

    def _noise(self, memory: Memory) -> float:
        """The scale of the noise now: a deal that drags on is played more and more by chance, so that it
        ends.
        """
        return self._weights.noise * 2.0 ** (min(memory.lays, MOST_LAYS) // LONG_DEAL)

    def _uniform(self) -> float:
        """A number strictly between 0 and 1."""
        return (self.random.getrandbits(53) + 0.5) / (1 << 53)

    def _settles(self, view: View) -> bool:
        """Whether letting the pending owner leave ends the deal."""
        return view.state.ruleset.end == "first_out" or len(view.state.seats_in) == 2

    def _calls(self, view: View, choices: Choices, memory: Memory) -> list[tuple[float, Call]]:
        """Each call that may be made, with its value."""
        assert view.seat is not None
        weights, state, own = self._weights, view.state, own_counts(view)
        entry, pile = memory.pile[-1], float(sum(packet.count for packet in memory.pile))
        belief = memory.belief(own, entry)
        cost = pile - self._sets_gained(view, memory, own)
        found: list[tuple[float, Call]] = []
        if choices.may_doubt:
            gain = weights.lead + weights.share * pile
            if state.pending is not None:
                gain += weights.other_leaves if not self._settles(view) else 1000.0
            found.append(((1 - belief) * gain - belief * cost, self.call(view, False)))
        if choices.may_believe:
            gain = weights.lead if state.ruleset.veryu == "pile" else 0.0
            found.append((belief * gain - (1 - belief) * pile, self.call(view, True)))
        return found

    def _sets_gained(self, view: View, memory: Memory, own: dict[Rank, int]) -> float:
        """What the sets that a pick-up of the pile would complete are worth, if its newest packet is true."""
        rules = view.state.ruleset
        if rules.sets == "none":
            return 0.0
        size = rules.set_cards
        expected: dict[Rank, float] = {}
        for entry in memory.pile[:-1]:
            for rank, count in entry.cards.items():
                expected[rank] = expected.get(rank, 0.0) + count
        newest = memory.pile[-1]
        expected[newest.rank] = expected.get(newest.rank, 0.0) + newest.count
        complete = sum(own.get(rank, 0) + count > size - 0.3 for rank, count in expected.items())
        return self._weights.set_of * complete

    def _lays(self, view: View, choices: Choices, memory: Memory) -> list[tuple[float, Move]]:
        """The lays worth considering: all truths, and bluffs with the cards that are easiest to spare."""
        held = by_rank(view)
        found: list[tuple[float, Move]] = []
        # Bigger lays are hardly ever believed; one size more than the least leaves a way round stall_guard.
        most = min(choices.most, max(4, choices.least + 1))
        for rank in choices.ranks:
            true = held.get(rank, [])
            junk = self._junk(held, rank)
            for number in range(choices.least, most + 1):
                if not allowed(choices, rank, number):
                    continue
                if number <= len(true):
                    found.append(self._value(view, memory, held, _Claim(true[:number], rank, number)))
                if view.state.ruleset.hides_sizes:
                    if number <= choices.least + 1:
                        found.extend(self._smuggled(view, memory, held, choices, rank, number, junk))
                    continue
                for truths in range(min(number - 1, len(true)) + 1):
                    if number - truths <= len(junk):
                        slots = true[:truths] + junk[: number - truths]
                        found.append(self._value(view, memory, held, _Claim(slots, rank, number)))
        return found

    def _smuggled(
        self,
        view: View,
        memory: Memory,
        held: dict[Rank, list[Slot]],
        choices: Choices,
        rank: Rank,
        number: int,
        junk: list[Slot],
    ) -> list[tuple[float, Move]]:
        """Bluffs where sizes are hidden: a small number said over as many cards as one likes."""
        cards = junk + held.get(rank, [])
        return [
            self._value(view, memory, held, _Claim(cards[:size], rank, number))
            for size in range(1, choices.real_most + 1)
        ]

    def _junk(self, held: dict[Rank, list[Slot]], rank: Rank) -> list[Slot]:
        """The cards of other ranks, those of the shortest rank first."""
        others = sorted((r for r in held if r != rank), key=lambda r: (len(held[r]), self.random.random()))
        return [slot for r in others for slot in held[r]]

    def _value(
        self, view: View, memory: Memory, held: dict[Rank, list[Slot]], claim: "_Claim"
    ) -> tuple[float, Move]:
        """A lay and what it is worth."""
        state, weights, size = view.state, self._weights, len(claim.slots)
        rules = state.ruleset
        chosen = set(claim.slots)
        true = all(slot in held.get(claim.rank, ()) for slot in claim.slots)
        if rules.hides_sizes and rules.number_test == "bluff":
            true = true and size == claim.number
        cleared = sum(chosen.issuperset(group) for group in held.values())
        # What is laid while there is a stock is soon drawn again.
        gain = (size + weights.clear * cleared) * (weights.with_stock if state.stock else 1.0)
        empties = size == sum(map(len, held.values())) and not state.stock
        if empties:
            gain += weights.win if rules.end == "first_out" else weights.leave
        doubt = (claim.rank, claim.number, empties)
        called = self._doubts.get(doubt)
        if called is None:
            called = self._doubts[doubt] = self._called(view, memory, held, *doubt)
        older = sum(entry.count for entry in memory.pile)
        if true:
            value = gain + called * weights.share * (older + size)
        else:
            caught = called
            if rules.check != "all" and size > 1:
                honest = sum(slot in held.get(claim.rank, ()) for slot in claim.slots)
                caught = called * (size - honest) / size
            value = (1 - caught) * gain - caught * (older + weights.lead)
        return value, lay(view, claim.slots, claim.rank, claim.number)

    def _called(
        self, view: View, memory: Memory, held: dict[Rank, list[Slot]], rank: Rank, size: int, empties: bool
    ) -> float:
        """The chance that somebody will doubt a claim of `size` cards of `rank`."""
        state = view.state
        assert view.seat is not None
        if empties and (len(state.seats_in) == 2 or state.ruleset.must_call_pending == "yes"):
            return 1.0
        own = {r: len(group) for r, group in held.items()}
        callers = [seat for seat in state.seats_in if seat != view.seat]
        if not state.ruleset.open_calls:
            callers = [state.next_in(view.seat)]
        silent = 1.0
        for caller in callers:
            chances = memory.holds(own, caller, rank)
            impossible = sum(chances[max(0, state.ruleset.copies - size - memory.gone.get(rank, 0) + 1) :])
            lacks = chances[0]
            habit = memory.call_rate(caller) * (0.4 + 1.2 * lacks) * (0.8 + 0.2 * size)
            if empties and state.ruleset.end == "first_out":
                habit = max(habit, 0.5)
            silent *= 1 - min(1.0, impossible + (1 - impossible) * min(0.95, habit))
        return 1 - silent


@dataclass(frozen=True, slots=True)
class _Claim:
    """A lay being considered: these slots, said to be `number` cards of `rank`."""

    slots: list[Slot]
    rank: Rank
    number: int
