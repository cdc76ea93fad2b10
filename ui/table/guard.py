"""What keeps a key from meaning something else than when the hand went to it."""

from collections.abc import Callable
from typing import Final

DEAD_AFTER_CHANGE_S: Final = 0.5
"""Longer than the time between seeing a key's cap and pressing it, shorter than a player would call
waiting."""

DOUBLE_ENTER_S: Final = 0.25
"""A key that bounces, or a hand that presses twice from habit, counts once."""


class Guard:
    """Tells whether sending keys are dead now. Presses are dropped by the caller, never queued.

    now: the clock, seconds; injected, so that tests need no sleep.
    """

    def __init__(self, now: Callable[[], float]) -> None:
        self._now = now
        self._dead_until = float("-inf")
        self._entered = float("-inf")

    def changed_by_others(self) -> None:
        """Something else than an own key changed what Enter would do."""
        self._dead_until = self._now() + DEAD_AFTER_CHANGE_S

    @property
    def dead(self) -> bool:
        """Whether Enter, the calls and clicks on them must do nothing now."""
        return self._now() < self._dead_until

    @property
    def dead_for_s(self) -> float:
        """How long sending keys stay dead; 0 if they are not."""
        return max(0.0, self._dead_until - self._now())

    def enter_again(self) -> bool:
        """Note an Enter; tell whether it only repeats the one before it."""
        now = self._now()
        again = now - self._entered < DOUBLE_ENTER_S
        self._entered = now
        return again
