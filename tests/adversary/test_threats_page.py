"""The page on threats names, for each attack, the test that tries it: every one of them must exist."""

import ast
import re
from functools import cache
from pathlib import Path

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs" / "threats.md"
CITATION = re.compile(r"`([\w/]+\.py)::(\w+)`")


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
