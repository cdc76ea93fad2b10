"""The rules as data: a frozen set of named options, presets for the forms of the game, and what may not be
combined.

Every option has one field here, its possible values in `OPTIONS`, and one branch in the engine. A value
that the engine does not play yet is known by name and refused; nothing is accepted and then ignored.
"""

from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from functools import cache
from typing import Any, Final

from engine.cards import PACK_SIZES, SUITS, Card, Rank, deck_of, ranks_of
from engine.conflicts import CONFLICTS
from engine.errors import RulesetError, RulesetFault

Value = int | str
"""What an option may hold: numbers are plain ints, everything else plain text."""

MOST_PLAYERS: Final = 12
MOST_PLAYERS_ONE_PACK: Final = 6
"""In `club` with one pack, and in `pagat` always: below six cards each there is nothing to bluff with."""


@dataclass(frozen=True, slots=True)
class Domain:
    """The values of one option: `values`, and any number of `numbers`."""

    values: tuple[Value, ...] = ()
    numbers: range = range(0)

    def holds(self, value: Value) -> bool:
        """Whether `value` belongs to the game. `True` is no 1: types are compared too."""
        if type(value) is int and value in self.numbers:
            return True
        return any(type(value) is type(known) and value == known for known in self.values)


_NO_YES: Final = ("no", "yes")
_COUNTS: Final = range(1, 105)
"""Sizes of packets and hands: up to two packs of 52."""

OPTIONS: Final[Mapping[str, Domain]] = {
    "pack": Domain(("auto", *PACK_SIZES)),
    "packs": Domain(("auto", 1, 2)),
    "burn": Domain((0, 1)),
    "deal": Domain(("all", "hand")),
    "hand_size": Domain(numbers=_COUNTS),
    "refill": Domain(("new_round", "every_turn")),
    "first_dealer": Domain(("random", "chosen")),
    "next_dealer": Domain(("left", "loser")),
    "first_lead": Domain(("dealer_left", "dealer")),
    "lead_min": Domain(numbers=_COUNTS),
    "lead_max": Domain(("none", "copies"), numbers=_COUNTS),
    "follow_max": Domain(("none", "copies", "live_copies"), numbers=_COUNTS),
    "claim_number": Domain(("unstated", "honest", "free")),
    "number_test": Domain(("bluff", "ignored")),
    "rank_rule": Domain(("fixed", "ascending")),
    "ascending_after_pickup": Domain(("continue", "choose")),
    "no_aces": Domain(_NO_YES),
    "retired_ranks": Domain(("claimable", "barred")),
    "veryu": Domain(("none", "packet", "pile")),
    "lead_exempt": Domain(("none", "first_of_deal", "any_round_lead")),
    "callers": Domain(("next", "any")),
    "open_turn": Domain(("after_picker", "normal_rotation")),
    "check": Domain(("all", "one_random", "one_by_caller")),
    "after_bluff": Domain(("next_after_owner", "challenger")),
    "rank_after_wrong_ne": Domain(("fresh", "same")),
    "sets": Domain(("none", "optional", "forced")),
    "set_size": Domain(("four", "copies")),
    "sets_at_deal": Domain(_NO_YES),
    "out_call": Domain(("automatic", "manual")),
    "illegal_zero": Domain(("penalty", "reject")),
    "end": Domain(("first_out", "sole_loser")),
    "must_call_pending": Domain(_NO_YES),
    "stall_guard": Domain(("none", "no_repeat_claim")),
    "session": Domain(("none", "count_losses", "to_n_losses")),
    "session_losses": Domain(numbers=range(1, 100)),
}


@dataclass(frozen=True, slots=True)
class Ruleset:
    """One table's rules. Build one with `preset`, `with_` or `from_mapping`.

    `form` names the preset that the table started from; a few limits on players go by it.
    Raises: RulesetError, from every way of building one.
    """

    form: str
    pack: Value
    packs: Value
    burn: Value
    deal: Value
    hand_size: Value
    refill: Value
    first_dealer: Value
    next_dealer: Value
    first_lead: Value
    lead_min: int
    lead_max: Value
    follow_max: Value
    claim_number: Value
    number_test: Value
    rank_rule: Value
    ascending_after_pickup: Value
    no_aces: Value
    retired_ranks: Value
    veryu: Value
    lead_exempt: Value
    callers: Value
    open_turn: Value
    check: Value
    after_bluff: Value
    rank_after_wrong_ne: Value
    sets: Value
    set_size: Value
    sets_at_deal: Value
    out_call: Value
    illegal_zero: Value
    end: Value
    must_call_pending: Value
    stall_guard: Value
    session: Value
    session_losses: int

    def __post_init__(self) -> None:
        if type(self.form) is not str or self.form not in PRESETS:
            raise RulesetError(RulesetFault.UNKNOWN_FORM, "form", self.form)
        for name, domain in OPTIONS.items():
            value = getattr(self, name)
            if not domain.holds(value):
                raise RulesetError(RulesetFault.BAD_VALUE, name, value)
        for fault, option, offends in CONFLICTS:
            if offends(self):
                raise RulesetError(fault, option, getattr(self, option))

    @classmethod
    def preset(cls, name: str) -> "Ruleset":
        """The rules of a form: club, pagat, encyclopedia or dictionary."""
        return cls.with_preset(name, {})

    @classmethod
    def with_preset(cls, name: str, options: Mapping[str, Value]) -> "Ruleset":
        """The rules of a form with some options changed. Only the whole is validated, not the bare form."""
        if name not in PRESETS:
            raise RulesetError(RulesetFault.UNKNOWN_FORM, "form", name)
        for option, value in options.items():
            if option not in OPTIONS:
                raise RulesetError(RulesetFault.UNKNOWN_OPTION, option, value)
        return cls(**{**_preset_values(name), **options})

    def with_(self, **options: Value) -> "Ruleset":
        """These rules with some options changed."""
        for name, value in options.items():
            if name not in OPTIONS:
                raise RulesetError(RulesetFault.UNKNOWN_OPTION, name, value)
        changes: dict[str, Any] = dict(options)
        return replace(self, **changes)

    @classmethod
    def from_mapping(cls, mapping: Mapping[str, Value]) -> "Ruleset":
        """The inverse of `to_mapping`; strict: every option is there, and nothing else."""
        for name, value in mapping.items():
            if name != "form" and name not in OPTIONS:
                raise RulesetError(RulesetFault.UNKNOWN_OPTION, name, value)
        for name in ("form", *OPTIONS):
            if name not in mapping:
                raise RulesetError(RulesetFault.MISSING_OPTION, name)
        values: dict[str, Any] = dict(mapping)
        return cls(**values)

    def to_mapping(self) -> dict[str, Value]:
        """All options and the form, in a fixed order."""
        return {field.name: getattr(self, field.name) for field in fields(self)}

    def differences(self, players: int | None = None) -> tuple[tuple[str, Value, Value], ...]:
        """`(option, value, usual value)` for each option that differs from the preset of the form.

        players: at a table of so many, what an automatic pack becomes by itself is no difference.
        """
        here, usual = self.to_mapping(), dict(_preset_values(self.form))
        if players is not None:
            for values in (here, usual):
                values.update(_resolved_packs(self.form, values["pack"], values["packs"], players))
        return tuple((name, value, usual[name]) for name, value in here.items() if value != usual[name])

    def resolve(self, players: int) -> "Ruleset":
        """These rules for a known number of players: automatic packs become numbers.

        Raises: RulesetError if so many cannot play by them.
        """
        one_pack_only = self.form == "pagat" or (self.form == "club" and self.packs == 1)
        if players < 2:
            raise RulesetError(RulesetFault.TOO_FEW_PLAYERS, "players", players)
        if players > (MOST_PLAYERS_ONE_PACK if one_pack_only else MOST_PLAYERS):
            raise RulesetError(RulesetFault.TOO_MANY_PLAYERS, "players", players)
        changes: dict[str, Any] = dict(_resolved_packs(self.form, self.pack, self.packs, players))
        resolved = replace(self, **changes)
        if players > resolved.cards - resolved.burned:
            raise RulesetError(RulesetFault.TOO_FEW_CARDS, "players", players)
        if resolved.draws and players * resolved.hand_cards + resolved.burned >= resolved.cards:
            raise RulesetError(RulesetFault.NO_STOCK_LEFT, "hand_size", resolved.hand_size)
        return resolved

    @property
    def resolved(self) -> bool:
        """Whether pack and packs are numbers."""
        return isinstance(self.pack, int) and isinstance(self.packs, int)

    @property
    def cards(self) -> int:
        """How many cards there are. Resolved rulesets only."""
        assert isinstance(self.pack, int), "resolve the ruleset first"
        return self.pack * self.copies // SUITS

    @property
    def deck(self) -> tuple[Card, ...]:
        """All cards in the order of the first deck. Resolved rulesets only."""
        assert isinstance(self.pack, int), "resolve the ruleset first"
        return deck_of(self.pack, self.packs_held)

    @property
    def burned(self) -> int:
        """How many cards are burned."""
        return int(self.burn)

    @property
    def draws(self) -> bool:
        """Whether there is a draw pile."""
        return self.deal == "hand"

    @property
    def hand_cards(self) -> int:
        """How many cards each seat is dealt, and draws up to, where there is a draw pile."""
        return int(self.hand_size)

    @property
    def hides_sizes(self) -> bool:
        """Whether nobody may see how many cards another lays or holds (`claim_number` free)."""
        return self.claim_number == "free"

    @property
    def open_calls(self) -> bool:
        """Whether everybody may call, in a window after each lay (`callers` any)."""
        return self.callers == "any"

    @property
    def manual_out(self) -> bool:
        """Whether an empty hand has to be announced (`out_call` manual)."""
        return self.out_call == "manual"

    @property
    def packs_held(self) -> int:
        """How many packs there are: so often each face occurs. Resolved rulesets only."""
        assert isinstance(self.packs, int), "resolve the ruleset first"
        return self.packs

    @property
    def copies(self) -> int:
        """How many cards of each rank there are: four a pack. Resolved rulesets only."""
        return SUITS * self.packs_held

    @property
    def ranks(self) -> tuple[Rank, ...]:
        """The ranks in the pack, ascending. Resolved rulesets only."""
        assert isinstance(self.pack, int), "resolve the ruleset first"
        return ranks_of(self.pack)

    @property
    def claims(self) -> tuple[Rank, ...]:
        """The ranks that may be claimed, ascending; with `no_aces` aces may be laid only.

        Resolved rulesets only.
        """
        return (
            tuple(rank for rank in self.ranks if rank is not Rank.ACE)
            if self.no_aces == "yes"
            else self.ranks
        )

    @property
    def first_rising(self) -> Rank | None:
        """The rank that the first packet has to claim where ranks ascend. Resolved rulesets only."""
        if self.rank_rule == "fixed":
            return None
        return self.claims[-1] if self.no_aces == "no" else self.claims[0]

    def rank_after(self, rank: Rank) -> Rank:
        """The next rank up that may be claimed; the lowest follows the highest. Resolved rulesets only."""
        ranks = self.claims
        return ranks[(ranks.index(rank) + 1) % len(ranks)]

    @property
    def set_cards(self) -> int:
        """How many cards of one rank are a complete set."""
        return self.copies if self.set_size == "copies" else SUITS


_COMMON: Final[Mapping[str, Value]] = {
    "pack": "auto",
    "packs": 1,
    "burn": 0,
    "deal": "all",
    "hand_size": 5,
    "refill": "new_round",
    "first_dealer": "random",
    "next_dealer": "loser",
    "first_lead": "dealer",
    "lead_min": 1,
    "lead_max": "none",
    "follow_max": "none",
    "claim_number": "unstated",
    "number_test": "bluff",
    "rank_rule": "fixed",
    "ascending_after_pickup": "continue",
    "no_aces": "no",
    "retired_ranks": "claimable",
    "veryu": "pile",
    "lead_exempt": "none",
    "callers": "next",
    "open_turn": "after_picker",
    "check": "all",
    "after_bluff": "challenger",
    "rank_after_wrong_ne": "fresh",
    "sets": "none",
    "set_size": "four",
    "sets_at_deal": "no",
    "out_call": "automatic",
    "illegal_zero": "reject",
    "end": "sole_loser",
    "must_call_pending": "no",
    "stall_guard": "none",
    "session": "count_losses",
    "session_losses": 3,
}
"""What most forms share; `dictionary` is exactly this."""

PRESETS: Final[Mapping[str, Mapping[str, Value]]] = {
    "club": {
        "pack": 36,
        "packs": "auto",
        "next_dealer": "left",
        "first_lead": "dealer_left",
        "claim_number": "free",
        "veryu": "packet",
        "after_bluff": "next_after_owner",
        "illegal_zero": "penalty",
        "end": "first_out",
    },
    "pagat": {
        "burn": 1,
        "next_dealer": "left",
        "first_lead": "dealer_left",
        "lead_max": 3,
        "follow_max": 3,
        "claim_number": "honest",
        "veryu": "none",
        "sets": "optional",
    },
    "encyclopedia": {"follow_max": "copies", "lead_exempt": "first_of_deal"},
    "dictionary": {},
}
"""The forms, as what each changes of the common values."""


@cache
def _preset_values(form: str) -> dict[str, Any]:
    """All options of a form, and its name."""
    return {"form": form, **_COMMON, **PRESETS[form]}


def _resolved_packs(form: str, pack: Value, packs: Value, players: int) -> dict[str, Value]:
    """What automatic values become at a table of so many players; others stay."""
    if pack == "auto":
        pack = 36 if players <= (3 if form == "pagat" else 4) else 52
    if packs == "auto":
        packs = 1 if players < MOST_PLAYERS_ONE_PACK else 2
    return {"pack": pack, "packs": packs}
