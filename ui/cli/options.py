"""Options that several commands share: who one is on the network, and where the log goes."""

import functools
import getpass
import math
import os
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

import click
from click.shell_completion import CompletionItem
from click.types import StringParamType

from p2p.errors import NetworkError
from p2p.net.interfaces import local_addresses, parse_address
from p2p.net.node import NodeConfig
from p2p.protocol.table_code import CodeError, TableCode, own_code
from p2p.protocol.table_rules import ABSENCES, RULES, WATCHERS, TableRules, TableRulesError
from p2p.protocol.text import TextError, own_name, own_title
from ui.cli.output import log_to
from ui.i18n import gettext as _
from ui.rulesets import RULESETS
from ui.words.table_rules import table_rule_refused
from ui.words.trouble import code_problem, explained, no_interface, text_problem, title_problem

FALLBACK_NAME = "Player"

_Command = TypeVar("_Command", bound=Callable[..., Any])


@dataclass(frozen=True, slots=True)
class Network:
    """What the options about the network say."""

    name: str | None
    peers: tuple[str, ...]
    port: int
    interface: str | None
    profile: str | None

    def config(self, default_name: str, **more: Any) -> NodeConfig:
        """Return the settings of a node; `default_name` where none was given, `more` as NodeConfig has it."""
        return NodeConfig(
            name=self.name or default_name,
            peers=self.peers,
            port=self.port,
            interface=self.interface,
            profile=self.profile,
            **more,
        )


MOST_SECONDS = 10 * 365 * 86400.0
"""Ten years: whoever wants to wait for ever may."""


class Rules(StringParamType):
    """The name of a form or variation, and the options that differ from it: `pagat,burn=0`."""

    name = "rules"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        """Return the text as `ui.rulesets.named` reads it. Raises: click.BadParameter."""
        name, *changes = str(value).split(",")
        for change in changes:
            if change.count("=") != 1:
                text = _("{change} is no option with its value, as in burn=0.")
                self.fail(text.format(change=change), param, ctx)
        return ",".join((str(_FORMS.convert(name, param, ctx)), *changes))

    def shell_complete(
        self, ctx: click.Context, param: click.Parameter, incomplete: str
    ) -> list[CompletionItem]:
        """Complete the name."""
        return _FORMS.shell_complete(ctx, param, incomplete)


_FORMS = click.Choice(RULESETS)


class Seconds(click.FloatRange):
    """A span of time within bounds; unlike its base it refuses "nan", which compares with nothing."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> float:
        """Return the number of seconds. Raises: click.BadParameter."""
        seconds = super().convert(value, param, ctx)
        if math.isnan(seconds):
            self.fail(_("{value} is no number of seconds.").format(value=value), param, ctx)
        return float(seconds)


def checked_title(title: str) -> str:
    """Return a table's title as others see it. Raises: click.BadParameter."""
    try:
        return own_title(title)
    except TextError as error:
        raise click.BadParameter(title_problem(error)) from error


def writable_file(_ctx: click.Context, _param: click.Parameter, value: Path | None) -> Path | None:
    """Callback of options that name a file to be written later: find out now whether that can work."""
    if value is None:
        return None
    folder = value.resolve().parent
    if not folder.is_dir():
        raise click.BadParameter(_("There is no folder {folder}. Make it first.").format(folder=folder))
    if not os.access(folder, os.W_OK):
        raise click.BadParameter(_("Nothing can be written to {folder}.").format(folder=folder))
    return value


CODE_VARIABLE = "VERISH_CODE"
"""The environment variable with a table's code: unlike an argument, other users cannot see it."""
CODE_FILE_BYTES = 4096
"""More of a file with a code is not read."""


def code_options(command: _Command) -> _Command:
    """Add `--code` and `--code-file`; the command takes what they or the environment say as `code`."""

    @functools.wraps(command)
    def gather(**values: Any) -> Any:
        given, file = values.pop("code"), values.pop("code_file")
        if given is not None and file is not None:
            raise click.UsageError(_("Say either --code or --code-file."))
        if file is not None:
            given = _first_line(file)
        elif given is None:
            given = os.environ.get(CODE_VARIABLE) or None
        return command(code=None if given is None else _checked_code(given), **values)

    decorated: Any = click.option(
        "--code-file",
        type=click.Path(path_type=Path, dir_okay=False),
        help=_("Read the code from the first line of this file."),
    )(gather)
    text = _(
        "The code of a private table. Other users of this computer can see it in the list of programs: "
        "better set {variable}, or use --code-file."
    ).format(variable=CODE_VARIABLE)
    return click.option("--code", metavar=_("CODE"), help=text)(decorated)  # type: ignore[no-any-return]  # as above


def _first_line(file: Path) -> str:
    """Return the first line of a file. Raises: click.BadParameter, OSError."""
    with file.open("rb") as opened:
        data = opened.read(CODE_FILE_BYTES)
    try:
        lines = data.decode("utf-8-sig").splitlines()
    except UnicodeDecodeError as error:
        raise click.BadParameter(_("{file} is no text.").format(file=file)) from error
    return lines[0] if lines else ""


def _checked_code(given: str) -> TableCode:
    """Return a code that was given. Raises: click.BadParameter."""
    try:
        return own_code(given)
    except CodeError as error:
        raise click.BadParameter(code_problem(error)) from error


def default_name() -> str:
    """Return the name of the account, where it makes a name."""
    with suppress(TextError, OSError, KeyError):
        return own_name(getpass.getuser().capitalize())
    return FALLBACK_NAME


def network_options(command: _Command) -> _Command:
    """Add the options of `Network`; the command takes them together as `network`."""

    @functools.wraps(command)
    def gather(**values: Any) -> Any:
        network = Network(
            name=values.pop("name"),
            peers=values.pop("peer"),
            port=values.pop("port"),
            interface=values.pop("interface"),
            profile=values.pop("profile"),
        )
        return command(network=network, **values)

    options = [
        click.option(
            "--name",
            callback=_check_name,
            envvar="VERISH_NAME",
            show_envvar=True,
            help=_("The name that others see."),
        ),
        click.option(
            "--peer",
            multiple=True,
            callback=_check_peers,
            metavar="HOST:PORT",
            help=_("Also look for a peer at this address; may be given again."),
        ),
        click.option(
            "--port", type=click.IntRange(0, 65535), default=0, help=_("UDP port; otherwise any free one.")
        ),
        interface_option,
        click.option("--profile", help=_("Use this profile (key and store); otherwise the next free one.")),
    ]
    decorated: Any = gather
    for option in reversed(options):
        decorated = option(decorated)
    return decorated  # type: ignore[no-any-return]  # click's decorators return what they are given


def table_rules_options(command: _Command, *, variables: bool = False) -> _Command:
    """Add an option for each rule of the table itself; the command takes them together as
    `table_rules`, None if none was given.

    variables: turn and absence time are settings of the command, so the environment may hold them, too.
    """

    @functools.wraps(command)
    def gather(**values: Any) -> Any:
        given = {name: value for name in RULES if (value := values.pop(name)) is not None}
        if "dealer" in given:
            given["dealer"] -= 1  # people count seats from 1
        try:
            table_rules = TableRules(**given) if given else None
        except TableRulesError as error:
            raise click.BadParameter(table_rule_refused(error)) from error
        return command(table_rules=table_rules, **values)

    options = [
        click.option(
            "--clock",
            "clock_s",
            type=int,
            envvar="VERISH_CLOCK" if variables else None,
            show_envvar=variables,
            metavar=_("SECONDS"),
            help=_("Time for a turn; then the program plays for who is late. 0: no limit, as usual."),
        ),
        click.option(
            "--window",
            "window_s",
            type=int,
            metavar=_("SECONDS"),
            help=_("Time for a call where anyone may call; usually 20."),
        ),
        click.option(
            "--grace",
            "grace_s",
            type=int,
            envvar="VERISH_GRACE" if variables else None,
            show_envvar=variables,
            metavar=_("SECONDS"),
            help=_("How long somebody may be away before the others can vote him out; usually 60."),
        ),
        click.option(
            "--absence",
            type=click.Choice(ABSENCES),
            help=_("Whether that vote is asked for (wait, as usual) or comes by itself (forfeit)."),
        ),
        click.option(
            "--dealer",
            type=int,
            metavar=_("SEAT"),
            help=_("Who deals first with first_dealer=chosen; 1, as usual, is who opens the table."),
        ),
        click.option(
            "--watchers",
            type=click.Choice(WATCHERS),
            help=_("Whether others may watch the table: yes, as usual, or no."),
        ),
    ]
    decorated: Any = gather
    for option in reversed(options):
        decorated = option(decorated)
    return decorated  # type: ignore[no-any-return]  # click's decorators return what they are given


def log_options(command: _Command, *, screen: bool = False) -> _Command:
    """Add `--log-file` and `--verbose`, and set the log up before the command runs.

    screen: the command draws on the terminal, so only a file can take its log.
    """

    @functools.wraps(command)
    def logged(**values: Any) -> Any:
        log_to(values.pop("log_file"), verbose=values.pop("verbose"), screen=screen)
        return command(**values)

    decorated: Any = click.option(
        "--log-file", type=click.Path(path_type=Path, dir_okay=False), help=_("Write the log to this file.")
    )(logged)
    return click.option("--verbose", is_flag=True, help=_("Log more."))(decorated)  # type: ignore[no-any-return]  # as above


def interface_option(command: _Command) -> _Command:
    """Add `--interface`, checked against those of this machine."""
    return click.option(
        "--interface",
        callback=_check_interface,
        help=_("Use only this network interface, by name or address."),
    )(command)


def _check_name(_ctx: click.Context, _param: click.Parameter, value: str | None) -> str | None:
    if value is None:
        return None
    try:
        return own_name(value)
    except TextError as error:
        raise click.BadParameter(text_problem(error)) from error


def _check_interface(_ctx: click.Context, _param: click.Parameter, value: str | None) -> str | None:
    if value is None:
        return None
    try:
        local_addresses(value)
    except NetworkError as error:
        names = sorted({address.interface for address in local_addresses()})
        raise click.BadParameter(no_interface(value, names)) from error
    return value


def _check_peers(_ctx: click.Context, _param: click.Parameter, values: tuple[str, ...]) -> tuple[str, ...]:
    for value in values:
        try:
            parse_address(value)
        except NetworkError as error:
            raise click.BadParameter(explained(error) or str(error)) from error
    return values
