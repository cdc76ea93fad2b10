"""How a node is started."""

from dataclasses import dataclass, field
from pathlib import Path

from p2p.net.paths import data_home
from p2p.net.unfinished import Wanted


@dataclass(frozen=True, slots=True)
class NodeConfig:
    """How to start a node.

    name: shown to others. home: the data folder. profile: by name, or the next free one. port: UDP, 0 for
    any. interface: to use no other. peers: addresses HOST:PORT to dial besides what is discovered. discover:
    announce and listen by mDNS. workers: processes for proofs, 0 for a thread. measure_stalls: note how late
    the loop gets (`Node.largest_stall_s`). unfinished: look in the journals for a table to take up, in that
    of the profile or, if none is named, in those of all free ones (`Node.unfinished`).
    """

    name: str
    home: Path = field(default_factory=data_home)
    profile: str | None = None
    port: int = 0
    interface: str | None = None
    peers: tuple[str, ...] = ()
    discover: bool = True
    workers: int = 1
    measure_stalls: bool = False
    audits: bool = True
    unfinished: Wanted | None = None
