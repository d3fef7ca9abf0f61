"""The list of mutants, and where each is in the code.

A mutant is found by its module, its function and the text of the statement or condition that it changes, never by a
line: it outlives changes elsewhere. Texts are compared as `ast.unparse` writes them, so formatting does not matter.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import msgspec
from msgspec import Struct

from tests.mutants.copies import ROOT

HERE = Path(__file__).parent
LIST, BASELINE = HERE / "mutants.jsonl", HERE / "baseline.jsonl"

SHARES: dict[str, tuple[int, tuple[str, ...]]] = {
    "core": (110, ("tracker/core",)),
    "session": (50, ("tracker/session",)),
    "githack": (28, ("rulesets/githack",)),
    "spelljammer": (28, ("rulesets/spelljammer",)),
    "sword_world": (28, ("rulesets/sword_world",)),
    # The two sister games with the package they share.
    "sisters": (56, ("rulesets/without_number", "rulesets/worlds_without_number", "rulesets/sovereign")),
}
"""How many mutants of which folders."""

SCOPES = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)


class Mutant(Struct, frozen=True, omit_defaults=True):
    """One small fault.

    Attributes:
        id: its name, for ever.
        kind: what is changed: `compare`, `number`, `boolean`, `not`, `condition`, `min_max` or `call`.
        path: the module.
        function: the function or method, with the names of what it is in; "" for the module itself.
        before: the statement or condition as it is.
        after: the same with the fault.
        occurrence: which of several such texts in the function it is, counted from 1; 0: the only one.
        gone: why its code is no longer in the program; "" while it is.
    """

    id: str
    kind: str
    path: str
    function: str
    before: str
    after: str
    occurrence: int = 0
    gone: str = ""


class Unit(NamedTuple):
    """A statement without a body, or a condition: the smallest text that a mutant names."""

    function: str
    node: ast.stmt | ast.expr
    statement: ast.stmt

    @property
    def text(self) -> str:
        """Its text, whatever its format."""
        return ast.unparse(self.node)


class Missing(Exception):
    """A mutant is not found in the code, or more than once."""


def read_list(path: Path = LIST) -> list[Mutant]:
    """Read the list."""
    lines = path.read_bytes().splitlines()
    return [msgspec.json.decode(line, type=Mutant) for line in lines if line.strip()]


def write_list(mutants: list[Mutant], path: Path = LIST) -> None:
    """Write the list, a mutant a line."""
    path.write_bytes(b"".join(msgspec.json.encode(mutant) + b"\n" for mutant in mutants))


def units_of(tree: ast.Module) -> list[Unit]:
    """Return the statements and conditions of a module, in the order of its text."""
    return list(_units(tree.body, ""))


def _units(body: list[ast.stmt], function: str) -> Iterator[Unit]:
    for statement in body:
        headers: list[ast.stmt | ast.expr]
        if isinstance(statement, SCOPES):
            yield from _units(statement.body, f"{function}.{statement.name}" if function else statement.name)
            continue
        headers = list(headers_of(statement))
        if not headers and not hasattr(statement, "body"):
            yield Unit(function, statement, statement)
            headers = [statement]
        else:
            yield from (Unit(function, header, statement) for header in headers)
        for header in headers:
            for condition in conditions_in(header):
                yield Unit(function, condition, statement)
        for inside in bodies_of(statement):
            yield from _units(inside, function)


def headers_of(statement: ast.stmt) -> Iterator[ast.expr]:
    """Yield what a compound statement works out before its body."""
    match statement:
        case ast.If(test=test) | ast.While(test=test):
            yield test
        case ast.For(iter=test) | ast.AsyncFor(iter=test) | ast.Match(subject=test):
            yield test
        case ast.With(items=items) | ast.AsyncWith(items=items):
            yield from (item.context_expr for item in items)
    for case in getattr(statement, "cases", ()):
        if case.guard is not None:
            yield case.guard


def bodies_of(statement: ast.stmt) -> Iterator[list[ast.stmt]]:
    """Yield the blocks of a compound statement."""
    for name in ("body", "orelse"):
        yield getattr(statement, name, [])
    for inner in (*getattr(statement, "handlers", ()), *getattr(statement, "cases", ())):
        yield inner.body
    yield getattr(statement, "finalbody", [])


def conditions_in(node: ast.AST) -> Iterator[ast.expr]:
    """Yield the conditions inside an expression or a simple statement.

    Not those in an f-string: before Python 3.12 these have no position.
    """
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.JoinedStr):
            continue
        if isinstance(node, ast.IfExp) and child is node.test:
            yield child
        elif isinstance(node, ast.comprehension) and child in node.ifs:
            assert isinstance(child, ast.expr)
            yield child
        yield from conditions_in(child)


def unit_of(mutant: Mutant, units: list[Unit]) -> Unit:
    """Find what a mutant changes among the units of its module.

    Raises:
        Missing: where it is not there, or not clear.
    """
    text = normalized(mutant.before)
    found = [unit for unit in units if unit.function == mutant.function and unit.text == text]
    if mutant.occurrence and len(found) >= mutant.occurrence:
        return found[mutant.occurrence - 1]
    if not mutant.occurrence and len(found) == 1:
        return found[0]
    wanted = f"number {mutant.occurrence} of " if mutant.occurrence else ""
    raise Missing(f"{mutant.id}: {mutant.path}::{mutant.function} has {len(found)}, not {wanted or 'one '}{text}")


def normalized(text: str) -> str:
    """Write a text as this Python's `ast.unparse` does."""
    return ast.unparse(ast.parse(text))


class Places:
    """The modules of a tree, each read once."""

    def __init__(self, root: Path = ROOT) -> None:
        self.root = root
        self._units: dict[str, list[Unit]] = {}

    def units(self, path: str) -> list[Unit]:
        """Return the units of a module, none if it does not exist."""
        if path not in self._units:
            file = self.root / path
            self._units[path] = units_of(ast.parse(file.read_bytes())) if file.is_file() else []
        return self._units[path]

    def find(self, mutant: Mutant) -> Unit:
        """Find what a mutant changes."""
        return unit_of(mutant, self.units(mutant.path))

    def mutated(self, mutant: Mutant) -> bytes:
        """Return the module of a mutant with the fault in it."""
        unit = self.find(mutant)
        return with_text((self.root / mutant.path).read_bytes(), unit.node, mutant.after)


def with_text(source: bytes, node: ast.stmt | ast.expr, text: str) -> bytes:
    """Replace a node of a module."""
    lines = source.splitlines(keepends=True)
    begin = sum(map(len, lines[: node.lineno - 1])) + node.col_offset
    assert node.end_lineno is not None
    assert node.end_col_offset is not None
    end = sum(map(len, lines[: node.end_lineno - 1])) + node.end_col_offset
    new = text if isinstance(node, ast.stmt) else f"({text})"
    return source[:begin] + new.encode() + source[end:]
