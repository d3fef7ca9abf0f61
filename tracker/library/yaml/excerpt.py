"""Excerpts: the line a problem is about, with a mark under the place."""

from __future__ import annotations

from pathlib import Path as FilePath

from tracker.library.yaml.problems import Problem, visible
from tracker.library.yaml.source import decode, read_bytes

__all__ = ["excerpts"]

WIDEST = 300


def excerpts(problems: tuple[Problem, ...]) -> tuple[tuple[str, str], ...]:
    """Return the line of each problem in its file, and a line with a caret.

    Both are empty where there is no such line.
    """
    files: dict[str, list[str]] = {}
    found: list[tuple[str, str]] = []
    for problem in problems:
        if problem.file not in files:
            files[problem.file] = _lines(problem.file)
        lines = files[problem.file]
        if not 0 < problem.line <= len(lines):
            found.append(("", ""))
            continue
        line = lines[problem.line - 1].rstrip("\r\n")
        before = visible(line[: max(0, problem.column - 1)].replace("\t", " "))
        start = max(0, len(before) - WIDEST // 2)
        shown = (before + visible(line[max(0, problem.column - 1) :].replace("\t", " ")))[start : start + WIDEST]
        found.append((shown, " " * (len(before) - start) + "^"))
    return tuple(found)


def _lines(file: str) -> list[str]:
    path = FilePath(file)
    data = read_bytes(path, file)
    decoded = data if isinstance(data, Problem) else decode(data, file)
    # Lines end where an editor ends them, not at every sign that may end one.
    return [] if isinstance(decoded, Problem) else decoded[0].replace("\r\n", "\n").replace("\r", "\n").split("\n")
