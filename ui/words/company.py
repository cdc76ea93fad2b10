"""Another company at the same table: opening it again after a deal, and what is carried on."""

from engine import Ruleset
from p2p.protocol.snapshot import ReopenedView, TableSnapshot
from ui.i18n import gettext as _
from ui.i18n import ngettext


def reopening(seats: int) -> str:
    """What Enter does while the number of seats is chosen."""
    return ngettext("Open the table again for {count}", "Open the table again for {count}", seats).format(
        count=seats
    )


def reopening_explained() -> str:
    """What it means to open the table again."""
    return _(
        "Whoever comes along keeps his count, newcomers from the lobby begin with none. Seats and dealer are "
        "drawn anew. This table stays as it is until the new one starts."
    )


def reopened(view: ReopenedView) -> str:
    """Somebody has opened the own table again."""
    if view.asks_code:
        return _(
            "{name} has opened the table again: press Enter and type its code, which is never stored."
        ).format(name=view.name)
    return _("{name} has opened the table again: press Enter to take your seat there.").format(name=view.name)


def reopened_briefly(view: ReopenedView) -> str:
    """The same beside what Enter does."""
    return _("{name} has opened it again · {taken}/{seats}").format(
        name=view.name, taken=view.taken, seats=view.seats
    )


def counted_otherwise(view: ReopenedView) -> str:
    """What somebody states of the table is not what was counted here."""
    return _(
        "{name} has opened the table again, but with other rules or counts than your program has: "
        "it takes no seat there."
    ).format(name=view.name)


def reopened_and_full(view: ReopenedView) -> str:
    """Somebody has opened the own table again, and all seats there are taken."""
    return _("{name} has opened the table again, but all seats there are taken.").format(name=view.name)


def reopened_and_left(view: ReopenedView) -> str:
    """The table that somebody has opened again was left by the own person."""
    return _("{name} has opened the table again, and you have left that one.").format(name=view.name)


def going_there(name: str) -> str:
    """The word beside the key that leads to a table that was opened again."""
    return _("go to {name}").format(name=name)


def opened_twice(view: ReopenedView) -> str:
    """The table was opened again by two, and the other one counts."""
    return _("{name} has opened it again, too, and the programs of the others point there.").format(
        name=view.name
    )


def goes_on(rules: Ruleset) -> str:
    """While people take seats at a table that was played at before: what the numbers say."""
    if rules.session == "none":
        return _("This table goes on from an earlier one. Seats and dealer are drawn anew.")
    if rules.end == "first_out":
        return _(
            "This table goes on from an earlier one. The numbers are deals won so far; newcomers have none. "
            "Seats and dealer are drawn anew."
        )
    return _(
        "This table goes on from an earlier one. The numbers are deals lost so far; newcomers have none. "
        "Seats and dealer are drawn anew."
    )


def goes_on_briefly() -> str:
    """The same on the card of a table in the lobby."""
    return _("It goes on from an earlier table: newcomers begin with no losses.")


def carried(table: TableSnapshot, number: int) -> str:
    """What a member brings along, by his number; "" where nothing is counted or nothing goes on."""
    if not table.goes_on or table.ruleset.session == "none":
        return ""
    return str((table.wins if table.ruleset.end == "first_out" else table.losses)[number])
