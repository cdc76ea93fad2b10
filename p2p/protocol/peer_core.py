"""What the parts of one peer share: who it is, whom it is linked to, and where their effects go."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from crypto import Draw, Group, Identity
from p2p.protocol.messages import Message, encode
from p2p.protocol.peer_effects import Emit, PeerEffect, Send
from p2p.protocol.peer_events import LobbyChanged, PeerEvent


class Outbox:
    """Effects in the order in which they came up; `drain` hands them over.

    That the lobby changed is said once a call, behind everything that changed it.
    """

    def __init__(self) -> None:
        self._effects: list[PeerEffect] = []
        self._lobby_changed = False

    def add(self, effect: PeerEffect) -> None:
        """Append one effect."""
        self._effects.append(effect)

    def send(self, key: bytes, message: Message) -> None:
        """Append a message to one peer."""
        self._effects.append(Send(key, encode(message)))

    def emit(self, event: PeerEvent) -> None:
        """Append an event for the screen."""
        self._effects.append(Emit(event))

    def lobby_changed(self) -> None:
        """The lobby's picture differs."""
        self._lobby_changed = True

    def drain(self) -> tuple[PeerEffect, ...]:
        """Everything since the last call."""
        if self._lobby_changed:
            self.emit(LobbyChanged())
        self._lobby_changed = False
        effects = tuple(self._effects)
        self._effects.clear()
        return effects


@dataclass(frozen=True, slots=True)
class Channel:
    """What sets a link apart from every other.

    `host`: the address at its other end. `binding`: 32 bytes that both ends have alike, and no other link
    has, whoever may sit in between.
    """

    host: str
    binding: bytes


@dataclass(slots=True)
class Core:
    """One peer's identity and surroundings.

    `known`: people met before, by key, with their names. `audits`: have every ended deal audited. `links`:
    the keys to whom a link stands, each with its link. `jobs`: how many were given out.
    """

    identity: Identity
    name: str
    draw: Draw = field(repr=False)
    group: Group = field(repr=False)
    known: Mapping[bytes, str]
    audits: bool = True
    links: dict[bytes, Channel] = field(default_factory=dict)
    jobs: int = 0
    out: Outbox = field(default_factory=Outbox)

    @property
    def key(self) -> bytes:
        """The own public identity key."""
        return self.identity.public

    def new_job(self) -> int:
        """The next id of a job: unique in this peer."""
        self.jobs += 1
        return self.jobs

    def send(self, key: bytes, message: Message) -> None:
        """Send to one peer if a link stands; what is lost is asked for again."""
        if key in self.links:
            self.out.send(key, message)
