"""Excerpts: the line a problem is about, and a mark under the place."""

from __future__ import annotations

from pathlib import Path

from tracker.library.yaml.problems import Problem
from tracker.library.yaml.source import excerpts


def test_line_with_a_mark_under_the_column(tmp_path: Path) -> None:
    path = tmp_path / "a.yaml"
    path.write_bytes(b"one: 1\r\ntwo:\tx\x1b[31m 2\rthree: 3\n")

    shown = excerpts(tuple(Problem(str(path), line, column) for line, column in ((1, 6), (2, 7), (3, 1))))

    assert shown == (("one: 1", "     ^"), ("two: x\ufffd[31m 2", "      ^"), ("three: 3", "^"))


def test_no_line_where_there_is_none(tmp_path: Path) -> None:
    """Problems of a whole file, beyond its end, or of a lost file have none."""
    path = tmp_path / "a.yaml"
    path.write_text("one: 1\n", encoding="utf-8")

    shown = excerpts((Problem(str(path)), Problem(str(path), 9, 1), Problem(str(tmp_path / "gone.yaml"), 1, 1)))

    assert shown == (("", ""),) * 3


def test_long_line_is_cut_around_the_place(tmp_path: Path) -> None:
    path = tmp_path / "a.yaml"
    path.write_text("x" * 1000 + "HERE" + "y" * 1000, encoding="utf-8")

    ((line, mark),) = excerpts((Problem(str(path), 1, 1001),))

    assert len(line) <= 300
    assert line[mark.index("^") :].startswith("HERE")
