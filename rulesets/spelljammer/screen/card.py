"""The stat block as printed: defences, weapons with their chances, spells and attributes."""

from __future__ import annotations

from rulesets.spelljammer.stat_blocks.models import Creature, Spell, Weapon
from rulesets.spelljammer.stat_blocks.tables import casting_time
from rulesets.spelljammer.stats import stats
from tracker.core.fight.slots import Id
from tracker.core.fight.state import State
from tracker.core.game.schema import Printed

KINDS = {"gk": "GK", "sk": "SK", "cleric": "cleric"}


def printed(state: State, who: Id) -> tuple[Printed, ...]:
    """Return a combatant's stat block with the numbers that hold now."""
    held = stats.block(state, who)
    size = "" if held.size == "medium" else f", {held.size}"
    return (
        Printed("kind", f"{state[who].kind}{size}"),
        *_defences(state, who, held),
        *(_weapon(state, who, weapon) for weapon in held.weapons),
        *(Printed("specials", spell.name, _spell(spell)) for spell in held.spells),
        *_traits(held),
        *_skills(state, who, held),
    )


def _defences(state: State, who: Id, held: Creature) -> list[Printed]:
    hp = state[who].pool("hp")
    natural = f" ({held.prot_natural} natural)" if held.prot_natural else ""
    found = [
        Printed("defences", "HP", f"{hp.now}/{hp.max}"),
        Printed("defences", "DEF", str(stats.defence(state, who).value), "SJ-032"),
        Printed("defences", "PROT", f"{stats.prot(state, who)}{natural}", "SJ-037"),
        Printed("defences", "TMR", f"{stats.tmr(state, who):g} ft", "SJ-046"),
        Printed("defences", "Stun", str(stats.threshold(state, who)), "SJ-038"),
    ]
    if held.attacks != 1:
        found.append(Printed("defences", "Attacks", str(held.attacks)))
    return found


def _weapon(state: State, who: Id, weapon: Weapon) -> Printed:
    """Return a weapon's strike chance before DEF, with wounds and effects, and its damage."""
    chance = weapon.sc + stats.wound(state, who)[0] + sum(part.amount for part in stats.modified(state, who, "sc"))
    words = [f"SC {chance}", str(weapon.dmg), f"rank {weapon.rank}"]
    words += [f"class {weapon.wound_class}"] if weapon.wound_class is not None else []
    words += [f"grievous {weapon.grievous_chance} %"] if weapon.grievous_chance is not None else []
    words += [(weapon.type or "ranged").replace("_", " ")] if weapon.kind == "ranged" else []
    words += [weapon.spec] if weapon.spec != "none" else []
    words += ["off hand"] if weapon.offhand else []
    return Printed("attacks", weapon.name, ", ".join(words), "SJ-032")


def _spell(spell: Spell) -> str:
    words = [f"{KINDS[spell.type]}, rank {spell.rank}"]
    taken = spell.casting_time
    if taken is None and spell.type != "cleric":
        taken = casting_time(spell.type, spell.rank)
    if taken is not None:
        words.append("a whole round" if taken == "round" else f"{taken} segments")
    if spell.cast_chance is not None:
        words.append(f"{spell.cast_chance} %")
    return ", ".join(words)


def _traits(held: Creature) -> list[Printed]:
    marks = [
        ("uses both hands alike", held.ambidextrous),
        ("encumbered" if held.encumbered == "normal" else "doubly encumbered", held.encumbered != "none"),
        (f"counts as {held.attacker_count} attackers", held.attacker_count != 1),
        ("sees in the dark", held.darkvision),
        ("senses where its targets are", held.targeting_sense),
        ("flies nimbly", held.agile_flyer),
        (f"range of field {held.range_of_field}", held.range_of_field != 0),
        (f"master bowman {held.master_bowman}", held.master_bowman != 0),
    ]
    names = [words for words, has in marks if has]
    return [Printed("specials", "also", ", ".join(names)) for _ in names[:1]]


def _skills(state: State, who: Id, held: Creature) -> list[Printed]:
    initiative = held.im + sum(part.amount for part in stats.modified(state, who, "im"))
    return [
        Printed("skills", "IM", f"{initiative:+d}"),
        Printed("skills", "CON", str(held.con)),
        Printed("skills", "DEX", str(stats.dex(state, who))),
        Printed("skills", "PER", str(held.per)),
    ]
