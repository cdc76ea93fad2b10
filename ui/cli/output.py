"""What the commands print: plain text that no peer's name can bend, tables, and JSON for programs."""

import json
import logging
import shutil
import sys
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

import click

from ui.columns import RIGID, Fit, table_lines
from ui.literal import literal_lines


def say(text: str) -> None:
    """Print lines to standard output; no name in them, of a person or of a file, steers the terminal."""
    click.echo(literal_lines(text))


def note(text: str) -> None:
    """Print lines, as `say` does, to standard error: it disturbs no program that reads the output."""
    click.echo(literal_lines(text), err=True)


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
    width: int | None = None,
    fit: Fit = RIGID,
) -> None:
    """Print rows in columns as wide as their widest cell.

    numbers_from: columns from this one on are aligned to the right, up to `text_from`. width: of the place
    where they are printed, if that has an end; `fit` says what gives way then.
    """
    numbers = range(numbers_from, len(header) if text_from is None else text_from)
    for line in table_lines(header, rows, right=numbers, width=width, fit=fit):
        say(line)


def terminal_width() -> int | None:
    """Return the columns of the terminal that is printed to; None where the output goes anywhere else."""
    if not sys.stdout.isatty():
        return None
    return shutil.get_terminal_size().columns


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
