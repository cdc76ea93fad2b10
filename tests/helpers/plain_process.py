"""`verish play --plain` over a pipe: what it says is read, what its questions ask is answered."""

import os
import re
import subprocess
import sys
import time
from pathlib import Path
from types import TracebackType

from bounds import WAIT_S

QUESTION = re.compile(r"(?:^|\n)> \Z")
CONTROL = re.compile(r"[\x00-\x09\x0b-\x1f\x7f-\x9f]")


class PlainProcess:
    """One process in plain mode, with its own data folder; `with` ends it."""

    def __init__(self, home: Path, language: str, *arguments: str) -> None:
        environment = {
            **os.environ,
            "VERISH_HOME": str(home),
            "VERISH_LANG": language,
            "PYTHONIOENCODING": "utf-8",
        }
        self._process = subprocess.Popen(
            [sys.executable, "-m", "ui", "play", "--plain", *arguments],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env=environment,
        )
        assert self._process.stdout is not None
        os.set_blocking(self._process.stdout.fileno(), False)
        self.text = ""
        """All that was said."""
        self._answered = 0

    def __enter__(self) -> "PlainProcess":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._process.poll() is None:
            self._process.terminate()
        self._process.communicate(timeout=WAIT_S)

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
        assert self._process.stdin is not None
        self._process.stdin.write(f"{line}\n".encode())
        self._process.stdin.flush()

    def exit_code(self) -> int:
        """Wait for the end."""
        code = self._process.wait(WAIT_S)
        self._read()
        return code

    def _read(self) -> None:
        assert self._process.stdout is not None
        data = self._process.stdout.read()
        if data:
            self.text += data.decode()
