"""Saving a deal's transcript where the program was started: a safe name, and nothing is ever overwritten."""

import unicodedata
from pathlib import Path

from p2p.net.paths import local_errors, replace_file

_TITLE_CHARACTERS = 40
"""Of the table's title; with the rest, and four bytes a letter, it stays within the 255 bytes of a name."""


def transcript_name(title: str, deal: int, number: int = 1) -> str:
    """Return a file's name for a deal of a table; the second and later files of one name carry `number`.

    Letters and digits of the title stay; whatever a shell or a file system could take for more becomes "-".
    """
    plain = unicodedata.normalize("NFC", title)[:_TITLE_CHARACTERS]
    words = "".join(letter if letter.isalnum() else " " for letter in plain).split()
    more = "" if number == 1 else f"-{number}"
    return f"verish-{'-'.join(words) or 'table'}-deal-{deal}{more}.jsonl"


def save_transcript(folder: Path, title: str, deal: int, content: bytes) -> Path:
    """Write a transcript to a new file in `folder`; return its path.

    A crash at any moment leaves a whole file or an empty one. Raises: LocalError (unreadable, disk-full).
    """
    path = _taken(folder, title, deal)
    try:
        replace_file(path, content)
    except BaseException:
        path.unlink(missing_ok=True)
        raise
    return path


def _taken(folder: Path, title: str, deal: int) -> Path:
    """Make an empty file under the first free name, so that nobody else takes it. Raises: LocalError."""
    number = 1
    while True:
        path = folder / transcript_name(title, deal, number)
        with local_errors(path):
            try:
                path.touch(exist_ok=False)
            except FileExistsError:
                number += 1
            else:
                return path
