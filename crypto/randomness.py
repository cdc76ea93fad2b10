"""Randomness: drawn by the caller, checked for the signs of a broken source, stretched, sampled without bias.

Nothing in this package owns a random source. What needs secrets takes a `Draw`. It asks it for four seeds
of 32 bytes, refuses them if they repeat, and stretches their hash; so a source that is stuck is noticed
before a secret depends on it, and long computations in a thread make no system calls for randomness.
"""

import hashlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from crypto.errors import RandomSourceError
from crypto.framing import frame, full_label, tagged_hash
from crypto.group import Group, Scalar

Draw = Callable[[int], bytes]
"""A source of randomness: given a number of bytes, returns that many. `os.urandom` is one."""

COIN_BYTES = 32
"""Bytes of a coin and of every blinding and nonce."""

_SEEDS = 4
_BLOCK_BYTES = 64
_EXTRA_BYTES = 16  # 128 bits beyond the range make the bias of a reduction negligible
_SAMPLE_BYTES = 16
_SHORTEST_PERIOD = 4


@dataclass(slots=True)
class Stream:
    """A stream of bytes stretched from a seed; usable as a `Draw`, and picklable, unlike most sources.

    Block i (64 bytes, from 0) is SHA-512(frame(full label), frame(seed), i as 8 bytes big-endian).
    """

    label: bytes
    seed: bytes = field(repr=False)
    _blocks: int = field(default=0, repr=False)
    _rest: bytes = field(default=b"", repr=False)

    def __call__(self, count: int) -> bytes:
        """Return the next `count` bytes."""
        parts, available = [self._rest], len(self._rest)
        start = frame(full_label(self.label)) + frame(self.seed)
        while available < count:
            parts.append(hashlib.sha512(start + self._blocks.to_bytes(8, "big")).digest())
            self._blocks += 1
            available += _BLOCK_BYTES
        joined = b"".join(parts)
        self._rest = joined[count:]
        return joined[:count]


def fresh_stream(draw: Draw, *binding: bytes) -> Stream:
    """Draw four seeds, check them, and return a stream of secret bytes made from them and `binding`.

    Binding the secret and the statement it is used for means that even a source that repeats itself from
    one call to the next never serves one nonce to two statements.

    Raises:
        RandomSourceError: a seed has the wrong length, is constant or periodic, or two seeds begin alike.
    """
    seeds = [bytes(draw(COIN_BYTES)) for _ in range(_SEEDS)]
    for seed in seeds:
        if len(seed) != COIN_BYTES:
            raise RandomSourceError("the random source returned a wrong number of bytes")
        if any(seed[period:] == seed[:-period] for period in range(1, _SHORTEST_PERIOD + 1)):
            raise RandomSourceError("the random source returned a constant or periodic value")
    if len({seed[:_SAMPLE_BYTES] for seed in seeds}) != _SEEDS:
        raise RandomSourceError("the random source repeats itself")
    return Stream(b"secrets", tagged_hash(b"seeds", (*seeds, *binding)))


def random_scalar(group: Group, draw: Draw) -> Scalar:
    """Return a uniform scalar from 1 up to the order; zero is never drawn."""
    while True:
        value = int.from_bytes(draw(group.scalar_size + _EXTRA_BYTES), "little") % group.order
        if value:
            return Scalar(value)


def random_scalars(group: Group, draw: Draw, count: int) -> list[Scalar]:
    """Return `count` independent uniform non-zero scalars."""
    return [random_scalar(group, draw) for _ in range(count)]


def uniform_below(draw: Draw, bound: int) -> int:
    """Return a whole number from 0 up to `bound`, exactly uniform if the draw is (by rejection).

    Raises:
        ValueError: the bound is below 1 or above 2**64.
    """
    if not 1 <= bound <= 2**64:
        raise ValueError("a bound is from 1 to 2**64")
    limit = 2 ** (8 * _SAMPLE_BYTES) // bound * bound
    while True:
        value = int.from_bytes(draw(_SAMPLE_BYTES), "big")
        if value < limit:
            return value % bound


def random_permutation(draw: Draw, count: int) -> tuple[int, ...]:
    """Return a uniform permutation of 0..count-1: Fisher and Yates, from the last place down."""
    places = list(range(count))
    for last in range(count - 1, 0, -1):
        other = uniform_below(draw, last + 1)
        places[last], places[other] = places[other], places[last]
    return tuple(places)


def joint_draw(coins: Sequence[bytes]) -> bytes:
    """Return the 32 bytes drawn jointly: the tagged hash of all opened coins, in seat order.

    Raises:
        ValueError: there is no coin, or one has not 32 bytes.
    """
    if not coins or any(len(coin) != COIN_BYTES for coin in coins):
        raise ValueError(f"a joint draw takes one coin of {COIN_BYTES} bytes from each seat")
    return tagged_hash(b"joint draw", coins)


def permutation_from(seed: bytes, count: int, label: bytes = b"permutation") -> tuple[int, ...]:
    """Return the public permutation of 0..count-1 that follows from a joint draw."""
    return random_permutation(Stream(label, seed), count)


def index_from(seed: bytes, count: int, label: bytes = b"index") -> int:
    """Return the public index below `count` that follows from a joint draw."""
    return uniform_below(Stream(label, seed), count)
