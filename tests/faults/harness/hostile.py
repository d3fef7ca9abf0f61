"""Rulesets that do harm: every function of one can be made to raise, recurse, loop, leave, lie and flood.

The functions are found in the Structs a ruleset is made of, so a new member is among them by itself.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from tests.ui.skirmish import SKIRMISH
from tracker.core.fight.board import Board, Trail
from tracker.core.fight.events import Moved
from tracker.core.fight.slots import Id
from tracker.core.game.file_syntax import FileSyntax
from tracker.core.game.ruleset import MapRules, Ruleset
from tracker.core.game.schema import Column, Imported, NamedEffect
from tracker.core.game.telling import Marks
from tracker.core.step.ctx import Ctx
from tracker.core.terms.actions import Action, ActionSpec, Field
from tracker.core.terms.derived import Derived
from tracker.core.terms.effects import Modifier
from tracker.core.terms.labels import RuleBook

__all__ = ["HARMS", "HEALTHY", "Switch", "functions", "values", "whole"]

Function = Callable[..., Any]
MILLION = 1_000_000
ENDLESS = ActionSpec("x", "X", fields=(Field("x", "text"),) * MILLION)


def raises(healthy: Function, *arguments: object) -> object:
    raise LookupError("a slip in a home-made game")


def recurses(healthy: Function, *arguments: object) -> object:
    return recurses(healthy, *arguments)


def loops(healthy: Function, *arguments: object) -> object:
    while True:
        time.sleep(0)


def leaves(healthy: Function, *arguments: object) -> object:
    raise SystemExit(3)


def lies(healthy: Function, *arguments: object) -> object:
    """Answer with another type, or with the same one full of other types."""
    match healthy(*arguments):
        case ActionSpec() | Board() | Derived() as answer:
            return replace(answer, **dict.fromkeys(answer.__struct_fields__))
        case (Struct() as row, *_):
            return (replace(row, **dict.fromkeys(row.__struct_fields__)), None)
        case tuple():
            return (7, None, "x")
        case answer:
            return 7 if answer is None else object()


def floods(healthy: Function, *arguments: object) -> object:
    """Answer with a million of what is wanted, or with an endless number."""
    match healthy(*arguments):
        case None | str():
            return "word " * MILLION
        case int():
            return 10**9
        case tuple() as answer:
            return (answer[:1] or (None,)) * MILLION
        case ActionSpec():
            return ENDLESS
        case Board():
            return Board("square", 10**9, 10**9)
        case answer:
            return answer


HARMS: dict[str, Function] = {harm.__name__: harm for harm in (raises, recurses, loops, leaves, lies, floods)}


def whole(ruleset: Ruleset) -> Ruleset:
    """Return a game with all that a ruleset may leave out."""
    schema = replace(
        ruleset.schema,
        board="square",
        derived=ruleset.schema.derived or ("defence",),
        shorthand=lambda kind, plain: plain,
        importer=lambda text, system, choices: Imported("monster", {"name": "Thug"}),
        convert_creature=lambda creature: Imported("monster", {"name": "Thug"}),
        file_syntax=FileSyntax,
        warnings=lambda block: (),
        group_warnings=lambda members: (),
    )
    dim = NamedEffect("dim", "dim", value=1, modifiers=lambda held: (Modifier("defence", -held),))
    rules = ruleset.rulebook.rules

    def join(ctx: Ctx, newcomers: tuple[Id, ...]) -> None:
        ruleset.join(ctx, newcomers)
        for place, who in enumerate(newcomers):
            ctx.emit(Moved(who, None, (place % 8, 1 + place // 8)))

    return replace(
        ruleset,
        schema=schema,
        rulebook=RuleBook(source=lambda: rules),
        columns=(
            *(replace(column, gauge=lambda state, who: None) for column in ruleset.columns),
            Column("luck", "Luck", 4, lambda state, who: "7", gauge=lambda state, who: (7, 10)),
        ),
        effects=(*(replace(effect, modifiers=lambda held: ()) for effect in ruleset.effects), dim),
        telling=replace(ruleset.telling, marks=Marks("harm", lambda value: (1,))),
        join=join,
        skip=lambda state, slot: None,
        meant=lambda state, moment: moment.until,
        derived=lambda state, who, name: Derived(12),
        map=MapRules(
            board=lambda state: Board("square", 8, 6, "5 ft", shapes=("circle", "cone")),
            reach=lambda state, who: (((1, 1), 5), ((1, 2), 10)),
            trail=lambda state, who, to: Trail((to,), 5),
            sight=lambda state, who, target: "half cover",
            area=lambda state, template: (template.to,),
            threat=lambda state, who: ((1, 1),),
            gauge=lambda state, one, other: "5 ft",
            approaches=lambda state, who, target: ((Action("next"),),),
            course=lambda state, deed: Trail(((1, 1),), 5),
        ),
        outcomes=lambda before, after, entries, who: ("critical",),
    )


HEALTHY = whole(SKIRMISH)


class Switch:
    """A ruleset whose functions can be exchanged while it is in use.

    Attributes:
        ruleset: the game, healthy until a function is exchanged.
        paths: what its functions are called.
        members: the records they are members of, each with the member's name.
        called: those that were called while they were hostile.
        met: those that were called at all.
    """

    def __init__(self, ruleset: Ruleset = HEALTHY) -> None:
        self.paths: list[str] = []
        self.members: set[tuple[type, str]] = set()
        self.called: set[str] = set()
        self.met: set[str] = set()
        self._path, self._harm = "", raises
        self.ruleset = self._switched(ruleset, "")

    def turn(self, path: str = "", harm: str = "raises") -> None:
        """Make one function hostile and the others healthy."""
        self._path, self._harm = path, HARMS[harm]

    def _switched(self, record: Any, path: str) -> Any:
        changed: dict[str, Any] = {}
        for name, value in _members(record):
            if isinstance(value, tuple):
                rows = [self._switched(row, f"{path}{name}.{place}.") for place, row in enumerate(value)]
                changed[name] = tuple(rows)
            elif isinstance(value, Struct):
                changed[name] = self._switched(value, f"{path}{name}.")
            else:
                self.members.add((type(record), name))
                changed[name] = self._exchangeable(f"{path}{name}", value)
        return replace(record, **changed) if changed else record

    def _exchangeable(self, path: str, healthy: Function) -> Function:
        assert callable(healthy), f"{path} is left out by the healthy game"
        self.paths.append(path)

        def call(*arguments: object) -> object:
            self.met.add(path)
            if self._path == path:
                self.called.add(path)
                return self._harm(healthy, *arguments)
            return healthy(*arguments)

        return call


def _members(record: Struct) -> Iterator[tuple[str, Any]]:
    """Yield functions, records and lists of records in a record."""
    written = type(record).__annotations__
    for name in record.__struct_fields__:
        value = getattr(record, name)
        if (
            str(written[name]).startswith("Callable[")
            or name in ("schema", "rulebook", "map", "telling", "marks")
            or (isinstance(value, tuple) and value and isinstance(value[0], Struct))
        ):
            yield name, value


def functions() -> list[str]:
    """Return what the functions of a ruleset are called."""
    return Switch().paths


def values() -> Iterator[tuple[str, object]]:
    """Yield members that are no functions, each with every kind of rubbish."""
    for record, path in ((HEALTHY, ""), (HEALTHY.schema, "schema.")):
        for name in record.__struct_fields__:
            for rubbish in (None, 7, "x", object(), (), (None,) * MILLION, [1], (7, "x"), "x" * MILLION):
                yield f"{path}{name}", rubbish
