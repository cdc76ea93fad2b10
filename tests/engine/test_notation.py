"""Moves and states as text: the exact inverse both ways, and nothing else accepted."""

import pytest
from open_table import OpenTable

from engine import (
    Call,
    Card,
    DiscardSets,
    Lay,
    NotationError,
    PickUp,
    Rank,
    Reveal,
    Ruleset,
    Seat,
    Slot,
    move_from_text,
    move_to_text,
    new_deal,
    state_from_text,
    state_to_text,
)

MOVES = {
    "2 lay 4,17 Q 2": Lay(Seat(2), (Slot(4), Slot(17)), Rank.QUEEN, 2),
    "0 lay 4 10 -": Lay(Seat(0), (Slot(4),), Rank.TEN, None),
    "0 lay - A 0": Lay(Seat(0), (), Rank.ACE, 0),
    "1 ne_veryu": Call(Seat(1), False),
    "11 veryu": Call(Seat(11), True),
    "2 reveal 4,17 QS,10D": Reveal(Seat(2), (Slot(4), Slot(17)), (Card.parse("QS"), Card.parse("10D"))),
    "3 pick_up": PickUp(Seat(3)),
    "3 discard_sets - -": DiscardSets(Seat(3), (), ()),
    "3 discard_sets 60,61,63,70 KS,KH,KD,KC": DiscardSets(
        Seat(3),
        (Slot(60), Slot(61), Slot(63), Slot(70)),
        tuple(Card.parse(f"K{suit}") for suit in "SHDC"),
    ),
}

PAGAT_AT_THE_START = """\
rules pagat pack=36
order 2,0,1
dealer 0
phase play
hand 2 2,5,8,11,14,17,20,23,26,29,32,35
hand 0 3,6,9,12,15,18,21,24,27,30,33
hand 1 1,4,7,10,13,16,19,22,25,28,31,34
burned 0
removed -
rank -
live no
turn 1
out -
called -
revealed -
taker -
lead due
first_lead yes
last_lead -
next_slot 36
"""


@pytest.mark.parametrize(("text", "move"), MOVES.items())
def test_every_kind_of_move_has_one_text(text, move):
    assert move_to_text(move) == text
    assert move_from_text(text) == move


@pytest.mark.parametrize(
    "text",
    [
        "",
        "2",
        "2 pass",
        "2 lay 4,17 Q",
        "2 lay 4,17 Q 2 ",
        " 2 lay 4,17 Q 2",
        "2  lay 4,17 Q 2",
        "02 lay 4,17 Q 2",
        "2 lay 4,17, Q 2",
        "2 lay 4,+17 Q 2",
        "2 lay 4,٣ Q 2",
        "-1 lay 4 Q 1",
        "2 lay 4 q 1",
        "2 lay 4 Q 01",
        "2 Lay 4 Q 1",
        "2 ne_veryu\n",
        "2 ne veryu",
        "2 reveal 4 QX",
        "2 lay 99999999999999999999 Q 1",
        "2 pick_up 4",
        "2 discard_sets -",
    ],
)
def test_another_spelling_of_a_move_is_refused(text):
    with pytest.raises(NotationError):
        move_from_text(text)


def test_a_state_reads_like_this():
    state = new_deal(Ruleset.preset("pagat"), (Seat(2), Seat(0), Seat(1)), Seat(0))
    assert state_to_text(state) == PAGAT_AT_THE_START
    assert state_from_text(PAGAT_AT_THE_START) == state


def moments():
    """States that use every field."""
    table = OpenTable({"A": "KH KD 3D", "B": "KC 9C", "C": "9S 9H", "D": "3S"}, pack=52)
    table.follow("K", ("D", "KS 2C"))
    yield table.state
    yield table.lay("A", "KH KD", "K")
    yield table.call("B", settle=False)
    packet = table.state.table[-1]
    yield table.do(Reveal(Seat(0), packet.slots, tuple(table.faces[s] for s in packet.slots)))
    yield table.do(PickUp(Seat(1)))
    yield table.sets("B", "KC KS KH KD")
    last = OpenTable({"A": "KH", "B": "6S", "C": "7S"}, form="dictionary", lead_max=3)
    yield last.lay("A", "KH", "K")
    yield last.call("B", believe=True)
    yield last.lay("B", "6S", "K")
    yield last.call("C")


@pytest.mark.parametrize("number", range(10))
def test_every_moment_of_a_deal_reads_back(number):
    state = list(moments())[number]
    text = state_to_text(state)
    assert state_from_text(text) == state
    assert state_to_text(state_from_text(text)) == text


@pytest.mark.parametrize("line", range(len(PAGAT_AT_THE_START.splitlines())))
def test_a_state_with_a_line_missing_or_doubled_is_refused(line):
    lines = PAGAT_AT_THE_START.splitlines(keepends=True)
    for changed in (lines[:line] + lines[line + 1 :], lines[: line + 1] + lines[line:]):
        with pytest.raises(NotationError):
            state_from_text("".join(changed))


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("rules pagat pack=36", "rules pagat"),
        ("rules pagat pack=36", "rules pagat pack=036"),
        ("rules pagat pack=36", "rules pagat pack=36 burn=1"),
        ("rules pagat pack=36", "rules club pack=36"),
        ("rules pagat pack=36", "rules pagat jokers=2"),
        ("phase play", "phase dance"),
        ("lead due", "lead x"),
        ("live no", "live maybe"),
        ("hand 0 ", "hand 1 "),
        ("called -", "called 1 pick_up"),
        ("revealed -", "revealed 0 1 Q 1 QS"),
        ("revealed -", "revealed 0 1 Q 1 QS 1 ne_veryu perhaps"),
        ("last_lead -", "last_lead Q"),
        ("removed -", "removed 5"),
        ("next_slot 36\n", "next_slot 36"),
        ("next_slot 36\n", "next_slot 36\n\n"),
        ("\n", "\r\n"),
    ],
)
def test_another_spelling_of_a_state_is_refused(old, new):
    with pytest.raises(NotationError):
        state_from_text(PAGAT_AT_THE_START.replace(old, new))
