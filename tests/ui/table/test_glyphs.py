"""The three sets of glyphs."""

import pytest
from model_table import ModelTable
from rich.cells import cell_len
from table_pictures import scene_of

from engine import Rank, Seat
from ui import glyphs
from ui.glyphs import GlyphSet, choose
from ui.table.scene import draw_scene
from ui.table.size import Size


def test_every_glyph_is_one_cell_wide_and_has_no_variation_selector() -> None:
    for name, value in vars(glyphs).items():
        if name.isupper() and isinstance(value, str):
            assert all(cell_len(char) == 1 for char in value), name
            assert "\ufe0f" not in value


def table() -> ModelTable:
    model = ModelTable(("Vera", "Anna", "Boris", "Oleg"), own=Seat(3), dealer=Seat(3))
    model.lay(Seat(0), 3, Rank.QUEEN)
    model.lay(Seat(1), 3, lie=True)
    return model


@pytest.mark.parametrize("size", [(60, 20), (80, 24), (120, 36)])
def test_the_ascii_set_draws_the_whole_table_in_ascii(size: tuple[int, int]) -> None:
    model = table()
    for _ in range(3):
        drawn = draw_scene(scene_of(model), Size(*size))
        for line in drawn.lines():
            line.translate(GlyphSet.ASCII.table("en")).encode("ascii")
        if model.state.called is None and model.state.live:
            model.call(Seat(2))
        else:
            model.forced()


def test_the_console_set_has_only_what_code_page_437_has() -> None:
    # Code page 437's control positions hold glyphs that python's codec does not list.
    pictures = set("►◄▲▼♠♥♦♣○•↑↓→←")
    drawn = draw_scene(scene_of(table()), Size(80, 24))
    for line in drawn.lines():
        shown = line.translate(GlyphSet.CONSOLE.table("en"))
        "".join(char for char in shown if char not in pictures).encode("cp437")


def test_suits_become_letters_of_the_language() -> None:
    assert "Q♠ 10♦".translate(GlyphSet.ASCII.table("en")) == "Qs 10d"
    assert "Д♣".translate(GlyphSet.ASCII.table("ru")) == "Дт"


def test_the_sign_of_the_program_is_a_spade_but_never_a_letter() -> None:
    assert glyphs.LOGO.translate(GlyphSet.FULL.table("en")) == "♠"
    assert glyphs.LOGO.translate(GlyphSet.CONSOLE.table("en")) == "♠"
    assert glyphs.LOGO.translate(GlyphSet.ASCII.table("ru")) == "*"


def test_the_set_follows_terminal_and_encoding() -> None:
    assert choose("xterm-256color", "utf-8") is GlyphSet.FULL
    assert choose("linux", "utf-8") is GlyphSet.CONSOLE
    assert choose("xterm", "ascii") is GlyphSet.ASCII
    assert choose("xterm", "koi8-r") is GlyphSet.ASCII
    assert choose("xterm", "no-such-codec") is GlyphSet.ASCII
    assert choose("xterm", "utf-8", ascii_wanted=True) is GlyphSet.ASCII
