"""`verish demo`: headless peers as processes on this machine find each other and play one audited deal."""

import asyncio
import os
import secrets
import tempfile
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import click

from p2p.net.paths import replace_file
from p2p.protocol.audit import AuditReport, audit
from p2p.protocol.table_rules import RULES, USUAL, TableRules
from ui.cli.audit_words import verdict
from ui.cli.commands.bot import phase_word, result_line
from ui.cli.ending import until_told
from ui.cli.exits import Exit
from ui.cli.options import Rules, table_rules_options, writable_file
from ui.cli.output import note, print_json, say
from ui.companions import NAMES, HeadlessPeer
from ui.i18n import gettext as _
from ui.rulesets import FIRST_FORM, for_the_network

PHASES = ("discover", "table", "open", "shuffle", "deal", "play")
STEPS_SAID = 50
"""So often it is said how far the deal is."""
STALL_S = "60"
"""Seconds after which a peer gives a deal up that stands still: nobody here thinks for long."""

LIMIT_S = 1200.0
"""For the whole demonstration: a bound for a machine on which peers cannot find each other."""


@dataclass(slots=True)
class _Watch:
    """What the peers have said so far."""

    peers: int
    quiet: bool
    digests: dict[tuple[int, int], set[str]] = field(default_factory=dict)
    phases: dict[str, list[float]] = field(default_factory=dict)
    results: list[dict[str, Any]] = field(default_factory=list)
    complaints: list[tuple[int, str]] = field(default_factory=list)

    def take(self, event: dict[str, Any]) -> None:
        """Take one event of one peer."""
        match event["event"]:
            case "phase":
                seconds = self.phases.setdefault(event["phase"], [])
                seconds.append(event["seconds"])
                if len(seconds) == self.peers and not self.quiet:
                    say(
                        _("{phase}: {seconds:.2f} s").format(
                            phase=phase_word(event["phase"]), seconds=max(seconds)
                        )
                    )
            case "step" if event["digest"] is not None:
                self._count(event["deal"], event["step"], event["digest"])
            case "result":
                self.results.append(event)
            case _:
                pass

    def _count(self, deal: int, step: int, digest: str) -> None:
        """Take the digest of one peer's engine after a step, and say now and then how far they are."""
        known = (deal, step) in self.digests
        self.digests.setdefault((deal, step), set()).add(digest)
        if not known and step % STEPS_SAID == 0 and not self.quiet:
            say(_("step {step}…").format(step=step))

    @property
    def digests_equal(self) -> bool:
        """Whether all engines had the same state at every step that was reported."""
        return bool(self.digests) and all(len(seen) == 1 for seen in self.digests.values())


@click.command(
    "demo",
    short_help=_("Let headless peers play one deal, and audit it."),
    help=_("Let headless peers on this machine find each other, shuffle together and play a deal; audit it."),
)
@click.option("--peers", type=click.IntRange(2, 12), default=4, show_default=True, help=_("How many peers."))
@click.option(
    "--rules",
    type=Rules(),
    metavar=_("FORM"),
    default=FIRST_FORM,
    show_default=True,
    help=_(
        "The form, or a named variation; “verish rules” lists them. "
        "Options may follow, pagat,burn=0: “verish rules FORM --options” lists them."
    ),
)
@table_rules_options
@click.option("--seed", type=int, help=_("Repeat the same decisions; the shuffle is fresh each time."))
@click.option(
    "--transcript",
    type=click.Path(path_type=Path, dir_okay=False),
    callback=writable_file,
    help=_("Keep the transcript."),
)
@click.option(
    "--open-books",
    is_flag=True,
    help=_("Open every card of the deal when it is over; the transcript shows them then."),
)
@click.option("--json", "as_json", is_flag=True, help=_("Print one JSON object."))
def command(
    peers: int,
    rules: str,
    table_rules: TableRules | None,
    seed: int | None,
    transcript: Path | None,
    open_books: bool,
    as_json: bool,
) -> int:
    """Run the demonstration and print what came of it."""
    ruleset, times = for_the_network(rules), table_rules or USUAL
    ruleset.resolve(peers)
    times.check_dealer(ruleset, peers)
    first_seed = secrets.randbits(32) if seed is None else seed
    chosen = ["--rules", rules, *_as_options(times)]
    every = ["--open-books"] if open_books else []
    return asyncio.run(until_told(_demo(peers, rules, chosen, every, first_seed, transcript, as_json)))


def _as_options(rules: TableRules) -> list[str]:
    """The options of `verish bot` for these rules of the table."""
    values = {**rules.to_mapping(), "dealer": rules.dealer + 1}
    return [word for rule in RULES for word in (f"--{rule.removesuffix('_s')}", str(values[rule]))]


async def _demo(
    peers: int,
    rules: str,
    chosen: list[str],
    every: list[str],
    seed: int,
    transcript: Path | None,
    as_json: bool,
) -> int:
    """chosen, every: options for who opens the table, and for everybody."""
    watch = _Watch(peers, as_json)
    with tempfile.TemporaryDirectory(prefix="verish-demo-") as folder:
        written = Path(folder) / "deal.jsonl"
        if not as_json:
            say(_("{count} peers start as processes of their own.").format(count=peers))
        started = time.monotonic()
        try:
            async with (
                asyncio.timeout(LIMIT_S),
                _processes(peers, chosen, every, seed, Path(folder), written) as processes,
            ):
                await asyncio.gather(*(_follow(process, watch) for process in processes))
        except TimeoutError:
            note(_("The demonstration took over {seconds:.0f} s and was ended.").format(seconds=LIMIT_S))
            return Exit.NETWORK
        total = time.monotonic() - started
        if watch.complaints or len(watch.results) < peers:
            for code, complaint in watch.complaints:
                note(complaint)
                return code
            return Exit.PROTOCOL
        data = written.read_bytes()
        if transcript is not None:
            replace_file(transcript, data)
    report = audit(data, os.urandom)
    _print(watch, report, rules, total, as_json)
    if not report.ok:
        return Exit.BREACH
    return Exit.DONE if watch.digests_equal else Exit.PROTOCOL


@asynccontextmanager
async def _processes(
    peers: int, chosen: list[str], every: list[str], seed: int, folder: Path, transcript: Path
) -> AsyncIterator[list[HeadlessPeer]]:
    """Start the peers; whatever happens, none of them is left behind."""
    title = f"Demo {secrets.token_hex(3)}"
    started: list[HeadlessPeer] = []
    try:
        for number, name in enumerate(NAMES[:peers]):
            table = (
                ["--open", title, "--seats", str(peers), *chosen, "--transcript", str(transcript)]
                if number == 0
                else ["--join", title]
            )
            arguments = [
                *table,
                *every,
                "--name",
                name,
                "--policy",
                "counting",
                "--seed",
                str(seed + number),
                "--stall",
                STALL_S,
            ]
            started.append(await HeadlessPeer.start(arguments, folder))
        yield started
    finally:
        await asyncio.gather(*(peer.end() for peer in started))


async def _follow(peer: HeadlessPeer, watch: _Watch) -> None:
    async for event in peer.events():
        watch.take(event)
    code = await peer.exit_code()
    if code != Exit.DONE:
        watch.complaints.append((code, peer.complaint))


def _print(watch: _Watch, report: AuditReport, rules: str, total: float, as_json: bool) -> None:
    result = watch.results[0]
    seconds = {phase: round(max(watch.phases.get(phase, [0.0])), 4) for phase in PHASES}
    if as_json:
        print_json(
            {
                "peers": watch.peers,
                "form": rules,
                "loser": result["loser"],
                "steps": result["steps"],
                "digests_equal": watch.digests_equal,
                "audit": "ok" if report.ok else report.check,
                "seconds": {**seconds, "total": round(total, 4)},
            }
        )
        return
    say(result_line(result))
    ready_to_cards = seconds["open"] + seconds["shuffle"] + seconds["deal"]
    say(_("From the last “ready” to cards in hand: {seconds:.2f} s.").format(seconds=ready_to_cards))
    say(_("{steps} steps, {seconds:.1f} s in all.").format(steps=result["steps"], seconds=total))
    say(
        _("All engines had the same state after every step.")
        if watch.digests_equal
        else _("The engines DISAGREE.")
    )
    say(verdict(report))
