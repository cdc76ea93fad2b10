"""A seat that signs ballots as it likes and shows each to whom it likes."""

from collections.abc import Callable, Iterable

from absence_table import deal_of
from memory_table import MemoryNetwork, Player

from engine import Lay
from p2p.protocol.audit import AuditReport, audit
from p2p.protocol.ballot import AbsentAnswer, Answer, Ballot, Poll, SignedBallot, sign_ballot
from p2p.protocol.messages import Ballots, Message, decode, encode
from p2p.protocol.peer import Peer
from p2p.protocol.snapshot import ResultKind
from p2p.protocol.transcript import seal_of
from p2p.protocol.transcript_lines import spell


def seat_of(player: Player) -> int:
    """The own seat of a player in the deal that he plays."""
    assert player.table.own_seat is not None
    return int(player.table.own_seat)


def ballots_of(player: Player) -> list[Ballot]:
    """All that a player has signed in polls, in order."""
    kept = [signed.open() for keep in player.disk.keeps for signed in keep.store.ballots]
    return [ballot for ballot in kept if ballot.seat == player.table.own_seat]


def poll(number: int, opener: Player, *missing: Player, silent: Iterable[Player] = ()) -> Poll:
    """A poll of a player about others."""
    lists = (tuple(sorted(map(seat_of, players))) for players in (missing, silent))
    return Poll(number, seat_of(opener), *lists, ())


def ended_without(players: Iterable[Player], *gone: Player | int) -> bool:
    """Whether all these know the deal as ended without the others, by player or seat, who have lost it."""
    seats = tuple(sorted(one if isinstance(one, int) else seat_of(one) for one in gone))
    results = [player.table.result for player in players]
    return all(
        one is not None and (one.kind, one.absent, one.losers) == (ResultKind.ABSENT, seats, seats)
        for one in results
    )


def lead(network: MemoryNetwork, player: Player) -> None:
    """Lay one card."""
    view = player.table.view
    assert view is not None
    assert view.seat is not None
    slot, card = view.hand[0]
    network.do(player.index, Peer.submit, Lay(view.seat, (slot,), card.rank, 1))


class Liar:
    """A player whose program neither hears nor says anything of polls; a test votes in its stead."""

    def __init__(self, network: MemoryNetwork, player: Player) -> None:
        self.network = network
        self.player = player
        silence(
            network,
            lambda sender, receiver, message: player in (sender, receiver) and isinstance(message, Ballots),
        )

    def sign(self, asked: Poll, answer: Answer | None = None, *, by: Player | None = None) -> SignedBallot:
        """A ballot at the step at which the table stands. by: who knows that step, if not the liar."""
        deal = deal_of(by or self.player)
        place = (deal.table_id, deal.terms.deal, deal.step, deal.head, seat_of(self.player))
        return sign_ballot(self.player.identity, Ballot(*place, asked, answer or AbsentAnswer()))

    def show(self, ballots: SignedBallot | Iterable[SignedBallot], *to: Player) -> None:
        """Show ballots to some, each in a message of its own."""
        for signed in (ballots,) if isinstance(ballots, SignedBallot) else ballots:
            ballot = signed.open()
            message = encode(Ballots(ballot.table, ballot.deal, (signed,)))
            for player in to:
                self.network.inject(self.player.index, player.index, message)


def silence(network: MemoryNetwork, lost: Callable[[Player, Player, Message], bool]) -> None:
    """Lose some messages, by sender and receiver, beside what is lost already."""
    before = network.on_message

    def pass_on(sender: Player, receiver: Player, message: bytes) -> bytes | None:
        if lost(sender, receiver, decode(message)):
            return None
        return message if before is None else before(sender, receiver, message)

    network.on_message = pass_on


def sealed(lines: list[dict[str, object]]) -> bytes:
    """The lines as a transcript, its last line fitting the others."""
    *told, end = lines
    text = b"".join(spell(line) for line in told)
    end = {**{key: value for key, value in end.items() if key != "hash"}, "entries": len(told) - 1}
    return text + spell({**end, "hash": seal_of(text, end)})


def checked(network: MemoryNetwork, data: bytes) -> AuditReport:
    core = network.players[0].peer._core
    return audit(data, core.draw, core.group)
