"""Exit codes, and which of them an error means."""

from enum import IntEnum

from p2p.errors import LocalError, NetworkError, P2PError
from p2p.protocol.carried import UncarriedRulesError
from p2p.protocol.table_code import CodeError
from p2p.protocol.table_rules import TableRulesError
from p2p.protocol.text import TextError


class Exit(IntEnum):
    """The documented exit codes of every command."""

    DONE = 0
    BREACH = 1
    """The audit found a breach, or the transcript is unfinished."""
    MISSED = 1
    """A row of a tournament missed what is asked of the bots."""
    USAGE = 2
    """Wrong arguments, an unreadable file, a store that cannot be used."""
    NETWORK = 3
    """No network, a port in use, nobody found, a peer of another version."""
    PROTOCOL = 4
    """A deal ended without a result: a breach, a fork, or engines that disagree."""
    NO_TERMINAL = 5
    """The command needs a terminal and there is none."""
    INTERRUPTED = 130


def exit_for(error: Exception) -> Exit:
    """Return the exit code of an error that `ui.words.trouble` can word."""
    match error:
        case NetworkError():
            return Exit.NETWORK
        case LocalError() | TextError() | CodeError() | UncarriedRulesError() | TableRulesError():
            return Exit.USAGE
        case P2PError():
            return Exit.PROTOCOL
        case _:
            return Exit.USAGE
