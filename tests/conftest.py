"""What holds for every test: English, and no file of the person who runs them is touched."""

import os
from pathlib import Path

import pytest

OF_THE_TERMINAL = ("COLUMNS", "LINES", "NO_COLOR", "FORCE_COLOR", "COLORTERM")
"""Variables that say how somebody's own terminal is to be drawn on."""


def pytest_addoption(parser: pytest.Parser) -> None:
    """Let a single simulated table be repeated."""
    parser.addoption("--seed", type=int, default=None, help="run the simulation of this seed only")


def pytest_configure() -> None:
    """Forget, before anything reads it, what the person who runs the tests has set for himself."""
    theirs = [name for name in os.environ if name.startswith(("VERISH_", "TEXTUAL"))]
    for name in (*theirs, *OF_THE_TERMINAL):
        os.environ.pop(name, None)


@pytest.fixture(autouse=True)
def apart_from_the_person(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> None:
    """Give each test a data folder of its own, and the language its sentences are written in."""
    home: Path = tmp_path_factory.mktemp("home")
    monkeypatch.setenv("VERISH_HOME", str(home))
    monkeypatch.setenv("VERISH_LANG", "en")
