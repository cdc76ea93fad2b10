"""What the mathematics costs on this machine, against what its multiplications and additions cost alone.

The counts of operations are those of the argument: for N cards, shuffling and proving takes 8N
multiplications, N of the generator and 9N additions; verifying takes 5N + 9 multiplications and as many
additions. A ratio of 1 would mean that everything else (hashing, encoding, the field, Python) is free.
"""

import os
import time
from collections.abc import Callable
from dataclasses import dataclass
from statistics import median

from crypto.context import Context
from crypto.elgamal import decode_deck, encode_deck, first_deck
from crypto.group import Group
from crypto.keys import new_key
from crypto.randomness import Draw, random_scalar
from crypto.ristretto import Ristretto255
from crypto.shares import prove_shares, verify_shares
from crypto.shuffle import shuffle
from crypto.shuffle_verifier import WEIGHT_BYTES, verify_shuffle

_SAMPLES = 60
"""Operations timed together in one round: some 2 ms, long against the clock's step, short against drift."""


@dataclass(frozen=True, slots=True)
class BenchResult:
    """Medians over rounds, on one core unless named parallel; verifying includes decoding the new deck."""

    cards: int
    mult_us: float
    base_mult_us: float
    add_us: float
    shuffle_prove_ms: float
    verify_ms: float
    prove_ratio: float
    verify_ratio: float
    share_prove_us: float
    share_verify_us: float
    proof_bytes: int
    cores: int
    parallel_prove_ms: float
    parallel_verify_ms: float


def free_cores() -> int:
    """Return how many cores this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def measure(cards: int = 52, rounds: int = 15, draw: Draw = os.urandom) -> BenchResult:
    """Measure everything in `rounds` interleaved rounds, so that a slow moment of the machine hits all alike.

    Takes about 0.1 s a round at 52 cards.

    Raises:
        ValueError: cards or rounds below 1.
    """
    if cards < 1 or rounds < 1:
        raise ValueError("at least one card and one round")
    trial = _Trial(cards, draw)
    trial.round()  # loads the library, hashes the generators
    seen = [trial.round() for _ in range(rounds)]
    middle = {name: median(values[name] for values in seen) for name in seen[0]}
    return BenchResult(cards=cards, proof_bytes=len(trial.proof), cores=free_cores(), **middle)


class _Trial:
    """One deck, one key, and the operations on them."""

    def __init__(self, cards: int, draw: Draw) -> None:
        group = Ristretto255()
        self._cards, self._draw = cards, draw
        self._key = new_key(group, draw)
        self._context = Context(group.name, draw(32), 1, 2, 0, draw(32))
        values = [number.to_bytes(2, "big") for number in range(cards)]
        self._deck, _, _ = shuffle(group, self._key.public, first_deck(group, values), self._context, draw)
        self._group = group
        self._set(group)

    def _set(self, group: Group) -> None:
        new_deck, self.proof, _ = shuffle(group, self._key.public, self._deck, self._context, self._draw)
        self._new_deck = encode_deck(new_deck)

    def _verify(self, group: Group) -> None:
        new_deck = decode_deck(group, self._new_deck, self._cards)
        weights = self._draw(WEIGHT_BYTES)
        verify_shuffle(group, self._key.public, self._deck, new_deck, self.proof, self._context, weights)

    def round(self) -> dict[str, float]:
        """Time everything once; microseconds and milliseconds as the names say."""
        group, n = self._group, self._cards
        several = Ristretto255(threads=free_cores())
        left, right = self._deck[0].first, self._deck[-1].second
        scalars = [random_scalar(group, self._draw) for _ in range(_SAMPLES)]
        mult = _seconds(lambda: [scalar * left for scalar in scalars]) / _SAMPLES
        base = _seconds(lambda: [group.base_multiply(scalar) for scalar in scalars]) / _SAMPLES
        add = _seconds(lambda: [left + right for _ in scalars]) / _SAMPLES
        prove = _seconds(lambda: self._set(group))
        verify = _seconds(lambda: self._verify(group))
        share_prove = _seconds(self._prove_shares) / n
        share_verify = _seconds(self._verify_shares) / n
        return {
            "mult_us": mult * 1e6,
            "base_mult_us": base * 1e6,
            "add_us": add * 1e6,
            "shuffle_prove_ms": prove * 1e3,
            "verify_ms": verify * 1e3,
            "prove_ratio": prove / (8 * n * mult + n * base + 9 * n * add),
            "verify_ratio": verify / ((5 * n + 9) * (mult + add)),
            "share_prove_us": share_prove * 1e6,
            "share_verify_us": share_verify * 1e6,
            "parallel_prove_ms": _seconds(lambda: self._set(several)) * 1e3,
            "parallel_verify_ms": _seconds(lambda: self._verify(several)) * 1e3,
        }

    def _prove_shares(self) -> None:
        key = self._key
        self._shares = prove_shares(
            self._group, key.secret, key.public, self._deck, self._context, self._draw
        )

    def _verify_shares(self) -> None:
        shares, proof = self._shares
        verify_shares(self._group, self._key.public, self._deck, shares, proof, self._context)


def _seconds(work: Callable[[], object]) -> float:
    start = time.perf_counter()
    work()
    return time.perf_counter() - start
