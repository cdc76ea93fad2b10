"""Extracting, updating, compiling and checking the catalogs; needs babel, so only the tools import this."""

import ast
import io
import os
import re
import tempfile
from collections.abc import Iterator
from pathlib import Path
from string import Formatter
from typing import Final

from babel.messages.catalog import Catalog, Message
from babel.messages.extract import extract_from_dir
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po, write_po

DOMAIN: Final = "verish"

KEYWORDS: Final = {
    "_": None,
    "gettext": None,
    "ngettext": (1, 2),
    "pgettext": ((1, "c"), 2),
    "npgettext": ((1, "c"), 2, 3),
}

# A translator's remark that says which fields a translation leaves out on purpose: "# leaves out: name".
_OMISSION: Final = re.compile(r"leaves out:\s*([\w, ]+)")

# Headers that change with every run or say nothing: without them an update without news changes no byte.
_DATED_HEADER: Final = re.compile(
    rb'^"(?:POT-Creation-Date|PO-Revision-Date|Report-Msgid-Bugs-To|Last-Translator|Language-Team|Generated-By)'
    rb': .*\\n"\n',
    re.MULTILINE,
)


def catalog_files(folder: Path) -> Iterator[tuple[str, Path]]:
    """Yield (language, .po file) for each catalog in `folder`."""
    for path in sorted(folder.glob(f"*/LC_MESSAGES/{DOMAIN}.po")):
        yield path.parent.parent.name, path


def compile_to(folder: Path, target: Path) -> tuple[Path, ...]:
    """Compile each catalog of `folder` to a `.mo` file in the same place under `target`."""
    written = []
    for language, source in catalog_files(folder):
        buffer = io.BytesIO()
        write_mo(buffer, _read(source, language))
        path = target / language / "LC_MESSAGES" / f"{DOMAIN}.mo"
        path.parent.mkdir(parents=True, exist_ok=True)
        _replace(path, buffer.getvalue())
        written.append(path)
    return tuple(written)


def extract(package: Path) -> Catalog:
    """Return a catalog of every sentence that the source files under `package` hand to gettext."""
    catalog = Catalog(domain=DOMAIN, project="verish", charset="utf-8")
    found = extract_from_dir(
        str(package), method_map=[("**.py", "python")], keywords=KEYWORDS, comment_tags=("Translators:",)
    )
    # File names order the catalog and lead a translator to the place; line numbers would change with
    # every edit of the source, so they are left out.
    for filename, _line, message, comments, context in sorted(found, key=lambda item: (item[0], item[1])):
        where = f"{package.name}/{filename.replace(os.sep, '/')}"
        catalog.add(message, None, [(where, 0)], auto_comments=comments, context=context)
    return catalog


def update(package: Path, folder: Path) -> None:
    """Take the sentences of the source into every catalog; keep translations, drop what is gone."""
    template = extract(package)
    for language, path in catalog_files(folder):
        catalog = _read(path, language)
        catalog.update(template, no_fuzzy_matching=True, update_header_comment=False)
        catalog.obsolete.clear()
        buffer = io.BytesIO()
        write_po(buffer, catalog, width=110, include_lineno=False, ignore_obsolete=True)
        _replace(path, _DATED_HEADER.sub(b"", buffer.getvalue()))


def complaints(package: Path, folder: Path) -> list[str]:
    """Return what is wrong with the catalogs, one line each; empty if they are complete."""
    template = extract(package)
    wanted = {_key(message): message for message in template if message.id}
    found = list(_hidden_calls(package))
    for language, path in catalog_files(folder):
        catalog = _read(path, language)
        present = {_key(message): message for message in catalog if message.id}
        found += [f"{language}: not in the catalog: {key}" for key in wanted.keys() - present.keys()]
        found += [f"{language}: no longer in the source: {key}" for key in present.keys() - wanted.keys()]
        for key, message in present.items():
            found += [f"{language}: {fault}: {key}" for fault in _faults(message, catalog.num_plurals)]
    return sorted(found)


def _hidden_calls(package: Path) -> Iterator[str]:
    """Yield the places where a sentence stands inside an f-string: the extraction does not see it there."""
    for path in sorted(package.rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if not isinstance(node, ast.JoinedStr):
                continue
            for inner in ast.walk(node):
                if (
                    isinstance(inner, ast.Call)
                    and isinstance(inner.func, ast.Name)
                    and inner.func.id in KEYWORDS
                ):
                    yield f"{path.relative_to(package)}:{node.lineno}: a sentence inside an f-string"


def _faults(message: Message, plurals: int) -> Iterator[str]:
    """Yield what is wrong with one translation."""
    originals = (message.id,) if isinstance(message.id, str) else tuple(message.id)
    strings = (message.string,) if isinstance(message.string, str) else tuple(message.string)
    if message.fuzzy:
        yield "fuzzy"
    if len(strings) != (1 if len(originals) == 1 else plurals) or not all(strings):
        yield "not translated"
        return
    fields = set().union(*(_fields(text) for text in originals))
    # English may drop the number in its singular ("one card"), so the plural tells what must be there.
    needed = _fields(originals[-1]) - _omitted(message)
    for text in strings:
        if unknown := _fields(text) - fields:
            yield f"unknown field {', '.join(sorted(unknown))}"
        if missing := needed - _fields(text):
            yield f"field {', '.join(sorted(missing))} is missing"


def _fields(text: str) -> set[str]:
    """Return the names of the fields of a format string."""
    try:
        return {name for _literal, name, _spec, _conversion in Formatter().parse(text) if name}
    except ValueError:
        return {"(a brace that does not close)"}


def _omitted(message: Message) -> set[str]:
    """Return the fields that the translator's remark leaves out on purpose."""
    names: set[str] = set()
    for comment in message.user_comments:
        if match := _OMISSION.search(comment):
            names |= {name.strip() for name in match[1].split(",")}
    return names


def _key(message: Message) -> str:
    """Return what tells messages apart, readable."""
    text = message.id if isinstance(message.id, str) else message.id[0]
    return f"[{message.context}] {text}" if message.context else text


def _read(path: Path, language: str) -> Catalog:
    """Read one .po file."""
    with path.open("rb") as file:
        return read_po(file, locale=language, domain=DOMAIN)


def _replace(path: Path, data: bytes) -> None:
    """Write `data` to `path` in one step, so that a program that is starting reads the old or the new."""
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=path.name)
    with os.fdopen(handle, "wb") as file:
        file.write(data)
    Path(name).chmod(0o644)
    Path(name).replace(path)
