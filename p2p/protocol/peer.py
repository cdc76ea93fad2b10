"""One peer of the game, without any input or output of its own.

Whoever drives it tells it what happened (a link, a message, a result, the time, a wish of the person) and
carries out the effects that come back, in their order. A node does so with sockets and a disk, a simulator
with queues and a virtual clock; the peer cannot tell the difference.

    link_up, link_down, receive, job_done, tick  ---+
    open_table, reopen, join, watch, set_ready,     +--> Peer --> Send, Keep, CloseDeal, Run, Emit
    start_without, submit, next_deal,               |
    end_wait, open_books, say, leave             ---+

A peer has one table, at which it sits or which it watches, or is on its way to one. Only between two deals
it has both: the table that is over, and the way to the one that goes on from it (`reopening`).
"""

from collections.abc import Collection, Mapping

from crypto import Draw, Group, Identity, Ristretto255
from engine import Move, Refusal, Ruleset, RulesetError
from p2p.protocol.ballot import SignedLeave
from p2p.protocol.carried import UncarriedRulesError, check_carried
from p2p.protocol.deal_run import DealRun
from p2p.protocol.deal_views import CardReading
from p2p.protocol.lobby import Lobby
from p2p.protocol.lobby_view import lobby_view
from p2p.protocol.messages import (
    JunkError,
    JunkReason,
    Talk,
    decode,
)
from p2p.protocol.own_table import OwnTable
from p2p.protocol.past_tables import PastTables
from p2p.protocol.peer_core import Channel, Core
from p2p.protocol.peer_effects import Emit, PeerEffect
from p2p.protocol.peer_events import (
    ClosedBecause,
    CommandRefused,
    JoinRefused,
    MoveRefused,
    PeerBack,
    PeerLost,
    RefusedCommand,
    RefusedJoin,
    TableChanged,
)
from p2p.protocol.resumed import ResumedTable
from p2p.protocol.snapshot import LobbySnapshot, TableSnapshot
from p2p.protocol.table import MovePlace, Table
from p2p.protocol.table_code import TableCode
from p2p.protocol.table_rules import USUAL, TableRules, TableRulesError
from p2p.protocol.table_talk import Company, TableTalk
from p2p.protocol.table_view import gathering_view, reopened_view, table_view
from p2p.protocol.talk import Said
from p2p.protocol.text import clean_title, own_name
from p2p.protocol.traffic import Traffic
from p2p.protocol.transcript import write_transcript

UNREADY_PAUSE_S = 5.0
"""Readiness can be taken back only once in this time."""


class Peer:
    """One process's part in the game: a lobby, at most one table, and at most one that is being formed."""

    def __init__(
        self,
        identity: Identity,
        name: str,
        draw: Draw,
        *,
        group: Group | None = None,
        known: Mapping[bytes, str] | None = None,
        audits: bool = True,
        played: Collection[bytes] = (),
        left: Mapping[bytes, SignedLeave | None] | None = None,
    ) -> None:
        """Make a peer that is linked to nobody.

        Args:
            identity: the long-term key.
            name: the own name, shown to others.
            draw: the only source of randomness.
            group: the group of all cryptography; ristretto255 unless given.
            known: people met before, by key, with the names they had.
            audits: have each deal of the own table audited when it has ended, as a job.
            played: ids of the tables that the journal knows. One of them is taken up by `resume` alone; at
                another one that the own key has signed, this peer sits down when a member tells it of it.
            left: by id what the own person has signed to leave a table: whoever waits there is told so.

        Raises:
            TextError: the name cannot be used.
        """
        self._core = Core(identity, own_name(name), draw, group or Ristretto255(), known or {}, audits)
        past = PastTables(played, left or {})
        self._lobby = Lobby(self._core, past)
        self._traffic = Traffic()
        self._own = OwnTable(self._core, self._lobby, past, self._traffic)
        self._talk = TableTalk(self._core)
        self._unready_at = float("-inf")
        self._picture: TableSnapshot | None = None

    # What others and the clock do

    def link_up(self, key: bytes, now: float, channel: Channel) -> tuple[PeerEffect, ...]:
        """An authenticated link to `key` (32 bytes) stands."""
        self._core.links[key] = channel
        self._traffic.link_up(key, self._core.links)
        self._lobby.link_up(key, now)
        if self._table is not None and self._table.link_up(key, now):
            self._core.out.emit(PeerBack(key))
        return self._drain(now)

    def link_down(self, key: bytes, now: float) -> tuple[PeerEffect, ...]:
        """The link to `key` is gone."""
        self._core.links.pop(key, None)
        self._lobby.link_down(key, now)
        if self._table is not None and self._table.link_down(key, now):
            self._core.out.emit(PeerLost(key))
        return self._drain(now)

    def receive(self, key: bytes, message: bytes, now: float) -> tuple[PeerEffect, ...]:
        """One message came over the link to `key`. Junk changes nothing, is counted, and names nobody."""
        limits = self._traffic.of(key)
        if limits.muted(now):
            limits.junk[JunkReason.FLOOD] += 1
            return ()
        try:
            decoded = decode(message)
            limits.take(type(decoded), now)
            if isinstance(decoded, Talk):
                self._talk.came(key, decoded, self._companies)
            else:
                self._own.receive(key, decoded, now)
        except JunkError as junk:
            limits.take_junk(junk.reason, now)
        return self._drain(now)

    def job_done(self, job: int, outcome: object, now: float) -> tuple[PeerEffect, ...]:
        """The job with this id returned `outcome`, or raised it."""
        if not self._lobby.job_done(job, outcome, now) and self._table is not None:
            self._table.job_done(job, outcome, now)
        return self._drain(now)

    def tick(self, now: float) -> tuple[PeerEffect, ...]:
        """Time has passed; call it at `next_timer` at the latest."""
        self._lobby.tick(now)
        if self._table is not None:
            self._table.tick(now)
        return self._drain(now)

    @property
    def next_timer(self) -> float | None:
        """When `tick` has something to do, by the clock of `now`; None if nothing is waited for."""
        times = [self._lobby.next_timer, None if self._table is None else self._table.next_timer]
        return min((time for time in times if time is not None), default=None)

    # What the own person wishes

    def open_table(
        self,
        title: str,
        ruleset: Ruleset,
        seats: int,
        now: float,
        *,
        table_rules: TableRules = USUAL,
        code: TableCode | None = None,
    ) -> tuple[PeerEffect, ...]:
        """Open a table, cleaned title and all, and take its first seat. With a code: for who knows it."""
        if self._table is not None or self._forming:
            return self._refuse(RefusedCommand.ALREADY_AT_TABLE)
        cleaned = clean_title(title)
        if not cleaned:
            return self._refuse(RefusedCommand.TITLE)
        try:
            ruleset.resolve(seats)
        except RulesetError:
            return self._refuse(RefusedCommand.SEATS)
        try:
            check_carried(ruleset)
            table_rules.check_dealer(ruleset, seats)
        except UncarriedRulesError as error:
            return self._refuse(RefusedCommand.RULES, option=error.option)
        except TableRulesError:
            return self._refuse(RefusedCommand.DEALER)
        self._lobby.open_table(cleaned, ruleset, seats, table_rules, now, code=code)
        return self._drain(now)

    def reopen(self, seats: int, now: float) -> tuple[PeerEffect, ...]:
        """Open the own table again for `seats` people, same title, rules and code, now that a deal is over.

        Until it is formed, the table before is kept.
        """
        before = self._lobby.reopenings.before
        if self._table is None or before is None:
            return self._refuse(RefusedCommand.NOT_NOW if self._table else RefusedCommand.NO_TABLE)
        if self._forming:
            return self._refuse(RefusedCommand.ALREADY_AT_TABLE)
        if before.needs_code and self._table.code is None:
            return self._refuse(RefusedCommand.NO_CODE)
        ruleset = Ruleset.from_mapping(dict(before.options))
        try:
            ruleset.resolve(seats)
        except RulesetError:
            return self._refuse(RefusedCommand.SEATS)
        self._table.deals.take_back()
        rules, follows = before.table_rules, before.follows
        self._lobby.open_table(
            before.title, ruleset, seats, rules, now, code=self._table.code, follows=follows
        )
        return self._drain(now)

    def resume(self, resumed: ResumedTable, now: float) -> tuple[PeerEffect, ...]:
        """Take up the table that the journal holds, at the deal where it stands.

        It says again what it has said last, and nothing new before it knows what the others know of it.
        """
        if self._table is not None or self._forming:
            return self._refuse(RefusedCommand.ALREADY_AT_TABLE)
        self._own.resume(resumed, now)
        return self._drain(now)

    def join(
        self, key: bytes, offer_id: bytes, now: float, code: TableCode | None = None
    ) -> tuple[PeerEffect, ...]:
        """Ask `key` for a seat at the table with this offer id. The answer is a table or `JoinRefused`.

        From the own table, between two deals, the way leads to those that go on from it, and from one of
        these to another.

        code: only a table whose opener knows it too is joined; without one, only a table that has none. To a
        table that goes on from the own one, the code is that of the own one.
        """
        successor = self._lobby.is_successor(key, offer_id)
        if (self._table is not None or self._forming) and not successor:
            self._core.out.emit(JoinRefused(offer_id, RefusedJoin.BUSY))
            return self._drain(now)
        if self._forming:
            self._lobby.leave(now)
        if self._table is not None:
            code = self._table.code or code
            self._table.deals.take_back()
        self._lobby.join(key, offer_id, now, code)
        return self._drain(now)

    def watch(
        self, key: bytes, offer_id: bytes, now: float, code: TableCode | None = None
    ) -> tuple[PeerEffect, ...]:
        """Ask `key` to watch the table that it has opened, which is played. The answer is a table without an
        own seat, or `JoinRefused`. code: of a private table.
        """
        if self._table is not None or self._forming:
            self._core.out.emit(JoinRefused(offer_id, RefusedJoin.BUSY))
        else:
            self._lobby.watch(key, offer_id, now, code)
        return self._drain(now)

    def set_ready(self, ready: bool, now: float) -> tuple[PeerEffect, ...]:
        """Agree to the table's rules, or take that back."""
        gathering, seeking = self._lobby.gathering, self._lobby.seeking
        if gathering is None and (seeking is None or seeking.roster is None):
            return self._refuse(RefusedCommand.NOT_NOW if self._table else RefusedCommand.NO_TABLE)
        if not ready and self._own_ready:
            wait_s = self._unready_at + UNREADY_PAUSE_S - now
            if wait_s > 0:
                return self._refuse(RefusedCommand.TOO_SOON, wait_s)
            self._unready_at = now
        if gathering is not None:
            gathering.set_own_ready(ready, now)
        elif seeking is not None:
            seeking.set_ready(ready)
        return self._drain(now)

    def start_without(self, now: float) -> tuple[PeerEffect, ...]:
        """Start without the only one who is not ready."""
        gathering, seeking = self._lobby.gathering, self._lobby.seeking
        done = False
        if gathering is not None and gathering.straggler is not None:
            done = gathering.start_without(self._core.key, gathering.straggler, now)
        elif seeking is not None and seeking.straggler is not None:
            done = seeking.start_without(seeking.straggler)
        return self._drain(now) if done else self._refuse(RefusedCommand.NOT_NOW)

    def submit(self, move: Move, now: float, at: MovePlace | None = None) -> tuple[PeerEffect, ...]:
        """Make a move of the own seat. An illegal one gives `MoveRefused` and changes nothing.

        at: what the move was thought of for; if the ledger has gone on since, it is stale and refused.
        """
        table = self._table
        if table is None:
            return self._refuse(RefusedCommand.NO_TABLE)
        if at is not None and at != table.place:
            self._core.out.emit(MoveRefused(Refusal.NOT_NOW))
            return self._drain(now)
        table.submit(move, now)
        return self._drain(now)

    def next_deal(self, now: float) -> tuple[PeerEffect, ...]:
        """Want the next deal; it begins when every seat wants it."""
        if self._table is None:
            return self._refuse(RefusedCommand.NO_TABLE)
        done = not self._forming and self._table.want_next(now)
        return self._drain(now) if done else self._refuse(RefusedCommand.NOT_NOW)

    def end_wait(self, now: float) -> tuple[PeerEffect, ...]:
        """Ask all others to end the wait for whoever is missed. `CommandRefused` says why that cannot be.

        Where two are left there is nobody to ask: then the deal is put aside, unfinished and without a loser.
        """
        if self._table is None:
            return self._refuse(RefusedCommand.NO_TABLE)
        refused = self._table.votes.end_wait(now)
        if refused is not None:
            return self._refuse(*refused)
        if self._table.votes.two_alone:
            self._own.close(ClosedBecause.PUT_ASIDE, now)
            return self._drain(now)
        return self.tick(now)

    def open_books(self, now: float) -> tuple[PeerEffect, ...]:
        """Want the books of the deal that has just ended to be opened: once all want it, every card of it can
        be read by all. It cannot be taken back.
        """
        if self._table is None:
            return self._refuse(RefusedCommand.NO_TABLE)
        refused = self._table.books.wish()
        return self._drain(now) if refused is None else self._refuse(refused)

    def say(self, said: Said, now: float) -> tuple[PeerEffect, ...]:
        """Say something to everybody at the own table, or at the one that is being formed."""
        companies = self._companies
        if not companies:
            return self._refuse(RefusedCommand.NO_TABLE if self._table is None else RefusedCommand.NOT_NOW)
        refused = self._talk.say(said, companies[0], now)
        return self._drain(now) if refused is None else self._refuse(refused)

    def leave(self, now: float) -> tuple[PeerEffect, ...]:
        """Leave the own table. A deal that is played is lost by it, if one still had to play in it. Who only
        watches loses nothing.

        From the way to a table that goes on from it, that leads back to it first.
        """
        if self._has_seat or (self._forming and self._table is None):
            self._lobby.leave(now)
        elif self._table is not None:
            if self._forming:
                self._lobby.leave(now)
            self._own.leave(now)
        else:
            return self._refuse(RefusedCommand.NO_TABLE)
        return self._drain(now)

    # What can be seen

    @property
    def key(self) -> bytes:
        """The own public identity key."""
        return self._core.key

    @property
    def readings(self) -> tuple[CardReading, ...]:
        """Who can read each card of the own table's deal, and since when; nothing without a table."""
        return () if self._table is None else self._table.deals.current.deal.readers

    @property
    def lobby(self) -> LobbySnapshot:
        """The lobby as it is now."""
        return lobby_view(self._lobby)

    @property
    def table(self) -> TableSnapshot | None:
        """The own table as it is now, if there is one."""
        return self._picture

    def standing(self, step: int, deal: int | None = None) -> tuple[bytes, bytes] | None:
        """The head of the ledger at a step of a deal and the digest of the state there (32 bytes each).

        deal: the table's current one unless told. None for a deal that is not in hand, or a step that it has
        not come to.
        """
        run = self._run(deal)
        if run is None or not 0 <= step <= run.deal.step:
            return None
        state = run.deal.record.state_at(step)
        return None if state is None else (state.head, run.digests[step])

    def transcript(self, deal: int | None = None) -> bytes | None:
        """The transcript of a deal, ended or not: of the table's current one unless told; None for one that
        is not in hand.

        It takes milliseconds, so a driver may call it beside its loop once the deal has ended.
        """
        run = self._run(deal)
        return None if run is None else write_transcript(run.deal)

    @property
    def junk(self) -> Mapping[JunkReason, int]:
        """How many messages came in vain, by reason."""
        return self._traffic.junk

    # Inside

    def _run(self, deal: int | None) -> DealRun | None:
        """The table's current deal, or another one that it has in hand."""
        if self._table is None:
            return None
        if deal is None:
            return self._table.deals.current
        return next((run for run in self._table.deals.runs if run.number == deal), None)

    @property
    def _table(self) -> Table | None:
        return self._own.table

    def _draw(self) -> TableSnapshot | None:
        """The table being formed, once there is a seat at it, with the one before it; or the own one."""
        part, pointed = self._lobby.part, self._lobby.pointed
        reopened = None
        if self._table is not None and pointed is not None:
            reopened = reopened_view(self._table, *pointed, self._lobby.reopenings)
        before = None
        if self._table is not None:
            before = table_view(self._table, reopened, self._talk.lines(self._table.offer_id))
        locked_until = self._unready_at + UNREADY_PAUSE_S if self._own_ready else None
        forming = None
        if part is not None:
            said = self._talk.lines(part.offer_id)
            forming = gathering_view(self._core, part, locked_until, before, said)
        return forming or before

    @property
    def _companies(self) -> tuple[Company, ...]:
        """Who can be talked to: at the table that is being formed, if there is a seat at it, and at the own
        one. Who only watches sits at no table: his words would be junk to those who play there.
        """
        part = self._lobby.part
        forming = (Company.gathered(part, self._core.key),) if part is not None and self._has_seat else ()
        own = self._table
        return forming if own is None or own.watching else (*forming, Company.at(own))

    @property
    def _forming(self) -> bool:
        """Whether this peer has opened a table, or asked for a seat at one, that is not formed yet; or has
        asked to watch one.
        """
        lobby = self._lobby
        asking = lobby.watchings.chosen is not None and self._table is None
        return lobby.gathering is not None or lobby.seeking is not None or asking

    @property
    def _has_seat(self) -> bool:
        """Whether this peer sits at a table that is not formed yet."""
        seeking = self._lobby.seeking
        return self._lobby.gathering is not None or (seeking is not None and seeking.roster is not None)

    @property
    def _own_ready(self) -> bool:
        gathering, seeking = self._lobby.gathering, self._lobby.seeking
        if gathering is not None:
            chair = gathering.chairs.get(self._core.key)
            return chair is not None and chair.ready
        return seeking is not None and seeking.ready

    def _refuse(
        self, reason: RefusedCommand, wait_s: float = 0.0, option: str | None = None
    ) -> tuple[PeerEffect, ...]:
        self._core.out.emit(CommandRefused(reason, wait_s, option))
        return self._core.out.drain()

    def _drain(self, now: float) -> tuple[PeerEffect, ...]:
        """What is to be done, at its end that the picture of the table differs, whatever has changed it."""
        self._own.settle(now)
        self._talk.keep_only({company.offer_id for company in self._companies})
        picture = self._draw()
        effects = self._core.out.drain()
        if picture == self._picture:
            return effects
        self._picture = picture
        return (*effects, Emit(TableChanged()))
