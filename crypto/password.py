"""Two sides find out whether they know the same password, and a listener or a third party finds out nothing.

SPAKE2 (Abdalla and Pointcheval, CT-RSA 2005; RFC 9382) over the group of Ed25519, from the library `spake2`:
each side sends one element, and both come to the same key if, and only if, passwords and identities are the
same. Whoever does not know the password can try one guess an exchange, and has to be there for it. Each side
then confirms the key to the other, under a label of its own, so that no confirmation can be sent back.

    asking side                        answering side
      | -- element ---------------------> |
      | <------- element, confirmation -- |   one guess is spent, whatever comes next
      | -- confirmation ----------------> |

All functions are plain, for a thread or process beside the event loop: an exchange takes some 7 ms of CPU on
either side. `seed` (32 secret bytes, fresh for each exchange) is the only randomness, so the asking side
keeps it and no other state between its two calls; it must finish an exchange once only. The arithmetic is
Python's and does not take constant time.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from crypto.errors import DecodingError
from crypto.framing import tagged_hash
from crypto.randomness import Stream

ELEMENT_BYTES = 32
CONFIRMATION_BYTES = 32
SEED_BYTES = 32

_FIELD = 2**255 - 19
_ASKING, _ANSWERING = b"A", b"B"
"""The library puts the sender's side before an element. It travels not: who asks is known."""


@dataclass(frozen=True, slots=True)
class Confirmations:
    """What either side says to show that it has the key, 32 bytes each. Secret until it is said."""

    asking: bytes = field(repr=False)
    answering: bytes = field(repr=False)


def ask_password(password: bytes, asking: bytes, answering: bytes, seed: bytes) -> bytes:
    """Return the asking side's element (32 bytes).

    Args:
        password: what both should know.
        asking: who asks, and in which connection; both sides must name the two alike.
        answering: who answers.
        seed: 32 secret bytes, fresh for this exchange.
    """
    _, element = _side(_library().SPAKE2_A, password, asking, answering, seed)
    return element


def finish_password(
    password: bytes, asking: bytes, answering: bytes, seed: bytes, element: bytes
) -> Confirmations:
    """Return the asking side's confirmations, from what it gave `ask_password` and the answer's element.

    Raises:
        DecodingError: the element is none.
    """
    side, _ = _side(_library().SPAKE2_A, password, asking, answering, seed)
    return _confirmations(_finish(side, _ANSWERING, element))


def answer_password(
    password: bytes, asking: bytes, answering: bytes, seed: bytes, element: bytes
) -> tuple[bytes, Confirmations]:
    """Return the answering side's element (32 bytes) and its confirmations, for the asking side's element.

    Raises:
        DecodingError: the element is none.
    """
    side, own = _side(_library().SPAKE2_B, password, asking, answering, seed)
    return own, _confirmations(_finish(side, _ASKING, element))


def _library() -> Any:
    """The library, loaded when it is first needed: it works out its constants for 10 ms."""
    import spake2  # noqa: PLC0415

    return spake2


def _side(
    kind: Callable[..., Any], password: bytes, asking: bytes, answering: bytes, seed: bytes
) -> tuple[Any, bytes]:
    stream = Stream(b"password", tagged_hash(b"password seed", (seed, password, asking, answering)))
    side = kind(password, idA=asking, idB=answering, entropy_f=stream)
    return side, bytes(side.start())[1:]


def _finish(side: Any, sender: bytes, element: bytes) -> bytes:
    if len(element) != ELEMENT_BYTES or _y_of(element) >= _FIELD:
        raise DecodingError("no canonical element")
    from spake2.ed25519_basic import NotOnCurve  # noqa: PLC0415

    try:
        return bytes(side.finish(sender + element))
    except (ValueError, NotOnCurve, _library().SPAKEError) as error:
        # The last is for an element that is our own, come back.
        raise DecodingError("no element of the group") from error


def _y_of(element: bytes) -> int:
    return int.from_bytes(element, "little") & (2**255 - 1)


def _confirmations(key: bytes) -> Confirmations:
    return Confirmations(tagged_hash(b"password asking", (key,)), tagged_hash(b"password answering", (key,)))
