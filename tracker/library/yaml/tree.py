"""A YAML file as plain values, with a position for every one of them.

* Values are `dict` (keys always text), `list`, `str`, `int`, `float`, `bool` and `None`; nothing else, whatever the
file says.
* Positions stand beside the values in lists of the same shape, so that reading a large bestiary stays fast: no object
per value.
* A wrong file never raises: its problems are collected, and what could be read is there.
"""

from __future__ import annotations

import re
from pathlib import Path as FilePath
from typing import TypeAlias

from msgspec import Struct

from tracker.core.terms.errors import BadData
from tracker.library.yaml.problems import Path, Problem, path_text
from tracker.library.yaml.source import decode, read_bytes

Scalar: TypeAlias = str | int | float | bool | None

_WORDS: dict[str, Scalar] = {"": None, "~": None, "null": None, "true": True, "false": False}
# No leading zeros, and no number that 64 bits could not hold: those are text, and a field that wants a number says so.
_INT = re.compile(r"[-+]?(?:0|[1-9][0-9]{0,17})")
_FLOAT = re.compile(r"[-+]?(?:\.[0-9]+|(?:0|[1-9][0-9]{0,17})(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]{1,2})?")


def plain_value(text: str) -> Scalar:
    if text in _WORDS:
        return _WORDS[text]
    if _INT.fullmatch(text):
        return int(text)
    if _FLOAT.fullmatch(text):
        return float(text)
    return text


Node: TypeAlias = Scalar | list["Node"] | dict[str, "Node"]
# A scalar's position, or of a list [its own, each entry's], of a block [its own, first key's, first value's, second
# key's ...].
Marks: TypeAlias = int | list["Marks"]

COLUMN_BITS = 32
_COLUMN = (1 << COLUMN_BITS) - 1


def pack(line: int, column: int) -> int:
    """Return line and column, both counted from 0, as one number."""
    return line << COLUMN_BITS | column


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
        return _place(self._marks(path)[1])

    def key_position(self, path: Path) -> tuple[int, int]:
        return _place(self._marks(path)[0])

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


def _place(marks: Marks) -> tuple[int, int]:
    packed = marks[0] if isinstance(marks, list) else marks
    assert isinstance(packed, int)
    return (packed >> COLUMN_BITS) + 1, (packed & _COLUMN) + 1
