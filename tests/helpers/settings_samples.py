"""Settings for tests of the screens; nothing is read or written."""

from typing import Any

from ui.settings import OwnSettings, Settings


def set_to(**values: Any) -> OwnSettings:
    """Return settings with these values, the others as usual."""
    return OwnSettings(stored=Settings(**values))


def still() -> OwnSettings:
    """Return settings under which a reveal shows its end at once, so that no test waits for it."""
    return set_to(animation=False)
