"""Many peers in one thread: seeded links, a virtual clock, inline jobs, and a disk that keeps its promises.

Everything that could vary is drawn from one seed, so a run repeats exactly. A link keeps the order of its
messages as the real one does, unless `Chaos` says otherwise; different links overtake each other freely.
The stand-in store refuses what a real one must never see: an own entry sent before it was stored, or a
second one for a step.
"""

import heapq
import random
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import partial

from memory_disk import DiskRefusedError, Ordered
from memory_lobbies import Lobbies
from memory_player import Player
from tiny_group import quick_group

from crypto import CryptoError, Group, Identity
from engine import DiscardSets, Ruleset
from engine.bots import Policy, policy
from p2p.protocol.ballot import Ballot
from p2p.protocol.entry import Entry
from p2p.protocol.messages import Ballots, Entries, Message, decode
from p2p.protocol.peer import Peer
from p2p.protocol.peer_core import Channel
from p2p.protocol.peer_effects import Emit, PeerEffect, Run, Send
from p2p.protocol.peer_events import Happened, TableChanged
from p2p.protocol.snapshot import Phase
from p2p.protocol.table_rules import USUAL, TableRules

NAMES = ("Anna", "Boris", "Vera", "Gleb", "Dina", "Egor", "Zoya", "Ivan", "Kira", "Lev", "Mila", "Yuri")


@dataclass(frozen=True)
class Chaos:
    """What goes wrong on every link, each with its probability; delays in seconds."""

    least_delay: float = 0.001
    most_delay: float = 0.02
    duplicate: float = 0.0
    reorder: float = 0.0
    """A message takes up to ten times the longest delay and others pass it, also on its own link."""


class Onlooker:
    """Sees all that happens on a network, and touches nothing; each method may be left as it is."""

    def about_to(self, player: Player, effect: PeerEffect) -> None:
        """An effect is about to be carried out, or to be put in line for it."""

    def sent(self, player: Player, message: Message) -> None:
        """A message has left a process, whether or not it arrives."""

    def settled(self, player: Player) -> None:
        """A peer has taken in one event, and what it asked for is done or stands in line."""


class MemoryNetwork:
    """A number of peers and the links between them."""

    def __init__(
        self,
        players: int,
        seed: int = 1,
        *,
        chaos: Chaos | None = None,
        group: Group | None = None,
        names: Iterable[str] = NAMES,
        link_all: bool = True,
        audits: bool = False,
    ) -> None:
        self.seed = seed
        self.random = random.Random(seed)
        self.chaos = chaos or Chaos()
        self.now = 0.0
        self.sent: Counter[str] = Counter()
        self.bytes_sent = 0
        self.on_message: Callable[[Player, Player, bytes], bytes | None] | None = None
        """May look at a message on its way, change it, or lose it by returning None."""
        self.hosts: dict[int, str] = {}
        """Addresses that differ from the usual one of each peer."""
        self.on_effect: Callable[[Player, PeerEffect], bool] | None = None
        """Looks at each effect before it is carried out; where it says so, the process dies just there."""
        self.on_given_up: Callable[[Player], None] | None = None
        """Is told of a process that ended because its disk refused for too long."""
        self.may_link: Callable[[int, int], bool] = lambda _one, _other: True
        """Whether there is a way between two peers at all."""
        self.onlookers: list[Onlooker] = []
        self._lobbies = Lobbies()
        self.slow_links: dict[tuple[int, int], Chaos] = {}
        """Links, one direction each, on which something else goes wrong than on the others."""
        self._group = group or quick_group()
        self._queue: list[tuple[float, int, Callable[[], None]]] = []
        self._count = 0
        self._links: dict[tuple[int, int], int] = {}
        self._links_made = 0
        self._unnoticed: set[tuple[int, int]] = set()
        self._last_arrival: dict[tuple[int, int], float] = {}
        self.players: list[Player] = []
        for index, name in zip(range(players), names, strict=False):
            draw = random.Random(f"{seed}/{index}").randbytes
            identity = Identity.generate(draw)
            peer = Peer(identity, name, draw, group=self._group, audits=audits)
            self.players.append(Player(index, peer, identity))
        self._by_key = {player.peer.key: player for player in self.players}
        if link_all:
            for one in range(players):
                for other in range(one):
                    self.link(other, one)

    # Links

    def link(self, one: int, other: int) -> None:
        """Make a link. Whoever had not noticed yet that the one before is gone, notices now."""
        both_alive = self.players[one].alive and self.players[other].alive
        if self.linked(one, other) or not both_alive or not self.may_link(one, other):
            return
        self._notice(one, other)
        self._notice(other, one)
        self._links_made += 1
        for a, b in ((one, other), (other, one)):
            if not self.players[b].alive:
                return  # the first of the two died of it
            self._links[a, b] = self._links_made
            player = self.players[a]
            channel = Channel(self.host_of(b), f"link {self._links_made}".encode().ljust(32))
            self.carry_out(player, player.peer.link_up(self.players[b].peer.key, self.now, channel))

    def cut(self, one: int, other: int, *, noticed_s: tuple[float, float] = (0.0, 0.0)) -> None:
        """Break a link: what was on its way is lost, and what is sent before it is noticed, too.

        noticed_s: after how many seconds each of the two notices.
        """
        for (a, b), wait in zip(((one, other), (other, one)), noticed_s, strict=True):
            if self._links.pop((a, b), None) is not None and self.players[a].alive:
                self._unnoticed.add((a, b))
                if wait:
                    self.after(wait, partial(self._notice, a, b))
                else:
                    self._notice(a, b)

    def _notice(self, one: int, other: int) -> None:
        if (one, other) in self._unnoticed:
            self._unnoticed.discard((one, other))
            player = self.players[one]
            self.carry_out(player, player.peer.link_down(self.players[other].peer.key, self.now))

    def host_of(self, one: int) -> str:
        """The address of a peer."""
        return self.hosts.get(one, f"192.0.2.{one}")

    def linked(self, one: int, other: int) -> bool:
        """Whether a link stands."""
        return (one, other) in self._links

    def isolate(self, one: int) -> list[int]:
        """Cut all links of a peer; returns to whom they went."""
        others = [other for (a, other) in list(self._links) if a == one]
        for other in others:
            self.cut(one, other)
        return others

    # Processes

    def kill(self, index: int) -> None:
        """A process dies: what it knew and had not sent is gone; its disk stays."""
        self.players[index].died()
        self._unnoticed -= {way for way in self._unnoticed if way[0] == index}
        self.isolate(index)

    def restart(self, index: int, *, resume: bool = True) -> None:
        """A new process with the disk of the old one; its links come one after the other."""
        player = self.players[index]
        assert not player.alive
        player.alive = True
        player.lives += 1
        draw = random.Random(f"{self.seed}/{index}/{player.lives}").randbytes
        played = {table_id for table_id, _ in player.disk.terms}
        name, left = player.peer.lobby.own_name, player.disk.left
        player.peer = Peer(
            player.identity, name, draw, group=self._group, audits=False, played=played, left=left
        )
        if player.bot is not None:
            self.seat_bots(self._bots, [index])
        resumed = player.disk.resumed()
        if resume and resumed is not None:
            self.do(index, lambda peer, now: peer.resume(resumed, now))
        for other in range(len(self.players)):
            if other != index:
                self.after(self.random.uniform(0.0, 1.0), partial(self.link, index, other))

    # Time

    def at(self, time: float, action: Callable[[], None]) -> None:
        """Do something at a time."""
        self._count += 1
        heapq.heappush(self._queue, (time, self._count, action))

    def after(self, delay: float, action: Callable[[], None]) -> None:
        """Do something after a delay."""
        self.at(self.now + delay, action)

    def run(self, until: Callable[[], bool] | None = None, *, seconds: float = 60.0) -> bool:
        """Let virtual time pass until the condition holds or the seconds are over; returns the condition."""
        end = self.now + seconds
        while True:
            if until is not None and until():
                return True
            timer, player = min(((p.timer, p) for p in self.players), key=lambda pair: pair[0])
            queued = self._queue[0][0] if self._queue else float("inf")
            if min(timer, queued) > end:
                self.now = end
                return until is not None and until()
            if timer < queued:
                self.now = max(self.now, timer)
                self.carry_out(player, player.peer.tick(self.now))
            else:
                self.now, _, action = heapq.heappop(self._queue)
                action()

    # Effects

    def carry_out(self, player: Player, effects: tuple[PeerEffect, ...]) -> None:
        """Carry out what a peer asks for, in order."""
        for effect in effects:
            self._lobbies.about_to(player, effect)
            for onlooker in self.onlookers:
                onlooker.about_to(player, effect)
            if self.on_effect is not None and self.on_effect(player, effect):
                self.kill(player.index)
                return
            match effect:
                case Emit(event):
                    player.events.append(event)
                    if isinstance(event, Happened) and player.bot is not None and player.bot_remembers:
                        view = player.table.view
                        if view is not None:
                            player.bot.observe(view, event.event)
                case Run(job):
                    try:
                        outcome: object = job.function(*job.args)
                    except CryptoError as error:
                        outcome = error
                    self._job_later(player, job.id, outcome)
                case _:
                    self._put(player, effect)
            if not player.alive:
                return
        timer = player.peer.next_timer
        # A timer in the past means "now"; never again at the same moment without end.
        player.timer = float("inf") if timer is None else max(timer, self.now + 1e-4)
        if player.bot is not None and any(
            isinstance(e, Emit) and isinstance(e.event, TableChanged) for e in effects
        ):
            self._consult(player)
        self._lobbies.settled(player)
        for onlooker in self.onlookers:
            onlooker.settled(player)

    def _put(self, player: Player, effect: Ordered) -> None:
        """Carry out an effect whose order binds, or stand it in line behind the disk."""
        line = player.line.effects
        if not line and isinstance(effect, Send):
            self._send(player, self._by_key[effect.key], effect.message)
            return
        line.append(effect)
        if len(line) == 1:
            self._write(player, player.lives)

    def _write(self, player: Player, life: int) -> None:
        """Write what stands at the head of the line, now or, on a slow disk, in a while."""
        if player.disk.write_s:
            self.after(player.disk.write_s, partial(self._written, player, life))
        else:
            self._written(player, life)

    def _written(self, player: Player, life: int) -> None:
        if not player.alive or player.lives != life:
            return
        line = player.line
        head = line.effects[0]
        assert not isinstance(head, Send), "messages wait for writes only"
        try:
            player.disk.write(head)
        except DiskRefusedError:
            if line.patience_over:
                self.kill(player.index)
                if self.on_given_up is not None:
                    self.on_given_up(player)
            else:
                self.after(line.next_pause_s(), partial(self._written, player, life))
            return
        line.written()
        while line.effects and isinstance(line.effects[0], Send):
            send = line.effects.popleft()
            self._send(player, self._by_key[send.key], send.message)
        if line.effects:
            self._write(player, life)

    def do(
        self, index: int, command: Callable[..., tuple[PeerEffect, ...]], *args: object, **more: object
    ) -> None:
        """Give a command to a peer: `network.do(0, Peer.set_ready, True)`."""
        player = self.players[index]
        self.carry_out(player, command(player.peer, *args, self.now, **more))

    def inject(self, sender: int, receiver: int, message: bytes) -> None:
        """Deliver a message as if `sender` had sent it over its link."""
        player = self.players[receiver]
        self.carry_out(player, player.peer.receive(self.players[sender].peer.key, message, self.now))

    def _job_later(self, player: Player, job: int, outcome: object) -> None:
        life = player.lives

        def done() -> None:
            if player.alive and player.lives == life:
                self.carry_out(player, player.peer.job_done(job, outcome, self.now))

        self.after(self.random.uniform(*player.job_s), done)

    def _send(self, sender: Player, receiver: Player, message: bytes) -> None:
        decoded = decode(message)
        self.sent[type(decoded).__name__] += 1
        self.bytes_sent += len(message)
        for onlooker in self.onlookers:
            onlooker.sent(sender, decoded)
        if isinstance(decoded, Entries):
            for signed in decoded.entries:
                assert signed.entry in sender.disk.entries or not self._is_own(sender, signed.open()), (
                    "an own entry was sent before it was stored"
                )
        if isinstance(decoded, Ballots):
            for vote in decoded.ballots:
                stored = vote.ballot in sender.disk.voted.values()
                assert stored or not self._is_own(sender, vote.open()), (
                    "an own ballot was sent before it was stored"
                )
        link = self._links.get((sender.index, receiver.index))
        if link is None:
            return
        if self.on_message is not None:
            changed = self.on_message(sender, receiver, message)
            if changed is None:
                return
            message = changed
        self._deliver_later(sender, receiver, message, link)
        if self.random.random() < self.chaos.duplicate:
            self._deliver_later(sender, receiver, message, link)

    def _is_own(self, sender: Player, entry: Entry | Ballot) -> bool:
        table = sender.peer._table
        runs = () if table is None else table.deals.runs
        return any(run.number == entry.deal and run.own == entry.seat for run in runs)

    def _deliver_later(self, sender: Player, receiver: Player, message: bytes, link: int) -> None:
        way = (sender.index, receiver.index)
        chaos = self.slow_links.get(way, self.chaos)
        delay = self.random.uniform(chaos.least_delay, chaos.most_delay)
        time = self.now + delay
        if self.random.random() < chaos.reorder:
            time += 10 * delay
        else:
            time = max(time, self._last_arrival.get(way, 0.0))
            self._last_arrival[way] = time

        def deliver() -> None:
            if self._links.get(way) == link:
                self.carry_out(receiver, receiver.peer.receive(sender.peer.key, message, self.now))

        self.at(time, deliver)

    # Bots

    def seat_bots(self, bots: str | type[Policy] = "random", players: Iterable[int] | None = None) -> None:
        """Let bots play for these peers, or for all. bots: their name, or what makes one of a seed."""
        self._bots = bots
        for index in range(len(self.players)) if players is None else players:
            seed = self.seed * 1000 + index
            self.players[index].bot = policy(bots, seed) if isinstance(bots, str) else bots(seed)

    def _consult(self, player: Player) -> None:
        if not player.may_be_asked:
            return  # found without a picture of the whole table, which takes long to draw
        table = player.peer.table
        if table is None or table.phase is not Phase.PLAYING or player.thinking:
            return
        owed = table.owed_by_me
        if owed is None or not owed.is_choice or player.asked == (table.deal, table.step) or table.own_wait:
            return
        player.thinking = True
        self.after(self.random.uniform(*player.think), lambda: self._move(player))

    def _move(self, player: Player) -> None:
        player.thinking = False
        table = player.peer.table
        if not player.alive:
            return
        if table is None or table.view is None or player.bot is None or table.phase is not Phase.PLAYING:
            return
        owed = table.owed_by_me
        if owed is None or not owed.is_choice or table.own_wait:
            return
        player.asked = (table.deal, table.step)
        obligation = next(one for one in table.view.owed)
        move = player.bot.choose(table.view, obligation)
        assert not isinstance(move, DiscardSets) or move.seat == table.own_seat
        self.do(player.index, Peer.submit, move)

    # Whole stretches

    def open_table(
        self, ruleset: Ruleset, seats: int, *, title: str = "Kitchen", table_rules: TableRules = USUAL
    ) -> None:
        """The first peer opens a table."""
        self.do(0, partial(Peer.open_table, table_rules=table_rules), title, ruleset, seats)

    def gather(
        self,
        ruleset: Ruleset | None = None,
        *,
        seats: int | None = None,
        title: str = "Kitchen",
        table_rules: TableRules = USUAL,
    ) -> bool:
        """Form a table of all peers: the first opens it, the others join, all are ready."""
        rules = ruleset or Ruleset.preset("pagat")
        count = len(self.players) if seats is None else seats
        self.open_table(rules, count, title=title, table_rules=table_rules)
        self.run(lambda: all(player.lobby.offers for player in self.players[1:count]), seconds=5)
        offer = self.players[0].lobby.offers[0]
        for index in range(1, count):
            self.do(index, Peer.join, self.players[0].peer.key, offer.offer_id)
        members = self.players[:count]
        self.run(lambda: all(p.peer.table and len(p.peer.table.members) == count for p in members), seconds=5)
        for index in range(count):
            self.do(index, Peer.set_ready, True)
        return self.run(lambda: all(p.peer.table and p.peer.table.table_id for p in members), seconds=10)

    def all_in(self, phase: Phase, deal: int = 1) -> bool:
        """Whether every peer's table is in this phase of this deal."""
        return all(
            player.peer.table is not None and player.table.phase is phase and player.table.deal == deal
            for player in self.players
        )
