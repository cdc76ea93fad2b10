"""The statistics in the program: sums, bars, and what stands there before the first deal."""

import page_samples as samples
import pytest
from fake_node import FakeNode

from p2p.net.history import History, PastDeal
from p2p.protocol.deal_tally import PlayerRecord, Tally
from ui import i18n
from ui.app import VerishApp
from ui.keys import Place, action_named
from ui.lobby import Go, StatisticsScreen, Where
from ui.lobby.statistics_page import StatisticsPage
from ui.table.size import Size


def player(seat: int, name: str, tally: Tally, *, won: bool = False, lost: bool = False) -> PlayerRecord:
    return PlayerRecord(seat, bytes([seat]) * 32, name, seat == 0, 1, won, lost, tally)


def deal(number: int, form: str, players: tuple[PlayerRecord, ...]) -> PastDeal:
    return PastDeal(
        bytes(32), number, 100.0 + number, 200.0 + number, "Kitchen", form, {}, "finished", None, players
    )


def past() -> History:
    """Two deals of pagat with Boris, one of club with somebody of a long name."""
    own, other = Tally(lays=9, opened=4, lies=1, calls=5, right_calls=5), Tally(8, 2, 2, 0, 0)
    long = "Константин Константинович"
    return History(
        (
            deal(1, "pagat", (player(0, "Oleg", own, won=True), player(1, "Boris", other, lost=True))),
            deal(2, "pagat", (player(0, "Oleg", own, lost=True), player(1, "Boris", other, won=True))),
            deal(3, "club", (player(0, "Oleg", Tally(), won=True), player(2, long, Tally()))),
        )
    )


def lines(page: StatisticsPage, width: int = 80, height: int = 24) -> list[str]:
    return [line.strip("│ ") for line in page.draw(Size(width, height)).lines()]


def test_everything_is_added_up_in_all_by_form_and_by_opponent() -> None:
    shown = lines(StatisticsPage(past()))
    assert "3 deals: 2 won, 1 lost." in shown
    assert "▮▮········   2/8  of your opened packets were bluffs" in shown
    assert "▮▮▮▮▮▮▮▮▮▮ 10/10  of your calls were right" in shown
    rows = [line.split() for line in shown]
    assert ["pagat", "2", "1", "1", "▮▮········", "▮▮▮▮▮▮▮▮▮▮"] in rows
    assert ["club", "1", "1", "0"] in rows
    assert ["Boris", "2", "1", "1", "▮▮▮▮▮▮▮▮▮▮"] in rows


def test_before_the_first_deal_it_says_so() -> None:
    assert "No deal has been played to its end here yet." in lines(StatisticsPage(History()))


@pytest.mark.parametrize("language", ["en", "ru"])
@pytest.mark.parametrize("size", [(60, 20), (80, 24), (110, 40)])
def test_it_fits_and_what_does_not_can_be_scrolled_to(size: tuple[int, int], language: str) -> None:
    i18n.use_language(language)
    page = StatisticsPage(past())
    seen = set()
    for _ in range(30):
        shown = lines(page, *size)
        assert all(len(line) <= size[0] for line in shown)
        seen.update(shown)
        page.press("down")
    assert any(line.startswith("Boris") for line in seen)
    assert any(line.startswith("Конс") for line in seen)


def test_both_tables_have_the_same_columns_and_no_bar_is_cut(russian: None) -> None:
    page = StatisticsPage(samples.long_past())
    shown = page.draw(Size(60, 20)).lines()
    heads = [line for line in shown if "поражения" in line]
    assert len(heads) == 2
    assert len({line.index("поражения") for line in heads}) == 1
    assert not [line for line in shown if "▮" in line and "…" in line]


async def test_z_shows_it_from_the_lobby_in_both_layouts_and_esc_leads_back() -> None:
    assert action_named("statistics", Place.LOBBY).keys == ("z", "Z", "я", "Я")
    node = FakeNode(past=past())
    app = VerishApp(node)
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.pause()
        for key in ("z", "я"):
            await pilot.press(key)
            await pilot.pause()
            assert isinstance(app.screen, StatisticsScreen)
            assert app.screen.page.press("back") == Go(Where.BACK)
            await pilot.press("escape")
            await pilot.pause()
            assert not isinstance(app.screen, StatisticsScreen)
