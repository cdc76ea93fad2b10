"""`verish play`: the lobby and the table in the terminal."""

import asyncio
import functools
import os
import sys

import click

from p2p.protocol.table_rules import USUAL, TableRules
from ui.cli.exits import Exit
from ui.cli.options import (
    Network,
    Rules,
    checked_title,
    default_name,
    log_options,
    look_options,
    network_options,
    table_rules_options,
)
from ui.cli.output import note
from ui.cli.terminal import has_screen
from ui.glyphs import choose
from ui.i18n import gettext as _
from ui.rulesets import FIRST_FORM, for_the_network


@click.command(
    "play",
    short_help=_("Play in the terminal."),
    help=_("Play in the terminal: the lobby of this network, and the table."),
)
@click.option(
    "--bots",
    type=click.IntRange(1, 5),
    help=_("Open a table at once, with so many headless peers to play against."),
)
@click.option(
    "--rules",
    type=Rules(),
    metavar=_("FORM"),
    help=_(
        "With --bots: the form, or a named variation; “verish rules” lists them. "
        "Options may follow, pagat,burn=0: “verish rules FORM --options” lists them."
    ),
)
@click.option(
    "--watch",
    metavar="TABLE",
    help=_("Watch a table of this name, without a seat, as soon as it is played."),
)
@click.option(
    "--resume/--no-resume",
    default=None,
    help=_("Take up an unfinished deal at once, or leave it as it is; otherwise you are asked."),
)
@look_options
@click.option("--still", is_flag=True, help=_("No animation: cards turn at once."))
@click.option("--quiet", is_flag=True, help=_("No bell when it is your turn."))
@table_rules_options
@network_options
@functools.partial(log_options, screen=True)
def command(
    network: Network,
    bots: int | None,
    rules: str | None,
    table_rules: TableRules | None,
    watch: str | None,
    resume: bool | None,
    ascii_only: bool,
    light: bool,
    still: bool,
    quiet: bool,
) -> int:
    """Check that there is a terminal, then run the program in it."""
    if bots is None and (rules, table_rules) != (None, None):
        raise click.UsageError(
            _("--rules and the rules of the table belong to --bots; in the lobby they are chosen by keys.")
        )
    if (bots is not None) + bool(resume) + (watch is not None) > 1:
        raise click.UsageError(
            _("--bots opens a table, --resume takes one up, and --watch looks on: say one of them.")
        )
    if watch is not None:
        watch, resume = checked_title(watch), False
    ruleset = for_the_network(rules or FIRST_FORM)
    ruleset.resolve((bots or 1) + 1)
    (table_rules or USUAL).check_dealer(ruleset, (bots or 1) + 1)
    if not has_screen():
        note(
            _(
                "There is no terminal to play in. Start it in a terminal window, "
                "or run a headless peer: verish bot."
            )
        )
        return Exit.NO_TERMINAL
    glyphs = choose(os.environ.get("TERM", ""), sys.stdout.encoding, ascii_wanted=ascii_only)
    # Imported only now: the screens take a third of a second to load.
    from p2p.net.unfinished import Wanted  # noqa: PLC0415
    from ui.play import Look, play  # noqa: PLC0415

    look = Look(glyphs, light, still, quiet)
    wanted = None if resume is False else Wanted(older=bool(resume))
    config = network.config(default_name(), unfinished=wanted)
    return asyncio.run(
        play(config, bots, look, ruleset, table_rules or USUAL, resume=bool(resume), watch=watch)
    )
