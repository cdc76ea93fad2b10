"""One evening: a node, the headless peers that keep one company, and an interface over them."""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final, Protocol

from crypto import fingerprint
from engine import Ruleset
from p2p.net.node import Node, NodeConfig
from p2p.protocol.table_code import TableCode
from p2p.protocol.table_rules import TableRules
from ui.arrival import join_when_open
from ui.cli.ending import exit_code, told_by
from ui.cli.exits import Exit
from ui.cli.output import note
from ui.companions import Companions
from ui.evening import Evening
from ui.manner import USUAL_MANNER, Manner
from ui.words.people import company
from ui.words.resuming import nothing_unfinished

BOTS_FOLDER: Final = "bots"
"""Below the data folder, a folder for each profile: the headless peers' own keys and journals."""


@dataclass(frozen=True, slots=True)
class Start:
    """What is done before anything is asked.

    ruleset, table_rules, seats: of the table that is opened, for `bots` headless peers, who play in that
    `manner`, or (`open_title`) for whoever comes. join_title: wait for a table of this name and take a seat.
    code: of that table, or of the own one. resume: take up the unfinished table without asking; there must be
    one. first_deal: explain the first deal at the table that is opened. watch: the title of a table to watch
    once it is played.
    """

    ruleset: Ruleset
    table_rules: TableRules
    bots: int | None = None
    manner: Manner = USUAL_MANNER
    open_title: str | None = None
    join_title: str | None = None
    seats: int | None = None
    code: TableCode | None = None
    resume: bool = False
    first_deal: bool = False
    watch: str | None = None


class Face(Protocol):
    """What a person sees and answers."""

    async def run(self) -> int:
        """Show it until the person quits or `exit` is called; return the exit code."""

    def exit(self, result: int) -> None:
        """End it, with this exit code."""

    def say(self, sentence: str) -> None:
        """Say something."""


Build = Callable[[Node, Companions, Start, Callable[[], None]], Face]
"""Makes the interface of a running node, its company, what the evening begins with, and what is to be called
where an unfinished table is there and is not taken up.
"""


async def play(config: NodeConfig, start: Start, build: Build) -> int:
    """Run the program until the person quits or the process is told to end; return the exit code.

    Raises: LocalError, NetworkError as `Node` does.
    """
    async with Node(config) as node:
        own = node.lobby.own_name
        names = [name for name in company(int.from_bytes(node.key)) if name != own]
        folder = config.home / BOTS_FOLDER / node.profile
        companions = Companions(folder, fingerprint(node.key), node.port, names, start.manner)
        evening = Evening(node, companions)
        unfinished = node.unfinished
        if start.resume and unfinished is None:
            note(nothing_unfinished())
            return Exit.USAGE
        arrivals: list[asyncio.Task[None]] = []

        def begin() -> None:
            if start.join_title is not None:
                work = join_when_open(node, start.join_title, start.code)
                arrivals.append(asyncio.create_task(work))
            else:
                _open(evening, start)

        face = build(node, companions, start, begin)
        companions.complain = face.say
        if unfinished is None:
            begin()
        elif start.resume:
            evening.take_up()
        loop = asyncio.get_running_loop()
        for number in told_by():
            # The terminal is put in order again; a deal that is played can be taken up.
            loop.add_signal_handler(number, face.exit, exit_code(number))
        code = None
        try:
            code = await face.run()
        finally:
            for task in arrivals:
                task.cancel()
            # Who has quit has left. What was ended from outside can be taken up again, by all.
            await companions.close(for_good=code == 0)
    return code or 0


def _open(evening: Evening, start: Start) -> None:
    """Open the table that was asked for, if one was."""
    title = start.open_title or evening.node.lobby.own_name
    if start.bots is not None:
        evening.play_with_bots(
            start.bots, start.ruleset, start.table_rules, start.manner, title=title, seats=start.seats
        )
    elif start.open_title is not None:
        assert start.seats is not None, "a table has seats"
        evening.open_table(title, start.ruleset, start.seats, start.table_rules, start.code)
