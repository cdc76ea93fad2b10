"""The way of this peer to watching somebody else's table, and from member to member while it watches.

It asks whoever has opened the table. He lets it watch, with the terms of the deal that is played and what
the deals before it left; the terms hold the proposal that all members have signed, so from now on it knows
them all, and asks each of them to whom it has a link. The more of them it hears directly, the less it has to
fetch.

    asking --Watched--> watching, asking the other members
       |
       +-- refused

At a private table each request begins with the exchange about the code (`code_gate`), and whoever has not
shown that he knows it is not listened to. What is not signed, the counts of earlier deals, is taken from the
one who lets this peer watch first; no deal is judged by it, and where it is wrong the next deal cannot be
followed.
"""

from dataclasses import dataclass

from p2p.protocol.code_gate import CodeAsk
from p2p.protocol.errors import MalformedMessage, ProposalRefused
from p2p.protocol.guesses import Guesses
from p2p.protocol.messages import CodeAnswer, JunkError, JunkReason, Refuse, Watch, Watched, Withdraw
from p2p.protocol.peer_core import Core
from p2p.protocol.peer_events import RefusedJoin
from p2p.protocol.resumed import ResumedDeal, ResumedTable
from p2p.protocol.seeking import ANSWER_S, ASK_AGAIN_S
from p2p.protocol.succession import Succession
from p2p.protocol.table_code import TableCode


@dataclass(slots=True)
class _Request:
    """What one member has been asked. `done`: it was answered, well or badly; a new link makes it anew."""

    code: CodeAsk | None
    asked_at: float
    done: bool = False


class Watching:
    """One table that this peer watches, or has asked to. `code`: of a private table. `guesses`: what openers
    had to guess with.
    """

    def __init__(
        self, core: Core, opener: bytes, offer_id: bytes, code: TableCode | None, guesses: Guesses, now: float
    ) -> None:
        self.opener = opener
        self.offer_id = offer_id
        self.code = code
        self.start: ResumedTable | None = None
        """What the first member told of the table, once he let this peer watch it."""
        self.refused: RefusedJoin | None = None
        self.tries_left: int | None = None
        self._core = core
        self._guesses = guesses
        self._since = now
        self._members: tuple[bytes, ...] = (opener,)
        self._requests: dict[bytes, _Request] = {}
        self.link_up(opener, now)

    # Asking

    def link_up(self, key: bytes, now: float) -> None:
        """A link stands: if it leads to somebody who can let this peer watch, he is asked."""
        if key not in self._members or key not in self._core.links:
            return
        code = None
        if self.code is not None:
            code = CodeAsk(self._core, key, self.offer_id, self.code, self._guesses)
            code.begin()
        self._requests[key] = _Request(code, now)
        self._say(key)

    def link_down(self, key: bytes) -> None:
        """A link is gone, and with it what was said over it."""
        self._requests.pop(key, None)

    def tick(self, now: float) -> None:
        """Ask again; give up on an opener who does not answer."""
        if self.start is None and now - self._since >= ANSWER_S:
            self._refuse(RefusedJoin.NO_LINK)
        for key, request in list(self._requests.items()):
            if not request.done and now - request.asked_at >= ASK_AGAIN_S:
                request.asked_at = now
                self._say(key)

    @property
    def next_timer(self) -> float | None:
        """When `tick` has something to do."""
        times = [one.asked_at + ASK_AGAIN_S for one in self._requests.values() if not one.done]
        if self.start is None:
            times.append(self._since + ANSWER_S)
        return min(times, default=None)

    def _say(self, key: bytes) -> None:
        code = self._requests[key].code
        if code is not None:
            code.say()
            if code.proof is None:
                return
        self._core.send(key, Watch(self.offer_id, self._core.name))

    def leave(self) -> None:
        """Watch no longer."""
        for key in self._requests:
            self._core.send(key, Withdraw(self.offer_id, started_without=False))

    # What comes in

    def code_answer_came(self, key: bytes, answer: CodeAnswer, now: float) -> None:
        """A member answers the exchange about the code."""
        request = self._requests.get(key)
        if request is not None and request.code is not None:
            request.code.answer_came(answer, now)
            self._look_at_code(key, request.code)

    def job_done(self, job: int, outcome: object) -> bool:
        """A part of an exchange may have been worked out. Returns whether it was one of these."""
        for key, request in self._requests.items():
            if request.code is not None and request.code.job_done(job, outcome):
                self._look_at_code(key, request.code)
                if request.code.proof is not None:
                    self._say(key)
                return True
        return False

    def _look_at_code(self, key: bytes, code: CodeAsk) -> None:
        if code.wrong or code.exhausted:
            self.tries_left = code.left
            self._denied(key, RefusedJoin.WRONG_CODE if code.wrong else RefusedJoin.GUESSES)

    def refuse_came(self, key: bytes, message: Refuse) -> None:
        """A member does not let this peer watch."""
        if key in self._requests:
            self._denied(key, RefusedJoin(message.reason.value))

    def _denied(self, key: bytes, reason: RefusedJoin) -> None:
        """One member will not do; the first one is the only one so far."""
        self._requests[key].done = True
        if self.start is None:
            self._refuse(reason)

    def _refuse(self, reason: RefusedJoin) -> None:
        self.leave()
        self.refused = reason

    def watched_came(self, key: bytes, message: Watched, now: float) -> None:
        """A member lets this peer watch: the first who does says from where.

        Raises:
            JunkError: UNFIT, if nobody has asked him.
        """
        request = self._requests.get(key)
        if request is None or (request.code is not None and request.code.proof is None):
            raise JunkError(JunkReason.UNFIT)
        request.done = True
        if self.start is not None:
            return
        try:
            self._check(message)
        except (MalformedMessage, ProposalRefused):
            self._refuse(RefusedJoin.RULES)
            return
        proposal = message.terms.table
        if proposal.seat_of(self._core.key) is not None:
            self._refuse(RefusedJoin.BUSY)
            return
        notes = tuple((note.deal, note.note) for note in message.notes)
        self.start = ResumedTable((ResumedDeal(message.terms, ()),), notes)
        self._members = tuple(member.key for member in proposal.members)
        for member in self._members:
            if member != key:
                self.link_up(member, now)

    def _check(self, message: Watched) -> None:
        """Check that it is the table that was meant, that all have signed it, and that all of it fits.

        Raises:
            MalformedMessage, ProposalRefused.
        """
        proposal = message.terms.verify()
        meant = (self.offer_id, self.code is not None, "yes")
        if (proposal.offer_id, proposal.needs_code, proposal.table_rules.watchers) != meant:
            raise MalformedMessage("another table")
        if proposal.seat_of(self.opener) is None:
            raise MalformedMessage("no member")
        _recall(Succession(proposal), message)


def _recall(succession: Succession, message: Watched) -> None:
    """Try whether the notes are those of earlier deals. Raises: MalformedMessage."""
    deals = [note.deal for note in message.notes]
    if deals != sorted(set(deals)) or not all(0 < deal < message.terms.deal for deal in deals):
        raise MalformedMessage("no earlier deals")
    for note in message.notes:
        succession.recall(note.deal, note.note)
