"""Profiles: who one is on this machine. A profile is an identity with its store, used by one process at a
time.

A profile named `main` is a file `main.sqlite` beside its lock, `main.lock`. The lock is the operating
system's own, held on an open file, so it ends with the process however that dies; the lock file itself stays
and means nothing. Lock files are never deleted: two processes could otherwise lock two different files of one
name.
"""

import os
import re
import sys
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from p2p.errors import LocalError, LocalReason
from p2p.net.paths import PRIVATE_FILE_MODE, PROFILES_FOLDER, local_errors, profiles_folder

FIRST_PROFILE = "main"
"""Taken first; the next ones are `main-2`, `main-3` and so on."""

MOST_PROFILES = 64
"""How many profiles are tried before giving up: far more than processes that anyone starts by hand."""

_NAME = re.compile(r"\w[\w-]{0,31}")  # also a file name on every platform, at most 128 bytes


@dataclass(slots=True)
class Profile:
    """A profile that this process holds until `release`.

    name: what a person sees and may pass as `--profile`. path: of the store. chosen: it was asked for by
    name. first: it is the profile that is taken when nothing else runs (so there is nothing to say about it).
    """

    name: str
    path: Path
    chosen: bool
    _lock: int = field(repr=False)

    @property
    def first(self) -> bool:
        """Whether this is the first profile, the one that needs no announcement."""
        return self.name == FIRST_PROFILE

    def release(self) -> None:
        """Let another process have the profile. Does nothing the second time."""
        if self._lock >= 0:
            os.close(self._lock)
            self._lock = -1


def store_of(home: Path, name: str = FIRST_PROFILE) -> Path:
    """Return where the store of a profile is, or would be; takes and makes nothing.

    Raises: LocalError (profile-name).
    """
    if not _NAME.fullmatch(name):
        raise LocalError(LocalReason.PROFILE_NAME, name)
    return home / PROFILES_FOLDER / f"{name}.sqlite"


def take_profile(
    home: Path, name: str | None = None, prefer: Callable[[Path], bool] | None = None
) -> Profile:
    """Lock a profile of `home` for this process: the one named; else the first free one whose store exists
    and `prefer` likes; else the first that is free.

    Raises: LocalError (profile-taken, profile-name, no-free-profile, unreadable, disk-full).
    """
    if name is not None:
        if not _NAME.fullmatch(name):
            raise LocalError(LocalReason.PROFILE_NAME, name)
        profile = _take(profiles_folder(home), name, chosen=True)
        if profile is None:
            raise LocalError(LocalReason.PROFILE_TAKEN, name)
        return profile
    folder = profiles_folder(home)
    names = [FIRST_PROFILE, *(f"{FIRST_PROFILE}-{number}" for number in range(2, MOST_PROFILES + 1))]
    for free in names if prefer is not None else ():
        if (folder / f"{free}.sqlite").exists():
            profile = _take(folder, free)
            if profile is not None and prefer is not None and prefer(profile.path):
                return profile
            if profile is not None:
                profile.release()
    for free in names:
        profile = _take(folder, free)
        if profile is not None:
            return profile
    raise LocalError(LocalReason.NO_FREE_PROFILE, str(folder))


def _take(folder: Path, name: str, *, chosen: bool = False) -> Profile | None:
    """Lock a profile, or return None if another process has it."""
    lock = _try_lock(folder / f"{name}.lock")
    return None if lock is None else Profile(name, folder / f"{name}.sqlite", chosen, lock)


def _try_lock(path: Path) -> int | None:
    """Return an open descriptor that holds the lock, or None if another holder has it."""
    with local_errors(path):
        # Python opens descriptors that a started program does not inherit, so no child outlives us with the
        # lock.
        descriptor = os.open(path, os.O_RDWR | os.O_CREAT, PRIVATE_FILE_MODE)
        try:
            if hasattr(os, "fchmod"):
                os.fchmod(descriptor, PRIVATE_FILE_MODE)
            taken = _lock_now(descriptor)
        except BaseException:
            os.close(descriptor)
            raise
    if taken:
        return descriptor
    os.close(descriptor)
    return None


if sys.platform == "win32":
    import msvcrt

    def _lock_now(descriptor: int) -> bool:
        try:
            msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)
        except OSError:
            return False
        return True

else:
    import fcntl

    def _lock_now(descriptor: int) -> bool:
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        return True
