"""The own table between two deals, and the tables that members have opened to go on from it.

Theory of operation. A table's members are fixed by its proposal, so a company that changes forms a new
table. When a deal is over, any member may open the table *again*: what he gathers is a table of the same
title and rules whose proposal names the table before and its counts (`follows`). His offer reaches the other
members as every offer does, in his Presence; that is the invitation. Until the new table is formed, everybody
still sits at the old one: if it is never formed, or the next deal begins there after all, nothing has
happened.

    old table, deal over --reopen, or join--> old table + gathering or seeking --formed--> new table
            ^                                                |
            +---- left, closed, or next deal has begun ------+

Several may reopen at once. All programs point to the one of the lowest key among those at which a seat can
be taken (`Reopenings.can_join`); to another one only where there is no such. Nobody has to go along: the next
deal of the old table begins when all who play it want it, whoever gathers meanwhile.
"""

from collections import deque
from collections.abc import Collection, Mapping
from dataclasses import dataclass

from engine import Standings
from p2p.protocol.entry import MAX_DEAL
from p2p.protocol.follows import Carried, Follows
from p2p.protocol.lobby_snapshot import OfferStatus
from p2p.protocol.messages import Offer, Options, Roster
from p2p.protocol.table import Table
from p2p.protocol.table_rules import TableRules

INVITATIONS = 8
"""How many tables of one member are pointed to after one deal. Each changes what Enter does, so it is dead
for a moment; who opens and closes more of them than a person would need is not listened to any more."""
LEFT_LIMIT = 64
"""How many tables that the own person has left are remembered: more than his company can open at once."""


@dataclass(frozen=True, slots=True)
class Before:
    """The own table, whose deal is over, as a table that follows it has to state it."""

    title: str
    options: Options
    table_rules: TableRules
    follows: Follows
    needs_code: bool

    @classmethod
    def of(cls, table: Table) -> "Before | None":
        """What goes on from this table; None while a deal is played."""
        if not table.deals.between:
            return None
        ended = table.deals.succession.standings(table.deals.current.terms)
        # A session that is over, even in a tie, is not carried on: the new table begins with the next one.
        now = Standings.zero(len(ended.losses)) if ended.over else ended
        counts = zip(table.proposal.members, now.losses, now.wins, strict=True)
        standings = tuple(
            Carried(member.key, min(losses, MAX_DEAL), min(wins, MAX_DEAL)) for member, losses, wins in counts
        )
        proposal = table.proposal
        follows = Follows(table.table_id, standings)
        rules = (proposal.options, proposal.table_rules)
        return cls(proposal.title, *rules, follows, needs_code=proposal.needs_code)

    def is_followed_by(self, opener: bytes, offer: Offer) -> bool:
        """Whether a member claims that his table goes on from this one, with a code if this one has one."""
        follows = offer.follows
        return (
            follows is not None
            and follows.table_id == self.follows.table_id
            and opener in self.follows.keys
            and offer.needs_code == self.needs_code
            and offer.status is not OfferStatus.PLAYING
        )

    def agrees(self, stated: Offer | Roster) -> bool:
        """Whether it has the same title and rules, and states what this peer has counted."""
        same = (stated.title, stated.options, stated.table_rules) == (
            self.title,
            self.options,
            self.table_rules,
        )
        return same and stated.follows == self.follows


class Reopenings:
    """The tables that go on from the own one, as far as this peer points to them."""

    def __init__(self, own: bytes) -> None:
        """own: the own key."""
        self._own = own
        self.before: Before | None = None
        self._seen: dict[bytes, list[bytes]] = {}
        self._left: deque[tuple[bytes, bytes]] = deque(maxlen=LEFT_LIMIT)

    def set_before(self, before: Before | None) -> None:
        """A deal of the own table is over; None: there is no table, or its next deal has begun."""
        self.before = before
        if before is None:
            self._seen.clear()
            self._left.clear()

    def look(self, offers: Mapping[bytes, Offer]) -> None:
        """Take notice of what is offered, by opener: of each member's tables the first ones, and none of them
        again once another one took its place.
        """
        for key, offer in offers.items():
            if self.before is not None and self.before.is_followed_by(key, offer):
                seen = self._seen.setdefault(key, [])
                if offer.offer_id not in seen and len(seen) < INVITATIONS:
                    seen.append(offer.offer_id)

    def left(self, opener: bytes, offer_id: bytes) -> None:
        """The own person has left this one: the next one is pointed to, if there is another."""
        self._left.append((opener, offer_id))

    def has_left(self, opener: bytes, offer_id: bytes) -> bool:
        """Whether the own person has left this one."""
        return (opener, offer_id) in self._left

    def can_join(self, opener: bytes, offer: Offer) -> bool:
        """Whether one goes along there: it states what was counted here, has a seat free, or keeps the own
        one, and was not left.
        """
        seat = len(offer.people) < offer.seats or any(person.key == self._own for person in offer.people)
        agrees = self.before is not None and self.before.agrees(offer)
        return agrees and seat and not self.has_left(opener, offer.offer_id)

    def pointed(self, offers: Mapping[bytes, Offer], links: Collection[bytes]) -> tuple[bytes, Offer] | None:
        """The opener and the offer that the own person is pointed to, among the `offers` by opener."""
        found = [
            (not self.can_join(key, offer), key, offer)
            for key, offer in offers.items()
            if key in links
            and self.before is not None
            and self.before.is_followed_by(key, offer)
            and self._seen.get(key, [])[-1:] == [offer.offer_id]
        ]
        if not found:
            return None
        _, key, offer = min(found, key=lambda one: one[:2])
        return key, offer
