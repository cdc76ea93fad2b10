"""Real terminals for tests: the program in tmux, keys typed into it, its screen read back."""

import os
import shutil
import subprocess
import sys
import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from pathlib import Path
from types import TracebackType

from bounds import WAIT_S

POLL_S = 0.05


def why_no_terminals() -> str | None:
    """Return why there are no terminals for tests here; None if there are."""
    return None if shutil.which("tmux") else "tmux is not installed"


def private_network() -> list[str]:
    """Return the command that runs another one in a network of its own, or [] where that is forbidden."""
    command = ["unshare", "--net", "--"]
    probing = [*command, "ip", "link", "set", "lo", "up"]
    try:
        probe = subprocess.run(probing, capture_output=True, check=False, timeout=WAIT_S)
    except OSError:
        return []
    return command if probe.returncode == 0 else []


class Screen(ABC):
    """A terminal, in tmux or in a page, as one who sits at it has it: a screen, and keys."""

    name = ""
    """Where a screen is that does not show what it should."""

    @property
    @abstractmethod
    def screen(self) -> str:
        """What is on the screen."""

    @abstractmethod
    def press(self, *keys: str) -> None:
        """Press keys, named as tmux names them."""

    def until(self, condition: Callable[[str], bool], limit_s: float = WAIT_S) -> str:
        """Wait until the screen meets a condition and return it. Raises: AssertionError, with the screen."""
        end = time.monotonic() + limit_s
        while True:
            screen = self.screen
            if condition(screen):
                return screen
            assert time.monotonic() < end, f"{self.name} still shows:\n{screen}"
            time.sleep(POLL_S)

    def shows(self, text: str, limit_s: float = WAIT_S) -> str:
        """Wait until the screen holds a text."""
        return self.until(lambda screen: text in screen, limit_s)

    def press_until(self, key: str, text: str, limit_s: float = WAIT_S, again_s: float = 1.0) -> str:
        """Press a key, and again after each `again_s` in which the screen does not hold the text.

        Keys are dead for a moment after the screen has changed. A key that takes back at the second press
        what it did at the first needs a patience above what a busy machine takes to show the first.
        """
        end = time.monotonic() + limit_s
        while True:
            self.press(key)
            try:
                return self.shows(text, again_s)
            except AssertionError:
                if time.monotonic() > end:
                    raise


class Terminals:
    """A tmux server of its own. Its terminals share one network with only loopback, where that is allowed.

    environment: what its terminals say of themselves beyond the usual.
    """

    def __init__(self, folder: Path, home: Path, environment: Mapping[str, str] | None = None) -> None:
        self._socket = folder / "tmux"
        self._environment = {
            **os.environ,
            "VERISH_HOME": str(home),
            "VERISH_LANG": "en",
            "LC_ALL": "C.UTF-8",
            "TERM": "xterm-256color",
            **(environment or {}),
        }
        self.network = private_network()

    def __enter__(self) -> "Terminals":
        up = "ip link set lo up; " if self.network else ""
        server = f"exec tmux -S {self._socket} -f /dev/null new-session -d -s keeper 'sleep 600'"
        subprocess.run(
            [*self.network, "sh", "-c", up + server], env=self._environment, check=True, timeout=WAIT_S
        )
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._tmux("kill-server")

    def start(self, name: str, *arguments: str, width: int = 80, height: int = 24) -> "Terminal":
        """Start `verish` with arguments in a terminal; its exit code is shown when it ends."""
        program = " ".join([sys.executable, "-m", "ui", *arguments])
        self._tmux(
            *("new-session", "-d", "-s", name, "-x", str(width), "-y", str(height)),
            f"{program}; echo EXIT=$?; sleep 600",
        )
        return Terminal(name, self._tmux)

    def _tmux(self, *arguments: str) -> str:
        answer = subprocess.run(
            ["tmux", "-S", str(self._socket), *arguments],
            env=self._environment,
            capture_output=True,
            text=True,
            timeout=WAIT_S,
            check=False,
        )
        return answer.stdout


class Terminal(Screen):
    """One terminal."""

    def __init__(self, name: str, tmux: Callable[..., str]) -> None:
        self.name, self._tmux = name, tmux

    @property
    def screen(self) -> str:
        """What is on the screen."""
        return self._tmux("capture-pane", "-p", "-t", self.name)

    def press(self, *keys: str) -> None:
        """Press keys, named as tmux names them."""
        self._tmux("send-keys", "-t", self.name, *keys)

    def process(self) -> int:
        """The process id of the program."""
        shell = self._tmux("display-message", "-p", "-t", self.name, "#{pane_pid}").strip()
        return int(Path(f"/proc/{shell}/task/{shell}/children").read_text(encoding="ascii").split()[0])

    def record(self, into: Path) -> None:
        """Write to a file, from now on, every byte that the program sends to the terminal."""
        into.touch()
        self._tmux("pipe-pane", "-t", self.name, f"cat >> {into}")
