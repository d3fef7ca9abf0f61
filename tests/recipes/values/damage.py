"""Damage of kinds, with resistances, and a shield that takes some of it."""

from msgspec import Struct
from msgspec.structs import replace

from tests.recipes import first_game as first
from tracker.kit import (
    Action,
    ActionTable,
    ActionType,
    At,
    Ctx,
    Damage,
    Data,
    Defences,
    Effect,
    Harm,
    Id,
    Part,
    Schema,
    State,
    budget,
    fields,
)

KINDS = ("cut", "fire", "cold")


class Beast(Struct, Data, frozen=True, tag=True):
    """A stat block with resistances: `resist: {fire: 2}` in a file."""

    hp: int = 6
    resist: dict[str, int] = {}
    weak: dict[str, int] = {}
    immune: tuple[str, ...] = ()


def defences(state: State, who: Id) -> Defences:
    """Return what the stat block has against damage."""
    block = state[who].block
    return Defences(tuple(block.resist.items()), tuple(block.weak.items()), block.immune)


def shield(ctx: Ctx, who: Id, points: int, harms: tuple[Harm, ...]) -> Part | None:
    """Let a raised shield take up to 3 points, if its bearer wants."""
    if not ctx.state[who].has("shield") or not ctx.confirm(f"shield:{who}", default=True, who=who):
        return None
    ctx.end_named(who, "shield", "it took a blow")
    return Part("shield", min(points, 3))


DAMAGE = Damage(KINDS, defences, shield)


def burn(ctx: Ctx, action: Action) -> None:
    """Do 1 point of the blade and 4 of fire."""
    DAMAGE.deal(ctx, fields.text(action, "target"), (Harm(1, "cut"), Harm(4, "fire")), source=action.by)


def raise_shield(ctx: Ctx, action: Action) -> None:
    """Hold the shield up until the next turn."""
    ctx.add_effect(Effect("shield", action.by, until=(At("turn_start", "bearer"),)))


BURN = ActionType("burn", "Burning blade", price=budget(action=1), perform=burn, fields=first.whom)
RAISE = ActionType("raise_shield", "Raise the shield", price=budget(action=1), perform=raise_shield)
ACTIONS = ActionTable((BURN, RAISE), first.ECONOMY, gm=(DAMAGE.gm_action(),))  # the GM's `-7g` takes the same way
RULESET = replace(
    first.RULESET,
    schema=Schema((("pc", Beast), ("monster", Beast))),
    actions=ACTIONS.actions,
    form=ACTIONS.form,
    perform=ACTIONS.perform,
)
