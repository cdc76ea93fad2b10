"""`verish stats`: what became of the deals that a profile remembers."""

from collections.abc import Iterable, Sequence
from typing import Final

import click

from crypto import fingerprint, short_fingerprint
from engine import EngineError, Ruleset
from engine.rules import PRESETS
from p2p.net.history import History, PastDeal, read_history
from p2p.net.paths import data_home
from p2p.net.profile import FIRST_PROFILE, store_of
from p2p.protocol.deal_tally import PlayerRecord
from ui import statistics
from ui.cli.exits import Exit
from ui.cli.output import print_json, print_table, say, terminal_width
from ui.cli.terminal import is_plain
from ui.columns import Fit
from ui.i18n import gettext as _
from ui.i18n import ngettext
from ui.plain.statistics import statistics_lines
from ui.statistics import FormSum, OpponentSum, Sum, TableSum
from ui.words.ends import why_broken_off
from ui.words.past import nothing_yet, when, who
from ui.words.people import listed
from ui.words.rules import form_with_mark

MOST_OPPONENTS: Final = 20
MOST_TABLES: Final = 10
"""What fits on a page; `--json` has everything."""


@click.command(
    "stats",
    short_help=_("Show how your deals went."),
    help=_("Show how your deals went: by form, by opponent and by table. It may be asked while you play."),
)
@click.option("--form", type=click.Choice(tuple(PRESETS)), help=_("Only deals of this form."))
@click.option("--with", "name", metavar="NAME", help=_("Only deals with somebody of this name."))
@click.option("--profile", help=_("Of this profile; otherwise of the first one."))
@click.option(
    "--plain",
    is_flag=True,
    help=_("In sentences, without columns: for screen readers. Usual where TERM is dumb."),
)
@click.option("--json", "as_json", is_flag=True, help=_("Print one JSON object."))
def command(form: str | None, name: str | None, profile: str | None, plain: bool, as_json: bool) -> int:
    """Read the profile's deals and print what they add up to."""
    if plain and as_json:
        raise click.UsageError(_("Say either --plain or --json."))
    chosen_profile = FIRST_PROFILE if profile is None else profile
    path = store_of(data_home(), chosen_profile)
    if profile is not None and not path.exists():
        raise click.UsageError(_("There is no profile {name} here.").format(name=profile))
    history = read_history(path)
    deals = statistics.chosen(history.deals, form, name)
    if as_json:
        print_json(_record(chosen_profile, history, deals))
    elif not history.deals:
        say(nothing_yet())
    elif not deals:
        say(_("No such deal is remembered."))
    elif plain or is_plain():
        for line in statistics_lines(deals):
            say(line)
    else:
        _print(deals)
    return Exit.DONE


def _print(deals: Sequence[PastDeal]) -> None:
    total, forms = statistics.own_sum(deals), statistics.by_form(deals)
    rows = [(_form(row.form, row.changes, row.players), *_sums(row.own)) for row in forms]
    if len(forms) > 1:
        rows.append((_("together"), *_sums(total)))
    if forms:
        header = (_("form"), _("deals"), _("won"), _("lost"), _("broken off"))
        _table((*header, _("lies found"), _("right calls")), rows, Fit(shrink=(0,), drop=(6, 5)))
    opponents = statistics.by_opponent(deals)
    if opponents:
        say("")
        _print_opponents(opponents)
    say("")
    _print_tables(statistics.by_table(deals))
    broken = statistics.broken_off(deals)
    if broken:
        say("")
        _print_broken_off(broken)


def _print_opponents(opponents: Sequence[OpponentSum]) -> None:
    header = (_("opponent"), _("fingerprint"), _("deals"), _("you won"), _("you lost"), _("won"), _("lost"))
    rows = [
        (
            *(row.name or "?", short_fingerprint(row.key), str(row.own.deals)),
            *(str(row.own.won), str(row.own.lost), str(row.theirs.won), str(row.theirs.lost)),
            *(_share(row.theirs.tally.lies, row.theirs.tally.opened), _right_calls(row.theirs)),
        )
        for row in opponents[:MOST_OPPONENTS]
    ]
    fit = Fit(shrink=(0,), drop=(8, 7, 1))
    _table((*header, _("lies found"), _("right calls")), rows, fit, numbers_from=2)
    _say_more(len(opponents) - MOST_OPPONENTS)


def _print_tables(tables: Sequence[TableSum]) -> None:
    rows = [
        (
            *(when(table.started), table.title or "?", _form(table.form, table.changes, len(table.players))),
            *(str(table.deals), _standings(table)),
        )
        for table in tables[:MOST_TABLES]
    ]
    header = (_("date"), _("table"), _("form"), _("deals"), _("won-lost"))
    _table(header, rows, Fit(shrink=(4, 1), drop=(2,)), numbers_from=3, text_from=4)
    _say_more(len(tables) - MOST_TABLES)


def _print_broken_off(broken: Sequence[tuple[PastDeal, tuple[PlayerRecord, ...]]]) -> None:
    rows = [
        (when(deal.ended), deal.title or "?", _names(losers), why_broken_off(deal.outcome, deal.cause))
        for deal, losers in broken[:MOST_TABLES]
    ]
    header = (_("date"), _("table"), _("lost by"), _("why it was broken off"))
    _table(header, rows, Fit(shrink=(2, 1, 3)), numbers_from=4)
    _say_more(len(broken) - MOST_TABLES)


def _table(
    header: Sequence[str],
    rows: Sequence[Sequence[str]],
    fit: Fit,
    *,
    numbers_from: int = 1,
    text_from: int | None = None,
) -> None:
    width = terminal_width()
    print_table(header, rows, numbers_from=numbers_from, text_from=text_from, width=width, fit=fit)


def _say_more(count: int) -> None:
    if count > 0:
        text = ngettext("And {count} more: --json shows all.", "And {count} more: --json shows all.", count)
        say(text.format(count=count))


def _sums(total: Sum) -> tuple[str, ...]:
    tally = total.tally
    return (
        *(str(total.deals), str(total.won), str(total.lost), str(total.broken_off)),
        *(_share(tally.lies, tally.opened), _right_calls(total)),
    )


def _right_calls(total: Sum) -> str:
    return _share(total.tally.right_calls, total.tally.calls)


def _share(count: int, total: int) -> str:
    return f"{count}/{total}" if total else ""


def _form(form: str, changes: dict[str, str | int], players: int) -> str:
    """The form with the number of its changes; rules that this version does not know keep their names."""
    try:
        return form_with_mark(Ruleset.with_preset(form, changes), players)
    except (EngineError, KeyError, TypeError):
        return " ".join((form or "?", *(f"{name}={value}" for name, value in changes.items())))


def _standings(table: TableSum) -> str:
    return ", ".join(f"{who(player).label} {total.won}-{total.lost}" for player, total in table.standings)


def _names(players: Iterable[PlayerRecord]) -> str:
    return listed(who(player).label for player in players)


def _record(profile: str, history: History, deals: Sequence[PastDeal]) -> dict[str, object]:
    return {
        "profile": profile,
        "unfinished": history.unfinished,
        "watched": sum(deal.own is None for deal in deals),
        "all": _counts(statistics.own_sum(deals)),
        "forms": [_form_record(row) for row in statistics.by_form(deals)],
        "opponents": [
            {
                "name": row.name,
                "fingerprint": fingerprint(row.key),
                "last": row.last,
                "you": _counts(row.own),
                "they": _counts(row.theirs),
            }
            for row in statistics.by_opponent(deals)
        ],
        "tables": [_table_record(row) for row in statistics.by_table(deals)],
        "broken_off": [
            {
                "table": deal.table_id.hex(),
                "deal": deal.number,
                "ended": deal.ended,
                "outcome": deal.outcome,
                "cause": deal.cause,
                "lost_by": [_player_record(player) for player in losers],
            }
            for deal, losers in statistics.broken_off(deals)
        ],
    }


def _counts(total: Sum) -> dict[str, int]:
    tally = total.tally
    return {
        "deals": total.deals,
        "won": total.won,
        "lost": total.lost,
        "broken_off": total.broken_off,
        "lays": tally.lays,
        "opened": tally.opened,
        "lies": tally.lies,
        "calls": tally.calls,
        "right_calls": tally.right_calls,
    }


def _form_record(row: FormSum) -> dict[str, object]:
    return {"form": row.form, "changes": row.changes, **_counts(row.own)}


def _table_record(table: TableSum) -> dict[str, object]:
    return {
        "table": table.table_id.hex(),
        "title": table.title,
        "form": table.form,
        "changes": table.changes,
        "started": table.started,
        "ended": table.ended,
        "deals": table.deals,
        "broken_off": table.broken_off,
        "players": [
            {**_player_record(player), "won": total.won, "lost": total.lost}
            for player, total in table.standings
        ],
    }


def _player_record(player: PlayerRecord) -> dict[str, object]:
    return {"name": player.name, "fingerprint": fingerprint(player.key), "own": player.own}
