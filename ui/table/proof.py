"""Who can read which cards at this moment, and since when: from the table and the ledger of its slots."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from engine import Slot
from p2p.protocol.deal_views import CardReading
from p2p.protocol.snapshot import TrustAnswer
from ui.table.situation import Situation
from ui.words import proof
from ui.words.people import listed


@dataclass(frozen=True, slots=True)
class Readable:
    """Some cards that lie together: what they are, who can read them, from which step on; all in words."""

    cards: str
    readers: str
    since: str


def who_reads(situation: Situation, readings: Iterable[CardReading]) -> tuple[Readable, ...]:
    """Return a row for each hand, for what lies on the table and for what nobody holds."""
    state = situation.state
    if state is None:
        return ()
    known = {one.slot: one for one in readings}
    found = []
    for seat in state.order:
        slots = state.hand_of(seat)
        if slots:
            found.append(_row(situation, proof.hand(situation.who(seat), len(slots)), slots, known))
    if state.table:
        *older, newest = state.table
        found.append(_row(situation, proof.packet(situation.who(newest.owner)), newest.slots, known))
        below = tuple(slot for packet in older for slot in packet.slots)
        if below:
            found.append(_row(situation, proof.pile(len(below)), below, known))
    if state.stock:
        found.append(_row(situation, proof.stock(len(state.stock)), state.stock, known))
    if state.burned:
        found.append(_row(situation, proof.burned(), state.burned, known))
    return tuple(found)


def _row(
    situation: Situation, cards: str, slots: tuple[Slot, ...], known: Mapping[Slot, CardReading]
) -> Readable:
    """The readers of some slots. Where all of the cards have been shown, or all players have opened their
    books, they are everybody's.
    """
    if situation.table.trust.answer is TrustAnswer.OPENED:
        return Readable(cards, proof.everybody(), proof.books_opened())
    of_slots = [known[slot].readings for slot in slots if slot in known]
    shown = [next((one for one in of if one.seat is None), None) for of in of_slots]
    opened = [one for one in shown if one is not None]
    read = opened if opened and len(opened) == len(slots) else [one for of in of_slots for one in of]
    if not read:
        return Readable(cards, proof.nobody(), "")
    since = proof.since(min(one.since for one in read), max(one.since for one in read))
    alone = {one.seat for one in read if one.seat is not None}
    if not alone:
        return Readable(cards, proof.everybody(), since)
    names = listed(situation.who(seat).label for seat in sorted(alone))
    return Readable(cards, names if len(alone) == 1 else proof.some(names), since)
