"""How much of each kind of message one peer may send: a bucket a kind, each with its own size and refill.

An honest program stays far below every figure; what is over is dropped and counted, and nobody is named
for it. Dropping is harmless: whatever matters is said again each second, or fetched.

Beside them stands what the polls of one step may take, in memory and in the journal.
"""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass

from p2p.protocol.ballot import MAX_BALLOT_BYTES
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
    Watch: Rate(10, 1),  # said again every two seconds until it is answered
    Watched: Rate(10, 1),
}
"""For each kind of message from one peer."""
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
BALLOTS_PER_SEAT = 32
"""Ballots kept of one seat at one step, beside those that decide something; of more, the highest. A poll is
over after a few; liars fill no memory."""
BALLOT_BYTES_PER_SEAT = 4 * MAX_BALLOT_BYTES
"""What those ballots take together. An answer that brings no entry has 150 bytes."""
POLLS_PER_OPENER = 16
"""Polls of one seat at one step that another answers, and that the own one opens: of each seat no more come
to an end, so a peer has at most 192 ballots of its own at a step, and of every other seat as many that
decide something. An honest seat opens two or three; the sixteenth would come after nine hours
(`poll_votes.OPEN_AGAIN_S`)."""
POLL_STEPS_KEPT = 16
"""The latest steps whose polls are held. While one honest seat waits at a step, the others get no further
than once around the table."""
JUNK_RATE = Rate(200, 20)
"""Messages that cannot be read: beyond this they are not even looked at."""
UNREADABLE = frozenset({JunkReason.OVERSIZED, JunkReason.MALFORMED, JunkReason.RESPELLED})
"""What no honest program sends. All else can be an honest word at the wrong moment, so it mutes nobody."""


@dataclass(slots=True)
class _Bucket:
    left: float
    at: float


class Limits:
    """The buckets of one peer, and what it sent in vain. `rates`: by kind; one that is not among them is not
    to be taken.
    """

    def __init__(self, rates: Mapping[type[Message], Rate] = RATES) -> None:
        self._rates = rates
        self.junk: Counter[JunkReason] = Counter()
        self._buckets: dict[type[Message] | None, _Bucket] = {}

    def take(self, kind: type[Message], now: float) -> None:
        """Let one message of `kind` pass.

        Raises:
            JunkError: FLOOD, if there have been too many.
        """
        self._take(kind, self._rates[kind], now)

    def take_junk(self, reason: JunkReason, now: float) -> None:
        """Count one message in vain."""
        self.junk[reason] += 1
        if reason not in UNREADABLE:
            return
        try:
            self._take(None, JUNK_RATE, now)
        except JunkError:
            self.junk[JunkReason.FLOOD] += 1

    def muted(self, now: float) -> bool:
        """Whether so much junk came that nothing more is read for now."""
        bucket = self._buckets.get(None)
        return bucket is not None and bucket.left + (now - bucket.at) * JUNK_RATE.each_second < 1

    def _take(self, kind: type[Message] | None, rate: Rate, now: float) -> None:
        bucket = self._buckets.setdefault(kind, _Bucket(rate.burst, now))
        bucket.left = min(rate.burst, bucket.left + (now - bucket.at) * rate.each_second)
        bucket.at = now
        if bucket.left < 1:
            raise JunkError(JunkReason.FLOOD)
        bucket.left -= 1
