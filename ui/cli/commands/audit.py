"""`verish audit`: verify a transcript without any key, and say who could read each card, and from when."""

import os
from pathlib import Path

import click

from engine import Seat
from p2p.protocol.audit import AuditReport, audit
from p2p.protocol.deal_views import CardReading
from p2p.protocol.errors import TranscriptProblem
from p2p.protocol.transcript import MAX_TRANSCRIPT_BYTES
from ui.cli.exits import Exit
from ui.cli.output import note, print_json, print_table, say
from ui.i18n import gettext as _
from ui.i18n import ngettext


@click.command(
    "audit",
    short_help=_("Verify a transcript without any key."),
    help=_(
        "Verify a transcript without any key: signatures, chain, every proof, every rule, the receipt. "
        "Exit code 1 names the first broken check."
    ),
)
@click.argument("file", type=click.Path(path_type=Path))
@click.option("--json", "as_json", is_flag=True, help=_("Print one JSON object."))
def command(file: Path, as_json: bool) -> int:
    """Audit a file and print what was found."""
    with file.open("rb") as opened:
        # One byte more than the limit is enough for the auditor to refuse the file; a pipe may have no end.
        data = opened.read(MAX_TRANSCRIPT_BYTES + 1)
    report = audit(data, os.urandom)
    if as_json:
        print_json(as_record(report))
    else:
        _print(report)
    return Exit.DONE if report.ok else Exit.BREACH


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


def verdict(report: AuditReport) -> str:
    """Return the one sentence that says what the audit found."""
    if report.ok:
        return _("Audit: ok. Every signature, proof and rule holds.")
    if report.problem is not None:
        return _("Audit: line {line} of the transcript: {problem}").format(
            line=report.line, problem=_problem(report.problem, report.found)
        )
    if report.check == "unfinished":
        return _("Audit: the transcript is unfinished; it has no end after step {step}.").format(
            step=report.step
        )
    if report.seat is None:
        return _("Audit: the check “{check}” fails.").format(check=report.check)
    return _("Audit: the check “{check}” fails at step {step}, by {name} (seat {seat}).").format(
        check=report.check, step=report.step, name=_name(report, report.seat), seat=report.seat
    )


def _problem(problem: TranscriptProblem, found: str) -> str:
    return {
        TranscriptProblem.NOT_A_TRANSCRIPT: _("this is no transcript of Verish."),
        TranscriptProblem.NEWER_VERSION: _(
            "it was written by a newer version (format {found}). Update this program to read it."
        ).format(found=found),
        TranscriptProblem.NOT_CANONICAL: _(
            "it is not spelled as the program spells it; it was changed or cut."
        ),
        TranscriptProblem.WRONG_ORDER: _("a line is missing, doubled or moved."),
        TranscriptProblem.SIGNATURE: _("a signature is wrong."),
        TranscriptProblem.PROPOSAL: _("the table's proposal is not valid."),
        TranscriptProblem.END: _("the end line does not fit the lines before it."),
        TranscriptProblem.CUT: _("the file is cut off in the middle of this line."),
        TranscriptProblem.TOO_LONG: _("the line or the file is too long."),
    }[problem]


def _print(report: AuditReport) -> None:
    if report.form is not None:
        say(
            _("{form}, deal {deal}: {names}").format(
                form=report.form, deal=report.deal, names=", ".join(report.names)
            )
        )
        say(
            ngettext("{count} entry checked.", "{count} entries checked.", report.entries).format(
                count=report.entries
            )
        )
    if report.cards:
        print_table(
            (_("card"), _("shown"), _("who could read it, and from when")),
            [_card_row(report, card) for card in report.cards],
            numbers_from=3,
        )
    if report.ok:
        if report.loser is not None:
            say(_("Lost: {name}.").format(name=_name(report, report.loser)))
        missing = [name for seat, name in enumerate(report.names) if Seat(seat) not in report.receipts]
        say(
            _("Everybody signed the receipt.")
            if not missing
            else _("No receipt from: {names}. That is no breach.").format(names=", ".join(missing))
        )
    (say if report.ok else note)(verdict(report))


def _card_row(report: AuditReport, card: CardReading) -> tuple[str, str, str]:
    readers = [
        _("{who} from step {step}").format(
            who=_("everybody") if reading.seat is None else _name(report, reading.seat), step=reading.since
        )
        for reading in card.readings
    ]
    shown = "" if card.face is None else str(card.face)
    return f"#{card.slot}", shown, ", ".join(readers) or _("nobody")


def _name(report: AuditReport, seat: Seat) -> str:
    return report.names[seat] if seat < len(report.names) else str(seat)
