"""Who a sentence is about."""

from collections.abc import Iterable
from dataclasses import dataclass

from p2p.protocol.snapshot import NameWarning
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


def carries(name: str, fingerprint: str) -> bool:
    """Whether the first group of its fingerprint stands in a name, behind the name itself."""
    return f" {short_fingerprint(fingerprint)}" in name


def full_name(name: str, fingerprint: str) -> str:
    """A name with the first group of its fingerprint, which cannot be imitated."""
    return name if carries(name, fingerprint) else f"{name} {short_fingerprint(fingerprint)}"


def short_fingerprint(fingerprint: str) -> str:
    """Return the first group of a fingerprint."""
    return fingerprint.split("-", maxsplit=1)[0]


def name_warning(warning: NameWarning, name: str) -> str:
    """Return why a name deserves a second look."""
    return {
        NameWarning.IMITATES_YOU: _("! imitates you"),
        NameWarning.SAME_NAME: _("! has your name"),
        NameWarning.NOT_YOURS: _("! not your {name}").format(name=name),
        NameWarning.IMITATES: _("! look-alike"),
        NameWarning.NEW_KEY: _("! new key"),
    }[warning]
