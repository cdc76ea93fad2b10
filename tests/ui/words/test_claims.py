"""Rank names and claims, as the specification's table has them, in both languages."""

import pytest

from engine import Card, Rank
from ui import i18n
from ui.words import Number, RankWord, card_label, card_name, cards, claim, quoted

ENGLISH = {
    Rank.TWO: ("two", "twos"),
    Rank.THREE: ("three", "threes"),
    Rank.FOUR: ("four", "fours"),
    Rank.FIVE: ("five", "fives"),
    Rank.SIX: ("six", "sixes"),
    Rank.SEVEN: ("seven", "sevens"),
    Rank.EIGHT: ("eight", "eights"),
    Rank.NINE: ("nine", "nines"),
    Rank.TEN: ("ten", "tens"),
    Rank.JACK: ("jack", "jacks"),
    Rank.QUEEN: ("queen", "queens"),
    Rank.KING: ("king", "kings"),
    Rank.ACE: ("ace", "aces"),
}

# 1, 2, 5 of a rank with the number word in its gender; plural; instrumental plural.
RUSSIAN = {
    Rank.TWO: ("одна двойка", "две двойки", "пять двоек", "двойки", "двойками"),
    Rank.THREE: ("одна тройка", "две тройки", "пять троек", "тройки", "тройками"),
    Rank.FOUR: ("одна четвёрка", "две четвёрки", "пять четвёрок", "четвёрки", "четвёрками"),
    Rank.FIVE: ("одна пятёрка", "две пятёрки", "пять пятёрок", "пятёрки", "пятёрками"),
    Rank.SIX: ("одна шестёрка", "две шестёрки", "пять шестёрок", "шестёрки", "шестёрками"),
    Rank.SEVEN: ("одна семёрка", "две семёрки", "пять семёрок", "семёрки", "семёрками"),
    Rank.EIGHT: ("одна восьмёрка", "две восьмёрки", "пять восьмёрок", "восьмёрки", "восьмёрками"),
    Rank.NINE: ("одна девятка", "две девятки", "пять девяток", "девятки", "девятками"),
    Rank.TEN: ("одна десятка", "две десятки", "пять десяток", "десятки", "десятками"),
    Rank.JACK: ("один валет", "два валета", "пять валетов", "валеты", "валетами"),
    Rank.QUEEN: ("одна дама", "две дамы", "пять дам", "дамы", "дамами"),
    Rank.KING: ("один король", "два короля", "пять королей", "короли", "королями"),
    Rank.ACE: ("один туз", "два туза", "пять тузов", "тузы", "тузами"),
}


@pytest.mark.parametrize("rank", list(Rank))
def test_english_claims_name_number_and_rank(rank: Rank) -> None:
    single, plural = ENGLISH[rank]
    assert claim(rank, 1) == f"one {single}"
    assert claim(rank, 2) == f"two {plural}"
    assert claim(rank, 5) == f"five {plural}"
    assert claim(rank, None) == plural


@pytest.mark.parametrize("rank", list(Rank))
def test_russian_claims_agree_in_gender_and_number(rank: Rank, russian: None) -> None:
    one, two, five, plural, instrumental = RUSSIAN[rank]
    assert [claim(rank, count) for count in (1, 2, 5, None)] == [one, two, five, plural]
    assert format(RankWord(rank), "of") == five.split()[1]
    assert format(RankWord(rank), "as") == instrumental
    assert format(RankWord(rank), "Many") == plural.capitalize()


def test_english_articles_fit_the_word_after_them() -> None:
    assert format(RankWord(Rank.QUEEN), "a") == "a queen"
    assert format(RankWord(Rank.EIGHT), "a") == "an eight"
    assert format(RankWord(Rank.ACE), "a") == "an ace"


def test_numbers_are_words_up_to_twelve_and_digits_above() -> None:
    assert format(Number(3), "word") == "three"
    assert format(Number(12), "word") == "twelve"
    assert format(Number(13), "word") == "13"
    assert format(Number(3)) == "3"


@pytest.mark.parametrize("word", [RankWord(Rank.SIX), Number(2)])
def test_a_form_that_does_not_exist_is_refused(word: RankWord | Number) -> None:
    with pytest.raises(ValueError, match="no form"):
        format(word, "dual")


def test_quotation_marks_are_those_of_the_language() -> None:
    assert quoted("one queen") == "“one queen”"
    i18n.use_language("ru")
    assert quoted("одна дама") == "«одна дама»"


def test_russian_cards_follow_their_number(russian: None) -> None:
    assert [cards(count) for count in (1, 2, 5, 11, 21, 22)] == [
        "1 карта", "2 карты", "5 карт", "11 карт", "21 карта", "22 карты",
    ]  # fmt: skip


def test_cards_are_printed_with_the_letters_of_the_language() -> None:
    queen, ten = Card.parse("QS"), Card.parse("10D")
    assert (card_label(queen), card_label(ten)) == ("Q♠", "10♦")
    assert (card_label(queen, ""), card_name(queen)) == ("Qs", "Q of spades")
    i18n.use_language("ru")
    assert (card_label(queen), card_label(ten)) == ("Д♠", "10♦")
    assert (card_label(queen, ""), card_name(ten)) == ("Дп", "10 бубен")
