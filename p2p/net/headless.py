"""A headless peer: a bot policy at a table, through the same door as a person.

It opens a table or waits for one of a name and joins it, is ready at once, plays as many deals as it was
asked for, also where its table is opened again between two of them, and says what happens as plain dicts
(`headless_report`). How it gets to a table and to the next deal is in `headless_way`. Decisions are made in a
thread. A policy that fails or takes too long gets the move of a simple one, and that is logged: nobody has to
wait for a broken bot.
"""

import asyncio
import logging
import math
import os
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from functools import partial
from typing import Final, TypeVar

from crypto import fingerprint, fresh_stream
from p2p.errors import NetworkError, NetworkReason
from p2p.net.headless_config import BotConfig, ProtocolTroubleError
from p2p.net.headless_mind import Mind
from p2p.net.headless_report import Emit, EventWriter, Reporter, outcome
from p2p.net.headless_way import Way, trouble
from p2p.net.node import Node
from p2p.net.node_events import NodeEvent
from p2p.net.paths import replace_file
from p2p.net.worker import place_of
from p2p.protocol.audit import AuditReport, audit
from p2p.protocol.peer_events import (
    AuditDone,
    AuditView,
    DealEnded,
    Happened,
    JoinRefused,
    MoveRefused,
    PeerBack,
    PeerLost,
    RefusedJoin,
    ResultKind,
    ResultView,
)
from p2p.protocol.snapshot import TableSnapshot

AUDIT_WAIT_S: Final = 60.0
"""The audit of a long deal takes a second or two; one that takes longer than this has failed."""

RECEIPTS_WAIT_S: Final = 10.0
"""After a deal: how long to wait for the receipts of the others before the transcript is written. Longer than
it takes to miss a link and to make it again, or a short cut at the very end would leave some of them out.
"""

BOOKS_WAIT_S: Final = 10.0
"""How long to wait for the keys of others, where all books are to be opened."""

POLL_S: Final = 0.25
"""How often waiting looks around even if nothing is said to have changed."""

__all__ = ["Bot", "BotConfig", "ProtocolTroubleError"]

_log = logging.getLogger(__name__)
_Answer = TypeVar("_Answer")


class Bot:
    """Plays on a running node. `await Bot(node, config, emit).run()`, once."""

    def __init__(self, node: Node, config: BotConfig, emit: Emit) -> None:
        """emit: takes each event as a JSON-able dict; called in order from a thread of its own, so it may
        wait.

        Raises: ValueError for an unknown policy.
        """
        self._node = node
        self._config = config
        self._writer = EventWriter(emit)
        self._reporter = Reporter(self._writer.put)
        self._mind = Mind(config.policy, config.seed)
        self._wake = asyncio.Event()
        self._turn = asyncio.Event()
        self._way = Way(node, config)
        self._decided: tuple[bytes | None, int, int] | None = None
        self._move_refused = False
        self._last: dict[str, object] = {}
        self._played: tuple[bytes | None, int] = (None, 0)
        """Table id and number of the last deal that was seen to its end."""
        self._overs: dict[tuple[bytes | None, int], TableSnapshot] = {}
        """By table id and number how deals have ended that were not looked at yet: nobody waits for one who
        only watches.
        """
        self._verdicts: dict[tuple[bytes | None, int], AuditView] = {}
        """By the same, what the auditor has said of deals."""

    async def run(self) -> dict[str, object]:
        """Play, and return the result, which is also the last event emitted.

        Raises: NetworkError (nobody-found), ProtocolTroubleError, LocalError when the node fails.
        """
        node, say = self._node, self._reporter.say
        key = fingerprint(node.key)
        start = {"name": node.lobby.own_name, "key": key, "profile": node.profile, "port": node.port}
        say({"event": "start", **start})
        stop = node.listen(self._listen)
        decider = asyncio.create_task(self._decide_for_ever())
        try:
            first = await self._arrive()
            for number in range(first, max(first, self._config.deals) + 1):
                if number > first and not await self._go_on():
                    break
                await self._play(number)
            result = {"event": "result", **self._last, "seconds": self._reporter.clock.seconds}
            if node.config.measure_stalls:
                result["largest_stall_ms"] = round(node.largest_stall_s * 1e3, 1)
            say(dict(result))
            return result
        finally:
            stop()
            decider.cancel()
            self._mind.close()
            await asyncio.to_thread(self._writer.close)

    # Listening

    def _listen(self, event: NodeEvent) -> None:
        table = self._node.table
        if isinstance(event, Happened):
            self._reporter.happened(event)
            if table is not None and table.view is not None:
                self._mind.observe(table.view, event.event)
        elif isinstance(event, JoinRefused):
            self._way.refused(event.offer_id, event.reason)
            if event.reason is RefusedJoin.WRONG_CODE:
                left = event.tries_left
                self._reporter.say({"event": "refused", "reason": event.reason.value, "tries_left": left})
        elif isinstance(event, MoveRefused):
            self._move_refused = True
        elif isinstance(event, AuditDone) and table is not None:
            self._verdicts[table.table_id, event.deal] = event.verdict
        elif isinstance(event, PeerLost | PeerBack) and table is not None:
            name = next((member.name for member in table.members if member.key == event.key), None)
            self._reporter.say({"event": "lost" if isinstance(event, PeerLost) else "back", "name": name})
        if table is not None:
            self._reporter.table(table, self._node.standing)
            if table.watching:
                self._note_end(table, event)
        self._wake.set()
        self._turn.set()

    def _note_end(self, table: TableSnapshot, event: NodeEvent) -> None:
        """Keep how a deal that is watched has ended; what came with its end may lead into the next one."""
        if isinstance(event, DealEnded) and event.deal != table.deal:
            table = replace(table, deal=event.deal, step=event.result.step, result=event.result)
        if table.result is not None and (table.table_id, table.deal) != self._played:
            self._overs[table.table_id, table.deal] = table

    async def _until(self, look: Callable[[], _Answer | None], limit_s: float | None) -> _Answer | None:
        """Wait until `look()` is not None and return it; None after `limit_s`, if that is a number.

        Raises: P2PError if the node failed.
        """
        end = math.inf if limit_s is None else time.monotonic() + limit_s
        while True:
            self._wake.clear()
            if self._node.failure is not None:
                raise self._node.failure
            if (answer := look()) is not None:
                return answer
            if (left := end - time.monotonic()) <= 0:
                return None
            with suppress(TimeoutError):
                async with asyncio.timeout(min(left, POLL_S)):
                    await self._wake.wait()

    # To the table

    async def _sit_down(self) -> None:
        """Open the table or find it, and be ready until it is formed."""
        config = self._config
        if config.ruleset is not None:
            self._node.open_table(config.table, config.ruleset, config.seats, config.table_rules, config.code)
            if self._node.table is None:
                raise ProtocolTroubleError("refused")
        if await self._until(self._way.to_a_table, config.patience_s) is None:
            if self._node.table is None and self._way.shut_out is not None:
                raise ProtocolTroubleError(self._way.shut_out)
            raise NetworkError(NetworkReason.NOBODY_FOUND, config.table)

    async def _arrive(self) -> int:
        """Come to a table, a new one or the one that was left by a crash. Returns the deal to begin with."""
        unfinished = self._node.unfinished
        if unfinished is None:
            await self._sit_down()
            return 1
        self._reporter.say({"event": "resume", "table": unfinished.title, "deal": unfinished.deal})
        self._node.resume()
        if await self._until(self._way.back_to_table, self._config.patience_s) is None:
            raise NetworkError(NetworkReason.NOBODY_FOUND, unfinished.title)
        return 1 if self._node.table is None else self._node.table.deal

    # Deals

    async def _play(self, number: int) -> None:
        """Play one deal of the evening to its end; write and audit its transcript."""
        try:
            table, result = await self._ended()
        except ProtocolTroubleError:
            # What there is of the deal shows who owes what.
            await self._write_transcript()
            raise
        # One that nobody had been dealt cards in may have been attempted anew meanwhile.
        deal = table.deal
        if result.kind is ResultKind.FINISHED:
            everybody = len(table.losses)
            await self._until(partial(self._signed_by, everybody, deal), RECEIPTS_WAIT_S)
            if self._config.open_books:
                await self._until(partial(self._books_open, deal), BOOKS_WAIT_S)
            now = self._node.table
            if now is not None and now.deal == deal and now.result is not None:
                table, result = now, now.result
        self._played = (table.table_id, deal)
        self._overs.pop(self._played, None)
        audited = await self._audited(await self._write_transcript(deal), result)
        place = self._node.standing(table.step, deal)
        self._last = {
            "deals": number,
            "form": table.ruleset.form,
            "seat": None if table.own_seat is None else int(table.own_seat),
            **outcome(result, table),
            "head": None if place is None else place[0].hex(),
            "digest": None if place is None else place[1].hex(),
            "audit": audited,
        }
        self._reporter.say({"event": "deal_over", "deal": number, **self._last})
        if result.kind is ResultKind.ABSENT and table.own_seat not in result.absent:
            return
        if result.kind is not ResultKind.FINISHED:
            raise trouble(table, result.check or result.kind.value, result.step, result.loser)

    async def _go_on(self) -> bool:
        """Wait until another deal begins, here or where this table goes on. Returns whether one does: not if
        the one whom this peer accompanies has gone on without it. Raises: P2PError.
        """
        # Where this peer only watches, the next deal may have begun, or ended, while it audited the last.
        goes_on = await self._until(partial(self._way.to_another_deal, self._played), self._config.patience_s)
        if goes_on is None:
            raise NetworkError(NetworkReason.NOBODY_FOUND, self._config.table)
        return goes_on

    def _signed_by(self, everybody: int, deal: int) -> bool | None:
        """True once all receipts of a deal are here, which they are where the next one has begun."""
        table = self._node.table
        if table is None or table.deal != deal or table.result is None:
            return True
        return True if len(table.result.signed) >= everybody else None

    def _books_open(self, deal: int) -> bool | None:
        """True once the books of a deal are open, or will not be, since the next one has begun."""
        table = self._node.table
        if table is None or table.deal != deal:
            return True
        self._way.agree_to_books(table)
        return True if table.books is not None and table.books.open else None

    async def _ended(self) -> tuple[TableSnapshot, ResultView]:
        """Wait for the end of a deal for as long as it moves."""
        place = None
        while True:
            table = self._node.table
            if table is None:
                raise ProtocolTroubleError("closed")
            if table.watching:
                table = next(iter(self._overs.values()), table)
            if table.result is not None:
                return table, table.result
            if self._way.deserted(table):
                # Whoever has left answers no more, so what is missing of the deal will not come.
                raise trouble(table, "left", table.step, table.everybody[0].seat)
            if place == (table.deal, table.step):
                raise trouble(table, "stalled", table.step, next((owed.seat for owed in table.owed), None))
            place = table.deal, table.step
            await self._until(partial(self._moved, place), self._config.stall_s)

    def _moved(self, place: tuple[int, int]) -> bool | None:
        table = self._node.table
        if table is None or (table.deal, table.step) != place or table.result is not None:
            return True
        return True if self._way.deserted(table) else None

    async def _write_transcript(self, deal: int | None = None) -> bytes | None:
        """Write the transcript of a deal, the current one unless told, where that is wished; return it."""
        written = await self._node.transcript(deal)
        if written is not None and self._config.transcript is not None:
            await asyncio.to_thread(replace_file, self._config.transcript, written)
        return written

    async def _audited(self, written: bytes | None, result: ResultView) -> str | None:
        """Return the auditor's verdict on the deal that has ended; None where there is nothing to audit."""
        if written is None or result.kind is ResultKind.STOPPED:
            return None
        verdict: AuditView | AuditReport | None
        if self._node.config.audits:
            verdict = await self._until(partial(self._verdicts.get, self._played), AUDIT_WAIT_S)
        else:
            verdict = await self._node.run_job(audit, written, fresh_stream(os.urandom))
        if verdict is None:
            return None
        return "ok" if verdict.ok else (verdict.check or "failed")

    # Decisions

    async def _decide_for_ever(self) -> None:
        while True:
            self._turn.clear()
            with suppress(TimeoutError):
                async with asyncio.timeout(POLL_S):
                    await self._turn.wait()
            try:
                await self._decide()
            except Exception as error:  # the next look may go better; a dead decider would hold up the table
                _log.warning("deciding failed: %s", place_of(error))

    async def _decide(self) -> None:
        """Make the own move if one is owed and has not been made."""
        table = self._node.table
        owed = None if table is None else table.owed_by_me
        if table is None or table.view is None or owed is None or not owed.is_choice or table.own_wait:
            return
        at = (table.table_id, table.deal, table.step)
        if at == self._decided and not self._move_refused:
            return
        if at == self._decided:
            _log.warning("the policy's move was refused")
            self._mind.give_up()
        self._decided, self._move_refused = at, False
        if self._config.pause_s:
            await asyncio.sleep(self._config.pause_s)
        # The machine may have slept meanwhile: a move is made where it was thought of, or not at all.
        self._node.submit(await self._mind.choose(table.view), at)
