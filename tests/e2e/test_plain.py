"""Plain mode as a person uses it: one with a bot plays a deal to its end, on a real terminal that can draw
nothing in both languages, and over a pipe; then hears it again.
"""

import re
import time
from dataclasses import dataclass
from pathlib import Path

import pytest
from plain_process import CONTROL, PlainProcess

pytestmark = [pytest.mark.terminal, pytest.mark.network]

DEAL_LIMIT_S = 900.0
"""Usually a deal takes a tenth of that; a busy machine needs much more."""


@dataclass(frozen=True)
class Words:
    """What tells the questions of a language apart, and words that answer them."""

    agree: str
    cards: re.Pattern[str]
    rank: str
    fours: str
    keep: str
    call: str
    yes: str
    confirm: str
    over: str
    audited: str
    quit: str
    quit_question: str
    bots: str
    next_deal: str
    replay: str
    books: str
    rest: str
    reading: str
    statistics: str
    one_deal: str
    says: str


ENGLISH = Words(
    agree="Do you agree to these rules?",
    cards=re.compile(r"Which cards\? Ranks, for example: (\S+) "),
    rank="Which rank do you say?",
    fours="four of a kind. Remove?",
    keep="keep all",
    call="call",
    yes="yes",
    confirm="1 yes, 2 no",
    over="DEAL OVER",
    audited="every proof and every move is right",
    quit="quit",
    quit_question="Quit Verish?",
    bots="bots",
    next_deal="next",
    replay="replay",
    books="books closed",
    rest="rest",
    reading="checking every proof",
    statistics="statistics",
    one_deal="1 deal:",
    says=" say",
)
RUSSIAN = Words(
    agree="Играете по этим правилам?",
    cards=re.compile(r"Какие карты\? Достоинства, например: (\S+) "),
    rank="Какое достоинство назвать?",
    fours="У вас каре. Сбросить?",
    keep="оставить",
    call="не верю",
    yes="да",
    confirm="1 да, 2 нет",
    over="СДАЧА ОКОНЧЕНА",
    audited="доказательства и ходы",
    quit="выход",
    quit_question="Закрыть Verish?",
    bots="боты",
    next_deal="Следующая сдача",
    replay="повтор",
    books="книги закрыты",
    rest="остальное",
    reading="проверяем все доказательства",
    statistics="статистика",
    one_deal="1 сдача:",
    says=" говор",
)


def reply(asked: str, words: Words, turns: int) -> str:
    """Answer a question: lead and lay true cards where there are some, call now and then, keep fours."""
    last = asked.rstrip("> \n").splitlines()[-4:]
    text = "\n".join(last)
    cards = words.cards.search(text)
    if cards is not None:
        return cards.group(1)
    if words.confirm in text:
        return words.yes
    if words.rank in text:
        return ""
    if words.fours in text:
        return words.keep
    may_call = re.search(r"\d (?:I don't believe|не верю)\b", text) is not None
    return words.call if may_call and (turns % 2 or not re.search(r" 1 (?:lay|добавить)", text)) else "1"


def play_to_the_end(player: PlainProcess, words: Words, asked: str) -> None:
    """Answer until the deal is over, audited, and something is asked."""
    end = time.monotonic() + DEAL_LIMIT_S
    turns = 0
    while words.over not in player.text:
        assert time.monotonic() < end, player.text
        player.answer(reply(asked, words, turns))
        turns += 1
        asked = player.question(DEAL_LIMIT_S)
    while words.audited not in player.text:
        player.question()


@pytest.mark.parametrize("language", ["en", "ru"])
def test_a_narrow_terminal_breaks_no_word(tmp_path: Path, language: str) -> None:
    said = []
    for columns in (250, 40):
        with PlainProcess(tmp_path, language, "play", terminal=True, columns=columns) as player:
            # What stands behind the first prompt is news of whoever else plays on this machine.
            said.append(player.question().partition("\n> ")[0].splitlines())
    wide, narrow = said
    assert max(map(len, wide)) > 80
    assert max(map(len, narrow)) < 40
    assert " ".join(" ".join(narrow).split()) == " ".join(" ".join(wide).split())


@pytest.mark.parametrize(("language", "words"), [("en", ENGLISH), ("ru", RUSSIAN)])
def test_on_a_terminal_a_deal_is_played_from_lobby_to_result_and_told_again(
    tmp_path: Path, language: str, words: Words
) -> None:
    with PlainProcess(tmp_path, language, "play", "--name", "Zoya", terminal=True) as player:
        player.question()
        player.ask(words.bots)
        player.ask("2")
        player.ask("1")
        player.ask("4")
        player.ask("1")
        player.answer("1")
        asked = player.question()
        while words.agree not in asked:
            asked = player.question()
        play_to_the_end(player, words, asked)
        told = [line for line in player.text.splitlines() if line.startswith("[")]
        assert len(told) > 10
        assert all(re.match(r"\[\d+\] \S", line) for line in told)

        # What was typed wrongly is answered, and loses nothing.
        for wrong in ("", "9" * 200, "banana"):
            assert words.next_deal in player.ask(wrong)
        player.answer(words.replay)
        while words.books not in player.question():
            pass
        again = [line for line in player.ask(words.rest).splitlines() if words.says in line]
        assert len(again) > 5
        assert set(again) <= set(told), "each lay is told in the words of the deal itself"
        player.ask("0")
        assert words.one_deal in player.ask(words.statistics)
        player.press("\x03")
        assert words.quit_question in player.question()
        player.ask("2")
        player.ask(words.quit)
        player.answer("1")
        assert player.exit_code() == 0
        assert CONTROL.search(player.text) is None, "nothing is drawn"

    with PlainProcess(tmp_path, language, "play", terminal=True) as player:
        player.question()
        assert " 1 " in player.ask(words.replay)
        assert words.reading in player.ask("1") or words.books in player.question()
        player.press("\x04")
        assert player.exit_code() == 0


def test_a_deal_is_played_to_its_end_over_a_pipe(tmp_path: Path) -> None:
    with PlainProcess(tmp_path, "en", "play", "--plain", "--bots", "1", "--name", "Zoya") as player:
        asked = player.question()
        assert ENGLISH.agree in asked
        play_to_the_end(player, ENGLISH, asked)
        player.ask(ENGLISH.quit)
        player.answer("1")
        assert player.exit_code() == 0
        assert CONTROL.search(player.text) is None


def test_the_first_deal_explains_itself_and_can_be_left_by_the_end_of_input(tmp_path: Path) -> None:
    with PlainProcess(tmp_path, "en", "play", "--first-deal", terminal=True) as player:
        assert ENGLISH.agree in player.question()
        player.press("\x03")
        assert ENGLISH.quit_question in player.question()
        player.ask("2")
        player.ask("1")
        player.answer("1")
        goal = "You want to be rid of your cards"
        while goal not in player.text:
            player.question(DEAL_LIMIT_S)
        player.press("\x04")
        assert player.exit_code() == 129
        assert "You have not left the table" in player.text


def test_a_table_is_opened_by_options_and_left_by_words(tmp_path: Path) -> None:
    with PlainProcess(
        tmp_path, "en", "play", "--plain", "--open", "Kitchen", "--seats", "2", "--rules", "club"
    ) as player:
        assert 'You sit at the table "Kitchen"' in player.question()
        player.answer("leave")
        assert "your seat becomes free" in player.question()
        player.answer("1")
        assert "open a table" in player.question()
        player.answer("quit")
        player.question()
        player.answer("1")
        assert player.exit_code() == 0
