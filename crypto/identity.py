"""Long-term identities: Ed25519 keys that sign entries, and the fingerprints by which people compare them."""

from dataclasses import dataclass, field

from cryptography.exceptions import InvalidSignature as _BadSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey

from crypto.errors import InvalidSignature
from crypto.framing import full_label, tagged_hash
from crypto.randomness import COIN_BYTES, Draw, fresh_stream

PUBLIC_KEY_BYTES = 32
SIGNATURE_BYTES = 64

_ALPHABET = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"  # Crockford's base 32: no I, L, O or U to misread
_GROUPS = 4
_GROUP_CHARACTERS = 4
_BITS_PER_CHARACTER = 5

_FIELD = 2**255 - 19
_ORDER_EIGHT = 0x05FC536D880238B13933C6D305ACDFD5F098EFF289F4C345B027B2C28F95E826
_WEAK_Y = frozenset({0, 1, _FIELD - 1, _ORDER_EIGHT, _FIELD - _ORDER_EIGHT})
"""y coordinates of all points of small order. Under such a key
a signature can be made that holds for many texts, so nobody could be held to what it signed."""


@dataclass(frozen=True, slots=True)
class Identity:
    """A player's long-term key. `seed` is the 32-byte private key; it appears in no repr."""

    seed: bytes = field(repr=False)
    public: bytes = field(init=False)
    _key: Ed25519PrivateKey = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        key = Ed25519PrivateKey.from_private_bytes(self.seed)
        object.__setattr__(self, "_key", key)
        object.__setattr__(self, "public", key.public_key().public_bytes_raw())

    def __reduce__(self) -> tuple[type["Identity"], tuple[bytes]]:
        return Identity, (self.seed,)

    @classmethod
    def generate(cls, draw: Draw) -> "Identity":
        """Make a new identity.

        Raises:
            RandomSourceError: the random source is stuck.
        """
        return cls(fresh_stream(draw, b"identity")(COIN_BYTES))

    def sign(self, label: bytes, message: bytes) -> bytes:
        """Return the 64-byte signature of a message under a label (without zero bytes)."""
        return self._key.sign(_signed_text(label, message))


def verify_signature(public: bytes, label: bytes, message: bytes, signature: bytes) -> None:
    """Check a signature.

    Raises:
        InvalidSignature: it does not hold, or the key is malformed or of small order.
    """
    check_public_key(public)
    try:
        Ed25519PublicKey.from_public_bytes(public).verify(signature, _signed_text(label, message))
    except (_BadSignature, ValueError) as error:
        raise InvalidSignature("the signature does not hold") from error


def check_public_key(public: bytes) -> None:
    """Refuse a public key with which no honest signer can have come.

    Raises:
        InvalidSignature: wrong length, not canonical, or of small order.
    """
    if len(public) != PUBLIC_KEY_BYTES:
        raise InvalidSignature(f"a public key has {PUBLIC_KEY_BYTES} bytes, not {len(public)}")
    y = int.from_bytes(public, "little") & (2**255 - 1)
    if y >= _FIELD or y in _WEAK_Y:
        raise InvalidSignature("the public key is not canonical or has a small order")


def fingerprint(public: bytes) -> str:
    """Return the fingerprint of a public key, as in 7F3K-Q2MD-90XA-B3CE: 80 bits of its tagged hash."""
    characters = _GROUPS * _GROUP_CHARACTERS
    bits = int.from_bytes(tagged_hash(b"fingerprint", (public,)), "big") >> (256 - 80)
    text = "".join(
        _ALPHABET[bits >> (_BITS_PER_CHARACTER * place) & 31] for place in reversed(range(characters))
    )
    return "-".join(text[at : at + _GROUP_CHARACTERS] for at in range(0, characters, _GROUP_CHARACTERS))


def short_fingerprint(public: bytes) -> str:
    """Return the first group of the fingerprint, for use beside a name."""
    return fingerprint(public)[:_GROUP_CHARACTERS]


def _signed_text(label: bytes, message: bytes) -> bytes:
    if not label or b"\0" in label:
        raise ValueError("a label has at least one byte, and none of them zero")
    return full_label(b"signed/" + label) + b"\0" + message
