"""Words of the program in a browser: of its page, and of the command that serves it."""

from ui.i18n import gettext as _
from ui.i18n import ngettext


def starting() -> str:
    """The page before the first picture."""
    return _("Verish is starting…")


def ended() -> str:
    """The page after the last one."""
    return _(
        "The game in this tab has ended. If it did not start at all, "
        "the reason stands where “verish serve” runs."
    )


def again() -> str:
    """A link to the beginning."""
    return _("Start again")


def too_many(count: int) -> str:
    """No more tabs are opened."""
    text = ngettext(
        "{count} tab is open, and more are not. Close one.",
        "{count} tabs are open, and more are not. Close one.",
        count,
    )
    return text.format(count=count)


def turned_away() -> str:
    """The page was asked for by another page, or under a strange name."""
    return _("Open the address that “verish serve” has printed.")


def missing() -> str:
    """The web server is not installed."""
    return _(
        "The web server is not installed. Install Verish with it: make serve, or pip install '.[serve]'."
    )


def serving(url: str) -> str:
    """Where the page is."""
    return _("Open {url} in a browser. Ctrl+C ends it.").format(url=url)


def exposed() -> str:
    """The page can be reached from elsewhere."""
    return _(
        "Warning: whoever reaches this page plays as you and sees your cards. It has no password, and what "
        "it shows travels unencrypted."
    )


def cannot_serve(host: str, port: int, reason: str) -> str:
    """The address cannot be bound."""
    return _(
        "Nothing can be served at {host}, port {port}: {reason}. Choose another --host or --port."
    ).format(host=host, port=port, reason=reason)
