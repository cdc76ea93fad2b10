"""What has changed between two pictures, in lines."""

from dataclasses import replace

from page_samples import gathering, member, opening

from ui.plain.changes import gathering_changes, over_changes
from ui.words.books import key_erased

NAMES = ("Oleg", "Anna", "Boris", "Vera")


def test_who_gets_ready_at_once_is_counted_one_by_one() -> None:
    before = gathering(members=tuple(member(at, name, ready=at == 0) for at, name in enumerate(NAMES)))
    after = replace(before, members=tuple(replace(one, ready=True) for one in before.members))
    counts = [f"{count} of 4" for count in (2, 3, 4)]
    for line, count in zip(gathering_changes(before, after), counts, strict=True):
        assert count in line


def test_who_takes_it_back_is_not_counted() -> None:
    before = gathering(members=tuple(member(at, name, ready=at == 1) for at, name in enumerate(NAMES)))
    after = replace(before, members=tuple(replace(one, ready=not one.ready) for one in before.members))
    found = gathering_changes(before, after)
    assert len(found) == 4
    assert [any(f"{count} of 4" in line for line in found) for count in (1, 2, 3, 4)] == [
        True,
        True,
        True,
        False,
    ]


def test_an_erased_key_is_told_when_somebody_wants_the_books_opened() -> None:
    before, after = opening(), opening(wished=(1,))
    assert key_erased() not in over_changes(before, after)
    assert after.books is not None
    after = replace(after, books=replace(after.books, can_wish=False))
    assert over_changes(before, after)[-1] == key_erased()
