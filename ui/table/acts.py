"""Which caps stand in the acts line and the foot, from the one table of actions."""

from engine import Rank
from ui import keys
from ui.keys import Place
from ui.table.choice import Choice, claimed_rank
from ui.table.frame import Cap
from ui.table.intent import Intent
from ui.table.situation import ACTING, Situation, Stage
from ui.words import rank_label
from ui.words.actions import action_word

_WORKS_AT = {
    "call": frozenset({Stage.FOLLOWING}),
    "believe": frozenset({Stage.FOLLOWING}),
    "keep": frozenset({Stage.FOURS}),
    **dict.fromkeys(("name_rank", "rank_up", "rank_down"), frozenset({Stage.LEADING})),
    "enter": ACTING,
    **dict.fromkeys(
        ("left", "right", "toggle", "put_back", *(keys.rank_action(rank) for rank in Rank)),
        ACTING | {Stage.WAITING},
    ),
}
"""Acts that belong to some stages only; all others work at every time."""


def works_now(name: str, stage: Stage) -> bool:
    """Whether the key of an action does something at a stage of the game."""
    return name not in _WORKS_AT or stage in _WORKS_AT[name]


def cap(name: str, language: str, *, fill: str = "panel", live: bool = True, words: str | None = None) -> Cap:
    """Return the cap of an action at the table."""
    action = keys.action_named(name, Place.TABLE)
    shown = action_word(action.words) if words is None else words
    return Cap(keys.cap_of(action, language), shown, name, fill, live)


def rank_range(situation: Situation) -> str:
    """Return the cap of all rank keys: the lowest and the highest rank of the pack."""
    ranks = _ranks(situation)
    return f"{rank_label(ranks[0])}…{rank_label(ranks[-1])}"


def _ranks(situation: Situation) -> tuple[Rank, ...]:
    state = situation.state
    return tuple(Rank) if state is None else state.ruleset.ranks


def acts(situation: Situation, choice: Choice, intent: Intent, language: str) -> tuple[Cap, ...]:
    """Return the acts in order of worth: calls, picking, naming, putting back."""
    stage = situation.stage
    if stage is Stage.FOURS:
        words = action_word("remove")
        sets = tuple(
            _rank_cap(rank, chosen=rank in choice.fours, words=words) for rank in situation.complete_sets
        )
        return (*sets, cap("keep", language))
    if stage not in ACTING | {Stage.WAITING} or not situation.hand:
        return ()
    found: list[Cap] = []
    if stage is Stage.FOLLOWING and not choice.sent:
        found.append(cap("call", language, fill="error", live=situation.choices.may_doubt))
        state = situation.state
        if state is not None and state.ruleset.veryu != "none":
            found.append(cap("believe", language, fill="success", live=situation.choices.may_believe))
    pick = cap(keys.rank_action(Rank.TWO), language)
    found.append(Cap(rank_range(situation), pick.words, "toggle"))
    if stage is Stage.LEADING and choice.chosen:
        naming_words = action_word("name_a_rank" if intent.names else "name_rank")
        found.append(cap("name_rank", language, words=naming_words))
        found.append(Cap("↑↓", action_word("rank_step"), "rank_up"))
    found.append(cap("put_back", language, live=bool(choice.chosen) or choice.armed is not None))
    return tuple(found)


def naming(situation: Situation, choice: Choice) -> tuple[Cap, ...]:
    """Return the ranks to name, the named one marked."""
    named = claimed_rank(choice, situation)
    return tuple(
        _rank_cap(rank, chosen=rank == named, live=rank in situation.choices.ranks)
        for rank in _ranks(situation)
    )


def _rank_cap(rank: Rank, *, chosen: bool, live: bool = True, words: str = "") -> Cap:
    return Cap(rank_label(rank), words, keys.rank_action(rank), "accent" if chosen else "panel", live, chosen)


def foot(language: str, *, own_cards: bool) -> tuple[Cap, ...]:
    """Return the foot of the table: what is worth least stands last."""
    names = ["help", "log", "trust", "back"]
    if own_cards:
        names.append("cover")
    return tuple(cap(name, language) for name in names)
