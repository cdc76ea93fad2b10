"""Somebody who plays by what a screen says, and by nothing else."""

import time
from dataclasses import dataclass

from terminals import Screen

GUARD_S = 0.7
"""A little more than the half second for which keys are dead after the table has changed."""


@dataclass(frozen=True)
class Words:
    """What a screen says in one language, and the keys of its keyboard."""

    any_key: str
    pick_up: str
    lead: str
    turn: str
    over: str
    audited: str
    call: str
    keep: str


ENGLISH = Words(
    any_key="Any key goes on",
    pick_up="YOUR PICK-UP",
    lead="You lead",
    turn="YOUR TURN",
    over="DEAL OVER",
    audited="every proof and every move is",
    call="x",
    keep="s",
)
RUSSIAN = Words(
    any_key="Любая клавиша",
    pick_up="ВЫ ЗАБИРАЕТЕ",
    lead="Вы заходите",
    turn="ВАШ ХОД",
    over="СДАЧА ОКОНЧЕНА",
    audited="доказательства и ходы",
    call="ч",
    keep="ы",
)


class Hand:
    """Plays one screen: leads its first card truthfully, calls all that can be called and else lays a card,
    keeps all fours.
    """

    def __init__(self, terminal: Screen, words: Words = ENGLISH) -> None:
        self.terminal = terminal
        self._words = words
        self._banner = ""
        self._since = 0.0
        self._tries = 0
        self.turns = 0
        """How many own turns are over."""

    @property
    def is_over(self) -> bool:
        """Whether the screen said, when last looked at, that the deal is over."""
        return self._words.over in self._banner

    def look(self) -> None:
        """Press what the screen asks for, once it has stood for a moment."""
        screen = self.terminal.screen
        banner = next((line for line in screen.splitlines() if line[:3].strip() in {"►", "◆", "◌"}), "")
        now = time.monotonic()
        if banner != self._banner:
            self.turns += self._words.turn in self._banner
            self._banner, self._since, self._tries = banner, now, 0
        elif now - self._since > GUARD_S:
            self._since = now
            if self._words.any_key in screen:
                self.terminal.press("Space")
            elif self._words.pick_up in banner:
                self.terminal.press(self._words.keep, "Enter")
            elif self._words.lead in banner:
                self.terminal.press("Right", "Space", "Enter")
            elif self._words.turn in banner:
                self._tries += 1
                if self._tries % 2:
                    self.terminal.press(self._words.call, "Enter")
                else:
                    self.terminal.press("Right", "Space", "Enter")
