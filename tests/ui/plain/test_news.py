"""What time alone brings in plain mode: that nobody is found."""

from dataclasses import replace

import page_samples as samples
from fake_node import FakeNode

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
