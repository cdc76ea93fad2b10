"""What the protocol raises. `Breach` alone names a seat, because a signature stands behind it.

No class here carries a sentence for the screen: each holds an enum or plain data, and the interface words it.
"""

# ruff: noqa: N818 - they name what is the case: a breach, a refusal

from enum import StrEnum

from p2p.errors import P2PError, RemoteError


class ProtocolError(P2PError):
    """Something came in, or was asked for, that this layer refuses; nobody is to blame by it. `check` says
    what.
    """

    def __init__(self, check: str) -> None:
        super().__init__(check)
        self.check = check


class MalformedMessage(ProtocolError):
    """Bytes that are not the one canonical encoding of anything, or not signed: noise, which names nobody."""


class ProposalProblem(StrEnum):
    """Why a proposal cannot become a table."""

    SAME_KEY = "one key holds two seats"
    SAME_NONCE = "two members gave the same nonce"
    RULES = "rules that are not known or do not fit together"
    NOT_CARRIED = "rules that the network cannot carry yet"
    SIGNATURES = "a signature is missing or wrong"
    FOLLOWS = "the table before is not stated as it can be"
    TERMS = "the terms of the deal do not fit the table"


class ProposalRefused(ProtocolError):
    """A proposal, or a signature on it, that must not become a table."""

    def __init__(self, problem: ProposalProblem, seat: int | None = None) -> None:
        super().__init__(problem.value)
        self.problem = problem
        self.seat = seat


class Breach(RemoteError):
    """A signed entry that breaks a proof, a rule or the opening rule at its own previous head.

    `seat` is always its signer; `check` is one of the names listed in `judge.py`.
    """


class NotNow(ProtocolError):
    """A move that this seat cannot make at this moment: not owed, or its own entry is already on its way."""


class EvidenceRefused(ProtocolError):
    """Evidence that proves nothing. It says nothing about the seat that it accuses."""


class TranscriptProblem(StrEnum):
    """What is wrong with a transcript as a file, before any proof is looked at."""

    NOT_A_TRANSCRIPT = "not a transcript"
    NEWER_VERSION = "written by a newer version"
    NOT_CANONICAL = "not spelled in the one canonical way"
    WRONG_ORDER = "a line is missing, doubled or moved"
    SIGNATURE = "a signature is wrong"
    PROPOSAL = "the table's proposal is not valid"
    END = "the end line does not fit the lines before it"
    CUT = "cut off in the middle of a line"
    TOO_LONG = "a line or the file is too long"


class TranscriptRefused(P2PError):
    """A transcript that cannot be read. `line` counts from 1; 0 concerns the file as a whole."""

    def __init__(self, problem: TranscriptProblem, line: int, found: str = "") -> None:
        super().__init__(f"line {line}: {problem.value}{': ' + found if found else ''}")
        self.problem = problem
        self.line = line
        self.found = found
