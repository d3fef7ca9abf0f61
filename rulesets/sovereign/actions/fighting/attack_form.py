"""The form of every attack, and the `Attack` a filled form describes."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from itertools import chain
from typing import Literal, TypeVar

from msgspec.structs import replace

from rulesets.sovereign.stat_blocks.models import Arm, Fighter, Skill, Use
from rulesets.sovereign.stats import field
from rulesets.sovereign.stats.attack import Attack, at_hand, beyond, impossible, loaded
from rulesets.sovereign.stats.stats import able, best_attribute, best_skill, block, enemies, friends
from rulesets.without_number.actions import out_of_reach, weapon_option
from rulesets.without_number.stat_blocks import ATTRIBUTES, Attribute
from rulesets.without_number.stats import in_grapple
from rulesets.without_number.turn import Check
from tracker.core.fight.cache import per_fields, per_state
from tracker.core.fight.slots import Id
from tracker.core.fight.state import Combatant, State
from tracker.core.step.fields import text, whole
from tracker.core.terms.actions import Action, Field, Option
from tracker.core.terms.errors import Refusal
from tracker.core.terms.values import Value
from tracker.kit.squares.grid import FEET, Body, distance

_T = TypeVar("_T")
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
COVER_KEYS: tuple[field.Cover, ...] = ("none", "half", "full")
SIGHTS: tuple[Literal["seen", "known", "unknown"], ...] = ("seen", "known", "unknown")
SEVERAL = Field("targets", "combatants", "targets of each attack", note="empty: the same", repeats=True)
MODS = (Field("hit_mod", "number", "to hit", default=0), Field("damage_mod", "number", "to damage", default=0))
SEEN = Field("unseen", "choice", default="seen", options=UNSEEN, page=MORE)
SCREENABLE = Field("screenable", "flag", "can be parried or blocked", default=True, page=MORE)
NO_WEAPON = Option("", "none")


def fits(uses: tuple[Use, ...]) -> Check:
    return lambda state, action: misfit(state, action, uses)


@per_state
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


@per_state
def _targets(state: State, who: Id) -> tuple[Option, ...]:
    here, allies = field.body(state, who), friends(state, who)
    return tuple([_target(state, here, other, other.side in allies) for other in state.combatants if other.id != who])


def _target(state: State, here: Body | None, other: Combatant, friend: bool) -> Option:
    if (removed := out_of_reach(other)) is not None:
        return Option(other.id, other.name, other.status, removed)
    if friend:
        return Option(other.id, other.name, "friend", Refusal("friend", f"{other.name} is a friend", "SV-R44"))
    there = None if here is None else field.place_of(state, other)
    note = "" if here is None or there is None else f"{distance(here, there)} ft"
    return Option(other.id, other.name, note if other.status == "up" else f"{other.status} {note}".strip())


def attack_of(state: State, action: Action, uses: tuple[Use, ...], target: Id | None = None) -> Attack | None:
    """Return the attack a form describes, None without a weapon or target.

    Where it names no target, it is the likeliest that can be attacked.
    """
    found = _found(state, action, uses, target)
    return None if found is None else found[0]


@per_state
def _found(
    state: State, action: Action, uses: tuple[Use, ...], target: Id | None
) -> tuple[Attack, Refusal | None] | None:
    """Return the attack a form describes, and why it is impossible."""
    who = action.by
    if who is None:
        return None
    named = target or text(action, "target")
    first = named or default_target(state, who)
    if first is None or first not in state or first == who:
        return None
    arms = block(state[who]).arms
    ways = _ways(arms, text(action, "weapon"), action.get("use"), uses)
    stated = tuple([pair for pair in action.fields if pair[0] in SAID])
    others = () if named else (other.id for other in enemies(state, who) if other.id != first and able(state, other.id))
    for at in chain((first,), others):
        feet = field.feet_between(state, who, at)
        near = ways if feet is None else [(place, use) for place, use in ways if not beyond(arms[place], use, feet)]
        for place, use in near:
            judged = _judged(state, who, at, place, use, stated)
            if judged[1] is None:
                return judged
    return _judged(state, who, first, *ways[0], stated) if ways else None


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
    state: State, who: Id, at: Id, place: int, use: Use, stated: tuple[tuple[str, Value], ...]
) -> tuple[Attack, Refusal | None]:
    """Return an attack with one weapon, and why it is impossible."""
    attack = _with(state, dict(stated), block(state[who]).arms[place], use, who, at)
    return attack, impossible(state, attack)


@per_fields("block", "kind")
def _trained(combatant: Combatant, arm: Arm, use: Use) -> tuple[Attribute, tuple[Skill, ...], str]:
    """Return the best attribute for a weapon, its skills, and the best of them."""
    skills = arm.skills_for(use)
    return best_attribute(block(combatant), arm.attribute), skills, best_skill(combatant, skills)


def _with(state: State, stated: Mapping[str, Value], arm: Arm, use: Use, who: Id, target: Id) -> Attack:
    """Return an attack with a weapon, as the form says or as it is usual."""
    attribute, skills, skill = _trained(state[who], arm, use)
    feet, press, dual = field.feet_between(state, who, target), stated.get("in_melee"), stated.get("dual")
    melee_stated, pressing = isinstance(press, bool) and feet is None, feet is None or not at_hand(use)
    if feet is None:
        far = stated.get("distance")
        feet = _usual_feet(state, arm, use, who, target) if far is None else whole(far)
    return Attack(
        who,
        target,
        arm,
        use,
        _known(ATTRIBUTES, stated.get("attribute")) or attribute,
        _known(skills, stated.get("skill")) or skill,
        feet,
        press is True if melee_stated else (pressing and field.in_melee(state, who)),
        _known(COVER_KEYS, stated.get("cover")) or field.cover(state, who, target),
        _known(SIGHTS, stated.get("unseen")) or "seen",
        _pair(block(state[who]), arm) if dual is None else dual if isinstance(dual, str) else "",
        whole(stated.get("hit_mod")),
        whole(stated.get("damage_mod")),
        stated.get("screenable") is not False,
    )


def _known(words: Iterable[_T], value: Value) -> _T | None:
    """Return what a form says if it is one of these words, else None."""
    if value is not None:
        for word in words:
            if word == value:
                return word
    return None


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
    who = action.by
    if who is None:
        return ()
    combatant = state[who]
    attack = attack_of(state, action, uses)
    target = target_field(state, who, attack.target if attack else default_target(state, who))
    empty = [arm for arm in block(combatant).arms if not loaded(combatant, arm)]
    arms = _arms(combatant, uses, in_grapple(combatant), *empty)
    return (
        target,
        *((replace(SEVERAL, options=target.options, maximum=attacks),) if attacks > 1 else ()),
        Field("weapon", "choice", default=attack.weapon.name if attack else None, options=arms, required=True),
        *_manner(block(combatant), attack, uses),
        *MODS,
        Field("cover", "choice", default=attack.cover if attack else "none", options=COVERS),
        SEEN,
        _second(block(combatant), attack),
        SCREENABLE,
        *_place_fields(state, attack, who),
    )


def _manner(stat_block: Fighter, attack: Attack | None, uses: tuple[Use, ...]) -> tuple[Field, ...]:
    """Return what the weapon leaves open: its use, and of the trained attribute and skill."""
    if attack is None:
        names = ("use", "attribute", "skill") if stat_block.trained else ("use",)
        return tuple(Field(name, "choice", page=MORE) for name in names)
    arm = attack.weapon
    kinds = tuple(Option(use) for use in uses if use in arm.use)
    use = Field("use", "choice", default=attack.use, options=kinds, page="" if len(kinds) > 1 else MORE)
    if not stat_block.trained:
        return (use,)
    attributes = tuple(Option(name) for name in arm.attribute)
    skills = tuple(Option(skill) for skill in arm.skills_for(attack.use))
    page = "" if len(attributes) > 1 else MORE
    return (
        use,
        Field("attribute", "choice", default=attack.attribute, options=attributes, page=page),
        Field("skill", "choice", default=attack.skill, options=skills, page=MORE),
    )


def _second(stat_block: Fighter, attack: Attack | None) -> Field:
    """Return the field for the weapon in the other hand."""
    held = () if attack is None else (other.name for other in stat_block.attacks if other.name != attack.weapon.name)
    options = (NO_WEAPON, *(Option(name) for name in held))
    return Field("dual", "choice", "second weapon", default=attack.dual if attack else "", options=options, page=MORE)


def _place_fields(state: State, attack: Attack | None, who: Id) -> tuple[Field, ...]:
    """Return what is asked where the map does not tell (4.8)."""
    if attack is not None and field.on_grid(state, who, attack.target):
        return ()
    return (
        Field("distance", "number", "distance in feet", default=attack.feet if attack else FEET, minimum=0),
        Field("in_melee", "flag", "an enemy is within melee range", default=attack.crowded if attack else False),
    )


@per_fields("block", "kind")
def _arms(combatant: Combatant, uses: tuple[Use, ...], grapples: bool, *empty: Arm) -> tuple[Option, ...]:
    """Return the weapons on offer, with what forbids them."""
    arms = [arm for arm in block(combatant).arms if any(use in arm.use for use in uses)]
    return tuple([_arm(arm, grapples, any(arm is one for one in empty)) for arm in arms])


def _arm(arm: Arm, grapples: bool, empty: bool) -> Option:
    held = "SV-149" if grapples and not (arm.natural or "unarmed" in arm.use) else ""
    unloaded = ("SV-092" if arm.reload == "bow" else "SV-093") if empty and not arm.close else ""
    return weapon_option(arm.name, str(arm.damage), str(arm.shock or ""), held, unloaded)


def misfit(state: State, action: Action, uses: tuple[Use, ...]) -> Refusal | None:
    """Return why this attack is impossible."""
    who = action.by
    if who is None:
        return None
    found = _found(state, action, uses, None)
    if found is not None:
        return found[1]
    if len(state.combatants) == 1 and not text(action, "target"):
        why = f"nobody else is in the fight with {state.name(who)}"
        return Refusal("no_target", why, "SV-053", forcible=False)
    if text(action, "target") == who:
        return Refusal("no_target", f"{state.name(who)} cannot attack itself", "SV-053", forcible=False)
    if text(action, "weapon") and any(use in arm.use for arm in block(state[who]).arms for use in uses):
        return None  # the form says what is missing
    if not any(use in arm.use for arm in block(state[who]).arms for use in uses):
        return Refusal("no_weapon", f"{state.name(who)} has no weapon for this", "", forcible=False)
    return None
