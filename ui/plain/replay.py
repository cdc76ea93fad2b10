"""`verish replay FILE` in plain mode: one deal is told over standard input and output."""

import asyncio
import signal
import sys

from p2p.net.node_events import NodeEvent
from p2p.protocol.replay import Replay
from ui.cli.ending import exit_code, told_by
from ui.cli.exits import Exit
from ui.glyphs import GlyphSet
from ui.plain.console import Console, shown_signs
from ui.plain.dialogue import Dialogue, End, EndedError, Interrupt, QuittingError
from ui.plain.retelling import retell
from ui.settings import OwnSettings
from ui.words import plain
from ui.words.ranks import print_latin


class NoNews:
    """Nothing happens while a file is told."""

    meaning = None

    def take(self, _event: NodeEvent) -> tuple[str, ...]:
        """There is no event."""
        return ()

    def catch_up(self, *, whole: bool) -> tuple[str, ...]:
        """Nothing changes."""
        del whole
        return ()

    def due(self) -> tuple[str, ...]:
        """Nothing comes of time."""
        return ()


def told(replay: Replay, settings: OwnSettings, glyphs: GlyphSet) -> int:
    """Tell a deal until the person has heard enough; return the exit code."""
    print_latin(settings.now.letters == "latin")
    return asyncio.run(_over_console(replay, Console(shown_signs(settings, glyphs))))


async def _over_console(replay: Replay, console: Console) -> int:
    dialogue, loop = Dialogue(console, NoNews()), asyncio.get_running_loop()
    loop.add_signal_handler(signal.SIGINT, dialogue.put, Interrupt())
    for number in told_by():
        loop.add_signal_handler(number, dialogue.put, End(exit_code(number)))
    console.open(dialogue.put)
    try:
        return await tell(replay, dialogue, at_terminal=sys.stdin.isatty())
    finally:
        await console.close()


async def tell(replay: Replay, dialogue: Dialogue, *, at_terminal: bool = True) -> int:
    """Tell it over a dialogue; return the exit code. at_terminal: a person types, so that an end of input is
    an answer.
    """
    try:
        await retell(dialogue, replay)
    except QuittingError:
        # Nothing is lost by leaving.
        return Exit.DONE
    except EndedError as ended:
        if ended.code is not None:
            return ended.code
        dialogue.say(plain.input_ended(at_table=False))
        return Exit.DONE if dialogue.answers or at_terminal else Exit.NO_TERMINAL
    return Exit.DONE
