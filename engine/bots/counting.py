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
from engine.moves import Call, Move, Slot
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
        options: list[tuple[float, Call | _Claim]] = []
        if view.state.live:
            options.extend(self._calls(view, choices, self._memory))
            if view.state.pending is not None and options and self._settles(view):
                return self._made(view, self._memory, max(options, key=lambda option: option[0])[1])
        if choices.most:
            options.extend(self._lays(view, choices, self._memory))
        scale = self._noise(self._memory)
        choice = max(options, key=lambda option: option[0] - scale * log(-log(self._uniform())))[1]
        return self._made(view, self._memory, choice)

    @staticmethod
    def _made(view: View, memory: Memory, choice: "Call | _Claim") -> Move:
        """The move that is chosen; the memory takes note of a lay."""
        if isinstance(choice, Call):
            return choice
        move = lay(view, choice.slots, choice.rank, choice.number)
        memory.intend([view.faces[slot].rank for slot in move.slots])
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

    def _lays(self, view: View, choices: Choices, memory: Memory) -> list[tuple[float, "_Claim"]]:
        """The lays worth considering: all truths, and bluffs with the cards that are easiest to spare."""
        scene = _Scene(view, memory)
        held = scene.held
        found: list[_Claim] = []
        # Bigger lays are hardly ever believed; one size more than the least leaves a way round stall_guard.
        most = min(choices.most, max(4, choices.least + 1))
        for rank in choices.ranks:
            true = held.get(rank, [])
            junk = self._junk(held, rank)
            for number in range(choices.least, most + 1):
                if not allowed(choices, rank, number):
                    continue
                if number <= len(true):
                    found.append(_Claim(true[:number], rank, number))
                if view.state.ruleset.hides_sizes:
                    if number <= choices.least + 1:
                        # A small number said over as many cards as one likes.
                        cards = junk + true
                        found.extend(
                            _Claim(cards[:size], rank, number) for size in range(1, choices.real_most + 1)
                        )
                    continue
                for truths in range(min(number - 1, len(true)) + 1):
                    if number - truths <= len(junk):
                        found.append(_Claim(true[:truths] + junk[: number - truths], rank, number))
        return [(self._value(scene, claim), claim) for claim in found]

    def _junk(self, held: dict[Rank, list[Slot]], rank: Rank) -> list[Slot]:
        """The cards of other ranks, those of the shortest rank first."""
        others = sorted((r for r in held if r != rank), key=lambda r: (len(held[r]), self.random.random()))
        return [slot for r in others for slot in held[r]]

    def _value(self, scene: "_Scene", claim: "_Claim") -> float:
        """What a lay is worth."""
        weights, rules, size = self._weights, scene.rules, len(claim.slots)
        laid: dict[Rank, int] = {}
        for slot in claim.slots:
            rank = scene.rank_of[slot]
            laid[rank] = laid.get(rank, 0) + 1
        honest = laid.get(claim.rank, 0)
        true = honest == size
        if rules.hides_sizes and rules.number_test == "bluff":
            true = true and size == claim.number
        cleared = sum(count == len(scene.held[rank]) for rank, count in laid.items())
        # What is laid while there is a stock is soon drawn again.
        gain = (size + weights.clear * cleared) * (weights.with_stock if scene.stock else 1.0)
        empties = size == len(scene.rank_of) and not scene.stock
        if empties:
            gain += weights.win if rules.end == "first_out" else weights.leave
        called = scene.called(claim.rank, claim.number, empties)
        if true:
            return gain + called * weights.share * (scene.pile + size)
        caught = called
        if rules.check != "all" and size > 1:
            caught = called * (size - honest) / size
        return (1 - caught) * gain - caught * (scene.pile + weights.lead)


@dataclass(frozen=True, slots=True)
class _Claim:
    """A lay being considered: these slots, said to be `number` cards of `rank`."""

    slots: list[Slot]
    rank: Rank
    number: int


class _Scene:
    """What is the same for all lays of one choice, worked out once; a big table has hundreds of them."""

    def __init__(self, view: View, memory: Memory) -> None:
        assert view.seat is not None
        state = view.state
        self.rules = state.ruleset
        self.stock = bool(state.stock)
        self.pile = sum(entry.count for entry in memory.pile)
        """How many cards lie on the table."""
        self.held = by_rank(view)
        self.rank_of = {slot: rank for rank, slots in self.held.items() for slot in slots}
        self._memory = memory
        self._reckoning = memory.reckon({rank: len(slots) for rank, slots in self.held.items()})
        self._last_two = len(state.seats_in) == 2
        self._callers = [seat for seat in state.seats_in if seat != view.seat]
        if not self.rules.open_calls:
            self._callers = [state.next_in(view.seat)]
        self._habits: dict[Rank, list[tuple[list[float], float]]] = {}
        self._called: dict[tuple[Rank, int, bool], float] = {}

    def called(self, rank: Rank, size: int, empties: bool) -> float:
        """The chance that somebody will doubt a claim of `size` cards of `rank`."""
        if empties and (self._last_two or self.rules.must_call_pending == "yes"):
            return 1.0
        claim = rank, size, empties
        known = self._called.get(claim)
        if known is None:
            known = self._called[claim] = 1 - self._silent(*claim)
        return known

    def _silent(self, rank: Rank, size: int, empties: bool) -> float:
        """The chance that nobody will."""
        possible = max(0, self.rules.copies - size - self._memory.gone.get(rank, 0) + 1)
        silent = 1.0
        for chances, usual in self._habits_with(rank):
            impossible = sum(chances[possible:])
            habit = usual * (0.8 + 0.2 * size)
            if empties and self.rules.end == "first_out":
                habit = max(habit, 0.5)
            silent *= 1 - min(1.0, impossible + (1 - impossible) * min(0.95, habit))
        return silent

    def _habits_with(self, rank: Rank) -> list[tuple[list[float], float]]:
        """Of each who may call: the chances of his cards of `rank`, and how often he would call for no more
        reason than those.
        """
        habits = self._habits.get(rank)
        if habits is None:
            habits = self._habits[rank] = []
            for caller in self._callers:
                chances = self._reckoning.holds(caller, rank)
                habits.append((chances, self._memory.call_rate(caller) * (0.4 + 1.2 * chances[0])))
        return habits
