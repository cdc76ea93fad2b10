"""A deal that is told again: events, calls, hands, and every wrong answer."""

import asyncio
import re

import pytest
from finished_table import watched
from plain_voice import Voice

from engine import Revealed
from p2p.protocol.replay import Replay
from ui.cli.exits import Exit
from ui.i18n import use_language
from ui.plain.console import InputEnded, Typed
from ui.plain.dialogue import Dialogue, End, Interrupt
from ui.plain.replay import NoNews, tell
from ui.words.ranks import card_name

CLOSED = re.compile(r": [78] cards\.$|, [78] cards, of these are known: ")
"""A hand at the beginning, of which later calls have opened some cards, or none."""


async def answered(replay: Replay, *typed: str, at_terminal: bool = True) -> tuple[list[str], int]:
    """Type lines, then end the input; return what was said, and the exit code."""
    voice = Voice()
    dialogue = Dialogue(voice, NoNews())
    for line in typed:
        dialogue.put(Typed(line))
    dialogue.put(InputEnded())
    code = await tell(replay, dialogue, at_terminal=at_terminal)
    return voice.lines, code


async def parts(replay: Replay, *typed: str) -> list[list[str]]:
    """What was said after each line that was typed; before the first one, the introduction."""
    lines, _code = await answered(replay, *typed)
    found: list[list[str]] = [[]]
    for line in lines:
        if line.startswith(">"):
            found.append([])
        else:
            found[-1].append(line)
    return found


async def test_the_introduction_names_the_deal_and_the_ways_through_it() -> None:
    (said, *_rest) = await parts(watched(opened=True))
    assert said[0] == "Replay · Kitchen, pagat, deal 1; the books are open."
    assert any("Enter alone tells the next event" in line for line in said)
    assert any("1 next" in line and "2 previous" in line for line in said)


@pytest.mark.parametrize("language", ["en", "ru"])
async def test_enter_alone_tells_one_event_after_the_other_up_to_the_last(language: str) -> None:
    use_language(language)
    replay = watched(opened=True)
    count = len(replay.moments)
    said = await parts(replay, *[""] * count)
    steps = [int(part[0][1:].split("]")[0]) for part in said[1:count]]
    assert steps == sorted(steps)
    assert len(steps) == count - 1
    assert said[count] == [{"en": "That was the last event.", "ru": "Это было последнее событие."}[language]]


async def test_next_and_previous_call_stop_at_calls_and_say_where_there_is_none() -> None:
    replay = watched(opened=True)
    calls = replay.calls
    said = await parts(replay, *["next call"] * (len(calls) + 1), "previous call")
    for part in said[1 : len(calls) + 1]:
        assert any("BLUFF" in line or "TRUTH" in line for line in part)
    assert said[len(calls) + 1] == ["There is no further call."]
    assert said[len(calls) + 2] == said[len(calls) - 1]


async def test_with_open_books_the_cards_of_a_lay_are_told_and_whether_it_was_true() -> None:
    replay = watched(opened=True)
    at = next(number for number in range(len(replay.moments)) if replay.opened(number) is not None)
    shown = replay.opened(at)
    assert isinstance(shown, Revealed)
    said = (await parts(replay, *[""] * at))[at]
    assert all(card_name(card) in said[1] for card in shown.cards)
    assert said[1].endswith("That is true." if shown.truthful else "That is a bluff.")


async def test_with_closed_books_hands_are_numbers_and_with_open_ones_cards() -> None:
    closed = (await parts(watched(opened=False), "hands"))[1]
    assert closed[0] == "Hands before this step:"
    assert all(CLOSED.search(line) for line in closed[1:])
    opened = (await parts(watched(opened=True), "hands"))[1]
    assert opened[0] == "All hands before this step:"
    assert all(re.search(r", [78] cards: \w", line) for line in opened[1:4])
    assert opened[4].startswith("Burned: ")


async def test_the_own_hand_is_read_where_the_others_stay_closed() -> None:
    said = (await parts(watched(opened=False, own=1), "hands"))[1]
    assert sum(line.startswith("You, ") for line in said) == 1
    assert sum(CLOSED.search(line) is not None for line in said) == 2


async def test_a_step_is_gone_to_by_its_number_and_a_wrong_number_asks_again() -> None:
    replay = watched(opened=False)
    last = replay.last_step
    said = await parts(replay, "go to a step", "many", "9" * 400, str(last + 1), "", str(last))
    for part in said[2:6]:
        assert part[0] == f"Type a number from 0 to {last}."
    assert "DEAL" in said[6][-1] or "loses" in said[6][-1] or "wins" in said[6][-1]


async def test_step_0_is_a_number_to_go_to_and_no_way_back() -> None:
    said = await parts(watched(opened=False), "rest", "go to a step", "0", "hands")
    assert said[3] != []
    assert said[4][0] == "Hands before this step:"
    assert said[3] == said[0][-len(said[3]) :]


async def test_all_the_rest_is_told_at_once() -> None:
    replay = watched(opened=False)
    said = await parts(replay, "rest", "rest")
    assert len([line for line in said[1] if line.startswith("[")]) >= len(replay.moments) - 1
    assert said[2] == ["That was the last event."]


@pytest.mark.parametrize("typed", ["banana", "99", "-1", "0x1", "é" * 30])
async def test_what_is_no_answer_repeats_the_list_and_stays_where_it_was(typed: str) -> None:
    said = await parts(watched(opened=False), "", typed, "previous", "")
    assert any("Enter alone tells the next event" in line for line in said[2])
    assert said[4] == said[1]


async def test_back_quit_the_end_of_input_and_signals_end_it_in_order() -> None:
    for typed in ("back", "0", "назад", "quit", "выход", "8"):
        assert (await answered(watched(opened=False), typed))[1] == Exit.DONE
    lines, code = await answered(watched(opened=False), "next")
    assert (lines[-1], code) == ("The input has ended.", Exit.DONE)
    lines, code = await answered(watched(opened=False), at_terminal=False)
    assert code == Exit.NO_TERMINAL
    for arrival, wanted in ((Interrupt(), Exit.DONE), (End(143), 143)):
        dialogue = Dialogue(Voice(), NoNews())
        dialogue.put(arrival)
        assert await asyncio.wait_for(tell(watched(opened=False), dialogue), 60) == wanted
