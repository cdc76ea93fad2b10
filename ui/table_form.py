"""The rules that are being chosen for a new table: a form, a named variation, every option, the rules of the
table itself, and the fault of all of them.

Options may contradict each other while they are being chosen; then `fault` says why, and the table cannot be
opened yet.
"""

from collections.abc import Sequence
from typing import Final, TypeVar

from engine import Ruleset, RulesetError, Value, variations_of, without_effect
from engine.rules import MOST_PLAYERS, PRESETS
from p2p.protocol.table_rules import ABSENCES, USUAL, WATCHERS, TableRules, TableRulesError, effective
from ui.rulesets import FIRST_FORM, on_the_network, uncarried
from ui.words.options import (
    not_carried,
    option_explanation,
    option_name,
    option_value,
    ruleset_refused,
    usual_value,
)
from ui.words.table import form_name
from ui.words.table_rules import (
    table_rule_explanation,
    table_rule_name,
    table_rule_refused,
    table_rule_value,
)
from ui.words.variations import no_variation, own_variation, variation_name

T = TypeVar("T")

FORMS: Final = tuple(PRESETS)
_SIZES: Final = (1, 2, 3, 4, 5, 6, 8)

OPTION_VALUES: Final[dict[str, tuple[Value, ...]]] = {
    "lead_max": (1, 2, 3, 4, 5, 6, 8, "copies", "none"),
    "follow_max": (1, 2, 3, 4, 5, 6, 8, "live_copies", "copies", "none"),
    "sets": ("none", "optional", "forced"),
    "claim_number": ("unstated", "honest", "free"),
    "veryu": ("none", "packet", "pile"),
    "end": ("first_out", "sole_loser"),
    "callers": ("next", "any"),
    "check": ("all", "one_random", "one_by_caller"),
    "rank_rule": ("fixed", "ascending"),
    "no_aces": ("no", "yes"),
    "deal": ("all", "hand"),
    "pack": ("auto", 24, 32, 36, 52),
    "packs": ("auto", 1, 2),
    "burn": (0, 1),
    "lead_min": _SIZES,
    "number_test": ("bluff", "ignored"),
    "open_turn": ("after_picker", "normal_rotation"),
    "lead_exempt": ("none", "first_of_deal", "any_round_lead"),
    "after_bluff": ("challenger", "next_after_owner"),
    "rank_after_wrong_ne": ("fresh", "same"),
    "ascending_after_pickup": ("continue", "choose"),
    "retired_ranks": ("claimable", "barred"),
    "set_size": ("four", "copies"),
    "sets_at_deal": ("no", "yes"),
    "hand_size": (3, 4, 5, 6, 7, 8, 10, 12),
    "refill": ("new_round", "every_turn"),
    "first_lead": ("dealer_left", "dealer"),
    "next_dealer": ("left", "loser"),
    "out_call": ("automatic", "manual"),
    "must_call_pending": ("no", "yes"),
    "illegal_zero": ("reject", "penalty"),
    "stall_guard": ("none", "no_repeat_claim"),
    "session": ("none", "count_losses", "to_n_losses"),
    "session_losses": (1, 2, 3, 4, 5, 7, 10, 15, 20),
    "first_dealer": ("random", "chosen"),
}
"""The options in the order of a form's rows, most changed first, and the values that it offers."""

TABLE_RULE_VALUES: Final[dict[str, tuple[Value, ...]]] = {
    "dealer": tuple(range(MOST_PLAYERS)),
    "clock_s": (0, 10, 15, 20, 30, 45, 60, 90, 120, 180, 300, 600),
    "window_s": (5, 8, 10, 15, 20, 30, 45, 60, 90, 120),
    "grace_s": (10, 20, 30, 60, 90, 120, 180, 300, 600),
    "absence": ABSENCES,
    "watchers": WATCHERS,
}
"""The rules of the table itself and the values that it offers; they stay when the form changes."""


class TableForm:
    """Rules in the making.

    An option that does nothing as the others stand is not offered, and counts as what it then has to be; what
    was chosen for it is kept for when it does something again.

    begin: the rules of the table that it starts with.
    """

    def __init__(self, form: str = FIRST_FORM, begin: TableRules = USUAL) -> None:
        self.form = form
        self._values: dict[str, Value] = {}
        self._table_values: dict[str, Value] = begin.to_mapping()
        self.choose_form(form)

    def choose_form(self, form: str) -> None:
        """Start from a form, with what the network cannot carry already replaced."""
        self.form = form
        self._take(on_the_network(Ruleset.preset(form)))

    @property
    def offered(self) -> tuple[str, ...]:
        """The options and the rules of the table that do something as the others stand, in their order."""
        game = self._game()
        idle = without_effect(game)
        options = (option for option in OPTION_VALUES if option not in idle)
        return (*options, *(rule for rule in TABLE_RULE_VALUES if rule in effective(game)))

    def _game(self) -> dict[str, Value]:
        """The options as they count."""
        return {**self._values, **without_effect(self._values)}

    def next_form(self, by: int, *, around: bool) -> None:
        """Start from the next form, or the one before."""
        self.choose_form(stepped(FORMS, self.form, by, around=around))

    def next_variation(self, by: int, *, around: bool) -> None:
        """Take the next named variation, or the one before; the first is the form as it is."""
        names = tuple(self._variations())
        current = self._variation()
        self.choose_variation(stepped(names, current, by, around=around) if current in names else names[0])

    @property
    def variations(self) -> dict[str, str]:
        """The named variations of the form by name, in words; "" is the form as it is."""
        return {"": no_variation(), **{one.name: variation_name(one) for one in variations_of(self.form)}}

    def choose_variation(self, name: str) -> None:
        """Take a named variation of the form, or the form as it is (“”)."""
        self._take(self._variations()[name])

    def _variations(self) -> dict[str, Ruleset]:
        """The form as it is and its named variations, as the network carries them."""
        usual = on_the_network(Ruleset.preset(self.form))
        named = {one.name: on_the_network(one.ruleset) for one in variations_of(self.form)}
        return {"": usual, **named}

    def _variation(self) -> str | None:
        """The named variation that the values are, "" for the form as it is, None for none of them."""
        same = (name for name, rules in self._variations().items() if self._is(rules))
        return next(same, None)

    def _is(self, rules: Ruleset) -> bool:
        return self._game() == rules.to_mapping()

    @property
    def variation_word(self) -> str:
        """The variation that is chosen, in words."""
        name = self._variation()
        if name is None:
            return own_variation()
        return self.variations[name]

    @property
    def form_word(self) -> str:
        """The form, in words."""
        return form_name(self.form)

    @property
    def ruleset(self) -> Ruleset | None:
        """The rules as chosen; None while they contradict each other."""
        try:
            return Ruleset.from_mapping(self._game())
        except RulesetError:
            return None

    def fault(self, seats: int) -> str:
        """Why nobody can play by these rules at a table of so many seats; "" if they can."""
        try:
            rules = Ruleset.from_mapping(self._game())
            rules.resolve(seats)
        except RulesetError as error:
            return ruleset_refused(error)
        try:
            self.table_rules.check_dealer(rules, seats)
        except TableRulesError as error:
            return table_rule_refused(error)
        refused = uncarried(rules)
        return not_carried(refused) if refused else ""

    @property
    def table_rules(self) -> TableRules:
        """The rules of the table itself, as chosen."""
        offered = set(effective(self._game()))
        chosen = {rule: value for rule, value in self._table_values.items() if rule in offered}
        return TableRules(**chosen)  # type: ignore[arg-type]  # only offered values are chosen

    def value(self, option: str) -> Value:
        """The value chosen for an option."""
        return self._of(option)[option]

    def _of(self, option: str) -> dict[str, Value]:
        return self._table_values if option in TABLE_RULE_VALUES else self._values

    def value_word(self, option: str) -> str:
        """The same in words."""
        return self.word_of(option, self.value(option))

    def usual_word(self, option: str) -> str:
        """The usual value where another is chosen; "" where it is chosen, or there is none."""
        if option in TABLE_RULE_VALUES:
            own = USUAL.to_mapping()[option]
            return "" if own == self.value(option) else table_rule_value(option, own)
        usual = Ruleset.preset(self.form).to_mapping()
        if option in without_effect(usual) or usual[option] == self._values[option]:
            return ""
        return usual_value(option, usual[option])

    def name_of(self, option: str) -> str:
        """What an option is called."""
        return (table_rule_name if option in TABLE_RULE_VALUES else option_name)(option)

    def explanation_of(self, option: str) -> str:
        """What an option is about, in a sentence."""
        return (table_rule_explanation if option in TABLE_RULE_VALUES else option_explanation)(option)

    def values_of(self, option: str) -> tuple[Value, ...]:
        """The values that an option can be given."""
        return (OPTION_VALUES | TABLE_RULE_VALUES)[option]

    def word_of(self, option: str, value: Value) -> str:
        """A value of an option, in words."""
        word = table_rule_value if option in TABLE_RULE_VALUES else option_value
        return word(option, value)

    def choose(self, option: str, value: Value) -> None:
        """Give an option one of its values."""
        self._of(option)[option] = value

    def change(self, option: str, by: int, *, around: bool) -> None:
        """Choose the next value of an option, or the one before."""
        self.choose(option, stepped(self.values_of(option), self.value(option), by, around=around))

    def reset(self, option: str) -> None:
        """Set an option back to what is usual: what the form has, as far as the network carries it."""
        if option in TABLE_RULE_VALUES:
            self._table_values[option] = USUAL.to_mapping()[option]
            return
        self._values[option] = on_the_network(Ruleset.preset(self.form)).to_mapping()[option]

    def _take(self, rules: Ruleset) -> None:
        self._values = rules.to_mapping()


def stepped(values: Sequence[T], value: T, by: int, *, around: bool) -> T:
    """Return the value after (or before) `value`; at the ends it stays, or goes around."""
    place = values.index(value) if value in values else 0
    place += by
    return values[place % len(values)] if around else values[max(0, min(len(values) - 1, place))]
