"""Playing with bots: how many, how strong, how fast, by numbered choices."""

from dataclasses import dataclass

from ui.manner import PACES, STRENGTHS, USUAL_MANNER, Manner
from ui.plain.means import Means
from ui.plain.question import Option, Question
from ui.rulesets import MOST_BOTS, USUAL_BOTS
from ui.table.coach import Coach
from ui.words import asks, bots


@dataclass(slots=True)
class _Chosen:
    """What is chosen so far."""

    count: int = USUAL_BOTS
    strength: str = USUAL_MANNER.strength
    pace: str = USUAL_MANNER.pace

    def question(self) -> Question:
        """All of it, and what can be changed."""
        names = bots.fields()
        values = (str(self.count), bots.strength(self.strength), bots.pace(self.pace))
        changes = (f"{name}: {value}" for name, value in zip(names, values, strict=True))
        options = (
            Option(name, text) for name, text in zip(("count", "strength", "pace"), changes, strict=True)
        )
        first, last = Option("play", bots.play(self.count)), Option("back", asks.back())
        return Question((asks.bots_chosen(),), (first, *options, last), long=True)


async def play_with_bots(means: Means) -> None:
    """Ask how they play, and open a table with them. Raises as `Dialogue.ask`."""
    dialogue, chosen = means.dialogue, _Chosen()
    while True:
        match await dialogue.pick(chosen.question):
            case "play":
                break
            case "count":
                dialogue.say(bots.explained(0, str(chosen.count)))
                line = asks.how_many_bots(MOST_BOTS, USUAL_BOTS)
                chosen.count = await dialogue.number(line, 1, MOST_BOTS, USUAL_BOTS)
            case "strength":
                chosen.strength = await _one_of(means, 1, tuple(STRENGTHS))
            case "pace":
                chosen.pace = await _one_of(means, 2, tuple(PACES))
            case _:
                return
    call_bots(means, chosen.count, Manner(chosen.strength, chosen.pace))


def call_bots(means: Means, count: int, manner: Manner = USUAL_MANNER, *, coached: bool = False) -> None:
    """Open a table with bots. coached: its first deal explains itself."""
    rules = means.settings.table_rules
    refused = means.evening.play_with_bots(count, table_rules=rules, manner=manner)
    if not refused:
        means.news.coach = Coach(by_keys=False) if coached else None
    means.dialogue.say(refused)


async def _one_of(means: Means, field: int, values: tuple[str, ...]) -> str:
    """Choose one of the values of a field, each with what it means."""
    word = (bots.strength, bots.pace)[field - 1]
    options = tuple(Option(one, f"{word(one)}. {bots.explained(field, one)}") for one in values)
    return await means.dialogue.pick(lambda: Question((), options, long=True))
