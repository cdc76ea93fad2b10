"""Exit codes, and how an error that reaches the command line becomes one plain sentence and one of them."""

from enum import IntEnum


class Exit(IntEnum):
    """The documented exit codes of every command."""

    DONE = 0
    BREACH = 1
    """The audit found a breach, or the transcript is unfinished."""
    USAGE = 2
    """Wrong arguments, an unreadable file, a store that cannot be used."""
    NETWORK = 3
    """No network, a port in use, nobody found, a peer of another version."""
    PROTOCOL = 4
    """A deal ended without a result: a breach, a fork, or engines that disagree."""
    NO_TERMINAL = 5
    """The command needs a terminal and there is none."""
    INTERRUPTED = 130
