"""What a screen, a bot or a script may see of the lobby: who is around, and which tables they offer.

Names in it are cleaned and told apart already, as in `snapshot`, which has these names, too.
"""

from dataclasses import dataclass
from enum import StrEnum

from engine import Ruleset
from p2p.protocol.table_rules import TableRules


class NameWarning(StrEnum):
    """Why a person's name deserves a warning beside it; the worst one that applies."""

    IMITATES_YOU = "imitates_you"
    """Looks like the own name without being spelt so."""
    SAME_NAME = "same_name"
    """Is spelt exactly as the own name: a namesake, or the same person with another profile."""
    NOT_YOURS = "not_yours"
    """Has the name, or a look-alike of the name, of a known person, with another key."""
    IMITATES = "imitates"
    """Looks like the name of somebody else who is here, spelt in other letters."""
    NEW_KEY = "new_key"
    """Never met before, while others here have been."""


@dataclass(frozen=True, slots=True)
class PersonView:
    """Somebody in the lobby."""

    key: bytes
    name: str
    """Cleaned; two people of one name carry a suffix that tells them apart."""
    fingerprint: str
    """Four groups of four; the first group is the short form."""
    table_title: str | None
    """The table where this person sits or plays."""
    reachable: bool
    warning: NameWarning | None = None


class OfferStatus(StrEnum):
    """What can be done with an open table."""

    OPEN = "open"
    FULL = "full"
    PLAYING = "playing"


@dataclass(frozen=True, slots=True)
class OfferView:
    """A table that its opener offers."""

    offer_id: bytes
    """16 random bytes: what tells the tables of one opener apart."""
    short_id: str
    """Two characters of the offer id, shown when `same_title`; of the opener's key, where somebody else
    offers a table with the same id.
    """
    same_title: bool
    """Another offer has the same title."""
    opener: bytes
    """The opener's key."""
    title: str
    ruleset: Ruleset
    table_rules: TableRules
    seats: int
    taken: int
    status: OfferStatus
    people: tuple[str, ...]
    """Names of those who sit there, the opener first."""
    own: bool = False
    """The own table."""
    goes_on: bool = False
    """It was played at before, by another company, and goes on with the counts of those who stay."""
    needs_code: bool = False
    """Who asks for a seat has to know its code."""

    @property
    def opener_name(self) -> str:
        """Whom to ask for the code: offers without people are not listed."""
        return self.people[0]

    @property
    def place(self) -> tuple[bytes, bytes]:
        """Opener and offer id: what tells tables apart. The id alone could be copied by anybody."""
        return self.opener, self.offer_id


@dataclass(frozen=True, slots=True)
class LobbySnapshot:
    """The lobby as this peer sees it."""

    own_key: bytes
    own_name: str
    own_fingerprint: str
    people: tuple[PersonView, ...]
    """Sorted by name, the own person not among them."""
    offers: tuple[OfferView, ...]
    """Open ones first, then by title."""
    joining: bytes | None = None
    """The offer that has been asked for a seat, or to be watched, and has not answered yet."""

    @property
    def alone(self) -> bool:
        """Whether nobody answers: people who were here and have gone are no company."""
        return not self.offers and not any(person.reachable for person in self.people)
