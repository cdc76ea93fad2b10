"""`python -m tests.cheats`: tries every attack of docs/threats.md, by the tests that the page names for it.

Prints a row for each attack, with the trace that it leaves, and how many were tried and caught. Exits 1 if
one of them was not caught, or could not be tried here.
"""

import re
import sys
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PAGE = ROOT / "docs" / "threats.md"
CITATION = re.compile(r"`([\w/]+\.py)::(\w+)`")
"""How the page names a test: its path below `tests`, and its function."""

WIDEST = 78
"""Cells of an attack in the table."""


@dataclass(frozen=True, slots=True)
class Attack:
    """One row of the page."""

    what: str
    trace: str
    tests: frozenset[str]
    """As pytest names them, without parameters."""


class Outcomes:
    """What became of each test, over all its parameters."""

    def __init__(self) -> None:
        self.passed: set[str] = set()
        self.others: set[str] = set()

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Take one report; a test has passed if its call has and nothing of it failed or was skipped."""
        name = report.nodeid.split("[")[0]
        if report.outcome != "passed":
            self.others.add(name)
        elif report.when == "call":
            self.passed.add(name)

    def caught(self, attack: Attack) -> bool:
        """Whether every test of the attack passed."""
        return attack.tests <= self.passed - self.others


def attacks(page: str) -> tuple[Attack, ...]:
    """The rows of the page that name a test."""
    found = []
    for line in page.splitlines():
        cells = [cell.strip() for cell in line.strip().strip("|").split(" | ")]
        tests = frozenset(f"tests/{file}::{name}" for file, name in CITATION.findall(line))
        if line.startswith("| ") and tests and len(cells) > 2:
            found.append(Attack(cells[0], cells[-2], tests))
    return tuple(found)


def table(tried: Iterable[Attack], outcomes: Outcomes) -> list[str]:
    """The lines of the table."""
    lines = []
    for attack in tried:
        what = attack.what if len(attack.what) <= WIDEST else f"{attack.what[: WIDEST - 1]}…"
        lines.append(
            f"{what:{WIDEST}}  {'caught' if outcomes.caught(attack) else 'NOT CAUGHT':10}  {attack.trace}"
        )
    return lines


def names_of(tried: Iterable[Attack]) -> list[str]:
    """The tests of these attacks, each once."""
    return sorted(set().union(*(attack.tests for attack in tried)))


def run(tried: Iterable[Attack], options: Sequence[str] = ()) -> Outcomes:
    """Run the tests of these attacks, with more options of pytest."""
    outcomes = Outcomes()
    usual = ("-q", "-m", "", "--no-header", "-p", "no:cacheprovider")
    pytest.main([*usual, *names_of(tried), *options], plugins=[outcomes])
    return outcomes


def main() -> int:
    """Try all attacks and print the table."""
    tried = attacks(PAGE.read_text(encoding="utf-8"))
    outcomes = run(tried, sys.argv[1:])
    print("\n".join(table(tried, outcomes)))
    caught = sum(outcomes.caught(attack) for attack in tried)
    print(f"{'cheats tried':28} {len(tried)}, by {len(names_of(tried))} tests")
    print(f"{'cheats caught':28} {caught}")
    return 0 if caught == len(tried) else 1


if __name__ == "__main__":
    sys.exit(main())
