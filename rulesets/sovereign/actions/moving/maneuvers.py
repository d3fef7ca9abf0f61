"""Shoves and grapples: opposed checks instead of harm (SV-142 to SV-153, R15, R16)."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from msgspec.structs import replace

from rulesets.sovereign.actions.fighting.attack_form import MELEE, attack_fields, attack_of, fits, misfit
from rulesets.sovereign.actions.fighting.harm import damage_of, fells, fells_anyway
from rulesets.sovereign.actions.fighting.strike import Aimed, aim, reconsider
from rulesets.sovereign.actions.fighting.strikes import described
from rulesets.sovereign.aftermath import wounds
from rulesets.sovereign.aftermath.wounds import Grip, grapplers
from rulesets.sovereign.stat_blocks.models import Use
from rulesets.sovereign.stats import field
from rulesets.sovereign.stats.attack import Attack
from rulesets.sovereign.stats.attack_outcomes import PRONE
from rulesets.sovereign.stats.checks import TARGET, against, compare, opposed_goal, total
from rulesets.sovereign.stats.stats import able, best_attribute, block, check_parts, rules, unarmed
from rulesets.without_number import aftermath as shared
from rulesets.without_number import stats as family
from rulesets.without_number.actions import go_on_while_up, not_grappled
from rulesets.without_number.stats import cited, grappling
from rulesets.without_number.turn import main_action
from tracker.core.fight.slots import Id
from tracker.core.fight.state import Combatant, State
from tracker.core.step.ctx import Ctx
from tracker.core.step.fields import text
from tracker.core.step.prompts import AskedIf
from tracker.core.terms.actions import Action, Field, Option
from tracker.core.terms.derived import Part
from tracker.core.terms.effects import Effect
from tracker.core.terms.errors import Refusal
from tracker.kit.squares.grid import Square
from tracker.kit.squares.paths import step_cost

SHOVE = ("brawl", "exert")
GRAPPLE = ("brawl",)
SIZES = {"man_sized": 0, "clearly_larger_humanoid": -2, "barely_plausible": -4}


def grip(combatant: Combatant) -> Grip | None:
    held = shared.grip(combatant.effects)
    return held if isinstance(held, Grip) else None


def size_field(state: State, target: Id | None) -> Field:
    """Return the size penalty, as the target's block suggests it (SV-153, 8.7)."""
    usual = 0 if target is None or target not in state else SIZES[block(state[target]).handling]
    options = (Option("0", "man-sized"), Option("-2", "clearly larger humanoid"), Option("-4", "barely plausible"))
    return Field("size_penalty", "choice", default=str(usual), options=options)


def penalty_of(action: Action) -> int:
    return int(text(action, "size_penalty") or 0)


def _own(state: State, who: Id, skills: Sequence[str], penalty: int) -> tuple[Part, ...]:
    parts = check_parts(state[who], skills, ("str",))
    return (*parts, Part("size", penalty, "SV-153")) if penalty else parts


def contest(
    ctx: Ctx,
    what: str,
    who: Id,
    target: Id,
    skills: Sequence[str],
    penalty: int,
    *cites: str,
    asked_if: AskedIf = lambda state: True,
) -> bool | None:
    """Make the opposed check of a shove, grapple or drag (R01)."""

    def parts(state: State) -> Sequence[Part]:
        return _own(state, who, skills, penalty)

    def theirs(state: State) -> Sequence[Part]:
        return check_parts(state[target], skills, ("str",))

    def goal(state: State) -> int | None:
        return opposed_goal(state, theirs(state))

    own = total(ctx, who, parts, "check", *cites, why=what, goal=goal, asked_if=asked_if)
    if own is None:
        return None
    return compare(ctx, what, who, own, target, theirs(ctx.state), *cites).won


# -- shove -------------------------------------------------------------------------------------------------------------


def _shove_fields(state: State, action: Action) -> tuple[Field, ...]:
    if action.by is None:
        return ()
    attack, stat_block = attack_of(state, action, MELEE), block(state[action.by])
    usual = max(SHOVE, key=stat_block.level_of)
    return (
        *attack_fields(state, action, MELEE),
        Field(
            "check_skill",
            "choice",
            "skill of the check",
            default=usual,
            options=tuple(Option(skill) for skill in SHOVE),
        ),
        size_field(state, attack.target if attack else None),
    )


def _shove(ctx: Ctx, action: Action) -> None:
    """Push or fell by a hit and a check, harmlessly (SV-142 to SV-144, R16)."""
    go_on_while_up(ctx, str(action.by))
    aimed = _landed(ctx, described(ctx, action, MELEE))
    if aimed is None:
        return
    who, target = aimed.attack.actor, aimed.attack.target
    skills = (text(action, "check_skill") or SHOVE[0],)
    parts, theirs = _own(ctx.state, who, skills, penalty_of(action)), check_parts(ctx.state[target], SHOVE, ("str",))
    goal = opposed_goal(ctx.state, theirs)
    own = total(ctx, who, parts, "check", "SV-142", "SV-143", why="shove", goal=goal)
    if not compare(ctx, "shove", who, own, target, theirs, "SV-143").won:
        return
    if reconsider(ctx, replace(aimed, fixed=True), "shoved").lost:
        return
    wounds.mark(ctx, target)
    where = () if grappling(ctx.state, target) else shoved_to(ctx.state, target)
    far = not field.on_grid(ctx.state, target) and not grappling(ctx.state, target)
    options = [
        Option("prone", "knock prone"),
        *([Option("push", "push 5 feet")] if far else []),
        *(Option(f"{x},{y}", f"push to {x},{y}") for x, y in where),
    ]
    done = "prone"
    if len(options) > 1:
        why = f"{ctx.state.name(target)} is shoved"
        done = ctx.choose("shoved", options, "SV-144", "SV-R16", default="prone", who=who, why=why)
    if done == "prone":
        ctx.add_effect(PRONE.on(target, who, stacking="keep"), "SV-144", "SV-R16")
    elif done == "push":
        left = field.disengage_all(ctx, target)
        ctx.note(f"goes back 5 feet{left}", "SV-144", about=target)
    else:
        x, y = (int(part) for part in done.split(","))
        field.move(ctx, target, ((x, y),), "SV-144")


def _landed(ctx: Ctx, attack: Attack) -> Aimed | None:
    """Return the attack of a shove or grapple if it hits (SV-142, SV-145)."""
    aimed = aim(ctx, replace(attack, harmless=True))
    if aimed is not None and aimed.hit:
        aimed = reconsider(ctx, aimed, "check")
    return aimed if aimed is not None and aimed.hit and not aimed.lost else None


def shoved_to(state: State, target: Id) -> tuple[Square, ...]:
    """Return the free squares next to a target into which a step is possible (R16)."""
    ground, here = field.terrain(state), field.body(state, target)
    if ground is None or here is None:
        return ()
    crowd = field.crowd(state, target)
    around = [(here.at[0] + dx, here.at[1] + dy) for dy in (-1, 0, 1) for dx in (-1, 0, 1) if dx or dy]
    return tuple(
        at
        for at in around
        if isinstance(step_cost(ground, crowd, here, at), int) and not field.occupied(state, at, here.space, (target,))
    )


# -- grapple -----------------------------------------------------------------------------------------------------------


def _bare(state: State, action: Action) -> Action:
    return action if action.by is None or text(action, "weapon") else action.put(weapon=unarmed(state[action.by]).name)


def _grapple_fields(state: State, action: Action) -> tuple[Field, ...]:
    if action.by is None:
        return ()
    arms = tuple(
        arm.name for arm in block(state[action.by]).arms if arm.close and (arm.natural or "unarmed" in arm.use)
    )
    attack = attack_of(state, _bare(state, action), MELEE)
    fields = (
        replace(one, options=tuple(option for option in one.options if option.key in arms))
        if one.name == "weapon"
        else one
        for one in attack_fields(state, _bare(state, action), MELEE)
    )
    return (*fields, size_field(state, attack.target if attack else None))


def _grapple_refusal(state: State, action: Action) -> Refusal | None:
    if action.by is not None and state[action.by].has("grappling"):
        return Refusal("grappling", f"{state.name(action.by)} holds a victim already", "SV-147")
    return misfit(state, _bare(state, action), MELEE)


def _grapple(ctx: Ctx, action: Action) -> None:
    """Hit unarmed, win the check, and hold on (SV-145 to SV-147)."""
    go_on_while_up(ctx, str(action.by))
    aimed = _landed(ctx, described(ctx, _bare(ctx.state, action), MELEE))
    if aimed is None:
        return
    who, victim, penalty = aimed.attack.actor, aimed.attack.target, penalty_of(action)
    if not able(ctx.state, victim):
        ctx.skip("grapple", f"{ctx.state.name(victim)} is down", "SV-145", who=who)
        return
    if not contest(ctx, "grapple", who, victim, GRAPPLE, penalty, "SV-145") or not able(ctx.state, victim):
        return
    found = ("SV-146", "SV-147") if ctx.state[victim].has("grappled") else ("SV-146",)
    wounds.mark(ctx, victim)
    title = f"grappled by {ctx.state.name(who)}"
    number = ctx.add_effect(Effect("grappled", victim, source=who, stacking="add", title=title), *found)
    held = ctx.state.effect(victim, number)
    if held is not None:
        wounds.hold(ctx, held, who, penalty, *found)


def _escape_refusal(state: State, action: Action) -> Refusal | None:
    return not_grappled(state, action, "SV-146")


def _escape_goal(state: State, who: Id) -> int | None:
    """Return the number that breaks all holds of a combatant."""
    goals = [opposed_goal(state, _holding_parts(state, other)) for other in grapplers(state, who)]
    return max((goal for goal in goals if goal is not None), default=None if goals else TARGET)


def _holding_parts(state: State, other: Id) -> tuple[Part, ...]:
    """Return what a grappler adds against an escape."""
    held = grip(state[other])
    return tuple(_own(state, other, GRAPPLE, held.penalty if held else 0))


def _escape(ctx: Ctx, action: Action) -> None:
    """Try to break free: one check against every grappler (SV-146, SV-148, R15)."""
    who, tied = str(action.by), grapplers(ctx.state, str(action.by))
    go_on_while_up(ctx, who)
    own = total(
        ctx,
        who,
        lambda state: check_parts(state[who], GRAPPLE, ("str",)),
        "check",
        "SV-146",
        why="escape",
        goal=partial(_escape_goal, who=who),
        asked_if=lambda state: state[who].has("grappled"),
    )
    if own is None:
        ctx.skip("escape", f"{ctx.state.name(who)} is free already", "SV-146", who=who)
        return
    if not tied:
        if against(ctx, "escape", who, own, (Part("target", TARGET, "SV-P02"),), "SV-146"):
            ctx.end_named(who, "grappled", "breaks free", "SV-146")
        return
    beaten = []
    for other in tied:
        if other not in grapplers(ctx.state, who):
            continue
        theirs = _holding_parts(ctx.state, other)
        if compare(ctx, "escape", who, own, other, theirs, "SV-146", "SV-148", "SV-R15").won:
            beaten.append(other)
    if set(beaten) >= set(grapplers(ctx.state, who)):
        shared.release(ctx, who, "breaks free", "SV-146", "SV-R15")
    elif rules(ctx.state).grapple_escape == "each":
        for other in (one for one in beaten if one in grapplers(ctx.state, who)):
            shared.release(ctx, who, "breaks free", "SV-148", "SV-R15", only=other)


# -- the harm of a hold ------------------------------------------------------------------------------------------------


def crush(ctx: Ctx) -> None:
    """Do the harm of every grapple at the end of a round (SV-150).

    Victims come in encounter order, their grapplers in the order they grappled.
    """
    for victim in [combatant.id for combatant in ctx.state.combatants if combatant.has("grappled")]:
        for other in grapplers(ctx.state, victim) if victim in ctx.state else ():
            _squeeze(ctx, other, victim)


def _hold(state: State, other: Id, victim: Id) -> Attack:
    combatant = state[other]
    arm = unarmed(combatant)
    use: Use = "unarmed" if "unarmed" in arm.use else "melee"
    return Attack(other, victim, arm, use, best_attribute(block(combatant), arm.attribute), "brawl")


def _squeeze(ctx: Ctx, other: Id, victim: Id) -> None:
    def holds(state: State) -> bool:
        return victim in state and other in grapplers(state, victim)

    natural = ctx.roll(
        f"grapple:{other}:{victim}",
        lambda state: unarmed(state[other]).damage.natural,
        "SV-150",
        who=other,
        why=f"the hold on {ctx.state.name(victim)}",
        needed=lambda state: fells(state, _hold(state, other, victim)),
        asked_if=lambda state: holds(state) and not fells_anyway(state, _hold(state, other, victim), "SV-150"),
    )
    if not holds(ctx.state):  # an earlier squeeze may have ended it
        return
    attack = _hold(ctx.state, other, victim)
    dice = family.damage_dice(attack.weapon.damage, natural, "SV-150", "SV-R47")
    amount, parts, found = damage_of(ctx.state, attack, dice)
    cites = cited(parts, "SV-150", "SV-R15", *found)
    wounds.deal(ctx, victim, amount, *cites, parts=parts, why="grapple", source=other)
    ctx.settle()


ACTIONS = (
    main_action("shove", "Shove", "SV-142", _shove, _shove_fields, fits(MELEE), "grapple", opens=False),
    main_action("grapple", "Grapple", "SV-145", _grapple, _grapple_fields, _grapple_refusal, "grapple"),
    main_action("escape_grapple", "Escape", "SV-146", _escape, refusal=_escape_refusal, group="grapple"),
)
