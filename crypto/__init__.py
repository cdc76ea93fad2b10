"""The mathematics of hidden cards. It knows decks of ciphertexts, not queens, and imports nothing of ours.

Every verb takes the group and, where something secret is made, a source of randomness. Verification returns
None or raises `InvalidProof` with the name of the failed check. All functions are plain, with picklable
arguments and results, so that a thread or process beside the event loop can run them.
"""

from crypto.commitments import check_commitment, commit
from crypto.context import Context
from crypto.elgamal import (
    Ciphertext,
    Deck,
    card_element,
    combine,
    decode_deck,
    encode_deck,
    first_deck,
    joint_key,
    mask,
    open_ciphertext,
    remask,
    share,
)
from crypto.errors import (
    Check,
    CryptoError,
    DecodingError,
    InvalidProof,
    InvalidSignature,
    LibraryError,
    RandomSourceError,
)
from crypto.framing import PROTOCOL_VERSION, frame, tagged_hash
from crypto.group import Element, Group, Scalar
from crypto.identity import (
    PUBLIC_KEY_BYTES,
    SIGNATURE_BYTES,
    Identity,
    check_public_key,
    fingerprint,
    short_fingerprint,
    verify_signature,
)
from crypto.keys import KeyPair, new_key, prove_key, verify_key
from crypto.password import (
    CONFIRMATION_BYTES,
    ELEMENT_BYTES,
    SEED_BYTES,
    Confirmations,
    answer_password,
    ask_password,
    finish_password,
)
from crypto.randomness import (
    COIN_BYTES,
    Draw,
    Stream,
    fresh_stream,
    index_from,
    joint_draw,
    permutation_from,
    random_permutation,
    random_scalar,
    uniform_below,
)
from crypto.ristretto import Ristretto255
from crypto.shares import prove_shares, verify_shares
from crypto.shuffle import shuffle
from crypto.shuffle_proof import MAX_CARDS
from crypto.shuffle_proof import proof_size as shuffle_proof_size
from crypto.shuffle_verifier import WEIGHT_BYTES, ShuffleClaim, verify_shuffle, verify_shuffles

__all__ = [
    "COIN_BYTES",
    "CONFIRMATION_BYTES",
    "ELEMENT_BYTES",
    "MAX_CARDS",
    "PROTOCOL_VERSION",
    "PUBLIC_KEY_BYTES",
    "SEED_BYTES",
    "SIGNATURE_BYTES",
    "WEIGHT_BYTES",
    "Check",
    "Ciphertext",
    "Confirmations",
    "Context",
    "CryptoError",
    "Deck",
    "DecodingError",
    "Draw",
    "Element",
    "Group",
    "Identity",
    "InvalidProof",
    "InvalidSignature",
    "KeyPair",
    "LibraryError",
    "RandomSourceError",
    "Ristretto255",
    "Scalar",
    "ShuffleClaim",
    "Stream",
    "answer_password",
    "ask_password",
    "card_element",
    "check_commitment",
    "check_public_key",
    "combine",
    "commit",
    "decode_deck",
    "encode_deck",
    "fingerprint",
    "finish_password",
    "first_deck",
    "frame",
    "fresh_stream",
    "index_from",
    "joint_draw",
    "joint_key",
    "mask",
    "new_key",
    "open_ciphertext",
    "permutation_from",
    "prove_key",
    "prove_shares",
    "random_permutation",
    "random_scalar",
    "remask",
    "share",
    "short_fingerprint",
    "shuffle",
    "shuffle_proof_size",
    "tagged_hash",
    "uniform_below",
    "verify_key",
    "verify_shares",
    "verify_shuffle",
    "verify_shuffles",
    "verify_signature",
]
