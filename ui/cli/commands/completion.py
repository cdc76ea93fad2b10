"""`verish completion`: the script that lets a shell complete commands and options."""

import click
from click.shell_completion import get_completion_class

from ui.cli import PROGRAM
from ui.cli.output import say
from ui.i18n import gettext as _

SHELLS = ("bash", "zsh", "fish")


@click.command(
    "completion",
    help=_('Print the completion script of a shell. For bash: eval "$(verish completion bash)"'),
)
@click.argument("shell", type=click.Choice(SHELLS))
def command(shell: str) -> None:
    """Print the script; click itself answers the shell's questions through an environment variable."""
    from ui.cli.run import cli  # noqa: PLC0415

    completion = get_completion_class(shell)
    assert completion is not None
    say(completion(cli, {}, PROGRAM, f"_{PROGRAM.upper()}_COMPLETE").source())
