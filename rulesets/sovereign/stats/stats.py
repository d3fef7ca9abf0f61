"""The numbers of a combatant with their parts, its relations, and its stat block."""

from __future__ import annotations

from collections.abc import Iterable

from rulesets.sovereign.stat_blocks.models import Arm, Fighter, HouseRules, MemberKeys, Setup, SideKeys
from rulesets.without_number.stat_blocks import Attribute, modifier_of
from rulesets.without_number.stats import effect_parts, grappling, halved
from tracker.core.fight.cache import per_object, per_state
from tracker.core.fight.slots import Id
from tracker.core.fight.state import Combatant, Side, State
from tracker.core.terms.derived import Derived, Part
from tracker.core.terms.errors import RulesBug

COMBAT_SKILLS = ("brawl", "stab", "shoot")
DEFAULT_RULES = HouseRules()
DEFAULT_SETUP = Setup()
DEFAULT_SIDE = SideKeys()
DEFAULT_MEMBER = MemberKeys()


def rules(state: State) -> HouseRules:
    """Return the switches of this fight."""
    return state.house_rules if isinstance(state.house_rules, HouseRules) else DEFAULT_RULES


def setup(state: State) -> Setup:
    """Return the set-up of this fight."""
    return state.setup if isinstance(state.setup, Setup) else DEFAULT_SETUP


def side_keys(state: State, side: Id) -> SideKeys:
    data = state.side(side).data
    return data if isinstance(data, SideKeys) else DEFAULT_SIDE


def member_keys(combatant: Combatant) -> MemberKeys:
    return combatant.data if isinstance(combatant.data, MemberKeys) else DEFAULT_MEMBER


def block(combatant: Combatant) -> Fighter:
    if isinstance(combatant.block, Fighter):
        return combatant.block
    raise RulesBug(f"{combatant.id} has a stat block of another game")


def trained(state: State, who: Id) -> bool:
    """Tell for whom attributes and skills count: PCs and henchmen (SV-118)."""
    return block(state[who]).trained


def able(state: State, who: Id) -> bool:
    """Tell whether a combatant is up, the surprised included."""
    combatant = state.get(who)
    return combatant is not None and combatant.status == "up"


def free(state: State, who: Id) -> bool:
    """Tell whether a combatant may act at all, up and not surprised (R28)."""
    combatant = state.get(who)
    return combatant is not None and combatant.status == "up" and not combatant.has("surprised")


def unsurprised(state: State, who: Id) -> bool:
    """Tell whether a combatant has a budget in this round (4.2, R28).

    The fallen keep theirs, should they be brought back.
    """
    return not state[who].has("surprised")


def friends(state: State, who: Id) -> frozenset[Id]:
    """Return the sides that are friendly to a combatant, its own included (R44)."""
    return allies(state, state[who].side)


def friendly(state: State, one: Id, other: Id) -> bool:
    """Tell whether two are on the same side or on friendly ones (R44)."""
    return state[other].side in allies(state, state[one].side)


@per_state
def allies(state: State, side: Id) -> frozenset[Id]:
    """Return the sides that are friendly to a side, itself included (R44)."""
    known = setup(state)
    if not known.friendly:
        return frozenset((side,))
    called = _called(state.sides)
    own = [group for group in known.friends if group & called[side]]
    return frozenset({side, *(other for other, names in called.items() if any(group & names for group in own))})


@per_object
def _called(sides: tuple[Side, ...]) -> dict[Id, set[str]]:
    """Return what each side is called in a list of friends."""
    return {one.id: {one.name.casefold(), one.id.casefold()} for one in sides}


def friendly_sides(state: State, side: Id, other: Id) -> bool:
    """Tell whether two sides are friendly (R44)."""
    return other in allies(state, side)


def hostile(state: State, one: Id, other: Id) -> bool:
    """Tell whether two are against each other (R44)."""
    return not friendly(state, one, other)


def enemies(state: State, who: Id) -> tuple[Combatant, ...]:
    """Return the hostile combatants, in encounter order."""
    return _against(state, state[who].side)


@per_state
def _against(state: State, side: Id) -> tuple[Combatant, ...]:
    friendly = allies(state, side)
    return tuple([other for other in state.combatants if other.side not in friendly])


def unarmed(combatant: Combatant) -> Arm:
    """Return what a combatant strikes with unarmed (R15).

    A natural attack comes before bare hands.
    """
    arms = block(combatant).arms
    natural = next((arm for arm in arms if arm.natural and arm.close), None)
    return natural or next(arm for arm in arms if "unarmed" in arm.use)


def armed(state: State, who: Id) -> tuple[Arm, ...]:
    """Return the attacks that make a combatant armed for melee (4.5).

    In a grapple only natural ones do.
    """
    combatant = state[who]
    if not free(state, who):
        return ()
    held = grappling(state, who)
    return tuple(
        [
            arm
            for arm in block(combatant).attacks
            if ("melee" in arm.use or (arm.natural and arm.close)) and (arm.natural or not held)
        ]
    )


def reach_of(arms: Iterable[Arm]) -> int:
    """Return the longest reach in feet, 0 for none (SV-097)."""
    return max((arm.reach for arm in arms), default=0)


def modifier(stat_block: Fighter, attribute: Attribute) -> int:
    """Return an attribute modifier, 0 for an NPC (SV-118)."""
    return modifier_of(stat_block.attributes, attribute) if stat_block.trained else 0


def best_attribute(stat_block: Fighter, attributes: Iterable[Attribute]) -> Attribute:
    """Return the attribute with the greatest modifier, the first of equals."""
    return max(attributes, key=lambda attribute: modifier(stat_block, attribute))


def level(combatant: Combatant, skill: str) -> int:
    return block(combatant).level_of(skill)


def best_skill(combatant: Combatant, skills: Iterable[str]) -> str:
    """Return the skill with the highest level, the first of equals."""
    return max(skills, key=lambda skill: level(combatant, skill))


def armor_class(combatant: Combatant) -> Derived:
    """Return what an attack has to reach now (SV-116)."""
    base = Part("AC", block(combatant).ac, "SV-116")
    return Derived.total((base, *effect_parts(combatant, "ac"))) if combatant.effects else Derived(base.amount, (base,))


def speed(combatant: Combatant) -> Derived:
    """Return the feet of one Move, halved and rounded down while prone (SV-040, SV-110)."""
    rate = Derived.total((Part("speed", block(combatant).speed, "SV-040"), *effect_parts(combatant, "speed")))
    return halved(combatant, rate, "SV-110")


def check_parts(combatant: Combatant, skills: Iterable[str], attributes: Iterable[Attribute]) -> tuple[Part, ...]:
    """Return what is added to 2d6 (SV-P02, R01, R41).

    It is the best of these skills and of these attributes, or an NPC's one number.
    """
    stat_block = block(combatant)
    if not stat_block.trained:
        return (Part("skill", stat_block.skill, "SV-P02"), *effect_parts(combatant, "skill"))
    skill, attribute = best_skill(combatant, skills), best_attribute(stat_block, attributes)
    parts = (
        Part(skill, stat_block.level_of(skill), "SV-P02"),
        Part(attribute, modifier(stat_block, attribute), "SV-P01"),
    )
    return (*parts, *effect_parts(combatant, "skill"))


def screen_quota(combatant: Combatant) -> Derived:
    """Return how many attackers a round a screener can block (SV-083, SV-084, R10)."""
    best = max(COMBAT_SKILLS, key=lambda skill: level(combatant, skill))
    extra = Part("feature", block(combatant).features.screen_extra, "SV-084")
    found = Derived.total((Part(best, level(combatant, best), "SV-083"), extra, *effect_parts(combatant, "screen")))
    return found if found.value >= 0 else Derived(0, (*found.parts, Part("not below 0", -found.value)))
