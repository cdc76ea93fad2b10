"""All legal moves of a state with open cards, found by trying them all, and all positions that they reach.

`python tests/helpers/every_move.py` prints the counts that `tests/engine/reachable.json` keeps; change them
only when the rules are meant to change, and read the difference to the old ones.
"""

import json
from dataclasses import replace
from itertools import chain, combinations
from pathlib import Path

from open_table import OpenTable

from engine import (
    Answer,
    Call,
    DiscardSets,
    Draw,
    DrawIndex,
    Duty,
    GoOut,
    IllegalMove,
    Lay,
    Packet,
    PickUp,
    Rank,
    Removed,
    Reveal,
    Slot,
    apply,
    deck_of,
)

DATA = Path(__file__).parents[1] / "engine" / "reachable.json"


def _some(slots):
    """Every choice of slots, the empty one first."""
    return chain.from_iterable(combinations(slots, size) for size in range(len(slots) + 1))


def _calls(state, seat):
    indices = (None, *range(state.ruleset.copies))
    return [Call(seat, believe, index) for believe in (False, True) for index in indices]


def _tried(state, faces, owed):
    """Moves that might meet an obligation, in a fixed order; too many rather than too few."""
    seat = owed.seat
    hand = state.hand_of(seat)
    match owed.duty:
        case Duty.LAY | Duty.LAY_OR_CALL | Duty.GO_OUT | Duty.GO_OUT_OR_CALL:
            rules = state.ruleset
            numbers = (None, 1) if rules.claim_number == "unstated" else (None, *range(rules.copies + 2))
            yield from (
                Lay(seat, slots, rank, number, out)
                for slots in _some(hand)
                for rank in (Rank.TWO, *rules.ranks)
                for number in numbers
                for out in ((False, True) if rules.manual_out else (False,))
            )
            yield from _calls(state, seat)
            yield GoOut(seat)
        case Duty.ANSWER:
            yield Answer(seat, None)
            yield from (Answer(seat, call) for call in _calls(state, seat))
        case Duty.DRAW_INDEX:
            yield from (DrawIndex(seat, index) for index in range(len(state.table[-1].slots)))
        case Duty.REVEAL:
            yield Reveal(seat, owed.slots, tuple(faces[slot] for slot in owed.slots))
        case Duty.DISCARD_SETS:
            yield from (
                DiscardSets(seat, slots, tuple(faces[slot] for slot in slots)) for slots in _some(hand)
            )
        case Duty.PICK_UP:
            yield PickUp(seat)
        case Duty.DRAW:
            yield Draw(seat)


def every_move(state, faces):
    """Each legal move of the first seat that owes one, with the state after it."""
    for move in _tried(state, faces, state.owed[0]):
        try:
            after = apply(state, move)
        except IllegalMove:
            continue
        yield move, after


def _position(state, faces, numbers):
    """The state with its cards by name, without what cannot matter any more."""

    def named(slots):
        return tuple(sorted(Slot(numbers[faces[slot]]) for slot in slots))

    live = state.live or state.called is not None
    table = [replace(packet, slots=named(packet.slots)) for packet in state.table]
    newest = table[-1:] if live else []
    older = named(slot for packet in state.table[: -1 if live else None] for slot in packet.slots)
    under = [Packet(state.order[0], older, Rank.ACE, None)] if older else []
    keeps_lead = state.ruleset.stall_guard != "none"
    return replace(
        state,
        hands=tuple(named(hand) for hand in state.hands),
        table=(*under, *newest),
        burned=named(state.burned),
        removed=tuple(
            sorted(
                (Removed(Slot(numbers[faces[r.slot]]), r.face) for r in state.removed), key=lambda r: r.slot
            )
        ),
        stock=tuple(Slot(numbers[faces[slot]]) for slot in state.stock),
        revealed=None,
        last_lead=state.last_lead if keeps_lead else None,
        next_slot=1000,
    )


def reachable(state, faces, visit=lambda state, moves: None):
    """How many positions, and how many ended ones, are reachable. `visit` sees each with its legal moves."""
    deck = deck_of(state.ruleset.pack)
    numbers = {card: place for place, card in enumerate(deck)}
    by_number = {Slot(place): card for place, card in enumerate(deck)}
    start = _position(state, faces, numbers)
    found, open_positions, ended = {start}, [start], 0
    while open_positions:
        before = open_positions.pop()
        if before.over:
            ended += 1
            continue
        moves = list(every_move(before, by_number))
        visit(before, [move for move, _ in moves])
        for move, after in moves:
            cards = dict(by_number)
            if isinstance(move, PickUp | Draw):
                old = [by_number[slot] for slot in before.owed[0].slots]
                cards.update(zip(after.hand_of(move.seat), old, strict=True))
            position = _position(after, cards, numbers)
            if position not in found:
                found.add(position)
                open_positions.append(position)
    return len(found), ended


def small_tables():
    """`(name, what the data says, table)` of each small deal."""
    for entry in json.loads(DATA.read_text(encoding="utf-8")):
        options = {"pack": 24, **entry["options"]}
        stock = entry.get("stock", "")
        yield entry, OpenTable(entry["hands"], form=entry["form"], stock=stock, **options)


if __name__ == "__main__":
    import time

    for entry, table in small_tables():
        started = time.perf_counter()
        positions, ended = reachable(table.state, table.faces)
        print(entry["name"], positions, ended, f"{time.perf_counter() - started:.1f} s")
