"""What a move is said to have made happen."""

from open_table import OpenTable

from engine import (
    Call,
    Called,
    Card,
    DealOver,
    DealStarted,
    DiscardSets,
    Laid,
    Lay,
    PacketDiscarded,
    PickedUp,
    PickUp,
    Rank,
    Reveal,
    Revealed,
    RoundStarted,
    Ruleset,
    Seat,
    SetsKept,
    SetsRemoved,
    WentOut,
    deal_events,
    events,
    new_deal,
)

A, B, C = Seat(0), Seat(1), Seat(2)


def tell(table, move):
    before = table.state
    return events(before, move, table.do(move))


def reveal(table):
    packet = table.state.table[-1]
    return Reveal(packet.owner, packet.slots, tuple(table.faces[slot] for slot in packet.slots))


def cards(text):
    return tuple(Card.parse(word) for word in text.split())


def test_a_deal_begins_with_its_order_and_its_leader():
    state = new_deal(Ruleset.preset("pagat"), (C, A, B), A)
    assert deal_events(state) == (DealStarted((C, A, B), A), RoundStarted(B, None))


def test_a_round_is_told_from_the_lay_to_the_next_leader():
    table = OpenTable({"A": "KH KD 3D", "B": "KC 9C", "C": "9S 9H"}, pack=52).follow("K", ("C", "KS 2C"))
    assert tell(table, Lay(A, table.held("A", "KH KD"), Rank.KING, 2)) == (Laid(A, 2, Rank.KING, 2),)
    assert tell(table, Call(B, False)) == (Called(B, A, False),)
    assert tell(table, reveal(table)) == (Revealed(A, B, False, cards("KH KD"), Rank.KING, 2, True),)
    assert tell(table, PickUp(B)) == (PickedUp(B, 4),)
    slots = table.held("B", "KS KH KD KC")
    faces = tuple(table.faces[slot] for slot in slots)
    assert tell(table, DiscardSets(B, slots, faces)) == (SetsRemoved(B, faces), RoundStarted(C, None))


def test_keeping_sets_is_told_and_the_leader_after_it():
    table = OpenTable({"A": "KH", "B": "KC 9C", "C": "9S 9H"}, pack=52).follow("K", ("C", "KS 2C"), turn="B")
    table.call("B")
    assert tell(table, DiscardSets(C, (), ())) == (SetsKept(C), RoundStarted(B, None))


def test_a_pick_up_without_a_question_starts_the_round():
    table = OpenTable({"A": "KH", "B": "9C", "C": "9S"}, pack=52).follow("K", ("C", "2C"), turn="B")
    table.do(Call(B, False))
    table.do(reveal(table))
    assert tell(table, PickUp(C)) == (PickedUp(C, 1), RoundStarted(B, None))


def test_an_exit_is_told_with_its_place():
    table = OpenTable({"A": "KH", "B": "9C 8C", "C": "9S"}, pack=52)
    table.lay("A", "KH", "K")
    move = Lay(B, table.held("B", "9C"), Rank.KING, 1)
    assert tell(table, move) == (Laid(B, 1, Rank.KING, 1), WentOut(A, 1))


def test_the_end_by_a_cover_names_loser_winner_and_places():
    table = OpenTable({"A": "KH", "B": "9C 8C"}, pack=52)
    table.lay("A", "KH", "K")
    move = Lay(B, table.held("B", "9C"), Rank.KING, 1)
    assert tell(table, move) == (Laid(B, 1, Rank.KING, 1), WentOut(A, 1), DealOver(B, A, (A, B)))


def test_the_end_at_a_reveal_tells_who_got_the_pile():
    table = OpenTable({"A": "KH", "B": "9C 8C"}, pack=52)
    table.lay("A", "KH", "K")
    table.do(Call(B, False))
    assert tell(table, reveal(table)) == (
        Revealed(A, B, False, cards("KH"), Rank.KING, 1, True),
        PickedUp(B, 1),
        WentOut(A, 1),
        DealOver(B, A, (A, B)),
    )


def test_a_right_veryu_tells_what_left_the_table():
    for veryu, told in (
        ("pile", (PacketDiscarded(2, True), RoundStarted(A, None))),
        ("packet", (PacketDiscarded(1, False),)),
    ):
        table = OpenTable({"A": "KH", "B": "9C", "C": "9S"}, form="dictionary", veryu=veryu)
        table.follow("K", ("B", "6C"), ("C", "KS"))
        assert tell(table, Call(A, True)) == (Called(A, C, True),)
        shown = Revealed(C, A, True, cards("KS"), Rank.KING, None, True)
        assert tell(table, reveal(table)) == (shown, *told)


def test_the_last_packet_of_a_right_veryu_tells_the_exit_before_the_round():
    table = OpenTable({"A": "KH", "B": "9C 8C", "C": "9S"}, form="dictionary")
    table.lay("A", "KH", "K")
    table.do(Call(B, True))
    names = [type(event).__name__ for event in tell(table, reveal(table))]
    assert names == ["Revealed", "PacketDiscarded", "WentOut", "RoundStarted"]


def test_where_the_first_out_wins_nobody_is_the_loser():
    table = OpenTable(
        {"A": "KH", "B": "9C", "C": "9S"}, form="dictionary", end="first_out", next_dealer="left"
    )
    table.lay("A", "KH", "K")
    told = tell(table, Lay(B, table.held("B", "9C"), Rank.KING, None))
    assert told[-1] == DealOver(None, A, (A, B, C))
