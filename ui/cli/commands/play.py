"""`verish play`: the lobby and the table in the terminal."""

import asyncio
import functools
from typing import TYPE_CHECKING

import click
from msgspec import structs

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
    network_options,
    table_rules_options,
)
from ui.cli.output import note
from ui.cli.own_settings import glyphs_of_terminal, play_options, refuse_screen_flags
from ui.cli.terminal import has_screen, is_plain
from ui.i18n import gettext as _
from ui.manner import PACES, STRENGTHS, USUAL_MANNER, Manner
from ui.rulesets import FIRST_FORM, MOST_BOTS, USUAL_BOTS, for_the_network
from ui.settings import OwnSettings

if TYPE_CHECKING:
    from ui.play import Build

DEFAULT_SEATS = 4
"""Where no number is said with --open: four make the game's best table."""


@click.command(
    "play",
    short_help=_("Play in the terminal."),
    help=_("Play in the terminal: the lobby of this network, and the table."),
)
@click.option(
    "--bots",
    type=click.IntRange(1, MOST_BOTS),
    help=_("Open a table at once, with so many headless peers to play against."),
)
@click.option(
    "--first-deal",
    is_flag=True,
    help=_("Open a table with three headless peers at once; its first deal explains itself."),
)
@click.option("--open", "open_title", metavar="TABLE", help=_("Open a table of this name at once."))
@click.option("--join", "join_title", metavar="TABLE", help=_("Wait for a table of this name and join it."))
@click.option(
    "--watch",
    metavar="TABLE",
    help=_("Watch a table of this name, without a seat, as soon as it is played."),
)
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
@click.option(
    "--plain",
    is_flag=True,
    help=_(
        "By lines of text, numbered choices and nothing drawn: for screen readers and poor terminals. "
        "Also reads a pipe. Usual where TERM is dumb."
    ),
)
@play_options
@functools.partial(table_rules_options, variables=True)
@code_options
@network_options
@functools.partial(log_options, screen=True)
def command(
    network: Network,
    code: TableCode | None,
    bots: int | None,
    first_deal: bool,
    open_title: str | None,
    join_title: str | None,
    watch: str | None,
    seats: int | None,
    rules: str | None,
    bot_strength: str | None,
    bot_pace: str | None,
    table_rules: TableRules | None,
    resume: bool | None,
    plain: bool,
    own: OwnSettings,
) -> int:
    """Check that the options fit together and that there is a terminal, then run the program in it."""
    begin = own.now.table_rules
    # Turn and absence time are settings as well: every table opened by keys begins with them.
    times = structs.replace(table_rules or USUAL, clock_s=begin.clock_s, grace_s=begin.grace_s)
    opens = bots is not None or open_title is not None
    special = (seats, rules) != (None, None) or times != begin
    if bots is None and (bot_strength, bot_pace) != (None, None):
        raise click.UsageError(_("--bot-strength and --bot-pace belong to --bots; in the lobby: b."))
    if first_deal:
        if opens or special or resume or (join_title, watch, code) != (None, None, None):
            raise click.UsageError(
                _("--first-deal brings its own table: leave out --bots, --rules, --resume and the like.")
            )
        bots, opens = USUAL_BOTS, True
    _check(opens=opens, join=join_title, watch=watch, bots=bots, code=code, resume=resume)
    if special and not opens:
        raise click.UsageError(_rules_of_nothing())
    plain = plain or is_plain()
    if plain:
        refuse_screen_flags()
    if watch is not None:
        resume = False
    players = max(seats or (DEFAULT_SEATS if bots is None else 0), (bots or 0) + 1)
    ruleset = for_the_network(rules or FIRST_FORM)
    ruleset.resolve(players if opens else 2)
    times.check_dealer(ruleset, players if opens else 2)
    if not (plain or has_screen()):
        note(_no_terminal())
        return Exit.NO_TERMINAL
    # Imported only now: the screens take a third of a second to load.
    from p2p.net.unfinished import Wanted  # noqa: PLC0415
    from ui.play import Start, play  # noqa: PLC0415

    start = Start(
        ruleset,
        times,
        bots=bots,
        manner=Manner(bot_strength or USUAL_MANNER.strength, bot_pace or USUAL_MANNER.pace),
        open_title=None if open_title is None else checked_title(open_title),
        join_title=None if join_title is None else checked_title(join_title),
        seats=players if opens else None,
        code=code,
        resume=bool(resume),
        first_deal=first_deal,
        watch=None if watch is None else checked_title(watch),
    )
    wanted = None if resume is False else Wanted(older=bool(resume))
    config = network.config(own.now.name or default_name(), unfinished=wanted)
    return asyncio.run(play(config, start, _interface(own, plain=plain)))


def _no_terminal() -> str:
    return _(
        "There is no terminal to play in. Start it in a terminal window, answer by lines with --plain, "
        "or run a headless peer: verish bot."
    )


def _rules_of_nothing() -> str:
    return _(
        "--seats, --rules and the rules of the table belong to --open and --bots; "
        "in the lobby they are asked."
    )


def _interface(own: OwnSettings, *, plain: bool) -> "Build":
    """Return what builds the interface; the screens are loaded only where they are wanted."""
    if plain:
        from ui.plain.play import plainly  # noqa: PLC0415

        return plainly(own, glyphs_of_terminal())
    from ui.play_screen import screen  # noqa: PLC0415

    return screen(own, glyphs_of_terminal())


def _check(
    *,
    opens: bool,
    join: str | None,
    watch: str | None,
    bots: int | None,
    code: TableCode | None,
    resume: bool | None,
) -> None:
    """Raises: click.UsageError for options that contradict each other."""
    if opens and join is not None:
        raise click.UsageError(_("Say either --open (or --bots) or --join TABLE."))
    if watch is not None and (opens or resume or join is not None):
        raise click.UsageError(
            _("--watch looks on without a seat: leave out --open, --bots, --join and --resume.")
        )
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
