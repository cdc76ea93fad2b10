"""Reading beside the loop: only a state that stood still is handed out."""

import threading

import pytest

from p2p.net.reading import TRIES, read_beside


async def test_what_changes_while_it_is_read_is_read_again() -> None:
    marks = iter("aabbb")
    read: list[int] = []

    def look() -> int:
        read.append(len(read))
        if len(read) == 1:
            raise KeyError
        return read[-1]

    assert await read_beside(look, lambda: next(marks)) == 2


async def test_what_never_stands_still_is_read_in_the_loop() -> None:
    changes = iter(range(100))
    assert await read_beside(threading.current_thread, lambda: next(changes)) is threading.current_thread()
    assert next(changes) == 2 * TRIES


async def test_fault_that_is_no_disturbance_is_raised() -> None:
    def fail() -> None:
        raise KeyError

    with pytest.raises(KeyError):
        await read_beside(fail, lambda: None)
