"""The pace of a reveal, and its picture where many cards are opened."""

import pytest
from model_table import ModelTable
from table_pictures import drawn, flow_of

from engine import Rank, Revealed, Ruleset, Seat, deck_of
from ui.table.reveal import HOLD_OWN_S, HOLD_S, HURRY_S, SPOKEN_S, TURN_ALL_S, TURN_S, Picture, Show


def picture(cards: int, own: int = 0) -> Picture:
    faces = deck_of(52)[:cards]
    shown = Revealed(Seat(0), Seat(1), False, faces, Rank.ACE, None, False)
    return Picture(1, 20, shown, Seat(own), cards, True, Seat(1))


@pytest.mark.parametrize(("cards", "seconds"), [(1, TURN_S), (3, 3 * TURN_S), (11, TURN_ALL_S)])
def test_cards_turn_one_by_one_and_never_longer_than_the_limit(cards: int, seconds: float) -> None:
    show = Show.begin(picture(cards), None, 10.0, 10.0, animate=True)
    assert show.frame(10.0).turned == 0
    assert show.frame(10.0 + SPOKEN_S + 0.001).turned == 1
    assert show.frame(10.0 + SPOKEN_S + seconds - 0.001).turned == cards
    assert not show.frame(10.0 + SPOKEN_S + seconds).verdict
    assert show.frame(show.verdict_at).verdict
    assert not show.frame(show.verdict_at).consequence
    assert show.frame(show.consequence_at).consequence


def test_the_end_picture_is_held_longer_for_whom_it_concerns() -> None:
    mine = Show.begin(picture(2), Seat(1), 0.0, None, animate=True)
    others = Show.begin(picture(2), Seat(5), 0.0, None, animate=True)
    assert mine.ends - mine.consequence_at == HOLD_OWN_S
    assert others.ends - others.consequence_at == HOLD_S


def test_a_call_that_was_seen_long_ago_does_not_delay_the_cards() -> None:
    show = Show.begin(picture(2), None, 10.0, 3.0, animate=True)
    assert show.frame(10.001).turned == 1


def test_waking_at_every_change_sees_every_frame_and_then_stops() -> None:
    show = Show.begin(picture(3), None, 0.0, 0.0, animate=True)
    now, frames = 0.0, []
    while (wait := show.next_change_s(now)) is not None:
        assert wait > 0
        now += wait
        frames.append(show.frame(now + 0.0001))
    assert [frame.turned for frame in frames] == [1, 2, 3, 3, 3, 3]
    assert [frame.done for frame in frames] == [False] * 5 + [True]


def test_a_skip_is_deaf_at_first_and_hurrying_ends_within_half_a_second() -> None:
    show = Show.begin(picture(3), None, 0.0, 0.0, animate=True)
    assert show.skip(0.4) == show
    assert show.skip(0.6).frame(0.6).done
    hurried = show.hurry(1.0)
    assert hurried.frame(1.0).consequence
    assert not hurried.frame(1.0).done
    assert hurried.frame(1.0 + HURRY_S).done


@pytest.mark.parametrize("size", [(60, 20), (80, 24), (120, 36)])
def test_eleven_cards_overlap_with_a_mark_below_each(size: tuple[int, int]) -> None:
    model = ModelTable(
        ("Vera", "Anna", "Boris"), own=Seat(2), dealer=Seat(0), ruleset=Ruleset.preset("dictionary")
    )
    model.lay(Seat(0), 11, Rank.KING)
    model.call(Seat(1))
    model.forced()
    text = "\n".join(drawn(flow_of(model), *size))
    assert text.count("✗") + text.count("✓") >= 11 + 1
    assert "of 11 are not kings." in text
