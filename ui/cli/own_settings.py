"""Options and environment variables that go before the file of settings, for one start.

click finds what was given and where; every option here has a variable, `VERISH_` and its name. An option
that was not given is None, and says nothing.
"""

import functools
import os
import sys
from collections.abc import Callable, Mapping
from typing import Any, Final, TypeVar

import click
from click.core import ParameterSource

from ui.glyphs import GlyphSet, choose
from ui.i18n import gettext as _
from ui.settings import SCREEN_ONLY, OwnSettings

_Command = TypeVar("_Command", bound=Callable[..., Any])

_SOURCES: Final = (ParameterSource.ENVIRONMENT, ParameterSource.COMMANDLINE)
"""Where something can be given, the stronger one last."""

_LOOK: Final = ("theme", "suits", "ascii")
_PLAY: Final = ("animation", "sound")
_SHARED: Final = ("name", "clock_s", "grace_s")
"""Options that other decorators add, and that a command which has settings takes for settings as well."""


def look_options(command: _Command) -> _Command:
    """Add what a screen looks like; the command takes all settings, these included, as `own`."""
    return _with_settings(command, _LOOK)


def play_options(command: _Command) -> _Command:
    """The same, and what a game sounds and moves like."""
    return _with_settings(command, (*_LOOK, *_PLAY))


def _with_settings(command: _Command, names: tuple[str, ...]) -> _Command:
    @functools.wraps(command)
    def gather(**values: Any) -> Any:
        for name in names:
            values.pop(name)
        return command(own=_settings_of(click.get_current_context()), **values)

    decorated: Any = gather
    options = _options()
    for name in reversed(names):
        decorated = options[name](decorated)
    return decorated  # type: ignore[no-any-return]  # click's decorators return what they are given


def refuse_screen_flags() -> None:
    """Raises: click.UsageError for flags that are about a screen, where there is none."""
    ctx = click.get_current_context()
    given = ParameterSource.COMMANDLINE
    flags = [
        _by(one, given, ctx.params[one.name])
        for one in ctx.command.params
        if one.name in SCREEN_ONLY and ctx.get_parameter_source(one.name) is given
    ]
    if flags:
        text = _("{flags}: that is about the screen, and plain mode has none. Leave it out.")
        raise click.UsageError(text.format(flags=", ".join(flags)))


def _settings_of(ctx: click.Context) -> OwnSettings:
    """Return the settings of this process, with what was given above the file."""
    own = ctx.find_object(OwnSettings) or OwnSettings.load()
    for source in _SOURCES:
        for parameter in ctx.command.params:
            name = parameter.name
            if name in (*_LOOK, *_PLAY, *_SHARED) and ctx.get_parameter_source(name) is source:
                given = ctx.params[name]
                own.override(name, given, _by(parameter, source, given))
    return own


def _by(parameter: click.Parameter, source: ParameterSource, given: object) -> str:
    """Return the flag or the variable that has given a value, as a person writes it."""
    if source is ParameterSource.ENVIRONMENT:
        return str(parameter.envvar)
    return parameter.secondary_opts[0] if given is False and parameter.secondary_opts else parameter.opts[0]


def _options() -> Mapping[str, Callable[[Any], Any]]:
    return {
        "theme": _option(
            "--theme", metavar=_("NAME"), callback=_check_theme, help=_("Colours, by the name of a theme.")
        ),
        "suits": _option(
            "--suits", type=click.Choice(("two", "four")), help=_("Suits in two colours, or in four.")
        ),
        "ascii": _option("--ascii/--no-ascii", help=_("Draw with plain ASCII characters only.")),
        "animation": _option(
            "--animation/--still", help=_("Cards turn one after the other, or all at once.")
        ),
        "sound": _option("--sound/--quiet", help=_("Ring when it is your turn, or never.")),
    }


def _option(names: str, **more: Any) -> Callable[[Any], Any]:
    variable = "VERISH_" + names.removeprefix("--").split("/")[0].upper()
    return click.option(names, default=None, envvar=variable, show_envvar=True, **more)


def _check_theme(_ctx: click.Context, _param: click.Parameter, value: str | None) -> str | None:
    """Refuse a theme that does not exist."""
    if value is None:
        return None
    # Imported only where a theme is named: it brings the screens along.
    from ui.theme import theme_names  # noqa: PLC0415

    if value not in theme_names():
        text = _("There is no theme {name}. There are: {names}.")
        raise click.BadParameter(text.format(name=value, names=", ".join(theme_names())))
    return value


def glyphs_of_terminal() -> GlyphSet:
    """Return the richest set of glyphs that this terminal can show."""
    return choose(os.environ.get("TERM", ""), sys.stdout.encoding)
