"""Bots in plain mode: their number, strength and pace; and a first deal that explains itself."""

import random
from dataclasses import replace

import pytest
from fake_node import FakeNode
from model_table import ModelTable
from plain_voice import PlainPlayer

from engine import Call, Rank, Ruleset, Seat
from ui.i18n import use_language
from ui.manner import USUAL_MANNER, Manner
from ui.words.coach import Lesson, plain

ME, VERA = Seat(0), Seat(1)


async def test_number_strength_and_pace_are_chosen_by_numbers_and_read_back() -> None:
    node = FakeNode()
    async with PlainPlayer(node) as player:
        await player.type("bots", "2", "5", "3", "easy", "4", "quick")
        assert [line for line in player.voice.lines[-6:] if line.startswith(" ")] == [
            " 1 Play with 5 bots",
            " 2 Bots: 5",
            " 3 Strength: easy",
            " 4 Pace: quick",
            " 5 back",
        ]
        await player.type("1")
        assert player.company.called == [("Oleg", 5)]
        assert player.company.manner == Manner("easy", "quick")


async def test_nothing_is_opened_by_going_back() -> None:
    async with PlainPlayer(FakeNode()) as player:
        for way in ("back", "0", "5"):
            await player.type("bots", way)
        assert player.node.wished == []


@pytest.mark.parametrize("typed", ["6", "-1", "9" * 500, "three", "²"])
async def test_a_wrong_number_is_answered_and_asked_again(typed: str) -> None:
    async with PlainPlayer(FakeNode()) as player:
        await player.type("bots", "2", typed)
        assert "Type a number from 1 to 5." in player.voice.lines[-3:]
        assert player.node.wished == []


def playing(seed: int = 1) -> ModelTable:
    model = ModelTable(
        ("Oleg", "Vera", "Anna"),
        own=ME,
        dealer=ME,
        ruleset=Ruleset.preset("pagat").with_(sets="none"),
        seed=seed,
    )
    model.deal = 1
    model.happened = [replace(one, deal=1) for one in model.happened]
    return model


async def test_the_first_deal_explains_each_new_situation_once_and_by_words_not_keys() -> None:
    node = FakeNode()
    async with PlainPlayer(node) as player:
        await player.type("first")
        assert player.company.called == [("Oleg", 3)]
        assert player.company.manner == USUAL_MANNER
        node.model = model = playing()
        node.changed()
        await player.settled()
        chance = random.Random(1)
        for _ in range(40):
            owed = model.state.owed[0]
            if model.state.table and chance.random() < 0.4:
                model.play(Call(owed.seat, believe=False))
            else:
                rank = model.state.due_rank or Rank.QUEEN
                model.lay(owed.seat, 1, rank, lie=chance.random() < 0.5)
            model.settle()
            node.changed()
            await player.settled()
        said = player.voice.lines
        for lesson in (Lesson.GOAL, Lesson.WAITING, Lesson.LEADING, Lesson.BLUFF, Lesson.TRUTH):
            assert said.count(plain(lesson, by_keys=False)) == 1, lesson
        assert sum("say that you don't believe: it is opened." in line for line in said) == 1
        assert not any("press" in line and "Enter" not in line for line in said)
        bluff = said.index(plain(Lesson.BLUFF))
        assert "BLUFF" in said[bluff - 1]


async def test_another_deal_and_another_table_are_not_explained() -> None:
    node = FakeNode()
    async with PlainPlayer(node) as player:
        await player.type("first")
        model = playing()
        model.deal = 2
        node.model = model
        node.changed()
        await player.settled()
        assert plain(Lesson.GOAL) not in player.voice.lines
        node.model = None
        node.changed()
        await player.settled()
        node.model = playing()
        node.changed()
        await player.settled()
        assert plain(Lesson.GOAL) not in player.voice.lines


@pytest.mark.parametrize("language", ["en", "ru"])
def test_no_sentence_of_plain_mode_speaks_of_keys(language: str) -> None:
    use_language(language)
    for lesson in set(Lesson) - {Lesson.FOLLOWING, Lesson.LAST_CARDS}:
        text = plain(lesson, by_keys=False)
        assert not any(word in text for word in ("by the keys", "carry a dot", "клавиш", "точкой"))
