"""What a node says beside the game, in one sentence each: refusals, the network, this machine."""

from p2p.net.discovery import DiscoveryProblem
from p2p.net.node_events import (
    DialFailed,
    DiscoveryTrouble,
    InternalTrouble,
    NodeEvent,
    NodeFailed,
    OtherVersion,
    ProfileTaken,
    StoreTrouble,
)
from p2p.net.store import StoreSetAside
from p2p.protocol.snapshot import (
    ClosedBecause,
    CommandRefused,
    JoinRefused,
    StoppedByDigest,
    TableClosed,
)
from ui.i18n import gettext as _
from ui.words.refusals import command_refused, join_refused
from ui.words.trouble import explained


def sentence(event: NodeEvent) -> str:
    """Word an event; "" for what the screens show anyway."""
    match event:
        case JoinRefused():
            return join_refused(event.reason, event.own_version, event.their_version, event.tries_left)
        case CommandRefused():
            return command_refused(event.reason, event.wait_s)
        case TableClosed():
            return table_closed(event.reason)
        case StoppedByDigest():
            return _("The programs disagree at step {step}; the deal was stopped.").format(step=event.step)
        case _:
            return _of_this_machine(event)


def table_closed(reason: ClosedBecause) -> str:
    """Why the own table is no more; "" if it was the own wish."""
    return {
        ClosedBecause.LEFT: "",
        ClosedBecause.OPENER_LEFT: _("The one who opened the table has gone, so it is closed."),
        ClosedBecause.STARTED_WITHOUT: _("The others have started without you."),
        ClosedBecause.PUT_ASIDE: _("The deal is put aside: it stays unfinished, and nobody has lost it."),
        ClosedBecause.WENT_ON: _("All want the next deal here, so it goes on as it was."),
    }[reason]


def link(name: str, *, lost: bool) -> str:
    """The connection to somebody at the table is lost, or stands again."""
    text = _("{name}: no connection.") if lost else _("{name}: connected again.")
    return text.format(name=name)


def _of_this_machine(event: NodeEvent) -> str:
    """Word what happened to this computer, its store or its network."""
    text = ""
    match event:
        case ProfileTaken(name):
            text = _("Another Verish runs here, so this one plays as profile {name}.").format(name=name)
        case StoreSetAside():
            text = _("The store was damaged. It lies at {path}; you play with a new key.").format(
                path=event.moved_to
            )
        case StoreTrouble(reason):
            text = (
                _("The disk works again.")
                if reason is None
                else _("The disk takes nothing: your moves wait until it does.")
            )
        case DiscoveryTrouble(problem):
            text = discovery_problem(problem)
        case DialFailed(_address, error):
            text = explained(error) or ""
        case OtherVersion(ours, theirs):
            text = _(
                "Somebody here has version {theirs}, you have {ours}. The older one must be updated."
            ).format(theirs=theirs, ours=ours)
        case InternalTrouble():
            text = _("Something went wrong inside the program; the rest goes on. The log has the place.")
        case NodeFailed(error):
            text = explained(error) or ""
    return text


def discovery_problem(problem: DiscoveryProblem | None) -> str:
    """Word why others may not be found."""
    if problem is None:
        return _("Others can be found again.")
    return {
        DiscoveryProblem.MULTICAST_PORT_TAKEN: _(
            "Another program keeps others from being found (UDP port 5353). Joining by address works."
        ),
        DiscoveryProblem.NO_NETWORK: _("There is no network yet. Others on this computer are found."),
        DiscoveryProblem.NO_MULTICAST: _(
            "This system does not let others be found by themselves. Joining by address works."
        ),
    }[problem]


def saved(name: str, folder: str) -> str:
    """The transcript of the deal has been written; the name comes first, for a long folder is cut off."""
    return _("Saved: {name} in {folder}").format(name=name, folder=folder)


def nothing_to_save() -> str:
    """No deal has begun."""
    return _("There is no deal to save yet.")


def cut(most: int) -> str:
    """What was typed or pasted did not fit."""
    return _("The text was cut: at most {count} characters fit.").format(count=most)


def copied(address: str) -> str:
    """The own address is in the clipboard, as far as the terminal allows it."""
    return _("Copied: {address}").format(address=address)


def looking_for(title: str) -> str:
    """A table is to be watched that is not there yet, or not played yet."""
    return _("As soon as {title} is played here, you watch it.").format(title=title)
