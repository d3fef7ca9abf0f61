"""Rulesets of all hostilities.

Every function of one can be made to do whatever harm code can do.

The functions are found in the Structs a ruleset is made of, so a new member is among them by itself.
"""

from __future__ import annotations

import asyncio
import os
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from tests.ui.skirmish import SKIRMISH
from tracker.core.fight.board import Board, Trail
from tracker.core.fight.events import Moved
from tracker.core.fight.slots import Id
from tracker.core.game.file_syntax import FileSyntax
from tracker.core.game.ruleset import MapRules, Ruleset
from tracker.core.game.schema import Badge, Column, Imported, NamedEffect, Reminder
from tracker.core.step.ctx import Ctx
from tracker.core.terms.actions import Action, ActionSpec, Field, Option
from tracker.core.terms.derived import Derived
from tracker.core.terms.effects import Modifier
from tracker.core.terms.labels import RuleBook

__all__ = ["HEALTHY", "HOSTILE", "QUICK", "SOME", "Switch", "functions", "values", "whole"]

Function = Callable[..., Any]
MILLION = 1_000_000


class Unreadable(Exception):
    def __str__(self) -> str:
        raise ValueError("no words")


def throws(error: BaseException | type[BaseException]) -> Function:
    def throw(*arguments: object) -> object:
        raise error

    return throw


def gives(answer: object) -> Function:
    return lambda *arguments: answer


def recurses(*arguments: object) -> object:
    return recurses(*arguments)


def loops(*arguments: object) -> object:
    while True:
        time.sleep(0)


def sleeps(*arguments: object) -> object:
    while True:
        time.sleep(1.0)


def swallows(*arguments: object) -> object:
    while True:
        with suppress(BaseException):  # the alarm among them: that is the point
            time.sleep(0)


def swallows_twice(*arguments: object) -> object:
    kept = []
    while True:
        try:
            while True:
                try:
                    time.sleep(0)
                except BaseException:  # noqa: BLE001 - as above
                    continue
        except BaseException as error:  # noqa: BLE001 - as above
            kept.append(str(error))


def keeps(*arguments: object) -> object:
    kept = []
    while True:
        try:
            time.sleep(0)
        except BaseException as error:  # noqa: BLE001 - as above
            kept.append(error)


HOSTILE: dict[str, Function] = {
    "raises": throws(LookupError("a slip in a home-made game")),
    "raises without words": throws(Unreadable()),
    "recurses": recurses,
    "loops": loops,
    "swallows the alarm": swallows,
    "swallows it twice": swallows_twice,
    "keeps it": keeps,
    "leaves": throws(SystemExit(3)),
    "cancels": throws(asyncio.CancelledError),
    "raises a base exception": throws(BaseException("base")),
    "closes": throws(GeneratorExit),
    "gives nothing": gives(None),
    "gives a thing": gives(object()),
    "gives a number": gives(7),
    "gives wrong rows": gives((7, None, "x")),
    "gives a list": gives([Badge("x")]),
    "gives a million nothings": gives((None,) * MILLION),
    "gives a million badges": gives((Badge("x"),) * MILLION),
    "gives a million reminders": gives((Reminder("x", "y"),) * MILLION),
    "gives a million actions": gives((ActionSpec("x", "X"),) * MILLION),
    "gives a million words": gives("word " * MILLION),
    "gives a form of a million": gives(ActionSpec("x", "X", fields=(Field("x", "text"),) * MILLION)),
    "gives a million options": gives(
        ActionSpec("x", "X", fields=(Field("x", "choice", options=(Option("x"),) * MILLION),))
    ),
    "gives rubbish in a form": gives(ActionSpec(None, 7, fields=(Field(None, 7, label=3),))),  # type: ignore[arg-type]  # on purpose
    "gives rubbish in rows": gives((Badge(None, 3), Badge(7))),  # type: ignore[arg-type]  # on purpose
    "gives a rubbish board": gives(Board("square", "x", None, cells=(7,))),  # type: ignore[arg-type]  # on purpose
    "gives an endless board": gives(Board("square", 10**9, 10**9)),
    "gives a rubbish number": gives(Derived(None)),  # type: ignore[arg-type]  # on purpose
}
QUICK = tuple(HOSTILE)
"""Those that cost no time but the computer's."""
if sys.platform != "win32":  # there nothing ends a sleep
    HOSTILE["sleeps"] = sleeps
SOME = tuple(HOSTILE)[:: max(1, len(HOSTILE) // int(os.environ.get("TRACKER_HARMS", len(HOSTILE))))]
"""Those of a long run."""


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
        columns=(*ruleset.columns, Column("luck", "Luck", 4, lambda state, who: "7")),
        effects=(*(replace(effect, modifiers=lambda held: ()) for effect in ruleset.effects), dim),
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
        self._path, self._harm = "", throws(LookupError)
        self.ruleset = self._switched(ruleset, "")

    def turn(self, path: str = "", harm: Function | None = None) -> None:
        """Make one function hostile and the others healthy."""
        self._path, self._harm = path, harm or throws(LookupError)

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
                return self._harm(*arguments)
            return healthy(*arguments)

        return call


def _members(record: Struct) -> Iterator[tuple[str, Any]]:
    """Yield functions, records and lists of records in a record."""
    written = type(record).__annotations__
    for name in record.__struct_fields__:
        value = getattr(record, name)
        if (
            str(written[name]).startswith("Callable[")
            or name in ("schema", "rulebook", "map")
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
