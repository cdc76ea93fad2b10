"""What every part of plain mode works with."""

from collections.abc import Callable
from dataclasses import dataclass

from p2p.protocol.snapshot import TableSnapshot
from ui.evening import Evening
from ui.plain.dialogue import Dialogue
from ui.plain.news import TableNews
from ui.play_node import PlayNode
from ui.settings import OwnSettings, Settings
from ui.words import asks
from ui.words.leaving import leaving_costs


@dataclass(frozen=True, slots=True)
class Means:
    """The node, what wishes do to it, the dialogue, what there is to tell, the snapshots' clock, and the
    person's own settings.
    """

    node: PlayNode
    evening: Evening
    dialogue: Dialogue
    news: TableNews
    now: Callable[[], float]
    own: OwnSettings

    @property
    def settings(self) -> Settings:
        """What is set now."""
        return self.own.now

    @property
    def table(self) -> TableSnapshot:
        """The own table, where there is one."""
        table = self.node.table
        assert table is not None, "asked only at a table"
        return table

    async def leave(self) -> None:
        """Leave the own table, once the cost is known and agreed to. Raises as `Dialogue.ask`."""
        if await self.dialogue.confirm(asks.leave(leaving_costs(self.table))):
            self.evening.leave()
