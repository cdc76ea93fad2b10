"""Which caps stand in the acts line and the foot, from the one table of actions."""

from collections.abc import Callable

from engine import Rank, Ruleset
from ui import keys
from ui.keys import Place
from ui.table.choice import Choice, claimed_rank, may_lay_nothing, may_say_out, picks_card
from ui.table.frame import Cap
from ui.table.intent import Intent
from ui.table.situation import ACTING, CALLING, LAYING, Situation, Stage
from ui.words import rank_label
from ui.words.actions import action_word

_WORKS_AT = {
    "call": CALLING,
    "believe": CALLING,
    "first_card": CALLING,
    "keep": frozenset({Stage.FOURS, Stage.ANSWERING}),
    "announce": LAYING | {Stage.LEAVING},
    "fewer": LAYING,
    **dict.fromkeys(("name_rank", "rank_up", "rank_down"), frozenset({Stage.LEADING})),
    "enter": ACTING,
    **dict.fromkeys(
        ("left", "right", "toggle", "put_back", *(keys.rank_action(rank) for rank in Rank)),
        ACTING | {Stage.WAITING},
    ),
}
"""Acts that belong to some stages only; all others work at every time."""


_NEEDS: dict[str, Callable[[Ruleset], bool]] = {
    "believe": lambda rules: rules.veryu != "none",
    "first_card": lambda rules: rules.check == "one_by_caller",
    "announce": lambda rules: rules.manual_out,
    "fewer": lambda rules: rules.illegal_zero == "penalty",
}
"""Acts that only some tables have."""

_NEEDS_SEAT = frozenset({"end_wait", "cover"})
"""Acts that are none of somebody who does not play."""

_NEEDS_TABLE = frozenset({"talk", "mute"})
"""Acts of those who sit at the table, also if they do not play this deal; none of somebody who watches it."""


def works_now(name: str, situation: Situation) -> bool:
    """Whether the key of an action does something at this table and at this stage of the game."""
    if name in _NEEDS and not _NEEDS[name](situation.table.ruleset):
        return False
    if name in _NEEDS_SEAT and situation.seat is None:
        return False
    if name in _NEEDS_TABLE and situation.table.watching:
        return False
    return name not in _WORKS_AT or situation.stage in _WORKS_AT[name]


def cap(name: str, language: str, *, fill: str = "panel", live: bool = True, words: str | None = None) -> Cap:
    """Return the cap of an action at the table."""
    action = keys.action_named(name, Place.TABLE)
    shown = action_word(action.words) if words is None else words
    return Cap(keys.cap_of(action, language), shown, name, fill, live)


def rank_range(situation: Situation) -> str:
    """Return the cap of all rank keys: the lowest and the highest rank of the pack."""
    ranks = _ranks(situation)
    return f"{rank_label(ranks[0])}–{rank_label(ranks[-1])}"


def _ranks(situation: Situation) -> tuple[Rank, ...]:
    state = situation.state
    return tuple(Rank) if state is None else state.ruleset.ranks


def acts(situation: Situation, choice: Choice, intent: Intent, language: str, now: float) -> tuple[Cap, ...]:
    """Return the acts in order of worth: ending a wait, calls, picking, naming, putting back."""
    return (*_waiting(situation, language, now), *_acts(situation, choice, intent, language))


def _waiting(situation: Situation, language: str, now: float) -> tuple[Cap, ...]:
    """The cap that ends the wait for somebody who is away, or overdue; dim until that can be done."""
    may = situation.may_end_wait(now)
    table = situation.table
    waits = table.wait_until is not None and situation.someone_is_away()
    over = situation.stage is Stage.ENDED and not situation.deserted
    if over or not (may or (waits and not situation.deserted)):
        return ()
    words = action_word("put_aside" if table.two_alone else "end_wait")
    return (cap("end_wait", language, live=may, words=words),)


def _acts(situation: Situation, choice: Choice, intent: Intent, language: str) -> tuple[Cap, ...]:
    stage = situation.stage
    if stage is Stage.FOURS:
        words = action_word("remove")
        sets = tuple(
            _rank_cap(rank, chosen=rank in choice.fours, words=words) for rank in situation.complete_sets
        )
        return (*sets, cap("keep", language))
    if stage not in ACTING | {Stage.WAITING}:
        return ()
    found = [] if choice.sent else _calls(situation, choice, language)
    if stage in {Stage.ANSWERING, Stage.LEAVING} or not situation.hand:
        return tuple(found)
    pick = cap(keys.rank_action(Rank.TWO), language)
    found.append(Cap(rank_range(situation), pick.words, "toggle"))
    if stage is Stage.LEADING and choice.chosen:
        naming_words = action_word("name_a_rank" if intent.names else "name_rank")
        found.append(cap("name_rank", language, words=naming_words))
        found.append(Cap("↑↓", action_word("rank_step"), "rank_up"))
    if may_lay_nothing(situation) and not choice.chosen:
        found.append(cap("fewer", language))
    elif may_say_out(choice, situation):
        found.append(cap("announce", language))
    found.append(cap("put_back", language, live=bool(choice.chosen) or choice.armed is not None))
    return tuple(found)


def _calls(situation: Situation, choice: Choice, language: str) -> list[Cap]:
    """The caps of calls, and of what else can be said."""
    found: list[Cap] = []
    state, stage = situation.state, situation.stage
    if stage in CALLING:
        found.append(cap("call", language, fill="error", live=situation.choices.may_doubt))
        if picks_card(choice, situation):
            found.append(Cap("1 2 3 ←→", action_word("pick_card"), "right"))
        if state is not None and state.ruleset.veryu != "none":
            found.append(cap("believe", language, fill="success", live=situation.choices.may_believe))
    if stage is Stage.ANSWERING:
        words = action_word("silent")
        found.append(cap("keep", language, words=words, live=situation.choices.may_pass))
    if stage is Stage.LEAVING:
        found.append(cap("announce", language))
    return found


def naming(situation: Situation, choice: Choice) -> tuple[Cap, ...]:
    """Return the ranks to name, the named one marked."""
    named = claimed_rank(choice, situation)
    return tuple(
        _rank_cap(rank, chosen=rank == named, live=rank in situation.choices.ranks)
        for rank in _ranks(situation)
    )


def _rank_cap(rank: Rank, *, chosen: bool, live: bool = True, words: str = "") -> Cap:
    return Cap(rank_label(rank), words, keys.rank_action(rank), "accent" if chosen else "panel", live, chosen)


def foot(situation: Situation, language: str, *, own_cards: bool, muted: bool) -> tuple[Cap, ...]:
    """Return the foot of the table: what is worth least stands last. muted: nobody's words are shown."""
    names = ["help", "log", "trust", "talk", "back", *(["cover"] if own_cards else []), "mute"]
    words = {"mute": action_word("unmute")} if muted else {}
    return tuple(cap(name, language, words=words.get(name)) for name in names if works_now(name, situation))
