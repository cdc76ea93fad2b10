"""What a careful player keeps in mind: where cards went, what was claimed over them, and how each seat
behaves.

Everything here comes from a seat's own View and from public events. Counts of cards in other hands are
expectations, not facts: what was seen to be taken counts fully, what was only claimed counts by the belief
in the claim.
"""

from dataclasses import dataclass, field
from functools import lru_cache
from math import comb

from engine.cards import Rank
from engine.events import (
    Called,
    CallVoid,
    DealStarted,
    Drew,
    Event,
    Laid,
    PacketDiscarded,
    PickedUp,
    Revealed,
    RoundStarted,
    SetsRemoved,
    WindowClosed,
)
from engine.moves import Seat
from engine.state import Lead, new_deal
from engine.view import View

_RANDOM_PRIOR = 0.1
"""How likely a stranger is to play by coins alone."""

_SHARE_OF_TRUE = {False: {True: 0.7, False: 0.3}, True: {True: 0.93, False: 0.07}}
"""What a player with a plan shows when opened: by whether the packet was a lead, then by whether it was
true.
"""

_DOUBT_OF_LUCK = 2.0
"""So many true and false packets stand against what was seen: a few may be luck."""

_KEPT = 0.8
"""The weight that what was seen in a deal has in the next."""

_BLUFF_SIZES = (0.0, 0.8, 0.15, 0.05)
"""Sizes of the bluffs of a player with a plan: mostly one card."""


@dataclass(slots=True)
class Entry:
    """A packet on the table.

    `cards`: expected cards of each rank; `sure`: they have been seen by this seat.
    """

    owner: Seat
    rank: Rank
    count: int
    lead: bool
    cards: dict[Rank, float]
    sure: bool
    guess: float = 0.5
    """How likely it seemed to be true when it was laid, without what was learned of earlier guesses."""

    @property
    def kind(self) -> tuple[bool, bool]:
        """What guesses are compared by: a lead or not, one card or several."""
        return self.lead, self.count > 1


@dataclass(slots=True)
class Habits:
    """How one seat behaves.

    `random`: how likely it plays by coins; calls it made, of those it could have made.
    """

    random: float = _RANDOM_PRIOR
    calls: float = 0.75
    chances: float = 3.0
    opened: dict[tuple[bool, bool], list[float]] = field(default_factory=dict)
    """By kind of packet, of those opened: the sum of guesses, how many were true, how many there were."""

    def aged(self) -> "Habits":
        """What is kept of them for the next deal: half, for people change their ways."""
        usual = Habits()
        return Habits(
            (self.random + usual.random) / 2,
            (self.calls + usual.calls) / 2,
            (self.chances + usual.chances) / 2,
            {kind: [_KEPT * number for number in sums] for kind, sums in self.opened.items()},
        )

    def correction(self, kind: tuple[bool, bool]) -> float:
        """By what the odds of a guess are multiplied, so that guesses come out right on average."""
        guessed, true, total = self.opened.get(kind, (0.0, 0.0, 0.0))
        odds = (true + _DOUBT_OF_LUCK) / (total - true + _DOUBT_OF_LUCK)
        return odds * (total - guessed + _DOUBT_OF_LUCK) / (guessed + _DOUBT_OF_LUCK)


@dataclass(slots=True)
class Memory:
    """The memory of one seat for one deal.

    Counts follow the events alone, since a View that comes with an event may already be a move or two ahead.
    """

    seat: Seat
    copies: int
    cards: int
    sizes: dict[Seat, int]
    hands: dict[Seat, dict[Rank, float]] = field(init=False)
    habits: dict[Seat, Habits] = field(init=False)
    gone: dict[Rank, int] = field(default_factory=dict)
    pile: list[Entry] = field(default_factory=list)
    intended: dict[Rank, float] | None = None
    """What the seat itself is about to lay."""
    lead_due: bool = True
    open_calls: bool = False
    """Whether everybody has a chance to call each packet, not the next player alone."""
    hides_sizes: bool = False
    """Whether counts are only what was announced."""
    whole_checks: bool = True
    """Whether a check opens the whole packet."""
    lays: int = 0
    """How many packets this deal has seen."""

    def __post_init__(self) -> None:
        others = [seat for seat in self.sizes if seat != self.seat]
        self.hands = {seat: {} for seat in others}
        self.habits = {seat: Habits() for seat in others}

    @classmethod
    def of_deal(cls, view: View, event: DealStarted) -> "Memory":
        """What is known when the cards have been dealt."""
        assert view.seat is not None
        start = new_deal(view.state.ruleset, event.order, event.dealer)
        sizes = {seat: len(start.hand_of(seat)) for seat in start.order}
        return cls._for(view, sizes)

    @classmethod
    def _for(cls, view: View, sizes: dict[Seat, int]) -> "Memory":
        assert view.seat is not None
        rules = view.state.ruleset
        return cls(
            view.seat,
            rules.copies,
            rules.cards,
            sizes,
            open_calls=rules.open_calls,
            hides_sizes=rules.hides_sizes,
            whole_checks=rules.check == "all",
        )

    @classmethod
    def of_table(cls, view: View) -> "Memory":
        """What the table itself shows to someone who comes back in the middle of a deal."""
        state = view.state
        assert view.seat is not None
        sizes = {seat: len(state.hand_of(seat)) for seat in state.order}
        if state.ruleset.hides_sizes:
            share = max(1, state.ruleset.cards // len(state.order) // 2)
            sizes = {s: size or (0 if s in state.emptied else share) for s, size in sizes.items()}
        memory = cls._for(view, sizes)
        memory.lead_due = state.lead is Lead.DUE
        for card in state.removed:
            if card.face is not None:
                memory.gone[card.face.rank] = memory.gone.get(card.face.rank, 0) + 1
        for packet in state.table:
            entry = Entry(packet.owner, packet.rank, state.size_of(packet), False, {}, False)
            faces = [view.faces[slot].rank for slot in packet.slots if slot in view.faces]
            if packet.owner == view.seat and len(faces) == entry.count:
                entry.cards, entry.sure = _count(faces), True
            else:
                entry.cards[packet.rank] = entry.count / 2
            memory.pile.append(entry)
        return memory

    def learn_from(self, last: "Memory") -> None:
        """Takes over what the last deal taught of the others, each known by how far he sits to the left."""
        ours, theirs = list(self.sizes), list(last.sizes)
        if len(ours) != len(theirs):
            return
        for distance in range(1, len(ours)):
            now = ours[(ours.index(self.seat) + distance) % len(ours)]
            then = theirs[(theirs.index(last.seat) + distance) % len(ours)]
            self.habits[now] = last.habits[then].aged()

    def observe(self, view: View, event: Event) -> None:
        """Takes in an event; `view` is the seat's view after the move that caused it, or a later one."""
        match event:
            case RoundStarted():
                self.lead_due = True
            case Laid():
                self.lays += 1
                self._laid(view, event)
            case Called(seat, owner):
                # Who lays instead has passed a chance up; `_laid` counts those.
                self._had_chance(owner if self.open_calls else None, seat)
                self._called(seat)
            case CallVoid(seat):
                self._called(seat)
            case WindowClosed(owner):
                self._had_chance(owner, None)
            case Drew(seat, count, _):
                self.sizes[seat] += count
            case Revealed() if self.pile:
                self._revealed(event)
            case PickedUp(seat, count):
                self._taken(seat, count)
            case SetsRemoved(seat, cards):
                self.sizes[seat] -= len(cards)
                for card in cards:
                    self.gone[card.rank] = self.gone.get(card.rank, 0) + 1
                    if seat != self.seat:
                        self.hands[seat][card.rank] = max(0.0, self.hands[seat].get(card.rank, 0.0) - 1)
            case PacketDiscarded(_, whole_pile):
                self._discarded(whole_pile)

    def _called(self, seat: Seat) -> None:
        if seat != self.seat:
            self.habits[seat].calls += 1

    def _had_chance(self, owner: Seat | None, caller: Seat | None) -> None:
        """Counts a chance to call: for everybody but the owner in open calls, else for the caller alone."""
        for seat, habits in self.habits.items():
            if seat == caller or (owner is not None and seat != owner and self.sizes[seat] > 0):
                habits.chances += 1

    def intend(self, ranks: list[Rank]) -> None:
        """Notes what the seat is about to lay, card by card."""
        self.intended = _count(ranks)

    def reckon(self, own: dict[Rank, int], *, laid: int = 0) -> "Reckoning":
        """What is unknown now to a seat that holds `own`; the `laid` cards of the newest packet count as not
        laid yet.
        """
        return Reckoning(self, own, laid)

    def belief(self, own: dict[Rank, int], entry: Entry) -> float:
        """The chance that the newest packet, `entry`, is true: a guess, corrected by earlier ones."""
        return self._corrected(entry, self._guess(own, entry))

    def _corrected(self, entry: Entry, guess: float) -> float:
        """A guess about a packet, by what came of earlier ones about its owner."""
        odds = guess * self.habits[entry.owner].correction(entry.kind)
        return odds / (odds + 1 - guess)

    def _guess(self, own: dict[Rank, int], entry: Entry) -> float:
        """The chance that the newest packet is true, by the cards and by how people play.

        Bayes over two kinds of players. One with a plan leads truthfully when it can, follows with all it
        has of the rank or now and then with fewer, and bluffs small when it has none. One that plays by
        coins lays any cards. How much the second kind counts is what the seat's opened packets have taught.
        """
        size, rank, copies = entry.count, entry.rank, self.copies
        if size + self.seen(own, rank) > copies:
            return 0.0
        chances = self.reckon(own, laid=size).holds(entry.owner, rank)
        able = sum(chances[size:])
        if able <= 0.0:
            # Expectations are no proof.
            able = 0.02
        lacks = chances[0] if chances else 0.0
        random = self.habits[entry.owner].random
        if entry.lead:
            # A leader chooses his rank, so holding it is likelier than the cards alone say.
            planned_true, planned_false = 0.95 * (0.25 + 0.75 * able), 0.05
        else:
            exactly = chances[size] if size < len(chances) else 0.0
            planned_true = 0.8 * (able if size >= 3 else exactly) + 0.2 * able / 2
            planned_false = lacks * _BLUFF_SIZES[min(size, 3)] + (1 - lacks) * 0.05
        # Random cards rarely fit a claim, several hardly ever; any of three sizes is as likely.
        chance_true = able**2 * 0.3 if size > 1 else able * 0.3
        true = (1 - random) * planned_true + random * chance_true / 3
        false = (1 - random) * planned_false + random * (1 - chance_true) / 3
        return true / (true + false)

    def seen(self, own: dict[Rank, int], rank: Rank) -> int:
        """How many cards of `rank` are surely neither in other hands nor in others' packets."""
        mine = sum(round(e.cards.get(rank, 0.0)) for e in self.pile if e.owner == self.seat)
        return own.get(rank, 0) + self.gone.get(rank, 0) + mine

    def call_rate(self, seat: Seat) -> float:
        """How often a seat calls when it could."""
        habits = self.habits[seat]
        return habits.calls / habits.chances

    def _laid(self, view: View, event: Laid) -> None:
        seat, count, rank = event.seat, event.count, event.rank
        entry = Entry(seat, rank, count, self.lead_due, {}, False)
        self.pile.append(entry)
        self.lead_due = False
        size = self.sizes[seat]
        self.sizes[seat] -= count
        if self.hides_sizes:
            # Whoever announces more than he lays holds more than he seems to.
            self.sizes[seat] = 0 if seat in view.state.emptied else max(1, self.sizes[seat])
        if seat == self.seat:
            cards, self.intended = self.intended, None
            if cards is not None and (self.hides_sizes or sum(cards.values()) == count):
                entry.cards, entry.sure = cards, True
            return
        if not entry.lead and not self.open_calls:
            self.habits[seat].chances += 1
        entry.guess = self._guess(own_counts(view), entry)
        belief = self._corrected(entry, entry.guess)
        entry.cards[rank] = belief * count
        hand = self.hands[seat]
        for other in hand:
            hand[other] *= 1 - (1 - belief) * count / max(size, 1)
        hand[rank] = max(0.0, hand.get(rank, 0.0) - belief * count)
        self._fit(seat)

    def _revealed(self, event: Revealed) -> None:
        entry = self.pile[-1]
        kind = entry.kind
        shown = _count([card.rank for card in event.cards])
        if self.whole_checks:
            entry.cards, entry.sure = shown, True
            if self.hides_sizes:
                entry.count = len(event.cards)
        elif not entry.sure:
            for rank, count in shown.items():
                entry.cards[rank] = max(count, entry.cards.get(rank, 0.0))
        if event.owner == self.seat:
            return
        habits = self.habits[event.owner]
        sums = habits.opened.setdefault(kind, [0.0, 0.0, 0.0])
        for place, value in enumerate((entry.guess, float(event.truthful), 1.0)):
            sums[place] += value
        planned = _SHARE_OF_TRUE[entry.lead][event.truthful]
        if not event.truthful and entry.count > 1:
            planned *= 0.3
        chance = 0.1 if event.truthful else 0.9
        random = habits.random * chance / (habits.random * chance + (1 - habits.random) * planned)
        habits.random = min(0.97, max(0.03, random))

    def _taken(self, seat: Seat, count: int) -> None:
        self.sizes[seat] += count
        if seat != self.seat:
            hand = self.hands[seat]
            for entry in self.pile:
                for rank, expected in entry.cards.items():
                    hand[rank] = hand.get(rank, 0.0) + expected
            self._fit(seat)
        self.pile = []

    def _discarded(self, whole_pile: bool) -> None:
        for entry in self.pile if whole_pile else self.pile[-1:]:
            if entry.sure:
                for rank, held in entry.cards.items():
                    self.gone[rank] = self.gone.get(rank, 0) + round(held)
        self.pile = [] if whole_pile else self.pile[:-1]

    def _fit(self, seat: Seat) -> None:
        """Keeps expectations within the copies of a rank and the size of the hand."""
        hand = self.hands[seat]
        for rank, count in hand.items():
            hand[rank] = min(count, float(self.copies))
        total, size = sum(hand.values()), self.sizes[seat]
        if total > size:
            for rank in hand:
                hand[rank] *= size / total


class Reckoning:
    """Where the unknown cards may be, by a memory as it is now: what many answers need is summed up once.

    Good until the memory takes in another event.
    """

    def __init__(self, memory: Memory, own: dict[Rank, int], laid: int) -> None:
        self._memory, self._own, self._laid = memory, own, laid
        self._pile = memory.pile[:-1] if laid else memory.pile
        self._known = {seat: sum(hand.values()) for seat, hand in memory.hands.items()}
        unknown = memory.cards - sum(own.values()) - sum(memory.gone.values())
        unknown -= round(sum(self._known.values()))
        self._unknown = unknown - sum(entry.count for entry in self._pile)
        self._of_rank: dict[Rank, int] = {}

    def holds(self, seat: Seat, rank: Rank) -> list[float]:
        """The chance that another seat holds 0, 1, 2… cards of `rank`, those counted as not laid included."""
        memory = self._memory
        certain = min(int(memory.hands[seat].get(rank, 0.0) + 0.5), memory.copies)
        of_rank = self._of_rank.get(rank)
        if of_rank is None:
            of_rank = self._of_rank[rank] = self._unknown_of(rank)
        held = max(0, memory.sizes[seat] + self._laid - round(self._known[seat]))
        unknown = max(self._unknown, held, of_rank, 1)
        return [*([0.0] * certain), *_dealt(unknown, of_rank, held)]

    def _unknown_of(self, rank: Rank) -> int:
        """How many cards of a rank could be anywhere."""
        memory = self._memory
        placed: float = self._own.get(rank, 0) + memory.gone.get(rank, 0)
        placed += sum(entry.cards.get(rank, 0.0) for entry in self._pile)
        placed += sum(hand.get(rank, 0.0) for hand in memory.hands.values())
        return max(0, round(memory.copies - placed))


@lru_cache(maxsize=1 << 12)
def _dealt(unknown: int, of_rank: int, held: int) -> tuple[float, ...]:
    """The chances of 0, 1, 2… cards of a rank in a hand of `held`, dealt from `unknown` cards with `of_rank`
    of the rank among them.

    The same few numbers come again and again: many seats and ranks are alike.
    """
    others, whole = unknown - of_rank, comb(unknown, held)
    return tuple(
        (comb(of_rank, count) * comb(others, held - count) if count <= held else 0) / whole
        for count in range(of_rank + 1)
    )


def _count(ranks: list[Rank]) -> dict[Rank, float]:
    counts: dict[Rank, float] = {}
    for rank in ranks:
        counts[rank] = counts.get(rank, 0.0) + 1
    return counts


def own_counts(view: View) -> dict[Rank, int]:
    """How many cards of each rank the seat of the view holds."""
    counts: dict[Rank, int] = {}
    assert view.seat is not None
    faces = view.faces
    for slot in view.state.hand_of(view.seat):
        if slot in faces:
            rank = faces[slot].rank
            counts[rank] = counts.get(rank, 0) + 1
    return counts
