"""Errors of the mathematics of hidden cards, all under one root."""

from enum import StrEnum


class Check(StrEnum):
    """The checks a proof, a share or a commitment can fail; the value is the name that is reported."""

    COMMITMENT = "commitment"
    KEY_LENGTH = "key.length"
    KEY_IDENTITY = "key.identity"
    KEY_ELEMENT = "key.element"
    KEY_SCALAR = "key.scalar"
    KEY_EQUATION = "key.equation"
    SHARES_COUNT = "shares.count"
    SHARES_LENGTH = "shares.length"
    SHARES_IDENTITY = "shares.identity"
    SHARES_SCALAR = "shares.scalar"
    SHARES_EQUATION = "shares.equation"
    SHUFFLE_COUNT = "shuffle.count"
    SHUFFLE_LENGTH = "shuffle.length"
    SHUFFLE_IDENTITY = "shuffle.identity"
    SHUFFLE_ELEMENT = "shuffle.element"
    SHUFFLE_SCALAR = "shuffle.scalar"
    SHUFFLE_CHALLENGE = "shuffle.challenge"
    SHUFFLE_PERMUTATION = "shuffle.permutation"
    SHUFFLE_OPENING = "shuffle.opening"
    SHUFFLE_PRODUCT = "shuffle.product"
    SHUFFLE_FIRST = "shuffle.first"
    SHUFFLE_SECOND = "shuffle.second"


class CryptoError(Exception):
    """Root of everything this package raises on purpose."""


class DecodingError(CryptoError):
    """Bytes that are no canonical encoding of what was expected, or encode a forbidden identity."""


class LibraryError(CryptoError):
    """The library with the group's arithmetic cannot be loaded on this machine."""


class RandomSourceError(CryptoError):
    """A source of randomness repeats itself, is constant or returns the wrong number of bytes."""


class InvalidProof(CryptoError):  # noqa: N818 (the proof is what is invalid)
    """A proof, share or commitment that does not hold.

    `check` names the check that failed; `component` names the part of the proof at fault where one
    part is (a paper's symbol, such as "f[3]"), and is empty otherwise; `claim` is the index of the proof
    among those that were verified together. None of them holds a secret.
    """

    def __init__(self, check: Check | str, component: str = "", claim: int = 0) -> None:
        self.check = Check(check)
        self.component = component
        self.claim = claim
        super().__init__(self.check, component, claim)

    def __str__(self) -> str:
        return f"{self.check} ({self.component})" if self.component else str(self.check)


class InvalidSignature(CryptoError):  # noqa: N818
    """A signature that does not hold, or a public key that no honest signer can have."""
