"""The settings in words: names, values, what each does; and a file of them that was not understood."""

from collections.abc import Callable, Mapping
from typing import Final

from p2p.protocol.table_rules import TableRulesError
from p2p.protocol.text import TextError
from ui.i18n import gettext as _
from ui.i18n import pgettext
from ui.settings import Unreadable
from ui.words.table_rules import table_rule_name, table_rule_refused, table_rule_value
from ui.words.trouble import text_problem


def title() -> str:
    """The place."""
    return _("Settings")


def setting_name(setting: str) -> str:
    """The name of a setting, as its field shows it."""
    if setting in ("clock_s", "grace_s"):
        return table_rule_name(setting)
    return {
        "language": pgettext("setting", "Language"),
        "name": pgettext("setting", "Your name"),
        "theme": pgettext("setting", "Colours"),
        "suits": pgettext("setting", "Suits"),
        "letters": pgettext("setting", "Letters on cards"),
        "ascii": pgettext("setting", "Only ASCII"),
        "animation": pgettext("setting", "Animation"),
        "truth": pgettext("setting", "Truth or bluff"),
        "sound": pgettext("setting", "Sound"),
        "title": pgettext("setting", "Window title"),
    }[setting]


def setting_value(setting: str, value: object) -> str:
    """A value of a setting, short."""
    if setting in ("clock_s", "grace_s"):
        return table_rule_value(setting, int(str(value)))
    if isinstance(value, bool):
        return pgettext("setting", "yes") if value else pgettext("setting", "no")
    return _VALUES[setting, value]() if (setting, value) in _VALUES else str(value)


_VALUES: Final[Mapping[tuple[str, object], Callable[[], str]]] = {
    ("language", None): lambda: _("as this computer"),
    # Each language says its own name, for those who cannot read the one in use.
    ("language", "en"): lambda: "English",
    ("language", "ru"): lambda: "русский",
    ("theme", None): lambda: "verish-dark",
    ("theme", "ansi-dark"): lambda: _("no colours"),
    ("suits", "two"): lambda: _("two colours"),
    ("suits", "four"): lambda: _("four colours"),
    ("letters", "own"): lambda: pgettext("letters on cards", "J Q K A"),
    ("letters", "latin"): lambda: "J Q K A",
}


def setting_explanation(setting: str, *, by_keys: bool = True) -> str:
    """One sentence on what a setting does. by_keys: the table is played by keys, on a screen."""
    if setting == "truth" and not by_keys:
        return _("What you lay is read back to you, and only to you, as the truth or as a bluff.")
    return {
        "language": _("The language of the program, from now on."),
        "name": _("Others see this name. A new one is announced when Verish is started the next time."),
        "theme": _("The colours of everything but the cards."),
        "suits": _("Suits never matter in this game; four colours tell them apart at a glance."),
        "letters": _("What stands on pictures and aces. The keys work in both alphabets anyway."),
        "ascii": _("For terminals and fonts that cannot show frames and suits."),
        "animation": _("Opened cards turn one after the other; otherwise all at once."),
        "truth": _("The line of Enter tells you, and only you, whether what you lay is true."),
        "sound": _("A bell when your turn begins, when your time is short, when somebody joins your table."),
        "title": _("The window's title says when it is your turn."),
        "clock_s": _("A table that you open begins with this; you can still change it there."),
        "grace_s": _("A table that you open begins with this; you can still change it there."),
    }[setting]


def settled_by(by: str) -> str:
    """Beside a value that a flag or a variable settles."""
    return _("by {source}").format(source=by)


def locked(by: str) -> str:
    """Why a value cannot be changed: a flag or a variable goes before it."""
    return _("{source} settles this for now; start without it to change it.").format(source=by)


def kept_in(path: str) -> str:
    """Where the settings are."""
    return _("Kept in {path}").format(path=path)


def no_theme(name: str) -> str:
    """The settings name a theme that this version does not have."""
    return _("There is no theme {name}; choose another one in the settings.").format(name=name)


def sound(key: str, *, rings: bool) -> str:
    """Say that the bells were switched. key: the cap of the key that switches them back."""
    sentence = _("Sound is on. {key} switches it off.")
    return (sentence if rings else _("Sound is off. {key} switches it on again.")).format(key=key)


def set_aside(found: Unreadable) -> str:
    """Say that the settings were not understood, why, and where they are now."""
    match found.cause:
        case TextError() as error:
            reason = text_problem(error)
        case TableRulesError() as error:
            reason = table_rule_refused(error)
        case _:
            reason = f"({found.detail})"
    if found.moved_to is None:
        text = _("The settings in {path} cannot be read; the usual ones hold. {reason}")
        return text.format(path=found.path, reason=reason)
    text = _("The settings were not understood, so the usual ones hold. {reason} They lie in {path}")
    return text.format(path=found.moved_to, reason=reason)
