"""The optional Trauma rule: its die and its mark (WN-125 to WN-134)."""

from __future__ import annotations

from rulesets.worlds_without_number.acts.still import beyond
from rulesets.worlds_without_number.numbers.attack import Attack
from rulesets.worlds_without_number.numbers.effects import TRAUMATIC
from rulesets.worlds_without_number.numbers.stats import block, rules
from tracker.core.fight.events import Checked
from tracker.core.fight.slots import Id
from tracker.core.fight.state import State
from tracker.core.step.ctx import Ctx
from tracker.core.terms.derived import Part


def applies(state: State, attack: Attack) -> bool:
    """Tell whether a hit of this attack may be traumatic (WN-127, WN-134, R27)."""
    if not rules(state).trauma or block(state[attack.target]).trauma_immune:
        return False
    stat_block = block(state[attack.actor])
    unarmed = attack.weapon.natural or attack.weapon.name == stat_block.unarmed.name
    return not (attack.nonlethal and unarmed)


def roll(ctx: Ctx, attack: Attack) -> bool:
    """Return whether the Trauma Die of a hit makes it traumatic (WN-128)."""
    arm = attack.weapon
    if arm.trauma is None or not applies(ctx.state, attack):
        if arm.trauma is not None and rules(ctx.state).trauma and block(ctx.state[attack.target]).trauma_immune:
            ctx.skip("Trauma Die", f"{ctx.state.name(attack.target)} is immune", "WN-134", who=attack.target)
        return False
    natural = ctx.roll(
        f"trauma{attack.tag}",
        arm.trauma.die,
        "WN-125",
        "WN-127",
        "WN-133",
        who=attack.actor,
        why="Trauma Die",
        asked_if=lambda state: not beyond(state, attack),
    )
    if natural is None:
        return False
    bonus, target = block(ctx.state[attack.actor]).bonus.trauma_die, block(ctx.state[attack.target]).trauma_target
    parts = [Part(str(arm.trauma.die.natural), natural, "WN-127")]
    parts += [Part("die", arm.trauma.die.plus, "WN-127")] if arm.trauma.die.plus else []
    parts += [Part("bonus", bonus, "WN-132")] if bonus else []
    total = sum(part.amount for part in parts)
    traumatic = total >= target
    found = ["WN-128", *(["WN-131"] if target != 6 else []), *(["WN-132"] if bonus else [])]
    ctx.emit(
        Checked(
            "Trauma",
            attack.actor,
            total,
            "traumatic" if traumatic else "not traumatic",
            attack.target,
            tuple(parts),
            target,
            "Trauma Target",
        ),
        *found,
    )  # fmt: skip - one event
    return traumatic


def multiplied(amount: int, attack: Attack) -> Part | None:
    """Return what a Traumatic Hit adds, by default nothing (WN-129, R28)."""
    rating = attack.weapon.trauma.rating if attack.weapon.trauma else 1
    return Part(f"Traumatic Hit x{rating}", amount * (rating - 1), "WN-129") if rating > 1 else None


def mark(ctx: Ctx, who: Id) -> None:
    """Remember for this fight that a combatant has been hit traumatically (WN-130)."""
    ctx.add_effect(TRAUMATIC.on(who, stacking="keep"), "WN-130")
