"""The command line: one module a command in `ui.cli.commands`, loaded only when it is asked for.

`main` is the console script. It chooses the language before click builds a single help text, and turns every
error of the packages below into one sentence and a documented exit code (`ui.cli.exits`).
"""

import os
import sys
from collections.abc import Sequence
from typing import NoReturn

from ui.i18n import LANGUAGE_VARIABLE, lend_to_libraries, start_language
from ui.literal import literal
from ui.settings import OwnSettings

PROGRAM = "verish"


def main(arguments: Sequence[str] | None = None) -> NoReturn:
    """Run one command and leave the process with its exit code."""
    arguments = list(sys.argv[1:] if arguments is None else arguments)
    own = OwnSettings.load()
    option = _wished_language(arguments)
    language = start_language(option, own.now.language)
    if option or os.environ.get(LANGUAGE_VARIABLE):
        own.override("language", language.language, "--lang" if option else LANGUAGE_VARIABLE)
    lend_to_libraries()
    if own.unreadable is not None:
        # Imported only here, as below: hardly any start has a damaged file.
        from ui.words.settings import set_aside  # noqa: PLC0415

        sys.stderr.write(f"{literal(set_aside(own.unreadable))}\n")
    if language.unwritable:
        # Imported only here: it is a rare terminal that cannot write a language.
        from ui.words.window import language_note  # noqa: PLC0415

        sys.stderr.write(f"{language_note(language)}\n")
    try:
        # Imported only now: help texts are translated while these modules load.
        from ui.cli.run import run  # noqa: PLC0415

        code = run(arguments, own)
    except KeyboardInterrupt:
        # While the modules were loading; afterwards `run` sees to it.
        from ui.cli.exits import Exit  # noqa: PLC0415

        code = Exit.INTERRUPTED
    sys.exit(code)


def _wished_language(arguments: Sequence[str]) -> str | None:
    """Find the last `--lang X` or `--lang=X`, before or after the command; click checks its value later."""
    found = None
    for index, argument in enumerate(arguments):
        if argument == "--":
            break
        if argument.startswith("--lang="):
            found = argument.removeprefix("--lang=")
        elif argument == "--lang" and index + 1 < len(arguments):
            found = arguments[index + 1]
    return found
