"""One message of every kind, well formed and about nothing in particular."""

from p2p.protocol.ballot import SignedBallot, SignedLeave
from p2p.protocol.books import OpenedKey, SignedWish
from p2p.protocol.deal_terms import DealTerms, Origin
from p2p.protocol.entry import SignedEntry
from p2p.protocol.messages import (
    Ballots,
    Books,
    CodeAnswer,
    CodeProof,
    CodeShare,
    Draft,
    Entries,
    Evidence,
    Fetch,
    Formed,
    Join,
    Leaves,
    Message,
    Note,
    Offer,
    Person,
    Place,
    Presence,
    Ready,
    Refuse,
    RefuseReason,
    Roster,
    RosterSeat,
    Sign,
    StartWithout,
    Status,
    Talk,
    Watch,
    Watched,
    Withdraw,
)
from p2p.protocol.proposal import SignedProposal
from p2p.protocol.snapshot import OfferStatus, Remark
from p2p.protocol.table_rules import TableRules

KEY, OTHER = b"k" * 32, b"o" * 32
HASH, NONCE, SIGNATURE, OFFER = b"h" * 32, b"n" * 32, b"s" * 64, b"f" * 16
OPTIONS = (("burn", 1), ("form", "pagat"))
TABLE_RULES = TableRules()
ENTRY = SignedEntry(b"entry", SIGNATURE)


def samples() -> tuple[Message, ...]:
    """Every kind once, `Presence` and `Talk` twice."""
    people = (RosterSeat(KEY, "Vera", True), RosterSeat(OTHER, "Anna", False))
    persons = (Person(KEY, "Vera"),)
    rules = (OPTIONS, TABLE_RULES)
    offer = Offer(OFFER, "Kitchen", *rules, 4, OfferStatus.OPEN, persons, None, needs_code=False)
    return (
        Presence(1, "Вера", None, None),
        Presence(1, "Vera", Place(OFFER, "Kitchen"), offer),
        Join(OFFER, "Vera", NONCE),
        Refuse(OFFER, RefuseReason.FULL, 1),
        Withdraw(OFFER, started_without=False),
        Roster(OFFER, "Kitchen", OPTIONS, TABLE_RULES, 4, people, None),
        Ready(OFFER, True, NONCE),
        StartWithout(OFFER, KEY),
        Draft(OFFER, b"proposal"),
        Sign(OFFER, HASH, SIGNATURE),
        Formed(SignedProposal(b"proposal", (SIGNATURE, SIGNATURE))),
        Entries(HASH, 1, (ENTRY, ENTRY)),
        Status(HASH, 1, 27, HASH, (HASH, HASH), 0b101, None, 0b110),
        Status(HASH, 1, 27, HASH, (HASH,), 0, HASH, 0),
        Fetch(HASH, 1, 27, 0),
        Evidence(HASH, 1, (ENTRY,)),
        Leaves(HASH, (SignedLeave(b"leave", SIGNATURE),)),
        CodeShare(OFFER, HASH),
        CodeAnswer(OFFER, HASH, NONCE, 7),
        CodeProof(OFFER, HASH),
        Books(HASH, 1, (SignedWish(b"wish", SIGNATURE),), (OpenedKey(0, HASH), OpenedKey(11, HASH))),
        Talk(OFFER, Remark.WELL_PLAYED),
        Talk(OFFER, "Сдавайте!"),
        Watch(OFFER, "Vera"),
        Watched(
            DealTerms(
                SignedProposal(b"proposal", (SIGNATURE, SIGNATURE)), 3, Origin.DEAL, HASH, (0, 1), None
            ),
            (Note(1, b"note"), Note(2, b"another")),
        ),
        Ballots(HASH, 1, (SignedBallot(b"ballot", SIGNATURE), SignedBallot(b"another", SIGNATURE))),
    )
