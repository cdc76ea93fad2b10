"""Bells and the terminal's title."""

from dataclasses import dataclass, field, replace

import page_samples as samples
import pytest
from settings_samples import set_to

from p2p.protocol.snapshot import TableSnapshot
from ui.attention import Attention
from ui.settings import OwnSettings

TURN, IDLE = "\x1b]2;► Your turn · Verish\x07", "\x1b]2;Verish\x07"


@dataclass
class Terminal:
    """Counts bells and keeps what was written."""

    bells: int = 0
    written: list[str] = field(default_factory=list)

    def ring(self) -> None:
        self.bells += 1


@pytest.fixture
def terminal() -> Terminal:
    return Terminal()


def over(terminal: Terminal, settings: OwnSettings) -> Attention:
    return Attention(settings, terminal.ring, terminal.written.append)


def without_last(table: TableSnapshot) -> TableSnapshot:
    last = [member for member in table.members if not member.own][-1]
    return replace(table, members=tuple(member for member in table.members if member is not last))


def test_a_turn_rings_once_and_stands_in_the_title_until_it_is_over(terminal: Terminal) -> None:
    attention = over(terminal, set_to())
    attention.show_title()
    for mine in (True, True, False):
        attention.turn(mine=mine)
    assert terminal.bells == 1
    assert terminal.written == ["\x1b[22;2t", IDLE, TURN, IDLE]


def test_the_terminal_has_its_own_title_again_at_the_end(terminal: Terminal) -> None:
    attention = over(terminal, set_to())
    attention.turn(mine=True)
    attention.put_back()
    attention.put_back()
    assert terminal.written[-1] == IDLE + "\x1b[23;2t"
    assert len(terminal.written) == 3


def test_without_sound_nothing_rings_and_without_title_nothing_is_written(terminal: Terminal) -> None:
    attention = over(terminal, set_to(sound=False, title=False))
    attention.turn(mine=True)
    attention.bell()
    attention.follow(without_last(samples.gathering()), bots_called=False)
    attention.follow(samples.gathering(), bots_called=False)
    attention.put_back()
    assert (terminal.bells, terminal.written) == (0, [])


def test_a_title_that_is_switched_off_goes_at_once_and_comes_back_when_switched_on(
    terminal: Terminal,
) -> None:
    settings = set_to()
    attention = over(terminal, settings)
    attention.turn(mine=True)
    settings.change("title", False)
    attention.show_title()
    assert terminal.written[-1].endswith("\x1b[23;2t")
    settings.change("title", True)
    attention.show_title()
    assert terminal.written[-2:] == ["\x1b[22;2t", TURN]


def test_somebody_who_sits_down_rings_once_and_somebody_who_goes_does_not(terminal: Terminal) -> None:
    attention = over(terminal, set_to())
    whole = samples.gathering()
    attention.follow(without_last(whole), bots_called=False)
    assert terminal.bells == 0
    attention.follow(whole, bots_called=False)
    attention.follow(whole, bots_called=False)
    assert terminal.bells == 1
    attention.follow(without_last(whole), bots_called=False)
    assert terminal.bells == 1


def test_nobody_rings_at_another_table_nor_for_bots_that_were_called(terminal: Terminal) -> None:
    attention = over(terminal, set_to())
    whole = samples.gathering()
    attention.follow(without_last(whole), bots_called=False)
    attention.follow(replace(whole, offer_id=b"another table..."), bots_called=False)
    attention.follow(None, bots_called=False)
    attention.follow(without_last(whole), bots_called=True)
    attention.follow(whole, bots_called=True)
    assert terminal.bells == 0
