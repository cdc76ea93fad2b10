"""What a person can set in any interface: the values that are offered, and what takes hold at once."""

from typing import Any, Final

from p2p.errors import LocalError
from ui.i18n import LANGUAGES, choose_language, current_language, start_language
from ui.settings import SCREEN_ONLY, OwnSettings
from ui.table_form import TABLE_RULE_VALUES
from ui.theme import theme_names
from ui.words import settings as words
from ui.words import trouble
from ui.words.ranks import print_latin
from ui.words.window import language_note

_BOTH: Final = (False, True)

SETTING_VALUES: Final[dict[str, tuple[object, ...]]] = {
    "language": (None, *LANGUAGES),
    "name": (),
    "theme": theme_names(),
    "suits": ("two", "four"),
    "letters": ("own", "latin"),
    "ascii": _BOTH,
    "animation": _BOTH,
    "truth": _BOTH,
    "sound": _BOTH,
    "title": _BOTH,
    "clock_s": TABLE_RULE_VALUES["clock_s"],
    "grace_s": TABLE_RULE_VALUES["grace_s"],
}
"""The settings in the order of their fields, and the values that they offer; a name is typed."""


def offered(*, screen: bool = True) -> tuple[str, ...]:
    """Return the settings that do something as things stand. screen: there is one."""
    without = frozenset() if current_language() == "ru" else {"letters"}
    return tuple(one for one in SETTING_VALUES if one not in without and (screen or one not in SCREEN_ONLY))


def value_of(settings: OwnSettings, setting: str) -> object:
    """Return the value of a setting that holds now."""
    now = settings.now
    if setting in TABLE_RULE_VALUES:
        return getattr(now.table_rules, setting)
    if setting == "theme" and now.theme is None:
        return theme_names()[0]
    return getattr(now, setting)


def refused(setting: str, value: Any) -> str:
    """Return why this terminal cannot have a setting; "" if it can."""
    return language_note(choose_language(own=value)) if setting == "language" else ""


def take_hold(settings: OwnSettings, setting: str) -> None:
    """Let what was just set hold for all that is said from now on."""
    match setting:
        case "language":
            start_language(own=settings.now.language)
        case "letters":
            print_latin(settings.now.letters == "latin")


async def keep(settings: OwnSettings) -> str:
    """Write down what was set, beside the loop; return what there is to say of it, mostly nothing."""
    try:
        unreadable = await settings.save()
    except LocalError as error:
        return trouble.explained(error) or str(error)
    return "" if unreadable is None else words.set_aside(unreadable)
