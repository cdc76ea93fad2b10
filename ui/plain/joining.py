"""Taking a seat at somebody's table: which one, its rules, its code."""

from p2p.protocol.snapshot import OfferStatus, OfferView, ReopenedView
from p2p.protocol.table_code import CodeError, TableCode, own_code
from ui.arrival import not_watched
from ui.plain.look import single_rules
from ui.plain.means import Means
from ui.plain.question import Option, Question
from ui.words import asks, company, plain_news
from ui.words.people import listed
from ui.words.rules import difference_lines, form_with_differences
from ui.words.trouble import code_problem


def joinable(means: Means) -> tuple[OfferView, ...]:
    """The tables that have a seat."""
    return tuple(one for one in means.node.lobby.offers if one.status is OfferStatus.OPEN and not one.own)


async def join(means: Means) -> None:
    """Choose a table, hear what it plays, and ask for a seat. Raises as `Dialogue.ask`."""
    dialogue = means.dialogue

    def question() -> Question:
        options = (Option(_name(one), _option(one)) for one in joinable(means))
        return Question((asks.which_table(),), (*options, Option("back", asks.back())), long=True)

    name = await dialogue.pick(question)
    offer = next((one for one in joinable(means) if _name(one) == name), None)
    if offer is None:
        return
    dialogue.say(
        *((company.goes_on_briefly(),) if offer.goes_on else ()),
        *single_rules(difference_lines(offer.ruleset, offer.seats, offer.table_rules)),
    )
    code = await ask_for_code(means, offer.opener_name) if offer.needs_code else None
    if await dialogue.confirm(asks.join(offer.title)):
        dialogue.say(asks.asking(offer.title))
        means.node.join(offer.opener, offer.offer_id, code)


def watchable(means: Means) -> tuple[OfferView, ...]:
    """The tables that are played and let others watch."""
    return tuple(one for one in means.node.lobby.offers if not (one.own or not_watched(one)))


async def watch(means: Means) -> None:
    """Choose a table that is played, and ask to watch it. Raises as `Dialogue.ask`."""

    def question() -> Question:
        options = (Option(_name(one), _option(one)) for one in watchable(means))
        return Question((asks.which_table(),), (*options, Option("back", asks.back())), long=True)

    name = await means.dialogue.pick(question)
    offer = next((one for one in watchable(means) if _name(one) == name), None)
    if offer is not None:
        await watch_there(means, offer)


async def watch_there(means: Means, offer: OfferView) -> None:
    """Ask to watch a table. Raises as `Dialogue.ask`."""
    code = await ask_for_code(means, offer.opener_name) if offer.needs_code else None
    means.dialogue.say(asks.asking_to_watch(offer.title))
    means.node.watch(offer.opener, offer.offer_id, code)


async def go_along(means: Means, view: ReopenedView) -> None:
    """Take a seat where the own table was opened again. Raises as `Dialogue.ask`."""
    code = await ask_for_code(means, view.name) if view.asks_code else None
    if await means.dialogue.confirm(asks.go_to(view.name)):
        means.node.join(view.opener, view.offer_id, code)


async def ask_for_code(means: Means, opener: str) -> TableCode:
    """Ask for the code of a table until it can be one. Raises as `Dialogue.ask`."""
    while True:
        typed = await means.dialogue.type_in(asks.code_of(opener))
        try:
            return own_code(typed)
        except CodeError as error:
            means.dialogue.say(code_problem(error))


def _name(offer: OfferView) -> str:
    """What stands for a table in the answers."""
    return b"".join(offer.place).hex()


def _option(offer: OfferView) -> str:
    title = f"{offer.title} {offer.short_id}" if offer.same_title else offer.title
    parts = [
        title,
        form_with_differences(offer.ruleset, offer.seats, offer.table_rules),
        plain_news.seats_taken(offer.taken, offer.seats),
        listed(offer.people),
    ]
    return ", ".join((*parts, *((asks.needs_code(),) if offer.needs_code else ())))
