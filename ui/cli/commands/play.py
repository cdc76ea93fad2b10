"""`verish play`: the lobby and the table in the terminal."""

import asyncio
import functools
import os
import sys

import click

from p2p.protocol.table_code import TableCode
from p2p.protocol.table_rules import USUAL, TableRules
from ui.cli.exits import Exit
from ui.cli.options import (
    Network,
    Rules,
    checked_title,
    code_options,
    default_name,
    log_options,
    look_options,
    network_options,
    table_rules_options,
)
from ui.cli.output import note
from ui.cli.terminal import has_screen, is_plain
from ui.glyphs import choose
from ui.i18n import gettext as _
from ui.rulesets import FIRST_FORM, for_the_network

DEFAULT_SEATS = 4
"""Where no number is said with --open: four make the game's best table."""


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
@click.option("--open", "open_title", metavar="TABLE", help=_("Open a table of this name at once."))
@click.option("--join", "join_title", metavar="TABLE", help=_("Wait for a table of this name and join it."))
@click.option(
    "--seats", type=click.IntRange(2, 12), help=_("With --open or --bots: how many players in all.")
)
@click.option(
    "--rules",
    type=Rules(),
    metavar=_("FORM"),
    help=_(
        "With --open or --bots: the form, or a named variation; “verish rules” lists them. "
        "Options may follow, pagat,burn=0: “verish rules FORM --options” lists them."
    ),
)
@click.option(
    "--resume/--no-resume",
    default=None,
    help=_("Take up an unfinished deal at once, or leave it as it is; otherwise you are asked."),
)
@click.option(
    "--plain",
    is_flag=True,
    help=_(
        "By lines of text, numbered choices and nothing drawn: for screen readers and poor terminals. "
        "Also reads a pipe. Usual where TERM is dumb."
    ),
)
@look_options
@click.option("--still", is_flag=True, help=_("No animation: cards turn at once."))
@click.option("--quiet", is_flag=True, help=_("No bell when it is your turn."))
@table_rules_options
@code_options
@network_options
@functools.partial(log_options, screen=True)
def command(
    network: Network,
    code: TableCode | None,
    bots: int | None,
    open_title: str | None,
    join_title: str | None,
    seats: int | None,
    rules: str | None,
    table_rules: TableRules | None,
    resume: bool | None,
    plain: bool,
    ascii_only: bool,
    light: bool,
    still: bool,
    quiet: bool,
) -> int:
    """Check that the options fit together and that there is a terminal, then run the program in it."""
    opens = bots is not None or open_title is not None
    if plain and (light or still or quiet):
        raise click.UsageError(_("--light, --still and --quiet are about the screen; plain mode has none."))
    _check(opens=opens, join=join_title, bots=bots, code=code, resume=resume)
    if not opens and (seats, rules, table_rules) != (None, None, None):
        raise click.UsageError(
            _(
                "--seats, --rules and the rules of the table belong to --open and --bots; "
                "in the lobby they are asked."
            )
        )
    players = max(seats or (DEFAULT_SEATS if bots is None else 0), (bots or 0) + 1)
    ruleset = for_the_network(rules or FIRST_FORM)
    ruleset.resolve(players if opens else 2)
    (table_rules or USUAL).check_dealer(ruleset, players if opens else 2)
    plain = plain or is_plain()
    if not (plain or has_screen()):
        note(
            _(
                "There is no terminal to play in. Start it in a terminal window, answer by lines with "
                "--plain, or run a headless peer: verish bot."
            )
        )
        return Exit.NO_TERMINAL
    glyphs = choose(os.environ.get("TERM", ""), sys.stdout.encoding, ascii_wanted=ascii_only)
    # Imported only now: the screens take a third of a second to load.
    from p2p.net.unfinished import Wanted  # noqa: PLC0415
    from ui.play import Build, Start, play  # noqa: PLC0415

    if plain:
        from ui.plain.play import plainly  # noqa: PLC0415

        build: Build = plainly(glyphs)
    else:
        from ui.play_screen import Look, screen  # noqa: PLC0415

        build = screen(Look(glyphs, light, still, quiet))
    start = Start(
        ruleset,
        table_rules or USUAL,
        bots=bots,
        open_title=None if open_title is None else checked_title(open_title),
        join_title=None if join_title is None else checked_title(join_title),
        seats=players if opens else None,
        code=code,
        resume=bool(resume),
    )
    wanted = None if resume is False else Wanted(older=bool(resume))
    config = network.config(default_name(), unfinished=wanted)
    return asyncio.run(play(config, start, build))


def _check(
    *, opens: bool, join: str | None, bots: int | None, code: TableCode | None, resume: bool | None
) -> None:
    """Raises: click.UsageError for options that contradict each other."""
    if opens and join is not None:
        raise click.UsageError(_("Say either --open (or --bots) or --join TABLE."))
    if resume and (opens or join is not None):
        raise click.UsageError(
            _("--open, --bots and --join begin a new table, --resume takes one up: say one of them.")
        )
    if code is not None and bots is not None:
        raise click.UsageError(_("Bots do not know the code of a table: say either --bots or a code."))
    if code is not None and not opens and join is None:
        raise click.UsageError(
            _(
                "A code (--code, --code-file, VERISH_CODE) belongs to --open or --join; "
                "in the lobby it is asked."
            )
        )
