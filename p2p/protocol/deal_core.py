"""What a deal keeps while it runs, what it stores and signs, and how it ends: the ground under `Deal`."""

from abc import ABC, abstractmethod
from collections import Counter, deque
from collections.abc import Callable, Iterable
from typing import Any

from crypto import DecodingError, Draw, Group, Ristretto255
from engine import Seat
from p2p.protocol.ballot import SignedBallot, SignedLeave
from p2p.protocol.books import Books
from p2p.protocol.deal_held import HeldEntries
from p2p.protocol.deal_own import DealSecrets, Making, OwnSeat
from p2p.protocol.deal_sight import DealSight
from p2p.protocol.deal_terms import DealTerms
from p2p.protocol.effects import Absent, Effect, Ended, Finished, Job, Outcome, Run, Stopped, Store, Void
from p2p.protocol.entry import Entry, SignedEntry
from p2p.protocol.errors import Breach, MalformedMessage
from p2p.protocol.evidence import FORK, Evidence
from p2p.protocol.ledger import Frame, Phase


class DealCore(DealSight, ABC):
    """The state of one peer's deal beyond what can be seen of it; `Deal` says what its arguments are."""

    def __init__(
        self,
        terms: DealTerms,
        own: OwnSeat | None,
        draw: Draw,
        group: Group | None = None,
        secrets: bytes | None = None,
        journal: Iterable[SignedEntry] = (),
        *,
        listening: bool = False,
        ended: bool = False,
    ) -> None:
        group = Ristretto255() if group is None else group
        frame = Frame.of(terms, group)
        if own is not None and frame.keys[own.seat] != own.identity.public:
            raise ValueError("the identity does not hold this seat")
        super().__init__(frame, own)
        self.noise: Counter[str] = Counter()
        self._draw = draw
        self._held = HeldEntries()
        self._inbox: deque[tuple[Entry, SignedEntry, bool]] = deque()
        self._jobs: dict[int, tuple[Entry, SignedEntry] | Making] = {}
        self._next_job = 1
        self._asked: set[tuple[bytes | None, int]] = set()
        self._started = self._reads = False
        self._secrets: DealSecrets | None = None
        stored: DealSecrets | None = None
        if own is not None and not ended:
            stored = _stored_secrets(group, secrets)
            self._secrets = stored or DealSecrets.make(group, draw)
        self._secrets_stored = stored is not None
        self._journal = deque(journal)
        self._replaying = bool(self._journal)
        self._own_stored = self._own_entries(self._journal)
        self._signed: dict[int, SignedEntry] = {}
        self._silent = own is not None and stored is None and bool(self._journal) and not ended
        self._listening = listening
        self._stored = {signed.entry for signed in self._journal}
        self._unstored: list[SignedEntry] = []
        self._new_leaves: list[SignedLeave] = []
        self._late_receipts: dict[Seat, tuple[Entry, SignedEntry]] = {}

    def _own_entries(self, journal: Iterable[SignedEntry]) -> dict[int, SignedEntry]:
        found: dict[int, SignedEntry] = {}
        for signed in journal:
            entry = signed.open()
            if self._own is not None and entry.seat == self._own.seat:
                found[entry.step] = signed
        return found

    def _has_spoken(self) -> bool:
        return self._silent or self._making is not None or self.step in self._signed

    def _run(
        self,
        function: Callable[..., Any],
        args: tuple[Any, ...],
        pending: tuple[Entry, SignedEntry] | Making,
        effects: list[Effect],
    ) -> None:
        job = Job(self._next_job, function, args)
        self._next_job += 1
        self._jobs[job.id] = pending
        effects.append(Run(job))

    def _store(
        self, own: SignedEntry | None, effects: list[Effect], voted: SignedBallot | None = None
    ) -> None:
        secrets = None
        if own is not None and not self._secrets_stored and self._secrets is not None:
            secrets = self._secrets.encode(self._frame.group)
            self._secrets_stored = True
        votes = (self._fresh_ballots(take=True), tuple(self._new_leaves))
        effects.append(Store(self.terms.deal, tuple(self._unstored), own, secrets, *votes, voted))
        self._unstored.clear()
        self._new_leaves.clear()

    @abstractmethod
    def _fresh_ballots(self, *, take: bool = False) -> tuple[SignedBallot, ...]:
        """The ballots here that are to be stored and are not; `take`: they are being stored."""

    def _fork(
        self, seat: Seat, step: int, pair: tuple[SignedEntry, SignedEntry], effects: list[Effect]
    ) -> None:
        """End the deal by a fork: also a stopped one, since no fault of an engine makes two signatures."""
        if isinstance(self._outcome, Stopped) or self._can_turn_void:
            evidence = Evidence(int(seat), FORK, self.terms, (), pair)
            self._end(Void(step, seat, FORK, evidence), effects)

    def _ballot_fork(
        self, seat: Seat, step: int, pair: tuple[SignedBallot, SignedBallot], effects: list[Effect]
    ) -> None:
        """End the deal by two ballots of one seat that contradict each other."""
        if self._can_turn_void:
            evidence = Evidence(int(seat), FORK, self.terms, (), (), pair)
            self._end(Void(step, seat, FORK, evidence), effects)

    @property
    def _can_turn_void(self) -> bool:
        """Whether what a seat has signed can still end the deal. Not one whose end this seat has voted on."""
        if isinstance(self._outcome, Absent):
            return True
        voted = self._state.phase is Phase.OVER and self._frozen
        return not (self._ended_badly or self.settled or voted)

    def _breach(
        self,
        breach: Breach,
        signed: SignedEntry,
        effects: list[Effect],
        beside: tuple[SignedEntry, ...] = (),
    ) -> None:
        """End the deal by a breach; `beside`: entries of the same step without which it does not show."""
        if not self._can_turn_void:
            return
        entry = signed.open()
        step = self._record.step_of(entry.previous)
        assert step is not None
        ledger = (*self._record.before(step), *beside)
        evidence = Evidence(breach.seat, breach.check, self.terms, ledger, (signed,))
        self._end(Void(entry.step, Seat(breach.seat), breach.check, evidence), effects)

    def _end(self, outcome: Outcome, effects: list[Effect]) -> None:
        """End the deal: what is not stored yet is stored, and the secrets are dropped, all but the deal key
        of a finished deal: its books may still be opened.
        """
        if isinstance(outcome, Void):
            self._unstored.extend(
                signed for signed in outcome.evidence.accused if signed.entry not in self._stored
            )
        if self._unstored or self._fresh_ballots() or self._new_leaves:
            self._store(None, effects)
        self._outcome = outcome
        if not isinstance(outcome, Finished):
            self._open_books = None
        elif self._open_books is None:
            secret = None if self._secrets is None else self._secrets.key.secret
            self._open_books = Books(self._frame, self._state.publics, outcome.final_head, self._own, secret)
        self._secrets = None
        self._jobs.clear()
        self._making = None
        if self._closed:
            self._inbox.clear()
            self._held.clear()
        effects.append(Ended(outcome))


def _stored_secrets(group: Group, secrets: bytes | None) -> DealSecrets | None:
    """Secrets from a journal; None if they are not there or damaged."""
    try:
        return None if secrets is None else DealSecrets.decode(group, secrets)
    except (MalformedMessage, DecodingError):
        return None
