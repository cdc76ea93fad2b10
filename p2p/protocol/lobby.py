"""The lobby: who is linked to this peer, which tables they offer, and the way to a seat.

Only what comes over an authenticated link counts; what was announced on the network merely led to the
link. Every peer says who it is on a new link and again at each change. At most one table is open or asked
for at a time: one key never takes two seats. While the own table is between two deals, that can only be one
that goes on from it (`reopening`).
"""

from engine import Ruleset
from p2p.protocol.announcing import Announcing
from p2p.protocol.ballot import Leave, sign_leave
from p2p.protocol.code_gate import CodeAsk
from p2p.protocol.follows import Follows
from p2p.protocol.gathering import Gathering
from p2p.protocol.guesses import Guesses
from p2p.protocol.hashing import VERSION
from p2p.protocol.lobby_snapshot import OfferStatus
from p2p.protocol.messages import (
    CodeAnswer,
    CodeProof,
    CodeShare,
    Draft,
    Join,
    JunkError,
    JunkReason,
    LobbyMessage,
    Offer,
    Presence,
    Ready,
    Refuse,
    RefuseReason,
    Roster,
    Sign,
    StartWithout,
    Watch,
    Watched,
    Withdraw,
)
from p2p.protocol.neighbours import Neighbours
from p2p.protocol.past_tables import PastTables
from p2p.protocol.peer_core import Core
from p2p.protocol.peer_effects import LeaveTable
from p2p.protocol.peer_events import ClosedBecause, JoinRefused, RefusedJoin, TableClosed
from p2p.protocol.proposal import Proposal, SignedProposal
from p2p.protocol.reopening import Before, Reopenings
from p2p.protocol.seeking import Seeking
from p2p.protocol.table import Table
from p2p.protocol.table_code import TableCode
from p2p.protocol.table_rules import TableRules
from p2p.protocol.watching import Watching
from p2p.protocol.watchings import Watchings


class Lobby:
    """People and tables around, and the one table being formed."""

    def __init__(self, core: Core, past: PastTables) -> None:
        self.core = core
        self._past = past
        self.gathering: Gathering | None = None
        self.seeking: Seeking | None = None
        self.watchings = Watchings(core)
        self.announcing = Announcing(core)
        self.reopenings = Reopenings(core.key)
        self.people = Neighbours()
        self._heard = Guesses()
        """What openers of private tables had to guess with, however often this peer asks for a seat."""

    @property
    def part(self) -> Gathering | Seeking | None:
        """The part of this peer in forming a table, the own one or somebody else's."""
        return self.gathering or self.seeking

    # Links and time

    def link_up(self, key: bytes, now: float) -> None:
        """A link to `key` stands."""
        self.people.link_up(key)
        self.core.send(key, self._presence())
        if self.seeking is not None:
            self.seeking.link_up(key)
        self.watchings.link_up(key, now)
        self.core.out.lobby_changed()
        self.announcing.tell(self._presence(), now)

    def link_down(self, key: bytes, now: float) -> None:
        """The link to `key` is gone; its table cannot be asked for until it is back."""
        self.people.link_down(key, now)
        if self.gathering is not None:
            self.gathering.link_down(key, now)
        if self.seeking is not None:
            self.seeking.link_down(key, now)
        self.watchings.link_down(key)
        self.core.out.lobby_changed()

    def tick(self, now: float) -> None:
        """Let time pass."""
        if self.people.forget(now):
            self.core.out.lobby_changed()
        if self.gathering is not None:
            self.gathering.tick(now)
        if self.seeking is not None:
            self.seeking.tick(now)
        self.watchings.tick(now)
        self.settle(now)

    @property
    def next_timer(self) -> float | None:
        """When `tick` has something to do."""
        parts = (self.people, self.gathering, self.seeking, self.watchings)
        times = [part.next_timer for part in parts if part is not None]
        times.append(self.announcing.due(self._presence()))
        return min((time for time in times if time is not None), default=None)

    # Messages

    def receive(self, key: bytes, message: LobbyMessage, now: float) -> None:
        """Take in one message from `key`.

        Raises:
            JunkError: UNFIT, if it means nothing here and now.
        """
        match message:
            case Presence():
                self._presence_came(key, message)
            case Join():
                self._join_came(key, message, now)
            case CodeShare() | CodeProof():
                self._code_came(key, message, now)
            case Ready() | StartWithout() | Sign():
                self._member_spoke(key, message, now)
            case Refuse() | Roster() | Draft() | CodeAnswer():
                self._opener_spoke(key, message, now)
            case Withdraw():
                self._withdraw_came(key, message, now)
            case Watch():
                self.core.send(key, Refuse(message.offer_id, RefuseReason.CLOSED, VERSION))
            case Watched():
                self.watchings.watched_came(key, message, now)
        self.settle(now)

    def formed_came(self, signed: SignedProposal) -> None:
        """Somebody brings a proposal that all have signed.

        Raises:
            JunkError: UNFIT, if it is not the table that is being formed here.
        """
        if self.seeking is None:
            raise JunkError(JunkReason.UNFIT)
        self.seeking.formed_came(signed)
        if self.seeking.formed is None:
            raise JunkError(JunkReason.UNFIT)

    def _presence_came(self, key: bytes, message: Presence) -> None:
        try:
            listed = self.people.presence_came(key, message, self.core.links)
        except JunkError:
            # The person is listed without a table that cannot be played at.
            self.core.out.lobby_changed()
            raise
        if listed:
            self.core.out.lobby_changed()

    def _join_came(self, key: bytes, message: Join, now: float) -> None:
        gathering = self.gathering
        if gathering is not None and gathering.offer_id == message.offer_id:
            gathering.join(key, message.name, message.nonce, now)
            return
        self._refuse_seat(key, message.offer_id)

    def _refuse_seat(self, key: bytes, offer_id: bytes) -> None:
        """A table that does not gather here, or no longer."""
        own = self.announcing.offer
        playing = own is not None and own.offer_id == offer_id
        reason = RefuseReason.PLAYING if playing else RefuseReason.CLOSED
        self.core.send(key, Refuse(offer_id, reason, VERSION))

    def _code_came(self, key: bytes, message: CodeShare | CodeProof, now: float) -> None:
        gathering = self.gathering
        if gathering is None or gathering.offer_id != message.offer_id:
            if isinstance(message, CodeProof):
                raise JunkError(JunkReason.UNFIT)
            self._refuse_seat(key, message.offer_id)
        elif isinstance(message, CodeShare):
            gathering.code_share_came(key, message.share, now)
        elif gathering.gate is None or not gathering.gate.proof_came(key, message.confirmation):
            raise JunkError(JunkReason.UNFIT)

    def job_done(self, job: int, outcome: object, now: float) -> bool:
        """A job returned or raised `outcome`. Returns whether it was one of the opener's here."""
        if self.gathering is not None and self.gathering.gate is not None:
            return self.gathering.gate.job_done(job, outcome)
        if self.seeking is not None:
            self.seeking.job_done(job, outcome)
            self.settle(now)
        if self.watchings.job_done(job, outcome):
            self.settle(now)
            return True
        return False

    def _member_spoke(self, key: bytes, message: Ready | StartWithout | Sign, now: float) -> None:
        gathering = self.gathering
        if gathering is None or gathering.offer_id != message.offer_id or key not in gathering.chairs:
            raise JunkError(JunkReason.UNFIT)
        match message:
            case Ready():
                gathering.set_ready(key, message.ready, message.nonce, now)
            case StartWithout():
                gathering.start_without(key, message.key, now)
            case Sign():
                gathering.sign(key, message.table_id, message.signature)

    def _opener_spoke(self, key: bytes, message: Refuse | Roster | Draft | CodeAnswer, now: float) -> None:
        seeking = self.seeking
        if isinstance(message, Refuse | CodeAnswer) and self.watchings.answer_came(key, message, now):
            return
        if seeking is None or seeking.opener != key or seeking.offer_id != message.offer_id:
            if isinstance(message, Roster):
                # A seat that is not wanted any more, for instance after asking and leaving crossed.
                self.core.send(key, Withdraw(message.offer_id, started_without=False))
            raise JunkError(JunkReason.UNFIT)
        match message:
            case Refuse():
                seeking.refuse_came(RefusedJoin(message.reason.value), now)
            case Roster():
                seeking.roster_came(message)
            case Draft():
                seeking.draft_came(message.proposal)
            case CodeAnswer():
                seeking.code_answer_came(message, now)

    def _withdraw_came(self, key: bytes, message: Withdraw, now: float) -> None:
        if self.gathering is not None and self.gathering.offer_id == message.offer_id:
            self.gathering.leave(key, now)
        elif self.seeking is not None and (self.seeking.opener, self.seeking.offer_id) == (
            key,
            message.offer_id,
        ):
            self.seeking.withdraw_came(message.started_without)
            self._give_up(self.seeking)

    # The own wishes; what is not possible is refused by the peer before

    def open_table(
        self,
        title: str,
        ruleset: Ruleset,
        seats: int,
        table_rules: TableRules,
        now: float,
        *,
        code: TableCode | None = None,
        follows: Follows | None = None,
    ) -> None:
        """Open a table, with a code or without; `follows`: the own one that it goes on from."""
        self.gathering = Gathering(self.core, title, ruleset, seats, table_rules, follows, code)
        self.core.out.lobby_changed()
        self.settle(now)

    def join(self, key: bytes, offer_id: bytes, now: float, code: TableCode | None = None) -> None:
        """Ask `key` for a seat at its table, with the code that the person gave, if any."""
        reason = self._hindrance(key, offer_id, code)
        if reason is None:
            ask = None if code is None else CodeAsk(self.core, key, offer_id, code, self._heard)
            self.seeking = Seeking(self.core, key, offer_id, now, self.reopenings.before, ask)
            self.core.out.lobby_changed()
        else:
            self.core.out.emit(JoinRefused(offer_id, reason, self.people.version_of(key), VERSION))
        self.settle(now)

    def watch(self, key: bytes, offer_id: bytes, now: float, code: TableCode | None = None) -> None:
        """Ask `key`, who has opened it, to watch the table that is played there."""
        reason = self._hindrance(key, offer_id, code, watch=True)
        if reason is None:
            self.watchings.choose(key, offer_id, code, self._heard, now)
            self.core.out.lobby_changed()
        else:
            self.core.out.emit(JoinRefused(offer_id, reason, self.people.version_of(key), VERSION))
        self.settle(now)

    def _hindrance(
        self, key: bytes, offer_id: bytes, code: TableCode | None, *, watch: bool = False
    ) -> RefusedJoin | None:
        if key not in self.core.links:
            return RefusedJoin.NO_LINK
        version = self.people.version_of(key)
        if version is not None and version != VERSION:
            return RefusedJoin.VERSIONS
        offer = self.people.offer_of(key)
        if offer is None or offer.offer_id != offer_id:
            return None
        return _hindrance_at(offer, code, watch=watch)

    def leave(self, now: float, because: ClosedBecause = ClosedBecause.LEFT) -> None:
        """Give up the table that is being formed."""
        if self.gathering is not None:
            self.gathering.close()
        if self.seeking is not None:
            self.seeking.leave()
            self._give_up(self.seeking)
            self.reopenings.left(self.seeking.opener, self.seeking.offer_id)
        self.watchings.leave()
        self._close(because)
        self.settle(now)

    def look_on(self, watched: Table, now: float) -> None:
        """Look for the table that goes on from the watched one."""
        self.watchings.look(watched, self.people.offers(), self._heard, now)

    # The own table between two deals

    def set_before(self, before: Before | None, now: float) -> None:
        """What a table has to state that goes on from the own one; None while it plays, or without one.

        Its next deal takes back all that was gathered to go on from it; but what all have signed stands.
        """
        if before == self.reopenings.before:
            return
        part = self.part
        if before is None and part is not None and part.formed is None:
            self.leave(now, ClosedBecause.WENT_ON)
        self.reopenings.set_before(before)
        if before is not None and self.gathering is not None:
            self.gathering.set_follows(before.follows, now)
        elif before is not None and self.seeking is not None:
            self.seeking.set_before(before)
        self.settle(now)

    @property
    def pointed(self) -> tuple[bytes, Offer] | None:
        """Who has opened the own table again, and his offer: the one to go to, if there is one."""
        if self.reopenings.before is None:
            return None
        return self.reopenings.pointed(self._offers(), self.core.links.keys() | {self.core.key})

    def is_successor(self, key: bytes, offer_id: bytes) -> bool:
        """Whether `key` offers a table with this id that goes on from the own one."""
        before, offer = self.reopenings.before, self._offers().get(key)
        if before is None or offer is None or offer.offer_id != offer_id:
            return False
        return before.is_followed_by(key, offer)

    def _offers(self) -> dict[bytes, Offer]:
        """Every offer, the own one too, by opener."""
        found = self.people.offers()
        if self.gathering is not None:
            found[self.core.key] = self.gathering.offer
        return found

    # Outcomes

    def take_formed(self) -> tuple[SignedProposal, TableCode | None] | None:
        """The table that has just been formed, and its code, once; None if this peer has no seat at it."""
        part = self.part
        if part is None or part.formed is None:
            return None
        formed, code = part.formed, part.code
        without_me = formed.open().seat_of(self.core.key) is None
        self.drop()
        if without_me:
            self.core.out.emit(TableClosed(ClosedBecause.STARTED_WITHOUT))
            return None
        return formed, code

    def drop(self) -> None:
        """Form no table any more."""
        self.gathering = self.seeking = None
        self.core.out.lobby_changed()

    def is_free_for(self, proposal: Proposal) -> bool:
        """Whether nothing hinders this peer from sitting down at a table that was formed without its
        knowing: it seeks no other, has not signed this one in this process, and nobody has joined its own.
        """
        if self.gathering is not None:
            return len(self.gathering.chairs) == 1
        seeking = self.seeking
        return seeking is None or (
            seeking.offer_id == proposal.offer_id and not seeking.has_signed(proposal.table_id)
        )

    def settle(self, now: float) -> None:
        """Draw the consequences of what came in, and announce what others should know."""
        if self.reopenings.before is not None:
            self.reopenings.look(self._offers())
        seeking = self.seeking
        if seeking is not None and seeking.refused is not None:
            self._tell_refused(seeking, seeking.refused)
            self.seeking = None
        elif seeking is not None and seeking.closed is not None:
            self._close(seeking.closed)
        watching = self.watchings.take_refused()
        if watching is not None and watching.refused is not None:
            self._tell_refused(watching, watching.refused)
        self.announcing.tell(self._presence(), now)

    def _tell_refused(self, asked: Seeking | Watching, reason: RefusedJoin) -> None:
        version = self.people.version_of(asked.opener)
        self.core.out.emit(JoinRefused(asked.offer_id, reason, version, VERSION, asked.tries_left))
        self.core.out.lobby_changed()

    def _give_up(self, seeking: Seeking) -> None:
        """What was signed there is no table for this peer any more, whatever is brought later: for good."""
        for table_id, seat in seeking.signed:
            leave = sign_leave(self.core.identity, Leave(table_id, 1, seat))
            self._past.left(table_id, leave)
            self.core.out.add(LeaveTable(table_id, leave))

    def _close(self, reason: ClosedBecause) -> None:
        self.gathering = self.seeking = None
        self.core.out.emit(TableClosed(reason))
        self.core.out.lobby_changed()

    # Telling the others

    def _presence(self) -> Presence:
        return self.announcing.presence(self.part, reopened=self.pointed is not None)


def _hindrance_at(offer: Offer, code: TableCode | None, *, watch: bool) -> RefusedJoin | None:
    """Why nobody can sit down at this table, or watch it, with this code or without one."""
    if watch and offer.table_rules.watchers == "no":
        return RefusedJoin.NOT_WATCHED
    if watch != (offer.status is OfferStatus.PLAYING):
        return RefusedJoin.NOT_PLAYED if watch else RefusedJoin.PLAYING
    if offer.needs_code and code is None:
        return RefusedJoin.CODE
    return RefusedJoin.NO_CODE if code is not None and not offer.needs_code else None
