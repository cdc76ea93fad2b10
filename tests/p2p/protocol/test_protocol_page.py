"""The worked examples of docs/protocol.md are what the program computes."""

from tests.protocol_page import PAGE, rewritten


def test_every_worked_example_is_what_the_program_makes_today():
    page = PAGE.read_text(encoding="utf-8")
    assert rewritten(page) == page, "python -m tests.protocol_page makes them anew"
