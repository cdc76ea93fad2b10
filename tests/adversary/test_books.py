"""Books that are opened against the rules: nothing is read by it, and nobody honest is named."""

from absence_table import deal_of
from deal_players import seeded_draw
from finished_table import books, finished, open_all, wish
from memory_table import MemoryNetwork

from crypto import Scalar
from p2p.protocol.audit import audit
from p2p.protocol.books import Books, OpenedKey, SignedWish
from p2p.protocol.deal_own import OwnSeat
from p2p.protocol.messages import Books as BooksMessage
from p2p.protocol.messages import encode
from p2p.protocol.snapshot import Phase, TrustAnswer
from p2p.protocol.transcript import read_transcript, seal_of, write_transcript
from p2p.protocol.transcript_lines import spell


def tell(
    network: MemoryNetwork, sender: int, wishes: tuple[SignedWish, ...], keys: tuple[OpenedKey, ...]
) -> None:
    """One member sends this to all others."""
    table = network.players[sender].peer._table
    assert table is not None
    message = encode(BooksMessage(table.table_id, table.deals.current.number, wishes, keys))
    for other in network.players:
        if other.index != sender:
            network.inject(sender, other.index, message)


def junk(network: MemoryNetwork, index: int) -> int:
    return network.players[index].peer.junk.total()


def key_of(found: Books, seat: int) -> OpenedKey:
    """The key of a seat that has not opened it: what a cheat knows of himself."""
    assert found._secret is not None
    return OpenedKey(seat, found._frame.group.encode_scalar(found._secret))


def test_who_agrees_and_keeps_his_key_reads_all_hands_and_his_wish_shows_it() -> None:
    network = finished(3)
    cheat = own_of(network, 1).seat
    books(network, 1)._secret, kept = None, books(network, 1)._secret
    assert kept is not None
    wish(network, 0)
    wish(network, 2)
    tell(network, 1, own_books(network, 1, None, unchecked=True).wishes, ())
    assert network.run(lambda: all(len(books(network, one).opened) == 2 for one in (0, 2)))
    network.run(seconds=10)
    for honest in (0, 2):
        found = books(network, honest)
        assert found.wished == {0, 1, 2}
        assert found.opened == {0, 1, 2} - {cheat}
        assert not found.open
        assert network.players[honest].table.trust.answer is TrustAnswer.NOBODY
        assert network.players[honest].table.phase is Phase.OVER
    report = audit(write_transcript(deal_of(network.players[0])), seeded_draw("audit"), network._group)
    assert report.ok
    assert report.wished - report.opened == {cheat}
    # What nothing can prevent: with the keys of the others and his own he reads alone.
    alone = books(network, 1)
    alone._keys[cheat] = kept
    hands = deal_of(network.players[0])._faces
    faces = alone.faces(deal_of(network.players[1]).public_state.cards)
    assert {slot: faces[slot] for slot in hands} == hands


def own_books(network: MemoryNetwork, index: int, secret: Scalar | None, *, unchecked: bool = False) -> Books:
    """Books in which a cheat has signed his wish, and which he shows as he likes. unchecked: with no key."""
    true = books(network, index)
    forged = Books(true._frame, true._publics, true._head, own_of(network, index), secret)
    if unchecked:
        forged._secret = Scalar(1)
    assert forged.wish()
    return forged


def own_of(network: MemoryNetwork, index: int) -> OwnSeat:
    found = books(network, index)._own
    assert found is not None
    return found


def test_a_false_key_is_no_key_and_names_nobody() -> None:
    network = finished(3)
    honest_key = key_of(books(network, 0), 0)
    books(network, 1)._secret, kept = None, books(network, 1)._secret
    for index in (0, 2):
        wish(network, index)
    forged = own_books(network, 1, kept)
    seat = own_of(network, 1).seat
    before = junk(network, 0)
    tell(network, 1, (*books(network, 0).wishes, *forged.wishes), (OpenedKey(seat, honest_key.secret),))
    network.run(seconds=5)
    assert junk(network, 0) == before + 1
    assert seat not in books(network, 0).opened
    assert not books(network, 0).open
    assert all(network.players[index].table.phase is Phase.OVER for index in range(3))


def test_nobody_wishes_in_anothers_name_or_with_an_old_wish() -> None:
    last_night, tonight = finished(3, seed=1), finished(3, seed=2)
    open_all(last_night)
    before = junk(tonight, 0)
    tell(tonight, 1, books(last_night, 0).wishes, books(last_night, 0).keys)
    assert junk(tonight, 0) == before + 1
    assert not books(tonight, 0).wished
    assert not books(tonight, 2).wished


def test_a_key_that_comes_before_all_have_agreed_opens_nothing() -> None:
    network = finished(3)
    wish(network, 1)
    cheat = books(network, 1)
    before = junk(network, 0)
    tell(network, 1, cheat.wishes, (key_of(cheat, own_of(network, 1).seat),))
    network.run(seconds=5)
    assert junk(network, 0) == before + 1
    for honest in (0, 2):
        assert books(network, honest).wished == {own_of(network, 1).seat}, "his wish is a wish all the same"
        assert not books(network, honest).opened


def test_wishes_and_keys_of_a_transcript_cannot_be_changed_moved_or_doubled() -> None:
    network = finished(2)
    open_all(network)
    deal = deal_of(network.players[0])
    lines = write_transcript(deal).splitlines(keepends=True)
    inner = lines[:-1]
    first = next(at for at, line in enumerate(inner) if b'"wish"' in line)
    wishes, keys = inner[first : first + 2], inner[first + 2 :]
    assert len(keys) == 2
    before = inner[:first]
    fields = read_transcript(b"".join(lines)).end
    assert fields is not None

    def judged(*behind: bytes) -> str | None:
        text = b"".join((*before, *behind))
        told = {**fields, "entries": len(before) + len(behind) - 1}
        sealed = text + spell({**told, "hash": seal_of(text, told)})
        return audit(sealed, seeded_draw("audit"), network._group).check

    assert judged(*wishes, *keys) is None
    assert judged() is None, "closed books are no fault"
    assert judged(*wishes) is None
    assert judged(*wishes, keys[0]) is None
    for broken in (
        (wishes[0], *keys),
        tuple(keys),
        (wishes[1], wishes[0], *keys),
        (*wishes, *wishes, *keys),
        (*wishes, keys[1], keys[0]),
        (*wishes, keys[0], keys[0]),
        (*keys, *wishes),
        (*wishes, keys[0].replace(b'"seat":0', b'"seat":1')),
    ):
        assert judged(*broken) == "books"
    assert judged(wishes[0].replace(b'"seat":0', b'"seat":1'), wishes[1]) == "transcript"
    marked = wishes[0].replace(b"}\n", b',"accused":true}\n')
    assert judged(marked, wishes[1], *keys) == "transcript", "nobody is accused by a wish"
    assert judged(before[1]) == "transcript", "entries stand before them"
