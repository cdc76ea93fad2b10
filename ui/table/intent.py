"""What Enter will do now: the one place that turns a situation and a choice into a move and its sentence."""

from dataclasses import dataclass

from engine import Answer, Call, DiscardSets, GoOut, IllegalMove, Lay, Move, Rank, Refusal, apply
from ui import keys
from ui.i18n import current_language
from ui.keys import Place
from ui.table.choice import Choice, chosen_cards, claimed_rank, not_my_turn
from ui.table.situation import ACTING, LAYING, Situation, Stage
from ui.words import card_label, enter, rank_label, refusals
from ui.words.enter import EnterLine


@dataclass(frozen=True, slots=True)
class Intent:
    """`line`: what the Enter line says. `move`: what Enter sends. `names`: Enter goes on to the ranks
    instead.

    `refusal`: the sentence if Enter does nothing.
    """

    line: EnterLine
    move: Move | None = None
    names: bool = False
    refusal: str = ""

    @property
    def key(self) -> tuple[object, ...]:
        """What Enter would do, without its wording: a guard compares it before and after a change."""
        return (self.move, self.names)


def intend(situation: Situation, choice: Choice, call_keys: str, *, tell_truth: bool = True) -> Intent:
    """Say what Enter does now.

    call_keys: the cap of the doubt, for the sentence that invites to it. tell_truth: whether the line ends
    with "the truth" or "a bluff".
    """
    stage = situation.stage
    if stage in ACTING and not choice.sent:
        if stage is Stage.FOURS:
            return _fours(situation, choice)
        return _act(situation, choice, call_keys, tell_truth=tell_truth)
    line = EnterLine("", live=False)
    if stage is Stage.OUT:
        line = enter.keep_open()
    elif situation.deserted:
        line = enter.deserted(keys.action_named("back", Place.TABLE).cap)
        return _nothing(line, line.text)
    elif stage is Stage.WATCHING:
        line = situation.watching
        return _nothing(line, line.text)
    elif stage is Stage.WAITING and situation.hand:
        line = enter.waiting([situation.who(seat).label for seat in situation.before_me])
    return _nothing(line, not_my_turn(situation))


def _act(  # noqa: PLR0911 - one for each kind of act
    situation: Situation, choice: Choice, call_keys: str, *, tell_truth: bool
) -> Intent:
    seat = situation.seat
    assert seat is not None, "only a seat is asked to act"
    if choice.armed is not None and situation.live is not None:
        return _call(situation, choice, choice.armed)
    if situation.stage is Stage.ANSWERING:
        return _answer(situation, choice, call_keys)
    if situation.stage is Stage.LEAVING:
        return _leave(situation, choice, call_keys)
    if choice.nothing:
        return _nothing_laid(situation)
    labels = [card_label(card) for card in chosen_cards(choice, situation)]
    if choice.naming and choice.named is None:
        line = enter.naming(labels)
        return _nothing(line, line.brief)
    if not choice.chosen:
        inviting = call_keys if situation.choices.may_doubt else ""
        return _nothing(enter.nothing_chosen(inviting, choice.named), _no_cards(situation))
    rank = claimed_rank(choice, situation)
    if rank is None:
        return Intent(enter.name_a_rank(labels), names=True)
    return _lay(situation, choice, rank, tell_truth=tell_truth)


def _call(situation: Situation, choice: Choice, believe: bool) -> Intent:
    live, seat, state = situation.live, situation.seat, situation.state
    assert live is not None
    assert seat is not None
    assert state is not None
    index = choice.index if situation.picks_card else None
    size = len(live.slots) if state.ruleset.check == "all" else 1
    words = enter.believe if believe else enter.call
    line = words(situation.who(live.owner), size, situation.pile_size, card=index)
    call = Call(seat, believe, index)
    return Intent(line, Answer(seat, call) if situation.stage is Stage.ANSWERING else call)


def _answer(situation: Situation, choice: Choice, call_keys: str) -> Intent:
    seat = situation.seat
    assert seat is not None
    if choice.silent:
        return Intent(enter.say_nothing(), Answer(seat, None))
    line = enter.must_answer(call_keys)
    if situation.choices.may_pass:
        line = enter.answer(call_keys, _cap("keep"))
    return _nothing(line, line.text)


def _leave(situation: Situation, choice: Choice, call_keys: str) -> Intent:
    seat = situation.seat
    assert seat is not None
    if choice.out:
        return Intent(enter.go_out(), GoOut(seat))
    line = enter.say_out(_cap("announce"), call_keys if situation.choices.may_doubt else "")
    return _nothing(line, line.text)


def _nothing_laid(situation: Situation) -> Intent:
    state, seat = situation.state, situation.seat
    assert state is not None
    assert seat is not None
    # Nothing is claimed with it, so any rank will do.
    rank = state.due_rank or state.ruleset.claims[0]
    number = None if state.ruleset.claim_number == "unstated" else 0
    return Intent(enter.lay_nothing(situation.pile_size), Lay(seat, (), rank, number))


def _lay(situation: Situation, choice: Choice, rank: Rank, *, tell_truth: bool) -> Intent:
    state, seat = situation.state, situation.seat
    assert state is not None
    assert seat is not None
    count = len(choice.chosen)
    number = count if state.ruleset.claim_number == "honest" else None
    move = Lay(seat, tuple(sorted(choice.chosen)), rank, number, out=choice.out)
    truth = all(card.rank == rank for card in chosen_cards(choice, situation)) if tell_truth else None
    line = enter.lay(count, rank, number, truth, out=choice.out)
    try:
        apply(state, move)
    except IllegalMove as illegal:
        sentence = refusals.move_refused(illegal.reason, illegal.data)
        return _nothing(EnterLine(line.text, sentence, live=False), sentence)
    return Intent(line, move)


def _no_cards(situation: Situation) -> str:
    if situation.stage in LAYING and situation.choices.most == 0:
        return refusals.move_refused(Refusal.MUST_CALL, {})
    return refusals.no_cards_chosen()


def _cap(name: str) -> str:
    return keys.cap_of(keys.action_named(name, Place.TABLE), current_language())


def _fours(situation: Situation, choice: Choice) -> Intent:
    seat = situation.seat
    assert seat is not None
    if choice.fours:
        slots = tuple(sorted(slot for rank in choice.fours for slot in situation.complete_sets[rank]))
        faces = tuple(situation.faces[slot] for slot in slots)
        return Intent(enter.remove_fours(sorted(choice.fours), len(slots)), DiscardSets(seat, slots, faces))
    if choice.keep:
        return Intent(enter.keep_fours(), DiscardSets(seat, (), ()))
    line = enter.fours_to_mark([rank_label(rank) for rank in sorted(situation.complete_sets)], _cap("keep"))
    return _nothing(line, line.text)


def _nothing(line: EnterLine, refusal: str) -> Intent:
    return Intent(line, refusal=refusal)
