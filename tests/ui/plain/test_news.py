"""What plain mode tells from one picture to the next, and what time alone brings: that nobody is found."""

from dataclasses import replace

import page_samples as samples
from fake_node import FakeNode
from model_table import ModelTable, cards

from engine import Rank, Seat
from ui.plain.news import TableNews


def test_an_empty_lobby_says_once_what_may_be_wrong() -> None:
    clock = [0.0]
    news = TableNews(FakeNode(lobby=samples.lobby(empty=True)), lambda: clock[0])
    assert news.due() == ()
    clock[0] = 14.0
    assert any("Nobody found yet." in line for line in news.due())
    clock[0] = 60.0
    assert news.due() == ()


def test_people_who_no_longer_answer_are_no_company_in_plain_mode_either() -> None:
    clock = [0.0]
    gone = replace(samples.lobby(empty=True), people=(samples.person(1, "Boris", reachable=False),))
    news = TableNews(FakeNode(lobby=gone), lambda: clock[0])
    clock[0] = 14.0
    assert any("Nobody found yet." in line for line in news.due())


def test_looking_begins_anew_when_the_last_one_has_gone_in_plain_mode_too() -> None:
    clock = [0.0]
    node = FakeNode(lobby=samples.lobby())
    news = TableNews(node, lambda: clock[0])
    clock[0] = 3600.0
    assert news.due() == ()
    node.lobby = samples.lobby(empty=True)
    clock[0] = 3603.0
    assert news.due() == ()
    clock[0] = 3611.0
    assert any("Looking for 11 s" in line for line in news.due())


def test_who_decides_about_a_four_is_told_after_what_gave_it_to_him() -> None:
    model = ModelTable(("Oleg", "Vera", "Anna"), own=Seat(2), dealer=Seat(0))
    model.give(Seat(0), cards("6S 6H 7D QC"))
    model.give(Seat(1), cards("QS QH 7S"))
    model.give(Seat(2), cards("QD 7H 7C"))
    model.lay(Seat(1), 2, Rank.QUEEN)
    model.lay(Seat(2), 1)
    node = FakeNode(model)
    news = TableNews(node, lambda: 0.0)
    news.catch_up(whole=True)
    model.call(Seat(0))
    model.settle()
    found = news.catch_up(whole=False)
    told = [line for line in found if line]
    assert [line.split("] ")[1].split()[0] for line in told] == ["Oleg", "TRUTH.", "Oleg"]
    assert told[-1].endswith("Oleg may remove four of a kind.")
    steps = [int(line[1:].split("]")[0]) for line in told]
    assert steps == sorted(steps)
