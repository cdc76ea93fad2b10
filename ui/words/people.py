"""Who a sentence is about."""

from collections.abc import Iterable
from dataclasses import dataclass

from ui.i18n import gettext as _
from ui.i18n import pgettext


@dataclass(frozen=True, slots=True)
class Who:
    """A person of a sentence: the reader himself (`own`) or somebody with a name."""

    name: str
    own: bool = False

    @property
    def label(self) -> str:
        """What stands in lists: "You" for the reader, else the name."""
        return _("You") if self.own else self.name


def listed(names: Iterable[str]) -> str:
    """Return names in a row, as after "Before you:"."""
    return ", ".join(names)


def company(first: int = 0) -> tuple[str, ...]:
    """Names of the bots that keep one company, in the order in which they are called in.

    first: any number that tells their owner from others, for two people's bots should rarely share a name.
    """
    names = (
        pgettext("name of a bot", "bot Anna"),
        pgettext("name of a bot", "bot Boris"),
        pgettext("name of a bot", "bot Vera"),
        pgettext("name of a bot", "bot Gleb"),
        pgettext("name of a bot", "bot Dina"),
        pgettext("name of a bot", "bot Egor"),
        pgettext("name of a bot", "bot Zoya"),
        pgettext("name of a bot", "bot Ivan"),
        pgettext("name of a bot", "bot Olga"),
        pgettext("name of a bot", "bot Pavel"),
        pgettext("name of a bot", "bot Rita"),
        pgettext("name of a bot", "bot Timur"),
    )
    start = first % len(names)
    return (*names[start:], *names[:start])


def clock(seconds: float) -> str:
    """Return a span of time as minutes and seconds, 1:12."""
    whole = max(0, int(seconds))
    return f"{whole // 60}:{whole % 60:02d}"
