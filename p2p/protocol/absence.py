"""Whom this peer misses at its table, since when, and when it would vote him absent.

A seat that owes an entry is missed for good once it has

    left                                   at once
    no link here, and no news of it        for the grace time; a link is news that a linked member says he
                                           has, as long as he goes on saying where he stands
    to give what takes no decision         for the grace time
    to decide something                    for the turn clock, or the window for calls, and the grace time;
                                           without either for `CHOICE_S`, or the grace time if that is longer
    to wish the next deal                  for as long as to decide something, from the first wish on

The first two are seen differently from different places, the others much alike; so whoever votes early only
waits for the rest: nobody who can be reached is taken for silent before he must miss the seat, too. By itself
a program opens a poll where the rules of the table say so (`forfeit`), or when somebody has left; otherwise
when its person asks for it. Asked by others, it answers by itself.
"""

from collections.abc import Mapping

from engine import Seat
from p2p.protocol.deal_run import DealRun
from p2p.protocol.effects import Finished
from p2p.protocol.gossip import STATUS_EVERY_S, Member
from p2p.protocol.ledger import Owed, Phase
from p2p.protocol.own_answers import runs_out_at
from p2p.protocol.peer_core import Core
from p2p.protocol.poll_votes import Suspicion
from p2p.protocol.table_rules import TableRules

CHOICE_S = 300.0
"""At a table without a turn clock people may think; after five minutes without a word nobody thinks."""
CAUGHT_UP_S = 5.0
"""So long after his first link whoever was away has caught up. How long the others had been waiting then, he
does not know, and answers as they ask.
"""
ANSWER_S = 5.0
"""Answers are given by programs. One that can be reached only through others hears of a poll, and is heard,
within a second or two each way."""
STALE_S = 5 * STATUS_EVERY_S
"""Who says nothing at the table for so long, though his link stands, says nothing of others' links either: he
has left, sits elsewhere, or his disk refuses."""


class Absence:
    """Who is missed at one table. `members`: all others at it; `rules`: those that all have signed."""

    def __init__(self, core: Core, members: Mapping[bytes, Member], rules: TableRules) -> None:
        self._rules = rules
        self._core = core
        self._members = members
        self._news: dict[bytes, float] = {}
        self._asked: tuple[int, int] | None = None
        self._back_at = float("-inf")

    def came_back(self, now: float) -> None:
        """This peer has been away itself."""
        self._back_at = now

    def linked(self, key: bytes, now: float) -> None:
        """A link to a member stands again. If there was none to any, this peer was away."""
        if not (self._core.links.keys() - {key}) & self._members.keys():
            self.came_back(now)

    def heard(self, key: bytes, now: float) -> None:
        """Something that a member signed has come, by whatever way."""
        self._news[key] = now

    def heard_of(self, linked: int, now: float) -> None:
        """A member has said to whom he has links: bit s for the one with table seat s."""
        for member in self._members.values():
            if linked >> member.seat & 1:
                self._news[member.key] = now

    def suspicion(self, run: DealRun, following: bool, now: float) -> Suspicion:
        """Whom to vote absent at the current step of a deal. `following`: it has not begun yet."""
        missed = self._missed(run, following, now)
        excused = frozenset(seat for seat, due in missed.items() if due <= now)
        asked = self._rules.absence == "forfeit" or self._asked == (run.number, run.deal.step)
        may_open = bool(run.deal.left) or (asked and (run.wanted or not following))
        polled = bool(excused or run.deal.left or run.deal.holds_polls)
        keys = run.terms.keys if polled else ()
        patience = {Seat(seat): self._patience(key, now) for seat, key in enumerate(keys)}
        if run.step_since < self._back_at + CAUGHT_UP_S:
            return Suspicion(excused, may_open, patience, agrees=frozenset(missed))
        late = {owed.seat: self._late(run, owed, following) for owed in run.deal.owed if owed.seat in missed}
        near = frozenset(Seat(seat) for seat, key in enumerate(keys) if self._away_since(key, now) is None)
        return Suspicion(excused, may_open, patience, late, near)

    def ask(self, run: DealRun) -> None:
        """The own person asks to end the wait at this step."""
        self._asked = (run.number, run.deal.step)

    def due(self, run: DealRun, following: bool, now: float) -> float | None:
        """From when on the own person may end the wait for somebody; None if he waits for nobody."""
        if run.own is None or (following and not run.wanted):
            return None
        return min(self._missed(run, following, now).values(), default=None)

    def too_few(self, run: DealRun) -> bool:
        """Whether no more than two are left: then no poll about the other one counts. One about those who
        have left does, if he answers it.
        """
        return len(run.terms.players) - len(run.deal.left) <= 2

    def _missed(self, run: DealRun, following: bool, now: float) -> dict[Seat, float]:
        """Who of the others owes an entry that is not here, and from when on he is missed for good."""
        deal = run.deal
        over = deal.public_state.phase is Phase.OVER
        if run.ended and not (over and isinstance(deal.outcome, Finished) and not deal.settled):
            return {}
        return {
            owed.seat: self._due(run, owed, following, now)
            for owed in deal.owed
            if owed.seat != run.own and owed.seat not in deal.have
        }

    def _due(self, run: DealRun, owed: Owed, following: bool, now: float) -> float:
        away = self._away_since(run.terms.keys[owed.seat], now)
        gone = float("inf") if away is None else away + self._rules.grace_s
        return min(self._late(run, owed, following), gone)

    def _late(self, run: DealRun, owed: Owed, following: bool) -> float:
        """From when on everybody misses one who owes something, whoever may have a link to him."""
        grace_s, clock_s = self._rules.grace_s, self._rules.clock_s
        if owed.seat in run.deal.left:
            return float("-inf")
        if not owed.choice and not following:
            return run.step_since + grace_s
        if following:
            return _waited_since(run) + (clock_s + grace_s if clock_s else max(CHOICE_S, grace_s))
        ends = runs_out_at(run, self._rules, owed)
        return run.asked_since + max(CHOICE_S, grace_s) if ends is None else ends + grace_s

    def _away_since(self, key: bytes, now: float) -> float | None:
        """Since when there is neither a link to a member nor news of him; None if there is one."""
        member = self._members.get(key)
        if member is None or member.lost_at is None:
            return None
        for other in self._members.values():
            latest = other.statuses.get(other.deal)
            speaks = other.key in self._core.links and now - other.status_at < STALE_S
            if speaks and latest is not None and latest.linked >> member.seat & 1:
                return None
        return max(member.lost_at, self._news.get(key, float("-inf")))

    def _patience(self, key: bytes, now: float) -> float:
        """How long a member may take to answer a poll."""
        member = self._members.get(key)
        away = None if member is None or member.lost_at is None else self._away_since(key, now)
        grace_s = self._rules.grace_s
        return grace_s if away is None else max(ANSWER_S, away + grace_s - now)


def _waited_since(run: DealRun) -> float:
    """Since when the wish to play the next deal is waited for: as soon as somebody has it whom others keep
    waiting; but where nobody can say it, since the deal stands ready.
    """
    if run.open_since is None:
        return run.step_since
    return float("inf") if run.wished_since is None else max(run.open_since, run.wished_since)
