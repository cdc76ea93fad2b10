"""The settings of the person at this computer: the file that keeps them, and what one start puts above it.

Whatever is settled on the command line goes before an environment variable, that before the file, the file
before what is usual. The first two hold for one start only: whoever reads them (`ui.cli.own_settings`) notes
them here with `override`, and they are never written down.

The file is read strictly, as a whole. One that cannot be understood is set aside, never overwritten, and the
program starts with what is usual: nobody should be kept from a game by a misspelt colour.
"""

import asyncio
import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Literal

import msgspec

from p2p.errors import LocalError, LocalReason
from p2p.net.paths import config_home, local_errors, open_at_once, replace_file, set_aside
from p2p.protocol.text import TextError, own_name

if TYPE_CHECKING:
    from p2p.protocol.table_rules import TableRules

FILE_NAME: Final = "settings.json"
MOST_BYTES: Final = 16_384
"""Far more than all settings take; a bigger file is none of ours."""

Suits = Literal["two", "four"]
Letters = Literal["own", "latin"]
Language = Literal["en", "ru"]


class Settings(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """What a person can set. None stands for what is usual where that depends on the computer or the table.

    language: None for that of the locale. name: None for that of the account. theme: the name of a theme,
    None for the house's dark one. suits: in two colours or four. ascii: plain characters only. letters:
    pictures and aces with the letters of the language, or the Latin ones. sound: bells. title: tell a turn in
    the terminal's title. animation: reveals take their time. truth: the Enter line says whether a lay is
    true. clock_s, grace_s: the times that a new table begins with, None for the usual.

    Decoding refuses what cannot be: its error has the `TextError` or `TableRulesError` as its cause.
    """

    language: Language | None = None
    name: str | None = None
    theme: str | None = None
    suits: Suits = "two"
    ascii: bool = False
    letters: Letters = "own"
    sound: bool = True
    title: bool = True
    animation: bool = True
    truth: bool = True
    clock_s: int | None = None
    grace_s: int | None = None

    def __post_init__(self) -> None:
        if self.name is not None:
            try:
                msgspec.structs.force_setattr(self, "name", own_name(self.name))
            except TextError as error:
                # Only a ValueError becomes an error of decoding.
                raise ValueError("name") from error
        if (self.clock_s, self.grace_s) != (None, None):
            _ = self.table_rules  # refuses what no table has

    @property
    def table_rules(self) -> "TableRules":
        """The rules of the table that a new one begins with."""
        # Imported late: every command reads the settings, and few need the rules of the game.
        from p2p.protocol.table_rules import TableRules  # noqa: PLC0415

        usual = TableRules()
        return TableRules(
            clock_s=usual.clock_s if self.clock_s is None else self.clock_s,
            grace_s=usual.grace_s if self.grace_s is None else self.grace_s,
        )


USUAL: Final = Settings()
"""What holds where nothing is set."""

SCREEN_ONLY: Final = frozenset({"theme", "suits", "animation", "sound", "title"})
"""The settings that do nothing where lines of text are all there is."""


@dataclass(frozen=True, slots=True)
class Unreadable:
    """A file of settings that was not understood.

    moved_to: where it lies now; None if it could not be moved. detail: what the reader says is wrong, on one
    printable line. cause: the error behind it.
    """

    path: Path
    moved_to: Path | None
    detail: str
    cause: BaseException


def settings_file(environ: Mapping[str, str] = os.environ) -> Path:
    """Return where the settings are kept. Makes nothing."""
    return config_home(environ) / FILE_NAME


def read(path: Path) -> tuple[Settings, Unreadable | None]:
    """Return what a file holds; what is usual if there is none, or if it is not understood."""
    try:
        with open_at_once(path) as file:
            data = file.read(MOST_BYTES + 1)
    except FileNotFoundError:
        return USUAL, None
    except OSError as error:
        return USUAL, Unreadable(path, None, error.strerror or str(error), error)
    try:
        return _decoded(data), None
    except ValueError as error:  # msgspec's own errors are among them
        return USUAL, Unreadable(path, _moved(path), _plain(str(error)), _root(error))


def _decoded(data: bytes) -> Settings:
    if len(data) > MOST_BYTES:
        raise ValueError("too long")
    return msgspec.json.decode(data, type=Settings)


def _plain(text: str) -> str:
    """Leave out of the reader's words what a damaged file could steer a terminal with."""
    return "".join(character if character.isprintable() else "?" for character in text)


def _root(error: BaseException) -> BaseException:
    return error if error.__cause__ is None else _root(error.__cause__)


def _moved(path: Path) -> Path | None:
    try:
        return set_aside(path)
    except LocalError:
        return None


def write(path: Path, changes: Mapping[str, object]) -> Unreadable | None:
    """Change some settings of a file, and leave the others as another process may have written them.

    Returns: the file that was found instead of settings, and set aside. Raises: LocalError.
    """
    settings, unreadable = read(path)
    if unreadable is not None and unreadable.moved_to is None:
        raise LocalError(LocalReason.UNREADABLE, str(path), unreadable.detail)
    changed = msgspec.structs.replace(settings, **changes)
    with local_errors(path.parent):
        path.parent.mkdir(parents=True, exist_ok=True)
    replace_file(path, msgspec.json.format(msgspec.json.encode(changed)) + b"\n")
    return unreadable


class OwnSettings:
    """The settings of this process: what holds now, what overrides the file, and the changes to be written.

    path: the file; None to keep nothing. stored: what it holds. unreadable: what was found instead of it.
    """

    def __init__(
        self, path: Path | None = None, stored: Settings = USUAL, unreadable: Unreadable | None = None
    ) -> None:
        self.unreadable = unreadable
        self.path = path
        self._stored = stored
        self._overrides: dict[str, tuple[object, str]] = {}
        self._unsaved: dict[str, object] = {}
        self._saving = asyncio.Lock()

    @classmethod
    def load(cls, path: Path | None = None) -> "OwnSettings":
        """Read the settings of the person at this computer."""
        path = settings_file() if path is None else path
        return cls(path, *read(path))

    @property
    def now(self) -> Settings:
        """What holds now."""
        values = {name: value for name, (value, _by) in self._overrides.items()}
        return msgspec.structs.replace(self._stored, **values) if values else self._stored

    def override(self, name: str, value: object, by: str) -> None:
        """Put a value above the file for this start. by: the flag or the variable that settles it."""
        self._overrides[name] = (value, by)

    def overridden_by(self, name: str) -> str:
        """Return the flag or the variable that settles a setting; "" if none does."""
        return self._overrides[name][1] if name in self._overrides else ""

    def change(self, name: str, value: Any) -> None:
        """Set one setting, from now on; `save` writes it down. Raises: ValueError if it cannot be."""
        self._stored = msgspec.structs.replace(self._stored, **{name: value})
        self._unsaved[name] = value

    async def save(self) -> Unreadable | None:
        """Write down what has changed, beside the loop.

        Returns and raises what `write` does; what could not be written is tried again next time.
        """
        async with self._saving:
            changes, self._unsaved = self._unsaved, {}
            if not changes or self.path is None:
                return None
            try:
                return await asyncio.to_thread(write, self.path, changes)
            except BaseException:
                self._unsaved = changes | self._unsaved
                raise
