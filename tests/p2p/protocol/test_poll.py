"""Polls by hand: five seats, of which seat 4 owes an entry, unless a test says otherwise."""

from collections.abc import Iterable

import pytest
from poll_world import HEAD, PATIENCE_S, STEP, TABLE, entry_of, signed

from engine import Seat
from p2p.protocol.ballot import (
    WHOLE,
    AbsentAnswer,
    Answer,
    Ballot,
    HereAnswer,
    Poll,
    SeeAnswer,
    contradict,
)
from p2p.protocol.poll_bounds import BALLOTS_PER_SEAT, POLLS_PER_OPENER
from p2p.protocol.poll_votes import LEAP, Facts, SignAbsent, SignHere, SignSee, StepPolls, Suspicion


def seats(*numbers: int) -> frozenset[Seat]:
    return frozenset(map(Seat, numbers))


def poll(
    missing: Iterable[int] = (4,),
    number: int = 1,
    opener: int = 0,
    silent: Iterable[int] = (),
    cleared: Iterable[int] = (),
) -> Poll:
    return Poll(number, opener, tuple(missing), tuple(silent), tuple(cleared))


def ballot(seat: int, asked: Poll, answer: Answer | None = None) -> Ballot:
    return Ballot(TABLE, 1, STEP, HEAD, seat, asked, answer or AbsentAnswer())


def here(*authors: int) -> HereAnswer:
    return HereAnswer(tuple(entry_of(seat) for seat in authors))


class Seen:
    """The polls of one seat, with a clock, and the facts as a test sets them."""

    def __init__(self, own: int | None = 0, count: int = 5, owing: Iterable[int] = (4,)) -> None:
        mine = None if own is None else Seat(own)
        self.polls = StepPolls(seats(*range(count)), seats(*owing), mine)
        self.own = own
        self.now = 0.0
        self.have = frozenset[Seat]()
        self.beyond = False
        self.excused = seats(4)
        self.opens = True

    def take(self, *ballots: Ballot) -> list[object]:
        return [self.polls.take(one, signed(one), self.now) for one in ballots]

    def wanted(self) -> SignAbsent | SignHere | SignSee | None:
        patience = dict.fromkeys(self.polls.seats, PATIENCE_S)
        facts = Facts(self.have, self.beyond, Suspicion(self.excused, self.opens, patience))
        return self.polls.consider(facts, self.now)

    def vote(self) -> Poll:
        """Sign `absent`, which has to be wanted."""
        wanted = self.wanted()
        assert isinstance(wanted, SignAbsent), wanted
        assert self.own is not None
        self.take(ballot(self.own, wanted.poll))
        return wanted.poll


def test_who_misses_a_seat_opens_a_poll_about_it_and_waits_for_the_others() -> None:
    seen = Seen()
    assert seen.vote() == poll()
    assert seen.wanted() is None
    assert seen.polls.frozen
    assert seen.polls.verdict is None


def test_a_poll_is_not_opened_by_who_may_not_but_answered() -> None:
    seen = Seen(own=1)
    seen.opens = False
    assert seen.wanted() is None
    seen.take(ballot(0, poll()))
    assert seen.wanted() == SignAbsent(poll())


def test_when_all_others_answered_absent_the_deal_has_ended() -> None:
    seen = Seen()
    seen.vote()
    seen.take(ballot(1, poll()), ballot(2, poll()))
    assert seen.polls.verdict is None
    seen.take(ballot(3, poll()))
    assert seen.polls.verdict_ended == poll()
    assert seen.polls.verdict is not None
    assert [one.open().seat for one in seen.polls.verdict.certificate] == [0, 1, 2, 3]


def test_one_here_among_all_answers_brings_the_entry_and_frees_all() -> None:
    seen = Seen()
    seen.vote()
    seen.take(ballot(1, poll()), ballot(2, poll(), here(4)), ballot(3, poll()))
    verdict = seen.polls.verdict
    assert verdict is not None
    assert (verdict.ended, verdict.entries, verdict.cleared) == (None, (entry_of(4),), {4})
    assert not seen.polls.frozen


@pytest.mark.parametrize("answer", [here(3), here(4, 4), here(3, 4)])
def test_a_here_with_anything_but_what_is_owed_is_no_answer(answer: HereAnswer) -> None:
    seen = Seen()
    seen.vote()
    seen.take(ballot(1, poll()), ballot(2, poll(), answer), ballot(3, poll()))
    assert seen.polls.verdict is None
    assert seen.polls.frozen


def test_who_has_the_entry_answers_here_and_who_is_not_sure_waits() -> None:
    seen = Seen(own=2)
    seen.take(ballot(0, poll()))
    seen.excused = frozenset()
    assert seen.wanted() is None
    seen.have = seats(4)
    assert seen.wanted() == SignHere(poll(), seats(4))


def test_of_two_missed_seats_the_one_whose_entry_somebody_has_is_brought_and_the_other_polled_anew() -> None:
    seen = Seen(owing=range(5))
    both = poll((3, 4))
    seen.excused = seats(3, 4)
    assert seen.vote() == both
    seen.take(ballot(1, both, here(3)), ballot(2, both))
    assert seen.polls.verdict is not None
    assert seen.polls.verdict.cleared == {3}
    assert seen.polls.frozen, "seat 4 is still missed"
    seen.have, seen.excused, seen.now = seats(0, 1, 2, 3), seats(4), 2.0
    assert seen.vote() == poll((4,), number=2, cleared=(3,))


def test_a_voter_who_does_not_answer_is_in_the_next_poll() -> None:
    seen = Seen()
    seen.vote()
    seen.take(ballot(1, poll()), ballot(2, poll()))
    seen.now = PATIENCE_S - 0.1
    assert seen.wanted() is None
    seen.now = PATIENCE_S
    assert seen.vote() == poll(number=2, silent=(3,))
    seen.take(*(ballot(seat, poll(number=2, silent=(3,))) for seat in (1, 2)))
    assert seen.polls.verdict_ended == poll(number=2, silent=(3,))


def test_half_of_the_seats_end_nothing() -> None:
    seen = Seen(count=4, owing=(3,))
    seen.excused = seats(3)
    first = seen.vote()
    assert first == poll((3,))
    seen.take(ballot(1, first))
    seen.now = 5 * PATIENCE_S
    assert seen.wanted() is None, "two of four are not more than half"
    seen.take(*(ballot(seat, poll((3,), number=2, silent=(2,))) for seat in (0, 1)))
    assert seen.polls.verdict is None


def test_at_a_table_of_two_nothing_but_a_leave_ends_the_wait() -> None:
    seen = Seen(count=2, owing=(1,))
    seen.excused = seats(1)
    assert seen.wanted() is None
    seen.polls.note_left(seats(1))
    assert seen.vote() == poll((1,))
    assert seen.polls.verdict_ended == poll((1,))


def test_of_two_who_are_left_neither_ends_it_for_the_other() -> None:
    """Those who have left do not count, for either side."""
    seen = Seen(count=4, owing=(1,))
    seen.excused = seats(1)
    seen.polls.note_left(seats(2, 3))
    assert seen.wanted() is None
    seen.excused = frozenset()
    assert seen.vote() == poll((), silent=(2, 3))


def test_who_left_and_owes_nothing_is_polled_about_and_the_step_waits() -> None:
    seen = Seen()
    seen.excused = frozenset()
    seen.polls.note_left(seats(2))
    left = seen.vote()
    assert left == poll((), silent=(2,))
    seen.take(ballot(1, left), ballot(3, left), ballot(4, left, here(4)))
    assert seen.polls.verdict is not None
    assert seen.polls.verdict.cleared == {WHOLE}
    assert not seen.polls.frozen


def test_a_poll_about_somebody_who_owes_nothing_and_has_not_left_counts_for_nothing() -> None:
    seen = Seen(own=1)
    for about in (poll((3,)), poll((), silent=(3,)), poll((4,), silent=(9,))):
        seen.take(ballot(0, about))
        assert not seen.polls.counts(about)
    assert seen.polls.top is None


def test_a_poll_counts_only_once_its_opener_has_answered_it() -> None:
    seen = Seen(own=1)
    seen.take(ballot(2, poll()))
    assert seen.polls.top is None
    seen.take(ballot(0, poll()))
    assert seen.polls.top == poll()


def test_two_polls_about_different_seats_are_joined() -> None:
    seen = Seen(owing=range(5))
    assert seen.vote() == poll()
    other = poll((3,), opener=1)
    seen.take(ballot(1, other))
    seen.now = 2.0
    assert seen.wanted() is None, "seat 3 may still come"
    seen.excused = seats(3, 4)
    assert seen.vote() == poll((3, 4), number=2)


def test_who_knows_how_a_poll_ended_answers_a_higher_one_by_it() -> None:
    seen = Seen()
    seen.vote()
    seen.take(*(ballot(seat, poll()) for seat in (1, 2, 3)))
    higher = poll(number=2, opener=1, silent=(3,))
    seen.take(ballot(1, higher))
    assert seen.wanted() == SignSee(higher, poll(), frozenset())
    seen.take(ballot(0, higher, SeeAnswer(1, 0, ())), ballot(2, higher))
    assert seen.polls.verdict_ended == poll()


def test_who_waits_for_a_higher_poll_does_not_go_by_a_lower_one_and_asks_who_does() -> None:
    seen = Seen()
    seen.vote()
    seen.take(ballot(1, poll()), ballot(2, poll()))
    seen.now = PATIENCE_S
    assert seen.vote() == poll(number=2, silent=(3,))
    seen.take(ballot(3, poll()))
    assert seen.polls.verdict_ended is None
    seen.take(ballot(1, poll(number=2, silent=(3,))))
    seen.now += 2.0
    asked = seen.wanted()
    assert asked == SignSee(poll(number=3), poll(), frozenset())
    seen.take(*(ballot(seat, asked.poll, SeeAnswer(1, 0, ())) for seat in (0, 1, 3)))
    assert seen.polls.verdict_ended is None
    seen.now += PATIENCE_S
    asked = seen.wanted()
    assert asked == SignSee(poll(number=4, silent=(2,)), poll(), frozenset())
    seen.take(*(ballot(seat, asked.poll, SeeAnswer(1, 0, ())) for seat in (0, 1, 3)))
    assert seen.polls.verdict_ended == poll()


def test_one_that_a_higher_poll_is_about_gives_way_to_it() -> None:
    seen = Seen(own=3)
    seen.opens = False
    seen.take(*(ballot(seat, poll()) for seat in (0, 1, 2, 3)))
    assert seen.polls.verdict_ended == poll()
    higher = poll(number=2, silent=(3,))
    seen.take(*(ballot(seat, higher) for seat in (0, 1, 2)))
    assert seen.polls.verdict_ended == higher


def test_a_see_of_a_poll_that_is_not_complete_is_no_answer() -> None:
    seen = Seen()
    seen.take(*(ballot(seat, poll()) for seat in (0, 1)))
    higher = poll(number=2, silent=(3,))
    seen.take(ballot(0, higher), ballot(1, higher), ballot(2, higher, SeeAnswer(1, 0, ())))
    assert seen.polls.verdict is None


def test_nobody_can_use_up_the_numbers_of_polls() -> None:
    seen = Seen()
    seen.opens = False
    seen.take(ballot(1, poll(number=LEAP + 1, opener=1)))
    assert seen.wanted() is None
    seen.take(ballot(1, poll(number=LEAP, opener=1)))
    assert seen.wanted() == SignAbsent(poll(number=LEAP, opener=1))


def test_of_one_seat_only_so_many_ballots_are_kept() -> None:
    seen = Seen()
    for number in range(1, 3 * BALLOTS_PER_SEAT):
        seen.take(ballot(1, poll(number=number, opener=1)))
    assert len(seen.polls.ballots) == BALLOTS_PER_SEAT
    assert seen.polls.ballots[-1].open().poll.number == 3 * BALLOTS_PER_SEAT - 1


@pytest.mark.parametrize("ends", [True, False])
def test_a_ballot_that_decides_something_is_never_pushed_out_by_others_and_can_be_told_on(ends: bool) -> None:
    """A liar who shows his answer to one seat alone would split the table for ever."""
    one, other = Seen(own=0), Seen(own=1)
    last = ballot(3, poll(), None if ends else here(4))
    for seen in (one, other):
        seen.take(*(ballot(seat, poll()) for seat in (0, 1, 2)))
    one.take(last)
    assert one.polls.verdict is not None
    one.take(*(ballot(3, poll(number=number, opener=3)) for number in range(2, 2 * BALLOTS_PER_SEAT)))
    assert signed(last) in one.polls.ballots
    assert len(one.polls.ballots) == 4 + BALLOTS_PER_SEAT
    for kept in one.polls.ballots:
        other.take(kept.open())
    assert other.polls.verdict_ended == one.polls.verdict_ended == (poll() if ends else None)
    assert not ends or other.polls.verdict == one.polls.verdict


def test_a_full_book_wants_nothing_below_it_but_what_was_told_otherwise() -> None:
    seen = Seen()
    for number in range(10, 10 + BALLOTS_PER_SEAT):
        assert seen.polls.wants(ballot(1, poll(number=number, opener=1)))
        seen.take(ballot(1, poll(number=number, opener=1)))
    assert not seen.polls.wants(ballot(1, poll(number=9, opener=1)))
    assert seen.polls.wants(ballot(1, poll(number=10, opener=1), here(4)))
    assert seen.polls.wants(ballot(1, poll(number=10, opener=2)))
    assert seen.polls.wants(ballot(0, poll()))
    seen.take(*(ballot(seat, poll()) for seat in (0, 2, 3)))
    assert seen.polls.wants(ballot(1, poll()))


def test_a_full_book_takes_the_ballot_that_completes_a_poll() -> None:
    seen = Seen()
    seen.take(*(ballot(seat, poll()) for seat in (0, 1, 2)))
    seen.take(*(ballot(3, poll(number=number, opener=3)) for number in range(2, 2 * BALLOTS_PER_SEAT)))
    seen.take(ballot(3, poll()))
    assert seen.polls.verdict_ended == poll()


def test_a_watcher_sees_the_verdict_and_signs_nothing() -> None:
    seen = Seen(own=None)
    seen.take(*(ballot(seat, poll()) for seat in range(4)))
    assert seen.polls.verdict_ended == poll()
    assert seen.wanted() is None


TWO_STORIES = {
    "two answers to one poll": (ballot(1, poll()), ballot(1, poll(), here(4))),
    "one poll with two questions": (ballot(0, poll()), ballot(0, poll((3,)))),
    "a voter again whom it voted about": (ballot(1, poll((3,))), ballot(1, poll((4,), number=2))),
    "absent, then here": (ballot(1, poll()), ballot(1, poll(number=2), here(4))),
    "here, then absent": (ballot(1, poll(), here(4)), ballot(1, poll(number=2))),
    "seen below its own promise": (
        ballot(1, poll(number=2)),
        ballot(1, poll(number=3), SeeAnswer(1, 0, (4,))),
    ),
    "seen, then absent": (ballot(1, poll(number=2), SeeAnswer(1, 0, (4,))), ballot(1, poll(number=3))),
    "the whole step": (ballot(1, poll((), silent=(2,))), ballot(1, poll((), 2, silent=(2,)), here(4))),
}


@pytest.mark.parametrize("name", TWO_STORIES)
def test_two_stories_are_told_by(name: str) -> None:
    one, other = TWO_STORIES[name]
    assert contradict(one, other)
    assert contradict(other, one)
    assert Seen(own=None).take(one, other) == [None, signed(one)]


ONE_STORY = {
    "absent to a larger poll": (ballot(1, poll((4,))), ballot(1, poll((3, 4), number=2))),
    "absent about another whose predecessor was brought": (
        ballot(1, poll((3,))),
        ballot(1, poll((4,), number=2, cleared=(3,))),
    ),
    "an entry of another seat": (ballot(1, poll((3,))), ballot(1, poll((3, 4), number=2), here(4))),
    "seen above its own promise": (ballot(1, poll()), ballot(1, poll(number=3), SeeAnswer(2, 0, (4,)))),
    "an end that was seen": (ballot(1, poll(number=2)), ballot(1, poll(number=3), SeeAnswer(1, 0, ()))),
}


@pytest.mark.parametrize("name", ONE_STORY)
def test_one_story_is_told_by(name: str) -> None:
    one, other = ONE_STORY[name]
    assert not contradict(one, other)
    assert not contradict(other, one)


def test_a_seat_opens_its_polls_at_growing_intervals_however_it_is_provoked() -> None:
    seen = Seen()
    opened = 0
    for tenth in range(6000):
        seen.now = tenth / 10
        wanted = seen.wanted()
        if isinstance(wanted, SignAbsent):
            opened += 1
            seen.take(ballot(0, wanted.poll))
        # Each time another voter has gone on to a higher one that nobody follows.
        seen.take(ballot(1, poll(number=10_000 + tenth, opener=1)))
    assert 2 <= opened <= 10


def test_a_seat_answers_only_so_many_polls_of_one_opener_and_then_those_of_others() -> None:
    seen = Seen()
    seen.opens = False
    for number in range(1, 2 * POLLS_PER_OPENER):
        seen.take(ballot(1, poll(number=number, opener=1)))
        wanted = seen.wanted()
        assert (wanted is not None) == (number <= POLLS_PER_OPENER)
        if wanted is not None:
            seen.take(ballot(0, wanted.poll))
    other = poll(number=2 * POLLS_PER_OPENER, opener=2)
    seen.take(ballot(2, other))
    assert seen.wanted() == SignAbsent(other)
