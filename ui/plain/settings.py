"""The settings by numbered choices: what is changed holds at once, and is kept as from the screen."""

from p2p.protocol.text import TextError, own_name
from ui import settings_form
from ui.plain.means import Means
from ui.plain.question import Option, Question
from ui.settings_form import SETTING_VALUES
from ui.words import asks
from ui.words import settings as words
from ui.words.trouble import text_problem


async def change_settings(means: Means) -> None:
    """Choose settings and their values until it is enough. Raises as `Dialogue.ask`."""
    dialogue, own = means.dialogue, means.own
    if own.path is not None:
        dialogue.say(f"{words.title()}. {words.kept_in(str(own.path))}")
    while True:
        setting = await dialogue.pick(lambda: _all(means))
        if setting == "back":
            return
        by = own.overridden_by(setting)
        if by:
            dialogue.say(words.locked(by))
        elif setting == "name":
            await _name(means)
        else:
            await _value(means, setting)


def _all(means: Means) -> Question:
    """The settings with their values, and what settles some of them."""
    options = []
    for setting in settings_form.offered(screen=False):
        by = means.own.overridden_by(setting)
        value = f"{words.setting_name(setting)}: {_shown(means, setting)}"
        options.append(Option(setting, f"{value} ({words.settled_by(by)})" if by else value))
    return Question((asks.which_setting(),), (*options, Option("back", asks.back())), long=True)


def _shown(means: Means, setting: str) -> str:
    if setting == "name":
        return means.own.now.name or means.node.lobby.own_name
    return words.setting_value(setting, settings_form.value_of(means.own, setting))


async def _name(means: Means) -> None:
    dialogue, before = means.dialogue, _shown(means, "name")
    while True:
        typed = (await dialogue.type_in(asks.which_name(before), words.setting_explanation("name"))).strip()
        if not typed:
            return
        try:
            name = own_name(typed)
        except TextError as error:
            dialogue.say(text_problem(error))
        else:
            await _set(means, "name", name)
            return


async def _value(means: Means, setting: str) -> None:
    values = SETTING_VALUES[setting]
    options = [Option(str(number), words.setting_value(setting, one)) for number, one in enumerate(values)]
    explanation = words.setting_explanation(setting, by_keys=False)
    chosen = await means.dialogue.pick(lambda: Question((explanation,), tuple(options), long=True))
    await _set(means, setting, values[int(chosen)])


async def _set(means: Means, setting: str, value: object) -> None:
    refused = settings_form.refused(setting, value)
    if refused:
        means.dialogue.say(refused)
        return
    means.own.change(setting, value)
    settings_form.take_hold(means.own, setting)
    means.dialogue.say(
        f"{words.setting_name(setting)}: {_shown(means, setting)}.", await settings_form.keep(means.own)
    )
