"""What has been proven so far, in plain words; never a percentage."""

from dataclasses import dataclass
from typing import Final

from p2p.protocol.snapshot import Phase, ResultKind, TableSnapshot, TrustAnswer
from ui.i18n import gettext as _
from ui.i18n import ngettext
from ui.words.people import listed
from ui.words.ranks import Number

_ENDED: Final = frozenset({Phase.OVER, Phase.ABSENT})
"""The deal has ended, and no more card of it can be read: what was true of it is told in the past."""


@dataclass(frozen=True, slots=True)
class TrustLine:
    """One promise with its live number; `kept` is False for what nothing can promise (or not yet)."""

    kept: bool
    text: str


def question() -> str:
    """What the panel answers."""
    return _("Could anyone have peeked?")


def answer(table: TableSnapshot) -> tuple[bool, str]:
    """Return whether all is well, and the answer to the question."""
    match table.trust.answer:
        case TrustAnswer.NOT_YET:
            return True, _("No: no card can be read yet.")
        case TrustAnswer.NOBODY:
            return True, _("No.")
        case TrustAnswer.OPENED:
            return True, _("All hands were opened by the wish of all.")
        case TrustAnswer.STOPPED:
            return False, _("Not promised: the programs disagree, and the deal was stopped.")
        case TrustAnswer.CAUGHT:
            return False, _caught(table)


def _caught(table: TableSnapshot) -> str:
    """Who broke the rules."""
    loser = table.result.loser if table.result else None
    if loser is None:
        return _("No. Somebody broke the rules and was caught; the deal is void.")
    member = next(one for one in table.members if one.seat == loser)
    if member.own:
        return _("No. Your program broke the rules and was caught; the deal is void.")
    return _("No. {name} broke the rules and was caught; the deal is void.").format(name=member.name)


def top_word(table: TableSnapshot) -> tuple[bool, str]:
    """Return whether all is well, and the word on the right of the top line ("" while gathering)."""
    if table.phase is Phase.GATHERING:
        return True, ""
    if table.phase is Phase.VOID:
        return False, _("a breach was caught")
    over = table.phase in _ENDED
    return {
        TrustAnswer.CAUGHT: (False, _("a breach was caught")),
        TrustAnswer.STOPPED: (False, _("the deal was stopped")),
        TrustAnswer.NOT_YET: (True, _("no card can be read yet")),
        TrustAnswer.NOBODY: (True, _("nobody could peek") if over else _("nobody can peek")),
        TrustAnswer.OPENED: (True, _("the books are open")),
    }[table.trust.answer]


def lines(table: TableSnapshot) -> tuple[TrustLine, ...]:
    """Return one line for each promise, each with its own number, then what no program can promise."""
    found = [_shuffles(table)]
    view = table.view
    opened_books = table.trust.answer is TrustAnswer.OPENED
    if opened_books:
        found.append(TrustLine(True, _("Until then nobody could read a hand but who held it.")))
    if view is not None:
        state = view.state
        if not opened_books and table.own_seat is not None and (held := len(state.hand_of(table.own_seat))):
            found.append(_own_hand(held, len(table.members) - 1, table.phase in _ENDED))
        if table.phase is Phase.PLAYING and (lying := sum(len(packet.slots) for packet in state.table)):
            text = ngettext(
                "The {count} card on the table is closed. It opens only by a call.",
                "The {count} cards on the table are closed. They open only by a call.",
                lying,
            )
            found.append(TrustLine(True, text.format(count=lying)))
    if opened := table.trust.packets_opened:
        text = ngettext(
            "Opened so far: {count} packet, by a call, exactly as it was laid.",
            "Opened so far: {count} packets, each by a call, each exactly as it was laid.",
            opened,
        )
        found.append(TrustLine(True, text.format(count=opened)))
    if table.trust.repacks_checked:
        count = table.trust.repacks_checked
        text = ngettext(
            "{count} picked-up pile was shuffled face down into a hand: no card of it can be traced.",
            "{count} picked-up piles were shuffled face down into hands: no card of them can be traced.",
            count,
        )
        found.append(TrustLine(True, text.format(count=count)))
    if view is not None and view.state.burned and not opened_books:
        found.append(TrustLine(True, _("The burned card: read by nobody.")))
    found.append(_watchers(table))
    found.append(_receipt(table))
    found.append(TrustLine(False, _("Not covered: talk, a glance at a screen, a camera. Sit apart.")))
    return tuple(line for line in found if line.text)


def seals_line(table: TableSnapshot) -> str:
    """How many proofs and seals this computer has checked, for those who count."""
    trust = table.trust
    return _("Checked here: {shuffles} shuffles, {shares} shares, {seals} seals.").format(
        shuffles=trust.shuffles_checked + trust.repacks_checked,
        shares=trust.shares_checked,
        seals=trust.seals_checked,
    )


def _shuffles(table: TableSnapshot) -> TrustLine:
    """How many have shuffled."""
    seats, done = len(table.members), table.trust.shuffles_checked
    if done >= seats > 0 and table.own_seat is None:
        if seats == 2:
            return TrustLine(
                True, _("Both players shuffled the pack, and your computer checked each shuffle.")
            )
        text = ngettext(
            "All {count:word} players shuffled the pack, and your computer checked each shuffle.",
            "All {count:word} players shuffled the pack, and your computer checked each shuffle.",
            seats,
        )
        return TrustLine(True, text.format(count=Number(seats)))
    if done >= seats > 0:
        if seats == 2:
            return TrustLine(
                True, _("Both of you shuffled the pack, and your computer checked each shuffle.")
            )
        text = ngettext(
            "All {count:word} of you shuffled the pack, and your computer checked each shuffle.",
            "All {count:word} of you shuffled the pack, and your computer checked each shuffle.",
            seats,
        )
        return TrustLine(True, text.format(count=Number(seats)))
    text = _("{done} of {total} have shuffled so far; your computer checked each shuffle.")
    return TrustLine(False, text.format(done=done, total=seats))


def _own_hand(held: int, others: int, over: bool) -> TrustLine:
    """Who can read the own hand."""
    if over:
        return TrustLine(True, _("Your last {count} cards were read by nobody else.").format(count=held))
    if others == 1:
        text = ngettext(
            "Your {count} card can be read by you and by nobody else.",
            "Your {count} cards can be read by you and by nobody else.",
            held,
        )
        return TrustLine(True, text.format(count=held))
    text = ngettext(
        "Your {count} card can be read by you and by nobody else, not even by the {others:word} others "
        "together.",
        "Your {count} cards can be read by you and by nobody else, not even by the {others:word} others "
        "together.",
        held,
    )
    return TrustLine(True, text.format(count=held, others=Number(others)))


def _watchers(table: TableSnapshot) -> TrustLine:
    """Who watches, and what a watcher sees."""
    if table.watching:
        text = _("You see what everybody may see: no hand, and no closed card.")
        return TrustLine(True, text)
    names = [one.name for one in table.watchers]
    if not names:
        return TrustLine(True, "")
    text = ngettext(
        "{count} person watches, and sees no hand: {names}.",
        "{count} people watch, and see no hand: {names}.",
        len(names),
    )
    return TrustLine(True, text.format(count=len(names), names=listed(names)))


def _receipt(table: TableSnapshot) -> TrustLine:
    """Who signed the receipt, once the deal is over."""
    result = table.result
    if result is None or result.kind is not ResultKind.FINISHED:
        return TrustLine(True, "")
    signed, seats = len(result.signed), len(table.members)
    text = _("The receipt of the deal is signed by {count} of {total}.").format(count=signed, total=seats)
    return TrustLine(signed == seats, text)
