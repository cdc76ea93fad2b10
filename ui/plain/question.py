"""A question with numbered answers, and which of them a typed line means."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

WIDTH: Final = 76
"""Answers are numbered in rows of at most so many characters; sentences are left to the terminal."""

LEAST_START: Final = 3
"""So many letters of an answer's words stand for it, if no other answer begins so."""


@dataclass(frozen=True, slots=True)
class Option:
    """One answer. `name`: what the program calls it. `words`: what is shown behind its number, and may be
    typed.
    """

    name: str
    words: str


@dataclass(frozen=True, slots=True)
class Question:
    """`lines` are said, then the options, numbered. `free`: an answer may be any text as well. `long`: each
    option takes a line of its own. `listed`: the options are read out; otherwise they are known.
    """

    lines: tuple[str, ...]
    options: tuple[Option, ...] = ()
    free: bool = False
    long: bool = False
    listed: bool = True

    def text(self) -> tuple[str, ...]:
        """Return what is printed before the prompt."""
        if not self.listed:
            return self.lines
        numbered = [f" {number} {option.words}" for number, option in enumerate(self.options, 1)]
        if self.long:
            return (*self.lines, *numbered)
        return (*self.lines, *_rows(numbered))


def yes_or_no(sentence: str, yes: str, no: str) -> Question:
    """Return the question whether something is to be done, on one line."""
    options = (Option("yes", yes), Option("no", no))
    numbered = ", ".join(f"{number} {option.words}" for number, option in enumerate(options, 1))
    return Question((f"{sentence} {numbered}",), options, listed=False)


def _rows(numbered: Sequence[str]) -> list[str]:
    """Set options beside each other."""
    rows: list[str] = []
    for one in numbered:
        if rows and len(rows[-1]) + 1 + len(one) <= WIDTH:
            rows[-1] += f" {one}"
        else:
            rows.append(one)
    return rows


def chosen(question: Question, typed: str, words: dict[str, tuple[str, ...]]) -> Option | None:
    """Return the option that a typed line means: its number, its words or their beginning, or one of the
    `words` that options of that name go by in either language; None if it means none or several.
    """
    text = normal(typed)
    options = question.options
    if text.isdecimal():
        number = int(text) if len(text) < 4 else 0
        return options[number - 1] if 0 < number <= len(options) else None
    exact = [one for one in options if text in (normal(one.words), *words.get(one.name, ()))]
    if exact:
        return exact[0]
    starts = [one for one in options if len(text) >= LEAST_START and normal(one.words).startswith(text)]
    return starts[0] if len(starts) == 1 else None


def normal(text: str) -> str:
    """Return what was typed as it is compared: lower case, one spelling of signs, no punctuation around."""
    plain = text.casefold().replace("ё", "е").replace("’", "'").strip(" \t.!?,;:\"'“”«»")
    return " ".join(plain.split())
