"""A private table in memory: opened by the first peer, seen by all, and what travels while it gathers."""

from memory_table import MemoryNetwork, Player

from engine import Ruleset
from p2p.protocol.messages import Message, decode
from p2p.protocol.peer import Peer
from p2p.protocol.snapshot import JoinRefused, OfferView, RefusedJoin
from p2p.protocol.table_code import TableCode, own_code

PAGAT = Ruleset.preset("pagat")
CODE = own_code("4821 9037")
WRONG = own_code("4821 9038")


def opened(
    players: int, seats: int, *, code: TableCode | None = CODE, seed: int = 1
) -> tuple[MemoryNetwork, OfferView]:
    """A network in which the first peer has opened a table with a code that all others see."""
    network = MemoryNetwork(players, seed, names=(f"Player {number}" for number in range(players)))
    network.do(0, Peer.open_table, "Kitchen", PAGAT, seats, code=code)
    network.run(lambda: all(player.lobby.offers for player in network.players), seconds=1)
    return network, network.players[0].lobby.offers[0]


def join(network: MemoryNetwork, index: int, offer: OfferView, code: TableCode | None = CODE) -> None:
    """A peer asks for a seat, with a code."""
    network.do(index, Peer.join, offer.opener, offer.offer_id, code=code)


def refusal(network: MemoryNetwork, index: int) -> RefusedJoin | None:
    """Why a peer was last refused."""
    refused = network.players[index].of(JoinRefused)
    return refused[-1].reason if refused else None


def at_table(network: MemoryNetwork, index: int) -> set[int]:
    """Whom a peer sees at its table, by their places in the network."""
    table = network.players[index].peer.table
    keys = {player.peer.key: player.index for player in network.players}
    return set() if table is None else {keys[member.key] for member in table.members}


def overheard(network: MemoryNetwork) -> list[tuple[int, int, Message, bytes]]:
    """Everything that is said from now on: from whom, to whom, what, and its bytes."""
    heard: list[tuple[int, int, Message, bytes]] = []

    def note(sender: Player, receiver: Player, message: bytes) -> bytes:
        heard.append((sender.index, receiver.index, decode(message), message))
        return message

    network.on_message = note
    return heard
