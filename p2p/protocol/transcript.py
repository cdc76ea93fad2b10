"""The transcript of one deal: a file of JSON lines that holds everything needed to verify the deal, and no
secret.

    line 1       the header: format and version, the table's proposal and its signatures, the deal's terms
    then         one line an entry, by step and seat; lines that reveal cards name them; receipts come last
    then         of a void deal the accused entries or ballots, marked so; of one that was ended because of
                 somebody's absence the leaves and the ballots; of a finished one the wishes to open its
                 books, and the deal keys that are open
    last line    how the deal ended, with a hash over every byte before it

A file without its last line is unfinished. Every line has exactly one spelling: ASCII, keys in a fixed
order, no spaces, lower-case hex. What does not re-encode to itself is refused, and so is a line that does
not continue the chain of heads or is not signed by its seat.
"""

import json
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

from engine import Card, Slot
from p2p.protocol.deal import Deal
from p2p.protocol.deal_steps import advance
from p2p.protocol.deal_terms import DealTerms
from p2p.protocol.effects import Absent, Finished, Outcome, Void
from p2p.protocol.entry import MAX_ENTRY_BYTES, MAX_SEATS, Entry, SignedEntry, check_signature, opened_slots
from p2p.protocol.errors import (
    Breach,
    MalformedMessage,
    ProposalRefused,
    TranscriptProblem,
    TranscriptRefused,
)
from p2p.protocol.hashing import VERSION, hash_parts, next_head
from p2p.protocol.judge import as_slots
from p2p.protocol.transcript_lines import (
    FORMAT,
    FORMAT_VERSION,
    SPELLING_ERRORS,
    entry_line,
    header_line,
    parse_entry,
    parse_header,
    spell,
)
from p2p.protocol.transcript_tail import (
    MAX_TAIL_LINE_BYTES,
    Opening,
    TailLine,
    Vote,
    check_tail,
    is_tail_line,
    parse_tail,
    tail_line,
)

MAX_LINE_BYTES = 2 * MAX_ENTRY_BYTES + 4096
"""The longest entry in hex, and the names of its fields; a header is shorter."""

MAX_TAIL_LINES = 2 * MAX_SEATS
"""Lines behind the entries: a ballot and a leave of every seat, or a wish and a key."""

MAX_ACCUSED = 2
"""A fork takes two entries, a breach one."""

MAX_LINES = 2**20
"""More than all seats can sign in any deal that fits the bytes; each line costs many times its length."""

MAX_TRANSCRIPT_BYTES = 256 * 1024 * 1024
"""Far above a deal of thousands of steps, and still read by any machine."""


@dataclass(frozen=True, slots=True)
class TranscriptLine:
    """One entry of a transcript: where it stands, the entry, the cards the line names, whether it is an
    accused one.
    """

    number: int
    entry: Entry
    signed: SignedEntry = field(repr=False)
    cards: tuple[str, ...] | None
    accused: bool


@dataclass(frozen=True, slots=True)
class Transcript:
    """A transcript as read: well spelt, chained and signed; no proof and no rule has been checked yet.

    Behind all entries: `votes`, which are ballots and leaves, and `openings`, which are wishes and keys.
    `end`: the fields of the last line, or None if the transcript is unfinished.
    """

    terms: DealTerms
    group: str
    lines: tuple[TranscriptLine, ...]
    votes: tuple[TailLine, ...]
    openings: tuple[TailLine, ...]
    end: dict[str, Any] | None


def write_transcript(deal: Deal) -> bytes:
    """The transcript of a deal at its end, or so far: then without a last line."""
    lines = [header_line(deal.terms, deal.public_state.frame.group.name)]
    outcome = deal.outcome
    ledger = deal.record.all_entries()
    if isinstance(outcome, Absent):
        # What is here of that step differs from seat to seat, and the deal has not come to it.
        ledger = deal.record.before(outcome.step)
    faces = _faces(deal)
    for signed in ledger:
        entry = signed.open()
        slots = opened_slots(entry.body)
        # An accepted entry of such a kind has made its slots readable to everybody, once its step is
        # complete.
        cards = None if slots is None else tuple(str(faces[slot]) for slot in as_slots(slots))
        lines.append(entry_line(entry, signed.signature, cards, accused=False))
    if isinstance(outcome, Void):
        for signed in outcome.evidence.accused:
            if signed not in ledger:
                lines.append(entry_line(signed.open(), signed.signature, None, accused=True))
        lines += [tail_line(ballot, accused=True) for ballot in outcome.evidence.ballots]
    elif isinstance(outcome, Absent):
        lines += [tail_line(leave) for leave in outcome.leaves]
        lines += [tail_line(ballot) for ballot in outcome.certificate]
    elif deal.books is not None:
        lines += [tail_line(wish) for wish in deal.books.wishes]
        lines += [tail_line(key) for key in deal.books.keys]
    text = b"".join(spell(line) for line in lines)
    if outcome is None:
        return text
    end = end_of(outcome, deal, len(lines) - 1)
    return text + spell({**end, "hash": seal_of(text, end)})


def _faces(deal: Deal) -> dict[Slot, Card | None]:
    """The faces that the entries here make public, also those of a step that is complete and waits for a
    poll: an auditor, who votes in none, goes on there.
    """
    state = deal.public_state
    if deal.record.complete:
        with suppress(Breach):
            state, _ = advance(state, deal.record.entries_at(state.step))
    return {slot: card.face for slot, card in state.cards.cards.items()}


def end_of(outcome: Outcome, deal: Deal, entries: int) -> dict[str, Any]:
    """The fields of the last line but its hash, for a deal with this outcome. `entries`: lines of entries."""
    if isinstance(outcome, Finished):
        return {
            "end": "finished",
            "step": outcome.step,
            "loser": outcome.loser,
            "winner": outcome.winner,
            "final_head": outcome.final_head.hex(),
            "receipts": sorted(deal.receipts),
            "entries": entries,
        }
    if isinstance(outcome, Void):
        return {
            "end": "void",
            "step": outcome.step,
            "seat": int(outcome.seat),
            "check": outcome.check,
            "entries": entries,
        }
    if isinstance(outcome, Absent):
        return {
            "end": "absent",
            "step": outcome.step,
            "seats": [int(seat) for seat in outcome.seats],
            "losers": [int(seat) for seat in outcome.losers],
            "entries": entries,
        }
    return {"end": "stopped", "step": outcome.step, "entries": entries}


def read_transcript(data: bytes) -> Transcript:
    """Read a transcript strictly: spelling, order, chain of heads, signatures, and the hash of the last line.

    Raises:
        TranscriptRefused: naming the problem and the line.
    """
    if len(data) > MAX_TRANSCRIPT_BYTES:
        raise TranscriptRefused(TranscriptProblem.TOO_LONG, 0)
    if data.count(b"\n") > MAX_LINES:
        raise TranscriptRefused(TranscriptProblem.TOO_LONG, 0)
    lines = data.split(b"\n")
    terms, group = _read_header(lines[0])
    if lines.pop():
        raise TranscriptRefused(TranscriptProblem.CUT, len(lines) + 1)
    ended = len(lines) > 1 and lines[-1].startswith(b'{"end"')
    chain = _Chain(terms)
    inner = lines[1:-1] if ended else lines[1:]
    first_tail = next((at for at, line in enumerate(inner) if is_tail_line(line)), len(inner))
    if len(inner) - first_tail > MAX_TAIL_LINES:
        raise TranscriptRefused(TranscriptProblem.TOO_LONG, 2 + first_tail + MAX_TAIL_LINES)
    entries = [chain.take(number, line) for number, line in enumerate(inner[:first_tail], start=2)]
    tail = [
        _read_tail(terms, number, line)
        for number, line in enumerate(inner[first_tail:], start=2 + first_tail)
    ]
    # The hash of the last line comes last, so that a change is named where it is, if the line itself shows
    # it.
    end = _read_end(lines, data) if ended else None
    votes = tuple(line for line in tail if isinstance(line.signed, Vote))
    openings = tuple(line for line in tail if isinstance(line.signed, Opening))
    return Transcript(terms, group, tuple(entries), votes, openings, end)


def _read_tail(terms: DealTerms, number: int, line: bytes) -> TailLine:
    """One line behind the entries."""
    try:
        signed, accused = parse_tail(_plain(line, number, MAX_TAIL_LINE_BYTES))
        spelt = spell(tail_line(signed, accused=accused))
    except SPELLING_ERRORS as error:
        raise TranscriptRefused(TranscriptProblem.NOT_CANONICAL, number) from error
    if spelt != line + b"\n":
        raise TranscriptRefused(TranscriptProblem.NOT_CANONICAL, number)
    try:
        check_tail(terms, signed)
    except MalformedMessage as error:
        raise TranscriptRefused(TranscriptProblem.SIGNATURE, number) from error
    return TailLine(number, signed, accused)


class _Chain:
    """Follows the heads from line to line."""

    def __init__(self, terms: DealTerms) -> None:
        self._keys = terms.keys
        self._table_id = terms.table.table_id
        self._deal = terms.deal
        self._head = terms.first_head
        self._step = 0
        self._entries: tuple[bytes, ...] = ()
        self._last = (-1, -1)
        self._accused = 0

    def take(self, number: int, line: bytes) -> TranscriptLine:
        try:
            entry, signature, cards, accused = parse_entry(_plain(line, number), self._table_id, self._deal)
            spelt = spell(entry_line(entry, signature, cards, accused))
        except SPELLING_ERRORS as error:
            raise TranscriptRefused(TranscriptProblem.NOT_CANONICAL, number) from error
        if spelt != line + b"\n":
            raise TranscriptRefused(TranscriptProblem.NOT_CANONICAL, number)
        if accused:
            self._accused += 1
            if cards is not None:
                raise TranscriptRefused(TranscriptProblem.NOT_CANONICAL, number)
            if self._accused > MAX_ACCUSED:
                raise TranscriptRefused(TranscriptProblem.WRONG_ORDER, number)
        else:
            self._follow(number, entry)
        signed = SignedEntry(entry.encode(), signature)
        if entry.seat >= len(self._keys):
            raise TranscriptRefused(TranscriptProblem.SIGNATURE, number)
        try:
            check_signature(self._keys[entry.seat], signed)
        except MalformedMessage as error:
            raise TranscriptRefused(TranscriptProblem.SIGNATURE, number) from error
        return TranscriptLine(number, entry, signed, cards, accused)

    def _follow(self, number: int, entry: Entry) -> None:
        if entry.step == self._step + 1:
            self._head = next_head(self._head, self._entries)
            self._step, self._entries = entry.step, ()
        place = (entry.step, entry.seat)
        if self._accused or entry.step != self._step or place <= self._last or entry.previous != self._head:
            raise TranscriptRefused(TranscriptProblem.WRONG_ORDER, number)
        self._last = place
        self._entries = (*self._entries, entry.encode())


def _read_header(line: bytes) -> tuple[DealTerms, str]:
    try:
        plain = _plain(line, 1)
    except TranscriptRefused as error:
        raise TranscriptRefused(TranscriptProblem.NOT_A_TRANSCRIPT, 1) from error
    version = plain.get("version")
    if plain.get("verish") != FORMAT or type(version) is not int or version < 1:
        raise TranscriptRefused(TranscriptProblem.NOT_A_TRANSCRIPT, 1)
    if version > FORMAT_VERSION:
        raise TranscriptRefused(TranscriptProblem.NEWER_VERSION, 1, str(version))
    protocol = plain.get("protocol")
    if type(protocol) is int and protocol > VERSION:
        # The format of old, the protocol of a newer program: what its entries mean is not known here.
        raise TranscriptRefused(TranscriptProblem.NEWER_VERSION, 1, f"{version}.{protocol}")
    try:
        terms, group = parse_header(plain)
        spelt = spell(header_line(terms, group))
    except (*SPELLING_ERRORS, ProposalRefused) as error:
        raise TranscriptRefused(TranscriptProblem.NOT_CANONICAL, 1) from error
    if spelt != line + b"\n":
        raise TranscriptRefused(TranscriptProblem.NOT_CANONICAL, 1)
    try:
        terms.verify()
    except (MalformedMessage, ProposalRefused) as error:
        raise TranscriptRefused(TranscriptProblem.PROPOSAL, 1) from error
    return terms, group


def _read_end(lines: list[bytes], data: bytes) -> dict[str, Any]:
    number, line = len(lines), lines[-1]
    plain = _plain(line, number)
    before = data[: -len(line) - 1]
    seal = plain.pop("hash", None)
    flat = [one for value in plain.values() for one in (value if isinstance(value, list) else [value])]
    if any(isinstance(one, list | dict) for one in flat):
        # Nothing in an end is nested; spelling what is could go deeper than the interpreter does.
        raise TranscriptRefused(TranscriptProblem.NOT_CANONICAL, number)
    try:
        spelt = spell({**plain, "hash": seal})
    except SPELLING_ERRORS as error:
        raise TranscriptRefused(TranscriptProblem.NOT_CANONICAL, number) from error
    if spelt != line + b"\n":
        raise TranscriptRefused(TranscriptProblem.NOT_CANONICAL, number)
    if seal != seal_of(before, plain) or plain.get("entries") != len(lines) - 2:
        raise TranscriptRefused(TranscriptProblem.END, number)
    return plain


def seal_of(before: bytes, end: dict[str, Any]) -> str:
    """The hash of the last line, in hex: over every byte `before` it and its other fields."""
    return hash_parts("transcript", before, spell(end)).hex()


def _plain(line: bytes, number: int, longest: int = MAX_LINE_BYTES) -> dict[str, Any]:
    """One line as a plain mapping."""
    if len(line) > longest:
        raise TranscriptRefused(TranscriptProblem.TOO_LONG, number)
    try:
        plain = json.loads(line.decode("ascii"), parse_constant=_refuse)
    except (ValueError, RecursionError) as error:
        raise TranscriptRefused(TranscriptProblem.NOT_CANONICAL, number) from error
    if not isinstance(plain, dict):
        raise TranscriptRefused(TranscriptProblem.NOT_CANONICAL, number)
    return plain


def _refuse(constant: str) -> Iterable[str]:
    raise ValueError(constant)
