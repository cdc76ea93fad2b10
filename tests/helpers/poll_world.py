"""One step of a deal whose entries do not all arrive, in virtual time: honest seats that poll, any order of
messages, losses, and perhaps one seat that signs whatever it likes.

Nothing here is signed or proven; `StepPolls` takes ballots whose signatures have been checked.
"""

import random
from dataclasses import dataclass, field
from typing import TypeAlias

from engine import Seat
from p2p.protocol.ballot import (
    AbsentAnswer,
    Answer,
    Ballot,
    HereAnswer,
    Poll,
    SeeAnswer,
    SignedBallot,
    contradict,
)
from p2p.protocol.entry import Entry, SealBody, SignedEntry
from p2p.protocol.poll_votes import Facts, SignAbsent, SignHere, StepPolls, Suspicion, ToSign

Told: TypeAlias = Ballot | int | tuple[Ballot, Ballot]
"""What a message holds: a ballot, the entry of a seat, or two ballots that contradict each other."""

TABLE, HEAD, STEP = bytes(32), b"h" * 32, 7
PATIENCE_S = 10.0
SIGNATURE = bytes(64)


def entry_of(seat: int) -> SignedEntry:
    """What a seat owes at the step."""
    return SignedEntry(Entry(TABLE, 1, STEP, seat, HEAD, SealBody()).encode(), SIGNATURE)


def signed(ballot: Ballot) -> SignedBallot:
    """A ballot as it travels here."""
    return SignedBallot(ballot.encode(), SIGNATURE)


@dataclass
class Voter:
    """One honest seat."""

    seat: Seat
    polls: StepPolls
    have: set[Seat]
    excuses_at: dict[Seat, float]
    opens: bool
    beyond: bool = False
    outcomes: list[Poll] = field(default_factory=list)
    """The polls by which the deal has ended for it, one after the other."""
    evidence: tuple[Ballot, Ballot] | None = None
    """The two stories of one seat that it has been told. The deal is void for it, and it votes no more."""


class World:
    """A step with seats, messages on their way and a clock."""

    def __init__(self, seed: int, seats: int, liars: int = 0, loss: float = 0.3) -> None:
        self.rng = rng = random.Random(seed)
        self.now = 0.0
        self.loss = loss
        self.all = frozenset(map(Seat, range(seats)))
        everybody = rng.random() < 0.5
        self.owing = self.all if everybody else frozenset({Seat(rng.randrange(seats))})
        self.liars = set(rng.sample(range(seats), liars))
        self.dead = {seat for seat in self.all - self.liars if rng.random() < 0.15}
        """Whose program ends at some time, perhaps before it said anything."""
        self.dies_at = {seat: rng.choice([0.0, rng.uniform(0, 40)]) for seat in self.dead}
        self.left = {seat for seat in self.owing | self.dead if rng.random() < 0.15}
        self.island = {seat for seat in self.all if rng.random() < 0.3} if rng.random() < 0.5 else set()
        """Cut off from the others until `heal`."""
        self.wire: list[tuple[float, int, Told]] = []
        self.ballots: list[Ballot] = []
        self.signed: dict[bytes, Ballot] = {}
        self.told: dict[int, list[Ballot]] = {}
        self.rash = rng.random() < 0.3
        """Whether a liar signs even what can be proven against him."""
        self.voters = {
            seat: Voter(
                seat,
                StepPolls(self.all, self.owing, seat),
                have={seat} & self.owing,
                excuses_at={other: rng.uniform(0, 30) for other in self.all},
                opens=rng.random() < 0.7,
            )
            for seat in self.all - self.liars
        }
        for voter in self.voters.values():
            voter.polls.note_left(frozenset(self.left))
        for seat in self.owing:
            if seat not in self.dead or self.dies_at[seat] > 0:
                late = rng.random() < 0.4
                for other in self.all - {seat}:
                    if seat not in self.liars or rng.random() < 0.5:
                        self.send(seat, other, int(seat), delay=rng.uniform(0, 60) if late else None)

    # Messages

    def send(self, origin: int, to: int, what: Told, delay: float | None = None) -> None:
        if (origin in self.island) != (to in self.island) or self.rng.random() < self.loss:
            return
        self.wire.append((self.now + (self.rng.uniform(0, 3) if delay is None else delay), to, what))

    def arrive(self, to: int, what: Told) -> None:
        voter = self.voters.get(Seat(to))
        if voter is None or self.is_dead(to):
            return
        if isinstance(what, int):
            if Seat(what) in voter.have:
                return
            voter.have.add(Seat(what))
        elif isinstance(what, tuple):
            voter.evidence = voter.evidence or what
        elif not voter.polls.knows(what) and voter.polls.wants(what):
            before = voter.polls.take(what, signed(what), self.now)
            if before is not None:
                voter.evidence = voter.evidence or (before.open(), what)
        self.look(voter)

    def is_dead(self, seat: int) -> bool:
        return seat in self.dead and self.now >= self.dies_at[Seat(seat)]

    # Honest seats

    def look(self, voter: Voter) -> None:
        """Go by what is here."""
        if voter.evidence is not None:
            return
        voter.have.update(Seat(one.open().seat) for one in voter.polls.entries)
        verdict, ended = voter.polls.verdict, voter.polls.verdict_ended
        if verdict is not None and ended is not None and ended not in voter.outcomes[-1:]:
            if voter.outcomes or voter.beyond:
                assert voter.seat in verdict.poll.about, "an end was put upon one of its voters"
            voter.outcomes.append(ended)
        assert ended is not None or not voter.outcomes, "an end was undone"
        if not voter.outcomes and voter.have >= self.owing and not voter.polls.frozen:
            voter.beyond = True

    def vote(self, voter: Voter) -> None:
        """Sign whatever a seat is to sign now."""
        while not self.is_dead(voter.seat) and voter.evidence is None:
            self.look(voter)
            wanted = voter.polls.consider(self.facts(voter), self.now)
            if wanted is None:
                return
            self.say(voter, wanted)

    def facts(self, voter: Voter) -> Facts:
        lacking = self.owing - voter.have - {voter.seat}
        late = (seat for seat in lacking if seat in self.left or self.now >= voter.excuses_at[seat])
        suspicion = Suspicion(frozenset(late), voter.opens, dict.fromkeys(self.all, PATIENCE_S))
        return Facts(frozenset(voter.have), voter.beyond, suspicion)

    def say(self, voter: Voter, wanted: ToSign) -> None:
        answer: Answer
        match wanted:
            case SignAbsent():
                assert not voter.beyond
                answer = AbsentAnswer()
            case SignHere(_, seats):
                answer = HereAnswer(tuple(entry_of(seat) for seat in sorted(seats)))
            case _:
                seen = wanted.seen
                answer = SeeAnswer(seen.number, seen.opener, tuple(sorted(wanted.brings)))
        ballot = Ballot(TABLE, 1, STEP, HEAD, voter.seat, wanted.poll, answer)
        assert signed(ballot).open() == ballot
        self.sign(ballot)
        assert voter.polls.take(ballot, signed(ballot), self.now) is None, "an own ballot tells two stories"
        self.look(voter)
        for other in self.all - {voter.seat}:
            self.send(voter.seat, other, ballot)

    def sign(self, ballot: Ballot) -> None:
        if ballot.seat not in self.liars:
            for before in self.told.get(ballot.seat, []):
                assert not contradict(before, ballot), (before, ballot)
        self.told.setdefault(ballot.seat, []).append(ballot)
        self.ballots.append(ballot)
        self.signed[ballot.encode()] = ballot

    # A liar

    def lie(self) -> None:
        """A liar signs an answer to some poll, mostly one that makes sense, and shows it to some."""
        rng = self.rng
        liar = Seat(rng.choice(sorted(self.liars)))
        known = sorted({one.poll for one in self.ballots if liar not in one.poll.about}, key=lambda p: p.key)
        if known and rng.random() < 0.7:
            poll = rng.choice(known)
        else:
            others = sorted(self.all - {liar})
            about = rng.sample(others, rng.randint(1, max(1, (len(others)) // 2)))
            missing = tuple(sorted(set(about) & self.owing)) if rng.random() < 0.9 else ()
            silent = tuple(sorted(set(about) - set(missing)))
            number = rng.choice([1, 1, 2, 3, *(one.number for one in known)])
            poll = Poll(number, liar, missing, silent, ())
        answer: Answer = AbsentAnswer()
        lower = [one for one in known if one.key < poll.key]
        kind = rng.random()
        if kind < 0.35:
            some = set(poll.missing) or self.owing
            answer = HereAnswer(tuple(entry_of(seat) for seat in sorted(some)))
        elif kind < 0.5 and lower:
            seen = rng.choice(lower)
            brings = tuple(sorted(seen.missed & poll.missed)) if rng.random() < 0.5 else ()
            answer = SeeAnswer(seen.number, seen.opener, brings)
        ballot = Ballot(TABLE, 1, STEP, HEAD, liar, poll, answer)
        told = self.told.get(liar, [])
        if not self.rash and any(contradict(one, ballot) for one in told):
            return  # mostly a liar stays within what cannot be proven
        self.sign(ballot)
        for other in self.all - {liar}:
            if rng.random() < 0.5:
                self.send(liar, other, ballot)

    # Time

    def run(self, seconds: float) -> None:
        """Let everybody act in a random order for a while."""
        end = self.now + seconds
        while self.now < end:
            self.now += self.rng.uniform(0.05, 1.0)
            due = [one for one in self.wire if one[0] <= self.now]
            self.wire = [one for one in self.wire if one[0] > self.now]
            self.rng.shuffle(due)
            for _, to, what in due:
                self.arrive(to, what)
            if self.liars and self.rng.random() < 0.3:
                self.lie()
            voters = list(self.voters.values())
            self.rng.shuffle(voters)
            for voter in voters:
                if self.rng.random() < 0.7:
                    self.vote(voter)
            if self.rng.random() < 0.3:
                self.gossip()

    def gossip(self) -> None:
        """Somebody gives another all that he has."""
        one, other = self.rng.sample(sorted(self.all), 2)
        voter = self.voters.get(one)
        if voter is None or self.is_dead(one):
            return
        for told in self.knowledge(voter):
            self.send(one, other, told)

    def knowledge(self, voter: Voter) -> list[Told]:
        """All that a seat can tell others."""
        told: list[Told] = [int(seat) for seat in voter.have]
        told += [self.signed[one.ballot] for one in voter.polls.ballots]
        return told if voter.evidence is None else [*told, voter.evidence]

    def heal(self, seconds: float) -> None:
        """From now on nothing is lost and nobody lies: everything that one honest seat has reaches all."""
        self.loss, self.island = 0.0, set()
        alive = [voter for voter in self.voters.values() if not self.is_dead(voter.seat)]
        end = self.now + seconds
        liars, self.liars = self.liars, set()
        while self.now < end:
            self.run(2.0)
            for voter in alive:
                for other in alive:
                    for told in self.knowledge(voter):
                        self.arrive(other.seat, told)
        self.liars = liars

    @property
    def alive(self) -> list[Voter]:
        return [voter for voter in self.voters.values() if not self.is_dead(voter.seat)]
