"""How much each other peer sends, and what of it came in vain.

What somebody has sent is remembered beyond his link, so that a new link is no new start.
"""

from collections import Counter
from collections.abc import Container, Mapping

from p2p.protocol.limits import Limits
from p2p.protocol.messages import JunkReason

LIMITS_KEPT = 256
"""How many people's message rates are remembered; of more, those without a link are forgotten."""


class Traffic:
    """The limits of everybody, by key."""

    def __init__(self) -> None:
        self._limits: dict[bytes, Limits] = {}
        self._forgotten: Counter[JunkReason] = Counter()
        """The junk of those whose limits are not remembered any more."""

    def link_up(self, key: bytes, links: Container[bytes]) -> None:
        """A link to `key` stands. links: all that do."""
        if key not in self._limits and len(self._limits) >= LIMITS_KEPT:
            for gone in [one for one in self._limits if one not in links]:
                self._forgotten.update(self._limits.pop(gone).junk)
        self.of(key)

    def of(self, key: bytes) -> Limits:
        """The limits of one peer."""
        return self._limits.setdefault(key, Limits())

    @property
    def junk(self) -> Mapping[JunkReason, int]:
        """How many messages came in vain, by reason."""
        total = self._forgotten.copy()
        for limits in self._limits.values():
            total.update(limits.junk)
        return total
