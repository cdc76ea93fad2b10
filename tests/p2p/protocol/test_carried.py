"""What the network cannot carry yet is refused by name wherever rules come in, and nothing else is."""

import pytest
from deal_players import signed_proposal
from memory_table import MemoryNetwork

from engine import OPTIONS, Ruleset, RulesetError
from p2p.protocol.carried import UNCARRIED, UncarriedRulesError, as_carried, check_carried
from p2p.protocol.errors import ProposalProblem, ProposalRefused
from p2p.protocol.peer import Peer
from p2p.protocol.peer_events import CommandRefused, RefusedCommand


def uncarried() -> list[Ruleset]:
    """For every value that is refused a ruleset which has it."""
    found = []
    for option, values in UNCARRIED.items():
        for value in values:
            found.append(Ruleset.with_preset("dictionary", {option: value}))
    return found


@pytest.mark.parametrize("rules", uncarried(), ids=str)
def test_a_refused_value_is_named_when_a_table_is_opened_and_in_a_proposal(rules: Ruleset) -> None:
    with pytest.raises(UncarriedRulesError) as error:
        check_carried(rules)
    assert error.value.value in UNCARRIED[error.value.option]
    network = MemoryNetwork(1, seed=1)
    network.do(0, Peer.open_table, "Kitchen", rules, 3)
    refused = network.players[0].of(CommandRefused)[-1]
    assert (refused.reason, refused.option) == (RefusedCommand.RULES, error.value.option)
    assert network.players[0].peer.table is None
    with pytest.raises(ProposalRefused) as problem:
        signed_proposal(3, rules).verify()
    assert problem.value.problem is ProposalProblem.NOT_CARRIED


def test_club_is_carried_with_honest_numbers_as_its_one_difference() -> None:
    rules = as_carried(Ruleset.preset("club"))
    assert rules.differences() == (("claim_number", "honest", "free"),)
    assert dict(UNCARRIED) == {"claim_number": ("free",)}


def test_every_other_value_is_carried() -> None:
    for option, domain in OPTIONS.items():
        for value in set(domain.values) - set(UNCARRIED.get(option, ())):
            try:
                rules = as_carried(Ruleset.preset("dictionary").with_(**{option: value}))
            except RulesetError:
                continue
            check_carried(rules)
