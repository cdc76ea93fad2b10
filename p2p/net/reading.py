"""Reading in a thread what the event loop may change meanwhile."""

import asyncio
import logging
from collections.abc import Callable
from typing import Final, TypeVar

from p2p.net.worker import place_of

TRIES: Final = 4
"""How often it is tried in a thread. What has ended changes once more at most; what goes on is read in the
loop, which costs it milliseconds.
"""

_log = logging.getLogger(__name__)
_Result = TypeVar("_Result")


async def read_beside(read: Callable[[], _Result], mark: Callable[[], object]) -> _Result:
    """Return `read()`, run in a thread, of a state that stood still meanwhile: `mark()` was the same before
    and after.

    Raises: what `read` raises in the loop.
    """
    for _ in range(TRIES):
        before = mark()
        try:
            found = await asyncio.to_thread(read)
        except Exception as error:  # half a change was seen; anything else comes up again in the loop
            _log.debug("reading was disturbed: %s", place_of(error))
            continue
        if mark() == before:
            return found
    return read()
