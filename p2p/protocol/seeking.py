"""A member's part in forming a table that somebody else opened: asking, reading the rules, agreeing, signing.

What this peer agrees to is what the screen showed: offer id, title, rules of the game and of the table, and
number of seats. It signs no
draft that differs in any of them or lacks its own key and newest nonce, and none at all while it is not
ready. A table that goes on from another one states what was counted there; whoever sat at that one takes no
seat where it is not what he has counted himself. Texts that the screen would have to clean first are not
joined, so none is ever signed: what is signed is printed later, from transcripts, perhaps by programs that
clean nothing.

    asking --roster--> seated --own signature and everybody's--> formed
       |                  |
       +-- refused        +-- closed, started without, opener gone

With a code, asking begins with an exchange (`code_gate`), and no roster counts before the opener has shown
that he knows the code: whoever only says that a table is the one that was meant gets nobody to it.
"""

from collections import deque
from collections.abc import Iterable

from engine import Ruleset, RulesetError
from p2p.protocol.carried import UncarriedRulesError, check_carried
from p2p.protocol.code_gate import CodeAsk
from p2p.protocol.errors import ProtocolError
from p2p.protocol.gathering import NONCE_BYTES, SEAT_KEPT_S, straggler_of
from p2p.protocol.messages import CodeAnswer, Join, Ready, Roster, Sign, StartWithout, Withdraw
from p2p.protocol.peer_core import Core
from p2p.protocol.peer_events import ClosedBecause, RefusedJoin
from p2p.protocol.proposal import Proposal, SignedProposal, decode_proposal, sign_proposal, table_id
from p2p.protocol.reopening import Before
from p2p.protocol.table_rules import TableRulesError
from p2p.protocol.text import clean_name, clean_title

ANSWER_S = 10.0
"""How long an opener may take to answer a request for a seat."""
ASK_AGAIN_S = 2.0
"""How long until the request is said again: an opener drops what comes in floods."""
SIGNED_LIMIT = 64
"""How many own signatures are remembered, the latest ones. A draft comes only when a seat changes; more is
a flood."""


class Seeking:
    """A table of somebody else at which this peer has asked for a seat.

    `before`: the own table, if the one asked for goes on from it. `code`: the way through the opener's gate,
    not begun yet; None where no code was given.
    """

    def __init__(
        self,
        core: Core,
        opener: bytes,
        offer_id: bytes,
        now: float,
        before: Before | None = None,
        code: CodeAsk | None = None,
    ) -> None:
        self.core = core
        self.opener = opener
        self.offer_id = offer_id
        self.before = before
        self.roster: Roster | None = None
        self.ruleset: Ruleset | None = None
        self.ready = False
        self.formed: SignedProposal | None = None
        self.refused: RefusedJoin | None = None
        self.closed: ClosedBecause | None = None
        self.lost_at: float | None = None
        self._denied_at: float | None = None
        self._since = self._asked_at = now
        self._nonce = core.draw(NONCE_BYTES)
        self._signed: deque[tuple[bytes, int]] = deque(maxlen=SIGNED_LIMIT)
        """The drafts by their table ids, and the own seat in each."""
        self.code = None if code is None else code.code
        self._code = code
        self.tries_left: int | None = None
        self._begin()

    def _begin(self) -> None:
        """Ask on a link that stands since now."""
        if self._code is not None:
            self._code.begin()
        self._ask()

    def _ask(self) -> None:
        if self._code is not None:
            self._code.say()
            if self._code.proof is None:
                return
        self.core.send(self.opener, Join(self.offer_id, self.core.name, self._nonce))

    # What comes in

    def code_answer_came(self, answer: CodeAnswer, now: float) -> None:
        """The opener answers the exchange about the code."""
        if self._code is not None:
            self._code.answer_came(answer, now)
            self._look_at_code()

    def job_done(self, job: int, outcome: object) -> None:
        """A part of the exchange may have been worked out."""
        if self._code is not None and self._code.job_done(job, outcome):
            self._look_at_code()
            if self._code.proof is not None:
                self._ask()

    def _look_at_code(self) -> None:
        code = self._code
        assert code is not None
        if code.wrong or code.exhausted:
            self.tries_left = code.left
            self._refuse(RefusedJoin.WRONG_CODE if code.wrong else RefusedJoin.GUESSES)

    def roster_came(self, roster: Roster) -> None:
        """The opener says who sits at the table. Rules or texts that fail the checks are not joined."""
        if self._code is not None and self._code.proof is None:
            return
        if not _is_clean(roster):
            self._refuse(RefusedJoin.TITLE)
            return
        if not self._states_truly(roster):
            self._refuse(RefusedJoin.BEFORE)
            return
        if self.roster is None or self._terms(roster) != self._terms(self.roster):
            try:
                ruleset = Ruleset.from_mapping(dict(roster.options))
                ruleset.resolve(roster.seats)
                check_carried(ruleset)
                roster.table_rules.check_dealer(ruleset)
            except (RulesetError, UncarriedRulesError, TableRulesError):
                self._refuse(RefusedJoin.RULES)
                return
            self.ruleset = ruleset
            if self.ready and not self._only_fewer(roster):
                # Other rules than those agreed to: the answer is asked for again.
                self._set(False)
        keys = [seat.key for seat in roster.people]
        if self.core.key not in keys or len(set(keys)) < len(keys) or len(keys) > roster.seats:
            return
        if self.roster is None:
            self.core.out.lobby_changed()
        self._code = None
        self.roster = roster
        if self.ready != roster.people[keys.index(self.core.key)].ready:
            # The opener did not hear, or crossed it on the way: the answer is given again.
            self._say_ready()

    def _states_truly(self, roster: Roster) -> bool:
        """Whether what it says of the table before is what this peer has counted.

        Who was not there can only see that the opener was.
        """
        if self.before is not None:
            return self.before.agrees(roster)
        follows = roster.follows
        return follows is None or (follows.is_sound and self.opener in follows.keys)

    def set_before(self, before: Before) -> None:
        """The own table turned out to count otherwise."""
        self.before = before
        if self.roster is not None and not before.agrees(self.roster):
            self._refuse(RefusedJoin.BEFORE)

    def _only_fewer(self, roster: Roster) -> bool:
        """Whether nothing but the number of seats differs, by one: the others start without a straggler."""
        old = self.roster
        return (
            old is not None
            and (old.title, old.options, old.table_rules, old.follows)
            == (roster.title, roster.options, roster.table_rules, roster.follows)
            and roster.seats == old.seats - 1
        )

    @staticmethod
    def _terms(roster: Roster) -> tuple[object, ...]:
        return roster.title, roster.options, roster.table_rules, roster.seats, roster.follows

    def _refuse(self, reason: RefusedJoin) -> None:
        self.core.send(self.opener, Withdraw(self.offer_id, started_without=False))
        self.refused = reason

    def draft_came(self, draft: bytes) -> None:
        """The opener asks for a signature; given only to what was agreed to."""
        if not self.ready or self.roster is None:
            return
        try:
            proposal = decode_proposal(draft)
            proposal.check()
        except ProtocolError:
            return
        if not self._is_shown(proposal, self.roster):
            return
        signature = sign_proposal(self.core.identity, draft)
        seat = proposal.seat_of(self.core.key)
        assert seat is not None, "it was shown with the own seat"
        self._signed.append((table_id(draft), seat))
        self.core.send(self.opener, Sign(self.offer_id, table_id(draft), signature))

    def _is_shown(self, proposal: Proposal, roster: Roster) -> bool:
        """Whether a draft is what the screen shows, with the own seat in it as it was last said."""
        shown = (self.offer_id, *self._terms(roster))
        same = (proposal.offer_id, *_terms_of(proposal)) == shown
        if not same or proposal.needs_code != (self.code is not None) or not self._states_truly(roster):
            return False
        # The screen shows these people under these names: a draft with others gets no signature.
        people = [(one.key, one.name) for one in roster.people]
        if [(one.key, one.name) for one in proposal.members] != people:
            return False
        seat = proposal.seat_of(self.core.key)
        own = (self._nonce, self.core.name)
        return seat is not None and (proposal.members[seat].nonce, proposal.members[seat].name) == own

    @property
    def signed(self) -> Iterable[tuple[bytes, int]]:
        """The ids of the tables that this peer has signed here, and its seat at each."""
        return self._signed

    def has_signed(self, draft: bytes) -> bool:
        """Whether this peer signed the draft with this table id."""
        return any(draft == signed for signed, _ in self._signed)

    def formed_came(self, signed: SignedProposal) -> None:
        """Everybody signed, this peer too: whoever brings the proof of it, the table exists."""
        if not self.has_signed(table_id(signed.proposal)):
            return
        try:
            signed.verify()
        except ProtocolError:
            return
        self.formed = signed

    def refuse_came(self, reason: RefusedJoin, now: float) -> None:
        """The opener gives no seat; or, asked anew on a new link, there is none any more.

        Its program may have been started again, and knows nothing of the table. If that was formed just then,
        another member brings the proof; this peer waits for that as long as for an opener who is away.
        """
        if self.roster is None or reason not in (RefusedJoin.CLOSED, RefusedJoin.PLAYING):
            self.refused = reason
        elif self._denied_at is None:
            self._denied_at = now

    def withdraw_came(self, started_without: bool) -> None:
        """The opener closed the table, or it starts without this peer."""
        self.closed = ClosedBecause.STARTED_WITHOUT if started_without else ClosedBecause.OPENER_LEFT

    def link_up(self, key: bytes) -> None:
        """A link stands again: what was lost with the old one is said again."""
        if key == self.opener:
            self.lost_at = self._denied_at = None
            self._begin()
            if self.ready:
                self._say_ready()

    def link_down(self, key: bytes, now: float) -> None:
        """A link is gone."""
        if key == self.opener:
            self.lost_at = now

    def tick(self, now: float) -> None:
        """Give up on an opener who does not answer or does not come back."""
        if self.roster is None and now - self._since >= ANSWER_S:
            self._refuse(RefusedJoin.NO_LINK)
        elif self.roster is None and now - self._asked_at >= ASK_AGAIN_S:
            self._asked_at = now
            self._ask()
        elif any(at is not None and now - at >= SEAT_KEPT_S for at in (self.lost_at, self._denied_at)):
            self.closed = ClosedBecause.OPENER_LEFT

    @property
    def next_timer(self) -> float | None:
        """When `tick` has something to do."""
        times: Iterable[float | None] = (
            self._since + ANSWER_S if self.roster is None else None,
            self._asked_at + ASK_AGAIN_S if self.roster is None else None,
            None if self.lost_at is None else self.lost_at + SEAT_KEPT_S,
            None if self._denied_at is None else self._denied_at + SEAT_KEPT_S,
        )
        return min((time for time in times if time is not None), default=None)

    # What the own person wants

    def set_ready(self, ready: bool) -> None:
        """Agree to the rules, or no longer."""
        if ready != self.ready:
            self._set(ready)

    def _set(self, ready: bool) -> None:
        if not ready:
            self._nonce = self.core.draw(NONCE_BYTES)
        self.ready = ready
        self._say_ready()

    def _say_ready(self) -> None:
        self.core.send(self.opener, Ready(self.offer_id, self.ready, self._nonce))

    @property
    def straggler(self) -> bytes | None:
        """Whom the others may start without, as `straggler_of` says."""
        if self.roster is None or self.ruleset is None:
            return None
        return straggler_of(self.roster, self.ruleset)

    def start_without(self, key: bytes) -> bool:
        """Ask the opener to start without the straggler `key`. Returns whether it was asked."""
        if not self.ready or self.straggler != key:
            return False
        self.core.send(self.opener, StartWithout(self.offer_id, key))
        return True

    def leave(self) -> None:
        """Give the seat back."""
        self.core.send(self.opener, Withdraw(self.offer_id, started_without=False))


def _terms_of(proposal: Proposal) -> tuple[object, ...]:
    """What a draft says of that which a member agrees to."""
    rules = (proposal.options, proposal.table_rules)
    return proposal.title, *rules, len(proposal.members), proposal.follows


def _is_clean(roster: Roster) -> bool:
    """Whether title and names are shown as they stand; a name may be empty, the title may not."""
    texts = [(roster.title, clean_title(roster.title))]
    texts += [(seat.name, clean_name(seat.name)) for seat in roster.people]
    return bool(roster.title) and all(raw == cleaned for raw, cleaned in texts)
