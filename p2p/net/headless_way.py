"""The way of a headless peer: to a table, and from deal to deal, at the same table or where it goes on.

Each function looks around once, does what is to be done, and says whether the peer has arrived; the caller
asks again whenever something has changed.
"""

import math
import time
from typing import Final

from crypto import fingerprint
from engine import Seat
from p2p.net.headless_config import BotConfig, ProtocolTroubleError
from p2p.net.node import Node
from p2p.protocol.snapshot import (
    OfferStatus,
    OfferView,
    Phase,
    RefusedJoin,
    ReopenedView,
    TableSnapshot,
)

GOES_ALONG_S: Final = 5.0
"""How long a watcher waits at a table that all have left: where it goes on, he is let in within seconds."""
JOIN_AGAIN_S: Final = 1.0
"""Between two requests for one thing: a refusal may be over when somebody else leaves."""


class Way:
    """Goes where the configuration says, and along with its company."""

    def __init__(self, node: Node, config: BotConfig) -> None:
        self._node = node
        self._config = config
        self.shut_out: str | None = None
        """Why the only tables of this name would not do: "code", "wrong_code" or "not_watched"."""
        self._refused: dict[tuple[bytes, bytes], float] = {}
        """When tables were asked last, by opener and offer id."""
        self._asked = b""
        """Who was asked last."""
        self._ready_at = self._wanted_at = -JOIN_AGAIN_S
        self._deserted_at = math.inf

    def refused(self, offer_id: bytes, reason: RefusedJoin) -> None:
        """A table gave no seat, or is not watched: it is asked again later, but not with a code that was the
        wrong one.

        Who has opened a table to hear the code gets one guess at it.
        """
        wrong = reason is RefusedJoin.WRONG_CODE
        self._refused[self._asked, offer_id] = math.inf if wrong else time.monotonic()
        if wrong:
            self.shut_out = reason.value

    def to_a_table(self) -> bool | None:
        """Do what is to be done before a table is formed, or watched; True once it is.

        Raises: ProtocolTroubleError if the own table was closed.
        """
        table = self._node.table
        if table is None:
            if self._config.ruleset is not None:
                raise ProtocolTroubleError("closed")
            self._ask_for_seat()
            return None
        if table.phase is not Phase.GATHERING:
            return True
        self._be_ready(table)
        return None

    def back_to_table(self) -> bool | None:
        """True once the table that was taken up can go on, or has nothing left to be done at it.

        Raises: ProtocolTroubleError if it was closed.
        """
        table = self._node.table
        if table is None:
            raise ProtocolTroubleError("closed")
        done = (
            table.result is not None
            and table.deal >= self._config.deals
            and len(table.result.signed) == len(table.members)
        )
        return True if done or not table.taking_up else None

    def to_another_deal(self, last: tuple[bytes | None, int]) -> bool | None:
        """Do what is to be done after a deal; True once another one has begun, False if none will: the one
        whom it accompanies has gone on without it, or those whom it watches have left. `last`: table id and
        number.

        Raises: ProtocolTroubleError if the table was closed, or nobody is left at it.
        """
        table = self._node.table
        if table is None:
            raise ProtocolTroubleError("closed")
        if table.phase is Phase.GATHERING:
            self._be_ready(table)
            return None
        if (table.table_id, table.deal) != last:
            self._deserted_at = math.inf
            return True
        self.agree_to_books(table)
        if table.reopened is not None and self._goes_along(table.reopened):
            self._ask(table.reopened.opener, table.reopened.offer_id)
            return None
        if table.watching:
            return False if self.deserted(table) else None
        others = [member for member in table.everybody if not member.own]
        deserted = not table.next_players or all(member.left for member in others)
        if any(member.left and member.fingerprint == self._config.opener for member in others):
            return False
        if deserted:
            gone = next((member for member in others if member.left), others[0])
            raise trouble(table, "left", table.step, gone.seat)
        # Who does not play the next deal watches it.
        wanting = self._node.key in table.next_players and self._node.key not in table.next_ready
        if wanting and time.monotonic() - self._wanted_at >= JOIN_AGAIN_S:
            self._wanted_at = time.monotonic()
            self._node.next_deal()
        return None

    def deserted(self, table: TableSnapshot) -> bool:
        """Whether a table that is watched has been without players for so long that nobody will go on."""
        now = time.monotonic()
        last = table.result is not None and not table.next_players
        gone = table.watching and (last or all(one.left for one in table.everybody))
        self._deserted_at = min(self._deserted_at, now) if gone else math.inf
        return now - self._deserted_at >= GOES_ALONG_S

    def agree_to_books(self, table: TableSnapshot) -> None:
        """Agree to open the books of the deal that is over, once anybody wants it: a bot hides nothing."""
        books = table.books
        if books is not None and books.can_wish and (books.wished or self._config.open_books):
            self._node.open_books()

    def _be_ready(self, table: TableSnapshot) -> None:
        now = time.monotonic()
        own = next((member for member in table.members if member.own), None)
        if own is not None and not own.ready and now - self._ready_at >= JOIN_AGAIN_S:
            self._ready_at = now
            self._node.set_ready(True)

    def _ask_for_seat(self) -> None:
        lobby = self._node.lobby
        if lobby.joining is not None:
            return
        for offer in lobby.offers:
            if self._fits(offer) and self._ask(offer.opener, offer.offer_id):
                return

    def _ask(self, opener: bytes, offer_id: bytes) -> bool:
        """Ask for a seat, or to watch, unless that was done a moment ago. Returns whether it was asked."""
        now = time.monotonic()
        if self._node.lobby.joining is not None:
            return False
        if now - self._refused.get((opener, offer_id), -JOIN_AGAIN_S) < JOIN_AGAIN_S:
            return False
        self._asked = opener
        self._refused[opener, offer_id] = now
        ask = self._node.watch if self._config.watch else self._node.join
        ask(opener, offer_id, self._config.code)
        return True

    def _fits(self, offer: OfferView) -> bool:
        opener, code = self._config.opener, self._config.code
        meant = (
            offer.title == self._config.table
            and offer.status is (OfferStatus.PLAYING if self._config.watch else OfferStatus.OPEN)
            and not offer.own
            and (opener is None or fingerprint(offer.opener) == opener)
        )
        if meant and offer.needs_code and code is None:
            self.shut_out = RefusedJoin.CODE.value
        if meant and self._config.watch and offer.table_rules.watchers == "no":
            self.shut_out = RefusedJoin.NOT_WATCHED.value
            return False
        return meant and offer.needs_code == (code is not None)

    def _goes_along(self, reopened: ReopenedView) -> bool:
        """Whether to go where the own table was opened again: only along with the one whom it accompanies."""
        opener = self._config.opener
        company = opener is None or opener in map(fingerprint, reopened.people)
        return company and reopened.can_join


def trouble(table: TableSnapshot, check: str, step: int, seat: Seat | None) -> ProtocolTroubleError:
    """What went wrong at a table, with the name of the seat that it is about."""
    name = next((member.name for member in table.members if member.seat == seat), None)
    return ProtocolTroubleError(check, step, seat, None if seat is None else name)
