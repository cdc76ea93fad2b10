"""The program in a real browser: a page is opened, and a person plays in it."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from bounds import WAIT_S
from browser import Browser, why_no_browser
from screen_hand import Hand

pytestmark = [
    pytest.mark.terminal,
    pytest.mark.network,
    pytest.mark.skipif(why_no_browser() is not None, reason=str(why_no_browser())),
]

TURNS = 3
PLAY_LIMIT_S = 600.0
"""Three turns take half a minute; a busy machine needs much more."""


@pytest.fixture
def address(tmp_path: Path) -> Iterator[str]:
    """Serve a table with two bots; the server ends in order afterwards."""
    process = subprocess.Popen(
        [*(sys.executable, "-m", "ui", "serve", "--port", "0"), *("--bots", "2", "--interface", "127.0.0.1")],
        stdout=subprocess.PIPE,
        text=True,
        env={**os.environ, "VERISH_HOME": str(tmp_path / "home"), "VERISH_LANG": "en"},
    )
    assert process.stdout is not None
    try:
        yield next(word for word in process.stdout.readline().split() if word.startswith("http"))
    finally:
        process.terminate()
        assert process.wait(WAIT_S) == 128 + signal.SIGTERM
        process.stdout.close()


def test_a_person_plays_a_few_turns_in_a_browser(address: str, tmp_path: Path) -> None:
    with Browser(tmp_path / "browser") as page:
        page.open(address)
        page.shows("2 of 3 ready")
        page.press_until("Enter", "deal 1", again_s=15.0)
        hand = Hand(page)
        end = time.monotonic() + PLAY_LIMIT_S
        while hand.turns < TURNS and not hand.is_over:
            hand.look()
            assert time.monotonic() < end, page.screen
            time.sleep(0.05)
        log = page.press_until("h", "calls only")
        assert "You  " in log
        assert page.loaded
        assert all(one.startswith((address, "data:")) for one in page.loaded), page.loaded
        page.press_until("C-q", "Quit")
        page.press("Enter")
        page.until(lambda _screen: "has ended" in page.text)
