"""What a node says beside the game, on standard error: for the commands that have no screen to say it on."""

from collections.abc import Iterator
from contextlib import contextmanager

from p2p.net.discovery import DiscoveryProblem
from p2p.net.node import Node
from p2p.net.node_events import DialFailed, DiscoveryTrouble, NodeEvent, OtherVersion
from p2p.protocol.peer_events import PeerBack, PeerLost
from ui.cli.output import note
from ui.words.news import link, sentence


class Notices:
    """Prints each notice once, and remembers whether the network is to blame if nobody is found."""

    def __init__(self, node: Node) -> None:
        self._node = node
        self._said: set[str] = set()
        self.network_trouble = False
        """Another version was met, an address did not answer, or there is no network."""

    def take(self, event: NodeEvent) -> None:
        """Say what an event means, if it needs words."""
        match event:
            case DialFailed() | OtherVersion() | DiscoveryTrouble(DiscoveryProblem.NO_NETWORK):
                self.network_trouble = True
            case PeerLost(key) | PeerBack(key):
                self._link(key, lost=isinstance(event, PeerLost))
                return
            case _:
                pass
        words = sentence(event)
        if words and words not in self._said:
            self._said.add(words)
            note(words)

    def _link(self, key: bytes, *, lost: bool) -> None:
        table = self._node.table
        for member in () if table is None else table.members:
            if member.key == key and not member.left:
                note(link(member.name, lost=lost))


@contextmanager
def notices(node: Node) -> Iterator[Notices]:
    """Say on standard error what a running node has to say, as long as the context lasts."""
    heard = Notices(node)
    stop = node.listen(heard.take)
    try:
        yield heard
    finally:
        stop()
