"""The policy with a memory; for now it plays as `honest` does."""

from engine.bots.simple import HonestPolicy


class CountingPolicy(HonestPolicy):
    """Remembers where cards went."""
