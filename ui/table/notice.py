"""The notice of a window that is too small. Nothing is squeezed: the game goes on underneath, its keys do
not."""

from rich.cells import cell_len

from ui.table.canvas import Canvas, Ink, clip, wrap
from ui.table.size import LEAST_HEIGHT, LEAST_WIDTH
from ui.words import window


def draw_notice(width: int, height: int, line: str) -> Canvas:
    """Paint the notice at any size, down to one cell. line: what the game is doing, with its clock."""
    canvas = Canvas(width, height)
    lines: list[str] = []
    for text in window.too_small(width, height, LEAST_WIDTH, LEAST_HEIGHT, line):
        lines.extend(wrap(text, max(1, width - 2)) if width > 2 else (clip(text, width),))
    top = max(0, (height - len(lines)) // 2)
    for row, text in enumerate(lines):
        left = max(0, (width - cell_len(text)) // 2)
        canvas.put(top + row, left, text, Ink(bold=row == 0))
    return canvas
