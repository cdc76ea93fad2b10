"""Cheats in polls about absent seats: answers that are none, polls that tear a table apart, and colluders who
want an honest seat to lose; in virtual time."""

import pytest
from absence_table import GRACE_S, but, deal_of, on_turn, playing, table_of
from memory_table import MemoryNetwork, Player
from msgspec import structs
from poll_liar import Liar, ballots_of, ended_without, lead, poll, seat_of, silence

from p2p.protocol.audit import audit, verify_evidence
from p2p.protocol.ballot import HereAnswer, Poll, SeeAnswer, sign_ballot
from p2p.protocol.effects import Void
from p2p.protocol.entry import SealBody, SignedEntry, sign_entry
from p2p.protocol.evidence import decode_evidence
from p2p.protocol.messages import Ballots, Entries, Message, Status, decode, encode
from p2p.protocol.peer import Peer
from p2p.protocol.poll_bounds import POLLS_PER_OPENER
from p2p.protocol.snapshot import Phase, ResultKind
from p2p.protocol.table_rules import TableRules

CLOCK_S = 10
CLOCKED = TableRules(grace_s=GRACE_S, clock_s=CLOCK_S, absence="forfeit")
LATE_S = CLOCK_S + 2 * GRACE_S
"""After so long everybody misses a seat that owes a lay, and has had the time to say so."""


def all_asked(players: list[Player]) -> bool:
    return all(map(ballots_of, players))


def forked(network: MemoryNetwork, honest: list[Player], liar: Player) -> bool:
    """Whether the deal is void for all these by the liar's ballots, whose evidence alone convinces anybody,
    and whose transcript names him.
    """
    core = network.players[0].peer._core
    for player in honest:
        outcome = deal_of(player).outcome
        if not isinstance(outcome, Void) or outcome.seat != liar.table.own_seat:
            return False
        evidence = decode_evidence(outcome.evidence.encode())
        assert evidence.ballots
        assert not evidence.ledger
        verify_evidence(evidence, core.draw, core.group)
        report = audit(player.peer.transcript() or b"", core.draw, core.group)
        assert (report.ok, report.check, report.loser) == (False, "fork", liar.table.own_seat)
    return True


# Answers that are none


def with_a_liar() -> tuple[MemoryNetwork, Player, Player, Liar, list[Player]]:
    """A table of five whose first on turn is cut off and overdue: he, who lies, his lies, and the honest."""
    network = playing(5, rules=CLOCKED)
    away = on_turn(network)
    player, *honest = but(network, away)
    liar = Liar(network, player)
    network.isolate(away.index)
    network.run(seconds=GRACE_S + 0.5)
    return network, away, player, liar, honest


@pytest.mark.parametrize("how", ["another seat", "seen", "another question"])
def test_an_answer_that_does_not_fit_is_none_and_its_seat_loses_with_the_absent_one(how: str) -> None:
    network = playing(5, rules=CLOCKED)
    away = on_turn(network)
    player, *honest = but(network, away)
    liar = Liar(network, player)
    network.isolate(away.index)
    assert network.run(lambda: all_asked(honest), seconds=GRACE_S + 5)
    for asked in {ballot.poll for one in honest for ballot in ballots_of(one)}:
        match how:
            case "another seat":
                told = liar.sign(asked, HereAnswer((player.sign(SealBody()),)))
            case "seen":
                told = liar.sign(structs.replace(asked, number=asked.number + 9), SeeAnswer(1, 3, ()))
            case _:
                told = liar.sign(structs.replace(asked, cleared=(seat_of(away),)))
        liar.show(told, *honest)
    assert network.run(lambda: ended_without(honest, away, player), seconds=LATE_S)


@pytest.mark.parametrize("how", ["forged", "another step", "another deal", "another table"])
def test_an_entry_that_was_not_signed_for_this_step_is_noise_and_brings_nothing(how: str) -> None:
    network = playing(4, rules=CLOCKED)
    away = on_turn(network)
    player, *honest = but(network, away)
    liar = Liar(network, player)
    network.isolate(away.index)
    assert network.run(lambda: all_asked(honest), seconds=GRACE_S + 5)
    asked = max((ballot.poll for one in honest for ballot in ballots_of(one)), key=lambda one: one.key)
    place = deal_of(player)
    match how:
        case "forged":
            right = away.sign(SealBody())
            entry = SignedEntry(right.entry, player.sign(SealBody()).signature)
        case "another step":
            entry = away.sign(SealBody(), step=place.step - 1)
        case "another deal":
            entry = away.sign(SealBody(), deal=2)
        case _:
            opened = structs.replace(away.sign(SealBody()).open(), table=bytes(32))
            entry = sign_entry(away.identity, opened)
    noise = [deal_of(one).noise.total() for one in honest]
    liar.show(liar.sign(asked, HereAnswer((entry,))), *honest)
    assert [deal_of(one).noise.total() for one in honest] == [one + 1 for one in noise]
    # It was no answer of his, so he can give one still.
    liar.show(liar.sign(asked), *honest)
    assert network.run(lambda: ended_without(honest, away), seconds=5)


def test_an_entry_that_breaks_the_rules_names_its_author_though_an_accomplice_brings_it() -> None:
    network = playing(4)
    away = on_turn(network)
    player, *honest = but(network, away)
    liar = Liar(network, player)
    network.isolate(away.index)
    assert network.run(lambda: all_asked(honest), seconds=GRACE_S + 5)
    asked = max((ballot.poll for one in honest for ballot in ballots_of(one)), key=lambda one: one.key)
    liar.show(liar.sign(asked, HereAnswer((away.sign(SealBody()),))), *honest)
    assert network.run(lambda: all(one.table.phase is Phase.VOID for one in honest), seconds=5)
    results = {(one.table.result.kind, one.table.result.loser) for one in honest if one.table.result}
    assert results == {(ResultKind.VOID, away.table.own_seat)}


def test_polls_about_nobody_who_is_missed_or_by_too_few_are_answered_by_nobody() -> None:
    network = playing(4)
    owing = on_turn(network)
    player, *honest = but(network, owing)
    liar = Liar(network, player)
    others = [*honest, owing]
    own, everybody = seat_of(player), sorted(seat_of(one) for one in others)
    gone, idle = seat_of(owing), seat_of(honest[0])
    rest = tuple(seat for seat in everybody if seat != gone)
    asked = [
        Poll(1, own, (gone,), (), ()),  # nobody misses him yet
        Poll(2, own, (gone,), (idle,), ()),  # half
        Poll(3, own, (gone,), rest, ()),  # everybody else
        Poll(4, own, tuple(everybody), (), ()),  # who owes nothing
        Poll(5, own, (), tuple(everybody), ()),  # who has not left
        Poll(6, own, (*everybody, 9), (), ()),  # no such seat
        Poll(2**31 - 1, own, (*everybody, 9), (), ()),
    ]
    liar.show([liar.sign(poll) for poll in asked], *others)
    network.run(seconds=5)
    assert network.all_in(Phase.PLAYING)
    assert not any(map(ballots_of, others))
    lead(network, owing)
    assert network.run(lambda: len({deal_of(one).head for one in network.players}) == 1, seconds=5)


# Two stories


@pytest.mark.parametrize(
    "story", ["absent and here", "another question", "absent after here", "another seat"]
)
def test_two_stories_in_polls_name_their_teller_and_their_evidence_convinces_alone(story: str) -> None:
    network = playing(5, rules=TableRules(grace_s=GRACE_S))
    away = on_turn(network)
    player, one, other, *rest = but(network, away)
    liar = Liar(network, player)
    network.isolate(away.index)
    network.run(seconds=1)
    asked, later = poll(1, player, away), poll(2, player, away)
    here = HereAnswer((away.sign(SealBody()),))
    match story:
        case "absent and here":
            first, second = liar.sign(asked), liar.sign(asked, here)
        case "another question":
            first, second = liar.sign(asked), liar.sign(poll(1, player, away, silent=[one]))
        case "absent after here":
            first, second = liar.sign(asked, here), liar.sign(later)
        case _:
            first, second = liar.sign(asked), liar.sign(poll(2, player, one))
    network.cut(one.index, other.index)
    liar.show(first, one)
    liar.show(second, other)
    assert network.run(lambda: forked(network, [one, other, *rest], player), seconds=5)


# Polls that tear a table apart


def test_votes_of_an_honest_seat_under_earlier_terms_of_a_deal_convict_nobody() -> None:
    """Its program votes at the first step of the next deal, and again if that gets other terms; polls are
    counted from 1 each time. Whoever has seen both ballots shows them side by side.
    """
    network = playing(4)
    liar, honest, *_ = network.players
    now = Liar(network, honest).sign(poll(1, honest, liar))
    asked = poll(1, honest, network.players[3])
    before = structs.replace(now.open(), previous=bytes(32), poll=asked)
    pair = (now, sign_ballot(honest.identity, before))
    deal = deal_of(liar)
    for player in but(network, liar):
        message = encode(Ballots(deal.table_id, deal.terms.deal, pair))
        network.inject(liar.index, player.index, message)
    assert network.all_in(Phase.PLAYING)


def test_a_liar_who_shows_everybody_other_polls_makes_nobody_honest_silent() -> None:
    """As fast as he is heard, and always one step ahead of what they tell each other."""
    network, away, player, liar, honest = with_a_liar()

    def show() -> None:
        if any(one.table.phase is not Phase.PLAYING for one in honest):
            return
        top = max([0, *(ballot.poll.number for one in honest for ballot in ballots_of(one))])
        for at, one in enumerate(honest, start=1):
            liar.show(liar.sign(poll(top + at, player, away), by=one), one)
        network.after(0.02, show)

    show()
    assert network.run(lambda: ended_without(honest, away) or ended_without(honest, away, player), seconds=90)
    for one in honest:
        answered = [ballot for ballot in ballots_of(one) if ballot.poll.opener == seat_of(player)]
        assert len(answered) <= POLLS_PER_OPENER


def test_a_liar_who_answers_everybody_in_other_polls_alone_loses_with_the_absent_one() -> None:
    network, away, player, liar, honest = with_a_liar()
    number = 2**20

    def show() -> None:
        nonlocal number
        number += 1
        if all(one.table.phase is Phase.PLAYING for one in honest):
            liar.show(liar.sign(poll(number, player, away), by=honest[0]), *honest)
            network.after(0.5, show)

    show()
    assert network.run(lambda: ended_without(honest, away, player), seconds=LATE_S + GRACE_S)
    assert all(len(ballots_of(one)) < 3 * POLLS_PER_OPENER for one in honest)


# Colluders against one who is there


def test_one_who_is_told_by_a_liar_that_the_missed_one_is_heard_loses_nothing() -> None:
    """Two of five: one falls silent, and the other says to one honest seat alone that he hears him. That one
    waits longer than the others, and is there all the time.
    """
    network = playing(5, rules=CLOCKED)
    away = on_turn(network)
    player, told, *rest = but(network, away)
    seat = table_of(told).members[away.peer.key].seat

    def lies(sender: Player, receiver: Player, message: bytes) -> bytes | None:
        decoded = decode(message)
        if sender is player and receiver is told and isinstance(decoded, Status):
            return encode(structs.replace(decoded, linked=decoded.linked | 1 << seat))
        return message

    network.on_message = lies
    network.isolate(away.index)
    network.run(seconds=GRACE_S + 3)
    assert any(map(ballots_of, rest))
    assert not ballots_of(told)
    assert network.run(lambda: ended_without([told, *rest], away), seconds=LATE_S)


@pytest.mark.parametrize("players", [4, 5])
def test_two_who_deny_what_an_honest_seat_said_cannot_end_the_deal_without_it(players: int) -> None:
    """They take nothing of his in and vote him absent; one honest seat that was told is enough."""
    network = playing(players, bots=False)
    victim = on_turn(network)
    one, other, witness, *rest = but(network, victim)
    step = witness.table.step
    silence(network, lambda _, to, message: to in (one, other) and entries_of(victim, step, message))
    lead(network, victim)
    assert network.run(lambda: witness.table.step > step, seconds=2)
    network.run(seconds=4 * GRACE_S)
    assert not any(player.table.phase is Phase.ABSENT for player in (victim, witness, *rest))
    assert {player.table.losses for player in (victim, witness, *rest)} == {(0,) * players}


def entries_of(author: Player, step: int, message: Message) -> bool:
    """Whether a message holds the author's entry of a step."""
    if not isinstance(message, Entries):
        return False
    opened = [signed.open() for signed in message.entries]
    return any((entry.seat, entry.step) == (author.table.own_seat, step) for entry in opened)


def test_a_here_that_one_alone_was_shown_holds_for_all_when_the_accomplice_is_gone() -> None:
    network = playing(5)
    away = on_turn(network)
    player, told, *rest = but(network, away)
    step = told.table.step
    silence(
        network,
        lambda sender, receiver, message: (
            (sender is player and isinstance(message, Ballots))
            or (receiver is not player and entries_of(away, step, message))
        ),
    )
    lead(network, away)
    assert network.run(lambda: player.table.step > step, seconds=2)
    network.isolate(away.index)
    network.run(seconds=GRACE_S + 2)
    kept = [signed for keep in player.disk.keeps for signed in keep.store.ballots]
    own = [signed for signed in kept if signed.open().seat == player.table.own_seat]
    assert any(isinstance(signed.open().answer, HereAnswer) for signed in own)
    for signed in own:
        ballot = signed.open()
        network.inject(player.index, told.index, encode(Ballots(ballot.table, ballot.deal, (signed,))))
    network.kill(player.index)
    assert network.run(lambda: all(one.table.step > step for one in (told, *rest)), seconds=GRACE_S)
    after = [deal_of(one).record.state_at(step + 1) for one in (told, *rest)]
    assert len({state.head for state in after if state is not None}) == 1
    assert None not in after


def test_who_votes_all_others_absent_to_escape_a_loss_ends_nothing() -> None:
    network = playing(4)
    loser = on_turn(network)
    honest = but(network, loser)
    liar = Liar(network, loser)
    for number, silent in enumerate((honest[:1], honest[:2], honest), start=1):
        seats = tuple(sorted(map(seat_of, silent)))
        liar.show(liar.sign(Poll(number, seat_of(loser), (), seats, ())), *honest)
    network.run(seconds=5)
    assert network.all_in(Phase.PLAYING)
    seat = seat_of(loser)
    network.do(loser.index, Peer.leave)
    assert network.run(lambda: ended_without(honest, seat), seconds=5)
