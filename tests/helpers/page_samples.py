"""Pictures of a lobby and a table for tests of the screens around the table, made by hand."""

from dataclasses import replace

from engine import Ruleset, Seat, Slot
from p2p.net.history import History, PastDeal
from p2p.net.unfinished import UnfinishedTable
from p2p.protocol.deal_cards import Reading
from p2p.protocol.deal_tally import PlayerRecord, Tally
from p2p.protocol.deal_views import CardReading
from p2p.protocol.resumed import ResumedTable
from p2p.protocol.snapshot import (
    AuditView,
    BooksView,
    LobbySnapshot,
    MemberView,
    NameWarning,
    OfferStatus,
    OfferView,
    PersonView,
    Phase,
    ReopenedView,
    ResultKind,
    ResultView,
    SessionCount,
    SessionView,
    Standing,
    TableRules,
    TableSnapshot,
    TrustAnswer,
    TrustView,
    WatcherView,
)

HOSTILE = "[b]Max[/] [@click=app.quit]x[/]"
"""A name that is markup to anything that reads it so."""

WIDE = "界" * 32
"""As long a name as there can be, each character two cells wide."""
ODD_NAMES = (WIDE, "W" * 32, HOSTILE, "[bold", "[/]", "Жозефина-Евгения де Богарне")
"""Names that do not fit, or are no plain words."""

FINGERPRINTS = ("7F3K-Q2MD-90XA-B3CE", "9XW2-AA1T-7KQ8-M4RN", "4H7P-0JJD-WE51-TT2K", "TT0C-8ZPL-3VVA-6N0B")


def key(number: int) -> bytes:
    """Return a key."""
    return bytes([number]) * 32


def changed_rules() -> Ruleset:
    """Return pagat with two differences."""
    return Ruleset.preset("pagat").with_(next_dealer="loser", lead_max=4, follow_max=4)


def offer(number: int, title: str, **changes: object) -> OfferView:
    """Return a table in the lobby."""
    usual = OfferView(
        offer_id=bytes([number]) * 16,
        short_id=f"{number}T",
        same_title=False,
        opener=key(number),
        title=title,
        ruleset=Ruleset.preset("pagat"),
        table_rules=TableRules(),
        seats=4,
        taken=2,
        status=OfferStatus.OPEN,
        people=("Борис", "Vera"),
    )
    return replace(usual, **changes)


def person(number: int, name: str, **changes: object) -> PersonView:
    """Return somebody in the lobby."""
    usual = PersonView(key(number), name, FINGERPRINTS[number % 4], None, reachable=True)
    return replace(usual, **changes)


def lobby(*, empty: bool = False) -> LobbySnapshot:
    """Return a lobby with four tables and six people, or with nobody."""
    if empty:
        return LobbySnapshot(key(9), "Oleg", FINGERPRINTS[0], (), ())
    offers = (
        offer(1, "Kitchen", ruleset=changed_rules(), taken=3, people=("Anna", "Boris", "Vera")),
        offer(2, "Evening", same_title=True, seats=6),
        offer(3, "Evening", same_title=True, seats=5, taken=5, status=OfferStatus.FULL),
        offer(4, HOSTILE, status=OfferStatus.PLAYING),
    )
    people = (
        person(1, "Boris", table_title="Kitchen"),
        person(2, "Vera", table_title="Kitchen"),
        person(3, "Anna", reachable=False),
        person(4, "Oleg", warning=NameWarning.IMITATES_YOU),
        person(5, "Boris", warning=NameWarning.NOT_YOURS),
        person(6, HOSTILE, table_title="Evening"),
    )
    return LobbySnapshot(key(9), "Oleg", FINGERPRINTS[0], people, offers)


def crowd(tables: int = 40, people: int = 60) -> LobbySnapshot:
    """Return a lobby with so many tables and people, of odd names and plain ones."""
    names = [*ODD_NAMES, *(f"Player {number}" for number in range(people))]
    offers = tuple(
        offer(number, names[number], people=(names[number], names[number + 1]), needs_code=number == 1)
        for number in range(tables)
    )
    around = tuple(
        person(
            number,
            names[number],
            table_title=names[number],
            warning=NameWarning.NEW_KEY if number == 1 else None,
        )
        for number in range(people)
    )
    return LobbySnapshot(key(250), WIDE, FINGERPRINTS[0], around, offers)


def member(number: int, name: str, **changes: object) -> MemberView:
    """Return somebody at the table; number 0 is the own person."""
    usual = MemberView(
        key(number), name, FINGERPRINTS[number % 4], None, ready=True, connected=True, own=number == 0
    )
    return replace(usual, **changes)


def watchers(*names: str) -> tuple[WatcherView, ...]:
    """Return people of these names who watch a table."""
    return tuple(
        WatcherView(key(100 + number), name, FINGERPRINTS[number % 4]) for number, name in enumerate(names)
    )


def watched(table: TableSnapshot) -> TableSnapshot:
    """Return a table as somebody sees it who only watches it."""
    members = tuple(replace(one, own=False) for one in table.members)
    view = table.view and replace(table.view, seat=None, faces={})
    return replace(table, members=members, view=view, aside=(), own_seat=None, watching=True)


def gathering(**changes: object) -> TableSnapshot:
    """Return a table at which the own person and one other have not agreed yet."""
    usual = TableSnapshot(
        offer_id=bytes(16),
        table_id=None,
        title="Kitchen",
        ruleset=changed_rules(),
        table_rules=TableRules(),
        seats=4,
        members=(
            member(0, "Oleg", ready=False),
            member(1, "Boris"),
            member(2, "Vera"),
            member(3, "Anna", ready=False),
        ),
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
        losses=(),
        next_ready=frozenset(),
    )
    return replace(usual, **changes)


def session(losses: tuple[int, ...], **changes: object) -> SessionView:
    """Return a session to three losses; `losses` by the number of each person."""
    counts = tuple(SessionCount(key(number), count, 0) for number, count in enumerate(losses))
    return replace(SessionView(3, counts), **changes)


def tie_break(**changes: object) -> TableSnapshot:
    """Return a table at which Vera and Anna have played off a tie; the own person has watched."""
    seated = (member(2, "Vera", seat=Seat(0)), member(3, "Anna", seat=Seat(1)))
    result = ResultView(
        kind=ResultKind.FINISHED,
        step=40,
        loser=Seat(0),
        winner=Seat(1),
        standings=(Standing(Seat(1), 1, 2, 1), Standing(Seat(0), 2, 0, 1)),
        signed=frozenset({Seat(0), Seat(1)}),
        audit=AuditView(ok=True),
    )
    usual = over(
        ruleset=changed_rules().with_(session="to_n_losses"),
        deal=8,
        seats=2,
        members=seated,
        aside=(member(0, "Oleg"), member(1, "Boris")),
        own_seat=None,
        result=result,
        losses=(1, 1),
        session=session((2, 3, 1, 1), losers=(key(1),), best=(key(3),), tie_break=True),
        next_ready=frozenset({key(3)}),
    )
    return replace(usual, **changes)


def opening(wished: tuple[int, ...] = (), **changes: object) -> TableSnapshot:
    """Return a finished deal whose books so many want to be opened, by seat; all four of them open them."""
    usual = over(**changes)
    everybody = len(wished) == len(usual.members)
    seats = frozenset(map(Seat, wished))
    opened = seats if everybody else frozenset[Seat]()
    books = BooksView(seats, opened, everybody, usual.own_seat not in seats)
    trust = replace(usual.trust, answer=TrustAnswer.OPENED) if everybody else usual.trust
    return replace(usual, books=books, trust=trust)


def over(kind: ResultKind = ResultKind.FINISHED, **changes: object) -> TableSnapshot:
    """Return a table whose third deal has ended; Boris, seat 1, has lost."""
    finished = kind is ResultKind.FINISHED
    result = ResultView(
        kind=kind,
        step=45,
        loser=Seat(1) if kind in {ResultKind.FINISHED, ResultKind.VOID} else None,
        winner=Seat(2) if finished else None,
        standings=(
            Standing(Seat(2), 1, 2, 1),
            Standing(Seat(0), 0, 3, 0),
            Standing(Seat(3), 2, 0, 0),
            Standing(Seat(1), 3, 1, 2),
        ),
        check="fork" if kind is ResultKind.VOID else None,
        signed=frozenset(Seat(seat) for seat in range(4)),
        audit=AuditView(ok=False, check="fork", step=45, seat=Seat(1))
        if kind is ResultKind.VOID
        else AuditView(ok=True),
        absent=(Seat(1),) if kind is ResultKind.ABSENT else (),
        losers=(Seat(1),) if kind is ResultKind.ABSENT else (),
    )
    answer = {
        ResultKind.FINISHED: TrustAnswer.NOBODY,
        ResultKind.VOID: TrustAnswer.CAUGHT,
        ResultKind.STOPPED: TrustAnswer.STOPPED,
        ResultKind.ABSENT: TrustAnswer.NOBODY,
    }[kind]
    phase = {
        ResultKind.FINISHED: Phase.OVER,
        ResultKind.VOID: Phase.VOID,
        ResultKind.STOPPED: Phase.STOPPED,
        ResultKind.ABSENT: Phase.ABSENT,
    }[kind]
    usual = replace(
        gathering(),
        table_id=bytes(32),
        own_seat=Seat(0),
        members=tuple(
            member(number, name, seat=Seat(number))
            for number, name in enumerate(("Oleg", "Boris", "Vera", "Anna"))
        ),
        phase=phase,
        deal=3,
        step=45,
        trust=TrustView(answer, 4, 3, 150, 48, 12, 5),
        result=result,
        losses=(0, 2, 1, 0),
        next_players=tuple(key(seat) for seat in range(4) if kind is not ResultKind.ABSENT or seat != 1),
        next_ready=frozenset({key(2), key(3)}),
        company_sizes=tuple(range(2, 7)),
    )
    return replace(usual, **changes)


def over_twelve() -> TableSnapshot:
    """Return a deal of twelve, of odd names and plain ones, that has ended; the last one has lost."""
    names = ("Oleg", *ODD_NAMES, *(f"Player {number}" for number in range(8, 13)))
    members = tuple(member(number, name, seat=Seat(number)) for number, name in enumerate(names))
    usual = over()
    assert usual.result is not None
    standings = tuple(Standing(Seat(seat), seat % 4, (seat + 1) % 3, seat % 2) for seat in range(12))
    return replace(
        usual,
        seats=12,
        members=members,
        result=replace(usual.result, loser=Seat(11), winner=Seat(0), standings=standings),
        losses=(0, 1) * 6,
        next_players=tuple(key(seat) for seat in range(12)),
    )


def reopened(**changes: object) -> ReopenedView:
    """Return that Boris has opened the table again, for one more."""
    usual = ReopenedView(
        key(1), "Boris", b"r" * 16, 5, 1, (key(1),), agrees=True, left=False, can_join=True, asks_code=False
    )
    return replace(usual, **changes)


def going_on(**changes: object) -> TableSnapshot:
    """Return a table that goes on from one with a deal over, and a newcomer at it."""
    people = (
        member(1, "Boris"),
        member(0, "Oleg", ready=False),
        member(2, "Vera", ready=False),
        member(4, "Zoya", ready=False),
    )
    usual = replace(
        gathering(),
        members=people,
        seats=5,
        losses=(2, 0, 1, 0),
        wins=(0, 0, 0, 0),
        goes_on=True,
        before=over(),
    )
    return replace(usual, **changes)


def left_behind(*, between: bool = False) -> UnfinishedTable:
    """A table that a crash has left; what is in its journal does not matter to the screen."""
    return UnfinishedTable(
        table_id=bytes(32),
        title="Kitchen",
        names=("Anna", "Boris"),
        deal=3,
        between=between,
        members=(key(1), key(2)),
        resumed=ResumedTable(()),
    )


def readings() -> tuple[CardReading, ...]:
    """Return who could read each of 52 slots: thirteen each from step 9 on, the last one nobody."""
    return tuple(
        CardReading(Slot(slot), 8, (Reading(Seat(slot // 13), 9),) if slot < 51 else (), None)
        for slot in range(52)
    )


def past(deals: int = 9) -> History:
    """Deals that were played with Boris, Vera and Anna, one of them broken off."""
    return History(tuple(_past_deal(number) for number in range(1, deals + 1)))


def long_past(opponents: int = 40) -> History:
    """Deals that were played with so many, three at a time."""
    names = [*ODD_NAMES, *(f"Player {number}" for number in range(opponents))][:opponents]
    return History(
        tuple(
            _past_deal(number, tuple(enumerate(names))[number - 1 :][:3])
            for number in range(1, opponents - 1)
        )
    )


_THREE = ((0, "Boris"), (1, "Vera"), (2, "Anna"))


def _past_deal(number: int, opponents: tuple[tuple[int, str], ...] = _THREE) -> PastDeal:
    forms = ("pagat", "club", "encyclopedia", "dictionary")
    lost, form = number * 3 % 4, forms[number // 4 % 4]
    players = tuple(
        PlayerRecord(
            *(seat, key(person), name, seat == 0, None, seat == (lost + 1) % 4, seat == lost),
            Tally(lays=9, opened=4 + seat, lies=1 + (seat + number) % 4, calls=5, right_calls=1 + seat),
        )
        for seat, (person, name) in enumerate(((0, "Oleg"), *((at + 1, name) for at, name in opponents)))
    )
    outcome, cause = ("void", "fork") if number == 5 else ("finished", None)
    ended = 1_795_000_000.0 + 86_400 * number
    return PastDeal(bytes(32), number, ended - 900, ended, "Kitchen", form, {}, outcome, cause, players)
