"""`verish play`: the lobby and the table in the terminal."""

import asyncio
import functools

import click
from msgspec import structs

from p2p.protocol.table_rules import USUAL, TableRules
from ui.cli.exits import Exit
from ui.cli.options import (
    Network,
    Rules,
    default_name,
    log_options,
    network_options,
    table_rules_options,
)
from ui.cli.output import note
from ui.cli.own_settings import glyphs_of_terminal, play_options
from ui.cli.terminal import has_screen
from ui.i18n import gettext as _
from ui.rulesets import FIRST_FORM, for_the_network
from ui.settings import OwnSettings


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
    "--resume/--no-resume",
    default=None,
    help=_("Take up an unfinished deal at once, or leave it as it is; otherwise you are asked."),
)
@play_options
@functools.partial(table_rules_options, variables=True)
@network_options
@functools.partial(log_options, screen=True)
def command(
    network: Network,
    bots: int | None,
    rules: str | None,
    table_rules: TableRules | None,
    resume: bool | None,
    own: OwnSettings,
) -> int:
    """Check that there is a terminal, then run the program in it."""
    begin = own.now.table_rules
    times = structs.replace(table_rules or USUAL, clock_s=begin.clock_s, grace_s=begin.grace_s)
    if bots is None and (rules is not None or times != begin):
        # Turn and absence time are settings as well: every table opened by keys begins with them.
        raise click.UsageError(
            _("--rules and the rules of the table belong to --bots; in the lobby they are chosen by keys.")
        )
    if resume and bots is not None:
        raise click.UsageError(_("--bots opens a table, and --resume takes one up: say one of them."))
    ruleset = for_the_network(rules or FIRST_FORM)
    ruleset.resolve((bots or 1) + 1)
    times.check_dealer(ruleset, (bots or 1) + 1)
    if not has_screen():
        note(
            _(
                "There is no terminal to play in. Start it in a terminal window, "
                "or run a headless peer: verish bot."
            )
        )
        return Exit.NO_TERMINAL
    # Imported only now: the screens take a third of a second to load.
    from p2p.net.unfinished import Wanted  # noqa: PLC0415
    from ui.play import Evening, play  # noqa: PLC0415

    wanted = None if resume is False else Wanted(older=bool(resume))
    config = network.config(own.now.name or default_name(), unfinished=wanted)
    evening = Evening(bots, ruleset, times, resume=bool(resume))
    return asyncio.run(play(config, evening, own, glyphs_of_terminal()))
