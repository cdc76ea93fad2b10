"""What leaving a table costs."""

from p2p.protocol.snapshot import RUNNING, Phase, TableSnapshot
from ui.i18n import gettext as _

_UNSEALED = frozenset({Phase.OPENING, Phase.SHUFFLING, Phase.SEALING})
"""Until all have sealed the pack nobody holds cards, so nobody can lose."""


def leaving_costs(table: TableSnapshot) -> str:  # noqa: PLR0911 - one for each state
    """Return what leaving the table now does to the others and to oneself."""
    if table.watching:
        return _("you only watch")
    if table.phase is Phase.GATHERING:
        if table.before is not None:
            return _("your seat becomes free, and you are back at the last result")
        return _("your seat becomes free")
    if table.phase is Phase.VOID:
        return _("this deal is void, nothing is lost")
    if table.phase is Phase.STOPPED:
        return _("this deal was stopped, nothing is lost")
    if table.phase not in RUNNING:
        return _("this deal is over, nothing is lost")
    if table.phase in _UNSEALED or table.own_seat is None:
        return _("the others play without you; nothing is lost")
    if table.view is not None and table.own_seat in table.view.state.out:
        return _("the others need your key: their deal ends without a loser")
    return _("if you leave now, you lose this deal")
