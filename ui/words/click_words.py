"""The sentences of click, which reads the command line, so that the catalogs hold them.

Click asks for them through gettext's global domain (`ui.i18n.lend_to_libraries`). Only those stand here that
a user of the commands can meet; what the catalogs lack stays English.
"""

from ui.i18n import gettext as _
from ui.i18n import ngettext


def click_sentences() -> tuple[str, ...]:
    """Return click's own words, in the language in use."""
    return (*_headings(), *_missing(), *_wrong_values(), *_files())


def _headings() -> tuple[str, ...]:
    return (
        _("Usage:"),
        _("Options"),
        _("Commands"),
        _("Positional arguments"),
        _("Show this message and exit."),
        _("default: {default}"),
        _("env var: {var}"),
        _("required"),
        _("Error: {message}"),
        _("Try '{command} {option}' for help."),
    )


def _missing() -> tuple[str, ...]:
    return (
        _("Missing command."),
        _("Missing argument"),
        _("Missing option"),
        _("Missing parameter"),
        _("Choose from:\n\t{choices}"),
        _("No such option {name!r}."),
        _("No such option: {name}"),
        _("No such command {name!r}."),
        ngettext("Did you mean {possibility}?", "(Did you mean one of: {possibilities}?)", 1),
    )


def _wrong_values() -> tuple[str, ...]:
    return (
        _("Invalid value: {message}"),
        _("Invalid value for {param_hint}: {message}"),
        ngettext("{value!r} is not {choice}.", "{value!r} is not one of {choices}.", 1),
        _("{value!r} is not a valid {number_type}."),
        _("{value!r} is not a valid boolean. Recognized values: {states}"),
        _("{value} is not in the range {range}."),
        _("Option {name!r} does not take a value."),
        ngettext("Option {name!r} requires an argument.", "Option {name!r} requires {nargs} arguments.", 1),
        ngettext("Got unexpected extra argument ({args})", "Got unexpected extra arguments ({args})", 1),
    )


def _files() -> tuple[str, ...]:
    return (
        _("file"),
        _("directory"),
        _("path"),
        _("{name} {filename!r} does not exist."),
        _("{name} {filename!r} is a file."),
        _("{name} {filename!r} is a directory."),
        _("{name} {filename!r} is not readable."),
        _("{name} {filename!r} is not writable."),
        _("Could not open file {filename!r}: {message}"),
    )
