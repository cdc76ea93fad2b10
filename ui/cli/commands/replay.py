"""`verish replay FILE`: watch a deal again."""

import os
from pathlib import Path

import click

from p2p.protocol.replay import NothingToReplay, read_replay
from p2p.protocol.transcript import MAX_TRANSCRIPT_BYTES
from ui.cli.exits import Exit
from ui.cli.output import note
from ui.cli.own_settings import glyphs_of_terminal, look_options, refuse_screen_flags
from ui.cli.terminal import has_screen, is_plain, no_screen
from ui.i18n import gettext as _
from ui.settings import OwnSettings
from ui.words.replay import nothing, reading


@click.command(
    "replay",
    short_help=_("Watch a deal again."),
    help=_(
        "Watch a deal again, step by step or running, from its transcript; every proof is checked first. "
        "Where all have opened their books, every card is shown."
    ),
)
@click.argument("file", type=click.Path(path_type=Path, exists=True, dir_okay=False))
@click.option(
    "--plain",
    is_flag=True,
    help=_("By lines of text and numbered choices. Also reads a pipe. Usual where TERM is dumb."),
)
@look_options
def command(file: Path, plain: bool, own: OwnSettings) -> int:
    """Read and check the file, then show it."""
    plain = plain or is_plain()
    if plain:
        refuse_screen_flags()
    elif not has_screen():
        note(no_screen())
        return Exit.NO_TERMINAL
    note(reading())
    with file.open("rb") as opened:
        data = opened.read(MAX_TRANSCRIPT_BYTES + 1)
    try:
        replay = read_replay(data, os.urandom)
    except NothingToReplay as refused:
        note(nothing(refused.report))
        return Exit.USAGE
    if plain:
        from ui.plain.replay import told  # noqa: PLC0415

        return told(replay, own, glyphs_of_terminal())
    # Imported only now: the screens take a third of a second to load.
    from ui.replay.app import ReplayApp  # noqa: PLC0415

    return ReplayApp(replay, own, glyphs_of_terminal()).run() or 0
