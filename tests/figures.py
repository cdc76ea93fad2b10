"""`python -m tests.figures`: what the program costs in a real terminal of 80x24, measured.

From the start to the first picture of the lobby, the bytes that a change of the table sends to the terminal,
and the processor time while nothing happens, in the lobby and at the table. The terminal has true colours,
which cost the most bytes. Measure with nothing else running: the figures are of this machine at this moment.

A change is all that is painted with no rest of `QUIET_S` in it: a call that is answered at once, or the own
move and what it leads to, is one. A page that replaces the table is counted by itself.
"""

import argparse
import os
import pty
import subprocess
import sys
import tempfile
import termios
import time
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from statistics import median

sys.path.insert(0, str(Path(__file__).parent / "helpers"))

from screen_hand import Hand
from terminals import Terminal, Terminals, private_network, why_no_terminals

SIZE = (24, 80)
STARTS = 5
LOBBY = b"Lobby"
DEAL_LIMIT_S = 900.0
QUIET_S = 0.12
"""So long without a byte, and one change of the picture is over."""
TURN_BYTES = 4000
TRUE_COLORS = {"COLORTERM": "truecolor"}
POLL_S = 0.03
TICKS_A_SECOND = os.sysconf("SC_CLK_TCK")


def first_picture_s(home: Path) -> float:
    """Start the program once and return after how many seconds the lobby stands on its terminal."""
    ours, theirs = pty.openpty()
    termios.tcsetwinsize(theirs, SIZE)
    network = private_network()
    up = "ip link set lo up; " if network else ""
    program = f"{up}printf READY; exec {sys.executable} -m ui play --lang en"
    environment = {**os.environ, "VERISH_HOME": str(home), "TERM": "xterm-256color", "LC_ALL": "C.UTF-8"}
    process = subprocess.Popen(
        [*network, "sh", "-c", program],
        stdin=theirs,
        stdout=theirs,
        stderr=theirs,
        env=environment,
        start_new_session=True,
    )
    os.close(theirs)
    try:
        _read_until(ours, b"READY")
        begun = time.monotonic()
        _read_until(ours, LOBBY)
        return time.monotonic() - begun
    finally:
        process.terminate()
        while _more(ours):
            pass
        process.wait()
        os.close(ours)


def _more(descriptor: int) -> bytes:
    try:
        return os.read(descriptor, 65536)
    except OSError:  # the other side is closed
        return b""


def _read_until(descriptor: int, text: bytes) -> None:
    seen = b""
    while text not in seen:
        chunk = _more(descriptor)
        if not chunk:
            raise SystemExit(f"The program ended before it showed {text.decode()}.")
        seen += chunk


def changes(terminal: Terminal, sent: Path) -> Iterator[int]:
    """Play a deal by hand to its end, and give the bytes of each change of the picture meanwhile."""
    hand, end = Hand(terminal), time.monotonic() + DEAL_LIMIT_S
    before = size = sent.stat().st_size
    grown_at = time.monotonic()
    while not hand.is_over and time.monotonic() < end:
        hand.look()
        time.sleep(POLL_S)
        now = sent.stat().st_size
        if now != size:
            size, grown_at = now, time.monotonic()
        elif size != before and time.monotonic() - grown_at > QUIET_S:
            yield size - before
            before = size


def page(terminal: Terminal, sent: Path) -> int:
    """Open the log over the table and go back; give the bytes of the dearer of the two changes."""
    sizes = [sent.stat().st_size]
    for key, text in (("h", "What happened"), ("Escape", "YOUR TURN")):
        terminal.press_until(key, text)
        time.sleep(10 * QUIET_S)
        sizes.append(sent.stat().st_size)
    return max(after - before for before, after in pairwise(sizes))


def idle_share(process: int, seconds: float) -> float:
    """The share of one core that a process takes while nothing happens."""
    ticks = []
    for wait in (seconds, 0.0):
        fields = Path(f"/proc/{process}/stat").read_text(encoding="ascii").rpartition(")")[2].split()
        ticks.append(int(fields[11]) + int(fields[12]))
        time.sleep(wait)
    return next(after - before for before, after in pairwise(ticks)) / TICKS_A_SECOND / seconds


def main() -> int:
    """Measure and print the table."""
    parser = argparse.ArgumentParser(prog="python -m tests.figures", description=__doc__)
    parser.add_argument("--idle", type=float, default=60.0, help="seconds to look at an idle program")
    asked = parser.parse_args()
    if why_no_terminals() is not None:
        print(f"{why_no_terminals()}: install it, then measure again.", file=sys.stderr)
        return 1

    def say(name: str, value: str) -> None:
        print(f"{name:58} {value}", flush=True)

    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        starts = sorted(first_picture_s(folder / "starts") for _ in range(STARTS))
        say(
            f"start to the first picture, median and worst of {STARTS}",
            f"{median(starts):.2f} s, {starts[-1]:.2f} s",
        )
        with Terminals(folder, folder / "home", TRUE_COLORS) as terminals:
            lobby = terminals.start("lobby", "play", "--lang", "en")
            lobby.shows("Nobody found yet")
            say("idle in the lobby", f"{idle_share(lobby.process(), asked.idle):.2%} of a core")
            lobby.press_until("C-q", "Quit")
            lobby.press_until("Enter", "EXIT=0")
            table = terminals.start("table", "play", "--lang", "en", "--bots", "3")
            sent = folder / "sent"
            table.press_until("Enter", "deal 1", again_s=15.0)
            table.until(lambda screen: "YOUR TURN" in screen, DEAL_LIMIT_S)
            share = idle_share(table.process(), asked.idle)
            say("idle at a table of four, at one's own turn", f"{share:.2%} of a core")
            table.record(sent)
            say("bytes of a page that replaces the table", f"{page(table, sent)}")
            sizes = sorted(changes(table, sent))
            say("changes of the picture in a deal of four, 80x24", f"{len(sizes)}")
            say("bytes of a change, median", f"{median(sizes):.0f}")
            say("95 of 100 changes have at most", f"{sizes[len(sizes) * 95 // 100]}")
            say("the largest", f"{sizes[-1]}")
            say(f"more than {TURN_BYTES} bytes", f"{sum(size > TURN_BYTES for size in sizes)}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
