"""A deal on the engine alone, seen as a peer's snapshots: for tests of the table screen."""

import random
from dataclasses import dataclass, field, replace
from typing import Final

from engine import (
    CHOICES,
    Answer,
    Call,
    Card,
    DiscardSets,
    Draw,
    DrawIndex,
    Duty,
    Lay,
    Move,
    Obligation,
    PickUp,
    Rank,
    Reveal,
    Ruleset,
    Seat,
    Slot,
    State,
    View,
    apply,
    choices,
    deal_events,
    deck_of,
    events,
    new_deal,
)
from p2p.protocol.snapshot import (
    Happened,
    MemberView,
    OwedKind,
    OwedView,
    Phase,
    PollView,
    ResultKind,
    ResultView,
    SeatTrust,
    ShuffleState,
    ShuffleView,
    Standing,
    TableRules,
    TableSnapshot,
    TalkLine,
    TrustAnswer,
    TrustView,
)
from p2p.protocol.table_rules import USUAL
from p2p.protocol.talk import Said

_KINDS = {
    Duty.LAY: OwedKind.LAY,
    Duty.LAY_OR_CALL: OwedKind.LAY_OR_CALL,
    Duty.REVEAL: OwedKind.REVEAL,
    Duty.PICK_UP: OwedKind.PICK_UP,
    Duty.DISCARD_SETS: OwedKind.SETS,
    Duty.GO_OUT: OwedKind.OUT,
    Duty.GO_OUT_OR_CALL: OwedKind.OUT_OR_CALL,
    Duty.ANSWER: OwedKind.ANSWER,
    Duty.DRAW: OwedKind.DRAW,
    Duty.DRAW_INDEX: OwedKind.COIN,
}


def cards(text: str) -> list[Card]:
    """Read cards of a text, such as `6S 10D`."""
    return [Card.parse(word) for word in text.split()]


@dataclass
class ModelTable:
    """One dealer who sees all; `snapshot` shows what the own seat sees.

    hands: by seat, what each holds in the first deal; the rest of the pack is dealt out by `seed`.
    """

    names: tuple[str, ...]
    own: Seat | None = None
    ruleset: Ruleset = field(default_factory=lambda: Ruleset.preset("pagat"))
    seed: int = 1
    dealer: Seat = field(default_factory=lambda: Seat(0))
    title: str = "Kitchen"
    now: float = 0.0
    table_rules: TableRules = USUAL

    def __post_init__(self) -> None:
        self.state: State = new_deal(
            self.ruleset, tuple(Seat(i) for i in range(len(self.names))), self.dealer
        )
        rules = self.state.ruleset
        pack = list(deck_of(int(rules.pack), int(rules.packs)))
        random.Random(self.seed).shuffle(pack)
        self.faces: dict[Slot, Card] = {Slot(number): card for number, card in enumerate(pack)}
        self.step = 10
        self.deal = 3
        self.phase = Phase.PLAYING
        self.happened: list[Happened] = [
            Happened(self.deal, self.step, one) for one in deal_events(self.state)
        ]
        self.away: dict[Seat, float] = {}
        self.wait_until: float | None = None
        self.poll: PollView | None = None
        self.seal_owed: tuple[Seat, ...] = ()
        self.shuffles: tuple[ShuffleView, ...] = ()
        self.trust = TrustAnswer.NOBODY
        self.talk: list[TalkLine] = []

    def say(self, seat: Seat, said: Said) -> None:
        """Let somebody say something beside the game."""
        self.talk.append(TalkLine(bytes([seat]) * 32, said, self.deal, len(self.happened)))

    def give(self, seat: Seat, wanted: list[Card]) -> None:
        """Swap faces so that a seat holds these cards, as many as its hand has room for."""
        hand = list(self.state.hand_of(seat))
        where = {card: slot for slot, card in self.faces.items()}
        for slot, card in zip(hand, wanted, strict=False):
            other, old = where[card], self.faces[slot]
            self.faces[slot], self.faces[other] = card, old
            where[card], where[old] = slot, other

    def play(self, move: Move) -> None:
        """Apply a move, one step of the ledger. Raises: IllegalMove."""
        before = self.state
        after = apply(before, move)
        self.step += 1
        self.happened += [Happened(self.deal, self.step, one) for one in events(before, move, after)]
        if isinstance(move, PickUp | Draw):
            pool = [self.faces[slot] for slot in before.owed[0].slots]
            random.Random(self.seed + self.step).shuffle(pool)
            self.faces |= dict(zip(after.hand_of(move.seat), pool, strict=True))
        self.state = after
        if after.over:
            self.phase = Phase.OVER

    def lay(self, seat: Seat, count: int, rank: Rank | None = None, *, lie: bool = False) -> None:
        """Lay cards of a seat's hand: true ones while it has them, or false ones if `lie`."""
        claim = rank or self.state.rank
        assert claim is not None
        hand = sorted(self.state.hand_of(seat), key=lambda slot: (self.faces[slot].rank == claim) is lie)
        slots = tuple(sorted(hand[:count]))
        number = count if self.state.ruleset.claim_number == "honest" else None
        self.play(Lay(seat, slots, claim, number))

    def call(self, seat: Seat, *, believe: bool = False) -> None:
        """Call the live packet."""
        self.play(Call(seat, believe))

    def answer(self, seat: Seat, call: Call | None = None) -> None:
        """Answer in the window of open calls."""
        self.play(Answer(seat, call))

    def leave_none(self, seat: Seat, count: int) -> None:
        """Leave a seat so many cards of its hand; the others leave the game unseen."""
        hands = tuple(
            hand[:count] if owner == seat else hand
            for owner, hand in zip(self.state.order, self.state.hands, strict=True)
        )
        self.state = replace(self.state, hands=hands)

    def forced(self) -> bool:
        """Do the next act that leaves no choice, if one is owed: a reveal, a pick-up, a declined set."""
        owed = self.state.owed[0] if self.state.owed else None
        if owed is None:
            return False
        if owed.duty is Duty.REVEAL:
            self.play(Reveal(owed.seat, owed.slots, tuple(self.faces[slot] for slot in owed.slots)))
        elif owed.duty is Duty.PICK_UP:
            self.play(PickUp(owed.seat))
        elif owed.duty is Duty.DRAW:
            self.play(Draw(owed.seat))
        elif owed.duty is Duty.DRAW_INDEX:
            self.play(DrawIndex(owed.seat, len(owed.slots) - 1))
        elif owed.duty is Duty.DISCARD_SETS and not self.view(owed.seat).sets:
            self.play(DiscardSets(owed.seat, (), ()))
        else:
            return False
        return True

    def settle(self) -> None:
        """Do everything that leaves no choice."""
        while self.forced():
            pass

    def view(self, seat: Seat | None) -> View:
        """What a seat sees."""
        held = () if seat is None else self.state.hand_of(seat)
        return View(self.state, seat, {slot: self.faces[slot] for slot in held})

    def snapshot(self) -> TableSnapshot:
        """What the own seat's peer shows now."""
        seats = len(self.names)
        members = tuple(
            MemberView(
                bytes([number]) * 32,
                name,
                f"{number}F3K-Q2MD-90XA-B3CE",
                Seat(number),
                ready=True,
                connected=Seat(number) not in self.away,
                own=number == self.own,
                away_since=self.away.get(Seat(number)),
            )
            for number, name in enumerate(self.names)
        )
        own = MemberView(bytes([200]) * 32, "Zoya", "ZF3K-Q2MD-90XA-B3CE", None, True, True, True)
        aside = () if self.own is not None else (own,)
        playing = self.phase in {Phase.PLAYING, Phase.OVER}
        return TableSnapshot(
            offer_id=bytes(16),
            table_id=bytes(32),
            title=self.title,
            ruleset=self.state.ruleset,
            table_rules=self.table_rules,
            seats=seats,
            members=members,
            own_seat=self.own,
            phase=self.phase,
            deal=self.deal,
            step=self.step,
            head=bytes(32),
            view=self.view(self.own) if playing else None,
            owed=self._owed(),
            shuffles=self.shuffles
            or tuple(ShuffleView(Seat(i), ShuffleState.DONE, seats) for i in range(seats)),
            trust=TrustView(
                self.trust,
                shuffles_checked=seats,
                repacks_checked=0,
                shares_checked=39,
                seals_checked=8,
                seals_complete=2,
                packets_opened=sum(type(one.event).__name__ == "Revealed" for one in self.happened),
                seats=tuple(
                    SeatTrust(Seat(i), key_proven=True, shuffles=1, shares=39, seals=2) for i in range(seats)
                ),
            ),
            result=self._result(),
            aside=aside,
            wait_until=self.wait_until,
            two_alone=seats == 2,
            poll=self.poll,
            losses=(0,) * seats,
            next_ready=frozenset(),
            talk=tuple(self.talk),
            happened=tuple(self.happened) if playing else (),
        )

    def _owed(self) -> tuple[OwedView, ...]:
        if self.seal_owed:
            return tuple(OwedView(seat, OwedKind.SEAL, self.now) for seat in self.seal_owed)
        return tuple(
            OwedView(owed.seat, _KINDS[owed.duty], self.now, until=self._until(owed))
            for owed in self.state.owed
        )

    def _until(self, owed: Obligation) -> float | None:
        if owed.duty not in CHOICES:
            return None
        window = owed.duty is Duty.ANSWER and choices(self.state, owed.seat).may_pass
        limit_s = self.table_rules.window_s if window else self.table_rules.clock_s
        return self.now + limit_s if limit_s else None

    def _result(self) -> ResultView | None:
        if self.phase is not Phase.OVER:
            return None
        places = (*self.state.out, *self.state.seats_in)
        return ResultView(
            ResultKind.FINISHED,
            self.step,
            self.state.loser,
            self.state.winner,
            tuple(
                Standing(seat, 0, 0, int(seat == self.state.loser), int(seat == self.state.winner))
                for seat in places
            ),
            signed=frozenset(places),
        )


HAND: Final = "6S 6H 7D 9C 10S 10D JH QS KD KC AS AD"


def to_answer(names: tuple[str, ...] = ("Vera", "Anna", "Boris", "Oleg")) -> ModelTable:
    """Return a deal where the last of four, who deals, may lay or call the third, who lied about three
    queens.
    """
    own = Seat(3)
    model = ModelTable(names, own=own, dealer=own)
    model.give(own, cards(HAND))
    model.lay(Seat(0), 1, Rank.QUEEN)
    model.lay(Seat(1), 3)
    model.lay(Seat(2), 3, lie=True)
    return model


def to_lead() -> ModelTable:
    """Four players; I lead the first round."""
    model = ModelTable(("Vera", "Anna", "Boris", "Oleg"), own=Seat(3), dealer=Seat(2))
    model.give(Seat(3), cards(HAND))
    return model
