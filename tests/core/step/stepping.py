"""A fight in which actions do what a test says."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TypeVar

from msgspec.structs import replace

from tests.support import individual, sides
from tests.support.common import encounter, member
from tracker.core.fight.state import State
from tracker.core.game.ruleset import Ruleset
from tracker.core.run import Outcome, Pending
from tracker.core.step.ctx import Ctx
from tracker.core.terms.actions import Action, ActionSpec, Field, action
from tracker.core.terms.dice import Dice
from tracker.core.terms.errors import Refusal
from tracker.core.terms.requests import Kind, Request
from tracker.testing.table import Table

D6, D20 = Dice.parse("1d6"), Dice.parse("1d20")
K = TypeVar("K", bound=Kind)


ActionType = Callable[[Ctx, Action], object]


def doing(
    deeds: Mapping[str, ActionType], *, base: Ruleset = individual.RULESET, refusal: Mapping[str, Refusal] | None = None
) -> Table:
    """Return a fight in which these actions do these things. Ada is first, then Gog, then Bo."""

    def form(state: State, wanted: Action) -> ActionSpec | None:
        if wanted.key not in deeds:
            return base.form(state, wanted)
        return ActionSpec(
            wanted.key,
            wanted.key.capitalize(),
            wanted.by,
            fields=(Field("target", "combatant", anybody=True),),
            refusal=(refusal or {}).get(wanted.key),
        )

    def perform(ctx: Ctx, wanted: Action) -> None:
        deed = deeds.get(wanted.key)
        if deed is None:
            base.perform(ctx, wanted)
        else:
            deed(ctx, wanted)

    fight = encounter(base.key, party=(member("Ada", kind="pc"), member("Bo", kind="pc")), foes=(member("Gog"),))
    first = (
        {"initiative:ada": 9, "initiative:gog": 6, "initiative:bo": 3}
        if base is individual.RULESET
        else {"initiative:party": 8, "initiative:goblins": 1}
    )
    return Table(replace(base, form=form, perform=perform), fight, first)


def one(deed: ActionType) -> Table:
    """Return a fight with one action, `do`."""
    return doing({"do": deed})


def refused(outcome: Outcome) -> Refusal:
    assert isinstance(outcome, Refusal), outcome
    return outcome


def pending(outcome: Outcome) -> Request:
    assert isinstance(outcome, Pending), outcome
    return outcome.request


def as_kind(request: Request, kind: type[K]) -> K:
    """Return a request, which must be of this kind."""
    assert isinstance(request, kind), request
    return request


def swordplay() -> Table:
    """Return a fight in which Gog may dodge or snap back. Ada may strike Gog."""
    return doing({}, base=sides.RULESET)


ATTACK = action("attack", "ada", target="gog")
