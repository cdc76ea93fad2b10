"""Waiting for a table of a name: to take a seat there once it is open, or to watch it once it is played."""

from p2p.protocol.snapshot import OfferStatus, OfferView, RefusedJoin
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


def not_watched(offer: OfferView) -> RefusedJoin | None:
    """Return why a table cannot be watched; None if it can be."""
    if offer.status is not OfferStatus.PLAYING:
        return RefusedJoin.NOT_PLAYED
    return RefusedJoin.NOT_WATCHED if offer.table_rules.watchers == "no" else None


def played_table(node: PlayNode, title: str | None) -> OfferView | None:
    """Return a table of that title that is played; None if there is none, or one sits at a table already."""
    if title is None or node.table is not None:
        return None
    played = (one for one in node.lobby.offers if one.status is OfferStatus.PLAYING and one.title == title)
    return next(played, None)


def _ask(node: PlayNode, title: str, code: TableCode | None) -> bool:
    for offer in node.lobby.offers:
        if offer.title == title and offer.status is OfferStatus.OPEN and not offer.own:
            node.join(offer.opener, offer.offer_id, code if offer.needs_code else None)
            return True
    return False
