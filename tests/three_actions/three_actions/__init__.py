"""Three Actions: a small game that is built on the kit alone."""

from __future__ import annotations

from collections.abc import Callable

from three_actions.actions import ACTIONS, RAISED, READIED, policy
from three_actions.blocks import CONDITIONS, POOLS, SORTS, STATS, Being, derived, shorthand
from three_actions.turns import ORDER, join, on_boundary, settle
from tracker.kit import Badge, Column, Id, Ruleset, Schema, State, Status, rules_beside


def badges(state: State, who: Id) -> tuple[Badge, ...]:
    """Show what is left of a turn, a mark for each action and reaction."""
    one = state[who]
    left = "●" * one.left("actions") + ("↺" if one.left("reaction") else "")
    return (Badge(left or "·", "actions and reaction", "budget"),)


def points(key: str) -> Callable[[State, Id], str]:
    """Return what stands in the column of a pool."""
    return lambda state, who: " ".join(f"{one.now}/{one.max}" for one in state[who].pools if one.key == key)


def finished(state: State) -> str | None:
    """Return why the fight seems to be over."""
    sides = {one.side for one in state.combatants if one.status == "up"}
    return None if len(sides) > 1 else "one side is left" if sides else "nobody is left"


RULESET = Ruleset(
    "three_actions",
    "Three Actions",
    1,
    Schema((("pc", Being), ("monster", Being)), derived=STATS, pools=POOLS, shorthand=shorthand, modifier_kinds=SORTS),
    ORDER.open_round,
    ACTIONS.actions,
    ACTIONS.form,
    ACTIONS.perform,
    rulebook=rules_beside(__file__),
    columns=(
        Column("hp", "HP", 6, points("hp"), bar="hp"),
        Column("armour", "Arm", 3, lambda state, who: str(derived(state, who, "armour").value)),
        Column("shield", "Shield", 6, points("shield")),
    ),
    statuses=(
        Status("up", "up", acts=True),
        Status("dying", "dying", "!"),
        Status("out", "out", "z"),
        Status("dead", "dead", "x"),
        Status("gone", "gone", "-", takes_part=False),
    ),
    effects=(*CONDITIONS.effects, RAISED, READIED),
    join=join,
    on_boundary=on_boundary,
    settle=settle,
    windows=ACTIONS.windows,
    derived=derived,
    badges=badges,
    policy=policy,
    finished=finished,
)
