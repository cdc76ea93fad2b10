"""Whole sessions in virtual time, the deal that settles a tie included; everything follows from a seed.

One seed: `python -m pytest tests/simulation/test_sessions.py --seed 17`.
"""

import random

import pytest
from memory_table import Chaos, MemoryNetwork

from engine import Ruleset
from p2p.protocol.peer import Peer
from p2p.protocol.snapshot import Phase, ResultKind, SessionView

SEEDS = 4
"""Sessions in each run of the suite."""

LONGEST_S = 1800.0
"""Virtual seconds for one deal."""


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    chosen = metafunc.config.getoption("--seed")
    metafunc.parametrize("seed", range(1, SEEDS + 1) if chosen is None else [chosen])


class Evening:
    """A table that plays deal after deal; each of them is compared with what its session has to be."""

    def __init__(self, seed: int) -> None:
        chance = random.Random(seed)
        players = chance.choice((3, 4))
        club = seed % 4 == 0
        rules = Ruleset.preset("club").with_(claim_number="honest") if club else Ruleset.preset("pagat")
        self.goal = chance.choice((1, 2))
        self.rules = rules.with_(pack=24, session="to_n_losses", session_losses=self.goal)
        self.network = MemoryNetwork(players, seed, chaos=Chaos(duplicate=0.05, reorder=0.05))
        self.network.seat_bots("honest")
        self.again = f"python -m pytest tests/simulation/test_sessions.py --seed {seed}"
        assert self.network.gather(self.rules), self.again
        self.keys = tuple(member.key for member in self.network.players[0].table.members)
        self.deal = 0

    @property
    def session(self) -> SessionView:
        """How the session stands, the same for everybody."""
        views = {player.table.session for player in self.network.players}
        assert len(views) == 1, self.again
        (view,) = views
        assert view is not None
        return view

    def play(self) -> tuple[bytes, bytes | None]:
        """Play one deal at all tables; its winner and its loser."""
        self.deal += 1
        network, players = self.network, self.network.players
        if self.deal > 1:
            for player in players:
                network.do(player.index, Peer.next_deal)
        assert network.run(lambda: network.all_in(Phase.OVER, self.deal), seconds=LONGEST_S), self.again
        expected = len(players[0].table.members)
        signed = network.run(
            lambda: all(len(player.table.result.signed) == expected for player in players), seconds=60
        )
        assert signed, self.again
        tables = [player.table for player in players]
        assert len({table.head for table in tables}) == 1, self.again
        table = tables[0]
        assert table.result is not None
        assert table.result.kind is ResultKind.FINISHED
        assert table.result.winner is not None
        loser = None if table.result.loser is None else table.members[table.result.loser].key
        return table.members[table.result.winner].key, loser

    def counts(self) -> dict[bytes, int]:
        """What ends the session, by key: losses, or wins where the first out wins."""
        first_out = self.rules.end == "first_out"
        return {one.key: one.wins if first_out else one.losses for one in self.session.counts}

    def next_players(self) -> tuple[bytes, ...]:
        """Who plays the next deal, the same for everybody."""
        (players,) = {player.table.next_players for player in self.network.players}
        return players


def test_a_session_is_played_to_its_end_with_its_tie_and_the_next_begins_at_zero(seed: int) -> None:
    evening, again = Evening(seed), f"python -m pytest tests/simulation/test_sessions.py --seed {seed}"
    expected = dict.fromkeys(evening.keys, 0)
    while max(expected.values()) < evening.goal:
        winner, loser = evening.play()
        expected[winner if loser is None else loser] += 1
        assert evening.counts() == expected, again
        assert evening.session.over == (max(expected.values()) == evening.goal), again
        assert evening.session.over or evening.next_players() == evening.keys, again
    if loser is None:
        assert (evening.session.losers, evening.session.best) == ((), (winner,)), again
    else:
        fewest = min(expected.values())
        best = tuple(key for key in evening.keys if expected[key] == fewest)
        assert (evening.session.losers, evening.session.best) == ((loser,), best), again
        if len(best) > 1:
            assert evening.next_players() == best, again
            winner, _ = evening.play()
            assert evening.session.tie_break, again
            assert (evening.session.losers, evening.session.best) == ((loser,), (winner,)), again
            assert evening.counts() == expected, again
    assert evening.next_players() == evening.keys, again
    evening.play()
    assert sum(evening.counts().values()) == 1, again
