"""What the screen shows of Worlds Without Number.

Columns, statuses, badges, reminders, the stat block as printed, and the words of the report.
"""

from __future__ import annotations

from rulesets.without_number.screen import (
    BLOW,
    HP,
    TURN,
    attack_line,
    budget_badge,
    dying,
    held_turns,
    score_lines,
    swarming,
    telling,
    unused_mains,
    use_called,
)
from rulesets.worlds_without_number.aftermath import morale
from rulesets.worlds_without_number.stat_blocks.models import PC, Monster, Use, Weapon
from rulesets.worlds_without_number.stats.attack import Attack, best_skill, damage_parts, skill_parts
from rulesets.worlds_without_number.stats.shock import shock_parts
from rulesets.worlds_without_number.stats.stats import (
    able,
    armor_class,
    best_attribute,
    block,
    check_parts,
    initiative_parts,
    movement,
    rules,
    save_number,
)
from tracker.core.fight.slots import Id
from tracker.core.fight.state import Combatant, State
from tracker.core.game.schema import Badge, Column, Printed, Reminder, Status
from tracker.core.game.telling import ActionWords
from tracker.core.terms.actions import Action
from tracker.core.terms.actions import action as act
from tracker.core.terms.derived import Derived

STATUSES = (
    Status("up", "up", " ", acts=True),
    Status("incapacitated", "out cold", "z"),
    Status("mortal", "dying", "!"),
    Status("stable", "stable", "~"),
    Status("dead", "dead", "x", takes_part=False),
    Status("gone", "gone", "-", takes_part=False, stays=False, left=True),
)


def _ac(state: State, who: Id) -> str:
    melee, ranged = armor_class(state[who], "melee").value, armor_class(state[who], "ranged").value
    return str(melee) if melee == ranged else f"{melee}/{ranged}"


COLUMNS = (
    HP,
    Column(
        "ac", "AC", 5, _ac, "right", priority=1, about="Armor Class; 13/14: in melee and against missiles", own=True
    ),
    TURN,
)


def badges(state: State, who: Id) -> tuple[Badge, ...]:
    """Return what stands beside a combatant."""
    combatant = state[who]
    if combatant.status != "up":
        return ()
    found = [budget_badge(state, who)]
    if combatant.fact("finished") is True:
        found.append(Badge("✓", "finished for this phase"))
    if combatant.has("broken"):
        found.append(Badge("broken", "flees or yields", "bad"))
    return tuple(found)


def pending(state: State) -> tuple[Reminder, ...]:
    """Return what may have been missed: Mains, the dying, Morale, open swarms."""
    clock = state.clock
    if clock.over:
        return ()
    found = [
        *unused_mains(state, lambda one: not able(state, one.id) or _waits(one), "WN-030"),
        *held_turns(state, lambda who: None, "WN-097"),
        *dying(state, lambda one: able(state, one.id), _treat, "WN-C12"),
    ]
    found += morale.reminders(state)
    if not rules(state).companion:
        found += [
            Reminder(f"morale:{side.id}:{trigger}", f"{side.name}: reason for a Morale check", rule="WN-007")
            for side in state.sides
            if morale.testable(state, side.id)
            for trigger in morale.new_triggers(state, side.id)
        ]
    found += swarming(state, f"swarm:r{clock.round}:", "WN-053", asked=False)
    return tuple(item for item in found if item.key not in state.dismissed)


def _waits(combatant: Combatant) -> bool:
    """Tell whether a Main is held, given up, or its owner has broken."""
    return combatant.has("held") or combatant.has("broken") or combatant.fact("finished") is True


def _treat(helper: Id, patient: Id) -> Action:
    return act("stabilise", helper, target=patient)


DOES = {"miss_to_hit": "a miss becomes a hit", "hit_to_miss": "a hit becomes a miss", "note": "as its text says"}


def printed(state: State, who: Id) -> tuple[Printed, ...]:
    """Return a combatant's stat block with the numbers that hold now."""
    combatant = state[who]
    stat_block = block(combatant)
    return (
        Printed("kind", _kind(stat_block)),
        *_defences(state, combatant, stat_block),
        *(_attack(combatant, stat_block, arm, use) for arm in stat_block.arms for use in arm.kind),
        *_specials(stat_block),
        *_skills(combatant, stat_block),
    )


def _kind(stat_block: PC | Monster) -> str:
    size = "" if stat_block.size == "human" else f", {stat_block.size}"
    if isinstance(stat_block, PC):
        return f"level {stat_block.level} character{size}"
    return f"{'leader, ' if stat_block.leader else ''}HD {stat_block.hd}{size}"


def _defences(state: State, combatant: Combatant, stat_block: PC | Monster) -> list[Printed]:
    melee, ranged = (armor_class(combatant, use).value for use in ("melee", "ranged"))
    hp = combatant.pool("hp")
    found = [
        Printed("defences", "HP", f"{hp.now}/{hp.max}"),
        Printed("defences", "AC", str(melee) if melee == ranged else f"{melee}, {ranged} against missiles", "WN-104"),
        Printed("defences", "Move", f"{movement(combatant).value} ft", "WN-031"),
    ]
    if isinstance(stat_block, Monster):
        found += [
            Printed("defences", "Morale", str(stat_block.ml), "WN-C20"),
            Printed("defences", "Instinct", str(stat_block.inst), "WN-C23"),
        ]
        saves = [save_number(state, combatant.id, "physical")]
        names = ["Save"]
    else:
        saves = [save_number(state, combatant.id, save) for save in ("physical", "evasion", "mental")]
        names = ["Physical", "Evasion", "Mental"]
    found += [
        Printed("defences", name, f"{save.value}+", "WN-C05")
        for name, save in zip(names, saves, strict=True)
        if save is not None
    ]
    initiative = Derived.total(initiative_parts(combatant)).value
    if initiative:
        found.append(Printed("defences", "Initiative", f"{initiative:+d}", "WN-011"))
    if rules(state).trauma and not stat_block.trauma_immune:
        found.append(Printed("defences", "Trauma Target", str(stat_block.trauma_target)))
    return found


def _attack(combatant: Combatant, stat_block: PC | Monster, arm: Weapon, use: Use) -> Printed:
    """Return what a use of a weapon adds and deals."""
    attribute, skill = best_attribute(stat_block, arm.attr), best_skill(stat_block, arm, use)
    attack = Attack(combatant.id, combatant.id, arm, use, attribute, skill)
    blows = (arm.attacks or stat_block.attacks) if isinstance(stat_block, Monster) else 1
    return attack_line(
        use_called(arm.name, use, len(arm.kind)),
        Derived.total(skill_parts(combatant, attack)).value,
        None if arm.harmless else arm.dmg.natural,
        Derived.total(damage_parts(combatant, attack)).value,
        arm.shock if use == "melee" else None,
        0 if arm.shock is None else Derived.total(shock_parts(combatant, attack)).value,
        f"{blows} attacks" if blows != 1 else "",
        "" if use == "melee" or arm.range is None else f"{arm.range[0]}/{arm.range[1]} ft",
        "two hands" if arm.hands == 2 else "",
        "" if arm.trauma is None else f"Trauma {arm.trauma.die}/×{arm.trauma.rating}",
    )


def _specials(stat_block: PC | Monster) -> list[Printed]:
    found = [
        Printed("specials", power.name, f"{DOES[power.does]}, {power.uses} a fight" if power.uses else DOES[power.does])
        for power in stat_block.instants
    ]
    marks = {
        "shield": "ignores the first Shock of each round",
        "shock_immune": "takes no Shock",
        "auto_initiative": "its side always acts first",
        "immune_to_surprise": "is never caught unaware",
        "trauma_immune": "takes no Traumatic Hit",
        "disciplined": "disciplined",
        "expects_trouble": "expects trouble",
    }
    names = [words for key, words in marks.items() if getattr(stat_block, key, False)]
    if isinstance(stat_block, PC) and stat_block.dual_wield is not None:
        names.append(f"fights with {' and '.join(stat_block.dual_wield)}")
    return [*found, *(Printed("specials", "also", ", ".join(names)) for _ in names[:1])]


def _skills(combatant: Combatant, stat_block: PC | Monster) -> list[Printed]:
    if isinstance(stat_block, Monster):
        bonus = Derived.total(check_parts(combatant, "", "str")).value
        return [Printed("skills", "all skills", f"{bonus:+d}", "WN-C03")]
    return score_lines(stat_block.mods, stat_block.skills, "WN-C08", "WN-C01")


TELLING = telling(
    (
        ActionWords("melee_attack", "attack", **BLOW),
        ActionWords("ranged_attack", "attack", hits="hit|strike", tries="aim at", grazes="graze"),
        ActionWords("free_attack", "attack", **BLOW),
        ActionWords("swarm_strike", "attack", **BLOW),
        ActionWords("execution", "attack", **{**BLOW, "tries": "stand over"}),
        ActionWords("move_grappled", "act", does="drag {whom} along"),
        ActionWords("use", "power", does="call on {means}"),
        ActionWords("use:Slip Aside", "power", does="slip aside", turned="slip aside", vain="slip aside too late"),
        ActionWords("use:Veteran's Luck", "power", does="trust to a veteran's luck"),
        ActionWords("use:Bind the Blade", "power", does="bind the blade", turned="bind the blade"),
        ActionWords("fighting_withdrawal", "move", does="fall back"),
        ActionWords("reload", does="reload the {means}"),
        ActionWords("trigger_held", "silent"),
        ActionWords("end_turn", "silent"),
    ),
    unconscious="incapacitated",
    fleeing="broken",
)
