"""Tables in memory whose first deal is finished, with the receipts of all."""

from functools import cache

from absence_table import deal_of
from deal_players import seeded_draw
from memory_table import MemoryNetwork

from engine import Ruleset
from p2p.protocol.books import Books
from p2p.protocol.peer import Peer
from p2p.protocol.replay import Replay, read_replay
from p2p.protocol.resumed import ResumedDeal
from p2p.protocol.snapshot import Phase
from p2p.protocol.transcript import write_transcript

SHORT = Ruleset.preset("pagat").with_(pack=24, end="first_out")


def finished(players: int, seed: int = 1, ruleset: Ruleset = SHORT) -> MemoryNetwork:
    """A table whose first deal has ended."""
    network = MemoryNetwork(players, seed)
    network.seat_bots("honest")
    assert network.gather(ruleset=ruleset)
    assert network.run(lambda: network.all_in(Phase.OVER), seconds=120)
    assert network.run(lambda: all(deal_of(player).books is not None for player in network.players))
    return network


def books(network: MemoryNetwork, index: int) -> Books:
    """The books of that deal, as one player knows them."""
    found = deal_of(network.players[index]).books
    assert found is not None, "the deal is settled"
    return found


def wish(network: MemoryNetwork, index: int) -> None:
    """One player wants them to be opened."""
    network.do(index, Peer.open_books)


def open_all(network: MemoryNetwork) -> None:
    """All players want it, and all keys arrive."""
    everybody = range(len(network.players))
    for index in everybody:
        wish(network, index)
    assert network.run(lambda: all(books(network, one).open for one in everybody))


@cache
def over(*, opened: bool = False) -> MemoryNetwork:
    """A finished deal of three that tests only look at, with open books or without."""
    network = finished(3)
    if opened:
        open_all(network)
    return network


@cache
def twelve() -> Replay:
    """A finished deal of twelve with open books, to be watched again."""
    network = finished(12, ruleset=Ruleset.preset("dictionary").with_(end="first_out", next_dealer="left"))
    open_all(network)
    draw = seeded_draw("replay")
    return read_replay(write_transcript(deal_of(network.players[0])), draw, network._group)


@cache
def transcript(*, opened: bool = False) -> bytes:
    """The transcript of that deal."""
    return write_transcript(deal_of(over(opened=opened).players[0]))


@cache
def kept() -> ResumedDeal:
    """That deal as a player's journal has it."""
    deal = deal_of(over().players[0])
    return ResumedDeal(deal.terms, tuple(deal.record.all_entries()), closed=True)


@cache
def watched(*, opened: bool, own: int | None = None) -> Replay:
    """That deal to be watched again; own: as this player sees it."""
    network, draw = over(opened=opened), seeded_draw("replay")
    if own is None:
        return read_replay(transcript(opened=opened), draw, network._group)
    player = network.players[own]
    view = player.table.view
    assert view is not None
    key = player.peer.key
    return read_replay(transcript(opened=opened), draw, network._group, own_key=key, read=view.faces)
