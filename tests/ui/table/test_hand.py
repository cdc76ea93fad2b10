"""How hands lie: exact pictures at the sizes of the specification, and what a click hits."""

import pytest
from model_table import cards

from engine import Card, Rank, Slot, deck_of
from ui.i18n import use_language
from ui.table.canvas import Canvas
from ui.table.cards import SHORT, TALL
from ui.table.hand import Fan, HandLayout, HandLook, draw_hand, lay_out
from ui.table.size import Size

THIRTEEN = "6S 6H 7D 9C 10S 10D JH QS KD KC AS AD AC"
FORTY = (
    "2S 2H 2C 3S 3H 3D 3C 4S 4D 5S 5H 5C 6S 6H 6D 6C 7S 7D 8S 8H 8C 9S 9H 9D "
    "10S 10H 10C JS JH JD QS QH QD QC KH KD KC AS AH AD"
)

Hand = list[tuple[Slot, Card]]


def hand_of(text: str) -> Hand:
    return [(Slot(number), card) for number, card in enumerate(cards(text))]


def at(width: int, height: int, hand: Hand, players: int = 4) -> HandLayout:
    size = Size(width, height)
    return lay_out(hand, size.hand_width, size.hand_rows(players), size.card_height)


def picture(layout: HandLayout, width: int, look: HandLook | None = None) -> list[str]:
    canvas = Canvas(width, layout.rows)
    draw_hand(canvas, 0, 1, layout, look or HandLook())
    return list(canvas.lines())


def test_thirteen_cards_at_80x24_are_one_loose_fan_with_chosen_cards_raised() -> None:
    layout = at(80, 24, hand_of(THIRTEEN))
    assert layout.fan is Fan.LOOSE
    assert picture(layout, 80, HandLook(chosen={Slot(2), Slot(7)})) == [
        "          ╭───╮                        ╭───╮",
        " ╭──╭───╮ │7♦ │ ╭───╮ ╭───╭────╮ ╭───╮ │Q♠ │ ╭──╭───╮ ╭──╭──╭───╮",
        " │6♠│6♥ │ ╰───╯ │9♣ │ │10♠│10♦ │ │J♥ │ ╰───╯ │K♦│K♣ │ │A♠│A♦│A♣ │",
        " ╰──╰───╯       ╰───╯ ╰───╰────╯ ╰───╯       ╰──╰───╯ ╰──╰──╰───╯",
    ]


def test_a_raised_card_is_covered_by_the_next_of_its_rank() -> None:
    layout = at(80, 24, hand_of(THIRTEEN))
    assert picture(layout, 80, HandLook(chosen={Slot(0)}))[:2] == [
        " ╭───╮",
        " │6♠╭───╮ ╭───╮ ╭───╮ ╭───╭────╮ ╭───╮ ╭───╮ ╭──╭───╮ ╭──╭──╭───╮",
    ]


def test_thirteen_cards_at_60x20_are_one_tight_fan_in_russian_letters() -> None:
    use_language("ru")
    layout = at(60, 20, hand_of(THIRTEEN))
    assert layout.fan is Fan.TIGHT
    assert picture(layout, 60, HandLook(chosen={Slot(2), Slot(7)})) == [
        "       ╭───╮            ╭───╮",
        " ╭──╭──│7♦╭──╭───╭───╭──│Д♠╭──╭──╭──╭──╭───╮",
        " │6♠│6♥╰──│9♣│10♠│10♦│В♥╰──│К♦│К♣│Т♠│Т♦│Т♣ │",
        " ╰──╰───╯ ╰──╰───╰───╰───╯ ╰──╰──╰──╰──╰───╯",
    ]


def test_high_windows_show_the_rank_above_the_suit() -> None:
    layout = at(120, 36, hand_of(THIRTEEN))
    assert (layout.fan, layout.card_height, layout.rows) == (Fan.LOOSE, TALL, TALL + 1)
    assert picture(layout, 120)[2:4] == [
        " │6 │6  │ │7  │ │9  │ │10│10 │ │J  │ │Q  │ │K │K  │ │A │A │A  │",
        " │♠ │♥  │ │♦  │ │♣  │ │♠ │♦  │ │♥  │ │♠  │ │♦ │♣  │ │♠ │♦ │♣  │",
    ]


def test_forty_cards_at_80x24_are_two_rows_that_keep_ranks_together() -> None:
    layout = at(80, 24, hand_of(FORTY))
    assert (layout.fan, layout.rows) == (Fan.TIGHT, 8)
    lines = picture(layout, 80)
    assert lines[2] == " │2♠│2♥│2♣│3♠│3♥│3♦│3♣│4♠│4♦│5♠│5♥│5♣│6♠│6♥│6♦│6♣│7♠│7♦│8♠│8♥│8♣│9♠│9♥│9♦ │"
    assert lines[6] == " │10♠│10♥│10♣│J♠│J♥│J♦│Q♠│Q♥│Q♦│Q♣│K♥│K♦│K♣│A♠│A♥│A♦ │"


def test_forty_cards_at_60x20_are_strips_and_chosen_suits_stand_above() -> None:
    hand = hand_of(FORTY)
    layout = at(60, 20, hand)
    queens = [slot for slot, card in hand if card.rank is Rank.QUEEN]
    assert (layout.fan, layout.rows) == (Fan.STRIPS, 4)
    assert picture(layout, 60, HandLook(chosen=set(queens[:2]))) == [
        "",
        "  2 ♠♥♣   3 ♠♥♦♣   4 ♠♦   5 ♠♥♣   6 ♠♥♦♣   7 ♠♦   8 ♠♥♣",
        "                             ♠♥",
        "  9 ♠♥♦   10 ♠♥♣   J ♠♥♦   Q ··♦♣   K ♥♦♣   A ♠♥♦",
    ]


def test_forty_cards_at_120x36_and_beside_twelve_players_fit() -> None:
    hand = hand_of(FORTY)
    assert at(120, 36, hand).rows <= Size(120, 36).hand_rows(4)
    assert at(80, 24, hand, players=12).fan is Fan.STRIPS


@pytest.mark.parametrize("width", [60, 76, 80, 110, 144])
@pytest.mark.parametrize("count", [1, 5, 13, 26, 40, 52])
def test_every_card_can_be_clicked_wherever_it_lies_and_choosing_moves_none(width: int, count: int) -> None:
    hand = [(Slot(number), card) for number, card in enumerate(deck_of(52)[:count])]
    for height in (20, 24, 36):
        size = Size(width, height)
        layout = lay_out(hand, size.hand_width, size.hand_rows(4), size.card_height)
        for chosen in (set(), {slot for slot, _ in hand}):
            canvas = Canvas(width, layout.rows)
            draw_hand(canvas, 0, 1, layout, HandLook(chosen=chosen))
            hit = {canvas.hit(row, column) for row in range(layout.rows) for column in range(width)}
            assert hit - {None} == {slot for slot, _ in hand}
            assert all(len(line) <= width for line in canvas.lines())


def test_no_layout_is_higher_than_its_free_rows_unless_it_is_strips() -> None:
    for count in range(1, 53):
        hand = [(Slot(number), card) for number, card in enumerate(deck_of(52)[:count])]
        for width in range(60, 145, 7):
            layout = lay_out(hand, width - 2, 8, SHORT)
            assert layout.rows <= 8
            assert {place.slot for place in layout.places} == {slot for slot, _ in hand}


def test_cursor_and_new_cards_are_marked_in_their_frames() -> None:
    layout = at(80, 24, hand_of("6S 7D"))
    assert picture(layout, 80, HandLook(cursor=Slot(0), new={Slot(1)})) == [
        "",
        " ╭───╮ ╭•──╮",
        " │6♠ │ │7♦ │",
        " ╰▴──╯ ╰───╯",
    ]
