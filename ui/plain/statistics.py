"""What past deals add up to, in lines."""

from collections.abc import Sequence
from typing import Final

from p2p.net.history import PastDeal
from ui import statistics
from ui.statistics import TableSum
from ui.words import past
from ui.words.ends import why_broken_off

MOST_LINES: Final = 10
"""So many opponents, tables or broken deals are told; more is for `verish stats --json`."""


def statistics_lines(deals: Sequence[PastDeal]) -> tuple[str, ...]:
    """Deals in all, by form, by opponent and by table, and those that were broken off."""
    if not deals:
        return (past.nothing_yet(),)
    forms, opponents = statistics.by_form(deals), statistics.by_opponent(deals)
    named = [(past.form_played(one.form, one.changes, one.players), one.own) for one in forms]
    return (
        past.summed(past.title(), statistics.own_sum(deals)),
        *(past.summed(name, own) for name, own in named if len(named) > 1),
        *_part(past.by_opponent(), [past.summed(one.name or "?", one.theirs) for one in opponents]),
        *_part(past.by_table(), [_table(one) for one in statistics.by_table(deals)]),
        *_part(
            past.those_broken_off(), [_broken_off(deal) for deal, _losers in statistics.broken_off(deals)]
        ),
    )


def _part(heading: str, lines: Sequence[str]) -> tuple[str, ...]:
    more = len(lines) - MOST_LINES
    return (heading, *lines[:MOST_LINES], *([past.and_more(more)] if more > 0 else [])) if lines else ()


def _table(one: TableSum) -> str:
    form = past.form_played(one.form, one.changes, len(one.players))
    standings = (
        past.won_and_lost(past.who(player), total.won, total.lost) for player, total in one.standings
    )
    return (
        f"{past.when(one.started)}, {one.title or '?'}, {form}. {past.deals(one.deals)} {' '.join(standings)}"
    )


def _broken_off(deal: PastDeal) -> str:
    why = why_broken_off(deal.outcome, deal.cause)
    return f"{past.when(deal.ended)}, {deal.title or '?'}: {why}. {past.players(deal)}"
