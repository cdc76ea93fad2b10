"""What can be seen of a deal: the read-only half of `Deal`, all of it derived from its ledger."""

import engine
from engine import Card, Seat, Slot, View
from p2p.protocol import deal_views
from p2p.protocol.books import Books
from p2p.protocol.deal_own import Making, OwnSeat
from p2p.protocol.deal_record import DealRecord
from p2p.protocol.deal_terms import DealTerms
from p2p.protocol.deal_views import Owed, ShuffleProgress, Stage, Trust
from p2p.protocol.effects import Absent, Finished, Outcome, Stopped, Void
from p2p.protocol.entry import SignedEntry
from p2p.protocol.ledger import DealState, Frame, Phase

ENTRIES_LIMIT_BYTES = 200_000
"""What one answer to a fetch holds at most, so that it fits a frame of 256 KiB; the rest is fetched next."""


class DealSight:
    """The visible side of one deal; `Deal` adds what changes it."""

    def __init__(self, frame: Frame, own: OwnSeat | None) -> None:
        self._frame = frame
        self._own = own
        self._record = DealRecord(DealState.start(frame))
        self._owed_at: tuple[DealState | None, tuple[Owed, ...]] = (None, ())
        """What is owed in a state: it is asked for at every event."""
        self._outcome: Outcome | None = None
        self._open_books: Books | None = None
        self._faces: dict[Slot, Card] = {}
        self._making: Making | None = None
        self._replaying = False
        self._silent = False

    @property
    def terms(self) -> DealTerms:
        """What the deal started from."""
        return self._frame.terms

    @property
    def table_id(self) -> bytes:
        """The table's id."""
        return self._frame.table_id

    @property
    def public_state(self) -> DealState:
        """The verified state at the latest head."""
        return self._state

    @property
    def record(self) -> DealRecord:
        """The ledger: states by step, and the entries of each."""
        return self._record

    @property
    def step(self) -> int:
        """The step whose entries are being collected."""
        return self._state.step

    @property
    def head(self) -> bytes:
        """The head of that step: what its entries build on."""
        return self._state.head

    @property
    def digest(self) -> bytes:
        """The digest of the engine's state at that head."""
        return self._state.digest()

    @property
    def have(self) -> frozenset[Seat]:
        """Whose entry of the current step is here, verified or being verified."""
        return frozenset(Seat(seat) for seat in self._record.known_at(self.step))

    @property
    def state(self) -> engine.State | None:
        """The engine's state, from the last shuffle on."""
        return self._state.game

    @property
    def view(self) -> View | None:
        """The engine's state with the faces that this seat (or a watcher) has read."""
        game = self._state.game
        if game is None:
            return None
        return View(game, None if self._own is None else self._own.seat, dict(self._faces))

    @property
    def owed(self) -> tuple[Owed, ...]:
        """Who still owes an entry at this step; nothing once the deal has ended badly."""
        if self._ended_badly:
            return ()
        state = self._state
        if self._owed_at[0] is not state:
            self._owed_at = (state, state.owed)
        accepted = self._record.accepted_at(state.step)
        return tuple(owed for owed in self._owed_at[1] if owed.seat not in accepted)

    @property
    def stage(self) -> Stage:
        """Where the deal stands, coarsely."""
        return deal_views.stage_of(self._state, self._outcome)

    @property
    def shuffles(self) -> tuple[ShuffleProgress, ...]:
        """How far each seat's shuffle of the whole deck is, clockwise; empty until the seating is known."""
        return deal_views.shuffles_of(self._record, None if self._own is None else self._own.seat)

    @property
    def trust(self) -> Trust:
        """What has been proven so far."""
        return deal_views.trust_of(self._state)

    @property
    def readers(self) -> tuple[deal_views.CardReading, ...]:
        """For every card of every slot so far, who could read it and from which step on."""
        return deal_views.readings_of(self._state)

    @property
    def receipts(self) -> frozenset[Seat]:
        """Whose receipt is in."""
        return (
            frozenset(self._record.accepted_at(self.step)) if self._state.phase is Phase.OVER else frozenset()
        )

    @property
    def settled(self) -> bool:
        """Whether the outcome is final: stopped, void before the last step, or signed by every seat but those
        whose receipts a poll has given up.
        """
        given_up = isinstance(self._outcome, Finished) and bool(self._outcome.without)
        signed = len(self.receipts) == len(self._frame.keys) and not self._frozen
        return self._closed or given_up or signed

    @property
    def working(self) -> bool:
        """Whether an own proof is being made."""
        return self._making is not None

    @property
    def replaying(self) -> bool:
        """Whether the journal of a deal that was taken up again is still being gone through."""
        return self._replaying and not self._closed

    @property
    def silent(self) -> bool:
        """Whether the own seat signs nothing more in this deal: what it has said is not all known here."""
        return self._silent

    @property
    def outcome(self) -> Outcome | None:
        """How the deal ended, or None."""
        return self._outcome

    @property
    def books(self) -> Books | None:
        """The wishes and keys that open the books, once all have signed that the deal is finished."""
        signed = len(self.receipts) == len(self._frame.keys)
        return self._open_books if self.settled and signed else None

    def entries_from(
        self, step: int, have: frozenset[Seat] = frozenset(), limit_bytes: int = ENTRIES_LIMIT_BYTES
    ) -> tuple[SignedEntry, ...]:
        """The entries that a peer lacks which is at `step` and has those of `have` there: as many as
        `limit_bytes` hold, at least one.

        Only verified entries are passed on, and after a void deal the accused ones, so that everybody can
        judge them.
        """
        accused = self._outcome.evidence.accused if isinstance(self._outcome, Void) else ()
        return self._record.entries_from(step, have, limit_bytes, accused)

    @property
    def _state(self) -> DealState:
        return self._record.latest

    @property
    def _ended_badly(self) -> bool:
        return isinstance(self._outcome, Void | Stopped | Absent)

    @property
    def _frozen(self) -> bool:
        """Whether the own seat has promised in a poll to go no further than the current step."""
        return False

    @property
    def _closed(self) -> bool:
        """Whether nothing is taken in any more.

        A fork or breach that shows after the last step leaves room for receipts: those of all seats make the
        deal a finished one, whether they came before the other story or behind it. A deal that a poll has
        ended still turns void by what proves a misdeed.
        """
        return isinstance(self._outcome, Void | Stopped) and (
            isinstance(self._outcome, Stopped) or self._state.phase is not Phase.OVER
        )
