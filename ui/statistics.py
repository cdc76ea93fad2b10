"""What past deals add up to: by form, by opponent, by table. Pure: records in, sums out."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from p2p.net.history import PastDeal
from p2p.protocol.deal_tally import PlayerRecord, Tally


@dataclass(slots=True)
class Sum:
    """What one player did in several deals. `broken_off`: those of `deals` that were not played to the
    end.
    """

    deals: int = 0
    won: int = 0
    lost: int = 0
    broken_off: int = 0
    tally: Tally = field(default_factory=Tally)

    def add(self, deal: PastDeal, player: PlayerRecord) -> None:
        """Count one more deal."""
        self.deals += 1
        self.won += player.won
        self.lost += player.lost
        self.broken_off += not deal.finished
        self.tally.lays += player.tally.lays
        self.tally.opened += player.tally.opened
        self.tally.lies += player.tally.lies
        self.tally.calls += player.tally.calls
        self.tally.right_calls += player.tally.right_calls


@dataclass(slots=True)
class FormSum:
    """The own deals by one form with the same changes. players: at the first of its tables."""

    form: str
    changes: dict[str, str | int]
    players: int
    own: Sum = field(default_factory=Sum)


@dataclass(slots=True)
class OpponentSum:
    """The deals that one opponent shared with the own person; the name is the last one he had."""

    key: bytes
    name: str
    last: float
    own: Sum = field(default_factory=Sum)
    theirs: Sum = field(default_factory=Sum)


@dataclass(slots=True)
class TableSum:
    """The deals of one table, and what each of its players won and lost."""

    table_id: bytes
    title: str
    form: str
    changes: dict[str, str | int]
    started: float
    ended: float
    deals: int = 0
    broken_off: int = 0
    players: dict[bytes, tuple[PlayerRecord, Sum]] = field(default_factory=dict)

    @property
    def standings(self) -> list[tuple[PlayerRecord, Sum]]:
        """The players, the fewest losses first, then the most wins."""
        return sorted(self.players.values(), key=lambda pair: (pair[1].lost, -pair[1].won))


def chosen(deals: Iterable[PastDeal], form: str | None, name: str | None) -> list[PastDeal]:
    """The deals of a form, and those that somebody else of this name played, in any spelling of its case."""
    wished = None if name is None else name.casefold()
    return [
        deal
        for deal in deals
        if (form is None or deal.form == form)
        and (
            wished is None
            or any(player.name.casefold() == wished and not player.own for player in deal.players)
        )
    ]


def latest(deals: Iterable[PastDeal]) -> list[PastDeal]:
    """The deals, that which ended last first."""
    return sorted(deals, key=lambda deal: -deal.ended)


def own_sum(deals: Iterable[PastDeal]) -> Sum:
    """All that the own person played."""
    found = Sum()
    for deal in deals:
        if deal.own is not None:
            found.add(deal, deal.own)
    return found


def by_form(deals: Iterable[PastDeal]) -> list[FormSum]:
    """What the own person played, by form and changes, the most played first."""
    found: dict[tuple[str, str], FormSum] = {}
    for deal in deals:
        if deal.own is not None:
            key = (deal.form, repr(sorted(deal.changes.items())))
            form = found.setdefault(key, FormSum(deal.form, deal.changes, len(deal.players)))
            form.own.add(deal, deal.own)
    return sorted(found.values(), key=lambda form: -form.own.deals)


def by_opponent(deals: Iterable[PastDeal]) -> list[OpponentSum]:
    """What the own person played with each other one, the most frequent first."""
    found: dict[bytes, OpponentSum] = {}
    for deal in deals:
        if deal.own is None:
            continue
        for player in deal.players:
            if not player.own:
                opponent = found.setdefault(player.key, OpponentSum(player.key, player.name, deal.ended))
                opponent.name, opponent.last = player.name, deal.ended
                opponent.own.add(deal, deal.own)
                opponent.theirs.add(deal, player)
    return sorted(found.values(), key=lambda opponent: (-opponent.own.deals, opponent.name))


def by_table(deals: Iterable[PastDeal]) -> list[TableSum]:
    """Each table, the last one first; tables that were watched, too."""
    found: dict[bytes, TableSum] = {}
    for deal in deals:
        table = found.get(deal.table_id)
        if table is None:
            table = found[deal.table_id] = TableSum(
                deal.table_id, deal.title, deal.form, deal.changes, deal.started, deal.ended
            )
        table.ended = max(table.ended, deal.ended)
        table.deals += 1
        table.broken_off += not deal.finished
        for player in deal.players:
            _player, total = table.players.get(player.key, (player, Sum()))
            total.add(deal, player)
            table.players[player.key] = (player, total)
    return sorted(found.values(), key=lambda table: -table.started)


def broken_off(deals: Sequence[PastDeal]) -> list[tuple[PastDeal, tuple[PlayerRecord, ...]]]:
    """Deals that were not played to their end, the last one first, with those who lost them for it."""
    return [
        (deal, tuple(player for player in deal.players if player.lost))
        for deal in reversed(deals)
        if not deal.finished
    ]
