"""One seed of the simulator: a table from the lobby to its last receipt, with all that goes wrong at it."""

import random
import traceback
from collections import Counter
from dataclasses import dataclass, field
from typing import Final

from hasty_bot import HastyPolicy
from memory_player import Player
from memory_table import Chaos, MemoryNetwork
from tiny_group import OpenGroup

from engine import Ruleset
from p2p.protocol.deal_run import DealRun
from p2p.protocol.entry import Entry
from p2p.protocol.peer_events import DealEnded, ResultKind
from tests.simulation.checkers import (
    Checker,
    EqualDigests,
    EveryCardInOnePlace,
    NoShareBeforeSeal,
    OneEntryPerStep,
    OnlyTheRightfulReader,
    Progress,
    Violation,
)
from tests.simulation.faults import Faults, Strike, draw_strikes
from tests.simulation.persons import Persons

DEALS: Final = 2
"""At each table: the way from one deal to the next is part of it."""
SLICE_S: Final = 5.0
"""Virtual seconds between two looks at whether it goes on."""
STORM_S: Final = (4.0, 16.0)
"""In this time all faults strike."""
PAUSE_S: Final = (0.5, 3.0)
"""Between two of them, on average."""
COMMAND: Final = "python -m tests.simulation --seeds {seed}"

_SHORT = {"pack": 24, "end": "first_out"}
FORMS: Final = {
    "pagat": Ruleset.preset("pagat").with_(**_SHORT),
    "pagat, forced sets": Ruleset.preset("pagat").with_(**_SHORT, sets="forced"),
    "club": Ruleset.preset("club").with_(**_SHORT, claim_number="honest"),
    "club, open calls": Ruleset.preset("club").with_(**_SHORT, claim_number="honest", callers="any"),
    "club, stock": Ruleset.preset("club").with_(
        **_SHORT, claim_number="honest", deal="hand", hand_size=4, refill="every_turn"
    ),
    "dictionary": Ruleset.with_preset("dictionary", {**_SHORT, "next_dealer": "left"}),
    "dictionary, one random card": Ruleset.with_preset(
        "dictionary", {**_SHORT, "next_dealer": "left", "check": "one_random"}
    ),
}
"""The forms, short: the smallest pack, and whoever is out first ends the deal."""


@dataclass(frozen=True)
class Plan:
    """What a seed says."""

    players: int
    form: str
    chaos: Chaos
    think: tuple[float, float]
    strikes: tuple[Strike, ...]

    @classmethod
    def draw(cls, seed: int) -> "Plan":
        """Draw everything that varies."""
        chance = random.Random(f"plan/{seed}")
        players = chance.choice((2, 2, 2, 3, 3, 4))
        storm_s, pause_s = chance.uniform(*STORM_S), chance.uniform(*PAUSE_S)
        return cls(
            players,
            chance.choice(list(FORMS)),
            Chaos(most_delay=chance.choice((0.02, 0.1, 0.3))),
            (0.0, chance.choice((0.1, 0.5))),
            draw_strikes(chance, players, storm_s, pause_s),
        )


@dataclass
class Result:
    """What came of one seed or of many."""

    seeds: int = 0
    deals: int = 0
    finished: int = 0
    lost: int = 0
    blamed: int = 0
    restarts: int = 0
    faults: Counter[str] = field(default_factory=Counter)
    failed: list[tuple[int, str]] = field(default_factory=list)
    """Seeds, and what was found."""

    def add(self, other: "Result") -> None:
        """Take in the result of more seeds."""
        self.seeds += other.seeds
        self.deals += other.deals
        self.finished += other.finished
        self.lost += other.lost
        self.blamed += other.blamed
        self.restarts += other.restarts
        self.faults += other.faults
        self.failed += other.failed


class Spoken(Checker):
    """Every entry that its author has sent: none of them may ever be lost."""

    def __init__(self, network: MemoryNetwork) -> None:
        super().__init__(network)
        self.entries: set[bytes] = set()

    def spoken(self, player: Player, run: DealRun, entry: Entry) -> None:
        """Note an entry."""
        self.entries.add(entry.encode())


class Simulation:
    """One table with its faults and its checkers."""

    def __init__(self, seed: int) -> None:
        self.plan = plan = Plan.draw(seed)
        self.network = MemoryNetwork(plan.players, seed, chaos=plan.chaos, group=OpenGroup())
        self.network.seat_bots(HastyPolicy)
        for player in self.network.players:
            player.think = plan.think
        self.spoken = Spoken(self.network)
        EqualDigests(self.network)
        NoShareBeforeSeal(self.network)
        OneEntryPerStep(self.network)
        EveryCardInOnePlace(self.network)
        OnlyTheRightfulReader(self.network)
        self.progress = Progress(self.network)
        self.faults = Faults(self.network, plan.strikes, random.Random(f"faults/{seed}"))
        persons = Persons(self.network, FORMS[plan.form], DEALS, random.Random(f"persons/{seed}"))
        self.faults.returned = persons.returned

    def play(self) -> None:
        """Let the table play all its deals. Raises: Violation; whatever else an event of a peer raises."""
        while not self.network.run(self._done, seconds=SLICE_S):
            if self.faults.calm_since is not None:
                self.progress.check(self.faults.calm_since)
        wrong = [player.index for player in self.network.players if player.table.silent]
        if wrong:
            raise Violation(f"silent though nothing of their journals is lost: {wrong}")
        if self.blamed:
            raise Violation("an honest seat was blamed")
        if self.lost:
            raise Violation(f"{self.lost} entries are lost")

    def _done(self) -> bool:
        return all(map(_has_played_all, self.network.players))

    @property
    def lost(self) -> int:
        """Entries that were sent, and that some player has not kept."""
        return sum(
            entry not in player.disk.entries
            for player in self.network.players
            for entry in self.spoken.entries
        )

    @property
    def blamed(self) -> int:
        """Ends of deals that were not played to their end: nobody here has done anything wrong."""
        ends = [end for player in self.network.players for end in player.of(DealEnded)]
        return sum(end.result.kind is not ResultKind.FINISHED for end in ends)

    @property
    def finished(self) -> int:
        """Deals that everybody has seen to their end."""
        ended = [{end.deal for end in player.of(DealEnded)} for player in self.network.players]
        return len(set.intersection(*ended))


def simulate(seed: int) -> Result:
    """Play one seed."""
    result = Result(seeds=1, deals=DEALS)
    simulation = Simulation(seed)
    try:
        simulation.play()
        result.finished = simulation.finished
    except Exception as error:  # whatever a peer or a checker raises is a find
        where = traceback.extract_tb(error.__traceback__)[-1]
        at = f"{simulation.network.now:.3f} s, {where.name}:{where.lineno}"
        result.failed.append((seed, f"{type(error).__name__}: {error} ({at})"))
        result.finished = simulation.finished
    result.lost = simulation.lost
    result.blamed = simulation.blamed
    result.faults = simulation.faults.injected
    result.restarts = sum(player.lives - 1 for player in simulation.network.players)
    return result


def _has_played_all(player: Player) -> bool:
    table = player.peer._table if player.alive else None
    if table is None or table.current.number < DEALS or player.line.effects:
        return False  # a last receipt that waits for the disk is not kept yet
    deal = table.current.deal
    return deal.outcome is not None and len(deal.receipts) == len(table.current.terms.players)
