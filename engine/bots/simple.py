"""The two policies without a memory."""

from engine.bots.policy import Policy, discard
from engine.cards import Card, Rank
from engine.legality import Choices
from engine.moves import Call, DiscardSets, Lay, Move, Slot
from engine.view import View


def by_rank(view: View) -> dict[Rank, list[Slot]]:
    """The seat's own slots, grouped by rank, ascending; within a rank in suit order."""
    held: dict[Rank, list[Slot]] = {}
    for slot, card in view.hand:
        held.setdefault(card.rank, []).append(slot)
    return held


def lay(view: View, slots: list[Slot], rank: Rank, number: int) -> Lay:
    """A lay of these slots, with the number said where the table says numbers, and announced if it is the
    last where that is asked for.
    """
    assert view.seat is not None
    rules, state = view.state.ruleset, view.state
    said = number if rules.claim_number != "unstated" else None
    # Whoever announces his last cards leaves earlier, so every policy does.
    out = rules.manual_out and not state.stock and len(slots) == len(state.hand_of(view.seat))
    return Lay(view.seat, tuple(sorted(slots)), rank, said, out)


def possible_calls(choices: Choices) -> list[bool]:
    """The calls that may be made: False for ne veryu, True for veryu."""
    calls = ((False, choices.may_doubt), (True, choices.may_believe))
    return [believe for believe, may in calls if may]


def allowed(choices: Choices, rank: Rank, size: int) -> bool:
    """Whether `stall_guard` lets a leader claim this rank with this number."""
    return (rank, size) != (choices.barred_rank, choices.barred_number)


class RandomPolicy(Policy):
    """Tosses coins: call or lay, how many, which cards, which rank, whether to remove sets."""

    def choose_turn(self, view: View) -> Move:
        """A call half of the time where one is possible, else any lay."""
        assert view.seat is not None
        choices = view.choices
        calls = possible_calls(choices)
        if calls and (choices.most == 0 or self.random.random() < 0.5):
            return self.call(view, self.random.choice(calls))
        hand = view.state.hand_of(view.seat)
        while True:
            # Only stall_guard, which bars one claim of many, ever makes this go round again.
            number = self.random.randint(choices.least, choices.most)
            rank = self.random.choice(choices.ranks)
            if allowed(choices, rank, number):
                break
        size = number
        if view.state.ruleset.hides_sizes and (number > len(hand) or self.random.random() < 0.2):
            size = self.random.randint(0, choices.real_most)
        return lay(view, self.random.sample(hand, size), rank, number)

    def choose_call(self, view: View) -> Call | None:
        """In an open window a call as often as makes one of the table call half of the time."""
        choices = view.choices
        calls = possible_calls(choices)
        others = len(view.state.seats_in) - 1
        if not calls or (choices.may_pass and self.random.random() < 0.5 ** (1 / others)):
            return None
        return self.call(view, self.random.choice(calls))

    def choose_sets(self, view: View) -> DiscardSets:
        """Removes each complete set or keeps it, by a coin."""
        groups = [group for group in view.sets if self.random.random() < 0.5]
        return discard(view, [slot for group in groups for slot in group])


class HonestPolicy(Policy):
    """Lays all it has of the rank; calls what cannot be true; without a card of the rank it tosses a coin."""

    def choose_turn(self, view: View) -> Move:
        """A lay or a call, as the class says."""
        assert view.seat is not None
        choices = view.choices
        held = by_rank(view)
        if choices.may_doubt and (choices.most == 0 or self._sees_through(view, held)):
            return self.call(view, False)
        if choices.most == 0:
            return self.call(view, True)
        own = [rank for rank in choices.ranks if rank in held]
        if own:
            rank = max(own, key=lambda r: (len(held[r]), self.random.random()))
            size = max(choices.least, min(len(held[rank]), choices.most))
            if allowed(choices, rank, size):
                return lay(view, self._cards(held, rank, size), rank, size)
        calls = possible_calls(choices)
        if calls and self.random.random() < 0.5:
            return self.call(view, self.random.choice(calls))
        return self._bluff(view, choices, held)

    def choose_call(self, view: View) -> Call | None:
        """Calls what cannot be true; else only the next player, without a card of his rank, by a coin."""
        choices, state = view.choices, view.state
        calls = possible_calls(choices)
        held = by_rank(view)
        if choices.may_doubt and self._sees_through(view, held):
            return self.call(view, False)
        if not calls or (view.seat != state.turn and choices.may_pass):
            return None
        lacks = state.due_rank is not None and state.due_rank not in held
        if choices.may_pass and not (lacks and self.random.random() < 0.5):
            return None
        return self.call(view, self.random.choice(calls))

    def _bluff(self, view: View, choices: Choices, held: dict[Rank, list[Slot]]) -> Lay:
        """The fewest cards, of the shortest rank, under a rank that may be claimed."""
        size = choices.least
        ranks = [rank for rank in choices.ranks if allowed(choices, rank, size)]
        if not ranks:
            size, ranks = size + 1, list(choices.ranks)
        rank = self.random.choice(ranks)
        shortest = min(held, key=lambda r: (len(held[r]), self.random.random()))
        return lay(view, self._cards(held, shortest, size), rank, size)

    def _cards(self, held: dict[Rank, list[Slot]], first: Rank, size: int) -> list[Slot]:
        """`size` slots: those of rank `first`, then of the shortest other ranks."""
        others = sorted((rank for rank in held if rank != first), key=lambda r: len(held[r]))
        return [slot for rank in (first, *others) for slot in held[rank]][:size]

    def _sees_through(self, view: View, held: dict[Rank, list[Slot]]) -> bool:
        """Whether the claim cannot be true, or ends the deal if it is believed."""
        state = view.state
        packet = state.table[-1]
        if state.pending is not None and len(state.seats_in) == 2:
            return True
        seen = len(held.get(packet.rank, ()))
        seen += sum(card.face is not None and card.face.rank == packet.rank for card in state.removed)
        seen += sum(
            face is not None and face.rank == packet.rank
            for older in state.table[:-1]
            for face in (self._own(view, older.owner, slot) for slot in older.slots)
        )
        return state.size_of(packet) + seen > state.ruleset.copies

    def _own(self, view: View, owner: int, slot: Slot) -> Card | None:
        return view.faces.get(slot) if owner == view.seat else None
