"""Plain mode over a pipe: one person with a bot plays a deal to its end, in both languages."""

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


@pytest.mark.parametrize(("language", "words"), [("en", ENGLISH), ("ru", RUSSIAN)])
def test_a_deal_is_played_to_its_end_over_a_pipe(tmp_path: Path, language: str, words: Words) -> None:
    with PlainProcess(tmp_path, language, "--bots", "1", "--name", "Zoya") as player:
        end = time.monotonic() + DEAL_LIMIT_S
        turns = 0
        asked = player.question()
        assert words.agree in asked
        while words.over not in player.text:
            assert time.monotonic() < end, player.text
            player.answer(reply(asked, words, turns))
            turns += 1
            asked = player.question(DEAL_LIMIT_S)
        while words.audited not in player.text:
            player.question()
        player.answer(words.quit)
        player.question()
        player.answer("1")
        assert player.exit_code() == 0
        assert CONTROL.search(player.text) is None
        told = [line for line in player.text.splitlines() if line.startswith("[")]
        assert len(told) > 10
        assert all(re.match(r"\[\d+\] \S", line) for line in told)


def test_a_table_is_opened_by_options_and_left_by_words(tmp_path: Path) -> None:
    with PlainProcess(tmp_path, "en", "--open", "Kitchen", "--seats", "2", "--rules", "club") as player:
        assert 'You sit at the table "Kitchen"' in player.question()
        player.answer("leave")
        assert "your seat becomes free" in player.question()
        player.answer("1")
        assert "open a table" in player.question()
        player.answer("quit")
        player.question()
        player.answer("1")
        assert player.exit_code() == 0
