"""Entries from elsewhere: last night's, a stranger's, and those that one member forges for another."""

from collections.abc import Iterator

from memory_table import MemoryNetwork, Player

from p2p.protocol.entry import Entry, SealBody, SignedEntry, sign_entry
from p2p.protocol.messages import Entries, JunkReason, decode, encode
from p2p.protocol.peer import Peer
from p2p.protocol.snapshot import Phase

LONG_S = 900.0


def recorded(network: MemoryNetwork) -> list[SignedEntry]:
    """A list that fills with every entry that travels."""
    seen: dict[bytes, SignedEntry] = {}
    entries: list[SignedEntry] = []

    def record(_sender: Player, _receiver: Player, message: bytes) -> bytes:
        decoded = decode(message)
        if isinstance(decoded, Entries):
            for signed in decoded.entries:
                if signed.entry not in seen:
                    seen[signed.entry] = signed
                    entries.append(signed)
        return message

    network.on_message = record
    return entries


def parts(entries: list[SignedEntry]) -> Iterator[tuple[SignedEntry, ...]]:
    """Entries in bunches that fit a message."""
    for at in range(0, len(entries), 8):
        yield tuple(entries[at : at + 8])


def test_last_nights_entries_are_worth_nothing_at_a_table_of_the_same_name() -> None:
    """The same people, the same name, the same rules; a member plays everything of last night again."""
    network = MemoryNetwork(3, seed=1)
    last_night = recorded(network)
    network.seat_bots("honest")
    assert network.gather(title="Kitchen")
    assert network.run(lambda: network.all_in(Phase.OVER), seconds=LONG_S)
    old_id = network.players[0].table.table_id
    for player in network.players:
        player.bot = None
        network.do(player.index, Peer.leave)
    network.run(seconds=40)
    network.on_message = None
    assert network.gather(title="Kitchen")
    assert network.run(lambda: network.all_in(Phase.PLAYING), seconds=30)
    new_id = network.players[0].table.table_id
    assert old_id is not None
    assert new_id is not None
    assert new_id != old_id
    before = [(p.table.step, p.table.head, p.table.owed) for p in network.players]
    strangers = network.players[0].peer.junk.get(JunkReason.STRANGER, 0)
    for table_id in (old_id, new_id):
        for bunch in parts(last_night):
            network.now += 0.05
            network.inject(1, 0, encode(Entries(table_id, 1, bunch)))
    after = [(p.table.step, p.table.head, p.table.owed) for p in network.players]
    assert [one[:2] for one in after] == [one[:2] for one in before]
    junk = network.players[0].peer.junk
    bunches = len(list(parts(last_night)))
    assert junk[JunkReason.STRANGER] - strangers == bunches
    assert junk[JunkReason.UNFIT] >= bunches
    network.seat_bots("honest")
    for player in network.players:
        network._consult(player)
    assert network.run(lambda: network.all_in(Phase.OVER), seconds=LONG_S)


def test_a_stranger_who_repeats_true_entries_and_signs_false_ones_changes_nothing() -> None:
    """He is linked to everybody and hears everything, but has no seat: even true entries are not taken from
    him.
    """
    network = MemoryNetwork(4, seed=1)
    heard = recorded(network)
    network.seat_bots("honest", range(3))
    assert network.gather(seats=3)
    members, stranger = network.players[:3], network.players[3]
    table_id = members[0].table.table_id
    assert table_id is not None

    def meddle() -> None:
        table = members[0].table
        if table.head is None or all(player.table.phase is Phase.OVER for player in members):
            return
        for seat in range(3):
            entry = Entry(table_id, 1, table.step, seat, table.head, SealBody())
            forged = sign_entry(stranger.identity, entry)
            for player in members:
                network.inject(stranger.index, player.index, encode(Entries(table_id, 1, (forged,))))
                network.inject(stranger.index, player.index, encode(Entries(table_id, 1, tuple(heard[-4:]))))
        network.after(0.2, meddle)

    network.after(0.05, meddle)
    assert network.run(lambda: all(p.table.phase is Phase.OVER for p in members), seconds=LONG_S)
    for player in members:
        assert player.peer.junk[JunkReason.STRANGER] > 10
        assert player.table.result is not None
        assert player.table.result.check is None
    assert stranger.peer.table is None


def test_a_member_who_forges_every_entry_of_another_before_it_arrives_changes_nothing() -> None:
    """Neither the one in whose name it is nor the one who passes it on is named: an entry without its
    seat's signature is noise, and a relay may have been handed it.
    """
    network = MemoryNetwork(3, seed=2)
    forger = network.players[2]
    forged = 0

    def before_it_arrives(sender: Player, receiver: Player, message: bytes) -> bytes:
        nonlocal forged
        decoded = decode(message)
        if isinstance(decoded, Entries) and sender is not forger and receiver is not forger:
            for signed in decoded.entries:
                true = signed.open()
                entry = Entry(true.table, true.deal, true.step, true.seat, true.previous, SealBody())
                for false in (sign_entry(forger.identity, entry), SignedEntry(signed.entry, bytes(64))):
                    bunch = encode(Entries(true.table, true.deal, (false,)))
                    network.inject(forger.index, receiver.index, bunch)
                    forged += 1
        return message

    network.on_message = before_it_arrives
    network.seat_bots("honest")
    assert network.gather()
    assert network.run(lambda: network.all_in(Phase.OVER), seconds=LONG_S)
    assert forged > 100
    heads = {player.table.head for player in network.players}
    assert len(heads) == 1
    for player in network.players:
        assert player.table.result is not None
        assert player.table.result.check is None
    for player in network.players[:2]:
        assert player.peer.junk[JunkReason.UNFIT] > 50


def test_a_key_from_outside_takes_nobodys_seat_however_it_is_called() -> None:
    """A newcomer under a member's name asks for the seat again at the table that has begun."""
    network = MemoryNetwork(2, seed=1, names=("Anna", "Boris"))
    network.seat_bots("honest")
    assert network.gather()
    table = network.players[0].table
    keys = [member.key for member in table.members]
    impostor = MemoryNetwork(1, seed=99, names=("Boris",)).players[0]
    network.players.append(impostor)
    impostor.index = 2
    network._by_key[impostor.peer.key] = impostor
    network.link(0, 2)
    network.run(seconds=1)
    network.do(2, Peer.join, network.players[0].peer.key, table.offer_id)
    network.run(seconds=15)
    assert impostor.peer.table is None
    assert [member.key for member in network.players[0].table.members] == keys
