"""What the GM does by hand: harm, areas, statuses, places, melees (R29, R36, SV-011)."""

from __future__ import annotations

from msgspec.structs import replace

from rulesets.sovereign.actions import waiting
from rulesets.sovereign.actions.care import items, skills
from rulesets.sovereign.actions.fighting import execution, opportunity, strikes, swarm
from rulesets.sovereign.actions.moving import drag, maneuvers, movement
from rulesets.sovereign.actions.payment import RULES
from rulesets.sovereign.aftermath import wounds
from rulesets.sovereign.stats import field
from rulesets.sovereign.stats.stats import block
from rulesets.without_number.actions import GROUP, damage_fields, status_action
from tracker.core.fight.events import Moved
from tracker.core.fight.slots import Id
from tracker.core.fight.state import State
from tracker.core.game.action_types import ActionType
from tracker.core.step.ctx import Ctx
from tracker.core.step.fields import ids, number, options, shares, square, text
from tracker.core.terms.actions import Action, ActionSpec, Field
from tracker.core.terms.errors import Refusal
from tracker.kit.squares.grid import Body, caught, footprint

STATUSES = ("up", "down", "mortal", "stable", "dead", "gone")
AT_ZERO = ("down", "mortal", "stable")


def _damage_fields(state: State, action: Action) -> tuple[Field, ...]:
    return damage_fields(state)


def _damage(ctx: Ctx, action: Action) -> None:
    """Take hit points, halves rounded down."""
    for who, taken, why in shares(action, number(action, "amount")):
        wounds.deal(ctx, who, taken, why=why)


# -- an area -----------------------------------------------------------------------------------------------------------


def _inside(state: State, action: Action) -> tuple[Id, ...]:
    """Return who stands in an area, as far as a corner is named."""
    corner = square(action, "corner")
    if corner is None:
        return ()
    radius = number(action, "radius")
    found = []
    for combatant in state.combatants:
        place = None if combatant.status in ("dead", "gone") else field.body(state, combatant.id)
        if place is not None and caught(place, corner, radius):
            found.append(combatant.id)
    return tuple(found)


def _area_fields(state: State, action: Action) -> tuple[Field, ...]:
    people = options(state.combatants)
    filled = action if action.get("radius") is not None else action.put(radius=10)
    return (
        Field("corner", "square", "around the corner", required=True),
        Field("radius", "number", "radius in feet", default=10, minimum=5, maximum=500),
        Field("amount", "number", required=True, minimum=0, default=0),
        Field("targets", "combatants", default=_inside(state, filled), options=people),
        Field("halved", "combatants", "saved: half", options=people),
    )


def _area(ctx: Ctx, action: Action) -> None:
    """Harm those listed, by default a square around a corner (SV-011, R29)."""
    side = 2 * (number(action, "radius") // 5)
    ctx.note(f"{side} x {side} squares", "SV-011", "SV-R29")
    halved = ids(action, "halved")
    for who in dict.fromkeys((*ids(action, "targets"), *halved)):
        taken = number(action, "amount") // 2 if who in halved else number(action, "amount")
        wounds.deal(ctx, who, taken, "SV-011", why="half" if who in halved else "")


# -- places and melees ------------------------------------------------------------------------------------------


def _place_fields(state: State, action: Action) -> tuple[Field, ...]:
    return (
        Field("who", "combatant", required=True, options=options(state.combatants)),
        Field("x", "number", required=True),
        Field("y", "number", required=True),
    )


def _place_refusal(state: State, action: Action) -> Refusal | None:
    who, x, y = state.get(text(action, "who")), action.get("x"), action.get("y")
    if who is None or not isinstance(x, int) or not isinstance(y, int):
        return (
            None
            if not isinstance(x, float) and not isinstance(y, float)
            else Refusal("no_square", "a square has whole numbers", "", forcible=False)
        )
    ground = field.terrain(state)
    if ground is None:
        return Refusal("no_grid", "this fight has no grid", "SV-R32", forcible=False)
    if not all(ground.inside(part) for part in footprint(Body((x, y), block(who).space))):
        return Refusal("off_map", f"{x},{y} is not on the map", "SV-013", forcible=False)
    if field.occupied(state, (x, y), block(who).space, (who.id,)):
        return Refusal("occupied", f"{x},{y} is occupied or cannot be entered", "SV-R45", forcible=False)
    return None


def _place(ctx: Ctx, action: Action) -> None:
    who, x, y = text(action, "who"), number(action, "x"), number(action, "y")
    ctx.emit(Moved(who, ctx.state[who].position, (x, y)), "SV-003")


def _engage_fields(state: State, action: Action) -> tuple[Field, ...]:
    who = text(action, "who")
    met = field.engaged(state, who) if who in state else ()
    others = tuple(option for option in options(state.combatants) if option.key != who)
    return (
        Field("who", "combatant", required=True, options=options(state.combatants)),
        Field("with", "combatants", "with", default=tuple(other for other in met if other != who), options=others),
    )


def _engage(ctx: Ctx, action: Action) -> None:
    """Say who is in melee with whom, where no map tells it (4.8)."""
    who = text(action, "who")
    field.disengage_all(ctx, who)
    for other in ids(action, "with"):
        if other != who:
            field.engage(ctx, who, other)
    if not field.engaged(ctx.state, who):
        ctx.note("out of every melee", "SV-R32", about=who)


GM = (
    ActionType("damage", "Damage", perform=_damage, fields=_damage_fields, group=GROUP),
    ActionType("area", "Area", "SV-011", perform=_area, fields=_area_fields, group=GROUP),
    status_action(STATUSES, AT_ZERO),
    ActionType(
        "place", "Put somewhere", "SV-003", perform=_place, fields=_place_fields, refusal=_place_refusal, group=GROUP
    ),
    ActionType("engage", "In melee with", "SV-R32", perform=_engage, fields=_engage_fields, group=GROUP),
)


_TURN = (
    *strikes.ACTIONS,
    *movement.ACTIONS,
    *swarm.ACTIONS,
    *maneuvers.ACTIONS,
    *drag.ACTIONS,
    *skills.ACTIONS,
    *items.ACTIONS,
    *waiting.ACTIONS,
)


def _holdable(kind: ActionType) -> bool:
    """Tell whether a held turn may be spent on an action."""
    return (kind.when == "turn" or kind.key in ("swarm_resolve", "other")) and kind.key not in ("hold", "charge")


def _shown(spec: ActionSpec) -> bool:
    """Tell whether an action is listed.

    The melee attack always is, others unless they make no sense here.
    """
    return spec.refusal is None or spec.refusal.forcible or spec.key == "attack_melee"


_HELD = {kind.key: kind for kind in _TURN if _holdable(kind)}

ACTIONS = replace(
    RULES,
    types=(*_TURN, *execution.ACTIONS, waiting.held_turn(_HELD), *opportunity.ACTIONS),
    gm=(*skills.GM, *GM),
    shown=_shown,
)
