"""Ballots and leaves: exact bytes, strict types, signatures."""

import msgspec
import pytest
from deal_players import identity_of

from p2p.protocol.ballot import (
    MAX_BALLOT_BYTES,
    AbsentAnswer,
    Answer,
    Ballot,
    HereAnswer,
    Leave,
    Poll,
    SeeAnswer,
    SignedBallot,
    SignedLeave,
    check_ballot,
    check_leave,
    contradict,
    sign_ballot,
    sign_leave,
)
from p2p.protocol.entry import MAX_ELEMENT_BYTES, MAX_SEATS, Entry, SealBody, SharesBody, sign_entry
from p2p.protocol.errors import MalformedMessage

TABLE, HEAD = bytes(range(32)), bytes(range(32, 64))
POLL = Poll(1, 0, (2,), (3,), ())
ENTRY = sign_entry(identity_of(2), Entry(TABLE, 1, 7, 2, HEAD, SealBody()))


def ballot_with(answer: Answer | None = None, **fields: object) -> Ballot:
    values = {"table": TABLE, "deal": 1, "step": 7, "previous": HEAD, "seat": 1, "poll": POLL}
    return Ballot(**{**values, **fields}, answer=answer or AbsentAnswer())  # type: ignore[arg-type]


@pytest.mark.parametrize("answer", [AbsentAnswer(), HereAnswer((ENTRY,)), SeeAnswer(1, 0, (2, 12))])
def test_a_ballot_is_signed_as_exact_bytes(answer: Answer) -> None:
    ballot = ballot_with(answer)
    signed = sign_ballot(identity_of(1), ballot)
    assert signed.open() == ballot
    check_ballot(identity_of(1).public, signed)
    with pytest.raises(MalformedMessage):
        check_ballot(identity_of(2).public, signed)


def test_the_bytes_of_a_ballot_and_a_leave_are_these() -> None:
    head = "c420" + HEAD.hex()
    table = "c420" + TABLE.hex()
    assert ballot_with().encode().hex() == (
        "97" + table + "0107" + head + "01" + "95" + "0100" + "9102" + "9103" + "90" + "91a6616273656e74"
    )
    assert sign_leave(identity_of(1), Leave(TABLE, 3, 1)).leave.hex() == "93" + table + "0301"


@pytest.mark.parametrize(
    "poll",
    [
        Poll(1, 2, (2,), (), ()),
        Poll(1, 0, (2, 2), (), ()),
        Poll(1, 0, (3, 2), (), ()),
        Poll(1, 0, (2,), (2,), ()),
        Poll(1, 0, (), (), ()),
        Poll(1, 0, (2,), (), (4, 3)),
        Poll(1, 0, (1,), (), ()),
        Poll(0, 0, (2,), (), ()),
        Poll(1, 0, (12,), (), ()),
    ],
)
def test_a_ballot_about_a_poll_that_makes_no_sense_is_noise(poll: Poll) -> None:
    with pytest.raises(MalformedMessage):
        sign_ballot(identity_of(1), ballot_with(poll=poll)).open()


def test_other_spellings_and_what_is_too_long_are_noise() -> None:
    data = ballot_with().encode()
    for bad in (data + b"\0", data[:-1], b"", bytes(MAX_BALLOT_BYTES + 1)):
        with pytest.raises(MalformedMessage):
            SignedBallot(bad, bytes(64)).open()
        with pytest.raises(MalformedMessage):
            SignedLeave(bad, bytes(64)).open()
    respelt = msgspec.msgpack.encode([*msgspec.msgpack.decode(data)[:-1], ["absent", 0]])
    with pytest.raises(MalformedMessage):
        SignedBallot(respelt, bytes(64)).open()


def test_a_signed_ballot_is_no_signed_entry_and_no_leave() -> None:
    signed = sign_ballot(identity_of(1), ballot_with())
    with pytest.raises(MalformedMessage):
        check_leave(identity_of(1).public, SignedLeave(signed.ballot[:60], signed.signature))
    leave = sign_leave(identity_of(1), Leave(TABLE, 1, 1))
    check_leave(identity_of(1).public, leave)
    assert leave.open() == Leave(TABLE, 1, 1)
    with pytest.raises(MalformedMessage):
        check_ballot(identity_of(1).public, SignedBallot(leave.leave, leave.signature))


def test_the_shares_of_twelve_seats_fit_a_ballot() -> None:
    """The longest step that has several authors: everybody's shares of two packs."""
    slots = tuple(range(1_000_000, 1_000_104))
    shares = bytes(MAX_ELEMENT_BYTES * len(slots))
    entries = tuple(
        sign_entry(identity_of(2), Entry(TABLE, 1, 7, seat, HEAD, SharesBody(slots, shares, bytes(64))))
        for seat in range(MAX_SEATS)
    )
    assert len(ballot_with(HereAnswer(entries)).encode()) <= MAX_BALLOT_BYTES


def test_answers_to_one_poll_number_at_different_heads_are_no_two_stories() -> None:
    """At the first step of a deal whose terms have changed polls are counted from 1 again."""
    one, other = ballot_with(), ballot_with(poll=Poll(1, 0, (3,), (), ()))
    assert contradict(one, other)
    assert not contradict(one, ballot_with(poll=other.poll, previous=bytes(32)))
