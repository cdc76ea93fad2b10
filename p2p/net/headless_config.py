"""What a headless peer is to do, and how its evening can fail by the protocol."""

from dataclasses import dataclass
from pathlib import Path

from engine import Ruleset
from p2p.errors import P2PError
from p2p.protocol.table_code import TableCode
from p2p.protocol.table_rules import USUAL, TableRules


class ProtocolTroubleError(P2PError):
    """The evening cannot go on by the protocol.

    check: "digest", "stalled", "left", "closed", "refused", "code", "wrong_code", "not_watched", or the check
    that was broken. seat, name: who broke it, who left, or whose answer is missing, if that is known.
    """

    def __init__(
        self, check: str, step: int | None = None, seat: int | None = None, name: str | None = None
    ) -> None:
        where = "" if step is None else f" at step {step}"
        super().__init__(check + where)
        self.check = check
        self.step = step
        self.seat = seat
        self.name = name


@dataclass(frozen=True, slots=True)
class BotConfig:
    """What a headless peer is to do.

    table: title of the table. seats, ruleset, table_rules: open it with these; without a ruleset, wait for it
    and join. policy, seed: who decides. deals: how many to play; after a crash, those at earlier tables are
    not counted. transcript: where to write that of each deal, the last one staying. pause_s: before each
    decision, so that people can follow. patience_s: how long to wait for a table and players. stall_s: how
    long a deal may stand still; None: people may think as long as they like. opener: join only what this
    fingerprint has opened, go on only where it sits, and end early, with nothing wrong, once it has gone on
    without this peer. code: of the table that it opens, or joins: then only one whose opener knows it.
    open_books: want the books of each deal to be opened; otherwise that is agreed to once somebody wants it.
    watch: take no seat, but watch a table of that title once it is played, for `deals` deals or until nobody
    plays there any more.
    """

    table: str
    seats: int = 2
    ruleset: Ruleset | None = None
    table_rules: TableRules = USUAL
    policy: str = "honest"
    seed: int = 0
    deals: int = 1
    transcript: Path | None = None
    pause_s: float = 0.0
    patience_s: float = 60.0
    stall_s: float | None = None
    opener: str | None = None
    code: TableCode | None = None
    open_books: bool = False
    watch: bool = False
