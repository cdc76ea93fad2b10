"""Spreads a list of independent computations over threads.

This pays because libsodium runs outside the interpreter's lock: two threads on two free cores were
measured at 1.7 times the speed of one.
"""

import threading
from collections.abc import Callable, Sequence
from typing import TypeVar

_Item = TypeVar("_Item")
_Result = TypeVar("_Result")

_SMALLEST_PART = 8
"""Fewer multiplications than this (about 0.3 ms) are not worth the start of a thread."""


def in_threads(
    work: Callable[[Sequence[_Item]], _Result], items: Sequence[_Item], threads: int
) -> list[_Result]:
    """Cut `items` into at most `threads` runs, call `work` on each, return the results in order.

    One run is done by the calling thread. An exception in any of them is raised again here.
    """
    parts = max(1, min(threads, len(items) // _SMALLEST_PART))
    if parts == 1:
        return [work(items)]
    bounds = [len(items) * index // parts for index in range(parts + 1)]
    results: dict[int, _Result] = {}
    errors: list[BaseException] = []

    def run(index: int) -> None:
        try:
            results[index] = work(items[bounds[index] : bounds[index + 1]])
        except BaseException as error:  # it is raised again in the calling thread
            errors.append(error)

    others = [threading.Thread(target=run, args=(index,)) for index in range(1, parts)]
    for thread in others:
        thread.start()
    run(0)
    for thread in others:
        thread.join()
    if errors:
        raise errors[0]
    return [results[index] for index in range(parts)]
