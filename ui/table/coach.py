"""The coach of a first deal: which situations have been met and explained, each once.

The coach reads the same situations as the banner. What it says stands in the log, behind the events that had
happened when it was due.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from engine import PickedUp, Revealed
from p2p.protocol.snapshot import TableSnapshot
from ui import keys
from ui.i18n import current_language
from ui.keys import Place
from ui.table.situation import Situation, Stage
from ui.words import coach
from ui.words.coach import Lesson

FIRST_DEAL = 1
"""Only this deal of a table is explained."""

_OF_STAGES = {
    Stage.WAITING: Lesson.WAITING,
    Stage.LEADING: Lesson.LEADING,
    Stage.FOURS: Lesson.FOURS,
    Stage.OUT: Lesson.OUT,
}


@dataclass(frozen=True, slots=True)
class Explained:
    """One sentence of the coach. after: how many events had happened when it was due."""

    lesson: Lesson
    text: str
    after: int


class Coach:
    """Explains the first deal of one table. by_keys: cards are picked by keys, and calls made by them."""

    def __init__(self, *, by_keys: bool = True) -> None:
        self._by_keys = by_keys
        self._explained: dict[Lesson, Explained] = {}
        self._seen = 0

    def follow(self, situation: Situation) -> None:
        """Take in a new situation, and explain what in it is new."""
        table = situation.table
        if table.deal != FIRST_DEAL or situation.stage in (Stage.PREPARING, Stage.ENDED):
            return
        for lesson in self._met(situation):
            if lesson not in self._explained:
                text = self._worded(lesson, situation)
                self._explained[lesson] = Explained(lesson, text, len(table.happened))
        self._seen = len(table.happened)

    def lines(self, table: TableSnapshot) -> tuple[Explained, ...]:
        """What has been explained of the deal on the table, the oldest first."""
        return tuple(self._explained.values()) if table.deal == FIRST_DEAL else ()

    def _met(self, situation: Situation) -> Iterator[Lesson]:
        """The situations that the own player is in, or has seen since the last call."""
        yield Lesson.GOAL
        for one in situation.table.happened[self._seen :]:
            match one.event:
                case Revealed(truthful=truthful):
                    yield Lesson.TRUTH if truthful else Lesson.BLUFF
                case PickedUp(seat) if seat == situation.seat:
                    yield Lesson.TAKEN
        if situation.state is not None and situation.state.pending is not None:
            yield Lesson.LAST_CARDS
        if situation.stage is Stage.FOLLOWING:
            yield Lesson.FOLLOWING if situation.choices.may_doubt else Lesson.NOTHING_TO_CALL
        elif situation.stage in _OF_STAGES:
            yield _OF_STAGES[situation.stage]

    def _worded(self, lesson: Lesson, situation: Situation) -> str:
        state = situation.state
        if lesson is Lesson.LAST_CARDS and state is not None and state.pending is not None:
            return coach.last_cards(situation.who(state.pending))
        if lesson is Lesson.FOLLOWING and state is not None and state.due_rank is not None:
            cap = keys.cap_of(keys.action_named("call", Place.TABLE), current_language())
            return coach.following(state.due_rank, cap if self._by_keys else None)
        return coach.plain(lesson, by_keys=self._by_keys)
