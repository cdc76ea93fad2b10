"""What reaches a person who looks elsewhere: bells, and the terminal's title.

Both obey the settings at the moment when they are due. The title carries our own words only, never a name. It
is put back as it was when the program ends, where the terminal can do that.
"""

from collections.abc import Callable
from typing import Final

from p2p.protocol.snapshot import Phase, TableSnapshot
from ui.settings import OwnSettings
from ui.words import window

_REMEMBER: Final = "\x1b[22;2t"
_PUT_BACK: Final = "\x1b[23;2t"
"""xterm's stack of window titles; terminals without one ignore both."""


class Attention:
    """Rings and writes titles. ring: rings the terminal's bell. write: writes to the terminal, past the
    screen; None where there is no terminal of one's own.
    """

    def __init__(
        self, settings: OwnSettings, ring: Callable[[], None], write: Callable[[str], None] | None
    ) -> None:
        self._settings = settings
        self._ring = ring
        self._write = write
        self._title: str | None = None
        self._mine = False
        self._gathered: tuple[bytes, frozenset[bytes]] | None = None

    def turn(self, *, mine: bool) -> None:
        """The own turn has begun, or ended."""
        if mine and not self._mine:
            self.bell()
        self._mine = mine
        self.show_title()

    def bell(self) -> None:
        """Ring, if that is wanted."""
        if self._settings.now.sound:
            self._ring()

    def follow(self, table: TableSnapshot | None, *, bots_called: bool) -> None:
        """Ring once when somebody sits down at the table that gathers. bots_called: whom the own person has
        called in is no news.
        """
        before = self._gathered
        self._gathered = None
        if table is None or table.phase is not Phase.GATHERING:
            return
        others = frozenset(member.key for member in table.members if not member.own)
        self._gathered = (table.offer_id, others)
        if before is not None and before[0] == table.offer_id and others - before[1] and not bots_called:
            self.bell()

    def show_title(self) -> None:
        """Write the title of this moment, or put back the terminal's own."""
        if not self._settings.now.title:
            self.put_back()
            return
        words = window.turn_title() if self._mine else window.idle_title()
        if self._write is None or words == self._title:
            return
        if self._title is None:
            self._write(_REMEMBER)
        self._title = words
        self._write(_titled(words))

    def put_back(self) -> None:
        """Give the terminal its own title back."""
        if self._write is not None and self._title is not None:
            # Where nothing was remembered, at least no turn is told that has gone.
            self._write(_titled(window.idle_title()) + _PUT_BACK)
        self._title = None


def _titled(words: str) -> str:
    return f"\x1b]2;{words}\x07"
