"""What may be done in a state: the limits of a lay, the ranks that may be claimed, the calls, the sets.

The checks here raise `IllegalMove` and return nothing. `choices` puts the same rules as data, for bots and
screens.
"""

from collections import Counter
from dataclasses import dataclass

from engine.cards import Card, Rank
from engine.errors import IllegalMove, Refusal
from engine.moves import Answer, Call, DiscardSets, DrawIndex, GoOut, Lay, Seat, Slot
from engine.rules import Ruleset
from engine.state import Lead, Phase, State


@dataclass(frozen=True, slots=True)
class Choices:
    """What a seat may do: lay `least` to `most` cards claiming one of `ranks`, doubt, believe.

    `most` is 0 if it may not lay at all. `barred_number`: a lead of `barred_rank` may not announce this
    number (`stall_guard`; None for both if nothing is barred; where numbers are unstated the rank is simply
    not in `ranks`). Where numbers are free, `least` and `most` bound the number announced, and the packet
    may really hold any number of cards up to `real_most`; elsewhere that is `most`. `indices`: a call picks a
    place below this (0 where it picks none). `may_pass`: it may do neither, but say nothing in an open
    window, or go out with an empty hand.
    """

    least: int
    most: int
    ranks: tuple[Rank, ...]
    may_doubt: bool
    may_believe: bool
    barred_rank: Rank | None = None
    barred_number: int | None = None
    real_most: int = 0
    indices: int = 0
    may_pass: bool = False


NO_CHOICES = Choices(0, 0, (), False, False)
"""What one may do who is not asked."""


def choices(state: State, seat: Seat | None = None) -> Choices:
    """What `seat`, usually the seat on turn, may do in phase `PLAY` or `ANSWER`; in others, nothing."""
    seat = state.turn if seat is None else seat
    phase = state.phase
    answers = phase is Phase.ANSWER and seat is not None and seat in state.answering
    if seat is None or not (answers or (phase is Phase.PLAY and seat == state.turn)):
        return NO_CHOICES
    may_doubt = state.live and not state.exempt
    may_believe = state.live and state.ruleset.veryu != "none"
    indices = index_limit(state) if state.live and state.ruleset.check == "one_by_caller" else 0
    if answers:
        silent = not (seat == state.turn and must_call(state))
        return Choices(0, 0, (), may_doubt, may_believe, indices=indices, may_pass=silent)
    if seat in state.emptied or must_call(state):
        return Choices(0, 0, (), may_doubt, may_believe, indices=indices, may_pass=seat in state.emptied)
    least, most = lay_limits(state)
    ranks = claimable_ranks(state)
    real_most = min(state.ruleset.copies, len(state.hand_of(seat))) if state.ruleset.hides_sizes else most
    rank, number = repeated_claim(state) or (None, None)
    if rank is not None and (number is None or least == most == number):
        ranks = tuple(r for r in ranks if r != rank)
        rank = number = None
    return Choices(least, most, ranks, may_doubt, may_believe, rank, number, real_most, indices)


def index_limit(state: State) -> int:
    """A caller who picks the card to check names a place below this.

    Where the size is hidden it is the greatest size there could be, and the place goes round the real one.
    """
    rules = state.ruleset
    return rules.copies if rules.hides_sizes else len(state.table[-1].slots)


def lay_limits(state: State) -> tuple[int, int]:
    """The least and the most cards that the seat on turn may lay, or announce where numbers are free."""
    assert state.turn is not None
    rules = state.ruleset
    # A hidden hand limits nothing: that would tell its size.
    held = rules.copies if rules.hides_sizes else len(state.hand_of(state.turn))
    leads = state.lead is Lead.DUE
    limit = rules.lead_max if leads else rules.follow_max
    if isinstance(limit, int):
        most = limit
    elif limit == "copies":
        most = rules.copies
    elif limit == "live_copies":
        due = state.due_rank
        assert due is not None, "a follower has a rank to claim"
        # Never below 1: a follower who could lay nothing could only call, and there may be nothing to call.
        most = max(1, rules.copies - _openly_out(state)[due])
    else:
        most = held
    if rules.claim_number != "unstated":
        # Numbers run only as far as there are cards of a rank.
        most = min(most, rules.copies)
    most = min(most, held)
    return (min(rules.lead_min, most) if leads else 1), most


def claimable_ranks(state: State) -> tuple[Rank, ...]:
    """The ranks that the next packet may claim, ascending; `stall_guard` apart."""
    due = state.due_rank
    if due is not None:
        return (due,)
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
        or state.due_rank is not None
        or len(state.order) - len(state.out) != 2
    ):
        return None
    least, most = lay_limits(state)
    another_number = last[1] is not None and least != most
    another_rank = any(rank != last[0] for rank in claimable_ranks(state))
    return last if another_number or another_rank else None


def check_lay(state: State, move: Lay) -> None:
    """Raises: IllegalMove if the seat on turn may not lay so; a visible zero that is punished passes."""
    rules = state.ruleset
    if state.emptied and move.seat in state.emptied:
        raise IllegalMove(Refusal.EMPTY_HAND)
    _check_slots(state, move)
    if move.out:
        _check_announced(state, move)
    if is_visible_zero(state, move):
        if rules.illegal_zero == "reject":
            raise IllegalMove(Refusal.NO_CARDS)
        return
    if must_call(state):
        raise IllegalMove(Refusal.MUST_CALL)
    _check_size(state, move)
    due = state.due_rank
    if due is not None and move.rank != due:
        raise IllegalMove(Refusal.WRONG_RANK, rank=due)
    if move.rank not in claimable_ranks(state):
        if move.rank not in rules.ranks:
            raise IllegalMove(Refusal.RANK_NOT_IN_PACK, rank=move.rank)
        aces = move.rank not in rules.claims
        raise IllegalMove(Refusal.NO_ACES if aces else Refusal.RANK_BARRED, rank=move.rank)
    if rules.stall_guard != "none" and repeated_claim(state) == (move.rank, move.number):
        raise IllegalMove(Refusal.REPEATED_CLAIM, rank=move.rank, number=move.number)


def _check_announced(state: State, move: Lay) -> None:
    """Raises: IllegalMove unless these are the last cards, and the table wants that to be said."""
    if not state.ruleset.manual_out:
        raise IllegalMove(Refusal.NO_ANNOUNCING)
    left = len(move.slots) != len(state.hand_of(move.seat))
    if left or state.stock or is_visible_zero(state, move):
        raise IllegalMove(Refusal.CARDS_LEFT)


def is_visible_zero(state: State, move: Lay) -> bool:
    """Whether a lay is the zero that everybody sees: no cards where sizes show, or an announced 0."""
    return move.number == 0 if state.ruleset.hides_sizes else not move.slots


def _check_size(state: State, move: Lay) -> None:
    """Raises: IllegalMove for a size or a number outside the limits."""
    rules, size = state.ruleset, len(move.slots)
    least, most = lay_limits(state)
    counted = size
    if rules.hides_sizes:
        if move.number is None:
            raise IllegalMove(Refusal.NUMBER_MISSING)
        if size > rules.copies:
            raise IllegalMove(Refusal.TOO_MANY, most=rules.copies)
        counted = move.number
    if counted < least:
        raise IllegalMove(Refusal.TOO_FEW, least=least)
    if counted > most:
        raise IllegalMove(Refusal.TOO_MANY, most=most)
    if rules.claim_number == "honest":
        if move.number is None:
            raise IllegalMove(Refusal.NUMBER_MISSING)
        if move.number != size:
            raise IllegalMove(Refusal.FALSE_NUMBER, number=move.number, size=size)
    elif rules.claim_number == "unstated" and move.number is not None:
        raise IllegalMove(Refusal.NUMBER_UNSTATED)


def check_go_out(state: State, move: GoOut) -> None:
    """Raises: IllegalMove if the seat on turn may not announce that it goes out."""
    if not state.ruleset.manual_out:
        raise IllegalMove(Refusal.NO_ANNOUNCING)
    if state.stock or move.seat not in state.emptied:
        raise IllegalMove(Refusal.CARDS_LEFT)


def check_answer(state: State, move: Answer) -> None:
    """Raises: IllegalMove if the seat may not answer so in the open window."""
    if move.call is None:
        if move.seat == state.turn and must_call(state):
            raise IllegalMove(Refusal.MUST_ANSWER)
        return
    if move.call.seat != move.seat:
        raise IllegalMove(Refusal.NOT_YOUR_TURN)
    check_call(state, move.call)


def check_index(state: State, move: DrawIndex) -> None:
    """Raises: IllegalMove for an outcome that chance cannot have."""
    count = state.index_range
    if not 0 <= move.index < count:
        raise IllegalMove(Refusal.NO_SUCH_CARD, count=count)


def check_call(state: State, move: Call) -> None:
    """Raises: IllegalMove if the live packet may not be called so."""
    if not state.live:
        raise IllegalMove(Refusal.NOTHING_TO_CALL)
    if move.believe and state.ruleset.veryu == "none":
        raise IllegalMove(Refusal.NO_VERYU)
    if not move.believe and state.exempt:
        raise IllegalMove(Refusal.LEAD_EXEMPT)
    if state.ruleset.check != "one_by_caller":
        if move.index is not None:
            raise IllegalMove(Refusal.INDEX_UNASKED)
        return
    if move.index is None:
        raise IllegalMove(Refusal.INDEX_MISSING)
    count = index_limit(state)
    if not 0 <= move.index < count:
        raise IllegalMove(Refusal.NO_SUCH_CARD, count=count)


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


def must_call(state: State) -> bool:
    """Whether `must_call_pending` leaves only calls. It does not bind where no call is possible."""
    if state.ruleset.must_call_pending == "no" or state.pending is None:
        return False
    return state.may_be_called


def _openly_out(state: State) -> Counter[Rank]:
    """How many cards of each rank everybody has seen go out of play."""
    return Counter(card.face.rank for card in state.removed if card.face is not None)
