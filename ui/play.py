"""One evening in the terminal: a node, the headless peers that keep one company, and the app over them."""

import asyncio
import os
import signal
import sys
from dataclasses import dataclass
from typing import Final

from crypto import fingerprint
from engine import Ruleset
from p2p.net.node import Node, NodeConfig
from p2p.protocol.table_rules import TableRules
from ui.app import VerishApp
from ui.cli.ending import exit_code, told_by
from ui.cli.exits import Exit
from ui.cli.output import note
from ui.companions import Companions
from ui.glyphs import GlyphSet
from ui.theme import VERISH_LIGHT
from ui.words.people import company
from ui.words.resuming import nothing_unfinished

BOTS_FOLDER: Final = "bots"
"""Below the data folder, a folder for each profile: the headless peers' own keys and journals."""


TERMINAL_LOOK_S: Final = 1.0
"""How often to look whether the terminal is still there; looking costs microseconds."""


@dataclass(frozen=True, slots=True)
class Look:
    """How the screen looks and sounds. still: no animation. quiet: no bell."""

    glyphs: GlyphSet
    light: bool = False
    still: bool = False
    quiet: bool = False


async def play(
    config: NodeConfig,
    bots: int | None,
    look: Look,
    ruleset: Ruleset,
    table_rules: TableRules,
    *,
    resume: bool = False,
    watch: str | None = None,
) -> int:
    """Run the program until the person quits or the process is told to end; return the exit code.

    bots: open a table of `ruleset` and `table_rules` at once with so many headless peers. resume: take up the
    unfinished table without asking; there must be one. watch: watch a table of this title once it is played.
    Raises: LocalError, NetworkError as `Node` does.
    """
    async with Node(config) as node:
        own = node.lobby.own_name
        names = [name for name in company(int.from_bytes(node.key)) if name != own]
        folder = config.home / BOTS_FOLDER / node.profile
        companions = Companions(folder, fingerprint(node.key), node.port, names)
        unfinished = node.unfinished
        if resume and unfinished is None:
            note(nothing_unfinished())
            return Exit.USAGE

        def open_with_bots() -> None:
            if bots is not None:
                node.open_table(own, ruleset, bots + 1, table_rules)
                companions.call(own, bots)

        app = VerishApp(
            node,
            glyphs=look.glyphs,
            animate=not look.still,
            bell=not look.quiet,
            theme=VERISH_LIGHT.name if look.light else None,
            company=companions,
            otherwise=open_with_bots,
            watch=watch,
        )
        companions.complain = app.say
        if unfinished is None:
            open_with_bots()
        elif resume:
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
            # Who has quit has left. What was ended from outside can be taken up again, by all.
            await companions.close(for_good=code == 0)
    return code or 0


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
