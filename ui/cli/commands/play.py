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
from ui.manner import PACES, STRENGTHS, USUAL_MANNER, Manner
from ui.rulesets import FIRST_FORM, USUAL_BOTS, for_the_network


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
    "--first-deal",
    is_flag=True,
    help=_("Open a table with three headless peers at once; its first deal explains itself."),
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
    "--bot-strength",
    type=click.Choice(tuple(STRENGTHS)),
    help=_("With --bots: how well they play; usually strong."),
)
@click.option(
    "--bot-pace",
    type=click.Choice(tuple(PACES)),
    help=_("With --bots: whether they think before each move; usually calm."),
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
    first_deal: bool,
    rules: str | None,
    bot_strength: str | None,
    bot_pace: str | None,
    table_rules: TableRules | None,
    resume: bool | None,
    ascii_only: bool,
    light: bool,
    still: bool,
    quiet: bool,
) -> int:
    """Check that there is a terminal, then run the program in it."""
    if bots is None and (bot_strength, bot_pace) != (None, None):
        raise click.UsageError(_("--bot-strength and --bot-pace belong to --bots; in the lobby: b."))
    if first_deal and (bots is not None or resume or (rules, table_rules) != (None, None)):
        raise click.UsageError(
            _("--first-deal brings its own table: leave out --bots, --rules, --resume and the like.")
        )
    if first_deal:
        bots = USUAL_BOTS
    if bots is None and (rules, table_rules) != (None, None):
        raise click.UsageError(
            _("--rules and the rules of the table belong to --bots; in the lobby they are chosen by keys.")
        )
    if resume and bots is not None:
        raise click.UsageError(_("--bots opens a table, and --resume takes one up: say one of them."))
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
    manner = Manner(bot_strength or USUAL_MANNER.strength, bot_pace or USUAL_MANNER.pace)
    evening = play(
        config,
        bots,
        look,
        ruleset,
        table_rules or USUAL,
        manner=manner,
        resume=bool(resume),
        first_deal=first_deal,
    )
    return asyncio.run(evening)
