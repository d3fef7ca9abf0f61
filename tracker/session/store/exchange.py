"""Exchange: a fight as JSON lines, one for itself and one per step, and back.

An export of an imported fight is the same, byte for byte. No ruleset is needed: the texts are not parsed.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator, Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated, Any, BinaryIO, TypeVar

import msgspec
from msgspec import Meta, Raw, Struct
from msgspec.structs import asdict

from tracker.core.clock.joining import slug
from tracker.core.terms.errors import BadData, TrackerError
from tracker.core.terms.values import Codec, decode
from tracker.library.private_files import make_folder, private
from tracker.session.rows import Commit, Head, NewFight, PlayerViewRow, StepRow, Stored
from tracker.session.step.runner import StepError
from tracker.session.store.database import MOST_STEPS
from tracker.session.store.journal import Journal
from tracker.session.store.player_view import whole_view

FORMAT = 3
"""The newest form of these lines, which is independent of the journal's."""
RENAMED: Mapping[str, str] = {
    "Chosen": "ChoiceAnswer",
    "Picked": "PickAnswer",
    "Stated": "NumberAnswer",
    "Thrown": "DiceAnswer",
}
"""Names of stored types in files of earlier versions, with their present ones."""
_TYPE = re.compile(rb'(?<!\\)"type"\s*:\s*"(\w+)"')
LARGEST, LONGEST_LINE = 1 << 30, 1 << 26
"""Bytes of a file, and of a line of it, that are read."""
DEEPEST = 500
_TOO_DEEP = f"nested deeper than {DEEPEST} levels"
_LEAST, _MOST = -(1 << 63), (1 << 63) - 1
_NOTHING = Raw(b"null")
_OPTIONAL = ("draft", "sandbox", "back")
"""Texts that a row may lack."""
_Row = TypeVar("_Row", bound=Struct)
_Count = Annotated[int, Meta(ge=0, le=(1 << 53) - 1)]
_Step = Annotated[int, Meta(ge=1, lt=MOST_STEPS)]
_Word = Annotated[str, Meta(max_length=100_000)]


class Problem(Struct, frozen=True):
    """A mistake in a line."""

    line: int
    text: str

    def __str__(self) -> str:
        return f"line {self.line}: {self.text}"


class _FightLine(Struct, frozen=True, tag_field="line", tag="fight"):
    format: _Count
    ruleset: _Word
    version: _Count
    title: _Word
    created: _Word
    encounter: Raw
    head: _Step | None
    at: _Word
    round: _Count
    up: _Word
    steps: _Count
    over: bool
    source: str = ""
    pending: _Word = ""
    draft: Raw = _NOTHING
    redo: tuple[Raw, ...] = ()
    public: Raw = _NOTHING
    sandbox: Raw = _NOTHING
    names: tuple[tuple[_Step, _Word], ...] = ()


class _StepLine(Struct, frozen=True, tag_field="line", tag="step", omit_defaults=True):
    seq: _Step
    parent: _Step | None
    at: _Word
    step: Raw
    answers: Raw
    entries: Raw
    reached: _Word = ""
    back: Raw = _NOTHING


class _ProblemLine(Struct, frozen=True, tag_field="line", tag="problem"):
    """A replay file's line about the step at which a ruleset failed; an import leaves it out."""

    text: str = ""


def export_fight(journal: Journal, fight: str) -> Iterator[bytes]:
    """Return the lines of a fight, each with its line end, or raise TrackerError if there is no such fight."""
    return lines_of(journal.load(fight))


def lines_of(stored: Stored) -> Iterator[bytes]:
    """Yield the lines of a stored fight."""
    encode = msgspec.json.Encoder().encode
    head = _line_fields(stored.head)
    seq = head.pop("seq")
    public = whole_view(stored.shown)
    first = _FightLine(
        format=FORMAT,
        head=seq,
        redo=tuple(Raw(text) for text in stored.redo),
        public=_NOTHING if public is None else Raw(public),
        names=stored.names,
        **_line_fields(stored.fight),
        **head,
    )
    yield encode(first) + b"\n"
    for row in stored.steps:
        yield encode(_StepLine(**_line_fields(row))) + b"\n"


def import_fight(journal: Journal, lines: Iterable[bytes]) -> str:
    """Write a fight from its lines as a new one and return its id.

    Raises:
        BadData: with the wrong line.
        TrackerError: if nothing can be written.
    """
    numbered = ((number, line) for number, line in enumerate(lines, start=1) if line.strip())
    number, text = next(numbered, (1, b""))
    first = _line(number, text)
    if not isinstance(first, _FightLine):
        raise _bad(number, "the first line is not that of a fight")
    if first.format > FORMAT:
        newer = f"a newer version of the program (format {first.format}, this one knows {FORMAT})"
        raise _bad(number, f"the file was written by {newer}")
    steps = []
    known: set[int | None] = {None}
    for number, text in numbered:
        step = _line(number, text)
        if isinstance(step, _ProblemLine):
            continue
        if not isinstance(step, _StepLine):
            raise _bad(number, "a second fight begins")
        if step.seq in known or step.parent not in known or (step.parent is not None and step.parent > step.seq):
            raise _bad(number, f"step {step.seq} does not follow a step before it")
        known.add(step.seq)
        steps.append(_row(step, StepRow))
    if first.head not in known:
        raise _bad(1, f"the fight stands at step {first.head}, which is missing")
    if unknown := [seq for seq, _ in first.names if seq not in known]:
        raise _bad(1, f"step {unknown[0]} has a name and is missing")
    shown = None if bytes(first.public) == b"null" else PlayerViewRow(view=bytes(first.public))
    change = Commit(_row(first, Head, seq=first.head), tuple(steps), names=first.names, shown=shown)
    return journal.import_fight(_row(first, NewFight), change, tuple(bytes(text) for text in first.redo))


def _line_fields(row: Struct) -> dict[str, Any]:
    """Return the fields of a row as a line has them: a text is JSON, and null for None."""
    fields = {name: Raw(value) if isinstance(value, bytes) else value for name, value in asdict(row).items()}
    return fields | {name: _NOTHING for name in _OPTIONAL if name in fields and fields[name] is None}


def _row(line: Struct, kind: type[_Row], **renamed: object) -> _Row:
    """Return a row with the fields of a line."""
    fields = asdict(line) | renamed
    missing = {name for name in _OPTIONAL if name in fields and bytes(fields[name]) == b"null"}
    values = {name: None if name in missing else fields[name] for name in kind.__struct_fields__}
    return kind(**{name: bytes(value) if isinstance(value, Raw) else value for name, value in values.items()})


def _line(number: int, text: bytes) -> _FightLine | _StepLine | _ProblemLine:
    if why := unreadable(text):
        raise _bad(number, why)
    try:
        line: _FightLine | _StepLine | _ProblemLine = decode(
            _with_present_names(text), _FightLine | _StepLine | _ProblemLine
        )
        return line
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise _bad(number, str(error)) from error


def _with_present_names(text: bytes) -> bytes:

    def present(match: re.Match[bytes]) -> bytes:
        name = RENAMED.get(match[1].decode(errors="replace"))
        return match[0] if name is None else b'"type":"%b"' % name.encode()

    return _TYPE.sub(present, text)


def lines_in(stream: BinaryIO) -> Iterator[bytes]:
    """Yield the lines of a stream, a longer one in pieces; TrackerError if they are too many."""
    left = LARGEST
    while line := stream.readline(LONGEST_LINE + 1):
        left -= len(line)
        if left < 0:
            raise TrackerError(f"the file is too large: at most {LARGEST >> 20} MB are read", "too_large")
        yield line


def unreadable(line: bytes) -> str:
    """Return why a line is no JSON that a journal can store, or ""; its texts are stored unparsed."""
    if len(line) > LONGEST_LINE:
        return f"the line is longer than {LONGEST_LINE >> 20} MB"
    try:
        values: list[object] = [msgspec.json.decode(line)]
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        return str(error)
    except RecursionError:
        return _TOO_DEEP
    for _ in range(DEEPEST + 1):
        if huge := next((value for value in values if isinstance(value, int) and not _LEAST <= value <= _MOST), None):
            return f"the number {str(huge)[:20]}… has more than 64 bits"
        values = [part for value in values for part in _parts(value)]
        if not values:
            return ""
    return _TOO_DEEP


def _parts(value: object) -> Iterable[object]:
    return value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()


def _bad(line: int, text: str) -> BadData:
    return BadData([Problem(line, text)])


LONGEST = 80


def write_replay(folder: Path, name: str, failed: StepError, *, stored: Stored | None, codec: Codec) -> str:
    """Write a replay file and return its path, or in brackets why there is none.

    The file can be imported like an exported fight; its last line has the step, its answers, and where it failed.
    """
    stamp = datetime.now(UTC).strftime("%Y%m%d-%H%M%S-%f")
    path = folder / f"{slug(name)[:LONGEST]}-{stamp}.jsonl"  # an id that a file brought may be any text
    try:
        problem = {
            "line": "problem",
            "text": failed.message,
            "step": Raw(codec.encode(failed.step)),
            "answers": Raw(codec.encode(failed.answers)),
            "details": failed.details,
        }
        make_folder(folder)
        with open(path, "xb", opener=private) as file:
            file.writelines(() if stored is None else lines_of(stored))
            file.write(msgspec.json.encode(problem) + b"\n")
            file.flush()
            os.fsync(file.fileno())
    except (OSError, NotImplementedError, TypeError) as error:  # the last two: a value of the ruleset has no JSON
        return f"(no problem file: {error})"
    return str(path)
