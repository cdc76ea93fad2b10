"""`verish sim`: deals on the rules alone, with bots; no keys, no sockets."""

import secrets
from dataclasses import asdict

import click

from engine.bots import POLICIES
from engine.sim import SimResult, run
from engine.tournament import ASKED_DEALS, RULES, rows
from ui.cli import tournament
from ui.cli.exits import Exit
from ui.cli.options import Rules as RulesOption
from ui.cli.output import print_json, print_table, say
from ui.i18n import gettext as _
from ui.rulesets import FIRST_FORM, named

DEFAULT_PLAYERS = 4
DEFAULT_DEALS = 100


def _parse_bots(_ctx: click.Context, _param: click.Parameter, value: str | None) -> tuple[str, ...] | None:
    if value is None:
        return None
    names = tuple(name.strip() for name in value.split(","))
    for name in names:
        if name not in POLICIES:
            raise click.BadParameter(
                _("There is no bot {name}. Choose from {known}.").format(name=name, known=", ".join(POLICIES))
            )
    return names


@click.command(
    "sim",
    short_help=_("Play deals on the rules alone, with bots."),
    help=_("Play deals on the rules alone, with bots, and count who loses and who wins."),
)
@click.option(
    "--deals",
    type=click.IntRange(min=1),
    help=_("How many deals: {usual}, or {asked} for each row of a tournament.").format(
        usual=DEFAULT_DEALS, asked=ASKED_DEALS
    ),
)
@click.option(
    "--players",
    type=click.IntRange(2, 12),
    help=_("How many players; the number of --bots where these are given."),
)
@click.option(
    "--rules",
    type=RulesOption(),
    metavar=_("FORM"),
    help=_(
        "The form, or a named variation: {form}, or each form in a tournament. "
        "Options may follow, pagat,burn=0: “verish rules FORM --options” lists them."
    ).format(form=FIRST_FORM),
)
@click.option("--seed", type=int, help=_("Repeat the same deals and decisions."))
@click.option(
    "--bots",
    callback=_parse_bots,
    help=_("A policy for each player: counting,honest,honest,random. Seats rotate from deal to deal."),
)
@click.option(
    "--tournament",
    "as_tournament",
    is_flag=True,
    help=_("Play one counting bot among three others, and compare with what is asked of the bots."),
)
@click.option("--every-mix", is_flag=True, help=_("In a tournament: play every mix of bots."))
@click.option(
    "--workers",
    type=click.IntRange(1, 256),
    help=_("In a tournament: on so many cores; otherwise on one."),
)
@click.option("--json", "as_json", is_flag=True, help=_("Print one JSON object."))
def command(
    deals: int | None,
    players: int | None,
    rules: str | None,
    seed: int | None,
    bots: tuple[str, ...] | None,
    as_tournament: bool,
    every_mix: bool,
    workers: int | None,
    as_json: bool,
) -> int:
    """Run the simulation and print its result."""
    seed = secrets.randbits(64) if seed is None else seed
    if as_tournament:
        if players is not None or bots is not None:
            raise click.UsageError(_("A tournament has its own tables. Leave --players and --bots out."))
        return _tournament(
            _of_a_tournament(rules), deals or ASKED_DEALS, seed, workers or 1, every_mix, as_json
        )
    if every_mix or workers is not None:
        raise click.UsageError(_("--every-mix and --workers belong to --tournament."))
    if bots is None:
        bots = ("random",) * (players or DEFAULT_PLAYERS)
    if players is not None and players != len(bots):
        raise click.UsageError(
            _("--players is {players}, but --bots names {bots}. Leave one of them out.").format(
                players=players, bots=len(bots)
            )
        )
    result = run(deals or DEFAULT_DEALS, len(bots), named(rules or FIRST_FORM), seed, bots)
    if as_json:
        print_json(asdict(result))
    else:
        _print(result)
    return Exit.DONE


def _of_a_tournament(rules: str | None) -> tuple[str, ...]:
    """The rows that are played: all, those of a form, or one. Raises: click.UsageError."""
    if rules is None:
        return RULES
    names = tuple(name for name in RULES if rules in (name, name.split("-")[0]))
    if not names:
        raise click.UsageError(_("A tournament is played by: {rules}.").format(rules=", ".join(RULES)))
    return names


def _tournament(
    names: tuple[str, ...], deals: int, seed: int, workers: int, every_mix: bool, as_json: bool
) -> int:
    played = tournament.play(rows(names, every_mix=every_mix), deals, seed, workers)
    if as_json:
        tournament.print_as_json(played, deals, seed)
    else:
        tournament.print_as_table(played)
    return Exit.DONE if tournament.all_kept(played) else Exit.MISSED


def _print(result: SimResult) -> None:
    say(
        _(
            "{deals} deals, {void} of them void; {moves} moves in {seconds:.2f} s: {speed:.0f} a second."
        ).format(
            deals=result.deals,
            void=result.void,
            moves=result.moves,
            seconds=result.seconds,
            speed=result.moves_per_second,
        )
    )
    rows = [(name, f"{result.loses[name]:.1%}", f"{result.wins[name]:.1%}") for name in result.loses]
    print_table((_("bot"), _("loses"), _("wins")), rows)
