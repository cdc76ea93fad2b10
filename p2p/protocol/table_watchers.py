"""Who watches a table, and what they are told.

A watcher is a peer without a seat: the same `Deal` that every member runs, which verifies everything and
makes nothing. It asks each member to whom it has a link (`watching`), and each of them by himself lets it
watch. From then on he sends it what he sends to members, after them: entries, ballots, leaves, books,
evidence, and where he stands.

Nothing that a watcher says counts. It is no member, so its entries, ballots and wishes are dropped unread; it
can only say where it stands and ask for entries, so often (`limits`), and is answered. What its link is too
slow for is dropped, and fetched by it later.
"""

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from p2p.protocol.code_gate import CodeGate
from p2p.protocol.gossip import Told
from p2p.protocol.hashing import VERSION
from p2p.protocol.limits import WATCHER_RATES, WATCHERS_LIMIT, WATCHERS_REMEMBERED, Limits
from p2p.protocol.messages import (
    NOTES_LIMIT,
    CodeProof,
    CodeShare,
    Fetch,
    JunkError,
    JunkReason,
    Note,
    Refuse,
    RefuseReason,
    Status,
    Watch,
    Watched,
)
from p2p.protocol.text import clean_name

if TYPE_CHECKING:
    from p2p.protocol.table import Table


@dataclass(slots=True)
class Watcher:
    """Somebody who watches. `name`: cleaned. `deal`: the highest that he was seen in."""

    name: str
    deal: int = 0
    told: Told = field(default_factory=Told)


class TableWatchers(dict[bytes, Watcher]):
    """Those who watch one table through this peer, by key, in the order of their coming."""

    def __init__(self, table: "Table") -> None:
        super().__init__()
        self._table = table
        self._limits: dict[bytes, Limits] = {}
        """By key, also of some who watch no longer."""
        self._gate: CodeGate | None = None
        if table.proposal.needs_code and table.code is not None:
            self._gate = CodeGate(table.core, table.offer_id, table.code)

    def asked(self, key: bytes, message: Watch | CodeShare | CodeProof, now: float) -> None:
        """`key` wants to watch, or shows that it knows the code. Raises: JunkError, if it shows nothing."""
        table = self._table
        if table.deals.taking_up or table.deals.replaying:
            return  # asked again, when this peer knows where the table stands
        reason = self._hindrance(key)
        if reason is None and isinstance(message, CodeShare):
            reason = self._share_came(key, message.share, now)
        elif reason is None and isinstance(message, CodeProof):
            if self._gate is None or not self._gate.proof_came(key, message.confirmation):
                raise JunkError(JunkReason.UNFIT)
        elif reason is None and self._gate is not None and key not in self._gate.admitted:
            reason = RefuseReason.CODE
        if reason is not None:
            table.core.send(key, Refuse(table.offer_id, reason, VERSION))
        elif isinstance(message, Watch):
            self._admit(key, message.name, now)

    def _hindrance(self, key: bytes) -> RefuseReason | None:
        """Why `key` may not watch, whatever it may know."""
        table = self._table
        if table.watching or table.rules.watchers == "no":
            return RefuseReason.NOT_WATCHED
        if key in table.members:
            return RefuseReason.BUSY
        if table.proposal.needs_code and self._gate is None:
            # This program was started again since, and codes are kept nowhere: others may let it watch.
            return RefuseReason.NOT_WATCHED
        return RefuseReason.MANY_WATCHERS if key not in self and len(self) >= WATCHERS_LIMIT else None

    def _share_came(self, key: bytes, share: bytes, now: float) -> RefuseReason | None:
        if self._gate is None:
            return RefuseReason.NO_CODE
        return None if self._gate.share_came(key, share, now) else RefuseReason.GUESSES

    def job_done(self, job: int, outcome: object) -> bool:
        """A job returned or raised `outcome`. Returns whether it was one about the code."""
        return self._gate is not None and self._gate.job_done(job, outcome)

    def _admit(self, key: bytes, name: str, now: float) -> None:
        """Let `key` watch, or tell it again that it may: what it was told went with its last link."""
        table, run = self._table, self._table.deals.current
        self[key] = Watcher(clean_name(name))
        if len(self._limits) >= WATCHERS_REMEMBERED:
            self._limits = {one: limits for one, limits in self._limits.items() if one in self}
        self._limits.setdefault(key, Limits(WATCHER_RATES))
        notes = (Note(deal, note) for deal, note in table.deals.succession.notes_before(run.number))
        table.core.send(key, Watched(run.terms, tuple(notes)[-NOTES_LIMIT:]))
        table.tell_all_to(key, now)

    def receive(self, key: bytes, message: Status | Fetch, now: float) -> None:
        """Answer a watcher. Raises: JunkError, if it asks too often, or for what there is not."""
        watcher = self[key]
        self._limits[key].take(type(message), now)
        if isinstance(message, Fetch):
            self._table.answers.to_fetch(key, message)
            return
        watcher.deal = max(watcher.deal, message.deal)
        self._table.answers.to_status(key, watcher.told, message, watcher.deal, now)

    def gone(self, key: bytes) -> None:
        """`key` watches no longer, or its link is gone."""
        if self._gate is not None:
            self._gate.link_down(key)
        self.pop(key, None)
