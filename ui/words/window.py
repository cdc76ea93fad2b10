"""Words of the window itself: its title, the notice when it is too small, quitting, the language."""

from ui.i18n import LanguageChoice
from ui.i18n import gettext as _


def turn_title() -> str:
    """The terminal's title while it is my turn."""
    return _("► Your turn · Verish")


def idle_title() -> str:
    """The terminal's title at any other time."""
    return "Verish"


def too_small(width: int, height: int, least_width: int, least_height: int, line: str) -> tuple[str, ...]:
    """The notice of a window that is too small; `line` says what the game is doing, with its clock."""
    least = f"{least_width}x{least_height}"
    if width < 12:
        return (least,)
    if width < 38:
        return (f"{least}!", *(part for part in line.split(" · ") if part))
    return (
        _("The window is too small."),
        _("It is {width}x{height}; the table needs {least}.").format(width=width, height=height, least=least),
        line,
        _("The game goes on underneath."),
    )


def quit_question() -> str:
    """Asked before the program ends."""
    return _("Quit Verish?")


def language_note(choice: LanguageChoice) -> str:
    """Why English is spoken where something else was wished; "" where there is nothing to say."""
    if choice.refused is None:
        return ""
    if choice.unwritable:
        return _("This terminal cannot write the language {language}; English is used.").format(
            language=choice.refused
        )
    return _("Verish does not speak the language {language}; English is used.").format(
        language=choice.refused
    )
