"""What a seat does that lets its time run out: the same for everybody, so all can know it beforehand.

It is made from the seat's own View, without chance, and is legal wherever something is to be chosen. It
never lies if it need not, and never gives more away than it has to:

    in the window after a lay     nothing; ne veryu if there the rules demand a call
    an empty hand to announce     announced
    four of a kind                kept
    a packet that may be doubted  ne veryu
    a rank is due                 as few cards as may be, true if the hand has enough of it; of cards of other
                                  ranks, those of which the hand has fewest
    any rank may be led           as few cards as may be of the rank that the hand has most of, truly named
"""

from engine.cards import Rank
from engine.legality import Choices
from engine.moves import Answer, Call, DiscardSets, Duty, GoOut, Lay, Slot
from engine.view import View


def default_move(view: View) -> Lay | Call | Answer | GoOut | DiscardSets:
    """The move of a seat that has something to choose and lets its time run out.

    Raises:
        ValueError: the seat of the view has nothing to choose now.
    """
    duties = {owed.duty for owed in view.owed}
    seat = view.seat
    if seat is None or not duties:
        raise ValueError("nothing is owed by this seat")
    if Duty.ANSWER in duties:
        return Answer(seat, None if view.choices.may_pass else _call(view))
    if duties & {Duty.GO_OUT, Duty.GO_OUT_OR_CALL}:
        return GoOut(seat)
    if Duty.DISCARD_SETS in duties:
        return DiscardSets(seat, (), ())
    if duties & {Duty.LAY, Duty.LAY_OR_CALL}:
        choices = view.choices
        return _call(view) if choices.may_doubt or choices.most == 0 else _lay(view)
    raise ValueError("what is owed leaves nothing to choose")


def _call(view: View) -> Call:
    """Ne veryu, or veryu where that is the only call; the first card of the packet if one is to be picked."""
    assert view.seat is not None
    choices = view.choices
    return Call(view.seat, not choices.may_doubt, 0 if choices.indices else None)


def _lay(view: View) -> Lay:
    assert view.seat is not None
    state, choices = view.state, view.choices
    rules = state.ruleset
    held: dict[Rank, list[Slot]] = {}
    for slot, card in view.hand:
        held.setdefault(card.rank, []).append(slot)
    number = choices.least
    claims = [rank for rank in choices.ranks if not _is_barred(choices, rank, number)]
    if not claims:
        # The one rank that may be led is barred with this number: then another number is allowed.
        number, claims = number + 1, list(choices.ranks)
    # Among equals the lowest rank, so that everybody could work out the same.
    rank = min(claims, key=lambda one: (-len(held.get(one, ())), one))
    others = sorted((one for one in held if one != rank), key=lambda one: (len(held[one]), one))
    slots = [slot for one in (rank, *others) for slot in sorted(held.get(one, ()))][:number]
    said = None if rules.claim_number == "unstated" else number
    # Whoever announces his last cards leaves earlier.
    out = rules.manual_out and not state.stock and len(slots) == len(state.hand_of(view.seat))
    return Lay(view.seat, tuple(sorted(slots)), rank, said, out)


def _is_barred(choices: Choices, rank: Rank, number: int) -> bool:
    """Whether `stall_guard` forbids to lead this rank with this number."""
    return (rank, number) == (choices.barred_rank, choices.barred_number)
