"""The form of every attack, and the `Attack` a filled form describes."""

from __future__ import annotations

from itertools import chain

from msgspec.structs import replace

from rulesets.sovereign.blocks.canonical import Arm, Fighter, Skill, Use
from rulesets.sovereign.numbers import field
from rulesets.sovereign.numbers.attack import Attack, at_hand, impossible, loaded
from rulesets.sovereign.numbers.stats import able, best_attribute, best_skill, block, enemies, friendly
from rulesets.without_number.acts.form import out_of_reach, weapon_option
from rulesets.without_number.blocks.shapes import ATTRIBUTES, Attribute
from rulesets.without_number.numbers.parts import grappling
from rulesets.without_number.turn import Check
from tracker.core.fight.memo import per_bearer, per_people, per_state
from tracker.core.fight.state import Combatant, Id, State
from tracker.core.terms.actions import Action, Field, Option, Refusal
from tracker.core.terms.values import Value
from tracker.kit.fields import number, text
from tracker.kit.squares.grid import FEET

__all__ = [
    "ANY_USE",
    "MELEE",
    "RUSH",
    "SHOTS",
    "attack_fields",
    "attack_of",
    "default_target",
    "fits",
    "misfit",
    "target_field",
]

MORE = "more"
SAID = frozenset(
    ("distance", "in_melee", "attribute", "skill", "cover", "unseen", "dual", "hit_mod", "damage_mod", "screenable")
)
"""The fields of an attack beside its target, its weapon and its use."""
MELEE: tuple[Use, ...] = ("melee", "unarmed")
SHOTS: tuple[Use, ...] = ("ranged", "thrown")
RUSH: tuple[Use, ...] = ("melee", "thrown", "unarmed")
ANY_USE: tuple[Use, ...] = ("melee", "ranged", "thrown", "unarmed")
COVERS = (Option("none"), Option("half", note="-2"), Option("full", note="-4"))
UNSEEN = (Option("seen"), Option("known", "unseen, place known", "-4"), Option("unknown", "place unknown"))
COVER_BY_KEY: dict[str, field.Cover] = {"none": "none", "half": "half", "full": "full"}


def fits(uses: tuple[Use, ...]) -> Check:
    """Return the check of an attack with one of these uses."""
    return lambda state, action: misfit(state, action, uses)


@per_people(field.stance)
def default_target(state: State, who: Id) -> Id | None:
    """Return the most likely target of a combatant.

    It is the nearest able enemy, or one in a melee with it; of equals the first.
    """
    others = [other for other in enemies(state, who) if able(state, other.id)]
    if not others:
        return None
    met = field.engaged(state, who)
    return min(
        others,
        key=lambda other: (
            feet if (feet := field.feet_between(state, who, other.id)) is not None else 0 if other.id in met else 1
        ),
    ).id


def target_field(state: State, who: Id | None, default: Id | None) -> Field:
    """Return the field for a target, friends and the dead refused."""
    if who is None:
        return Field("target", "combatant", required=True, anybody=True)
    return Field("target", "combatant", default=default, options=_targets(state, who), required=True)


@per_people(lambda one: (one.name, one.side, one.block, one.status, one.position))
def _targets(state: State, who: Id) -> tuple[Option, ...]:
    return tuple(_target(state, who, other) for other in state.combatants if other.id != who)


def _target(state: State, who: Id, other: Combatant) -> Option:
    if (removed := out_of_reach(other)) is not None:
        return Option(other.id, other.name, other.status, removed)
    if friendly(state, who, other.id):
        return Option(other.id, other.name, "friend", Refusal("friend", f"{other.name} is a friend", "SV-R44"))
    feet = field.feet_between(state, who, other.id)
    note = "" if feet is None else f"{feet} ft"
    return Option(other.id, other.name, note if other.status == "up" else f"{other.status} {note}".strip())


@per_state
def attack_of(state: State, action: Action, uses: tuple[Use, ...], target: Id | None = None) -> Attack | None:
    """Return the attack a form describes, None without a weapon or target.

    Where it names no target, it is the likeliest that can be attacked.
    """
    who = action.by
    if who is None:
        return None
    named = target or text(action, "target")
    first = named or default_target(state, who)
    if first is None or first not in state or first == who:
        return None
    ways = _ways(block(state[who]).arms, text(action, "weapon"), action.get("use"), uses)
    said = tuple([pair for pair in action.fields if pair[0] in SAID])
    others = () if named else (other.id for other in enemies(state, who) if other.id != first and able(state, other.id))
    for at in chain((first,), others):
        for place, use in ways:
            attack, refusal = _judged(state, who, at, place, use, said)
            if refusal is None:
                return attack
    return _judged(state, who, first, *ways[0], said)[0] if ways else None


def _ways(arms: tuple[Arm, ...], named: str, wanted: Value, uses: tuple[Use, ...]) -> list[tuple[int, Use]]:
    """Return the weapons that may be meant, by their places, with their uses."""
    ways = [
        (place, use)
        for place, arm in enumerate(arms)
        if not named or arm.name == named
        for use in uses
        if use in arm.use
    ]
    meant = [way for way in ways if wanted in (None, way[1])]
    return meant or ways


@per_state
def _judged(
    state: State, who: Id, at: Id, place: int, use: Use, said: tuple[tuple[str, Value], ...]
) -> tuple[Attack, Refusal | None]:
    """Return an attack with one weapon, and why it is impossible."""
    attack = _with(state, Action("", who, said), place, use, who, at)
    return attack, impossible(state, attack)


@per_bearer("block")
def _trained(state: State, who: Id, place: int, use: Use) -> tuple[Attribute, tuple[Skill, ...], str]:
    """Return the best attribute for a weapon, its skills, and the best of them."""
    combatant = state[who]
    stat_block = block(combatant)
    arm = stat_block.arms[place]
    skills = arm.skills_for(use)
    return best_attribute(stat_block, arm.attribute), skills, best_skill(combatant, skills)


def _with(state: State, action: Action, place: int, use: Use, who: Id, target: Id) -> Attack:
    stat_block = block(state[who])
    arm = stat_block.arms[place]
    attribute, skills, skill = _trained(state, who, place, use)
    known = field.feet_between(state, who, target)
    feet = (
        known
        if known is not None
        else number(action, "distance")
        if action.get("distance") is not None
        else _usual_feet(state, arm, use, who, target)
    )
    said = action.get("in_melee")
    crowded = said is True if isinstance(said, bool) and known is None else field.in_melee(state, who)
    cover = COVER_BY_KEY.get(text(action, "cover")) or field.cover(state, who, target)
    dual = action.get("dual")
    return Attack(
        who,
        target,
        arm,
        use,
        next((name for name in ATTRIBUTES if name == action.get("attribute")), attribute),
        text(action, "skill") if text(action, "skill") in skills else skill,
        feet,
        crowded,
        cover,
        "known" if action.get("unseen") == "known" else "unknown" if action.get("unseen") == "unknown" else "seen",
        _pair(stat_block, arm) if dual is None else text(action, "dual"),
        number(action, "hit_mod"),
        number(action, "damage_mod"),
        action.get("screenable") is not False,
    )


def _usual_feet(state: State, arm: Arm, use: Use, who: Id, target: Id) -> int:
    """Return the usual distance without a map: melee at hand, shots from afar (4.8)."""
    if at_hand(use) or field.next_to(state, who, target):
        return FEET
    return min(30, arm.range[0]) if arm.range is not None else 30


def _pair(stat_block: Fighter, arm: Arm) -> str:
    """Return the other weapon of the pair a stat block names (R43)."""
    pair = stat_block.dual_wield
    if pair is None or arm.name not in pair:
        return ""
    return pair[1] if arm.name == pair[0] else pair[0]


def attack_fields(state: State, action: Action, uses: tuple[Use, ...], attacks: int = 1) -> tuple[Field, ...]:
    """Return the form of an attack."""
    who = action.by
    if who is None:
        return ()
    combatant = state[who]
    attack = attack_of(state, action, uses)
    target = target_field(state, who, attack.target if attack else default_target(state, who))
    arms = tuple(_arm(state, combatant, arm) for arm in block(combatant).arms if any(use in arm.use for use in uses))
    several = Field("targets", "combatants", "targets of each attack", note="empty: the same", repeats=True)
    return (
        target,
        *((replace(several, options=target.options, maximum=attacks),) if attacks > 1 else ()),
        Field("weapon", "choice", default=attack.weapon.name if attack else None, options=arms, required=True),
        *_manner(block(combatant), attack, uses),
        Field("hit_mod", "number", "to hit", default=0),
        Field("damage_mod", "number", "to damage", default=0),
        Field("cover", "choice", default=attack.cover if attack else "none", options=COVERS),
        Field("unseen", "choice", default="seen", options=UNSEEN, page=MORE),
        _second(block(combatant), attack),
        Field("screenable", "flag", "can be parried or blocked", default=True, page=MORE),
        *_place_fields(state, attack, who),
    )


def _manner(stat_block: Fighter, attack: Attack | None, uses: tuple[Use, ...]) -> tuple[Field, ...]:
    """Return what the weapon leaves open: use, attribute, skill."""
    if attack is None:
        return tuple(Field(name, "choice", page=MORE) for name in ("use", "attribute", "skill"))
    arm = attack.weapon
    kinds = tuple(Option(use) for use in uses if use in arm.use)
    attributes = tuple(Option(name) for name in arm.attribute)
    skills = tuple(Option(skill) for skill in arm.skills_for(attack.use))
    open_attribute = len(attributes) > 1 and stat_block.trained
    return (
        Field("use", "choice", default=attack.use, options=kinds, page="" if len(kinds) > 1 else MORE),
        Field("attribute", "choice", default=attack.attribute, options=attributes, page="" if open_attribute else MORE),
        Field("skill", "choice", default=attack.skill, options=skills, page=MORE),
    )


def _second(stat_block: Fighter, attack: Attack | None) -> Field:
    """Return the field for the weapon in the other hand."""
    held = () if attack is None else (other.name for other in stat_block.attacks if other.name != attack.weapon.name)
    options = (Option("", "none"), *(Option(name) for name in held))
    return Field("dual", "choice", "second weapon", default=attack.dual if attack else "", options=options, page=MORE)


def _place_fields(state: State, attack: Attack | None, who: Id) -> tuple[Field, ...]:
    """Return what is asked where the map does not tell (4.8)."""
    if attack is not None and field.on_grid(state, who, attack.target):
        return ()
    return (
        Field("distance", "number", "distance in feet", default=attack.feet if attack else FEET, minimum=0),
        Field("in_melee", "flag", "an enemy is within melee range", default=attack.crowded if attack else False),
    )


def _arm(state: State, combatant: Combatant, arm: Arm) -> Option:
    held = "SV-149" if grappling(state, combatant.id) and not (arm.natural or "unarmed" in arm.use) else ""
    unloaded = ("SV-092" if arm.reload == "bow" else "SV-093") if not loaded(combatant, arm) and not arm.close else ""
    return weapon_option(arm.name, str(arm.damage), str(arm.shock or ""), held, unloaded)


def misfit(state: State, action: Action, uses: tuple[Use, ...]) -> Refusal | None:
    """Return why this attack is impossible."""
    who = action.by
    if who is None:
        return None
    attack = attack_of(state, action, uses)
    if attack is not None:
        return impossible(state, attack)
    if text(action, "target") == who:
        return Refusal("no_target", f"{state.name(who)} cannot attack itself", "SV-053", forcible=False)
    if text(action, "weapon") and any(use in arm.use for arm in block(state[who]).arms for use in uses):
        return None  # the form says what is missing
    if not any(use in arm.use for arm in block(state[who]).arms for use in uses):
        return Refusal("no_weapon", f"{state.name(who)} has no weapon for this", "", forcible=False)
    return None
