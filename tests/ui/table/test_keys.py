"""The one table of actions: twins, capitals, and no command on a letter that names a rank."""

from itertools import combinations

import pytest

from engine import Rank
from ui import keys
from ui.keys import ACTIONS, RANK_KEYS, Place

LATIN = "qwertyuiop[]asdfghjkl;'zxcvbnm,./"
CYRILLIC = "йцукенгшщзхъфывапролджэячсмитьбю."


def test_every_single_letter_has_the_twin_on_the_same_key() -> None:
    twins = dict(zip(LATIN, CYRILLIC, strict=True))
    for action in ACTIONS:
        for latin in action.latin:
            if len(latin) == 1 and latin.isalpha():
                assert twins[latin] in action.cyrillic, action.name
            if latin.startswith("ctrl+"):
                assert f"ctrl+{twins[latin[-1]]}" in action.cyrillic


def test_letters_are_bound_with_shift_and_caps_lock_too() -> None:
    for action in ACTIONS:
        for key in (*action.latin, *action.cyrillic):
            if len(key) == 1 and key.isalpha():
                assert key.upper() in action.keys


@pytest.mark.parametrize("place", list(Place))
def test_no_key_means_two_things_on_one_screen(place: Place) -> None:
    for one, other in combinations(keys.actions_at(place), 2):
        assert not set(one.keys) & set(other.keys), (one.name, other.name)


def test_letters_of_ranks_are_never_commands_at_the_table() -> None:
    ranks = {key for latin, cyrillic in RANK_KEYS.values() for key in (*latin, *cyrillic)}
    for action in keys.actions_at(Place.TABLE):
        if not action.name.startswith("rank_") or action.name in {"rank_up", "rank_down"}:
            assert not ranks & set(action.keys), action.name


def test_every_rank_has_a_key_in_both_layouts_and_as_printed() -> None:
    assert set(RANK_KEYS) == set(Rank)
    assert RANK_KEYS[Rank.QUEEN] == (("q",), ("й", "д"))
    assert RANK_KEYS[Rank.ACE] == (("a",), ("ф", "т"))
    assert RANK_KEYS[Rank.TEN][0] == ("0",)


def test_caps_show_both_letters_on_a_russian_screen_only() -> None:
    call = keys.action_named("call", Place.TABLE)
    assert (keys.cap_of(call, "en"), keys.cap_of(call, "ru")) == ("x", "x ч")
    assert keys.cap_of(keys.action_named("enter", Place.TABLE), "ru") == "Enter"


def test_help_has_its_twin_on_the_same_key_with_shift() -> None:
    assert keys.action_named("help", Place.LOBBY).keys == ("f1", "question_mark", "comma")


def test_bindings_carry_every_key_of_their_action() -> None:
    for action, binding in zip(ACTIONS, keys.bindings(ACTIONS), strict=True):
        assert binding.key.split(",") == list(action.keys)
        assert binding.action == f"press('{action.name}')"
