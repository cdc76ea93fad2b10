"""The proposal that every member signs before a table exists. Its hash is the table's id.

It holds a fresh nonce of every member, so no one can prepare a table whose id was used before, and nothing
signed at one table means anything at another.
"""

from functools import lru_cache
from typing import Annotated, Literal

from msgspec import Meta, Struct, msgpack

import engine
from crypto import Identity, InvalidSignature, verify_signature
from p2p.protocol.carried import UncarriedRulesError, check_carried
from p2p.protocol.entry import MAX_SEATS
from p2p.protocol.errors import ProposalProblem, ProposalRefused
from p2p.protocol.follows import Follows
from p2p.protocol.hashing import VERSION, hash_parts
from p2p.protocol.table_rules import USUAL, TableRules, TableRulesError
from p2p.protocol.wire import Key32, Signature64, decode, encode

MAX_NAME = 64
"""Characters in a name or title. The lobby cuts shorter; this bounds what a signed proposal can hold."""

MAX_OPTIONS = 64
"""Options in a ruleset: twice what the rules have."""

MAX_PROPOSAL_BYTES = 16 * 1024
"""Twelve members with names of 64 four-byte characters take under 5 KB, the rules under 5 KB more."""

PROPOSALS_REMEMBERED = 8
"""Of how many it is remembered what was decoded and verified: a table asks for its own at every event."""

SIGNATURE_LABEL = b"proposal"

Nonce32 = Annotated[bytes, Meta(min_length=32, max_length=32)]
OfferId = Annotated[bytes, Meta(min_length=16, max_length=16)]
Word = Annotated[str, Meta(min_length=1, max_length=32)]
Name = Annotated[str, Meta(max_length=MAX_NAME)]
OptionValue = Word | Annotated[int, Meta(ge=0, le=1000)]


class Member(Struct, frozen=True, array_like=True, forbid_unknown_fields=True):
    """One member: identity key, fresh nonce, and a name, which is decoration."""

    key: Key32
    nonce: Nonce32
    name: Name


class Proposal(Struct, frozen=True, array_like=True, forbid_unknown_fields=True):
    """What a table is: its rules and its members, whose places in `members` are their seats.

    `options` are the ruleset's `(option, value)` pairs, ascending by option. `follows`: the table that this
    one goes on from, if its members have changed the company between two deals. `needs_code`: only who knows
    a code gets a seat, also where the table is opened again.
    """

    label: Literal["verish table"]
    version: Annotated[int, Meta(ge=1, le=1_000_000)]
    offer_id: OfferId
    title: Name
    options: Annotated[tuple[tuple[Word, OptionValue], ...], Meta(max_length=MAX_OPTIONS)]
    table_rules: TableRules
    members: Annotated[tuple[Member, ...], Meta(min_length=2, max_length=MAX_SEATS)]
    follows: Follows | None
    needs_code: bool

    @classmethod
    def make(
        cls,
        offer_id: bytes,
        title: str,
        ruleset: engine.Ruleset,
        members: tuple[Member, ...],
        table_rules: TableRules = USUAL,
        follows: Follows | None = None,
        needs_code: bool = False,
    ) -> "Proposal":
        """A proposal of this protocol version for `ruleset` and `members` in the order of their seats."""
        options = tuple(sorted(ruleset.to_mapping().items()))
        return cls(
            "verish table", VERSION, offer_id, title, options, table_rules, members, follows, needs_code
        )

    def encode(self) -> bytes:
        """The one encoding: the bytes that are signed, and hashed to the table's id."""
        return encode(self)

    @property
    def table_id(self) -> bytes:
        """The table's id: 32 bytes."""
        return table_id(self.encode())

    @property
    def ruleset(self) -> engine.Ruleset:
        """The rules, resolved for this number of members.

        Raises:
            ProposalRefused: if they are unknown or do not fit together.
        """
        return self.ruleset_for(len(self.members))

    def ruleset_for(self, players: int) -> engine.Ruleset:
        """The rules of a deal that so many of the members play.

        Automatic packs are those for so many. Where their hands would leave no stock in them, they are those
        of the whole table.

        Raises:
            ProposalRefused: if the rules are unknown or do not fit together.
        """
        try:
            rules = engine.Ruleset.from_mapping(dict(self.options))
            whole = rules.resolve(len(self.members))
        except engine.RulesetError as error:
            raise ProposalRefused(ProposalProblem.RULES) from error
        try:
            return rules.resolve(players)
        except engine.RulesetError:
            return whole

    @property
    def company_sizes(self) -> tuple[int, ...]:
        """How many can play by these rules, ascending."""
        rules = engine.Ruleset.from_mapping(dict(self.options))
        return tuple(count for count in range(2, MAX_SEATS + 1) if _plays(rules, count))

    def check(self) -> None:
        """Check everything but signatures.

        Raises:
            ProposalRefused: naming the problem.
        """
        if len({member.key for member in self.members}) < len(self.members):
            raise ProposalRefused(ProposalProblem.SAME_KEY)
        if len({member.nonce for member in self.members}) < len(self.members):
            raise ProposalRefused(ProposalProblem.SAME_NONCE)
        if self.follows is not None and not self._goes_on(self.follows):
            raise ProposalRefused(ProposalProblem.FOLLOWS)
        names = [option for option, _ in self.options]
        if self.version != VERSION or names != sorted(set(names)):
            raise ProposalRefused(ProposalProblem.RULES)
        try:
            check_carried(self.ruleset)
            self.table_rules.check_dealer(self.ruleset)
        except UncarriedRulesError as error:
            raise ProposalRefused(ProposalProblem.NOT_CARRIED) from error
        except TableRulesError as error:
            raise ProposalRefused(ProposalProblem.RULES) from error

    def _goes_on(self, follows: Follows) -> bool:
        """Whether somebody here sat at the table before, and nobody is counted twice."""
        return follows.is_sound and any(member.key in follows.keys for member in self.members)

    def seat_of(self, key: bytes) -> int | None:
        """The seat of an identity key, or None."""
        for seat, member in enumerate(self.members):
            if member.key == key:
                return seat
        return None


class SignedProposal(Struct, frozen=True, array_like=True, forbid_unknown_fields=True):
    """A proposal's exact bytes with one signature a member, in the order of seats: a table."""

    proposal: Annotated[bytes, Meta(max_length=MAX_PROPOSAL_BYTES)]
    signatures: Annotated[tuple[Signature64, ...], Meta(min_length=2, max_length=MAX_SEATS)]

    def open(self) -> Proposal:
        """The proposal, its signatures *not* yet checked.

        Raises:
            MalformedMessage: if the bytes are not the one encoding of a proposal.
        """
        return decode_proposal(self.proposal)

    def verify(self) -> Proposal:
        """Check everything: encoding, members, rules, and every member's signature.

        Raises:
            MalformedMessage, ProposalRefused: naming what is wrong.
        """
        return _verified(self)


@lru_cache(maxsize=PROPOSALS_REMEMBERED)
def _verified(signed: SignedProposal) -> Proposal:
    proposal = signed.open()
    proposal.check()
    if len(signed.signatures) != len(proposal.members):
        raise ProposalRefused(ProposalProblem.SIGNATURES)
    for seat, signature in enumerate(signed.signatures):
        verify_proposal_signature(signed.proposal, seat, signature)
    return proposal


def _plays(rules: engine.Ruleset, players: int) -> bool:
    try:
        rules.resolve(players)
    except engine.RulesetError:
        return False
    return True


_PROPOSALS = msgpack.Decoder(Proposal)


def table_id(proposal: bytes) -> bytes:
    """The id of the table that a proposal, as exact bytes, becomes: 32 bytes."""
    return hash_parts("table", proposal)


@lru_cache(maxsize=PROPOSALS_REMEMBERED)
def decode_proposal(data: bytes) -> Proposal:
    """Decode a proposal strictly; its content is not checked (see `Proposal.check`).

    Raises:
        MalformedMessage: if the bytes are not the one encoding of a proposal.
    """
    return decode(_PROPOSALS, data, MAX_PROPOSAL_BYTES)


def sign_proposal(identity: Identity, proposal: bytes) -> bytes:
    """This member's signature (64 bytes) on a proposal's exact bytes."""
    return identity.sign(SIGNATURE_LABEL, proposal)


def verify_proposal_signature(proposal: bytes, seat: int, signature: bytes) -> None:
    """Check one member's signature on a proposal's exact bytes.

    Raises:
        MalformedMessage: if the bytes are no proposal.
        ProposalRefused: if the seat does not exist or the signature is not its member's.
    """
    members = decode_proposal(proposal).members
    if not 0 <= seat < len(members):
        raise ProposalRefused(ProposalProblem.SIGNATURES, seat)
    try:
        verify_signature(members[seat].key, SIGNATURE_LABEL, proposal, signature)
    except InvalidSignature as error:
        raise ProposalRefused(ProposalProblem.SIGNATURES, seat) from error
