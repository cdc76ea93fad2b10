"""Runs commands as their user does, in a process of their own."""

import os
import subprocess
import sys
from dataclasses import dataclass


def verish(*arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    """Run a command and return what it said."""
    return subprocess.run(
        [sys.executable, "-m", "ui", *arguments],
        capture_output=True,
        text=True,
        timeout=60,
        stdin=subprocess.DEVNULL,
        env={**os.environ, **environment},
        check=False,
    )


@dataclass(frozen=True, slots=True)
class Answer:
    """What a command said in this process, and how it ended."""

    returncode: int
    stdout: str
    stderr: str
