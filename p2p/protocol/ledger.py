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
    PLAY          as the engine says    lay        (play)
                                        call       SEAL_CALL, or COIN_COMMIT where chance picks the card
                                        reveal     (play)
                                        pick-up    SEAL_PICK_UP
                                        draw       SEAL_PICK_UP
                                        sets, out  (play)
    ANSWER_COMMIT all who may call      answer-commit  ANSWER_OPEN
    ANSWER_OPEN   the same              answer     as after a call if somebody called, else (play)
    COIN_COMMIT   all                   coin-commit    COIN_OPEN
    COIN_OPEN     all                   coin       SEAL_CALL
    SEAL_CALL     all                   seal       PLAY
    SEAL_PICK_UP  all                   seal       READ
    READ          all but the taker     shares     (play)
    OVER          all                   receipt    (collected; the next deal of the table waits for them)

(play) is ANSWER_COMMIT if the engine has opened the window for calls, OVER if it says that the deal is
over, as it may after each entry of PLAY, and PLAY otherwise. A step is complete when every entry owed is
in. Shares of a slot are owed only in phases that lie behind a seal which is later than the shuffle that
made the slot and than what entitles the reader, so the opening rule holds by the shape of this table;
`check_opening` in `judge.py` checks it all the same.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from types import MappingProxyType

import engine
from crypto import Ciphertext, Context, Element, Group, card_element, first_deck
from engine import CHOICES, Card, Duty, Seat, Slot
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
    ANSWER_COMMIT = "answer-commit"
    ANSWER_OPEN = "answer-open"
    COIN_COMMIT = "coin-commit"
    COIN_OPEN = "coin-open"
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
    Phase.COIN_COMMIT: Kind.COIN_COMMIT,
    Phase.COIN_OPEN: Kind.COIN,
    Phase.SEAL_CALL: Kind.SEAL,
    Phase.SEAL_PICK_UP: Kind.SEAL,
    Phase.OVER: Kind.RECEIPT,
}
"""Phases in which every seat owes the same kind of entry, and the entry names no slots."""

_ANSWERS_OWED: Mapping[Phase, tuple[Kind, bool]] = {
    Phase.ANSWER_COMMIT: (Kind.ANSWER_COMMIT, True),
    Phase.ANSWER_OPEN: (Kind.ANSWER, False),
}
"""What the seats owe that the engine asks for an answer, and whether that is a choice."""

_KINDS_OF_DUTY: Mapping[Duty, tuple[Kind, ...]] = {
    Duty.LAY: (Kind.LAY,),
    Duty.LAY_OR_CALL: (Kind.LAY, Kind.CALL),
    Duty.GO_OUT: (Kind.OUT,),
    Duty.GO_OUT_OR_CALL: (Kind.OUT, Kind.CALL),
    Duty.DRAW: (Kind.DRAW,),
    Duty.REVEAL: (Kind.REVEAL,),
    Duty.PICK_UP: (Kind.PICK_UP,),
    Duty.DISCARD_SETS: (Kind.SETS,),
}


@dataclass(frozen=True, slots=True)
class Owed:
    """`seat` owes one entry of one of `kinds`.

    `duty`: the engine's obligation behind it, in play. `slots`: what to open, or the inputs of the shuffle,
    in their order. `choice`: whether there is something to decide; everything else the program does itself.
    """

    seat: Seat
    kinds: tuple[Kind, ...]
    duty: Duty | None = None
    slots: tuple[Slot, ...] = ()
    choice: bool = False


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
    """The players' identity keys by seat."""
    ruleset: engine.Ruleset
    faces: Mapping[bytes, Card] = field(repr=False)
    """Cards by their encoded elements."""
    first_deck: tuple[Ciphertext, ...] = field(repr=False)
    """The public deck that the first shuffle takes, in the engine's canonical order."""

    @classmethod
    def of(cls, terms: DealTerms, group: Group) -> "Frame":
        """The frame of a deal. Raises: MalformedMessage, ProposalRefused if the terms are not valid."""
        proposal = terms.verify()
        ruleset = proposal.ruleset_for(len(terms.players))
        deck = ruleset.deck
        values = [card_value(card) for card in deck]
        return cls(
            terms=terms,
            group=group,
            table_id=proposal.table_id,
            keys=terms.keys,
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
    """Those being opened: of keys and coins, of the coins for a checked card, of answers."""
    committed_at: tuple[int, bytes] = (0, b"")
    """The step and head of the entries that made them."""
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
    """The step that entitles the readers of this moment: the last shuffle, the call or the coins that chose
    the card, the pick-up or draw.
    """
    taker: Seat | None = None
    """Who picked up or drew, until he can read his new hand."""
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
            committed_at=(0, terms.first_head),
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
        if self.phase in _ANSWERS_OWED:
            kind, choice = _ANSWERS_OWED[self.phase]
            owed = [Owed(one.seat, (kind,), one.duty, (), choice) for one in self.game.owed]
        else:
            owed = [
                Owed(one.seat, _KINDS_OF_DUTY[one.duty], one.duty, one.slots, self._decides(one.duty))
                for one in self.game.owed
            ]
        return tuple(sorted(owed, key=lambda one: one.seat))

    def _decides(self, duty: Duty) -> bool:
        """Whether a duty leaves something to choose. Which sets are forced is no choice."""
        assert self.game is not None
        return duty in CHOICES and not (duty is Duty.DISCARD_SETS and self.game.ruleset.sets == "forced")

    def owed_by(self, seat: Seat) -> Owed | None:
        """What one seat owes at this step, or None."""
        return next((owed for owed in self.owed if owed.seat == seat), None)

    def context(self, seat: Seat) -> Context:
        """The context of every proof and commitment in an entry of `seat` at this step."""
        return self._context(seat, self.step, self.head)

    def commitment_context(self, seat: Seat) -> Context:
        """The context of the commitment of `seat` that is opened at this step: that of the entry that made
        it.
        """
        return self._context(seat, *self.committed_at)

    def _context(self, seat: Seat, step: int, head: bytes) -> Context:
        frame = self.frame
        return Context(
            group=frame.group.name,
            table=frame.table_id,
            deal=frame.terms.deal,
            step=step,
            seat=seat,
            previous=head,
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
