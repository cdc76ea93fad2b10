"""What must hold at every table, checked after every event of a simulation, on the state of all peers.

Each checker has a claim of its own and no trust in the code that it checks: from what has left the processes
it keeps its own ledger, and the true faces it reads with the secrets of all seats together.
"""

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping
from contextlib import suppress

from memory_player import Player
from memory_table import MemoryNetwork, Onlooker

from engine import Card, Seat, Slot, State
from p2p.protocol.deal_own import DealSecrets
from p2p.protocol.deal_run import DealRun
from p2p.protocol.entry import Entry, Kind, SignedEntry, check_signature
from p2p.protocol.errors import MalformedMessage
from p2p.protocol.ledger import DealState
from p2p.protocol.messages import Entries, Evidence, Message

DealPlace = tuple[bytes, int]
"""Table id and deal."""

MAKES_SLOTS = frozenset({Kind.SHUFFLE, Kind.PICK_UP, Kind.DRAW})
"""Entries that put cards into new slots."""
ENTITLES = frozenset({Kind.CALL, Kind.ANSWER, Kind.COIN})
"""Entries that decide that a packet is opened, and which card of it."""
OPENS = frozenset({Kind.SHARES, Kind.REVEAL, Kind.SETS})
"""Entries that hold decryption shares."""


class Violation(AssertionError):  # noqa: N818 - it is no error of the simulator
    """A property does not hold."""


class NoProgress(Violation):
    """Nothing goes on, though no fault is left that could hold it up."""


class Ledger(Onlooker):
    """Shows all checkers of a network each entry, when its author first sends it, and each peer's states."""

    def __init__(self) -> None:
        self.checkers: list[Checker] = []
        self._sent: set[bytes] = set()
        self._seen: dict[tuple[int, int], tuple[DealRun, int]] = {}
        self._runs: dict[tuple[int, bytes, int], DealRun] = {}

    @classmethod
    def of(cls, network: MemoryNetwork) -> "Ledger":
        """The one of a network."""
        for onlooker in network.onlookers:
            if isinstance(onlooker, Ledger):
                return onlooker
        network.onlookers.append(ledger := cls())
        return ledger

    def sent(self, player: Player, message: Message) -> None:
        """Look at the own entries in a message."""
        if not isinstance(message, Entries):
            return
        for signed in message.entries:
            if signed.entry in self._sent:
                continue
            entry = signed.open()
            run = run_of(player, entry.table, entry.deal)
            if run is None:  # a slow disk lets an entry go once its author has left
                run = self._runs.get((player.index, entry.table, entry.deal))
            if run is not None and run.own == entry.seat:
                self._sent.add(signed.entry)
                for checker in self.checkers:
                    checker.spoken(player, run, entry)

    def settled(self, player: Player) -> None:
        """Look at the states that a peer has come to since the last event.

        What rests on an entry that waits for the disk is nothing yet: should the process die, it never was.
        """
        for run in runs_of(player):
            self._runs[player.index, run.deal.public_state.frame.table_id, run.number] = run
        if player.line.effects:
            return
        for run in runs_of(player):
            place, latest = (player.index, run.number), run.deal.step
            known, seen = self._seen.get(place, (run, -1))
            seen = seen if known is run else -1
            if seen == latest:
                continue
            for step in range(seen + 1, latest + 1):
                state = run.deal.record.state_at(step)
                assert state is not None
                for checker in self.checkers:
                    checker.reached(player, run, state)
            self._seen[place] = (run, latest)


class Checker:
    """One property of a network; what it looks at is shown to it by the `Ledger`."""

    def __init__(self, network: MemoryNetwork) -> None:
        self.network = network
        Ledger.of(network).checkers.append(self)

    def spoken(self, player: Player, run: DealRun, entry: Entry) -> None:
        """A player sends an entry of his own for the first time."""

    def reached(self, player: Player, run: DealRun, state: DealState) -> None:
        """A peer has come to a state."""


class EqualDigests(Checker):
    """Where heads are equal, digests are; and honest seats never have two heads of one step."""

    def __init__(self, network: MemoryNetwork) -> None:
        super().__init__(network)
        self._digests: dict[bytes, bytes] = {}
        self._heads: dict[tuple[bytes, int], bytes] = {}

    def reached(self, player: Player, run: DealRun, state: DealState) -> None:
        digest = state.digest()
        if self._digests.setdefault(state.head, digest) != digest:
            raise Violation(f"deal {run.number}, step {state.step}: {player.index} has another digest")
        place = (run.terms.first_head, state.step)
        if self._heads.setdefault(place, state.head) != state.head:
            raise Violation(f"deal {run.number}, step {state.step}: {player.index} has another head")


class NoShareBeforeSeal(Checker):
    """A seat sends a share only when it holds the seals of all seats, later than the shuffle that made the
    slots and than what entitles the reader.
    """

    def __init__(self, network: MemoryNetwork) -> None:
        super().__init__(network)
        self._last: defaultdict[DealPlace, dict[Kind, int]] = defaultdict(dict)
        self._seals: defaultdict[DealPlace, defaultdict[int, set[int]]] = defaultdict(
            lambda: defaultdict(set)
        )

    def spoken(self, player: Player, run: DealRun, entry: Entry) -> None:
        place = (entry.table, entry.deal)
        if entry.kind in OPENS and slots_of(entry):
            self._check(player, run, entry)
        elif entry.kind is Kind.SEAL:
            self._seals[place][entry.step].add(entry.seat)
        last = self._last[place]
        last[entry.kind] = max(entry.step, last.get(entry.kind, -1))

    def _check(self, player: Player, run: DealRun, entry: Entry) -> None:
        place, record = (entry.table, entry.deal), run.deal.record
        kinds = MAKES_SLOTS | ENTITLES if entry.kind is Kind.REVEAL else MAKES_SLOTS
        last = self._last[place]
        since = max((last.get(kind, -1) for kind in kinds), default=-1)
        everybody = set(range(len(run.terms.players)))
        for step, seats in self._seals[place].items():
            held = record.accepted_at(step) if step < run.deal.step else {}
            own = held.get(Seat(entry.seat))
            # A seal that is written counts for its author, even if the process died before it was sent.
            written = {entry.seat} if own is not None and own.entry in player.disk.entries else set()
            if since < step < entry.step and seats | written == everybody == set(held):
                break
        else:
            raise Violation(f"deal {entry.deal}, step {entry.step}: seat {entry.seat} opens before a seal")
        state = record.state_at(entry.step)
        if state is None or state.head != entry.previous:
            raise Violation(f"deal {entry.deal}, step {entry.step}: seat {entry.seat} opens at another head")


class OneEntryPerStep(Onlooker):
    """Whatever is sent, stored, passed on or held as evidence: there is one entry of a seat for a step."""

    def __init__(self, network: MemoryNetwork) -> None:
        self.entries: dict[tuple[bytes, int, int, int], SignedEntry] = {}
        self._network = network
        self._known: set[bytes] = set()
        network.onlookers.append(self)

    def sent(self, player: Player, message: Message) -> None:
        """Look at all entries in a message, whoever sends them."""
        if isinstance(message, Entries | Evidence):
            for signed in message.entries:
                self._take(signed)

    def settled(self, player: Player) -> None:
        """Look at what the peer has accepted; see `Ledger.settled` for what waits for the disk."""
        if player.line.effects:
            return
        for run in runs_of(player):
            for signed in run.deal.record.accepted_at(run.deal.step).values():
                self._take(signed)

    def _take(self, signed: SignedEntry) -> None:
        if signed.entry in self._known:
            return
        entry = signed.open()
        place = (entry.table, entry.deal, entry.step, entry.seat)
        first = self.entries.setdefault(place, signed)
        if first.entry != signed.entry and self._author(first) == self._author(signed):
            raise Violation(f"deal {entry.deal}, step {entry.step}: a second entry of seat {entry.seat}")
        self._known.add(signed.entry)

    def _author(self, signed: SignedEntry) -> int | None:
        """Who has signed an entry: a seat is another player's at other terms of a deal."""
        for player in self._network.players:
            with suppress(MalformedMessage):
                check_signature(player.peer.key, signed)
                return player.index
        return None


class EveryCardInOnePlace(Checker):
    """At every step each slot in the game is in one place, and in all places together lies the deck."""

    def __init__(self, network: MemoryNetwork) -> None:
        super().__init__(network)
        self._checked: set[bytes] = set()
        self._faces: defaultdict[DealPlace, dict[Slot, Card]] = defaultdict(dict)
        self._keys: dict[DealPlace, int] = {}

    def reached(self, player: Player, run: DealRun, state: DealState) -> None:
        game = state.game
        if game is None or not state.cards.cards:  # hidden cards of old steps are dropped
            return
        place = (state.frame.table_id, run.number)
        if state.head not in self._checked:
            self._checked.add(state.head)
            self._check(game, self._true_faces(place, state))
        self._check_read(player, run, self._faces[place])

    def _check(self, game: State, faces: Mapping[Slot, Card]) -> None:
        places = Counter(slots_in_game(game))
        twice = [slot for slot, count in places.items() if count != 1]
        if twice:
            raise Violation(f"slots in two places: {twice}")
        lying, deck = Counter(faces[slot] for slot in places if slot in faces), Counter(game.ruleset.deck)
        # A pick-up that ends the deal names new slots, into which nobody shuffles any more.
        whole = lying == deck or (game.over and lying <= deck and len(places) == deck.total())
        if not whole:
            raise Violation("the cards in all places are not the deck")

    def _check_read(self, player: Player, run: DealRun, faces: Mapping[Slot, Card]) -> None:
        wrong = [slot for slot, face in run.deal._faces.items() if faces.get(slot, face) != face]
        if wrong:
            raise Violation(f"{player.index} has read another card than lies in {wrong}")

    def _true_faces(self, place: DealPlace, state: DealState) -> Mapping[Slot, Card]:
        known = self._faces[place]
        for slot, card in state.cards.cards.items():
            if slot not in known:
                share = self._joint_key(place, state) * card.ciphertext.first
                known[slot] = state.frame.faces[(card.ciphertext.second - share).encode()]
        return known

    def _joint_key(self, place: DealPlace, state: DealState) -> int:
        """The sum of all deal keys: what all seats together could work out, whoever has erased his since."""
        if place not in self._keys:
            group = state.frame.group
            stored = [player.disk.written_secrets[place] for player in self._players_of(state)]
            keys = [DealSecrets.decode(group, secrets).key.secret for secrets in stored]
            self._keys[place] = group.scalar(sum(keys))
        return self._keys[place]

    def _players_of(self, state: DealState) -> list[Player]:
        return [player for player in self.network.players if player.peer.key in state.frame.keys]


class OnlyTheRightfulReader(Checker):
    """Nobody can ever read a hidden card but the seat that it was given to, until the rules open it.

    Everything sent may be heard by everybody; so a seat can read a slot when all others' shares are out.
    """

    def __init__(self, network: MemoryNetwork) -> None:
        super().__init__(network)
        self._owners: defaultdict[DealPlace, dict[Slot, Seat]] = defaultdict(dict)
        self._shares: defaultdict[tuple[DealPlace, Slot], set[int]] = defaultdict(set)
        self._opened: defaultdict[DealPlace, set[Slot]] = defaultdict(set)

    def reached(self, player: Player, run: DealRun, state: DealState) -> None:
        place = (state.frame.table_id, run.number)
        if state.game is None:
            return
        self._note_owners(place, state.game)
        owners, opened = self._owners[place], self._opened[place]
        for slot in run.deal._faces:
            if owners.get(slot) != run.own and slot not in opened:
                raise Violation(f"deal {run.number}: {player.index} has read slot {slot} of another")

    def spoken(self, player: Player, run: DealRun, entry: Entry) -> None:
        slots = slots_of(entry) if entry.kind in OPENS else ()
        if not slots:
            return
        place, state = (entry.table, entry.deal), run.deal.record.state_at(entry.step)
        assert state is not None
        if state.game is not None:
            self._note_owners(place, state.game)
        if entry.kind is not Kind.SHARES:
            self._open(place, state, entry)
        everybody = set(range(len(run.terms.players)))
        for slot in slots:
            shares = self._shares[place, slot]
            shares.add(entry.seat)
            readers = {seat for seat in everybody if shares >= everybody - {seat}}
            rightful = everybody if slot in self._opened[place] else {self._owners[place].get(slot)}
            if not readers <= rightful or slot not in self._owners[place]:
                raise Violation(f"deal {entry.deal}, step {entry.step}: slot {slot} can be read by {readers}")

    def _open(self, place: DealPlace, state: DealState, entry: Entry) -> None:
        """Note what the rules open to all by this entry: only its owner opens a card, when he owes that."""
        owed = state.owed_by(Seat(entry.seat))
        asked = owed is not None and entry.kind in owed.kinds
        for slot in slots_of(entry):
            mine = self._owners[place].get(slot) == entry.seat
            called = entry.kind is Kind.SETS or (owed is not None and slot in owed.slots)
            if asked and mine and called:
                self._opened[place].add(slot)

    def _note_owners(self, place: DealPlace, game: State) -> None:
        if game.over:
            return  # a pile that falls to somebody with the end of the deal is read by nobody
        owners, opened = self._owners[place], self._opened[place]
        for seat, hand in zip(game.order, game.hands, strict=True):
            for slot in hand:
                if owners.setdefault(slot, seat) != seat and slot not in opened:
                    raise Violation(f"slot {slot} has gone from one hand to another")


class Progress(Checker):
    """Once faults have stopped, somebody comes to a new step again and again, until all is played."""

    PATIENCE_S = 90.0
    """Far beyond every time by which a peer waits for another or tries again."""

    def __init__(self, network: MemoryNetwork) -> None:
        super().__init__(network)
        self._since = 0.0
        self._furthest: dict[int, tuple[int, int]] = {}

    def reached(self, player: Player, run: DealRun, state: DealState) -> None:
        place = (run.number, state.step)
        if place > self._furthest.get(player.index, (0, 0)):
            self._furthest[player.index] = place
            self._since = self.network.now

    def check(self, calm_since: float) -> None:
        """To be called while there is still something to play. Raises: NoProgress."""
        waited = self.network.now - max(self._since, calm_since)
        if waited > self.PATIENCE_S:
            raise NoProgress(f"nothing has gone on for {waited:.0f} s: {self._furthest}")


def runs_of(player: Player) -> tuple[DealRun, ...]:
    """The deals that a peer has in hand."""
    table = player.peer._table
    return () if table is None or not player.alive else table.deals.runs


def run_of(player: Player, table_id: bytes, deal: int) -> DealRun | None:
    """One deal of a peer's table."""
    table = player.peer._table
    runs = () if table is None or table.table_id != table_id else table.deals.runs
    return next((run for run in runs if run.number == deal), None)


def slots_of(entry: Entry) -> tuple[Slot, ...]:
    """The slots that an entry with shares opens."""
    return tuple(Slot(slot) for slot in entry.body.slots)  # type: ignore[union-attr]


def slots_in_game(game: State) -> Iterator[Slot]:
    """Every slot, as often as it is somewhere."""
    for hand in game.hands:
        yield from hand
    for packet in game.table:
        yield from packet.slots
    yield from game.burned
    yield from game.stock
    for removed in game.removed:
        yield removed.slot
