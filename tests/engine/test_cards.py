"""Cards and packs."""

import pytest

from engine import Card, NotationError, Rank, Suit, deck_of
from engine.cards import ranks_of


def test_first_deck_is_in_canonical_order():
    deck = deck_of(36)
    assert [str(card) for card in deck[:5]] == ["6S", "6H", "6D", "6C", "7S"]
    assert str(deck[-1]) == "AC"
    assert list(deck) == sorted(deck)


@pytest.mark.parametrize(("size", "lowest"), [(24, "9"), (32, "7"), (36, "6"), (52, "2")])
@pytest.mark.parametrize("packs", [1, 2])
def test_pack_holds_each_face_once_a_pack(size, lowest, packs):
    deck = deck_of(size, packs)
    assert len(deck) == size * packs
    assert {deck.count(card) for card in deck} == {packs}
    assert str(deck[0].rank) == lowest
    assert ranks_of(size)[0] == deck[0].rank


def test_no_other_pack_exists():
    with pytest.raises(ValueError, match="40"):
        deck_of(40)


def test_every_card_reads_back():
    for card in deck_of(52):
        assert Card.parse(str(card)) == card
    assert Card.parse("10D") == Card(Rank.TEN, Suit.DIAMONDS)
    assert Rank.parse("10") is Rank.TEN


@pytest.mark.parametrize("text", ["", "S", "1S", "11S", "TS", "qs", "QS ", "10", "Q♠", "SQ", "010S"])
def test_other_spellings_of_a_card_are_refused(text):
    with pytest.raises(NotationError):
        Card.parse(text)


@pytest.mark.parametrize("text", ["", "1", "14", "T", "q", " 2", "02"])
def test_other_spellings_of_a_rank_are_refused(text):
    with pytest.raises(NotationError):
        Rank.parse(text)
