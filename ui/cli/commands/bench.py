"""`verish bench`: what the rules, the cryptography and the links cost on this machine."""

import asyncio
from dataclasses import asdict

import click

from crypto.bench import BenchResult, measure
from engine.bench import LATE, EngineBench
from engine.bench import measure as measure_engine
from p2p.net.bench import LIMIT_S, LinkBench, measure_links
from ui.cli.exits import Exit
from ui.cli.output import note, print_json, print_table
from ui.i18n import gettext as _


@click.command(
    "bench",
    short_help=_("Measure the rules, the cryptography and the links."),
    help=_("Measure the rules, the cryptography and the links between peers on this machine."),
)
@click.option(
    "--cards",
    type=click.IntRange(1, 104),
    default=52,
    show_default=True,
    help=_("Size of the deck to shuffle."),
)
@click.option(
    "--rounds",
    type=click.IntRange(min=1),
    default=15,
    show_default=True,
    help=_("How often; medians are shown."),
)
@click.option("--json", "as_json", is_flag=True, help=_("Print one JSON object."))
def command(cards: int, rounds: int, as_json: bool) -> int:
    """Measure and print."""
    rules = measure_engine()
    mathematics = measure(cards, rounds)
    try:
        links = asyncio.run(measure_links())
    except TimeoutError:
        sentence = _("The measurement of the links took over {seconds:.0f} s and was ended.")
        note(sentence.format(seconds=LIMIT_S))
        return Exit.NETWORK
    if as_json:
        print_json({**asdict(rules), **asdict(mathematics), **asdict(links)})
    else:
        print_table((_("what"), _("measured"), ""), _rows(rules, mathematics, links), numbers_from=1)
    return Exit.DONE


def _rows(rules: EngineBench, mathematics: BenchResult, links: LinkBench) -> list[tuple[str, str, str]]:
    cards = mathematics.cards
    return [
        (_("moves by the rules"), f"{rules.apply_per_second:.0f}", _("a second")),
        (_("  one of the first hundred of a deal"), f"{rules.early_us:.1f}", _("µs")),
        (_("  one after {moves} others").format(moves=LATE), f"{rules.late_us:.1f}", _("µs")),
        (_("lays and calls of random bots"), f"{rules.sim_per_second:.0f}", _("a second")),
        (_("multiplication of a point"), f"{mathematics.mult_us:.1f}", _("µs")),
        (_("multiplication of the base"), f"{mathematics.base_mult_us:.1f}", _("µs")),
        (_("addition of points"), f"{mathematics.add_us:.1f}", _("µs")),
        (
            _("shuffle and prove, {cards} cards").format(cards=cards),
            f"{mathematics.shuffle_prove_ms:.1f}",
            _("ms"),
        ),
        (_("  against its multiplications and additions"), f"{mathematics.prove_ratio:.2f}", "×"),
        (_("verify, {cards} cards").format(cards=cards), f"{mathematics.verify_ms:.1f}", _("ms")),
        (_("  against its multiplications and additions"), f"{mathematics.verify_ratio:.2f}", "×"),
        (
            _("shuffle and prove on {cores} cores").format(cores=mathematics.cores),
            f"{mathematics.parallel_prove_ms:.1f}",
            _("ms"),
        ),
        (
            _("verify on {cores} cores").format(cores=mathematics.cores),
            f"{mathematics.parallel_verify_ms:.1f}",
            _("ms"),
        ),
        (_("shares, to prove, each card"), f"{mathematics.share_prove_us:.0f}", _("µs")),
        (_("shares, to verify, each card"), f"{mathematics.share_verify_us:.0f}", _("µs")),
        (_("proof of a shuffle"), f"{mathematics.proof_bytes}", _("bytes")),
        (_("round trip of a link"), f"{links.link_rtt_ms:.2f}", _("ms")),
        (_("a lay, from stored to applied by all"), f"{links.lay_rtts:.1f}", _("round trips")),
    ]
