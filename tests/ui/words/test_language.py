"""The choice of the language."""

import pytest

from ui.i18n import LanguageChoice, choose_language, use_language
from ui.words.window import language_note


@pytest.mark.parametrize(
    ("option", "environ", "language"),
    [
        (None, {}, "en"),
        (None, {"LANG": "ru_RU.UTF-8"}, "ru"),
        (None, {"LANG": "en_GB.UTF-8"}, "en"),
        (None, {"LANG": "C.UTF-8"}, "en"),
        (None, {"LANG": "POSIX"}, "en"),
        (None, {"LANG": "en_US.UTF-8", "LC_MESSAGES": "ru_RU"}, "ru"),
        (None, {"LC_MESSAGES": "ru_RU", "LC_ALL": "en_US"}, "en"),
        (None, {"LC_ALL": "en_US", "VERISH_LANG": "ru"}, "ru"),
        ("en", {"VERISH_LANG": "ru"}, "en"),
        ("ru-RU", {}, "ru"),
        (None, {"LC_ALL": "", "LANG": "ru_RU@euro"}, "ru"),
    ],
)
def test_the_first_set_wish_decides(option: str | None, environ: dict[str, str], language: str) -> None:
    assert choose_language(option, environ, "utf-8") == LanguageChoice(language)


@pytest.mark.parametrize(
    ("option", "environ", "language"),
    [
        (None, {"LC_ALL": "en_US", "LANG": "en_US"}, "ru"),
        (None, {"VERISH_LANG": "en"}, "en"),
        ("en", {}, "en"),
    ],
)
def test_the_settings_go_before_the_locale_and_after_what_is_wished_of_verish(
    option: str | None, environ: dict[str, str], language: str
) -> None:
    assert choose_language(option, environ, "utf-8", own="ru") == LanguageChoice(language)


@pytest.mark.parametrize("encoding", ["ascii", "latin-1", "cp437", "no-such-encoding"])
def test_russian_falls_back_to_english_where_it_cannot_be_written(encoding: str) -> None:
    choice = choose_language("ru", {}, encoding)
    assert choice == LanguageChoice("en", refused="ru", unwritable=True)
    assert language_note(choice) == "This terminal cannot write the language ru; English is used."


@pytest.mark.parametrize("encoding", ["utf-8", "koi8-r", "cp1251", "cp866", "iso8859-5"])
def test_russian_is_spoken_in_every_encoding_that_has_its_letters(encoding: str) -> None:
    assert choose_language(None, {"LANG": "ru_RU"}, encoding) == LanguageChoice("ru")


def test_a_language_without_a_catalog_becomes_english_and_is_named() -> None:
    choice = choose_language(None, {"LANG": "de_DE.UTF-8"}, "utf-8")
    assert choice == LanguageChoice("en", refused="de")
    assert "does not speak" in language_note(choice)


def test_english_as_wished_needs_no_note() -> None:
    assert language_note(choose_language("en", {}, "ascii")) == ""


def test_an_unknown_language_cannot_be_used() -> None:
    with pytest.raises(ValueError, match="unknown language"):
        use_language("xx")
