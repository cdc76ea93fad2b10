"""The polls of one step of one deal, as one peer sees them: who has answered what, what follows from it, and
what the own seat may answer next.

Theory of operation. At most of the steps of a deal nobody is missed and none of this exists. When somebody
is, a seat that would vote so opens a poll by answering it. What a ballot binds its voter to:

    absent   I go no further than this step until a poll *not below this one* brings the entries of its
             missing seats (*frozen*), and in no later poll at this step do I vote on those that it is about
             (`follows`), unless they were brought meanwhile
    here     the entries are in the ballot: whoever reads it has them
    see      a lower poll is complete, and not below any that I answered `absent` to: I go by it

A seat answers a poll only if it is higher than all that it has answered, and gives *one* answer to it. A poll
is *complete* once every voter's valid answer is here, and then says one thing to all (`Verdict`):

    any `see` of a poll that ended the deal      the deal has ended as that poll says (the highest of them)
    any `here`, or `see` of a poll that brought  those entries are in; the missing seats they belong to are
                                                 *cleared*; who was missed beside them is polled anew
    all `absent`                                 the deal ends at this step without the seats it is about

A poll counts at all only if its voters are more than half of those who have not left. So of two polls one
honest voter at least has answered both, while no more than one seat lies.

**Why no two seats end differently.** Let p be a poll to which all voters answered `absent`. An honest voter
of p goes by p or a higher poll, since it is frozen, and `see` below p is not open to it. Let q be the lowest
poll above p that brings an entry of a seat missed in p. Some honest seat voted in both; as nothing was
brought between them, `follows` makes q be about everybody that p is about, so all voters of q voted in p, and
answered `absent`. Whoever of them answers q with `here` tells two stories (`contradict`), and a lower poll
that brought the entry is not open to them. So there is no q: what ended the deal is never undone. A higher
poll can end it anew, with more seats; of its voters none had gone by p yet, for it would have answered `see`.
So a seat that had gone by p, or had gone on from this step before anybody voted, is one of those that the
higher poll is about, and gives way to it. The highest complete poll holds.

Blame is for two stories alone: two answers to one poll, or two ballots of which each denies the other. The
deal is void then, and its liar has lost it. That someone was voted absent proves that the others said so.

**Why a poll comes to an end.** A voter who cannot be reached is, after a while, *silent*: the next poll is
about him, too. Two polls at once about different seats are joined by whoever has answered the lower one. Poll
numbers are reached one by one, so nobody can use up the highest; and nobody answers, or opens, more than so
many polls of one seat at a step, so nobody can show each seat another poll for ever. Who has not answered is
silent only once he must miss, too, whom the poll is about. An answer that does not fit is none.

What cannot end: a wait in which no more than half are left to vote; above all at a table of two. Then only a
leave ends it, or the return of somebody.
"""

from collections.abc import Iterable, Mapping, Set
from dataclasses import dataclass, field

from engine import Seat
from p2p.protocol.ballot import (
    AbsentAnswer,
    Answer,
    Ballot,
    HereAnswer,
    Poll,
    SeeAnswer,
    SignedBallot,
    brought,
    contradict,
)
from p2p.protocol.entry import SignedEntry
from p2p.protocol.poll_bounds import BALLOT_BYTES_PER_SEAT, BALLOTS_PER_SEAT, POLLS_PER_OPENER

NOT_YET = float("inf")
"""When a ballot was answered that comes out of a journal: its time begins once its seat votes again."""

Key = tuple[int, int]
"""A poll's number and opener: what orders the polls of a step."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """What a complete poll says. `ended`: the poll whose voters all answered `absent`, this or a lower one.
    `entries`: what it brings otherwise, and `cleared` which of the seats it waits for (or `WHOLE`) that is.
    """

    poll: Poll
    ended: Poll | None
    entries: tuple[SignedEntry, ...] = ()
    cleared: frozenset[int] = frozenset()
    certificate: tuple[SignedBallot, ...] = field(default=(), repr=False)
    """Of a deal that has ended: the ballots of all voters of `ended`, by seat."""


@dataclass(slots=True)
class PollBook:
    """The polls of one step, as far as their ballots are here.

    `seats`: all seats of the deal. `owing`: who owes an entry at the step, given already or not. `own`: the
    seat that votes here, if this peer has one. `left`: whose leave is known; it only grows.
    """

    seats: frozenset[Seat]
    owing: frozenset[Seat]
    own: Seat | None
    left: frozenset[Seat] = frozenset()
    _by_seat: dict[Seat, dict[Key, tuple[Ballot, SignedBallot]]] = field(default_factory=dict)
    _answered_at: dict[Key, float] = field(default_factory=dict)
    _opened_at: float = float("-inf")
    _verdicts: dict[Key, Verdict] = field(default_factory=dict)

    # What comes in

    def take(
        self, ballot: Ballot, signed: SignedBallot, now: float, *, drop: bool = True
    ) -> SignedBallot | None:
        """Take in a ballot of this step, well formed and its signature verified. `drop`: of too many of its
        seat the lowest.

        Returns: an earlier ballot of its seat that it contradicts, or None.
        """
        seat, key = Seat(ballot.seat), ballot.poll.key
        known = self._by_seat.setdefault(seat, {})
        if self.knows(ballot):
            return None
        against = next((other for one, other in known.values() if contradict(one, ballot)), None)
        if key in known:
            return against
        known[key] = (ballot, signed)
        if seat == self.own:
            self._answered_at[key] = now
            if key[1] == seat:
                self._opened_at = now
        self._judge()
        if seat != self.own and drop:
            self._drop(seat)
        return against

    def knows(self, ballot: Ballot) -> bool:
        """Whether this very ballot is here."""
        known = self._by_seat.get(Seat(ballot.seat), {}).get(ballot.poll.key)
        return known is not None and known[0] == ballot

    def wants(self, ballot: Ballot) -> bool:
        """Whether a ballot would be kept, so that it is worth checking: not one below the many of its seat,
        unless it completes a poll, or one of them was told otherwise.
        """
        seat, key = Seat(ballot.seat), ballot.poll.key
        loose = self._loose(seat)
        full = seat != self.own and len(loose) >= BALLOTS_PER_SEAT and key < min(loose)
        if not full or key in self._by_seat[seat]:
            return True
        return self.answered(ballot.poll) >= self.seats - ballot.poll.about - {seat}

    def openers_ballot(self, poll: Poll) -> SignedBallot | None:
        """The ballot by which a poll was opened, if it is here."""
        one = self._by_seat.get(Seat(poll.opener), {}).get(poll.key)
        return one[1] if one is not None and one[0].poll == poll else None

    def decides(self, ballot: Ballot) -> bool:
        """Whether a verdict rests on a ballot."""
        return ballot.poll.key in self._verdicts

    def note_left(self, left: frozenset[Seat]) -> None:
        """Take in whose leaves are known: polls about them need fewer voters."""
        if left != self.left:
            self.left |= left
            self._judge()

    # What can be seen

    @property
    def held(self) -> tuple[tuple[Ballot, SignedBallot], ...]:
        """All ballots here, opened and as signed, by seat and poll."""
        return tuple(
            self._by_seat[seat][key] for seat in sorted(self._by_seat) for key in sorted(self._by_seat[seat])
        )

    @property
    def ballots(self) -> tuple[SignedBallot, ...]:
        """All ballots here, by seat and poll."""
        return tuple(signed for _, signed in self.held)

    def answered(self, poll: Poll) -> frozenset[Seat]:
        """Who has answered a poll."""
        return frozenset(seat for seat, known in self._by_seat.items() if _asks(known, poll))

    @property
    def top(self) -> Poll | None:
        """The highest poll that counts, or None."""
        polls = self._polls()
        return polls[max(polls)] if polls else None

    @property
    def frozen(self) -> bool:
        """Whether the own seat has promised to go no further than this step."""
        return any(self._binds(poll) for poll in self._absents().values())

    @property
    def verdict(self) -> Verdict | None:
        """What this peer goes by: the highest complete poll that is not below its own promises."""
        least = max(self._absents(), default=(0, 0))
        keys = [key for key in self._verdicts if key >= least]
        ended = [key for key in keys if self._verdicts[key].ended is not None]
        return self._verdicts[max(ended or keys)] if keys else None

    @property
    def entries(self) -> tuple[SignedEntry, ...]:
        """What the complete polls have brought."""
        return tuple(entry for verdict in self._verdicts.values() for entry in verdict.entries)

    def settled(self, poll: Poll) -> bool:
        """Whether a poll is complete, or one above it is."""
        return any(key >= poll.key for key in self._verdicts)

    def counts(self, poll: Poll) -> bool:
        """Whether a poll may be held: about seats that owe something or have left, by enough voters."""
        voters = self.seats - poll.about
        left = self.left & poll.about
        return (
            poll.about <= self.seats
            and self.owing.issuperset(poll.missing)
            and bool(poll.missing or left)
            and 2 * len(voters) > len(self.seats) - len(left)
        )

    # How it works

    def _drop(self, seat: Seat) -> None:
        """Keep of the ballots of a seat that decide nothing only so many, the highest."""
        known = self._by_seat[seat]
        size = 0
        for number, key in enumerate(sorted(self._loose(seat), reverse=True)):
            size += len(known[key][1].ballot)
            if number >= BALLOTS_PER_SEAT or size > BALLOT_BYTES_PER_SEAT:
                del known[key]

    def _loose(self, seat: Seat) -> Set[Key]:
        """The polls of which a seat's answers decide nothing here. What others are to be told, so that they
        come to the same, is none of these: whoever shows it to one alone cannot make him forget it.
        """
        return self._by_seat.get(seat, {}).keys() - self._verdicts.keys()

    @property
    def _own(self) -> Mapping[Key, tuple[Ballot, SignedBallot]]:
        """The own ballots."""
        return {} if self.own is None else self._by_seat.get(self.own, {})

    @property
    def _ended_at(self) -> Key:
        """The highest poll that ended the deal; (0, 0) if none has."""
        return max((key for key, one in self._verdicts.items() if one.ended is not None), default=(0, 0))

    @property
    def verdict_ended(self) -> Poll | None:
        """The poll by which the deal has ended for this peer, if it has."""
        return None if self.verdict is None else self.verdict.ended

    def _promised_above(self, key: Key, brings: frozenset[int]) -> bool:
        return any(poll.missed & brings for other, poll in self._absents().items() if other > key)

    def _absents(self) -> dict[Key, Poll]:
        """The polls that the own seat has answered `absent` to."""
        return {key: one.poll for key, (one, _) in self._own.items() if isinstance(one.answer, AbsentAnswer)}

    def _binds(self, poll: Poll) -> bool:
        """Whether what a poll missed has not been brought yet by one that is not below it."""
        brought_since = frozenset(
            seat for key, verdict in self._verdicts.items() if key >= poll.key for seat in verdict.cleared
        )
        return not poll.missed <= brought_since

    def _polls(self) -> dict[Key, Poll]:
        """The polls that count and were opened by their openers."""
        return {
            key: ballot.poll
            for seat, known in self._by_seat.items()
            for key, (ballot, _) in known.items()
            if key[1] == seat and self.counts(ballot.poll)
        }

    def _judge(self) -> None:
        """Find the verdicts of polls that have become complete, the lowest first: of one opener so many as
        an honest seat answers, for of more all voters would be liars.
        """
        for key, poll in sorted(self._polls().items()):
            if key not in self._verdicts and of_opener(key[1], self._verdicts) < POLLS_PER_OPENER:
                verdict = self._verdict_of(poll)
                if verdict is not None:
                    self._verdicts[key] = verdict

    def _verdict_of(self, poll: Poll) -> Verdict | None:
        known = [self._by_seat.get(seat, {}).get(poll.key) for seat in sorted(self.seats - poll.about)]
        answers = [one for one in known if one is not None and one[0].poll == poll]
        if len(answers) < len(known):
            return None
        heard = [self._heard(poll, ballot.answer) for ballot, _ in answers]
        told = [one for one in heard if one is not None]
        if len(told) < len(heard):
            return None
        ends = [one for one in told if one.ended not in {None, poll}]
        if ends:
            highest = max(ends, key=lambda one: one.poll.key)
            return Verdict(poll, highest.ended, certificate=highest.certificate)
        entries = {Seat(entry.open().seat): entry for one in told for entry in one.entries}
        cleared = frozenset(seat for one in told for seat in one.cleared)
        if cleared:
            return Verdict(poll, None, tuple(entries[seat] for seat in sorted(entries)), cleared)
        return Verdict(poll, poll, certificate=tuple(signed for _, signed in answers))

    def _heard(self, poll: Poll, answer: Answer) -> Verdict | None:
        """What one answer says by itself: an end, or what it brings; None if it does not count."""
        if isinstance(answer, HereAnswer):
            seats = [Seat(one.open().seat) for one in answer.entries]
            brings = brought(poll, answer)
            whole = bool(poll.missing) or frozenset(seats) == self.owing
            fits = sorted(set(seats)) == seats and self.owing.issuperset(seats)
            return Verdict(poll, None, answer.entries, brings) if fits and whole and brings else None
        if isinstance(answer, SeeAnswer):
            key = (answer.number, answer.opener)
            seen = self._verdicts.get(key) if key < poll.key else None
            brings = frozenset(answer.brings)
            if seen is None or seen.cleared & poll.missed != brings:
                return None
            if seen.ended is not None:
                return seen
            return Verdict(poll, None, seen.entries, brings) if brings else None
        return Verdict(poll, poll)


def of_opener(opener: int, polls: Iterable[Key]) -> int:
    """How many of these polls a seat has opened."""
    return sum(key[1] == opener for key in polls)


def _asks(known: Mapping[Key, tuple[Ballot, SignedBallot]], poll: Poll) -> bool:
    one = known.get(poll.key)
    return one is not None and one[0].poll == poll
