"""How many guesses at a code are let pass a minute: from one address, and in all.

A guess counts from the moment at which it could tell the guesser something, and is given back once he has
shown that it was none. The bounds hold on both sides: at a table against strangers who try to get in, and in
a program that asks for seats against strangers who open a table only to hear which code it knows.
"""

from collections import deque

MINUTE_S = 60.0
GUESSES_PER_HOST = 8
"""In a minute, from one address. A person mistypes a code twice; a household behind one address is let in all
the same, since who knows the code spends nothing.
"""
GUESSES_IN_ALL = 24
"""In a minute, from everywhere: addresses cost a stranger nothing, so this is what really holds him off. It
also bounds the work: 24 exchanges take 0.2 s of CPU.
"""


class Guesses:
    """The guesses of the last minute."""

    def __init__(self) -> None:
        self._made: deque[tuple[float, str]] = deque()

    def left(self, host: str, now: float) -> int:
        """How many more `host` may make now."""
        while self._made and now - self._made[0][0] >= MINUTE_S:
            self._made.popleft()
        of_host = sum(1 for _, one in self._made if one == host)
        return max(0, min(GUESSES_PER_HOST - of_host, GUESSES_IN_ALL - len(self._made)))

    def spend(self, host: str, now: float) -> None:
        """Count one guess of `host`; ask `left` before."""
        self._made.append((now, host))

    def give_back(self, host: str) -> None:
        """The latest guess of `host` was none: it knows the code."""
        for place in range(len(self._made) - 1, -1, -1):
            if self._made[place][1] == host:
                del self._made[place]
                return
