"""What a table counts from deal to deal, and when a session is over (option `session`).

A session that goes `to_n_losses` ends with the deal in which somebody has lost so many (`session_losses`);
who of those at the table has lost fewest is its best. Where the first out wins there are no losers: there it
goes to so many wins. If several have lost equally few, those tied play one more deal, and the first out of
it is the best; that deal counts for nothing else. Then the next session begins, with all counts at zero.

Seats here are seats of the table: not all of them play every deal.
"""

from collections.abc import Collection
from dataclasses import dataclass, replace

from engine.rules import Ruleset


@dataclass(frozen=True, slots=True)
class Score:
    """One ended deal: who played it, who has lost it, and who was out first, if anybody."""

    players: frozenset[int]
    losers: frozenset[int] = frozenset()
    winner: int | None = None


@dataclass(frozen=True, slots=True)
class Standings:
    """How a session stands after a deal. losses, wins: deals so far, by seat.

    Once it is over: `losers` have lost it (nobody, where the first out wins), `best` are those with the
    fewest losses or, where the first out wins, with enough wins. Several `best` are a tie, still to be
    settled.
    """

    losses: tuple[int, ...]
    wins: tuple[int, ...]
    losers: tuple[int, ...] = ()
    best: tuple[int, ...] = ()

    @classmethod
    def zero(cls, seats: int) -> "Standings":
        """The start of a session at a table of so many seats."""
        return cls((0,) * seats, (0,) * seats)

    @property
    def over(self) -> bool:
        """Whether the session has ended, though perhaps in a tie."""
        return bool(self.losers or self.best)

    @property
    def tied(self) -> bool:
        """Whether one more deal has to settle who is the best."""
        return len(self.best) > 1

    def among(self, at_table: Collection[int]) -> "Standings":
        """These standings when no others than `at_table` are left: whoever has gone plays off no tie."""
        if not self.tied:
            return self
        return replace(self, best=tuple(seat for seat in self.best if seat in at_table))

    def players(self, at_table: Collection[int]) -> tuple[int, ...]:
        """Who plays the next deal, ascending: the tied ones, else everybody at the table."""
        here = self.among(at_table)
        return tuple(sorted(here.best if here.tied else at_table))

    def before(self, players: Collection[int]) -> "Standings":
        """How things stand while these play the next deal: after a session that is over, at zero again."""
        return self if self.settles(players) or not self.over else self.zero(len(self.losses))

    def settles(self, players: Collection[int]) -> bool:
        """Whether a deal that these play now settles a tie."""
        return self.tied and set(players) <= set(self.best)

    def after(self, rules: Ruleset, score: Score, at_table: Collection[int]) -> "Standings":
        """How things stand after one more deal; `at_table`: who is still there."""
        if rules.session == "none":
            return self
        before = self.before(score.players)
        if before.tied:
            return before._settled(score, at_table)
        losses = tuple(count + (seat in score.losers) for seat, count in enumerate(before.losses))
        wins = tuple(count + (seat == score.winner) for seat, count in enumerate(before.wins))
        counted = Standings(losses, wins)
        return counted._judged(rules, at_table) if rules.session == "to_n_losses" else counted

    def _judged(self, rules: Ruleset, at_table: Collection[int]) -> "Standings":
        """Whether the session is over now, and for whom."""
        goal = rules.session_losses
        if rules.end == "first_out":
            return replace(self, best=tuple(seat for seat, wins in enumerate(self.wins) if wins >= goal))
        losers = tuple(seat for seat, losses in enumerate(self.losses) if losses >= goal)
        if not losers:
            return self
        fewest = min((self.losses[seat] for seat in at_table), default=0)
        best = tuple(sorted(seat for seat in at_table if self.losses[seat] == fewest))
        return replace(self, losers=losers, best=best)

    def _settled(self, score: Score, at_table: Collection[int]) -> "Standings":
        """After a deal among those tied: the first out is the best. Without one, who lost it drops out."""
        if score.winner is not None:
            return replace(self, best=(score.winner,))
        left = tuple(seat for seat in self.best if seat not in score.losers)
        return replace(self, best=left or self.best).among(at_table)
