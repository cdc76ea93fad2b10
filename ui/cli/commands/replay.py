"""`verish replay FILE`: watch a deal again."""

import os
import sys
from pathlib import Path

import click

from p2p.protocol.replay import NothingToReplay, read_replay
from p2p.protocol.transcript import MAX_TRANSCRIPT_BYTES
from ui.cli.exits import Exit
from ui.cli.options import look_options
from ui.cli.output import note
from ui.cli.terminal import has_screen, no_screen
from ui.glyphs import choose
from ui.i18n import gettext as _
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
@look_options
def command(file: Path, ascii_only: bool, light: bool) -> int:
    """Read and check the file, then show it."""
    if not has_screen():
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
    # Imported only now: the screens take a third of a second to load.
    from ui.replay.app import ReplayApp  # noqa: PLC0415
    from ui.theme import VERISH_LIGHT  # noqa: PLC0415

    glyphs = choose(os.environ.get("TERM", ""), sys.stdout.encoding, ascii_wanted=ascii_only)
    return ReplayApp(replay, glyphs, VERISH_LIGHT.name if light else None).run() or 0
