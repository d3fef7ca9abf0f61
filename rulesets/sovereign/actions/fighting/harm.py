"""The harm of an attack: damage of a hit, Shock of a miss (5.10)."""

from __future__ import annotations

from functools import partial

from rulesets.sovereign.actions.fighting.strike import Aimed, aim, reconsider
from rulesets.sovereign.aftermath import wounds
from rulesets.sovereign.stats.attack import Attack, at_hand, damage_parts
from rulesets.sovereign.stats.attack_outcomes import SHIELD_USED, missed
from rulesets.sovereign.stats.stats import armor_class, block, rules
from rulesets.without_number import stats as family
from rulesets.without_number.actions import ruled
from rulesets.without_number.stats import cited
from tracker.core.fight.state import State
from tracker.core.step.ctx import Ctx
from tracker.core.terms.derived import Part
from tracker.core.terms.words import felling

VERDICT_RULES: dict[str, tuple[str, ...]] = {
    "harms": ("SV-134", "SV-135"),
    "none": ("SV-138",),
    "armored": ("SV-135",),
    "immune": ("SV-140", "SV-137"),
    "shield": ("SV-139", "SV-137"),
    "total_defense": ("SV-089", "SV-140"),
}


def harm(ctx: Ctx, aimed: Aimed) -> None:
    """Do the harm of a hit or the Shock of a miss, then settle."""
    sure = reconsider(ctx, aimed, f"damage{aimed.attack.tag}") if aimed.hit else aimed
    if sure.lost:
        return
    if sure.hit:
        _hurt(ctx, sure.attack)
    else:
        _shock(ctx, sure.attack)
    ctx.settle()


def strike(ctx: Ctx, attack: Attack) -> None:
    """Make a whole attack, with its harm."""
    aimed = aim(ctx, attack)
    if aimed is not None:
        harm(ctx, aimed)


def _hurt(ctx: Ctx, attack: Attack) -> None:
    arm = attack.weapon
    why = f"{arm.name} against {ctx.state.name(attack.target)}"
    natural = ctx.roll(
        f"damage{attack.tag}",
        arm.damage.natural,
        "SV-130",
        who=attack.actor,
        why=why,
        needed=partial(fells, attack=attack),
        asked_if=lambda state: not fells_anyway(state, attack, "SV-130"),
    )
    dice = family.damage_dice(arm.damage, natural, "SV-130", "SV-R47")
    amount, parts, found = damage_of(ctx.state, attack, dice)
    amount = ruled(ctx, f"damage{attack.tag}", amount)
    wounds.deal(
        ctx, attack.target, amount, *cited(parts, "SV-130", *found), parts=parts, why=arm.name, source=attack.actor
    )


def fells_anyway(state: State, attack: Attack, rule: str) -> bool:
    """Tell whether even the least dice of a hit fell the target, so that no face matters (R47)."""
    target = state.get(attack.target)
    if target is None or not attack.weapon.damage.terms:
        return False
    least, _, _ = damage_of(state, attack, family.damage_dice(attack.weapon.damage, None, rule, "SV-R47"))
    return least >= max(1, target.hp)


def damage_of(state: State, attack: Attack, dice: tuple[Part, ...]) -> tuple[int, tuple[Part, ...], tuple[str, ...]]:
    """Return the damage of a hit, its parts and further rules (SV-067, SV-068, SV-133).

    A swarm lifts it to the usual maximum at most, Shock is the least.
    """
    added = damage_parts(state, attack)
    parts = [*dice, *(part for part in added if part.amount)]
    found = ["SV-157"] if attack.dual and attack.weapon.shock is not None else []
    if attack.weapon.damage_bonus and block(state[attack.actor]).trained:
        found.append("SV-P13")
    amount = sum(part.amount for part in parts)
    if amount < 0:
        parts.append(Part("not below 0", -amount, "SV-R18"))
        amount = 0
    if attack.others:
        dealt = attack.weapon.damage.natural
        parts.append(family.swarm_part(amount, attack.others, dealt, added, ("SV-066", "SV-068")))
        amount += parts[-1].amount
    verdict, points, _ = missed(state, attack)
    literal = rules(state).hit_floor == "listed_shock"
    if at_hand(attack.use) and points > amount and (literal or verdict == "harms"):
        parts.append(Part("no less than Shock", points - amount, "SV-133" if literal else "SV-141"))
        found += ["SV-R07"] if literal else []
        found += ["SV-141"] if verdict == "harms" else []
        amount = points
    return amount, tuple(parts), tuple(found)


def fells(state: State, attack: Attack) -> str:
    """Return which damage rolls fell the target, for the question."""
    target, dice = state.get(attack.target), attack.weapon.damage.natural
    if target is None or target.status != "up":
        return ""

    def loss(rolled: int) -> int:
        return damage_of(state, attack, (Part(str(dice), rolled, "SV-130"),))[0]

    return felling(dice, loss, target.hp, wounds.fall_word(state, target.id))


def _shock(ctx: Ctx, attack: Attack) -> None:
    """Do the Shock of a miss (SV-139).

    A shield ignores the first that would hurt in a round.
    """
    verdict, points, parts = missed(ctx.state, attack)
    found = VERDICT_RULES[verdict]
    limit = attack.weapon.shock.ac if attack.weapon.shock else 0
    if limit is None:
        found = (*found, "SV-136")
    if attack.dual:
        found = (*found, "SV-157")
    if attack.weapon.shock_bonus and block(ctx.state[attack.actor]).trained:
        found = (*found, "SV-P13")
    if attack.others:
        found = (*found, "SV-067", "SV-069")
    if verdict == "shield":
        ctx.add_effect(SHIELD_USED.on(attack.target, stacking="keep", title="shield used"), *found)
    if verdict == "harms":
        points = ruled(ctx, f"shock{attack.tag}", points)
        shown = tuple(part for part in parts if part.amount)
        wounds.deal(ctx, attack.target, points, *cited(shown, *found), parts=shown, why="Shock", source=attack.actor)
    elif parts:
        ctx.note(f"no Shock: {_kept_away(ctx.state, attack, verdict)}", *found, about=attack.actor)


def _kept_away(state: State, attack: Attack, verdict: family.ShockResult) -> str:
    """Return what keeps the Shock of a miss away."""
    limit = attack.weapon.shock.ac if attack.weapon.shock else None
    number = armor_class(state[attack.target]).value
    words = {
        "armored": f"AC {number} is above {limit}",
        "shield": "the shield takes it",
        "immune": "the target is immune",
    }
    return words.get(verdict, "Total Defense" if verdict == "total_defense" else "none is left")
