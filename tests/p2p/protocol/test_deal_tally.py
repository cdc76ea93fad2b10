"""What is recorded of a deal's players: counts by seat, places, and who won or lost."""

from dataclasses import replace

import pytest

from engine import Laid, Rank, Revealed, Ruleset, Seat, new_deal
from p2p.protocol.deal_tally import Tally, player_records, tallies
from p2p.protocol.effects import Finished, Stopped
from p2p.protocol.proposal import Member

MEMBERS = tuple(
    Member(bytes([number]) * 32, bytes([9 - number]) * 32, name)
    for number, name in enumerate(("Anna", "Bo\x1bris", "Vera"), 1)
)
OWN = Seat(1)
NOTHING = (Tally(), Tally(), Tally())
GAME = new_deal(Ruleset.preset("pagat").resolve(3), (Seat(0), Seat(2), Seat(1)), Seat(0))


def revealed(owner: int, caller: int, *, believe: bool, truthful: bool) -> Revealed:
    return Revealed(Seat(owner), Seat(caller), believe, (), Rank.QUEEN, 2, truthful)


def test_each_seat_is_counted_for_what_it_did() -> None:
    laid = Laid(Seat(0), 2, Rank.QUEEN, 2)
    counted = tallies(
        [
            laid,
            revealed(0, 1, believe=False, truthful=False),
            laid,
            revealed(0, 1, believe=False, truthful=True),
            revealed(2, 1, believe=True, truthful=True),
            revealed(1, 0, believe=True, truthful=False),
        ],
        3,
    )
    assert counted == (
        Tally(lays=2, opened=2, lies=1, calls=1, right_calls=0),
        Tally(lays=0, opened=1, lies=1, calls=3, right_calls=2),
        Tally(lays=0, opened=1, lies=0, calls=0, right_calls=0),
    )


def test_places_are_the_order_of_going_out_and_the_loser_has_the_last() -> None:
    game = replace(GAME, out=(Seat(2), Seat(1)))
    found = player_records(MEMBERS, OWN, Finished(9, bytes(32), Seat(0), Seat(2)), game, NOTHING)
    assert [(one.seat, one.place, one.won, one.lost, one.own) for one in found] == [
        (0, 3, False, True, False),
        (1, 2, False, False, True),
        (2, 1, True, False, False),
    ]
    assert [one.key for one in found] == [member.key for member in MEMBERS]


def test_names_are_recorded_clean() -> None:
    found = player_records(MEMBERS, OWN, Stopped(3), None, NOTHING)
    assert [one.name for one in found] == ["Anna", "Boris", "Vera"]


def test_who_is_not_ranked_when_the_first_one_out_wins_has_no_place() -> None:
    game = replace(GAME, out=(Seat(1),))
    found = player_records(MEMBERS, OWN, Finished(9, bytes(32), None, Seat(1)), game, NOTHING)
    assert [(one.place, one.won, one.lost) for one in found] == [
        (None, False, False),
        (1, True, False),
        (None, False, False),
    ]


@pytest.mark.parametrize("game", [None, replace(GAME, out=(Seat(1),))])
def test_nobody_wins_loses_or_is_placed_in_a_deal_that_was_stopped(game: object) -> None:
    found = player_records(MEMBERS, OWN, Stopped(9), game, NOTHING)  # type: ignore[arg-type]
    assert [(one.place, one.won, one.lost) for one in found] == [(None, False, False)] * 3


def test_nobody_is_oneself_in_a_deal_that_was_only_watched() -> None:
    found = player_records(MEMBERS, None, Stopped(3), None, NOTHING)
    assert not any(one.own for one in found)
