"""What a node tells its screen or bot beside the peer's own events: what this machine and the network do."""

from dataclasses import dataclass

from p2p.errors import LocalReason, NetworkError, P2PError
from p2p.net.discovery import DiscoveryProblem
from p2p.net.store import StoreSetAside
from p2p.protocol.peer_events import PeerEvent


@dataclass(frozen=True, slots=True)
class ProfileTaken:
    """Another process uses the first profile, so this one took the next; `name` is what `--profile` takes."""

    name: str


@dataclass(frozen=True, slots=True)
class StoreTrouble:
    """The disk refuses to take an entry, so nothing is sent until it does. None: it works again."""

    reason: LocalReason | None


@dataclass(frozen=True, slots=True)
class DiscoveryTrouble:
    """Peers may not be found by themselves. None: they are again."""

    problem: DiscoveryProblem | None


@dataclass(frozen=True, slots=True)
class DialFailed:
    """An address that a person typed in leads to nobody (yet); it is tried again."""

    address: str
    error: NetworkError


@dataclass(frozen=True, slots=True)
class OtherVersion:
    """Somebody on this network has another version of the program's protocol."""

    ours: int
    theirs: int


@dataclass(frozen=True, slots=True)
class InternalTrouble:
    """Handling one thing failed in a way that the program did not foresee; the rest goes on. The log names
    the place.
    """

    what: str
    place: str


@dataclass(frozen=True, slots=True)
class NodeFailed:
    """The node can do no more without breaking its promises, and sends nothing from now on."""

    error: P2PError


NodeEvent = (
    PeerEvent
    | ProfileTaken
    | StoreSetAside
    | StoreTrouble
    | DiscoveryTrouble
    | DialFailed
    | OtherVersion
    | InternalTrouble
    | NodeFailed
)
"""Everything that a listener of a node may hear."""
