"""Typed access to the state of Sword World, and its numbers with their parts."""

from __future__ import annotations

from collections.abc import Mapping
from typing import cast

from rulesets.sword_world.stat_blocks.models import STATS, DamageType, HouseRules, MemberKeys, Setup, StatBlock, Zone
from tracker.core.fight.cache import per_state
from tracker.core.fight.slots import Id
from tracker.core.fight.state import FIGHT, Combatant, State
from tracker.core.terms.derived import Derived, Part

CHECKS = (
    "accuracy",
    "evasion",
    "fortitude",
    "willpower",
    "spellcasting",
    "initiative",
    "hide",
    "danger_sense",
    "monster_knowledge",
)
"""The checks of 2d that `all_checks` counts for."""
SHORT = 3
"""Metres of short movement (SW-047)."""
DERIVED = (*STATS[:5], "initiative", "magic_power", "move", "hide", "danger_sense", "monster_knowledge", *STATS[5:])


def rules(state: State) -> HouseRules:
    return cast(HouseRules, state.house_rules) if state.house_rules is not None else HouseRules()


def setup(state: State) -> Setup:
    return cast(Setup, state.setup) if state.setup is not None else Setup()


def block(state: State, who: Id) -> StatBlock:
    return cast(StatBlock, state[who].block)


def block_of(combatant: Combatant) -> StatBlock:
    return cast(StatBlock, combatant.block)


def member(combatant: Combatant) -> MemberKeys:
    return cast(MemberKeys, combatant.data) if combatant.data is not None else MemberKeys()


def is_monster(combatant: Combatant) -> bool:
    return combatant.kind == "monster"


def able(state: State, who: Id | None) -> bool:
    combatant = state.get(who)
    return combatant is not None and combatant.status == "up"


def present(combatant: Combatant) -> bool:
    """Tell whether a combatant is there, conscious or not."""
    return combatant.status in ("up", "unconscious")


def camp(state: State, side: Id) -> str:
    """Return `pcs` for the players' side, `foes` for every other one (SW-002).

    Without players the first side counts as theirs.
    """
    found = _camps(state).get(side)
    return state.side(side).id if found is None else found


@per_state
def _camps(state: State) -> dict[Id, str]:
    first = next((one.id for one in state.sides if one.control == "players"), state.sides[0].id if state.sides else "")
    return {one.id: "pcs" if one.id == first or one.control == "players" else "foes" for one in state.sides}


def allied(state: State, side: Id, other: Id) -> bool:
    """Tell whether two sides are in one camp (SW-002)."""
    return camp(state, side) == camp(state, other)


def camp_of(state: State, who: Id) -> str:
    return camp(state, state[who].side)


def camp_title(state: State, camp_name: str) -> str:
    names = [side.name for side in state.sides if camp(state, side.id) == camp_name]
    return " and ".join(names) or ("the PCs' side" if camp_name == "pcs" else "the opposing side")


def other(camp_name: str) -> str:
    return "foes" if camp_name == "pcs" else "pcs"


@per_state
def members(state: State, camp_name: str) -> tuple[Combatant, ...]:
    camps = _camps(state)
    return tuple([combatant for combatant in state.combatants if camps[combatant.side] == camp_name])


def leading(state: State) -> str:
    return str(state.fact(FIGHT, "leading", ""))


def phase_of(state: State, camp_name: str) -> str:
    first = leading(state)
    return "" if not first else "leading" if camp_name == first else "following"


def turn_of(state: State, who: Id) -> bool:
    slot = state.clock.current
    return slot is not None and slot.turns == "opened" and state.clock.acting == who


@per_state
def eligible(state: State) -> tuple[Id, ...]:
    """Return those who may still take a turn in this phase, in order of joining (SW-017)."""
    had, get = frozenset(state.clock.turned), state.get
    people = [get(who) for who in _opened(state) if who not in had]
    return tuple([one.id for one in people if one is not None and one.status == "up"])


def may_open(state: State, who: Id) -> bool:
    """Tell whether a combatant may still take a turn in this phase (SW-017)."""
    return who in _opened(state) and who not in state.clock.turned and able(state, who)


def _opened(state: State) -> tuple[Id, ...]:
    slot = state.clock.current
    return () if slot is None or slot.turns != "opened" or state.clock.over else slot.members


def moved(state: State, who: Id) -> str:
    """Return the kind of movement of this turn, "none" where there was none (SW-039)."""
    return str(state[who].fact("moved", "none"))


@per_state
def zones(state: State) -> tuple[tuple[str, Zone], ...]:
    found = [(owner, value) for owner, key, value in state.facts if key == "zone" and isinstance(value, Zone)]
    return tuple(sorted(found, key=lambda pair: int(pair[0].partition(":")[2])))


def zone(state: State, key: str) -> Zone:
    return cast(Zone, state.fact(key, "zone"))


def has_zone(state: State, key: str) -> bool:
    """Tell whether a brawl of that key is going on; the GM may end one while another step asks for a die."""
    return state.fact(key, "zone") is not None


def zone_of(state: State, who: Id) -> str | None:
    return next((key for key, held in zones(state) if who in held.participants), None)


def place_of(state: State, who: Id) -> str | None:
    """Return the zone in which a combatant takes part or lies (SW-R16)."""
    return places(state).get(who)


@per_state
def places(state: State) -> Mapping[Id, str]:
    """Return the zone of each combatant who takes part in one or lies there (SW-R16)."""
    found: dict[Id, str] = {}
    for key, held in zones(state):
        for who in (*held.participants, *held.fallen):
            found.setdefault(who, key)
    return found


def sections(state: State, who: Id) -> int:
    """Return the room a combatant takes (SW-086)."""
    return block(state, who).sections


def body_sections(state: State, who: Id) -> int:
    """Return the sections of a combatant's whole body (SW-R43)."""
    own = block(state, who)
    if not own.body:
        return own.sections
    side, number = state[who].side, body_number(state[who])
    return sum(
        block_of(one).sections
        for one in state.combatants
        if one.side == side
        and block_of(one).body == own.body
        and body_number(one) == number
        and (one.id == who or able(state, one.id))
    )


def body_number(combatant: Combatant) -> int:
    """Return to which of the bodies of its word and side a section belongs (SW-R43)."""
    return cast(int, combatant.fact("body", 1))


def occupancy(state: State, held: Zone, camp_name: str | None = None) -> int:
    """Return the sections of a zone's able participants, of one camp if it is named."""
    return sum(
        sections(state, who)
        for who in held.participants
        if able(state, who) and (camp_name is None or camp_of(state, who) == camp_name)
    )


def distance(state: State, who: Id, target: Id) -> float | None:
    """Return the metres to a target, None if unknown (SW-112).

    The center of a zone counts for a target in it, if the other is not in it.
    """
    here, place = state[who].position, place_of(state, target)
    if place is not None and place == place_of(state, who):
        return None
    there = spot(state, target)
    return None if not here or there is None else abs(here[0] - there)


def spot(state: State, who: Id) -> float | None:
    """Return a combatant's place on the line, the center of its brawl first."""
    place, here = place_of(state, who), state[who].position
    center = None if place is None else zone(state, place).center
    return here[0] if center is None and here else center


def cover(state: State, who: Id, aim: str) -> str | None:
    """Return the brawl that covers a target or another brawl from a combatant (SW-115).

    None where places are not known, or where the combatant has Hawkeye.
    """
    here = state[who].position
    place = aim if has_zone(state, aim) else place_of(state, aim)
    there = zone(state, aim).center if place == aim else spot(state, aim)
    if not here or there is None or block(state, who).hawkeye:
        return None
    low, high = sorted((here[0], there))
    open_to = (place, place_of(state, who))
    between = (key for key, held in zones(state) if held.center is not None and low < held.center < high)
    return next((key for key in between if key not in open_to), None)


def effect_parts(combatant: Combatant, stat: str) -> tuple[Part, ...]:
    """Return what a combatant's effects add to a number; `all_checks` counts for every check (section 3)."""
    names = (stat, "all_checks") if stat in CHECKS else ("agility", "move") if stat == "agility" else (stat,)
    return tuple(
        [
            Part(effect.shown, modifier.amount, effect.rule)
            for effect in combatant.effects
            for modifier in effect.modifiers
            if modifier.stat in names
        ]
    )


def check_parts(combatant: Combatant, stat: str, base: int, label: str = "") -> tuple[Part, ...]:
    parts = [Part(label or stat.replace("_", " "), base), *effect_parts(combatant, stat)]
    if stat in ("accuracy", "evasion"):
        parts += [
            Part(feat.name, amount)
            for feat in block_of(combatant).feats
            if not feat.declared and (amount := int(getattr(feat, stat)))
        ]
    return tuple(parts)


def fixed(combatant: Combatant, stat: str) -> int | None:
    """Return the fixed value of a check that a combatant's block has, or None (SW-R48)."""
    return cast("int | None", getattr(combatant.block, f"{stat}_fixed", None))


def added_damage(combatant: Combatant) -> tuple[tuple[int, DamageType | None, str], ...]:
    """Return the additional damage of weapon attacks from effects and constant feats (SW-134)."""
    found: list[tuple[int, DamageType | None, str]] = []
    for effect in combatant.effects:
        for modifier in effect.modifiers:
            if modifier.stat == "damage":
                word = modifier.kind or modifier.when  # older journals have it as `when`
                kind: DamageType | None = "physical" if word == "physical" else "magical" if word == "magical" else None
                found.append((modifier.amount, kind, effect.shown))
    found += [
        (feat.damage, feat.damage_type, feat.name)
        for feat in block_of(combatant).feats
        if not feat.declared and feat.damage
    ]
    return tuple(found)


def move_limit(state: State, who: Id, kind: str) -> int:
    """Return the metres of a kind of movement (SW-041, SW-044, SW-047, SW-048)."""
    agility = total(state, who, "move")
    return {"full": 3 * agility, "normal": agility, "short": min(SHORT, agility)}[kind]


def total(state: State, who: Id, name: str) -> int:
    return derived(state, who, name).value


def derived(state: State, who: Id, name: str) -> Derived:
    return derived_of(state[who], name)


def derived_of(combatant: Combatant, name: str) -> Derived:
    own = block_of(combatant)
    if name in ("move", "agility"):
        found = Derived.total(
            (Part("move" if own.agility is None else "Agility", own.move), *effect_parts(combatant, "agility"))
        )
        return found if found.value >= 0 else Derived(0, (*found.parts, Part("not below 0", -found.value)))
    if name in CHECKS and name != "accuracy":
        stated = fixed(combatant, name)
        label = f"{name.replace('_', ' ')} (fixed)" if stated is not None else ""
        return Derived.total(check_parts(combatant, name, int(getattr(own, name)) if stated is None else stated, label))
    if name == "accuracy":
        first = own.attacks[0] if own.attacks else None
        base = 0 if first is None else first.accuracy if first.accuracy_fixed is None else first.accuracy_fixed
        return Derived.total(check_parts(combatant, name, base, first.name if first else "untrained"))
    if name in ("defense", "magic_power"):
        return Derived.total((Part(name.replace("_", " "), int(getattr(own, name))), *effect_parts(combatant, name)))
    if name == "damage":
        return Derived.total((Part("", 0), *(Part(label, amount) for amount, _, label in added_damage(combatant))))
    return Derived.total((Part("", 0), *effect_parts(combatant, name)))
