"""One evening in the terminal: a node, the headless peers that keep one company, and the app over them."""

import asyncio
import signal
from dataclasses import dataclass
from typing import Final

from crypto import fingerprint
from engine import Ruleset
from p2p.errors import LocalError
from p2p.net.node import Node, NodeConfig
from p2p.protocol.table_rules import TableRules
from ui.app import VerishApp
from ui.cli.ending import exit_code, told_by
from ui.cli.exits import Exit
from ui.cli.output import note
from ui.cli.terminal import loss_of_screen
from ui.companions import Companions
from ui.glyphs import GlyphSet
from ui.manner import USUAL_MANNER, Manner
from ui.settings import OwnSettings
from ui.table.coach import Coach
from ui.words.people import company
from ui.words.resuming import nothing_unfinished
from ui.words.trouble import explained

BOTS_FOLDER: Final = "bots"
"""Below the data folder, a folder for each profile: the headless peers' own keys and journals."""


TERMINAL_LOOK_S: Final = 1.0
"""How often to look whether the terminal is still there; looking costs microseconds."""


@dataclass(frozen=True, slots=True)
class Evening:
    """What the evening begins with. bots: a table of `ruleset` and `table_rules`, opened at once with so many
    headless peers, who play in that manner; None for the lobby. resume: take up the unfinished table without
    asking; there must be one. first_deal: explain the first deal at that table. watch: the title of a table
    to watch once it is played.
    """

    bots: int | None
    ruleset: Ruleset
    table_rules: TableRules
    manner: Manner = USUAL_MANNER
    resume: bool = False
    first_deal: bool = False
    watch: str | None = None


async def play(config: NodeConfig, evening: Evening, settings: OwnSettings, glyphs: GlyphSet) -> int:
    """Run the program until the person quits or the process is told to end; return the exit code.

    glyphs: what the terminal can show. Raises: LocalError, NetworkError as `Node` does.
    """
    async with Node(config) as node:
        own = node.lobby.own_name
        names = [name for name in company(int.from_bytes(node.key)) if name != own]
        folder = config.home / BOTS_FOLDER / node.profile
        companions = Companions(folder, fingerprint(node.key), node.port, names, evening.manner)
        unfinished = node.unfinished
        if evening.resume and unfinished is None:
            note(nothing_unfinished())
            return Exit.USAGE

        def open_with_bots() -> None:
            if evening.bots is not None:
                node.open_table(own, evening.ruleset, evening.bots + 1, evening.table_rules)
                companions.call(own, evening.bots, evening.manner)

        app = VerishApp(
            node,
            settings=settings,
            glyphs=glyphs,
            company=companions,
            otherwise=open_with_bots,
            coach=Coach() if evening.first_deal else None,
            watch=evening.watch,
        )
        companions.complain = app.say
        if unfinished is None:
            open_with_bots()
        elif evening.resume:
            node.resume()
            companions.recall(unfinished.title)
        loop = asyncio.get_running_loop()
        for number in told_by():
            # The terminal is put in order again; a deal that is played can be taken up.
            loop.add_signal_handler(number, app.exit, exit_code(number))
        guard = asyncio.create_task(_leave_with_terminal(app))
        code = None
        try:
            code = await app.run_async()
        finally:
            guard.cancel()
            await _keep(settings)
            # Who has quit has left. What was ended from outside can be taken up again, by all.
            await companions.close(for_good=code == 0)
    return code or 0


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
