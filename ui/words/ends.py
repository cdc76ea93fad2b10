"""The end of a deal: who lost, what was exposed, what the auditor found."""

from collections.abc import Sequence

from engine import Seat
from p2p.protocol.snapshot import AuditView, PollView, ResultKind, ResultView, TableSnapshot
from ui.i18n import gettext as _
from ui.i18n import ngettext, pgettext
from ui.words import banner as banners
from ui.words.banner import Banner, BannerKind
from ui.words.log import lost, won
from ui.words.people import Who, listed


def who_at(table: TableSnapshot, seat: Seat) -> Who:
    """Return who sits at `seat`."""
    member = next(one for one in table.members if one.seat == seat)
    return Who(member.name, member.own)


def _stop_reason(table: TableSnapshot, result: ResultView) -> str:
    """At which step the programs differ, and whose differs from the own one; nobody is to blame by it."""
    if result.differs_from is None:
        return _("Programs differ at step {step}. Nobody loses.").format(step=result.step)
    name = who_at(table, result.differs_from).name
    return _("Yours and {name}'s programs differ at step {step}. Nobody loses.").format(
        name=name, step=result.step
    )


def over_banner(table: TableSnapshot, result: ResultView) -> Banner:
    """The banner of a deal that ended: who lost and why, or that nobody did."""
    if result.kind is ResultKind.STOPPED:
        return Banner(BannerKind.TROUBLE, pgettext("banner", "DEAL STOPPED"), _stop_reason(table, result))
    if result.kind is ResultKind.ABSENT:
        return Banner(BannerKind.EVENT, pgettext("banner", "DEAL OVER"), _absence(table, result))
    loser = who_at(table, result.loser) if result.loser is not None else None
    if result.kind is ResultKind.VOID:
        return Banner(BannerKind.TROUBLE, pgettext("banner", "DEAL VOID"), _void_reason(result, loser))
    if loser is not None:
        text = lost(loser)
    elif result.winner is not None:
        text = won(who_at(table, result.winner))
    else:
        text = ""
    session = table.session
    if session is not None and session.over and not session.tied:
        return Banner(BannerKind.EVENT, pgettext("banner", "SESSION OVER"), text)
    return Banner(BannerKind.EVENT, pgettext("banner", "DEAL OVER"), text)


def _absence(table: TableSnapshot, result: ResultView) -> str:
    """Who left or was voted absent, and whether he has lost."""
    if table.own_seat in result.absent:
        lost = table.own_seat in result.losers
        return _("You were voted absent and lose.") if lost else _("You were voted absent.")
    seats = result.losers or result.absent
    left = [seat for seat in seats if seat in result.left]
    voted = [seat for seat in seats if seat not in result.left]
    loses = bool(result.losers)
    return " ".join([*_left(table, left, loses=loses), *_voted_absent(table, voted, loses=loses)])


def poll_sentence(table: TableSnapshot, poll: PollView) -> str:
    """All others are asked whether to play the next deal without somebody."""
    names = listed([who_at(table, seat).name for seat in poll.seats])
    return banners.polled(names, len(poll.answered), len(poll.voters)).text


def _left(table: TableSnapshot, seats: Sequence[Seat], *, loses: bool) -> tuple[str, ...]:
    """Who left by themselves; nothing where nobody did."""
    if not seats:
        return ()
    if loses:
        text = ngettext("{names} has left and loses.", "{names} have left and lose.", len(seats))
    else:
        text = ngettext("{names} has left. Nobody loses.", "{names} have left. Nobody loses.", len(seats))
    return (text.format(names=listed([who_at(table, seat).name for seat in seats])),)


def _voted_absent(table: TableSnapshot, seats: Sequence[Seat], *, loses: bool) -> tuple[str, ...]:
    """Whom all others voted absent; nothing where they did so with nobody."""
    if not seats:
        return ()
    count = len(seats)
    if loses:
        text = ngettext("{names} was voted absent and loses.", "{names} were voted absent and lose.", count)
    else:
        text = ngettext(
            "{names} was voted absent. Nobody loses.", "{names} were voted absent. Nobody loses.", count
        )
    return (text.format(names=listed([who_at(table, seat).name for seat in seats])),)


def _void_reason(result: ResultView, loser: Who | None) -> str:
    """Who broke the protocol, and how."""
    if loser is None:
        return _("The deal is void.")
    if result.check == "fork":
        text = _("You told two stories and lose.") if loser.own else _("{name} told two stories and loses.")
    else:
        text = (
            _("Your program broke the rules and loses (step {step}, {check}).")
            if loser.own
            else _("{name} broke the rules and loses (step {step}, {check}).")
        )
    return text.format(name=loser.name, step=result.step, check=result.check or "?")


def why_broken_off(outcome: str, cause: str | None) -> str:
    """Why a deal that the store remembers was not played to its end."""
    if outcome == "absent":
        return _("somebody left, or was voted absent")
    if outcome == "stopped":
        return _("the programs differed, or the deal was left")
    if cause == "fork":
        return _("told two stories")
    return _("broke the rules ({check})").format(check=cause or "?")


def audit_sentence(table: TableSnapshot, audit: AuditView | None) -> tuple[bool | None, str]:
    """Return whether the audit passed (None: still at work), and the sentence."""
    if audit is None:
        return None, _("The audit of this deal is at work.")
    if audit.ok:
        return True, _("Audited without any key: every signature, every proof and every move is right.")
    check = _("two stories of one step") if audit.check == "fork" else audit.check or "?"
    parts = [_("The audit found a breach: {check}.").format(check=check)]
    if audit.step is not None:
        parts.append(_("Step {step}.").format(step=audit.step))
    if audit.seat is not None:
        parts.append(_("By {name}.").format(name=who_at(table, audit.seat).label))
    return False, " ".join(parts)


def secret_lies() -> str:
    """Why the table of the deal does not count every lie."""
    return _("Lies that nobody called stay secret until all open their books.")


def exposed_head() -> str:
    """Column: lies that a call exposed."""
    return pgettext("column", "exposed")


def guessed_head() -> str:
    """Column: calls that were right."""
    return pgettext("column", "guessed")


def wins_head() -> str:
    """Column: deals won in this session."""
    return pgettext("column", "won")


def losses_head() -> str:
    """Column: deals lost in this session."""
    return pgettext("column", "lost")
