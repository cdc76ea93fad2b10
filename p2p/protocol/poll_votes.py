"""What a seat signs in the polls of one step: the answers to others' polls, and polls of its own.

It signs nothing that contradicts what it has signed before (`poll.py`), and no `absent` unless those that the
poll is about are missed here, too. Who has not answered for a while is taken for silent, which makes the next
poll be about him as well.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from engine import Seat
from p2p.protocol.ballot import MAX_POLL, WHOLE, AbsentAnswer, Poll, SeeAnswer, follows
from p2p.protocol.poll import Key, PollBook, of_opener
from p2p.protocol.poll_bounds import POLLS_PER_OPENER

LEAP = 64
"""A seat that missed some polls still answers the next; far more than honest seats open while one is away."""

OPEN_AGAIN_S = 1.0
"""Between the first two polls that one seat opens at a step: time for the others to answer, or to be heard
of. Before each further one it is twice as long, so that nobody can make another use up his polls."""

ASK_AGAIN_S = 3.0
"""When a voter has gone on to a higher poll: so long the own seat looks whether it can answer that one."""


@dataclass(frozen=True, slots=True)
class Suspicion:
    """Whom a seat would vote absent at a step, and how.

    `excused`: whose entries are lacking, so that it would vote them absent now. `may_open`: whether it may
    open a poll. `patience`: seconds that each seat has to answer one; empty where nobody is missed or polled
    about. `late`: from when on everybody misses a seat; the patience of those that can be reached (`near`)
    begins no sooner. `agrees`: whom beside the excused it votes absent if others ask.
    """

    excused: frozenset[Seat]
    may_open: bool
    patience: Mapping[Seat, float]
    late: Mapping[Seat, float] = field(default_factory=dict)
    near: frozenset[Seat] = frozenset()
    agrees: frozenset[Seat] = frozenset()

    def without(self, have: frozenset[Seat], *, may_open: bool) -> "Suspicion":
        """The same, of nobody whose entry for the step is here after all."""
        excused, agrees = self.excused - have, self.agrees - have
        return replace(self, excused=excused, agrees=agrees, may_open=self.may_open and may_open)


@dataclass(frozen=True, slots=True)
class Facts:
    """What a seat knows of the step beside its polls.

    `have`: whose entries for the step are here. `beyond`: this peer has gone further than the step.
    `suspicion`: of those whose entries are not.
    """

    have: frozenset[Seat]
    beyond: bool
    suspicion: Suspicion


@dataclass(frozen=True, slots=True)
class SignAbsent:
    """To be signed: `absent` to `poll`."""

    poll: Poll


@dataclass(frozen=True, slots=True)
class SignHere:
    """To be signed: `here` to `poll`, with the entries of `seats`."""

    poll: Poll
    seats: frozenset[Seat]


@dataclass(frozen=True, slots=True)
class SignSee:
    """To be signed: `see` of the lower poll `seen`, to `poll`."""

    poll: Poll
    seen: Poll
    brings: frozenset[int]


ToSign = SignAbsent | SignHere | SignSee


class StepPolls(PollBook):
    """The polls of one step, with what the own seat, if this peer has one, is to sign in them."""

    # What to answer

    def consider(self, facts: Facts, now: float) -> ToSign | None:
        """What the own seat is to sign next, if anything."""
        if self.own is None:
            return None
        self._answered_at = {key: min(at, now) for key, at in self._answered_at.items()}
        self._opened_at = min(self._opened_at, now)
        for poll in self._asked():
            answer = self._answer(poll, facts, now)
            if answer is not None:
                return answer
        return self._open(facts, now) if facts.suspicion.may_open and not facts.beyond else None

    def _asked(self) -> list[Poll]:
        """The polls that the own seat may still answer, the highest first.

        A number far above all that was answered is nobody's honest one, and would use the numbers up. So
        would more polls of one seat than an honest one opens.
        """
        highest = max(self._own, default=(0, 0))
        return [
            poll
            for key, poll in sorted(self._polls().items(), reverse=True)
            if highest < key
            and key[0] <= self._level + LEAP
            and self.own not in poll.about
            and of_opener(poll.opener, self._own) < POLLS_PER_OPENER
        ]

    def _answer(self, poll: Poll, facts: Facts, now: float) -> ToSign | None:
        if self._ended_at >= poll.key:
            return None
        seen = self._seen(poll)
        if seen is not None:
            return seen
        promised = frozenset(seat for one in self._absents().values() for seat in one.missed)
        if poll.missing:
            known = facts.have & poll.missed - promised
            if known:
                return SignHere(poll, known)
        elif facts.beyond and not poll.missed & promised:
            return SignHere(poll, self.owing)
        follow = all(follows(one, poll) for one in self._absents().values())
        return SignAbsent(poll) if follow and not facts.beyond and self._agrees(poll, facts, now) else None

    def _seen(self, poll: Poll) -> SignSee | None:
        """The lower poll that decides the own answer to `poll`, if one does."""
        ended = [key for key, one in self._verdicts.items() if one.ended is not None and key < poll.key]
        if ended:
            return SignSee(poll, self._verdicts[max(ended)].poll, frozenset())
        for key in sorted(self._verdicts, reverse=True):
            one = self._verdicts[key]
            brings = one.cleared & poll.missed
            if key < poll.key and brings and not self._promised_above(key, brings):
                return SignSee(poll, one.poll, brings)
        return None

    def _agrees(self, poll: Poll, facts: Facts, now: float) -> bool:
        """Whether those that a poll is about are missed here, too."""
        bound = frozenset(seat for one in self._absents().values() if self._binds(one) for seat in one.about)
        silent = self.left | bound | self._silent(facts, now, 0.5)
        return (
            (facts.suspicion.excused | facts.suspicion.agrees | bound).issuperset(poll.missing)
            and silent.issuperset(poll.silent)
            and self._cleared.issuperset(poll.cleared)
        )

    def _open(self, facts: Facts, now: float) -> SignAbsent | SignSee | None:
        """A new poll, where it is needed: none runs, or the last one cannot come to an end."""
        assert self.own is not None
        opened = of_opener(self.own, self._own)
        again_at = self._opened_at + OPEN_AGAIN_S * 2 ** max(opened - 1, 0)
        if self.verdict_ended is not None or now < again_at or opened >= POLLS_PER_OPENER:
            return None
        ended = self._ended_at > (0, 0)
        late = self._silent(facts, now, 1.0, of=SeeAnswer if ended else None)
        rivals = self._rivals(facts, now)
        latest = max(self._own, default=None)
        waiting = latest is not None and latest not in self._verdicts
        if ended:
            # The deal has ended, but this seat waits for a higher poll: it asks who goes by that end.
            lower = self._verdicts[self._ended_at].poll
            asked = waiting and latest is not None and isinstance(self._own[latest][0].answer, SeeAnswer)
            if asked and latest is not None and late <= self._own[latest][0].poll.about:
                return None
            poll = self._poll(frozenset(map(Seat, lower.missing)), late | frozenset(map(Seat, lower.silent)))
            return None if poll is None else SignSee(poll, lower, frozenset())
        stuck = latest is not None and self._passed_by(latest, now)
        if waiting and latest is not None and not (rivals or stuck or late - self._own[latest][0].poll.about):
            return None
        missing, silent = facts.suspicion.excused, self.left | late
        for one in (*rivals, *(one for one in self._absents().values() if self._binds(one))):
            missing |= frozenset(map(Seat, one.missing))
            silent |= frozenset(map(Seat, one.silent))
        poll = self._poll(missing - self._cleared, silent)
        return None if poll is None or not (poll.missing or self.left) else SignAbsent(poll)

    def _passed_by(self, latest: Key, now: float) -> bool:
        """Whether a voter of the own latest poll has answered a higher one instead, so never answers it."""
        poll = self._own[latest][0].poll
        higher = [
            seat
            for seat in self.seats - poll.about - {self.own}
            if latest not in (known := self._by_seat.get(seat, {})) and max(known, default=latest) > latest
        ]
        return bool(higher) and now - self._answered_at[latest] >= ASK_AGAIN_S

    def _poll(self, missing: frozenset[Seat], silent: frozenset[Seat]) -> Poll | None:
        """The next poll of the own seat, if it would count."""
        assert self.own is not None
        number, silent = self._level + 1, silent - missing
        if number > MAX_POLL or self.own in missing | silent or not missing | silent:
            return None
        lists = (tuple(sorted(seats)) for seats in (missing, silent, self._cleared))
        poll = Poll(number, self.own, *lists)
        return poll if self.counts(poll) else None

    def _rivals(self, facts: Facts, now: float) -> list[Poll]:
        """Polls that the own seat would answer `absent` to, were it not for what it has promised."""
        absents = self._absents().values()
        bound = frozenset(seat for one in absents for seat in one.about)
        return [
            poll
            for poll in self._asked()
            if poll.opener not in bound
            and not all(follows(one, poll) for one in absents)
            and self._agrees(poll, facts, now)
        ]

    def _silent(
        self, facts: Facts, now: float, part: float, of: type[SeeAnswer] | None = None
    ) -> frozenset[Seat]:
        """Who has let that part of his patience go by without answering a poll that this seat has answered
        (with an answer of that kind), or a higher one that it has answered.
        """
        silent: set[Seat] = set()
        suspicion = facts.suspicion
        for key, (ballot, _) in self._own.items():
            kept = not isinstance(ballot.answer, AbsentAnswer) or self._binds(ballot.poll)
            if key in self._verdicts or not kept or (of is not None and not isinstance(ballot.answer, of)):
                continue
            asked_at = self._answered_at[key]
            lates = (suspicion.late.get(Seat(seat), asked_at) for seat in ballot.poll.missing)
            late = max(lates, default=asked_at)
            for seat in self.seats - ballot.poll.about - {self.own}:
                since = now - (max(asked_at, late) if seat in suspicion.near else asked_at)
                if not self._answered_from(key, seat) and since >= part * suspicion.patience.get(seat, 0.0):
                    silent.add(seat)
        return frozenset(silent)

    def _answered_from(self, least: Key, seat: Seat) -> bool:
        """Whether a seat has answered, so that it counts, one of the polls from `least` on that the own seat
        has answered.
        """
        return any(
            key >= least
            and key in self._own
            and ballot.poll == self._own[key][0].poll
            and self._heard(ballot.poll, ballot.answer) is not None
            for key, (ballot, _) in self._by_seat.get(seat, {}).items()
        )

    # How it works

    @property
    def _level(self) -> int:
        """The highest number that the own seat has answered, or that is complete."""
        return max((number for number, _ in (*self._own, *self._verdicts)), default=0)

    @property
    def _cleared(self) -> frozenset[int]:
        """The seats whose entries a complete poll has brought, as far as the own promises go."""
        return frozenset(
            seat
            for key, verdict in self._verdicts.items()
            for seat in verdict.cleared
            if seat != WHOLE and not self._promised_above(key, frozenset({seat}))
        )
