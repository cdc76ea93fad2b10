"""Plain mode over standard input and output, for `ui.play`."""

import asyncio
import signal
import sys
from collections.abc import Callable

from p2p.net.node import Node
from ui.companions import Companions
from ui.glyphs import GlyphSet
from ui.plain.console import Console, shown_signs
from ui.plain.dialogue import Told
from ui.plain.program import PlainProgram
from ui.play import Build, Start
from ui.settings import OwnSettings
from ui.table.coach import Coach
from ui.words.ranks import print_latin


class _Plain:
    """The program between its input and its output."""

    def __init__(
        self,
        node: Node,
        company: Companions,
        start: Start,
        otherwise: Callable[[], None],
        settings: OwnSettings,
        signs: Callable[[], dict[int, str]],
    ) -> None:
        self._console = Console(signs)
        self._program = PlainProgram(
            node,
            self._console,
            company=company,
            otherwise=otherwise,
            settings=settings,
            watch=start.watch,
            coach=Coach(by_keys=False) if start.first_deal else None,
            at_terminal=sys.stdin.isatty(),
        )
        self.exit = self._program.exit

    def say(self, sentence: str) -> None:
        """Say it between two questions, or at the one that is open."""
        self._program.dialogue.put(Told(sentence))

    async def run(self) -> int:
        """Ask and listen to the end."""
        asyncio.get_running_loop().add_signal_handler(signal.SIGINT, self._program.interrupt)
        self._console.open(self._program.dialogue.put)
        try:
            return await self._program.run()
        finally:
            await self._console.close()


def plainly(settings: OwnSettings, glyphs: GlyphSet) -> Build:
    """Return what builds plain mode. settings: those of the person. glyphs: what the terminal can show."""
    print_latin(settings.now.letters == "latin")
    signs = shown_signs(settings, glyphs)

    def build(node: Node, company: Companions, start: Start, otherwise: Callable[[], None]) -> _Plain:
        return _Plain(node, company, start, otherwise, settings, signs)

    return build
