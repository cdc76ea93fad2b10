"""`verish audit`: verify a transcript without any key, and say who could read which cards, and from when."""

import os
import shutil
from dataclasses import asdict
from pathlib import Path

import click

from p2p.protocol.audit import AuditReport, audit
from p2p.protocol.errors import TranscriptProblem
from p2p.protocol.transcript import MAX_TRANSCRIPT_BYTES
from ui.cli.audit_words import NARROWEST, WIDEST, by_hand, ending, every_slot, summary
from ui.cli.exits import Exit
from ui.cli.output import note, print_json, say
from ui.i18n import gettext as _


@click.command(
    "audit",
    short_help=_("Verify a transcript without any key."),
    help=_(
        "Verify a transcript without any key: signatures, chain, every proof, every rule, the receipt. "
        "Exit code 1 means a broken check, which is named, or an unfinished deal."
    ),
)
@click.argument("file", type=click.Path(path_type=Path))
@click.option("--all", "every_card", is_flag=True, help=_("Show a row for every card, not for every hand."))
@click.option("--json", "as_json", is_flag=True, help=_("Print one JSON object."))
def command(file: Path, every_card: bool, as_json: bool) -> int:
    """Audit a file and print what was found."""
    with file.open("rb") as opened:
        # One byte more than the limit is enough for the auditor to refuse the file; a pipe may have no end.
        data = opened.read(MAX_TRANSCRIPT_BYTES + 1)
    report = audit(data, os.urandom)
    if as_json:
        print_json(as_record(report))
    else:
        _print(report, every_card=every_card)
    if report.problem in _UNREADABLE:
        return Exit.USAGE
    return Exit.DONE if report.ok else Exit.BREACH


_UNREADABLE = (TranscriptProblem.NOT_A_TRANSCRIPT, TranscriptProblem.NEWER_VERSION)
"""The file shows nothing about a deal, good or bad."""


def as_record(report: AuditReport) -> dict[str, object]:
    """Return a report as a JSON object; the keys of the first line are stable."""
    return {
        **{
            key: getattr(report, key)
            for key in ("ok", "check", "step", "seat", "form", "seats", "loser", "entries")
        },
        "winner": report.winner,
        "deal": report.deal,
        "names": list(report.names),
        "line": report.line,
        "problem": None if report.problem is None else report.problem.value,
        "receipts": sorted(report.receipts),
        "wished": sorted(report.wished),
        "opened": sorted(report.opened),
        "proofs": [] if report.trust is None else [asdict(one) for one in report.trust.seats],
        "packets_opened": 0 if report.trust is None else report.trust.packets_opened,
        "cards": [
            {
                "slot": card.slot,
                "made_at": card.made_at,
                "face": None if card.face is None else str(card.face),
                "readers": [{"seat": reading.seat, "since": reading.since} for reading in card.readings],
            }
            for card in report.cards
        ],
    }


def _print(report: AuditReport, *, every_card: bool) -> None:
    width = min(WIDEST, max(NARROWEST, shutil.get_terminal_size((80, 24)).columns))
    for line in summary(report, width):
        say(line)
    if report.cards:
        for line in every_slot(report) if every_card else by_hand(report, width):
            say(line)
        say("")
    for line in ending(report, width):
        (say if report.ok else note)(line)
