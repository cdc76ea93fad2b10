"""The verified state of a deal at one step of its ledger: public, immutable, the same on every peer at the
same head.

Which entries a step takes, and what follows it, is this table. "All" are all seats of the deal, those that
are out included.

    phase         owed by               entry      next
    COMMIT        all                   commit     OPEN
    OPEN          all                   open       SHUFFLE
    SHUFFLE       next seat clockwise   shuffle    SHUFFLE, after the last one SEAL_DECK
    SEAL_DECK     all                   seal       DEAL
    DEAL          all                   shares     PLAY
    PLAY          as the engine says    lay        PLAY, or OVER if the engine says so, as after each of these
                                        call       SEAL_CALL
                                        reveal     PLAY
                                        pick-up    SEAL_PICK_UP
                                        sets       PLAY
    SEAL_CALL     all                   seal       PLAY
    SEAL_PICK_UP  all                   seal       READ
    READ          all but the taker     shares     PLAY
    OVER          all                   receipt    (collected; the next deal of the table waits for them)

A step is complete when every entry owed is in. Shares of a slot are owed only in phases that lie behind a
seal which is later than the shuffle that made the slot and than what entitles the reader, so the opening
rule holds by the shape of this table; `check_opening` in `judge.py` checks it all the same.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from types import MappingProxyType

import engine
from crypto import Ciphertext, Context, Element, Group, card_element, first_deck
from engine import Card, Duty, Seat, Slot
from p2p.protocol.deal_cards import CardTable
from p2p.protocol.deal_terms import DealTerms
from p2p.protocol.entry import Kind
from p2p.protocol.hashing import hash_parts


class Phase(StrEnum):
    """Where a deal stands; the table above says what each phase takes."""

    COMMIT = "commit"
    OPEN = "open"
    SHUFFLE = "shuffle"
    SEAL_DECK = "seal-deck"
    DEAL = "deal"
    PLAY = "play"
    SEAL_CALL = "seal-call"
    SEAL_PICK_UP = "seal-pick-up"
    READ = "read"
    OVER = "over"


FIRST_SHUFFLE_STEP = 2
"""The steps before it are those of COMMIT and OPEN."""

_ALL_OWE: Mapping[Phase, Kind] = {
    Phase.COMMIT: Kind.COMMIT,
    Phase.OPEN: Kind.OPEN,
    Phase.SEAL_DECK: Kind.SEAL,
    Phase.SEAL_CALL: Kind.SEAL,
    Phase.SEAL_PICK_UP: Kind.SEAL,
    Phase.OVER: Kind.RECEIPT,
}
"""Phases in which every seat owes the same kind of entry, and the entry names no slots."""

_KINDS_OF_DUTY: Mapping[Duty, tuple[Kind, ...]] = {
    Duty.LAY: (Kind.LAY,),
    Duty.LAY_OR_CALL: (Kind.LAY, Kind.CALL),
    Duty.REVEAL: (Kind.REVEAL,),
    Duty.PICK_UP: (Kind.PICK_UP,),
    Duty.DISCARD_SETS: (Kind.SETS,),
}


@dataclass(frozen=True, slots=True)
class Owed:
    """`seat` owes one entry of one of `kinds`.

    `duty`: the engine's obligation behind it, in play. `slots`: what to open, or the inputs of the shuffle,
    in their order.
    """

    seat: Seat
    kinds: tuple[Kind, ...]
    duty: Duty | None = None
    slots: tuple[Slot, ...] = ()


@dataclass(frozen=True, slots=True)
class SeatTrust:
    """What one seat has proven so far: its key, and how many shuffles, re-packed hands, shares and seals."""

    seat: Seat
    key_proven: bool = False
    shuffles: int = 0
    repacks: int = 0
    shares: int = 0
    seals: int = 0


@dataclass(frozen=True, slots=True)
class Frame:
    """What stays the same throughout a deal."""

    terms: DealTerms
    group: Group
    table_id: bytes
    keys: tuple[bytes, ...]
    ruleset: engine.Ruleset
    faces: Mapping[bytes, Card] = field(repr=False)
    """Cards by their encoded elements."""
    first_deck: tuple[Ciphertext, ...] = field(repr=False)
    """The public deck that the first shuffle takes, in the engine's canonical order."""

    @classmethod
    def of(cls, terms: DealTerms, group: Group) -> "Frame":
        """The frame of a deal. Raises: MalformedMessage, ProposalRefused if the terms are not valid."""
        proposal = terms.verify()
        ruleset = proposal.ruleset
        deck = ruleset.deck
        values = [card_value(card) for card in deck]
        return cls(
            terms=terms,
            group=group,
            table_id=proposal.table_id,
            keys=tuple(member.key for member in proposal.members),
            ruleset=ruleset,
            faces={card_element(group, card_value(card)).encode(): card for card in deck},
            first_deck=first_deck(group, values),
        )

    @property
    def seats(self) -> tuple[Seat, ...]:
        """All seats of the deal, ascending."""
        return tuple(Seat(seat) for seat in range(len(self.keys)))


def card_value(card: Card) -> bytes:
    """The bytes that are hashed to a card's group element: its notation in ASCII, such as `QS`."""
    return str(card).encode("ascii")


@dataclass(frozen=True, slots=True)
class DealState:
    """The verified state at `head`, the head of step `step`: what the entries of that step are judged
    against.
    """

    frame: Frame = field(repr=False)
    step: int
    head: bytes
    phase: Phase
    trust: tuple[SeatTrust, ...]
    commitments: Mapping[Seat, bytes] = field(default_factory=lambda: MappingProxyType({}), repr=False)
    publics: Mapping[Seat, Element] = field(default_factory=lambda: MappingProxyType({}), repr=False)
    joint_key: Element | None = field(default=None, repr=False)
    order: tuple[Seat, ...] = ()
    dealer: Seat | None = None
    deck: tuple[Ciphertext, ...] = field(default=(), repr=False)
    shuffled: int = 0
    """How many seats have shuffled the whole deck."""
    game: engine.State | None = None
    cards: CardTable = field(default_factory=CardTable, repr=False)
    last_seal: int = -1
    """The step of the latest complete seal."""
    entitled_at: int = -1
    """The step that entitles the readers of this moment: the last shuffle, the call, or the pick-up."""
    taker: Seat | None = None
    """Who picked up, until he can read his new hand."""
    seals_complete: int = 0
    packets_opened: int = 0

    @classmethod
    def start(cls, frame: Frame) -> "DealState":
        """The state before the first entry of a deal."""
        terms = frame.terms
        setup = terms.setup
        return cls(
            frame=frame,
            step=0,
            head=terms.first_head,
            phase=Phase.COMMIT,
            trust=tuple(SeatTrust(seat) for seat in frame.seats),
            order=() if setup is None else tuple(Seat(seat) for seat in setup.order),
            dealer=None if setup is None else Seat(setup.dealer),
            deck=frame.first_deck,
        )

    @property
    def seats(self) -> tuple[Seat, ...]:
        """All seats of the deal, ascending."""
        return self.frame.seats

    @property
    def owed(self) -> tuple[Owed, ...]:
        """Who owes what at this step, ascending by seat."""
        if self.phase in _ALL_OWE:
            return tuple(Owed(seat, (_ALL_OWE[self.phase],)) for seat in self.seats)
        if self.phase is Phase.SHUFFLE:
            return (Owed(self.order[self.shuffled], (Kind.SHUFFLE,)),)
        if self.phase is Phase.DEAL:
            return tuple(self._shares(seat, self._others_hands(seat)) for seat in self.seats)
        if self.phase is Phase.READ:
            assert self.taker is not None
            hand = self._hand(self.taker)
            return tuple(self._shares(seat, hand) for seat in self.seats if seat != self.taker)
        assert self.game is not None
        owed = [Owed(one.seat, _KINDS_OF_DUTY[one.duty], one.duty, one.slots) for one in self.game.owed]
        return tuple(sorted(owed, key=lambda one: one.seat))

    def owed_by(self, seat: Seat) -> Owed | None:
        """What one seat owes at this step, or None."""
        return next((owed for owed in self.owed if owed.seat == seat), None)

    def context(self, seat: Seat) -> Context:
        """The context of every proof and commitment in an entry of `seat` at this step."""
        frame = self.frame
        return Context(
            group=frame.group.name,
            table=frame.table_id,
            deal=frame.terms.deal,
            step=self.step,
            seat=seat,
            previous=self.head,
        )

    def digest(self) -> bytes:
        """32 bytes that stand for the engine's state, with the seating: compared between peers, never
        signed.
        """
        game = b"" if self.game is None else self.game.digest()
        return hash_parts("digest", self.phase.encode(), bytes(self.order), game)

    def _shares(self, seat: Seat, slots: tuple[Slot, ...]) -> Owed:
        return Owed(seat, (Kind.SHARES,), None, slots)

    def _hand(self, seat: Seat) -> tuple[Slot, ...]:
        assert self.game is not None
        return self.game.hand_of(seat)

    def _others_hands(self, seat: Seat) -> tuple[Slot, ...]:
        return tuple(sorted(slot for other in self.seats if other != seat for slot in self._hand(other)))
