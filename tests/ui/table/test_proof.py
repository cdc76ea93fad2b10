"""The proof behind the promises, from a real deal: who can read which cards; and fingerprints one by one."""

import page_samples as samples
import pytest
from absence_table import deal_of, playing
from fake_node import FakeNode
from finished_table import over, watched

from engine import Seat
from ui import i18n
from ui.app import VerishApp
from ui.table.pages import TrustScreen
from ui.table.proof import who_reads
from ui.table.proof_pages import FingerprintScreen, ProofScreen
from ui.table.situation import Situation
from ui.table.size import Size


def test_after_the_deal_each_hand_is_read_by_its_owner_alone_and_the_burned_card_by_nobody() -> None:
    network = playing(3)
    player = network.players[0]
    situation = Situation(player.table)
    assert situation.state is not None
    rows = who_reads(situation, player.peer.readings)
    hands, (burned,) = rows[:3], rows[3:]
    for seat, row in zip(situation.state.order, hands, strict=True):
        assert row.readers == situation.who(seat).label
        assert row.since.startswith("step")
    assert (burned.cards, burned.readers, burned.since) == ("burned card", "nobody", "")


def test_a_card_that_a_call_has_opened_is_everybodys_and_a_picked_up_hand_its_takers_again() -> None:
    network = over()
    player = network.players[0]
    deal = deal_of(player)
    state = deal.state
    assert state is not None
    rows = who_reads(Situation(player.table), player.peer.readings)
    held = [seat for seat in state.order if state.hand_of(seat)]
    assert [row.readers for row in rows[: len(held)]] == [
        Situation(player.table).who(seat).label for seat in held
    ]
    assert [one for one in player.peer.readings if one.face is not None]


def test_once_all_have_opened_their_books_every_card_is_everybodys() -> None:
    player = over(opened=True).players[0]
    rows = who_reads(Situation(player.table), player.peer.readings)
    assert rows
    assert {(row.readers, row.since) for row in rows} == {("everybody", "the books are open")}
    shown = drawn(ProofScreen(player.table, lambda: player.peer.readings), (80, 24))
    assert "nobody" not in shown


def test_a_packet_that_was_opened_is_everybodys_until_it_is_taken() -> None:
    replay = watched(opened=False)
    network = over()
    readings = network.players[0].peer.readings
    at = replay.calls[0]
    laid = max(one for one in range(at) if replay.moments[one].laid is not None)
    rows = who_reads(Situation(replay.table(laid)), readings)
    packet = next(row for row in rows if row.cards.startswith("packet of"))
    assert packet.readers == "everybody", "by now: the readings are those of the whole deal"


def drawn(screen: ProofScreen | FingerprintScreen | TrustScreen, size: tuple[int, int]) -> str:
    return "\n".join(screen.draw(Size(*size)).lines())


@pytest.mark.parametrize("size", [(60, 20), (80, 24), (110, 46)])
@pytest.mark.parametrize("language", ["en", "ru"])
def test_the_proof_fits_and_names_everybody_with_his_fingerprint(
    size: tuple[int, int], language: str
) -> None:
    i18n.use_language(language)
    player = playing(3, seed=2).players[1]
    screen = ProofScreen(player.table, lambda: player.peer.readings)
    shown = drawn(screen, size)
    for member in player.table.members:
        assert member.fingerprint in shown
        assert (Situation(player.table).who(member.seat or Seat(0)).label) in shown
    assert all(len(line) <= size[0] for line in shown.splitlines())


async def test_enter_leads_from_the_promises_to_the_proof_and_f_to_the_fingerprints() -> None:
    node = FakeNode(table_override=samples.over(), readings=samples.readings())
    app = VerishApp(node)
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.pause()
        await pilot.press("t")
        await pilot.pause()
        assert isinstance(app.screen, TrustScreen)
        assert "Show the proof" in drawn(app.screen, (80, 24))
        await pilot.press("enter")
        await pilot.pause()
        assert isinstance(app.screen, ProofScreen)
        await pilot.press("escape")
        await pilot.pause()
        assert isinstance(app.screen, TrustScreen)
        await pilot.press("а")
        await pilot.pause()
        screen = app.screen
        assert isinstance(screen, FingerprintScreen)
        seen = []
        for member in samples.over().members:
            shown = drawn(screen, (80, 24))
            assert "   ".join(" ".join(group) for group in member.fingerprint.split("-")) in shown
            seen.append(shown)
            await pilot.press("right")
        assert len(set(seen)) == len(seen)
        assert drawn(screen, (80, 24)) == seen[0], "after the last one the first again"
        await pilot.press("escape", "escape")
        await pilot.pause()
        assert not isinstance(app.screen, TrustScreen)
