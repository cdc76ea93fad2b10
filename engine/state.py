"""The public state of a deal: what every peer knows, byte for byte the same.

Faces are not in it, except those that a move has made public. Chance is not in it either: a deal starts
from the order of the seats and the dealer, and slots stand for the cards of a deck that somebody else has
shuffled.
"""

import hashlib
from dataclasses import dataclass, field
from enum import StrEnum

from engine.cards import Card, Rank
from engine.moves import Call, Duty, Obligation, Seat, Slot
from engine.rules import Ruleset
from engine.writing import state_to_text


class Phase(StrEnum):
    """What kind of act the deal waits for."""

    PLAY = "play"
    """The seat on turn lays or calls."""
    REVEAL = "reveal"
    """The packet has been called; its owner opens it."""
    PICK_UP = "pick-up"
    """The call is settled; the taker takes the pile."""
    SETS = "sets"
    """The taker may remove complete sets."""
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
    """A packet that was opened: what was in it, whose call opened it, and whether the claim was true."""

    packet: Packet
    faces: tuple[Card, ...]
    call: Call
    truthful: bool


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
        """The owner of the live packet, if it was his last cards."""
        if not self.live:
            return None
        owner = self.table[-1].owner
        return None if self.hand_of(owner) else owner

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
        if rule == "none" or self.lead is not Lead.LIVE or len(self.table[-1].slots) != 1:
            return False
        return rule == "any_round_lead" or self.first_lead

    @property
    def owed(self) -> tuple[Obligation, ...]:
        """Who owes what now; empty once the deal is over. No other module works out whose turn it is."""
        phase, turn, taker = self.phase, self.turn, self.taker
        if phase is Phase.PLAY:
            assert turn is not None
            callable_ = self.live and not (self.exempt and self.ruleset.veryu == "none")
            return (Obligation(turn, Duty.LAY_OR_CALL if callable_ else Duty.LAY),)
        if phase is Phase.REVEAL:
            packet = self.table[-1]
            return (Obligation(packet.owner, Duty.REVEAL, packet.slots),)
        if phase is Phase.PICK_UP:
            assert taker is not None
            return (Obligation(taker, Duty.PICK_UP, self.hand_of(taker) + self.pile),)
        if phase is Phase.SETS:
            assert taker is not None
            return (Obligation(taker, Duty.DISCARD_SETS),)
        return ()

    def digest(self) -> bytes:
        """32 bytes that stand for exactly this state, the same in every process: SHA-256 over its text."""
        if not self._digest:
            digest = hashlib.sha256(b"verish state\n" + state_to_text(self).encode()).digest()
            object.__setattr__(self, "_digest", digest)
        return self._digest


def new_deal(ruleset: Ruleset, order: tuple[Seat, ...], dealer: Seat) -> State:
    """The state after dealing slots 0 to N-1 in the order of the deck: burned cards, then singly from the
    dealer's left.

    `order`: the seats of the deal, clockwise. Raises: RulesetError if they cannot play by these rules;
    ValueError if seats repeat or the dealer is not among them.
    """
    if len(set(order)) != len(order) or dealer not in order:
        raise ValueError("the order of a deal names each of its seats once, the dealer included")
    rules = ruleset.resolve(len(order))
    burned = rules.burned
    count = len(order)
    left = (order.index(dealer) + 1) % count
    hands = tuple(
        tuple(Slot(slot) for slot in range(burned + (place - left) % count, rules.cards, count))
        for place in range(count)
    )
    return State(
        ruleset=rules,
        order=order,
        dealer=dealer,
        phase=Phase.PLAY,
        hands=hands,
        table=(),
        burned=tuple(Slot(slot) for slot in range(burned)),
        removed=(),
        rank=None,
        live=False,
        turn=order[left] if rules.first_lead == "dealer_left" else dealer,
        out=(),
        called=None,
        revealed=None,
        taker=None,
        lead=Lead.DUE,
        first_lead=True,
        last_lead=None,
        next_slot=rules.cards,
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
