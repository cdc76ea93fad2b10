"""Answers that the program gives for its person after a while: that there are no fours to show, and that
nothing is said in the window for calls.
"""

from engine import Answer, DiscardSets, Duty
from p2p.protocol.deal_run import DealRun
from p2p.protocol.ledger import Phase
from p2p.protocol.peer_core import Core

WINDOW_S = 20.0
"""Open calls: how long the own person may think about calling before nothing is said for him."""
DECLINE_S = (1.0, 3.0)
"""How long a taker seems to think about fours that he does not hold: a person's answer takes as long."""


class OwnAnswers:
    """When which answer is given for the own person, if he gives none."""

    def __init__(self, core: Core) -> None:
        self._core = core
        self._decline_at: float | None = None
        self._window_until: float | None = None

    def times(self) -> tuple[float, ...]:
        """When something is to be answered."""
        return tuple(at for at in (self._decline_at, self._window_until) if at is not None)

    def due(self, run: DealRun, now: float) -> tuple[DiscardSets | Answer, ...]:
        """The answers whose time has come; each is given once."""
        answers: list[DiscardSets | Answer] = []
        if run.own is None:
            return ()
        if self._decline_at is not None and now >= self._decline_at:
            self._decline_at = None
            answers.append(DiscardSets(run.own, (), ()))
        if self._window_until is not None and now >= self._window_until:
            self._window_until = None
            answers.append(Answer(run.own, None))
        return tuple(answers)

    def consider(self, run: DealRun, now: float) -> None:
        """Look at what the own person is asked now."""
        self._consider_sets(run, now)
        self._consider_window(run, now)

    def _consider_sets(self, run: DealRun, now: float) -> None:
        """Answer for an owner who is asked about fours and holds none."""
        deal = run.deal
        view = None if run.own is None else deal.view
        owed = () if view is None or run.ended else view.owed
        asks = any(one.duty is Duty.DISCARD_SETS for one in owed)
        # Where sets are forced the deal answers by itself.
        asked = asks and view is not None and view.state.ruleset.sets != "forced" and not view.sets
        if not asked or run.own in deal.have:
            self._decline_at = None
        elif self._decline_at is None:
            least, most = DECLINE_S
            self._decline_at = now + least + (most - least) * self._core.draw(1)[0] / 255

    def _consider_window(self, run: DealRun, now: float) -> None:
        """Let the window for calls run out, unless the own person has answered, or has to call."""
        deal = run.deal
        asked = deal.public_state.phase is Phase.ANSWER_COMMIT and not run.ended and run.own is not None
        view = deal.view if asked and run.own not in deal.have else None
        if view is None or not view.choices.may_pass:
            self._window_until = None
        elif self._window_until is None:
            self._window_until = now + WINDOW_S
