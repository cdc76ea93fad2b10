"""Talk as a weapon: a flood of it, words in another's name, and what it could carry into a screen."""

from memory_table import MemoryNetwork

from p2p.protocol.limits import RATES
from p2p.protocol.messages import JunkReason, Talk, encode
from p2p.protocol.peer_events import AuditDone, AuditView, ResultKind, Talked
from p2p.protocol.snapshot import Phase, Remark
from p2p.protocol.table_talk import LINES_KEPT

FLOOD_S = 0.01
"""One line every so often: two hundred times as many as are read."""


def test_a_flooder_of_talk_holds_no_deal_up_and_nobody_is_named_for_it() -> None:
    network = MemoryNetwork(3, 1, audits=True)
    network.seat_bots("honest")
    assert network.gather()
    offer_id = network.players[0].table.offer_id
    sent = 0

    def flood() -> None:
        nonlocal sent
        sent += 1
        said = Remark.HM if sent % 2 else f"\x1b]0;{sent}\x07\u202e[@click=app.quit]boo[/]"
        for victim in (0, 1):
            network.inject(2, victim, encode(Talk(offer_id, said)))
        if not network.all_in(Phase.OVER):
            network.after(FLOOD_S, flood)

    begun = network.now
    flood()
    assert network.run(lambda: network.all_in(Phase.OVER), seconds=900)
    assert network.run(lambda: all(player.of(AuditDone) for player in network.players), seconds=10)
    rate = RATES[Talk]
    most = rate.burst + rate.each_second * (network.now - begun)
    for victim in network.players[:2]:
        assert victim.table.result is not None
        assert victim.table.result.kind is ResultKind.FINISHED
        assert victim.of(AuditDone) == [AuditDone(1, AuditView(True))]
        assert set(victim.peer.junk) == {JunkReason.FLOOD}
        assert 0 < len(victim.of(Talked)) <= most
        assert len(victim.table.talk) <= LINES_KEPT
        texts = [line.said for line in victim.table.talk if not isinstance(line.said, Remark)]
        assert all(text.startswith("]0;") and text.endswith("[@click=app.quit]boo[/]") for text in texts)
    assert sent > 2 * most


def test_nobody_speaks_in_anothers_name() -> None:
    network = MemoryNetwork(3, 1)
    assert network.gather()
    table = network.players[0].table
    anna = next(member for member in table.members if member.key == network.players[1].peer.key)
    network.inject(2, 0, encode(Talk(table.offer_id, f"{anna.name}: \u200f\u2067I give up")))
    (line,) = network.players[0].table.talk
    assert line.key == network.players[2].peer.key, "the link says who speaks"
    assert line.said == f"{anna.name}: I give up"
