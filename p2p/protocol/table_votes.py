"""What a table does with ballots and leaves: it passes them on, lets the own seat vote, and shows the poll
that runs.

Whoever votes or leaves tells all members he is linked to. Statuses hold a digest of what each member knows of
a deal's ballots and leaves; where two differ, each tells the other all that he has, so a member needs a link
to one other who knows them.
"""

from collections.abc import Iterable
from contextlib import suppress
from typing import TYPE_CHECKING

from engine import Seat
from p2p.protocol.absence import Absence
from p2p.protocol.ballot import Leave, SignedBallot, SignedLeave, check_leave, sign_leave
from p2p.protocol.deal_run import DealRun
from p2p.protocol.effects import Finished, PublishVote
from p2p.protocol.entry import SignedEntry
from p2p.protocol.errors import MalformedMessage
from p2p.protocol.gossip import Told
from p2p.protocol.messages import BALLOTS_LIMIT, FRAME_BYTES, Ballots, JunkError, JunkReason, Leaves
from p2p.protocol.peer_effects import LeaveTable
from p2p.protocol.peer_events import PlayerLeft, PollOpened, RefusedCommand
from p2p.protocol.snapshot import PollView

if TYPE_CHECKING:
    from p2p.protocol.table import Table

Refused = tuple[RefusedCommand, float]
"""Why something cannot be done, and how many seconds are lacking to it."""

VOTES_AGAIN_S = 1.0
"""How often a member who lacks ballots or leaves is told all that are known."""
_FRAMING_BYTES = 128
"""Of a ballot in a message: its signature and lengths."""


class TableVotes:
    """The polls at one table."""

    def __init__(self, table: "Table") -> None:
        self._table = table
        self.absence = Absence(table.core, table.members, table.rules)
        self._left: dict[int, tuple[Leave, SignedLeave]] = {}
        """By table seat: who has left, from the earliest deal that is known on."""
        self._shown: tuple[int, int] | None = None
        self._since = 0.0

    # What comes in

    def heard(self, run: DealRun, signed: SignedEntry, now: float) -> None:
        """An entry has come: if its author has no link here, it is news of him."""
        entry = signed.open()
        seat = Seat(entry.seat)
        if entry.step == run.deal.step and run.deal.record.known(entry.step, seat) == signed:
            self.absence.heard(run.terms.keys[seat], now)

    def leaves_came(self, message: Leaves, now: float) -> None:
        """Take in leaves. Raises: JunkError, if one is none."""
        for signed in message.leaves:
            try:
                self._take_leave(signed)
            except MalformedMessage as error:
                raise JunkError(JunkReason.UNFIT) from error
        self._spread(now)

    def leave(self, now: float) -> SignedLeave:
        """Leave the table, from the deal that is played or would be next on: sign that, once and for ever."""
        table, deals = self._table, self._table.deals
        run = deals.next if deals.current.ended else deals.current
        if run is not None and run.own is not None:
            effects = run.deal.leave()
            signed = run.deal.leave_of(run.own)
            table.core.out.add(LeaveTable(table.table_id, signed))
            deals.carry_out(run, effects, now)
            return signed
        member = tuple(table.names).index(table.core.key)
        signed = sign_leave(table.core.identity, Leave(table.table_id, deals.current.number + 1, member))
        table.core.out.add(LeaveTable(table.table_id, signed))
        self.send_leaves((signed,))
        return signed

    def restore(self, leaves: Iterable[SignedLeave]) -> None:
        """Take over what a journal holds."""
        for signed in leaves:
            with suppress(MalformedMessage):
                self._take_leave(signed)

    def _take_leave(self, signed: SignedLeave) -> None:
        """Take in one leave. Raises: MalformedMessage, if it is none of a member."""
        table, leave = self._table, signed.open()
        keys = tuple(table.names)
        if leave.table != table.table_id or leave.member >= len(keys):
            raise MalformedMessage("another table")
        key, before = keys[leave.member], self._left.get(leave.member)
        if before is None or before[1] != signed:
            check_leave(key, signed)
        if before is None or leave.deal < before[0].deal:
            self._left[leave.member] = (leave, signed)
        if before is None and key in table.members:
            table.members[key].left = True
            table.core.out.emit(PlayerLeft(leave.member))

    def _spread(self, now: float) -> None:
        """Tell all deals in hand who has left. Whoever has left one has left those after it, too."""
        for run in self._table.deals.runs:
            new = tuple(
                signed
                for member, (leave, signed) in sorted(self._left.items())
                if leave.deal <= run.number
                and (seat := run.terms.seat_of_member(member)) is not None
                and seat not in run.deal.left
            )
            if new:
                self._table.deals.carry_out(run, run.deal.take_leaves(new), now)

    def ballots_came(self, message: Ballots, now: float) -> None:
        """Take in ballots. Raises: JunkError, if they are none."""
        table = self._table
        if table.deals.comes_early(message.deal):
            return  # told again, once that deal stands ready here
        run = table.deals.run_of(message.deal)
        noise = run.deal.noise.total()
        table.deals.carry_out(run, run.deal.take_ballots(message.ballots, now), now)
        if run.deal.noise.total() > noise:
            raise JunkError(JunkReason.UNFIT)

    # Telling

    def tell(
        self,
        key: bytes,
        told: Told,
        deal: int,
        ballots: tuple[SignedBallot, ...],
        leaves: tuple[SignedLeave, ...],
        now: float,
        seat: Seat | None = None,
    ) -> bool:
        """Tell a member or watcher all ballots and leaves of a deal that are here, since he has others: as
        many as a message holds, and the rest the next times. told: what he was told before. seat: his own in
        the deal, if that is known.

        Returns: whether it was time to tell him anything again.
        """
        table, told_at = self._table, told.votes_at
        if now - told_at.get(deal, float("-inf")) < VOTES_AGAIN_S:
            return False
        told_at[deal] = now
        if leaves:
            table.gossip.send(key, Leaves(table.table_id, leaves))
        # What he has signed himself comes first: one who has come back learns at once what he is bound by.
        newest = ballots[::-1]
        his = tuple(one for one in newest if one.open().seat == seat)
        ballots = (*his, *(one for one in newest if one not in his))
        start = told.votes_from.pop(deal, 0)
        start = start if start < len(ballots) else 0
        chosen: list[SignedBallot] = []
        size = 0
        for signed in ballots[start:]:
            size += len(signed.ballot) + _FRAMING_BYTES
            if size > FRAME_BYTES - 1024 or len(chosen) == BALLOTS_LIMIT:
                break
            chosen.append(signed)
        if start + len(chosen) < len(ballots):
            told.votes_from[deal] = start + len(chosen)
        if chosen:
            table.gossip.send(key, Ballots(table.table_id, deal, tuple(chosen)))
        return True

    def send(self, run: DealRun, vote: PublishVote) -> None:
        """Send the own ballot or leave to everybody."""
        table, signed = self._table, vote.signed
        if isinstance(signed, SignedLeave):
            self.send_leaves((signed,))
            return
        told = (signed,) if vote.openers is None else (vote.openers, signed)
        table.gossip.send_all(Ballots(table.table_id, run.number, told))

    def send_leaves(self, leaves: tuple[SignedLeave, ...]) -> None:
        """Send leaves to everybody."""
        self._table.gossip.send_all(Leaves(self._table.table_id, leaves))

    # Voting

    def settle(self, now: float) -> None:
        """Sign what is to be signed in polls, and tell of one that has begun."""
        table = self._table
        self._spread(now)
        for run in table.deals.runs:
            suspicion = self.absence.suspicion(run, run is table.deals.next, now)
            table.deals.carry_out(run, run.deal.vote(suspicion, now), now)
        waiting, poll = self._waiting, self.poll
        if waiting is not None and poll is not None and self._shown != (waiting.number, waiting.deal.step):
            self._shown, self._since = (waiting.number, waiting.deal.step), now
            table.core.out.emit(PollOpened(waiting.number, poll.seats))

    def end_wait(self, now: float) -> Refused | None:
        """Ask all others to end the wait for whoever is missed; why that cannot be, or None."""
        run, until = self._waiting, self.wait_until
        if run is None or until is None:
            waits = run is None or (run.own is not None and (run.wanted or run is not self._table.deals.next))
            return (RefusedCommand.NOBODY_MISSED if waits else RefusedCommand.NOT_NOW), 0.0
        if until > now:
            return RefusedCommand.NOT_OVERDUE, until - now
        self.absence.ask(run)
        return None

    # What can be seen

    @property
    def wait_until(self) -> float | None:
        """From when on the own person may end the wait for whoever is missed; None if nobody is.

        Where two are left and only somebody who left is missed, the other one has the grace time to answer
        the poll about him: it ends the wait, and nothing need be put aside.
        """
        run = self._waiting
        due = None if run is None else self.absence.due(run, run is self._table.deals.next, self._table.now)
        if due is not None and self.two_alone and self.poll is not None:
            return max(due, self._since + self._table.rules.grace_s)
        return due

    @property
    def two_alone(self) -> bool:
        """Whether no more than two are left in the deal, so that no poll can end a wait for the other one."""
        run = self._waiting
        return run is not None and self.absence.too_few(run)

    @property
    def poll(self) -> PollView | None:
        """The poll that runs where somebody is waited for."""
        run = self._waiting
        polls = None if run is None else run.deal.polls
        top = None if polls is None else polls.top
        if run is None or polls is None or top is None or polls.settled(top):
            return None
        return PollView(
            seats=tuple(sorted(top.about)),
            left=tuple(sorted(top.about & run.deal.left)),
            voters=tuple(sorted(polls.seats - top.about)),
            answered=tuple(sorted(polls.answered(top))),
            since=self._since,
        )

    @property
    def _waiting(self) -> DealRun | None:
        """The deal in which somebody may be waited for: the current one, until its end is settled."""
        deals = self._table.deals
        deal = deals.current.deal
        over = deal.outcome is not None and (deal.settled or not isinstance(deal.outcome, Finished))
        return deals.next if over else deals.current
