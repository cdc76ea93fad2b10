"""What goes wrong in a simulation: drawn from its seed, injected in virtual time, and over at some point.

A seed first draws which kinds of faults it has, then when each one strikes, whom, and for how long. A crash
falls between two effects: it is set for the so-manieth effect that the victim carries out from then on.
"""

import random
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from functools import partial

from memory_player import QUICK_JOBS_S, Player
from memory_table import Chaos, MemoryNetwork

from p2p.protocol.peer_effects import Emit, PeerEffect


class Fault(StrEnum):
    """The kinds of faults."""

    DELAY = "delay everywhere"
    JITTER = "jitter on one link"
    LOST_LINK = "link lost"
    PARTITION = "partition"
    CRASH = "crash"
    CRASH_ALL = "crash of all"
    SLOW_PEER = "slow peer"
    FULL_DISK = "disk refuses"
    DEAD_DISK = "disk refuses for good"
    LEAVE = "leave"
    DEATH = "death"
    LONG_CRASH = "crash, long"
    LONG_PARTITION = "partition, long"
    LONG_FULL_DISK = "disk refuses, long"


USUAL_WEIGHTS = {
    Fault.DELAY: 2,
    Fault.JITTER: 3,
    Fault.LOST_LINK: 4,
    Fault.PARTITION: 2,
    Fault.CRASH: 5,
    Fault.CRASH_ALL: 1,
    Fault.SLOW_PEER: 2,
    Fault.FULL_DISK: 2,
    Fault.DEAD_DISK: 1,
}
"""How often each kind strikes, where a seed has all of them."""

ABSENCES = {
    Fault.LEAVE: 3,
    Fault.DEATH: 3,
    Fault.LONG_CRASH: 5,
    Fault.LONG_PARTITION: 3,
    Fault.LONG_FULL_DISK: 1,
}
"""How often each kind strikes that makes a seat be missed: about the grace time long, or for ever."""
MOST_ABSENCES = 3
"""In one seed."""
ROUND_GRACE_S = ((-0.5, 2.5), (-5.0, 8.0), (0.0, 25.0))
"""How much longer than the grace time an absence lasts: just as long, roughly, or longer."""
IN_A_POLL = (Fault.CRASH, Fault.CRASH, Fault.LOST_LINK, Fault.JITTER, Fault.PARTITION, Fault.FULL_DISK)
"""What strikes somebody just when the grace time of another is over."""

IDLE_S = 3.5
"""A link whose other end is gone is given up after so long."""
MOST_EFFECTS = 60
"""A crash strikes at one of so many effects from its moment on."""
AWAY_S = (0.1, 6.0)
"""How long a process is gone."""
MENDED_S = 180.0
"""After so long a broken disk is mended, even if it had nothing to refuse."""
LASTS_S = (0.1, 5.0)
"""How long another fault lasts."""
WAITS_S = 1.0
"""How long an absence waits at a time for the table to be formed."""


@dataclass(frozen=True)
class Strike:
    """One fault: when it strikes, for how long, and at whom (places among the players)."""

    kind: Fault
    at: float
    lasts_s: float
    victims: tuple[int, ...]
    effect: int = 0
    """For a crash: at which effect from then on."""


def draw_strikes(chance: random.Random, players: int, storm_s: float, pause_s: float) -> tuple[Strike, ...]:
    """The faults of one seed. storm_s: in this time all of them strike; pause_s: between two, on average."""
    kinds = [kind for kind in USUAL_WEIGHTS if chance.random() < 0.6] or [Fault.CRASH]
    weights = [USUAL_WEIGHTS[kind] for kind in kinds]
    strikes: list[Strike] = []
    at = chance.expovariate(1 / pause_s)
    while at < storm_s:
        (kind,) = chance.choices(kinds, weights)
        strikes.append(_draw_strike(chance, kind, players, at))
        at += chance.expovariate(1 / pause_s)
    return tuple(strikes)


def draw_absences(chance: random.Random, players: int, storm_s: float, grace_s: float) -> tuple[Strike, ...]:
    """The strikes of one seed by which seats are missed, and what goes wrong while they are polled about. No
    more than one process stays dead.
    """
    strikes: list[Strike] = []
    for _ in range(chance.randint(1, MOST_ABSENCES)):
        (kind,) = chance.choices(list(ABSENCES), list(ABSENCES.values()))
        if kind is Fault.DEATH and any(one.kind is kind for one in strikes):
            kind = Fault.LONG_CRASH
        at = chance.uniform(2.0, storm_s)
        lasts_s = grace_s + chance.uniform(*chance.choice(ROUND_GRACE_S))
        order = chance.sample(range(players), players)
        count = chance.randrange(1, players) if kind is Fault.LONG_PARTITION else 1
        strikes.append(Strike(kind, at, lasts_s, tuple(order[:count]), chance.randint(1, MOST_EFFECTS)))
        while chance.random() < 0.6:
            then = at + chance.choice((0.0, grace_s, grace_s)) + chance.uniform(-1.0, 4.0)
            strikes.append(_draw_strike(chance, chance.choice(IN_A_POLL), players, then))
    return tuple(strikes)


def _draw_strike(chance: random.Random, kind: Fault, players: int, at: float) -> Strike:
    """One of the usual faults."""
    lasts = AWAY_S if kind in (Fault.CRASH, Fault.CRASH_ALL, Fault.DEAD_DISK) else LASTS_S
    order = chance.sample(range(players), players)
    count = {Fault.LOST_LINK: 2, Fault.JITTER: 2, Fault.PARTITION: chance.randrange(1, players)}
    victims = tuple(order[: count.get(kind, 1)])
    return Strike(kind, at, chance.uniform(*lasts), victims, chance.randint(1, MOST_EFFECTS))


class Faults:
    """Injects the strikes of a seed. `injected` counts those that really struck; `calm_since` tells when the
    last one was over.
    """

    def __init__(self, network: MemoryNetwork, strikes: tuple[Strike, ...], chance: random.Random) -> None:
        self.injected: Counter[str] = Counter()
        self.calm_since: float | None = None
        self.returned: Callable[[int], None] = lambda _index: None
        """Is told of each process that has been started again."""
        self.wants_to_leave: Callable[[int], None] = lambda _index: None
        """Is told of each person who wants to leave."""
        self.formed: Callable[[], bool] = lambda: True
        """Whether there is a table from which somebody can be missed: absences wait for it."""
        self.dead: set[int] = set()
        """Whose processes stay dead."""
        self._network = network
        self._chance = chance
        self._left = len(strikes)
        self._blocked: Counter[tuple[int, int]] = Counter()
        self._delays = 0
        self._usual = network.chaos
        self._doomed: dict[int, tuple[int, Strike]] = {}
        self._full: Counter[int] = Counter()
        self._broken: dict[int, Strike] = {}
        network.on_effect = self._dies
        network.on_given_up = self._gave_up
        network.may_link = lambda one, other: not self._blocked[_pair(one, other)]
        self._ways: dict[Fault, Callable[[Strike], None]] = {
            Fault.DELAY: self._delay,
            Fault.JITTER: self._jitter,
            Fault.LOST_LINK: self._lose_link,
            Fault.PARTITION: self._part,
            Fault.CRASH: self._crash,
            Fault.CRASH_ALL: self._crash_all,
            Fault.SLOW_PEER: self._slow_down,
            Fault.FULL_DISK: self._fill_disk,
            Fault.DEAD_DISK: self._break_disk,
            Fault.LEAVE: self._leave,
            Fault.DEATH: self._crash,
            Fault.LONG_CRASH: self._crash,
            Fault.LONG_PARTITION: self._part,
            Fault.LONG_FULL_DISK: self._fill_disk,
        }
        for strike in strikes:
            network.at(strike.at, partial(self._strike, strike))
        if not strikes:
            self.calm_since = 0.0

    # Time

    def _strike(self, strike: Strike) -> None:
        if strike.kind in ABSENCES and not self.formed():
            self._network.after(WAITS_S, partial(self._strike, strike))
        else:
            self._ways[strike.kind](strike)

    def _struck(self, strike: Strike) -> None:
        self.injected[strike.kind] += 1

    def _over(self) -> None:
        """One fault has passed, or found nothing to strike."""
        self._left -= 1
        if not self._left:
            self.calm_since = self._network.now

    def _later(self, strike: Strike, end: Callable[[], None]) -> None:
        def over() -> None:
            end()
            self._over()

        self._network.after(strike.lasts_s, over)

    # Links

    def _delay(self, strike: Strike) -> None:
        self._struck(strike)
        self._delays += 1
        self._network.chaos = Chaos(0.05, self._chance.choice((0.3, 1.0)))

        def end() -> None:
            self._delays -= 1
            if not self._delays:
                self._network.chaos = self._usual

        self._later(strike, end)

    def _jitter(self, strike: Strike) -> None:
        self._struck(strike)
        one, other = strike.victims
        self._network.slow_links[one, other] = Chaos(0.0, self._chance.choice((0.3, 2.0)))
        self._later(strike, lambda: self._network.slow_links.pop((one, other), None))

    def _lose_link(self, strike: Strike) -> None:
        self._block(strike, [_pair(*strike.victims)])

    def _part(self, strike: Strike) -> None:
        side = set(strike.victims)
        others = set(range(len(self._network.players))) - side
        self._block(strike, [_pair(one, other) for one in sorted(side) for other in sorted(others)])

    def _block(self, strike: Strike, pairs: list[tuple[int, int]]) -> None:
        """Nothing goes through between these; each end notices it in its own time."""
        self._struck(strike)
        for pair in pairs:
            self._blocked[pair] += 1
            silent = self._chance.random() < 0.5
            most = IDLE_S if silent else 0.0
            self._network.cut(*pair, noticed_s=(self._chance.uniform(0, most), self._chance.uniform(0, most)))

        def end() -> None:
            for pair in pairs:
                self._blocked[pair] -= 1
                self._network.link(*pair)

        self._later(strike, end)

    # Processes

    def _crash(self, strike: Strike) -> None:
        (victim,) = strike.victims
        if victim in self._doomed or not self._network.players[victim].alive:
            self._over()
            return
        self._doomed[victim] = (strike.effect, strike)
        # Between two deals there may not be so many effects: then it dies of nothing.
        self._network.after(5.0, lambda: self._dies_anyway(victim, strike))

    def _dies(self, player: Player, effect: PeerEffect) -> bool:
        """Whether the process dies before this effect."""
        left, strike = self._doomed.get(player.index, (0, None))
        if strike is None or isinstance(effect, Emit):
            return False
        if left > 1:
            self._doomed[player.index] = (left - 1, strike)
            return False
        self._died(player.index, strike)
        return True

    def _dies_anyway(self, victim: int, strike: Strike) -> None:
        if self._doomed.get(victim, (0, None))[1] is not strike:
            return
        if self._network.players[victim].alive:
            self._died(victim, strike)
            self._network.kill(victim)
        else:
            del self._doomed[victim]
            self._over()

    def _died(self, victim: int, strike: Strike) -> None:
        self._doomed.pop(victim, None)
        self._struck(strike)
        if strike.kind is Fault.DEATH:
            self.dead.add(victim)
            self._over()
        else:
            self._later(strike, lambda: self._restart(victim))

    def _crash_all(self, strike: Strike) -> None:
        players = [player for player in self._network.players if player.alive]
        for player in players:
            self._network.kill(player.index)
            _, doomed = self._doomed.pop(player.index, (0, None))
            if doomed is not None:
                self._over()
        self._struck(strike)

        def end() -> None:
            for player in players:
                self._restart(player.index)

        self._later(strike, end)

    def _restart(self, victim: int) -> None:
        if not self._network.players[victim].alive and victim not in self.dead:
            self._network.restart(victim)
            self.returned(victim)

    def _leave(self, strike: Strike) -> None:
        self._struck(strike)
        self.wants_to_leave(strike.victims[0])
        self._over()

    def _slow_down(self, strike: Strike) -> None:
        self._struck(strike)
        player = self._network.players[strike.victims[0]]
        player.job_s, player.disk.write_s = (0.05, 1.0), self._chance.choice((0.0, 0.01, 0.1))

        def end() -> None:
            player.job_s, player.disk.write_s = QUICK_JOBS_S, 0.0

        self._later(strike, end)

    # Disks

    def _fill_disk(self, strike: Strike) -> None:
        self._struck(strike)
        (victim,) = strike.victims
        self._full[victim] += 1
        self._tell_disk(victim)

        def end() -> None:
            self._full[victim] -= 1
            self._tell_disk(victim)

        self._later(strike, end)

    def _break_disk(self, strike: Strike) -> None:
        """The disk refuses until the process has given up; then it is mended, and the process comes back."""
        (victim,) = strike.victims
        if victim in self._broken:
            self._over()
            return
        self._broken[victim] = strike
        self._tell_disk(victim)
        self._network.after(MENDED_S, lambda: self._mend(victim, strike))

    def _gave_up(self, player: Player) -> None:
        """A process has ended since its disk refused for too long."""
        strike = self._broken.pop(player.index)
        self._struck(strike)
        self._tell_disk(player.index)
        self._later(strike, lambda: self._restart(player.index))

    def _mend(self, victim: int, strike: Strike) -> None:
        """Nothing was to be written for so long that nobody has given up."""
        if self._broken.get(victim) is strike:
            del self._broken[victim]
            self._tell_disk(victim)
            self._over()

    def _tell_disk(self, victim: int) -> None:
        self._network.players[victim].disk.refuses = bool(self._full[victim]) or victim in self._broken


def _pair(one: int, other: int) -> tuple[int, int]:
    return min(one, other), max(one, other)
