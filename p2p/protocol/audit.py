"""Verifies a transcript or a piece of evidence, for anybody, with no key: a `Deal` without a seat takes the
entries in.

So there is one verifier, the one that every seat runs while it plays.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field, replace

from crypto import CryptoError, Draw, Group, Ristretto255
from engine import Seat
from p2p.protocol.ballot import SignedBallot, SignedLeave, check_ballot, contradict
from p2p.protocol.books import OpenedKey, SignedWish
from p2p.protocol.deal import Deal
from p2p.protocol.deal_terms import DealTerms
from p2p.protocol.deal_views import CardReading, Trust
from p2p.protocol.effects import Absent, Effect, Finished, Happened, Outcome, Run, Stopped, Void
from p2p.protocol.entry import SignedEntry, check_signature, opened_slots
from p2p.protocol.errors import (
    EvidenceRefused,
    MalformedMessage,
    ProposalRefused,
    TranscriptProblem,
    TranscriptRefused,
)
from p2p.protocol.evidence import FORK, Evidence
from p2p.protocol.judge import as_slots
from p2p.protocol.names import distinct_names
from p2p.protocol.resumed import ResumedDeal
from p2p.protocol.text import clean_title
from p2p.protocol.transcript import Transcript, TranscriptLine, end_of, read_transcript
from p2p.protocol.transcript_lines import spell
from p2p.protocol.transcript_tail import Opening, Vote

_NOT_IN_ORDER = frozenset({"transcript", "group", "chain", "cards", "end", "accused", "votes", "books"})
"""Checks by which a transcript itself fails; all others name what a player did, or that it does not go on."""


@dataclass(frozen=True, slots=True)
class AuditReport:
    """What an audit found.

    `ok`: the deal was played to its end, or ended by all others because somebody was absent, and everything
    holds. Otherwise `check` names the first thing that
    does not: a check of `judge.py`, "fork", "transcript" (`problem` and `line` say more), "cards" or "end"
    (what a line says differs from what the entries mean), "accused" (an accused entry that is none), "votes"
    (ballots or leaves that end nothing), "books" (wishes or keys that are not those of this deal),
    "group" (hidden in another group than the auditor's), "chain" (an entry is not owed where it stands),
    "stopped" (the engines disagreed) or "unfinished". `step` and `seat` belong to it where there are such.
    `seats`: how many played. `names`: by seat, cleaned and told apart; what was signed stands in the
    transcript. `found`: cleaned too. `loser`: who lost; of a void deal who broke it. `entries`: entries taken
    in. `wished`, `opened`: who wanted the books to be opened, and whose key is open. `cards`: who could read
    each card, and from the end of which step on. `trust`: what each seat has proven.
    """

    ok: bool
    check: str | None = None
    step: int | None = None
    seat: Seat | None = None
    line: int | None = None
    problem: TranscriptProblem | None = None
    found: str = ""
    form: str | None = None
    seats: int = 0
    names: tuple[str, ...] = ()
    deal: int = 0
    loser: Seat | None = None
    winner: Seat | None = None
    entries: int = 0
    receipts: frozenset[Seat] = frozenset()
    wished: frozenset[Seat] = frozenset()
    opened: frozenset[Seat] = frozenset()
    cards: tuple[CardReading, ...] = field(default=(), repr=False)
    trust: Trust | None = field(default=None, repr=False)
    outcome: Outcome | None = field(default=None, repr=False)

    @property
    def holds(self) -> bool:
        """Whether everything in the transcript is true as far as it goes: of an unfinished, stopped or void
        deal, too.
        """
        return self.check not in _NOT_IN_ORDER


@dataclass(frozen=True, slots=True)
class Examined:
    """A transcript that was gone through: the report, and where there is a deal, it and all that happened in
    it.
    """

    report: AuditReport
    deal: Deal | None = None
    happened: tuple[Happened, ...] = ()


def audit(data: bytes, draw: Draw, group: Group | None = None) -> AuditReport:
    """Audit the bytes of a transcript. Nothing in them raises; what is wrong is in the report.

    `draw`: the source of the verifier's weights. `group`: ristretto255 if None.

    Raises: LibraryError, RandomSourceError if the fault is this machine's.
    """
    return examine(data, draw, group).report


def examine(data: bytes, draw: Draw, group: Group | None = None) -> Examined:
    """Audit the bytes of a transcript, and keep the deal. Arguments and errors are those of `audit`."""
    try:
        transcript = read_transcript(data)
    except TranscriptRefused as error:
        refused = AuditReport(False, "transcript", line=error.line, problem=error.problem, found=error.found)
        return Examined(refused)
    group = Ristretto255() if group is None else group
    proposal = transcript.terms.table
    report = AuditReport(
        ok=False,
        form=proposal.ruleset.form,
        seats=len(transcript.terms.players),
        names=_names(transcript.terms),
        deal=transcript.terms.deal,
    )
    if transcript.group != group.name:
        return Examined(replace(report, check="group", line=1, found=clean_title(transcript.group)))
    deal = Deal(transcript.terms, None, draw, group)
    happened: list[Happened] = []
    report = _finding(transcript, deal, _take_all(transcript, deal, report, happened))
    return Examined(report, deal, tuple(happened))


def examine_journal(kept: ResumedDeal, draw: Draw, group: Group | None = None) -> Examined:
    """Go through a deal of the own journal as through a transcript, as far as its entries lead.

    A journal claims nothing beside the entries, so there is nothing that they could contradict: `report.ok`
    says that they lead to an end. Arguments and errors are those of `audit`.
    """
    deal = Deal(kept.terms, None, draw, Ristretto255() if group is None else group)
    happened: list[Happened] = []
    for signed in kept.entries:
        happened += take(deal, signed)
    take_votes(deal, (*kept.leaves, *kept.ballots))
    outcome = deal.outcome
    return Examined(
        AuditReport(
            ok=isinstance(outcome, Finished | Absent),
            check=outcome.check if isinstance(outcome, Void) else None if outcome else "unfinished",
            step=outcome.step if isinstance(outcome, Void) else deal.step,
            form=kept.terms.table.ruleset.form,
            seats=len(kept.terms.players),
            names=_names(kept.terms),
            deal=kept.terms.deal,
            entries=len(kept.entries),
            cards=deal.readers,
            trust=deal.trust,
            outcome=outcome,
        ),
        deal,
        tuple(happened),
    )


def _take_all(
    transcript: Transcript, deal: Deal, report: AuditReport, happened: list[Happened]
) -> AuditReport:
    """Take every line in, up to the first that does not hold."""
    for line in transcript.lines:
        happened += take(deal, line.signed)
        broken = _broken(line, deal)
        report = replace(report, entries=report.entries + 1)
        if broken is not None and report.check is None:
            seat = Seat(line.entry.seat)
            report = replace(report, check=broken, step=line.entry.step, seat=seat, line=line.number)
        if report.check is not None:
            return report
    take_votes(deal, [line.signed for line in transcript.votes if isinstance(line.signed, Vote)])
    return report


def _broken(line: TranscriptLine, deal: Deal) -> str | None:
    """What is wrong with a line that has just been taken in, apart from what the deal's outcome says."""
    if isinstance(deal.outcome, Void):
        return None
    entry, seat = line.entry, Seat(line.entry.seat)
    if line.accused:
        # Of a fork the first of two accused entries may be in order, or build on a head that is not in this
        # ledger.
        return None
    if deal.record.state_at(entry.step) is None or seat not in deal.record.accepted_at(entry.step):
        return "chain"
    slots, cards = opened_slots(entry.body), deal.public_state.cards.cards
    faces = None if slots is None else tuple(str(cards[slot].face) for slot in as_slots(slots))
    return None if line.cards == faces else "cards"


def _finding(transcript: Transcript, deal: Deal, report: AuditReport) -> AuditReport:
    """The report, once all lines are in."""
    outcome = deal.outcome
    report = replace(report, cards=deal.readers, trust=deal.trust, receipts=deal.receipts, outcome=outcome)
    if report.check is not None:
        return report
    if isinstance(outcome, Void):
        report = replace(
            report, check=outcome.check, step=outcome.step, seat=outcome.seat, loser=outcome.seat
        )
    elif isinstance(outcome, Finished):
        report = replace(report, loser=outcome.loser, winner=outcome.winner)
    if not isinstance(outcome, Void) and any(line.accused for line in transcript.lines):
        return replace(report, check="accused", line=len(transcript.lines) + 1)
    if [(line.signed, line.accused) for line in transcript.votes] != votes_of(outcome):
        return report if report.check else replace(report, check="votes", line=len(transcript.lines) + 2)
    report = _with_books(transcript, deal, report)
    return report if report.check == "books" else _with_end(transcript, deal, report)


def _with_books(transcript: Transcript, deal: Deal, report: AuditReport) -> AuditReport:
    """The report, once the wishes and keys have been taken in."""
    told = [line.signed for line in transcript.openings if isinstance(line.signed, Opening)]
    if not told:
        return report
    books = deal.books
    broken = replace(report, check="books", step=None, seat=None, line=transcript.openings[0].number)
    if books is None:
        return broken
    try:
        take_books(deal, told)
    except MalformedMessage:
        return broken
    if [*books.wishes, *books.keys] != told:
        return broken
    return replace(report, wished=books.wished, opened=books.opened)


def _with_end(transcript: Transcript, deal: Deal, report: AuditReport) -> AuditReport:
    """The report, once the last line has been compared with what the others mean."""
    outcome = deal.outcome
    if transcript.end is None:
        return report if report.check else replace(report, check="unfinished", step=deal.step)
    stopped = _stopped(transcript, deal)
    told = len(transcript.lines) + len(transcript.votes) + len(transcript.openings)
    expected = end_of(stopped or outcome or Stopped(deal.step), deal, told)
    # Compared as spelt: to Python, 1, 1.0 and True are equal.
    if spell(transcript.end) != spell(expected):
        return report if report.check else replace(report, check="end", line=told + 2)
    if stopped is not None:
        return report if report.check else replace(report, check="stopped", step=stopped.step)
    return replace(report, ok=isinstance(outcome, Finished | Absent))


def _stopped(transcript: Transcript, deal: Deal) -> Stopped | None:
    """That the deal was stopped, and at which step of its ledger, if the transcript says so.

    Where engines disagreed only the writer can know, so it is taken from him, however far the ledger goes: it
    condemns nobody, and no transcript is in order by it.
    """
    end = transcript.end or {}
    step = end.get("step")
    if end.get("end") != "stopped" or type(step) is not int or not 0 <= step <= deal.step:
        return None
    return Stopped(step)


def _names(terms: DealTerms) -> tuple[str, ...]:
    """The players' names by seat, as they may be shown: signed text is no clean text."""
    names = distinct_names({member.key: member.name for member in terms.table.members})
    return tuple(names[key] for key in terms.keys)


def votes_of(outcome: Outcome | None) -> list[tuple[SignedBallot | SignedLeave, bool]]:
    """The ballots and leaves behind an outcome, in their order, and whether they are accused."""
    if isinstance(outcome, Void):
        return [(ballot, True) for ballot in outcome.evidence.ballots]
    if isinstance(outcome, Absent):
        return [*((leave, False) for leave in outcome.leaves), *((one, False) for one in outcome.certificate)]
    return []


def take_votes(deal: Deal, votes: Iterable[SignedBallot | SignedLeave]) -> None:
    """Take ballots and leaves into a deal without a seat, doing its jobs at once."""
    told = tuple(votes)
    deal.take_leaves(vote for vote in told if isinstance(vote, SignedLeave))
    _do(deal, *deal.take_ballots((vote for vote in told if isinstance(vote, SignedBallot)), 0.0))


def take_books(deal: Deal, told: Iterable[Opening]) -> None:
    """Take wishes and keys into a finished deal. Raises: MalformedMessage, if they are none of it."""
    assert deal.books is not None, "the deal is finished"
    opening = tuple(told)
    deal.books.take(
        (one for one in opening if isinstance(one, SignedWish)),
        (one for one in opening if isinstance(one, OpenedKey)),
    )


def take(deal: Deal, signed: SignedEntry) -> list[Happened]:
    """Take an entry into a deal without a seat, doing its jobs at once. Returns: what happened by it."""
    return _do(deal, *deal.receive(signed))


def _do(deal: Deal, *effects: Effect) -> list[Happened]:
    """Do jobs, and what comes of them. Returns: what happened by it."""
    todo, happened = list(effects), []
    while todo:
        effect = todo.pop(0)
        if isinstance(effect, Happened):
            happened.append(effect)
        elif isinstance(effect, Run):
            try:
                result = effect.job.function(*effect.job.args)
            except CryptoError as error:
                result = error
            todo += deal.job_done(effect.job.id, result)
    return happened


def verify_evidence(evidence: Evidence, draw: Draw, group: Group | None = None) -> None:
    """Check, from the evidence alone, that its seat broke the check that it names.

    Raises: EvidenceRefused if it proves nothing; LibraryError, RandomSourceError if the fault is this
    machine's.
    """
    try:
        proposal = evidence.terms.verify()
        keys = evidence.terms.keys
        entries = [signed.open() for signed in evidence.accused]
    except (MalformedMessage, ProposalRefused) as error:
        raise EvidenceRefused(error.check) from error
    if evidence.ballots:
        _verify_ballots(evidence, proposal.table_id)
        return
    group = Ristretto255() if group is None else group
    for entry, signed in zip(entries, evidence.accused, strict=True):
        named = (entry.table, entry.deal, entry.seat)
        if named != (proposal.table_id, evidence.terms.deal, evidence.seat):
            raise EvidenceRefused("another deal or seat")
        if entry.seat >= len(keys):
            raise EvidenceRefused("no such seat")
        try:
            check_signature(keys[entry.seat], signed)
        except MalformedMessage as error:
            raise EvidenceRefused(error.check) from error
    if not entries:
        raise EvidenceRefused("nothing that is accused")
    if evidence.check == FORK:
        two = {signed.entry for signed in evidence.accused}
        if len(two) != 2 or entries[0].step != entries[1].step:
            raise EvidenceRefused("no fork")
        return
    deal = Deal(evidence.terms, None, draw, group)
    for signed in (*evidence.ledger, *evidence.accused):
        if isinstance(deal.outcome, Void):
            raise EvidenceRefused("the ledger before it is not valid")
        take(deal, signed)
    outcome = deal.outcome
    if not isinstance(outcome, Void) or (outcome.seat, outcome.check) != (evidence.seat, evidence.check):
        raise EvidenceRefused("no such breach")


def _verify_ballots(evidence: Evidence, table_id: bytes) -> None:
    """Check that two ballots of one seat contradict each other."""
    try:
        ballots = [signed.open() for signed in evidence.ballots]
        for ballot, signed in zip(ballots, evidence.ballots, strict=True):
            if (ballot.table, ballot.deal, ballot.seat) != (table_id, evidence.terms.deal, evidence.seat):
                raise EvidenceRefused("another deal or seat")
            check_ballot(evidence.terms.keys[ballot.seat], signed)
    except (MalformedMessage, IndexError) as error:
        raise EvidenceRefused("no ballot of that seat") from error
    same_step = len({ballot.step for ballot in ballots}) == 1
    if len(ballots) != 2 or evidence.check != FORK or not same_step or not contradict(*ballots):
        raise EvidenceRefused("no fork")
