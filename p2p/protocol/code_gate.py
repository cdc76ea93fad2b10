"""The code of a private table at work: whoever opened it lets nobody in who has not shown that he knows it,
and whoever asks believes nobody who has not shown it either.

Each exchange (`crypto.password`) is bound to the two keys, to this very link, and to the offer: who stands in
the middle, or plays an old exchange again, has another link or another key, and nothing fits.

    asking (`CodeAsk`)                     opened (`CodeGate`)
      | -- CodeShare --------------------> |   refused while too many guesses were made in the last minute;
      | <------------------- CodeAnswer -- |   else one guess is spent, and the opener shows the code first
      | -- CodeProof, Join --------------> |   the guess is given back, and the key is let in

Both elements are worked out beside the loop. There is one exchange at a time for each link; what is said
again is answered again and costs nothing. Once let in, a key needs no code again while the table gathers.
"""

import hmac
from collections.abc import Callable
from dataclasses import dataclass, field

from crypto import (
    SEED_BYTES,
    Confirmations,
    answer_password,
    ask_password,
    finish_password,
    fresh_stream,
    tagged_hash,
)
from p2p.protocol.effects import Job
from p2p.protocol.guesses import Guesses
from p2p.protocol.messages import CodeAnswer, CodeProof, CodeShare
from p2p.protocol.peer_core import Channel, Core
from p2p.protocol.peer_effects import Run
from p2p.protocol.table_code import TableCode

ANSWERS_AT_ONCE = 8
"""Answers that are being worked out: 60 ms of work. More is not begun, and asked for again."""
ADMITTED_LIMIT = 128
"""Keys remembered as let in, twice as many as there can be links: beyond it, those without a link go."""


def exchange_names(asking: bytes, answering: bytes, offer_id: bytes, channel: Channel) -> tuple[bytes, bytes]:
    """Who takes part in an exchange, 32 bytes for each role, for `ask_password` and its answer.

    asking, answering: identity keys. channel: the link between them.
    """
    parts = (asking, answering, offer_id, channel.binding)
    return tagged_hash(b"code asking", parts), tagged_hash(b"code answering", parts)


@dataclass(slots=True)
class _Exchange:
    """Somebody on the way in. confirmations: once the answer is worked out."""

    channel: Channel
    share: bytes
    left: int
    answer: CodeAnswer | None = None
    confirmations: Confirmations | None = field(default=None, repr=False)


class CodeGate:
    """Who may sit down at a private table that this peer opened."""

    def __init__(self, core: Core, offer_id: bytes, code: TableCode) -> None:
        self.code = code
        self.admitted: set[bytes] = set()
        """The keys that have shown that they know the code."""
        self._core = core
        self._offer_id = offer_id
        self._guesses = Guesses()
        self._exchanges: dict[bytes, _Exchange] = {}
        self._jobs: dict[int, bytes] = {}

    def share_came(self, key: bytes, share: bytes, now: float) -> bool:
        """`key` begins an exchange. False: there were too many guesses."""
        channel, going = self._core.links.get(key), self._exchanges.get(key)
        if channel is None:
            return True
        if going is not None and (going.channel, going.share) == (channel, share):
            if going.answer is not None:
                self._core.send(key, going.answer)
            return True
        if key in self._jobs.values() or len(self._jobs) >= ANSWERS_AT_ONCE:
            return True  # one after the other; an honest program says it again
        if not self._guesses.left(channel.host, now):
            return False
        self._guesses.spend(channel.host, now)
        self._exchanges[key] = _Exchange(channel, share, self._guesses.left(channel.host, now))
        seed = fresh_stream(self._core.draw, b"code answer")(SEED_BYTES)
        names = exchange_names(key, self._core.key, self._offer_id, channel)
        job = Job(self._core.new_job(), answer_password, (self.code.password, *names, seed, share))
        self._jobs[job.id] = key
        self._core.out.add(Run(job))
        return True

    def job_done(self, job: int, outcome: object) -> bool:
        """An answer is worked out. Returns whether this job is one of the gate's."""
        key = self._jobs.pop(job, None)
        if key is None:
            return False
        going = self._exchanges.get(key)
        if going is None or self._core.links.get(key) != going.channel or isinstance(outcome, Exception):
            # The link is another one by now, or what came was no element: the guess stays spent.
            self._exchanges.pop(key, None)
            return True
        assert isinstance(outcome, tuple)
        share, confirmations = outcome
        going.confirmations = confirmations
        going.answer = CodeAnswer(self._offer_id, share, confirmations.answering, going.left)
        self._core.send(key, going.answer)
        return True

    def proof_came(self, key: bytes, confirmation: bytes) -> bool:
        """`key` confirms. Returns whether it knows the code; one confirmation an exchange is listened to."""
        going = self._exchanges.pop(key, None)
        if going is None or going.confirmations is None or self._core.links.get(key) != going.channel:
            return key in self.admitted
        if not hmac.compare_digest(going.confirmations.asking, confirmation):
            return key in self.admitted
        self._guesses.give_back(going.channel.host)
        if len(self.admitted) >= ADMITTED_LIMIT:
            self.admitted &= self._core.links.keys()
        self.admitted.add(key)
        return True

    def link_down(self, key: bytes) -> None:
        """The link to `key` is gone, and what was begun over it."""
        self._exchanges.pop(key, None)


class CodeAsk:
    """A program's way through the gate of somebody else's table, with a code that its person gave.

    It asks with the same element as often as it must, and finishes an exchange once: an impostor who opened a
    table to hear the code gets one guess a link, and no more than `guesses` says.
    """

    def __init__(self, core: Core, opener: bytes, offer_id: bytes, code: TableCode, guesses: Guesses) -> None:
        """guesses: what openers have been given to guess with; shared by all requests of this program."""
        self.code = code
        self.proof: CodeProof | None = None
        """What shows the opener that the code is known; set once the opener has shown it first."""
        self.wrong = False
        """The opener does not know the code that the person gave."""
        self.exhausted = False
        """Openers have had too many guesses at this program's code in the last minute."""
        self.left: int | None = None
        """How many more tries the opener says there are."""
        self._core = core
        self._opener = opener
        self._offer_id = offer_id
        self._guesses = guesses
        self._channel: Channel | None = None
        self._seed = b""
        self._share: CodeShare | None = None
        self._answer: CodeAnswer | None = None
        self._job: int | None = None

    def begin(self) -> None:
        """Start over, on the link that stands now."""
        self._channel = self._core.links.get(self._opener)
        self.proof = self._share = self._answer = self._job = None
        if self._channel is None:
            return
        self._seed = fresh_stream(self._core.draw, b"code ask")(SEED_BYTES)
        self._run(ask_password, *self._named())

    def say(self) -> None:
        """Say again what is to be said now."""
        if self.proof is not None:
            self._core.send(self._opener, self.proof)
        elif self._share is not None:
            self._core.send(self._opener, self._share)

    def answer_came(self, answer: CodeAnswer, now: float) -> None:
        """The opener answers; only its first answer to an exchange counts.

        Whether its confirmation is believed tells it whether the code that it knows is the right one, so this
        is the moment at which it guesses.
        """
        if self._share is None or self._answer is not None:
            return
        assert self._channel is not None
        self._answer, self.left = answer, answer.left
        if not self._guesses.left(self._channel.host, now):
            self.exhausted = True
            return
        self._guesses.spend(self._channel.host, now)
        self._run(finish_password, *self._named(), answer.share)

    def job_done(self, job: int, outcome: object) -> bool:
        """Something is worked out. Returns whether this job is the one that was waited for."""
        if job != self._job:
            return False
        self._job = None
        if self._answer is None:
            assert isinstance(outcome, bytes)
            self._share = CodeShare(self._offer_id, outcome)
            self.say()
        elif isinstance(outcome, Confirmations) and hmac.compare_digest(
            outcome.answering, self._answer.confirmation
        ):
            assert self._channel is not None
            self._guesses.give_back(self._channel.host)
            self.proof = CodeProof(self._offer_id, outcome.asking)
        else:
            self.wrong = True
        return True

    def _named(self) -> tuple[bytes, bytes, bytes, bytes]:
        assert self._channel is not None
        names = exchange_names(self._core.key, self._opener, self._offer_id, self._channel)
        return (self.code.password, *names, self._seed)

    def _run(self, function: Callable[..., object], *args: bytes) -> None:
        job = Job(self._core.new_job(), function, args)
        self._job = job.id
        self._core.out.add(Run(job))
