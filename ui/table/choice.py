"""What the own player has chosen and not yet sent: cards, a rank, a call, fours.

Every change is a function from choice to choice, so a test needs no screen. An armed call, a named rank and
the answer about fours belong to one step of the ledger and fall with it; chosen cards stay.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field, replace

from engine import Card, Rank, Refusal, Slot
from p2p.protocol.snapshot import RefusedCommand
from ui.table.situation import CALLING, LAYING, Situation, Stage
from ui.words import refusals


class NotNowError(Exception):
    """A key does nothing now; the sentence says why."""

    def __init__(self, sentence: str) -> None:
        super().__init__(sentence)
        self.sentence = sentence


@dataclass(frozen=True, slots=True)
class Choice:
    """`chosen`: cards in the order of choosing. `naming`: rank keys name a rank instead of taking cards.

    `armed`: False for a doubt, True for a belief, None for neither; `index`: the card that an armed call
    checks, from 0, where the caller picks it. `silent`: nothing is to be said in an open window. `out`: the
    lay, or the turn, says that the hand is empty. `nothing`: a lay of no card. `fours`: ranks to remove;
    `keep`: none at all. `sent`: the step whose move was already sent.
    """

    step: tuple[int, int] = (0, 0)
    chosen: tuple[Slot, ...] = ()
    cursor: Slot | None = None
    naming: bool = False
    named: Rank | None = None
    armed: bool | None = None
    index: int = 0
    silent: bool = False
    out: bool = False
    nothing: bool = False
    fours: frozenset[Rank] = frozenset()
    keep: bool = False
    sent: bool = False
    new: frozenset[Slot] = field(default=frozenset(), repr=False)
    """Cards that came with a pick-up and were not acted upon yet."""


def follow(choice: Choice, situation: Situation) -> Choice:
    """Return the choice as it stands in a new situation: what belongs to an older step has fallen."""
    faces = situation.faces
    if choice.step != situation.step:
        choice = replace(
            choice,
            step=situation.step,
            naming=False,
            named=None,
            armed=None,
            index=0,
            silent=False,
            out=False,
            nothing=False,
            fours=frozenset(),
            keep=False,
            sent=False,
        )
    return replace(
        choice,
        chosen=tuple(slot for slot in choice.chosen if slot in faces),
        cursor=choice.cursor if choice.cursor in faces else None,
        new=choice.new & faces.keys(),
    )


def take_rank(choice: Choice, situation: Situation, rank: Rank) -> Choice:
    """Take one more card of a rank; when all are taken, put all of them back. While naming, name the rank.

    Raises: NotNowError.
    """
    if situation.stage is Stage.FOURS:
        return toggle_fours(choice, situation, rank)
    if choice.naming and situation.stage is Stage.LEADING:
        return name_rank(choice, situation, rank)
    held = [slot for slot, card in situation.hand if card.rank == rank]
    if not held:
        raise NotNowError(refusals.none_of_rank(rank))
    free = [slot for slot in held if slot not in choice.chosen]
    if free:
        return _take(choice, situation, free[0])
    left = tuple(slot for slot in choice.chosen if slot not in held)
    return replace(choice, armed=None, out=False, chosen=left)


def toggle(choice: Choice, situation: Situation, slot: Slot) -> Choice:
    """Take a card, or put it back. Raises: NotNowError."""
    if slot not in situation.faces:
        return choice
    if situation.stage is Stage.FOURS:
        return toggle_fours(choice, situation, situation.faces[slot].rank)
    choice = replace(choice, cursor=slot if choice.cursor is not None else None)
    if slot in choice.chosen:
        left = tuple(one for one in choice.chosen if one != slot)
        return replace(choice, armed=None, out=False, chosen=left)
    return _take(choice, situation, slot)


def _take(choice: Choice, situation: Situation, slot: Slot) -> Choice:
    most = situation.most_cards
    if most is not None and len(choice.chosen) >= most:
        if most == 0:
            raise NotNowError(refusals.move_refused(Refusal.MUST_CALL, {}))
        raise NotNowError(refusals.move_refused(Refusal.TOO_MANY, {"most": most}))
    return replace(choice, armed=None, nothing=False, chosen=(*choice.chosen, slot))


def toggle_fours(choice: Choice, situation: Situation, rank: Rank) -> Choice:
    """Mark a complete set for removal, or no longer. Raises: NotNowError."""
    if rank not in situation.complete_sets:
        raise NotNowError(refusals.move_refused(Refusal.NOT_A_SET, {}))
    return replace(choice, fours=choice.fours ^ {rank}, keep=False)


def say_nothing(choice: Choice, situation: Situation) -> Choice:
    """Say nothing in an open window, or keep all sets. Raises: NotNowError."""
    if situation.stage is Stage.ANSWERING:
        if not situation.choices.may_pass:
            raise NotNowError(refusals.move_refused(Refusal.MUST_ANSWER, {}))
        return replace(choice, armed=None, silent=not choice.silent)
    if situation.stage is not Stage.FOURS:
        raise NotNowError(refusals.move_refused(Refusal.NOT_NOW, {}))
    return replace(choice, fours=frozenset(), keep=True)


def move_cursor(choice: Choice, situation: Situation, steps: int) -> Choice:
    """Move the cursor along the hand; it wraps."""
    slots = [slot for slot, _ in situation.hand]
    if not slots:
        return choice
    if choice.cursor not in slots:
        return replace(choice, cursor=slots[0 if steps > 0 else -1])
    return replace(choice, cursor=slots[(slots.index(choice.cursor) + steps) % len(slots)])


def put_back(choice: Choice) -> Choice:
    """Put the last card back; if a call is armed, lower the call instead."""
    if choice.armed is not None or choice.silent or choice.out or choice.nothing:
        return replace(choice, armed=None, silent=False, out=False, nothing=False)
    if choice.fours or choice.keep:
        return replace(choice, fours=frozenset(), keep=False)
    return replace(choice, chosen=choice.chosen[:-1])


def nothing_chosen(choice: Choice) -> bool:
    """Whether Esc has nothing left to take back, so that it opens the menu."""
    meant = choice.silent or choice.out or choice.nothing or choice.naming
    return not (choice.chosen or choice.fours or choice.keep or meant) and (
        choice.armed is None and choice.named is None
    )


def take_all_back(choice: Choice) -> Choice:
    """What Esc does: lower an armed call, else leave the ranks, else put all cards back."""
    if choice.armed is not None or choice.silent or choice.out or choice.nothing:
        return replace(choice, armed=None, silent=False, out=False, nothing=False)
    if choice.naming or choice.named is not None:
        return replace(choice, naming=False, named=None)
    return replace(choice, chosen=(), fours=frozenset(), keep=False, cursor=None)


def arm(choice: Choice, situation: Situation, *, believe: bool) -> Choice:
    """Arm a call, or lower it if it is armed already. Raises: NotNowError."""
    check_may_call(situation, believe=believe)
    armed = None if choice.armed is believe else believe
    return replace(choice, naming=False, silent=False, out=False, nothing=False, armed=armed)


def pick_card(choice: Choice, situation: Situation, index: int) -> Choice:
    """Let an armed call check another card, counted from 0. Raises: NotNowError."""
    count = situation.choices.indices
    if not 0 <= index < count:
        raise NotNowError(refusals.move_refused(Refusal.NO_SUCH_CARD, {"count": count}))
    return replace(choice, index=index)


def picks_card(choice: Choice, situation: Situation) -> bool:
    """Whether digits and arrows now pick the card that is checked."""
    return choice.armed is not None and situation.picks_card


def say_out(choice: Choice, situation: Situation) -> Choice:
    """Say that the hand is empty, or that these cards are the last; again takes that back.

    Raises: NotNowError.
    """
    state = situation.state
    if state is None or not state.ruleset.manual_out:
        raise NotNowError(refusals.move_refused(Refusal.NO_ANNOUNCING, {}))
    if situation.stage is not Stage.LEAVING and not may_say_out(choice, situation):
        acting = situation.acting
        raise NotNowError(refusals.move_refused(Refusal.CARDS_LEFT, {}) if acting else not_my_turn(situation))
    return replace(choice, armed=None, out=not choice.out)


def may_say_out(choice: Choice, situation: Situation) -> bool:
    """Whether the chosen cards are the last, and that has to be said."""
    state = situation.state
    asked = state is not None and state.ruleset.manual_out and not state.stock
    return asked and situation.stage in LAYING and len(choice.chosen) == situation.held


def lay_nothing(choice: Choice, situation: Situation) -> Choice:
    """Lay no card, where that is punished and not refused; or take that back. Raises: NotNowError."""
    if situation.stage not in LAYING:
        raise NotNowError(not_my_turn(situation))
    if not may_lay_nothing(situation):
        raise NotNowError(refusals.move_refused(Refusal.NO_CARDS, {}))
    return replace(choice, armed=None, naming=False, chosen=(), out=False, nothing=not choice.nothing)


def may_lay_nothing(situation: Situation) -> bool:
    """Whether a lay of no card can be made now, and is punished."""
    state = situation.state
    return state is not None and situation.stage in LAYING and state.ruleset.illegal_zero == "penalty"


def check_may_call(situation: Situation, *, believe: bool) -> None:
    """Raises: NotNowError unless the own seat may make this call now."""
    state = situation.state
    if believe and state is not None and state.ruleset.veryu == "none":
        raise NotNowError(refusals.move_refused(Refusal.NO_VERYU, {}))
    if situation.stage not in CALLING:
        if situation.live is None or situation.acting:
            raise NotNowError(refusals.move_refused(Refusal.NOTHING_TO_CALL, {}))
        raise NotNowError(not_my_turn(situation))
    if believe and situation.choices.may_believe:
        return
    if not believe and situation.choices.may_doubt:
        return
    exempt = not believe and situation.live is not None
    raise NotNowError(refusals.move_refused(Refusal.LEAD_EXEMPT if exempt else Refusal.NOTHING_TO_CALL, {}))


def check_may_end_wait(situation: Situation, now: float) -> None:
    """Raises: NotNowError, unless somebody has been missed for long enough; now: the snapshots' clock."""
    table = situation.table
    if situation.seat is None or table.silent:
        raise NotNowError(situation.watching.text)
    if table.poll is not None and not table.two_alone:
        raise NotNowError(refusals.asked_already())
    if table.wait_until is None:
        raise NotNowError(refusals.command_refused(RefusedCommand.NOBODY_MISSED))
    wait_s = table.wait_until - now
    if wait_s > 0:
        raise NotNowError(refusals.command_refused(RefusedCommand.NOT_OVERDUE, wait_s))


def not_my_turn(situation: Situation) -> str:
    """Return the sentence that names whom the game waits for, or says that it waits for nobody any more."""
    if situation.stage is Stage.ENDED:
        return refusals.cannot_go_on() if situation.deserted else refusals.move_refused(Refusal.DEAL_OVER, {})
    if situation.stage is Stage.WATCHING:
        return situation.watching.text
    if situation.unanswered:
        return refusals.answered_already()
    actor = situation.actor
    return refusals.not_your_turn(None if actor is None else situation.who(actor))


def start_naming(choice: Choice, situation: Situation) -> Choice:
    """Let rank keys name the rank, or take cards again. Raises: NotNowError."""
    state = situation.state
    if situation.stage is Stage.FOLLOWING and state is not None and state.due_rank is not None:
        raise NotNowError(rank_due(situation, state.due_rank))
    if situation.stage is not Stage.LEADING:
        raise NotNowError(not_my_turn(situation))
    return replace(choice, naming=not choice.naming, armed=None)


def name_rank(choice: Choice, situation: Situation, rank: Rank) -> Choice:
    """Name the rank of a lead. Raises: NotNowError."""
    if situation.stage is not Stage.LEADING:
        return start_naming(choice, situation)
    ranks = situation.choices.ranks
    if rank not in ranks:
        raise NotNowError(refusals.move_refused(_why_not_named(situation, rank), {"rank": rank}))
    # Without a card the next thing to do is to pick some.
    return replace(choice, naming=bool(choice.chosen), named=rank)


def _why_not_named(situation: Situation, rank: Rank) -> Refusal:
    state = situation.state
    if state is None or rank not in state.ruleset.ranks:
        return Refusal.RANK_NOT_IN_PACK
    if rank not in state.ruleset.claims:
        return Refusal.NO_ACES
    last = state.last_lead
    again = state.ruleset.stall_guard != "none" and last is not None and last[0] == rank
    return Refusal.REPEATED_CLAIM if again else Refusal.RANK_BARRED


def rank_due(situation: Situation, rank: Rank) -> str:
    """Return the sentence that says which rank has to be said, and why."""
    state = situation.state
    if state is not None and state.ruleset.rank_rule == "ascending":
        return refusals.rank_is_due(rank)
    return refusals.move_refused(Refusal.WRONG_RANK, {"rank": rank})


def step_rank(choice: Choice, situation: Situation, steps: int) -> Choice:
    """Name the next or the previous rank. Raises: NotNowError."""
    if situation.stage is not Stage.LEADING:
        return start_naming(choice, situation)
    ranks = situation.choices.ranks
    current = claimed_rank(choice, situation)
    if current not in ranks:
        return name_rank(choice, situation, ranks[0 if steps > 0 else -1])
    return name_rank(choice, situation, ranks[(ranks.index(current) + steps) % len(ranks)])


def claimed_rank(choice: Choice, situation: Situation) -> Rank | None:
    """The rank that a lay would claim now: the one in force, the one named, or the one of all chosen
    cards."""
    state = situation.state
    if state is not None and state.due_rank is not None:
        return state.due_rank
    if choice.named is not None:
        return choice.named
    ranks = {card.rank for card in chosen_cards(choice, situation)}
    if len(ranks) == 1 and not choice.naming:
        only = next(iter(ranks))
        return only if only in situation.choices.ranks else None
    return None


def chosen_cards(choice: Choice, situation: Situation) -> tuple[Card, ...]:
    """The chosen cards, in the order of the hand."""
    return tuple(card for slot, card in situation.hand if slot in choice.chosen)


def raised(choice: Choice, situation: Situation) -> frozenset[Slot]:
    """The slots that are drawn raised: chosen cards, or all cards of the fours to be removed."""
    if situation.stage is Stage.FOURS:
        return frozenset(slot for rank in choice.fours for slot in situation.complete_sets.get(rank, ()))
    return frozenset(choice.chosen)


def mark_new(choice: Choice, slots: Iterable[Slot]) -> Choice:
    """Note cards that have just come into the hand."""
    return replace(choice, new=frozenset(slots))
