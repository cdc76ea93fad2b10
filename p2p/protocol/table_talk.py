"""The talk at the tables where this peer sits.

Talk is no part of the game. It goes from its author to each member over the link between them; nobody signs
it, passes it on, stores it or asks for it again, and no transcript holds it. A table is told by its offer id,
which it has from the moment it is opened: so people talk while they gather, and go on when it is formed.
"""

from collections import deque
from collections.abc import Collection, Iterable
from dataclasses import dataclass

from p2p.protocol.gathering import Gathering
from p2p.protocol.limits import OWN_TALK, Bucket
from p2p.protocol.messages import JunkError, JunkReason, Talk
from p2p.protocol.peer_core import Core
from p2p.protocol.peer_events import RefusedCommand, Talked
from p2p.protocol.seeking import Seeking
from p2p.protocol.table import Table
from p2p.protocol.talk import Remark, Said, TalkLine
from p2p.protocol.text import clean_talk

LINES_KEPT = 100
"""Lines kept of one table, the latest: an evening's talk, and more than a screen shows."""


@dataclass(frozen=True, slots=True)
class Company:
    """Who can be talked to at one table. deal, after: the deal and how many of its events have happened."""

    offer_id: bytes
    others: frozenset[bytes]
    deal: int = 0
    after: int = 0

    @classmethod
    def at(cls, table: Table) -> "Company":
        """The members of a formed table but for those who have left it."""
        others = frozenset(key for key, member in table.members.items() if not member.left)
        return cls(table.offer_id, others, table.deals.current.number, len(table.deals.current.happened))

    @classmethod
    def gathered(cls, part: Gathering | Seeking, own_key: bytes) -> "Company":
        """Those who have a seat at a table that is not formed yet."""
        roster = part.roster
        seated = frozenset() if roster is None else frozenset(seat.key for seat in roster.people)
        return cls(part.offer_id, seated - {own_key})


class TableTalk:
    """What was said at each of the own tables: there are two while people gather to go on from one."""

    def __init__(self, core: Core) -> None:
        self._core = core
        self._lines: dict[bytes, deque[TalkLine]] = {}
        self._own = Bucket(OWN_TALK)

    def lines(self, offer_id: bytes) -> tuple[TalkLine, ...]:
        """What was said at a table, the oldest first."""
        return tuple(self._lines.get(offer_id, ()))

    def keep_only(self, offer_ids: Collection[bytes]) -> None:
        """Forget what was said at tables where this peer sits no more."""
        self._lines = {offer_id: lines for offer_id, lines in self._lines.items() if offer_id in offer_ids}

    def say(self, said: Said, company: Company, now: float) -> RefusedCommand | None:
        """Say something to all who can hear it; why that cannot be said, or None."""
        cleaned = _cleaned(said)
        if cleaned is None:
            return RefusedCommand.NOTHING_SAID
        if not self._own.take(now):
            return RefusedCommand.TOO_MUCH_TALK
        for key in company.others:
            self._core.send(key, Talk(company.offer_id, cleaned))
        self._note(self._core.key, cleaned, company)
        return None

    def came(self, key: bytes, message: Talk, companies: Iterable[Company]) -> None:
        """Somebody said something.

        Raises:
            JunkError: STRANGER, if he sits at no table of that id with this peer; UNFIT, if nothing of it can
                be shown.
        """
        company = next((one for one in companies if one.offer_id == message.offer_id), None)
        if company is None or key not in company.others:
            raise JunkError(JunkReason.STRANGER)
        cleaned = _cleaned(message.said)
        if cleaned is None:
            raise JunkError(JunkReason.UNFIT)
        self._note(key, cleaned, company)

    def _note(self, key: bytes, said: Said, company: Company) -> None:
        line = TalkLine(key, said, company.deal, company.after)
        self._lines.setdefault(company.offer_id, deque(maxlen=LINES_KEPT)).append(line)
        self._core.out.emit(Talked(line))


def _cleaned(said: Said) -> Said | None:
    """What is said, made harmless; None if nothing is left of it."""
    return said if isinstance(said, Remark) else clean_talk(said) or None
