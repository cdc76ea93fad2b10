"""What must hold where seats leave and are voted absent, checked on what the peers have written down.

A peer says nothing that it has not written, and nothing that was only about to be written has happened: so
the disks hold all that binds anybody, in the order in which each seat has signed it.
"""

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator

from memory_player import Player
from memory_table import MemoryNetwork, Onlooker

from p2p.protocol.ballot import WHOLE, AbsentAnswer, Ballot, HereAnswer, Poll, SeeAnswer, contradict
from p2p.protocol.deal_terms import DealTerms
from p2p.protocol.effects import Absent, Finished, Outcome, Stopped, Void
from p2p.protocol.entry import Entry, decode_entry
from p2p.protocol.peer_effects import CloseDeal, Keep
from p2p.protocol.returning import PATIENCE_S as RETURNING_S
from tests.simulation.checkers import DealPlace, Violation, run_of

MARGIN_S = 6.0
"""Two seconds for a message on the slowest link, three of them until all know what one knows."""

StepPlace = tuple[bytes, int, int]
"""Table id, deal and step."""


class Records(Onlooker):
    """Shows all checkers of a network what each peer has written since its last event."""

    def __init__(self, network: MemoryNetwork) -> None:
        self.checkers: list[RecordChecker] = []
        self._network = network
        self._kept = [0] * len(network.players)
        self._closed = [0] * len(network.players)

    @classmethod
    def of(cls, network: MemoryNetwork) -> "Records":
        """The one of a network."""
        for onlooker in network.onlookers:
            if isinstance(onlooker, Records):
                return onlooker
        network.onlookers.append(records := cls(network))
        return records

    def settled(self, player: Player) -> None:
        """Look at what this peer has written."""
        for checker in self.checkers:
            checker.passed()
        self.look(player)

    def look(self, player: Player) -> None:
        """Look at what a peer, alive or not, has written since the last look."""
        index, disk = player.index, player.disk
        keeps, self._kept[index] = disk.keeps[self._kept[index] :], len(disk.keeps)
        closed, self._closed[index] = disk.closed[self._closed[index] :], len(disk.closed)
        for checker in self.checkers:
            for keep in keeps:
                checker.kept(player, keep)
            for close in closed:
                checker.closed(player, close)


class RecordChecker:
    """One property of what the peers of a network write; it is shown to it by the `Records`."""

    def __init__(self, network: MemoryNetwork) -> None:
        self.network = network
        Records.of(network).checkers.append(self)

    def passed(self) -> None:
        """An event has passed."""

    def kept(self, player: Player, keep: Keep) -> None:
        """A peer has written entries or ballots."""

    def closed(self, player: Player, close: CloseDeal) -> None:
        """A peer has written the end of a deal, or that it is another one now."""


class OneStory(RecordChecker):
    """No seat contradicts what it has signed before.

    It answers each poll once, and of the polls at a step each time a higher one; no two of its ballots deny
    each other. After an `absent` it signs nothing at a later step of the deal before a poll not below that
    one has brought what was missed; and after its leave nothing at all. A deal that gets other terms, since
    the one before it has ended otherwise, is another deal.
    """

    def __init__(self, network: MemoryNetwork) -> None:
        super().__init__(network)
        self._ballots: defaultdict[int, defaultdict[bytes, list[Ballot]]] = defaultdict(
            lambda: defaultdict(list)
        )
        """By player and encoded terms."""
        self._left: set[tuple[int, bytes]] = set()

    @property
    def polls(self) -> int:
        """How many polls somebody has answered."""
        return len(
            {
                (terms, ballot.step, ballot.poll.key)
                for by_terms in self._ballots.values()
                for terms, ballots in by_terms.items()
                for ballot in ballots
            }
        )

    def ballots(self, player: Player, terms: DealTerms) -> tuple[Ballot, ...]:
        """All ballots of a player in a deal, in their order."""
        return tuple(self._ballots[player.index][terms.encode()])

    def kept(self, player: Player, keep: Keep) -> None:
        store = keep.store
        speaks = store.own is not None or store.voted is not None
        if speaks and (player.index, keep.table_id) in self._left:
            raise Violation(f"deal {store.deal}: {player.index} signs after its leave")
        if store.voted is not None:
            self._vote(self._ballots[player.index][keep.terms], player, store.voted.open())
        if store.own is not None:
            self._go_on(self._ballots[player.index][keep.terms], player, store.own.open())
        member = _member(player, keep.table_id, store.deal)
        if any(signed.open().member == member for signed in store.leaves):
            self._left.add((player.index, keep.table_id))

    def _vote(self, before: list[Ballot], player: Player, ballot: Ballot) -> None:
        for other in before:
            if other.step == ballot.step and (other.poll.key >= ballot.poll.key or contradict(other, ballot)):
                raise Violation(
                    f"deal {ballot.deal}, step {ballot.step}: {player.index} answers {ballot.poll} with "
                    f"{ballot.answer} after {other.poll} with {other.answer}"
                )
        before.append(ballot)

    def _go_on(self, before: list[Ballot], player: Player, entry: Entry) -> None:
        for ballot in before:
            if ballot.step < entry.step and isinstance(ballot.answer, AbsentAnswer):
                brought = self._brought(ballot)
                if not ballot.poll.missed <= brought:
                    raise Violation(
                        f"deal {entry.deal}, step {entry.step}: {player.index} goes on from {ballot.poll}"
                    )

    def _brought(self, promise: Ballot) -> set[int]:
        """What the answers to polls not below the one that was promised to have brought at its step."""
        brought = set[int]()
        for ballot in _ballots_at(self.network.players, promise):
            if ballot.poll.key < promise.poll.key:
                continue
            if isinstance(ballot.answer, HereAnswer):
                brought |= {signed.open().seat for signed in ballot.answer.entries}
                brought |= set() if ballot.poll.missing else {WHOLE}
            elif isinstance(ballot.answer, SeeAnswer):
                brought |= set(ballot.answer.brings)
        return brought


class Reach:
    """Since when each seat has been *there*: its process runs, its disk takes what it writes, and it has
    links to more than half of the others whose processes run and who have not left.

    A process that has just come back first listens for as long as a dead member may keep it waiting.
    """

    def __init__(self, network: MemoryNetwork) -> None:
        self._network = network
        self._since = [float("inf")] * len(network.players)
        self._lives = [1] * len(network.players)
        self._speaks_at = [0.0] * len(network.players)
        self._seen: object = None

    def there_since(self, index: int) -> float:
        """Since when a seat has been there without interruption; infinity if it is not."""
        return max(self._since[index], self._speaks_at[index])

    def look(self) -> None:
        """Look at the network, after each event."""
        network, players = self._network, self._network.players
        lives = [player.lives if player.alive else 0 for player in players]
        disks = [(player.disk.refuses, bool(player.disk.left)) for player in players]
        seen = (network._links_made, len(network._links), lives, disks)
        if seen == self._seen:
            return
        self._seen = seen
        for player in players:
            if player.lives != self._lives[player.index]:
                self._lives[player.index] = player.lives
                self._speaks_at[player.index] = network.now + RETURNING_S
            if not self._is_there(player):
                self._since[player.index] = float("inf")
            elif self._since[player.index] == float("inf"):
                self._since[player.index] = network.now

    def _is_there(self, player: Player) -> bool:
        others = [one for one in self._network.players if one.alive and not one.disk.left]
        linked = [one for one in others if self._linked(player.index, one.index)]
        present = player.alive and not player.disk.refuses
        return present and 2 * len(linked) > len([one for one in others if one is not player])

    def _linked(self, one: int, other: int) -> bool:
        return self._network.linked(one, other) and self._network.linked(other, one)


class RightAbsence(RecordChecker):
    """Only who was away or late is voted absent.

    A seat that has not left may be one of those that a poll ends a deal without, or whose receipts it gives
    up, only if it was not there (`Reach`) all the time from the grace time and `MARGIN_S` before somebody
    opened that poll until the first peer has written that end. So its process was dead or had just come back,
    its disk refused, or it had no links to most of the others, at some moment in this time.
    """

    def __init__(self, network: MemoryNetwork, grace_s: float) -> None:
        super().__init__(network)
        self.absent: set[tuple[bytes, int, int]] = set()
        """Table, deal and player, of all who were voted absent."""
        self.wrong = 0
        self._grace_s = grace_s
        self._reach = Reach(network)
        self._opened: defaultdict[StepPlace, dict[Poll, float]] = defaultdict(dict)

    def passed(self) -> None:
        self._reach.look()

    def kept(self, player: Player, keep: Keep) -> None:
        if keep.store.voted is not None:
            ballot = keep.store.voted.open()
            place = (ballot.table, ballot.deal, ballot.step)
            self._opened[place].setdefault(ballot.poll, self.network.now)

    def closed(self, player: Player, close: CloseDeal) -> None:
        outcome = close.outcome
        if isinstance(outcome, Absent):
            for seat in outcome.seats:
                self._check(player, close, seat, lambda poll: poll == outcome.poll)
        elif isinstance(outcome, Finished) and outcome.without:
            about = frozenset(outcome.without)
            for seat in sorted(about):
                self._check(player, close, seat, lambda poll: poll.about == about)

    def _check(self, player: Player, close: CloseDeal, seat: int, by: Callable[[Poll], bool]) -> None:
        keys = player.disk.terms[close.table_id, close.deal].keys
        victim = next(one for one in self.network.players if one.peer.key == keys[seat])
        place = (close.table_id, close.deal, victim.index)
        if place in self.absent or close.table_id in victim.disk.left:
            return
        self.absent.add(place)
        step = (close.table_id, close.deal, close.outcome.step)
        opened = min(at for poll, at in self._opened[step].items() if by(poll))
        if self._reach.there_since(victim.index) <= opened - self._grace_s - MARGIN_S:
            self.wrong += 1
            since = self._reach.there_since(victim.index)
            raise Violation(
                f"deal {close.deal}, step {close.outcome.step}: {victim.index} was voted absent, though "
                f"it was there since {since:.1f}, by a poll opened at {opened:.1f}"
            )


class EqualEnds(RecordChecker):
    """Every deal ends for all in the same way, and nobody is ever called a cheat, nor a program wrong."""

    def __init__(self, network: MemoryNetwork) -> None:
        super().__init__(network)
        self.ends: defaultdict[DealPlace, dict[int, Outcome]] = defaultdict(dict)
        """By deal how it ended for each player, as far as each has written."""
        self.blamed = 0
        self._first_heads: dict[DealPlace, bytes] = {}

    def closed(self, player: Player, close: CloseDeal) -> None:
        if isinstance(close.outcome, Void | Stopped):
            self.blamed += 1
            raise Violation(f"deal {close.deal}: for {player.index} it has ended with {close.outcome}")
        self.ends[close.table_id, close.deal][player.index] = close.outcome
        run = run_of(player, close.table_id, close.deal)
        if run is not None:
            self._first_heads[close.table_id, close.deal] = run.terms.first_head

    @property
    def voted(self) -> int:
        """How many deals have ended by a poll for somebody."""
        return sum(any(isinstance(end, Absent) for end in ends.values()) for ends in self.ends.values())

    def differences(self, players: Iterable[Player], table_id: bytes) -> list[str]:
        """The deals of a table that have not ended for all these players in the same way."""
        indices = [player.index for player in players]
        told = []
        for place, ends in sorted(self.ends.items()):
            known = {_gist(ends[index]) if index in ends else None for index in indices}
            if place[0] == table_id and len(known) > 1:
                told.append(f"deal {place[1]}: {[(index, ends.get(index)) for index in indices]}")
        return told

    def lost(self, players: Iterable[Player], table_id: bytes, spoken: Iterable[bytes]) -> int:
        """How many of the entries that were sent these players lack, of those that their ledgers rest on: of
        each deal all up to its end, those of the step at which a poll has ended it excepted, and the commits
        to terms that another end of the deal before has changed.
        """
        entries = {data: decode_entry(data) for data in spoken}
        lost = 0
        for player in players:
            for data, entry in entries.items():
                end = self.ends[entry.table, entry.deal].get(player.index)
                first_head = self._first_heads.get((entry.table, entry.deal))
                if (
                    entry.table != table_id
                    or end is None
                    or (not entry.step and entry.previous != first_head)
                ):
                    continue
                whole = isinstance(end, Finished) and not end.without
                due = entry.step <= end.step if whole else entry.step < end.step
                lost += due and data not in player.disk.entries
        return lost


def _gist(outcome: Outcome) -> tuple[object, ...]:
    """What must be equal for all."""
    if isinstance(outcome, Absent):
        return ("absent", outcome.step, outcome.seats, outcome.losers)
    assert isinstance(outcome, Finished)
    return ("finished", outcome.final_head, outcome.loser, outcome.winner, outcome.without)


def _member(player: Player, table_id: bytes, deal: int) -> int | None:
    """The table seat of a player."""
    members = player.disk.terms[table_id, deal].table.members
    return next(seat for seat, member in enumerate(members) if member.key == player.peer.key)


def _ballots_at(players: Iterable[Player], promise: Ballot) -> Iterator[Ballot]:
    """All ballots that were ever written at the step of one, and its head, by those who have signed them."""
    place = (promise.table, promise.deal, promise.step, promise.previous)
    for player in players:
        for keep in player.disk.keeps:
            if keep.store.voted is not None:
                ballot = keep.store.voted.open()
                if (ballot.table, ballot.deal, ballot.step, ballot.previous) == place:
                    yield ballot
