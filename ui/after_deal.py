"""What a person can do once a deal is over, read from the snapshot of the table; the same on every
interface.
"""

from p2p.protocol.snapshot import MemberView, ReopenedView, TableSnapshot
from ui.i18n import gettext as _
from ui.i18n import ngettext
from ui.words.enter import EnterLine
from ui.words.people import listed
from ui.words.session import next_deal


def wants_next(table: TableSnapshot) -> bool:
    """Whether I have asked for the next deal."""
    own = table.own_member
    return own is not None and own.key in table.next_ready


def plays_next(table: TableSnapshot) -> bool:
    """Whether the next deal is played by me too."""
    own = table.own_member
    return own is not None and own.key in table.next_players


def next_members(table: TableSnapshot) -> tuple[MemberView, ...]:
    """Who plays the next deal."""
    return tuple(one for one in table.everybody if one.key in table.next_players)


def may_end_wait(table: TableSnapshot) -> bool:
    """Whether others can be asked about somebody who keeps the next deal waiting; of two, one leaves."""
    return table.wait_until is not None and table.poll is None and not table.two_alone


def may_open_books(table: TableSnapshot) -> bool:
    """Whether I can agree to open the books."""
    return table.books is not None and table.books.can_wish


def keeps_books_closed(table: TableSnapshot) -> bool:
    """Whether others want the books to be opened, and my key of the deal is erased already."""
    view = table.books
    if view is None or table.own_seat is None or table.own_seat in view.wished:
        return False
    return bool(view.wished) and not view.can_wish


def may_reopen(table: TableSnapshot) -> bool:
    """Whether I can open the table again for another company: who only watches has no say in that."""
    return not table.watching


def leads_away(table: TableSnapshot) -> ReopenedView | None:
    """Where a seat can be taken instead of wanting the next deal: where this table was opened again."""
    view = table.reopened
    return view if view is not None and view.can_join else None


def way_back(table: TableSnapshot) -> ReopenedView | None:
    """The table opened again that was left, and where a seat could be taken nevertheless."""
    view = table.reopened
    back = view is not None and view.left and view.agrees and view.taken < view.seats
    return view if back else None


def next_line(table: TableSnapshot) -> EnterLine:
    """The next deal at this table; not live where it cannot be wanted, and then it says why."""
    gone = [member.name for member in next_members(table) if member.left and not member.own]
    if gone:
        text = ngettext(
            "{names} has left: the next deal goes on without them.",
            "{names} have left: the next deal goes on without them.",
            len(gone),
        )
        return EnterLine(text.format(names=listed(gone)), live=False)
    if not table.next_players:
        return EnterLine(_("Too few are left: no more deals here."), live=False)
    count, seats = len(table.next_ready), len(table.next_players)
    aside = _("ready {count} of {total}").format(count=count, total=seats)
    if wants_next(table):
        return EnterLine(_("Waiting for the others."), aside, live=False)
    plays = plays_next(table)
    return EnterLine(next_deal(table.session, plays=plays), aside, live=plays)
