"""Opening the books: asked for by one key, sent by another, and told to everybody."""

from dataclasses import replace

import page_samples as samples
import pytest
from fake_node import FakeNode

from p2p.protocol.snapshot import CommandRefused, RefusedCommand
from ui import i18n
from ui.app import VerishApp
from ui.keys import Place, action_named
from ui.lobby import Go, NextDeal, OpenBooks, OverScreen, Where
from ui.lobby.over_page import OverPage
from ui.table.size import Size
from ui.words import trust
from ui.words.books import key_erased


def text(page: OverPage, width: int = 80, height: int = 24) -> str:
    """The page as text, its words one space apart."""
    return " ".join("\n".join(page.draw(Size(width, height)).lines()).replace("│", " ").split())


def test_the_key_has_its_cyrillic_twin() -> None:
    assert action_named("books", Place.OVER).keys == ("b", "B", "и", "И")


def test_b_only_asks_and_enter_agrees() -> None:
    page = OverPage(samples.opening(wished=(1, 2)))
    assert "Open the books ► You ✓ Boris ✓ Vera · Anna" in text(page)
    assert page.press("books") is None
    assert page.enter_line().text == "Open my books"
    assert "every card of this deal can be read by everybody, yours too" in text(page)
    assert page.press("enter") == OpenBooks()
    assert page.enter_line().text == "Next deal"


def test_esc_takes_the_question_back_and_then_means_the_menu_again() -> None:
    page = OverPage(samples.opening())
    page.press("books")
    assert page.press("back") is None
    assert page.press("back") == Go(Where.MENU)
    page.press("books")
    page.press("back")
    assert page.press("enter") == NextDeal()


def test_who_has_agreed_is_not_asked_again_and_where_the_key_is_gone_the_answer_says_so() -> None:
    page = OverPage(samples.opening(wished=(0,)))
    assert "open my books" not in text(page)
    assert page.press("books") == OpenBooks(), "the node knows why not"
    assert page.enter_line().text == "Next deal"


def test_an_erased_key_is_told_as_soon_as_somebody_wants_the_books_opened() -> None:
    table = samples.opening(wished=(1,))
    assert table.books is not None
    page = OverPage(replace(table, books=replace(table.books, can_wish=False)))
    assert "✗ You" in text(page)
    assert key_erased() in text(page)


def test_before_the_receipts_of_all_are_in_nothing_is_offered() -> None:
    page = OverPage(samples.over())
    assert page.table.books is None
    assert "open my books" not in text(page)


@pytest.mark.parametrize("size", [(60, 20), (80, 24), (120, 36)])
def test_open_books_are_told_on_the_page_and_on_top(size: tuple[int, int]) -> None:
    page = OverPage(samples.opening(wished=(0, 1, 2, 3)))
    shown = text(page, *size)
    assert "The books are open: everybody can read every card of this deal now." in shown
    assert "Lies that nobody called" not in shown
    assert page.corner(40) == "✓ the books are open"
    assert trust.answer(page.table) == (True, "All hands were opened by the wish of all.")


def test_after_that_nothing_says_any_more_that_cards_are_read_by_nobody() -> None:
    told = [line.text for line in trust.lines(samples.opening(wished=(0, 1, 2, 3)))]
    assert "Until then nobody could read a hand but who held it." in told
    assert not [line for line in told if "read by nobody" in line]


def test_in_russian_the_question_fits_the_least_screen() -> None:
    i18n.use_language("ru")
    page = OverPage(samples.opening())
    page.press("books")
    shown = text(page, 60, 20)
    assert "карты этой сдачи станут видны всем, и ваши тоже" in shown
    assert "Открыть мои книги отменить нельзя" in shown


async def test_the_app_passes_the_wish_on_and_words_a_refusal() -> None:
    node = FakeNode(table_override=samples.opening())
    app = VerishApp(node)
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.pause()
        await pilot.press("b", "enter")
        await pilot.pause()
        assert node.wished == [("open_books",)]
        node.said.put(CommandRefused(RefusedCommand.KEY_ERASED))
        await pilot.pause()
        await pilot.pause()
        assert isinstance(app.screen, OverScreen)
        assert app.screen.page.note == "Your key of this deal is erased: its books stay closed."
