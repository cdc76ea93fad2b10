"""The picture of the own table, drawn from its machines: while it gathers, and from its first deal on."""

from crypto import fingerprint
from engine import Duty, Ruleset, RulesetError, Seat, Standings
from p2p.protocol.deal_run import DealRun
from p2p.protocol.deal_views import Owed, Stage
from p2p.protocol.entry import Kind
from p2p.protocol.gathering import Gathering
from p2p.protocol.ledger import FIRST_SHUFFLE_STEP
from p2p.protocol.messages import Offer
from p2p.protocol.names import distinct_names, name_warnings
from p2p.protocol.own_answers import runs_out_at
from p2p.protocol.peer_core import Core
from p2p.protocol.reopening import Reopenings
from p2p.protocol.seeking import Seeking
from p2p.protocol.snapshot import (
    BooksView,
    MemberView,
    OwedKind,
    OwedView,
    Phase,
    ReopenedView,
    SeatTrust,
    SessionCount,
    SessionView,
    ShuffleState,
    ShuffleView,
    TableRules,
    TableSnapshot,
    TrustAnswer,
    TrustView,
    WatcherView,
)
from p2p.protocol.table import Table
from p2p.protocol.talk import TalkLine
from p2p.protocol.text import clean_title

_PHASES = {
    Stage.OPENING: Phase.OPENING,
    Stage.SHUFFLING: Phase.SHUFFLING,
    Stage.SEALING: Phase.SEALING,
    Stage.DEALING: Phase.DEALING,
    Stage.PLAYING: Phase.PLAYING,
    Stage.OVER: Phase.OVER,
    Stage.VOID: Phase.VOID,
    Stage.STOPPED: Phase.STOPPED,
    Stage.ABSENT: Phase.ABSENT,
}
_ANSWERS = {
    Phase.VOID: TrustAnswer.CAUGHT,
    Phase.STOPPED: TrustAnswer.STOPPED,
    Phase.PLAYING: TrustAnswer.NOBODY,
    Phase.OVER: TrustAnswer.NOBODY,
    Phase.DEALING: TrustAnswer.NOBODY,
}
_SHOWN = frozenset({Phase.PLAYING, Phase.OVER, Phase.VOID, Phase.STOPPED, Phase.ABSENT})
"""Phases in which the cards are in view."""
_KINDS = {
    Kind.COMMIT: OwedKind.COMMIT,
    Kind.OPEN: OwedKind.OPEN,
    Kind.SHUFFLE: OwedKind.SHUFFLE,
    Kind.SEAL: OwedKind.SEAL,
    Kind.SHARES: OwedKind.SHARES,
    Kind.LAY: OwedKind.LAY,
    Kind.REVEAL: OwedKind.REVEAL,
    Kind.PICK_UP: OwedKind.PICK_UP,
    Kind.DRAW: OwedKind.DRAW,
    Kind.SETS: OwedKind.SETS,
    Kind.OUT: OwedKind.OUT,
    Kind.ANSWER_COMMIT: OwedKind.ANSWER,
    Kind.ANSWER: OwedKind.ANSWER_OPEN,
    Kind.COIN_COMMIT: OwedKind.COIN,
    Kind.COIN: OwedKind.COIN_OPEN,
    Kind.RECEIPT: OwedKind.RECEIPT,
}


_KINDS_OF_DUTY: dict[Duty | None, OwedKind] = {
    Duty.LAY_OR_CALL: OwedKind.LAY_OR_CALL,
    Duty.GO_OUT_OR_CALL: OwedKind.OUT_OR_CALL,
}
"""Where two kinds of entry would do."""


def gathering_view(
    core: Core,
    part: Gathering | Seeking,
    ready_locked_until: float | None,
    before: TableSnapshot | None = None,
    talk: tuple[TalkLine, ...] = (),
) -> TableSnapshot | None:
    """The picture of a table that is being formed; None before the opener has given a seat.

    before: the own table that it goes on from. talk: what was said while it gathers.
    """
    roster = part.roster
    ruleset = part.ruleset
    if roster is None or ruleset is None:
        return None
    follows = roster.follows
    other = None if before is None else before.reopened
    raw = {seat.key: seat.name for seat in roster.people}
    names = distinct_names(raw)
    warnings = name_warnings(core.key, core.name, raw, core.known)
    own_ready = part.ready if isinstance(part, Seeking) else None
    members = tuple(
        MemberView(
            key=seat.key,
            name=names[seat.key],
            fingerprint=fingerprint(seat.key),
            seat=None,
            ready=own_ready if own_ready is not None and seat.key == core.key else seat.ready,
            connected=_is_connected(core, part, seat.key),
            own=seat.key == core.key,
            away_since=_away_since(part, seat.key),
            warning=warnings.get(seat.key),
        )
        for seat in roster.people
    )
    gate = part.gate if isinstance(part, Gathering) else None
    here = core.key if isinstance(part, Gathering) else part.opener, part.offer_id
    return TableSnapshot(
        offer_id=part.offer_id,
        table_id=None,
        title=clean_title(roster.title),
        ruleset=_resolved(ruleset, roster.seats),
        table_rules=roster.table_rules,
        seats=roster.seats,
        members=members,
        own_seat=None,
        phase=Phase.GATHERING,
        deal=0,
        step=0,
        head=None,
        view=None,
        owed=(),
        shuffles=(),
        trust=TrustView(TrustAnswer.NOT_YET, 0, 0, 0, 0, 0, 0),
        result=None,
        losses=tuple(follows.of(seat.key).losses for seat in roster.people) if follows else (),
        wins=tuple(follows.of(seat.key).wins for seat in roster.people) if follows else (),
        next_ready=frozenset(),
        ready_locked_until=ready_locked_until,
        can_start_without=part.straggler,
        reopened=other if other is not None and (other.opener, other.offer_id) != here else None,
        before=before,
        goes_on=follows is not None,
        code=None if gate is None else gate.code,
        talk=talk,
    )


def _resolved(ruleset: Ruleset, seats: int) -> Ruleset:
    try:
        return ruleset.resolve(seats)
    except RulesetError:
        return ruleset


def _is_connected(core: Core, part: Gathering | Seeking, key: bytes) -> bool:
    if isinstance(part, Gathering):
        return key == core.key or part.chairs[key].lost_at is None
    # Only the opener's link matters now; of the others this peer knows no better than the opener.
    return key != part.opener or part.lost_at is None


def _away_since(part: Gathering | Seeking, key: bytes) -> float | None:
    if isinstance(part, Gathering):
        return part.chairs[key].lost_at
    return part.lost_at if key == part.opener else None


def reopened_view(table: Table, opener: bytes, offer: Offer, reopenings: Reopenings) -> ReopenedView:
    """The picture of a member's table that goes on from `table`."""
    return ReopenedView(
        opener=opener,
        name=table.names[opener],
        offer_id=offer.offer_id,
        seats=offer.seats,
        taken=len(offer.people),
        people=tuple(person.key for person in offer.people),
        agrees=reopenings.before is not None and reopenings.before.agrees(offer),
        left=reopenings.has_left(opener, offer.offer_id),
        can_join=reopenings.can_join(opener, offer),
        asks_code=offer.needs_code and table.code is None,
    )


def table_view(
    table: Table, reopened: ReopenedView | None = None, talk: tuple[TalkLine, ...] = ()
) -> TableSnapshot:
    """The picture of a formed table. reopened: who has opened it again. talk: what was said at it."""
    run = table.deals.current
    deal = run.deal
    phase = _PHASES[deal.stage]
    following = table.deals.next
    players, keys = run.terms.players, run.terms.keys
    standings = table.deals.succession.standings(run.terms)
    return TableSnapshot(
        offer_id=table.offer_id,
        table_id=table.table_id,
        title=table.title,
        ruleset=deal.public_state.frame.ruleset,
        table_rules=table.rules,
        seats=len(players),
        members=tuple(_member(table, Seat(seat), key) for seat, key in enumerate(keys)),
        aside=tuple(_member(table, None, key) for key in table.names if key not in keys),
        own_seat=run.own,
        phase=phase,
        deal=run.number,
        step=deal.step,
        head=deal.head,
        view=deal.view if phase in _SHOWN else None,
        owed=tuple(_owed(run, table.rules, owed) for owed in deal.owed),
        shuffles=_shuffles(table, run),
        trust=_trust(run, phase),
        result=run.result(standings),
        losses=tuple(standings.losses[seat] for seat in players),
        wins=tuple(standings.wins[seat] for seat in players),
        session=_session(table, standings, run),
        next_players=() if following is None else following.terms.keys,
        next_ready=frozenset() if following is None else _wanting(following),
        happened=tuple(run.happened),
        own_wait=deal.working or table.deals.taking_up or deal.silent,
        taking_up=table.deals.taking_up,
        silent=deal.silent and deal.outcome is None and not deal.replaying,
        books=_books(run),
        poll=table.votes.poll,
        wait_until=table.votes.wait_until,
        two_alone=table.votes.two_alone,
        reopened=reopened,
        company_sizes=table.company_sizes,
        talk=talk,
        watching=table.watching,
        watchers=_watchers(table),
    )


def _watchers(table: Table) -> tuple[WatcherView, ...]:
    if not table.watchers:
        return ()
    told_apart = distinct_names(table.names | {key: one.name for key, one in table.watchers.items()})
    return tuple(WatcherView(key, told_apart[key], fingerprint(key)) for key in table.watchers)


def _session(table: Table, standings: Standings, run: DealRun) -> SessionView | None:
    rules = table.deals.succession.ruleset
    if rules.session == "none":
        return None
    keys = tuple(table.names)
    return SessionView(
        goal=rules.session_losses if rules.session == "to_n_losses" else None,
        counts=tuple(
            SessionCount(key, losses, wins)
            for key, losses, wins in zip(keys, standings.losses, standings.wins, strict=True)
        ),
        losers=tuple(keys[seat] for seat in standings.losers),
        best=tuple(keys[seat] for seat in standings.best),
        tie_break=table.deals.succession.settles_tie(run.terms),
    )


def _books(run: DealRun) -> BooksView | None:
    books = run.deal.books
    return None if books is None else BooksView(books.wished, books.opened, books.open, books.can_wish)


def _wanting(run: DealRun) -> frozenset[bytes]:
    seats = set(run.deal.record.accepted_at(0))
    if run.wanted and run.own is not None:
        seats.add(run.own)
    return frozenset(run.terms.keys[seat] for seat in seats)


def _member(table: Table, seat: Seat | None, key: bytes) -> MemberView:
    member = table.members.get(key)
    return MemberView(
        key=key,
        name=table.names[key],
        fingerprint=table.fingerprints[key],
        seat=seat,
        ready=True,
        connected=member is None or key in table.core.links,
        own=member is None,
        away_since=None if member is None else member.lost_at,
        warning=table.warnings.get(key),
        left=member is not None and (member.left or member.seat in table.deals.succession.gone),
    )


def _owed(run: DealRun, rules: TableRules, owed: Owed) -> OwedView:
    kind = _KINDS_OF_DUTY.get(owed.duty) or _KINDS[owed.kinds[0]]
    forced = kind is OwedKind.SETS and not owed.choice
    return OwedView(owed.seat, kind, run.step_since, forced, runs_out_at(run, rules, owed))


def _shuffles(table: Table, run: DealRun) -> tuple[ShuffleView, ...]:
    """The bars of the shuffling screen. Statuses tell of verifying sooner than entries do."""
    state = run.deal.public_state
    order = state.order or state.seats
    if state.seals_complete:
        return tuple(ShuffleView(seat, ShuffleState.DONE, len(order)) for seat in order)
    progress = {one.seat: one for one in run.deal.shuffles}
    views = []
    for step, seat in enumerate(order, start=FIRST_SHUFFLE_STEP):
        one = progress.get(seat)
        if one is None or not one.done:
            working = one is not None and one.working
            views.append(ShuffleView(seat, ShuffleState.WORKING if working else ShuffleState.WAITING, 0))
            continue
        passed = {member.key for member in table.members.values() if member.passed(run.number, step)}
        known = {Seat(at) for at, key in enumerate(run.terms.keys) if key in passed}
        known |= {seat} if run.own is None else {run.own, seat}
        views.append(ShuffleView(seat, ShuffleState.DONE, max(one.checked_by, len(known))))
    return tuple(views)


def _trust(run: DealRun, phase: Phase) -> TrustView:
    trust, books = run.deal.trust, run.deal.books
    answer = _ANSWERS.get(phase, TrustAnswer.NOT_YET)
    if books is not None and books.open:
        answer = TrustAnswer.OPENED
    if phase is Phase.ABSENT and trust.seals_complete:
        answer = TrustAnswer.NOBODY
    return TrustView(
        answer=answer,
        shuffles_checked=trust.shuffles,
        repacks_checked=trust.repacks,
        shares_checked=trust.shares,
        seals_checked=trust.seals,
        seals_complete=trust.seals_complete,
        packets_opened=trust.packets_opened,
        seats=tuple(
            SeatTrust(one.seat, one.key_proven, one.shuffles + one.repacks, one.shares, one.seals)
            for one in trust.seats
        ),
    )
