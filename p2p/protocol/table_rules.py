"""The rules of the table: how long things may take, what follows when somebody stays away, whose seat deals
first where that is chosen, and whether others may watch.

They are no rules of the game, so the engine knows nothing of them; but all sign them with the proposal,
because nobody should learn in the middle of a deal how long the others were ready to wait.
"""

from collections.abc import Mapping
from typing import Final, Literal, TypeAlias

from msgspec import Struct

from engine import Ruleset, Value
from p2p.errors import P2PError
from p2p.protocol.entry import MAX_SEATS

Absence: TypeAlias = Literal["wait", "forfeit"]
"""What follows when the grace time of somebody absent is over: a person decides whether to end the wait, or
the programs propose it by themselves.
"""

ABSENCES: Final[tuple[Absence, ...]] = ("wait", "forfeit")

Watchers: TypeAlias = Literal["yes", "no"]
"""Whether the members let others watch the table, with its code where it has one. Usually they do: a table
that anybody may sit down at is no secret, and who stands beside it is shown no card that not all can see.
"""

WATCHERS: Final[tuple[Watchers, ...]] = ("yes", "no")

LEAST_WINDOW_S, MOST_WINDOW_S = 5, 120
"""Under five seconds nobody can read a claim and answer it; after two minutes nobody remembers it."""
LEAST_CLOCK_S, MOST_CLOCK_S = 10, 600
"""Under ten seconds a reveal, which takes up to four and a half, would use up most of a turn."""
LEAST_GRACE_S, MOST_GRACE_S = 10, 600
"""Under ten seconds a change of networks would look like leaving; idle links are given up after 3.5 s."""


BOUNDS: Final[Mapping[str, tuple[int, int]]] = {
    "window_s": (LEAST_WINDOW_S, MOST_WINDOW_S),
    "clock_s": (LEAST_CLOCK_S, MOST_CLOCK_S),
    "grace_s": (LEAST_GRACE_S, MOST_GRACE_S),
    "dealer": (0, MAX_SEATS - 1),
}
"""Least and most of each number; a turn clock may also be 0, which is none."""


class TableRulesError(P2PError, ValueError):
    """No table has this value: `name` is the rule, `value` what was given."""

    def __init__(self, name: str, value: object) -> None:
        super().__init__(f"{name}={value}")
        self.name = name
        self.value = value


class TableRules(Struct, frozen=True, array_like=True, forbid_unknown_fields=True):
    """What the members of a table agree on beside the rules of the game. Times are whole seconds.

    window_s: open calls, how long everybody may think about calling. clock_s: how long a turn may take before
    the own program acts by itself; 0 for no limit. grace_s: how long somebody may be absent before the wait
    can be ended. absence: who proposes to end it. dealer: the table seat that deals first if `first_dealer`
    is chosen; 0 for who opened the table. watchers: whether others may watch.

    Raises: TableRulesError if a value is outside its bounds; decoding refuses it, too.
    """

    window_s: int = 20
    clock_s: int = 0
    grace_s: int = 60
    absence: Absence = "wait"
    dealer: int = 0
    watchers: Watchers = "yes"

    def __post_init__(self) -> None:
        for name, (least, most) in BOUNDS.items():
            value = getattr(self, name)
            if not least <= value <= most and (name, value) != ("clock_s", 0):
                raise TableRulesError(name, value)
        if self.absence not in ABSENCES:
            raise TableRulesError("absence", self.absence)
        if self.watchers not in WATCHERS:
            raise TableRulesError("watchers", self.watchers)

    def check_dealer(self, game: Ruleset, seats: int = MAX_SEATS) -> None:
        """Check that the seat that deals first is one of so many, and one only where a dealer is chosen.

        `seats`: those that a table is opened with; it may start with fewer. Raises: TableRulesError.
        """
        if self.dealer >= seats or (self.dealer and game.first_dealer != "chosen"):
            raise TableRulesError("dealer", self.dealer)

    def first_dealer(self, players: tuple[int, ...]) -> int:
        """The place among the players (ascending table seats) of the one who deals first: whoever has the
        chosen seat or else the next one that plays.
        """
        return next((place for place, seat in enumerate(players) if seat >= self.dealer), 0)

    def to_mapping(self) -> dict[str, int | str]:
        """The rules by name, in their order."""
        return {name: getattr(self, name) for name in self.__struct_fields__}

    def differences(self) -> tuple[tuple[str, int | str, int | str], ...]:
        """Each rule that differs from the default: name, value, default."""
        usual = USUAL.to_mapping()
        return tuple(
            (name, value, usual[name]) for name, value in self.to_mapping().items() if value != usual[name]
        )


USUAL: Final = TableRules()
"""The rules of a table that asks for nothing else."""

RULES: Final = tuple(USUAL.to_mapping())
"""The names of all rules of a table, in their order."""

_NEEDS: Final[Mapping[str, tuple[str, Value]]] = {
    "window_s": ("callers", "any"),
    "dealer": ("first_dealer", "chosen"),
}
"""Rules that do something only where an option of the game has this value."""


def effective(game: Mapping[str, Value]) -> tuple[str, ...]:
    """The rules that do something where the options of the game have these values."""
    return tuple(rule for rule in RULES if rule not in _NEEDS or game[_NEEDS[rule][0]] == _NEEDS[rule][1])
