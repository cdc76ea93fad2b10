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
    """

    seat: Seat
    slots: tuple[Slot, ...]
    rank: Rank
    number: int | None


@dataclass(frozen=True, slots=True)
class Call:
    """`seat` calls the live packet: veryu if `believe`, else ne veryu."""

    seat: Seat
    believe: bool


@dataclass(frozen=True, slots=True)
class Reveal:
    """The owner of the called packet opens it: `faces` of `slots`, in the order of the packet."""

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


Move = Lay | Call | Reveal | PickUp | DiscardSets


class Duty(StrEnum):
    """The kinds of move that can be owed."""

    LAY = "lay"
    LAY_OR_CALL = "lay-or-call"
    REVEAL = "reveal"
    PICK_UP = "pick-up"
    DISCARD_SETS = "discard-sets"


CHOICES = frozenset({Duty.LAY, Duty.LAY_OR_CALL, Duty.DISCARD_SETS})
"""The duties that leave something to decide; the others have exactly one answer."""


@dataclass(frozen=True, slots=True)
class Obligation:
    """`seat` owes `duty`.

    `slots`: for REVEAL the slots to open; for PICK_UP the inputs of the shuffle in their order, hand by
    slot, then pile as laid; for the others empty.
    """

    seat: Seat
    duty: Duty
    slots: tuple[Slot, ...] = ()
