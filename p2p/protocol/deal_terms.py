"""What a deal starts from: the table, the number of the deal, what it follows, who of the table plays it, and
the seating if it is known.

A *table seat* is a member's place in the proposal. Inside a deal a *seat* is a place in `players`, which may
be fewer: in entries, in the engine, in masks and in outcomes. Members who do not play verify the deal all the
same.

All of it is bound by the first previous head, which every entry of the deal builds on: whoever signs an
entry has signed the terms. So nobody can be judged by terms that he did not agree to.
"""

from enum import StrEnum
from typing import Annotated

from msgspec import Meta, Struct, msgpack

from engine import Seat
from p2p.protocol.entry import MAX_DEAL, MAX_SEATS, SeatNumber
from p2p.protocol.errors import ProposalProblem, ProposalRefused
from p2p.protocol.hashing import head_after_deal, head_after_void
from p2p.protocol.proposal import MAX_PROPOSAL_BYTES, Member, Proposal, SignedProposal
from p2p.protocol.wire import Hash32, decode, encode

MAX_TERMS_BYTES = MAX_PROPOSAL_BYTES + 2048
"""A proposal with twelve signatures takes most of it."""


class Origin(StrEnum):
    """What a deal follows."""

    TABLE = "table"
    """It is the first of its table; `before` is the table's id."""
    DEAL = "deal"
    """The deal before was played to its end; `before` is its final head."""
    VOID = "void"
    """The deal before was void; `before` is its *first* head, which no evidence can change."""


class Setup(Struct, frozen=True, array_like=True, forbid_unknown_fields=True):
    """The seats of the deal clockwise and its dealer, where the deals before determine them."""

    order: Annotated[tuple[SeatNumber, ...], Meta(min_length=2, max_length=MAX_SEATS)]
    dealer: SeatNumber


class DealTerms(Struct, frozen=True, array_like=True, forbid_unknown_fields=True):
    """The terms of one deal. `players`: the table seats that play it, ascending. Without `setup` the joint
    coins draw the seating and the dealer.
    """

    proposal: SignedProposal
    deal: Annotated[int, Meta(ge=1, le=MAX_DEAL)]
    origin: Origin
    before: Hash32
    players: Annotated[tuple[SeatNumber, ...], Meta(min_length=2, max_length=MAX_SEATS)]
    setup: Setup | None

    @classmethod
    def first(cls, proposal: SignedProposal) -> "DealTerms":
        """The terms of a table's first deal: everybody plays."""
        table = proposal.open()
        return cls(proposal, 1, Origin.TABLE, table.table_id, tuple(range(len(table.members))), None)

    def following(self, final_head: bytes, players: tuple[int, ...], setup: Setup | None) -> "DealTerms":
        """The terms of the deal after this one, which was finished with `final_head` (32 bytes).

        `players`: ascending table seats; `setup`: in seats of the new deal.
        """
        return DealTerms(self.proposal, self.deal + 1, Origin.DEAL, final_head, players, setup)

    def after_void(self, players: tuple[int, ...], setup: Setup | None) -> "DealTerms":
        """The terms of the deal after this one, which was void or stopped.

        `players`, `setup`: as in `following`. They must depend on no more of the void deal than who has lost
        it, since peers may have seen it break at different steps.
        """
        return DealTerms(self.proposal, self.deal + 1, Origin.VOID, self.first_head, players, setup)

    @property
    def first_head(self) -> bytes:
        """The previous head of the deal's first entries: 32 bytes."""
        setup = b"" if self.setup is None else encode(self.setup)
        if self.origin is Origin.DEAL:
            return head_after_deal(self.before, encode(self.players), setup)
        if self.origin is Origin.VOID:
            return head_after_void(self.before, encode(self.players), setup)
        return self.before

    @property
    def table(self) -> Proposal:
        """The table's proposal; nothing is verified here."""
        return self.proposal.open()

    @property
    def members(self) -> tuple[Member, ...]:
        """The members who play, by seat of the deal."""
        members = self.table.members
        return tuple(members[seat] for seat in self.players)

    @property
    def keys(self) -> tuple[bytes, ...]:
        """The identity keys (32 bytes each) of those who play, by seat of the deal."""
        return tuple(member.key for member in self.members)

    def seat_of(self, key: bytes) -> Seat | None:
        """The seat in the deal of a member with this identity key; None for whoever does not play it."""
        member = self.table.seat_of(key)
        return None if member is None else self.seat_of_member(member)

    def seat_of_member(self, member: int) -> Seat | None:
        """The seat in the deal of the member with this table seat; None for whoever does not play it."""
        return Seat(self.players.index(member)) if member in self.players else None

    def encode(self) -> bytes:
        """The one encoding of these terms: what a journal keeps of a deal beside its entries."""
        return encode(self)

    def verify(self) -> Proposal:
        """Check the signatures of the proposal and that these terms fit together.

        Raises:
            MalformedMessage, ProposalRefused: naming what is wrong.
        """
        proposal = self.proposal.verify()
        first = self.origin is Origin.TABLE
        if first != (self.deal == 1) or (first and self.before != proposal.table_id):
            raise ProposalRefused(ProposalProblem.TERMS)
        if not self._players_fit(len(proposal.members)) or not self._setup_fits():
            raise ProposalRefused(ProposalProblem.TERMS)
        return proposal

    def _players_fit(self, members: int) -> bool:
        if self.origin is Origin.TABLE:
            return self.players == tuple(range(members))
        return list(self.players) == sorted(set(self.players)) and self.players[-1] < members

    def _setup_fits(self) -> bool:
        if self.setup is None:
            return True
        if self.origin is Origin.TABLE or sorted(self.setup.order) != list(range(len(self.players))):
            return False
        return self.setup.dealer in self.setup.order


_TERMS = msgpack.Decoder(DealTerms)


def decode_terms(data: bytes) -> DealTerms:
    """Decode terms strictly; whether they hold is for `DealTerms.verify`.

    Raises:
        MalformedMessage: if the bytes are not the one encoding of terms.
    """
    return decode(_TERMS, data, MAX_TERMS_BYTES)
