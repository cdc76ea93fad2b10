"""`verish peers`: the people and tables on this network."""

import asyncio
import tempfile
from pathlib import Path

import click

from crypto import fingerprint
from p2p.net.node import Node
from p2p.protocol.snapshot import LobbySnapshot, OfferStatus
from ui.cli.exits import Exit
from ui.cli.notices import notices
from ui.cli.options import Network, Seconds, log_options, network_options
from ui.cli.output import print_json, print_table, say
from ui.i18n import gettext as _
from ui.words.people import full_name

DEFAULT_NAME = "Verish"


@click.command("peers", help=_("List the people and tables on this network."))
@click.option(
    "--wait",
    type=Seconds(0.1, 600),
    default=3.0,
    show_default=True,
    help=_("Seconds to look for them."),
)
@click.option("--json", "as_json", is_flag=True, help=_("Print one JSON object."))
@network_options
@log_options
def command(network: Network, wait: float, as_json: bool) -> int:
    """Look around for a while, then print."""
    lobby, trouble = asyncio.run(_look(network, wait))
    if as_json:
        print_json(_record(lobby))
    else:
        _print(lobby)
    alone = not any(person.reachable for person in lobby.people)
    return Exit.NETWORK if alone and trouble else Exit.DONE


async def _look(network: Network, wait: float) -> tuple[LobbySnapshot, bool]:
    """Return the lobby after a while, and whether the network gave trouble meanwhile.

    Who only looks needs no identity that lasts, unless a profile is named.
    """
    with tempfile.TemporaryDirectory(prefix="verish-peers-") as folder:
        home = {} if network.profile is not None else {"home": Path(folder)}
        async with Node(network.config(DEFAULT_NAME, **home)) as node:
            with notices(node) as heard:
                # The time is the person's wish, not a guess: whoever answers within it is listed.
                await asyncio.sleep(wait)
                return node.lobby, heard.network_trouble


def _record(lobby: LobbySnapshot) -> dict[str, object]:
    return {
        "people": [
            {
                "name": person.name,
                "fingerprint": person.fingerprint,
                "table": person.table_title,
                "warning": None if person.warning is None else person.warning.value,
            }
            for person in lobby.people
            if person.reachable
        ],
        "tables": [
            {
                "id": offer.offer_id.hex(),
                "title": offer.title,
                "form": offer.ruleset.form,
                "seats": offer.seats,
                "taken": offer.taken,
                "status": offer.status.value,
                "needs_code": offer.needs_code,
                "people": list(offer.people),
            }
            for offer in lobby.offers
        ],
    }


def _print(lobby: LobbySnapshot) -> None:
    people = [person for person in lobby.people if person.reachable]
    if not people:
        say(_("Nobody else is here. Is Verish running on another computer of this network?"))
        return
    print_table(
        (_("name"), _("fingerprint"), _("table")),
        [(person.name, person.fingerprint, person.table_title or "") for person in people],
        numbers_from=3,
    )
    if lobby.offers:
        say("")
        words = {
            OfferStatus.OPEN: _("open"),
            OfferStatus.FULL: _("full"),
            OfferStatus.PLAYING: _("playing"),
        }
        print_table(
            (_("table"), _("form"), _("seats"), "", _("opened by")),
            [
                (
                    f"{offer.title} {offer.short_id}" if offer.same_title else offer.title,
                    offer.ruleset.form,
                    f"{offer.taken}/{offer.seats}",
                    _("with a code")
                    if offer.needs_code and offer.status is OfferStatus.OPEN
                    else words[offer.status],
                    full_name(offer.opener_name, fingerprint(offer.opener)),
                )
                for offer in lobby.offers
            ],
            numbers_from=5,
        )
