"""Getting ready: the rules in sentences, who sits there, and the own agreement."""

from p2p.protocol.snapshot import TableSnapshot
from ui.gathering import keeps_waiting
from ui.plain.joining import go_along
from ui.plain.look import mute, rules_lines, say_something, talk_options
from ui.plain.means import Means
from ui.plain.question import Option, Question
from ui.words import asks, company
from ui.words.explained import how_it_goes
from ui.words.people import Who, full_name, name_warning
from ui.words.situation import gathering_banner


class GettingReady:
    """Asks whether one agrees; afterwards waits."""

    def __init__(self, means: Means) -> None:
        self._means = means
        self._told: bytes | None = None
        """The table whose rules were read out."""

    async def visit(self) -> None:
        """Ask once, or wait. Raises as `Dialogue.ask`."""
        means, table = self._means, self._means.table
        dialogue = means.dialogue
        if self._told != table.offer_id:
            self._told = table.offer_id
            dialogue.say(*_introduction(table))
        own = table.own_member
        ready = own is not None and own.ready
        answer = await (dialogue.wait if ready else dialogue.ask)(self._question)
        assert isinstance(answer, Option), "the question is not free"
        await self._do(answer.name)

    def _question(self) -> Question:
        table = self._means.table
        own = table.own_member
        ready = own is not None and own.ready
        found = [Option("unready", asks.take_back()) if ready else Option("ready", asks.agree())]
        waiting = keeps_waiting(table)
        if waiting is not None:
            found.append(Option("without", asks.start_without(waiting.name)))
        if table.reopened is not None:
            found.append(Option("elsewhere", company.going_there(table.reopened.name)))
        found += [
            *talk_options(self._means),
            Option("rules", asks.rules()),
            Option("players", asks.who_sits()),
            Option("leave", asks.leave_table()),
            Option("quit", asks.quit_program()),
        ]
        head = gathering_banner(table).text if ready else asks.do_you_agree()
        return Question((head,), tuple(found))

    async def _do(self, name: str) -> None:
        means, table = self._means, self._means.table
        dialogue = means.dialogue
        match name:
            case "ready":
                if await dialogue.confirm(asks.agree_to(table.title)):
                    means.node.set_ready(True)
            case "unready":
                if await dialogue.confirm(asks.take_back_ready()):
                    means.node.set_ready(False)
            case "without":
                waiting = keeps_waiting(table)
                if waiting is not None and await dialogue.confirm(f"{asks.start_without(waiting.name)}."):
                    means.node.start_without()
            case "elsewhere" if table.reopened is not None:
                await go_along(means, table.reopened)
            case "talk":
                await say_something(means)
            case "mute" | "unmute":
                mute(means)
            case "rules":
                dialogue.say(*rules_lines(table), *how_it_goes(table.ruleset))
            case "players":
                dialogue.say(*_seats(table))
            case "leave":
                await means.leave()


def _introduction(table: TableSnapshot) -> tuple[str, ...]:
    """The table, its rules and who sits there."""
    code = () if table.code is None else (asks.code(table.code.text),)
    goes_on = (company.goes_on(table.ruleset),) if table.goes_on else ()
    return (asks.at_table(table.title), *code, *goes_on, *rules_lines(table), *_seats(table))


def _seats(table: TableSnapshot) -> tuple[str, ...]:
    """One line a person, then how many seats are free."""
    found = []
    for number, member in enumerate(table.members):
        words = [full_name(Who(member.name, member.own).label, member.fingerprint)]
        if member.warning is not None and not member.own:
            words.append(name_warning(member.warning, member.name).removeprefix("! "))
        if member.ready or not member.own:
            words.append(asks.is_ready() if member.ready else asks.reads())
        counted = company.carried(table, number)
        found.append(", ".join((*words, *([counted] if counted else []))) + ".")
    free = table.seats - len(table.members)
    return (*found, *((asks.free_seats(free),) if free else ()))
