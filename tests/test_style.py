"""What can be counted of the house style."""

from __future__ import annotations

import ast
import io
import re
import sys
import tokenize
from collections import Counter
from collections.abc import Iterator
from itertools import groupby
from pathlib import Path
from typing import NamedTuple

import pytest

ROOT = Path(__file__).parent.parent
PROGRAM = ("tracker", "rulesets")
FOLDERS = (*PROGRAM, "tests")
PAGES = ("README.md", "CHANGELOG.md", "docs", "rulesets")

INSIDE = ("body", "orelse", "handlers", "finalbody", "cases")
"""Where a statement holds others."""
FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
WIDTH = 120
MODULE = 600
FUNCTION = 60
MODULES = 16

BANNED = re.compile(
    r"\b(?:some(?:body|one)|who(?:m?ever|soever)|nobody able|anybody who"
    r"|what has become of|dice have fallen|stands? in the place of|(?:comes?|falls?) out the same)\b",
    re.IGNORECASE,
)
METAPHORS = re.compile(
    r"beat|chronicle|cockpit|crew|curtain|deeds?|desk|door|excuse|foresee|foreseeing|foreseen|foresight|gambler|hears"
    r"|heed|hopeless|muster|reckoning|scribe|shelf|shelves|showing|slips?|squeezed|swept|tabled|tale|teller|unmask|veil"
    r"|verse|warming|weigh"
)
"""Words that once stood for things with names of their own: a guard is no door, a worker pool no crew."""
VAGUE = re.compile(r"heard|looked|said|strange")
"""What a variable is not called: participles that leave out what was said, heard or looked at."""
GAMES_WORDS = {"is_beaten", "_to_beat"}
"""Names with such a word in the sense of the games: to beat a number."""
PRAGMA = re.compile(r"\s+# (?:type: ignore|noqa|fmt:).*")
# Functions that are one table of data each, where a cut would help no reader: `path::function` and why.
TABLES: dict[str, str] = {}


class Slip(NamedTuple):
    """One line that breaks a rule."""

    path: Path
    line: int
    text: str

    def __str__(self) -> str:
        """Write it as editors read it: `path:line: what`."""
        return f"{self.path.relative_to(ROOT)}:{self.line}: {self.text}"


def modules(*below: str) -> list[Path]:
    """Return every module in these folders."""
    return sorted(path for folder in below for path in (ROOT / folder).rglob("*.py"))


def pages() -> list[Path]:
    """Return every page of the documentation and every rulebook."""
    found = [ROOT / name for name in PAGES]
    return sorted({page for one in found for page in ([one] if one.is_file() else one.rglob("*.md"))})


def slips(path: Path) -> Iterator[Slip]:
    """Find everything in a file that breaks a rule."""
    text = path.read_text(encoding="utf-8")
    if path.suffix == ".md":
        yield from words_of_page(path, text)
        return
    tree = ast.parse(text)
    nodes = list(statements(tree))
    yield from lengths(path, text, nodes)
    documented = list(docstrings(nodes))
    for node in documented:
        yield from first_line(path, node)
    for node in nodes:
        if isinstance(node, ast.ClassDef):
            yield from (Slip(path, node.lineno, f"{node.name} has no {name}") for name in described_nothing(node))
    yield from (Slip(path, line, f'"{word}"') for line, word in named_nobody(path, text, tree, documented))


def statements(tree: ast.Module) -> Iterator[ast.AST]:
    """Find the module, its classes and functions, and all other statements."""
    left: list[ast.AST] = [tree]
    while left:
        node = left.pop()
        yield node
        for inside in INSIDE:
            left += getattr(node, inside, ())


def lengths(path: Path, text: str, nodes: list[ast.AST]) -> Iterator[Slip]:
    """Find lines, functions and modules that are too long."""
    lines = text.splitlines()
    for number, line in enumerate(lines, 1):
        if len(line) > WIDTH and len(line := PRAGMA.sub("", line)) > WIDTH:
            yield Slip(path, number, f"{len(line)} columns, more than {WIDTH}")
    if len(lines) > MODULE:
        yield Slip(path, 1, f"{len(lines)} lines, more than {MODULE}")
    for node in nodes:
        if isinstance(node, FUNCTIONS):
            length = (node.end_lineno or node.lineno) - node.lineno + 1
            if length > FUNCTION and f"{path.relative_to(ROOT)}::{node.name}" not in TABLES:
                yield Slip(path, node.lineno, f"{node.name}() has {length} lines, more than {FUNCTION}")


def docstrings(nodes: list[ast.AST]) -> Iterator[ast.Constant]:
    """Find the docstring of the module, of every class and of every function."""
    for node in nodes:
        if isinstance(node, (ast.Module, ast.ClassDef, *FUNCTIONS)) and node.body:
            match node.body[0]:
                case ast.Expr(value=ast.Constant(value=str()) as found):
                    yield found


def described_nothing(node: ast.ClassDef) -> list[str]:
    """Find names under `Attributes:` that a class does not have; one with bases of ours may have them there."""
    text = ast.get_docstring(node) or ""
    if "Attributes:" not in text or not {getattr(base, "id", "") for base in node.bases} <= {"Struct", "Data"}:
        return []
    described = re.findall(r"^    ((?:\w+, )*\w+): ", text.partition("Attributes:")[2], re.MULTILINE)
    own = {
        part.target.id for part in node.body if isinstance(part, ast.AnnAssign) and isinstance(part.target, ast.Name)
    }
    own |= {part.name for part in node.body if isinstance(part, FUNCTIONS)}
    own |= {part.attr for part in ast.walk(node) if isinstance(part, ast.Attribute) and isinstance(part.ctx, ast.Store)}
    return [name for names in described for name in names.split(", ") if name not in own]


def first_line(path: Path, node: ast.Constant) -> Iterator[Slip]:
    """Find what is wrong with the first line of a docstring."""
    line = str(node.value).strip().partition("\n")[0].strip()
    if not line.endswith((".", "?", "!", ":")):
        yield Slip(path, node.lineno, "first line is not a whole sentence")


def named_nobody(path: Path, text: str, tree: ast.Module, documented: list[ast.Constant]) -> Iterator[tuple[int, str]]:
    """Find banned words in docstrings and comments, and in the texts the program shows."""
    if not BANNED.search(text):
        return
    shown = documented
    if path.relative_to(ROOT).parts[0] in PROGRAM:
        texts = [node for node in ast.walk(tree) if isinstance(node, ast.Constant) and isinstance(node.value, str)]
        shown = [node for node in texts if " " in str(node.value)]
    found = {
        (node.lineno + str(node.value)[: word.start()].count("\n"), word[0])
        for node in shown
        for word in BANNED.finditer(str(node.value))
    }
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if token.type == tokenize.COMMENT:
            found |= {(token.start[0], word[0]) for word in BANNED.finditer(token.string)}
    yield from sorted(found)


def metaphors(path: Path) -> Iterator[Slip]:
    """Find modules, classes, functions, fields, parameters and variables that are named by a metaphor."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    named = [(1, path.stem)]
    for node in ast.walk(tree):
        if isinstance(node, (ast.ClassDef, *FUNCTIONS)):
            named.append((node.lineno, node.name))
        elif isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
            named.append((node.lineno, node.target.id))
        elif isinstance(node, ast.MatchAs) and node.name is not None:
            named.append((node.lineno, node.name))
        elif isinstance(node, ast.arg):
            named.append((node.lineno, node.arg))
        elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            named.append((node.lineno, node.id))
    for line, name in named:
        if VAGUE.fullmatch(name):
            yield Slip(path, line, f"{name}: of what?")
        words = re.sub(r"(?<=[a-z])(?=[A-Z])", "_", name).lower().split("_")
        if name not in GAMES_WORDS and any(map(METAPHORS.fullmatch, words)):
            yield Slip(path, line, f"{name}: a metaphor for something that has a name")


def words_of_page(path: Path, text: str) -> Iterator[Slip]:
    """Find banned words in a page."""
    for number, line in enumerate(text.splitlines(), 1):
        yield from (Slip(path, number, f'"{word[0]}"') for word in BANNED.finditer(line))


def crowded(*below: str) -> Iterator[Slip]:
    """Find folders with too many modules."""
    for folder, inside in groupby(modules(*below), key=lambda path: path.parent):
        count = sum(path.stem != "__init__" for path in inside)
        if count > MODULES:
            yield Slip(folder, 1, f"{count} modules, more than {MODULES}")


@pytest.mark.parametrize("folder", FOLDERS)
def test_modules_keep_the_style(folder: str) -> None:
    """Lines, functions and modules are short, and docstrings begin with a sentence that fits its line."""
    found = [str(slip) for path in modules(folder) for slip in slips(path)]

    assert found == []


def test_pages_name_what_they_mean() -> None:
    """A page names the combatant, the side or the GM it means."""
    found = [str(slip) for page in pages() for slip in slips(page)]

    assert found == []


@pytest.mark.parametrize("folder", PROGRAM)
def test_names_are_the_fields_own(folder: str) -> None:
    """What is defined has the field's own name, not a metaphor."""
    assert [str(slip) for path in modules(folder) for slip in metaphors(path)] == []


@pytest.mark.parametrize("folder", PROGRAM)
def test_folders_stay_small(folder: str) -> None:
    """A folder of the program has at most sixteen modules."""
    assert [str(slip) for slip in crowded(folder)] == []


def report(*arguments: str) -> str:
    """List what breaks the rules below these paths, or everywhere, and count it by folder."""
    asked = [Path(argument).resolve() for argument in arguments] or [ROOT]
    everything = [slip for path in [*modules(*FOLDERS), *pages()] for slip in slips(path)] + [*crowded(*PROGRAM)]
    found = [slip for slip in everything if any(slip.path.is_relative_to(path) for path in asked)]
    counts = Counter(str((slip.path if slip.path.is_dir() else slip.path.parent).relative_to(ROOT)) for slip in found)
    return "\n".join([*map(str, found), "", *(f"{count:5} {name}" for name, count in sorted(counts.items()))])


if __name__ == "__main__":
    print(report(*sys.argv[1:]))
