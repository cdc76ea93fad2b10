"""The app under a pilot: waiting until it has drawn, and reading what it shows."""

from typing import Any

from textual.pilot import Pilot

from ui.house_app import HouseApp
from ui.table.view import CanvasView


async def settled(pilot: Pilot[Any]) -> None:
    """Let messages be handled that others cause."""
    for _ in range(4):
        await pilot.pause()


def text_of(app: HouseApp) -> str:
    """Return what stands on the screen, line by line."""
    return "\n".join(app.screen.query_one(CanvasView).canvas.lines())
