"""What the GM does besides the declared acts: melee, ambush, forced movement, the schedule.

section 6.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from rulesets.spelljammer.actions.damage import DAMAGE
from rulesets.spelljammer.actions.moving import no_free_attack
from rulesets.spelljammer.actions.pending_acts import resolve_ties
from rulesets.spelljammer.actions.spells import interrupt
from rulesets.spelljammer.actions.strike import engage, strike
from rulesets.spelljammer.order import declare, initiative, opening, schedule
from rulesets.spelljammer.order.schedule import driven
from rulesets.spelljammer.stat_blocks.tables import D100, multiple
from rulesets.spelljammer.stats import costs, stats
from rulesets.spelljammer.stats.chance import Options
from rulesets.spelljammer.stats.effects import FALLEN
from tracker.core.fight.events import Checked
from tracker.core.fight.slots import Slot
from tracker.core.fight.state import FIGHT, Combatant, State
from tracker.core.game.action_types import ActionType
from tracker.core.step.ctx import Ctx
from tracker.core.terms.actions import Action, ActionSpec, Field, Option
from tracker.core.terms.derived import Part
from tracker.core.terms.errors import Refusal
from tracker.core.terms.words import up_to
from tracker.kit import fields, refusals


def _standing(state: State) -> tuple[Option, ...]:
    return fields.options(stats.standing(state))


def _first(people: Sequence[Option]) -> str | None:
    return people[0].key if people else None


# -- driving back, and movement by force -------------------------------------------------------------------------------


def _force_move_fields(state: State, action: Action) -> tuple[Field, ...]:
    targets = fields.options(driven(state, str(action.by)))
    return (
        Field("target", "combatant", default=_first(targets), options=targets),
        Field("distance", "number", "feet", 10, minimum=0, maximum=10),
        Field("text", "text", "where to"),
    )


def _no_drive(state: State, action: Action) -> Refusal | None:
    """Refuse to drive back where no desperate defender has just been attacked."""
    if driven(state, str(action.by)):
        return None
    text = "only after a melee attack on a desperate defender, once a round"
    return Refusal("no_melee_attack", text, "SJ-122", forcible=False)


def _force_move(ctx: Ctx, action: Action) -> None:
    """Drive a desperate defender back, once a round (SJ-122)."""
    who, target = str(action.by), str(action.get("target"))
    ctx.fact(who, f"drives:{target}", False, "SJ-122")  # once a round
    where = f", {action.get('text')}" if action.get("text") else ""
    ctx.note(f"is driven {action.get('distance')} ft{where}", "SJ-122", about=target)


def _still(state: State) -> tuple[Combatant, ...]:
    return tuple(combatant for combatant in stats.standing(state) if combatant.has("no_movement"))


def _forced_fields(state: State, action: Action) -> tuple[Field, ...]:
    still = fields.options(_still(state))
    return (Field("who", "combatant", default=_first(still), options=still),)


def _nobody_still(state: State, action: Action) -> Refusal | None:
    if state.clock.over or _still(state):
        return refusals.fight_over(state)
    return Refusal("nobody_stands_still", "nobody has declared no movement", "SJ-021", forcible=False)


def _forced_move(ctx: Ctx, action: Action) -> None:
    """Move a combatant that declared no movement (SJ-021 to SJ-023)."""
    who = fields.text(action, "who")
    ctx.fact(who, "lost_acts", True, "SJ-021")
    interrupt(ctx, who, "forced to move", "SJ-023")
    roll = ctx.roll(
        f"stay_up:{who}",
        D100,
        "SJ-022",
        who=who,
        why=lambda state: f"to stay up: {up_to(2 * stats.dex(state, who), 100)}",
        asked_if=lambda state: stats.stands(state, who),
    )
    if roll is None:
        return
    dex = stats.dex(ctx.state, who)
    stays = multiple(roll, dex) <= 2
    ctx.emit(
        Checked(
            "stay up",
            who,
            roll,
            "stays up" if stays else "falls",
            parts=(Part("d100", roll),),
            against=2 * dex,
            against_what="2× DEX",
            success=stays,
        ),
        "SJ-022",
    )
    if not stays:
        ctx.add_effect(FALLEN.on(who, stacking="keep"), "SJ-022")


# -- melee -------------------------------------------------------------------------------------------------------------


def _pair(state: State, action: Action, by: str = "", required: bool = True) -> tuple[Field, ...]:
    people = _standing(state)
    note = "" if required else "empty: everybody"
    return (
        Field("who", "combatant", by, required=True, options=people),
        Field("target", "combatant", required=required, options=people, note=note),
    )


def _one_combatant(state: State, action: Action) -> Refusal | None:
    same = action.get("who") is not None and action.get("who") == action.get("target")
    return Refusal("same_combatant", "name two different combatants", forcible=False) if same else None


def _no_attack(state: State, action: Action) -> Refusal | None:
    """Refuse a free attack after the fight, on oneself, and by those who have none."""
    who = action.get("who")
    defends = no_free_attack(state, who) if isinstance(who, str) and who in state else None
    return refusals.fight_over(state) or _one_combatant(state, action) or defends


def _engage_pair(ctx: Ctx, action: Action) -> None:
    """Count a pair as in melee (SJ-128)."""
    engage(ctx, fields.text(action, "who"), fields.text(action, "target"))


def _disengage(ctx: Ctx, action: Action) -> None:
    """Take a combatant out of melee with one opponent, or with all (SJ-129)."""
    who, target = fields.text(action, "who"), fields.text(action, "target")
    for other in (target,) if target else stats.engaged(ctx.state, who):
        ctx.fact(stats.pair(who, other), "engaged", None, "SJ-129")


def _free_attack(ctx: Ctx, action: Action) -> None:
    """Make a free attack with the first melee weapon (SJ-128, SJ-136)."""
    who = fields.text(action, "who")
    weapons = stats.block(ctx.state, who).weapons
    weapon = next((weapon for weapon in weapons if weapon.kind == "melee"), weapons[0])
    strike(ctx, who, fields.text(action, "target"), weapon, Options(free=True))


# -- declarations and the schedule -------------------------------------------------------------------------------------


def _side_fields(state: State, action: Action) -> tuple[Field, ...]:
    sides = tuple(Option(side.id, side.name) for side in state.sides)
    foes = next((side.id for side in state.sides if side.control == "gm"), _first(sides))
    return (Field("side", "choice", default=foes, required=True, options=sides),)


def _too_late(state: State, action: Action) -> Refusal | None:
    """Refuse the defaults once declarations are closed."""
    return refusals.fight_over(state) or costs.too_late(state)


def _undeclared(state: State, action: Action) -> Refusal | None:
    """Refuse to roll initiative twice, or before everybody has declared."""
    if state.clock.over:
        return refusals.fight_over(state)
    if state.clock.phase != "declare" or state.fact(FIGHT, "closed"):
        return Refusal("late_declaration", "initiative has been rolled", "SJ-002", forcible=False)
    if waiting := declare.undeclared(state):
        names = ", ".join(combatant.name for combatant in waiting[:6])
        return Refusal("undeclared", f"still to declare: {names}", "SJ-001")
    return None


def _ambush_fields(state: State, action: Action) -> tuple[Field, ...]:
    """Return the form of an ambush: its victims, and who springs it.

    Usually those who have not fought in an earlier round.
    """
    victims = fields.texts(action.get("victims"))
    sides = {state[who].side for who in victims if who in state}
    hidden = tuple(
        one.id
        for one in stats.standing(state)
        if one.fact("last") is None and one.id not in victims and (not sides or one.side not in sides)
    )
    return (
        Field("victims", "combatants", required=True, options=_standing(state)),
        Field("ambushers", "combatants", "who springs it", hidden, required=True, options=_standing(state)),
    )


def _no_ambush(state: State, action: Action) -> Refusal | None:
    """Refuse an ambush once initiative is rolled, or a second one in a round."""
    early = state.clock.phase == "declare" and not state.fact(FIGHT, "closed")
    early = early and not any(stats.ambush_level(state, one.id) for one in state.combatants)
    if state.clock.over or early:
        return refusals.fight_over(state)
    text = "an ambush comes before initiative is rolled, once a round"
    return Refusal("late_declaration", text, "SJ-055", forcible=False)


def _ambush(ctx: Ctx, action: Action) -> None:
    """Catch the victims of an ambush, whose declarations are lost (SJ-055)."""
    caught = fields.texts(action.get("victims"))
    ctx.fact(FIGHT, "ambushers", fields.texts(action.get("ambushers")), "SJ-055")
    for one in caught:
        ctx.fact(one, "declaration", None, "SJ-055")
    opening.ambush(ctx, caught)


def _movable(state: State) -> tuple[Slot, ...]:
    return tuple(slot for slot in state.clock.upcoming if stats.act_of(slot) is not None)


def _move_fields(state: State, action: Action) -> tuple[Field, ...]:
    slots = tuple(Option(slot.id, f"{slot.segment}: {slot.title}") for slot in _movable(state))
    segment = state.clock.current.segment if state.clock.current is not None else None
    most = 30 if segment is None else max(initiative.LAST, segment)
    return (
        Field("slot", "choice", default=_first(slots), options=slots),
        Field("segment", "number", required=True, minimum=initiative.LAST, maximum=most),
    )


def _no_act(state: State, action: Action) -> Refusal | None:
    if state.clock.over or _movable(state):
        return refusals.fight_over(state)
    return Refusal("no_act", "no act is still to come in this round", "SJ-004", forcible=False)


def _move(ctx: Ctx, action: Action) -> None:
    """Put an act on another segment (SJ-004)."""
    schedule.move_act(ctx, fields.text(action, "slot"), fields.number(action, "segment"))


def _not_tied(state: State, action: Action) -> Refusal | None:
    """Refuse to resolve acts together where none happen at once."""
    if state.clock.over or len(schedule.tied(state)) > 1:
        return refusals.fight_over(state)
    return Refusal("not_tied", "no acts happen at once here", "SJ-A02", forcible=False)


def _next_form(state: State, action: Action) -> ActionSpec | None:
    """Return the refusal of `next` among declarations, and its form before an act.

    None at other times: then it is the same as in every game.
    """
    if state.clock.phase != "declare" or state.clock.over:
        return ActionSpec("next", "Next", action.by, group="game master") if schedule.waits(state) else None
    text = "the round would pass without an act: close the declarations instead"
    refusal = Refusal("undeclared", text, "SJ-002")
    return ActionSpec("next", "Next", action.by, "", "SJ-001", (), refusal, "game master")


def _walk(ctx: Ctx, action: Action) -> None:
    """Go on to the next slot, and tell of an act that is left out."""
    if (slot := schedule.waits(ctx.state)) is not None:
        why = schedule.skip(ctx.state, slot) or Refusal("left_out", "left out", "SJ-004")
        ctx.skip(slot.title, why.text, why.rule, who=slot.members[0] if why.reason == "unable" else None)
    ctx.walk()


DRIVE_BACK = ActionType(
    "force_move",
    "Drive back",
    "SJ-122",
    when="any",
    perform=_force_move,
    fields=_force_move_fields,
    refusal=_no_drive,
    group="act",
)

_gm = partial(ActionType, group="game master")

GM_ACTIONS = (
    _gm(
        "declare_defaults",
        "Accept the defaults of a side",
        "SJ-001",
        perform=declare.declare_defaults,
        fields=_side_fields,
        refusal=_too_late,
    ),
    _gm(
        "close_declarations",
        "Close declarations and roll initiative",
        "SJ-002",
        perform=schedule.close_declarations,
        refusal=_undeclared,
    ),
    _gm("resolve_ties", "All acts of this segment", "SJ-A02", perform=resolve_ties, refusal=_not_tied),
    _gm(
        "forced_move",
        "Move a combatant by force",
        "SJ-021",
        perform=_forced_move,
        fields=_forced_fields,
        refusal=_nobody_still,
    ),
    _gm("engage", "In melee", "SJ-128", perform=_engage_pair, fields=_pair, refusal=_one_combatant),
    _gm("disengage", "Out of melee", "SJ-129", perform=_disengage, fields=partial(_pair, required=False)),
    _gm(
        "free_attack", "Free attack", "SJ-128", perform=_free_attack, fields=partial(_pair, by="by"), refusal=_no_attack
    ),
    _gm("ambush", "Ambush in this round", "SJ-055", perform=_ambush, fields=_ambush_fields, refusal=_no_ambush),
    _gm("move", "Put an act on another segment", "SJ-004", perform=_move, fields=_move_fields, refusal=_no_act),
    DAMAGE,
    _gm("next", "Next", "SJ-001", perform=_walk, form=_next_form),
)
"""What the GM can do; `move`, `damage` and `next` replace the generic ones."""
