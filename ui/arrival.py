"""Waiting for a table of a name, to take a seat there as soon as it is open."""

from p2p.protocol.snapshot import OfferStatus
from p2p.protocol.table_code import TableCode
from ui.play_node import PlayNode


async def join_when_open(node: PlayNode, title: str, code: TableCode | None = None) -> None:
    """Ask for a seat, once, at the first table of that title that has one. code: what it may ask for.

    Whoever sits down elsewhere meanwhile has changed his mind.
    """
    events = node.events()
    if not _ask(node, title, code):
        async for _event in events:
            if node.table is not None or _ask(node, title, code):
                return


def _ask(node: PlayNode, title: str, code: TableCode | None) -> bool:
    for offer in node.lobby.offers:
        if offer.title == title and offer.status is OfferStatus.OPEN and not offer.own:
            node.join(offer.opener, offer.offer_id, code if offer.needs_code else None)
            return True
    return False
