"""The command line as its user meets it: exit codes, plain sentences, no traceback."""

import gettext
import json
import os
import socket
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import click
import pytest
from click.testing import CliRunner

from engine.rules import OPTIONS, PRESETS
from p2p.net.profile import take_profile
from p2p.protocol.table_code import TableCode
from ui import i18n
from ui.cli import _wished_language
from ui.cli.exits import Exit
from ui.cli.options import CODE_VARIABLE, code_options
from ui.cli.run import COMMANDS, run
from ui.rulesets import RULESETS


@pytest.fixture(autouse=True)
def own_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    home = tmp_path / "home"
    monkeypatch.setenv("VERISH_HOME", str(home))
    monkeypatch.setenv("VERISH_LANG", "en")
    return home


def verish(*arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "ui", *arguments],
        capture_output=True,
        text=True,
        timeout=60,
        stdin=subprocess.DEVNULL,
        env={**os.environ, **environment},
        check=False,
    )


@dataclass(frozen=True, slots=True)
class Answer:
    """What a command said in this process, and how it ended."""

    returncode: int
    stdout: str
    stderr: str


@pytest.fixture
def quickly(capsys: pytest.CaptureFixture[str]) -> Callable[..., Answer]:
    """Run a command in this process: what is refused starts nothing."""

    def run_it(*arguments: str) -> Answer:
        code = run(arguments)
        return Answer(code, *capsys.readouterr())

    return run_it


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_explains_itself(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run([command, "--help"]) == Exit.DONE
    assert f"verish {command}" in capsys.readouterr().out


def test_help_says_which_deals_a_bot_counts_after_a_crash(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["bot", "--help"]) == Exit.DONE
    assert "After a crash, those at earlier tables are not counted." in " ".join(
        capsys.readouterr().out.split()
    )


def test_help_lists_every_command(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["--help"]) == Exit.DONE
    shown = capsys.readouterr().out
    assert all(command in shown for command in COMMANDS)


@pytest.mark.parametrize("language", i18n.LANGUAGES)
def test_help_cuts_no_command_short(language: str) -> None:
    answer = verish("--lang", language, "--help", PYTHONIOENCODING="utf-8", COLUMNS="80")
    assert answer.returncode == Exit.DONE
    assert not [line for line in answer.stdout.splitlines()[1:] if line.endswith("...")]
    assert max(len(line) for line in answer.stdout.splitlines()) <= 80


def test_version_names_the_program() -> None:
    answer = verish("--version")
    assert answer.returncode == Exit.DONE
    assert answer.stdout.startswith("verish ")


def test_help_speaks_russian_when_asked() -> None:
    answer = verish("--lang", "ru", "sim", "--help", PYTHONIOENCODING="utf-8")
    assert answer.returncode == Exit.DONE
    assert any("а" <= letter <= "я" for letter in answer.stdout)


@pytest.mark.parametrize("command", COMMANDS)
def test_the_language_may_be_named_after_the_command(command: str) -> None:
    answer = verish(command, "--lang", "ru", "--help", PYTHONIOENCODING="utf-8")
    assert answer.returncode == Exit.DONE
    assert "Справка" in answer.stdout or "справк" in answer.stdout
    assert "--lang" in answer.stdout


@pytest.mark.parametrize(
    ("arguments", "language"),
    [
        (["--lang", "ru", "play"], "ru"),
        (["play", "--lang", "ru"], "ru"),
        (["play", "--lang=ru", "--quiet"], "ru"),
        (["--lang=en", "play", "--lang=ru"], "ru"),
        (["audit", "--", "--lang=ru"], None),
        (["play", "--lang"], None),
        (["play"], None),
    ],
)
def test_the_last_language_named_counts(arguments: list[str], language: str | None) -> None:
    assert _wished_language(arguments) == language


def test_a_language_after_the_command_that_is_not_spoken_is_refused(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert run(["sim", "--lang", "xx"]) == Exit.USAGE
    assert "xx" in capsys.readouterr().err


@pytest.mark.parametrize(
    "arguments",
    [
        ["nonsense"],
        ["sim", "--deals", "0"],
        ["sim", "--bots", "counting,genius"],
        ["sim", "--bots", "honest,honest", "--players", "3"],
        ["bot"],
        ["bot", "--open", "Kitchen", "--join", "Kitchen"],
        ["bot", "--join", "Kitchen", "--seats", "3"],
        ["bot", "--watch", "Kitchen", "--join", "Kitchen"],
        ["bot", "--watch", "Kitchen", "--open-books"],
        ["bot", "--watch", "Kitchen", "--watchers", "no"],
        ["play", "--watch", "Kitchen", "--bots", "2"],
        ["bot", "--open", "Kitchen", "--peer", "nowhere"],
        ["bot", "--open", "Kitchen", "--name", "two\nlines"],
        ["bot", "--open", "", "--seats", "2"],
        ["peers", "--interface", "nowhere0"],
        ["bot", "--open", "Kitchen", "--seats", "12"],
        ["bot", "--open", "Kitchen", "--profile", "../outside"],
        ["bot", "--open", "x" * 300],
        ["bot", "--join", "Kitchen", "--patience", "nan"],
        ["bot", "--join", "Kitchen", "--code", "12345"],
        ["bot", "--open", "Kitchen", "--code", "two\nlines"],
        ["bot", "--join", "Kitchen", "--code", "482190", "--code-file", "/no/such/file"],
        ["bot", "--join", "Kitchen", "--code-file", "/no/such/file"],
        ["bot", "--join", "Kitchen", "--code-file", "/dev/null"],
        ["bot", "--join", "Kitchen", "--transcript", "/no/such/folder/deal.jsonl"],
        ["demo", "--transcript", "/no/such/folder/deal.jsonl"],
        ["peers", "--wait", "nan"],
        ["demo", "--peers", "1"],
        ["demo", "--peers", "9", "--rules", "pagat"],
        ["play", "--bots", "0"],
        ["play", "--bots", "2", "--resume"],
        ["bot", "--no-resume"],
        ["bot", "--resume", "--open", "Kitchen", "--join", "Kitchen"],
        ["completion", "tcsh"],
        ["audit"],
        ["audit", "/no/such/file"],
        ["audit", "/"],
    ],
)
def test_wrong_usage_is_one_sentence_and_exit_code_2(
    arguments: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(arguments) == Exit.USAGE
    complaint = capsys.readouterr().err
    assert complaint
    assert "Traceback" not in complaint


def test_sim_prints_the_promised_keys(capsys: pytest.CaptureFixture[str]) -> None:
    assert (
        run(["sim", "--deals", "3", "--seed", "1", "--bots", "counting,honest,random", "--json"]) == Exit.DONE
    )
    record = json.loads(capsys.readouterr().out)
    assert set(record) >= {"deals", "void", "moves", "seconds", "moves_per_second", "loses", "wins"}
    assert record["deals"] == 3
    assert set(record["loses"]) == {"counting", "honest", "random"}


def test_sim_repeats_itself_by_its_seed(capsys: pytest.CaptureFixture[str]) -> None:
    results = []
    for _ in range(2):
        run(["sim", "--deals", "5", "--seed", "7", "--json"])
        record = json.loads(capsys.readouterr().out)
        results.append((record["moves"], record["loses"], record["wins"]))
    assert results[0] == results[1]


def test_play_without_a_terminal_says_so_and_exits_with_5() -> None:
    answer = verish("play")
    assert answer.returncode == Exit.NO_TERMINAL
    assert "verish bot" in answer.stderr
    assert answer.stdout == ""


def test_plain_mode_without_anybody_to_answer_says_so_and_exits_with_5(tmp_path: Path) -> None:
    answer = verish("play", "--plain", VERISH_HOME=str(tmp_path))
    assert answer.returncode == Exit.NO_TERMINAL
    assert "There is nobody to answer" in answer.stdout


def test_a_deal_that_is_told_by_lines_has_no_place_for_flags_about_the_screen(
    tmp_path: Path, quickly: Callable[..., Answer]
) -> None:
    file = tmp_path / "deal.jsonl"
    file.touch()
    answer = quickly("replay", "--plain", "--theme", "nord", str(file))
    assert answer.returncode == Exit.USAGE
    assert "--theme: that is about the screen" in " ".join(answer.stderr.split())


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        (("--open", "K", "--join", "K"), "either --open (or --bots) or --join"),
        (("--join", "K", "--resume"), "say one of them"),
        (("--bots", "1", "--code", "ABCD-1234"), "Bots do not know the code"),
        (("--code", "ABCD-1234"), "belongs to --open or --join"),
        (("--open", "K", "--seats", "1"), "--seats"),
        (("--watch", "K", "--join", "K"), "--watch looks on without a seat"),
        (("--theme", "nord"), "--theme: that is about the screen"),
        (("--still", "--quiet"), "--still, --quiet: that is about the screen"),
    ],
    ids=str,
)
def test_play_refuses_options_that_contradict_each_other(
    options: tuple[str, ...], sentence: str, quickly: Callable[..., Answer]
) -> None:
    answer = quickly("play", "--plain", *options)
    assert answer.returncode == Exit.USAGE
    assert sentence in " ".join(answer.stderr.split())


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_completion_prints_a_script(shell: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["completion", shell]) == Exit.DONE
    assert "_VERISH_COMPLETE" in capsys.readouterr().out


@pytest.mark.parametrize("content", [b"", b"\0" * 4096, b"{}\n", b"not a transcript\n", b"\xff\xfe{\n"])
def test_audit_of_something_else_exits_as_an_unreadable_file_does_and_says_what_it_is_not(
    content: bytes, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "deal.jsonl"
    file.write_bytes(content)
    assert run(["audit", str(file), "--json"]) == Exit.USAGE
    record = json.loads(capsys.readouterr().out)
    assert record["ok"] is False
    assert record["check"] == "transcript"


def test_a_port_in_use_is_named_and_exits_with_3(capsys: pytest.CaptureFixture[str]) -> None:
    with socket.socket(socket.AF_INET6, socket.SOCK_DGRAM) as taken:
        taken.bind(("::", 0))
        port = taken.getsockname()[1]
        assert run(["peers", "--wait", "0.1", "--port", str(port)]) == Exit.NETWORK
    assert str(port) in capsys.readouterr().err


def test_a_taken_profile_is_named_and_exits_with_2(
    own_home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    profile = take_profile(own_home, "evening")
    try:
        assert run(["peers", "--wait", "0.1", "--profile", "evening"]) == Exit.USAGE
    finally:
        profile.release()
    assert "evening" in capsys.readouterr().err


@pytest.mark.parametrize(
    "arguments",
    [
        ["nonsense"],
        ["--nope"],
        ["sim", "--deals", "0"],
        ["sim", "--deals", "many"],
        ["sim", "--deals"],
        ["bot", "--policy", "genius"],
        ["audit"],
        ["audit", "one", "two"],
        ["play", "--bot", "3"],
        ["completion"],
    ],
)
def test_wrong_arguments_are_answered_in_russian(
    arguments: list[str], capsys: pytest.CaptureFixture[str], global_gettext: None
) -> None:
    i18n.use_language("ru")
    i18n.lend_to_libraries()
    assert run(arguments) == Exit.USAGE
    said = capsys.readouterr().err
    assert "Ошибка. " in said
    english = {"usage", "error", "try", "invalid", "missing", "no such", "not", "requires", "mean"}
    assert not [word for word in english if f"{word} " in said.lower()]


@pytest.fixture
def global_gettext(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Give libraries their usual domain back after the test."""
    monkeypatch.setenv("LANGUAGE", "en")
    yield
    gettext.textdomain("messages")


def test_an_address_that_nobody_answers_at_is_told_and_exits_with_3(
    capsys: pytest.CaptureFixture[str],
) -> None:
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as silent:
        silent.bind(("127.0.0.1", 0))
        address = f"127.0.0.1:{silent.getsockname()[1]}"
        code = run(["peers", "--wait", "8", "--interface", "lo", "--peer", address])
    shown = capsys.readouterr()
    assert address in shown.err
    # Others may play on this machine meanwhile; only an empty list is the network's fault.
    assert code == (Exit.NETWORK if "Nobody else is here" in shown.out else Exit.DONE)


def test_a_damaged_store_is_set_aside_with_a_sentence(
    own_home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["peers", "--wait", "0.1", "--profile", "evening"]) == Exit.DONE
    store = next(own_home.rglob("evening.sqlite"))
    store.write_bytes(b"\0" * 5000)
    assert run(["peers", "--wait", "0.1", "--profile", "evening"]) == Exit.DONE
    assert "damaged" in capsys.readouterr().err
    assert [file for file in store.parent.iterdir() if file.read_bytes() == b"\0" * 5000]


def test_a_bot_told_to_resume_says_that_nothing_is_unfinished(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["bot", "--resume", "--interface", "lo"]) == Exit.USAGE
    assert capsys.readouterr().err.splitlines()[-1] == "There is no unfinished deal to take up."


def test_the_rules_of_every_form_are_listed_and_explained(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["rules"]) == Exit.DONE
    forms = capsys.readouterr().out
    assert all(form.capitalize() in forms for form in PRESETS)
    for name in RULESETS:
        assert run(["rules", name]) == Exit.DONE
        told = capsys.readouterr().out
        assert "You want to be" in told
        assert ("Variations" in told) == (name in PRESETS)


def test_options_follow_the_name_of_a_form(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["rules", "pagat,session=to_n_losses,session_losses=2"]) == Exit.DONE
    assert "A session goes to 2 losses" in capsys.readouterr().out
    for wrong, said in (
        ("pagat,burn", "burn is no option with its value, as in burn=0."),
        ("pagat,burn=0=1", "burn=0=1 is no option with its value"),
        ("pagat,jokers=2", "The rules have no option “jokers”"),
        ("pagat,burn=2", "burn cannot be 2. It can be: 0, 1."),
        ("pagat,lead_max=all", "lead_max cannot be all. It can be: none, copies, 1…104."),
        (f"pagat,lead_max={'9' * 5000}", "lead_max cannot be 999"),
        ("pagat,session_losses=2", "Where no number of losses ends the session"),
        ("bridge,burn=0", "'bridge' is not one of"),
    ):
        assert run(["rules", wrong]) == Exit.USAGE
        assert said in capsys.readouterr().err


def test_every_option_is_listed_with_its_value_and_the_values_that_it_can_have(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert run(["rules", "club,burn=1", "--options"]) == Exit.DONE
    rows = {line.split()[0]: line.split() for line in capsys.readouterr().out.splitlines()}
    assert set(OPTIONS) < set(rows)
    assert rows["burn"] == ["burn", "1", "0,", "1"]
    assert rows["veryu"] == ["veryu", "packet", "none,", "packet,", "pile"]


def test_a_simulation_plays_any_named_rules_and_a_tournament_its_own(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert run(["sim", "--rules", "club-no-aces,packs=1", "--deals", "2", "--seed", "1"]) == Exit.DONE
    assert run(["sim", "--tournament", "--rules", "club-no-aces"]) == Exit.USAGE
    assert "A tournament is played by: club, club-sole-loser, pagat" in capsys.readouterr().err


def test_rules_are_told_in_russian() -> None:
    answer = verish("rules", "club", "--lang", "ru", PYTHONIOENCODING="utf-8")
    assert answer.returncode == Exit.DONE
    assert "Выигрывает вышедший первым" in answer.stdout or "первым" in answer.stdout
    assert "Варианты" in answer.stdout


def test_an_unknown_form_is_a_wrong_argument(quickly: Callable[..., Answer]) -> None:
    answer = quickly("rules", "bridge")
    assert answer.returncode == Exit.USAGE
    assert "Traceback" not in answer.stderr


def test_a_bot_opens_a_named_variation_only_for_as_many_as_can_play_it(
    quickly: Callable[..., Answer],
) -> None:
    answer = quickly("bot", "--open", "K", "--rules", "pagat-forced-sets", "--seats", "9")
    assert answer.returncode == Exit.USAGE
    assert "These rules do not allow so many players." in answer.stderr


@click.command()
@code_options
def show_code(code: TableCode | None) -> None:
    """Print the code that the options give."""
    print(None if code is None else code.text)


def test_a_code_comes_from_the_option_the_file_or_the_environment_in_this_order(tmp_path: Path) -> None:
    file = tmp_path / "code"
    file.write_text("\ufeff красный кот \nanother line\n", encoding="utf-8")
    runner = CliRunner()
    environment = {CODE_VARIABLE: "from around"}

    def shown(*arguments: str) -> str:
        answer = runner.invoke(show_code, arguments, env=environment)
        assert answer.exit_code == 0, answer.output
        return answer.output.strip()

    assert shown() == "from around"
    assert shown("--code-file", str(file)) == "красный кот"
    assert shown("--code", "4821 9037") == "4821 9037"
    environment[CODE_VARIABLE] = ""
    assert shown() == "None"


def test_a_file_that_is_no_text_is_refused_and_its_content_not_shown(tmp_path: Path) -> None:
    file = tmp_path / "code"
    file.write_bytes(b"SECRET\xff\xfe")
    answer = CliRunner().invoke(show_code, ["--code-file", str(file)])
    assert answer.exit_code == Exit.USAGE
    assert "SECRET" not in answer.output
    file.write_bytes(b"12345")
    answer = CliRunner().invoke(show_code, ["--code-file", str(file)])
    assert answer.exit_code == Exit.USAGE
    assert "12345" not in answer.output


def test_a_private_table_is_joined_with_its_code_from_the_environment_and_with_no_other(
    tmp_path: Path,
) -> None:
    """One opens with a code from a file, one knows it, one has another; none of the three writes it down."""
    (tmp_path / "code").write_text("Correct Horse 7\n", encoding="utf-8")
    free = socket.socket(socket.AF_INET6, socket.SOCK_DGRAM)
    free.bind(("::", 0))
    port = free.getsockname()[1]
    free.close()
    common = ("--interface", "lo", "--patience", "120", "--json", "--policy", "random")
    written = (tmp_path / "log", tmp_path / "transcript")
    keeps = ("--log-file", str(written[0]), "--verbose", "--transcript", str(written[1]))
    opener = start(
        tmp_path / "1",
        *("--open", "Private", "--code-file", str(tmp_path / "code"), "--port", f"{port}"),
        *("--rules", "pagat,pack=24", *keeps, *common),
    )
    guest = ("--join", "Private", "--peer", f"127.0.0.1:{port}", *common)
    stranger = start(tmp_path / "2", *guest, code="correct house 7")
    refused = json.loads(next(line for line in stranger.stdout or () if '"refused"' in line))
    assert (refused["reason"], refused["tries_left"]) == ("wrong_code", 7)
    knows = start(tmp_path / "3", *guest, code="CORRECT horse-7")
    try:
        assert knows.wait(300) == opener.wait(300) == Exit.DONE
    finally:
        for process in (opener, stranger, knows):
            process.terminate()
            said, complaint = process.communicate(timeout=20)
            assert "horse" not in (said + complaint).lower()
    assert all(file.stat().st_size for file in written)
    stores = [file for file in tmp_path.rglob("*") if file.is_file() and file != tmp_path / "code"]
    assert not [file for file in stores if b"horse" in file.read_bytes().lower()]


def start(home: Path, *arguments: str, code: str | None = None) -> subprocess.Popen[str]:
    """Start a bot with its own data folder; its code, if any, is in its environment."""
    environment = {**os.environ, "VERISH_HOME": str(home), "VERISH_LANG": "en"}
    if code is not None:
        environment[CODE_VARIABLE] = code
    return subprocess.Popen(
        [sys.executable, "-m", "ui", "bot", *arguments],
        env=environment,
        text=True,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )


def test_rules_for_the_evening_need_a_table_to_play_by_them(quickly: Callable[..., Answer]) -> None:
    answer = quickly("play", "--rules", "club")
    assert answer.returncode == Exit.USAGE
    assert "the rules of the table belong to --open and --bots" in " ".join(answer.stderr.split())


def test_a_measurement_that_takes_too_long_ends_with_a_sentence(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("p2p.net.bench.LIMIT_S", 0.01)
    assert run(["bench", "--cards", "2", "--rounds", "1"]) == Exit.NETWORK
    assert "took over" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("option", "sentence"),
    [
        (("--clock", "9"), "Turn time: 0 for no limit, or from 10 to 600 seconds."),
        (("--window", "4"), "Call time: from 5 to 120 seconds."),
        (("--dealer", "13"), "The first dealer's seat is one of the table's"),
        (("--dealer", "0"), "The first dealer's seat is one of the table's"),
        (("--dealer", "2"), "only where the first dealer is chosen"),
        (("--rules", "pagat,first_dealer=chosen", "--dealer", "9"), "is one of the table's"),
        (("--clock", "soon"), "'soon' is not a valid integer"),
    ],
    ids=str,
)
def test_a_rule_that_no_table_has_is_refused_in_a_sentence(
    option: tuple[str, ...], sentence: str, quickly: Callable[..., Answer]
) -> None:
    for command in (("bot", "--open", "K"), ("demo",), ("play", "--bots", "2")):
        answer = quickly(*command, *option)
        assert answer.returncode == Exit.USAGE
        assert sentence in " ".join(answer.stderr.split())


def test_the_rules_of_a_table_belong_to_who_opens_it(quickly: Callable[..., Answer]) -> None:
    for command in (("bot", "--join", "K"), ("play",)):
        answer = quickly(*command, "--window", "30")
        assert answer.returncode == Exit.USAGE
        assert "the rules of the table belong to" in answer.stderr


def test_the_rules_of_the_table_are_told_with_each_form(quickly: Callable[..., Answer]) -> None:
    told = " ".join(quickly("rules", "dictionary").stdout.split())
    assert "Rules of the table" in told
    assert "Turn time (usually no limit). When it is over, the program plays" in told
    assert "If a packet can be doubted it says “I don't believe”." in told


def test_the_readme_lists_every_command() -> None:
    page = (Path(__file__).parents[3] / "README.md").read_text(encoding="utf-8")
    assert [name for name in COMMANDS if f"| `verish {name}" not in page] == []


def test_options_of_play_that_are_wrong_are_refused_before_a_page_is_served(
    quickly: Callable[..., Answer],
) -> None:
    for options in (("--bots", "many"), ("--no-such-option",), ("more",)):
        answer = quickly("serve", "--port", "0", *options)
        assert answer.returncode == Exit.USAGE
        assert options[-1] in answer.stderr


def test_serving_without_the_web_server_says_what_to_install(
    quickly: Callable[..., Answer], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("importlib.util.find_spec", lambda _name: None)
    answer = quickly("serve")
    assert answer.returncode == Exit.USAGE
    assert answer.stderr.count("\n") == 1
    assert "make serve" in answer.stderr


def test_serving_where_nothing_can_be_served_is_a_sentence(quickly: Callable[..., Answer]) -> None:
    pytest.importorskip("textual_serve", reason="textual-serve is not installed")
    with socket.create_server(("127.0.0.1", 0)) as other:
        answer = quickly("serve", "--port", str(other.getsockname()[1]))
    assert answer.returncode == Exit.NETWORK
    assert "Nothing can be served at 127.0.0.1" in answer.stderr
    assert answer.stderr.count("\n") == 1


def test_serving_for_others_warns_of_them(quickly: Callable[..., Answer]) -> None:
    pytest.importorskip("textual_serve", reason="textual-serve is not installed")
    # Nobody has this address, so nothing is served.
    answer = quickly("serve", "--host", "192.0.2.1")
    assert answer.returncode == Exit.NETWORK
    assert "plays as you and sees your cards" in answer.stderr


def test_how_bots_play_is_asked_only_where_they_are_called(quickly: Callable[..., Answer]) -> None:
    for option in (("--bot-strength", "easy"), ("--bot-pace", "quick")):
        answer = quickly("play", *option)
        assert answer.returncode == Exit.USAGE
        assert "belong to --bots" in answer.stderr
    assert quickly("play", "--bots", "2", "--bot-strength", "mighty").returncode == Exit.USAGE


@pytest.mark.parametrize("more", [["--bots", "2"], ["--rules", "club"], ["--resume"], ["--window", "30"]])
def test_a_first_deal_brings_its_own_table(more: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["play", "--first-deal", *more]) == Exit.USAGE
    assert "--first-deal brings its own table" in capsys.readouterr().err
