"""What one seat knows: the public state, and the faces that this seat has read.

Bots and screens get nothing more.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field

from engine.cards import Card
from engine.legality import Choices, choices
from engine.moves import Obligation, Seat, Slot
from engine.state import State


@dataclass(frozen=True, slots=True)
class View:
    """One seat's knowledge. `seat` is None for a watcher; `faces` are the cards read so far, by slot."""

    state: State
    seat: Seat | None
    faces: Mapping[Slot, Card] = field(repr=False)

    @property
    def hand(self) -> tuple[tuple[Slot, Card], ...]:
        """The seat's own cards that it has read, by rank, then suit, then slot."""
        if self.seat is None:
            return ()
        faces = self.faces
        held = [(faces[slot], slot) for slot in self.state.hand_of(self.seat) if slot in faces]
        return tuple((slot, card) for card, slot in sorted(held))

    @property
    def owed(self) -> tuple[Obligation, ...]:
        """What this seat owes now."""
        return tuple(owed for owed in self.state.owed if owed.seat == self.seat)

    @property
    def choices(self) -> Choices:
        """What this seat may do, if it is on turn to lay or call; otherwise nothing."""
        if self.state.turn != self.seat:
            return Choices(0, 0, (), False, False)
        return choices(self.state)

    @property
    def sets(self) -> tuple[tuple[Slot, ...], ...]:
        """The complete sets in the seat's hand, by rank, each ascending by slot; equal cards go in suit
        order.
        """
        size = self.state.ruleset.set_cards
        by_rank: dict[int, list[Slot]] = {}
        for slot, card in self.hand:
            by_rank.setdefault(card.rank, []).append(slot)
        return tuple(
            tuple(sorted(slots[start : start + size]))
            for slots in by_rank.values()
            for start in range(0, len(slots) - size + 1, size)
        )
