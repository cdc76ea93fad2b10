"""What a deal starts from: the table, the number of the deal, what it follows, and the seating if it is
known.

All of it is bound by the first previous head, which every entry of the deal builds on: whoever signs an
entry has signed the terms. So nobody can be judged by terms that he did not agree to.
"""

from enum import StrEnum
from typing import Annotated

from msgspec import Meta, Struct

from engine import Seat
from p2p.protocol.entry import MAX_DEAL, MAX_SEATS, SeatNumber
from p2p.protocol.errors import ProposalProblem, ProposalRefused
from p2p.protocol.hashing import head_after_deal, head_after_void
from p2p.protocol.proposal import Proposal, SignedProposal
from p2p.protocol.wire import Hash32, encode


class Origin(StrEnum):
    """What a deal follows."""

    TABLE = "table"
    """It is the first of its table; `before` is the table's id."""
    DEAL = "deal"
    """The deal before was played to its end; `before` is its final head."""
    VOID = "void"
    """The deal before was void; `before` is its *first* head, which no evidence can change."""


class Setup(Struct, frozen=True, array_like=True, forbid_unknown_fields=True):
    """The seats clockwise and the dealer, where the deal before determines them."""

    order: Annotated[tuple[SeatNumber, ...], Meta(min_length=2, max_length=MAX_SEATS)]
    dealer: SeatNumber


class DealTerms(Struct, frozen=True, array_like=True, forbid_unknown_fields=True):
    """The terms of one deal. Without `setup` the joint coins draw the seating and the dealer."""

    proposal: SignedProposal
    deal: Annotated[int, Meta(ge=1, le=MAX_DEAL)]
    origin: Origin
    before: Hash32
    setup: Setup | None

    @classmethod
    def first(cls, proposal: SignedProposal) -> "DealTerms":
        """The terms of a table's first deal."""
        return cls(proposal, 1, Origin.TABLE, proposal.open().table_id, None)

    def following(self, final_head: bytes, order: tuple[Seat, ...], dealer: Seat) -> "DealTerms":
        """The terms of the deal after this one, which was finished with `final_head` (32 bytes).

        `order`: all seats clockwise as in this deal; `dealer`: by `engine.next_dealer`.
        """
        return DealTerms(self.proposal, self.deal + 1, Origin.DEAL, final_head, Setup(tuple(order), dealer))

    def after_void(self) -> "DealTerms":
        """The terms of the deal after this one, which was void: the same seating, or again none.

        They depend on nothing that happened in the void deal, since peers may have seen it break at
        different steps.
        """
        return DealTerms(self.proposal, self.deal + 1, Origin.VOID, self.first_head, self.setup)

    @property
    def first_head(self) -> bytes:
        """The previous head of the deal's first entries: 32 bytes."""
        setup = b"" if self.setup is None else encode(self.setup)
        if self.origin is Origin.DEAL:
            return head_after_deal(self.before, setup)
        if self.origin is Origin.VOID:
            return head_after_void(self.before, setup)
        return self.before

    @property
    def table(self) -> Proposal:
        """The table's proposal; nothing is verified here."""
        return self.proposal.open()

    @property
    def seats(self) -> tuple[bytes, ...]:
        """The identity keys (32 bytes each) by seat."""
        return tuple(member.key for member in self.table.members)

    def verify(self) -> Proposal:
        """Check the signatures of the proposal and that these terms fit together.

        Raises:
            MalformedMessage, ProposalRefused: naming what is wrong.
        """
        proposal = self.proposal.verify()
        first = self.origin is Origin.TABLE
        if first != (self.deal == 1) or (first and self.before != proposal.table_id):
            raise ProposalRefused(ProposalProblem.TERMS)
        if not self._setup_fits(len(proposal.members)):
            raise ProposalRefused(ProposalProblem.TERMS)
        return proposal

    def _setup_fits(self, players: int) -> bool:
        if self.setup is None:
            return self.origin is not Origin.DEAL
        if self.origin is Origin.TABLE or sorted(self.setup.order) != list(range(players)):
            return False
        return self.setup.dealer in self.setup.order
