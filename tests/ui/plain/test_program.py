"""Plain mode over a scripted node: what is asked, answered, sent and said."""

from dataclasses import replace
from pathlib import Path

import page_samples as samples
import pytest
from fake_node import FakeNode
from model_table import ModelTable, cards
from plain_voice import PlainPlayer

from engine import Answer, Call, Lay, Rank, Refusal, Ruleset, Seat
from p2p.protocol.snapshot import MoveRefused, OfferStatus, Phase
from p2p.protocol.table_rules import TableRules
from ui.cli.exits import Exit

ME, VERA = Seat(0), Seat(1)


def to_answer(**rules: object) -> ModelTable:
    ruleset = Ruleset.preset("pagat").with_(burn=0, **rules)  # type: ignore[arg-type]
    model = ModelTable(("Oleg", "Vera", "Anna", "Boris"), own=ME, dealer=ME, ruleset=ruleset)
    model.give(ME, cards("6S 6H 7D 9C 10S 10D JH QS KD KC AS AD AC"))
    model.lay(VERA, 1, Rank.QUEEN)
    model.lay(Seat(2), 3)
    model.lay(Seat(3), 3, lie=True)
    return model


def names(folder: Path) -> list[str]:
    return [one.name for one in folder.iterdir()]


async def test_the_turn_of_the_design_word_for_word() -> None:
    async with PlainPlayer(FakeNode(to_answer())) as player:
        lines = player.voice.lines
        asked = lines.index("Your turn. 13 cards: 6 6, 7, 9, 10 10, J, Q, K K, A A A.")
        assert lines[asked + 1] == " 1 lay queens  2 I don't believe  3 my suits  4 players  5 log"
        await player.type("1")
        assert lines[-2:] == ["Which cards? Ranks, for example: q 6", ">"]
        await player.type("q 7")
        assert lines[-2] == "Lay Q, 7 and say “two queens”. A bluff. 1 yes, 2 no"
        assert player.node.wished == []
        await player.type("1")
        ((what, move),) = player.node.wished
        assert what == "submit"
        assert isinstance(move, Lay)
        assert (move.rank, move.number, len(move.slots)) == (Rank.QUEEN, 2, 2)
        assert "[14] You say “two queens”. 2 cards." in lines


async def test_a_call_by_its_word_is_read_back_and_can_be_taken_back() -> None:
    async with PlainPlayer(FakeNode(to_answer())) as player:
        await player.type("не верю", "2")
        assert player.node.wished == []
        await player.type("call")
        asked = "Say “I don't believe”: Boris opens 3 cards. If it is true, you take 7. 1 yes, 2 no"
        assert player.voice.lines[-2] == asked
        await player.type("yes")
        assert player.node.wished == [("submit", Call(ME, believe=False))]


async def test_cards_that_are_not_held_and_words_that_are_no_ranks_are_asked_for_again() -> None:
    async with PlainPlayer(FakeNode(to_answer())) as player:
        await player.type("1", "8")
        assert "You hold no eights. Any cards may be said to be eights." in player.voice.lines
        await player.type("q q")
        assert "You hold no more queens." in player.voice.lines
        await player.type("banana")
        assert player.voice.lines[-3].startswith("“banana” is no rank.")
        await player.type("6 6 7 9")
        assert "At most 3 cards a turn here." in player.voice.lines
        await player.type("back", "")
        assert player.voice.lines[-1] == ">"
        assert player.node.wished == []


async def test_a_lead_asks_for_the_rank_and_takes_another_one_than_the_cards_have() -> None:
    model = ModelTable(("Oleg", "Vera"), own=ME, dealer=VERA)
    model.give(ME, cards("6S 6H 7D"))
    async with PlainPlayer(FakeNode(model)) as player:
        await player.type("1", "6 6")
        assert player.voice.lines[-2] == "Which rank do you say? Enter alone: sixes."
        await player.type("kings")
        assert "say “two kings”. A bluff." in player.voice.lines[-2]
        await player.type("1")
        move = player.node.wished[0][1]
        assert isinstance(move, Lay)
        assert move.rank is Rank.KING


async def test_the_key_of_the_tens_alone_is_a_ten_and_no_way_back() -> None:
    async with PlainPlayer(FakeNode(to_answer())) as player:
        await player.type("1", "0")
        assert player.voice.lines[-2] == "Lay 10 and say “one queen”. A bluff. 1 yes, 2 no"


async def test_what_happens_at_a_question_is_said_and_the_question_is_asked_again() -> None:
    node = FakeNode(to_answer())
    async with PlainPlayer(node) as player:
        assert node.model is not None
        await player.type("1")
        mark = player.mark
        node.said.put(MoveRefused(Refusal.NOTHING_TO_CALL))
        await player.settled()
        said = player.said_since(mark)
        assert said[0] == "There is no packet to call."
        assert said[-2:] == ["Which cards? Ranks, for example: q 6", ">"]


async def test_a_half_given_answer_falls_when_the_table_goes_on() -> None:
    node = FakeNode(to_answer())
    async with PlainPlayer(node) as player:
        assert node.model is not None
        await player.type("1", "q 7")
        node.model.call(ME)
        node.changed()
        await player.settled()
        await player.type("1")
        assert node.wished == []


async def test_nothing_is_asked_while_others_act_and_enter_tells_how_things_stand() -> None:
    model = to_answer()
    model.lay(ME, 1)
    async with PlainPlayer(FakeNode(model)) as player:
        assert ">" not in player.voice.lines
        await player.type("")
        assert any("Vera to move" in line for line in player.voice.lines)
        assert player.voice.lines[-1] == ">"
        await player.type("players")
        assert "You, 12 cards, laid 1." in player.voice.lines


async def test_open_calls_are_answered_by_words() -> None:
    model = ModelTable(
        ("Oleg", "Vera", "Anna"), own=ME, dealer=ME, ruleset=Ruleset.preset("pagat").with_(callers="any")
    )
    model.lay(VERA, 1, Rank.QUEEN)
    async with PlainPlayer(FakeNode(model)) as player:
        assert any(line.startswith("Anyone may call the last packet") for line in player.voice.lines)
        await player.type("pass", "1")
        assert player.node.wished == [("submit", Answer(ME, None))]


async def test_only_thirty_and_ten_seconds_left_are_told() -> None:
    model = to_answer()
    model.table_rules = TableRules(clock_s=60)
    async with PlainPlayer(FakeNode(model)) as player:
        mark = player.mark
        news = player.program._news
        told = []
        for player.now in (0.0, 29.0, 31.0, 45.0, 51.0, 59.0):
            told.append(news.due())
        assert told == [(), (), ("30 seconds left.",), (), ("10 seconds left.",), ()]
        assert player.said_since(mark) == []


async def test_quitting_says_what_it_costs_first() -> None:
    async with PlainPlayer(FakeNode(to_answer())) as player:
        await player.type("1", "quit")
        assert player.voice.lines[-2] == "Quit Verish? If you leave now, you lose this deal. 1 yes, 2 no"
        await player.type("2")
        assert player.node.wished == []
        await player.type("выход", "да")
        assert await player.exit_code() == Exit.DONE
        assert player.node.wished == [("leave",)]


async def test_the_end_of_the_input_keeps_the_seat() -> None:
    async with PlainPlayer(FakeNode(to_answer())) as player:
        await player.type("log")
        player.hang_up()
        assert await player.exit_code() == 129
        assert player.node.wished == []
        assert "You have not left the table" in player.voice.lines[-1]


async def test_an_input_that_never_said_anything_and_is_no_terminal_is_refused() -> None:
    async with PlainPlayer(FakeNode(), at_terminal=False) as player:
        player.hang_up()
        assert await player.exit_code() == Exit.NO_TERMINAL
        assert "verish bot" in player.voice.lines[-1]


async def test_the_lobby_opens_a_table_of_numbered_choices() -> None:
    async with PlainPlayer(FakeNode()) as player:
        await player.type("open", "Kitchen", "2", "club")
        await player.type("change", "1")
        assert player.voice.lines[-2].startswith(" ")
        await player.type("2", "these rules", "no code")
        assert "Open the table “Kitchen” for 2 players: club" in player.voice.lines[-2]
        await player.type("1")
        assert player.node.wished[0][:4] == ("open_table", "Kitchen", "club", 2)


async def test_the_lobby_calls_bots() -> None:
    async with PlainPlayer(FakeNode()) as player:
        await player.type("bots", "2", "2", "1")
        assert player.node.wished == [("open_table", "Oleg", "pagat", 3)]
        assert player.company.called == [("Oleg", 2)]


async def test_a_table_is_joined_with_its_code() -> None:
    node = FakeNode()
    async with PlainPlayer(node) as player:
        open_ones = (one for one in samples.lobby().offers if one.status is OfferStatus.OPEN)
        offers = tuple(replace(one, needs_code=True, own=False) for one in open_ones)
        node.lobby = replace(node.lobby, offers=offers)
        node.changed()
        await player.settled()
        await player.type("join", "1", "abc", "ABCD-1234", "1")
        offer = offers[0]
        assert [wish[:3] for wish in node.wished] == [("join", offer.opener, offer.offer_id)]


async def test_getting_ready_reads_the_rules_and_takes_the_agreement() -> None:
    table = to_answer().snapshot()
    members = tuple(replace(one, seat=None, ready=False) for one in table.members)
    node = FakeNode()
    node.table_override = replace(
        table, phase=Phase.GATHERING, members=members, deal=0, view=None, owed=(), own_seat=None, happened=()
    )
    async with PlainPlayer(node) as player:
        assert "Only the next player may call." in player.voice.lines
        assert not any("≠" in line for line in player.voice.lines)
        await player.type("1", "1")
        assert node.wished == [("set_ready", True)]


async def test_after_a_deal_the_result_is_said_once_and_the_deal_can_be_saved(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    model = to_answer()
    model.phase = Phase.OVER
    node = FakeNode(model)
    async with PlainPlayer(node) as player:
        assert sum("DEAL OVER" in line for line in player.voice.lines) == 1
        await player.type("save")
        await player.hear("Saved: verish-Kitchen-deal-3.jsonl")
        assert names(tmp_path) == ["verish-Kitchen-deal-3.jsonl"]
