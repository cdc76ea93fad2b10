"""Any rules that may be played, for tests of what holds by all of them."""

from hypothesis import assume
from hypothesis import strategies as st

from engine import OPTIONS, Ruleset, RulesetError
from engine.rules import PRESETS

COUNTS = (1, 2, 3, 4, 5, 9)


@st.composite
def rulesets(draw):
    """A valid ruleset and a number of players that may play by it."""
    options = {}
    for name in draw(st.lists(st.sampled_from(list(OPTIONS)), max_size=10, unique=True)):
        domain = OPTIONS[name]
        options[name] = draw(st.sampled_from([*domain.values, *(COUNTS if domain.numbers else ())]))
    players = draw(st.integers(2, 12))
    try:
        return Ruleset.with_preset(draw(st.sampled_from(list(PRESETS))), options).resolve(players), players
    except RulesetError:
        return assume(False)
