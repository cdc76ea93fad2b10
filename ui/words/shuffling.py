"""The time before the cards are in hand: keys, shuffles, seals, shares."""

from p2p.protocol.snapshot import Phase, ShuffleState
from ui.i18n import gettext as _
from ui.i18n import ngettext
from ui.words.people import Who


def title() -> str:
    """Title of the panel."""
    return _("The cards are being shuffled")


def explanation(*, watching: bool = False) -> str:
    """Why everybody shuffles; `watching`: the reader does not play this deal."""
    if watching:
        return _(
            "You watch this deal. Whoever plays it shuffles the whole pack face down, and your computer "
            "checks each shuffle."
        )
    return _(
        "Everybody shuffles the whole pack face down. If only one of you shuffles honestly, nobody can know "
        "the order."
    )


def seat_state(state: ShuffleState, checked_by: int) -> str:
    """The words beside a seat's bar."""
    if state is ShuffleState.WORKING:
        return _("shuffling")
    if state is ShuffleState.WAITING:
        return _("waits")
    return ngettext("shuffled, checked by {count}", "shuffled, checked by {count}", checked_by).format(
        count=checked_by
    )


def banner_text(phase: Phase, shuffler: Who | None = None, number: int = 0, total: int = 0) -> str:
    """The quiet banner of a phase; `shuffler` is the one at work, the `number`-th of `total`."""
    if phase is Phase.SHUFFLING and shuffler is not None:
        text = _("You are shuffling") if shuffler.own else _("{name} is shuffling").format(name=shuffler.name)
        return text + " · " + _("{number} of {total}").format(number=number, total=total)
    return {
        Phase.OPENING: _("Everybody makes a key for this deal."),
        Phase.SHUFFLING: _("The cards are being shuffled"),
        Phase.SEALING: _("Everybody signs that all saw the same pack."),
        Phase.DEALING: _("The cards are dealt."),
    }.get(phase, "")
