"""Keys of a deal, and the proof that whoever publishes one knows its secret.

Without that proof the last seat could choose its key so that the others' cancel out of the joint key.
"""

from dataclasses import dataclass, field

from crypto.context import Context
from crypto.errors import Check, DecodingError, InvalidProof
from crypto.group import Element, Group, Scalar
from crypto.randomness import Draw, fresh_stream, random_scalar
from crypto.transcript import Transcript


@dataclass(frozen=True, slots=True)
class KeyPair:
    """One seat's key for one deal. public = secret.G"""

    secret: Scalar = field(repr=False)
    public: Element


def new_key(group: Group, draw: Draw) -> KeyPair:
    """Make a fresh key pair.

    Raises:
        RandomSourceError: the random source is stuck.
    """
    secret = random_scalar(group, fresh_stream(draw, b"key"))
    return KeyPair(secret, group.base_multiply(secret))


def prove_key(group: Group, secret: Scalar, context: Context, draw: Draw) -> bytes:
    """Prove that the publisher of secret.G knows the secret. The proof is R then s.

    Source: Schnorr's protocol, made non-interactive; R = k.G, c the challenge, s = k + c.secret.

    Raises:
        RandomSourceError: the random source is stuck.
    """
    transcript = _statement(group, group.base_multiply(secret), context)
    k = random_scalar(group, fresh_stream(draw, b"key proof", group.encode_scalar(secret), context.digest()))
    commitment = group.base_multiply(k)
    transcript.append_element(b"R", commitment)
    c = transcript.challenge(b"c")
    return commitment.encode() + group.encode_scalar(group.scalar(k + c * secret))


def verify_key(group: Group, public: Element, proof: bytes, context: Context) -> None:
    """Check a proof of key ownership: s.G = R + c.public.

    Raises:
        InvalidProof: key.identity, key.length, key.element, key.scalar or key.equation.
    """
    if public.is_identity():
        raise InvalidProof(Check.KEY_IDENTITY)
    if len(proof) != group.element_size + group.scalar_size:
        raise InvalidProof(Check.KEY_LENGTH)
    try:
        commitment = group.decode_element(proof[: group.element_size])
    except DecodingError as error:
        raise InvalidProof(Check.KEY_ELEMENT, "R") from error
    try:
        s = group.decode_scalar(proof[group.element_size :])
    except DecodingError as error:
        raise InvalidProof(Check.KEY_SCALAR, "s") from error
    transcript = _statement(group, public, context)
    transcript.append_element(b"R", commitment)
    c = transcript.challenge(b"c")
    if group.base_multiply(s) != commitment + c * public:
        raise InvalidProof(Check.KEY_EQUATION)


def _statement(group: Group, public: Element, context: Context) -> Transcript:
    transcript = Transcript(b"key proof", group, context)
    transcript.append_element(b"public", public)
    return transcript
