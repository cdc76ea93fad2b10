"""Draws a model table as the screen would: for tests that compare pictures."""

from model_table import ModelTable

from ui.table.flow import Flow
from ui.table.scene import Scene, draw_scene
from ui.table.size import Size


class Clock:
    """A clock that stands still until it is moved."""

    def __init__(self, now: float = 100.0) -> None:
        self.now = now

    def __call__(self) -> float:
        return self.now

    def pass_s(self, seconds: float) -> None:
        """Let time pass."""
        self.now += seconds


def flow_of(model: ModelTable, clock: Clock | None = None, *, animate: bool = True) -> Flow:
    """Return a fresh flow over the model."""
    return Flow(model.snapshot(), clock or Clock(), animate=animate)


def scene_of(model: ModelTable) -> Scene:
    """Return what a screen that starts now shows."""
    return flow_of(model).scene()


def drawn(flow: Flow, width: int = 80, height: int = 24) -> list[str]:
    """Return the picture of a flow as lines."""
    return list(draw_scene(flow.scene(), Size(width, height)).lines())
