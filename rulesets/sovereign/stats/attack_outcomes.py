"""The named effects of Sovereign, and the ends an effect can have."""

from __future__ import annotations

from msgspec.structs import replace

from rulesets.sovereign.stats.attack import Attack, at_hand, damage_parts, shock_parts
from rulesets.sovereign.stats.stats import armor_class, block, rules
from rulesets.without_number import stats as family
from rulesets.without_number.stats import hits
from tracker.core.fight.state import State
from tracker.core.game.schema import NamedEffect
from tracker.core.terms.derived import Part
from tracker.core.terms.effects import Modifier
from tracker.core.terms.moments import At, Moment

# R03: the start of the next turn is the start of the side's next phase.
NEXT_TURN = (At("phase_start", "bearer_side"),)
ROUND_END = (At("round_end"),)
COMBAT_END = (At("combat_end"),)

PRONE = NamedEffect("prone", "prone", (), "SV-109")
DISENGAGED = NamedEffect("disengaged", "disengaged", ROUND_END, "SV-099")
SURPRISED = NamedEffect("surprised", "surprised", ROUND_END, "SV-022")
UNAWARE = NamedEffect("unaware", "unaware", (), "SV-159")
SHIELD_USED = NamedEffect("shield_used", "shield used", (At("round_start"),), "SV-139", quiet=True)
HURT = NamedEffect("damaged_this_round", "hurt this round", (At("round_start"),), "SV-P17", quiet=True)
RETREATING = NamedEffect("retreating", "retreating", COMBAT_END, "SV-169")
FRAIL = NamedEffect("frail", "frail", (), "SV-P11")
GRAPPLED = NamedEffect("grappled", "grappled", (), "SV-146", stacking="by_source")

TOTAL_DEFENSE = NamedEffect(
    "total_defense", "Total Defense", NEXT_TURN, "SV-089", modifiers=lambda value: (Modifier("ac", 2),)
)
CHARGING = NamedEffect("charging", "charging", NEXT_TURN, "SV-075", modifiers=lambda value: (Modifier("ac", -2),))

EFFECTS = (
    PRONE,
    TOTAL_DEFENSE,
    CHARGING,
    DISENGAGED,
    SURPRISED,
    UNAWARE,
    SHIELD_USED,
    HURT,
    RETREATING,
    FRAIL,
    GRAPPLED,
)

MOMENTS = (
    Moment("until removed", ()),
    Moment("{n} rounds", (At("phase_start", "bearer_side", 1),), whole=True),
    Moment("start of the bearer's next turn", (At("phase_start", "bearer_side"),)),
    Moment("end of the bearer's phase", (At("phase_end", "bearer_side"),)),
    Moment("start of the source's next turn", (At("phase_start", "source_side"),)),
    Moment("end of the round", (At("round_end"),)),
    Moment("end of {n} more rounds", (At("round_end", count=1),)),
    Moment("end of the fight", (At("combat_end"),)),
)


def missed(state: State, attack: Attack) -> tuple[family.ShockResult, int, tuple[Part, ...]]:
    """Tell what a miss would do (SV-134 to SV-140).

    The verdict says whether Shock harms or what keeps it away; its points and their parts follow.
    """
    target, parts = state[attack.target], shock_parts(state[attack.actor], attack)
    points = sum(part.amount for part in parts)
    if attack.weapon.shock is None or not parts or attack.harmless:
        return "none", 0, ()
    guard = family.Guard(
        armor_class(target).value,
        block(target).features.shock_immune,
        block(target).shield and not target.has("shield_used"),
        target.has("total_defense"),
    )
    return family.reaches(points, attack.weapon.shock.ac, guard, attack.others > 0), points, parts


def harmful(state: State, attack: Attack, hit: bool) -> bool:
    """Tell whether an attack roll that comes out so does anything."""
    return hit or missed(state, attack)[0] == "harms"


def defence(state: State, attack: Attack, roll: tuple[int, int], hit: bool, fixed: bool = False) -> str:
    """Return what Total Defense would make of an attack roll, "" for nothing, also where the target falls anyway.

    `roll`: the die and what is added to it.
    """
    target = state[attack.target]
    if not target.left("main") or target.has(TOTAL_DEFENSE.name):
        return ""
    verdict, points, _ = missed(state, attack)
    if not hit:
        return f"no Shock ({points})" if verdict == "harms" else ""
    guarded = replace(target, effects=(*target.effects, TOTAL_DEFENSE.on(target.id)))
    against = armor_class(guarded).value
    if not (fixed or hits(*roll, against, rules(state).natural_20 == "auto")):
        return "the hit becomes a miss"
    floor = at_hand(attack.use) and verdict == "harms" and rules(state).hit_floor != "listed_shock"
    least = family.least_damage(attack.weapon.damage.natural, damage_parts(state, attack), attack.others)
    return f"can do less than {points}" if floor and least < min(points, target.hp) else ""


def most(state: State, attack: Attack) -> int:
    """Return the most points an attack can take, its Shock included."""
    dice, added = attack.weapon.damage.natural, sum(part.amount for part in damage_parts(state, attack))
    return max(0, dice.maximum + added, missed(state, attack)[1])
