"""Fields that several forms of Sword World have, and how they are read."""

from __future__ import annotations

from rulesets.sword_world.order import zones
from rulesets.sword_world.stats import stats
from tracker.core.fight.state import State
from tracker.core.step import fields
from tracker.core.terms.actions import Action, Field, Option

TYPES = (Option("physical"), Option("magical"))
MODIFIER = Field("modifier", "number", default=0)
ROLL_FIXED = Field("roll_fixed", "flag", "roll 2d in place of fixed values")
ADDITIONAL = Field(
    "additional",
    "rows",
    "additional damage",
    columns=(Field("amount", "number", required=True), Field("type", "choice", options=TYPES)),
)


def given(action: Action, name: str) -> float | None:
    """Return a number as it was typed, None where none was."""
    value = action.get(name)
    typed = isinstance(value, int | float) and not isinstance(value, bool)
    return fields.measure(action, name) if typed else None


def words(action: Action, name: str) -> tuple[str, ...]:
    return tuple(word.strip() for word in fields.text(action, name).split(",") if word.strip())


def first(options: tuple[Option, ...]) -> str | None:
    return next((option.key for option in options if option.refusal is None), options[0].key if options else None)


def brawls(state: State) -> tuple[Option, ...]:
    return tuple(Option(key, zones.zone_name(state, key)) for key, _ in stats.zones(state))
