"""Words that may be typed instead of a number, and cards that are typed by rank: both in either language."""

import re
from typing import Final

from engine import Rank
from ui.keys import RANK_KEYS
from ui.plain.question import normal
from ui.words.ranks import RankWord

WORDS: Final[dict[str, tuple[str, ...]]] = {
    "lay": ("lay", "lead", "класть", "положить", "добавить", "зайти"),
    "call": ("call", "doubt", "don't believe", "i don't believe", "не верю"),
    "believe": ("believe", "i believe", "верю"),
    "silent": ("pass", "nothing", "молчу", "промолчать"),
    "nothing": ("none", "zero", "ничего"),
    "announce": ("out", "no cards", "карт нет"),
    "remove": ("remove", "сбросить"),
    "keep": ("keep", "оставить"),
    "suits": ("hand", "cards", "suits", "карты", "масти", "рука"),
    "players": ("players", "who", "игроки", "кто"),
    "log": ("log", "журнал"),
    "trust": ("trust", "peeked", "честность", "честно"),
    "rules": ("rules", "правила"),
    "help": ("help", "?", "помощь"),
    "end_wait": ("end", "кончить"),
    "back": ("back", "0", "назад"),
    "leave": ("leave", "уйти"),
    "mute": ("mute", "молчание", "заглушить"),
    "unmute": ("unmute", "показывать"),
    "first_deal": ("first", "первая"),
    "replay": ("replay", "повтор"),
    "statistics": ("statistics", "stats", "статистика"),
    "settings": ("settings", "настройки"),
    "play": ("play", "играть"),
    "previous": ("previous", "предыдущее"),
    "next_call": ("call", "проверка"),
    "hands": ("hands", "руки"),
    "rest": ("rest", "all", "остальное"),
    "quit": ("quit", "exit", "выход", "выйти"),
    "yes": ("y", "yes", "да", "д"),
    "no": ("n", "no", "нет", "н"),
    "join": ("join", "сесть"),
    "watch": ("watch", "смотреть"),
    "talk": ("say", "talk", "сказать"),
    "open": ("open", "открыть"),
    "bots": ("bots", "боты"),
    "address": ("address", "адрес"),
    "people": ("people", "люди"),
    "ready": ("ready", "согласие"),
    "next": ("next", "следующая", "дальше"),
    "save": ("save", "сохранить"),
    "books": ("books", "книги"),
    "reopen": ("again", "снова"),
}
"""By option: the words that mean it in either language, beside those that it shows."""

BACK: Final = frozenset(WORDS["back"])
QUIT: Final = frozenset(WORDS["quit"])

_LETTERS: Final = {
    letter: rank for rank, (latin, cyrillic) in RANK_KEYS.items() for letter in (*latin, *cyrillic)
} | {"10": Rank.TEN}
_RUN: Final = re.compile("|".join(sorted(map(re.escape, _LETTERS), key=len, reverse=True)))
_FORMS: Final = ("many", "of", "as", "a")


class NoRankError(Exception):
    """A word that was typed is no rank."""

    def __init__(self, word: str) -> None:
        super().__init__(word)
        self.word = word


def ranks_typed(text: str) -> tuple[Rank, ...]:
    """Return the ranks of cards that were typed: `q 7`, `q,7`, `д 7`, `q7`, `10 10`, or by their names.

    Letters are those of the keys in either layout and those printed on cards. Raises: NoRankError.
    """
    found: list[Rank] = []
    for word in normal(text.replace(",", " ").replace(";", " ")).split():
        found += _ranks_of(word)
    return tuple(found)


def _ranks_of(word: str) -> list[Rank]:
    """Return the ranks that one word names. Raises: NoRankError."""
    named = [rank for rank in Rank if word in _names(rank)]
    if named:
        return named[:1]
    parts = _RUN.findall(word)
    if "".join(parts) != word:
        raise NoRankError(word)
    return [_LETTERS[part] for part in parts]


def _names(rank: Rank) -> set[str]:
    """Return the words for cards of a rank, in the language in use; without the article."""
    forms = {normal(format(RankWord(rank), form)) for form in _FORMS}
    return forms | {form.split()[-1] for form in forms}
