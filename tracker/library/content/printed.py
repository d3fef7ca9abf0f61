"""Printed stat blocks: the ruleset's importer converts pasted text to blocks.

Words that a ruleset cannot read are in a comment above the block, so that they are not lost.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

import yaml
from msgspec import Struct
from msgspec.structs import replace

from tracker.core.game.ruleset import Ruleset
from tracker.core.game.schema import Imported
from tracker.core.terms.encounter import Member
from tracker.core.terms.errors import Refusal, Refused
from tracker.library.content.library import entries_in
from tracker.library.content.members import BlockSource, member_of
from tracker.library.ruleset_errors import RulesetError, describe
from tracker.library.yaml.problems import visible
from tracker.library.yaml.tree import parse

_BEGINS = re.compile(r"\b(ac|armou?r ?class|hd|hit ?dice|hp|#?at|att|atk|attacks?|dmg|damage)(?![a-z])", re.IGNORECASE)
_JOINT = "\x1f"
_WHOLE = re.compile(
    r"(?P<before>\S)[ ]+(?P<after>(?:[x×]\s?\d|fly\b|swim\b|feet\b|ft\b|or\b|dice\b|class\b)\S*)|[ ]{2,}", re.IGNORECASE
)
"""Two words of one cell, and gaps of several spaces."""
_CELL = re.compile(r"\s*\|\s*|\t+|\s{2,}")


class Unreadable(Struct, frozen=True):
    """A print that cannot be read: its first words, and why."""

    text: str
    why: str


def prints(text: str) -> tuple[str, ...]:
    """Return the prints in a text: empty lines separate them, or every line is one."""
    result: list[str] = []
    for paragraph in re.split(r"\n[ \t]*\n", text.replace("\r\n", "\n").replace("\r", "\n")):
        lines = [line for line in paragraph.split("\n") if line.strip() and not line.lstrip().startswith("#")]
        if rows := _rows(lines):
            result += rows
        elif len(lines) > 1 and all(len(_BEGINS.findall(line)) > 1 for line in lines):
            result += lines
        elif lines:
            result.append("\n".join(lines))
    return tuple(result)


def _rows(lines: Sequence[str]) -> list[str]:
    """Return the rows of a table with headings and names as prints of their own, [] for any other text."""
    cells = [_CELL.split(line.strip().strip("|").strip()) for line in lines]
    if len(lines) > 1 and len(cells[0]) < 3:
        cells = _single_spaced(lines)
    heads = cells[0] if cells else []
    if len(lines) < 2 or len(heads) < 3 or _BEGINS.search(heads[0]):
        return []
    if sum(_BEGINS.fullmatch(head.strip(" .:")) is not None for head in heads) < 2:
        return []
    rows = [row for row in cells[1:] if not set("".join(row)) <= set("-:=+| ")]
    if any(len(row) > len(heads) or not row[0].strip() for row in rows):
        return []
    return [f"{row[0].strip()}: " + ", ".join(f"{head} {cell}" for head, cell in _paired(heads, row)) for row in rows]


def _single_spaced(lines: Sequence[str]) -> list[list[str]]:
    """Return the cells of a table whose columns have lost their gaps, [] if a row has too many words.

    Headings of two words and values such as `+6 x2`, `40 ft` stay together; further words in front are the name.
    """
    heads, *rows = (_WHOLE.sub(_glued, line.strip()).split(" ") for line in lines)
    if _BEGINS.fullmatch(heads[0].strip(" .:")):
        heads = ["Name", *heads]
    many = len(heads) - 1
    cells = [heads]
    for row in rows:
        name, values = row[:-many], row[-many:]
        if len(row) <= many or any(re.fullmatch(r"[+-]?\d+\+?|-", word) for word in name):
            return []
        cells.append([" ".join(name), *values])
    return [[cell.replace(_JOINT, " ") for cell in row] for row in cells]


def _glued(words: re.Match[str]) -> str:
    return " " if words["before"] is None else f"{words['before']}{_JOINT}{words['after']}"


def _paired(heads: Sequence[str], row: Sequence[str]) -> list[tuple[str, str]]:
    pairs = zip(heads[1:], row[1:], strict=False)
    return [(head.strip(), cell.strip()) for head, cell in pairs if cell.strip() not in ("", "-", "–", "—")]


def import_text(
    ruleset: Ruleset, text: str, system: str = "", choices: Mapping[str, str] | None = None
) -> tuple[Imported | Unreadable, ...]:
    """Read every print in a text, even if others are wrong; raises Refused if the game reads none."""
    importer = ruleset.schema.importer
    if importer is None:
        raise Refused(Refusal("no_importer", f"{ruleset.title} reads no printed stat blocks", forcible=False))
    results: list[Imported | Unreadable] = []
    for part in prints(text):
        try:
            results.append(importer(part, system, choices or {}))
        except (ValueError, RulesetError) as error:
            why = describe(error) if isinstance(error, RulesetError) else str(error)
            results.append(Unreadable(" ".join(part.split())[:60], why))
    return tuple(results)


def looks_printed(text: str) -> bool:
    """Tell whether a text has at least two of the words of every print, and so is no name."""
    return len({word.casefold()[:2] for word in _BEGINS.findall(text)}) > 1


def members_in(ruleset: Ruleset, text: str) -> tuple[Member, ...]:
    """Return the members of the prints in a text, with unread words in their notes; raises Refused."""
    blocks = [read for read in import_text(ruleset, text) if not isinstance(read, Unreadable)]
    noted = [replace(read, block={**read.block, "notes": _notes(read)}, unread=(), questions=()) for read in blocks]
    if not noted:
        return ()
    entries = entries_in(parse(bestiary(ruleset, noted).encode(), "pasted text"))
    return tuple(member_of(ruleset, BlockSource(entry, {}), "gm")[0] for entry in entries)


def dumped(value: object) -> str:
    """Return a value as YAML, texts on one line, without the last line end."""
    text = yaml.safe_dump(value, sort_keys=False, allow_unicode=True, width=100_000, default_flow_style=None)
    return str(text).rstrip("\n")


def _notes(read: Imported) -> str:
    parts = [str(read.block.get("notes") or ""), *(f"not read: {part}" for part in read.unread)]
    parts += [f"{question.why} {question.options[0]} is taken" for question in read.questions]
    return "; ".join(filter(None, parts))


def bestiary(ruleset: Ruleset, blocks: Sequence[Imported], left: Sequence[str] = ()) -> str:
    """Return a file of these blocks with comments: unread words above each, at the top `left`, which made no block."""
    lines = [*(f"# not read: {visible(part)}" for part in left), f"ruleset: {ruleset.key}"]
    heading = ""
    for block in sorted(blocks, key=lambda block: block.kind != "pc"):
        before, heading = heading, "characters" if block.kind == "pc" else "monsters"
        if heading != before:
            lines.append(f"{heading}:")
        lines += [f"  # not read: {visible(part)}" for part in block.unread]
        for question in block.questions:
            taken, *others = map(visible, question.options)
            lines.append(f"  # {visible(question.why)} {taken} is taken; or: {', '.join(others)}")
        first, *rest = dumped(block.block).split("\n")
        lines += [f"  - {first}", *(f"    {line}" for line in rest)]
    return "\n".join(lines) + "\n"
