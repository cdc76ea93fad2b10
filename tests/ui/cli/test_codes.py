"""The code of a private table on the command line: where it comes from, and that it is written nowhere."""

import json
import os
import socket
import subprocess
import sys
from pathlib import Path

import click
from click.testing import CliRunner

from p2p.protocol.table_code import TableCode
from ui.cli.exits import Exit
from ui.cli.options import CODE_VARIABLE, code_options


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
