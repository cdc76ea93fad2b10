"""The session: what it goes to, how it ended, and the tie that one more deal settles."""

from collections.abc import Sequence

from p2p.protocol.snapshot import SessionView, TableSnapshot
from ui.i18n import gettext as _
from ui.i18n import ngettext
from ui.words.people import Who, listed


def session_line(table: TableSnapshot) -> str:
    """How the session stands after a deal, in a sentence; "" where it never ends."""
    session = table.session
    if session is None or session.goal is None:
        return ""
    if not session.over:
        return _goes_to(session.goal, wins=table.ruleset.end == "first_out")
    people = {member.key: Who(member.name, member.own).label for member in table.everybody}
    return ended([people[key] for key in session.losers], [people[key] for key in session.best])


def ended(losers: Sequence[str], best: Sequence[str]) -> str:
    """How a session ended: the names of who has lost it, and of the best; several best are a tie."""
    parts = [_("The session is over.")]
    if losers:
        parts.append(_("Lost: {names}.").format(names=listed(losers)))
    if len(best) > 1:
        text = _("A tie for the fewest losses: {names}. One more deal among them settles it.")
        parts.append(text.format(names=listed(best)))
    elif best:
        parts.append(_("Best: {names}.").format(names=listed(best)))
    return " ".join(parts)


def next_deal(session: SessionView | None, *, plays: bool) -> str:
    """What the next deal is to the reader; `plays`: whether he plays it, or watches it."""
    if session is not None and session.tied:
        return _("Play the tie-break") if plays else _("You watch the tie-break.")
    if not plays:
        return _("You watch the next deal.")
    return _("Start a new session") if session is not None and session.over else _("Next deal")


def _goes_to(goal: int, *, wins: bool) -> str:
    if wins:
        text = ngettext("The session goes to {count} win.", "The session goes to {count} wins.", goal)
    else:
        text = ngettext("The session goes to {count} loss.", "The session goes to {count} losses.", goal)
    return text.format(count=goal)
