"""What the own program does for its person when time runs out: in the window for calls, by the turn clock,
and where it is asked about fours that nobody holds.

A time begins when the step began here or, if a packet was opened just before, when that has been shown; so
nobody sees less of it than the table promised. It is kept by everybody's own program: others see an estimate
of it, and a program that does not keep it is simply late.
"""

from engine import Answer, DiscardSets, Duty, choices
from engine.default_move import default_move
from p2p.protocol.deal import Choice
from p2p.protocol.deal_run import DealRun
from p2p.protocol.ledger import Owed
from p2p.protocol.peer_core import Core
from p2p.protocol.table_rules import TableRules

DECLINE_S = (1.0, 3.0)
"""How long a taker seems to think about fours that he does not hold: a person's answer takes as long."""


def runs_out_at(run: DealRun, rules: TableRules, owed: Owed) -> float | None:
    """When the program of a seat that has to choose acts by itself, as far as this peer can tell; None if it
    never does.
    """
    game = run.deal.state
    if not owed.choice or game is None:
        return None
    window = owed.duty is Duty.ANSWER and choices(game, owed.seat).may_pass
    limit_s = rules.window_s if window else rules.clock_s
    return run.asked_since + limit_s if limit_s else None


class OwnAnswers:
    """When something is done for the own person, if he does nothing."""

    def __init__(self, core: Core, rules: TableRules) -> None:
        self._core = core
        self._rules = rules
        self._at: float | None = None
        self._step: tuple[int, int] = (0, -1)
        """Deal and step that have been considered: their time begins once."""

    @property
    def next_timer(self) -> float | None:
        """When `due` has something to say."""
        return self._at

    def due(self, run: DealRun, now: float) -> Choice | None:
        """What is to be done for the own person now; said once. The run is told if his log shall say so."""
        view = run.deal.view
        if self._at is None or now < self._at or view is None:
            return None
        self._at = None
        move = default_move(view)
        # That nothing is said, and that there are no fours, is no news.
        silent = isinstance(move, Answer) and move.call is None
        run.lapsed = not silent and not (isinstance(move, DiscardSets) and not view.sets)
        return move

    def consider(self, run: DealRun, now: float) -> None:
        """Look at what the own person is asked now."""
        asked = _asked(run)
        step = (run.number, run.deal.step)
        if asked is None:
            self._at = None
        elif step != self._step:
            self._step = step
            self._at = self._when(run, asked, now)

    def _when(self, run: DealRun, asked: Owed, now: float) -> float | None:
        view = run.deal.view
        if asked.duty is Duty.DISCARD_SETS and view is not None and not view.sets:
            least, most = DECLINE_S
            return now + least + (most - least) * self._core.draw(1)[0] / 255
        return runs_out_at(run, self._rules, asked)


def _asked(run: DealRun) -> Owed | None:
    """What the own person has to choose and has not chosen yet; nothing, where somebody has left."""
    deal, own = run.deal, run.own
    if run.ended or own is None or own in deal.have or deal.working or deal.silent or deal.left:
        return None
    return next((owed for owed in deal.owed if owed.seat == own and owed.choice), None)
