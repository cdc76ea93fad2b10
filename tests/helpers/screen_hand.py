"""Somebody who plays by what a screen says, and by nothing else."""

import time

from terminals import Screen

GUARD_S = 0.7
"""A little more than the half second for which keys are dead after the table has changed."""


class Hand:
    """Plays one screen: leads its first card truthfully, calls all that can be called and else lays a card,
    keeps all fours.
    """

    def __init__(self, terminal: Screen) -> None:
        self.terminal = terminal
        self._banner = ""
        self._since = 0.0
        self._tries = 0
        self.turns = 0
        """How many own turns are over."""

    def look(self) -> str:
        """Press what the screen asks for, once it has stood for a moment."""
        screen = self.terminal.screen
        banner = next((line for line in screen.splitlines() if line[:3].strip() in {"►", "◆", "◌"}), "")
        now = time.monotonic()
        if banner != self._banner:
            self.turns += "YOUR TURN" in self._banner
            self._banner, self._since, self._tries = banner, now, 0
        elif now - self._since > GUARD_S:
            self._since = now
            if "Any key goes on" in screen:
                self.terminal.press("Space")
            elif "YOUR PICK-UP" in banner:
                self.terminal.press("s", "Enter")
            elif "You lead" in banner:
                self.terminal.press("Right", "Space", "Enter")
            elif "YOUR TURN" in banner:
                self._tries += 1
                if self._tries % 2:
                    self.terminal.press("x", "Enter")
                else:
                    self.terminal.press("Right", "Space", "Enter")
        return screen
