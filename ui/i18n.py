"""Every sentence a player reads passes through here: gettext catalogs, and the choice of the language.

English stands in the source and is what remains when a catalog, or one sentence of it, is missing. A
catalog is `ui/locale/<language>/LC_MESSAGES/verish.po`; the program reads the compiled `.mo` beside it,
which `compile_catalogs` builds (at installation, and by `make`).

Two conventions let a translator decide everything in the catalog:

- fields are named, `{name} takes {count} cards.`, so their order is free;
- a field may be a word with several forms. `{ranks:of}` asks a rank for its genitive, `{number:f}` a
  number for its feminine: see `ui.words.ranks`. A translation chooses the form, the code does not.
"""

import gettext as _gettext
import locale
import os
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

DOMAIN: Final = "verish"
LOCALE_FOLDER: Final = Path(__file__).parent / "locale"
SOURCE_LANGUAGE: Final = "en"
LANGUAGES: Final = ("en", "ru")
LANGUAGE_VARIABLE: Final = "VERISH_LANG"

# What a screen must be able to write before it speaks the language.
_SAMPLE: Final = {"en": "", "ru": "Верю"}


@dataclass(frozen=True, slots=True)
class LanguageChoice:
    """Which language is spoken, and what was wished where that cannot be had.

    `refused` names a wished language that is not spoken; `unwritable` is true if the reason is that the
    terminal's encoding cannot write it, false if the program has no such catalog.
    """

    language: str
    refused: str | None = None
    unwritable: bool = False


class _Spoken:
    """The catalog in use. One process speaks one language at a time."""

    catalog: _gettext.NullTranslations = _gettext.NullTranslations()
    language: str = SOURCE_LANGUAGE


def gettext(message: str) -> str:
    """Return `message` in the language in use."""
    return _Spoken.catalog.gettext(message)


def ngettext(singular: str, plural: str, count: int) -> str:
    """Return the form for `count` things, by the plural rule of the language in use."""
    return _Spoken.catalog.ngettext(singular, plural, count)


def pgettext(context: str, message: str) -> str:
    """Return `message` as it is said in `context`; a context tells apart what English words alike."""
    return _Spoken.catalog.pgettext(context, message)


def npgettext(context: str, singular: str, plural: str, count: int) -> str:
    """Return the form for `count` things as it is said in `context`."""
    return _Spoken.catalog.npgettext(context, singular, plural, count)


def current_language() -> str:
    """Return the language in use, `en` or `ru`."""
    return _Spoken.language


def use_language(language: str, folder: Path = LOCALE_FOLDER) -> None:
    """Speak `language` from now on; English for every sentence that its catalog lacks.

    Raises: ValueError if the program does not know the language.
    """
    if language not in LANGUAGES:
        raise ValueError(f"unknown language {language!r}; known: {', '.join(LANGUAGES)}")
    _Spoken.catalog = _gettext.translation(DOMAIN, str(folder), [language], fallback=True)
    _Spoken.language = language


def lend_to_libraries(folder: Path = LOCALE_FOLDER) -> None:
    """Let libraries that ask gettext's global domain for their words, as click does, speak the language too.

    Their sentences stand in our catalogs; gettext takes the language from the environment alone.
    """
    _gettext.bindtextdomain(DOMAIN, str(folder))
    _gettext.textdomain(DOMAIN)
    os.environ["LANGUAGE"] = _Spoken.language


def choose_language(
    option: str | None = None,
    environ: Mapping[str, str] | None = None,
    encoding: str | None = None,
    own: str | None = None,
) -> LanguageChoice:
    """Find the language by `--lang`, then VERISH_LANG, the own settings, LC_ALL, LC_MESSAGES and LANG; the
    first set decides. (The locale comes last, for most systems set one whether or not anybody wished it.)

    encoding: what the terminal writes; found out if None. A language that it cannot write becomes English.
    own: the language of the settings.
    """
    environ = os.environ if environ is None else environ
    locales = (environ.get(key) for key in ("LC_ALL", "LC_MESSAGES", "LANG"))
    candidates = [option, environ.get(LANGUAGE_VARIABLE), own, *locales]
    wish = next((value for value in candidates if value), "")
    language = wish.replace("-", "_").split("_")[0].split(".")[0].split("@")[0].lower()
    if language in ("", "c", "posix"):
        return LanguageChoice(SOURCE_LANGUAGE)
    if language not in LANGUAGES:
        return LanguageChoice(SOURCE_LANGUAGE, refused=language)
    if not _can_write(_SAMPLE[language], encoding):
        return LanguageChoice(SOURCE_LANGUAGE, refused=language, unwritable=True)
    return LanguageChoice(language)


def start_language(option: str | None = None, own: str | None = None) -> LanguageChoice:
    """Choose the language of this process by `choose_language` and speak it."""
    choice = choose_language(option, own=own)
    use_language(choice.language)
    return choice


def compile_catalogs(target: Path = LOCALE_FOLDER) -> tuple[Path, ...]:
    """Compile every catalog of the source tree to `target`; return the files written.

    Needs babel, which building has and running does not need.
    """
    # Imported late: babel is a tool of the build, not of the game.
    from ui.locale.catalogs import compile_to  # noqa: PLC0415

    return compile_to(LOCALE_FOLDER, target)


def _can_write(sample: str, encoding: str | None) -> bool:
    """Tell whether text in `encoding` (that of standard output if None) can hold `sample`."""
    name = encoding or getattr(sys.stdout, "encoding", None) or locale.getpreferredencoding(False)
    try:
        sample.encode(name)
    except (UnicodeEncodeError, LookupError):
        return False
    return True
