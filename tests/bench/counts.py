"""How big the house is, and how much a newcomer has to know.

`python -m tests.bench.counts [CHECKOUT]` reads the source of this checkout, or of another one, and prints files and
lines of each folder, the names an author of a ruleset meets, and those of a key that opens a dialog.
"""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).parents[2]
FOLDERS = ("tracker", "rulesets", "tests")
# Each thing to know is a class whose public members count, or a list of names.
AUTHOR = {
    "Ruleset": "Ruleset",
    "MapRules": "MapRules",
    "Schema": "Schema",
    "action record": "ActionType",
    "table of actions": "ActionTable",
    "Ctx": "Ctx",
}
# Events that only core emits are none of an author's, nor the kind of field that only its `insert` has;
# `tests/test_imports.py` holds rulesets to their own.
AUTHOR_LISTS = {"field kinds": "FieldKind", "events": "RulesetEvent"}
DIALOG = {
    "command": "Command",
    "call of a command": "Call",
    "typed line of a command": "Line",
    "mode": "Mode",
    "mode with typed text": "InputMode",
    "what a mode sees": "ModeContext",
    "result of a key": "Result",
}
PROBED = "getattr("


class Lines(NamedTuple):
    """Files, and their lines by kind."""

    files: int = 0
    code: int = 0
    docstrings: int = 0
    comments: int = 0
    blank: int = 0

    @property
    def all(self) -> int:
        """Every line."""
        return self.code + self.docstrings + self.comments + self.blank


def lines_of(path: Path) -> Lines:
    """Count the lines of a module by kind."""
    text = path.read_text(encoding="utf-8")
    documented: set[int] = set()
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef) and node.body:
            first = node.body[0]
            if (
                isinstance(first, ast.Expr)
                and isinstance(first.value, ast.Constant)
                and isinstance(first.value.value, str)
            ):
                documented |= set(range(first.lineno, (first.end_lineno or first.lineno) + 1))
    kinds = [_kind(number in documented, line.strip()) for number, line in enumerate(text.splitlines(), 1)]
    return Lines(1, *(kinds.count(kind) for kind in Lines._fields[1:]))


def _kind(documented: bool, line: str) -> str:
    if documented:
        return "docstrings"
    if not line:
        return "blank"
    return "comments" if line.startswith("#") else "code"


def total(counted: Iterable[Lines]) -> Lines:
    """Add counts up."""
    return Lines(*map(sum, zip(*counted, strict=True)))


class Source:
    """The classes and constants of a checkout, by name."""

    def __init__(self, root: Path, folders: Sequence[str]) -> None:
        self.classes: dict[str, list[ast.ClassDef]] = {}
        self.constants: dict[str, ast.expr] = {}
        self.probes = 0
        for folder in folders:
            for path in sorted((root / folder).rglob("*.py")):
                text = path.read_text(encoding="utf-8")
                self.probes += text.count(f"{PROBED}mode,") + text.count(f"{PROBED}self.mode,")
                for node in ast.parse(text).body:
                    if isinstance(node, ast.ClassDef):
                        self.classes.setdefault(node.name, []).append(node)
                    elif (
                        isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name) and node.value is not None
                    ):
                        self.constants[node.target.id] = node.value

    def members(self, name: str) -> list[str]:
        """Return the public members of the class of this name, those it inherits included."""
        found: dict[str, None] = {}
        left = [name]
        while left:
            for node in self.classes.get(left.pop(0), ())[:1]:
                found.update(dict.fromkeys(_public(node)))
                left += [base.id for base in node.bases if isinstance(base, ast.Name)]
        return list(found)

    def listed(self, name: str) -> list[str]:
        """Return what the union or the Literal of this name lists."""
        node = self.constants.get(name)
        return [
            str(part.value) if isinstance(part, ast.Constant) else part.id
            for part in (ast.walk(node) if node is not None else ())
            if (isinstance(part, ast.Constant) and isinstance(part.value, str))
            or (isinstance(part, ast.Name) and part.id[0].isupper() and part.id not in ("Literal", "Union"))
        ]


def _public(node: ast.ClassDef) -> Iterator[str]:
    for part in node.body:
        name = ""
        if isinstance(part, ast.AnnAssign) and isinstance(part.target, ast.Name):
            name = part.target.id
        elif isinstance(part, ast.FunctionDef | ast.AsyncFunctionDef):
            name = part.name
        if name and not name.startswith("_"):
            yield name


def caches(root: Path) -> list[str]:
    """Return the names of core's cache decorators."""
    body = ast.parse((root / "tracker" / "core" / "fight" / "cache.py").read_text(encoding="utf-8")).body
    return [node.name for node in body if isinstance(node, ast.FunctionDef) and node.name.startswith("per_")]


def report(root: Path) -> Iterator[str]:
    """Return the counts of a checkout as lines of text."""
    yield f"{'folder':32} {'files':>6} {'lines':>7} {'code':>7} {'docs':>6} {'notes':>6} {'blank':>6}"
    for folder in FOLDERS:
        below = sorted(path for path in (root / folder).iterdir() if path.is_dir() and any(path.rglob("*.py")))
        for place in (root / folder, *below):
            counted = total(lines_of(path) for path in place.rglob("*.py"))
            name = str(place.relative_to(root))
            yield (
                f"{name:32} {counted.files:6} {counted.all:7} {counted.code:7} {counted.docstrings:6}"
                f" {counted.comments:6} {counted.blank:6}"
            )
    source = Source(root, ("tracker/core", "tracker/kit"))
    known = {title: source.members(name) for title, name in AUTHOR.items()}
    known |= {title: source.listed(name) for title, name in AUTHOR_LISTS.items()}
    known["caches"] = caches(root)
    yield from _named("who writes a game meets", known)
    screen = Source(root, ("tracker/ui",))
    dialog: dict[str, list[str]] = {}
    for title, called in DIALOG.items():
        met = {name for known in dialog.values() for name in known} if title.startswith("mode with") else set()
        dialog[title] = [name for name in screen.members(called) if name not in met]
    yield from _named(f"a key with a dialog meets ({screen.probes} flags are probed by name)", dialog)


def _named(title: str, known: dict[str, list[str]]) -> Iterator[str]:
    yield f"\n{title}: {sum(map(len, known.values()))}"
    for part, names in known.items():
        if names:
            yield f"  {part} {len(names)}: {' '.join(names)}"


if __name__ == "__main__":
    print("\n".join(report(Path(sys.argv[1]) if sys.argv[1:] else ROOT)))
