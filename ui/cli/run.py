"""The group of commands, and the one place where errors become exit codes."""

import importlib
import io
from collections.abc import Sequence
from importlib import metadata

import click

from ui.cli import PROGRAM
from ui.cli.exits import Exit
from ui.cli.output import note
from ui.i18n import LANGUAGES
from ui.i18n import gettext as _
from ui.settings import OwnSettings

COMMANDS = (
    "play",
    "rules",
    "serve",
    "bot",
    "demo",
    "audit",
    "replay",
    "peers",
    "doctor",
    "stats",
    "bench",
    "sim",
    "completion",
)


class Commands(click.Group):
    """Loads a command's module only when that command, or the list of all, is asked for."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the names in the order in which a newcomer needs them."""
        del ctx
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Return the command, or None if there is none of that name."""
        del ctx
        if cmd_name not in COMMANDS:
            return None
        command = importlib.import_module(f"ui.cli.commands.{cmd_name}").command
        assert isinstance(command, click.Command)
        if not any(parameter.name == "lang" for parameter in command.params):
            # The language may be named before the command or after it.
            command.params.append(_language_option())
        return command


def _language_option() -> click.Option:
    """`--lang`, for the program and for each command; `ui.cli` has read its value before anything else."""
    return click.Option(
        ["--lang"],
        type=click.Choice(LANGUAGES),
        help=_("Language of the program; otherwise that of the settings, or of the locale."),
        expose_value=False,
    )


def _print_version(ctx: click.Context, _param: click.Parameter, wanted: bool) -> None:
    if wanted and not ctx.resilient_parsing:
        click.echo(f"{PROGRAM} {metadata.version(PROGRAM)}")
        ctx.exit()


@click.group(
    cls=Commands,
    help=_("Verish: the Russian game of bluff, played by peers on one network, where nobody can peek."),
    context_settings={"help_option_names": ["-h", "--help"]},
)
@click.option(
    "--version",
    is_flag=True,
    is_eager=True,
    expose_value=False,
    callback=_print_version,
    help=_("Show the version and exit."),
)
def cli() -> None:
    """Group of all commands; see the help text above."""


cli.params.insert(0, _language_option())


def run(arguments: Sequence[str], own: OwnSettings | None = None) -> int:
    """Run the command that the arguments name.

    own: the settings, where they have been read already.

    Returns: the exit code. Errors of this project's packages, wrong arguments and interruption never end in a
    traceback; anything else is our own bug and does.
    """
    try:
        outcome = cli.main(args=list(arguments), prog_name=PROGRAM, standalone_mode=False, obj=own)
    except click.ClickException as error:
        shown = io.StringIO()
        error.show(shown)
        note(shown.getvalue().rstrip("\n"))
        return Exit.USAGE
    except (KeyboardInterrupt, click.Abort):
        note(_("Interrupted."))
        return Exit.INTERRUPTED
    except BrokenPipeError:
        # The reader of a pipe went away; that is its right.
        return Exit.DONE
    except Exception as error:
        # Imported late: --version and --help need none of the packages whose errors these are.
        from ui.cli.exits import exit_for  # noqa: PLC0415
        from ui.words.trouble import explained  # noqa: PLC0415

        sentence = explained(error)
        if sentence is None:
            raise
        note(sentence)
        return exit_for(error)
    return outcome if isinstance(outcome, int) else Exit.DONE
