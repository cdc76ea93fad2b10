"""A deal with open cards for tests of the rules: hands are texts, seats are the letters A, B, C…"""

from dataclasses import replace

from engine import (
    Answer,
    Call,
    Card,
    DiscardSets,
    Draw,
    DrawIndex,
    Duty,
    GoOut,
    Lay,
    Lead,
    Packet,
    Phase,
    PickUp,
    Rank,
    Reveal,
    Ruleset,
    Seat,
    Slot,
    State,
    apply,
    new_deal,
)


class OpenTable:
    """A state and the face of every slot. `state` moves on with every act that is accepted."""

    def __init__(self, hands, *, form="pagat", dealer="A", stock="", **options):
        """`hands`: seat -> cards; the first seat leads. `stock`: top first. `options`: changes."""
        self.faces = {}
        count = len(hands)
        rules = Ruleset.with_preset(form, {"burn": 0, **options})
        start = new_deal(rules, tuple(Seat(i) for i in range(count)), Seat("ABCDEFGHIJKL".index(dealer)))
        self.state: State = replace(
            start,
            hands=tuple(self.add(text) for text in hands.values()),
            turn=Seat(0),
            next_slot=100,
            stock=self.add(stock),
        )
        self.state = replace(
            self.state, emptied=tuple(seat for seat in start.order if not self.state.hand_of(seat))
        )

    def add(self, text):
        """New slots with these cards."""
        slots = []
        for word in text.split():
            slot = Slot(len(self.faces))
            self.faces[slot] = Card.parse(word)
            slots.append(slot)
        return tuple(slots)

    def follow(self, rank, *packets, turn="A", first_lead=False):
        """Puts packets `(owner, cards)` on the table, the newest live, and gives the turn to a seat."""
        said = self.state.ruleset.claim_number != "unstated"
        table = []
        for owner, cards in packets:
            slots = self.add(cards)
            number = len(slots) if said else None
            table.append(Packet(self.seat(owner), slots, Rank.parse(rank), number))
        self.state = replace(
            self.state,
            table=tuple(table),
            rank=Rank.parse(rank),
            live=True,
            lead=Lead.LIVE if len(packets) == 1 else Lead.NONE,
            first_lead=first_lead,
            turn=self.seat(turn),
        )
        return self

    def seat(self, name):
        """The seat of a letter."""
        return Seat("ABCDEFGHIJKL".index(name))

    def do(self, move):
        """Plays a move and everything that follows without a choice; sets are left to the test."""
        before = self.state
        self.state = apply(before, move)
        if isinstance(move, PickUp | Draw):
            cards = [self.faces[slot] for slot in before.owed[0].slots]
            self.faces.update(zip(self.state.hand_of(move.seat), cards, strict=True))
        return self.state

    def lay(self, name, cards, rank, number="size", out=False):
        """Lays the first matching cards of the hand."""
        if number == "size":
            number = len(cards.split()) if self.state.ruleset.claim_number != "unstated" else None
        return self.do(Lay(self.seat(name), self.held(name, cards), Rank.parse(rank), number, out))

    def call(self, name, believe=False, settle=True, index=None):
        """Calls, and plays what follows without a choice unless `settle` is false."""
        self.do(Call(self.seat(name), believe, index))
        return self.settle() if settle else self.state

    def answer(self, name, believe=None, settle=True):
        """Answers in an open window: True, False, or None for nothing."""
        call = None if believe is None else Call(self.seat(name), believe)
        self.do(Answer(self.seat(name), call))
        return self.settle() if settle else self.state

    def go_out(self, name):
        """Announces an empty hand."""
        return self.do(GoOut(self.seat(name)))

    def settle(self, index=0):
        """Plays reveals, pick-ups, draws, and the draw of a checked card, which comes out as `index`."""
        while self.state.owed:
            owed = self.state.owed[0]
            if owed.duty is Duty.REVEAL:
                self.do(Reveal(owed.seat, owed.slots, tuple(self.faces[slot] for slot in owed.slots)))
            elif owed.duty is Duty.DRAW_INDEX:
                self.do(DrawIndex(owed.seat, index))
            elif owed.duty in (Duty.PICK_UP, Duty.DRAW):
                self.do(PickUp(owed.seat) if owed.duty is Duty.PICK_UP else Draw(owed.seat))
            else:
                break
        return self.state

    def sets(self, name, cards):
        """Removes these cards as sets; no cards declines."""
        slots = self.held(name, cards)
        return self.do(DiscardSets(self.seat(name), slots, tuple(self.faces[slot] for slot in slots)))

    def held(self, name, cards):
        """The slots of these cards in a hand, ascending."""
        free = list(self.state.hand_of(self.seat(name)))
        slots = []
        for word in cards.split():
            slot = next(slot for slot in free if str(self.faces[slot]) == word)
            free.remove(slot)
            slots.append(slot)
        return tuple(sorted(slots))

    def hand(self, name):
        """The cards in a hand, sorted, as text."""
        return " ".join(map(str, sorted(self.faces[slot] for slot in self.state.hand_of(self.seat(name)))))

    @property
    def turn(self):
        """The letter of the seat on turn, or None."""
        return None if self.state.turn is None else "ABCDEFGHIJKL"[self.state.turn]

    @property
    def out(self):
        """The letters of those who left, in order."""
        return "".join("ABCDEFGHIJKL"[seat] for seat in self.state.out)

    @property
    def waits_for_sets(self):
        """Whether the taker is being asked about sets."""
        return self.state.phase is Phase.SETS
