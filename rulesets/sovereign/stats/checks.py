"""Skill checks, opposed checks and the Physical save (SV-P02 to SV-P06, R01)."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from msgspec import Struct

from rulesets.sovereign.stat_blocks.models import Arm, Use
from rulesets.sovereign.stats.attack import Attack, damage_parts, shock_parts, skill_parts
from rulesets.sovereign.stats.stats import (
    armor_class,
    best_attribute,
    best_skill,
    block,
    check_parts,
    rules,
    screen_quota,
    speed,
)
from rulesets.without_number.stats import D20, Checks, Total, contest, dice_text, effect_parts, shock_text
from tracker.core.fight.events import Checked
from tracker.core.fight.slots import Id
from tracker.core.fight.state import Combatant, State
from tracker.core.step.ctx import Ctx
from tracker.core.step.prompts import AskedIf
from tracker.core.terms.derived import Derived, Part
from tracker.core.terms.words import needs

BASE = 8
TARGET = 10
CHECKS = Checks("SV-P02", "target")
total = CHECKS.total
against = CHECKS.against


class ContestResult(Struct, frozen=True, gc=False):
    """Whether the initiator won against an opponent, and the number it had to reach."""

    won: bool
    number: int


def number_of(parts: Sequence[Part]) -> tuple[Part, ...]:
    """Return the number an initiator has to reach: 8 and the opponent's modifiers (SV-P03)."""
    return (Part("base", BASE, "SV-P03"), *(part for part in parts if part.amount))


def opposed_goal(state: State, parts: Sequence[Part]) -> int | None:
    """Return the number an initiator has to reach, None if the opponent rolls for it (SV-P03, R01)."""
    return None if rules(state).opposed_checks == "both_roll" else sum(part.amount for part in number_of(parts))


def compare(
    ctx: Ctx, what: str, who: Id, own: Total, opponent: Id, parts: Sequence[Part], *cited: str, key: str = ""
) -> ContestResult:
    """Compare an initiator's check with one opponent's number (R01).

    Where both roll it is the opponent's total, and a tie does not win. One who leaves before that has lost.
    """
    if rules(ctx.state).opposed_checks == "both_roll":
        theirs = total(
            ctx,
            opponent,
            parts,
            key or f"opposed:{opponent}",
            *cited,
            "SV-R01",
            why=f"against {what}",
            goal=own.sum,
            asked_if=lambda state: opponent in state,
        )
        if theirs is None:
            return ContestResult(True, 0)
        needed, shown, rule = theirs.sum + 1, theirs.parts, "SV-R01"
    else:
        shown, rule = number_of(parts), "SV-P03"
        needed = sum(part.amount for part in shown)
    won = own.sum >= needed
    words = "opposed roll" if rule == "SV-R01" else "opposed"
    theirs = Total(needed - 1 if rule == "SV-R01" else needed, shown)
    contest(ctx, what, who, own, opponent, theirs, won, words, *cited, rule)
    return ContestResult(won, needed)


def physical(state: State, who: Id) -> Derived:
    """Return the number of a Physical save (SV-P06)."""
    combatant = state[who]
    return Derived.total(
        (Part("Physical save", block(combatant).physical, "SV-P06"), *effect_parts(combatant, "physical"))
    )


def physical_save(
    ctx: Ctx, who: Id, penalty: Callable[[State], Part], *cited: str, why: str = "", asked_if: AskedIf
) -> bool | None:
    """Roll a Physical save: a natural 1 fails, a natural 20 succeeds, None if it is not asked (SV-P06)."""
    natural = ctx.roll(
        "save",
        D20,
        *cited,
        "SV-P06",
        who=who,
        why=f"Physical save: {why}",
        needed=lambda state: needs(penalty(state).amount, physical(state, who).value, "save", 2, 20, "saves"),
        asked_if=asked_if,
    )
    if natural is None:
        return None
    needed, less = physical(ctx.state, who), penalty(ctx.state)
    own = (Part("1d20", natural, "SV-P06"), *((less,) if less.amount else ()))
    rolled = sum(part.amount for part in own)
    made = natural == 20 or (natural != 1 and rolled >= needed.value)
    result = "made" if made else "failed"
    ctx.emit(
        Checked("Physical save", who, rolled, result, None, own, needed.value, "save", needed.parts, success=made),
        *dict.fromkeys((*cited, "SV-P06")),
    )
    return made


DERIVED = ("ac", "attack", "damage", "shock", "skill", "physical", "speed", "screen")


def plain_attack(combatant: Combatant, arm: Arm, use: Use) -> Attack:
    """Return an attack with a weapon as it usually is made, aimed at nobody."""
    attribute = best_attribute(block(combatant), arm.attribute)
    return Attack(combatant.id, combatant.id, arm, use, attribute, best_skill(combatant, arm.skills_for(use)))


def _usual(state: State, who: Id) -> Attack:
    """Return a combatant's plain attack with the first weapon."""
    arm = block(state[who]).arms[0]
    return plain_attack(state[who], arm, arm.use[0])


def derived(state: State, who: Id, name: str) -> Derived:
    """Return one of the numbers of `DERIVED` with its parts.

    Those of an attack are the first weapon's.
    """
    combatant = state[who]
    match name:
        case "ac":
            return armor_class(combatant)
        case "attack":
            return Derived.total(skill_parts(combatant, _usual(state, who)))
        case "damage":
            usual = _usual(state, who)
            parts = damage_parts(state, usual)
            return dice_text(str(usual.weapon.damage.natural), Derived.total(parts) if parts else Derived(0))
        case "shock":
            usual = _usual(state, who)
            parts = shock_parts(combatant, usual)
            if usual.weapon.shock is None or not parts:
                return Derived(0, (), "-")
            return shock_text(Derived.total(parts), usual.weapon.shock.ac)
        case "skill":
            return Derived.total(check_parts(combatant, ("brawl", "stab"), ("str", "dex")))
        case "physical":
            return physical(state, who)
        case "speed":
            return speed(combatant)
        case "screen":
            return screen_quota(combatant)
        case _:
            return Derived(0)
