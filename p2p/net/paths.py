"""Where the program's own files are, and the few careful ways in which they are made, replaced and set aside.

Everything of ours lies in one private folder, `profiles`, inside the data folder of the platform. The data
folder itself may be one that a person named with `VERISH_HOME` and shares with others, so its mode is left as
it is; the folder inside is ours and always has mode 0700.
"""

import errno
import os
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO

import platformdirs

from p2p.errors import LocalError, LocalReason

HOME_VARIABLE = "VERISH_HOME"
"""Names the data folder instead of the platform's own."""

PROFILES_FOLDER = "profiles"
"""The private folder inside the data folder."""

PRIVATE_FOLDER_MODE = 0o700
PRIVATE_FILE_MODE = 0o600

_FULL = frozenset({errno.ENOSPC, errno.EDQUOT, errno.EFBIG})


def data_home(environ: Mapping[str, str] = os.environ) -> Path:
    """Return the data folder: `VERISH_HOME` if it is set and not empty, else the platform's. Makes
    nothing.
    """
    return _named_home(environ) or platformdirs.user_data_path("verish", appauthor=False)


def config_home(environ: Mapping[str, str] = os.environ) -> Path:
    """Return the folder of what a person sets by hand: `VERISH_HOME` if it is set and not empty, else the
    platform's. Makes nothing.
    """
    return _named_home(environ) or platformdirs.user_config_path("verish", appauthor=False)


def _named_home(environ: Mapping[str, str]) -> Path | None:
    """The folder that `VERISH_HOME` names. As in a shell, `~nobody` is a name like others where there is no
    such account.
    """
    named = environ.get(HOME_VARIABLE)
    return Path(os.path.expanduser(named)) if named else None


def open_at_once(path: Path) -> BinaryIO:
    """Open a file of ours to be read. A pipe in its place, which nobody may ever write to, holds nothing up:
    it is empty.

    Raises: OSError.
    """
    return open(path, "rb", opener=lambda name, flags: os.open(name, flags | getattr(os, "O_NONBLOCK", 0)))


def profiles_folder(home: Path) -> Path:
    """Make, if need be, the private folder that holds the profiles of `home`, and return it.

    Raises: LocalError (unreadable, disk-full).
    """
    folder = home / PROFILES_FOLDER
    make_private_folder(folder)
    return folder


def make_private_folder(folder: Path) -> None:
    """Make `folder` and its missing parents with mode 0700 whatever the umask; narrow an existing one to
    0700.

    Raises: LocalError (unreadable, disk-full).
    """
    with local_errors(folder):
        for parent in reversed(folder.parents):
            _make_one(parent)
        _make_one(folder)
        if not folder.is_dir():
            raise LocalError(LocalReason.UNREADABLE, str(folder), "a file is where a folder should be")
        # The umask may have taken bits away, and an older folder may have been opened to others.
        folder.chmod(PRIVATE_FOLDER_MODE)


def _make_one(folder: Path) -> None:
    try:
        folder.mkdir(mode=PRIVATE_FOLDER_MODE)
    except FileExistsError:
        return
    except OSError:
        # A read-only or foreign parent that exists is none of our business.
        if not folder.is_dir():
            raise


def make_private_file(path: Path) -> None:
    """Make an empty file with mode 0600 from its first moment, or narrow an existing one to 0600.

    Raises: LocalError (unreadable, disk-full).
    """
    with local_errors(path):
        descriptor = os.open(path, os.O_RDWR | os.O_CREAT, PRIVATE_FILE_MODE)
        try:
            if hasattr(os, "fchmod"):
                os.fchmod(descriptor, PRIVATE_FILE_MODE)
        finally:
            os.close(descriptor)


def replace_file(path: Path, content: bytes) -> None:
    """Write `content` to `path` so that a reader, or a crash at any moment, finds the old file or the new,
    never half.

    The new file takes the mode that the umask gives to any new file. Raises: LocalError (unreadable,
    disk-full).
    """
    with local_errors(path):
        target = path.resolve()
        descriptor, name = tempfile.mkstemp(prefix=f".{target.name}.", suffix=".new", dir=target.parent)
        try:
            with os.fdopen(descriptor, "wb") as file:
                file.write(content)
                file.flush()
                os.fsync(file.fileno())
            # mkstemp makes files private; a transcript is meant to be given away.
            umask = os.umask(0)
            os.umask(umask)
            os.chmod(name, 0o666 & ~umask)
            os.replace(name, target)
        except BaseException:
            Path(name).unlink(missing_ok=True)
            raise
        sync_folder(target.parent)


def sync_folder(folder: Path) -> None:
    """Bring a rename in `folder` to the disk, where the platform allows it."""
    try:
        descriptor = os.open(folder, os.O_RDONLY)
    except OSError:  # Windows opens no folders
        return
    try:
        os.fsync(descriptor)
    except OSError:
        # Some network file systems refuse; the rename itself has happened.
        pass
    finally:
        os.close(descriptor)


def set_aside(path: Path, companions: tuple[str, ...] = ()) -> Path:
    """Rename a damaged file to the first free `<name>.damaged-<n>`, and `<name><companion>` files along with
    it.

    companions: suffixes of files that belong to it, such as "-wal". Nothing is overwritten. Returns the new
    path. Raises: LocalError (unreadable, disk-full).
    """
    with local_errors(path):
        number = 1
        while _any_exists(aside := path.with_name(f"{path.name}.damaged-{number}"), companions):
            number += 1
        path.rename(aside)
        for companion in companions:
            beside = path.with_name(path.name + companion)
            if beside.exists():
                beside.rename(aside.with_name(aside.name + companion))
        sync_folder(path.parent)
    return aside


def _any_exists(path: Path, companions: tuple[str, ...]) -> bool:
    return any(os.path.lexists(path.with_name(path.name + companion)) for companion in ("", *companions))


@contextmanager
def local_errors(path: Path) -> Iterator[None]:
    """Turn an OSError about `path` into a LocalError with a reason."""
    try:
        yield
    except OSError as error:
        full = error.errno in _FULL
        reason = LocalReason.DISK_FULL if full else LocalReason.UNREADABLE
        raise LocalError(reason, str(path), os.strerror(error.errno) if error.errno else "") from error
