"""The opener's part in forming a table: who has a seat, who is ready, and one proposal that all sign.

Theory of operation. Seats are given in the order of asking. Each seat brings a nonce; whoever takes his
readiness back brings a new one, so what was drafted before cannot come back. Once every seat is taken and
ready, the opener sends one draft to all; each checks it and returns a signature; with all of them the
table exists. If a seat changes meanwhile, the draft is dropped and the next one goes round. From then on
the opener is a member like the others.

    gathering --all ready--> drafting --all signed--> formed
        ^                        |
        +--- a seat changes -----+
"""

from dataclasses import dataclass

from engine import Ruleset, RulesetError
from p2p.protocol.code_gate import CodeGate
from p2p.protocol.errors import ProtocolError
from p2p.protocol.follows import Follows
from p2p.protocol.hashing import VERSION
from p2p.protocol.lobby_snapshot import OfferStatus
from p2p.protocol.messages import (
    Draft,
    Formed,
    Offer,
    Person,
    Refuse,
    RefuseReason,
    Roster,
    RosterSeat,
    Withdraw,
)
from p2p.protocol.peer_core import Core
from p2p.protocol.proposal import (
    Member,
    Proposal,
    SignedProposal,
    sign_proposal,
    table_id,
    verify_proposal_signature,
)
from p2p.protocol.table_code import TableCode
from p2p.protocol.table_rules import TableRules
from p2p.protocol.text import clean_name

SEAT_KEPT_S = 15.0
"""How long a seat without a link is kept while gathering: a laptop that changes networks is back by then."""
SIGNING_S = 5.0
"""How long a draft waits for signatures, which programs give by themselves; who gave none is not ready."""
NONCE_BYTES = 32
OFFER_ID_BYTES = 16


@dataclass(slots=True)
class Chair:
    """One seat that is taken. `lost_at`: when its link went down, None while it stands."""

    name: str
    nonce: bytes
    ready: bool = False
    lost_at: float | None = None


def straggler_of(roster: Roster, ruleset: Ruleset) -> bytes | None:
    """The only one at a full table who is not ready, if the others are enough to play without him."""
    people = roster.people
    waiting = [seat.key for seat in people if not seat.ready]
    if len(people) < max(roster.seats, 3) or len(waiting) != 1:
        return None
    try:
        ruleset.resolve(len(people) - 1)
    except RulesetError:
        return None
    return waiting[0]


@dataclass(slots=True)
class _Round:
    """A draft on its way round. `proposal`: exact bytes; `signatures`: by key."""

    proposal: bytes
    order: tuple[bytes, ...]
    signatures: dict[bytes, bytes]
    since: float


class Gathering:
    """A table that this peer opened and that is not formed yet.

    `follows`: the own table that it goes on from. `code`: what a joiner has to know; None lets everybody in.
    """

    def __init__(
        self,
        core: Core,
        title: str,
        ruleset: Ruleset,
        seats: int,
        table_rules: TableRules,
        follows: Follows | None = None,
        code: TableCode | None = None,
    ) -> None:
        self.core = core
        self.offer_id = core.draw(OFFER_ID_BYTES)
        self.gate = None if code is None else CodeGate(core, self.offer_id, code)
        self.title = title
        self.ruleset = ruleset
        self.table_rules = table_rules
        self.seats = seats
        self.follows = follows
        self.chairs: dict[bytes, Chair] = {core.key: Chair(core.name, core.draw(NONCE_BYTES))}
        self.formed: SignedProposal | None = None
        self._round: _Round | None = None

    # What it looks like

    @property
    def code(self) -> TableCode | None:
        """What a joiner has to know."""
        return None if self.gate is None else self.gate.code

    @property
    def offer(self) -> Offer:
        """The table as the lobby of others shows it."""
        status = OfferStatus.FULL if len(self.chairs) >= self.seats else OfferStatus.OPEN
        people = tuple(Person(key, chair.name) for key, chair in self.chairs.items())
        return Offer(
            self.offer_id,
            self.title,
            self._options,
            self.table_rules,
            self.seats,
            status,
            people,
            self.follows,
            needs_code=self.gate is not None,
        )

    @property
    def roster(self) -> Roster:
        """The table as its members see it."""
        people = tuple(RosterSeat(key, chair.name, chair.ready) for key, chair in self.chairs.items())
        rules = (self._options, self.table_rules)
        return Roster(self.offer_id, self.title, *rules, self.seats, people, self.follows)

    @property
    def _options(self) -> tuple[tuple[str, str | int], ...]:
        return tuple(sorted(self.ruleset.to_mapping().items()))

    @property
    def straggler(self) -> bytes | None:
        """Whom the others may start without, as `straggler_of` says."""
        return straggler_of(self.roster, self.ruleset)

    # What comes in

    def join(self, key: bytes, name: str, nonce: bytes, now: float) -> None:
        """`key` asks for a seat, or is back on a new link and names the nonce that holds from now on."""
        chair = self.chairs.get(key)
        if chair is None:
            reason = self._no_seat_for(key, nonce)
            if reason is not None:
                self.core.send(key, Refuse(self.offer_id, reason, VERSION))
                return
            self.chairs[key] = Chair(clean_name(name), nonce)
            self._changed(now)
            return
        if chair.nonce != nonce:
            self._set(key, chair, False, nonce)
        chair.name, chair.lost_at = clean_name(name), None
        if self._round is not None and chair.ready:
            self.core.send(key, self.roster)
            self.core.send(key, Draft(self.offer_id, self._round.proposal))
        else:
            self._changed(now)

    def _no_seat_for(self, key: bytes, nonce: bytes) -> RefuseReason | None:
        """Why `key`, who has none, gets no seat."""
        if len(self.chairs) >= self.seats:
            return RefuseReason.FULL
        if self.gate is not None and key not in self.gate.admitted:
            return RefuseReason.CODE
        return RefuseReason.BUSY if self._is_copied(key, nonce) else None

    def code_share_came(self, key: bytes, share: bytes, now: float) -> None:
        """`key` begins to show that it knows the code."""
        reason = None
        if self.gate is None:
            reason = RefuseReason.NO_CODE
        elif len(self.chairs) >= self.seats and key not in self.chairs:
            reason = RefuseReason.FULL
        elif not self.gate.share_came(key, share, now):
            reason = RefuseReason.GUESSES
        if reason is not None:
            self.core.send(key, Refuse(self.offer_id, reason, VERSION))

    def set_ready(self, key: bytes, ready: bool, nonce: bytes, now: float) -> None:
        """`key` agrees, or does so no longer and brings a fresh nonce."""
        chair = self.chairs.get(key)
        if chair is None or (chair.ready == ready and chair.nonce == nonce):
            return
        self._set(key, chair, ready, nonce)
        self._changed(now)

    def _set(self, key: bytes, chair: Chair, ready: bool, nonce: bytes) -> None:
        """Take over readiness and nonce; whoever brings another member's nonce is not ready with it."""
        if self._is_copied(key, nonce):
            chair.ready = False
        else:
            chair.ready, chair.nonce = ready, nonce

    def _is_copied(self, key: bytes, nonce: bytes) -> bool:
        return any(chair.nonce == nonce for other, chair in self.chairs.items() if other != key)

    def set_own_ready(self, ready: bool, now: float) -> None:
        """The opener agrees, or no longer."""
        chair = self.chairs.get(self.core.key)
        if chair is not None and chair.ready != ready:
            nonce = chair.nonce if ready else self.core.draw(NONCE_BYTES)
            self.set_ready(self.core.key, ready, nonce, now)

    def set_follows(self, follows: Follows, now: float) -> None:
        """The table before turned out to count otherwise: what was agreed to is something else now."""
        if follows == self.follows:
            return
        self.follows = follows
        for chair in self.chairs.values():
            chair.ready = False
        own = self.chairs.get(self.core.key)
        if own is not None:
            own.nonce = self.core.draw(NONCE_BYTES)
        self._changed(now)

    def start_without(self, by: bytes, key: bytes, now: float) -> bool:
        """`by`, who is ready, wants to start without `key`. Returns whether it is done."""
        chair = self.chairs.get(by)
        if chair is None or not chair.ready or self.straggler != key:
            return False
        del self.chairs[key]
        self.seats = len(self.chairs)
        self.core.send(key, Withdraw(self.offer_id, started_without=True))
        self._changed(now)
        return True

    def leave(self, key: bytes, now: float) -> None:
        """`key` gives its seat back."""
        if key != self.core.key and self.chairs.pop(key, None) is not None:
            self._changed(now)

    def sign(self, key: bytes, draft: bytes, signature: bytes) -> None:
        """`key` signed the draft with the id `draft`; anything but the draft on its way is out of date."""
        going = self._round
        if going is None or key not in going.order or table_id(going.proposal) != draft:
            return
        try:
            verify_proposal_signature(going.proposal, going.order.index(key), signature)
        except ProtocolError:
            return
        going.signatures[key] = signature
        self._complete()

    def link_down(self, key: bytes, now: float) -> None:
        """The link to `key` is gone; the seat waits for it."""
        if self.gate is not None:
            self.gate.link_down(key)
        chair = self.chairs.get(key)
        if chair is not None:
            chair.lost_at = now

    def tick(self, now: float) -> None:
        """Give up on seats that have been away, and on signatures that have not come, for too long."""
        gone = [
            key
            for key, chair in self.chairs.items()
            if chair.lost_at is not None and now - chair.lost_at >= SEAT_KEPT_S
        ]
        for key in gone:
            del self.chairs[key]
        late = False
        if self._round is not None and now - self._round.since >= SIGNING_S:
            for key in self._round.order:
                if key not in self._round.signatures and key in self.chairs:
                    self.chairs[key].ready = False
            late = True
        if gone or late:
            self._changed(now)

    @property
    def next_timer(self) -> float | None:
        """When `tick` has something to do."""
        times = [chair.lost_at + SEAT_KEPT_S for chair in self.chairs.values() if chair.lost_at is not None]
        if self._round is not None:
            times.append(self._round.since + SIGNING_S)
        return min(times, default=None)

    def close(self) -> None:
        """The opener leaves: there is no table any more."""
        for key in self.chairs:
            self.core.send(key, Withdraw(self.offer_id, started_without=False))

    # The draft

    def _changed(self, now: float) -> None:
        """A seat changed: whatever was going round is out of date."""
        self._round = None
        self.core.out.lobby_changed()
        roster = self.roster
        for key in self.chairs:
            self.core.send(key, roster)
        if len(self.chairs) >= self.seats and all(chair.ready for chair in self.chairs.values()):
            self._draft(now)

    def _draft(self, now: float) -> None:
        members = tuple(Member(key, chair.nonce, chair.name) for key, chair in self.chairs.items())
        proposal = Proposal.make(
            self.offer_id,
            self.title,
            self.ruleset,
            members,
            self.table_rules,
            self.follows,
            needs_code=self.gate is not None,
        )
        encoded = proposal.encode()
        self._round = _Round(encoded, tuple(self.chairs), {}, now)
        if self.core.key in self.chairs:
            self._round.signatures[self.core.key] = sign_proposal(self.core.identity, encoded)
        for key in self.chairs:
            self.core.send(key, Draft(self.offer_id, encoded))
        self._complete()

    def _complete(self) -> None:
        going = self._round
        if going is None or len(going.signatures) < len(going.order):
            return
        signatures = tuple(going.signatures[key] for key in going.order)
        self.formed = SignedProposal(going.proposal, signatures)
        for key in going.order:
            self.core.send(key, Formed(self.formed))
