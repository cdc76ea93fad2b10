"""Every checker of the simulator is seen to fail when what it claims is broken."""

from dataclasses import replace
from typing import Any

import pytest
from hasty_bot import HastyPolicy
from memory_player import Player
from memory_table import MemoryNetwork
from tiny_group import OpenGroup

from engine import Slot
from p2p.protocol.deal_cards import CardTable
from p2p.protocol.deal_run import DealRun
from p2p.protocol.entry import Body, CallBody, SealBody, SharesBody
from p2p.protocol.ledger import DealState
from p2p.protocol.ledger import Phase as Step
from p2p.protocol.messages import Entries, encode
from tests.simulation import run
from tests.simulation.checkers import (
    Checker,
    EqualDigests,
    EveryCardInOnePlace,
    NoShareBeforeSeal,
    OneEntryPerStep,
    OnlyTheRightfulReader,
    Violation,
)
from tests.simulation.plan import FORMS, Plan
from tests.simulation.simulated import Simulation

PLAYERS = 3
QUIET = replace(Plan.draw(2), strikes=())
"""A usual plan in which nothing goes wrong."""


def table(checker: type[Checker | OneEntryPerStep], phase: Step) -> tuple[MemoryNetwork, Any]:
    """A table whose deal has just come to a phase for everybody, with one checker that has found nothing."""
    network = MemoryNetwork(PLAYERS, 7, group=OpenGroup())
    watch = checker(network)
    network.seat_bots(HastyPolicy)
    assert network.gather(FORMS["pagat"])
    assert network.run(lambda: all(state_of(player).phase is phase for player in network.players))
    return network, watch


def run_of(player: Player) -> DealRun:
    """The deal that is played."""
    assert player.peer._table is not None
    return player.peer._table.deals.current


def state_of(player: Player) -> DealState:
    """The state of the deal that is played."""
    return run_of(player).deal.public_state


def say(network: MemoryNetwork, player: Player, body: Body, step: int | None = None) -> None:
    """A doctored peer stores and sends an entry that its program would never make."""
    at = state_of(player).step if step is None else step
    known = run_of(player).deal.record.state_at(at)
    assert known is not None
    signed = player.sign(body, step=at, head=known.head)
    player.disk.entries.add(signed.entry)
    other = network.players[(player.index + 1) % PLAYERS]
    assert player.table.table_id is not None
    network._send(player, other, encode(Entries(player.table.table_id, player.table.deal, (signed,))))


def shares(*slots: int) -> SharesBody:
    """Shares of these slots; what they are is for others to check."""
    return SharesBody(slots, bytes(8 * len(slots)), bytes(16))


def test_a_state_that_differs_at_an_equal_head_is_found() -> None:
    network, _ = table(EqualDigests, Step.DEAL)
    record = run_of(network.players[1]).deal.record
    game = record.latest.game
    assert game is not None
    record._states[-1] = replace(record.latest, game=replace(game, next_slot=game.next_slot + 1))
    with pytest.raises(Violation, match="another digest"):
        network.run(seconds=5)


def test_a_second_head_of_a_step_is_found() -> None:
    network, watch = table(EqualDigests, Step.DEAL)
    player = network.players[0]
    with pytest.raises(Violation, match="another head"):
        watch.reached(player, run_of(player), replace(state_of(player), head=bytes(32)))


def test_a_share_before_the_seals_is_found() -> None:
    network, _ = table(NoShareBeforeSeal, Step.SEAL_DECK)
    with pytest.raises(Violation, match="opens before a seal"):
        say(network, network.players[0], shares(1, 2))


def test_a_share_after_a_seal_that_its_author_does_not_hold_is_found() -> None:
    network, _ = table(NoShareBeforeSeal, Step.DEAL)
    player = network.players[0]
    del run_of(player).deal.record._accepted[state_of(player).step - 1][1]
    with pytest.raises(Violation, match="opens before a seal"):
        say(network, player, shares(1, 2))


def test_a_second_entry_for_a_step_is_found() -> None:
    network, _ = table(OneEntryPerStep, Step.DEAL)
    with pytest.raises(Violation, match="a second entry"):
        say(network, network.players[2], CallBody(False, None), state_of(network.players[2]).step - 1)


def test_a_second_entry_in_the_ledger_of_another_peer_is_found() -> None:
    network, watch = table(OneEntryPerStep, Step.DEAL)
    player = network.players[2]
    step = state_of(player).step - 1
    run_of(network.players[0]).deal.record._accepted[-1][2] = player.sign(CallBody(False, None), step=step)
    with pytest.raises(Violation, match="a second entry"):
        watch.settled(network.players[0])


def test_a_slot_in_two_places_is_found() -> None:
    network, watch = table(EveryCardInOnePlace, Step.DEAL)
    player = network.players[0]
    state = state_of(player)
    assert state.game is not None
    doubled = replace(state.game, stock=state.game.hands[0][:1])
    with pytest.raises(Violation, match="two places"):
        watch.reached(player, run_of(player), replace(state, head=bytes(32), game=doubled))


def test_a_slot_that_is_nowhere_is_found() -> None:
    network, watch = table(EveryCardInOnePlace, Step.DEAL)
    player = network.players[0]
    state = state_of(player)
    assert state.game is not None
    hands = (state.game.hands[0][1:], *state.game.hands[1:])
    lacking = replace(state.game, hands=hands)
    with pytest.raises(Violation, match="not the deck"):
        watch.reached(player, run_of(player), replace(state, head=bytes(32), game=lacking))


def test_a_card_that_lies_in_two_slots_is_found() -> None:
    network, _ = table(EveryCardInOnePlace, Step.DEAL)
    player = network.players[0]
    state = state_of(player)
    cards = dict(state.cards.cards)
    cards[Slot(1)] = cards[Slot(2)]
    watch = EveryCardInOnePlace(network)
    with pytest.raises(Violation, match="not the deck"):
        watch.reached(player, run_of(player), replace(state, cards=CardTable(cards)))


def test_a_card_that_is_read_as_another_is_found() -> None:
    network, watch = table(EveryCardInOnePlace, Step.PLAY)
    player = network.players[0]
    faces = run_of(player).deal._faces
    one, other = list(faces)[:2]
    faces[one] = faces[other]
    with pytest.raises(Violation, match="has read another card"):
        watch.reached(player, run_of(player), state_of(player))


@pytest.mark.parametrize("whose", ["own", "burned"])
def test_a_share_by_which_others_can_read_a_hidden_card_is_found(whose: str) -> None:
    network, _ = table(OnlyTheRightfulReader, Step.PLAY)
    player = network.players[0]
    state = state_of(player)
    assert state.game is not None
    own = run_of(player).own
    assert own is not None
    slot = state.game.hand_of(own)[0] if whose == "own" else state.game.burned[0]
    with pytest.raises(Violation, match="can be read by"):
        say(network, player, shares(slot))


def test_a_peer_that_has_read_the_card_of_another_is_found() -> None:
    network, watch = table(OnlyTheRightfulReader, Step.PLAY)
    player, other = network.players[:2]
    faces = run_of(player).deal._faces
    slot, face = next(iter(run_of(other).deal._faces.items()))
    faces[slot] = face
    with pytest.raises(Violation, match="of another"):
        watch.reached(player, run_of(player), state_of(player))


def test_a_table_that_does_not_go_on_is_found() -> None:
    simulation = Simulation(2, QUIET)
    network = simulation.network
    network.at(4.0, lambda: setattr(network, "on_message", lambda _sender, _receiver, _message: None))
    with pytest.raises(Violation, match="nothing has gone on"):
        simulation.play()


def test_an_entry_that_one_player_has_not_kept_is_found() -> None:
    simulation = Simulation(2, QUIET)
    simulation.play()
    player = simulation.network.players[0]
    player.disk.entries.discard(next(iter(simulation.spoken.entries)))
    assert simulation.lost == 1


def test_what_a_failed_seed_has_lost_is_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    def loses(simulation: Simulation) -> None:
        simulation.network.run(simulation._done, seconds=20)
        simulation.network.players[0].disk.entries.pop()
        raise Violation

    monkeypatch.setattr(Plan, "draw", lambda _seed: QUIET)
    monkeypatch.setattr(Simulation, "play", loses)
    result = run.simulate(2)
    assert [seed for seed, _ in result.failed] == [2]
    assert result.lost


def test_a_seal_that_is_sent_again_is_no_second_entry() -> None:
    network, _ = table(OneEntryPerStep, Step.DEAL)
    player = network.players[0]
    say(network, player, SealBody(), state_of(player).step - 1)
