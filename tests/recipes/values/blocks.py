"""A nested stat block: a list of weapons, and a form that offers them."""

from typing import Annotated, Literal

from msgspec import Meta, Struct
from msgspec.structs import replace

from tests.recipes import first_game as first
from tracker.kit import (
    Action,
    ActionTable,
    ActionType,
    Ctx,
    Data,
    Dice,
    Field,
    Id,
    Option,
    Schema,
    State,
    budget,
    fields,
)


class Weapon(Struct, frozen=True):
    """A part of a stat block: `{name: axe, damage: 1d6+1, hands: 2}` in a file."""

    name: str
    damage: Dice
    hands: Literal[1, 2] = 1


class Armed(Struct, Data, frozen=True, tag=True):
    """A stat block with a bounded number: a mistake is named with its line."""

    name: str
    hp: Annotated[int, Meta(ge=1)] = 6
    weapons: tuple[Weapon, ...] = (Weapon("fist", Dice.of(1, 2)),)


def weapons(state: State, who: Id) -> dict[str, Weapon]:
    """Return a combatant's weapons by name."""
    return {weapon.name: weapon for weapon in state[who].block.weapons}


def with_what(state: State, action: Action) -> tuple[Field, ...]:
    """Return the form of a blow: which foe, with which weapon."""
    offered = tuple(Option(name, note=str(one.damage)) for name, one in weapons(state, action.by).items())
    return (*first.whom(state, action), fields.choice("weapon", offered))


def hit(ctx: Ctx, action: Action) -> None:
    """Roll the weapon's dice and add their fixed number."""
    target, weapon = fields.text(action, "target"), weapons(ctx.state, action.by)[fields.text(action, "weapon")]
    points = ctx.roll("damage", weapon.damage, who=action.by) + weapon.damage.plus
    ctx.change(target, "hp", ctx.state[target].hp - points, source=action.by)


ACTIONS = ActionTable(
    (ActionType("hit", "Hit", cost="Action", price=budget(action=1), perform=hit, fields=with_what),), first.ECONOMY
)
RULESET = replace(
    first.RULESET,
    schema=Schema((("pc", Armed), ("monster", Armed))),
    actions=ACTIONS.actions,
    form=ACTIONS.form,
    perform=ACTIONS.perform,
)
