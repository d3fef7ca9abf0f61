"""Draw the list of mutants: `python -m tests.mutants.draw`.

The draw repeats itself: it depends on the code and on the seed alone. Drawn are comparisons, numbers by one, `and` and
`or`, `not`, conditions that are always or never true, `min` and `max`, and calls that are left out. Left out are
texts, annotations, what an error says, members of records, decorators and what only a type checker reads.
"""

from __future__ import annotations

import ast
import random
from collections import Counter, defaultdict
from collections.abc import Iterator
from copy import deepcopy
from typing import NamedTuple

from tests.mutants.copies import ROOT
from tests.mutants.listed import Mutant, Places, Unit, units_of, write_list

SEED = 300
MOST_IN_A_FILE = 3
LONGEST = 240
"""Letters of a statement: a longer one rarely outlives a change."""

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

COMPARISONS: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Lt: ast.LtE,
    ast.LtE: ast.Lt,
    ast.Gt: ast.GtE,
    ast.GtE: ast.Gt,
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.In: ast.NotIn,
    ast.NotIn: ast.In,
    ast.Is: ast.IsNot,
    ast.IsNot: ast.Is,
}
EXTREMES = {"min": "max", "max": "min"}


class Site(NamedTuple):
    """A place where a fault can be put."""

    path: str
    unit: Unit
    kind: str
    after: str
    occurrence: int


def sites_of(path: str, chance: random.Random) -> list[Site]:
    """Return every place in a module where a fault can be put."""
    tree = ast.parse((ROOT / path).read_bytes())
    unread = statements_unread(tree)
    units = [(unit, unit.text) for unit in units_of(tree)]
    many = Counter((unit.function, text) for unit, text in units)
    seen: Counter[tuple[str, str]] = Counter()
    found = []
    for unit, text in units:
        seen[key := (unit.function, text)] += 1
        if unit.statement in unread or len(text) > LONGEST:
            continue
        occurrence = seen[key] if many[key] > 1 else 0
        found += [Site(path, unit, kind, after, occurrence) for kind, after in faults_in(unit, chance)]
    return found


def statements_unread(tree: ast.Module) -> set[ast.stmt]:
    """Return the statements that hold no behaviour, or only the text of an error."""
    unread: set[ast.stmt] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.ClassDef):
            unread |= {child for child in node.body if isinstance(child, ast.Assign | ast.AnnAssign | ast.Expr)}
        elif isinstance(node, ast.If) and "TYPE_CHECKING" in ast.unparse(node.test):
            unread |= {child for child in ast.walk(node) if isinstance(child, ast.stmt)}
        elif isinstance(node, ast.stmt) and is_silent(node):
            unread.add(node)
    return unread


def is_silent(statement: ast.stmt) -> bool:
    """Tell whether a statement only names things, describes them or says what is wrong."""
    match statement:
        case ast.Raise() | ast.Assert() | ast.Import() | ast.ImportFrom() | ast.Expr(value=ast.Constant()):
            return True
        case ast.Assign(targets=[ast.Name(id="__all__")]) | ast.AnnAssign(annotation=ast.Name(id="TypeAlias")):
            return True
    return False


def faults_in(unit: Unit, chance: random.Random) -> Iterator[tuple[str, str]]:
    """Yield each fault of a unit: its kind, and the text with it."""
    node = unit.node
    if isinstance(node, ast.Expr) and isinstance(node.value, ast.Call | ast.Await):
        yield "call", "pass"
    if is_condition(unit):
        yield "condition", "False" if isinstance(unit.statement, ast.While) else chance.choice(("True", "False"))
    whole = ast.Expression(node) if isinstance(node, ast.expr) else node
    for number, part in enumerate(parts_of(whole)):
        copied = deepcopy(whole)
        changed = list(parts_of(copied))[number]
        if (kind := put_fault(part, changed, copied, chance)) and (after := ast.unparse(copied)) != unit.text:
            yield kind, after


def is_condition(unit: Unit) -> bool:
    """Tell whether a unit decides between two ways."""
    if isinstance(unit.node, ast.stmt | ast.Constant) or any(
        isinstance(one, ast.NamedExpr) for one in ast.walk(unit.node)
    ):
        return False  # what it names would be missing, which no test could overlook
    match unit.statement:
        case ast.If(test=test) | ast.While(test=test) if unit.node is test:
            return True
        case ast.For(iter=test) | ast.AsyncFor(iter=test) | ast.Match(subject=test) if unit.node is test:
            return False
        case ast.With() | ast.AsyncWith() if any(unit.node is item.context_expr for item in unit.statement.items):
            return False
    return True


def parts_of(node: ast.AST) -> Iterator[ast.AST]:
    """Yield a node and its parts; not the texts, the annotations and the conditions, which are units of their own."""
    yield node
    for name, value in ast.iter_fields(node):
        if name in ("annotation", "ifs") or (isinstance(node, ast.IfExp) and name == "test"):
            continue
        for child in value if isinstance(value, list) else [value]:
            if isinstance(child, ast.AST) and not isinstance(child, ast.JoinedStr):
                yield from parts_of(child)


def put_fault(part: ast.AST, changed: ast.AST, whole: ast.AST, chance: random.Random) -> str:
    """Put a fault into the copy of a part, and return its kind; "" if the part has no fault."""
    match part, changed:
        case ast.Compare(), ast.Compare():
            at = chance.randrange(len(part.ops))
            changed.ops[at] = COMPARISONS[type(part.ops[at])]()
            return "compare"
        case ast.Constant(value=int(value)), ast.Constant() if not isinstance(value, bool):
            changed.value = value + chance.choice((1, -1)) if value else 1
            return "number"
        case ast.BoolOp(), ast.BoolOp():
            changed.op = ast.Or() if isinstance(part.op, ast.And) else ast.And()
            return "boolean"
        case ast.UnaryOp(op=ast.Not()), ast.UnaryOp():
            replace_in(whole, changed, changed.operand)
            return "not"
        case ast.Name(id=("min" | "max") as name), ast.Name():
            changed.id = EXTREMES[name]
            return "min_max"
    return ""


def replace_in(whole: ast.AST, old: ast.AST, new: ast.AST) -> None:
    """Put another node in the place of one."""
    for node in ast.walk(whole):
        for name, value in ast.iter_fields(node):
            if value is old:
                setattr(node, name, new)
            elif isinstance(value, list) and old in value:
                value[value.index(old)] = new


def draw(group: str, count: int, folders: tuple[str, ...], chance: random.Random) -> list[Mutant]:
    """Draw mutants from folders.

    A module is drawn in proportion to its places, a kind more often the less of it has been drawn.
    """
    paths = sorted(path.relative_to(ROOT).as_posix() for folder in folders for path in (ROOT / folder).rglob("*.py"))
    left = {path: sites for path in paths if (sites := sites_of(path, chance))}
    drawn: list[Site] = []
    from_file: Counter[str] = Counter()
    kinds: Counter[str] = Counter()
    while len(drawn) < count:
        path = chance.choices(list(left), [len(sites) for sites in left.values()])[0]
        by_kind: defaultdict[str, list[Site]] = defaultdict(list)
        for site in left[path]:
            by_kind[site.kind].append(site)
        kind = chance.choices(list(by_kind), [1 / (1 + kinds[kind]) for kind in by_kind])[0]
        site = chance.choice(by_kind[kind])
        drawn.append(site)
        kinds[kind] += 1
        from_file[path] += 1
        left[path] = [other for other in left[path] if other.unit.node is not site.unit.node]
        if from_file[path] == MOST_IN_A_FILE or not left[path]:
            del left[path]
    drawn.sort(key=lambda site: (site.path, site.unit.node.lineno, site.unit.node.col_offset))
    return [
        Mutant(f"{group}-{n:03}", site.kind, site.path, site.unit.function, site.unit.text, site.after, site.occurrence)
        for n, site in enumerate(drawn, 1)
    ]


def main() -> None:
    """Draw the list anew and say what is in it."""
    chance = random.Random(SEED)
    mutants = [one for group, (count, folders) in SHARES.items() for one in draw(group, count, folders, chance)]
    for mutant in mutants:
        compile(Places().mutated(mutant), mutant.path, "exec")
    write_list(mutants)
    print(f"{len(mutants)} mutants: {dict(Counter(mutant.kind for mutant in mutants).most_common())}")


if __name__ == "__main__":
    main()
