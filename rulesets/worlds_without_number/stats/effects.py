"""The named effects of Worlds Without Number, and the ends an effect can have."""

from __future__ import annotations

from msgspec.structs import replace

from rulesets.without_number.stats import hits, least_damage
from rulesets.worlds_without_number.stats import shock
from rulesets.worlds_without_number.stats.attack import Attack, damage_parts
from rulesets.worlds_without_number.stats.shock import Miss
from rulesets.worlds_without_number.stats.stats import armor_class, rules
from tracker.core.fight.state import State
from tracker.core.game.schema import NamedEffect
from tracker.core.terms.effects import Modifier
from tracker.core.terms.moments import At, Moment

NEXT_TURN = (At("turn_start", "bearer"),)
ROUND_END = (At("round_end"),)
COMBAT_END = (At("combat_end"),)

PRONE = NamedEffect("prone", "prone", (), "WN-095")
TOTAL_DEFENSE = NamedEffect(
    "total_defense",
    "Total Defense",
    NEXT_TURN,
    "WN-076",
    modifiers=lambda value: (Modifier("ac_melee", 2), Modifier("ac_ranged", 2)),
)
CHARGING = NamedEffect(
    "charging",
    "charging",
    ROUND_END,
    "WN-064",
    modifiers=lambda value: (Modifier("ac_melee", -2), Modifier("ac_ranged", -2)),
)
WITHDRAWN = NamedEffect("withdrawn", "withdrawn", ROUND_END, "WN-082")
SURPRISED = NamedEffect("surprised", "surprised", ROUND_END, "WN-018")
SHIELD_SPENT = NamedEffect("shield_spent", "shield spent", (At("round_start"),), "WN-143", quiet=True)
BROKEN = NamedEffect("broken", "broken", COMBAT_END, "WN-C20", quiet=True)
ALERT = NamedEffect("alert", "alert", COMBAT_END, "WN-172", quiet=True)
GRAPPLED = NamedEffect("grappled", "grappled", (), "WN-152", stacking="by_source")
FRAIL = NamedEffect("frail", "frail", (), "WN-C17")
TRAUMATIC = NamedEffect("traumatic", "traumatic hit", COMBAT_END, "WN-130", quiet=True)

EFFECTS = (
    PRONE,
    TOTAL_DEFENSE,
    CHARGING,
    WITHDRAWN,
    SURPRISED,
    SHIELD_SPENT,
    BROKEN,
    ALERT,
    GRAPPLED,
    FRAIL,
    TRAUMATIC,
)

# The plain ones come first: a counted one of the same end would stand for them.
MOMENTS = (
    Moment("until removed", ()),
    Moment("start of the bearer's next turn", (At("turn_start", "bearer"),)),
    Moment("{n} rounds", (At("turn_start", "bearer"),), whole=True),
    Moment("end of the bearer's phase", (At("turn_end", "bearer"),)),
    Moment("start of the source's next turn", (At("turn_start", "source"),)),
    Moment("end of the round", (At("round_end"),)),
    Moment("end of {n} rounds", (At("round_end"),)),
    Moment("end of the fight", (At("combat_end"),)),
)


def harmful(missed: Miss, hit: bool) -> bool:
    """Tell whether an attack roll that comes out so does anything."""
    return hit or missed.verdict == "harms"


def fallen(state: State, attack: Attack, missed: Miss) -> bool:
    """Tell whether the target falls to the Shock of a miss.

    A hit does no less (WN-145).
    """
    return missed.verdict == "harms" and missed.points >= state[attack.target].hp


def defence(
    state: State, attack: Attack, missed: Miss, roll: tuple[int, int], hit: bool, fixed: bool = False
) -> str:  # fmt: skip - a signature
    """Return what Total Defense would make of an attack roll, "" for nothing, also where the target falls anyway.

    `missed`: what a miss would do; `roll`: the die and what is added to it.
    """
    target = state[attack.target]
    if not target.left("main") or target.has(TOTAL_DEFENSE.name):
        return ""
    if not hit:
        return f"no Shock ({missed.points})" if missed.verdict == "harms" else ""
    guarded = replace(target, effects=(*target.effects, TOTAL_DEFENSE.on(target.id)))
    against = armor_class(guarded, attack.use).value
    if not (fixed or hits(*roll, against, rules(state).natural_attack)):
        return "the hit becomes a miss"
    added = damage_parts(state[attack.actor], attack)
    least = least_damage(attack.weapon.dmg.natural, added, attack.others)
    return f"can do less than {missed.points}" if least < min(missed.points, target.hp) else ""


def most(state: State, attack: Attack) -> int:
    """Return the most points an attack can take, its Shock and a Traumatic Hit included."""
    arm = attack.weapon
    added = sum(part.amount for part in damage_parts(state[attack.actor], attack))
    points = max(0, arm.dmg.natural.maximum + added, shock.miss(state, attack).points)
    return points * arm.trauma.rating if rules(state).trauma and arm.trauma is not None else points
