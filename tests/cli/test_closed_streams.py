"""Commands whose standard streams are closed, and a journal that is a link to itself."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tracker.cli.main import main

pytestmark = pytest.mark.skipif(os.name != "posix", reason="a shell of POSIX closes the streams")
FIGHT = Path(__file__).resolve().parents[2] / "encounters" / "githack" / "dragon.yaml"


def closed(words: str, closing: str, folder: Path) -> subprocess.CompletedProcess[str]:
    """Run the program with streams that the shell closes."""
    line = f'exec "{sys.executable}" -m tracker {words} {closing}'
    root = Path(__file__).resolve().parents[2]
    return subprocess.run(["sh", "-c", line], cwd=root, capture_output=True, text=True, timeout=60, check=False)


@pytest.mark.parametrize(
    ("words", "closing"), [("--version", "2>&-"), ("fights", ">&-"), ("schema githack", "<&- >&- 2>&-")]
)
def test_a_closed_stream_is_no_fault(words: str, closing: str, tmp_path: Path) -> None:
    """What would be written there goes nowhere."""
    ran = closed(words, closing, tmp_path)

    assert (ran.returncode, "Traceback" in ran.stderr, "problem file" in ran.stderr) == (0, False, False)


def test_a_journal_does_not_take_the_number_of_a_closed_stream(tmp_path: Path) -> None:
    """A fight is played and read again though nothing can be printed."""
    path = tmp_path / "fights.db"

    ran = closed(f"run '{FIGHT}' --db '{path}'", "<&- >&- 2>&-", tmp_path)

    assert ran.returncode == 0
    assert path.read_bytes().startswith(b"SQLite format 3\0")
    assert main(["doctor", "--db", str(path)]) == 0


@pytest.mark.parametrize("words", [["fights"], ["log", "x"], ["doctor"], ["run", str(FIGHT)]])
def test_a_journal_that_is_a_link_to_itself_is_one_line(
    words: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """No command takes it for a journal that is yet to come, and none fails of it."""
    path = tmp_path / "fights.db"
    path.symlink_to(path)

    assert main([*words, "--db", str(path)]) == 1

    said = capsys.readouterr()
    assert "a link to a file that is not there" in said.out + said.err
    assert "problem file" not in said.err
