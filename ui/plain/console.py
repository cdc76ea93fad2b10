"""Standard input and output as lines: what is typed is heard, what is said goes out through a thread.

No line holds a control character, and a reader that is slow, such as a voice, never stops the game.
"""

import asyncio
import codecs
import os
import queue
import shutil
import sys
import textwrap
import threading
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from typing import Final

from ui.glyphs import GlyphSet
from ui.i18n import current_language
from ui.literal import literal
from ui.settings import OwnSettings

PROMPT: Final = "> "

_READ_BYTES: Final = 4096
_MOST_TYPED: Final = 1000
"""Characters of a line; whatever is longer was not typed by a person, and its rest is dropped."""
_CLOSE_S: Final = 2.0
"""How long a reader of the output may take for the last lines."""
_SIMPLE: Final = str.maketrans({"“": '"', "”": '"', "’": "'"})
"""Voices and poor fonts read the simple signs best."""


@dataclass(frozen=True, slots=True)
class Typed:
    """A line was typed."""

    text: str


@dataclass(frozen=True, slots=True)
class InputEnded:
    """No more lines will come."""


def shown_signs(settings: OwnSettings, glyphs: GlyphSet) -> Callable[[], dict[int, str]]:
    """Return what tells which characters stand for others now. glyphs: what the terminal can show."""
    return lambda: (GlyphSet.ASCII if settings.now.ascii else glyphs).table(current_language())


class Console:
    """Where a person types and reads.

    signs: returns what `str.translate` takes at this moment, for terminals that lack some characters.
    """

    def __init__(self, signs: Callable[[], dict[int, str]]) -> None:
        self._heard: Callable[[Typed | InputEnded], None] = lambda _arrival: None
        self._signs = signs
        self._fd = sys.stdin.fileno()
        self._echoed = sys.stdin.isatty()
        self._on_terminal = sys.stdout.isatty()
        self._decoder = codecs.getincrementaldecoder(sys.stdin.encoding or "utf-8")(errors="replace")
        self._rest = ""
        self._loop: asyncio.AbstractEventLoop
        self._prompted = False
        self._lines: queue.SimpleQueue[str | None] = queue.SimpleQueue()
        # A daemon: a pipe that nobody reads must not keep the program from ending.
        self._thread = threading.Thread(target=self._write, name="verish-plain", daemon=True)

    def open(self, heard: Callable[[Typed | InputEnded], None]) -> None:
        """Begin to read and to write. heard: takes what is typed, in the loop's thread."""
        self._heard = heard
        self._thread.start()
        loop = self._loop = asyncio.get_running_loop()
        try:
            loop.add_reader(self._fd, self._read)
        except PermissionError:
            # A file, or nothing at all: it is always ready, and the system does not watch it.
            loop.call_soon(self._read_file)

    async def close(self) -> None:
        """Stop reading, and wait a moment until all is written."""
        with suppress(ValueError, OSError):
            asyncio.get_running_loop().remove_reader(self._fd)
        self._end_prompt()
        self._lines.put(None)
        await asyncio.to_thread(self._thread.join, _CLOSE_S)

    def say(self, sentence: str) -> None:
        """Write one line; nothing for an empty sentence."""
        if sentence:
            self._end_prompt()
            self._lines.put(self._broken(self._shown(sentence)) + "\n")

    def ask(self) -> None:
        """Write the prompt, unless it stands there already."""
        if not self._prompted:
            self._prompted = True
            self._lines.put(PROMPT)

    def _shown(self, text: str) -> str:
        return literal(text.translate(_SIMPLE | self._signs()))

    def _broken(self, line: str) -> str:
        """Break a line at spaces where a terminal would break it within a word."""
        if not self._on_terminal:
            return line
        width = shutil.get_terminal_size().columns - 1
        return textwrap.fill(line, width, break_long_words=False, break_on_hyphens=False)

    def _end_prompt(self) -> None:
        if self._prompted:
            self._prompted = False
            self._lines.put("\n")

    def _take(self, data: bytes) -> None:
        """Break what was read into lines."""
        *lines, self._rest = (self._rest + self._decoder.decode(data)).split("\n")
        self._rest = self._rest[:_MOST_TYPED]
        for line in lines:
            self._typed(line[:_MOST_TYPED])

    def _typed(self, line: str) -> None:
        self._heard(Typed(line.strip("\r")))

    def answered(self, text: str) -> None:
        """A typed line was taken as an answer; where no terminal has shown it, it is written."""
        if self._prompted:
            self._prompted = False
            self._lines.put("" if self._echoed else self._shown(text) + "\n")

    def _read(self) -> None:
        try:
            data = os.read(self._fd, _READ_BYTES)
        except BlockingIOError:
            return
        except OSError:
            # The terminal is gone.
            data = b""
        if data:
            self._take(data)
            return
        asyncio.get_running_loop().remove_reader(self._fd)
        self._end_of_input()

    def _read_file(self) -> None:
        while data := os.read(self._fd, _READ_BYTES):
            self._take(data)
        self._end_of_input()

    def _end_of_input(self) -> None:
        if self._rest:
            self._typed(self._rest)
        self._heard(InputEnded())

    def _write(self) -> None:
        encoding = sys.stdout.encoding or "ascii"
        while (text := self._lines.get()) is not None:
            try:
                sys.stdout.write(text.encode(encoding, "replace").decode(encoding))
                sys.stdout.flush()
            except (OSError, ValueError):
                # Nobody reads any more, so nobody can answer.
                with suppress(RuntimeError):
                    self._loop.call_soon_threadsafe(self._heard, InputEnded())
                return
