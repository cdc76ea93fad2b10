"""Who is around, what they say of themselves, and which of their tables can be played at."""

from collections.abc import Container, Iterable
from dataclasses import dataclass

from engine import Ruleset, RulesetError
from p2p.protocol.carried import UncarriedRulesError, check_carried
from p2p.protocol.messages import JunkError, JunkReason, Offer, Presence
from p2p.protocol.table_rules import TableRulesError
from p2p.protocol.text import clean_title

UNREACHABLE_KEPT_S = 30.0
"""How long somebody without a link stays in the list, marked unreachable."""
PEOPLE_LIMIT = 512
"""Most people remembered at once: far more than links, so only those without one ever have to give way."""


@dataclass(slots=True)
class Neighbour:
    """Somebody around, once he has said who he is: what he says of himself, his table if it can be played,
    and since when he is unreachable.
    """

    presence: Presence
    offer: Offer | None = None
    ruleset: Ruleset | None = None
    lost_at: float | None = None


class Neighbours(dict[bytes, Neighbour]):
    """Everybody around, by key."""

    def link_up(self, key: bytes) -> None:
        """Somebody can be reached, again or for the first time."""
        if key in self:
            self[key].lost_at = None

    def link_down(self, key: bytes, now: float) -> None:
        """Somebody can no longer be reached; he stays for a while."""
        if key in self:
            self[key].lost_at = now

    def forget(self, now: float) -> bool:
        """Forget those who have been unreachable for long enough. Returns whether there were any."""
        gone = [key for key, lost_at in self._lost() if now - lost_at >= UNREACHABLE_KEPT_S]
        for key in gone:
            del self[key]
        return bool(gone)

    @property
    def next_timer(self) -> float | None:
        """When somebody is to be forgotten."""
        return min((lost_at + UNREACHABLE_KEPT_S for _, lost_at in self._lost()), default=None)

    def presence_came(self, key: bytes, message: Presence, links: Container[bytes]) -> bool:
        """Somebody says who he is. Returns whether he is listed now.

        Raises:
            JunkError: UNFIT, if his table makes no sense; he is listed without it.
        """
        person = self.get(key)
        if person is None:
            if key not in links or not self._make_room():
                return False
            person = self[key] = Neighbour(message)
        person.presence = message
        person.offer = person.ruleset = None
        if message.offer is not None:
            person.ruleset = _playable(key, message.offer)
            person.offer = message.offer
        return True

    def _make_room(self) -> bool:
        """Let the one who has been without a link for longest give way, if the list is full."""
        if len(self) < PEOPLE_LIMIT:
            return True
        lost = [(lost_at, key) for key, lost_at in self._lost()]
        if lost:
            del self[min(lost)[1]]
        return bool(lost)

    def _lost(self) -> Iterable[tuple[bytes, float]]:
        return ((key, one.lost_at) for key, one in self.items() if one.lost_at is not None)

    def offer_of(self, key: bytes) -> Offer | None:
        """The table of somebody that can be played at."""
        person = self.get(key)
        return None if person is None else person.offer

    def version_of(self, key: bytes) -> int | None:
        """The version of the protocol that somebody speaks, if he is known."""
        person = self.get(key)
        return None if person is None else person.presence.version

    def offers(self) -> dict[bytes, Offer]:
        """All tables that can be played at, by opener."""
        return {key: one.offer for key, one in self.items() if one.offer is not None}


def _playable(opener: bytes, offer: Offer) -> Ruleset:
    """The rules of an offer that makes sense.

    Raises:
        JunkError: UNFIT, if its title is empty once cleaned, its rules are unknown, its people are doubled,
            more than its seats, or do not begin with the opener, or if he did not sit at the table that it
            goes on from.
    """
    keys = [person.key for person in offer.people]
    follows = offer.follows
    if (
        not clean_title(offer.title)
        or (follows is not None and not (follows.is_sound and opener in follows.keys))
        or keys[:1] != [opener]
        or len(set(keys)) < len(keys)
        or len(keys) > offer.seats
    ):
        raise JunkError(JunkReason.UNFIT)
    try:
        ruleset = Ruleset.from_mapping(dict(offer.options))
        ruleset.resolve(offer.seats)
        check_carried(ruleset)
        offer.table_rules.check_dealer(ruleset)
    except (RulesetError, UncarriedRulesError, TableRulesError):
        raise JunkError(JunkReason.UNFIT) from None
    return ruleset
