"""A real browser without a window, and the page of `verish serve` in it: keys typed, its terminal read."""

import shutil
from pathlib import Path
from types import TracebackType

from selenium import webdriver
from selenium.webdriver.chrome.options import Options
from selenium.webdriver.chrome.service import Service
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.keys import Keys
from terminals import Screen

_KEYS = {
    "Enter": Keys.ENTER,
    "Escape": Keys.ESCAPE,
    "Space": Keys.SPACE,
    "Right": Keys.ARROW_RIGHT,
    "Left": Keys.ARROW_LEFT,
    "Up": Keys.ARROW_UP,
    "Down": Keys.ARROW_DOWN,
}

_FLAGS = (
    "--headless=new",
    "--no-sandbox",
    "--disable-gpu",
    "--enable-unsafe-swiftshader",  # the terminal is drawn with WebGL, here without a card for it
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1",
    "--window-size=1000,700",
)

_FIND_TERMINAL = """
Object.defineProperty(Object.prototype, "terminal", {
  configurable: true,
  set(value) {
    if (value && value.loadAddon) window.shownTerminal = value;
    Object.defineProperty(this, "terminal", {value, writable: true, configurable: true, enumerable: true});
  },
});
"""
"""The page keeps its xterm.js terminal to itself, as a property of that name, and paints it on a canvas."""

_READ_TERMINAL = """
const terminal = window.shownTerminal;
if (!terminal) return document.body.innerText;
const shown = terminal.buffer.active, lines = [];
for (let row = 0; row < terminal.rows; row++) {
  lines.push(shown.getLine(shown.viewportY + row).translateToString(true));
}
return lines.join("\\n");
"""


def why_no_browser() -> str | None:
    """Return why no page can be opened in tests here; None if one can."""
    missing = [name for name in ("chromium", "chromedriver") if shutil.which(name) is None]
    return f"not installed: {', '.join(missing)}" if missing else None


class Browser(Screen):
    """A browser with a profile of its own in `folder`, which must be empty. It reaches this machine only."""

    name = "the page"

    def __init__(self, folder: Path) -> None:
        options = Options()
        options.binary_location = str(shutil.which("chromium"))
        for flag in (*_FLAGS, f"--user-data-dir={folder}"):
            options.add_argument(flag)
        # With its path given, nothing looks for a driver on the network.
        self._driver = webdriver.Chrome(options, Service(shutil.which("chromedriver")))
        self._driver.execute_cdp_cmd("Page.addScriptToEvaluateOnNewDocument", {"source": _FIND_TERMINAL})

    def __enter__(self) -> "Browser":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._driver.quit()

    def open(self, url: str) -> None:
        """Open a page."""
        self._driver.get(url)

    @property
    def screen(self) -> str:
        """What the page's terminal shows; before there is one, what the page says."""
        return str(self._driver.execute_script(_READ_TERMINAL))

    @property
    def text(self) -> str:
        """What the page says beside its terminal."""
        return str(self._driver.execute_script("return document.body.innerText"))

    @property
    def loaded(self) -> list[str]:
        """The addresses of all that the page has loaded."""
        return list(
            self._driver.execute_script(
                "return performance.getEntriesByType('resource').map(one => one.name)"
            )
        )

    def press(self, *keys: str) -> None:
        """Press keys, named as tmux names them."""
        chain = ActionChains(self._driver)
        for key in keys:
            if key.startswith("C-"):
                chain.key_down(Keys.CONTROL).send_keys(key[2:]).key_up(Keys.CONTROL)
            else:
                chain.send_keys(_KEYS.get(key, key))
        chain.perform()
