"""Problems in files: values, positions, messages, and hints about what was probably meant.

A problem quotes the user's text, so characters that a terminal would obey are spelled out.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import TypeAlias

from msgspec import Struct

Path: TypeAlias = tuple[str | int, ...]
Scalar: TypeAlias = str | int | float | bool | None
Node: TypeAlias = Scalar | list["Node"] | dict[str, "Node"]
Marks: TypeAlias = int | list["Marks"]
"""A scalar's position, or of a list [its own, each entry's], of a block [its own, first key's, first value's ...]."""

LONGEST_QUOTE = 40
MOST_PROBLEMS = 200
MORE = "more mistakes than are worth listing; the rest was not read"

# Controls, changes of the writing direction, invisible line ends, halves of surrogate pairs, non-characters.
_UNSEEN = re.compile(
    "[\x00-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff\ufff9-\ufffb\ud800-\udfff\ufffe\uffff]"
)
_SHORT = {"\t": "\\t", "\n": "\\n", "\r": "\\r"}
_PLAIN_KEY = re.compile(r"[^\W\d][\w-]*")


COLUMN_BITS = 32


def pack(line: int, column: int) -> int:
    return line << COLUMN_BITS | column


def unpack(marks: Marks) -> tuple[int, int]:
    """Return line and column, both counted from 1."""
    packed = marks[0] if isinstance(marks, list) else marks
    assert isinstance(packed, int)
    return (packed >> COLUMN_BITS) + 1, (packed & (1 << COLUMN_BITS) - 1) + 1


class Problem(Struct, frozen=True, order=True):
    """A mistake in a file, or a warning (`is_warning`), which need not be one; line 0: the file as a whole."""

    file: str
    line: int = 0
    column: int = 0
    path: str = ""
    message: str = ""
    hint: str = ""
    is_warning: bool = False

    def render(self) -> str:
        """Return the one line that is shown: `goblins.yaml:14:7: monsters[3].hp: what is wrong (hint)`."""
        place = f"{self.file}:{self.line}:{self.column}" if self.line else self.file
        parts = [place, self.path, self.message] if self.path else [place, self.message]
        line = ": ".join(parts)
        return visible(f"{line} ({self.hint})" if self.hint else line)

    def __str__(self) -> str:
        return self.render()


def capped(problems: Sequence[Problem]) -> tuple[Problem, ...]:
    """Return the problems, of the mistakes only the first `MOST_PROBLEMS` and a line that there are more."""
    wrong = [problem for problem in problems if not problem.is_warning]
    if len(wrong) < MOST_PROBLEMS or any(problem.message == MORE for problem in wrong):
        return tuple(problems)
    last = wrong[MOST_PROBLEMS - 1]
    listed = [problem for problem in problems if problem.is_warning or problem <= last]
    return (*listed, Problem(last.file, last.line, last.column, message=MORE))


def visible(text: str) -> str:
    """Spell out every character that a terminal would obey or that reorders the line."""
    return _UNSEEN.sub(_spelled, text)


def _spelled(match: re.Match[str]) -> str:
    sign = match[0]
    return _SHORT.get(sign) or (f"\\x{ord(sign):02x}" if ord(sign) < 0x100 else f"\\u{ord(sign):04x}")


def described(value: object) -> str:
    """Name a value as it is typed: `"text"`, `5`, `true`, `nothing`, `a list`, `a block of keys`."""
    match value:
        case None:
            return "nothing"
        case bool():
            return "true" if value else "false"
        case str():
            return f'"{visible(value if len(value) <= LONGEST_QUOTE else value[: LONGEST_QUOTE - 1] + "…")}"'
        case dict():
            return "a block of keys"
        case list() | tuple():
            return "a list"
        case _:
            return visible(str(value))


def path_text(path: Path) -> str:
    """Write a path as people read it: `monsters[3].attacks[0].damage`, keys with odd characters in quotes."""
    parts: list[str] = []
    for step in path:
        if isinstance(step, int):
            parts.append(f"[{step}]")
        elif _PLAIN_KEY.fullmatch(step):
            parts.append(f".{step}" if parts else step)
        else:
            parts.append(f"[{described(step)}]")
    return "".join(parts)


def nearest(word: str, candidates: Iterable[str]) -> str | None:
    return _nearest(word[:LONGEST_QUOTE], tuple(candidates))


@lru_cache(maxsize=1024)  # the same mistake is often in every block of a file
def _nearest(word: str, candidates: Sequence[str]) -> str | None:
    from difflib import get_close_matches  # only a file with mistakes needs it

    by_form: dict[str, str] = {}
    for candidate in candidates:
        by_form.setdefault(_form(candidate), candidate)
    near = get_close_matches(_form(word), by_form, n=1, cutoff=0.6)
    return by_form[near[0]] if near else None


def _form(word: str) -> str:
    return word.casefold().replace("-", "_").replace(" ", "_")


def did_you_mean(word: str, candidates: Iterable[str]) -> str:
    """Return the hint `did you mean ...?`, or nothing if no candidate is near."""
    meant = nearest(word, candidates)
    return f"did you mean {meant}?" if meant else ""
