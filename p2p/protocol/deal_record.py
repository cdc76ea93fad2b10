"""The ledger as one peer holds it: a state for every step, and every entry that it has noted or accepted."""

from collections.abc import Mapping
from dataclasses import replace

from engine import Seat
from p2p.protocol.deal_cards import CardTable
from p2p.protocol.entry import Entry, SignedEntry
from p2p.protocol.ledger import DealState, Phase

CARDS_KEPT_STEPS = 8
"""States older than this many steps drop their hidden cards, which grow with the deal: all entries of a
complete step are known, so whatever else arrives for it is judged without looking at a card.
"""


class DealRecord:
    """States by step, entries by step and seat. An entry is noted when its signature and previous head are
    known, and accepted when it is judged; only accepted ones complete a step or are passed on.
    """

    def __init__(self, start: DealState) -> None:
        self._states = [start]
        self._steps_by_head = {start.head: start.step}
        self._noted: dict[tuple[int, Seat], SignedEntry] = {}
        self._accepted: list[dict[Seat, SignedEntry]] = [{}]
        self._opened: dict[Seat, Entry] = {}

    @property
    def latest(self) -> DealState:
        """The state at the latest head."""
        return self._states[-1]

    @property
    def complete(self) -> bool:
        """Whether every entry owed at the latest step is in. The last step of a deal never completes."""
        state = self.latest
        return state.phase is not Phase.OVER and all(owed.seat in self._opened for owed in state.owed)

    def state_at(self, step: int) -> DealState | None:
        """The state of a step, or None if it has not been reached; an old one without its hidden cards."""
        return self._states[step] if 0 <= step < len(self._states) else None

    def step_of(self, head: bytes) -> int | None:
        """The step whose entries build on `head`, or None if that head is not known."""
        return self._steps_by_head.get(head)

    def known(self, step: int, seat: Seat) -> SignedEntry | None:
        """The entry noted for a seat at a step."""
        return self._noted.get((step, seat))

    def known_at(self, step: int) -> frozenset[Seat]:
        """Whose entries are noted at a step."""
        return frozenset(seat for noted, seat in self._noted if noted == step)

    def accepted_at(self, step: int) -> Mapping[Seat, SignedEntry]:
        """The accepted entries of a step, by seat."""
        return self._accepted[step]

    def entries_at(self, step: int) -> Mapping[Seat, Entry]:
        """The accepted entries of the latest step, decoded."""
        assert step == self.latest.step
        return self._opened

    def note(self, entry: Entry, signed: SignedEntry) -> None:
        """Note an entry: the only one of its seat for its step from now on."""
        self._noted[entry.step, Seat(entry.seat)] = signed

    def accept(self, entry: Entry, signed: SignedEntry) -> None:
        """Accept a judged entry."""
        self._accepted[entry.step][Seat(entry.seat)] = signed
        if entry.step == self.latest.step:
            self._opened[Seat(entry.seat)] = entry

    def push(self, state: DealState) -> None:
        """Go on to the next step."""
        self._states.append(state)
        if len(self._states) > CARDS_KEPT_STEPS:
            old = self._states[-CARDS_KEPT_STEPS - 1]
            self._states[-CARDS_KEPT_STEPS - 1] = replace(old, cards=CardTable(), deck=())
        self._steps_by_head[state.head] = state.step
        self._accepted.append({})
        self._opened = {}

    def before(self, step: int) -> tuple[SignedEntry, ...]:
        """All entries of the steps before `step`, by step and seat."""
        return tuple(signed for entries in self._accepted[:step] for _, signed in sorted(entries.items()))

    def all_entries(self) -> tuple[SignedEntry, ...]:
        """All accepted entries, by step and seat."""
        return self.before(len(self._accepted))

    def entries_from(
        self, step: int, have: frozenset[Seat], limit_bytes: int, more: tuple[SignedEntry, ...]
    ) -> tuple[SignedEntry, ...]:
        """Accepted entries from `step` on, without those of `have` at `step`, then `more`: as many as the
        limit holds, at least one.
        """
        wanted = [
            signed
            for at in range(max(step, 0), len(self._accepted))
            for seat, signed in sorted(self._accepted[at].items())
            if at != step or seat not in have
        ]
        chosen: list[SignedEntry] = []
        size = 0
        for signed in (*wanted, *(signed for signed in more if signed not in wanted)):
            size += len(signed.entry) + len(signed.signature)
            if chosen and size > limit_bytes:
                break
            chosen.append(signed)
        return tuple(chosen)
