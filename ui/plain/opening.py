"""Opening a table: its name, seats, form, every option, and a code, by numbered choices."""

import os

from engine.rules import MOST_PLAYERS
from p2p.protocol.table_code import CodeError, TableCode, new_code, own_code
from p2p.protocol.text import TextError, own_title
from ui.plain.dialogue import Dialogue
from ui.plain.means import Means
from ui.plain.question import Option, Question
from ui.table_form import FORMS, TableForm
from ui.words import asks
from ui.words.rules import form_with_differences
from ui.words.table import form_name
from ui.words.trouble import code_problem, title_problem
from ui.words.variations import form_line


async def open_table(means: Means) -> None:
    """Ask for all that a table needs, read it back and open it. Raises as `Dialogue.ask`."""
    dialogue = means.dialogue
    title = await _title(dialogue, means.node.lobby.own_name)
    seats = await _seats(dialogue)
    form = TableForm(await _form(dialogue), means.settings.table_rules)
    while True:
        match await dialogue.pick(lambda: _so_far(form, seats)):
            case "open" if not form.fault(seats):
                break
            case "variation":
                await _variation(dialogue, form)
            case "option":
                await _option(dialogue, form)
    code = await _code(dialogue)
    rules = form.ruleset
    assert rules is not None, "rules without a fault are rules"
    text = asks.open_table(title, seats, form_with_differences(rules, seats, form.table_rules))
    if await dialogue.confirm(text if code is None else f"{text} {asks.code(code.text)}"):
        means.evening.open_table(title, rules, seats, form.table_rules, code)


async def _title(dialogue: Dialogue, usual: str) -> str:
    while True:
        typed = await dialogue.type_in(asks.which_title(usual))
        try:
            return own_title(typed.strip() or usual)
        except TextError as error:
            dialogue.say(title_problem(error))


async def _seats(dialogue: Dialogue, usual: int = 4) -> int:
    return await dialogue.number(asks.how_many(2, MOST_PLAYERS, usual), 2, MOST_PLAYERS, usual)


async def _form(dialogue: Dialogue) -> str:
    options = tuple(Option(form, f"{form_name(form)}. {form_line(form)}") for form in FORMS)
    return await dialogue.pick(lambda: Question((asks.which_form(),), options, long=True))


def _so_far(form: TableForm, seats: int) -> Question:
    """The rules as chosen, why they cannot be played if so, and what can be changed."""
    rules = form.ruleset
    named = form.form_word if rules is None else form_with_differences(rules, seats, form.table_rules)
    options = (
        Option("open", asks.go_on()),
        Option("variation", asks.variation(form.variation_word)),
        Option("option", asks.change_option()),
    )
    return Question((f"{named}. {form.fault(seats)}".strip(),), options)


async def _variation(dialogue: Dialogue, form: TableForm) -> None:
    names = form.variations
    options = tuple(Option(name or "usual", words) for name, words in names.items())
    name = await dialogue.pick(lambda: Question((), options, long=True))
    form.choose_variation("" if name == "usual" else name)


async def _option(dialogue: Dialogue, form: TableForm) -> None:
    """Choose an option, then its value."""

    def listed() -> Question:
        words = (
            asks.option(form.name_of(one), form.value_word(one), form.usual_word(one)) for one in form.offered
        )
        options = (Option(one, text) for one, text in zip(form.offered, words, strict=True))
        return Question((asks.which_option(),), (*options, Option("back", asks.back())), long=True)

    option = await dialogue.pick(listed)
    if option == "back":
        return
    values = form.values_of(option)
    options = tuple(Option(str(number), form.word_of(option, value)) for number, value in enumerate(values))
    chosen = await dialogue.pick(lambda: Question((form.explanation_of(option),), options, long=True))
    form.choose(option, values[int(chosen)])


async def _code(dialogue: Dialogue) -> TableCode | None:
    options = (
        Option("none", asks.no_code()),
        Option("make", asks.make_code()),
        Option("type", asks.type_code()),
    )
    match await dialogue.pick(lambda: Question((asks.with_code(),), options)):
        case "none":
            return None
        case "make":
            return new_code(os.urandom)
    while True:
        try:
            return own_code(await dialogue.type_in(asks.your_code()))
        except CodeError as error:
            dialogue.say(code_problem(error))
