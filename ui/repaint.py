"""Saying the same picture to the terminal in fewer bytes.

Textual begins each changed span where the widget begins, and says the whole style of every piece of text,
with a reset behind it. Over a slow line a turn should still come at once, so here a span begins where it
differs, and between two pieces that follow on each other only what tells their styles apart is said.
"""

import re
from functools import lru_cache
from typing import Final

from rich.console import Console
from textual._compositor import ChopsUpdate

_STYLES: Final = re.compile(r"(\x1b\[0?m)?(\n?\x1b\[\d+;\d+H)?\x1b\[([\d;]*)m")
"""A style, the place where it begins, and the end of the one before it."""
_NONE: Final = ("", "0")
_OFF: Final = {"1": "22", "3": "23", "4": "24", "7": "27"}
"""What takes one attribute back, where no other of the same effect is wanted."""
_SHARED: Final = {"2", "21"}
"""Attributes that another's end would take back too."""
_COLORS: Final = {"38", "48"}
_LENGTHS: Final = {"2": 5, "5": 3}
"""How many parameters say a colour: one of red, green and blue, or one of a table."""


class ChangedSpans(ChopsUpdate):
    """Paints the spans that changed, and nothing to the left of them."""

    @classmethod
    def of(cls, update: ChopsUpdate) -> "ChangedSpans":
        """Return the same update."""
        return cls(update.chops, update.spans, update.chop_ends)

    def render_segments(self, console: Console) -> str:
        """Return what paints them."""
        painted: list[str] = []
        for row, first, last in self.spans:
            for end, (start, strip) in zip(self.chop_ends[row], self.chops[row].items(), strict=False):
                if strip is None or start >= last or end <= first:
                    continue
                left = max(start, first)
                painted.append(f"\x1b[{row + 1};{left + 1}H")
                painted.append(strip.crop(left - start, min(end, last) - start).render(console))
        return "".join(painted)


def briefly_styled(text: str) -> str:
    """Return what a terminal shows alike: only the differences of styles that follow on each other."""
    now: str | None = "0"

    def said(match: re.Match[str]) -> str:
        nonlocal now
        end, place, wished = match.groups()
        before, now = now, wished
        if end is not None and before is not None:
            return (place or "") + _step(before, wished)
        if end is None and wished not in _NONE and before not in _NONE:
            now = None  # it stands on top of another style
        return match[0]

    return _STYLES.sub(said, text)


@lru_cache(maxsize=4096)
def _step(before: str, wished: str) -> str:
    """What leads from one style to another."""
    old, new = _parts(before), _parts(wished)
    gone = old.keys() - new.keys()
    anew = f"\x1b[0;{wished}m"
    if not gone <= _OFF.keys() or _SHARED & new.keys():
        return anew
    said = [_OFF[part] for part in sorted(gone)] + [new[part] for part in new if new[part] != old.get(part)]
    return min(f"\x1b[{';'.join(said)}m" if said else "", anew, key=len)


def _parts(style: str) -> dict[str, str]:
    """The parameters by what they set: the two colours, and each attribute."""
    found: dict[str, str] = {}
    rest = style.split(";")
    while rest:
        kind = rest[0]
        length = _LENGTHS.get(rest[1], 1) if kind in _COLORS and len(rest) > 1 else 1
        found[_target(kind)] = ";".join(rest[:length])
        del rest[:length]
    return found


def _target(kind: str) -> str:
    number = int(kind or 0)
    if 30 <= number <= 39 or 90 <= number <= 97:
        return "fore"
    return "back" if 40 <= number <= 49 or 100 <= number <= 107 else kind
