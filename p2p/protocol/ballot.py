"""Ballots and leaves: what a seat signs when others are missed, as exact bytes.

A ballot answers one poll at one step of a deal. A *poll* is `(number, opener, missing, silent, cleared)`: the
seats `missing` owe an entry at that step which is not here, the seats `silent` have left the deal or did not
answer an earlier poll, of the seats `cleared` a poll at this step has already brought what was missed.
Together the first two are the seats that the poll is *about*; all others are its voters. Polls at one step
are ordered by number, then by opener. `poll.py` says what a poll does, and why two ballots can contradict
each other.

A leave is `absent` signed by oneself, for every step of the deal and of all later ones at the table. It
cannot be taken back.
"""

from enum import StrEnum
from typing import Annotated, TypeAlias

from msgspec import Meta, Struct, msgpack

from crypto import Identity, InvalidSignature, verify_signature
from engine import Seat
from p2p.protocol.entry import MAX_DEAL, MAX_SEATS, MAX_STEP, SeatNumber, SignedEntry
from p2p.protocol.errors import MalformedMessage
from p2p.protocol.wire import Hash32, Signature64, decode, encode

BALLOT_LABEL = b"ballot"
LEAVE_LABEL = b"leave"

MAX_BALLOT_BYTES = 64 * 1024
"""Twelve seats' shares of the longest deck take 49 KB, the longest single entry 18 KB."""

MAX_POLL = 2**31 - 1
"""The highest number of a poll."""

WHOLE = MAX_SEATS
"""Among what a poll waits for, beside seats: the whole step."""

MAX_LEAVE_BYTES = 64
"""A hash, two small numbers and their framing."""


class Word(StrEnum):
    """What a ballot says; the value is the first field of the encoded answer."""

    ABSENT = "absent"
    HERE = "here"
    SEE = "see"


Seats = Annotated[tuple[SeatNumber, ...], Meta(max_length=MAX_SEATS)]
Brings = Annotated[tuple[Annotated[int, Meta(ge=0, le=WHOLE)], ...], Meta(max_length=MAX_SEATS + 1)]
PollNumber = Annotated[int, Meta(ge=1, le=MAX_POLL)]


class AbsentAnswer(Struct, frozen=True, array_like=True, tag=Word.ABSENT.value, forbid_unknown_fields=True):
    """ "I lack what the missing seats owe, and go no further than this step until a poll brings it." """


class HereAnswer(Struct, frozen=True, array_like=True, tag=Word.HERE.value, forbid_unknown_fields=True):
    """ "Here is what is missed": entries of missing seats; where the poll names none, all of the step."""

    entries: Annotated[tuple[SignedEntry, ...], Meta(min_length=1, max_length=MAX_SEATS)]


class SeeAnswer(Struct, frozen=True, array_like=True, tag=Word.SEE.value, forbid_unknown_fields=True):
    """ "A lower poll at this step is complete": it ended the deal (no `brings`), or brought the entries of
    these seats, or the whole step (12).
    """

    number: PollNumber
    opener: SeatNumber
    brings: Brings


Answer: TypeAlias = AbsentAnswer | HereAnswer | SeeAnswer


class Poll(Struct, frozen=True, array_like=True, forbid_unknown_fields=True):
    """What is asked. All lists are ascending; the first two are disjoint, and the opener is in neither."""

    number: PollNumber
    opener: SeatNumber
    missing: Seats
    silent: Seats
    cleared: Seats

    @property
    def key(self) -> tuple[int, int]:
        """What orders the polls of a step."""
        return (self.number, self.opener)

    @property
    def about(self) -> frozenset[Seat]:
        """The seats that have no vote in it."""
        return frozenset(map(Seat, self.missing)) | frozenset(map(Seat, self.silent))

    @property
    def missed(self) -> frozenset[int]:
        """What it waits for: entries of the missing seats, or where none are missing, `WHOLE`."""
        return frozenset(self.missing or (WHOLE,))

    def check(self) -> None:
        """Check what its types do not say. Raises: MalformedMessage."""
        for seats in (self.missing, self.silent, self.cleared):
            if tuple(sorted(set(seats))) != seats:
                raise MalformedMessage("seats out of order")
        if set(self.missing) & set(self.silent) or self.opener in self.about or not self.about:
            raise MalformedMessage("a poll about its voters")


class Ballot(Struct, frozen=True, array_like=True, forbid_unknown_fields=True):
    """One seat's answer to one poll at `step` of a deal, where that step's head is `previous`."""

    table: Hash32
    deal: Annotated[int, Meta(ge=1, le=MAX_DEAL)]
    step: Annotated[int, Meta(ge=0, le=MAX_STEP)]
    previous: Hash32
    seat: SeatNumber
    poll: Poll
    answer: Answer

    def encode(self) -> bytes:
        """The one encoding of this ballot: the bytes that are signed."""
        return encode(self)


class SignedBallot(Struct, frozen=True, array_like=True, forbid_unknown_fields=True):
    """A ballot's exact bytes with its seat's signature."""

    ballot: Annotated[bytes, Meta(max_length=MAX_BALLOT_BYTES)]
    signature: Signature64

    def open(self) -> Ballot:
        """The ballot itself, its signature *not* yet checked.

        Raises:
            MalformedMessage: if the bytes are not the one encoding of a ballot by a voter of its poll.
        """
        ballot = decode(_BALLOTS, self.ballot, MAX_BALLOT_BYTES)
        ballot.poll.check()
        if ballot.seat in ballot.poll.about:
            raise MalformedMessage("no voter")
        return ballot


class Leave(Struct, frozen=True, array_like=True, forbid_unknown_fields=True):
    """ "I leave this deal and all later ones of the table". `member`: the table seat of who leaves, which is
    the same in every deal.
    """

    table: Hash32
    deal: Annotated[int, Meta(ge=1, le=MAX_DEAL)]
    member: SeatNumber


class SignedLeave(Struct, frozen=True, array_like=True, forbid_unknown_fields=True):
    """A leave's exact bytes with its member's signature."""

    leave: Annotated[bytes, Meta(max_length=MAX_LEAVE_BYTES)]
    signature: Signature64

    def open(self) -> Leave:
        """The leave itself, its signature *not* yet checked. Raises: MalformedMessage."""
        return decode(_LEAVES, self.leave, MAX_LEAVE_BYTES)


_BALLOTS = msgpack.Decoder(Ballot)
_LEAVES = msgpack.Decoder(Leave)


def sign_ballot(identity: Identity, ballot: Ballot) -> SignedBallot:
    """Sign a ballot's exact bytes."""
    data = ballot.encode()
    return SignedBallot(data, identity.sign(BALLOT_LABEL, data))


def sign_leave(identity: Identity, leave: Leave) -> SignedLeave:
    """Sign a leave's exact bytes."""
    data = encode(leave)
    return SignedLeave(data, identity.sign(LEAVE_LABEL, data))


def check_ballot(key: bytes, signed: SignedBallot) -> None:
    """Check the signature of `signed` by the identity key `key`. Raises: MalformedMessage."""
    _check(key, BALLOT_LABEL, signed.ballot, signed.signature)


def check_leave(key: bytes, signed: SignedLeave) -> None:
    """Check the signature of `signed` by the identity key `key`. Raises: MalformedMessage."""
    _check(key, LEAVE_LABEL, signed.leave, signed.signature)


def _check(key: bytes, label: bytes, data: bytes, signature: bytes) -> None:
    try:
        verify_signature(key, label, data, signature)
    except InvalidSignature as error:
        raise MalformedMessage("signature") from error


def brought(poll: Poll, answer: HereAnswer) -> frozenset[int]:
    """What `answer` brings of what `poll` waits for."""
    authors = frozenset(signed.open().seat for signed in answer.entries)
    return authors & poll.missed if poll.missing else poll.missed


def contradict(one: Ballot, other: Ballot) -> bool:
    """Whether two ballots of one seat tell two stories; `poll.py` shows that no honest seat does.

    Both are of one table, deal and step, and well formed. With different heads they are of different polls:
    an honest seat votes in a deal that nobody has begun, and again where another end of the deal before has
    given it other terms.
    """
    if one.previous != other.previous:
        return False
    if one.poll.key == other.poll.key:
        return one != other
    lower, higher = sorted((one, other), key=lambda ballot: ballot.poll.key)
    told: frozenset[int] = frozenset()
    match lower.answer, higher.answer:
        case AbsentAnswer(), AbsentAnswer():
            return not follows(lower.poll, higher.poll)
        case AbsentAnswer(), SeeAnswer(number, opener, brings) if (number, opener) < lower.poll.key:
            # What it saw lies below what it had promised to wait for.
            told = lower.poll.missed.intersection(brings)
        case SeeAnswer(_, _, brings), AbsentAnswer():
            told = higher.poll.missed.intersection(brings)
        case AbsentAnswer(), HereAnswer() as here:
            told = brought(higher.poll, here) & lower.poll.missed
        case HereAnswer() as here, AbsentAnswer():
            told = brought(lower.poll, here) & higher.poll.missed
    return bool(told)


def follows(lower: Poll, higher: Poll) -> bool:
    """Whether a seat that answered `absent` to `lower` may answer `absent` to `higher`."""
    cleared = frozenset(higher.cleared)
    return lower.missed <= cleared or lower.about - cleared <= higher.about
