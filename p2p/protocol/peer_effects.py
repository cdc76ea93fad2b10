"""What a peer asks of whoever drives it. All values; the driver carries them out in the order they come.

The order binds across calls too: nothing is sent before every `Keep` that came ahead of it is on disk. A
driver whose disk is slow queues what follows; it never lets a message overtake.
"""

from dataclasses import dataclass, field

from p2p.protocol.ballot import SignedLeave
from p2p.protocol.deal_tally import PlayerRecord
from p2p.protocol.effects import Job, Outcome, Store
from p2p.protocol.peer_events import PeerEvent


@dataclass(frozen=True, slots=True)
class Send:
    """Send `message` over the link to `key`; if that is down, drop it: what matters is asked for again."""

    key: bytes
    message: bytes = field(repr=False)


@dataclass(frozen=True, slots=True)
class Keep:
    """Carry out the deal's `store` in one transaction.

    `table_id`: 32 bytes. `terms`: the encoded `DealTerms`, with the proposal that all signed.
    """

    table_id: bytes
    terms: bytes = field(repr=False)
    store: Store


@dataclass(frozen=True, slots=True)
class CloseDeal:
    """Record how a deal ended and erase its secrets.

    `title`: the table's, cleaned. `form`: name of the rules; `changes`: options in which they differ from
    it, with their values. `note`: what the deals after it need to know of it. `players`: in the order of
    their seats in the deal.
    """

    table_id: bytes
    deal: int
    title: str
    form: str
    changes: tuple[tuple[str, str | int], ...]
    outcome: Outcome
    note: bytes
    players: tuple[PlayerRecord, ...]


@dataclass(frozen=True, slots=True)
class LeaveTable:
    """Record that the own person has left the table for good, and what he signed to say so."""

    table_id: bytes
    leave: SignedLeave


@dataclass(frozen=True, slots=True)
class Run:
    """Do `job` off the loop and hand its result, or the error it raised, to `Peer.job_done(job.id, ...)`."""

    job: Job


@dataclass(frozen=True, slots=True)
class Emit:
    """Tell the screen or the bot."""

    event: PeerEvent


PeerEffect = Send | Keep | CloseDeal | LeaveTable | Run | Emit
