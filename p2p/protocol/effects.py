"""What a deal asks of its driver, and how a deal can end. All values; the driver carries them out in order.

The order binds: a `Store` is on disk before the `Publish` behind it is sent, so that a crash can never make
a seat sign a second, different entry for a step that it has already spoken at.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from engine import Event, Seat
from p2p.protocol.ballot import Poll, SignedBallot, SignedLeave
from p2p.protocol.entry import SignedEntry
from p2p.protocol.evidence import Evidence


@dataclass(frozen=True, slots=True)
class Store:
    """Write down, in one transaction, what the own entry builds on, then the entry itself.

    `entries`: entries verified since the last `Store`, in an order in which a new `Deal` takes them. `own`:
    the own entry about to be published, if any. `secrets`: the deal's secrets, encoded (see
    `deal_own.py`), whenever they are new. `ballots`, `leaves`: those that are new, the own ones last.
    """

    deal: int
    entries: tuple[SignedEntry, ...]
    own: SignedEntry | None = None
    secrets: bytes | None = field(default=None, repr=False)
    ballots: tuple[SignedBallot, ...] = field(default=(), repr=False)
    leaves: tuple[SignedLeave, ...] = field(default=(), repr=False)
    voted: SignedBallot | None = field(default=None, repr=False)
    """Of the ballots the one that this process has just signed: it must never be told otherwise."""


@dataclass(frozen=True, slots=True)
class Publish:
    """Send the own entry to everybody at the table."""

    signed: SignedEntry


@dataclass(frozen=True, slots=True)
class PublishVote:
    """Send the own ballot, or the own leave, to everybody at the table. `openers`: the ballot of another seat
    that opened the poll, so that whoever hears the answer can answer it, too.
    """

    signed: SignedBallot | SignedLeave
    openers: SignedBallot | None = None


@dataclass(frozen=True, slots=True)
class Fetch:
    """Ask `source` (an identity key; None: anybody) for all its entries of this deal from `step` on."""

    source: bytes | None
    step: int


@dataclass(frozen=True, slots=True)
class Job:
    """Work that takes long: call `function(*args)` anywhere and give its result, or the `CryptoError` that
    it raised, back through `Deal.job_done(id, ...)`. Function and arguments can be pickled; randomness is
    among the arguments already.
    """

    id: int
    function: Callable[..., Any]
    args: tuple[Any, ...] = field(repr=False)


@dataclass(frozen=True, slots=True)
class Run:
    """Do this job."""

    job: Job


@dataclass(frozen=True, slots=True)
class Seated:
    """The coins are open: the clockwise order and the dealer are known."""

    order: tuple[Seat, ...]
    dealer: Seat


@dataclass(frozen=True, slots=True)
class DeckShuffled:
    """A seat's shuffle of the whole deck has been verified."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class Sealed:
    """Every seat has signed that it verified everything so far."""


@dataclass(frozen=True, slots=True)
class Dealt:
    """Every share of the first hands is in: hands can be read by their owners."""


@dataclass(frozen=True, slots=True)
class HandRead:
    """Every share of a hand after a pick-up is in: its owner can read it."""

    seat: Seat


ProtocolEvent = Seated | DeckShuffled | Sealed | Dealt | HandRead


@dataclass(frozen=True, slots=True)
class Happened:
    """A step was completed, and this is what it meant: by the rules, or on the way to them."""

    step: int
    event: Event | ProtocolEvent


@dataclass(frozen=True, slots=True)
class Finished:
    """The deal was played to its end. `final_head` is what the receipts sign. `without`: whose receipts a
    poll has given up.
    """

    step: int
    final_head: bytes
    loser: Seat | None
    winner: Seat | None
    without: tuple[Seat, ...] = ()


@dataclass(frozen=True, slots=True)
class Void:
    """A proven breach or fork ended the deal, and `seat` has lost it. `check` names what failed ("fork":
    two stories).
    """

    step: int
    seat: Seat
    check: str
    evidence: Evidence = field(repr=False)


@dataclass(frozen=True, slots=True)
class Stopped:
    """At `step` the heads were equal and the engines' states were not: a program is wrong, and nobody is
    blamed. `differs_from`: the seat that said so, if it was one; who of the two is wrong is not known.
    """

    step: int
    differs_from: Seat | None = None


@dataclass(frozen=True, slots=True)
class Absent:
    """All others voted at `step` to go no further with `seats`. `losers`: those of them who have lost the
    deal. `left`: those who had said so themselves, by `leaves`. `poll`: what all others answered, by the
    ballots of the `certificate`.
    """

    step: int
    seats: tuple[Seat, ...]
    losers: tuple[Seat, ...]
    left: tuple[Seat, ...]
    poll: Poll
    certificate: tuple[SignedBallot, ...] = field(repr=False)
    leaves: tuple[SignedLeave, ...] = field(repr=False)


Outcome = Finished | Void | Stopped | Absent


@dataclass(frozen=True, slots=True)
class Ended:
    """The deal is over. The driver erases the deal's stored secrets; the deal itself has dropped its own, but
    for what `Books` may open.
    """

    outcome: Outcome


Effect = Store | Publish | PublishVote | Fetch | Run | Happened | Ended
