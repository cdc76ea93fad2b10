"""What one seat knows: the public state, and the faces that this seat has read.

Bots and screens get nothing more.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field

from engine.cards import Card
from engine.legality import NO_CHOICES, Choices, choices
from engine.moves import Obligation, Seat, Slot
from engine.state import State


@dataclass(frozen=True, slots=True)
class View:
    """One seat's knowledge. `seat` is None for a watcher; `faces` are the cards read so far, by slot.

    Of the `state` it is given a View keeps only what the seat may know (`State.seen_by`).
    """

    state: State
    seat: Seat | None
    faces: Mapping[Slot, Card] = field(repr=False)

    def __post_init__(self) -> None:
        if self.state.answers or self.state.ruleset.claim_number == "free":
            object.__setattr__(self, "state", self.state.seen_by(self.seat))

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
        """What this seat may do, if it is on turn or answers in an open window; otherwise nothing."""
        return NO_CHOICES if self.seat is None else choices(self.state, self.seat)

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
