"""Moves, and what is owed: the two languages in which the engine and the layers above it speak.

A move is something a seat does; it carries the faces that it makes public, if any. An obligation says which
seat owes which kind of move now, and which slots it is about.
"""

from dataclasses import dataclass
from enum import StrEnum
from typing import NewType

from engine.cards import Card, Rank

Seat = NewType("Seat", int)
"""A player at the table, 0 to n-1: his index in the proposal that all signed. Seating does not change it."""

Slot = NewType("Slot", int)
"""A face-down card's handle, 0 and up; never used again within a deal."""


@dataclass(frozen=True, slots=True)
class Lay:
    """`seat` lays `slots` (distinct, ascending) and says `rank`, and `number` where the table claims
    numbers.

    No slots, or a number of 0, is the visible zero. Where numbers are free no slots with another number is
    the secretly empty packet. `out`: announced with it that these were the last cards (`out_call` manual).
    """

    seat: Seat
    slots: tuple[Slot, ...]
    rank: Rank
    number: int | None
    out: bool = False


@dataclass(frozen=True, slots=True)
class Call:
    """`seat` calls the live packet: veryu if `believe`, else ne veryu.

    `index`: the place in the packet, from 0, of the card to check, where the caller picks it.
    """

    seat: Seat
    believe: bool
    index: int | None = None


@dataclass(frozen=True, slots=True)
class Answer:
    """What `seat` says in the window after a lay (open calls): `call`, or None for nothing.

    Answers of different seats may come in any order; once all are in, the nearest call prevails.
    """

    seat: Seat
    call: Call | None


@dataclass(frozen=True, slots=True)
class GoOut:
    """`seat` announces on its turn that its hand is empty, and leaves (`out_call` manual)."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class Draw:
    """`seat` draws from the stock; its whole hand gets new slots, as in a pick-up."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class DrawIndex:
    """Chance has chosen which card of the called packet decides. `seat` is the caller, for whom it is drawn.

    `index`: from 0 to below `State.index_range`, equally likely; all seats draw it together.
    """

    seat: Seat
    index: int


@dataclass(frozen=True, slots=True)
class Reveal:
    """The owner of the called packet opens it, or its one checked card: `faces` of `slots`, in the order of
    the packet.
    """

    seat: Seat
    slots: tuple[Slot, ...]
    faces: tuple[Card, ...]


@dataclass(frozen=True, slots=True)
class PickUp:
    """The taker takes the pile; his whole hand gets new slots, so that nobody can follow a card into it."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class DiscardSets:
    """The taker shows complete sets of his hand and removes them; no slots means that he declines."""

    seat: Seat
    slots: tuple[Slot, ...]
    faces: tuple[Card, ...]


Move = Lay | Call | Answer | GoOut | Draw | DrawIndex | Reveal | PickUp | DiscardSets


class Duty(StrEnum):
    """The kinds of move that can be owed."""

    LAY = "lay"
    LAY_OR_CALL = "lay-or-call"
    GO_OUT = "go-out"
    """Announce an empty hand: there is nothing to call."""
    GO_OUT_OR_CALL = "go-out-or-call"
    ANSWER = "answer"
    """Say in the window after a lay whether one calls it."""
    DRAW = "draw"
    DRAW_INDEX = "draw-index"
    REVEAL = "reveal"
    PICK_UP = "pick-up"
    DISCARD_SETS = "discard-sets"


CHOICES = frozenset({Duty.LAY, Duty.LAY_OR_CALL, Duty.GO_OUT_OR_CALL, Duty.ANSWER, Duty.DISCARD_SETS})
"""The duties that leave something to decide; the others have exactly one answer, or chance has."""


@dataclass(frozen=True, slots=True)
class Obligation:
    """`seat` owes `duty`.

    `slots`: for REVEAL the slots to open; for PICK_UP and DRAW the inputs of the shuffle in their order, hand
    by slot, then pile as laid or the cards drawn, top first; for the others empty.
    """

    seat: Seat
    duty: Duty
    slots: tuple[Slot, ...] = ()
