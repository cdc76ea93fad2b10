"""What a screen is told of the lobby: whenever its picture differs, that it does.

The program draws it only when asked, since hundreds may be in it; so each change has to be said where it is
made.
"""

from dataclasses import fields

from memory_player import Player

from p2p.protocol.peer_effects import Emit, PeerEffect
from p2p.protocol.peer_events import LobbyChanged
from p2p.protocol.snapshot import LobbySnapshot


class Lobbies:
    """Compares the lobbies of all peers of a network before and after each event."""

    def __init__(self) -> None:
        self._shown: dict[tuple[int, int], LobbySnapshot] = {}
        self._told: set[int] = set()

    def about_to(self, player: Player, effect: PeerEffect) -> None:
        """Remember whose screen is told."""
        if isinstance(effect, Emit) and isinstance(effect.event, LobbyChanged):
            self._told.add(player.index)

    def settled(self, player: Player) -> None:
        """Look at a peer's lobby. Raises: AssertionError, if it differs and its screen does not know."""
        process, lobby = (player.index, player.lives), player.peer.lobby
        before = self._shown.get(process, lobby)
        if player.index not in self._told:
            differs = [
                one.name for one in fields(lobby) if getattr(before, one.name) != getattr(lobby, one.name)
            ]
            assert not differs, f"the lobby differs, and the screen is not told: {differs}"
        self._shown[process] = lobby
        self._told.discard(player.index)
