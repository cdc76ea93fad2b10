"""Entries whose previous head is not known yet: held, bounded for each seat, until their ancestors are here.

An unknown previous head is no fault. Either this peer is behind, or there are two stories; fetching the
ancestors shows which.
"""

from dataclasses import dataclass

from engine import Seat
from p2p.protocol.entry import Entry, SignedEntry

HELD_PER_SEAT = 16
"""A seat is rarely ahead by more than a step or two; what is dropped here can be fetched again."""


@dataclass(frozen=True, slots=True)
class Held:
    """One held entry, its signature verified, with the key of the peer from which it came."""

    entry: Entry
    signed: SignedEntry
    source: bytes | None


class HeldEntries:
    """The held entries of one deal, at most `HELD_PER_SEAT` a seat; of too many, the earliest steps stay."""

    def __init__(self) -> None:
        self._by_seat: dict[Seat, dict[int, Held]] = {}

    def __len__(self) -> int:
        return sum(map(len, self._by_seat.values()))

    def takes(self, seat: Seat, step: int) -> bool:
        """Whether an entry of a seat for a step would find a place."""
        steps = self._by_seat.get(seat, {})
        return len(steps) < HELD_PER_SEAT or step < max(steps)

    def add(self, held: Held) -> None:
        """Hold an entry that finds a place."""
        steps = self._by_seat.setdefault(Seat(held.entry.seat), {})
        if len(steps) >= HELD_PER_SEAT:
            del steps[max(steps)]
        steps[held.entry.step] = held

    def at(self, seat: Seat, step: int) -> SignedEntry | None:
        """The held entry of a seat for a step."""
        held = self._by_seat.get(seat, {}).get(step)
        return None if held is None else held.signed

    def release(self, head: bytes) -> list[Held]:
        """Take out the entries that build on `head`, by seat."""
        released = []
        for seat in sorted(self._by_seat):
            steps = self._by_seat[seat]
            for step in [step for step, held in steps.items() if held.entry.previous == head]:
                released.append(steps.pop(step))
        return released

    def up_to(self, step: int) -> list[Held]:
        """Those at `step` or before: if their previous heads are still unknown there, they tell another
        story.
        """
        found = [
            held for steps in self._by_seat.values() for held in steps.values() if held.entry.step <= step
        ]
        return sorted(found, key=lambda held: (held.entry.step, held.entry.seat))

    def clear(self) -> None:
        """Forget all."""
        self._by_seat.clear()
