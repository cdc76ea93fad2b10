"""What the lobby says while nobody is found: that it looks, and after a while what may be wrong."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from ui.i18n import gettext as _
from ui.words.people import listed

LOOK_FOR_S: Final = 10.0
"""So long an empty lobby only says that it is looking: discovery usually needs one or two seconds."""


@dataclass(frozen=True, slots=True)
class Surroundings:
    """What the lobby says of this computer's network.

    looked_s: for how long people have been looked for. addresses: HOST:PORT under which others reach this
    peer, the likeliest first. interfaces: their names, for people. novice: the profile in use remembers no
    deal that has ended.
    """

    looked_s: float = 0.0
    addresses: tuple[str, ...] = ()
    interfaces: tuple[str, ...] = ()
    novice: bool = False


def looking() -> str:
    """Nobody is found, and it is too early to say more."""
    return _("Looking for people on this network…")


def nobody(seconds: float, interfaces: Sequence[str], *, connected: bool) -> str:
    """Nobody is found, so many seconds after the search began; connected: this computer has an address."""
    where, whole = listed(interfaces), int(seconds)
    if not connected:
        return _("Nobody found yet. There is no network: connect this computer, it is noticed by itself.")
    if where:
        return _("Nobody found yet. Looking for {seconds} s on {where}.").format(seconds=whole, where=where)
    return _("Nobody found yet. Looking for {seconds} s.").format(seconds=whole)


def is_it_there() -> str:
    """What to ask oneself first."""
    return _(
        "Is Verish running on another computer of this network? Guest networks and VPNs often hide "
        "computers from each other."
    )


def read_aloud() -> str:
    """Before the own addresses."""
    return _("Then join by address. Read yours aloud, or type theirs:")


def see_doctor() -> str:
    """Where to find out more."""
    return _("What is wrong with this network? Outside the game: verish doctor")
