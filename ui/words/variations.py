"""The forms and their named variations, each in a line."""

from engine import Variation
from ui.i18n import gettext as _
from ui.i18n import pgettext
from ui.words.table import form_name


def form_line(form: str) -> str:
    """What a form is like, in one or two sentences."""
    return {
        "club": _("The first one out wins. Who believes rightly sends the packet out of play."),
        "pagat": _("One card burned unseen, 1 to 3 cards a turn, the number is true."),
        "encyclopedia": _("Only the rank is said. Who believes rightly sends the whole pile out of play."),
        "dictionary": _("Like the encyclopedia, without limits, and the first lead may be called."),
    }[form]


def variation_name(variation: Variation) -> str:
    """The short name of a variation, beside its form's."""
    return {
        "sole-loser": pgettext("variation", "a sole loser"),
        "draw-pile-each-round": pgettext("variation", "draw pile, each round"),
        "draw-pile-each-turn": pgettext("variation", "draw pile, each turn"),
        "no-aces": pgettext("variation", "without aces"),
        "ascending": pgettext("variation", "ascending"),
        "open-calls": pgettext("variation", "open calls"),
        "two-packs": pgettext("variation", "two packs"),
        "one-random-card": pgettext("variation", "one card by lot"),
        "no-veryu": pgettext("variation", "without “I believe”"),
        "capped-lead": pgettext("variation", "capped lead"),
        "forced-sets": pgettext("variation", "forced fours"),
        "sets-at-deal": pgettext("variation", "fours at the deal"),
    }[variation.name.removeprefix(f"{variation.form}-")]


def variation_title(variation: Variation) -> str:
    """Form and variation: "club, ascending"."""
    return _("{form}, {variation}").format(
        form=form_name(variation.form), variation=variation_name(variation)
    )


def no_variation() -> str:
    """The form as it is."""
    return pgettext("variation", "as usual")


def own_variation() -> str:
    """Options that no named variation has."""
    return pgettext("variation", "your own")
