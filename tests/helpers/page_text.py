"""Pages drawn as text, and what their tests share."""

import random

from ui.lobby import Surroundings
from ui.lobby.open_page import OpenTablePage
from ui.lobby.page import Page
from ui.table.size import Size

SIZES = [(60, 20), (60, 24), (80, 20), (80, 24), (120, 36), (144, 46)]
AROUND = Surroundings(14.2, ("192.168.1.23:52417",), ("Wi-Fi", "eth0"))


def text(page: Page, width: int = 80, height: int = 24) -> str:
    """Return the page as text."""
    return "\n".join(page.draw(Size(width, height)).lines())


def private_form() -> OpenTablePage:
    """The form of a new table, with a made code."""
    page = OpenTablePage("Kitchen", draw=random.Random(1).randbytes)
    page.press("down")
    page.press("down")
    page.press("right")
    return page
