"""The screens around the table: lobby, new table, address, getting ready, the end of a deal, help, menu.

Each is a page (`ui.lobby.page`): plain data drawn on a canvas, pressed by names of actions, asking for what
it cannot do itself by a wish. `PageScreen` carries pages into Textual.
"""

from ui.lobby.lists import LOOK_FOR_S, Surroundings
from ui.lobby.page_screen import PageScreen
from ui.lobby.screens import (
    AddressScreen,
    CodeScreen,
    HelpScreen,
    LobbyScreen,
    MenuScreen,
    OpenTableScreen,
    OverScreen,
    ReadyScreen,
    ResultScreen,
    ResumeScreen,
)
from ui.lobby.wishes import (
    Connect,
    CopyAddress,
    EndWait,
    EnterCode,
    Go,
    Join,
    Leave,
    NextDeal,
    OpenBooks,
    OpenTable,
    PlayWithBots,
    Quit,
    Reopen,
    SaveTranscript,
    SetReady,
    StartWithout,
    TakeUp,
    Where,
    Wish,
    Wished,
)

__all__ = [
    "LOOK_FOR_S",
    "AddressScreen",
    "CodeScreen",
    "Connect",
    "CopyAddress",
    "EndWait",
    "EnterCode",
    "Go",
    "HelpScreen",
    "Join",
    "Leave",
    "LobbyScreen",
    "MenuScreen",
    "NextDeal",
    "OpenBooks",
    "OpenTable",
    "OpenTableScreen",
    "OverScreen",
    "PageScreen",
    "PlayWithBots",
    "Quit",
    "ReadyScreen",
    "Reopen",
    "ResultScreen",
    "ResumeScreen",
    "SaveTranscript",
    "SetReady",
    "StartWithout",
    "Surroundings",
    "TakeUp",
    "Where",
    "Wish",
    "Wished",
]
