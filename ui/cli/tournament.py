"""`verish sim --tournament`: plays the rows, and prints them against what is asked of the bots."""

import multiprocessing
import sys
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from dataclasses import asdict

from engine.tournament import LONGEST_DECISION_S, Bound, MixResult, Rate, Row
from ui.cli.output import print_json, print_table, say
from ui.i18n import gettext as _

Played = tuple[Row, MixResult]


def play(rows: Sequence[Row], deals: int, seed: int, workers: int) -> list[Played]:
    """Play every row, in processes of their own if there are several workers; the order is that of `rows`.

    The result is the same for any number of workers. A terminal is told how far it is.
    """
    found: dict[Row, MixResult] = {}
    for row, result in _played(rows, deals, seed, workers):
        found[row] = result
        _tell_progress(len(found), len(rows))
    return [(row, found[row]) for row in rows]


def _played(rows: Sequence[Row], deals: int, seed: int, workers: int) -> Iterator[Played]:
    if workers == 1:
        for row in rows:
            yield row, row.play(deals, seed)
        return
    # "spawn": a fresh interpreter is the same on every platform.
    with ProcessPoolExecutor(workers, multiprocessing.get_context("spawn")) as pool:
        waiting = {pool.submit(row.play, deals, seed): row for row in rows}
        try:
            for future in as_completed(waiting):
                yield waiting[future], future.result()
        except BaseException:
            pool.shutdown(wait=False, cancel_futures=True)
            raise


def _tell_progress(done: int, rows: int) -> None:
    if sys.stderr.isatty():
        end = "\n" if done == rows else ""
        sys.stderr.write("\r" + _("{done} of {rows} rows").format(done=done, rows=rows) + end)
        sys.stderr.flush()


def all_kept(played: Sequence[Played]) -> bool:
    """Whether every row keeps what is asked, and no decision took too long."""
    return all(bound.kept(result) for row, result in played for bound in row.bounds) and _quick(played)


def _quick(played: Sequence[Played]) -> bool:
    return _slowest(played) <= LONGEST_DECISION_S


def _slowest(played: Sequence[Played]) -> float:
    return max((one.longest_s for _row, result in played for one in result.decisions.values()), default=0.0)


def print_as_json(played: Sequence[Played], deals: int, seed: int) -> None:
    """Print one object with everything measured."""
    print_json(
        {
            "deals": deals,
            "seed": seed,
            "kept": all_kept(played),
            "longest_decision_ms": _slowest(played) * 1e3,
            "rows": [_record(row, result) for row, result in played],
        }
    )


def _record(row: Row, result: MixResult) -> dict[str, object]:
    return {
        "rules": row.rules,
        "bots": list(row.bots),
        "loses": {name: asdict(rate) for name, rate in result.loses.items()},
        "wins": {name: asdict(rate) for name, rate in result.wins.items()},
        "void": asdict(result.void),
        "moves": result.moves,
        "seconds": result.seconds,
        "decisions": {
            name: {"count": one.count, "mean_ms": one.mean_s * 1e3, "longest_ms": one.longest_s * 1e3}
            for name, one in result.decisions.items()
        },
        "asked": [
            {
                "what": bound.what,
                "policy": bound.policy,
                "bound": bound.share,
                "measured": bound.rate(result).share,
                "kept": bound.kept(result),
            }
            for bound in row.bounds
        ],
    }


def print_as_table(played: Sequence[Played]) -> None:
    """Print a table for each set of rules, and how long the bots thought."""
    header = (_("bots"), _("bot"), _("loses"), _("wins"), _("void"), _("moves"), _("asked"))
    for rules in dict.fromkeys(row.rules for row, _result in played):
        say(rules)
        lines = [line for row, result in played if row.rules == rules for line in _lines(row, result)]
        print_table(header, lines, numbers_from=2, text_from=6)
        say("")
    say(
        _("Longest decision of a bot: {longest:.1f} ms, of {most:.0f} ms asked: {verdict}.").format(
            longest=_slowest(played) * 1e3, most=LONGEST_DECISION_S * 1e3, verdict=_verdict(_quick(played))
        )
    )
    for name in sorted({name for _row, result in played for name in result.decisions}):
        decisions = [result.decisions[name] for _row, result in played if name in result.decisions]
        mean = sum(one.seconds for one in decisions) / max(1, sum(one.count for one in decisions))
        say(_("{bot}: {mean:.3f} ms a decision on average.").format(bot=name, mean=mean * 1e3))
    say(_("Everything asked is kept.") if all_kept(played) else _("Not everything asked is kept."))


def _lines(row: Row, result: MixResult) -> Iterator[tuple[str, ...]]:
    mix = " ".join(f"{row.bots.count(name)} {name}" for name in dict.fromkeys(reversed(row.bots)))
    for place, name in enumerate(dict.fromkeys(reversed(row.bots))):
        first = place == 0
        mine = [bound for bound in row.bounds if bound.policy == name or (first and bound.policy is None)]
        yield (
            mix if first else "",
            name,
            _share(result.loses[name]),
            _share(result.wins[name]),
            f"{100 * result.void.share:.1f} %" if first else "",
            f"{result.moves / result.deals:.0f}" if first else "",
            "; ".join(_asked(bound, result) for bound in mine),
        )


def _share(rate: Rate) -> str:
    return f"{100 * rate.share:.1f} % ({100 * rate.low:.1f}-{100 * rate.high:.1f})"


def _asked(bound: Bound, result: MixResult) -> str:
    asked = {
        "loses": _("loses at most {share:.0f} %"),
        "wins": _("wins at least {share:.0f} %"),
        "void": _("void under {share:.0f} %"),
    }[bound.what].format(share=100 * bound.share)
    return f"{asked}: {_verdict(bound.kept(result))}"


def _verdict(kept: bool) -> str:
    return _("kept") if kept else _("MISSED")
