"""Plain mode in a process: what it says is read, what its questions ask is answered; over a pipe, or over a
real pseudo-terminal that can draw nothing.
"""

import os
import pty
import re
import subprocess
import sys
import termios
import time
from pathlib import Path
from types import TracebackType

from bounds import WAIT_S

QUESTION = re.compile(r"(?:^|\n)> \Z")
_OF_ITS_OWN = ("setsid", "--ctty")
"""Makes the terminal that of the process alone, so that Ctrl+C comes to it as a signal."""
CONTROL = re.compile(r"[\x00-\x09\x0b-\x1f\x7f-\x9f]")


class PlainProcess:
    """One process in plain mode, with its own data folder; `with` ends it.

    arguments: those of `verish`. terminal: it talks over a pseudo-terminal with TERM=dumb, where plain mode
    starts by itself, and that is wide enough for every line unless `columns` is less; otherwise over a pipe.
    """

    def __init__(
        self, home: Path, language: str, *arguments: str, terminal: bool = False, columns: int = 250
    ) -> None:
        environment = {
            **os.environ,
            "VERISH_HOME": str(home),
            "VERISH_LANG": language,
            "PYTHONIOENCODING": "utf-8",
            "TERM": "dumb" if terminal else "xterm",
        }
        ours, theirs = pty.openpty() if terminal else (-1, subprocess.PIPE)
        if terminal:
            termios.tcsetwinsize(theirs, (24, columns))
        self._process = subprocess.Popen(
            [*(_OF_ITS_OWN if terminal else ()), sys.executable, "-m", "ui", *arguments],
            stdin=theirs,
            stdout=theirs,
            stderr=theirs if terminal else None,
            cwd=home,
            env={**environment, "PYTHONPATH": os.pathsep.join(sys.path)},
        )
        if terminal:
            os.close(theirs)
            self._writes, self._reads = ours, ours
        else:
            assert self._process.stdin is not None
            assert self._process.stdout is not None
            self._writes, self._reads = self._process.stdin.fileno(), self._process.stdout.fileno()
        os.set_blocking(self._reads, False)
        self._terminal = terminal
        self.text = ""
        """All that was said; over a terminal also what was typed, as it echoes that."""
        self._answered = 0

    def __enter__(self) -> "PlainProcess":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._process.poll() is None:
            self._process.terminate()
        self._process.communicate(timeout=WAIT_S)
        if self._terminal:
            os.close(self._reads)

    def question(self, limit_s: float = WAIT_S) -> str:
        """Wait for the next question and return what was said since the last answer.

        Raises: AssertionError, with all that was said.
        """
        end = time.monotonic() + limit_s
        while len(self.text) == self._answered or QUESTION.search(self.text) is None:
            assert time.monotonic() < end, f"no question in:\n{self.text}"
            assert self._process.poll() is None, f"it ended after:\n{self.text}"
            self._read()
            time.sleep(0.01)
        asked, self._answered = self.text[self._answered :], len(self.text)
        return asked

    def answer(self, line: str) -> None:
        """Type a line."""
        os.write(self._writes, f"{line}\n".encode())

    def ask(self, line: str, limit_s: float = WAIT_S) -> str:
        """Type a line and return all that is said up to the next question."""
        self.answer(line)
        return self.question(limit_s)

    def press(self, character: str) -> None:
        """Type something that a terminal takes at once, such as Ctrl+C or Ctrl+D."""
        os.write(self._writes, character.encode())

    def exit_code(self) -> int:
        """Wait for the end."""
        end = time.monotonic() + WAIT_S
        while self._process.poll() is None:
            assert time.monotonic() < end, f"it has not ended after:\n{self.text}"
            self._read()
            time.sleep(0.01)
        self._read()
        return self._process.returncode

    def _read(self) -> None:
        data = b""
        try:
            data = os.read(self._reads, 65_536)
        except OSError:
            # Nothing is there yet; or, at the end, nobody is at the other side of the terminal any more.
            return
        self.text += data.decode(errors="replace").replace("\r\n", "\n")
