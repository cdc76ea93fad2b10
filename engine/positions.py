"""Replays position files: `python -m engine.positions FILE...`.

A file is one straight line of play with open cards, as `tests/positions/README.md` describes it. One line
of output a file: `ok NAME`, or `FAIL NAME: what differs`. The exit code is 1 if any file failed.
"""

import json
import sys
from collections import Counter
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from engine.cards import Card, Rank
from engine.errors import EngineError, IllegalMove, Refusal, RulesetError
from engine.moves import (
    Answer,
    Call,
    DiscardSets,
    Draw,
    DrawIndex,
    Duty,
    GoOut,
    Lay,
    Move,
    PickUp,
    Reveal,
    Seat,
    Slot,
)
from engine.rules import Ruleset
from engine.state import Lead, Packet, Phase, Removed, State, new_deal, next_dealer
from engine.transitions import apply
from engine.turns import begin_turn


class PositionError(Exception):
    """A position does not hold: the text says what differs, or what is wrong with the file."""


class _NotHeldError(Exception):
    """An act names cards that the seat does not hold, so no move can express it."""


_FIELDS = frozenset(
    {
        "announced",
        "ascending_next",
        "burned",
        "deal",
        "dealer",
        "discarded",
        "emptied",
        "first_lead",
        "hands",
        "last_lead",
        "live",
        "name",
        "note",
        "open_out",
        "out",
        "play",
        "rank",
        "refill_due",
        "round_lead",
        "rules",
        "sets_due",
        "stock",
        "table",
        "then",
        "turn",
    }
)


def check_position(position: Mapping[str, Any]) -> None:
    """Replays one position. Raises: PositionError, EngineError."""
    unknown = set(position) - _FIELDS
    if unknown:
        raise PositionError(f"unknown field {min(unknown)}")
    _rules(position)
    if "deal" in position:
        _check_deal(position)
        return
    replay = _Replay(position)
    for number, act in enumerate(position.get("play", []), 1):
        replay.act(number, act)
    replay.compare(position.get("then", {}))


def main(paths: list[str]) -> int:
    """Checks the files, prints a line for each, and returns the exit code."""
    failed = False
    for path in paths:
        problem = _problem(Path(path))
        failed = failed or problem is not None
        name = Path(path).stem
        print(f"ok {name}" if problem is None else f"FAIL {name}: {' '.join(problem.split())}")
    return 1 if failed else 0


def _problem(path: Path) -> str | None:
    """What is wrong with one file, in words; None if it holds."""
    try:
        check_position(json.loads(path.read_text(encoding="utf-8")))
    except RulesetError as error:
        return f"option {error.option}={error.value}: {error.reason.value}"
    except (PositionError, EngineError) as error:
        return str(error)
    except (OSError, ValueError) as error:
        return f"cannot be read: {error}"
    except (LookupError, ArithmeticError, TypeError, AttributeError, RecursionError) as error:
        return f"malformed: {type(error).__name__} {error}"
    return None


def _rules(position: Mapping[str, Any]) -> Ruleset:
    options = dict(position["rules"])
    return Ruleset.with_preset(options.pop("preset"), options)


def _cards(text: str) -> list[Card]:
    return [Card.parse(word) for word in text.split()]


def _text(cards: Iterable[Card]) -> str:
    return " ".join(map(str, sorted(cards)))


def _expect(what: str, found: object, expected: object) -> None:
    if found != expected:
        raise PositionError(f"{what} is {found!r}, expected {expected!r}")


def _check_deal(position: Mapping[str, Any]) -> None:
    names = position["deal"]["seats"].split()
    order = tuple(Seat(place) for place in range(len(names)))
    state = new_deal(_rules(position), order, Seat(names.index(position["deal"]["dealer"])))
    found = {
        "hand_counts": {name: len(state.hands[place]) for place, name in enumerate(names)},
        "burned_count": len(state.burned),
        "stock_count": len(state.stock),
        "turn": None if state.turn is None else names[state.turn],
    }
    for field, expected in position["then"].items():
        _expect(field, found[field], expected)


class _Replay:
    """One position being played: the state, the names of the seats and the face of every slot."""

    def __init__(self, position: Mapping[str, Any]) -> None:
        self.names: list[str] = list(position["hands"])
        self.faces: dict[Slot, Card] = {}
        rules = _rules(position).resolve(len(self.names))
        hands = tuple(self._deal(text) for text in position["hands"].values())
        out_open = Counter(_cards(position.get("open_out", "")))
        removed = []
        for slot in self._deal(position.get("discarded", "")):
            face = self.faces[slot]
            seen = out_open[face] > 0
            out_open[face] -= seen
            removed.append(Removed(slot, face if seen else None))
        self.discarded = [card.slot for card in removed]
        rank = None if position["rank"] is None else Rank.parse(position["rank"])
        table = tuple(
            Packet(
                self._seat(packet["by"]),
                self._deal(packet["cards"]),
                # Only the live packet's claim matters, and it claims the rank in force.
                rank if rank is not None else rules.ranks[0],
                packet.get("number"),
            )
            for packet in position["table"]
        )
        usual = "due" if rank is None else "live" if position["live"] and len(table) == 1 else None
        lead = Lead(position.get("round_lead", usual) or "none")
        last = position.get("last_lead")
        due = [self._seat(name) for name in position.get("sets_due", [])]
        stock = self._deal(position["stock"])
        empty = [name for name, cards in position["hands"].items() if not cards]
        out = position.get("out", [])
        rising = position["ascending_next"]
        self.check: int | None = None
        self.state = State(
            ruleset=rules,
            order=tuple(Seat(place) for place in range(len(self.names))),
            dealer=self._seat(position.get("dealer", self.names[0])),
            phase=Phase.SETS if due else Phase.PLAY,
            hands=hands,
            table=table,
            burned=self._deal(position.get("burned", "")),
            removed=tuple(removed),
            rank=rank,
            live=position["live"],
            turn=self._seat(position["turn"]),
            out=self._seats(out),
            called=None,
            revealed=None,
            taker=due[0] if due else None,
            lead=lead,
            first_lead=position["first_lead"],
            last_lead=None if last is None else (Rank.parse(last[0]), last[1]),
            next_slot=len(self.faces),
            stock=stock,
            refill_due=self._seats(position["refill_due"]) if stock else (),
            emptied=self._seats(position.get("emptied", [name for name in empty if name not in out])),
            announced=self._seats(position.get("announced", [])),
            rising=None if rising is None else Rank.parse(rising),
            asked_next=tuple(due[1:]),
        )
        if not due:
            self.state = begin_turn(self.state)
        self._settle()

    def act(self, number: int, act: Mapping[str, Any]) -> None:
        """Plays one act and all that follows from it without a choice."""
        before = after = self.state
        self.check = act.get("check")
        try:
            for move in self._moves(act):
                after = apply(after, move)
        except (IllegalMove, _NotHeldError) as error:
            if not act.get("refused"):
                raise PositionError(f"act {number} is refused: {error}") from None
            return
        if act.get("refused"):
            raise PositionError(f"act {number} is accepted")
        self._enter(before, after)
        self._settle()
        if self.check is not None:
            raise PositionError(f"act {number} names a card to check, and none is checked")

    def compare(self, then: Mapping[str, Any]) -> None:
        """Compares the fields that the position gives. Raises: PositionError at the first that differs."""
        for field, expected in then.items():
            if field == "hands":
                for name, cards in expected.items():
                    hand = self.state.hand_of(self._seat(name))
                    _expect(f"hand of {name}", _text(self._read(hand)), _text(_cards(cards)))
            elif field == "table":
                wanted = [(p["by"], _text(_cards(p["cards"])), p.get("number")) for p in expected]
                found = [
                    (self.names[p.owner], _text(self._read(p.slots)), p.number) for p in self.state.table
                ]
                _expect("table", found, wanted)
            elif field == "discarded":
                _expect("discarded", _text(self._read(self.discarded)), _text(_cards(expected)))
            else:
                _expect(field, self._found(field), expected)

    def _found(self, field: str) -> object:  # noqa: PLR0911 - one for each field
        state = self.state
        match field:
            case "rank":
                return None if state.rank is None else str(state.rank)
            case "turn" | "winner" | "loser":
                return self._name(getattr(state, field))
            case "over":
                return state.over
            case "out" | "sets_due":
                due = [owed.seat for owed in state.owed if owed.duty is Duty.DISCARD_SETS]
                due += [seat for seat in state.asked_next if self._holds_set(seat)]
                return [self._name(seat) for seat in (state.out if field == "out" else due)]
            case "stock":
                return " ".join(map(str, self._read(state.stock)))
            case "ascending_next":
                return None if state.rising is None else str(state.rising)
            case "next_dealer" | "next_lead":
                dealer = next_dealer(state)
                leader = new_deal(state.ruleset, state.order, dealer).turn
                return self._name(dealer if field == "next_dealer" else leader)
        raise PositionError(f"unknown field then.{field}")

    def _moves(self, act: Mapping[str, Any]) -> list[Move]:
        """The moves of one act: several where it stands for all answers of an open window."""
        match act["do"]:
            case "lay":
                seat = self._seat(act["seat"])
                slots = self._held(seat, _cards(act["cards"]))
                said_out = act.get("out", False)
                return [Lay(seat, slots, Rank.parse(act["rank"]), act.get("number"), said_out)]
            case "ne_veryu" | "veryu" as word:
                return self._calls({self._seat(act["seat"]): word})
            case "calls":
                return self._calls({self._seat(name): word for name, word in act["calls"]})
            case "close_window":
                if self.state.phase is not Phase.ANSWER:
                    raise IllegalMove(Refusal.NOT_NOW)
                return self._calls({})
            case "discard_sets":
                seat = self._seat(act["seat"])
                slots = self._sets(seat, [Rank.parse(word) for word in act["ranks"].split()])
                return [DiscardSets(seat, slots, tuple(self._read(slots)))]
            case "out":
                return [GoOut(self._seat(act["seat"]))]
        raise PositionError(f"unknown act {act['do']}")

    def _calls(self, words: Mapping[Seat, str]) -> list[Move]:
        """Calls by seat; in an open window with the silence of the others."""
        index = None
        if self.state.ruleset.check == "one_by_caller":
            index, self.check = self.check, None
        calls = {seat: Call(seat, word == "veryu", index) for seat, word in words.items()}
        if self.state.phase is not Phase.ANSWER:
            return list(calls.values())
        seats = dict.fromkeys([*calls, *self.state.answering])
        return [Answer(seat, calls.get(seat)) for seat in seats]

    def _settle(self) -> None:
        """Does what has one answer only: reveals, pick-ups, draws, sets that are forced or not held."""
        while owed := self.state.owed:
            before, seat, slots = self.state, owed[0].seat, owed[0].slots
            match owed[0].duty:
                case Duty.DRAW_INDEX:
                    if self.check is None:
                        raise PositionError("the call does not say which card is checked")
                    index, self.check = self.check, None
                    self._enter(before, apply(before, DrawIndex(seat, index)))
                case Duty.DRAW:
                    after = apply(before, Draw(seat))
                    self.faces.update(zip(after.hand_of(seat), self._read(slots), strict=True))
                    self._enter(before, after)
                case Duty.REVEAL:
                    self._enter(before, apply(before, Reveal(seat, slots, tuple(self._read(slots)))))
                case Duty.PICK_UP:
                    after = apply(before, PickUp(seat))
                    self.faces.update(zip(after.hand_of(seat), self._read(slots), strict=True))
                    self._enter(before, after)
                case Duty.DISCARD_SETS if not self._holds_set(seat):
                    self._enter(before, apply(before, DiscardSets(seat, (), ())))
                case Duty.DISCARD_SETS if before.ruleset.sets == "forced":
                    slots = self._all_sets(seat)
                    self._enter(before, apply(before, DiscardSets(seat, slots, tuple(self._read(slots)))))
                case _:
                    return

    def _enter(self, before: State, after: State) -> None:
        self.discarded.extend(card.slot for card in after.removed[len(before.removed) :])
        self.state = after

    def _deal(self, text: str) -> tuple[Slot, ...]:
        first = len(self.faces)
        cards = _cards(text)
        slots = tuple(Slot(first + i) for i in range(len(cards)))
        self.faces.update(zip(slots, cards, strict=True))
        return slots

    def _held(self, seat: Seat, cards: list[Card]) -> tuple[Slot, ...]:
        free = list(self.state.hand_of(seat))
        chosen = []
        for card in cards:
            slot = next((slot for slot in free if self.faces[slot] == card), None)
            if slot is None:
                raise _NotHeldError(f"{card} is not held")
            free.remove(slot)
            chosen.append(slot)
        return tuple(sorted(chosen))

    def _sets(self, seat: Seat, ranks: list[Rank]) -> tuple[Slot, ...]:
        """The slots of one set for each rank named, in suit order; fewer if fewer are held."""
        size = self.state.ruleset.set_cards
        chosen: list[Slot] = []
        for rank, times in Counter(ranks).items():
            held = [slot for slot in self.state.hand_of(seat) if self.faces[slot].rank == rank]
            if not held:
                raise _NotHeldError(f"no {rank} is held")
            chosen.extend(sorted(held, key=lambda slot: self.faces[slot])[: size * times])
        return tuple(sorted(chosen))

    def _all_sets(self, seat: Seat) -> tuple[Slot, ...]:
        size = self.state.ruleset.set_cards
        counts = Counter(face.rank for face in self._read(self.state.hand_of(seat)))
        return self._sets(seat, [rank for rank, count in counts.items() for _ in range(count // size)])

    def _holds_set(self, seat: Seat) -> bool:
        return bool(self._all_sets(seat))

    def _read(self, slots: Iterable[Slot]) -> list[Card]:
        return [self.faces[slot] for slot in slots]

    def _seat(self, name: str) -> Seat:
        if name not in self.names:
            raise PositionError(f"no seat {name}")
        return Seat(self.names.index(name))

    def _seats(self, names: Iterable[str]) -> tuple[Seat, ...]:
        return tuple(self._seat(name) for name in names)

    def _name(self, seat: Seat | None) -> str | None:
        return None if seat is None else self.names[seat]


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
