"""Text in columns: tables, clipping and wrapping by the cells that it takes, for pages and for commands."""

import unicodedata
from collections.abc import Container, Iterable, Sequence
from dataclasses import dataclass

GAP = "  "
"""Between two columns."""

LEAST_WIDTH = 10
"""So much of a name is left where it has to give way: enough to know who it is."""


@dataclass(frozen=True, slots=True)
class Fit:
    """What gives way where a table is too wide: columns made narrower, then columns left out, each in this
    order.
    """

    shrink: tuple[int, ...] = ()
    drop: tuple[int, ...] = ()


RIGID = Fit()
"""Nothing gives way."""


def table_lines(
    header: Sequence[str],
    rows: Iterable[Sequence[str]],
    *,
    right: Container[int] = (),
    width: int | None = None,
    fit: Fit = RIGID,
) -> list[str]:
    """Return a header and rows as lines, in columns as wide as their widest cell.

    right: the numbers of the columns that are aligned to the right. width: of the place where they
    stand, if that has an end; `fit` says what gives way then.
    """
    cells = [list(header), *(list(row) for row in rows)]
    widths = {column: max(width_of(line[column]) for line in cells) for column in range(len(header))}
    if width is not None:
        _narrow(widths, width, fit)
    return [
        GAP.join(
            _pad(clip(line[column], wide), wide, right=column in right) for column, wide in widths.items()
        ).rstrip()
        for line in cells
    ]


def _narrow(widths: dict[int, int], width: int, fit: Fit) -> None:
    """Make columns narrower, then leave some out, until all fit or nothing more gives way."""
    whole = dict(widths)
    for column in (*fit.shrink, *fit.drop):
        over = _over(widths, width)
        if over <= 0:
            break
        if column in fit.drop:
            del widths[column]
        else:
            widths[column] = max(min(LEAST_WIDTH, widths[column]), widths[column] - over)
    for column in reversed(fit.shrink):
        # What was left out may have made more room than was needed.
        widths[column] = min(whole[column], widths[column] + max(0, -_over(widths, width)))


def _over(widths: dict[int, int], width: int) -> int:
    """By how much the columns are too wide; negative if there is room."""
    return sum(widths.values()) + len(GAP) * (len(widths) - 1) - width


def width_of(text: str) -> int:
    """Return how many columns a text takes."""
    return sum(2 if unicodedata.east_asian_width(letter) in "WF" else 1 for letter in text)


def clip(text: str, width: int) -> str:
    """Return a text of at most so many columns; what is cut off leaves an ellipsis."""
    if width_of(text) <= width:
        return text
    while text and width_of(text) > width - 1:
        text = text[:-1]
    return text + "…"


def wrapped(text: str, width: int) -> list[str]:
    """Break a text between words into lines of at most so many columns. A longer word is broken too."""
    lines = [""]
    for word in text.split():
        longer = f"{lines[-1]} {word}".lstrip()
        if width_of(longer) <= width:
            lines[-1] = longer
            continue
        lines.append("")
        for letter in word:
            if width_of(lines[-1] + letter) > width:
                lines.append("")
            lines[-1] += letter
    return [line for line in lines if line]


def _pad(text: str, width: int, *, right: bool) -> str:
    space = " " * (width - width_of(text))
    return space + text if right else text + space
