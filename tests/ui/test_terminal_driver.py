"""Drawing goes on, into nothing, when the terminal has gone."""

import io
import os
import pty
import threading
from contextlib import suppress
from typing import IO, cast

from textual.drivers._writer_thread import MAX_QUEUED_WRITES, WriterThread

from ui.app import VerishApp
from ui.terminal_driver import LastingDriver, LastingOutput

WAIT_S = 20


def test_who_draws_in_a_terminal_that_has_gone_waits_for_nobody() -> None:
    master, slave = pty.openpty()
    terminal = os.fdopen(slave, "w", encoding="utf-8")
    writer = WriterThread(cast(IO[str], LastingOutput(terminal)))
    writer.start()
    writer.write("seen")
    assert os.read(master, 100) == b"seen"
    os.close(master)

    def draw_and_end() -> None:
        for _ in range(3 * MAX_QUEUED_WRITES):
            writer.write("unseen")
        writer.stop()

    drawing = threading.Thread(target=draw_and_end, daemon=True)
    drawing.start()
    drawing.join(WAIT_S)
    assert not drawing.is_alive()
    with suppress(OSError):
        terminal.close()


def test_the_program_draws_so() -> None:
    assert VerishApp.get_driver_class(VerishApp.__new__(VerishApp)) is LastingDriver


def test_it_says_of_a_style_only_what_changes() -> None:
    driver = LastingDriver.__new__(LastingDriver)
    sent = io.StringIO()
    driver._writer_thread = cast(WriterThread, sent)
    driver.write("\x1b[31;44ma\x1b[0m\x1b[32;44mb\x1b[0m")
    assert sent.getvalue() == "\x1b[31;44ma\x1b[32mb\x1b[0m"
