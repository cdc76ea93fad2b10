"""A disk for peers in memory: it keeps its promises, and can be told to refuse or to be slow."""

from collections import deque
from dataclasses import dataclass, field
from typing import Final

from p2p.net.outbox import FIRST_PAUSE_S, LONGEST_PAUSE_S, PATIENCE_S
from p2p.protocol.ballot import SignedBallot, SignedLeave
from p2p.protocol.deal_terms import DealTerms, decode_terms
from p2p.protocol.effects import Stopped, Void
from p2p.protocol.entry import SignedEntry
from p2p.protocol.peer_effects import CloseDeal, Keep, LeaveTable, Send
from p2p.protocol.resumed import ResumedDeal, ResumedTable, readable_ballots, readable_entries

Ordered = Send | Keep | CloseDeal | LeaveTable
"""The effects whose order binds: they stand in one line behind the disk."""

AT_ONCE: Final = 0.0


class DiskRefusedError(Exception):
    """The disk is full, or gone: nothing of this write is there."""


class Disk:
    """What one peer has written. It insists on one own entry a step, stored before it is sent.

    refuses: every write fails. write_s: how long each one takes.
    """

    def __init__(self) -> None:
        self.own: dict[tuple[bytes, int, int], bytes] = {}
        self.terms: dict[tuple[bytes, int], DealTerms] = {}
        self.entries: set[bytes] = set()
        self.secrets: dict[tuple[bytes, int], bytes] = {}
        self.written_secrets: dict[tuple[bytes, int], bytes] = {}
        """What a thief of the disk could ever have read: also what is erased by now."""
        self.closed: list[CloseDeal] = []
        self.keeps: list[Keep] = []
        self.left: dict[bytes, SignedLeave] = {}
        self.voted: dict[tuple[bytes, bytes, tuple[int, int]], bytes] = {}
        """By table, head and poll."""
        self._forgotten: dict[tuple[bytes, int], int] = {}
        """How many of the ends are from before a deal got its latest terms."""
        self.refuses = False
        self.write_s = AT_ONCE

    def write(self, effect: Keep | CloseDeal | LeaveTable) -> None:
        """Carry out one write. Raises: DiskRefusedError; nothing is written then."""
        if self.refuses:
            raise DiskRefusedError
        match effect:
            case Keep():
                self._keep(effect)
            case CloseDeal():
                self.closed.append(effect)
                self.secrets.pop((effect.table_id, effect.deal), None)
            case LeaveTable(table_id, leave):
                self.left[table_id] = leave

    def _keep(self, keep: Keep) -> None:
        self.keeps.append(keep)
        store = keep.store
        at, terms = (keep.table_id, store.deal), decode_terms(keep.terms)
        if self.terms.setdefault(at, terms) != terms:
            # Nobody had begun it: as the real store does, forget what was written under other terms.
            self.terms[at] = terms
            self.secrets.pop(at, None)
            self._forgotten[at] = len(self.closed)
        if store.secrets is not None:
            self.secrets[keep.table_id, store.deal] = store.secrets
            self.written_secrets[keep.table_id, store.deal] = store.secrets
        self.entries.update(signed.entry for signed in store.entries)
        if store.own is not None:
            entry = store.own.open()
            place = (keep.table_id, entry.deal, entry.step)
            assert self.own.setdefault(place, store.own.entry) == store.own.entry, "a second entry for a step"
            self.entries.add(store.own.entry)
        if store.voted is not None:
            assert store.voted in store.ballots
            ballot = store.voted.open()
            vote = (keep.table_id, ballot.previous, ballot.poll.key)
            assert self.voted.setdefault(vote, store.voted.ballot) == store.voted.ballot, (
                "a second answer to a poll"
            )

    def resumed(self) -> ResumedTable | None:
        """The latest table, as a new process takes it up, unless that one was left."""
        if not self.terms:
            return None
        table_id = next(reversed(self.terms))[0]
        if table_id in self.left:
            return None
        notes = {close.deal: close.note for close in self._ends() if close.table_id == table_id}
        return ResumedTable(
            tuple(self._deal(at) for at in sorted(self.terms) if at[0] == table_id),
            tuple(sorted(notes.items())),
        )

    def _ends(self) -> list[CloseDeal]:
        """The ends of deals, but of a deal's earlier terms."""
        return [
            close
            for number, close in enumerate(self.closed)
            if number >= self._forgotten.get((close.table_id, close.deal), 0)
        ]

    def _deal(self, at: tuple[bytes, int]) -> ResumedDeal:
        terms = self.terms[at]
        entries: list[SignedEntry] = []
        ballots: list[SignedBallot] = []
        leaves: list[SignedLeave] = []
        for keep in self.keeps:
            store = keep.store
            if (keep.table_id, store.deal, keep.terms) == (*at, terms.encode()):
                entries += [*store.entries, *filter(None, [store.own])]
                ballots += store.ballots
            if (keep.table_id, store.deal) == at:
                leaves += store.leaves
        end = next((one for one in reversed(self._ends()) if (one.table_id, one.deal) == at), None)
        outcome = None if end is None else end.outcome
        if isinstance(outcome, Void):
            entries += outcome.evidence.accused
            ballots += outcome.evidence.ballots
        return ResumedDeal(
            terms,
            readable_entries(terms, entries),
            self.secrets.get(at),
            closed=end is not None,
            stopped=isinstance(outcome, Stopped),
            ballots=readable_ballots(terms, ballots),
            leaves=tuple(leaves),
        )


@dataclass
class Line:
    """The effects of one process that wait for its disk: the outbox of the real node, in virtual time.

    A write that is refused stands at the head and is tried again with growing pauses; nothing behind it is
    sent. `patience_over`: it has been refused for so long that the node gives up.
    """

    effects: deque[Ordered] = field(default_factory=deque)
    waited_s: float = 0.0
    _pause_s: float = FIRST_PAUSE_S

    @property
    def patience_over(self) -> bool:
        """Whether the node stops instead of trying once more."""
        return self.waited_s >= PATIENCE_S

    def next_pause_s(self) -> float:
        """How long to wait before the refused write is tried again."""
        pause = self._pause_s
        self.waited_s += pause
        self._pause_s = min(2 * pause, LONGEST_PAUSE_S)
        return pause

    def written(self) -> None:
        """What stood at the head is on the disk."""
        self.effects.popleft()
        self.waited_s, self._pause_s = 0.0, FIRST_PAUSE_S
