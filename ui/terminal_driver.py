"""Drawing in a terminal that may go away at any moment.

Textual draws through a thread with a short queue. Where writing fails, that thread ends, and whoever draws
next waits for ever once the queue is full: the program could not even end. Here what a terminal that has
gone would have shown is dropped, so everything ends in order.
"""

from typing import Any

from textual.drivers.linux_driver import LinuxDriver

from ui.repaint import briefly_styled


class LastingOutput:
    """A terminal's file that outlives the terminal."""

    def __init__(self, file: Any) -> None:
        self._file = file
        self._gone = False

    def write(self, text: str) -> None:
        """Write, as long as there is somebody to read it."""
        self._unless_gone(self._file.write, text)

    def flush(self) -> None:
        """Hand on what was written."""
        self._unless_gone(self._file.flush)

    def fileno(self) -> int:
        """The descriptor of the file."""
        return int(self._file.fileno())

    def _unless_gone(self, work: Any, *arguments: str) -> None:
        if self._gone:
            return
        try:
            work(*arguments)
        except (OSError, ValueError):  # the latter where the file was closed
            self._gone = True


class LastingDriver(LinuxDriver):
    """Textual's driver for Linux and macOS, over `LastingOutput` and with brief styles."""

    def __init__(self, *arguments: Any, **options: Any) -> None:
        super().__init__(*arguments, **options)
        self._file: Any = LastingOutput(self._file)

    def write(self, data: str) -> None:
        """Send to the terminal."""
        super().write(briefly_styled(data))
