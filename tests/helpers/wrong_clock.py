"""Runs the program with a wall clock that is wrong and that jumps every second.

python wrong_clock.py AHEAD_S JUMP_S ARGUMENTS...
"""

import datetime
import runpy
import sys
import time

_true_time = time.time


def main() -> None:
    ahead_s, jump_s = float(sys.argv[1]), float(sys.argv[2])

    def wrong_time() -> float:
        return _true_time() + ahead_s + jump_s * (int(time.monotonic()) % 2)

    class WrongDateTime(datetime.datetime):
        @classmethod
        def now(cls, tz: datetime.tzinfo | None = None) -> "WrongDateTime":
            return cls.fromtimestamp(wrong_time(), tz)

        @classmethod
        def utcnow(cls) -> "WrongDateTime":
            return cls.fromtimestamp(wrong_time(), datetime.UTC).replace(tzinfo=None)

    # Before any library takes one of these under a name of its own.
    time.time = wrong_time
    time.time_ns = lambda: int(wrong_time() * 1e9)
    datetime.datetime = WrongDateTime  # type: ignore[misc]
    sys.argv[:] = ["verish", *sys.argv[3:]]
    runpy.run_module("ui", run_name="__main__")


if __name__ == "__main__":
    main()
