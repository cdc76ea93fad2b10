"""A home of its own for each command, and commands that are run in this process."""

from collections.abc import Callable
from pathlib import Path

import pytest
from command_line import Answer

from ui.cli.run import run


@pytest.fixture(autouse=True)
def own_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """No command finds what another test has left, and all speak English."""
    home = tmp_path / "home"
    monkeypatch.setenv("VERISH_HOME", str(home))
    monkeypatch.setenv("VERISH_LANG", "en")
    return home


@pytest.fixture
def quickly(capsys: pytest.CaptureFixture[str]) -> Callable[..., Answer]:
    """Run a command in this process: what is refused starts nothing."""

    def run_it(*arguments: str) -> Answer:
        code = run(arguments)
        return Answer(code, *capsys.readouterr())

    return run_it
