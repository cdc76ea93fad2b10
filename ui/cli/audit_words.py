"""What an audit found, as lines of text: what was checked, who could read which cards, the verdict."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from engine import Seat, Slot
from p2p.protocol.audit import AuditReport
from p2p.protocol.deal_views import CardReading
from p2p.protocol.effects import Absent
from p2p.protocol.errors import TranscriptProblem
from ui.columns import clip, table_lines, width_of, wrapped
from ui.i18n import gettext as _
from ui.i18n import ngettext
from ui.words import books
from ui.words.table import form_name

NARROWEST: Final = 60
WIDEST: Final = 100
"""In columns: lines are laid out for a terminal between these."""

MOST_HANDS: Final = 40
"""Rows, one for each hand: some two screens. A deal with more pick-ups than that gets one row a seat for
them.
"""

LONGEST_NAME: Final = 12
"""Columns for a name in a table, so that all columns fit into the narrowest terminal."""


@dataclass(frozen=True, slots=True)
class Hand:
    """Cards that came into being by one shuffle (or, taken together, by several) and have the same reader.

    made_at, since: the steps of the shuffles, and from which steps on the readers could read. readers: by
    seat; nobody in an empty one, as for the burned card. shown: the steps after which everybody could read
    a card of these, one step for each card that was shown.
    """

    made_at: tuple[int, ...]
    readers: tuple[Seat, ...]
    since: tuple[int, ...]
    slots: tuple[Slot, ...]
    shown: tuple[int, ...]


def hands(cards: Iterable[CardReading]) -> tuple[Hand, ...]:
    """Group the cards of a deal by shuffle and reader, in the order of their first slots."""
    groups: dict[tuple[int, tuple[Seat, ...], tuple[int, ...]], list[CardReading]] = {}
    for card in cards:
        alone = [reading for reading in card.readings if reading.seat is not None]
        readers = tuple(reading.seat for reading in alone if reading.seat is not None)
        since = tuple(sorted({reading.since for reading in alone}))
        groups.setdefault((card.made_at, readers, since), []).append(card)
    return tuple(
        Hand(
            (made_at,),
            readers,
            since,
            tuple(card.slot for card in group),
            tuple(
                sorted(reading.since for card in group for reading in card.readings if reading.seat is None)
            ),
        )
        for (made_at, readers, since), group in groups.items()
    )


def together(found: Sequence[Hand]) -> tuple[Hand, ...]:
    """Take all hands after the deal together that have the same reader."""
    dealt_at = min(hand.made_at for hand in found)
    merged: dict[tuple[bool, tuple[Seat, ...]], Hand] = {}
    for hand in found:
        key = (hand.made_at == dealt_at, hand.readers)
        before = merged.get(key)
        merged[key] = hand if before is None else _joined(before, hand)
    return tuple(merged.values())


def _joined(one: Hand, other: Hand) -> Hand:
    return Hand(
        one.made_at + other.made_at,
        one.readers,
        one.since + other.since,
        one.slots + other.slots,
        tuple(sorted(one.shown + other.shown)),
    )


def summary(report: AuditReport, width: int) -> list[str]:
    """Return what was checked, with a table of who has proven what. Empty if nothing could be read."""
    if report.form is None:
        return []
    title = _("{form}, deal {deal}: {names}").format(
        form=form_name(report.form), deal=report.deal, names=", ".join(report.names)
    )
    checked = ngettext("{count} entry checked.", "{count} entries checked.", report.entries)
    lines = [*wrapped(title, width), checked.format(count=report.entries)]
    if report.trust is None:
        return lines
    header = (_("proven by"), _("key"), _("pack"), _("hands"), _("shares"), _("seals"))
    rows = [
        (
            _name(report, one.seat),
            *map(str, (int(one.key_proven), one.shuffles, one.repacks, one.shares, one.seals)),
        )
        for one in report.trust.seats
    ]
    explained = _(
        "Proofs and seals that were checked: of the key, of shuffles of the pack and of hands, of shares in "
        "others' cards; a seal says that all before it was verified."
    )
    lines += ["", *wrapped(explained, width), *table_lines(header, rows, right=range(1, len(header)))]
    if report.trust.packets_opened:
        opened = ngettext(
            "Opened: {count} packet, by a call, exactly as it was laid.",
            "Opened: {count} packets, each by a call, each exactly as it was laid.",
            report.trust.packets_opened,
        )
        lines += wrapped(opened.format(count=report.trust.packets_opened), width)
    return [*lines, ""]


def by_hand(report: AuditReport, width: int) -> list[str]:
    """Return a row for each hand: from which shuffle, which cards, who could read them, which were shown."""
    found = hands(report.cards)
    if len(found) > MOST_HANDS:
        found = together(found)
    dealt_at = min(hand.made_at for hand in found)
    explained = _(
        "The hands, each by the step at which it was shuffled: who alone could read its cards, since which "
        "step, and how many of them were shown to all, at which steps."
    )
    header = (_("shuffle"), _("cards"), _("reader"), _("since"), _("shown to all"))
    rows = []
    for hand in found:
        origin = _("the deal") if hand.made_at == dealt_at else _steps(hand.made_at)
        who = ", ".join(_name(report, seat) for seat in hand.readers) or _("nobody")
        rows.append((origin, _cards(hand.slots), who, _steps(hand.since)))
    left = width - sum(2 + max(map(width_of, column)) for column in zip(header[:-1], *rows, strict=True))
    whole = [(*row, _shown(hand.shown, left)) for row, hand in zip(rows, found, strict=True)]
    return wrapped(explained, width) + [clip(line, width) for line in table_lines(header, whole, right=(3,))]


def every_slot(report: AuditReport) -> list[str]:
    """Return a row for each card: its face, if it was shown, and who could read it, and from when."""
    header = (_("card"), _("shown"), _("who could read it, and from when"))
    return table_lines(header, [_card_row(report, card) for card in report.cards])


def ending(report: AuditReport, width: int) -> list[str]:
    """Return how the deal ended, who signed, and the one sentence that says what the audit found."""
    lines = []
    if report.ok:
        if all(len({reading.seat for reading in card.readings} - {None}) <= 1 for card in report.cards):
            lines.append(_("No card could be read by a second player before it was shown to all."))
        if report.winner is not None:
            lines.append(_("Won: {name}.").format(name=report.names[report.winner]))
        if report.loser is not None:
            lines.append(_("Lost: {name}.").format(name=report.names[report.loser]))
        if isinstance(report.outcome, Absent):
            lines += _absence(report, report.outcome)
        else:
            lines.append(_receipts(report))
            lines += _books(report)
    return [piece for line in (*lines, verdict(report)) for piece in wrapped(line, width)]


def _receipts(report: AuditReport) -> str:
    """Who signed the end of a deal that was played."""
    missing = [name for seat, name in enumerate(report.names) if Seat(seat) not in report.receipts]
    if not missing:
        return _("Everybody signed the receipt.")
    return _("No receipt from: {names}. That is no breach.").format(names=", ".join(missing))


def _books(report: AuditReport) -> list[str]:
    """Who wanted every card of a finished deal to be readable, and whether it is."""
    if not report.wished:
        return []
    named = [name for seat, name in enumerate(report.names) if Seat(seat) in report.wished]
    if len(named) < report.seats:
        return [books.asked(", ".join(named))]
    closed = [name for seat, name in enumerate(report.names) if Seat(seat) not in report.opened]
    return [books.withheld(", ".join(closed)) if closed else books.opened()]


def _absence(report: AuditReport, outcome: Absent) -> list[str]:
    """Without whom all others ended the deal, and who lost by it."""
    lines = []
    voted = [report.names[seat] for seat in outcome.seats if seat not in outcome.left]
    if voted:
        lines.append(_("All others signed that they missed: {names}.").format(names=", ".join(voted)))
    if outcome.left:
        left = ", ".join(report.names[seat] for seat in outcome.left)
        lines.append(_("Left, by an own signature: {names}.").format(names=left))
    lines += [_("Lost: {name}.").format(name=report.names[seat]) for seat in outcome.losers]
    return lines


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
        check=report.check, step=report.step, name=_full_name(report, report.seat), seat=report.seat
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


def _card_row(report: AuditReport, card: CardReading) -> tuple[str, str, str]:
    readers = [
        _("{who} from step {step}").format(
            who=_("everybody") if reading.seat is None else _full_name(report, reading.seat),
            step=reading.since,
        )
        for reading in card.readings
    ]
    shown = "" if card.face is None else str(card.face)
    return f"#{card.slot}", shown, ", ".join(readers) or _("nobody")


def _cards(slots: tuple[Slot, ...]) -> str:
    if len(slots) == 1:
        return f"1: #{slots[0]}"
    gap = "-" if slots[-1] - slots[0] == len(slots) - 1 else ".."
    return f"{len(slots)}: #{slots[0]}{gap}#{slots[-1]}"


def _steps(steps: tuple[int, ...]) -> str:
    if not steps:
        return ""
    return str(steps[0]) if len(set(steps)) == 1 else f"{min(steps)}..{max(steps)}"


def _shown(steps: tuple[int, ...], width: int) -> str:
    """How many cards were shown, and when: every step, or the first and the last, or none, as it fits."""
    if not steps:
        return ""
    count = str(len(steps))
    each = f"{count}: " + ", ".join(map(str, sorted(set(steps))))
    return next((text for text in (each, f"{count}: {_steps(steps)}") if width_of(text) <= width), count)


def _full_name(report: AuditReport, seat: Seat) -> str:
    return report.names[seat] if seat < len(report.names) else str(seat)


def _name(report: AuditReport, seat: Seat) -> str:
    """A name for a table: cut, and then told apart from others by the seat."""
    name = _full_name(report, seat)
    if width_of(name) <= LONGEST_NAME:
        return name
    number = f" {seat}"
    return clip(name, LONGEST_NAME - len(number)) + number
