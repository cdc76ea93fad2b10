"""Where a saved transcript goes: a name that no shell minds, a new file each time."""

from pathlib import Path

import pytest

from p2p.errors import LocalError
from ui.saving import save_transcript, transcript_name


@pytest.mark.parametrize(
    ("title", "name"),
    [
        ("Kitchen", "verish-Kitchen-deal-3.jsonl"),
        ("Вечер у Анны", "verish-Вечер-у-Анны-deal-3.jsonl"),
        ("../../etc/passwd", "verish-etc-passwd-deal-3.jsonl"),
        ("-rf $(x) *\n", "verish-rf-x-deal-3.jsonl"),
        ("...", "verish-table-deal-3.jsonl"),
        ("C:\\con", "verish-C-con-deal-3.jsonl"),
    ],
)
def test_the_name_holds_letters_and_digits_of_the_title_only(title: str, name: str) -> None:
    assert transcript_name(title, 3) == name


def test_the_longest_title_makes_a_name_that_file_systems_take() -> None:
    assert len(transcript_name("田" * 200, 10**9, 10**6).encode()) <= 255


def test_no_file_is_overwritten(tmp_path: Path) -> None:
    paths = [save_transcript(tmp_path, "Kitchen", 1, bytes([number])) for number in range(3)]
    assert [path.name for path in paths] == [
        "verish-Kitchen-deal-1.jsonl",
        "verish-Kitchen-deal-1-2.jsonl",
        "verish-Kitchen-deal-1-3.jsonl",
    ]
    assert [path.read_bytes() for path in paths] == [b"\0", b"\1", b"\2"]
    assert len(list(tmp_path.iterdir())) == 3


def test_a_folder_that_is_not_there_is_told(tmp_path: Path) -> None:
    with pytest.raises(LocalError):
        save_transcript(tmp_path / "gone", "Kitchen", 1, b"")


def test_a_failed_write_leaves_no_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_arguments: object) -> None:
        raise OSError

    monkeypatch.setattr("ui.saving.replace_file", fail)
    with pytest.raises(OSError):
        save_transcript(tmp_path, "Kitchen", 1, b"x")
    assert not list(tmp_path.iterdir())
