"""What may be done in a state: the limits of a lay, the ranks that may be claimed, the calls, the sets.

The checks here raise `IllegalMove` and return nothing. `choices` puts the same rules as data, for bots and
screens.
"""

from collections import Counter
from dataclasses import dataclass

from engine.cards import Card, Rank
from engine.errors import IllegalMove, Refusal
from engine.moves import Call, DiscardSets, Lay, Slot
from engine.rules import Ruleset
from engine.state import Lead, Phase, State


@dataclass(frozen=True, slots=True)
class Choices:
    """What the seat on turn may do: lay `least` to `most` cards claiming one of `ranks`, doubt, believe.

    `most` is 0 if it may not lay at all. `barred_number`: a lead of `barred_rank` may not announce this
    number (`stall_guard`; None for both if nothing is barred; where numbers are unstated the rank is simply
    not in `ranks`).
    """

    least: int
    most: int
    ranks: tuple[Rank, ...]
    may_doubt: bool
    may_believe: bool
    barred_rank: Rank | None = None
    barred_number: int | None = None


def choices(state: State) -> Choices:
    """What the seat on turn may do in phase `PLAY`; outside it, nothing."""
    if state.phase is not Phase.PLAY:
        return Choices(0, 0, (), False, False)
    may_doubt = state.live and not state.exempt
    may_believe = state.live and state.ruleset.veryu != "none"
    if _must_call(state):
        return Choices(0, 0, (), may_doubt, may_believe)
    least, most = lay_limits(state)
    ranks = claimable_ranks(state)
    repeated = repeated_claim(state)
    if repeated is None:
        return Choices(least, most, ranks, may_doubt, may_believe)
    rank, number = repeated
    if number is None or (least == most == number):
        return Choices(least, most, tuple(r for r in ranks if r != rank), may_doubt, may_believe)
    return Choices(least, most, ranks, may_doubt, may_believe, rank, number)


def lay_limits(state: State) -> tuple[int, int]:
    """The least and the most cards that the seat on turn may lay."""
    assert state.turn is not None
    rules, held = state.ruleset, len(state.hand_of(state.turn))
    leads = state.lead is Lead.DUE
    least = min(rules.lead_min, held) if leads else 1
    limit = rules.lead_max if leads else rules.follow_max
    if isinstance(limit, int):
        most = limit
    elif limit == "copies":
        most = rules.copies
    elif limit == "live_copies":
        assert state.rank is not None, "a follower has a rank to follow"
        # Never below 1: a follower who could lay nothing could only call, and there may be nothing to call.
        most = max(1, rules.copies - _openly_out(state)[state.rank])
    else:
        most = held
    if rules.claim_number == "honest":
        # The number claimed must be the size, and numbers run only as far as there are cards of a rank.
        most = min(most, rules.copies)
    return least, min(most, held)


def claimable_ranks(state: State) -> tuple[Rank, ...]:
    """The ranks that the next packet may claim, ascending; `stall_guard` apart."""
    if state.rank is not None:
        return (state.rank,)
    ranks = state.ruleset.claims
    if state.ruleset.retired_ranks == "barred" and state.removed:
        out = _openly_out(state)
        # If every rank is barred, none is.
        ranks = tuple(rank for rank in ranks if out[rank] < state.ruleset.copies) or ranks
    return ranks


def repeated_claim(state: State) -> tuple[Rank, int | None] | None:
    """The claim that a leader must avoid, if any: `stall_guard` with two left, unless he has no other
    claim.
    """
    last = state.last_lead
    if (
        state.ruleset.stall_guard == "none"
        or last is None
        or state.lead is not Lead.DUE
        or state.rank is not None
        or len(state.order) - len(state.out) != 2
    ):
        return None
    least, most = lay_limits(state)
    another_number = last[1] is not None and least != most
    another_rank = any(rank != last[0] for rank in claimable_ranks(state))
    return last if another_number or another_rank else None


def check_lay(state: State, move: Lay) -> None:
    """Raises: IllegalMove if the seat on turn may not lay so."""
    rules = state.ruleset
    _check_slots(state, move)
    size = len(move.slots)
    if size == 0:
        raise IllegalMove(Refusal.NO_CARDS)
    if _must_call(state):
        raise IllegalMove(Refusal.MUST_CALL)
    least, most = lay_limits(state)
    if size < least:
        raise IllegalMove(Refusal.TOO_FEW, least=least)
    if size > most:
        raise IllegalMove(Refusal.TOO_MANY, most=most)
    if rules.claim_number == "honest":
        if move.number is None:
            raise IllegalMove(Refusal.NUMBER_MISSING)
        if move.number != size:
            raise IllegalMove(Refusal.FALSE_NUMBER, number=move.number, size=size)
    elif move.number is not None:
        raise IllegalMove(Refusal.NUMBER_UNSTATED)
    if state.rank is not None and move.rank != state.rank:
        raise IllegalMove(Refusal.WRONG_RANK, rank=state.rank)
    if move.rank not in claimable_ranks(state):
        if move.rank not in rules.ranks:
            raise IllegalMove(Refusal.RANK_NOT_IN_PACK, rank=move.rank)
        aces = move.rank not in rules.claims
        raise IllegalMove(Refusal.NO_ACES if aces else Refusal.RANK_BARRED, rank=move.rank)
    if rules.stall_guard != "none" and repeated_claim(state) == (move.rank, move.number):
        raise IllegalMove(Refusal.REPEATED_CLAIM, rank=move.rank, number=move.number)


def check_call(state: State, move: Call) -> None:
    """Raises: IllegalMove if the seat on turn may not call so."""
    if not state.live:
        raise IllegalMove(Refusal.NOTHING_TO_CALL)
    if move.believe and state.ruleset.veryu == "none":
        raise IllegalMove(Refusal.NO_VERYU)
    if not move.believe and state.exempt:
        raise IllegalMove(Refusal.LEAD_EXEMPT)


def check_sets(state: State, move: DiscardSets) -> None:
    """Raises: IllegalMove if these are not complete sets of the taker's hand."""
    _check_slots(state, move)
    check_faces(state.ruleset, move.slots, move.faces)
    size = state.ruleset.set_cards
    if any(count % size for count in Counter(face.rank for face in move.faces).values()):
        raise IllegalMove(Refusal.NOT_A_SET)


def check_faces(rules: Ruleset, slots: tuple[Slot, ...], faces: tuple[Card, ...]) -> None:
    """Raises: IllegalMove unless there is one face a slot, and the packs hold them all at once."""
    ranks = rules.ranks
    if len(faces) != len(slots) or any(face.rank not in ranks for face in faces):
        raise IllegalMove(Refusal.WRONG_FACES)
    if len(set(faces)) != len(faces) and any(count > rules.packs_held for count in Counter(faces).values()):
        raise IllegalMove(Refusal.WRONG_FACES)


def _check_slots(state: State, move: Lay | DiscardSets) -> None:
    slots = move.slots
    if any(slots[i] >= slots[i + 1] for i in range(len(slots) - 1)):
        raise IllegalMove(Refusal.SLOTS_OUT_OF_ORDER)
    hand = state.hand_of(move.seat)
    for slot in slots:
        if slot not in hand:
            raise IllegalMove(Refusal.NOT_IN_HAND, slot=slot)


def _must_call(state: State) -> bool:
    """Whether `must_call_pending` leaves only calls. It does not bind where no call is possible."""
    if state.ruleset.must_call_pending == "no" or state.pending is None:
        return False
    return not state.exempt or state.ruleset.veryu != "none"


def _openly_out(state: State) -> Counter[Rank]:
    """How many cards of each rank everybody has seen go out of play."""
    return Counter(card.face.rank for card in state.removed if card.face is not None)
