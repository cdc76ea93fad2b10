"""A deal that is told again: one event after the other, or one call after the other, and the hands of all, by
card where all have opened their books.
"""

from collections.abc import Iterator, Sequence
from functools import partial

from engine import Slot
from p2p.protocol.replay import Replay
from ui.plain.dialogue import BackError, Dialogue
from ui.plain.events import Teller
from ui.plain.look import hand_by_rank
from ui.plain.question import Option, Question
from ui.table.situation import Situation
from ui.words import asks
from ui.words import replay as words
from ui.words.people import Who
from ui.words.table import deal_number, form_name


async def retell(dialogue: Dialogue, replay: Replay) -> None:
    """Tell a deal until the person has heard enough. Raises as `Dialogue.ask`, but no `BackError`."""
    telling = _Retelling(replay)
    lines: tuple[str, ...] = (*telling.introduction(), *telling.moment())
    while True:
        try:
            answer = await dialogue.ask(partial(Question, lines, _options(), free=True, listed=False))
            if answer == "back":
                return
            name = answer.name if isinstance(answer, Option) else "list" if answer.strip() else "next"
            step = await dialogue.number(telling.which_step(), 0, replay.last_step) if name == "go_to" else 0
        except BackError:
            return
        if name == "back":
            return
        lines = telling.do(name, step)


class _Retelling:
    """What there is to tell. `at`: the place of the moment that was told last."""

    def __init__(self, replay: Replay) -> None:
        self._replay = replay
        self._moments = tuple(_moments(replay))
        self.at = 0

    def introduction(self) -> tuple[str, ...]:
        """Which deal it is, and how one goes through it."""
        replay = self._replay
        form, deal = form_name(replay.report.form or ""), deal_number(replay.report.deal)
        head = f"{words.title(replay.title)}, {form}, {deal}; {words.corner(all_open=replay.open)}."
        return (head, *self._list())

    def moment(self) -> tuple[str, ...]:
        """What happens in the moment."""
        return self._moments[self.at]

    def do(self, name: str, step: int) -> tuple[str, ...]:
        """Go where an answer leads, and return what there is to say. step: that of `go_to`."""
        calls = self._replay.calls
        match name:
            case "next":
                return self._go(self.at + 1, words.was_last())
            case "previous":
                return self._go(self.at - 1, words.is_first())
            case "next_call":
                return self._go(min((one for one in calls if one > self.at), default=None), words.no_call())
            case "previous_call":
                return self._go(max((one for one in calls if one < self.at), default=None), words.no_call())
            case "go_to":
                return self._go(self._replay.place_of(step), words.no_such_step(self._replay.last_step))
            case _:
                return {"rest": self._rest, "hands": self._hands}.get(name, self._list)()

    def which_step(self) -> str:
        """Asks for the number of a step."""
        return words.which_step(self._replay.last_step)

    def _go(self, at: int | None, otherwise: str) -> tuple[str, ...]:
        if at is None or not 0 <= at < len(self._moments):
            return (otherwise,)
        self.at = at
        return self.moment()

    def _rest(self) -> tuple[str, ...]:
        left = self._moments[self.at + 1 :]
        self.at = len(self._moments) - 1
        return tuple(one for moment in left for one in moment) or (words.was_last(),)

    def _list(self) -> tuple[str, ...]:
        replay = self._replay
        step, seen = replay.moments[self.at].step, sum(call <= self.at for call in replay.calls)
        where = words.place(step, replay.last_step, seen, len(replay.calls))
        return (where, *Question((words.how(),), _options()).text())

    def _hands(self) -> tuple[str, ...]:
        """The hands before the moment, clockwise, and the burned card where it can be shown."""
        replay, state = self._replay, self._replay.moments[self.at].before
        who = Situation(replay.table(self.at)).who
        lines = [self._held(who(seat), state.hand_of(seat)) for seat in state.order]
        burned = [replay.faces[slot] for slot in state.burned if slot in replay.faces]
        if burned:
            lines.append(f"{words.burned().capitalize()}: {hand_by_rank(sorted(burned))}.")
        return (f"{words.hands_title(all_open=replay.open)}:", *lines)

    def _held(self, who: Who, slots: Sequence[Slot]) -> str:
        known = sorted(self._replay.faces[slot] for slot in slots if slot in self._replay.faces)
        return words.hand(who, len(slots), hand_by_rank(known), known=len(known))


def _moments(replay: Replay) -> Iterator[tuple[str, ...]]:
    """The lines of each moment; where they can be shown, with the cards that were laid."""
    who = Situation(replay.table(0)).who
    teller, last = Teller(who, to_the_end=True), len(replay.moments) - 1
    for at, moment in enumerate(replay.moments):
        lines = [line for one in moment.happened for line in teller.tell(one)]
        lines += teller.flush()
        opened = replay.opened(at)
        if opened is not None:
            # Right behind the words that were said with them.
            lines.insert(1, words.laid(opened.cards, truthful=opened.truthful))
        if at == last and not replay.finished:
            lines.append(words.broke_off())
        yield tuple(lines)


def _options() -> tuple[Option, ...]:
    names = asks.retelling()
    return tuple(Option(name, text) for name, text in names.items())
