"""The one table of actions: what each does, its keys in both layouts, its cap and its words.

Bindings, the lines under the hand, the foot and the help all read this table, so they can not disagree.
Letters that name ranks in either layout are never commands at the table. Terminals that report Shift or
Caps Lock send the capital, so every letter is bound in both cases; Ctrl under a Russian layout arrives with
the Cyrillic letter.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum

from textual.binding import Binding

from engine import Rank


class Place(StrEnum):
    """The screen on which an action's keys work."""

    TABLE = "table"
    LOBBY = "lobby"
    FORM = "form"
    FIELD = "field"
    READY = "ready"
    OVER = "over"
    RESUME = "resume"
    TRUST = "trust"
    LOG = "log"
    REPLAY = "replay"
    STATISTICS = "statistics"
    RECORDS = "records"
    BOTS = "bots"
    SETTINGS = "settings"
    EVERYWHERE = "everywhere"


@dataclass(frozen=True, slots=True)
class Action:
    """One thing that a key does.

    name: the identifier that bindings and clicks carry. latin, cyrillic: textual's names of the keys, lower
    case. cap: what stands on the key's cap in English. cyrillic_cap: the letter beside it on a Russian
    screen. words: key of the sentence in `ui.words`, for caps, help and tooltips.
    """

    name: str
    latin: tuple[str, ...]
    cyrillic: tuple[str, ...]
    cap: str
    words: str
    places: frozenset[Place]
    cyrillic_cap: str = ""

    @property
    def keys(self) -> tuple[str, ...]:
        """Every key of the action: both layouts, and capitals of single letters."""
        found: list[str] = []
        for key in (*self.latin, *self.cyrillic):
            found.append(key)
            if len(key) == 1 and key.isalpha():
                found.append(key.upper())
        return tuple(dict.fromkeys(found))


def _letter(name: str, latin: str, cyrillic: str, words: str, *places: Place) -> Action:
    return Action(name, (latin,), (cyrillic,), latin, words, frozenset(places), cyrillic)


def _named(name: str, keys: tuple[str, ...], cap: str, words: str, *places: Place) -> Action:
    return Action(name, keys, (), cap, words, frozenset(places))


RANK_KEYS: dict[Rank, tuple[tuple[str, ...], tuple[str, ...]]] = {
    **{rank: ((str(int(rank)),), ()) for rank in Rank if rank <= Rank.NINE},
    Rank.TEN: (("0",), ()),
    Rank.JACK: (("j",), ("о", "в")),
    Rank.QUEEN: (("q",), ("й", "д")),
    Rank.KING: (("k",), ("л", "к")),
    Rank.ACE: (("a",), ("ф", "т")),
}
"""Each rank's Latin keys and Cyrillic ones: the twin on the same key, and the letter printed on Russian
cards."""


def rank_action(rank: Rank) -> str:
    """Return the name of the action that takes a card of a rank, or names it."""
    return f"rank_{int(rank)}"


_RANKS = tuple(
    Action(
        rank_action(rank),
        latin,
        cyrillic,
        "10" if rank is Rank.TEN else latin[0].upper(),
        "rank",
        frozenset({Place.TABLE}),
    )
    for rank, (latin, cyrillic) in RANK_KEYS.items()
)

_TABLE, _EVERYWHERE = Place.TABLE, Place.EVERYWHERE

_RINGS = tuple(place for place in Place if place not in {_EVERYWHERE, Place.REPLAY, Place.LOG})
"""All screens but those that `verish replay` shows too: there nothing rings."""

ACTIONS: tuple[Action, ...] = (
    *_RANKS,
    Action(
        "enter",
        ("enter",),
        (),
        "Enter",
        "enter",
        frozenset({*Place} - {Place.EVERYWHERE}),
    ),
    _letter("call", "x", "ч", "call", _TABLE),
    _letter("believe", "v", "м", "believe", _TABLE),
    _letter("keep", "s", "ы", "keep", _TABLE),
    _letter("announce", "o", "щ", "announce", _TABLE),
    _letter("end_wait", "e", "у", "end_wait", _TABLE),
    _named("name_rank", ("tab",), "Tab", "name_rank", _TABLE),
    _named("rank_up", ("up",), "↑", "rank_step", _TABLE),
    _named("rank_down", ("down",), "↓", "rank_step", _TABLE),
    _named("fewer", ("minus",), "-", "nothing", _TABLE),
    _named("first_card", ("1",), "1", "first_card", _TABLE),
    _named("more", ("plus", "equals_sign"), "+", "number", _TABLE),
    _named("left", ("left",), "←", "cursor", _TABLE),
    _named("right", ("right",), "→", "cursor", _TABLE),
    _named("toggle", ("space",), "Space", "toggle", _TABLE),
    _named("put_back", ("backspace",), "Bksp", "put_back", _TABLE),
    _letter("trust", "t", "е", "trust", _TABLE, Place.OVER),
    _letter("log", "h", "р", "log", _TABLE, Place.OVER, Place.REPLAY),
    _letter("talk", "m", "ь", "talk", _TABLE, Place.READY, Place.OVER),
    _letter("mute", "u", "г", "mute", _TABLE, Place.READY, Place.OVER),
    _letter("cover", "c", "с", "cover", _TABLE),
    _named("sound", ("f2",), "F2", "sound", *_RINGS),
    _named("help", ("f1", "question_mark", "comma"), "F1", "help", _EVERYWHERE),
    _named("back", ("escape",), "Esc", "menu", _EVERYWHERE),
    Action("quit", ("ctrl+q",), ("ctrl+й",), "Ctrl+Q", "quit", frozenset({_EVERYWHERE}), "Ctrl+Й"),
    Action("palette", ("ctrl+p",), ("ctrl+з",), "Ctrl+P", "palette", frozenset({_EVERYWHERE}), "Ctrl+З"),
    _letter("open", "o", "щ", "open", Place.LOBBY),
    _letter("address", "i", "ш", "address", Place.LOBBY),
    _letter("bots", "b", "и", "bots", Place.LOBBY),
    _letter("first_deal", "f", "а", "first_deal", Place.LOBBY),
    _letter("watch", "w", "ц", "watch", Place.LOBBY),
    _letter("copy", "y", "н", "copy", Place.LOBBY),
    _letter("settings", "s", "ы", "settings", Place.LOBBY),
    _letter("statistics", "z", "я", "statistics", Place.LOBBY),
    _letter("replay", "p", "з", "replay", Place.LOBBY, Place.OVER),
    _letter("reset", "r", "к", "reset", Place.FORM, Place.BOTS, Place.SETTINGS),
    _letter("books", "b", "и", "books", Place.OVER),
    _letter("reopen", "r", "к", "reopen", Place.OVER),
    _letter("next_deal", "n", "т", "next_deal", Place.OVER),
    _letter("go_on_without", "w", "ц", "end_wait", Place.OVER),
    _letter("result", "r", "к", "result", Place.READY),
    _letter("elsewhere", "g", "п", "elsewhere", Place.READY, Place.OVER),
    _letter("fingerprints", "f", "а", "fingerprints", Place.TRUST),
    _letter("save", "e", "у", "save", Place.TRUST, Place.OVER),
    _letter("calls_only", "c", "с", "calls_only", Place.LOG),
    _named("left", ("left",), "←", "step", Place.REPLAY),
    _named("right", ("right",), "→", "step", Place.REPLAY),
    _named("up", ("up",), "↑", "next_call", Place.REPLAY),
    _named("down", ("down",), "↓", "next_call", Place.REPLAY),
    _named("home", ("home",), "Home", "first_step", Place.REPLAY),
    _named("end", ("end",), "End", "last_step", Place.REPLAY),
    _named("run", ("space",), "Space", "run", Place.REPLAY),
    _named("slower", ("minus",), "-", "speed", Place.REPLAY),
    _named("faster", ("plus", "equals_sign"), "+", "speed", Place.REPLAY),
    _letter("go_to", "g", "п", "go_to", Place.REPLAY),
)

OF_THE_APP = frozenset({"quit", "palette", "sound"})
"""Actions that the program itself carries out, whichever screen is open."""

_LATER = frozenset({"more"})
"""Actions whose keys are laid out but whose screens are not in this version; they are neither bound nor
shown, except at the table where the key answers why it does nothing."""


def actions_at(place: Place) -> tuple[Action, ...]:
    """Return the actions of a screen, those that work everywhere included."""
    return tuple(action for action in ACTIONS if action.places & {place, Place.EVERYWHERE})


def action_named(name: str, place: Place) -> Action:
    """Return an action of a screen by its name. Raises KeyError."""
    for action in actions_at(place):
        if action.name == name:
            return action
    raise KeyError(name)


def is_later(action: Action) -> bool:
    """Whether the action belongs to a part of the game that this version does not have."""
    return action.name in _LATER


def cap_of(action: Action, language: str) -> str:
    """Return what the cap shows: both letters on a Russian screen, the Latin one on an English screen."""
    if language == "ru" and action.cyrillic_cap and len(action.cyrillic_cap) == 1:
        return f"{action.cap} {action.cyrillic_cap}"
    return action.cap


def bindings(actions: Iterable[Action], handler: str = "press") -> list[Binding]:
    """Return Textual bindings for actions; each calls `action_<handler>(name)` of the widget that has
    them."""
    return [
        Binding(
            ",".join(action.keys),
            f"{handler}('{action.name}')",
            action.words,
            show=False,
            id=action.name,
        )
        for action in actions
    ]
