"""After a deal: go on, look back, change the company, leave."""

from collections.abc import Callable

from p2p.protocol.snapshot import TableSnapshot
from ui import after_deal
from ui.plain.joining import go_along
from ui.plain.look import look, talk_options
from ui.plain.means import Means
from ui.plain.past import tell_again, tell_statistics
from ui.plain.question import Option, Question
from ui.plain.settings import change_settings
from ui.words import asks, books, company
from ui.words.actions import action_word


class AfterDeal:
    """Asks what comes next; who wants the next deal waits for the others."""

    def __init__(self, means: Means) -> None:
        self._means = means

    async def visit(self) -> None:
        """Ask once, or wait. Raises as `Dialogue.ask`."""
        dialogue = self._means.dialogue
        waits = after_deal.wants_next(self._means.table)
        answer = await (dialogue.wait if waits else dialogue.ask)(self._question)
        assert isinstance(answer, Option), "the question is not free"
        await self._do(answer.name)

    def _question(self) -> Question:
        table = self._means.table
        found = []
        away, back, line = (
            after_deal.leads_away(table),
            after_deal.way_back(table),
            after_deal.next_line(table),
        )
        if line.live:
            found.append(Option("next", line.text))
        for view in (away, back):
            if view is not None:
                found.append(Option("elsewhere", company.going_there(view.name)))
        if after_deal.may_end_wait(table):
            found.append(Option("end_wait", action_word("end_wait")))
        found += [Option("trust", asks.was_it_fair()), Option("log", action_word("log"))]
        found += [
            Option("replay", asks.tell_again()),
            Option("save", asks.save()),
            *((Option("reopen", action_word("reopen")),) if after_deal.may_reopen(table) else ()),
            *talk_options(self._means),
            Option("rules", asks.rules()),
            Option("statistics", action_word("statistics")),
            Option("settings", action_word("settings")),
            Option("leave", asks.leave_table()),
            Option("quit", asks.quit_program()),
        ]
        if after_deal.may_open_books(table):
            # The last one: once the books are open it is gone, and no other number changes its meaning.
            found.append(Option("books", action_word("books")))
        head = asks.what_next() if line.live else f"{line.text.rstrip('.')}."
        return Question((head,), tuple(found))

    async def _do(self, name: str) -> None:
        means, table = self._means, self._means.table
        dialogue = means.dialogue
        match name:
            case "next":
                await self._if_agreed(asks.play_next(after_deal.next_line(table).text), means.node.next_deal)
            case "elsewhere":
                view = after_deal.leads_away(table) or after_deal.way_back(table)
                if view is not None:
                    await go_along(means, view)
            case "end_wait":
                await self._if_agreed(asks.end_wait(), means.node.end_wait)
            case "books":
                dialogue.say(books.explained(len(table.members)))
                line = books.asks()
                await self._if_agreed(f"{line.text}: {line.aside}.", means.node.open_books)
            case "replay":
                await tell_again(means, means.evening.watch_again())
            case "statistics":
                await tell_statistics(means)
            case "settings":
                await change_settings(means)
            case "save":
                dialogue.say(await means.evening.save())
            case "reopen":
                await self._reopen(table)
            case "leave":
                await means.leave()
            case _:
                await look(means, name)

    async def _if_agreed(self, sentence: str, act: Callable[[], None]) -> None:
        """Read back what is to be done, and do it if that is agreed to."""
        if await self._means.dialogue.confirm(sentence):
            act()

    async def _reopen(self, table: TableSnapshot) -> None:
        """Open the table again, for another company."""
        dialogue = self._means.dialogue
        dialogue.say(company.reopening_explained())
        least, most, usual = table.company_sizes[0], table.company_sizes[-1], len(table.everybody)
        seats = await dialogue.number(asks.how_many(least, most, usual), least, most, usual)
        if await dialogue.confirm(f"{company.reopening(seats)}."):
            self._means.node.reopen(seats)
