"""What is recorded of each player when a deal ends: small numbers, for statistics that need no transcript."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import assert_never

from engine import Event, Laid, Revealed, Seat, State
from p2p.protocol.effects import Absent, Finished, Outcome, Stopped, Void
from p2p.protocol.proposal import Member
from p2p.protocol.text import clean_name


@dataclass(slots=True)
class Tally:
    """What one seat did in a deal, as all could see it.

    opened: own packets that a call turned over, `lies` of them false. calls: of either kind, `right_calls` of
    them right.
    """

    lays: int = 0
    opened: int = 0
    lies: int = 0
    calls: int = 0
    right_calls: int = 0


@dataclass(frozen=True, slots=True)
class PlayerRecord:
    """One player of a deal that has ended.

    seat: in the deal. own: it is the own seat. place: the order of going out, the loser last; None where that
    is not decided, and in a deal that was broken off. name: cleaned; may be empty.
    """

    seat: int
    key: bytes
    name: str
    own: bool
    place: int | None
    won: bool
    lost: bool
    tally: Tally


def tallies(events: Iterable[Event], players: int) -> tuple[Tally, ...]:
    """Count by seat what happened in a deal of so many players."""
    found = tuple(Tally() for _ in range(players))
    for event in events:
        match event:
            case Laid():
                found[event.seat].lays += 1
            case Revealed():
                found[event.owner].opened += 1
                found[event.owner].lies += not event.truthful
                found[event.caller].calls += 1
                found[event.caller].right_calls += event.believe == event.truthful
            case _:
                pass
    return found


def player_records(
    members: Sequence[Member],
    own: Seat | None,
    outcome: Outcome,
    game: State | None,
    counted: Sequence[Tally],
) -> tuple[PlayerRecord, ...]:
    """What is recorded of the players, in the order of their seats in the deal.

    own: the own seat, None if the own person does not play. game: the last state of the rules, None if the
    deal ended before it was dealt. counted: by seat.
    """
    winner = outcome.winner if isinstance(outcome, Finished) else None
    losers = _losers(outcome)
    places = _places(game) if isinstance(outcome, Finished) and game is not None else {}
    return tuple(
        PlayerRecord(
            seat=seat,
            key=member.key,
            name=clean_name(member.name),
            own=seat == own,
            place=places.get(Seat(seat)),
            won=seat == winner,
            lost=seat in losers,
            tally=counted[seat],
        )
        for seat, member in enumerate(members)
    )


def _losers(outcome: Outcome) -> frozenset[int]:
    match outcome:
        case Finished():
            return frozenset() if outcome.loser is None else frozenset({int(outcome.loser)})
        case Void():
            return frozenset({int(outcome.seat)})
        case Absent():
            return frozenset(map(int, outcome.losers))
        case Stopped():
            return frozenset()
        case _:
            assert_never(outcome)


def _places(game: State) -> dict[Seat, int]:
    """Places from 1; whoever is left alone has the last one."""
    left = tuple(game.seats_in)
    ranked = (*game.out, *left) if len(left) == 1 else game.out
    return {seat: place for place, seat in enumerate(ranked, 1)}
