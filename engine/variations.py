"""The variations that every table can choose from a list: a form, and the options that change it."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from engine.rules import PRESETS, Ruleset, Value


@dataclass(frozen=True, slots=True)
class Variation:
    """A named change of a form. `options`: what differs from the preset of `form`."""

    name: str
    form: str
    options: Mapping[str, Value]

    @property
    def ruleset(self) -> Ruleset:
        """The rules of the variation."""
        return Ruleset.with_preset(self.form, self.options)


_OF_CLUB: Final[Mapping[str, Mapping[str, Value]]] = {
    "sole-loser": {"end": "sole_loser"},
    "draw-pile-each-round": {"deal": "hand"},
    "draw-pile-each-turn": {"deal": "hand", "refill": "every_turn"},
    "no-aces": {"no_aces": "yes"},
    "ascending": {"rank_rule": "ascending"},
    "open-calls": {"callers": "any"},
    "two-packs": {"packs": 2},
}
_OF_PILES: Final[Mapping[str, Mapping[str, Value]]] = {
    "one-random-card": {"check": "one_random"},
    "no-veryu": {"veryu": "none"},
    "capped-lead": {"lead_max": "copies"},
}
"""For the forms in which a right veryu discards the whole pile."""

_OF_ALL: Final[Mapping[str, Mapping[str, Value]]] = {
    "forced-sets": {"sets": "forced"},
    "sets-at-deal": {"sets": "optional", "sets_at_deal": "yes"},
}

_OWN: Final = {"club": _OF_CLUB, "pagat": {}, "encyclopedia": _OF_PILES, "dictionary": _OF_PILES}

VARIATIONS: Final[Mapping[str, Variation]] = {
    f"{form}-{name}": Variation(f"{form}-{name}", form, options)
    for form in PRESETS
    for name, options in {**_OWN[form], **_OF_ALL}.items()
}
"""All named variations, `form-name`, in the order of the forms."""


def variations_of(form: str) -> tuple[Variation, ...]:
    """The named variations of a form, in the order in which a list shows them."""
    return tuple(variation for variation in VARIATIONS.values() if variation.form == form)
