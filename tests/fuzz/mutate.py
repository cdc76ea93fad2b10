"""Hostile variations of good inputs: broken bytes, and broken values inside an unbroken encoding.

Blind flips of bytes nearly all die in the first check of a decoder. So most variations take the good input
apart (MessagePack, JSON, datagrams have structure), change a value, and put it together again.
"""

import json
import sqlite3
from collections.abc import Callable, Sequence
from contextlib import suppress
from enum import Enum
from random import Random
from typing import Any, Final

import msgspec

MOST_BYTES: Final = 300_000
"""A little over the longest message: what is longer is refused by its length alone."""

_INTEGERS: Final = (
    *(0, 1, 2, 11, 12, 13, 31, 32, 103, 104, 127, 128, 255, 256, 65535, 65536, 1048575, 1048576),
    *(2**31 - 1, 2**31, 2**32 - 1, 2**32, 2**53, 2**63 - 1, 2**63, 2**64 - 1, -1, -(2**31), -(2**63)),
)
_TEXTS: Final = (
    *(
        "",
        " ",
        "\0",
        "\x1b]0;x\x07",
        "\u202etxet",
        "[/]",
        "\U000e0041" * 30,
        "e" + "\u0301" * 300,
        "\ufdfa" * 40,
    ),
    *("9" * 5000, "-1", "1e999", "\ud7ff", "ﷺ", "½", "४", "א", "\x85", "a" * 513, "../..", "NaN"),
)
_HEADERS: Final = (
    *(b"\xdc\xff\xff", b"\xdd\xff\xff\xff\xff", b"\xc4\xff", b"\xc5\xff\xff", b"\xc6\xff\xff\xff\xff"),
    *(b"\xd9\xff", b"\xda\xff\xff", b"\xdb\xff\xff\xff\xff", b"\xde\xff\xff", b"\xdf\xff\xff\xff\xff"),
    *(b"\xc0", b"\xc1", b"\xc2", b"\xc3", b"\xc7\xff\x01", b"\xc9\xff\xff\xff\xff\x01", b"\xca", b"\xcb"),
    *(b"\xcf" + b"\xff" * 8, b"\xd3" + b"\x80" + bytes(7), b"\x90", b"\x91", b"\x80", b"\xa0", b"\xff"),
)


class Shape(Enum):
    """What a good input is made of."""

    BYTES = "bytes"
    PACKED = "MessagePack"
    LINES = "lines of JSON"
    TEXT = "text"
    DATABASE = "SQLite"


def hostile(chance: Random, samples: Sequence[bytes], shape: Shape) -> bytes:
    """One variation of one of the samples; now and then of two."""
    data = chance.choice(samples)
    kinds = {Shape.PACKED: _packed, Shape.LINES: _lines, Shape.TEXT: _text, Shape.DATABASE: _database}
    if shape in kinds and chance.random() < 0.75:
        data = kinds[shape](chance, data)
        if chance.random() < 0.8:
            return data[:MOST_BYTES]
    for _ in range(chance.choice((1, 1, 1, 2, 3, 8))):
        data = _bytes(chance, data, samples)
    return data[:MOST_BYTES]


def _bytes(chance: Random, data: bytes, samples: Sequence[bytes]) -> bytes:
    """One broken place."""
    at = chance.randrange(len(data) + 1)
    end = min(len(data), at + chance.choice((1, 2, 4, 32, 1000)))
    match chance.randrange(10):
        case 0 | 1 if at < len(data):
            return data[:at] + bytes([data[at] ^ 1 << chance.randrange(8)]) + data[at + 1 :]
        case 2:
            return data[:at] + data[end:]
        case 3:
            return data[:at] + data[at:end] * chance.choice((2, 3, 100)) + data[end:]
        case 4:
            return data[:at]
        case 5 | 6:
            return data[:at] + chance.choice(_HEADERS) + data[chance.choice((at, end)) :]
        case 7:
            return data[:at] + chance.choice(_HEADERS) * chance.choice((10, 1000, 60_000)) + data[at:]
        case 8:
            other = chance.choice(samples)
            return data[:at] + other[chance.randrange(len(other) + 1) :]
        case _:
            return data[:at] + chance.randbytes(chance.choice((1, 4, 33, 1000))) + data[at:]


# Structure


def _packed(chance: Random, data: bytes) -> bytes:
    """A value changed inside MessagePack, also inside the MessagePack that it carries as bytes."""
    try:
        tree = msgspec.msgpack.decode(data)
    except (msgspec.MsgspecError, RecursionError):
        return data
    for _ in range(chance.choice((1, 1, 2, 3))):
        tree = _changed(chance, tree, _binary)
    try:
        return msgspec.msgpack.encode(tree)
    except (OverflowError, TypeError, ValueError, RecursionError):
        return data


def _lines(chance: Random, data: bytes) -> bytes:
    """A value changed inside one of the lines, each of which is JSON, or lines moved about."""
    lines = data.split(b"\n")
    at = chance.randrange(len(lines))
    match chance.randrange(6):
        case 0:
            other = chance.randrange(len(lines))
            lines[at], lines[other] = lines[other], lines[at]
        case 1:
            lines.insert(at, lines[chance.randrange(len(lines))])
        case 2:
            del lines[at]
        case _:
            try:
                tree = _changed(chance, json.loads(lines[at]), lambda one, raw: raw)
                lines[at] = json.dumps(tree, separators=(",", ":")).encode("ascii", "replace")
            except (ValueError, TypeError, RecursionError):
                return data
    return b"\n".join(lines)


def _database(chance: Random, data: bytes) -> bytes:
    """A value of another kind in some row: the file is in order, and what it holds is not."""
    connection = sqlite3.connect(":memory:", isolation_level=None)
    try:
        # The header says "write-ahead log", which a database in memory cannot have.
        connection.deserialize(data[:18] + b"\1\1" + data[20:])
        tables = [
            name for (name,) in connection.execute("SELECT name FROM sqlite_schema WHERE type = 'table'")
        ]
        for _ in range(chance.choice((1, 1, 3))):
            table = chance.choice(tables)
            column = chance.choice([row[1] for row in connection.execute(f"PRAGMA table_info({table})")])
            value = chance.choice(
                (None, "text", b"bytes", b"", 2**63 - 1, -1, 1.5, "9" * 5000, "a=1 b", "x=٣")
            )
            with suppress(sqlite3.Error):
                connection.execute(f"UPDATE {table} SET {column} = ?", (value,))
        changed = connection.serialize()
        return changed[:18] + b"\2\2" + changed[20:]
    except sqlite3.Error:
        return data
    finally:
        connection.close()


def _text(chance: Random, data: bytes) -> bytes:
    """Words of a text exchanged for hostile ones."""
    text = data.decode("utf-8", "replace")
    at = chance.randrange(len(text) + 1)
    end = min(len(text), at + chance.choice((0, 1, 5)))
    middle = chance.choice((*_TEXTS, chr(chance.randrange(0xD800)), chr(chance.randrange(0xE000, 0x110000))))
    return (text[:at] + middle * chance.choice((1, 1, 1, 50)) + text[end:]).encode("utf-8", "replace")


def _changed(chance: Random, tree: Any, raw: Callable[[Random, bytes], bytes]) -> Any:
    """The tree with one value in it changed."""
    if isinstance(tree, list) and tree and chance.random() < 0.85:
        if chance.random() < 0.15:
            return _reshaped(chance, tree)
        at = chance.randrange(len(tree))
        return [*tree[:at], _changed(chance, tree[at], raw), *tree[at + 1 :]]
    if isinstance(tree, dict) and tree and chance.random() < 0.85:
        key = chance.choice(list(tree))
        if chance.random() < 0.2:
            return {
                (_other(chance) if one == key and isinstance(one, str) else one): tree[one] for one in tree
            }
        return {**tree, key: _changed(chance, tree[key], raw)}
    if isinstance(tree, bytes) and chance.random() < 0.6:
        return raw(chance, tree)
    if isinstance(tree, int) and chance.random() < 0.4:
        return tree + chance.choice((-1, 1))
    return _value(chance)


def _binary(chance: Random, data: bytes) -> bytes:
    """Bytes inside a message: packed ones are taken apart too, others broken or made of another length."""
    if len(data) > 8 and data[0] & 0xF0 == 0x90 and chance.random() < 0.7:
        return _packed(chance, data)
    return chance.choice((data[:-1], data + b"\0", b"", data * 2, bytes(len(data)), b"\xff" * len(data)))


def _reshaped(chance: Random, tree: list[Any]) -> list[Any]:
    """A list that is longer, shorter or in another order."""
    at = chance.randrange(len(tree))
    return chance.choice(
        (
            tree[:at] + tree[at + 1 :],
            [*tree, tree[at]],
            [tree[at]] * chance.choice((2, 13, 300, 5000)),
            tree[::-1],
            [],
            [*tree, _value(chance)],
        )
    )


def _other(chance: Random) -> str:
    return chance.choice(_TEXTS)[:64]


def _value(chance: Random) -> Any:
    """Something else."""
    match chance.randrange(9):
        case 0 | 1:
            return chance.choice(_INTEGERS)
        case 2 | 3:
            return chance.choice(_TEXTS)
        case 4:
            return chance.choice((None, True, False, 0.0, 1.5, float("nan"), float("inf"), -0.0))
        case 5:
            return [_value(chance) for _ in range(chance.choice((0, 1, 12, 13)))]
        case 6:
            nested: Any = chance.choice(_INTEGERS)
            for _ in range(chance.choice((2, 50, 500, 900))):
                nested = [nested]
            return nested
        case 7:
            return {chance.choice(_TEXTS): chance.choice(_INTEGERS)}
        case _:
            return chance.randbytes(chance.choice((0, 16, 31, 32, 33, 64, 5000))).hex()
