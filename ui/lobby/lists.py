"""The lists of the lobby: open tables, the card of one, people, and what is said while nobody is found."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from rich.cells import cell_len

from p2p.protocol.snapshot import OfferStatus, OfferView, PersonView
from ui.i18n import gettext as _
from ui.i18n import ngettext
from ui.lobby.page import ACCENT, BOLD, GOOD, MUTE, WARN, Pick, arrow, below, mark_hidden, paragraph, window
from ui.table.canvas import Canvas, Ink, clip, wrap
from ui.table.size import Rect
from ui.words import looking
from ui.words.company import goes_on_briefly
from ui.words.looking import LOOK_FOR_S, Surroundings
from ui.words.people import carries, listed, name_warning, short_fingerprint
from ui.words.rules import RuleLine, card_head, difference_lines, form_with_mark


def draw_offers(canvas: Canvas, rect: Rect, offers: Sequence[OfferView], chosen: int) -> None:
    """The list of tables, with its heads."""
    form = rect.column + max(20, rect.width * 30 // 100)
    seats = rect.column + max(36, rect.width * 60 // 100)
    status = seats + 8
    if not offers:
        canvas.put(rect.row, rect.column, clip(_("Nobody has opened a table yet."), rect.width), MUTE)
        return
    for column, word in ((rect.column + 2, _("Table")), (form, _("Form")), (seats, _("Seats"))):
        canvas.put(rect.row, column, word, MUTE)
    shown = window(len(offers), rect.height - 1, chosen)
    for row, number in enumerate(shown, rect.row + 1):
        offer = offers[number]
        ink = ACCENT if number == chosen else Ink()
        target = Pick("offer", number)
        canvas.fill(row, rect.column, rect.width, 1, Ink(), target)
        canvas.put(row, rect.column, arrow(number == chosen), ink, target)
        name = f"{offer.title} {offer.short_id}" if offer.same_title else offer.title
        canvas.put(row, rect.column + 2, clip(name, form - rect.column - 3), ink, target)
        mark = form_with_mark(offer.ruleset, offer.seats, offer.table_rules)
        canvas.put(row, form, clip(mark, seats - form - 1), ink, target)
        canvas.put(row, seats, f"{offer.taken}/{offer.seats}", ink, target)
        word, word_ink = _status(offer)
        canvas.put(row, status, clip(word, rect.column + rect.width - status), word_ink, target)
    mark_hidden(
        canvas,
        rect._replace(row=rect.row + 1, height=len(shown)),
        above=shown.start > 0,
        below=shown.stop < len(offers),
    )


def draw_card(canvas: Canvas, rect: Rect, offer: OfferView | None) -> None:
    """What the chosen table plays, and who sits there."""
    if offer is None:
        paragraph(canvas, rect, _("Open one: others see it at once and can join."), MUTE)
        return
    left = paragraph(canvas, rect, card_head(offer.ruleset, offer.seats, offer.table_rules))
    if offer.goes_on:
        left = paragraph(canvas, left, goes_on_briefly(), MUTE)
    rows = [
        row
        for line in difference_lines(offer.ruleset, offer.seats, offer.table_rules)
        for row in rule_rows(line, left.width - 2)
    ]
    for row in rows[: max(0, left.height - 1 - offer.needs_code)]:
        draw_rule_row(canvas, left.row, left.column, row)
        left = below(left, 1)
    if offer.needs_code and not offer.own:
        column = canvas.put(left.row, left.column, _("Code"), MUTE) + 2
        text = _("needed: ask {name}").format(name=offer.opener_name)
        canvas.put(left.row, column, clip(text, left.column + left.width - column), ACCENT)
        left = below(left, 1)
    column = canvas.put(left.row, left.column, _("Seats"), MUTE) + 2
    free = offer.seats - offer.taken
    words = ngettext("{count} free", "{count} free", free).format(count=free) if free else ""
    room = left.column + left.width - column - cell_len(words) - 2
    column = canvas.put(left.row, column, clip(listed(offer.people), room))
    canvas.put(left.row, column, f", {words}" if offer.people and words else words, GOOD)


@dataclass(frozen=True, slots=True)
class RuleRow:
    """One row of a list of rules: a mark, the rule, and in quiet words what is usual."""

    mark: str
    text: str
    usual: str
    ink: Ink


def rule_rows(line: RuleLine, width: int) -> list[RuleRow]:
    """Break one rule into rows; what is usual stands behind the rule where there is room, else below it."""
    mark, ink = ("≠", BOLD) if line.differs else ("", Ink())
    texts = wrap(line.text, max(1, width))
    rows = [RuleRow(mark if number == 0 else "", text, "", ink) for number, text in enumerate(texts)]
    if not line.differs:
        return rows
    if cell_len(texts[-1]) + 2 + cell_len(line.usual) <= width:
        return [*rows[:-1], replace(rows[-1], usual=line.usual)]
    return [*rows, RuleRow("", "", clip(line.usual, width), ink)]


def draw_rule_row(canvas: Canvas, row: int, column: int, rule: RuleRow) -> None:
    """Paint one row of a rule."""
    canvas.put(row, column, rule.mark, ACCENT)
    end = canvas.put(row, column + 2, rule.text, rule.ink)
    canvas.put(row, end + 2 if rule.text else end, rule.usual, MUTE)


def draw_people(canvas: Canvas, rect: Rect, people: Sequence[PersonView]) -> None:
    """Everybody here: name, short fingerprint, place or warning."""
    if not people:
        canvas.put(rect.row, rect.column, clip(_("Nobody else yet."), rect.width), MUTE)
        return
    wide = max(8, min(16, rect.width // 3 - 1))
    rows = rect.height
    if len(people) > rows:
        # Who is to be looked at twice is never among those that have no room.
        people, rows = sorted(people, key=lambda person: person.warning is None), rows - 1
    for row, person in enumerate(people[:rows], rect.row):
        column = draw_name(canvas, row, rect.column, wide, person.name, person.fingerprint)
        words, ink = _whereabouts(person)
        canvas.put(row, column + 2, clip(words, rect.column + rect.width - column - 2), ink)
    if rows < len(people):
        rest = len(people) - rows
        words = ngettext("and {count} more", "and {count} more", rest).format(count=rest)
        canvas.put(rect.row + rows, rect.column, clip(words, rect.width), MUTE)


def draw_nobody(canvas: Canvas, rect: Rect, around: Surroundings) -> None:
    """Looking, and after a while what may be wrong."""
    if around.looked_s < LOOK_FOR_S:
        paragraph(canvas, rect, looking.looking(), MUTE)
        return
    text = looking.nobody(around.looked_s, around.interfaces, connected=bool(around.addresses))
    left = below(paragraph(canvas, rect, text, BOLD), 1)
    left = below(paragraph(canvas, left, looking.is_it_there()), 1)
    if around.addresses:
        left = paragraph(canvas, left, looking.read_aloud())
        for address in around.addresses[:2]:
            if left.height:
                canvas.put(left.row, left.column + 2, clip(address, left.width - 2), ACCENT)
            left = below(left, 1)
    paragraph(canvas, below(left, 1), looking.see_doctor(), MUTE)


def draw_name(
    canvas: Canvas,
    row: int,
    column: int,
    wide: int,
    name: str,
    fingerprint: str,
    ink: Ink = Ink(),  # noqa: B008
) -> int:
    """Paint a name of `wide` cells, then the fingerprint's first group; return the column behind both.

    A name that carries it already, for somebody else has the name too, takes the room of both.
    """
    short = short_fingerprint(fingerprint)
    end = column + wide + 1 + len(short)
    if carries(name, fingerprint):
        canvas.put(row, column, clip(name, end - column), ink)
    else:
        canvas.put(row, column, clip(name, wide), ink)
        canvas.put(row, end - len(short), short, MUTE)
    return end


def _status(offer: OfferView) -> tuple[str, Ink]:
    """The word behind a table."""
    if offer.own:
        return _("yours"), GOOD
    if offer.status is OfferStatus.FULL:
        return _("full"), MUTE
    if offer.status is OfferStatus.PLAYING:
        return _("playing"), MUTE
    if offer.needs_code:
        return _("code"), ACCENT
    return (_("goes on"), GOOD) if offer.goes_on else ("", MUTE)


def _whereabouts(person: PersonView) -> tuple[str, Ink]:
    """Where somebody is, or a warning in place of it."""
    if person.warning is not None:
        return name_warning(person.warning, person.name), WARN
    if not person.reachable:
        return _("no answer"), MUTE
    if person.table_title:
        return _("at {title}").format(title=person.table_title), MUTE
    return "", MUTE
