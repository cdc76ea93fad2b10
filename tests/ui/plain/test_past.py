"""Past deals in plain mode: statistics in sentences, and a list of deals to be told again."""

from dataclasses import replace

import pytest
from fake_node import FakeNode
from finished_table import kept, over
from model_table import ModelTable
from plain_voice import PlainPlayer

from engine import Ruleset, Seat
from p2p.errors import LocalError, LocalReason
from p2p.net.history import History, PastDeal
from p2p.protocol.deal_tally import PlayerRecord, Tally
from p2p.protocol.snapshot import Phase
from ui.i18n import use_language
from ui.plain.past import LISTED
from ui.plain.statistics import MOST_LINES, statistics_lines


def deal(number: int, *, lost: int = 1, outcome: str = "finished", opponent: str = "Boris") -> PastDeal:
    names = ("Oleg", opponent, "Vera")
    players = tuple(
        PlayerRecord(
            seat, name.encode().ljust(32), name, seat == 0, None, False, seat == lost, Tally(9, 4, seat, 5, 3)
        )
        for seat, name in enumerate(names)
    )
    cause = None if outcome == "finished" else "fork"
    ended = 1e9 + 3600 * number
    return PastDeal(bytes(32), number, 1e9, ended, "Kitchen", "pagat", {}, outcome, cause, players)


def history(count: int) -> History:
    return History(tuple(deal(number) for number in range(1, count + 1)))


def test_statistics_are_sentences_and_never_columns() -> None:
    lines = statistics_lines([deal(1), deal(2, lost=0), deal(3, outcome="void")])
    assert lines[0] == (
        "Your deals so far. 3 deals: 0 won, 1 lost. Bluffs among packets opened: 0 of 12. "
        "Right calls: 9 of 15."
    )
    assert (
        "Boris. 3 deals: 0 won, 2 lost. Bluffs among packets opened: 3 of 12. Right calls: 9 of 15." in lines
    )
    assert any(
        "3 deals. Vera: won 0, lost 0. You: won 0, lost 1. Boris: won 0, lost 2." in line for line in lines
    )
    assert "Players: You, Boris, Vera. Lost by: Boris." in lines[-1]
    assert not any("  " in line or "|" in line for line in lines)


def test_forms_are_told_apart_where_there_are_several() -> None:
    lines = statistics_lines([deal(1), replace(deal(2), form="club")])
    assert lines[1].startswith("pagat. 1 deal: ")
    assert lines[2].startswith("club")


def test_long_lists_are_cut_and_say_so() -> None:
    lines = statistics_lines([deal(one, opponent=f"Nobody {one}") for one in range(1, MOST_LINES + 2)])
    assert "And 2 more." in lines
    assert sum(line.startswith("Nobody") for line in lines) <= MOST_LINES


def test_nothing_and_russian_numbers_read_well() -> None:
    assert statistics_lines([]) == ("No deal has been played to its end here yet.",)
    use_language("ru")
    line = statistics_lines([deal(one) for one in range(1, 6)])[0]
    assert line.startswith("Ваши сдачи. 5 сдач: побед 0, поражений 0.") or "5 сдач: побед 0" in line


async def test_the_lobby_and_the_end_of_a_deal_tell_statistics() -> None:
    model = ModelTable(("Oleg", "Vera"), own=Seat(0), ruleset=Ruleset.preset("pagat"))
    model.phase = Phase.OVER
    for node in (FakeNode(past=history(1)), FakeNode(model, past=history(1))):
        async with PlainPlayer(node) as player:
            await player.type("statistics")
            assert any(line.startswith("Your deals so far. 1 deal:") for line in player.voice.lines)


async def test_past_deals_are_listed_latest_first_and_told_after_every_proof_was_checked(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("p2p.protocol.audit.Ristretto255", lambda: over()._group)
    node = FakeNode(past=history(2), kept=kept())
    async with PlainPlayer(node) as player:
        await player.type("replay")
        (first,) = (line for line in player.voice.lines if line.startswith(" 1 ") and "Kitchen" in line)
        assert first.endswith("Kitchen, deal 2, pagat, lost by Boris")
        await player.type("1")
        await player.hear("books closed")
        assert node.wished == [("past_deal", bytes(32), 2)]
        mark = player.mark
        await player.type("", "hands", "back")
        said = player.said_since(mark)
        assert any(line.startswith("[") for line in said)
        assert "Hands before this step:" in said
        assert "Which deal?" in said
        await player.type("back")
        assert player.voice.lines[-1] == ">"
        assert any("open a table" in line for line in player.said_since(mark)[-6:])


async def test_earlier_deals_are_a_page_further() -> None:
    async with PlainPlayer(FakeNode(past=history(LISTED + 2))) as player:
        mark = player.mark
        await player.type("replay", "earlier")
        listed = [line for line in player.said_since(mark) if "Kitchen" in line]
        assert len(listed) == LISTED + 2
        assert "deal 1," in listed[-1]
        assert sum("earlier deals" in line for line in player.said_since(mark)) == 1


async def test_what_cannot_be_told_is_refused_in_a_sentence() -> None:
    async with PlainPlayer(FakeNode()) as player:
        await player.type("replay")
        assert "No deal has been played to its end here yet." in player.voice.lines
    async with PlainPlayer(FakeNode(past=history(1))) as player:
        await player.type("replay", "77", "1")
        await player.hear("Too little of this deal is kept")
        assert any(line.startswith("That is no answer here.") for line in player.voice.lines)


class Broken(FakeNode):
    """Its store cannot be read."""

    async def history(self) -> History:
        """Raises: LocalError."""
        raise LocalError(LocalReason.UNREADABLE, "verish.db", "broken")


async def test_a_store_that_cannot_be_read_is_a_sentence_too() -> None:
    async with PlainPlayer(Broken()) as player:
        for word in ("replay", "statistics"):
            mark = player.mark
            await player.type(word)
            assert any("verish.db" in line for line in player.said_since(mark))


async def test_a_deal_without_a_transcript_is_not_told_again() -> None:
    model = ModelTable(("Oleg", "Vera"), own=Seat(0), ruleset=Ruleset.preset("pagat"))
    model.phase = Phase.OVER
    async with PlainPlayer(FakeNode(model)) as player:
        await player.type("tell")
        await player.hear("This is no transcript, or none that is in order.")
