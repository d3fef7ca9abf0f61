"""A YAML file as plain values, with a position for every one of them.

* Values are `dict` (keys always text), `list`, `str`, `int`, `float`, `bool` and `None`; nothing else, whatever the
file says.
* Positions are kept beside the values in lists of the same shape: without an object per value, a large bestiary is
read fast.
* A wrong file never raises: its problems are collected beside the values that could be read.
"""

from __future__ import annotations

import contextlib
from functools import cache
from hashlib import sha256
from pathlib import Path as FilePath
from zlib import crc32

import msgspec
from msgspec import Struct

from tracker.core.terms.errors import BadData
from tracker.library.private_files import make_folder, write_whole
from tracker.library.yaml.problems import Marks, Node, Path, Problem, pack, path_text, unpack
from tracker.library.yaml.source import decode, read_bytes

LARGE = 100_000
MOST_COPIES = 256
READERS = ("builder.py", "problems.py", "source.py", "tree.py")
"""The code that reads files: another version of it has copies of its own."""


class Tree(Struct, frozen=True):
    """The content of one file; `value` is None if it could not be read to its end."""

    file: str
    value: Node
    marks: Marks
    problems: tuple[Problem, ...] = ()

    def find(self, path: Path) -> Node:
        """Return the value at `path`; raises KeyError if there is none."""
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
        """Return line and column, counted from 1, of the value at `path`, or of its innermost part that exists."""
        return unpack(self._marks(path)[1])

    def key_position(self, path: Path) -> tuple[int, int]:
        return unpack(self._marks(path)[0])

    def _marks(self, path: Path) -> tuple[Marks, Marks]:
        """Return the marks of key and value, as far as the path exists."""
        value, marks = self.value, self.marks
        key = marks
        for step in path:
            if not isinstance(marks, list):
                return marks, marks
            if isinstance(value, dict) and step in value:
                place = 1 + 2 * list(value).index(str(step))
                value, key, marks = value[str(step)], marks[place], marks[place + 1]
            elif isinstance(value, list) and isinstance(step, int) and 0 <= step < len(value):
                value, key, marks = value[step], marks[step + 1], marks[step + 1]
            else:
                return marks, marks
        return key, marks

    def problem(
        self, path: Path, message: str, hint: str = "", *, key: bool = False, is_warning: bool = False
    ) -> Problem:
        line, column = self.key_position(path) if key else self.position(path)
        return Problem(self.file, line, column, path_text(path), message, hint, is_warning)

    def checked(self) -> Tree:
        """Return the tree itself; raises BadData with all problems if there are any."""
        if self.problems:
            raise BadData(self.problems)
        return self


def load(path: FilePath, file: str | None = None) -> Tree:
    """Read a file, a large unchanged one from its cached copy; `file` is the name that problems show, else the path."""
    shown = str(path) if file is None else file
    data = read_bytes(path, shown)
    if isinstance(data, Problem):
        return _unread(data)
    return parse(data, shown) if len(data) < LARGE else _load_large(data, shown)


def _load_large(data: bytes, file: str) -> Tree:
    """Read a large file from its copy, else parse it and write a copy if nothing is wrong with it."""
    copy = _copy_of(data)
    if copy is None:
        return parse(data, file)
    # A missing or damaged copy costs only time.
    with contextlib.suppress(OSError, msgspec.DecodeError, RecursionError, TypeError, ValueError):
        stored = memoryview(copy.read_bytes())
        if int.from_bytes(stored[:4], "big") == crc32(stored[4:]):
            value, marks = msgspec.msgpack.decode(stored[4:])
            return Tree(file, value, marks)
    tree = parse(data, file)
    if not tree.problems:
        # MessagePack has no form for every value.
        with contextlib.suppress(OSError, OverflowError, TypeError, ValueError):
            payload = msgspec.msgpack.encode((tree.value, tree.marks))
            make_folder(copy.parent)
            write_whole(copy, (crc32(payload).to_bytes(4, "big"), payload))
            copies = sorted(copy.parent.glob("*.msgpack"), key=lambda each: each.stat().st_mtime, reverse=True)
            for old in copies[MOST_COPIES:]:
                old.unlink(missing_ok=True)
    return tree


def _copy_of(data: bytes) -> FilePath | None:
    """Return the path of a file's copy, named by its content and the reading code; None if that code is missing."""
    import platformdirs  # only large files need it

    try:
        digest = _readers_digest()
    except OSError:
        return None
    folder = platformdirs.user_cache_path("encounter-tracker", appauthor=False) / "files"
    return folder / f"{sha256(digest + data).hexdigest()}.msgpack"


@cache
def _readers_digest() -> bytes:
    return sha256(b"".join((FilePath(__file__).parent / name).read_bytes() for name in READERS)).digest()


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
