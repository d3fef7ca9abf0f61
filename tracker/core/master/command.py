"""A generic command: what the GM can do in every game, as one record."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeAlias

from msgspec import Struct

from tracker.core.fight.memo import per_state
from tracker.core.fight.state import State
from tracker.core.game.ruleset import Ruleset
from tracker.core.step.ctx import Ctx
from tracker.core.terms.actions import Action, ActionSpec, Field, Option
from tracker.core.terms.errors import Refusal
from tracker.core.terms.values import Value

Fields: TypeAlias = Callable[[Ruleset, State, Action], Sequence[Field]]
Deed: TypeAlias = Callable[[Ctx, Ruleset, Action], None]


def bare(ruleset: Ruleset, state: State, action: Action) -> tuple[Field, ...]:
    """Return no fields."""
    return ()


def _possible(state: State) -> Refusal | None:
    return None


class Command(Struct, frozen=True):
    """One generic command.

    Attributes:
        key: the action's key; a ruleset's action of the same key replaces it.
        label: its name.
        deed: what it does.
        fields: its form, as far as it is filled in.
        refusal: why it cannot be done now, or None.
        any_time: it may be done in the middle of a step, as an interruption.
        place: where it is listed; those that say nothing come last.
        squares: only games with maps of squares have it.
    """

    key: str
    label: str
    deed: Deed
    fields: Fields = bare
    refusal: Callable[[State], Refusal | None] = _possible
    any_time: bool = True
    place: int = 100
    squares: bool = False

    def spec(self, ruleset: Ruleset, state: State, action: Action) -> ActionSpec:
        """Return its specification, as far as the action is filled in."""
        return ActionSpec(
            self.key,
            self.label,
            None,
            fields=tuple(self.fields(ruleset, state, action)),
            refusal=self.refusal(state),
            group="game master",
        )


@per_state
def people(state: State) -> tuple[Option, ...]:
    """Return everybody in the fight."""
    return tuple([Option(combatant.id, combatant.name) for combatant in state.combatants])


def number(action: Action, name: str) -> int:
    """Return the number in a field."""
    return whole(action.get(name))


def whole(value: Value) -> int:
    """Return a value as a whole number, 0 for what is none."""
    return int(value) if isinstance(value, int | float) else 0


def ids(action: Action, name: str) -> tuple[str, ...]:
    """Return the ids in a field, each once."""
    value = action.get(name)
    return tuple(dict.fromkeys(str(item) for item in value)) if isinstance(value, tuple) else ()
