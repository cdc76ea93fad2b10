"""Watching a table in plain mode."""

from dataclasses import replace

import page_samples as samples
from fake_node import FakeNode
from plain_voice import PlainPlayer

from p2p.protocol.snapshot import LobbyChanged, OfferStatus, TableSnapshot
from p2p.protocol.table_rules import TableRules

PLAYED = samples.offer(1, "Kitchen", status=OfferStatus.PLAYING)


def node_with(*offers: object) -> FakeNode:
    node = FakeNode()
    node.lobby = replace(node.lobby, offers=offers)  # type: ignore[arg-type]
    return node


def watching(table: TableSnapshot) -> FakeNode:
    node = FakeNode()
    node.table_override = samples.watched(table)
    return node


async def test_a_table_that_is_played_is_chosen_to_be_watched() -> None:
    node = node_with(PLAYED)
    async with PlainPlayer(node) as player:
        await player.type("watch", "1")
        assert node.wished == [("watch", PLAYED.opener, PLAYED.offer_id)]
        assert "Asking to watch Kitchen…" in player.voice.lines


async def test_the_code_of_a_private_table_is_asked_for() -> None:
    private = replace(PLAYED, needs_code=True)
    node = node_with(private)
    async with PlainPlayer(node) as player:
        await player.type("watch", "1")
        assert node.wished == []
        await player.type("ABCD-2345-EF")
        assert node.wished == [("watch", private.opener, private.offer_id, "ABCD-2345-EF")]


async def test_a_table_that_lets_nobody_watch_is_not_offered() -> None:
    async with PlainPlayer(node_with(replace(PLAYED, table_rules=TableRules(watchers="no")))) as player:
        assert not any("watch a table" in line for line in player.voice.lines)


async def test_the_table_of_the_option_is_watched_once_it_is_played() -> None:
    node = node_with(replace(PLAYED, status=OfferStatus.OPEN))
    async with PlainPlayer(node, watch="Kitchen") as player:
        assert "As soon as Kitchen is played here, you watch it." in player.voice.lines
        assert node.wished == []
        node.lobby = replace(node.lobby, offers=(PLAYED,))
        player.program.dialogue.put(LobbyChanged())
        await player.settled()
        assert node.wished == [("watch", PLAYED.opener, PLAYED.offer_id)]


async def test_after_a_deal_a_watcher_may_look_closer_and_open_nothing_again() -> None:
    async with PlainPlayer(watching(samples.over())) as player:
        asked = " ".join(player.voice.lines)
        assert "save" in asked
        assert "open again" not in asked
        assert "say something" not in asked
        assert "hide all talk" not in asked
        await player.type("leave")
        assert any("you only watch" in line for line in player.voice.lines)
