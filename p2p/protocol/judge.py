"""Judges one entry against the verified state at its own previous head. There is no other verifier.

`judge` does the cheap checks and names the proof that is left to verify, if any; `judge_proven` does what
can only be said once the proof holds. Both raise `Breach` with the name of the check:

    turn                the seat owes nothing at this step
    kind                it owes another kind of entry
    step                the entry's step is not the step of its previous head
    slots               the slots opened are not the ones owed, or not distinct and ascending
    encoding            a deck, key or share is not canonical, of the wrong length, or the identity
    opening-rule        no complete seal lies between the slot, or the entitlement, and this entry
    rules.<refusal>     the engine refuses the move (values of `engine.Refusal`)
    commitment, key.*, shuffle.*, shares.*      as named by `crypto.Check`
    faces               the opened elements are no cards of this deck

Two checks look at more than one entry: `fork` (`deal.py`), two differing entries of one seat for one step,
and `key.joint` (`deal_steps.py`), keys of all seats that cancel out, for which the highest seat is named.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, TypeAlias

import engine
from crypto import (
    WEIGHT_BYTES,
    Ciphertext,
    Context,
    DecodingError,
    Draw,
    Element,
    Group,
    InvalidProof,
    check_commitment,
    decode_deck,
    verify_key,
    verify_shares,
    verify_shuffle,
)
from engine import Card, Rank, Seat, Slot
from p2p.protocol.entry import (
    AnswerBody,
    AnswerCommitBody,
    Body,
    CallBody,
    CoinBody,
    CoinCommitBody,
    CommitBody,
    DrawBody,
    Entry,
    LayBody,
    OpenBody,
    OutBody,
    PickUpBody,
    ReceiptBody,
    RevealBody,
    SealBody,
    SetsBody,
    SharesBody,
    ShuffleBody,
)
from p2p.protocol.errors import Breach
from p2p.protocol.ledger import DealState, Owed
from p2p.protocol.wire import encode

COMMITMENT_LABEL = b"opening"
COIN_LABEL = b"checked card"
ANSWER_LABEL = b"answer"

SharingBody: TypeAlias = SharesBody | RevealBody | SetsBody


@dataclass(frozen=True, slots=True)
class ProofCheck:
    """A proof left to verify: `function(*args)` returns None or raises InvalidProof. Picklable."""

    function: Callable[..., None]
    args: tuple[Any, ...] = field(repr=False)


def judge(state: DealState, entry: Entry, draw: Draw) -> ProofCheck | None:
    """Do every cheap check of an entry whose previous head is `state.head`, and return the proof left, if
    any.

    `draw` gives the secret weights under which a shuffle is verified; they are drawn here, after the proof
    is fixed.

    Raises:
        Breach: naming the seat and the check that failed.
    """
    seat = Seat(entry.seat)
    owed = _owed(state, entry)
    try:
        return _judge_body(state, owed, entry.body, draw)
    except DecodingError as error:
        raise Breach(seat, "encoding") from error
    except InvalidProof as error:
        raise Breach(seat, error.check.value) from error


def judge_proven(state: DealState, entry: Entry) -> None:
    """Check what an entry means by the rules, its proof having been verified.

    Raises:
        Breach: naming the seat and the check that failed.
    """
    if isinstance(entry.body, RevealBody | SetsBody):
        apply_move(state, opening_move(state, Seat(entry.seat), entry.body))


def _owed(state: DealState, entry: Entry) -> Owed:
    seat = Seat(entry.seat)
    owed = state.owed_by(seat)
    if entry.step != state.step:
        raise Breach(seat, "step")
    if owed is None:
        raise Breach(seat, "turn")
    if entry.kind not in owed.kinds:
        raise Breach(seat, "kind")
    return owed


def _judge_body(state: DealState, owed: Owed, body: Body, draw: Draw) -> ProofCheck | None:
    seat, check = owed.seat, None
    match body:
        case OpenBody():
            check = _judge_open(state, seat, body)
        case ShuffleBody():
            check = _judge_shuffle(state, seat, state.deck, body, draw)
        case PickUpBody() | DrawBody():
            apply_move(state, engine.PickUp(seat) if isinstance(body, PickUpBody) else engine.Draw(seat))
            check = _judge_shuffle(state, seat, state.cards.ciphertexts(owed.slots), body, draw)
        case SharesBody() | RevealBody():
            check = _judge_shares(state, owed, body)
        case SetsBody():
            check = _judge_sets(state, seat, body)
        case LayBody() | CallBody() | OutBody():
            apply_move(state, move_of(seat, body))
        case CoinBody():
            _check_commitment(state, seat, COIN_LABEL, body.coin, body.blinding)
        case AnswerBody():
            _judge_answer(state, seat, body)
        case CommitBody() | SealBody() | ReceiptBody() | CoinCommitBody() | AnswerCommitBody():
            # What they say cannot be wrong in itself: a hash that nobody can read yet, or the head that
            # they build on.
            pass
    return check


def _judge_open(state: DealState, seat: Seat, body: OpenBody) -> ProofCheck:
    frame, context = state.frame, state.context(seat)
    public = frame.group.decode_element(body.public)
    _check_commitment(state, seat, COMMITMENT_LABEL, body.public + body.coin, body.blinding)
    return ProofCheck(verify_key, (frame.group, public, body.proof, context))


def _judge_answer(state: DealState, seat: Seat, body: AnswerBody) -> None:
    if body.believe is None and body.index is not None:
        raise Breach(seat, "encoding")
    _check_commitment(state, seat, ANSWER_LABEL, answer_value(body.believe, body.index), body.blinding)
    apply_move(state, answer_move(seat, body))


def _check_commitment(state: DealState, seat: Seat, label: bytes, value: bytes, blinding: bytes) -> None:
    # The commitment was made one step earlier, so it is bound to that step's head.
    context = state.commitment_context(seat)
    check_commitment(state.commitments[seat], label, context, value, blinding)


def answer_value(believe: bool | None, index: int | None) -> bytes:
    """What a seat commits to in the window after a lay."""
    return encode((believe, index))


def answer_move(seat: Seat, body: AnswerBody) -> engine.Answer:
    """The engine's move that an opened answer stands for."""
    call = None if body.believe is None else engine.Call(seat, body.believe, body.index)
    return engine.Answer(seat, call)


def _judge_shuffle(
    state: DealState,
    seat: Seat,
    inputs: tuple[Ciphertext, ...],
    body: ShuffleBody | PickUpBody | DrawBody,
    draw: Draw,
) -> ProofCheck:
    group = state.frame.group
    outputs = decode_deck(group, body.deck, len(inputs))
    context = state.context(seat)
    # The only deck with identities for first halves is the public one, which the first shuffler takes.
    first = isinstance(body, ShuffleBody) and state.shuffled == 0
    weights = draw(WEIGHT_BYTES)
    assert state.joint_key is not None
    args = (group, state.joint_key, inputs, outputs, body.proof, context, weights)
    return ProofCheck(_verify_first_shuffle if first else verify_shuffle, args)


def _verify_first_shuffle(
    group: Group,
    joint_key: Element,
    deck: tuple[Ciphertext, ...],
    new_deck: tuple[Ciphertext, ...],
    proof: bytes,
    context: Context,
    weights: bytes,
) -> None:
    verify_shuffle(group, joint_key, deck, new_deck, proof, context, weights, first_deck=True)


def _judge_shares(state: DealState, owed: Owed, body: SharesBody | RevealBody) -> ProofCheck:
    slots = as_slots(body.slots)
    if slots != owed.slots:
        raise Breach(owed.seat, "slots")
    check_opening(state, owed.seat, slots, state.entitled_at)
    return _share_check(state, owed.seat, body)


def _judge_sets(state: DealState, seat: Seat, body: SetsBody) -> ProofCheck | None:
    assert state.game is not None
    slots = as_slots(body.slots)
    if list(slots) != sorted(set(slots)) or not set(slots) <= set(state.game.hand_of(seat)):
        raise Breach(seat, "slots")
    if not slots:
        if body.shares or body.proof:
            raise Breach(seat, "encoding")
        apply_move(state, engine.DiscardSets(seat, (), ()))
        return None
    # An owner who shows fours opens his own cards; only the shuffle that made them must be sealed.
    check_opening(state, seat, slots, -1)
    return _share_check(state, seat, body)


def check_opening(state: DealState, seat: Seat, slots: tuple[Slot, ...], entitled_at: int) -> None:
    """Check the opening rule: a complete seal is later than each slot's shuffle and than step `entitled_at`.

    Raises:
        Breach: opening-rule.
    """
    made_at = max((state.cards.cards[slot].made_at for slot in slots), default=-1)
    if state.last_seal <= max(made_at, entitled_at):
        raise Breach(seat, "opening-rule")


def _share_check(state: DealState, seat: Seat, body: SharingBody) -> ProofCheck:
    group = state.frame.group
    slots = as_slots(body.slots)
    shares = decode_shares(group, body.shares, len(slots))
    ciphertexts = state.cards.ciphertexts(slots)
    args = (group, state.publics[seat], ciphertexts, shares, body.proof, state.context(seat))
    return ProofCheck(verify_shares, args)


def decode_shares(group: Group, data: bytes, count: int) -> tuple[Element, ...]:
    """Decode `count` shares that stand one after the other. Raises: DecodingError."""
    size = group.element_size
    if len(data) != count * size:
        raise DecodingError(f"{count} shares take {count * size} bytes, not {len(data)}")
    return tuple(group.decode_element(data[at : at + size]) for at in range(0, len(data), size))


def as_slots(numbers: tuple[int, ...]) -> tuple[Slot, ...]:
    """The slots of an entry."""
    return tuple(Slot(number) for number in numbers)


def move_of(seat: Seat, body: LayBody | CallBody | OutBody) -> engine.Lay | engine.Call | engine.GoOut:
    """The engine's move that a lay, a call or an announcement stands for."""
    if isinstance(body, CallBody):
        return engine.Call(seat, body.believe, body.index)
    if isinstance(body, OutBody):
        return engine.GoOut(seat)
    return engine.Lay(seat, as_slots(body.slots), Rank(body.rank), body.number, body.out)


def opening_move(
    state: DealState, seat: Seat, body: RevealBody | SetsBody
) -> engine.Reveal | engine.DiscardSets:
    """The engine's move of an owner who opens slots with his own, verified shares: the faces follow from
    them.

    Raises:
        Breach: faces, if an opened element is no card.
    """
    slots = as_slots(body.slots)
    shares = decode_shares(state.frame.group, body.shares, len(slots))
    faces: list[Card] = []
    for slot, share in zip(slots, shares, strict=True):
        face = state.frame.faces.get(state.cards.opened(slot, (share,)))
        if face is None:
            raise Breach(seat, "faces")
        faces.append(face)
    kind = engine.Reveal if isinstance(body, RevealBody) else engine.DiscardSets
    return kind(seat, slots, tuple(faces))


def apply_move(state: DealState, move: engine.Move) -> engine.State:
    """The engine's next state. Raises: Breach with the engine's reason, `rules.<refusal>`."""
    assert state.game is not None
    try:
        return engine.apply(state.game, move)
    except engine.IllegalMove as error:
        raise Breach(move.seat, f"rules.{error.reason.value}") from error
