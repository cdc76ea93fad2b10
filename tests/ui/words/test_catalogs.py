"""The catalogs are complete, and the tool that says so finds what is wrong."""

from pathlib import Path

import pytest

import ui
from ui import i18n
from ui.locale.catalogs import compile_to, complaints, update

PACKAGE = Path(ui.__file__).parent

SOURCE = """
from ui.i18n import gettext as _, ngettext, pgettext
_("{name} leads.")
ngettext("{count} card", "{count} cards", 2)
pgettext("banner", "YOUR TURN")
"""


@pytest.fixture
def project(tmp_path: Path) -> tuple[Path, Path]:
    """Return a package with three sentences and the folder of its one, empty catalog."""
    package, folder = tmp_path / "game", tmp_path / "locale"
    package.mkdir()
    (package / "words.py").write_text(SOURCE, encoding="utf-8")
    catalog = folder / "ru" / "LC_MESSAGES" / "verish.po"
    catalog.parent.mkdir(parents=True)
    head = (i18n.LOCALE_FOLDER / "ru" / "LC_MESSAGES" / "verish.po").read_text(encoding="utf-8")
    catalog.write_text(head.split("\n\n")[0] + "\n", encoding="utf-8")
    update(package, folder)
    return package, folder


def _translate(folder: Path, old: str, new: str) -> None:
    path = folder / "ru" / "LC_MESSAGES" / "verish.po"
    text = path.read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, new), encoding="utf-8")


LEADS = 'msgid "{name} leads."\nmsgstr "'
CARDS = 'msgid_plural "{count} cards"\nmsgstr[0] ""\nmsgstr[1] ""\nmsgstr[2] ""'
TURN = 'msgid "YOUR TURN"\nmsgstr "'


def _complete(folder: Path) -> None:
    _translate(folder, LEADS, LEADS + "Заходит {name}.")
    three = 'msgstr[0] "{count} карта"\nmsgstr[1] "{count} карты"\nmsgstr[2] "{count} карт"'
    _translate(folder, CARDS, 'msgid_plural "{count} cards"\n' + three)
    _translate(folder, TURN, TURN + "ВАШ ХОД")


def test_our_own_catalogs_are_complete() -> None:
    assert complaints(PACKAGE, i18n.LOCALE_FOLDER) == []


def test_new_sentences_are_reported_as_untranslated(project: tuple[Path, Path]) -> None:
    found = complaints(*project)
    assert len(found) == 3
    assert all("not translated" in line for line in found)


def test_a_complete_catalog_has_no_complaints(project: tuple[Path, Path]) -> None:
    _complete(project[1])
    assert complaints(*project) == []


def test_a_sentence_that_was_not_taken_in_is_reported(project: tuple[Path, Path]) -> None:
    package, folder = project
    _complete(folder)
    (package / "more.py").write_text('_("A new one.")\n', encoding="utf-8")
    assert complaints(package, folder) == ["ru: not in the catalog: A new one."]


def test_a_sentence_that_is_gone_is_reported_until_an_update(project: tuple[Path, Path]) -> None:
    package, folder = project
    _complete(folder)
    (package / "words.py").write_text(SOURCE.replace('_("{name} leads.")', ""), encoding="utf-8")
    assert complaints(package, folder) == ["ru: no longer in the source: {name} leads."]
    update(package, folder)
    assert complaints(package, folder) == []


def test_a_fuzzy_translation_is_reported(project: tuple[Path, Path]) -> None:
    _complete(project[1])
    _translate(project[1], 'msgid "{name} leads."', '#, fuzzy\nmsgid "{name} leads."')
    assert any("fuzzy" in line for line in complaints(*project))


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("Заходит {nmae}.", "unknown field nmae"),
        ("Заходит он.", "field name is missing"),
        ("Заходит {name", "a brace that does not close"),
    ],
)
def test_other_fields_than_those_of_the_english_are_reported(
    project: tuple[Path, Path], text: str, fault: str
) -> None:
    _complete(project[1])
    _translate(project[1], "Заходит {name}.", text)
    assert any(fault in line for line in complaints(*project))


def test_a_field_may_be_left_out_where_the_translator_says_so(project: tuple[Path, Path]) -> None:
    _complete(project[1])
    _translate(project[1], "Заходит {name}.", "Он заходит.")
    _translate(project[1], "#: game/words.py", "# leaves out: name\n#: game/words.py")
    assert complaints(*project) == []


def test_a_sentence_hidden_in_an_f_string_is_reported(project: tuple[Path, Path]) -> None:
    package, folder = project
    _complete(folder)
    (package / "more.py").write_text("""x = f"{_('Hidden.')} more"\n""", encoding="utf-8")
    assert any("f-string" in line for line in complaints(package, folder))


def test_an_update_without_news_changes_no_byte(project: tuple[Path, Path]) -> None:
    package, folder = project
    _complete(folder)
    update(package, folder)
    path = folder / "ru" / "LC_MESSAGES" / "verish.po"
    before = path.read_bytes()
    update(package, folder)
    assert path.read_bytes() == before


def test_compiled_catalogs_are_spoken(project: tuple[Path, Path], tmp_path: Path) -> None:
    _complete(project[1])
    compile_to(project[1], tmp_path / "built")
    i18n.use_language("ru", tmp_path / "built")
    assert i18n.gettext("{name} leads.") == "Заходит {name}."
    assert i18n.pgettext("banner", "YOUR TURN") == "ВАШ ХОД"
    assert i18n.ngettext("{count} card", "{count} cards", 22) == "{count} карты"


def test_without_a_compiled_catalog_english_remains(tmp_path: Path) -> None:
    i18n.use_language("ru", tmp_path)
    assert i18n.gettext("You lead.") == "You lead."
    assert i18n.ngettext("{count} card", "{count} cards", 2) == "{count} cards"
