"""Every slot of a deal: the hidden card in it, the shares published for it, and who can therefore read it.

Slots stay here after their cards have gone elsewhere, since the auditor tells for every card who could read
it and from when.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from types import MappingProxyType

from crypto import Ciphertext, Element, open_ciphertext
from engine import Card, Seat, Slot


@dataclass(frozen=True, slots=True)
class Reading:
    """From the end of step `since` on, `seat` could read a card; None stands for everybody, watchers too."""

    seat: Seat | None
    since: int


@dataclass(frozen=True, slots=True)
class HiddenCard:
    """One slot. `made_at`: the step of the shuffle that put this card here. `face`: once everybody can read
    it.
    """

    ciphertext: Ciphertext
    made_at: int
    shares: Mapping[Seat, Element]
    readings: tuple[Reading, ...] = ()
    face: Card | None = None


@dataclass(frozen=True, slots=True)
class CardTable:
    """All slots so far. Immutable: each method returns a new table."""

    cards: Mapping[Slot, HiddenCard] = field(default_factory=lambda: MappingProxyType({}))

    def place(self, slots: Iterable[Slot], deck: Iterable[Ciphertext], step: int) -> "CardTable":
        """Put the cards of a shuffle made at `step` into new slots, in order; both have the same length."""
        cards = dict(self.cards)
        for slot, ciphertext in zip(slots, deck, strict=True):
            assert slot not in cards, "slots are never reused"
            cards[slot] = HiddenCard(ciphertext, step, MappingProxyType({}))
        return CardTable(MappingProxyType(cards))

    def ciphertexts(self, slots: Iterable[Slot]) -> tuple[Ciphertext, ...]:
        """The hidden cards in `slots`, in their order."""
        return tuple(self.cards[slot].ciphertext for slot in slots)

    def with_shares(
        self, seat: Seat, slots: Iterable[Slot], shares: Iterable[Element], seats: frozenset[Seat], step: int
    ) -> "CardTable":
        """Add one seat's verified shares, published at `step`; `seats` are all seats of the deal."""
        cards = dict(self.cards)
        for slot, share in zip(slots, shares, strict=True):
            card = cards[slot]
            known = {**card.shares, seat: share}
            readings = card.readings
            missing = seats - known.keys()
            if len(missing) <= 1 and seat not in card.shares:
                readings = (*readings, Reading(next(iter(missing), None), step))
            cards[slot] = replace(card, shares=MappingProxyType(known), readings=readings)
        return CardTable(MappingProxyType(cards))

    def with_faces(self, faces: Mapping[Slot, Card]) -> "CardTable":
        """Note the faces of slots that everybody can read."""
        cards = dict(self.cards)
        for slot, face in faces.items():
            cards[slot] = replace(cards[slot], face=face)
        return CardTable(MappingProxyType(cards))

    def opened(self, slot: Slot, more: Iterable[Element] = ()) -> bytes:
        """The encoded element in a slot by its shares and `more`, which together must be those of all
        seats.
        """
        card = self.cards[slot]
        return open_ciphertext(card.ciphertext, (*card.shares.values(), *more)).encode()
