"""Strict MessagePack: the one decoder through which bytes from others become structs.

A text is accepted only if it is the encoding that this module itself would have made of what it decoded. So
longer integers, trailing bytes, extra fields, repeated keys and other spellings of the same values are
refused, and one message has one identity. Types are strict: `True` is not 1, and a float is not an integer.
"""

from typing import Annotated, TypeVar

import msgspec

from p2p.protocol.errors import MalformedMessage

Hash32 = Annotated[bytes, msgspec.Meta(min_length=32, max_length=32)]
Key32 = Annotated[bytes, msgspec.Meta(min_length=32, max_length=32)]
Signature64 = Annotated[bytes, msgspec.Meta(min_length=64, max_length=64)]

_T = TypeVar("_T")

TOO_LONG = "too long"
NOT_DECODABLE = "not decodable"
NOT_CANONICAL = "not canonical"


def encode(value: object) -> bytes:
    """The canonical encoding of a struct: structs are arrays, integers take the fewest bytes."""
    return msgspec.msgpack.encode(value)


def decode(decoder: "msgspec.msgpack.Decoder[_T]", data: bytes, limit: int) -> _T:
    """Decode `data`, at most `limit` bytes long, and accept it only in its canonical encoding.

    Raises:
        MalformedMessage: TOO_LONG, NOT_DECODABLE or NOT_CANONICAL.
    """
    if len(data) > limit:
        raise MalformedMessage(TOO_LONG)
    try:
        value = decoder.decode(data)
    except (msgspec.MsgspecError, ValueError, OverflowError, RecursionError) as error:
        raise MalformedMessage(NOT_DECODABLE) from error
    if encode(value) != data:
        raise MalformedMessage(NOT_CANONICAL)
    return value
