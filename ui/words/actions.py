"""What keys do: the short word beside a cap, and the sentence of the help. The keys are `ui.keys`."""

from ui.i18n import gettext as _
from ui.i18n import pgettext


def action_word(name: str) -> str:
    """The word beside an action's cap; `name` is `ui.keys.Action.words`, itself if it has no word."""
    return {
        "rank": pgettext("key", "pick by rank"),
        "enter": pgettext("key", "do it"),
        "call": pgettext("key", "I don't believe"),
        "believe": pgettext("key", "I believe"),
        "keep": pgettext("key", "keep all"),
        "remove": pgettext("key", "remove"),
        "announce": pgettext("key", "no cards left"),
        "silent": pgettext("key", "say nothing"),
        "nothing": pgettext("key", "lay no card"),
        "first_card": pgettext("key", "open the first card"),
        "pick_card": pgettext("key", "pick the card"),
        "end_wait": pgettext("key", "end the wait"),
        "name_rank": pgettext("key", "name another rank"),
        "name_a_rank": pgettext("key", "name a rank"),
        "rank_step": pgettext("key", "next rank"),
        "number": pgettext("key", "another number"),
        "cursor": pgettext("key", "move"),
        "toggle": pgettext("key", "pick or put back"),
        "put_back": pgettext("key", "put back"),
        "trust": pgettext("key", "trust"),
        "log": pgettext("key", "log"),
        "talk": pgettext("key", "talk"),
        "mute": pgettext("key", "mute"),
        "cover": pgettext("key", "cover my cards"),
        "help": pgettext("key", "help"),
        "menu": pgettext("key", "menu"),
        "quit": pgettext("key", "quit"),
        "palette": pgettext("key", "commands"),
        "open": pgettext("key", "open a table"),
        "address": pgettext("key", "by address"),
        "bots": pgettext("key", "play with bots"),
        "watch": pgettext("key", "watch"),
        "copy": pgettext("key", "copy my address"),
        "settings": pgettext("key", "settings"),
        "statistics": pgettext("key", "statistics"),
        "replay": pgettext("key", "replay"),
        "reset": pgettext("key", "back to the usual"),
        "books": pgettext("key", "open my books"),
        "reopen": pgettext("key", "open it again"),
        "result": pgettext("key", "last result"),
        "elsewhere": pgettext("key", "go to the other one"),
        "fingerprints": pgettext("key", "compare fingerprints aloud"),
        "save": pgettext("key", "save the transcript"),
        "calls_only": pgettext("key", "calls only"),
        "theme": pgettext("key", "colours"),
        "back_to_table": pgettext("key", "back to the table"),
    }.get(name, name)


def action_help(name: str) -> str:
    """What an action does, as the help says it; falls back to `action_word`."""
    return {
        "rank": _("pick a card of this rank"),
        "enter": _("do what the line says"),
        "cursor": _("move over the cards"),
        "reopen": _("open it again for another company"),
        "result": _("look at the last result"),
        "elsewhere": _("go to the table that others see"),
        "put_back": _("put the last back"),
        "name_rank": _("name the rank, or pick again"),
        "rank_step": _("name the next rank"),
        "call": _("say “I don't believe”"),
        "believe": _("say “I believe”"),
        "keep": _("say nothing; keep all fours"),
        "announce": _("say that your cards are gone"),
        "nothing": _("lay none, take the pile"),
        "first_card": _("on a call: the first card"),
        "trust": _("could anyone have peeked?"),
        "log": _("the whole log"),
        "menu": _("take it back; the menu"),
        "help": _("this help"),
        "copy": _("copy the own address"),
        "quit": _("quit, asked first"),
        "theme": _("choose other colours"),
    }.get(name) or action_word(name)
