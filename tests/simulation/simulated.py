"""One table of the simulator, with its faults and checkers: a usual one, or one at which seats are missed."""

import random

from hasty_bot import HastyPolicy
from memory_player import Player
from memory_table import MemoryNetwork
from tiny_group import OpenGroup

from p2p.protocol.deal_run import DealRun
from p2p.protocol.effects import Absent
from p2p.protocol.entry import Entry
from p2p.protocol.peer_events import DealEnded, ResultKind
from p2p.protocol.table import Table
from tests.simulation.checkers import (
    Checker,
    EqualDigests,
    EveryCardInOnePlace,
    NoProgress,
    NoShareBeforeSeal,
    OneEntryPerStep,
    OnlyTheRightfulReader,
    Progress,
    Violation,
)
from tests.simulation.faults import Faults
from tests.simulation.persons import Persons
from tests.simulation.plan import DEALS, FORMS, Plan
from tests.simulation.poll_checkers import EqualEnds, OneStory, Records, RightAbsence

SLICE_S = 5.0
"""Virtual seconds between two looks at whether it goes on."""

HURRIED_DEALS = 5
"""At most, as long as anything goes wrong, where they want the next deal at once."""


class Spoken(Checker):
    """Every entry that its author has sent: none of them may ever be lost."""

    def __init__(self, network: MemoryNetwork) -> None:
        super().__init__(network)
        self.entries: set[bytes] = set()

    def spoken(self, player: Player, run: DealRun, entry: Entry) -> None:
        """Note an entry."""
        self.entries.add(entry.encode())


class Simulation:
    """One table with its faults and its checkers, which plays so many deals."""

    def __init__(self, seed: int, plan: Plan) -> None:
        self.plan = plan
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
        self.persons = Persons(
            self.network,
            FORMS[plan.form],
            self._wants,
            random.Random(f"persons/{seed}"),
            plan.table_rules,
            patient=not plan.absences,
        )
        self.faults.returned = self.persons.returned

    def play(self) -> None:
        """Let the table play all its deals. Raises: Violation; whatever else an event of a peer raises."""
        while not self.network.run(self._done, seconds=SLICE_S):
            if self.faults.calm_since is not None:
                self.progress.check(self.faults.calm_since)
        self._check_end()

    def _check_end(self) -> None:
        """Check what the players have come to, once all is played. Raises: Violation."""
        wrong = [player.index for player in self._there if player.table.silent]
        if wrong:
            raise Violation(f"silent though nothing of their journals is lost: {wrong}")
        if self.blamed:
            raise Violation("an honest seat was blamed")
        if self.lost:
            raise Violation(f"{self.lost} entries are lost")

    def _wants(self, number: int) -> bool:
        """Whether the persons want another deal after the one with this number."""
        return number < DEALS

    def _done(self) -> bool:
        return all(map(_has_played_all, self.network.players))

    @property
    def _there(self) -> list[Player]:
        """Who sits at a table."""
        return [player for player in self.network.players if player.alive and player.peer._table is not None]

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
    def deals(self) -> int:
        """Deals that are to be played."""
        return DEALS

    @property
    def finished(self) -> int:
        """Deals that everybody has seen to their end."""
        ended = [{end.deal for end in player.of(DealEnded)} for player in self.network.players]
        return len(set.intersection(*ended))


class AbsenceSimulation(Simulation):
    """A table at which seats are missed: it plays on with whoever is there.

    Once nothing goes wrong any more, the deal at hand ends and one more is played from its beginning, if two
    are left to play it. Whoever has left, has put his deal aside or stays dead is not waited for.
    """

    def __init__(self, seed: int, plan: Plan) -> None:
        super().__init__(seed, plan)
        self.story = OneStory(self.network)
        self.absence = RightAbsence(self.network, plan.table_rules.grace_s)
        self.ends = EqualEnds(self.network)
        self.faults.wants_to_leave = self.persons.wants_to_leave
        self.faults.formed = self._is_formed
        self.held = False
        """Whether a deal was given up since too few are left who can answer a poll."""
        self._formed = False
        self._last: int | None = None
        """The number of the deal that was at hand when the last fault was over."""

    def play(self) -> None:
        try:
            super().play()
        except NoProgress as violation:
            table_id = self._table_id
            differences = [] if table_id is None else self.ends.differences(self._there, table_id)
            if differences:
                raise Violation(f"{violation}, {differences}") from violation
            if not any(map(self._is_held, self._there)):
                raise
            self.held = True
            self._check_end()

    def _is_held(self, player: Player) -> bool:
        """Whether this player has promised to go no further before a poll is over that too few can answer.

        Of its voters those who have not died or left are no more than half of the seats that have not left.

        So it may be where a voter dies in the midst of a poll; that the seat polled about has come back, and
        would make it more than half, helps nothing, since it has no vote in this poll.
        """
        if _table(player).votes.two_alone and any(map(self.persons.has_gone, self.network.players)):
            return True  # the other one has put the deal aside, and five minutes are long
        for run in _table(player).deals.runs:
            for ballot in self.story.ballots(player, run.terms):
                if ballot.step != run.deal.step or not run.deal._frozen or run.ended:
                    continue
                keys = [key for seat, key in enumerate(run.terms.keys) if seat not in ballot.poll.about]
                voters = [one for one in self._there if one.peer.key in keys]
                if 2 * len(voters) <= len(run.terms.keys) - len(run.deal.left):
                    return True
        return False

    @property
    def _table_id(self) -> bytes | None:
        return next((player.table.table_id for player in self._there), None)

    def _is_formed(self) -> bool:
        self._formed = self._formed or len(self._there) == len(self.network.players)
        return self._formed

    def _wants(self, number: int) -> bool:
        if self.faults.calm_since is None:
            return number < (HURRIED_DEALS if self.plan.hurried else DEALS)
        if self._last is None:
            self._last = max((_table(player).deals.current.number for player in self._there), default=0)
        return number < DEALS or number <= self._last

    def _done(self) -> bool:
        there = self._there
        lacking = [player for player in self.network.players if player.alive and player not in there]
        if self.faults.calm_since is None or not all(map(self.persons.has_gone, lacking)):
            return False
        if not there:
            return self._formed
        numbers = {_table(player).deals.current.number for player in there}
        if len(numbers) > 1 or any(self._plays_on(player) for player in there):
            return False
        table_id = self._table_id
        return table_id is not None and not self.ends.differences(there, table_id)

    def _plays_on(self, player: Player) -> bool:
        """Whether something is still to be expected of a player's table."""
        table = _table(player)
        if player.line.effects or table.deals.replaying or table.deals.taking_up:
            return True
        if not table.deals.current.ended or not (table.deals.current.deal.settled or _is_absent(table)):
            return True
        return table.deals.next is not None and self._wants(table.deals.current.number)

    def _check_end(self) -> None:
        for player in self.network.players:
            Records.of(self.network).look(player)
        super()._check_end()

    @property
    def lost(self) -> int:
        """Entries that were sent, belong to what a deal has come to, and are not kept by who is there."""
        there, table_id = self._there, self._table_id
        return 0 if table_id is None else self.ends.lost(there, table_id, self.spoken.entries)

    @property
    def blamed(self) -> int:
        """Ends of deals by which somebody is called a cheat, or a program wrong."""
        return self.ends.blamed

    @property
    def deals(self) -> int:
        """Deals that have ended for anybody."""
        return len(self.ends.ends)

    @property
    def finished(self) -> int:
        """Deals that have ended, for all who are there in the same way."""
        there, table_id = self._there, self._table_id
        wrong = 0 if table_id is None else len(self.ends.differences(there, table_id))
        return self.deals - wrong


def _table(player: Player) -> Table:
    table = player.peer._table
    assert table is not None
    return table


def _is_absent(table: Table) -> bool:
    return isinstance(table.deals.current.deal.outcome, Absent)


def _has_played_all(player: Player) -> bool:
    table = player.peer._table if player.alive else None
    if table is None or table.deals.current.number < DEALS or player.line.effects:
        return False  # a last receipt that waits for the disk is not kept yet
    deal = table.deals.current.deal
    return deal.outcome is not None and len(deal.receipts) == len(table.deals.current.terms.players)
