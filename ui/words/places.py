"""What can be done on each screen, in sentences, for the help; that of the table is `ui.words.situation`."""

from p2p.protocol.snapshot import Phase, TableSnapshot
from ui.i18n import gettext as _
from ui.words.company import goes_on
from ui.words.ends import audit_sentence


def lobby_help() -> tuple[str, ...]:
    """Sentences about the lobby."""
    return (
        _("Choose a table and join it. You read its rules before you agree to anything."),
        _("Or open one yourself: everybody on this network sees it at once."),
        _("Behind each name stand the first four signs of its fingerprint. Compare them aloud."),
        _("A name can be imitated, a fingerprint cannot."),
    )


def form_help() -> tuple[str, ...]:
    """Sentences about forms that are filled in."""
    return (
        _("Choose a field with the arrows and change it. ≠ marks what differs from the form."),
        _("Nothing is sent before Enter."),
    )


def field_help() -> tuple[str, ...]:
    """Sentences about a page that asks for one thing, an address or a code."""
    return (
        _("Type what is asked for, or paste it; the line of Enter says when it is complete."),
        _("Nothing is sent before Enter."),
    )


def settings_help() -> tuple[str, ...]:
    """Sentences about the settings."""
    return (
        _("Choose a field with the arrows and change it. What you change holds at once, and is kept."),
        _("A flag of this start goes before an environment variable, both go before what is kept."),
    )


def resume_help() -> tuple[str, ...]:
    """Sentences about a table that was left by a crash."""
    return (
        _("The program ended while you sat at this table. All that your seat needs is in its journal."),
        _("Taken up again, you sit in your seat with your cards and learn what you have missed."),
        _("Left unfinished, the deal is offered again at the next start, until you play at another table."),
    )


def trust_help() -> tuple[str, ...]:
    """Sentences about the page of promises."""
    return (
        _("Each line is a promise, with its own number of this moment."),
        _("Your computer has checked every proof itself. It takes nobody's word."),
        _("What no program can promise stands last."),
        _("The transcript is the whole deal as a file; verish audit checks it without any key."),
    )


def log_help() -> tuple[str, ...]:
    """Sentences about the log."""
    return (
        _("The whole deal, the newest line at the bottom."),
        _("“Calls only” leaves out every packet that nobody called."),
        _("Behind a name with a colon stands talk. It is no part of the game, and is kept nowhere."),
    )


def replay_help() -> tuple[str, ...]:
    """Sentences about a deal that is watched again."""
    return (
        _("Every proof of the deal was checked before it was shown."),
        _("A step is a lay, a call with what came of it, or four of a kind shown. ◆ marks the calls."),
        _("Where all have opened their books, every card is shown; else what was shown, and your own."),
    )


def table_help(table: TableSnapshot) -> tuple[str, ...]:
    """Sentences about a table before its first deal, or after one."""
    if table.phase is Phase.GATHERING:
        return (
            _("Read the rules; what differs from the form stands first."),
            _(
                "When all are ready, everybody's program signs the same table. After that nobody can "
                "change it."
            ),
            _("Then all shuffle, one after the other."),
            *((goes_on(table.ruleset),) if table.goes_on else ()),
        )
    found = [
        _("“Exposed” counts own bluffs that a call laid open, “guessed” own calls that were right."),
        _("The next deal begins when everybody wants it."),
        _(
            "Open the table again to change the company: others may join, and who stays keeps his count. "
            "Seats and dealer are drawn anew then."
        ),
    ]
    if table.result is not None and table.result.audit is not None:
        found.insert(0, audit_sentence(table, table.result.audit)[1])
    return tuple(found)
