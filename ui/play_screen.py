"""The interface on the whole terminal, for `ui.play`."""

import asyncio
import signal
from collections.abc import Callable
from typing import Final

from p2p.errors import LocalError
from p2p.net.node import Node
from ui.app import VerishApp
from ui.cli.ending import exit_code
from ui.cli.output import note
from ui.cli.terminal import loss_of_screen
from ui.companions import Companions
from ui.glyphs import GlyphSet
from ui.play import Build, Start
from ui.settings import OwnSettings
from ui.table.coach import Coach
from ui.words.trouble import explained

TERMINAL_LOOK_S: Final = 1.0
"""How often to look whether the terminal is still there; looking costs microseconds."""


class _Screen:
    """The app, as long as its terminal is there."""

    def __init__(self, app: VerishApp) -> None:
        self._app = app
        self.exit = app.exit
        self.say = app.say

    async def run(self) -> int:
        """Run the app."""
        guard = asyncio.create_task(_leave_with_terminal(self._app))
        try:
            return await self._app.run_async() or 0
        finally:
            guard.cancel()
            await _keep(self._app.settings)


def screen(settings: OwnSettings, glyphs: GlyphSet) -> Build:
    """Return what builds the app. settings: those of the person. glyphs: what the terminal can show."""

    def build(node: Node, company: Companions, start: Start, otherwise: Callable[[], None]) -> _Screen:
        return _Screen(
            VerishApp(
                node,
                settings=settings,
                glyphs=glyphs,
                company=company,
                otherwise=otherwise,
                coach=Coach() if start.first_deal else None,
                watch=start.watch,
            )
        )

    return build


async def _keep(settings: OwnSettings) -> None:
    """Write down what was set in the last moment; the screen has gone, so a refusal is said below it."""
    try:
        await settings.save()
    except LocalError as error:
        note(explained(error) or str(error))


async def _leave_with_terminal(app: VerishApp) -> None:
    """End the app when its terminal is gone: a screen that nobody takes would soon hold everything up."""
    gone = loss_of_screen()
    while True:
        await asyncio.sleep(TERMINAL_LOOK_S)
        if gone():
            app.exit(exit_code(signal.SIGHUP))
            return
