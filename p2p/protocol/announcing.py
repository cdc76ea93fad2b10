"""What others are told of this peer: who it is, where it sits, and the table that it offers.

It is said on every new link and again whenever any of it changes, but not more often than people can read.
"""

from p2p.protocol.gathering import Gathering
from p2p.protocol.hashing import VERSION
from p2p.protocol.lobby_snapshot import OfferStatus
from p2p.protocol.messages import Offer, Person, Place, Presence
from p2p.protocol.peer_core import Core
from p2p.protocol.proposal import Proposal
from p2p.protocol.seeking import Seeking

PRESENCE_PAUSE_S = 0.2
"""Shortest time between two own announcements; of twenty quick changes the last one is always sent."""


class Announcing:
    """The last word of this peer on itself, and the formed table at which it sits."""

    def __init__(self, core: Core) -> None:
        self.offer: Offer | None = None
        """The formed table, if this peer has opened it, for the lobbies of others."""
        self._core = core
        self._place: Place | None = None
        self._said: Presence | None = None
        self._said_at = float("-inf")

    def sit_down(self, proposal: Proposal) -> None:
        """This peer sits at a formed table; the first of its members has opened it."""
        self._place = Place(proposal.offer_id, proposal.title)
        self.offer = _played(proposal) if proposal.members[0].key == self._core.key else None

    def stand_up(self) -> None:
        """This peer sits at no formed table any more."""
        self._place = self.offer = None

    def presence(self, part: Gathering | Seeking | None, *, reopened: bool) -> Presence:
        """What is to be said now. part: the table that is being formed. reopened: the formed one is found
        where somebody has opened it again.
        """
        place, offer = self._place, None if reopened else self.offer
        if isinstance(part, Gathering):
            offer = part.offer
            place = Place(offer.offer_id, offer.title)
        elif part is not None and part.roster is not None:
            place = Place(part.offer_id, part.roster.title)
        return Presence(VERSION, self._core.name, place, offer)

    def due(self, presence: Presence) -> float | None:
        """When others are to be told; None if they have been, or nothing was ever said."""
        news = self._said is not None and presence != self._said
        return self._said_at + PRESENCE_PAUSE_S if news else None

    def tell(self, presence: Presence, now: float) -> None:
        """Tell everybody, unless it is no news or too soon."""
        if presence == self._said or now - self._said_at < PRESENCE_PAUSE_S:
            return
        self._said, self._said_at = presence, now
        for key in sorted(self._core.links):
            self._core.send(key, presence)


def _played(proposal: Proposal) -> Offer:
    people = tuple(Person(member.key, member.name) for member in proposal.members)
    return Offer(
        proposal.offer_id,
        proposal.title,
        proposal.options,
        proposal.table_rules,
        len(people),
        OfferStatus.PLAYING,
        people,
        proposal.follows,
        proposal.needs_code,
    )
