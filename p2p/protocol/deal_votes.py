"""What a deal does with polls: it holds the polls of its latest steps, goes by their verdicts, and signs the
own seat's ballots and leave.

`StepPolls` (poll.py, poll_votes.py) knows one step and no ledger. Here it meets both: a `here` puts its
entries into the ledger, a promise keeps the ledger from going beyond its step, and a poll that all voters
answered `absent` ends the deal, wherever this peer has got to meanwhile. At the last step there is nothing
left to end: there the same poll gives up the receipts of those it is about.

A seat's misdeed that is proven by its signature weighs more than an absence: a deal that has ended by a poll
turns void by it. A finished one does not, once this seat has voted on its receipts or they are given up.
"""

from abc import abstractmethod
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import replace

from crypto import Draw, Group
from engine import Seat
from p2p.protocol.ballot import (
    AbsentAnswer,
    Answer,
    Ballot,
    HereAnswer,
    Leave,
    SeeAnswer,
    SignedBallot,
    SignedLeave,
    check_ballot,
    check_leave,
    contradict,
    sign_ballot,
    sign_leave,
)
from p2p.protocol.deal_core import DealCore
from p2p.protocol.deal_own import OwnSeat
from p2p.protocol.deal_terms import DealTerms
from p2p.protocol.effects import Absent, Effect, Finished, PublishVote, Stopped, Void
from p2p.protocol.entry import SignedEntry, check_signature
from p2p.protocol.errors import MalformedMessage
from p2p.protocol.hashing import hash_parts
from p2p.protocol.ledger import Phase
from p2p.protocol.poll import NOT_YET, Key
from p2p.protocol.poll_bounds import BALLOT_BYTES_PER_SEAT, BALLOTS_PER_SEAT, POLL_STEPS_KEPT
from p2p.protocol.poll_votes import Facts, SignAbsent, SignHere, StepPolls, Suspicion, ToSign

KEPT_BALLOT_BYTES = BALLOT_BYTES_PER_SEAT // BALLOTS_PER_SEAT
"""Of another seat's ballots that decide nothing the longer ones are not stored: they are told again."""


class DealVotes(DealCore):
    """The polls of one deal; `Deal` says what its arguments are."""

    def __init__(
        self,
        terms: DealTerms,
        own: OwnSeat | None,
        draw: Draw,
        group: Group | None = None,
        secrets: bytes | None = None,
        journal: Iterable[SignedEntry] = (),
        *,
        ballots: Iterable[SignedBallot] = (),
        leaves: Iterable[SignedLeave] = (),
        listening: bool = False,
        ended: bool = False,
    ) -> None:
        super().__init__(terms, own, draw, group, secrets, journal, listening=listening, ended=ended)
        self._polls_at: dict[int, StepPolls] = {}
        self._leaves: dict[Seat, SignedLeave] = {}
        self._written: dict[tuple[int, int], set[Key]] = {}
        """Of which polls the ballots are in the journal, by step and seat."""
        self._to_recall: dict[int, list[SignedBallot]] = {}
        for signed in ballots:
            self._to_recall.setdefault(signed.open().step, []).append(signed)
            self._replaying = True
        for leave in leaves:
            with suppress(MalformedMessage):
                self._leaves[self._leaver(leave)] = leave

    # What comes in

    def take_ballots(self, ballots: Iterable[SignedBallot], now: float) -> tuple[Effect, ...]:
        """Take in ballots from anybody. What is none of this deal is dropped and counted in `noise`; what is
        of a step that is not reached here, or of another story, is dropped: it is told again.
        """
        effects: list[Effect] = []
        told = tuple(ballots)
        self._take_evidence(told, effects)
        for signed in told:
            try:
                self._take_ballot(signed, now, effects)
            except MalformedMessage as error:
                self.noise[error.check] += 1
        self._go_by_polls(effects)
        self._pump(effects)
        return tuple(effects)

    def take_leaves(self, leaves: Iterable[SignedLeave]) -> tuple[Effect, ...]:
        """Take in leaves from anybody; what is none of this deal is dropped and counted in `noise`."""
        effects: list[Effect] = []
        for signed in leaves:
            try:
                seat = self._leaver(signed)
                if seat not in self._leaves:
                    check_leave(self._frame.keys[seat], signed)
                    self._note_leave(signed)
            except MalformedMessage as error:
                self.noise[error.check] += 1
        self._go_by_polls(effects)
        self._pump(effects)
        return tuple(effects)

    def leave(self) -> tuple[Effect, ...]:
        """Leave the deal: sign that, once and for ever. Nothing if there is no own seat, or it has left."""
        own, effects = self._own, list[Effect]()
        if own is None or own.seat in self._leaves:
            return ()
        member = self.terms.players[own.seat]
        signed = sign_leave(own.identity, Leave(self.table_id, self.terms.deal, member))
        self._note_leave(signed)
        self._store(None, effects)
        effects.append(PublishVote(signed))
        return tuple(effects)

    def vote(self, suspicion: Suspicion, now: float) -> tuple[Effect, ...]:
        """Sign whatever the own seat is to sign in polls now."""
        effects: list[Effect] = []
        if suspicion.may_open and (suspicion.excused or self.left):
            self._book(self.step)
        for step in sorted(self._polls_at):
            while self._may_vote:
                book = self._polls_at.get(step)
                wanted = None if book is None else book.consider(self._facts(step, suspicion), now)
                if book is None or wanted is None:
                    break
                self._sign_ballot(step, book, wanted, now, effects)
        return tuple(effects)

    # What can be seen

    @property
    def left(self) -> frozenset[Seat]:
        """Whose leave is known."""
        return frozenset(self._leaves)

    @property
    def leaves(self) -> tuple[SignedLeave, ...]:
        """All leaves, by seat."""
        return tuple(self._leaves[seat] for seat in sorted(self._leaves))

    def leave_of(self, seat: Seat) -> SignedLeave:
        """The leave of a seat that has left."""
        return self._leaves[seat]

    @property
    def ballots(self) -> tuple[SignedBallot, ...]:
        """The ballots of the latest steps that have any, by step and seat."""
        return tuple(signed for step in sorted(self._polls_at) for signed in self._polls_at[step].ballots)

    @property
    def holds_polls(self) -> bool:
        """Whether there is anything to consider that concerns polls."""
        return bool(self._polls_at)

    @property
    def votes_digest(self) -> bytes | None:
        """32 bytes that differ where ballots, leaves, or wishes and keys of the books differ; None if there
        are none.
        """
        ballots, books = self.ballots if self._polls_at else (), self.books
        wished = (books.digest,) if books is not None and books.wished else ()
        if not ballots and not self._leaves and not wished:
            return None
        return hash_parts("votes", *(one.ballot for one in ballots), bytes(sorted(self._leaves)), *wished)

    @property
    def polls(self) -> StepPolls | None:
        """The polls of the current step, if there are any."""
        return self._polls_at.get(self.step)

    # How it works

    @property
    def _may_vote(self) -> bool:
        gone = self._own is None or self._own.seat in self._leaves
        speaks = not (self._silent or self._listening or self._journal or self._replaying)
        return speaks and not gone and not isinstance(self._outcome, Void | Stopped)

    @property
    def _frozen(self) -> bool:
        """Whether the own seat has promised to go no further than the current step."""
        book = self._polls_at.get(self.step)
        return book is not None and book.frozen

    def _check_place(self, table: bytes, deal: int, seat: int) -> None:
        if table != self._frame.table_id or deal != self._frame.terms.deal:
            raise MalformedMessage("another deal")
        if seat >= len(self._frame.keys):
            raise MalformedMessage("no such seat")

    def _book(self, step: int) -> StepPolls | None:
        """The polls of a step that has been reached; None of one that lies too far back."""
        for old in [one for one in self._polls_at if one <= self.step - POLL_STEPS_KEPT]:
            del self._polls_at[old]
        if step in self._polls_at or step <= self.step - POLL_STEPS_KEPT:
            return self._polls_at.get(step)
        state = self._record.state_at(step)
        assert state is not None, "only a step that has been reached has polls"
        owing = frozenset(owed.seat for owed in state.owed)
        own = None if self._own is None else self._own.seat
        book = StepPolls(frozenset(self._frame.seats), owing, own, self.left)
        self._polls_at[step] = book
        return book

    def _recall(self, effects: list[Effect]) -> bool:
        """Take in what the journal holds of the polls of this step; False if that is nothing."""
        stored = self._to_recall.pop(self.step, ())
        for signed in stored:
            try:
                self._take_ballot(signed, NOT_YET, effects, recalled=True)
            except MalformedMessage as error:
                self.noise[error.check] += 1
        self._go_by_polls(effects)
        return bool(stored)

    def _take_ballot(
        self, signed: SignedBallot, now: float, effects: list[Effect], *, recalled: bool = False
    ) -> None:
        ballot = signed.open()
        self._check_place(ballot.table, ballot.deal, ballot.seat)
        state = self._record.state_at(ballot.step)
        book = None if state is None or state.head != ballot.previous else self._book(ballot.step)
        if book is None or book.knows(ballot) or not (recalled or book.wants(ballot)):
            return
        self._check_signed(ballot, signed)
        if self._own is not None and ballot.seat == self._own.seat and not recalled:
            # The own key has voted elsewhere, or its journal is lost: from here on only listen.
            self._silent = True
        # What the journal holds is bounded, and what decides something may come out of it last.
        against = book.take(ballot, signed, now, drop=not recalled)
        if recalled:
            self._written.setdefault((ballot.step, ballot.seat), set()).add(ballot.poll.key)
        if against is not None:
            self._ballot_fork(Seat(ballot.seat), ballot.step, (against, signed), effects)

    def _take_evidence(self, told: tuple[SignedBallot, ...], effects: list[Effect]) -> None:
        """Two ballots that come alone may be the evidence of a fork: that stands, whatever else is kept."""
        if len(told) != 2:
            return
        with suppress(MalformedMessage):
            ballots = [signed.open() for signed in told]
            for ballot in ballots:
                self._check_place(ballot.table, ballot.deal, ballot.seat)
            one, other = ballots
            reached = self._record.state_at(one.step) is not None
            if (one.seat, one.step) != (other.seat, other.step) or not reached or not contradict(one, other):
                return
            for ballot, signed in zip(ballots, told, strict=True):
                self._check_signed(ballot, signed)
            self._ballot_fork(Seat(one.seat), one.step, (told[0], told[1]), effects)

    def _check_signed(self, ballot: Ballot, signed: SignedBallot) -> None:
        check_ballot(self._frame.keys[ballot.seat], signed)
        if isinstance(ballot.answer, HereAnswer):
            self._check_here(ballot, ballot.answer)

    def _check_here(self, ballot: Ballot, here: HereAnswer) -> None:
        """Check that the entries of a `here` are signed entries of its step; whether they are right shows
        when they are judged.
        """
        for signed in here.entries:
            entry = signed.open()
            self._check_place(entry.table, entry.deal, entry.seat)
            if (entry.step, entry.previous) != (ballot.step, ballot.previous):
                raise MalformedMessage("entries of another step")
            check_signature(self._frame.keys[entry.seat], signed)

    def _fresh_ballots(self, *, take: bool = False) -> tuple[SignedBallot, ...]:
        """The ballots here that are to be stored and are not, the own ones last: of another seat at a step no
        more than are kept, beside those that decide something. `take`: they are being stored.
        """
        own = None if self._own is None else self._own.seat
        fresh: list[tuple[bool, SignedBallot]] = []
        for step, book in sorted(self._polls_at.items()):
            written = {seat: set(self._written.get((step, seat), ())) for seat in self._frame.seats}
            for ballot, signed in book.held:
                keys, key = written[Seat(ballot.seat)], ballot.poll.key
                bound = ballot.seat == own or book.decides(ballot)
                fits = len(keys) < BALLOTS_PER_SEAT and len(signed.ballot) <= KEPT_BALLOT_BYTES
                if key not in keys and (bound or fits):
                    keys.add(key)
                    fresh.append((ballot.seat == own, signed))
            if take:
                self._written.update({(step, seat): keys for seat, keys in written.items() if keys})
        return tuple(signed for _, signed in sorted(fresh, key=lambda one: one[0]))

    def _leaver(self, signed: SignedLeave) -> Seat:
        """The seat in this deal of who has left it. Raises: MalformedMessage if it is no player's leave."""
        leave = signed.open()
        seat = self.terms.seat_of_member(leave.member)
        if leave.table != self.table_id or leave.deal > self.terms.deal or seat is None:
            raise MalformedMessage("another deal")
        return seat

    def _note_leave(self, signed: SignedLeave) -> None:
        self._leaves[self._leaver(signed)] = signed
        self._new_leaves.append(signed)
        for book in self._polls_at.values():
            book.note_left(self.left)

    def _go_by_polls(self, effects: list[Effect]) -> None:
        """Take in what complete polls have brought, and end the deal if one says so."""
        for step, book in list(self._polls_at.items()):
            for signed in book.entries:
                self._arrive(signed, None, effects)
            if book.verdict_ended is not None:
                self._end_by_poll(step, book, effects)

    def _end_by_poll(self, step: int, book: StepPolls, effects: list[Effect]) -> None:
        verdict, state, outcome = book.verdict, self._record.state_at(step), self._outcome
        assert verdict is not None
        assert verdict.ended is not None
        assert state is not None
        about = tuple(sorted(verdict.ended.about))
        if isinstance(outcome, Void | Stopped):
            return
        if state.phase is Phase.OVER:
            # No voter had all receipts, or he would have shown them: who has them is one whose own is given
            # up, or a watcher whom he told. They go by the poll like all others.
            if isinstance(outcome, Finished) and outcome.without != about:
                self._end(replace(outcome, without=about), effects)
            return
        if isinstance(outcome, Absent) and (outcome.step != step or outcome.poll == verdict.ended):
            return
        gone_out = () if state.game is None else state.game.out
        losers = tuple(seat for seat in about if state.seals_complete and seat not in gone_out)
        left = tuple(seat for seat in about if seat in self._leaves)
        leaves = tuple(self._leaves[seat] for seat in left)
        self._end(Absent(step, about, losers, left, verdict.ended, verdict.certificate, leaves), effects)

    def _facts(self, step: int, suspicion: Suspicion) -> Facts:
        if step < self.step:
            nobody = Suspicion(frozenset(), may_open=False, patience=suspicion.patience)
            return Facts(self._polls_at[step].owing, True, nobody)
        have = frozenset(self._record.known_at(step))
        beyond = len(self.receipts) == len(self._frame.keys)
        may_open = not beyond and not isinstance(self._outcome, Absent)
        return Facts(have, beyond, suspicion.without(have, may_open=may_open))

    def _sign_ballot(
        self, step: int, book: StepPolls, wanted: ToSign, now: float, effects: list[Effect]
    ) -> None:
        own, state = self._own, self._record.state_at(step)
        assert own is not None
        assert state is not None
        answer: Answer
        match wanted:
            case SignAbsent():
                answer = AbsentAnswer()
            case SignHere(_, seats):
                known = [self._record.known(step, seat) for seat in sorted(seats)]
                answer = HereAnswer(tuple(one for one in known if one is not None))
            case _:
                seen = wanted.seen
                answer = SeeAnswer(seen.number, seen.opener, tuple(sorted(wanted.brings)))
        ballot = Ballot(self.table_id, self.terms.deal, step, state.head, own.seat, wanted.poll, answer)
        signed = sign_ballot(own.identity, ballot)
        against = book.take(ballot, signed, now)
        assert against is None, "nobody signs a second story"
        self._store(None, effects, signed)
        openers = None if wanted.poll.opener == own.seat else book.openers_ballot(wanted.poll)
        effects.append(PublishVote(signed, openers))
        self._go_by_polls(effects)
        self._pump(effects)

    # What the rest of the deal does

    @abstractmethod
    def _arrive(self, signed: SignedEntry, source: bytes | None, effects: list[Effect]) -> None:
        """Take in one entry, from whoever has it."""

    @abstractmethod
    def _pump(self, effects: list[Effect]) -> None:
        """Go on as far as what is here allows."""
