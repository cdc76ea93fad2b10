"""`verish bot`: a headless peer that opens a table or joins one, and plays."""

import asyncio
import secrets
from dataclasses import replace
from pathlib import Path
from typing import Any

import click
from click.core import ParameterSource

from engine.bots import POLICIES
from p2p.errors import P2PError
from p2p.net.headless import Bot, BotConfig, ProtocolTroubleError
from p2p.net.node import Node, NodeConfig
from p2p.net.unfinished import Wanted
from p2p.protocol.snapshot import RefusedJoin
from p2p.protocol.table_code import TableCode
from p2p.protocol.table_rules import USUAL, TableRules
from ui.cli.ending import Told, until_told
from ui.cli.exits import Exit
from ui.cli.notices import notices
from ui.cli.options import (
    MOST_SECONDS,
    Network,
    Rules,
    Seconds,
    checked_title,
    code_options,
    log_options,
    network_options,
    table_rules_options,
    writable_file,
)
from ui.cli.output import note, print_json, say
from ui.i18n import gettext as _
from ui.i18n import pgettext
from ui.rulesets import FIRST_FORM, for_the_network
from ui.words.refusals import join_refused
from ui.words.resuming import nothing_unfinished
from ui.words.session import ended

DEFAULT_NAME = "Bot"
DEFAULT_SEATS = 2


@click.command(
    "bot",
    short_help=_("Play as a headless peer."),
    help=_("Play as a headless peer: open a table, or wait for one and join it, or watch it."),
)
@click.option("--open", "open_title", metavar="TABLE", help=_("Open a table of this name."))
@click.option("--join", "join_title", metavar="TABLE", help=_("Wait for a table of this name and join it."))
@click.option(
    "--watch",
    "watch_title",
    metavar="TABLE",
    help=_("Wait until a table of this name is played and watch it, without a seat."),
)
@click.option(
    "--opener",
    metavar="FINGERPRINT",
    help=_("With --join or --watch: only the table that this key has opened."),
)
@click.option("--seats", type=click.IntRange(2, 12), help=_("With --open: how many players."))
@click.option(
    "--rules",
    type=Rules(),
    metavar=_("FORM"),
    help=_(
        "With --open: the form, or a named variation; “verish rules” lists them. "
        "Options may follow, pagat,burn=0: “verish rules FORM --options” lists them."
    ),
)
@click.option(
    "--policy",
    type=click.Choice(tuple(POLICIES)),
    default="honest",
    show_default=True,
    help=_("How the bot plays."),
)
@click.option(
    "--deals",
    type=click.IntRange(min=1),
    default=1,
    show_default=True,
    help=_("How many deals. After a crash, those at earlier tables are not counted."),
)
@click.option("--seed", type=int, help=_("Repeat the same decisions; secrets are never taken from it."))
@click.option(
    "--transcript",
    type=click.Path(path_type=Path, dir_okay=False),
    callback=writable_file,
    help=_("Write the transcript of the last deal."),
)
@click.option(
    "--open-books",
    is_flag=True,
    help=_("Want every card of each deal to be opened when it is over; the transcript shows them then."),
)
@click.option(
    "--pause",
    type=Seconds(0, 60),
    default=0.0,
    help=_("Seconds to think before each decision."),
)
@click.option(
    "--patience",
    type=Seconds(1, MOST_SECONDS),
    default=60.0,
    show_default=True,
    help=_("Seconds to wait for a table and its players."),
)
@click.option(
    "--stall",
    type=Seconds(1, MOST_SECONDS),
    help=_("Give up when the deal stands still for so many seconds."),
)
@click.option(
    "--resume/--no-resume",
    default=None,
    help=_(
        "Take up the unfinished deal of the last table, whatever its name; or leave it as it is. "
        "Otherwise it is taken up if the table has the name that is given."
    ),
)
@click.option("--lateness", is_flag=True, help=_("Measure how late the event loop gets, for the result."))
@click.option("--until-eof", is_flag=True, help=_("Leave when standard input ends, as when a program does."))
@click.option(
    "--json", "as_json", is_flag=True, help=_("Print a JSON object for each event, the result last.")
)
@table_rules_options
@code_options
@network_options
@log_options
def command(
    network: Network,
    code: TableCode | None,
    open_title: str | None,
    join_title: str | None,
    watch_title: str | None,
    opener: str | None,
    seats: int | None,
    rules: str | None,
    table_rules: TableRules | None,
    policy: str,
    deals: int,
    seed: int | None,
    transcript: Path | None,
    open_books: bool,
    pause: float,
    patience: float,
    stall: float | None,
    resume: bool | None,
    lateness: bool,
    until_eof: bool,
    as_json: bool,
) -> int:
    """Check that the options fit together, then play."""
    titles = [one for one in (open_title, join_title, watch_title) if one is not None]
    if len(titles) > 1 or not (titles or resume):
        raise click.UsageError(_("Say one of --open TABLE, --join TABLE and --watch TABLE."))
    if watch_title is not None:
        _check_that_it_only_watches()
    if open_title is None and (seats, rules, table_rules) != (None, None, None):
        raise click.UsageError(
            _(
                "--seats, --rules and the rules of the table belong to --open: "
                "who opens the table chooses them."
            )
        )
    if open_title is not None and opener is not None:
        raise click.UsageError(_("--opener belongs to --join and --watch."))
    ruleset = None
    if open_title is not None:
        ruleset = for_the_network(rules or FIRST_FORM)
        ruleset.resolve(seats or DEFAULT_SEATS)
        (table_rules or USUAL).check_dealer(ruleset, seats or DEFAULT_SEATS)
    config = BotConfig(
        table=checked_title(titles[0]) if titles else "",
        seats=seats or DEFAULT_SEATS,
        ruleset=ruleset,
        table_rules=table_rules or USUAL,
        opener=opener,
        code=code,
        policy=policy,
        seed=secrets.randbits(64) if seed is None else seed,
        deals=deals,
        transcript=transcript,
        pause_s=pause,
        patience_s=patience,
        stall_s=stall,
        open_books=open_books,
        watch=watch_title is not None,
    )
    wanted = None
    if resume is not False and watch_title is None:
        wanted = Wanted(older=True) if resume else Wanted(title=config.table)
    settings = network.config(DEFAULT_NAME, measure_stalls=lateness, unfinished=wanted)
    must = bool(resume)
    told = Told()
    work = _play(settings, config, as_json, told, must_resume=must)
    return asyncio.run(until_told(work, until_eof=until_eof, told=told))


def _check_that_it_only_watches() -> None:
    """Raises: UsageError, if an option is given that says how to play."""
    context = click.get_current_context()
    for option in ("policy", "seed", "pause", "open_books", "resume"):
        if context.get_parameter_source(option) is not ParameterSource.DEFAULT:
            name = "--" + option.replace("_", "-")
            raise click.UsageError(_("--watch takes no seat, so {option} does nothing.").format(option=name))


async def _play(
    node_config: NodeConfig, config: BotConfig, as_json: bool, told: Told, *, must_resume: bool
) -> int:
    emit = print_json if as_json else _say
    try:
        async with Node(node_config) as node:
            with notices(node):
                if must_resume:
                    if node.unfinished is None:
                        note(nothing_unfinished())
                        return Exit.USAGE
                    config = replace(config, table=node.unfinished.title)
                comes_back = False
                try:
                    result = await Bot(node, config, emit).run()
                except asyncio.CancelledError:
                    comes_back = not told.to_leave
                    raise
                finally:
                    table = node.table
                    if table is not None and not comes_back and (told.to_leave or not table.is_played):
                        # The others need not wait for who has played what he was asked to.
                        node.leave()
    except ProtocolTroubleError as error:
        if as_json:
            emit(
                {
                    "event": "error",
                    "check": error.check,
                    "step": error.step,
                    "seat": error.seat,
                    "name": error.name,
                }
            )
        note(_trouble(error))
        return Exit.PROTOCOL
    except P2PError as error:
        if as_json:
            emit({"event": "error", "reason": str(error)})
        raise
    return Exit.DONE if result["outcome"] == "finished" else Exit.PROTOCOL


def _trouble(error: ProtocolTroubleError) -> str:
    words = {
        "digest": _("The engines disagree at step {step}; the deal was stopped."),
        "stalled": _("The deal stands still at step {step}. Waiting for: {name}."),
        "left": _("{name} left the table, and a deal needs everybody to its end."),
        "closed": _("The table was closed before the deals were played."),
        "refused": _("The table could not be opened."),
        "code": join_refused(RefusedJoin.CODE),
        "wrong_code": join_refused(RefusedJoin.WRONG_CODE),
        "not_watched": join_refused(RefusedJoin.NOT_WATCHED),
    }.get(
        error.check,
        _("{name} broke the protocol at step {step} ({check}) and loses: the deal is void."),
    )
    return words.format(step=error.step, check=error.check, name=error.name or _("somebody"))


def _say(event: dict[str, Any]) -> None:
    """Print the events that a person wants to follow; programs take --json."""
    match event["event"]:
        case "start":
            say(
                _("{name}, {key}, port {port}, profile {profile}.").format(
                    name=event["name"], key=event["key"], port=event["port"], profile=event["profile"]
                )
            )
        case "resume":
            say(
                _("Taking up the table “{table}” again, at deal {deal}.").format(
                    table=event["table"], deal=event["deal"]
                )
            )
        case "phase":
            say(
                _("{phase}: {seconds:.2f} s").format(
                    phase=phase_word(event["phase"]), seconds=event["seconds"]
                )
            )
        case "deal_over" if event["session_over"]:
            say(ended(event["session_losers"], event["session_best"]))
        case "refused":
            say(join_refused(RefusedJoin(event["reason"]), tries_left=event["tries_left"]))
        case "result":
            say(result_line(event))
        case _:
            pass


def result_line(event: dict[str, Any]) -> str:
    """Say who has lost; where nobody loses, who has won."""
    if event.get("loser_name"):
        return _("Lost: {name}.").format(name=event["loser_name"])
    if event.get("winner_name"):
        return _("Won: {name}.").format(name=event["winner_name"])
    return _("The deal ended without a loser.")


def phase_word(phase: str) -> str:
    """Return a phase of an evening in words."""
    return {
        "discover": pgettext("phase", "finding each other"),
        "table": pgettext("phase", "forming the table"),
        "open": pgettext("phase", "keys and coins"),
        "shuffle": pgettext("phase", "shuffling"),
        "deal": pgettext("phase", "sealing and dealing"),
        "play": pgettext("phase", "playing"),
    }.get(phase, phase)
