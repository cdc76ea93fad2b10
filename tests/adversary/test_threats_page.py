"""The page on threats names, for each attack, the test that tries it: every one of them must exist."""

import ast
from functools import cache
from pathlib import Path
from types import SimpleNamespace

from tests.cheats import CITATION, PAGE, ROOT, Attack, Outcomes, attacks, table


@cache
def functions_of(path: Path) -> frozenset[str]:
    """The names of all functions of a file."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    functions = (ast.FunctionDef, ast.AsyncFunctionDef)
    return frozenset(node.name for node in ast.walk(tree) if isinstance(node, functions))


def test_every_test_that_the_page_names_exists() -> None:
    cited = CITATION.findall(PAGE.read_text(encoding="utf-8"))
    assert len(cited) > 100
    missing = []
    for file, name in cited:
        path = ROOT / "tests" / file
        if not path.is_file() or name not in functions_of(path):
            missing.append(f"{file}::{name}")
    assert missing == []


def test_every_test_of_an_attack_stands_on_the_page() -> None:
    cited = set(CITATION.findall(PAGE.read_text(encoding="utf-8")))
    left_out = []
    for path in sorted((ROOT / "tests" / "adversary").glob("test_*.py")):
        if path != Path(__file__):
            file = path.relative_to(ROOT / "tests").as_posix()
            left_out += [(file, name) for name in functions_of(path) if name.startswith("test_")]
    assert [one for one in left_out if one not in cited] == []


def test_the_table_of_attacks_has_every_row_of_the_page_and_tells_what_was_not_caught() -> None:
    page = PAGE.read_text(encoding="utf-8")
    tried = attacks(page)
    assert frozenset().union(*(attack.tests for attack in tried)) >= {
        f"tests/{file}::{name}" for file, name in CITATION.findall(page) if file.startswith("adversary/")
    }
    attack = Attack("copy a card", "breach", frozenset({"tests/a.py::test_one", "tests/a.py::test_two"}))
    outcomes = Outcomes()
    for name, when, outcome in (
        ("one[1]", "call", "passed"),
        ("one[2]", "call", "failed"),
        ("two", "call", "passed"),
    ):
        report = SimpleNamespace(nodeid=f"tests/a.py::test_{name}", when=when, outcome=outcome)
        outcomes.pytest_runtest_logreport(report)  # type: ignore[arg-type]  # all of a report that is looked at
    assert not outcomes.caught(attack)
    assert "NOT CAUGHT" in table([attack], outcomes)[0]
    outcomes.others.clear()
    assert outcomes.caught(attack)
