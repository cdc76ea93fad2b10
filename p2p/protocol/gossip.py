"""How the entries of a table reach every member, also one who has no link to their author.

Whoever makes an entry sends it to all members he is linked to. Everybody says where he stands at each
change and each second. Whoever is behind another asks that one for what he lacks, at once if it could not
come by itself, else after a moment in which it will. So a member needs a link to one other who is up to
date, no matter to whom.

Watchers (`table_watchers`) are told what members are told, after them; what they say is no gossip. At a table
that this peer only watches it says where it stands, and asks, as a member does.

This module decides whom to tell and whom to ask; it knows positions, not entries.
"""

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, field

from p2p.protocol.messages import DIGESTS_LIMIT, Fetch, Formed, Message, Status
from p2p.protocol.peer_core import Core
from p2p.protocol.proposal import SignedProposal

STATUS_EVERY_S = 1.0
"""How often everybody says where he stands, changed or not."""
STATUS_PAUSE_S = 0.1
"""How long a change waits to be said: the authors push their entries themselves, so it is seldom news."""
TOLD_AGAIN_S = 0.5
"""Shortest time between two statuses that somebody gets for himself because he is behind."""
PATIENCE_S = 0.25
"""How long to wait for an entry that its author is sending himself before asking somebody else for it."""
ANSWER_S = 0.6
"""How long to wait for an answer before asking again, perhaps somebody else."""
FORMED_AGAIN_S = 2.0
"""How often a linked member who has said nothing at the table is told again that it exists."""


@dataclass(slots=True)
class Position:
    """Where this peer stands in one deal. `have`: bit s if the entry of seat s for `step` is here. `keys`:
    those of the players by seat. `votes`: differs where the known ballots and leaves differ.
    """

    deal: int
    step: int
    head: bytes
    have: int
    keys: tuple[bytes, ...] = field(repr=False)
    ended: bool = False
    votes: bytes | None = None


@dataclass(slots=True)
class Told:
    """When somebody was last told what he lacks, so that he is not told it all the time. `at`: a position of
    this peer that he gets for himself. `evidence_at`: why a deal is void. `votes_at`: ballots and leaves, by
    deal; `votes_from`: how many of the ballots he was told before it did not end with all of them.
    """

    at: float = float("-inf")
    evidence_at: float = float("-inf")
    votes_at: dict[int, float] = field(default_factory=dict)
    votes_from: dict[int, int] = field(default_factory=dict)


@dataclass(slots=True)
class Member:
    """What is known of another member. `seat`: his place at the table. `statuses`: his latest by deal,
    `status_at`: when the last one came.
    """

    key: bytes
    seat: int
    statuses: dict[int, Status] = field(default_factory=dict)
    status_at: float = float("-inf")
    heard: bool = False
    left: bool = False
    lost_at: float | None = None
    behind_since: float | None = None
    asked_at: float = float("-inf")
    told_formed_at: float = float("-inf")
    told: Told = field(default_factory=Told)

    @property
    def deal(self) -> int:
        """The highest deal that he has been seen in; 0 if none."""
        return max(self.statuses, default=0)

    def passed(self, deal: int, step: int) -> bool:
        """Whether he is known to have gone beyond `step` of `deal`, so to have verified it."""
        status = self.statuses.get(deal)
        return self.deal > deal or (status is not None and status.step > step)


@dataclass(frozen=True, slots=True)
class _Later:
    """A wish to fetch from `step` on that may come true by itself: where this peer stood, and when to ask."""

    step: int
    at_step: int
    due: float


Digests = Callable[[int], Sequence[bytes]]
"""The digests of a deal in hand, by step."""


class Gossip:
    """Whom to tell and whom to ask, at one table. `keys`: of its members; `watchers`: of those who watch it
    now.
    """

    def __init__(
        self,
        core: Core,
        signed: SignedProposal,
        table_id: bytes,
        keys: tuple[bytes, ...],
        watchers: Collection[bytes] = (),
    ) -> None:
        self.core = core
        self.signed = signed
        self.table_id = table_id
        self._watchers = watchers
        self._is_member = core.key in keys
        self.members = {key: Member(key, seat) for seat, key in enumerate(keys) if key != core.key}
        self._said: dict[int, Position] = {}
        self._said_at = float("-inf")
        self._changed_at: float | None = None
        self._asked_until = float("-inf")
        self._fetched_until = float("-inf")
        self._later: dict[tuple[int, bytes | None], _Later] = {}
        """By deal and by whom to ask: one a member, so that nobody can keep others' entries waiting."""

    def send(self, key: bytes, message: Message) -> None:
        """Send to a member who is linked and has not left, or to a watcher. Who only watches says where he
        stands, and asks: all else would not be listened to.
        """
        member = self.members.get(key)
        heard = self._is_member or isinstance(message, Status | Fetch)
        if heard and (member is None or not member.left):
            self.core.send(key, message)

    def send_all(self, message: Message) -> None:
        """Send to every member, and then to the watchers."""
        for key in (*self.members, *self._watchers):
            self.send(key, message)

    # Telling

    def tell(self, positions: tuple[Position, ...], digests: Digests, now: float) -> None:
        """Say where this peer stands, if it changed a moment ago or a second has passed."""
        changed = [position for position in positions if self._said.get(position.deal) != position]
        if changed and self._changed_at is None:
            self._changed_at = now
        due = now - self._said_at >= STATUS_EVERY_S
        if not due and (self._changed_at is None or now - self._changed_at < STATUS_PAUSE_S):
            return
        for position in positions if due else changed:
            self.send_all(self._status(position, digests))
        self._said = {position.deal: position for position in positions}
        self._said_at, self._changed_at = now, None

    def tell_one(self, key: bytes, positions: tuple[Position, ...], digests: Digests, now: float) -> None:
        """Say where this peer stands to one member or watcher: on a new link, or because he is behind."""
        if key in self.members:
            self.members[key].told.at = now
        for position in positions:
            self.send(key, self._status(position, digests))

    def is_behind(self, member: Member, at: Position, now: float) -> bool:
        """Whether a member lags behind `at` and has not been told so for a while."""
        status = member.statuses.get(at.deal)
        lags = status is not None and status.step < at.step and member.deal == at.deal
        return lags and now - member.told.at >= TOLD_AGAIN_S

    def _status(self, at: Position, digests: Digests) -> Status:
        said = self._said.get(at.deal)
        since = at.step if said is None else min(said.step + 1, at.step)
        news = digests(at.deal)[max(since, at.step + 1 - DIGESTS_LIMIT) : at.step + 1]
        linked = 0
        for key, member in self.members.items():
            linked |= (key in self.core.links) << member.seat
        return Status(self.table_id, at.deal, at.step, at.head, tuple(news), at.have, at.votes, linked)

    def unheard(self, member: Member, now: float) -> None:
        """A new link may lead to a new process, which knows nothing of the table if it died too early."""
        member.heard = False
        member.told_formed_at = now

    def tell_formed(self, now: float) -> None:
        """Tell linked members who have been silent so far that the table exists."""
        for key, member in self.members.items():
            if member.heard or key not in self.core.links or now - member.told_formed_at < FORMED_AGAIN_S:
                continue
            if member.told_formed_at > float("-inf"):
                self.send(key, Formed(self.signed))
            member.told_formed_at = now

    # Asking

    def status_came(self, key: bytes, status: Status, now: float) -> Member:
        """Keep what a member says of his position; what is older than his newest deals is forgotten."""
        member = self.members[key]
        member.statuses[status.deal] = status
        member.status_at = now
        for deal in sorted(member.statuses)[:-2]:
            del member.statuses[deal]
        return member

    def answered(self) -> None:
        """Entries came: whatever is still lacking may be asked for."""
        self._asked_until = self._fetched_until = float("-inf")

    def ask(self, positions: tuple[Position, ...], owed: int, now: float) -> None:
        """Ask for what is lacking, at most one member at a time.

        Args:
            positions: of the deals in hand, the current one first.
            owed: bit s if seat s has yet to give its entry for the current step.
            now: the time.
        """
        self._fetch_later(positions, now)
        # Whoever was asked longest ago comes first, so that one who only claims to be ahead keeps nobody
        # from asking the others.
        for member in sorted(self.members.values(), key=lambda one: one.asked_at):
            lacking = next((at for at in positions if is_ahead(member, at)), None)
            if lacking is None or member.key not in self.core.links:
                member.behind_since = None
                continue
            if member.behind_since is None:
                member.behind_since = now
            if now < self._asked_until:
                continue
            patient = self._comes_by_itself(member, lacking, owed)
            if patient and now - member.behind_since < PATIENCE_S:
                continue
            self._asked_until = now + ANSWER_S
            member.asked_at = now
            self.send(member.key, Fetch(self.table_id, lacking.deal, lacking.step, lacking.have))

    def fetch(self, source: bytes | None, at: Position, step: int, now: float) -> None:
        """Ask one member, or anybody who is linked, for everything from `step` on, unless time brings it."""
        if (at.deal, source) not in self._later:
            self._later[at.deal, source] = _Later(step, at.step, now + PATIENCE_S)

    def _fetch_later(self, positions: tuple[Position, ...], now: float) -> None:
        by_deal = {position.deal: position for position in positions}
        # In the order in which the wishes came up. The pause is not that of `ask`: neither starves the other.
        for (deal, wanted), later in list(self._later.items()):
            at = by_deal.get(deal)
            if at is None or at.step > later.at_step:
                del self._later[deal, wanted]
            elif now >= max(later.due, self._fetched_until):
                del self._later[deal, wanted]
                linked = [key for key in self.members if key in self.core.links]
                if linked:
                    source = wanted if wanted is not None and wanted in linked else linked[0]
                    have = at.have if later.step == at.step else 0
                    self._fetched_until = now + ANSWER_S
                    self.send(source, Fetch(self.table_id, deal, later.step, have))

    def _comes_by_itself(self, member: Member, lacking: Position, owed: int) -> bool:
        """Whether the authors of what is lacking have a link, so are sending it themselves."""
        status = member.statuses.get(lacking.deal)
        if status is None or status.step > lacking.step + 1:
            return False
        missing = status.have & ~lacking.have if status.step == lacking.step else owed & ~lacking.have
        authors = {key for seat, key in enumerate(lacking.keys) if missing >> seat & 1}
        return authors - {self.core.key} <= self.core.links.keys()

    def next_timer(self) -> float:
        """When something is to be said or asked."""
        times = [self._said_at + STATUS_EVERY_S]
        if self._changed_at is not None:
            times.append(self._changed_at + STATUS_PAUSE_S)
        times += [max(later.due, self._fetched_until) for later in self._later.values()]
        for member in self.members.values():
            if member.behind_since is not None and member.key in self.core.links:
                times.append(max(member.behind_since + PATIENCE_S, self._asked_until))
            if not member.heard and member.key in self.core.links and member.told_formed_at > float("-inf"):
                times.append(member.told_formed_at + FORMED_AGAIN_S)
        return min(times)


def is_ahead(member: Member, at: Position) -> bool:
    """Whether `member` has something of the deal that this peer lacks.

    A position in a deal that has ended here is ahead only by its receipts.
    """
    status = member.statuses.get(at.deal)
    if status is None:
        return not at.ended and member.deal > at.deal
    if status.step != at.step:
        return status.step > at.step and not at.ended
    return status.head == at.head and bool(status.have & ~at.have)
