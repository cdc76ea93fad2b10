"""The interface on the whole terminal, for `ui.play`."""

import asyncio
import os
import signal
import sys
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from p2p.net.node import Node
from ui.app import VerishApp
from ui.cli.ending import exit_code
from ui.companions import Companions
from ui.glyphs import GlyphSet
from ui.play import Build
from ui.theme import VERISH_LIGHT

TERMINAL_LOOK_S: Final = 1.0
"""How often to look whether the terminal is still there; looking costs microseconds."""


@dataclass(frozen=True, slots=True)
class Look:
    """How the screen looks and sounds. still: no animation. quiet: no bell."""

    glyphs: GlyphSet
    light: bool = False
    still: bool = False
    quiet: bool = False


class _Screen:
    """The app, as long as its terminal is there."""

    def __init__(self, app: VerishApp) -> None:
        self._app = app
        self.exit = app.exit
        self.say = app.say

    async def run(self) -> int:
        """Run the app."""
        watch = asyncio.create_task(_leave_with_terminal(self._app))
        try:
            return await self._app.run_async() or 0
        finally:
            watch.cancel()


def screen(look: Look) -> Build:
    """Return what builds the app with this look."""

    def build(node: Node, company: Companions, otherwise: Callable[[], None]) -> _Screen:
        return _Screen(
            VerishApp(
                node,
                glyphs=look.glyphs,
                animate=not look.still,
                bell=not look.quiet,
                theme=VERISH_LIGHT.name if look.light else None,
                company=company,
                otherwise=otherwise,
            )
        )

    return build


async def _leave_with_terminal(app: VerishApp) -> None:
    """End the app when its terminal is gone.

    Whoever started us may have kept the hang-up to himself, and a screen that nobody takes would soon hold
    everything up.
    """
    assert sys.__stderr__ is not None, "the screen is drawn there"
    while True:
        await asyncio.sleep(TERMINAL_LOOK_S)
        if not os.isatty(sys.__stderr__.fileno()):
            app.exit(exit_code(signal.SIGHUP))
            return
