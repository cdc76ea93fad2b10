"""Past deals: how they went, and those that can be told again."""

from collections.abc import Callable, Coroutine, Sequence
from typing import Any, Final

from p2p.errors import P2PError
from p2p.net.history import PastDeal
from p2p.protocol.replay import Replay
from ui.plain.means import Means
from ui.plain.question import Option, Question
from ui.plain.retelling import retell
from ui.plain.statistics import statistics_lines
from ui.statistics import latest
from ui.words import asks, past, replay, trouble
from ui.words.table import deal_number

LISTED: Final = 9
"""So many deals are read out at once."""


async def tell_statistics(means: Means) -> None:
    """Say how the own deals went so far."""
    deals = await _deals(means)
    if deals is not None:
        means.dialogue.say(*statistics_lines(deals))


async def watch_past(means: Means) -> None:
    """Choose one after the other of the deals that are remembered, the latest first, and tell it. Raises as
    `Dialogue.ask`.
    """
    found = await _deals(means)
    if found is None:
        return
    deals = latest(found)
    if not deals:
        means.dialogue.say(past.nothing_yet(), past.how_to_get_one())
        return
    first = 0
    while True:
        question = _list(deals, first)
        match await means.dialogue.pick(question):
            case "back":
                return
            case "earlier":
                first += LISTED
            case number:
                deal = deals[int(number)]
                means.dialogue.say(past.players(deal), "" if deal.own else past.only_watched())
                await tell_again(means, means.evening.watch_past(deal.table_id, deal.number))


async def tell_again(means: Means, work: Coroutine[Any, Any, Replay | str]) -> None:
    """Tell what `work` makes of a deal, or why nothing can be told. Raises as `Dialogue.ask`."""
    means.dialogue.say(replay.reading())
    found = await means.dialogue.meanwhile(work)
    if isinstance(found, str):
        means.dialogue.say(found)
    else:
        await retell(means.dialogue, found)


async def _deals(means: Means) -> Sequence[PastDeal] | None:
    """Return all that are remembered; None if the store cannot be read, which is said."""
    try:
        return (await means.node.history()).deals
    except P2PError as error:
        means.dialogue.say(trouble.explained(error) or str(error))
        return None


def _list(deals: Sequence[PastDeal], first: int) -> Callable[[], Question]:
    """Some of the deals to choose from."""
    last = min(first + LISTED, len(deals))
    options = [Option(str(number), _named(deals[number])) for number in range(first, last)]
    if last < len(deals):
        options.append(Option("earlier", asks.earlier_deals()))
    question = Question((asks.which_deal(),), (*options, Option("back", asks.back())), long=True)
    return lambda: question


def _named(deal: PastDeal) -> str:
    form = past.form_played(deal.form, deal.changes, len(deal.players))
    end = past.lost_by(deal) if deal.finished else past.broken_off()
    return ", ".join((past.when(deal.ended), deal.title or "?", deal_number(deal.number), form, end))
