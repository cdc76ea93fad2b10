"""The way of a peer back to its table: what its journal gives, and when it may sign something new.

Its journal holds all that it has ever sent, unless the journal is an old copy or is damaged: then the others
hold entries that it lacks, and a new entry in such a place would be a second story. So it first listens: it
says what the journal says, and nothing new until it has heard where the others stand and has caught up.

    reading its journal --all read--> listening --heard and caught up--> speaking, for good

Whoever only claims to be ahead must not keep it silent, nor must one who stays away. So it waits for both no
longer than `PATIENCE_S` without any progress, once half of the others have told where they stand.
"""

from collections.abc import Iterable, Sequence
from typing import Final

from p2p.protocol.archive import Archive
from p2p.protocol.deal import Deal
from p2p.protocol.deal_own import OwnSeat
from p2p.protocol.deal_run import DealRun
from p2p.protocol.deal_terms import DealTerms
from p2p.protocol.gossip import Member, Position, is_ahead
from p2p.protocol.peer_core import Core
from p2p.protocol.resumed import ResumedDeal, ResumedTable
from p2p.protocol.succession import Succession

PATIENCE_S: Final = 5.0
"""Members who are there answer within a second of a link; to find one again takes some seconds more. It is
half of the least grace time: who comes back votes and plays before the others take him for silent."""


class Returning:
    """One table's way back; at a table that has just been formed there is none, and it only prepares deals.

    `waiting`: this peer does not know yet what others know of its own entries.
    """

    def __init__(self, core: Core, now: float, *, waiting: bool) -> None:
        self.waiting = waiting
        self.next_timer = float("inf")
        """When patience ends, unless there is progress before."""
        self._core = core
        self._stored: dict[int, ResumedDeal] = {}
        self._since = now
        self._at: object = None

    def restore(self, resumed: ResumedTable, succession: Succession, archive: Archive) -> DealTerms:
        """Take over what a journal holds, and return the terms of the deal to begin with."""
        first = resumed.first_to_run
        for deal in resumed.deals[:first]:
            archive.add(deal.terms.deal, deal.entries, deal.ballots, deal.leaves)
        for number, note in resumed.notes:
            succession.recall(number, note)
        self._stored = {deal.terms.deal: deal for deal in resumed.deals[first:]}
        return resumed.deals[first].terms

    def prepare(self, terms: DealTerms, now: float) -> DealRun:
        """A deal to be started, with what the journal holds of it, if anything."""
        core = self._core
        seat = terms.seat_of(core.key)
        own = None if seat is None else OwnSeat(seat, core.identity)
        stored = self._stored.get(terms.deal)
        if stored is None or stored.terms != terms:
            # The deal before may still turn out to have ended otherwise, and then it is that one after all.
            deal = Deal(terms, own, core.draw, core.group, listening=self.waiting)
            return DealRun(terms.deal, terms, deal, seat, step_since=now)
        del self._stored[terms.deal]
        deal = Deal(
            terms,
            own,
            core.draw,
            core.group,
            stored.secrets,
            stored.entries,
            ballots=stored.ballots,
            leaves=stored.leaves,
            listening=self.waiting,
            ended=stored.closed,
        )
        return DealRun(
            terms.deal,
            terms,
            deal,
            seat,
            wanted=any(signed.open().seat == seat for signed in stored.entries),
            closed=stored.closed,
            stopped=stored.stopped,
            step_since=now,
        )

    def is_over(self, members: Iterable[Member], positions: Sequence[Position], now: float) -> bool:
        """Whether the waiting ends now: all that others know of the own entries must be known here.

        members: all others of the table. positions: of the deals in hand, the current one first; the journal
        has been read.
        """
        if not self.waiting:
            return False
        others = tuple(members)
        heard = [member for member in others if member.statuses]
        # Whoever has left the table tells no more.
        known = sum(bool(member.statuses) or member.left for member in others)
        enough = 2 * known >= len(others)
        # More ballots are no progress: of those a liar could always sign another one.
        progress = ([(at.deal, at.step, at.have) for at in positions], known, enough)
        if progress != self._at:
            self._at, self._since = progress, now
        caught_up = not any(
            is_ahead(member, at) or _tells_of_others(member, at) for member in heard for at in positions
        )
        due = self._since + PATIENCE_S
        self.next_timer = due if enough else float("inf")
        if (known == len(others) and caught_up) or (enough and now >= due):
            self.waiting = False
            self.next_timer = float("inf")
        return not self.waiting


def _tells_of_others(member: Member, at: Position) -> bool:
    """Whether `member` knows other ballots or leaves of the deal: the own seat's may be among them."""
    status = member.statuses.get(at.deal)
    return status is not None and status.votes not in {None, at.votes}
