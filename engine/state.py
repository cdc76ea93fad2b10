"""The public state of a deal: what every peer knows, byte for byte the same.

Faces are not in it, except those that a move has made public. Chance is not in it either: a deal starts
from the order of the seats and the dealer, and slots stand for the cards of a deck that somebody else has
shuffled.

Where numbers are free (`claim_number`) sizes are secret too, and a State holds more than everybody knows: the
true slots of every hand and packet. `State.seen_by` is what one seat knows of it, and nothing in the rules
that others must follow depends on more: limits go by announced numbers, and an empty hand is announced.
"""

import hashlib
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import Final

from engine.cards import Card, Rank
from engine.moves import Answer, Call, Duty, Obligation, Seat, Slot
from engine.rules import Ruleset
from engine.writing import state_to_text


class Phase(StrEnum):
    """What kind of act the deal waits for."""

    PLAY = "play"
    """The seat on turn lays or calls."""
    DRAW = "draw"
    """The seat on turn draws from the stock first."""
    ANSWER = "answer"
    """Open calls: everybody but the owner says whether he calls the packet just laid."""
    INDEX = "index"
    """The packet has been called; chance chooses the card that is checked."""
    REVEAL = "reveal"
    """The packet has been called; its owner opens it."""
    PICK_UP = "pick-up"
    """The call is settled; the taker takes the pile."""
    SETS = "sets"
    """A seat may remove complete sets."""
    OVER = "over"


class Lead(StrEnum):
    """Where the deal stands between a round's opening and the packets that follow."""

    DUE = "due"
    """The next packet opens a round."""
    LIVE = "live"
    """The live packet opened one."""
    NONE = "none"


@dataclass(frozen=True, slots=True)
class Packet:
    """Cards laid in one turn, face down: by whom, which, and what was said of them (`number` None: not
    stated).
    """

    owner: Seat
    slots: tuple[Slot, ...]
    rank: Rank
    number: int | None


@dataclass(frozen=True, slots=True)
class Removed:
    """A card out of play; `face` is None if nobody has seen it there."""

    slot: Slot
    face: Card | None


@dataclass(frozen=True, slots=True)
class Opened:
    """A packet that was opened: what was seen of it, whose call opened it, and whether the claim was true.

    `index`: the place of the only card that was opened; None if all were.
    """

    packet: Packet
    faces: tuple[Card, ...]
    call: Call
    truthful: bool
    index: int | None = None

    @property
    def slots(self) -> tuple[Slot, ...]:
        """The slots that were opened, one for each of `faces`."""
        return self.packet.slots if self.index is None else (self.packet.slots[self.index],)


HIDDEN: Final = Slot(-1)
"""Stands for the slot of a card whose place would tell of a hidden size."""

_INDEX_RANGE_HIDDEN: Final = 840
"""The least number that every size of a packet, 1 to 8, divides: so a place is drawn fairly without knowing
the size.
"""


@dataclass(frozen=True, slots=True)
class State:
    """One moment of a deal.

    `order`: all seats of the deal, clockwise. `hands`: aligned with `order`, each ascending. `table`:
    packets, oldest first. `rank`: the rank in force, None when the leader may choose. `live`: whether the
    newest packet may be called. `turn`: who acts, or, while a call is being settled, who will. `out`: seats
    that left, in order. `called`: the call that is being settled. `revealed`: the last packet opened, until
    the next lay. `taker`: who takes the pile, while that is settled. `lead`, `first_lead`: whether a lead
    is due or live, and whether it is the first of the deal. `last_lead`: rank and number of the latest
    claim that opened a round. `next_slot`: the first slot that was never used.

    `stock`: the draw pile, top first. `refill_due`: seats that have not yet had the draw of the last round's
    end. `emptied`: seats with an empty hand that are still in, in the order in which it became so;
    `announced`: those of them that have said so (`out_call` manual). `rising`: the rank now due where ranks
    ascend, None if the leader may choose. `answers`: those given in the open window, clockwise from the
    owner of the packet. `index`: the place of the card to be checked. `asked_next`: seats that are asked
    about sets after `taker`.
    """

    ruleset: Ruleset
    order: tuple[Seat, ...]
    dealer: Seat
    phase: Phase
    hands: tuple[tuple[Slot, ...], ...]
    table: tuple[Packet, ...]
    burned: tuple[Slot, ...]
    removed: tuple[Removed, ...]
    rank: Rank | None
    live: bool
    turn: Seat | None
    out: tuple[Seat, ...]
    called: Call | None
    revealed: Opened | None
    taker: Seat | None
    lead: Lead
    first_lead: bool
    last_lead: tuple[Rank, int | None] | None
    next_slot: int
    stock: tuple[Slot, ...] = ()
    refill_due: tuple[Seat, ...] = ()
    emptied: tuple[Seat, ...] = ()
    announced: tuple[Seat, ...] = ()
    rising: Rank | None = None
    answers: tuple[Answer, ...] = ()
    index: int | None = None
    asked_next: tuple[Seat, ...] = ()
    _digest: bytes = field(default=b"", init=False, repr=False, compare=False)
    """Computed when first asked for: peers compare it more often than it changes."""

    @property
    def over(self) -> bool:
        """Whether the deal has ended."""
        return self.phase is Phase.OVER

    @property
    def winner(self) -> Seat | None:
        """Who went out first, once the deal is over."""
        return self.out[0] if self.over else None

    @property
    def loser(self) -> Seat | None:
        """Who was left, once the deal is over and where the rules look for a loser."""
        if not self.over or self.ruleset.end != "sole_loser":
            return None
        left = self.seats_in
        return left[0] if left else self.out[-1]

    @property
    def seats_in(self) -> tuple[Seat, ...]:
        """The seats that have not left, clockwise from the first of `order`."""
        return tuple(seat for seat in self.order if seat not in self.out)

    @property
    def pending(self) -> Seat | None:
        """The owner of the live packet, if it was his last cards; nobody is while there is a stock."""
        if not self.live or self.stock:
            return None
        owner = self.table[-1].owner
        if self.ruleset.hides_sizes:
            return owner if owner in self.emptied else None
        return None if self.hand_of(owner) else owner

    @property
    def due_rank(self) -> Rank | None:
        """The rank that the next packet has to claim; None if the leader may choose."""
        return self.rank if self.ruleset.rank_rule == "fixed" else self.rising

    @property
    def pile(self) -> tuple[Slot, ...]:
        """Every slot on the table, in the order in which it was laid."""
        return tuple(slot for packet in self.table for slot in packet.slots)

    def hand_of(self, seat: Seat) -> tuple[Slot, ...]:
        """The slots in a seat's hand, ascending."""
        return self.hands[self.order.index(seat)]

    def next_in(self, seat: Seat) -> Seat:
        """The next seat clockwise from `seat` that has not left."""
        order, out = self.order, self.out
        place = order.index(seat)
        for step in range(1, len(order) + 1):
            candidate = order[(place + step) % len(order)]
            if candidate not in out:
                return candidate
        raise AssertionError("everybody has left")

    @property
    def exempt(self) -> bool:
        """Whether the live packet is a lead that ne veryu cannot be called against (option `lead_exempt`)."""
        rule = self.ruleset.lead_exempt
        if rule == "none" or self.lead is not Lead.LIVE:
            return False
        return self.size_of(self.table[-1]) == 1 and (rule == "any_round_lead" or self.first_lead)

    def size_of(self, packet: Packet) -> int:
        """How many cards a packet holds, as far as everybody may know; where it is free, what was said."""
        return (packet.number or 0) if self.ruleset.hides_sizes else len(packet.slots)

    @property
    def may_be_called(self) -> bool:
        """Whether some call of the live packet is possible."""
        return self.live and not (self.exempt and self.ruleset.veryu == "none")

    @property
    def drawing(self) -> int:
        """How many cards the seat on turn draws, if it draws now."""
        assert self.turn is not None
        return min(self.ruleset.hand_cards - len(self.hand_of(self.turn)), len(self.stock))

    @property
    def index_range(self) -> int:
        """How many outcomes the draw of a checked card has; the place is the outcome modulo the size."""
        return _INDEX_RANGE_HIDDEN if self.ruleset.hides_sizes else len(self.table[-1].slots)

    @property
    def opening(self) -> tuple[Slot, ...]:
        """The slots of the newest packet that a check opens."""
        slots = self.table[-1].slots
        return slots if self.index is None else (slots[self.index],)

    @property
    def owed(self) -> tuple[Obligation, ...]:  # noqa: PLR0911 - one for each phase
        """Who owes what now; empty once the deal is over. No other module works out whose turn it is."""
        phase, turn, taker = self.phase, self.turn, self.taker
        if phase is Phase.PLAY:
            assert turn is not None
            if turn in self.emptied:
                duty = Duty.GO_OUT_OR_CALL if self.may_be_called else Duty.GO_OUT
            else:
                duty = Duty.LAY_OR_CALL if self.may_be_called else Duty.LAY
            return (Obligation(turn, duty),)
        if phase is Phase.REVEAL:
            return (Obligation(self.table[-1].owner, Duty.REVEAL, self.opening),)
        if phase is Phase.PICK_UP:
            assert taker is not None
            return (Obligation(taker, Duty.PICK_UP, self.hand_of(taker) + self.pile),)
        if phase is Phase.SETS:
            assert taker is not None
            return (Obligation(taker, Duty.DISCARD_SETS),)
        if phase is Phase.ANSWER:
            given = {answer.seat for answer in self.answers}
            return tuple(Obligation(seat, Duty.ANSWER) for seat in self.answering if seat not in given)
        if phase is Phase.DRAW:
            assert turn is not None
            return (Obligation(turn, Duty.DRAW, self.hand_of(turn) + self.stock[: self.drawing]),)
        if phase is Phase.INDEX:
            assert self.called is not None
            return (Obligation(self.called.seat, Duty.DRAW_INDEX, self.table[-1].slots),)
        return ()

    @property
    def answering(self) -> tuple[Seat, ...]:
        """The seats that answer the newest packet in open calls, clockwise from its owner."""
        owner, order = self.table[-1].owner, self.order
        place = order.index(owner) + 1
        return tuple(seat for seat in order[place:] + order[: place - 1] if seat not in self.out)

    def seen_by(self, seat: Seat | None) -> "State":
        """What a seat, or a watcher, knows of this state: all of it, unless answers or sizes are secret.

        Answers are secret until all are in. Where numbers are free, hands and packets of others are without
        slots (whether a hand is empty stands in `emptied`), and so is what would tell their sizes.
        """
        answers = tuple(a if a.seat == seat else Answer(a.seat, None) for a in self.answers)
        if not self.ruleset.hides_sizes:
            return replace(self, answers=answers) if answers else self
        shown, opened = self.removed, self.revealed
        if opened is not None and opened.packet.owner != seat:
            opened = replace(opened, packet=_without_slots(opened.packet), index=None)
        return replace(
            self,
            hands=tuple(
                hand if owner == seat else () for owner, hand in zip(self.order, self.hands, strict=True)
            ),
            table=tuple(p if p.owner == seat else _without_slots(p) for p in self.table),
            removed=tuple(Removed(HIDDEN, card.face) for card in shown if card.face is not None),
            revealed=opened,
            next_slot=0,
            answers=answers,
        )

    def digest(self) -> bytes:
        """32 bytes that stand for exactly this state, the same in every process: SHA-256 over its text."""
        if not self._digest:
            digest = hashlib.sha256(b"verish state\n" + state_to_text(self).encode()).digest()
            object.__setattr__(self, "_digest", digest)
        return self._digest


def _without_slots(packet: Packet) -> Packet:
    return Packet(packet.owner, (), packet.rank, packet.number)


def new_deal(ruleset: Ruleset, order: tuple[Seat, ...], dealer: Seat) -> State:
    """The state after dealing slots 0 to N-1 in the order of the deck: burned cards, then singly from the
    dealer's left; what is left is the stock.

    `order`: the seats of the deal, clockwise. Raises: RulesetError if they cannot play by these rules;
    ValueError if seats repeat or the dealer is not among them.
    """
    if len(set(order)) != len(order) or dealer not in order:
        raise ValueError("the order of a deal names each of its seats once, the dealer included")
    rules = ruleset.resolve(len(order))
    burned = rules.burned
    count = len(order)
    left = (order.index(dealer) + 1) % count
    end = burned + count * rules.hand_cards if rules.draws else rules.cards
    hands = tuple(
        tuple(Slot(slot) for slot in range(burned + (place - left) % count, end, count))
        for place in range(count)
    )
    first = left if rules.first_lead == "dealer_left" else order.index(dealer)
    asked: tuple[Seat, ...] = ()
    if rules.sets_at_deal == "yes":
        clockwise = (*range(first, count), *range(first))
        asked = tuple(order[place] for place in clockwise if len(hands[place]) >= rules.set_cards)
    return State(
        ruleset=rules,
        order=order,
        dealer=dealer,
        phase=Phase.SETS if asked else Phase.PLAY,
        hands=hands,
        table=(),
        burned=tuple(Slot(slot) for slot in range(burned)),
        removed=(),
        rank=None,
        live=False,
        turn=order[first],
        out=(),
        called=None,
        revealed=None,
        taker=asked[0] if asked else None,
        lead=Lead.DUE,
        first_lead=True,
        last_lead=None,
        next_slot=rules.cards,
        stock=tuple(Slot(slot) for slot in range(end, rules.cards)),
        rising=rules.first_rising,
        asked_next=asked[1:],
    )


def next_dealer(state: State) -> Seat:
    """Who deals next, after a deal that is over (option `next_dealer`). Raises: ValueError before its end."""
    if not state.over:
        raise ValueError("the deal is not over")
    if state.ruleset.next_dealer == "loser":
        loser = state.loser
        assert loser is not None, "a ruleset in which the loser deals has a loser"
        return loser
    order = state.order
    return order[(order.index(state.dealer) + 1) % len(order)]
