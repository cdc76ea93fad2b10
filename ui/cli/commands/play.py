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
    checked_title,
    default_name,
    log_options,
    network_options,
    table_rules_options,
)
from ui.cli.output import note
from ui.cli.own_settings import glyphs_of_terminal, play_options
from ui.cli.terminal import has_screen
from ui.i18n import gettext as _
from ui.manner import PACES, STRENGTHS, USUAL_MANNER, Manner
from ui.rulesets import FIRST_FORM, USUAL_BOTS, for_the_network
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
    "--watch",
    metavar="TABLE",
    help=_("Watch a table of this name, without a seat, as soon as it is played."),
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
    first_deal: bool,
    rules: str | None,
    bot_strength: str | None,
    bot_pace: str | None,
    table_rules: TableRules | None,
    watch: str | None,
    resume: bool | None,
    own: OwnSettings,
) -> int:
    """Check that there is a terminal, then run the program in it."""
    if bots is None and (bot_strength, bot_pace) != (None, None):
        raise click.UsageError(_("--bot-strength and --bot-pace belong to --bots; in the lobby: b."))
    begin = own.now.table_rules
    # Turn and absence time are settings as well: every table opened by keys begins with them.
    times = structs.replace(table_rules or USUAL, clock_s=begin.clock_s, grace_s=begin.grace_s)
    if first_deal and (bots is not None or resume or rules is not None or times != begin):
        raise click.UsageError(
            _("--first-deal brings its own table: leave out --bots, --rules, --resume and the like.")
        )
    if first_deal:
        bots = USUAL_BOTS
    if bots is None and (rules is not None or times != begin):
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
    manner = Manner(bot_strength or USUAL_MANNER.strength, bot_pace or USUAL_MANNER.pace)
    evening = Evening(bots, ruleset, times, manner, resume=bool(resume), first_deal=first_deal, watch=watch)
    return asyncio.run(play(config, evening, own, glyphs_of_terminal()))
