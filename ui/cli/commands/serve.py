"""`verish serve`: the same program in a browser."""

import asyncio
import importlib.util
from typing import TYPE_CHECKING

import click

from ui.cli.commands import play
from ui.cli.ending import until_told
from ui.cli.exits import Exit
from ui.cli.output import note, say
from ui.i18n import gettext as _
from ui.words import browser as words

if TYPE_CHECKING:
    from ui.browser import BrowserServer


@click.command(
    "serve",
    short_help=_("Play in a browser."),
    help=_(
        "Play in a browser: serve a page on which “verish play” runs, with the options that are given after "
        "those of this command.\n\n"
        "Each tab is a player of its own and takes the next free profile; with --profile there can be one "
        "tab only. The bell and the window's title are silent there, copying works only where the browser "
        "allows it, and Ctrl+W, Ctrl+T and Ctrl+N belong to the browser. A closed tab is like a closed "
        "terminal: the deal can be taken up again. Files are written where this command runs. "
        "Everybody with an account on this computer can open the page."
    ),
    context_settings={"ignore_unknown_options": True},
)
@click.option(
    "--host",
    default="127.0.0.1",
    show_default=True,
    help=_(
        "The address to serve at. Whoever reaches it plays as you and sees your cards: there is no password "
        "and no encryption."
    ),
)
@click.option(
    "--port",
    type=click.IntRange(0, 65535),
    default=8000,
    show_default=True,
    help=_("The page's TCP port; 0: any free one."),
)
@click.argument("options", nargs=-1, type=click.UNPROCESSED, metavar=_("[OPTIONS OF PLAY]"))
def command(host: str, port: int, options: tuple[str, ...]) -> int:
    """Check what can be checked before a tab is opened, then serve."""
    # What is wrong with the options is said here, not first in a tab.
    play.command.make_context("verish serve", list(options))
    if importlib.util.find_spec("textual_serve") is None:
        note(words.missing())
        return Exit.USAGE
    # Imported only now: it is there only where it was asked for.
    from ui.browser import BrowserServer, is_own_machine, play_command  # noqa: PLC0415

    if not is_own_machine(host):
        note(words.exposed())
    server = BrowserServer(play_command(options), host, port)
    try:
        return asyncio.run(until_told(_serve(server)))
    except OSError as error:
        note(words.cannot_serve(host, port, error.strerror or str(error)))
        return Exit.NETWORK


async def _serve(server: "BrowserServer") -> int:
    await server.run(lambda url: say(words.serving(url)))
    return Exit.DONE
