"""The stat block as printed: defences, attacks with their numbers, specials and skills."""

from __future__ import annotations

from rulesets.without_number.screen import attack_line, score_lines, use_called
from rulesets.worlds_without_number.stat_blocks.models import PC, Monster, Use, Weapon
from rulesets.worlds_without_number.stats.attack import Attack, best_skill, damage_parts, skill_parts
from rulesets.worlds_without_number.stats.shock import shock_parts
from rulesets.worlds_without_number.stats.stats import (
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
from tracker.core.game.schema import Printed
from tracker.core.terms.derived import Derived

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
