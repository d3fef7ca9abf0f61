"""A YAML file as plain values, with a position for every one of them.

* Values are `dict` (keys always text), `list`, `str`, `int`, `float`, `bool` and `None`; nothing else, whatever the
file says.
* Positions stand beside the values in lists of the same shape, so that reading a large bestiary stays fast: no object
per value.
* A wrong file never raises: its problems are collected, and what could be read is there.
"""

from __future__ import annotations

from pathlib import Path as FilePath

from msgspec import Struct

from tracker.core.terms.errors import BadData
from tracker.library.yaml.problems import Marks, Node, Path, Problem, pack, path_text, unpack
from tracker.library.yaml.source import decode, read_bytes


class Tree(Struct, frozen=True):
    """The content of one file; `value` is None if it could not be read to its end."""

    file: str
    value: Node
    marks: Marks
    problems: tuple[Problem, ...] = ()

    def find(self, path: Path) -> Node:
        """Return the value at `path`.

        Raises:
            KeyError: there is nothing there.
        """
        value = self.value
        for step in path:
            if isinstance(value, dict) and step in value:
                value = value[str(step)]
            elif isinstance(value, list) and isinstance(step, int) and 0 <= step < len(value):
                value = value[step]
            else:
                raise KeyError(path_text(path))
        return value

    def position(self, path: Path) -> tuple[int, int]:
        """Return line and column, counted from 1, of the value at `path`, or of what should hold it."""
        return unpack(self._marks(path)[1])

    def key_position(self, path: Path) -> tuple[int, int]:
        return unpack(self._marks(path)[0])

    def _marks(self, path: Path) -> tuple[Marks, Marks]:
        """Return the marks of key and value, as far as the path leads."""
        value, marks = self.value, self.marks
        key = marks
        for step in path:
            if isinstance(value, dict) and isinstance(marks, list) and step in value:
                place = 1 + 2 * list(value).index(str(step))
                value, key, marks = value[str(step)], marks[place], marks[place + 1]
            elif (
                isinstance(value, list) and isinstance(marks, list) and isinstance(step, int) and 0 <= step < len(value)
            ):
                value, key = value[step], marks[step + 1]
                marks = key
            else:
                return marks, marks
        return key, marks

    def problem(self, path: Path, message: str, hint: str = "", *, key: bool = False) -> Problem:
        line, column = self.key_position(path) if key else self.position(path)
        return Problem(self.file, line, column, path_text(path), message, hint)

    def checked(self) -> Tree:
        """Return the tree itself if nothing is wrong with the file.

        Raises:
            BadData: with all problems.
        """
        if self.problems:
            raise BadData(self.problems)
        return self


def load(path: FilePath, file: str | None = None) -> Tree:
    """Read a file; `file` is the name that problems show, else the path."""
    shown = str(path) if file is None else file
    data = read_bytes(path, shown)
    if isinstance(data, Problem):
        return _unread(data)
    return parse(data, shown)


def parse(data: bytes, file: str, *, pure: bool = False) -> Tree:
    """Read the content of a file; `pure` takes the slow parser even if libyaml is installed."""
    decoded = decode(data, file)
    if isinstance(decoded, Problem):
        return _unread(decoded)
    text, found = decoded

    from tracker.library.yaml.builder import build  # brings PyYAML

    value, marks, problems = build(text, file, pure=pure)
    return Tree(file, value, marks, tuple(sorted(found + problems)))


def _unread(problem: Problem) -> Tree:
    return Tree(problem.file, None, pack(max(0, problem.line - 1), max(0, problem.column - 1)), (problem,))
