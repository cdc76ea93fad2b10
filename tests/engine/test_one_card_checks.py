"""`check`: one card, by chance or by the caller's choice, decides for the packet."""

import pytest
from open_table import OpenTable

from engine import (
    Call,
    Card,
    DrawIndex,
    Duty,
    IllegalMove,
    IndexDrawn,
    Phase,
    Refusal,
    Reveal,
    Revealed,
    Seat,
    choices,
    events,
)

HANDS = {"A": "6S 7S", "B": "8S", "C": "9S JS"}


def table_of(check, *packets, **options):
    table = OpenTable(HANDS, form="dictionary", check=check, **options)
    return table.follow("10", *(packets or (("B", "10H JC"),)), turn="C")


def refusal(act):
    with pytest.raises(IllegalMove) as caught:
        act()
    return caught.value.reason


def test_chance_is_asked_first_and_only_its_card_is_opened():
    table = table_of("one_random")
    table.call("C", settle=False)
    (owed,) = table.state.owed
    packet = table.state.table[-1]
    assert (owed.seat, owed.duty, owed.slots) == (2, Duty.DRAW_INDEX, packet.slots)
    assert table.state.index_range == 2
    before, move = table.state, DrawIndex(Seat(2), 1)
    table.do(move)
    assert events(before, move, table.state) == (IndexDrawn(Seat(1), 1),)
    (owed,) = table.state.owed
    assert (owed.seat, owed.duty, owed.slots) == (1, Duty.REVEAL, packet.slots[1:])
    assert refusal(lambda: table.do(Reveal(Seat(1), packet.slots, ()))) is Refusal.WRONG_SLOTS
    before, jack = table.state, (Card.parse("JC"),)
    move = Reveal(Seat(1), owed.slots, jack)
    table.do(move)
    told = events(before, move, table.state)[0]
    assert told == Revealed(Seat(1), Seat(2), False, jack, packet.rank, None, False)
    assert (table.state.revealed.index, table.state.revealed.slots) == (1, owed.slots)


@pytest.mark.parametrize("index", [-1, 2])
def test_chance_has_only_the_places_of_the_packet(index):
    table = table_of("one_random")
    table.call("C", settle=False)
    assert refusal(lambda: table.do(DrawIndex(Seat(2), index))) is Refusal.NO_SUCH_CARD


@pytest.mark.parametrize(("index", "taker"), [(0, "C"), (1, "B")])
def test_the_card_decides_for_the_whole_packet(index, taker):
    table = table_of("one_random")
    table.call("C", settle=False)
    table.settle(index)
    assert "JC" in table.hand(taker)


def test_the_caller_names_a_place_where_he_picks_and_nowhere_else():
    table = table_of("one_by_caller")
    assert choices(table.state).indices == 2
    assert refusal(lambda: table.call("C")) is Refusal.INDEX_MISSING
    assert refusal(lambda: table.call("C", index=2)) is Refusal.NO_SUCH_CARD
    table.call("C", index=1, settle=False)
    assert table.state.phase is Phase.REVEAL
    table.settle()
    assert table.hand("B") == "8S 10H JC"
    for check in ("all", "one_random"):
        table = table_of(check)
        assert choices(table.state).indices == 0
        assert refusal(lambda table=table: table.call("C", index=0)) is Refusal.INDEX_UNASKED


def test_what_was_not_opened_goes_out_unseen():
    for veryu, packets in (("packet", 1), ("pile", 0)):
        table = table_of("one_by_caller", ("A", "AD"), ("B", "10H JC"), veryu=veryu)
        table.call("C", believe=True, index=0)
        assert len(table.state.table) == packets
        faces = [str(card.face) for card in table.state.removed]
        assert faces == (["10H", "None"] if veryu == "packet" else ["None", "10H", "None"])


def test_a_packet_of_hidden_size_is_drawn_from_fairly_without_telling_it():
    options = {"form": "club", "check": "one_random", "number_test": "ignored"}
    for index in range(840):
        table = OpenTable({"A": "KS JH 6H", "B": "QC JD", "C": "6S"}, **options)
        table.lay("A", "KS JH 6H", "K", 1)
        table.call("B", settle=False)
        assert table.state.index_range == 840
        table.do(DrawIndex(Seat(1), index))
        assert table.state.index == index % 3
    assert refusal(lambda: table.do(DrawIndex(Seat(1), 840))) is Refusal.NOT_NOW


def test_a_secretly_empty_packet_has_no_card_to_draw_and_is_false():
    options = {"form": "club", "number_test": "ignored"}
    table = OpenTable({"A": "KS", "B": "QC"}, check="one_random", **options)
    table.lay("A", "", "K", 1)
    table.call("B")
    assert table.state.revealed.truthful is False
    table = OpenTable({"A": "KS", "B": "QC"}, check="one_by_caller", **options)
    table.lay("A", "", "K", 1)
    assert refusal(lambda: table.do(Call(Seat(1), False, 4))) is Refusal.NO_SUCH_CARD
    table.call("B", index=3)
    assert table.turn == "B"
