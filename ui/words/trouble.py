"""One plain sentence for every error that a person can meet: what it is, and what to do."""

import errno
from collections.abc import Sequence

from engine import EngineError, RulesetError
from p2p.errors import LocalError, LocalReason, NetworkError, NetworkReason, P2PError, RemoteError
from p2p.protocol.carried import UncarriedRulesError
from p2p.protocol.table_code import CODE_CHARACTERS, CODE_LEAST, CodeError, CodeProblem
from p2p.protocol.table_rules import TableRulesError
from p2p.protocol.text import TextError, TextProblem
from ui.i18n import gettext as _
from ui.i18n import ngettext
from ui.words.options import not_carried, ruleset_refused
from ui.words.people import listed
from ui.words.table_rules import table_rule_refused


def explained(error: Exception) -> str | None:
    """Word an error of ours or of the system; None for anything else, which is a bug."""
    match error:
        case LocalError():
            text = _local(error)
        case NetworkError():
            text = _network(error)
        case RemoteError():
            text = _("Seat {seat} broke the protocol ({check}).").format(seat=error.seat, check=error.check)
        case TextError():
            text = text_problem(error)
        case CodeError():
            text = code_problem(error)
        case RulesetError():
            text = ruleset_refused(error)
        case UncarriedRulesError():
            text = not_carried(error)
        case TableRulesError():
            text = table_rule_refused(error)
        case EngineError():
            text = _("These rules cannot be played: {detail}").format(detail=error)
        case P2PError():
            text = _("The deal cannot go on: {detail}").format(detail=error)
        case OSError() if error.errno is not None:
            text = _system(error)
        case _:
            return None
    return text


def text_problem(error: TextError) -> str:
    """Say what is wrong with a name or title that the own person gave."""
    return {
        TextProblem.EMPTY: _("The name is empty. Write one that others can read."),
        TextProblem.CONTROL: _("The name holds line breaks or other control characters. Leave them out."),
        TextProblem.LONG: _("The name is too long. Choose a shorter one."),
    }[error.problem]


def no_interface(wished: str, names: Sequence[str]) -> str:
    """Say that this machine has no such network interface, and which it has."""
    return _("This computer has no network interface {name}. It has: {names}.").format(
        name=wished, names=listed(names)
    )


def cannot_come(name: str, reason: str) -> str:
    """Say that a headless peer does not keep company, and why. reason: a sentence of its own."""
    return _("{name} cannot play along. {reason}").format(name=name, reason=reason)


def title_problem(error: TextError) -> str:
    """Say what is wrong with a table's title that the own person gave."""
    return {
        TextProblem.EMPTY: _("The table's name is empty. Write one that others can read."),
        TextProblem.CONTROL: _("The table's name holds line breaks or control characters. Leave them out."),
        TextProblem.LONG: _("The table's name is too long. Choose a shorter one."),
    }[error.problem]


def code_problem(error: CodeError) -> str:
    """Say what is wrong with a table's code that the own person gave; never the code itself."""
    return {
        CodeProblem.EMPTY: _("Type the code: letters or digits."),
        CodeProblem.CONTROL: _("A code is one line of letters or digits."),
        CodeProblem.LONG: ngettext(
            "A code has at most {count} character.", "A code has at most {count} characters.", CODE_CHARACTERS
        ).format(count=CODE_CHARACTERS),
        CodeProblem.SHORT: ngettext(
            "A code has at least {count} letter or digit.",
            "A code has at least {count} letters or digits.",
            CODE_LEAST,
        ).format(count=CODE_LEAST),
    }[error.problem]


def _local(error: LocalError) -> str:
    sentences = {
        LocalReason.PROFILE_TAKEN: _(
            "The profile {subject} is in use by another process. "
            "Choose another one, or none: the next free one is taken."
        ),
        LocalReason.PROFILE_NAME: _("{subject} cannot be a profile's name. Use letters, digits and hyphens."),
        LocalReason.NO_FREE_PROFILE: _(
            "All profiles are in use. End another verish process, or name a new one with --profile."
        ),
        LocalReason.DISK_FULL: _(
            "The disk is full: {subject}. Make room and start again; nothing was overwritten."
        ),
        LocalReason.UNREADABLE: _("{subject} cannot be read or written: {detail}. Check its permissions."),
        LocalReason.NEWER_VERSION: _(
            "{subject} was written by a newer version of Verish. Update this one; the file was left as it is."
        ),
        LocalReason.STORE_DAMAGED: _(
            "{subject} is damaged. Start again: it is set aside and a new one is made."
        ),
        LocalReason.NO_CRYPTOGRAPHY: _(
            "The library {subject} does not do here: {detail}. Install Verish again, with its own libraries."
        ),
        LocalReason.JOBS_STOPPED: _("The worker that checks proofs has stopped. Start again."),
    }
    return sentences[error.reason].format(subject=error.subject, detail=error.detail)


def _network(error: NetworkError) -> str:
    sentences = {
        NetworkReason.PORT_TAKEN: _(
            "Port {subject} is in use by another program. "
            "Choose another one with --port, or leave the choice to the system."
        ),
        NetworkReason.NO_NETWORK: _(
            "There is no network: {subject}. Connect this computer, or name an interface."
        ),
        NetworkReason.BAD_ADDRESS: _(
            "{subject} is no address. Write HOST:PORT, for example 192.168.1.23:52417."
        ),
        NetworkReason.UNREACHABLE: _(
            "Nobody answers at {subject}. Is Verish running there, and is the address that of its lobby?"
        ),
        NetworkReason.WRONG_KEY: _(
            "Somebody else answers at {subject} than the one expected. Compare fingerprints."
        ),
        NetworkReason.OTHER_VERSION: _(
            "{subject} speaks another version of the protocol ({detail}). The older program must be updated."
        ),
        NetworkReason.LINK_DOWN: _("The connection to {subject} is lost."),
        NetworkReason.NOBODY_FOUND: _(
            "Nobody was found: {subject}. Is Verish running on another computer of this network? "
            "If so, join by address: --peer."
        ),
    }
    return sentences[error.reason].format(subject=error.subject, detail=error.detail)


def _system(error: OSError) -> str:
    where = error.filename if error.filename is not None else "-"
    match error.errno:
        case errno.ENOENT:
            return _("There is no file {file}. Check the name.").format(file=where)
        case errno.EACCES | errno.EPERM:
            return _("{file} may not be read or written. Check its permissions.").format(file=where)
        case errno.EISDIR:
            return _("{file} is a folder. Name a file.").format(file=where)
        case errno.ENOSPC:
            return _("The disk is full: {file}. Make room; nothing was overwritten.").format(file=where)
        case _:
            return _("{file}: {reason}. Check it and start again.").format(
                file=where, reason=error.strerror or error
            )
