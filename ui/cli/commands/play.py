"""`verish play`: the lobby and the table in the terminal."""

import asyncio
import functools
import getpass
import os
import signal
import sys
from contextlib import suppress

import click

from crypto import fingerprint
from engine import Ruleset
from p2p.net.node import Node
from p2p.net.paths import data_home
from p2p.protocol.text import TextError, own_name
from ui.app import VerishApp
from ui.cli.exits import Exit
from ui.cli.options import Network, log_options, network_options
from ui.cli.output import note
from ui.companions import Companions
from ui.glyphs import GlyphSet, choose
from ui.i18n import gettext as _
from ui.theme import VERISH_DARK, VERISH_LIGHT

DEFAULT_NAME = "Player"
BOTS_FOLDER = "bots"
"""Below the data folder: the keys and journals of the headless peers that keep one company."""


@click.command("play", help=_("Play in the terminal: the lobby of this network, and the table."))
@click.option(
    "--bots", type=click.IntRange(1, 5), help=_("Open a table at once, with so many headless peers to play against.")
)
@click.option("--ascii", "ascii_only", is_flag=True, help=_("Draw with plain ASCII characters only."))
@click.option("--light", is_flag=True, help=_("Dark writing on a light ground."))
@click.option("--still", is_flag=True, help=_("No animation: cards turn at once."))
@click.option("--quiet", is_flag=True, help=_("No bell when it is your turn."))
@network_options
@functools.partial(log_options, screen=True)
def command(network: Network, bots: int | None, ascii_only: bool, light: bool, still: bool, quiet: bool) -> int:
    """Check that there is a terminal, then run the program in it."""
    # The screen is drawn on standard error, so that must be the terminal as well.
    if not all(stream.isatty() for stream in (sys.stdin, sys.stdout, sys.stderr)) or os.environ.get("TERM", "dumb") == "dumb":
        note(_("There is no terminal to play in. Start it in a terminal window, or run a headless peer: verish bot."))
        return Exit.NO_TERMINAL
    glyphs = choose(os.environ.get("TERM", ""), sys.stdout.encoding, ascii_wanted=ascii_only)
    theme = VERISH_LIGHT.name if light else None
    return asyncio.run(_play(network, bots, glyphs, theme, still=still, quiet=quiet))


async def _play(
    network: Network, bots: int | None, glyphs: GlyphSet, theme: str | None, *, still: bool, quiet: bool
) -> int:
    companions = Companions(data_home() / BOTS_FOLDER)
    calls: set[asyncio.Task[None]] = set()
    async with Node(network.config(_default_name())) as node:

        def call_bots(title: str, count: int) -> None:
            task = asyncio.create_task(companions.join(count, title, fingerprint(node.key), node.port))
            calls.add(task)
            task.add_done_callback(calls.discard)

        app = VerishApp(node, glyphs=glyphs, animate=not still, bell=not quiet, theme=theme, bots=call_bots)
        if bots is not None:
            title = node.lobby.own_name
            node.open_table(title, Ruleset.preset("pagat"), bots + 1)
            call_bots(title, bots)
        loop = asyncio.get_running_loop()
        for number in (signal.SIGTERM, signal.SIGHUP):
            # The terminal is put in order again, and the others hear a goodbye.
            loop.add_signal_handler(number, app.exit, 128 + number)
        try:
            code = await app.run_async()
        finally:
            await companions.close()
    return Exit.DONE if code is None else code


def _default_name() -> str:
    """The name of the account, where it makes a name."""
    with suppress(TextError, OSError, KeyError):
        return own_name(getpass.getuser().capitalize())
    return DEFAULT_NAME
