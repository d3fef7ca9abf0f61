"""The stat block as printed: defences, attacks, spells, feats and checks."""

from __future__ import annotations

from typing import Literal

from rulesets.sword_world.stat_blocks.models import Attack, Change, Feat, Spell, StatBlock
from rulesets.sword_world.stats.stats import added_damage, block, check_parts, fixed, is_monster, total
from tracker.core.fight.slots import Id
from tracker.core.fight.state import Combatant, State
from tracker.core.game.schema import Printed
from tracker.core.terms.derived import Derived

CHECKS = ("initiative", "hide", "danger_sense", "monster_knowledge", "spellcasting")
AGAINST = {"magic": "magic", "physical": "physical attacks", "any": "everything"}
RESISTED = {"none": "", "half": "half if resisted", "negate": "nothing if resisted"}


def printed(state: State, who: Id) -> tuple[Printed, ...]:
    combatant, own = state[who], block(state, who)
    return (
        Printed("kind", f"level {own.level} {combatant.kind}"),
        *_defences(state, combatant, own),
        *(_attack(state, who, attack) for attack in own.attacks),
        *(_spell(state, who, own, spell) for spell in own.spells),
        *(Printed("specials", feat.name, _feat(feat)) for feat in own.feats),
        *_traits(own),
        *_skills(state, who),
    )


def _defences(state: State, combatant: Combatant, own: StatBlock) -> list[Printed]:
    who = combatant.id
    found = [
        Printed("defences", pool.key.upper(), f"{pool.now}/{pool.max}")
        for pool in combatant.pools
        if pool.max or pool.now
    ]
    worn = "" if own.armor == "none" else f" ({own.armor})"
    found.append(Printed("defences", "Defense", f"{total(state, who, 'defense')}{worn}"))
    found += [_check(state, who, stat, "defences") for stat in ("evasion", "fortitude", "willpower")]
    found.append(Printed("defences", "Move", f"{total(state, who, 'move')} m", "SW-044"))
    if own.sections > 1:
        found.append(Printed("defences", "Sections", str(own.sections)))
    if is_monster(combatant) and own.knowledge_target is not None:
        weak = "" if own.weakness_target is None else f"/{own.weakness_target}"
        found.append(Printed("defences", "Knowledge", f"{own.knowledge_target}{weak}", "SW-009"))
    return found


def _check(state: State, who: Id, stat: str, part: Literal["defences", "skills"]) -> Printed:
    bonus = total(state, who, stat)
    shown = str(bonus) if fixed(state[who], stat) is not None else f"2d{bonus:+d}" if bonus else "2d"
    return Printed(part, stat.replace("_", " ").capitalize(), shown)


def _attack(state: State, who: Id, attack: Attack) -> Printed:
    base = attack.accuracy if attack.accuracy_fixed is None else attack.accuracy_fixed
    hit = Derived.total(check_parts(state[who], "accuracy", base)).value
    more = sum(amount for amount, _, _ in added_damage(state[who])) + sum(each.amount for each in attack.additional)
    words = [f"Accuracy {hit}" if attack.accuracy_fixed is not None else f"Accuracy 2d{hit:+d}"]
    words += _harm(attack.impact, attack.crit, attack.bonus + more) if attack.damage is None else []
    if attack.damage is not None:
        words.append(f"{attack.damage}{attack.bonus + more:+d}" if attack.bonus + more else str(attack.damage))
    words += [f"{attack.damage_type} damage"] if attack.damage_type != "physical" else []
    words += [*attack.energy, *([attack.mode] if attack.mode != "melee" else [])]
    words += [f"{attack.range:g} m"] if attack.range is not None else []
    return Printed("attacks", attack.name, ", ".join(words))


def _harm(impact: int | None, crit: int, bonus: int) -> list[str]:
    """Return a row of the Impact Table with its critical number and what is added."""
    if impact is None:
        return []
    return [f"Impact {impact}{f'{bonus:+d}' if bonus else ''}, critical {crit}"]


def _spell(state: State, who: Id, own: StatBlock, spell: Spell) -> Printed:
    bonus = spell.bonus + total(state, who, "magic_power") - own.magic_power
    words = [f"{spell.cost} MP", spell.area]
    words += [f"{spell.range:g} m"] if spell.range else []
    words += [f"up to {spell.max_targets} targets"] if spell.max_targets is not None else []
    words += ["heals"] if spell.heal else []
    words += _harm(spell.impact, spell.crit, bonus)
    words += [*spell.energy, RESISTED[spell.resist]]
    words += [", ".join(_change(change) for change in spell.effect or ())]
    if spell.duration is not None:
        words.append(
            "for the fight"
            if spell.duration == "combat"
            else f"{spell.duration} round{'' if spell.duration == 1 else 's'}"
        )
    words.append(spell.note)
    return Printed("specials", spell.name, ", ".join(filter(None, words)))


def _change(change: Change) -> str:
    return f"{change.amount:+d} {change.stat.replace('_', ' ')}"


def _feat(feat: Feat) -> str:
    names = ("accuracy", "evasion", "damage", "crit")
    words = [f"{getattr(feat, name):+d} {name}" for name in names if getattr(feat, name)]
    return ", ".join(filter(None, ("declared" if feat.declared else "always", *words, feat.note)))


def _traits(own: StatBlock) -> list[Printed]:
    found = [
        Printed("specials", f"against {AGAINST.get(weak.when, weak.when)}", f"takes {weak.extra} more", "SW-R30")
        for weak in own.weaknesses
    ]
    found += [
        Printed("specials", f"from {AGAINST.get(less.when, less.when)}", f"takes {less.amount} less", "SW-R30")
        for less in own.reductions
    ]
    marks = {"fencer": "fencer", "hawkeye": "shoots into melees unhindered", "death_checks": "makes Death Checks"}
    names = [words for key, words in marks.items() if getattr(own, key)]
    names += [f"{own.sword_shards} sword shards"] if own.sword_shards else []
    return [*found, *(Printed("specials", "also", ", ".join(names)) for _ in names[:1])]


def _skills(state: State, who: Id) -> list[Printed]:
    power = total(state, who, "magic_power")
    known = [stat for stat in CHECKS if total(state, who, stat) or fixed(state[who], stat) is not None]
    return [
        *(_check(state, who, stat, "skills") for stat in known),
        *([Printed("skills", "Magic power", str(power))] if power else ()),
    ]
