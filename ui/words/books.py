"""Words about opening the books of a deal that is over."""

from ui.i18n import gettext as _
from ui.i18n import ngettext
from ui.words.enter import EnterLine
from ui.words.ranks import Number


def head() -> str:
    """Before the marks of those who have agreed."""
    return _("Open the books")


def asks() -> EnterLine:
    """What Enter does once the key is armed."""
    return EnterLine(_("Open my books"), _("it cannot be taken back"))


def explained(players: int) -> str:
    """What that means; players: how many have to agree."""
    if players == 2:
        return _(
            "Once both of you have agreed, every card of this deal can be read by everybody, yours too: "
            "also by somebody who then keeps their own closed."
        )
    text = ngettext(
        "Once all {count:word} of you have agreed, every card of this deal can be read by everybody, yours "
        "too: also by somebody who then keeps their own closed.",
        "Once all {count:word} of you have agreed, every card of this deal can be read by everybody, yours "
        "too: also by somebody who then keeps their own closed.",
        players,
    )
    return text.format(count=Number(players))


def opened() -> str:
    """All have opened them."""
    return _("The books are open: everybody can read every card of this deal now.")


def key_erased() -> str:
    """The own key of the deal is no longer here."""
    return _("Your key of this deal is erased: its books stay closed.")


def withheld(names: str) -> str:
    """All had agreed, and the keys of some are not here; that proves nothing against them."""
    return _("All agreed to open the books. Not here is the key of: {names}.").format(names=names)


def asked(names: str) -> str:
    """Of a deal that was audited: who wanted its books to be opened."""
    return _("Wanted the books to be opened: {names}. Not all agreed.").format(names=names)
