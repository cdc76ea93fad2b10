"""A bound on the rate at which one peer may send."""


class TokenBucket:
    """Allows `rate` units a second on average and `burst` at once."""

    def __init__(self, rate: float, burst: float, now: float) -> None:
        self._rate = rate
        self._burst = burst
        self._level = burst
        self._at = now

    def take(self, amount: float, now: float) -> bool:
        """Whether `amount` units are allowed now; if so they are used up."""
        self._level = min(self._burst, self._level + (now - self._at) * self._rate)
        self._at = now
        if amount > self._level:
            return False
        self._level -= amount
        return True
