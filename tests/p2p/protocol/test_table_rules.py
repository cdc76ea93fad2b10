"""The rules of the table are bounded however they come in, and everybody signs what the screen showed."""

from functools import partial

import msgspec
import pytest
from deal_players import signed_proposal
from memory_table import MemoryNetwork
from msgspec import msgpack

from engine import Ruleset
from p2p.protocol.deal_terms import decode_terms
from p2p.protocol.errors import MalformedMessage, ProposalProblem, ProposalRefused
from p2p.protocol.messages import Draft, Roster, decode, encode
from p2p.protocol.peer import Peer
from p2p.protocol.peer_events import CommandRefused, JoinRefused, RefusedCommand, RefusedJoin
from p2p.protocol.proposal import Proposal, decode_proposal
from p2p.protocol.snapshot import Phase
from p2p.protocol.table_rules import BOUNDS, USUAL, TableRules, TableRulesError

SHORT = TableRules(window_s=5, clock_s=10, grace_s=10, absence="forfeit")
LONG = TableRules(window_s=120, clock_s=600, grace_s=600)


def test_the_bounds_themselves_are_in_and_what_lies_beyond_is_named() -> None:
    assert (SHORT.clock_s, LONG.clock_s, USUAL.clock_s) == (10, 600, 0)
    for name, (least, most) in BOUNDS.items():
        for value in (least - 1, most + 1, -1):
            with pytest.raises(TableRulesError) as error:
                TableRules(**{name: value})
            assert (error.value.name, error.value.value) == (name, value)
    with pytest.raises(TableRulesError):
        TableRules(window_s=0)
    with pytest.raises(TableRulesError) as error:
        TableRules(absence="leave")  # type: ignore[arg-type]
    assert error.value.name == "absence"
    with pytest.raises(TableRulesError) as error:
        TableRules(watchers="perhaps")  # type: ignore[arg-type]
    assert error.value.name == "watchers"


@pytest.mark.parametrize(
    "fields",
    [
        [4, 0, 60, "wait", 0, "yes"],
        [20, 9, 60, "wait", 0, "yes"],
        [20, 601, 60, "wait", 0, "yes"],
        [20, 0, 601, "wait", 0, "yes"],
        [20, 0, 60, "leave", 0, "yes"],
        [20, 0, 60, "wait", 12, "yes"],
        [20, 0, 60, "wait", 0, "perhaps"],
        [20, 0, 60, "wait", 0, True],
        [20, False, 60, "wait", 0, "yes"],
        [20.0, 0, 60, "wait", 0, "yes"],
        [20, 0, 60, "wait", 0],
        [20, 0, 60, "wait", 0, "yes", 0],
        {},
    ],
    ids=str,
)
def test_a_proposal_with_other_table_rules_is_no_proposal(fields: object) -> None:
    honest = signed_proposal(2).open()
    plain = msgpack.decode(honest.encode())
    assert plain[5] == [20, 0, 60, "wait", 0, "yes"]
    plain[5] = fields
    with pytest.raises(MalformedMessage):
        decode_proposal(msgpack.encode(plain))


def test_only_what_differs_from_the_usual_is_told() -> None:
    assert USUAL.differences() == ()
    assert TableRules(clock_s=30).differences() == (("clock_s", 30, 0),)
    assert SHORT.differences() == (
        ("window_s", 5, 20),
        ("clock_s", 10, 0),
        ("grace_s", 10, 60),
        ("absence", "forfeit", "wait"),
    )


def test_everybody_sees_and_signs_the_table_rules_of_the_opener() -> None:
    network = MemoryNetwork(3, seed=1)
    assert network.gather(table_rules=SHORT)
    for player in network.players:
        assert player.table.table_rules == SHORT
    keep = network.players[2].disk.keeps[0]
    assert decode_terms(keep.terms).table.table_rules == SHORT


def test_the_lobby_and_the_gathering_table_show_the_table_rules_before_anybody_agrees() -> None:
    network = MemoryNetwork(2, seed=1)
    network.open_table(Ruleset.preset("pagat"), 2, table_rules=LONG)
    assert network.run(lambda: bool(network.players[1].lobby.offers), seconds=5)
    offer = network.players[1].lobby.offers[0]
    assert offer.table_rules == LONG
    network.do(1, Peer.join, offer.opener, offer.offer_id)
    assert network.run(lambda: network.players[1].peer.table is not None, seconds=5)
    assert network.players[1].table.table_rules == LONG


@pytest.mark.parametrize(
    "change", [{"window_s": 21}, {"clock_s": 10}, {"grace_s": 59}, {"absence": "forfeit"}]
)
def test_table_rules_that_change_take_readiness_back_and_another_draft_gets_no_signature(
    change: dict[str, object],
) -> None:
    other = msgspec.structs.replace(USUAL, **change)
    network = MemoryNetwork(2, seed=1)
    network.open_table(Ruleset.preset("pagat"), 2)
    network.run(lambda: bool(network.players[1].lobby.offers), seconds=5)
    offer = network.players[1].lobby.offers[0]
    rosters: list[Roster] = []

    def swap(_sender: object, _receiver: object, message: bytes) -> bytes | None:
        """The opener's program, changed: its draft has other rules than its roster."""
        decoded = decode(message)
        if isinstance(decoded, Roster):
            rosters.append(decoded)
        if isinstance(decoded, Draft):
            honest = decode_proposal(decoded.proposal)
            changed = msgspec.structs.replace(honest, table_rules=other)
            return encode(Draft(decoded.offer_id, changed.encode()))
        return message

    network.on_message = swap
    network.do(1, Peer.join, offer.opener, offer.offer_id)
    network.run(lambda: network.players[1].peer.table is not None, seconds=5)
    network.do(1, Peer.set_ready, True)
    network.do(0, Peer.set_ready, True)
    network.run(seconds=2)
    assert network.sent["Draft"] > 0
    assert network.sent["Sign"] == 0
    network.do(1, Peer.set_ready, True)
    assert network.players[1].table.members[1].ready
    network.inject(0, 1, encode(msgspec.structs.replace(rosters[-1], table_rules=other)))
    assert not network.players[1].table.members[1].ready
    assert network.players[1].table.table_rules == other


def test_the_usual_rules_hold_where_nobody_asks_for_others() -> None:
    network = MemoryNetwork(2, seed=1)
    assert network.gather()
    assert network.run(lambda: network.all_in(Phase.PLAYING), seconds=30)
    assert network.players[0].table.table_rules == USUAL


def test_another_table_rule_makes_another_table() -> None:
    honest = signed_proposal(2).open()
    rules = honest.ruleset
    made = [
        Proposal.make(honest.offer_id, honest.title, rules, honest.members, one).table_id
        for one in (USUAL, SHORT, LONG)
    ]
    assert len(set(made)) == 3


def test_the_seat_that_deals_first_is_one_of_the_table_and_only_where_it_is_chosen() -> None:
    chosen = Ruleset.with_preset("pagat", {"first_dealer": "chosen"})
    TableRules(dealer=3).check_dealer(chosen, 4)
    USUAL.check_dealer(Ruleset.preset("pagat"), 2)
    for rules, game, seats in (
        (TableRules(dealer=3), chosen, 3),
        (TableRules(dealer=1), Ruleset.preset("pagat"), 4),
    ):
        with pytest.raises(TableRulesError) as error:
            rules.check_dealer(game, seats)
        assert error.value.name == "dealer"
        network = MemoryNetwork(1, seed=1)
        network.do(0, partial(Peer.open_table, table_rules=rules), "Kitchen", game, seats)
        assert network.players[0].of(CommandRefused)[-1].reason is RefusedCommand.DEALER
        assert network.players[0].peer.table is None


def test_a_seat_that_deals_first_where_dealers_are_drawn_is_no_table_for_anybody() -> None:
    with pytest.raises(ProposalRefused) as problem:
        signed_proposal(3, table_rules=TableRules(dealer=1)).verify()
    assert problem.value.problem is ProposalProblem.RULES
    network = MemoryNetwork(2, seed=1)

    def swap(_sender: object, _receiver: object, message: bytes) -> bytes | None:
        """The opener's program, changed: its roster has a dealer that its rules do not have."""
        decoded = decode(message)
        if isinstance(decoded, Roster):
            return encode(msgspec.structs.replace(decoded, table_rules=TableRules(dealer=1)))
        return message

    network.open_table(Ruleset.preset("pagat"), 2)
    network.run(lambda: bool(network.players[1].lobby.offers), seconds=5)
    offer = network.players[1].lobby.offers[0]
    network.on_message = swap
    network.do(1, Peer.join, offer.opener, offer.offer_id)
    network.run(seconds=1)
    assert network.players[1].of(JoinRefused)[-1].reason is RefusedJoin.RULES
    assert network.players[1].peer.table is None


def test_the_opener_chooses_who_deals_first_and_everybody_sees_it_before_and_at_the_deal() -> None:
    network = MemoryNetwork(3, seed=2)
    chosen = Ruleset.with_preset("pagat", {"first_dealer": "chosen"})
    assert network.gather(chosen, table_rules=TableRules(dealer=2))
    assert network.run(lambda: network.all_in(Phase.PLAYING), seconds=30)
    for player in network.players:
        assert player.table.table_rules.dealer == 2
        assert player.table.view is not None
        assert player.table.view.state.dealer == 2
