"""Names of several people in one place."""

from crypto import short_fingerprint
from p2p.protocol.names import distinct_names, name_warnings
from p2p.protocol.snapshot import NameWarning
from p2p.protocol.text import NAME_BYTES, NAME_CHARACTERS

ONE, TWO, THREE = (bytes([n]) * 32 for n in (1, 2, 3))


def test_two_of_one_name_carry_their_fingerprints() -> None:
    names = distinct_names({ONE: "Boris", TWO: "Boris", THREE: "Vera"})
    assert names == {
        ONE: f"Boris {short_fingerprint(ONE)}",
        TWO: f"Boris {short_fingerprint(TWO)}",
        THREE: "Vera",
    }


def test_the_suffix_fits_behind_a_name_of_full_length() -> None:
    for full in ("x" * NAME_CHARACTERS, "Ж" * NAME_CHARACTERS, "😀" * NAME_CHARACTERS):
        names = distinct_names({ONE: full, TWO: full})
        assert len(set(names.values())) == 2
        for name in names.values():
            assert len(name) <= NAME_CHARACTERS
            assert len(name.encode()) <= NAME_BYTES


def test_names_that_differ_only_invisibly_are_told_apart() -> None:
    spellings = ["Boris", " Boris\u00a0", "Bo\u200bris", "Boris\U000e0041", "\u202eBoris"]
    keys = [bytes([n]) * 32 for n in range(1, 6)]
    names = distinct_names(dict(zip(keys, spellings, strict=True)))
    assert len(set(names.values())) == 5
    assert all(name.startswith("Boris ") for name in names.values())


def test_nobody_can_take_the_suffixed_name_of_another() -> None:
    taken = f"Boris {short_fingerprint(ONE)}"
    names = distinct_names({ONE: "Boris", TWO: "Boris", THREE: taken})
    assert names[THREE] == taken
    assert len(set(names.values())) == 3


def test_capitals_do_not_tell_names_apart() -> None:
    names = distinct_names({ONE: "boris", TWO: "Boris"})
    assert len({name.casefold() for name in names.values()}) == 2
    assert all(" " in name for name in names.values())


def test_a_name_of_nothing_visible_is_the_fingerprint() -> None:
    assert distinct_names({ONE: "\u200b\n"}) == {ONE: short_fingerprint(ONE)}


def test_a_latin_name_in_cyrillic_letters_gets_a_warning_beside_the_honest_one() -> None:
    warnings = name_warnings(THREE, "Vera", {ONE: "Boris", TWO: "Воris"}, {ONE: "Boris"})
    assert warnings == {TWO: NameWarning.NOT_YOURS}


def test_imitating_the_own_name_is_the_worst() -> None:
    for imitation in ("Vеrа", "vera", "Ve ra"):
        assert name_warnings(THREE, "Vera", {ONE: imitation}, {ONE: "Vera"}) == {
            ONE: NameWarning.IMITATES_YOU
        }


def test_a_namesake_spelt_exactly_alike_imitates_nobody() -> None:
    for known in ({}, {ONE: "Vera"}):
        assert name_warnings(THREE, "Vera", {ONE: "Vera"}, known) == {ONE: NameWarning.SAME_NAME}


def test_two_unknown_look_alikes_are_both_marked() -> None:
    warnings = name_warnings(THREE, "Vera", {ONE: "Oleg", TWO: "Оleg"}, {})
    assert warnings == {ONE: NameWarning.IMITATES, TWO: NameWarning.IMITATES}


def test_a_known_name_with_another_key_is_not_that_person() -> None:
    warnings = name_warnings(THREE, "Vera", {TWO: "Boris"}, {ONE: "Boris"})
    assert warnings == {TWO: NameWarning.NOT_YOURS}


def test_a_newcomer_among_known_people_is_marked_as_new() -> None:
    warnings = name_warnings(THREE, "Vera", {ONE: "Boris", TWO: "Gleb"}, {ONE: "Boris"})
    assert warnings == {TWO: NameWarning.NEW_KEY}


def test_among_strangers_nobody_is_marked_as_new() -> None:
    assert name_warnings(THREE, "Vera", {ONE: "Boris", TWO: "Gleb"}, {}) == {}
