"""The command line as its user meets it: exit codes, plain sentences, no traceback."""

import gettext
import json
import socket
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from command_line import Answer, verish

from p2p.net.profile import take_profile
from ui import i18n
from ui.cli import _wished_language
from ui.cli.exits import Exit
from ui.cli.run import COMMANDS, run


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


@pytest.mark.parametrize("command", [[], ["audit"], ["sim", "--rules"]])
def test_no_name_that_is_typed_steers_the_terminal(
    command: list[str], capfd: pytest.CaptureFixture[str]
) -> None:
    assert run([*command, "x\x1b]2;pwn\x07\u202ey"]) != Exit.DONE
    shown = "".join(capfd.readouterr())
    assert all(char.isprintable() or char == "\n" for char in shown), shown
    assert "pwn" in shown


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


def test_a_deal_that_is_told_by_lines_has_no_place_for_flags_about_the_screen(
    tmp_path: Path, quickly: Callable[..., Answer]
) -> None:
    file = tmp_path / "deal.jsonl"
    file.touch()
    answer = quickly("replay", "--plain", "--theme", "nord", str(file))
    assert answer.returncode == Exit.USAGE
    assert "--theme: that is about the screen" in " ".join(answer.stderr.split())


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


def test_a_simulation_plays_any_named_rules_and_a_tournament_its_own(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert run(["sim", "--rules", "club-no-aces,packs=1", "--deals", "2", "--seed", "1"]) == Exit.DONE
    assert run(["sim", "--tournament", "--rules", "club-no-aces"]) == Exit.USAGE
    assert "A tournament is played by: club, club-sole-loser, pagat" in capsys.readouterr().err


def test_a_bot_opens_a_named_variation_only_for_as_many_as_can_play_it(
    quickly: Callable[..., Answer],
) -> None:
    answer = quickly("bot", "--open", "K", "--rules", "pagat-forced-sets", "--seats", "9")
    assert answer.returncode == Exit.USAGE
    assert "These rules do not allow so many players." in answer.stderr


def test_a_measurement_that_takes_too_long_ends_with_a_sentence(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("p2p.net.bench.LIMIT_S", 0.01)
    assert run(["bench", "--cards", "2", "--rounds", "1"]) == Exit.NETWORK
    assert "took over" in capsys.readouterr().err


def test_the_readme_lists_every_command() -> None:
    page = (Path(__file__).parents[3] / "README.md").read_text(encoding="utf-8")
    assert [name for name in COMMANDS if f"| `verish {name}" not in page] == []
