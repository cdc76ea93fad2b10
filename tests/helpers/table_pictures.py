"""Draws a model table as the screen would: for tests that compare pictures."""

from model_table import ModelTable

from ui.table.flow import Flow, Send
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


def press(flow: Flow, *names: str) -> list[object]:
    """Press keys, ranks by their numbers; return the commands that come of them."""
    found = [flow.press(f"rank_{name}" if name.isdigit() else name) for name in names]
    return [one for one in found if one is not None]


def line(flow: Flow) -> str:
    """Return what the Enter line says; behind `!` why a key did nothing."""
    scene = flow.scene()
    if scene.note:
        return f"! {scene.note}"
    enter = scene.intent.line
    return f"{enter.text} | {enter.aside}" if enter.aside else enter.text


def sent(flow: Flow, *names: str) -> object:
    """Press keys of which one move comes, and return the move."""
    (command,) = press(flow, *names)
    assert isinstance(command, Send)
    return command.move
