"""The lines of a transcript: how each is spelt, and back. Reading builds the very structs that are signed,
and so checks every field.
"""

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, get_args

import msgspec

from engine import NotationError, Rank
from p2p.protocol.deal_terms import DealTerms, Origin, Setup
from p2p.protocol.entry import Body, Entry, decode_entry
from p2p.protocol.errors import MalformedMessage
from p2p.protocol.follows import Carried, Follows
from p2p.protocol.proposal import Member, Proposal, SignedProposal, decode_proposal
from p2p.protocol.table_rules import TableRules

FORMAT = "transcript"
FORMAT_VERSION = 1

SPELLING_ERRORS = (
    KeyError,
    TypeError,
    ValueError,
    AttributeError,
    OverflowError,
    RecursionError,
    msgspec.MsgspecError,
    NotationError,
    MalformedMessage,
)
"""What reading a line with fields of the wrong kind, or with too many brackets, can raise."""


def spell(line: Mapping[str, Any]) -> bytes:
    """The one spelling of a line, with the newline at its end: ASCII, no spaces, keys in the order given."""
    text = json.dumps(line, ensure_ascii=True, separators=(",", ":"))
    # The one control character that JSON lets through; it can stand only inside a string.
    return text.replace("\x7f", "\\u007f").encode("ascii") + b"\n"


def header_line(terms: DealTerms, group: str) -> dict[str, Any]:
    """The first line: what the deal starts from. `group`: the name of the group its cards are hidden in."""
    proposal = terms.table
    setup = terms.setup
    return {
        "verish": FORMAT,
        "version": FORMAT_VERSION,
        "protocol": proposal.version,
        "group": group,
        "table": proposal.table_id.hex(),
        "title": proposal.title,
        "offer": proposal.offer_id.hex(),
        "rules": dict(proposal.options),
        "table_rules": proposal.table_rules.to_mapping(),
        "members": [
            {
                "seat": seat,
                "name": member.name,
                "key": member.key.hex(),
                "nonce": member.nonce.hex(),
                "signature": signature.hex(),
            }
            for seat, (member, signature) in enumerate(
                zip(proposal.members, terms.proposal.signatures, strict=True)
            )
        ],
        "follows": None if proposal.follows is None else _spell_follows(proposal.follows),
        "needs_code": proposal.needs_code,
        "deal": terms.deal,
        "origin": terms.origin.value,
        "before": terms.before.hex(),
        "players": list(terms.players),
        "order": None if setup is None else list(setup.order),
        "dealer": None if setup is None else setup.dealer,
    }


def _spell_follows(follows: Follows) -> dict[str, Any]:
    standings = [{"key": one.key.hex(), "losses": one.losses, "wins": one.wins} for one in follows.standings]
    return {"table": follows.table_id.hex(), "standings": standings}


def _parse_follows(plain: Mapping[str, Any]) -> Follows:
    standings = tuple(
        Carried(bytes.fromhex(one["key"]), one["losses"], one["wins"]) for one in plain["standings"]
    )
    return Follows(bytes.fromhex(plain["table"]), standings)


def parse_header(plain: Mapping[str, Any]) -> tuple[DealTerms, str]:
    """The terms and the group's name; any of `SPELLING_ERRORS` if a field is of the wrong kind."""
    members = tuple(
        Member(bytes.fromhex(one["key"]), bytes.fromhex(one["nonce"]), one["name"])
        for one in plain["members"]
    )
    proposal = Proposal(
        "verish table",
        plain["protocol"],
        bytes.fromhex(plain["offer"]),
        plain["title"],
        tuple(plain["rules"].items()),
        TableRules(**plain["table_rules"]),
        members,
        None if plain["follows"] is None else _parse_follows(plain["follows"]),
        plain["needs_code"],
    ).encode()
    decode_proposal(proposal)
    signatures = tuple(bytes.fromhex(one["signature"]) for one in plain["members"])
    setup = None if plain["order"] is None else Setup(tuple(plain["order"]), plain["dealer"])
    before = bytes.fromhex(plain["before"])
    terms = DealTerms(
        SignedProposal(proposal, signatures),
        plain["deal"],
        Origin(plain["origin"]),
        before,
        tuple(plain["players"]),
        setup,
    )
    group = plain["group"]
    # A struct made by hand is not checked; going through its encoding checks every type and bound.
    checked = msgspec.msgpack.decode(msgspec.msgpack.encode(terms), type=DealTerms)
    if not isinstance(group, str):
        raise TypeError(group)
    return checked, group


@dataclass(frozen=True, slots=True)
class _Spelling:
    write: Callable[[Any], Any]
    read: Callable[[Any], Any]


_HEX = _Spelling(lambda value: value.hex(), bytes.fromhex)
_SAME = _Spelling(lambda value: value, lambda value: value)

_FIELDS: Mapping[str, _Spelling] = {
    "commitment": _HEX,
    "public": _HEX,
    "proof": _HEX,
    "coin": _HEX,
    "blinding": _HEX,
    "deck": _HEX,
    "shares": _HEX,
    "slots": _Spelling(list, tuple),
    "rank": _Spelling(lambda value: str(Rank(value)), lambda text: int(Rank.parse(text))),
    "number": _SAME,
    "believe": _SAME,
    "index": _SAME,
    "out": _SAME,
}
"""How each field of a body is spelt: bytes as hex, ranks in the engine's notation, numbers and truth values
as they are.
"""

_BODIES: Mapping[str, type[Any]] = {body.kind.value: body for body in get_args(Body)}


def entry_line(
    entry: Entry, signature: bytes, cards: tuple[str, ...] | None, accused: bool
) -> dict[str, Any]:
    """The line of an entry. `cards`: the faces that it makes public, in the order of its slots; None if it
    opens none.
    """
    line: dict[str, Any] = {"step": entry.step, "seat": entry.seat, "kind": entry.kind.value}
    for name in entry.body.__struct_fields__:
        line[name] = _FIELDS[name].write(getattr(entry.body, name))
    if cards is not None:
        line["cards"] = list(cards)
    line["previous"] = entry.previous.hex()
    line["signature"] = signature.hex()
    if accused:
        line["accused"] = True
    return line


def parse_entry(
    plain: Mapping[str, Any], table_id: bytes, deal: int
) -> tuple[Entry, bytes, tuple[str, ...] | None, bool]:
    """The entry, its signature, the cards named and whether it is accused; any of `SPELLING_ERRORS` if a
    field is of the wrong kind.
    """
    body_type = _BODIES[plain["kind"]]
    values = {name: _FIELDS[name].read(plain[name]) for name in body_type.__struct_fields__}
    previous = bytes.fromhex(plain["previous"])
    made = Entry(table_id, deal, plain["step"], plain["seat"], previous, body_type(**values))
    # A struct made by hand is not checked; going through its encoding checks every type and bound.
    entry = decode_entry(made.encode())
    signature = bytes.fromhex(plain["signature"])
    if len(signature) != 64:
        raise ValueError("a signature has 64 bytes")
    cards = tuple(plain["cards"]) if "cards" in plain else None
    return entry, signature, cards, "accused" in plain
