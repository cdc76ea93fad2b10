"""The table as somebody sees it who only watches: no hand, nothing to do, and the same trust."""

from dataclasses import replace

import page_samples as samples
import pytest
from fake_node import FakeNode
from model_table import ModelTable, cards
from pilots import settled, text_of
from settings_samples import still

from engine import Call, Rank, Seat
from p2p.protocol.snapshot import LobbyChanged, OfferStatus, Phase, TableSnapshot
from ui.app import VerishApp
from ui.lobby import CodeScreen, HelpScreen, LobbyScreen, OverScreen
from ui.table.screen import TableScreen
from ui.words import trust
from ui.words.situation import table_banner

ME = Seat(3)


def played() -> TableSnapshot:
    """A table at which the last seat must answer."""
    model = ModelTable(("Vera", "Anna", "Boris", "Oleg"), own=ME, dealer=ME)
    model.give(Seat(2), cards("QS QH 3S 3D"))
    model.lay(Seat(0), 1, Rank.QUEEN)
    model.lay(Seat(1), 3)
    model.lay(Seat(2), 2)
    return model.snapshot()


def called() -> TableSnapshot:
    """The same, once it has called and the packet is open."""
    model = ModelTable(("Vera", "Anna", "Boris", "Oleg"), own=ME, dealer=ME)
    model.give(Seat(2), cards("QS QH 3S 3D"))
    model.lay(Seat(0), 1, Rank.QUEEN)
    model.lay(Seat(1), 3)
    model.lay(Seat(2), 2)
    model.play(Call(ME, believe=False))
    model.settle()
    return model.snapshot()


def test_the_banner_says_that_i_watch_and_whose_turn_it_is() -> None:
    watched = samples.watched(played())
    assert table_banner(watched).line == "WATCHING  Oleg to move: lay queens, or call Boris."
    assert "YOUR TURN" in table_banner(played()).line
    shuffling = replace(watched, phase=Phase.SHUFFLING, view=None)
    assert table_banner(shuffling).head == "WATCHING"


def test_the_trust_page_is_worded_for_one_without_a_hand() -> None:
    lines = [line.text for line in trust.lines(samples.watched(called()))]
    assert lines[0] == "All four players shuffled the pack, and your computer checked each shuffle."
    assert "You see what everybody may see: no hand, and no closed card." in lines
    assert not any(line.startswith("Your ") for line in lines)


def test_players_read_how_many_watch_and_who() -> None:
    one = replace(played(), watchers=samples.watchers("Zoya"))
    two = replace(played(), watchers=samples.watchers("Zoya", "Pavel"))
    assert "1 person watches, and sees no hand: Zoya." in [line.text for line in trust.lines(one)]
    assert "2 people watch, and see no hand: Zoya, Pavel." in [line.text for line in trust.lines(two)]
    assert not any("watch" in line.text for line in trust.lines(played()))


async def test_a_watcher_sees_the_table_and_every_key_of_a_player_says_why_it_does_nothing() -> None:
    node = FakeNode(table_override=samples.watched(played()))
    app = VerishApp(node, settings=still())
    async with app.run_test(size=(80, 24)) as pilot:
        await settled(pilot)
        assert isinstance(app.screen, TableScreen)
        assert "WATCHING  Oleg to move" in text_of(app)
        assert "Boris says" in text_of(app)
        assert "No cards in your hand" not in text_of(app)
        assert "talk" not in text_of(app)
        for pressed in ("q", "x", "enter", "e", "m", "u"):
            await pilot.press(pressed)
            await settled(pilot)
            assert "You are watching: nothing is asked of you." in text_of(app)
        await pilot.press("f1")
        await settled(pilot)
        assert isinstance(app.screen, HelpScreen)
        assert "You have no seat here." in text_of(app)
        assert "end the wait" not in text_of(app)
        assert "talk" not in text_of(app)
    assert node.wished == []


async def test_a_watcher_follows_a_call_and_the_end_of_the_deal() -> None:
    node = FakeNode(table_override=samples.watched(played()))
    app = VerishApp(node, settings=still())
    async with app.run_test(size=(80, 24)) as pilot:
        await settled(pilot)
        node.table_override = samples.watched(called())
        node.changed()
        await settled(pilot)
        assert "TRUTH" in text_of(app)
        node.table_override = samples.watched(samples.over())
        node.changed()
        await settled(pilot)
        assert isinstance(app.screen, OverScreen)
        await pilot.press("escape", "down", "down", "down", "enter")
        await settled(pilot)
    assert node.wished == [("leave",)]


async def test_the_players_panel_counts_those_who_watch() -> None:
    node = FakeNode(table_override=replace(played(), watchers=samples.watchers("Zoya", "Pavel")))
    app = VerishApp(node, settings=still())
    async with app.run_test(size=(80, 24)) as pilot:
        await settled(pilot)
        assert "Players · 2 watch" in text_of(app)


@pytest.mark.parametrize("needs_code", [False, True])
async def test_a_program_started_for_a_table_watches_it_once_it_is_played(needs_code: bool) -> None:
    offer = samples.offer(1, "Kitchen", needs_code=needs_code)
    node = FakeNode(lobby=replace(samples.lobby(), offers=(offer,)))
    app = VerishApp(node, settings=still(), watch="Kitchen")
    async with app.run_test(size=(80, 24)) as pilot:
        await settled(pilot)
        assert isinstance(app.screen, LobbyScreen)
        assert "As soon as Kitchen is played here, you watch it." in text_of(app)
        assert node.wished == []
        node.lobby = replace(node.lobby, offers=(replace(offer, status=OfferStatus.PLAYING),))
        node.said.put(LobbyChanged())
        await settled(pilot)
        if needs_code:
            assert isinstance(app.screen, CodeScreen)
            await pilot.press(*"48219037", "enter")
            await settled(pilot)
        code = ("48219037",) if needs_code else ()
        assert node.wished == [("watch", offer.opener, offer.offer_id, *code)]
