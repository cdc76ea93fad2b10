"""`verish rules`: the rules of a form and of its variations, in sentences."""

import shutil
import textwrap
from collections.abc import Iterable

import click

from engine import OPTIONS, Ruleset
from engine.rules import PRESETS
from ui.cli.options import Rules
from ui.cli.output import print_table, say
from ui.i18n import gettext as _
from ui.rulesets import FIRST_FORM, named, uncarried
from ui.words.explained import how_it_goes, rule_texts, variation_texts
from ui.words.options import not_carried, possible_values
from ui.words.rules import form_with_differences
from ui.words.table import form_name
from ui.words.table_rules import table_rule_texts, when_time_is_over
from ui.words.variations import form_line

WIDEST = 100
"""Longer lines are hard to read."""


@click.command("rules", help=_("Explain the rules of a form of the game and its variations."))
@click.argument("form", type=Rules(), required=False, metavar=_("[FORM]"))
@click.option(
    "--options",
    "only_options",
    is_flag=True,
    help=_(
        "List every option, what it is in this form, and what else it can be, for --rules FORM,option=value."
    ),
)
def command(form: str | None, only_options: bool) -> int:
    """Explain one form or variation or list its options, or say which forms there are."""
    if only_options:
        _all_options(named(form or FIRST_FORM))
    elif form is None:
        _all_forms()
    else:
        _one_form(form)
    return 0


def _all_forms() -> None:
    """The four forms, a line each."""
    _paragraph(_("Verish is played in four forms."))
    for form in PRESETS:
        say("")
        _heading(form_with_differences(Ruleset.preset(form)))
        _paragraph(form_line(form))
    say("")
    _paragraph(_("All rules of one: verish rules {forms}").format(forms="|".join(PRESETS)))
    _paragraph(_("Every option of one, for --rules: verish rules FORM --options"))


def _all_options(rules: Ruleset) -> None:
    """Every option as the command line spells it: its value by these rules, the values it can have."""
    values = rules.to_mapping()
    rows = [(option, str(values[option]), possible_values(option)) for option in OPTIONS]
    print_table((_("option"), form_name(rules.form), _("can be")), rows, numbers_from=len(rows[0]))


def _one_form(name: str) -> None:
    """Everything about one form, or one of its variations."""
    rules = named(name)
    _heading(form_with_differences(rules))
    _paragraphs(how_it_goes(rules))
    say("")
    _paragraphs(rule_texts(rules), indent="  ")
    refused = uncarried(rules)
    if refused is not None:
        say("")
        _paragraph(not_carried(refused))
    say("")
    _heading(_("Rules of the table"))
    _paragraphs(table_rule_texts(), indent="  ")
    _paragraphs(when_time_is_over())
    if name not in PRESETS:
        return
    say("")
    _heading(_("Variations"))
    for identifier, title, changes in variation_texts(name):
        say(f"{title}  ({identifier})")
        _paragraph(changes, "  ", "  ")


def _heading(text: str) -> None:
    """A title, its first letter big."""
    say(text[:1].upper() + text[1:])


def _paragraphs(texts: Iterable[str], indent: str = "") -> None:
    """One paragraph each; `indent` is that of the lines after the first."""
    for text in texts:
        _paragraph(text, "", indent)


def _paragraph(text: str, first: str = "", rest: str = "") -> None:
    """One paragraph, broken to the terminal's width."""
    width = min(WIDEST, max(40, shutil.get_terminal_size((80, 24)).columns))
    for line in textwrap.wrap(text, width, initial_indent=first, subsequent_indent=rest):
        say(line)
