"""What this peer watches: the table that its person has chosen, and then the one that goes on from it.

A company that changes between two deals forms a new table (`reopening`). Whoever watches is no member of
either, so nobody leads him there; his program sees it by itself: a member of the watched table offers one
that is played, names the watched one as that before it, and no two others are left at that. Then this peer
asks to watch there as it has asked before, with the same code, and each member decides by the rules of the
new table. Until one has let it watch, it stays where it is; if none does, it stays for good.

    chosen --asked--> watched --the company has gone on--> watched, and asking for the successor
                         ^                                                  |
                         +------------------- a member lets it watch -------+

That those who have gone on sit there is believed only once the proposal with their signatures is here.
"""

from collections.abc import Collection, Mapping

from p2p.protocol.errors import MalformedMessage
from p2p.protocol.follows import Follows
from p2p.protocol.guesses import Guesses
from p2p.protocol.lobby_snapshot import OfferStatus
from p2p.protocol.messages import CodeAnswer, JunkError, JunkReason, Offer, Refuse, Watched
from p2p.protocol.peer_core import Core
from p2p.protocol.table import Table
from p2p.protocol.table_code import TableCode
from p2p.protocol.watching import Watching

SUCCESSORS_ASKED = 2
"""How many tables of one member that claim to go on from the watched one are asked for. There is one; more is
somebody who makes them up, and he uses up no other's."""


class Watchings:
    """At most one table that is watched or asked for, and at most one that goes on from it."""

    def __init__(self, core: Core) -> None:
        self.chosen: Watching | None = None
        """What this peer watches, or has asked to."""
        self._successor: Watching | None = None
        self._asked: dict[bytes, set[bytes]] = {}
        """Which tables that go on from the watched one have been asked for: their offers, by opener."""
        self._core = core

    @property
    def _ways(self) -> tuple[Watching, ...]:
        return tuple(way for way in (self.chosen, self._successor) if way is not None)

    def way_to(self, offer_id: bytes) -> Watching | None:
        """The way to the table with this offer id, if this peer watches it or has asked to."""
        return next((way for way in self._ways if way.offer_id == offer_id), None)

    # Links and time

    def link_up(self, key: bytes, now: float) -> None:
        """A link to `key` stands."""
        for way in self._ways:
            way.link_up(key, now)

    def link_down(self, key: bytes) -> None:
        """The link to `key` is gone."""
        for way in self._ways:
            way.link_down(key)

    def tick(self, now: float) -> None:
        """Let time pass."""
        for way in self._ways:
            way.tick(now)

    @property
    def next_timer(self) -> float | None:
        """When `tick` has something to do."""
        times = (way.next_timer for way in self._ways)
        return min((time for time in times if time is not None), default=None)

    # What comes in

    def answer_came(self, key: bytes, answer: Refuse | CodeAnswer, now: float) -> bool:
        """Somebody who was asked answers. Returns whether it is about one of these tables."""
        way = self.way_to(answer.offer_id)
        if way is None:
            return False
        if isinstance(answer, Refuse):
            way.refuse_came(key, answer)
        else:
            way.code_answer_came(key, answer, now)
        return True

    def watched_came(self, key: bytes, message: Watched, now: float) -> None:
        """A member lets this peer watch.

        Raises:
            JunkError: UNFIT, if nobody has asked him.
        """
        try:
            way = self.way_to(message.terms.table.offer_id) or self.chosen
        except MalformedMessage:
            way = self.chosen
        if way is None:
            raise JunkError(JunkReason.UNFIT)
        way.watched_came(key, message, now)

    def job_done(self, job: int, outcome: object) -> bool:
        """A job returned or raised `outcome`. Returns whether it was one of an exchange about a code here."""
        return any(way.job_done(job, outcome) for way in self._ways)

    # From table to table

    def choose(
        self, key: bytes, offer_id: bytes, code: TableCode | None, guesses: Guesses, now: float
    ) -> None:
        """Ask `key`, who has opened it, to watch a table. The arguments are those of `Watching`."""
        self.chosen = Watching(self._core, key, offer_id, code, guesses, now)

    def leave(self) -> None:
        """Watch no longer, and tell all who were asked."""
        for way in self._ways:
            way.leave()
        self.chosen = self._successor = None
        self._asked.clear()

    def take_refused(self) -> Watching | None:
        """The chosen table, once, if this peer may not watch it. Of a successor nobody is told: the person
        has not asked for it.
        """
        if self._successor is not None and self._successor.refused is not None:
            self._successor = None
        refused = self.chosen
        if refused is None or refused.refused is None:
            return None
        self.chosen = None
        return refused

    def look(self, table: Table, offers: Mapping[bytes, Offer], guesses: Guesses, now: float) -> None:
        """Ask to watch the table that goes on from the watched one, `table`, if it is among the `offers` by
        opener.
        """
        for key, offer in offers.items():
            if self._successor is not None:
                return
            asked = self._asked.get(key, set())
            people = {person.key for person in offer.people}
            if (
                offer.offer_id not in asked
                and len(asked) < SUCCESSORS_ASKED
                and key in self._core.links.keys() & table.members.keys()
                and offer.status is OfferStatus.PLAYING
                and offer.needs_code == table.proposal.needs_code
                and offer.table_rules.watchers == "yes"
                and _has_gone_on(table, offer.follows, people)
            ):
                self._asked[key] = {*asked, offer.offer_id}
                self._successor = Watching(self._core, key, offer.offer_id, table.code, guesses, now)

    def take_start(self, table: Table | None) -> Watching | None:
        """The table that this peer begins to watch now, once. table: the own one or the watched one."""
        way = self.chosen if table is None else self._successor
        if way is None or way.start is None:
            return None
        if table is not None:
            proposal = way.start.signed.open()
            self._successor = None
            if not _has_gone_on(table, proposal.follows, {member.key for member in proposal.members}):
                way.leave()
                return None
            self.leave()
            self.chosen = way
        return way


def _has_gone_on(table: Table, follows: Follows | None, people: Collection[bytes]) -> bool:
    """Whether the company of a table has gone on to one that says so and at which `people` sit, by key.

    One may stay behind, since he has nobody to play with; but nobody while a deal is played.
    """
    if follows is None or follows.table_id != table.table_id:
        return False
    gone = table.deals.succession.gone
    here = [one for one in table.members.values() if not one.left and one.seat not in gone]
    staying = [one for one in here if one.key not in people]
    return not staying or (table.deals.between and len(staying) == 1)
