"""The table in a journal that can be taken up again: found, read out, and shown to whoever decides.

One deal of it, ended or not, can be read out to be watched again.

A table can be taken up while its last deal is unfinished, or between two deals, if the person has not left
it: then the process was killed there. Only the latest such table counts, unless an older one is asked for.
"""

from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final, TypeVar

from msgspec import msgpack

from p2p.errors import LocalError, LocalReason
from p2p.net.outbox import SECRETS_NAME
from p2p.net.store import JournalDeal, Store
from p2p.net.store_schema import StoreDamagedError, connect_to_read
from p2p.protocol.archive import DEALS_KEPT
from p2p.protocol.ballot import MAX_BALLOT_BYTES, SignedBallot, SignedLeave
from p2p.protocol.deal_terms import DealTerms, decode_terms
from p2p.protocol.entry import MAX_ENTRY_BYTES, SignedEntry
from p2p.protocol.errors import MalformedMessage, ProposalRefused
from p2p.protocol.names import distinct_names
from p2p.protocol.resumed import ResumedDeal, ResumedTable, readable_ballots, readable_entries
from p2p.protocol.succession import Succession
from p2p.protocol.text import clean_title
from p2p.protocol.wire import decode

MAX_SIGNED_BYTES: Final = MAX_ENTRY_BYTES + 1024
"""One entry with its signature and framing."""
MAX_EVIDENCE_BYTES: Final = 12 * MAX_SIGNED_BYTES
"""A breach takes one entry, or one of every seat; a fork two, or two ballots."""
MAX_VOTE_BYTES: Final = MAX_BALLOT_BYTES + 1024
"""One ballot or leave with its signature and framing."""

_SIGNED = msgpack.Decoder(SignedEntry)
_BALLOT = msgpack.Decoder(SignedBallot)
_LEAVE = msgpack.Decoder(SignedLeave)
_ACCUSED: msgpack.Decoder[tuple[SignedEntry, ...]] = msgpack.Decoder(tuple[SignedEntry, ...])
_ACCUSED_BALLOTS: msgpack.Decoder[tuple[SignedBallot, ...]] = msgpack.Decoder(tuple[SignedBallot, ...])

_Read = TypeVar("_Read")


@dataclass(frozen=True, slots=True)
class Wanted:
    """Which table is looked for. title: only one of this title. older: also one that was played before the
    latest.
    """

    title: str | None = None
    older: bool = False


@dataclass(frozen=True, slots=True)
class UnfinishedTable:
    """A table that can be taken up. names: of the other members, cleaned. deal: the last one's number.
    between: that deal is over, and the next has not begun. members: keys of the others.
    """

    table_id: bytes
    title: str
    names: tuple[str, ...]
    deal: int
    between: bool
    members: tuple[bytes, ...]
    resumed: ResumedTable = field(repr=False)


def find_unfinished(store: Store, own_key: bytes, wanted: Wanted) -> UnfinishedTable | None:
    """Return the table to take up, read from the journal, or None. Raises: LocalError."""
    for records in _candidates(store, wanted):
        resumed = _read(store, records)
        if resumed is None:
            continue
        proposal = resumed.last.terms.table
        title = clean_title(proposal.title)
        if proposal.seat_of(own_key) is None or (wanted.title is not None and title != wanted.title):
            continue
        names = distinct_names({member.key: member.name for member in proposal.members})
        others = tuple(member.key for member in proposal.members if member.key != own_key)
        return UnfinishedTable(
            table_id=proposal.table_id,
            title=title,
            names=tuple(names[key] for key in others),
            deal=resumed.last.terms.deal,
            between=resumed.last.closed,
            members=others,
            resumed=resumed,
        )
    return None


def read_left(store: Store) -> dict[bytes, SignedLeave | None]:
    """What the own person has signed to leave tables, by their ids; None where nothing can be read.

    Raises: LocalError.
    """
    left: dict[bytes, SignedLeave | None] = {}
    for table_id, data in store.left_tables().items():
        read = _readable(_LEAVE, () if data is None else (data,), MAX_VOTE_BYTES)
        left[table_id] = read[0] if read else None
    return left


def has_unfinished(path: Path, wanted: Wanted) -> bool:
    """Whether the store at `path` holds a table to take up. A store that cannot be read holds none."""
    try:
        store = Store(path, connect_to_read(path))
    except (LocalError, StoreDamagedError):
        return False
    try:
        return any(_fits(store, records, wanted) for records in _candidates(store, wanted))
    except LocalError:
        return False
    finally:
        store.close()


def read_deal(path: Path, table_id: bytes, number: int) -> ResumedDeal | None:
    """Read one deal out of the store at `path`, to be watched again; None if it is not there, or is older
    than what is needed for that.

    Raises: LocalError (newer-version, unreadable, store-damaged).
    """
    try:
        store = Store(path, connect_to_read(path))
    except StoreDamagedError as damage:
        raise LocalError(LocalReason.STORE_DAMAGED, str(path), str(damage)) from damage
    try:
        for record in store.deals():
            if (record.table_id, record.number) == (table_id, number):
                terms = _terms(store, record)
                return None if terms is None else _read_deal(store, record, terms)
    finally:
        store.close()
    return None


def _fits(store: Store, records: list[JournalDeal], wanted: Wanted) -> bool:
    terms = _terms(store, records[-1])
    return terms is not None and wanted.title in (None, clean_title(terms.table.title))


def _candidates(store: Store, wanted: Wanted) -> Iterator[list[JournalDeal]]:
    """The deals of each table that can be taken up, the latest table first."""
    tables: dict[bytes, list[JournalDeal]] = {}
    for record in store.deals():
        tables.setdefault(record.table_id, []).append(record)
    left, latest = store.left_tables(), store.latest_table()
    # Clocks jump: which table was the last one does not hang on them.
    latest_first = sorted(
        tables.values(),
        key=lambda deals: (deals[0].table_id == latest, max(deal.started for deal in deals)),
        reverse=True,
    )
    for deals in latest_first if wanted.older else latest_first[:1]:
        deals.sort(key=lambda record: record.number)
        if deals[-1].table_id not in left:
            yield deals


def _read(store: Store, records: list[JournalDeal]) -> ResumedTable | None:
    """Read the latest deals of a table; None if nobody could go on with what is there."""
    deals: list[ResumedDeal] = []
    for record in reversed(records[-DEALS_KEPT:]):
        terms = _terms(store, record)
        if terms is None or (deals and terms.deal != deals[0].terms.deal - 1):
            break
        deals.insert(0, _read_deal(store, record, terms))
    if not deals:
        return None
    resumed = ResumedTable(tuple(deals), store.notes(records[0].table_id))
    return resumed if _counts(resumed) else None


def _counts(resumed: ResumedTable) -> bool:
    """Whether the notes of all closed deals are there: without one this peer would count otherwise than the
    others, and find no next deal with them.
    """
    succession = Succession(resumed.last.terms.table)
    try:
        for number, note in resumed.notes:
            succession.recall(number, note)
    except MalformedMessage:
        return False
    closed = resumed.last.terms.deal - (not resumed.last.closed)
    return [number for number, _ in resumed.notes] == list(range(1, closed + 1))


def _read_deal(store: Store, record: JournalDeal, terms: DealTerms) -> ResumedDeal:
    place = (record.table_id, record.number)
    # What cannot be read others have too, or the deal finds out that an own entry or ballot is missing.
    entries = _readable(_SIGNED, (entry.signed for entry in store.entries(*place)), MAX_SIGNED_BYTES)
    ballots = _readable(_BALLOT, store.ballots(*place), MAX_VOTE_BYTES)
    evidence = store.evidence(*place)
    if evidence is not None:
        # It is two ballots or some entries; either reads as the other, and is no such thing when opened.
        for accused in _readable(_ACCUSED, [evidence], MAX_EVIDENCE_BYTES):
            entries.extend(accused)
        for told in _readable(_ACCUSED_BALLOTS, [evidence], MAX_EVIDENCE_BYTES):
            ballots.extend(told)
    return ResumedDeal(
        terms,
        readable_entries(terms, entries),
        store.secrets(*place).get(SECRETS_NAME),
        closed=record.ended is not None,
        stopped=record.outcome == "stopped",
        ballots=readable_ballots(terms, ballots),
        leaves=tuple(_readable(_LEAVE, store.leaves(*place), MAX_VOTE_BYTES)),
    )


def _readable(decoder: msgpack.Decoder[_Read], stored: Iterable[bytes], limit: int) -> list[_Read]:
    """What of it can be decoded."""
    found: list[_Read] = []
    for data in stored:
        with suppress(MalformedMessage):
            found.append(decode(decoder, data, limit))
    return found


def _terms(store: Store, record: JournalDeal) -> DealTerms | None:
    """The terms of a deal; None where they are not there, do not hold, or are those of another deal."""
    encoded = store.terms(record.table_id, record.number)
    try:
        if encoded is None:
            return None
        terms = decode_terms(encoded)
        terms.verify()
    except (MalformedMessage, ProposalRefused):
        return None
    place = (terms.table.table_id, terms.deal)
    return terms if place == (record.table_id, record.number) else None
