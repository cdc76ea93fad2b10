"""Ending in order when somebody else says so: links and files are closed, children go."""

import asyncio
import os
import signal
import sys
from collections.abc import Coroutine
from dataclasses import dataclass
from typing import Any, Final

_TOLD: Final = (signal.SIGTERM, signal.SIGHUP)
"""Signals that ask a process to end; Ctrl+C is dealt with by `ui.cli.run`."""


def told_by() -> tuple[int, ...]:
    """Return the signals that end this process in order; not those that it was told to ignore, by nohup."""
    return tuple(number for number in _TOLD if signal.getsignal(number) is not signal.SIG_IGN)


def exit_code(number: int) -> int:
    """Return the exit code of a process that a signal has ended, as shells have it."""
    return 128 + number


@dataclass(slots=True)
class Told:
    """How this process was told to end, if it was."""

    number: int | None = None
    by_eof: bool = False

    @property
    def to_leave(self) -> bool:
        """Whether somebody wants it gone for good. A terminal that hangs up, and a program that ends before
        those that it has started, may come back.
        """
        return self.number == signal.SIGTERM and not self.by_eof


async def until_told(
    work: Coroutine[Any, Any, int], *, until_eof: bool = False, told: Told | None = None
) -> int:
    """Do the work and return its exit code; a signal ends it in order, with the signal's code.

    until_eof: the end of standard input ends it like SIGTERM does. told: learns of it.
    """
    loop = asyncio.get_running_loop()
    task = asyncio.ensure_future(work)
    told = told or Told()

    def end(number: int) -> None:
        told.number = told.number or number
        task.cancel()

    def look() -> None:
        if not os.read(sys.stdin.fileno(), 4096):
            loop.remove_reader(sys.stdin.fileno())
            told.by_eof = told.number is None
            end(signal.SIGTERM)

    signals = told_by()
    for number in signals:
        loop.add_signal_handler(number, end, number)
    if until_eof:
        loop.add_reader(sys.stdin.fileno(), look)
    try:
        return await task
    except asyncio.CancelledError:
        if told.number is None:
            raise
        return exit_code(told.number)
    finally:
        for number in signals:
            loop.remove_signal_handler(number)
