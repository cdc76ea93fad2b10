"""Transcripts: self-contained, one spelling, and not one character can be changed unseen."""

import copy
import json
import random
from functools import cache

import pytest
from deal_players import Table, identity_of, seeded_draw, signed_proposal, table_of

from crypto import Ristretto255
from engine import Ruleset
from p2p.protocol.audit import AuditReport, audit
from p2p.protocol.deal import Deal
from p2p.protocol.deal_terms import DealTerms, Setup
from p2p.protocol.effects import Finished
from p2p.protocol.entry import Kind
from p2p.protocol.errors import TranscriptProblem, TranscriptRefused
from p2p.protocol.hashing import hash_parts
from p2p.protocol.proposal import Member, Proposal, SignedProposal, sign_proposal
from p2p.protocol.text import clean_name
from p2p.protocol.transcript import _Chain, read_transcript, seal_of, write_transcript
from p2p.protocol.transcript_lines import spell


@cache
def small_table() -> Table:
    """A short deal of two with the smallest pack."""
    table = table_of(2, seed=11, rules=Ruleset.preset("pagat").with_(pack=24))
    table.start()
    table.play()
    assert isinstance(table.deals[0].outcome, Finished)
    return table


@cache
def small() -> bytes:
    return write_transcript(small_table().deals[0])


def check(data: bytes) -> AuditReport:
    return audit(data, seeded_draw("audit"), small_table().group)


def refusal(data: bytes) -> TranscriptRefused:
    with pytest.raises(TranscriptRefused) as refused:
        read_transcript(data)
    return refused.value


def resealed(lines: list[bytes], end: dict[str, object]) -> bytes:
    """What a forger would write who knows the format: a last line with a fitting hash."""
    text = b"".join(lines)
    return text + spell({**end, "hash": seal_of(text, end)})


def test_a_transcript_is_readable_json_and_names_the_cards_that_were_shown() -> None:
    lines = [json.loads(line) for line in small().splitlines()]
    assert (lines[0]["verish"], lines[0]["version"]) == ("transcript", 1)
    assert [member["name"] for member in lines[0]["members"]] == ["player 0", "player 1"]
    reveals = [line for line in lines if line.get("kind") == "reveal"]
    assert reveals
    assert all(len(line["cards"]) == len(line["slots"]) for line in reveals)
    lays = [line for line in lines if line.get("kind") == "lay"]
    assert all(line["rank"] in {"9", "10", "J", "Q", "K", "A"} for line in lays)
    assert all(line["number"] == len(line["slots"]) for line in lays)
    assert lines[-1]["end"] == "finished"
    assert lines[-1]["receipts"] == [0, 1]
    assert small().isascii()


def test_a_transcript_reads_back_to_the_ledger_and_passes() -> None:
    transcript = read_transcript(small())
    ledger = small_table().deals[0].record.all_entries()
    assert tuple(line.signed for line in transcript.lines) == ledger
    report = check(small())
    assert (report.ok, report.check, report.seats, report.form) == (True, None, 2, "pagat")
    assert report.loser == small_table().deals[0].outcome.loser
    assert report.entries == len(ledger)


def other_characters(character: int, rng: random.Random) -> set[int]:
    """Changes of one character: another of its kind, the other case, and anything at all."""
    text = chr(character)
    kind = "0123456789abcdef" if text in "0123456789abcdef" else ' ,:"{}[]'
    found = {ord(rng.choice(kind)), ord(text.swapcase())} if rng.random() < 0.5 else {rng.randrange(256)}
    return found - {character}


def refused_alone(chain: _Chain, number: int, line: bytes) -> bool:
    """Whether a line is refused at its place in the chain, under its own number."""
    try:
        chain.take(number, line)
    except TranscriptRefused as refused:
        return refused.line == number
    return False


def test_no_character_can_be_changed_unseen() -> None:
    """Characters of every line, replaced by others, are refused by reading alone: every one of the first
    lines and the last, and of the others, which are of the same kinds, every fourth or so.
    """
    data, rng = small(), random.Random(1)
    lines = data.split(b"\n")[:-1]
    chain = _Chain(read_transcript(data).terms)
    place = 0
    for number, line in enumerate(lines, start=1):
        inner = 1 < number < len(lines)
        for at in range(len(line) + 1):
            if 12 < number < len(lines) and rng.random() < 0.75:
                continue
            for other in other_characters(data[place + at], rng):
                changed = line[:at] + bytes([other]) + line[at + 1 :]
                # The line by itself, in its place in the chain: most changes are refused here, and quickly.
                alone = inner and at < len(line) and b"\n" not in changed
                if alone and refused_alone(copy.copy(chain), number, changed):
                    continue
                whole = data[: place + at] + bytes([other]) + data[place + at + 1 :]
                refusal(whole)
        if inner:
            chain.take(number, line)
        place += len(line) + 1


def test_a_forger_who_writes_a_fitting_last_line_is_found_by_the_audit() -> None:
    """The hash of the last line is no secret: what it covers is checked against the entries all the same."""
    lines = small().splitlines(keepends=True)
    end = json.loads(lines[-1])
    end.pop("hash")
    assert resealed(lines[:-1], end) == small()
    for name, value in (
        ("loser", 1 - end["loser"]),
        ("loser", bool(end["loser"])),
        ("winner", None),
        ("step", end["step"] + 1),
        ("step", float(end["step"])),
        ("final_head", "00" * 32),
        ("final_head", end["final_head"].upper()),
        ("receipts", [0]),
        ("receipts", [False, True]),
        ("entries", float(end["entries"])),
        ("end", "void"),
        ("end", "stopped"),
        ("more", 1),
    ):
        report = check(resealed(lines[:-1], {**end, name: value}))
        assert (report.ok, report.check in {"end", "transcript"}) == (False, True), (name, value, report)
    turned = dict(reversed(end.items()))
    assert not check(resealed(lines[:-1], turned)).ok


def test_cards_that_a_line_names_falsely_are_found_by_the_audit() -> None:
    lines = small().splitlines(keepends=True)
    at = next(i for i, line in enumerate(lines) if b'"reveal"' in line)
    line = json.loads(lines[at])
    end = json.loads(lines[-1])
    end.pop("hash")
    shown = line["cards"][0]
    for cards in ([*line["cards"][:-1], "AS" if shown != "AS" else "KS"], line["cards"][1:], None):
        changed = {name: cards if name == "cards" else value for name, value in line.items()}
        if cards is None:
            changed.pop("cards")
        forged = [*lines[:at], spell(changed), *lines[at + 1 : -1]]
        report = check(resealed(forged, end))
        assert (report.ok, report.check, report.line) == (False, "cards", at + 1)
    extra = {**json.loads(lines[2])}
    signature = extra.pop("signature")
    previous = extra.pop("previous")
    named = {**extra, "cards": ["AS"], "previous": previous, "signature": signature}
    assert check(resealed([*lines[:2], spell(named), *lines[3:-1]], end)).check == "cards"


def test_a_missing_doubled_or_moved_line_is_refused_with_its_number() -> None:
    lines = small().splitlines(keepends=True)
    count = len(lines)
    for at in range(1, count - 1):
        missing = refusal(b"".join(lines[:at] + lines[at + 1 :]))
        doubled = refusal(b"".join(lines[: at + 1] + lines[at:]))
        moved = refusal(b"".join([*lines[:at], lines[at + 1], lines[at], *lines[at + 2 :]]))
        assert at < missing.line <= count
        assert at < doubled.line <= count + 1
        assert at < moved.line <= count
    assert refusal(b"".join(lines[1:])).problem is TranscriptProblem.NOT_A_TRANSCRIPT
    assert refusal(small() + lines[-1]).line > 1
    assert refusal(small() + b"\n").line > 1
    assert refusal(lines[0] + small()).line == 2


def test_a_transcript_without_its_last_line_is_unfinished() -> None:
    lines = small().splitlines(keepends=True)
    for kept in (1, 2, 5, len(lines) - 1):
        report = check(b"".join(lines[:kept]))
        assert (report.ok, report.check) == (False, "unfinished")


def test_a_transcript_cut_in_a_line_is_refused_at_that_line() -> None:
    lines = small().splitlines(keepends=True)
    refused = refusal(b"".join(lines[:4]) + lines[4][:50])
    assert (refused.problem, refused.line) == (TranscriptProblem.CUT, 5)
    assert refusal(small()[:-1]).problem is TranscriptProblem.CUT


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"\n",
        b"{}\n",
        b"[]\n",
        b"null\n",
        b"\xff\xfe\n",
        b"\0" * 100,
        b'{"verish":1}\n',
        b"[" * 100_000 + b"\n",
        b"x" * 10**6,
    ],
    ids=lambda data: repr(data[:12]),
)
def test_what_is_no_transcript_is_said_to_be_none(data: bytes) -> None:
    assert refusal(data).problem in {TranscriptProblem.NOT_A_TRANSCRIPT, TranscriptProblem.TOO_LONG}
    report = check(data)
    assert (report.ok, report.check) == (False, "transcript")


def test_a_newer_version_is_named() -> None:
    refused = refusal(small().replace(b'"version":1', b'"version":2', 1))
    assert (refused.problem, refused.found) == (TranscriptProblem.NEWER_VERSION, "2")


def test_a_newer_protocol_is_named_with_the_format_before_it() -> None:
    refused = refusal(small().replace(b'"protocol":1', b'"protocol":2', 1))
    assert (refused.problem, refused.line, refused.found) == (TranscriptProblem.NEWER_VERSION, 1, "1.2")
    for other in (b"0", b"true", b"null", b'"2"', b"-1", b"1.5"):
        refused = refusal(small().replace(b'"protocol":1', b'"protocol":' + other, 1))
        assert refused.problem in {TranscriptProblem.NOT_CANONICAL, TranscriptProblem.PROPOSAL}


def test_a_complete_ledger_whose_writer_was_stopped_is_said_to_be_so_and_not_to_be_changed() -> None:
    lines = small().splitlines(keepends=True)
    last = json.loads(lines[-1])["step"]
    for step in (0, last):
        report = check(resealed(lines[:-1], {"end": "stopped", "step": step, "entries": len(lines) - 2}))
        assert (report.ok, report.check, report.step, report.seat) == (False, "stopped", step, None)
    for step in (-1, last + 1, float(last), True, None):
        report = check(resealed(lines[:-1], {"end": "stopped", "step": step, "entries": len(lines) - 2}))
        assert (report.ok, report.check) == (False, "end")


def test_names_in_a_report_are_clean_and_told_apart_while_the_transcript_keeps_what_was_signed() -> None:
    proposal = signed_proposal(2).open()
    raw = ("\x1b]0;x\x07Bo\u202eris\x9b2J", "]0;xBoris2J")
    members = tuple(Member(one.key, one.nonce, name) for one, name in zip(proposal.members, raw, strict=True))
    data = Proposal.make(bytes(16), "title", Ruleset.preset("pagat"), members).encode()
    signed = SignedProposal(data, tuple(sign_proposal(identity_of(seat), data) for seat in range(2)))
    deal = Deal(DealTerms.first(signed), None, seeded_draw(1), small_table().group)
    text = write_transcript(deal)
    assert json.loads(text.splitlines()[0])["members"][0]["name"] == raw[0]
    report = check(text)
    assert (report.check, len(set(report.names))) == ("unfinished", 2)
    assert all(clean_name(name) == name for name in report.names)
    other = check(text.replace(b'"group":"', b'"group":"\\u001b[2J\\u202e', 1))
    assert (other.check, "\x1b" in other.found, "\u202e" in other.found) == ("group", False, False)


def test_other_spellings_of_the_same_values_are_refused() -> None:
    lines = small().splitlines(keepends=True)
    for at in range(len(lines)):
        line = json.loads(lines[at])
        spellings = [
            json.dumps(line, separators=(", ", ":")),
            json.dumps(dict(reversed(line.items())), separators=(",", ":")),
            lines[at].decode().rstrip().replace("step", "st\\u0065p").replace("verish", "v\\u0065rish"),
            lines[at].decode().rstrip()[:-1] + ',"more":1}',
            lines[at].decode().rstrip() + " ",
            lines[at].decode().rstrip() + "\r",
            "\ufeff" + lines[at].decode().rstrip(),
        ]
        for spelling in spellings:
            assert spelling + "\n" != lines[at].decode()
            changed = [*lines[:at], spelling.encode() + b"\n", *lines[at + 1 :]]
            refused = refusal(b"".join(changed))
            assert refused.line in {at + 1, len(lines)}


def test_names_from_others_are_written_without_a_single_control_or_direction_mark() -> None:
    table = table_of(2, seed=1)
    terms = table.terms
    evil = "\x1b]0;x\x07\x7f\u202e<\u0085>Дама"

    members = tuple(Member(m.key, m.nonce, evil) for m in terms.table.members)
    proposal = Proposal.make(bytes(16), evil, Ruleset.preset("pagat"), members).encode()
    signed = SignedProposal(proposal, tuple(sign_proposal(identity_of(seat), proposal) for seat in range(2)))
    data = write_transcript(Deal(DealTerms.first(signed), None, seeded_draw(1), table.group))
    assert all(byte == 10 or 32 <= byte < 127 for byte in data)
    assert read_transcript(data).terms.table.title == evil


def test_a_deal_hidden_in_another_group_than_the_auditors_is_refused() -> None:
    report = audit(small(), seeded_draw(1), Ristretto255())
    assert (report.ok, report.check, report.line) == (False, "group", 1)


def test_the_audit_tells_who_could_read_each_card_and_from_when() -> None:
    report = check(small())
    deal = small_table().deals[0]
    burned = next(card for card in report.cards if card.slot == 0)
    assert (burned.readings, burned.face) == ((), None)
    dealt = next(step for step in range(9) if deal.record.state_at(step).owed[0].kinds == (Kind.SHARES,))
    hands = deal.record.state_at(dealt).game
    for card in report.cards[1:24]:
        owner = next(seat for seat in (0, 1) if card.slot in hands.hand_of(seat))
        assert (card.readings[0].seat, card.readings[0].since) == (owner, dealt)
    opened = [card for card in report.cards if card.face is not None]
    assert opened
    assert all(card.readings[-1].seat is None for card in opened)


def test_a_sample_of_changes_to_a_real_transcript_is_refused() -> None:
    table = table_of(2, seed=1, group=Ristretto255())
    table.start()
    table.play()
    data, rng = write_transcript(table.deals[0]), random.Random(2)
    assert audit(data, seeded_draw(1)).ok
    for _ in range(20):
        at = rng.choice([place for place, byte in enumerate(data) if byte != ord("\n")])
        other = rng.choice(sorted(other_characters(data[at], rng)))
        refusal(data[:at] + bytes([other]) + data[at + 1 :])


def test_a_transcript_of_a_later_deal_stands_alone() -> None:
    deal = small_table().deals[0]
    terms = deal.terms.following(deal.head, deal.terms.players, Setup(deal.state.order, deal.state.order[0]))
    table = Table(terms, small_table().group, seed=3)
    table.start()
    table.play()
    data = write_transcript(table.deals[0])
    assert check(data).ok
    assert check(data).deal == 2
    dealer = deal.state.order[0]
    for old, new in (
        (f'"dealer":{dealer}', f'"dealer":{1 - dealer}'),
        ('"origin":"deal"', '"origin":"void"'),
        ('"deal":2', '"deal":3'),
    ):
        assert old.encode() in data
        refusal(data.replace(old.encode(), new.encode(), 1))


def test_an_end_that_is_nested_deeply_is_refused_and_raises_nothing() -> None:
    lines = small().splitlines(keepends=True)
    before = b"".join(lines[:-1])
    for depth in (1, *range(900, 1000, 3)):
        nest = b"[" * (depth + 1) + b"]" * (depth + 1)
        body = b'{"end":"finished","x":%s,"entries":%d' % (nest, len(lines) - 2)
        seal = hash_parts("transcript", before, body + b"}\n").hex().encode()
        assert check(before + body + b',"hash":"' + seal + b'"}\n').problem is TranscriptProblem.NOT_CANONICAL


def test_more_lines_than_any_deal_has_are_refused_before_they_are_told_apart(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("p2p.protocol.transcript.MAX_LINES", 100)
    assert refusal(b"ab\n" * 101).problem is TranscriptProblem.TOO_LONG
    assert refusal(b"ab\n" * 100).problem is TranscriptProblem.NOT_A_TRANSCRIPT


def test_a_transcript_accuses_at_most_two_entries_and_they_name_no_cards() -> None:
    lines = small().splitlines(keepends=True)
    accused = lines[1].replace(b"}\n", b',"accused":true}\n')
    assert refusal(b"".join(lines[:20]) + accused * 3).problem is TranscriptProblem.WRONG_ORDER
    reveal = next(line for line in lines if b'"cards":["' in line)
    with_cards = reveal.replace(b"}\n", b',"accused":true}\n')
    assert refusal(b"".join(lines[:20]) + with_cards).problem is TranscriptProblem.NOT_CANONICAL
