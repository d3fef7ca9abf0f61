"""The numbers of a combatant with their parts, and typed access to its stat block."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal

from rulesets.without_number.stat_blocks import Attribute, modifier_of
from rulesets.without_number.stats import effect_parts, halved
from rulesets.worlds_without_number.stat_blocks.models import PC, UNARMED, HouseRules, Monster, SideKeys, Use, Weapon
from tracker.core.fight.cache import per_state
from tracker.core.fight.slots import Id
from tracker.core.fight.state import Combatant, State
from tracker.core.terms.derived import Derived, Part
from tracker.core.terms.errors import RulesBug

Save = Literal["physical", "evasion", "mental"]
Check = tuple[Part, ...]

COMBAT_SKILLS = ("punch", "stab", "shoot")
DEFAULT_RULES = HouseRules()
DEFAULT_SIDE = SideKeys()
SIZE_PENALTY = {"human": 0, "large": -2, "beast": -4}


BLOCKS = (PC, Monster)
"""One tuple for all calls: `PC | Monster` is made anew by each."""


def rules(state: State) -> HouseRules:
    """Return the switches of this fight."""
    return state.house_rules if isinstance(state.house_rules, HouseRules) else DEFAULT_RULES


def side_keys(state: State, side: Id) -> SideKeys:
    data = state.side(side).data
    return data if isinstance(data, SideKeys) else DEFAULT_SIDE


def block(combatant: Combatant) -> PC | Monster:
    found = combatant.block
    if isinstance(found, BLOCKS):
        return found
    raise RulesBug(f"{combatant.id} has a stat block of another game")


def is_pc(state: State, who: Id) -> bool:
    """Tell whether a combatant follows the PCs' rules.

    PCs do, and those on their side that are not marked as NPCs.
    """
    combatant = state[who]
    stat_block = block(combatant)
    if isinstance(stat_block, PC):
        return True
    return state.side(combatant.side).control == "players" if stat_block.npc is None else not stat_block.npc


def expects_trouble(state: State, side: Id) -> bool:
    """Tell whether a side cannot be surprised (WN-022).

    It says so, or all of its members do.
    """
    if side_keys(state, side).expects_trouble:
        return True
    members = state.members(side)
    watchful = (isinstance(stat_block := block(member), Monster) and stat_block.expects_trouble for member in members)
    return bool(members) and all(watchful)


def able(state: State, who: Id) -> bool:
    """Tell whether a combatant can act at all (R05)."""
    combatant = state.get(who)
    return combatant is not None and combatant.status == "up" and not combatant.has("surprised")


def prone(state: State, who: Id) -> bool:
    """Tell whether a combatant lies on the ground."""
    return state[who].has("prone")


@per_state
def enemies(state: State, who: Id) -> tuple[Combatant, ...]:
    """Return the combatants of other sides, in file order."""
    side = state[who].side
    return tuple([other for other in state.combatants if other.side != side])


def hostile(state: State, one: Id, other: Id) -> bool:
    """Tell whether two who are in the fight are on different sides."""
    return one in state and other in state and state[one].side != state[other].side


def allies(state: State, who: Id) -> tuple[Combatant, ...]:
    """Return the others of the same side, in file order."""
    side = state[who].side
    return tuple([other for other in state.combatants if other.side == side and other.id != who])


def weapon(state: State, who: Id, name: str) -> Weapon:
    for arm in block(state[who]).arms:
        if arm.name == name:
            return arm
    raise RulesBug(f"{who} has no {name}")


def unarmed(state: State, who: Id) -> Weapon:
    """Return what a combatant strikes with unarmed (WN-C30)."""
    return block(state[who]).unarmed


def bare_handed(arm: Weapon) -> bool:
    """Tell bare hands from weapons, fangs and claws."""
    return arm.name == UNARMED.name


def modifier(stat_block: PC | Monster, attribute: Attribute) -> int:
    """Return an attribute modifier, 0 for an NPC (WN-106)."""
    return modifier_of(stat_block.mods, attribute) if isinstance(stat_block, PC) else 0


def best_attribute(stat_block: PC | Monster, attributes: Iterable[Attribute]) -> Attribute:
    """Return the attribute with the greatest modifier, the first of equals (WN-105)."""
    return max(attributes, key=lambda attribute: modifier(stat_block, attribute))


def level(stat_block: PC | Monster, skill: str) -> int:
    """Return a skill's level, an NPC's one bonus for everything."""
    return stat_block.skill(skill) if isinstance(stat_block, PC) else stat_block.skill


def combat_skill(combatant: Combatant) -> Derived:
    """Return the highest combat skill, on which screening depends (WN-071)."""
    stat_block = block(combatant)
    best = max(COMBAT_SKILLS, key=lambda skill: level(stat_block, skill))
    return Derived.total((Part(best, level(stat_block, best), "WN-071"), *effect_parts(combatant, "combat_skill")))


def armor_class(combatant: Combatant, use: Use) -> Derived:
    """Return what an attack of this use has to reach (WN-104)."""
    melee = use == "melee"
    worn = block(combatant).ac
    base = Part("AC", worn.melee if melee else worn.ranged, "WN-104")
    if not combatant.effects:
        return Derived(base.amount, (base,))
    return Derived.total((base, *effect_parts(combatant, "ac_melee" if melee else "ac_ranged")))


def armor_words(combatant: Combatant, use: Use) -> str:
    """Return what the AC against a use is called.

    It is simply AC where both are the same.
    """
    worn = block(combatant).ac
    if worn.melee == worn.ranged:
        return "AC"
    return "Melee AC" if use == "melee" else "Ranged AC"


def check_parts(combatant: Combatant, skill: str, attribute: Attribute) -> Check:
    """Return what is added to 2d6 in a skill check (WN-C01 to WN-C03)."""
    stat_block = block(combatant)
    if isinstance(stat_block, Monster):
        return (Part("skill bonus", stat_block.skill, "WN-C03"), *effect_parts(combatant, "skill"))
    trained = stat_block.skill(skill)
    known = Part(skill, trained, "WN-C01") if trained >= 0 else Part(f"no {skill}", -1, "WN-C02")
    return (
        known,
        Part(attribute, modifier_of(stat_block.mods, attribute), "WN-C08"),
        *effect_parts(combatant, "skill"),
    )


def size_penalty(state: State, who: Id, target: Id) -> tuple[Part, ...]:
    """Return the penalty for shoving or holding a larger target (WN-164, WN-165, R25)."""
    own, other = block(state[who]).size, block(state[target]).size
    if own == other or not SIZE_PENALTY[other]:
        return ()
    return (Part(f"{other} target", SIZE_PENALTY[other], "WN-164" if other == "large" else "WN-165"),)


def movement(combatant: Combatant) -> Derived:
    """Return the feet of a Move, halved and rounded down when prone (WN-031, WN-096)."""
    rate = Derived.total((Part("move", block(combatant).move, "WN-031"), *effect_parts(combatant, "move")))
    return halved(combatant, rate, "WN-096")


def save_number(state: State, who: Id, save: Save) -> Derived | None:
    """Return a save number.

    None where it has to be asked for, since none is typed and the computed ones are off.
    """
    combatant = state[who]
    stat_block = block(combatant)
    typed: int | None = getattr(stat_block.saves, save) if isinstance(stat_block, PC) else stat_block.save
    base: tuple[Part, ...]
    if typed is not None:
        base = (Part(f"{save} save", typed, "WN-C05"),)
    elif not rules(state).companion:
        return None
    elif isinstance(stat_block, PC):
        computed: int = getattr(stat_block.computed_saves, save)
        base = (Part(f"{save} save", computed, "WN-C06"),)
    else:
        base = (Part("save", stat_block.computed_save, "WN-C07"),)
    return Derived.total((*base, *effect_parts(combatant, save)))


def initiative_parts(combatant: Combatant) -> tuple[Part, ...]:
    """Return what a combatant adds to a die for initiative (WN-011, WN-012, WN-015)."""
    stat_block = block(combatant)
    own = (
        Part("dex", stat_block.mods.dex, "WN-011")
        if isinstance(stat_block, PC)
        else Part("initiative", stat_block.init_mod, "WN-012")
    )
    return (own, *effect_parts(combatant, "initiative"))
