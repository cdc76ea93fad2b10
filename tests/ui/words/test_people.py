"""Names as they are told apart."""

from ui.words.people import full_name

FINGERPRINT = "BJBA-7KQ2-0000-0000"


def test_a_name_is_told_apart_by_its_fingerprint_once() -> None:
    assert full_name("Oleg", FINGERPRINT) == "Oleg BJBA"
    assert full_name("Oleg BJBA", FINGERPRINT) == "Oleg BJBA"


def test_a_name_that_begins_like_a_fingerprint_carries_none() -> None:
    assert full_name("BJBA", FINGERPRINT) == "BJBA BJBA"
