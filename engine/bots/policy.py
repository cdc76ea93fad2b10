"""What every policy is."""

import random
from abc import ABC, abstractmethod

from engine.events import Event
from engine.moves import Answer, Call, DiscardSets, Duty, GoOut, Move, Obligation, Slot
from engine.view import View


class Policy(ABC):
    """Decides for one seat. It sees Views and events only; `random` is its own, seeded, for decisions."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)  # noqa: S311 - decides how to play, never what is dealt

    def choose(self, view: View, obligation: Obligation) -> Move:
        """A legal move that meets `obligation`, which is owed by the seat of `view`.

        Raises: ValueError for a duty that leaves nothing to choose, or one of another seat.
        """
        if obligation.seat != view.seat:
            raise ValueError("another seat owes this")
        if obligation.duty is Duty.DISCARD_SETS:
            return self.choose_sets(view)
        if obligation.duty in (Duty.LAY, Duty.LAY_OR_CALL):
            return self.choose_turn(view)
        if obligation.duty is Duty.ANSWER:
            return Answer(obligation.seat, self.choose_call(view))
        if obligation.duty is Duty.GO_OUT_OR_CALL:
            return self.choose_call(view) or GoOut(obligation.seat)
        raise ValueError(f"nothing to choose: {obligation.duty}")

    def observe(self, view: View, event: Event) -> None:  # noqa: B027 - a policy without memory needs nothing
        """Takes notice of an event; `view` is the seat's view after the move that caused it."""

    @abstractmethod
    def choose_turn(self, view: View) -> Move:
        """A lay or a call."""

    @abstractmethod
    def choose_call(self, view: View) -> Call | None:
        """A call where nothing can be laid, or None; without `may_pass` it must be a call."""

    def call(self, view: View, believe: bool) -> Call:
        """A call; where the caller picks the card to check, any of them."""
        assert view.seat is not None
        count = view.choices.indices
        return Call(view.seat, believe, self.random.randrange(count) if count else None)

    def choose_sets(self, view: View) -> DiscardSets:
        """Which complete sets to remove; all of them, unless a policy knows better."""
        return discard(view, [slot for group in view.sets for slot in group])


def discard(view: View, slots: list[Slot]) -> DiscardSets:
    """The removal of these slots of the seat's hand; none declines."""
    assert view.seat is not None
    chosen = tuple(sorted(slots))
    return DiscardSets(view.seat, chosen, tuple(view.faces[slot] for slot in chosen))
