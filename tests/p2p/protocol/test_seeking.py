"""What a joiner holds against what it is told: other rules, unclean names, another draft."""

import pytest
from forming import PAGAT, join, opened, seated
from memory_table import NAMES
from msgspec import structs

from p2p.protocol.messages import Draft, Roster, RosterSeat, decode, encode
from p2p.protocol.peer import Peer
from p2p.protocol.peer_events import (
    JoinRefused,
    RefusedJoin,
)
from p2p.protocol.proposal import Member, Proposal, decode_proposal
from p2p.protocol.table_rules import TableRules


def test_a_roster_with_other_rules_takes_readiness_back() -> None:
    network, offer = opened(3, 3)
    join(network, 1, offer)
    rosters: list[Roster] = []

    def watch(sender: object, receiver: object, message: bytes) -> bytes:
        decoded = decode(message)
        if isinstance(decoded, Roster):
            rosters.append(decoded)
        return message

    network.on_message = watch
    network.run(lambda: seated(network, 0, 1), seconds=5)
    network.do(1, Peer.set_ready, True)
    network.run(seconds=1)
    from msgspec.structs import replace  # noqa: PLC0415

    changed = PAGAT.with_(next_dealer="loser")
    options = tuple(sorted(changed.to_mapping().items()))
    network.inject(0, 1, encode(replace(rosters[-1], options=options)))
    table = network.players[1].table
    assert table.ruleset.differences() == changed.resolve(3).differences()
    assert not next(member for member in table.members if member.own).ready


UNCLEAN = ("A\x1b]0;x\x07nna", "A\x9b2Jnna", "A\u202enna", "A\u200bnna", " Anna", "A\u0308nna", "A" * 25)


@pytest.mark.parametrize("text", UNCLEAN, ids=ascii)
@pytest.mark.parametrize("where", ["opener", "other", "own", "title"])
def test_a_table_with_a_text_that_is_not_clean_is_not_joined_and_never_signed(where: str, text: str) -> None:
    network, offer = opened(3, 3)
    people = [RosterSeat(network.players[index].peer.key, NAMES[index], False) for index in range(3)]
    names = {"opener": 0, "other": 2, "own": 1}
    title = "Kitchen"
    if where == "title":
        title = text * 2
    else:
        people[names[where]] = structs.replace(people[names[where]], name=text)
    roster = Roster(
        offer.offer_id, title, tuple(sorted(PAGAT.to_mapping().items())), TableRules(), 3, tuple(people), None
    )
    clean = structs.replace(
        roster,
        title="Kitchen",
        people=tuple(structs.replace(one, name=name) for one, name in zip(people, NAMES, strict=False)),
    )
    for before in ((), (clean,)):
        network.on_message = lambda _sender, _receiver, _message: None
        join(network, 1, offer)
        for one in before:
            network.inject(0, 1, encode(one))
            network.do(1, Peer.set_ready, True)
        network.inject(0, 1, encode(roster))
        assert network.players[1].peer.table is None
        assert network.players[1].of(JoinRefused)[-1].reason is RefusedJoin.TITLE
        members = tuple(Member(one.key, bytes([seat]) * 32, one.name) for seat, one in enumerate(people))
        draft = Proposal.make(offer.offer_id, title, PAGAT, members).encode()
        network.inject(0, 1, encode(Draft(offer.offer_id, draft)))
    assert network.sent["Sign"] == 0


@pytest.mark.parametrize("change", [{"form": "poker"}, {"burn": 9}, {"lead_min": 90}])
def test_rules_that_a_joiner_cannot_play_are_named_as_the_reason(change: dict[str, str | int]) -> None:
    network, offer = opened(2, 3)
    people = tuple(RosterSeat(player.peer.key, NAMES[player.index], False) for player in network.players)
    options = tuple(sorted({**PAGAT.to_mapping(), **change}.items()))
    network.on_message = lambda _sender, _receiver, _message: None
    join(network, 1, offer)
    network.inject(0, 1, encode(Roster(offer.offer_id, "Kitchen", options, TableRules(), 3, people, None)))
    assert network.players[1].of(JoinRefused)[-1].reason is RefusedJoin.RULES


def test_a_draft_that_differs_from_what_was_agreed_is_never_signed() -> None:
    network, offer = opened(2, 2)
    join(network, 1, offer)
    network.run(lambda: seated(network, 0, 1), seconds=5)
    drafts: list[Draft] = []

    def change(sender: object, receiver: object, message: bytes) -> bytes | None:
        decoded = decode(message)
        if isinstance(decoded, Draft):
            drafts.append(decoded)
            return None
        return message

    network.on_message = change
    for index in (0, 1):
        network.do(index, Peer.set_ready, True)
    network.run(lambda: bool(drafts), seconds=2)
    network.on_message = None
    from msgspec.structs import replace  # noqa: PLC0415

    honest = decode_proposal(drafts[0].proposal)
    own = honest.members[1]
    wrong = (
        replace(honest, title="Another"),
        replace(honest, offer_id=b"x" * 16),
        replace(honest, options=tuple(sorted(PAGAT.with_(burn=0).to_mapping().items()))),
        replace(honest, table_rules=TableRules(grace_s=61)),
        replace(honest, members=(honest.members[0], replace(own, nonce=b"x" * 32))),
        replace(honest, members=(honest.members[0], replace(own, key=network.players[0].peer.key))),
        replace(honest, members=(*honest.members, replace(own, key=b"x" * 32, nonce=b"y" * 32))),
        replace(honest, members=(replace(honest.members[0], key=b"x" * 32), own)),
        replace(honest, members=(replace(honest.members[0], name="Somebody"), own)),
        replace(honest, members=(honest.members[0], replace(own, name="Somebody"))),
        replace(honest, members=(replace(honest.members[0], name=own.name), replace(own, name="Anna"))),
        replace(honest, version=2),
    )
    signs = network.sent["Sign"]
    for one in wrong:
        network.inject(0, 1, encode(Draft(offer.offer_id, one.encode())))
    assert network.sent["Sign"] == signs
    network.inject(0, 1, encode(drafts[0]))
    assert network.sent["Sign"] == signs + 1
