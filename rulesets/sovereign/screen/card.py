"""The stat block as printed: defences, attacks with their numbers, specials and skills."""

from __future__ import annotations

from rulesets.sovereign.stat_blocks.models import Arm, Fighter, Use
from rulesets.sovereign.stats.attack import at_hand, damage_parts, shock_parts, skill_parts
from rulesets.sovereign.stats.checks import physical, plain_attack
from rulesets.sovereign.stats.stats import armor_class, block, check_parts, speed
from rulesets.without_number.screen import attack_line, score_lines, use_called
from tracker.core.fight.slots import Id
from tracker.core.fight.state import Combatant, State
from tracker.core.game.schema import Printed
from tracker.core.terms.derived import Derived, Part


def printed(state: State, who: Id) -> tuple[Printed, ...]:
    """Return a combatant's stat block with the numbers that hold now."""
    combatant = state[who]
    stat_block = block(combatant)
    return (
        Printed("kind", _kind(stat_block)),
        *_defences(state, combatant, stat_block),
        *(_attack(state, combatant, arm, use) for arm in stat_block.arms for use in arm.use),
        *_specials(stat_block),
        *_skills(combatant, stat_block),
    )


def _kind(stat_block: Fighter) -> str:
    rank = f"level {stat_block.level}" if stat_block.kind == "pc" else f"HD {stat_block.hd}"
    words = [f"{rank} {stat_block.kind}"]
    if stat_block.space != 1:
        words.append(f"{stat_block.space} × {stat_block.space} squares")
    if stat_block.group:
        words.append(f"of {stat_block.group}")
    return ", ".join(words)


def _sum(parts: tuple[Part, ...]) -> int:
    return Derived.total(parts).value if parts else 0


def _defences(state: State, combatant: Combatant, stat_block: Fighter) -> list[Printed]:
    hp = combatant.pool("hp")
    found = [
        Printed("defences", "HP", f"{hp.now}/{hp.max}"),
        Printed("defences", "AC", str(armor_class(combatant).value), "SV-116"),
        Printed("defences", "Speed", f"{speed(combatant).value} ft", "SV-040"),
        Printed("defences", "Physical", f"{physical(state, combatant.id).value}+"),
    ]
    if stat_block.morale == "fearless":
        found.append(Printed("defences", "Morale", "fearless"))
    return found


def _attack(state: State, combatant: Combatant, arm: Arm, use: Use) -> Printed:
    """Return what a use of a weapon adds and deals."""
    attack = plain_attack(combatant, arm, use)
    near = at_hand(use)
    return attack_line(
        use_called(arm.name, use, len(arm.use)),
        _sum(skill_parts(combatant, attack)),
        arm.damage.natural,
        _sum(damage_parts(state, attack)),
        arm.shock if near else None,
        _sum(shock_parts(combatant, attack)),
        f"reach {arm.reach} ft" if near and arm.reach != 5 else "",
        "" if near or arm.range is None else f"{arm.range[0]}/{arm.range[1]} ft",
        "two hands" if arm.hands == 2 else "",
        arm.traits,
    )


def _specials(stat_block: Fighter) -> list[Printed]:
    features = stat_block.features
    marks = [
        (f"{stat_block.multiattack} attacks in one Main action", stat_block.multiattack > 1),
        ("ignores the first Shock of each round", stat_block.shield),
        ("takes no Shock", features.shock_immune),
        ("is never surprised", features.cannot_be_surprised),
        ("leaves a melee freely", features.disengage_free),
        (f"{features.initiative_bonus:+d} initiative", features.initiative_bonus != 0),
        (f"{features.screen_bonus:+d} screening", features.screen_bonus != 0),
        (f"screens {features.screen_extra} more", features.screen_extra != 0),
        ("disciplined", stat_block.disciplined),
        ("frail", stat_block.frail),
        ("carries a healer's kit", stat_block.healers_kit),
        (f"fights with {' and '.join(stat_block.dual_wield or ())}", stat_block.dual_wield is not None),
    ]
    names = [words for words, held in marks if held]
    luck = [Printed("specials", "Veteran's Luck", f"{stat_block.veterans_luck} a fight")]
    return [
        *(luck if stat_block.veterans_luck else ()),
        *(Printed("specials", "also", ", ".join(names)) for _ in names[:1]),
    ]


def _skills(combatant: Combatant, stat_block: Fighter) -> list[Printed]:
    if not stat_block.trained:
        return [Printed("skills", "all skills", f"{_sum(check_parts(combatant, (), ())):+d}", "SV-P02")]
    return score_lines(stat_block.attributes, stat_block.skills, "SV-P01", "SV-P02")
