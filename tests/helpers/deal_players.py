"""Deals in memory: several `Deal` objects of one table, with a seeded random source, any order of delivery,
and random legal play.
"""

import hashlib
import random
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field

from tiny_group import quick_group

from crypto import CryptoError, Draw, Group, Identity
from engine import Answer, Call, Choices, DiscardSets, Duty, GoOut, Lay, Ruleset, Seat, View
from p2p.protocol.deal import Deal
from p2p.protocol.deal_own import OwnSeat
from p2p.protocol.deal_terms import DealTerms
from p2p.protocol.effects import Effect, Ended, Fetch, Happened, Job, Publish, Run, Store, Void
from p2p.protocol.entry import Body, Entry, SignedEntry, sign_entry
from p2p.protocol.ledger import DealState
from p2p.protocol.proposal import Member, Proposal, SignedProposal, sign_proposal
from p2p.protocol.table_rules import USUAL, TableRules

Move = Lay | Call | Answer | GoOut | DiscardSets


def seeded_draw(seed: object) -> Draw:
    """A deterministic source of bytes for tests."""
    counter = 0

    def draw(count: int) -> bytes:
        nonlocal counter
        counter += 1
        return hashlib.shake_256(f"{seed}/{counter}".encode()).digest(count)

    return draw


def identity_of(seat: int, table: str = "table") -> Identity:
    """The identity of a seat in tests."""
    return Identity.generate(seeded_draw(f"identity/{table}/{seat}"))


def signed_proposal(
    players: int, rules: Ruleset | None = None, table: str = "table", table_rules: TableRules = USUAL
) -> SignedProposal:
    """A table that all have signed."""
    identities = [identity_of(seat, table) for seat in range(players)]
    nonces = [hashlib.sha256(f"{table}/{seat}".encode()).digest() for seat in range(players)]
    members = tuple(
        Member(identity.public, nonce, f"player {seat}")
        for seat, (identity, nonce) in enumerate(zip(identities, nonces, strict=True))
    )
    offer = hashlib.sha256(table.encode()).digest()[:16]
    data = Proposal.make(offer, "a table", rules or Ruleset.preset("pagat"), members, table_rules).encode()
    return SignedProposal(data, tuple(sign_proposal(identity, data) for identity in identities))


def random_move(view: View, rng: random.Random) -> Move:
    """Some legal move of a seat that has to choose; now and then a lie, and calls enough to end."""
    state = view.state
    owed = view.owed[0]
    if owed.duty is Duty.ANSWER:
        silent = view.choices.may_pass and rng.random() < 0.7
        return Answer(owed.seat, None if silent else random_call(view.choices, owed.seat, rng))
    if owed.duty is Duty.GO_OUT_OR_CALL:
        return GoOut(owed.seat) if rng.random() < 0.5 else random_call(view.choices, owed.seat, rng)
    if owed.duty is Duty.DISCARD_SETS:
        if view.sets and rng.random() < 0.8:
            slots = view.sets[0]
            return DiscardSets(owed.seat, slots, tuple(view.faces[slot] for slot in slots))
        return DiscardSets(owed.seat, (), ())
    choices = view.choices
    may_call = choices.may_doubt or choices.may_believe
    if may_call and (choices.most == 0 or rng.random() < 0.35):
        return random_call(choices, owed.seat, rng)
    if state.ruleset.illegal_zero == "penalty" and rng.random() < 0.05:
        return Lay(owed.seat, (), choices.ranks[0], 0 if state.ruleset.claim_number == "honest" else None)
    count = rng.randint(choices.least, choices.most)
    hand = state.hand_of(owed.seat)
    slots = tuple(sorted(rng.sample(hand, count)))
    number = count if state.ruleset.claim_number == "honest" else None
    rank = rng.choice(choices.ranks)
    if (rank, number) == (choices.barred_rank, choices.barred_number):
        return random_move(view, rng)
    out = state.ruleset.manual_out and count == len(hand) and not state.stock and rng.random() < 0.5
    return Lay(owed.seat, slots, rank, number, out)


def random_call(choices: Choices, seat: Seat, rng: random.Random) -> Call:
    """Some call that may be made."""
    believe = choices.may_believe and (not choices.may_doubt or rng.random() < 0.5)
    return Call(seat, believe, rng.randrange(choices.indices) if choices.indices else None)


def run_job(job: Job) -> object:
    """Do a job at once; its result, or the error that it raised."""
    try:
        return job.function(*job.args)
    except CryptoError as error:
        return error


@dataclass
class Cheat:
    """What a dishonest seat says instead of its own entry: at `when`, `bodies` maps each receiving seat's
    story to a body.
    """

    seat: int
    when: Callable[[DealState, Entry], bool]
    bodies: Callable[[DealState, Entry], list[Body]]
    done: bool = False


@dataclass
class Table:
    """Deals of all seats and perhaps watchers, whose messages are delivered in a seeded order."""

    terms: DealTerms
    group: Group
    seed: object = 0
    shuffled: bool = False
    """Deliver in random order, with doubles, instead of in order."""
    watchers: int = 0
    cheats: list[Cheat] = field(default_factory=list)
    drop: Callable[[int, SignedEntry], bool] = lambda _to, _signed: False
    table_name: str = "table"
    hold_job: Callable[[int, Job], bool] = lambda _index, _job: False
    """Which jobs of which deals wait in `waiting` instead of being done at once."""
    watch: Callable[[int, Effect], None] = lambda _index, _effect: None
    """Sees every effect before it is carried out."""

    def __post_init__(self) -> None:
        players = len(self.terms.keys)
        self.rng = random.Random(f"{self.seed}")
        self.identities = [identity_of(seat, self.table_name) for seat in self.terms.players]
        self.deals = [
            Deal(
                self.terms,
                OwnSeat(Seat(seat), self.identities[seat]),
                seeded_draw((self.seed, seat)),
                self.group,
            )
            for seat in range(players)
        ]
        self.deals += [
            Deal(self.terms, None, seeded_draw((self.seed, "watcher", index)), self.group)
            for index in range(self.watchers)
        ]
        self.wire: list[tuple[int, SignedEntry, int]] = []
        self.silent: set[int] = set()
        self.seen_steps: dict[int, int] = {}
        self.noted: set[tuple[int, int]] = set()
        self.waiting: list[tuple[int, Job]] = []
        self.digests: dict[int, set[tuple[bytes, bytes]]] = {}
        self.happened: list[list[Happened]] = [[] for _ in self.deals]
        self.stores: list[list[Store]] = [[] for _ in self.deals]
        self.ended: list[list[Ended]] = [[] for _ in self.deals]

    @property
    def players(self) -> int:
        return len(self.terms.keys)

    @property
    def liars(self) -> set[int]:
        return {cheat.seat for cheat in self.cheats} | self.silent

    @property
    def honest(self) -> list[Deal]:
        return [deal for index, deal in enumerate(self.deals) if index not in self.liars]

    def take(self, index: int, effects: Iterable[Effect]) -> None:
        """Carry out the effects of one deal."""
        deal = self.deals[index]
        todo = list(effects)
        while todo:
            effect = todo.pop(0)
            self.watch(index, effect)
            match effect:
                case Run(job) if self.hold_job(index, job):
                    self.waiting.append((index, job))
                case Run(job):
                    todo += deal.job_done(job.id, run_job(job))
                case Publish(signed):
                    self.publish(index, signed)
                case Fetch(source, step):
                    self.fetch(index, source, step)
                case Happened():
                    self.happened[index].append(effect)
                case Store():
                    self.stores[index].append(effect)
                case Ended(outcome):
                    self.ended[index].append(effect)
                    if isinstance(outcome, Void) and index not in self.liars:
                        # Whoever finds a breach or fork shows the entries; everybody judges them by himself.
                        for signed in outcome.evidence.accused:
                            self.send(index, [signed])
        if deal.step != self.seen_steps.get(index):
            self.seen_steps[index] = deal.step
            for step in range(max(0, deal.step - 20), deal.step + 1):
                self.note_digest(index, step)

    def note_digest(self, index: int, step: int) -> None:
        """Note what a deal says of a step that it has reached."""
        if (index, step) not in self.noted:
            self.noted.add((index, step))
            state = self.deals[index].record.state_at(step)
            assert state is not None
            self.digests.setdefault(step, set()).add((state.head, state.digest()))

    def publish(self, index: int, signed: SignedEntry) -> None:
        """Send an entry to everybody, or what the seat's cheat makes of it."""
        entry = signed.open()
        state = self.deals[index].record.state_at(entry.step)
        assert state is not None
        for cheat in self.cheats:
            if cheat.seat == index and not cheat.done and cheat.when(state, entry):
                cheat.done = True
                self.tell(index, state, cheat.bodies(state, entry))
                return
        self.send(index, [signed])

    def tell(self, index: int, state: DealState, bodies: list[Body]) -> None:
        """Sign bodies in a liar's name and give the stories out, one to each other seat in turn."""
        signed = [
            sign_entry(
                self.identities[index],
                Entry(state.frame.table_id, self.terms.deal, state.step, index, state.head, body),
            )
            for body in bodies
        ]
        self.send(index, signed)

    def say(self, seat: int, body: Body) -> None:
        """A dishonest seat says something of its own accord to everybody, at the step where its own deal
        stands.
        """
        self.tell(seat, self.deals[seat].public_state, [body])

    def send(self, index: int, stories: list[SignedEntry]) -> None:
        others = [other for other in range(len(self.deals)) if other != index]
        for place, other in enumerate(others):
            signed = stories[place % len(stories)]
            if not self.drop(other, signed):
                self.wire.append((other, signed, index))
                if self.shuffled and self.rng.random() < 0.2:
                    self.wire.append((other, signed, index))

    def fetch(self, index: int, source: bytes | None, step: int) -> None:
        """Ask a peer (any one if `source` is None) for its entries from a step on."""
        keys = list(self.terms.keys)
        asked = keys.index(source) if source in keys else self.rng.randrange(len(self.deals))
        if asked in self.liars:
            return
        for signed in self.deals[asked].entries_from(step):
            self.wire.append((index, signed, asked))

    def gossip(self) -> None:
        """Everybody compares with everybody, as the messages about one's status do."""
        for index, deal in enumerate(self.deals):
            for other, peer in enumerate(self.deals):
                if other != index and other not in self.liars:
                    key = self.terms.keys[other] if other < self.players else None
                    effects = deal.compare(peer.step, peer.head, peer.digest, key)
                    self.take(index, [effect for effect in effects if not isinstance(effect, Fetch)])
                    for effect in effects:
                        if isinstance(effect, Fetch):
                            for signed in peer.entries_from(effect.step):
                                self.wire.append((index, signed, other))
                    if peer.step == deal.step:
                        for signed in peer.entries_from(deal.step, deal.have):
                            self.wire.append((index, signed, other))

    def deliver(self) -> None:
        """Deliver all that is on its way, and what comes of it."""
        while self.wire:
            place = self.rng.randrange(len(self.wire)) if self.shuffled else 0
            to, signed, origin = self.wire.pop(place)
            source = self.terms.keys[origin] if origin < self.players else None
            self.take(to, self.deals[to].receive(signed, source))

    def start(self) -> None:
        for index, deal in enumerate(self.deals):
            self.take(index, deal.start())
        self.deliver()

    def play(self, steps: int = 3000, until: Callable[["Table"], bool] = lambda _: False) -> None:
        """Play on with random moves until the deal ends, `until` holds, or nobody can go on."""
        for turn in range(steps):
            self.deliver()
            if self.over():
                return  # by gossip a receipt that is to be missing would come all the same
            if turn % 5 == 0:
                self.gossip()
                self.deliver()
            if until(self) or self.over():
                return
            if not self.move():
                before = [deal.step for deal in self.deals], [deal.outcome for deal in self.deals]
                self.gossip()
                self.deliver()
                if before == ([deal.step for deal in self.deals], [deal.outcome for deal in self.deals]):
                    return
        raise AssertionError(f"seed {self.seed!r}: no end after {steps} moves")

    def over(self) -> bool:
        """Whether the deal has an outcome for every honest seat."""
        return all(deal.outcome is not None for deal in self.honest)

    def move(self) -> bool:
        """Let the seat that has to decide make a move."""
        for seat in range(self.players):
            deal = self.deals[seat]
            owed = next((one for one in deal.owed if one.seat == seat), None)
            if owed and owed.choice and deal.view and not deal.working:
                if any(signed.open().seat == seat for signed in deal.record.accepted_at(deal.step).values()):
                    continue
                self.take(seat, deal.submit(random_move(deal.view, self.rng)))
                return True
        return False


def table_of(players: int, group: Group | None = None, **options: object) -> Table:
    """A table at its first deal, not yet started."""
    name = str(options.pop("table", "table"))
    rules, table_rules = options.pop("rules", None), options.pop("table_rules", USUAL)
    terms = DealTerms.first(signed_proposal(players, rules, name, table_rules))
    return Table(terms, group or quick_group(), table_name=name, **options)


def journal_of(table: Table, seat: int) -> tuple[bytes | None, tuple[SignedEntry, ...]]:
    """What the store holds of a seat's deal: secrets and entries in the order in which they were written."""
    secrets, entries = None, []
    for store in table.stores[seat]:
        secrets = store.secrets or secrets
        entries += store.entries
        if store.own is not None:
            entries.append(store.own)
    return secrets, tuple(entries)


def restart(table: Table, seat: int, seed: object) -> None:
    """The process of a seat dies, and starts again from its store."""
    secrets, journal = journal_of(table, seat)
    own = OwnSeat(Seat(seat), table.identities[seat])
    table.deals[seat] = Deal(table.terms, own, seeded_draw(seed), table.group, secrets, journal)
    table.take(seat, table.deals[seat].start())
