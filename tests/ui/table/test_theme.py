"""Colours: computed variables of every theme, and inks without any colour."""

import pytest
from textual.app import App
from textual.color import Color
from textual.theme import BUILTIN_THEMES, Theme

from ui.table.canvas import Ink
from ui.theme import CARD_VARIABLES, VERISH_DARK, VERISH_LIGHT, Palette, computed_variables, contrast

THEMES = [VERISH_DARK, VERISH_LIGHT, *(theme for theme in BUILTIN_THEMES.values() if not theme.ansi)]


def variables_of(theme: Theme) -> dict[str, str]:
    found = {**theme.to_color_system().generate(), **theme.variables}
    return {**computed_variables(found), **found}


@pytest.mark.parametrize("theme", THEMES, ids=lambda theme: theme.name)
def test_quiet_words_stay_readable_and_lines_are_quieter(theme: Theme) -> None:
    variables = variables_of(theme)
    ground, ink = Color.parse(variables["background"]), Color.parse(variables["foreground"])
    mute, line = Color.parse(variables["mute"]), Color.parse(variables["line"])
    assert contrast(mute, ground) >= min(4.5, contrast(ink, ground))
    assert contrast(line, ground) < contrast(mute, ground) <= contrast(ink, ground)


@pytest.mark.parametrize("theme", [VERISH_DARK, VERISH_LIGHT], ids=lambda theme: theme.name)
@pytest.mark.parametrize("fill", ["accent", "primary", "error", "success", "warning"])
def test_what_stands_on_a_fill_of_the_house_themes_is_readable(theme: Theme, fill: str) -> None:
    palette = Palette(variables_of(theme))
    style = palette.style(Ink("on", fill))
    assert style.color is not None
    assert style.bgcolor is not None
    assert style.color.triplet is not None
    assert style.bgcolor.triplet is not None
    assert contrast(Color(*style.color.triplet), Color(*style.bgcolor.triplet)) >= 4.5


def test_all_inks_on_card_papers_have_a_contrast_of_5_to_1() -> None:
    inks = ("card-black", "card-red", "card-green", "card-blue")
    for paper in ("card", "card-up", "card-true", "card-false"):
        for ink in inks:
            pair = Color.parse(CARD_VARIABLES[ink]), Color.parse(CARD_VARIABLES[paper])
            assert contrast(*pair) > 4.5, (ink, paper)


def test_suits_are_drawn_in_two_colours_or_in_four() -> None:
    variables = variables_of(VERISH_DARK)
    suits = ("spades", "hearts", "diamonds", "clubs")

    def inks(palette: Palette) -> list[object]:
        return [palette.style(Ink(f"suit-{suit}", "card")).color for suit in suits]

    def of_cards(palette: Palette, *names: str) -> list[object]:
        return [palette.style(Ink(f"card-{name}", "card")).color for name in names]

    two, four = Palette(variables), Palette(variables, suits="four")
    assert inks(two) == of_cards(two, "black", "red", "red", "black")
    assert inks(four) == of_cards(four, "black", "red", "blue", "green")


def test_a_theme_may_have_its_own_cards() -> None:
    assert "card-red" not in computed_variables({"background": "#000000", "card-red": "#ff0000"})


def test_without_colours_nothing_but_weight_and_reverse_is_left() -> None:
    palette = Palette(variables_of(VERISH_DARK), colors=False)
    filled = palette.style(Ink("on", "accent", bold=True, filled=True))
    assert (filled.color, filled.bgcolor, filled.reverse, filled.bold) == (None, None, True, True)
    paper = palette.style(Ink("card-red", "card"))
    assert (paper.color, paper.bgcolor, paper.reverse) == (None, None, False)


def test_ansi_themes_do_not_break_the_computation() -> None:
    for theme in BUILTIN_THEMES.values():
        if theme.ansi:
            assert set(computed_variables(theme.to_color_system().generate())) >= {"mute", "line"}


def test_house_themes_can_be_registered() -> None:
    app: App[None] = App()
    app.register_theme(VERISH_DARK)
    app.register_theme(VERISH_LIGHT)
    assert {"verish-dark", "verish-light"} <= set(app.available_themes)
