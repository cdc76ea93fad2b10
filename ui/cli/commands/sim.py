"""`verish sim`: deals on the rules alone, with bots; no keys, no sockets."""

import secrets
from dataclasses import asdict

import click

from engine import Ruleset, played_forms
from engine.bots import POLICIES
from engine.sim import SimResult, run
from ui.cli.output import print_json, print_table, say
from ui.i18n import gettext as _

DEFAULT_PLAYERS = 4


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
    "--deals", type=click.IntRange(min=1), default=100, show_default=True, help=_("How many deals.")
)
@click.option(
    "--players",
    type=click.IntRange(2, 12),
    help=_("How many players; the number of --bots where these are given."),
)
@click.option(
    "--rules", type=click.Choice(played_forms()), default="pagat", show_default=True, help=_("The form.")
)
@click.option("--seed", type=int, help=_("Repeat the same deals and decisions."))
@click.option(
    "--bots",
    callback=_parse_bots,
    help=_("A policy for each player: counting,honest,honest,random. Seats rotate from deal to deal."),
)
@click.option("--json", "as_json", is_flag=True, help=_("Print one JSON object."))
def command(
    deals: int, players: int | None, rules: str, seed: int | None, bots: tuple[str, ...] | None, as_json: bool
) -> None:
    """Run the simulation and print its result."""
    if bots is None:
        bots = ("random",) * (players or DEFAULT_PLAYERS)
    if players is not None and players != len(bots):
        raise click.UsageError(
            _("--players is {players}, but --bots names {bots}. Leave one of them out.").format(
                players=players, bots=len(bots)
            )
        )
    result = run(
        deals, len(bots), Ruleset.preset(rules), secrets.randbits(64) if seed is None else seed, bots
    )
    if as_json:
        print_json(asdict(result))
    else:
        _print(result)


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
