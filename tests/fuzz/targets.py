"""Everything that reads bytes from outside, and what it may raise: the list that fuzzing goes through.

A target reads one input. Whatever is not among its documented errors is a bug, for these functions stand
where strangers, files and the own person come in. Each has good samples (`corpus`), which must pass.
"""

import sys
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, Final

sys.path.insert(0, str(Path(__file__).parents[1] / "helpers"))

import msgspec
from deal_players import seeded_draw
from tiny_group import quick_group

from crypto import DecodingError, Identity, Ristretto255, answer_password, decode_deck
from engine import NotationError, Ruleset, RulesetError
from engine.notation import move_from_text, state_from_text
from engine.positions import _problem
from p2p.errors import LocalError
from p2p.net.discovery_record import fingerprint_of, read_addresses, read_hints
from p2p.net.hello import Hello, HelloError, Role
from p2p.net.history import read_history
from p2p.net.interfaces import parse_address
from p2p.net.link_errors import BadAddress
from p2p.net.link_frames import FRAME_LIMIT, FrameError, FrameReader
from p2p.net.store import open_store
from p2p.protocol.audit import audit
from p2p.protocol.ballot import SignedBallot, SignedLeave
from p2p.protocol.deal_own import DealSecrets
from p2p.protocol.deal_terms import decode_terms
from p2p.protocol.entry import SignedEntry, decode_entry
from p2p.protocol.errors import MalformedMessage, ProposalRefused, TranscriptRefused
from p2p.protocol.evidence import decode_evidence
from p2p.protocol.messages import JunkError, decode
from p2p.protocol.names import distinct_names, name_warnings
from p2p.protocol.proposal import SignedProposal, decode_proposal
from p2p.protocol.table_code import CodeError, own_code
from p2p.protocol.text import (
    NAME_BYTES,
    NAME_CHARACTERS,
    TextError,
    clean_name,
    clean_talk,
    clean_title,
    own_name,
    own_title,
    skeleton,
)
from p2p.protocol.transcript import read_transcript
from p2p.protocol.wire import decode as decode_strictly
from tests.fuzz.mutate import Shape

CORPUS: Final = Path(__file__).parent / "corpus"
CERTIFICATE: Final = bytes(32)


@dataclass(frozen=True, slots=True)
class Target:
    """One reader.

    read: takes the bytes. errors: what it may raise. budget_ms: how long one input may take at most, where
    that is promised (decoding of a message). factor: bytes of memory a byte of input may cost, beside
    `MEMORY_FLOOR`; 0 where memory is not measured. corpus: whose samples, if not its own.
    """

    name: str
    shape: Shape
    read: Callable[[bytes], object]
    errors: tuple[type[Exception], ...] = ()
    budget_ms: float | None = None
    factor: int = 0
    corpus: str = ""

    def takes(self, data: bytes) -> bool:
        """Read an input; whether it was accepted. Raises: whatever is not documented."""
        try:
            self.read(data)
        except self.errors:
            return False
        return True

    @property
    def samples(self) -> tuple[bytes, ...]:
        """The good inputs, and those that once broke something."""
        return _samples(self.corpus or self.name)


@cache
def _samples(name: str) -> tuple[bytes, ...]:
    return tuple(file.read_bytes() for file in sorted((CORPUS / name).iterdir()))


def _hello(role: Role, prepared: bool) -> Callable[[bytes], object]:
    """A hello that reads its first message, or, as a server, the one behind a good opening."""

    def read(data: bytes) -> object:
        hello = Hello(role, Identity(b"\1" * 32), b"i" * 16, b"n" * 32)
        if prepared:
            opening = Hello(Role.CLIENT, Identity(b"\2" * 32), b"j" * 16, b"m" * 32).start()[0]
            hello.receive(opening, CERTIFICATE)
        return hello.receive(data, CERTIFICATE)

    return read


def _frames(data: bytes) -> object:
    """A stream in pieces of the sizes that its own first bytes say."""
    reader = FrameReader()
    at, messages = 0, []
    while at < len(data):
        size = 1 + data[at] * 8
        reader.feed(data[at : at + size])
        at += size
        while (message := reader.next_message()) is not None:
            messages.append(len(message))
    assert all(1 <= size <= FRAME_LIMIT for size in messages)
    return messages


def _proposal(data: bytes) -> object:
    proposal = decode_proposal(data)
    proposal.check()
    return proposal.ruleset


_SIGNED_PROPOSALS: Final = msgspec.msgpack.Decoder(SignedProposal)
_SIGNED_ENTRIES: Final = msgspec.msgpack.Decoder(SignedEntry)


def _terms(data: bytes) -> object:
    return decode_terms(data).verify()


def _evidence(data: bytes) -> object:
    return decode_evidence(data)


def _audit(data: bytes) -> object:
    """The auditor says of everything what is wrong with it."""
    report = audit(data, seeded_draw("the auditor"), quick_group())
    if not report.ok:
        raise TranscriptRefusedByAuditError
    return report


class TranscriptRefusedByAuditError(Exception):
    """The report names a fault: a refusal, as of any other reader."""


def _store(data: bytes) -> object:
    """A store's file: opened, read through, written to, and read by `verish stats` beside it."""
    with tempfile.TemporaryDirectory(prefix="verish-fuzz-") as folder:
        path = Path(folder) / "profile.sqlite"
        path.write_bytes(data)
        read_history(path)
        store, notice = open_store(path)
        try:
            if notice is not None:
                assert notice.moved_to.read_bytes() == data, "a damaged store is kept untouched"
                raise StoreSetAsideError
            assert len(store.private_key()) == 32
            store.known_peers()
            for deal in store.deals():
                store.terms(deal.table_id, deal.number)
                store.entries(deal.table_id, deal.number)
                store.secrets(deal.table_id, deal.number)
            store.remember_peers([(b"k" * 32, "Vera", None)], 1.0)
        finally:
            store.close()
    return None


class StoreSetAsideError(Exception):
    """The store was damaged, kept, and a new one begun: the documented answer."""


def _secrets(data: bytes) -> object:
    return DealSecrets.decode(Ristretto255(), data)


def _hints(data: bytes) -> object:
    """A TXT record as zeroconf hands it over, and the name and addresses beside it."""
    properties: dict[bytes, bytes | None] = {}
    at = 0
    while at < len(data):
        item = data[at + 1 : at + 1 + data[at]]
        key, equals, value = item.partition(b"=")
        properties[key] = value if equals else None
        at += 1 + data[at]
    hints = read_hints(properties)
    assert all(len(text.encode()) <= 60 for text in (hints.name, hints.table, hints.state))
    text = data.decode("utf-8", "replace")
    found = read_addresses(text.split("\n"), 52417)
    assert len(found) <= 32
    fingerprint_of(text)
    return hints


def _names(data: bytes) -> object:
    """A name from somebody: cleaned, told apart, compared with others; nothing of it is refused."""
    text = data.decode("utf-8", "replace")
    name = clean_name(text)
    assert len(name) <= NAME_CHARACTERS
    assert len(name.encode()) <= NAME_BYTES
    assert clean_name(name) == name
    title = clean_title(text)
    assert clean_title(title) == title
    said = clean_talk(text)
    assert clean_talk(said) == said
    skeleton(name)
    shown = distinct_names({b"a" * 32: text, b"b" * 32: text, b"c" * 32: name})
    assert len({one.casefold() for one in shown.values()}) == 3
    name_warnings(b"a" * 32, "Vera", {b"b" * 32: text}, {b"c" * 32: "Anna"})
    return name


def _own_texts(data: bytes) -> object:
    text = data.decode("utf-8", "replace")
    return own_name(text), own_title(text)


def _own_code(data: bytes) -> object:
    return own_code(data.decode("utf-8", "replace")).password


def _address(data: bytes) -> object:
    return parse_address(data.decode("utf-8", "replace"))


def _position(data: bytes) -> object:
    """A worked position, as `python -m engine.positions` takes it from a file."""
    with tempfile.TemporaryDirectory(prefix="verish-fuzz-") as folder:
        path = Path(folder) / "position.json"
        path.write_bytes(data)
        if (problem := _problem(path)) is not None:
            raise PositionRefusedError(problem)
    return None


class PositionRefusedError(Exception):
    """The position does not hold, or is none."""


def _rules(data: bytes) -> object:
    """Options as they come in a proposal or an offer."""
    options = msgspec.msgpack.decode(data, type=dict[str, str | int])
    rules = Ruleset.from_mapping(options)
    return [_resolved(rules, players) for players in range(2, 13)]


def _resolved(rules: Ruleset, players: int) -> Ruleset | None:
    try:
        return rules.resolve(players)
    except RulesetError:
        return None


def _move(data: bytes) -> object:
    return move_from_text(data.decode("utf-8", "replace"))


def _state(data: bytes) -> object:
    return state_from_text(data.decode("utf-8", "replace"))


def _deck(data: bytes) -> object:
    return decode_deck(Ristretto255(), data, 52)


def _element(data: bytes) -> object:
    return answer_password(b"p" * 32, b"a", b"b", b"s" * 32, data)


def _wire(decoder: Any, limit: int) -> Callable[[bytes], object]:
    return lambda data: decode_strictly(decoder, data, limit).open()


BUDGET_MS: Final = 2.0
"""Decoding of one message, before any signature, proof or code is checked."""
MEMORY_FLOOR: Final = 64 * 1024
"""What reading the smallest input may take: tables of the interpreter, an exception with its trace."""
FACTOR: Final = 24
"""An element of an array takes one byte at least, and then 8 bytes of a tuple and some of an object; decoding
and encoding again for comparison add twice the input.
"""


def _ballot(data: bytes) -> object:
    return SignedBallot(data, bytes(64)).open()


def _leave(data: bytes) -> object:
    return SignedLeave(data, bytes(64)).open()


TARGETS: Final = (
    Target("hello-client", Shape.PACKED, _hello(Role.CLIENT, False), (HelloError,), BUDGET_MS, FACTOR),
    Target("hello-server", Shape.PACKED, _hello(Role.SERVER, False), (HelloError,), BUDGET_MS, FACTOR),
    Target("hello-proof", Shape.PACKED, _hello(Role.SERVER, True), (HelloError,), None, FACTOR),
    Target("frames", Shape.BYTES, _frames, (FrameError,), None, FACTOR),
    Target("messages", Shape.PACKED, decode, (JunkError,), BUDGET_MS, FACTOR),
    Target("entries", Shape.PACKED, decode_entry, (MalformedMessage,), BUDGET_MS, FACTOR),
    Target("ballots", Shape.PACKED, _ballot, (MalformedMessage,), BUDGET_MS, FACTOR),
    Target("leaves", Shape.PACKED, _leave, (MalformedMessage,), BUDGET_MS, FACTOR),
    Target(
        "signed-entries", Shape.PACKED, _wire(_SIGNED_ENTRIES, 20_000), (MalformedMessage,), BUDGET_MS, FACTOR
    ),
    Target("proposals", Shape.PACKED, _proposal, (MalformedMessage, ProposalRefused), BUDGET_MS, FACTOR),
    Target(
        "signed-proposals",
        Shape.PACKED,
        _wire(_SIGNED_PROPOSALS, 20_000),
        (MalformedMessage,),
        BUDGET_MS,
        FACTOR,
    ),
    Target("terms", Shape.PACKED, _terms, (MalformedMessage, ProposalRefused), None, FACTOR),
    Target("evidence", Shape.PACKED, _evidence, (MalformedMessage,), None, FACTOR),
    Target("transcripts", Shape.LINES, read_transcript, (TranscriptRefused,), None, FACTOR),
    Target("audit", Shape.LINES, _audit, (TranscriptRefusedByAuditError,), corpus="transcripts"),
    Target("secrets", Shape.PACKED, _secrets, (MalformedMessage, DecodingError), None, FACTOR),
    Target("stores", Shape.DATABASE, _store, (LocalError, StoreSetAsideError)),
    Target("hints", Shape.BYTES, _hints, (), None, FACTOR),
    Target("names", Shape.TEXT, _names, (), None, FACTOR),
    Target("own-texts", Shape.TEXT, _own_texts, (TextError,), None, FACTOR),
    Target("codes", Shape.TEXT, _own_code, (CodeError,), None, FACTOR),
    Target("addresses", Shape.TEXT, _address, (BadAddress,), None, FACTOR),
    Target("positions", Shape.LINES, _position, (PositionRefusedError,)),
    Target("rules", Shape.PACKED, _rules, (msgspec.MsgspecError, RulesetError)),
    Target("moves", Shape.TEXT, _move, (NotationError,), None, FACTOR),
    Target("states", Shape.TEXT, _state, (NotationError,), None, FACTOR),
    Target("decks", Shape.BYTES, _deck, (DecodingError,)),
    Target("password-elements", Shape.BYTES, _element, (DecodingError,)),
)
