"""One person's evening: a node, and the bots that keep him company. What a wish does to both stands here, so
that every interface does the same.
"""

import asyncio
import functools
import os
from collections.abc import Callable
from pathlib import Path

from engine import Ruleset
from p2p.errors import P2PError
from p2p.protocol.replay import NothingToReplay, Replay, read_replay, replay_journal
from p2p.protocol.snapshot import RefusedCommand, TableSnapshot
from p2p.protocol.table_code import TableCode
from p2p.protocol.table_rules import USUAL, TableRules
from ui.manner import USUAL_MANNER, Manner
from ui.play_node import Company, PlayNode
from ui.rulesets import FIRST_FORM
from ui.saving import save_transcript
from ui.words import news, past, refusals, replay, trouble


class Evening:
    """Over a running node. company: calls in headless peers; None where that cannot be done."""

    def __init__(self, node: PlayNode, company: Company | None = None) -> None:
        self.node = node
        self._company = company

    @property
    def keeps_company(self) -> bool:
        """Whether bots were called, and not sent home since."""
        return self._company is not None and self._company.keeps_company

    @property
    def played(self) -> TableSnapshot | None:
        """The table whose deal was played last, also while another company gathers."""
        table = self.node.table
        return table if table is None or table.before is None else table.before

    def play_with_bots(
        self,
        count: int,
        ruleset: Ruleset | None = None,
        table_rules: TableRules = USUAL,
        manner: Manner = USUAL_MANNER,
        *,
        title: str | None = None,
        seats: int | None = None,
    ) -> str:
        """Open a table, by the usual rules if no others are given, and call bots to it, who play in that
        manner.

        seats: how many play in all, if others are to come as well. Returns: why it cannot be, else "".
        """
        if self._company is None:
            return refusals.command_refused(RefusedCommand.NOT_NOW)
        if self.node.table is not None:
            # It was asked for twice: the table is there, and the bots are on their way.
            return ""
        title = title or self.node.lobby.own_name
        rules = ruleset or Ruleset.preset(FIRST_FORM)
        self.node.open_table(title, rules, seats or count + 1, table_rules)
        self._company.call(title, count, manner)
        return ""

    def open_table(
        self, title: str, ruleset: Ruleset, seats: int, table_rules: TableRules, code: TableCode | None
    ) -> None:
        """Open a table for people."""
        self.node.open_table(title, ruleset, seats, table_rules, code)

    def take_up(self) -> None:
        """Take up the unfinished table, with the companions who sat there."""
        unfinished = self.node.unfinished
        if unfinished is None:
            return
        self.node.resume()
        if self._company is not None:
            self._company.recall(unfinished.title)

    def leave(self) -> None:
        """Leave the own table."""
        if self.node.table is None or self.node.table.before is None:
            # From the way to a table that goes on, one is back at the own one, company and all.
            self.dismiss_company()
        self.node.leave()

    def quit(self) -> None:
        """Leave for good: the others need not wait for who has quit. What that costs was said."""
        if self.node.table is not None:
            self.node.leave()

    def dismiss_company(self) -> None:
        """Send the bots home."""
        if self._company is not None:
            self._company.dismiss()

    async def watch_again(self) -> Replay | str:
        """Return the deal of the own table to be watched again, or why it cannot be; every proof is checked
        first.
        """
        table, content = self.played, await self.node.transcript()
        if table is None or content is None or not table.deal:
            return replay.no_deal()
        own_key, read = self.node.lobby.own_key, {} if table.view is None else table.view.faces
        return await _checked(functools.partial(read_replay, content, os.urandom, own_key=own_key, read=read))

    async def watch_past(self, table_id: bytes, number: int) -> Replay | str:
        """Return a deal that is remembered to be watched again, as `watch_again` does."""
        try:
            kept = await self.node.past_deal(table_id, number)
        except P2PError as error:
            return trouble.explained(error) or str(error)
        if kept is None:
            return past.too_little_kept()
        own_key = self.node.lobby.own_key
        return await _checked(functools.partial(replay_journal, kept, os.urandom, own_key=own_key))

    async def save(self) -> str:
        """Save the transcript of the deal, ended or not, where the program was started; say where, or why
        not.
        """
        table = self.played
        content = await self.node.transcript()
        if table is None or content is None or not table.deal:
            return news.nothing_to_save()
        try:
            # The disk may be slow, and nothing here waits for it.
            path = await asyncio.to_thread(save_transcript, Path.cwd(), table.title, table.deal, content)
        except (P2PError, OSError) as error:
            return trouble.explained(error) or str(error)
        return news.saved(path.name, str(path.parent))


async def _checked(read: Callable[[], Replay]) -> Replay | str:
    """Return what `read` makes of a deal, or why nothing can be made of it."""
    try:
        # It takes seconds of a long deal, and nothing here waits for it.
        return await asyncio.to_thread(read)
    except NothingToReplay as refused:
        return replay.nothing(refused.report)
