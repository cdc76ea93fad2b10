"""What goes before what: a flag, a variable, the file, the usual; and what is refused where it is read."""

import json

import click
import pytest
from click.testing import CliRunner, Result

from ui import cli
from ui.cli.exits import Exit
from ui.cli.options import Network, default_name, network_options
from ui.cli.own_settings import play_options
from ui.cli.run import run
from ui.companions import _environment
from ui.settings import OwnSettings, settings_file


@click.command()
@play_options
@network_options
def show(own: OwnSettings, network: Network) -> None:
    """Print what holds, and what settled it."""
    now = own.now
    names = ("name", "theme", "suits", "ascii", "animation", "sound")
    assert network.name == (now.name if own.overridden_by("name") else None)
    print(json.dumps({name: [getattr(now, name), own.overridden_by(name)] for name in names}))


def keep(**values: object) -> None:
    path = settings_file()
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(values))


def asked(*arguments: str, **environ: str) -> Result:
    return CliRunner().invoke(show, arguments, env=environ)


def answer(*arguments: str, **environ: str) -> dict[str, list[object]]:
    result = asked(*arguments, **environ)
    assert result.exit_code == 0, result.output
    found: dict[str, list[object]] = json.loads(result.output)
    return found


@pytest.mark.parametrize(
    ("setting", "kept", "variable", "given", "in_environment", "flags", "by_flag"),
    [
        ("theme", "nord", "VERISH_THEME", "dracula", "dracula", ("--theme", "gruvbox"), "gruvbox"),
        ("suits", "four", "VERISH_SUITS", "two", "two", ("--suits", "four"), "four"),
        ("ascii", True, "VERISH_ASCII", "no", False, ("--ascii",), True),
        ("animation", False, "VERISH_ANIMATION", "1", True, ("--still",), False),
        ("sound", False, "VERISH_SOUND", "true", True, ("--quiet",), False),
        ("name", "Oleg", "VERISH_NAME", "Vera", "Vera", ("--name", "Boris"), "Boris"),
    ],
)
def test_a_flag_goes_before_a_variable_before_the_file_before_the_usual(
    setting: str,
    kept: object,
    variable: str,
    given: str,
    in_environment: object,
    flags: tuple[str, ...],
    by_flag: object,
) -> None:
    assert answer()[setting][1] == ""
    keep(**{setting: kept})
    assert answer()[setting] == [kept, ""]
    assert answer(**{variable: given})[setting] == [in_environment, variable]
    assert answer(*flags, **{variable: given})[setting] == [by_flag, flags[0]]


def test_an_empty_variable_says_nothing() -> None:
    keep(theme="nord")
    assert answer(VERISH_THEME="", VERISH_ASCII="")["theme"] == ["nord", ""]


@pytest.mark.parametrize(
    ("environ", "words"),
    [
        ({"VERISH_NAME": "Ol\aeg"}, "control characters"),
        ({"VERISH_NAME": "Ol\r\neg"}, "control characters"),
        ({"VERISH_THEME": "blue"}, "There is no theme blue."),
        ({"VERISH_ASCII": "perhaps"}, "VERISH_ASCII"),
    ],
)
def test_a_variable_that_cannot_be_is_refused_where_it_is_read_and_named(
    environ: dict[str, str], words: str
) -> None:
    result = asked(**environ)
    assert result.exit_code == Exit.USAGE
    assert words in result.output
    assert next(iter(environ)) in result.output


def test_companions_take_nothing_from_the_settings_of_the_person(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("VERISH_NAME", "VERISH_CLOCK", "VERISH_CODE", "VERISH_THEME"):
        monkeypatch.setenv(name, "30")
    assert not [name for name in _environment() if name.startswith("VERISH_")]


@pytest.fixture
def alone(monkeypatch: pytest.MonkeyPatch) -> None:
    """Keep the whole program, run in this process, from lending its language to click for good."""
    monkeypatch.setattr(cli, "lend_to_libraries", lambda: None)


@pytest.mark.parametrize(
    "content", ["", '{"name": "Ol\\u0007eg"}', '{"language": "xx"}', "\0" * 50], ids=range(4)
)
def test_a_damaged_file_keeps_no_command_from_running(
    content: str, alone: None, capsys: pytest.CaptureFixture[str]
) -> None:
    path = settings_file()
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(content)
    with pytest.raises(SystemExit) as ended:
        cli.main(["rules"])
    said = capsys.readouterr()
    assert ended.value.code == Exit.DONE
    assert "pagat" in said.out
    assert said.err.count("\n") == 1
    assert "were not understood" in said.err
    assert path.with_name("settings.json.damaged-1").read_text() == content


def test_the_language_of_the_file_is_spoken_by_every_command(
    alone: None, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.delenv("VERISH_LANG")
    keep(language="ru")
    with pytest.raises(SystemExit):
        cli.main(["rules"])
    assert "Клуб" in capsys.readouterr().out
    with pytest.raises(SystemExit):
        cli.main(["rules", "--lang", "en"])
    assert "Клуб" not in capsys.readouterr().out


def test_without_any_name_that_of_the_account_is_taken() -> None:
    assert answer()["name"] == [None, ""]
    assert default_name()


@pytest.mark.parametrize(
    ("more", "code"),
    [(["--clock", "30", "--grace", "90"], Exit.NO_TERMINAL), (["--window", "30"], Exit.USAGE)],
)
def test_only_times_that_are_settings_can_be_given_without_a_table(more: list[str], code: Exit) -> None:
    # Whoever gets as far as missing the terminal has given nothing wrong.
    assert run(["play", *more]) == code
