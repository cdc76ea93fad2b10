"""How much of each kind of message one peer may send: a bucket a kind, each with its own size and refill.

An honest program stays far below every figure; what is over is dropped and counted, and nobody is named
for it. Dropping is harmless: whatever matters is said again each second, or fetched.
"""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass

from p2p.protocol.messages import (
    Ballots,
    Books,
    CodeAnswer,
    CodeProof,
    CodeShare,
    Draft,
    Entries,
    Evidence,
    Fetch,
    Formed,
    Join,
    JunkError,
    JunkReason,
    Leaves,
    Message,
    Presence,
    Ready,
    Refuse,
    Roster,
    Sign,
    StartWithout,
    Status,
    Talk,
    Watch,
    Watched,
    Withdraw,
)


@dataclass(frozen=True, slots=True)
class Rate:
    """At most `burst` at once, and `each_second` of them in the long run."""

    burst: float
    each_second: float


RATES: dict[type[Message], Rate] = {
    Presence: Rate(40, 8),  # an honest peer says at most five a second
    Join: Rate(30, 3),
    Refuse: Rate(30, 3),
    Withdraw: Rate(30, 3),
    Roster: Rate(60, 10),
    Ready: Rate(20, 2),
    StartWithout: Rate(10, 1),
    Draft: Rate(20, 2),
    Sign: Rate(20, 2),
    Formed: Rate(10, 1),
    Entries: Rate(400, 100),  # a deal among six programs makes some forty entries a second
    Status: Rate(400, 100),
    Fetch: Rate(200, 40),  # one a step from somebody who misses a link; up to a full message to answer
    Evidence: Rate(10, 1),
    CodeShare: Rate(20, 2),
    CodeAnswer: Rate(20, 2),
    CodeProof: Rate(20, 2),
    Leaves: Rate(20, 3),  # what somebody lacks is told him once a second for each deal in hand
    Ballots: Rate(60, 10),  # a poll takes one of each voter, and some more where several open one at once
    Books: Rate(40, 6),  # of twelve seats, a wish and a key each, and what somebody lacks
    Talk: Rate(8, 0.5),  # a person who types fast says something every few seconds
    Watch: Rate(10, 1),  # said again every two seconds until it is answered
    Watched: Rate(10, 1),
}
"""For each kind of message from one peer."""
OWN_TALK = Rate(4, 0.5)
"""What the own person may say. Others take twice as much at once: a link may hold some of it back for a while
and then bring it in one go."""
WATCHERS_LIMIT = 8
"""Watchers of one table that a member feeds. They cost him less than the eleven others of a full table do,
who can also make him verify something.
"""
WATCHERS_REMEMBERED = 64
"""Whose rates are remembered when they watch no longer, so that to come again is no new start."""
WATCHER_RATES: dict[type[Message], Rate] = {
    Status: Rate(60, 12),  # an honest one says where it stands at each step, ten times a second at most
    Fetch: Rate(8, 1),  # a whole deal is five full answers; while it is played most comes unasked
}
"""For each kind of message from one watcher; nothing else that it says is listened to. Eight watchers that
ask for all they may get 1.6 MB a second out of a member, and only as fast as they take it: what a link is too
slow for is dropped, and nobody is held up.
"""
JUNK_RATE = Rate(200, 20)
"""Messages that cannot be read: beyond this they are not even looked at."""
UNREADABLE = frozenset({JunkReason.OVERSIZED, JunkReason.MALFORMED, JunkReason.RESPELLED})
"""What no honest program sends. All else can be an honest word at the wrong moment, so it mutes nobody."""


class Bucket:
    """What is left of one rate; full at the start."""

    def __init__(self, rate: Rate) -> None:
        self._rate = rate
        self._left = rate.burst
        self._at: float | None = None

    def take(self, now: float) -> bool:
        """Take one, if there is one."""
        self._left, self._at = self._left_at(now), now
        if self._left < 1:
            return False
        self._left -= 1
        return True

    def empty(self, now: float) -> bool:
        """Whether there is none to take."""
        return self._left_at(now) < 1

    def _left_at(self, now: float) -> float:
        since = 0.0 if self._at is None else now - self._at
        return min(self._rate.burst, self._left + since * self._rate.each_second)


class Limits:
    """The buckets of one peer, and what it sent in vain. `rates`: by kind; one that is not among them is not
    to be taken.
    """

    def __init__(self, rates: Mapping[type[Message], Rate] = RATES) -> None:
        self._rates = rates
        self.junk: Counter[JunkReason] = Counter()
        self._buckets: dict[type[Message], Bucket] = {}
        self._junk_bucket = Bucket(JUNK_RATE)

    def take(self, kind: type[Message], now: float) -> None:
        """Let one message of `kind` pass.

        Raises:
            JunkError: FLOOD, if there have been too many.
        """
        if not self._buckets.setdefault(kind, Bucket(self._rates[kind])).take(now):
            raise JunkError(JunkReason.FLOOD)

    def take_junk(self, reason: JunkReason, now: float) -> None:
        """Count one message in vain."""
        self.junk[reason] += 1
        if reason in UNREADABLE and not self._junk_bucket.take(now):
            self.junk[JunkReason.FLOOD] += 1

    def muted(self, now: float) -> bool:
        """Whether so much junk came that nothing more is read for now."""
        return self._junk_bucket.empty(now)
