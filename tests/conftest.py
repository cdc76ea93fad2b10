"""What holds for every test: English, and no file of the person who runs them is touched."""

from pathlib import Path

import pytest


def pytest_addoption(parser: pytest.Parser) -> None:
    """Let a single simulated table be repeated."""
    parser.addoption("--seed", type=int, default=None, help="run the simulation of this seed only")


@pytest.fixture(autouse=True)
def apart_from_the_person(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> None:
    """Give each test a data folder of its own, and the language its sentences are written in."""
    home: Path = tmp_path_factory.mktemp("home")
    monkeypatch.setenv("VERISH_HOME", str(home))
    monkeypatch.setenv("VERISH_LANG", "en")
    monkeypatch.delenv("NO_COLOR", raising=False)
