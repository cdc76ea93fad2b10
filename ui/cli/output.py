"""What the commands print: plain text that no peer's name can bend, tables, and JSON for programs."""

import json
import logging
import sys
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

import click


def say(text: str) -> None:
    """Print one line to standard output."""
    click.echo(text)


def note(text: str) -> None:
    """Print one line to standard error, where it disturbs no program that reads the output."""
    click.echo(text, err=True)


def print_json(record: Mapping[str, object]) -> None:
    """Print one object on one line, at once, so that a program that reads a pipe sees it when it happens."""
    click.echo(json.dumps(record, ensure_ascii=False, separators=(",", ":")))
    sys.stdout.flush()


def print_table(
    header: Sequence[str],
    rows: Iterable[Sequence[str]],
    *,
    numbers_from: int = 1,
    text_from: int | None = None,
) -> None:
    """Print rows in columns as wide as their widest cell.

    numbers_from: columns from this one on are aligned to the right, up to `text_from`.
    """
    cells = [list(header), *(list(row) for row in rows)]
    widths = [max(_width(line[column]) for line in cells) for column in range(len(header))]
    numbers = range(numbers_from, len(header) if text_from is None else text_from)
    for line in cells:
        padded = [
            _pad(cell, width, right=column in numbers)
            for column, (cell, width) in enumerate(zip(line, widths, strict=True))
        ]
        say("  ".join(padded).rstrip())


def _width(text: str) -> int:
    return sum(2 if unicodedata.east_asian_width(letter) in "WF" else 1 for letter in text)


def _pad(text: str, width: int, *, right: bool) -> str:
    space = " " * (width - _width(text))
    return space + text if right else text + space


def log_to(path: Path | None, *, verbose: bool, screen: bool = False) -> None:
    """Send the program's log to a file, or to standard error where none is named.

    verbose: tell more. screen: the terminal belongs to a screen that the log must not write over, so
    without a file nothing is logged.
    Raises: OSError if the file cannot be opened.
    """
    if path is not None:
        handler: logging.Handler = logging.FileHandler(path, encoding="utf-8")
    elif screen:
        handler = logging.NullHandler()
    else:
        handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(logging.Formatter("%(asctime)s %(levelname)s %(name)s: %(message)s"))
    if not verbose:
        # They warn of what happens all the time, such as a stranger's malformed packet.
        for library in ("asyncio", "quic", "zeroconf"):
            logging.getLogger(library).setLevel(logging.CRITICAL)
    root = logging.getLogger()
    root.handlers[:] = [handler]
    root.setLevel(logging.DEBUG if verbose else logging.INFO if path is not None else logging.WARNING)
