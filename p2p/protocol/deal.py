"""The machine of one deal, for a seat, a watcher or an auditor: entries come in, effects go out.

Theory of operation. `DealState` (ledger.py) is the verified state at one head; this class keeps one for
every step, the entries of every step, and what is on its way:

    arriving --decode, signature--> known already? ------------------------------> dropped
        |                           differs from one seat's known entry? --------> void, fork
        |                           previous head unknown? ----------------------> held, ancestors fetched
        |                           judged at its own previous head: breach? ----> void
        '--> proof left? --job--> proven? --no----------------------------------> void
                                    '--yes--> accepted --all owed are in--> next step --> held entries, own
                                    entries

A step's state exists only once every entry before it was verified, and own entries are made from that
state. So nothing is signed, and no seal above all, before everything it builds on was verified. Own entries
are made once a step; the one stored is sent again after a restart.
"""

from typing import TypeAlias

import engine
from crypto import DecodingError, InvalidProof
from engine import Refusal, Seat, Slot
from p2p.protocol.deal_held import Held
from p2p.protocol.deal_own import Making, answer_commit_body, body_of, instant_body, making_for
from p2p.protocol.deal_steps import advance
from p2p.protocol.deal_votes import DealVotes
from p2p.protocol.effects import (
    Absent,
    Effect,
    Fetch,
    Finished,
    Happened,
    Publish,
    Stopped,
    Void,
)
from p2p.protocol.entry import (
    Body,
    CallBody,
    Entry,
    Kind,
    LayBody,
    OutBody,
    SetsBody,
    SignedEntry,
    check_signature,
    sign_entry,
)
from p2p.protocol.errors import Breach, MalformedMessage, NotNow
from p2p.protocol.judge import judge, judge_proven
from p2p.protocol.ledger import Owed, Phase

Choice: TypeAlias = engine.Lay | engine.Call | engine.Answer | engine.GoOut | engine.DiscardSets
"""What a person or bot decides; all else the deal makes by itself."""

_READABLE = frozenset({Phase.PLAY, Phase.ANSWER_COMMIT})
"""Phases in which every share of the own hand may have just come in."""


class Deal(DealVotes):
    """One deal as one peer sees it. `own` None: a watcher or auditor, which verifies all and makes nothing.

    terms: what the deal starts from. draw: the source of every secret and of verifiers' weights. group:
    ristretto255 if None. secrets, journal, ballots, leaves: take up a deal again after a restart, with what
    `Store` effects wrote, in order. listening: say only what the journal holds until `speak`: it may be older
    than what this seat has said. ended: the journal says that the deal has ended, so its secrets are erased;
    nothing but a receipt, which takes none, is made any more.

    Raises: MalformedMessage, ProposalRefused if the terms are not valid; RandomSourceError if the source is
    stuck.
    """

    # What comes in ------------------------------------------------------------------------------------

    def start(self) -> tuple[Effect, ...]:
        """Take part: replay the journal, if any, and make own entries from now on. To call once."""
        self._started = True
        return self.replay()

    def replay(self) -> tuple[Effect, ...]:
        """Read the journal, if any: of a deal that the own seat takes no part in yet but knows of."""
        self._reads = True
        effects: list[Effect] = []
        self._pump(effects)
        return tuple(effects)

    def speak(self) -> tuple[Effect, ...]:
        """From now on make new entries as well: what others know of the own ones is known here."""
        self._listening = False
        effects: list[Effect] = []
        self._pump(effects)
        return tuple(effects)

    def stop(self) -> tuple[Effect, ...]:
        """Go no further: before the restart the engines were found to disagree, which no entry shows."""
        effects: list[Effect] = []
        if self._outcome is None:
            self._end(Stopped(self.step), effects)
        return tuple(effects)

    def receive(self, signed: SignedEntry, source: bytes | None = None) -> tuple[Effect, ...]:
        """Take in an entry from anybody. `source`: the identity key of the peer that sent it, to fetch
        ancestors from.

        Nothing that comes in raises. What is no entry of this deal is dropped and counted in `noise`.
        """
        effects: list[Effect] = []
        self._arrive(signed, source, effects)
        self._pump(effects)
        return tuple(effects)

    def submit(self, move: Choice) -> tuple[Effect, ...]:
        """Make the own seat's move.

        Raises: IllegalMove if the rules refuse it; NotNow if it is not owed at this moment, is on its way
        already, or somebody has left the deal, which waits then for the poll about him. Nothing changes then.
        """
        state, own = self._state, self._own
        if own is None or state.game is None or self._outcome is not None or not self._started:
            raise NotNow("not-owed")
        if self._listening or self._journal or self._secrets is None:
            raise NotNow("listening")
        engine.apply(state.game, move)
        owed = state.owed_by(own.seat)
        if move.seat != own.seat or owed is None or not owed.choice:
            raise NotNow("not-owed")
        if self._has_spoken():
            raise NotNow("on-its-way")
        if self.left:
            raise NotNow("somebody-left")
        effects: list[Effect] = []
        match move:
            case engine.Lay():
                slots = tuple(map(int, move.slots))
                self._say(LayBody(slots, int(move.rank), move.number, move.out), effects)
            case engine.Call():
                self._say(CallBody(move.believe, move.index), effects)
            case engine.GoOut():
                self._say(OutBody(), effects)
            case engine.Answer():
                assert self._secrets is not None, "kept until the deal ends"
                self._say(answer_commit_body(state, move, self._secrets), effects)
            case engine.DiscardSets():
                if any(
                    self._faces.get(slot) != face for slot, face in zip(move.slots, move.faces, strict=True)
                ):
                    raise engine.IllegalMove(Refusal.WRONG_FACES)
                self._remove(move.slots, owed, effects)
        self._pump(effects)
        return tuple(effects)

    def job_done(self, job_id: int, result: object) -> tuple[Effect, ...]:
        """Take the result of a job, or the `CryptoError` that it raised. Jobs of an ended deal are ignored.

        Raises: whatever else `result` is, since the fault is then this machine's: a broken random source or
        library, for instance.
        """
        pending = self._jobs.pop(job_id, None)
        effects: list[Effect] = []
        if pending is None or self._closed:
            return ()
        if isinstance(pending, Making):
            self._making = None
            if isinstance(result, BaseException):
                raise result
            assert self._secrets is not None
            self._say(body_of(pending, result, self._secrets), effects)
        elif result is None:
            self._accept(*pending, effects)
        elif isinstance(result, InvalidProof):
            self._breach(Breach(Seat(pending[0].seat), result.check.value), pending[1], effects)
        elif isinstance(result, DecodingError):
            self._breach(Breach(Seat(pending[0].seat), "encoding"), pending[1], effects)
        else:
            # A proof holds if its verification returned None, and by nothing else.
            raise result if isinstance(result, BaseException) else TypeError("a verification returns None")
        self._pump(effects)
        return tuple(effects)

    def compare(self, step: int, head: bytes, digest: bytes, source: bytes | None) -> tuple[Effect, ...]:
        """Compare another peer's step, head and digest with one's own: what it leads to, mostly nothing.

        A peer that is ahead, or at another head of a step known here, is asked for entries. Equal heads
        with different digests stop a deal that goes on. One that has ended stays as it is: a digest is not
        signed, and takes nothing back that follows from what is.
        """
        known = self._record.state_at(step)
        if self._ended_badly:
            return ()
        if known is None:
            return (Fetch(source, self.step),)
        if known.head != head:
            return (Fetch(source, max(step - 1, 0)),)
        if self._outcome is not None or known.digest() == digest:
            return ()
        other = None if source is None else self.terms.seat_of(source)
        effects: list[Effect] = []
        self._end(Stopped(step, other), effects)
        return tuple(effects)

    # How it works -------------------------------------------------------------------------------------

    def _arrive(self, signed: SignedEntry, source: bytes | None, effects: list[Effect]) -> None:
        """Decode an entry, look for a fork, then judge it or hold it.

        In a stopped deal nothing is judged any more, but what a seat signs twice is still a fork.
        """
        stopped = isinstance(self._outcome, Stopped)
        if self._closed and not stopped:
            return
        try:
            entry = self._opened(signed)
            seat = Seat(entry.seat)
            known = self._record.known(entry.step, seat) or self._held.at(seat, entry.step)
            if known is not None and known.entry == signed.entry:
                return
            ahead = known is None and (stopped or self._record.step_of(entry.previous) is None)
            if ahead and not self._held.takes(seat, entry.step):
                # Found before its signature is looked at: a seat may sign any number of entries far ahead.
                return
            check_signature(self._frame.keys[seat], signed)
        except MalformedMessage as error:
            self.noise[error.check] += 1
            return
        if known is not None:
            self._keep_receipt(entry, signed, effects)
            self._fork(seat, entry.step, (known, signed), effects)
            return
        if stopped:
            self._held.add(Held(entry, signed, source))
            return
        if self._own is not None and seat == self._own.seat and signed not in self._own_stored.values():
            # The own key has spoken elsewhere, or its journal is lost: from here on only listen.
            self._silent = True
        if ahead:
            self._hold(Held(entry, signed, source), effects)
        else:
            self._inbox.append((entry, signed, False))
            self._record.note(entry, signed)

    def _opened(self, signed: SignedEntry) -> Entry:
        entry = signed.open()
        if entry.table != self._frame.table_id or entry.deal != self._frame.terms.deal:
            raise MalformedMessage("another deal")
        if entry.seat >= len(self._frame.keys):
            raise MalformedMessage("no such seat")
        return entry

    def _hold(self, held: Held, effects: list[Effect]) -> None:
        self._held.add(held)
        self._fetch(held, effects)

    def _fetch(self, held: Held, effects: list[Effect]) -> None:
        """Ask for the ancestors of a held entry: the next ones if this peer is behind, else those just
        before it.
        """
        if isinstance(self._outcome, Absent):
            return
        step = held.entry.step
        wanted = self.step if step > self.step else step - 1
        if wanted >= 0 and (held.source, wanted) not in self._asked:
            self._asked.add((held.source, wanted))
            effects.append(Fetch(held.source, wanted))

    def _pump(self, effects: list[Effect]) -> None:
        """Work until nothing more can be done without input."""
        while not self._closed:
            if self._reads and self._recall(effects):
                continue
            if self._inbox:
                self._judge(*self._inbox.popleft(), effects)
            elif self._record.complete and not self._frozen and not isinstance(self._outcome, Absent):
                self._advance(effects)
            elif self._reads and self._journal and self._builds_on_known(self._journal[0]):
                self._arrive(self._journal.popleft(), None, effects)
            elif not self._act(effects):
                self._replaying = self._replaying and bool(self._jobs)
                return

    def _builds_on_known(self, signed: SignedEntry) -> bool:
        return self._record.step_of(signed.open().previous) is not None

    def _judge(self, entry: Entry, signed: SignedEntry, own: bool, effects: list[Effect]) -> None:
        step = self._record.step_of(entry.previous)
        assert step is not None
        state = self._record.state_at(step)
        assert state is not None
        try:
            check = judge(state, entry, self._draw)
        except Breach as breach:
            self._breach(breach, signed, effects)
            return
        if check is None or own:
            self._accept(entry, signed, effects)
            return
        self._run(check.function, check.args, (entry, signed), effects)

    def _accept(self, entry: Entry, signed: SignedEntry, effects: list[Effect]) -> None:
        try:
            state = self._record.state_at(entry.step)
            assert state is not None
            judge_proven(state, entry)
        except Breach as breach:
            self._breach(breach, signed, effects)
            return
        self._record.accept(entry, signed)
        if signed.entry not in self._stored:
            self._stored.add(signed.entry)
            self._unstored.append(signed)
            if entry.kind is Kind.RECEIPT:
                self._store(None, effects)
        self._complete_receipts(effects)

    def _keep_receipt(self, entry: Entry, signed: SignedEntry, effects: list[Effect]) -> None:
        """Keep the true receipt of a seat that has said something else in its place before.

        It counts once with it all are in: others may have seen nothing but the true ones.
        """
        state = self._state
        due = state.phase is Phase.OVER and entry.kind is Kind.RECEIPT
        if due and (entry.step, entry.previous) == (state.step, state.head):
            self._late_receipts.setdefault(Seat(entry.seat), (entry, signed))
            self._complete_receipts(effects)

    def _complete_receipts(self, effects: list[Effect]) -> None:
        """Finish a deal for good once the receipt of every seat is here, whatever else was said."""
        late = {seat: pair for seat, pair in self._late_receipts.items() if seat not in self.receipts}
        if self._state.phase is not Phase.OVER or len(self.receipts) + len(late) < len(self._frame.keys):
            return
        for entry, signed in late.values():
            self._record.accept(entry, signed)
            if signed.entry not in self._stored:
                self._stored.add(signed.entry)
                self._unstored.append(signed)
        self._late_receipts.clear()
        if self._unstored:
            self._store(None, effects)
        if isinstance(self._outcome, Void):
            self._finish(effects)

    def _advance(self, effects: list[Effect]) -> None:
        before = self._state
        try:
            after, happened = advance(before, self._record.entries_at(before.step))
        except Breach as breach:
            beside = dict(self._record.accepted_at(before.step))
            accused = beside.pop(Seat(breach.seat))
            self._breach(breach, accused, effects, tuple(signed for _, signed in sorted(beside.items())))
            return
        self._record.push(after)
        self._asked.clear()
        if after.cards is not before.cards or after.phase is not before.phase:
            self._read_faces()
        effects.extend(Happened(before.step, event) for event in happened)
        for held in self._held.release(after.head):
            self._inbox.append((held.entry, held.signed, False))
            self._record.note(held.entry, held.signed)
        for held in self._held.up_to(after.step):
            self._fetch(held, effects)
        if after.phase is Phase.OVER:
            self._act(effects)
            self._finish(effects)

    def _finish(self, effects: list[Effect]) -> None:
        state = self._state
        assert state.game is not None
        self._end(Finished(state.step, state.head, state.game.loser, state.game.winner), effects)

    def _read_faces(self) -> None:
        """Read what has become readable: the own hand, and what everybody sees."""
        state = self._state
        for slot, card in state.cards.cards.items():
            if card.face is not None:
                self._faces[slot] = card.face
        if self._own is None or self._secrets is None or state.game is None or state.phase not in _READABLE:
            return
        if self._secrets.key.public != state.publics[self._own.seat]:
            # The own key has spoken elsewhere, with other secrets: these ones open nothing.
            return
        for slot in state.game.hand_of(self._own.seat):
            if slot not in self._faces:
                face = self._secrets.read(state, slot)
                assert face is not None, "verified shuffles and shares open to cards of the deck"
                self._faces[slot] = face

    def _act(self, effects: list[Effect]) -> bool:
        """Make the own entry that is owed now, if it needs no decision; False if there is nothing to do."""
        if self._own is None or not self._started or self._has_spoken():
            return False
        if self._secrets is None and not isinstance(self._outcome, Finished):
            return False
        owed = self._state.owed_by(self._own.seat)
        if owed is None:
            return False
        stored = self._own_stored.get(self.step)
        if stored is not None:
            return self._say_again(stored, effects)
        if any(step > self.step for step in self._own_stored):
            # What this seat has said here is lost, though what it said later is not.
            self._silent = True
        if self._silent or self._listening or self._journal or owed.choice:
            return False
        body = instant_body(owed.kinds[0], self._state, owed.seat, self._secrets)
        if body is not None:
            self._say(body, effects)
        elif owed.kinds == (Kind.SETS,):
            # They are forced: all of them, or none because none is held.
            view = self.view
            assert view is not None
            self._remove(tuple(sorted(slot for group in view.sets for slot in group)), owed, effects)
        else:
            self._make(owed, effects)
        return True

    def _remove(self, slots: tuple[Slot, ...], owed: Owed, effects: list[Effect]) -> None:
        """Show and remove sets of the own hand, or decline."""
        if slots:
            self._make(Owed(owed.seat, (Kind.SETS,), owed.duty, slots), effects)
        else:
            self._say(SetsBody((), b"", b""), effects)

    def _make(self, owed: Owed, effects: list[Effect]) -> None:
        assert self._secrets is not None
        making = making_for(owed, self._state, self._secrets, self._draw)
        self._making = making
        self._run(making.function, making.args, making, effects)

    def _say(self, body: Body, effects: list[Effect]) -> None:
        """Sign an own entry at this step: once and never again."""
        assert self._own is not None
        assert self.step not in self._signed, "nobody signs a second entry for a step"
        state = self._state
        entry = Entry(self.table_id, self.terms.deal, state.step, self._own.seat, state.head, body)
        signed = sign_entry(self._own.identity, entry)
        self._signed[state.step] = signed
        self._record.note(entry, signed)
        self._stored.add(signed.entry)
        self._store(signed, effects)
        effects.append(Publish(signed))
        self._inbox.append((entry, signed, True))

    def _say_again(self, stored: SignedEntry, effects: list[Effect]) -> bool:
        """Send the entry again that was stored before a restart; it comes in like everybody's."""
        if stored.open().previous != self.head:
            self._silent = True
            return False
        self._signed[self.step] = stored
        if self.step == max(self._own_stored):
            effects.append(Publish(stored))
        return True
