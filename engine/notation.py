"""Moves and states from text, and back: logs, tests and bug reports read alike.

Both directions are exact inverses: a text is accepted only if writing what was read gives the same text.
Items of a list are joined by commas; `-` is nothing. A move is one line:

    2 lay 4,17 Q 2            seat, slots, rank, number (`-` where numbers are not stated)
    2 lay 4,17 Q 2 out        announced with it that these are the last cards
    0 ne_veryu                also `veryu`
    0 ne_veryu 1              where the caller picks the card to check, its place
    0 answer 0 ne_veryu       in an open window; `-` in place of the call for nothing
    0 go_out
    2 draw
    0 draw_index 3            what chance has drawn for the caller
    2 reveal 4,17 QS,7C       slots and faces of the packet
    2 pick_up
    2 discard_sets - -        slots and faces; none: declined

A state is one line for each field, `name value`, in a fixed order; `hand` has a line for each seat,
`packet` one for each packet. A state has lines for the options that its rules use, and for no others.
"""

from collections.abc import Callable
from dataclasses import replace
from typing import TypeVar

from engine.cards import Card, Rank
from engine.errors import NotationError, RulesetError
from engine.moves import (
    Answer,
    Call,
    DiscardSets,
    Draw,
    DrawIndex,
    GoOut,
    Lay,
    Move,
    PickUp,
    Reveal,
    Seat,
    Slot,
)
from engine.rules import Ruleset, Value
from engine.state import Lead, Opened, Packet, Phase, Removed, State
from engine.writing import move_to_text, state_to_text, tells_emptied

__all__ = ["move_from_text", "move_to_text", "state_from_text", "state_to_text"]

_T = TypeVar("_T")


def move_from_text(text: str) -> Move:
    """The move that is written so. Raises: NotationError for every other text."""
    move = _move(text.split(" "))
    if move_to_text(move) != text:
        raise NotationError(f"not the canonical form of a move: {text!r}")
    return move


def state_from_text(text: str) -> State:
    """The state that is written so. Raises: NotationError for every other text."""
    state = _State(text).read()
    if state_to_text(state) != text:
        raise NotationError("not the canonical form of a state")
    return state


def _move(words: list[str]) -> Move:  # noqa: PLR0911 - one for each kind
    match words:
        case [seat, "lay", slots, rank, number]:
            return Lay(_seat(seat), _slots(slots), Rank.parse(rank), _maybe(_int, number))
        case [seat, "lay", slots, rank, number, "out"]:
            return Lay(_seat(seat), _slots(slots), Rank.parse(rank), _maybe(_int, number), True)
        case [seat, ("ne_veryu" | "veryu") as word]:
            return Call(_seat(seat), word == "veryu")
        case [seat, ("ne_veryu" | "veryu") as word, index]:
            return Call(_seat(seat), word == "veryu", _int(index))
        case [seat, "answer", "-"]:
            return Answer(_seat(seat), None)
        case [seat, "answer", *call]:
            return Answer(_seat(seat), _call(" ".join(call)))
        case [seat, "go_out"]:
            return GoOut(_seat(seat))
        case [seat, "draw"]:
            return Draw(_seat(seat))
        case [seat, "draw_index", index]:
            return DrawIndex(_seat(seat), _int(index))
        case [seat, "reveal", slots, faces]:
            return Reveal(_seat(seat), _slots(slots), _many(Card.parse, faces))
        case [seat, "pick_up"]:
            return PickUp(_seat(seat))
        case [seat, "discard_sets", slots, faces]:
            return DiscardSets(_seat(seat), _slots(slots), _many(Card.parse, faces))
    raise NotationError(f"not a move: {' '.join(words)!r}")


class _State:
    """Reads the lines of a state from the top."""

    def __init__(self, text: str) -> None:
        self._lines = text.split("\n")[::-1]

    def read(self) -> State:
        ruleset = _ruleset(self._next("rules"))
        order = _many(_seat, self._next("order"))
        dealer = _seat(self._next("dealer"))
        phase = _enum(Phase, self._next("phase"))
        hands = []
        for seat in order:
            owner, slots = _words(self._next("hand"), 2)
            if _seat(owner) != seat:
                raise NotationError("hands are listed in the order of the seats")
            hands.append(_slots(slots))
        table = []
        while self._lines and self._lines[-1].startswith("packet "):
            table.append(_packet(_words(self._next("packet"), 4)))
        state = State(
            ruleset=ruleset,
            order=order,
            dealer=dealer,
            phase=phase,
            hands=tuple(hands),
            table=tuple(table),
            burned=_slots(self._next("burned")),
            removed=_many(_removed, self._next("removed")),
            rank=_maybe(Rank.parse, self._next("rank")),
            live=_yes(self._next("live")),
            turn=_maybe(_seat, self._next("turn")),
            out=_many(_seat, self._next("out")),
            called=_maybe(_call, self._next("called")),
            revealed=_maybe(_revealed, self._next("revealed")),
            taker=_maybe(_seat, self._next("taker")),
            lead=_enum(Lead, self._next("lead")),
            first_lead=_yes(self._next("first_lead")),
            last_lead=_maybe(_claim, self._next("last_lead")),
            next_slot=_int(self._next("next_slot")),
        )
        return self._options(state)

    def _options(self, state: State) -> State:
        """The lines that only some rulesets have."""
        rules = state.ruleset
        empty = tuple(seat for seat in state.seats_in if not state.hand_of(seat))
        answers = []
        stock = _slots(self._next("stock")) if rules.draws else ()
        refill_due = _many(_seat, self._next("refill_due")) if rules.draws else ()
        emptied = _many(_seat, self._next("emptied")) if tells_emptied(rules) else empty
        announced = _many(_seat, self._next("announced")) if rules.manual_out else ()
        rising = _maybe(Rank.parse, self._next("rising")) if rules.rank_rule == "ascending" else None
        while self._lines and self._lines[-1].startswith("answer "):
            answers.append(_answer(self._next("answer")))
        return replace(
            state,
            stock=stock,
            refill_due=refill_due,
            emptied=emptied,
            announced=announced,
            rising=rising,
            answers=tuple(answers),
            index=_maybe(_int, self._next("index")) if rules.check != "all" else None,
            asked_next=_many(_seat, self._next("asked_next")) if rules.sets_at_deal == "yes" else (),
        )

    def _next(self, name: str) -> str:
        line = self._lines.pop() if self._lines else ""
        head, _, value = line.partition(" ")
        if head != name:
            raise NotationError(f"expected {name!r}, found {line!r}")
        return value


def _int(text: str) -> int:
    if not (text.isascii() and text.isdecimal() and len(text) <= 9):
        raise NotationError(f"not a number: {text!r}")
    return int(text)


def _seat(text: str) -> Seat:
    return Seat(_int(text))


def _slots(text: str) -> tuple[Slot, ...]:
    return _many(lambda item: Slot(_int(item)), text)


def _many(read: Callable[[str], _T], text: str) -> tuple[_T, ...]:
    return () if text == "-" else tuple(read(item) for item in text.split(","))


def _maybe(read: Callable[[str], _T], text: str) -> _T | None:
    return None if text == "-" else read(text)


def _words(text: str, count: int) -> list[str]:
    words = text.split(" ")
    if len(words) != count:
        raise NotationError(f"expected {count} words: {text!r}")
    return words


def _yes(text: str) -> bool:
    if text not in ("yes", "no"):
        raise NotationError(f"neither yes nor no: {text!r}")
    return text == "yes"


def _enum(kind: Callable[[str], _T], text: str) -> _T:
    try:
        return kind(text)
    except ValueError as error:
        raise NotationError(str(error)) from None


def _packet(words: list[str]) -> Packet:
    owner, slots, rank, number = words
    return Packet(_seat(owner), _slots(slots), Rank.parse(rank), _maybe(_int, number))


def _removed(text: str) -> Removed:
    slot, _, face = text.partition(":")
    return Removed(Slot(_int(slot)), _maybe(Card.parse, face))


def _call(text: str) -> Call:
    call = _move(text.split(" "))
    if not isinstance(call, Call):
        raise NotationError(f"not a call: {text!r}")
    return call


def _answer(text: str) -> Answer:
    answer = _move(text.split(" "))
    if not isinstance(answer, Answer):
        raise NotationError(f"not an answer: {text!r}")
    return answer


def _revealed(text: str) -> Opened:
    words = text.split(" ")
    if len(words) < 8:
        raise NotationError(f"expected more words: {text!r}")
    if words[-1] not in ("true", "false"):
        raise NotationError(f"neither true nor false: {words[-1]!r}")
    called, index = words[5:-1], None
    if called[-2] == "at":
        called, index = called[:-2], _int(called[-1])
    faces = _many(Card.parse, words[4])
    return Opened(_packet(words[:4]), faces, _call(" ".join(called)), words[-1] == "true", index)


def _claim(text: str) -> tuple[Rank, int | None]:
    rank, number = _words(text, 2)
    return Rank.parse(rank), _maybe(_int, number)


def _ruleset(text: str) -> Ruleset:
    form, *options = text.split(" ")
    changes: dict[str, Value] = {}
    for option in options:
        name, _, value = option.partition("=")
        changes[name] = _int(value) if value.isdecimal() else value
    try:
        ruleset = Ruleset.with_preset(form, changes)
    except RulesetError as error:
        raise NotationError(str(error)) from None
    if not ruleset.resolved:
        raise NotationError("the rules of a state name their packs")
    return ruleset
