"""Typed access to what the percentile game stores in a state."""

from __future__ import annotations

from itertools import chain
from typing import cast

from rulesets.spelljammer.stat_blocks.facts import Act, Casting, Declaration, Parry, Waiting
from rulesets.spelljammer.stat_blocks.models import Creature, Defence, HouseRules, Setup, Spell, Weapon
from rulesets.spelljammer.stat_blocks.tables import ENCUMBERED, stun_threshold, wound_mod
from tracker.core.fight.cache import per_fields, per_object, per_state
from tracker.core.fight.slots import Id, Slot
from tracker.core.fight.state import Combatant, State
from tracker.core.terms.actions import Option
from tracker.core.terms.derived import Derived, Part
from tracker.core.terms.effects import Effect
from tracker.core.terms.errors import RulesBug
from tracker.core.terms.values import Value

PAIR = "pair:"
GUARDS = {"full_defense": 5, "desperate_defense": 20}
WITHDRAWN = "withdrawn:"
"""The start of the facts of opponents that have withdrawn from a combatant in this round."""
START_HP = "start_hp"
"""The fact with the hit points a combatant brought into this fight, if the stat block says another number."""


def rules(state: State) -> HouseRules:
    return cast(HouseRules, state.house_rules) if state.house_rules is not None else HouseRules()


def setup(state: State) -> Setup:
    return cast(Setup, state.setup) if state.setup is not None else Setup()


def block(state: State, who: Id) -> Creature:
    return cast(Creature, state[who].block)


def weapon(state: State, who: Id, name: str) -> Weapon:
    for weapon in block(state, who).weapons:
        if weapon.name == name:
            return weapon
    raise RulesBug(f"{who} has no weapon {name}")


def spell(state: State, who: Id, name: str) -> Spell | None:
    return next((spell for spell in block(state, who).spells if spell.name == name), None)


def down(combatant: Combatant) -> bool:
    """Tell whether a combatant is down, or about to be once simultaneous acts are settled."""
    return combatant.status != "up" or (combatant.has_pool("hp") and combatant.hp <= 0)


def dead(state: State, hp: int) -> bool:
    """Tell whether these hit points mean death where the switch names a number (A-13)."""
    limit = rules(state).death_at
    return isinstance(limit, int) and hp <= limit


def unable(combatant: Combatant) -> str:
    """Return why a combatant's acts are lost, or ""."""
    if combatant.status != "up":
        return combatant.status
    if combatant.effects and combatant.has("stunned"):
        return "stunned"
    return "forced to move" if combatant.fact("lost_acts") else ""


def stands(state: State, who: Id) -> bool:
    """Tell whether a combatant is in the fight and not down."""
    return who in state and not down(state[who])


@per_state
def standing(state: State) -> tuple[Combatant, ...]:
    """Return those who are not down, in file order."""
    return tuple([combatant for combatant in state.combatants if combatant.status == "up"])


def foes(state: State, who: Id) -> tuple[Combatant, ...]:
    return _against(state, state[who].side)


@per_state
def _against(state: State, side: Id) -> tuple[Combatant, ...]:
    return tuple(combatant for combatant in standing(state) if combatant.side != side)


def resolved(state: State, slot: Slot) -> bool:
    first = state.get(slot.members[0]) if slot.members else None
    return first is not None and first.fact("resolved") == slot.id


def pair(one: Id, other: Id) -> str:
    """Return under which name facts about a pair are kept."""
    return PAIR + "|".join(sorted((one, other)))


def engaged(state: State, who: Id) -> tuple[Id, ...]:
    """Return those a combatant is in melee with, in file order."""
    met, places = _melees(state.facts).get(who, ()), state.places
    return tuple(sorted([one for one in met if one in places], key=places.__getitem__)) if met else ()


@per_object
def _melees(facts: tuple[tuple[str, str, Value], ...]) -> dict[Id, list[Id]]:
    """Return whom each combatant is in melee with."""
    found: dict[Id, list[Id]] = {}
    for owner, key, _ in facts:
        if key == "engaged":
            one, other = paired(owner)
            if one != other:
                found.setdefault(one, []).append(other)
                found.setdefault(other, []).append(one)
    return found


def paired(owner: str) -> list[Id]:
    """Return the two combatants that a fact about a pair is about."""
    return owner.removeprefix(PAIR).split("|")


def pairs(state: State) -> tuple[str, ...]:
    return tuple(owner for owner, key, _ in state.facts if key == "engaged")


def out_of_reach(state: State, who: Id, target: Id) -> bool:
    """Tell whether a target has withdrawn from a combatant in this round, and is out of its reach (SJ-128)."""
    return bool(state[who].fact(f"{WITHDRAWN}{target}")) and target not in engaged(state, who)


def declaration(state: State, who: Id) -> Declaration | None:
    return cast("Declaration | None", state[who].fact("declaration"))


def act_of(slot: Slot | None) -> Act | None:
    return slot.data if slot is not None and isinstance(slot.data, Act) else None


def casting(combatant: Combatant) -> Effect | None:
    for effect in combatant.effects:
        if isinstance(effect.data, Casting):
            return effect
    return None


def modified(state: State, who: Id, stat: str) -> list[Part]:
    """Return what effects add to a number, the game master's own among them."""
    return _added(state[who], stat)


def _added(combatant: Combatant, stat: str) -> list[Part]:
    if not combatant.effects:
        return []
    return [
        Part(effect.shown, mod.amount, effect.rule)
        for effect in combatant.effects
        for mod in effect.modifiers
        if mod.stat == stat
    ]


def bleeding(state: State, who: Id, before: int | None = None) -> dict[Id | None, list[Part]]:
    """Return the hit points that bleeding takes at a round's end, by attacker and wound.

    `before`: only wounds of earlier rounds (SJ-164 to SJ-166, A-16).
    """
    found: dict[Id | None, list[Part]] = {}
    for effect in state[who].effects:
        if before is None or effect.born[0] < before:
            title = "wound" if effect.name == "bleeding" else effect.shown
            parts = [Part(title, mod.amount, effect.rule) for mod in effect.modifiers if mod.stat == "bleeding"]
            if parts:
                found.setdefault(effect.source, []).extend(parts)
    return found


def waiting(combatant: Combatant) -> Effect | None:
    """Return the effect of a spell that begins on 10 of the next round (SJ-030)."""
    return next((effect for effect in combatant.effects if isinstance(effect.data, Waiting)), None)


def waiting_spell(combatant: Combatant) -> str:
    """Return the name of a spell that begins on 10 of this round, or ""."""
    effect = waiting(combatant)
    return effect.data.spell if effect is not None and isinstance(effect.data, Waiting) else ""


def ambush_level(state: State, who: Id) -> int:
    """Return the level of an ambushed combatant, 0 for one who is not."""
    return cast(int, state[who].fact("ambush_level", 0))


def shield_ready(state: State, who: Id) -> bool:
    """Tell whether the shield part of DEF counts."""
    return bool(state[who].fact("shield_ready", block(state, who).shield_ready))


def prot(state: State, who: Id) -> int:
    """Return what is taken off the damage of a normal hit, never below 0 (SJ-037).

    Grievous hits have lowered the armour's part (SJ-036).
    """
    return protection(state[who]).value


@per_fields("block", "effects")
def protection(combatant: Combatant) -> Derived:
    """Return PROT with its parts."""
    held = cast(Creature, combatant.block)
    damaged = max(-held.prot, sum(part.amount for part in _added(combatant, "armour")))
    parts = [
        Part("armour", held.prot),
        Part("natural", held.prot_natural),
        Part("damaged", damaged, "SJ-036"),
        *_added(combatant, "prot"),
    ]
    below = min(0, sum(part.amount for part in parts))
    return Derived.total((*parts, Part("not below 0", -below, "SJ-037")))


def start_hp(state: State, who: Id) -> int:
    """Return the hit points that decide which wound steps count (SJ-049, A-14)."""
    if rules(state).wound_start != "fight":
        return full_hp(state, who)
    return cast(int, state[who].fact(START_HP, block(state, who).hp))


def full_hp(state: State, who: Id) -> int:
    """Return an unhurt combatant's hit points, as the game master may have changed them."""
    combatant = state[who]
    for pool in combatant.pools:
        if pool.key == "hp":
            return pool.max
    return cast(Creature, combatant.block).hp_max


@per_state
def wound(state: State, who: Id) -> tuple[int, str]:
    combatant = state[who]
    mod, rule = wound_mod(combatant.hp, start_hp(state, who))
    more = _added(combatant, "wound_mod")
    return mod + sum([part.amount for part in more]) if more else mod, rule


def dex(state: State, who: Id) -> int:
    """Return DEX for rolls, less what is stuck in the body (SJ-164 to SJ-167, A-20)."""
    return max(1, block(state, who).dex + sum(part.amount for part in modified(state, who, "dex")))


def tmr(state: State, who: Id) -> float:
    """Return the movement allowance of one round in feet, never below 0.

    SJ-046 to SJ-048, A-18.
    """
    return max(
        0.0, block(state, who).tmr + wound(state, who)[0] + sum(part.amount for part in modified(state, who, "tmr"))
    )


def threshold(state: State, who: Id) -> int:
    held = block(state, who)
    return stun_threshold(held.con, held.size, full_hp(state, who)) + sum(
        part.amount for part in modified(state, who, "stun")
    )


def parry(combatant: Combatant) -> tuple[Effect, Parry] | None:
    """Return the defence that holds: defending, full or desperate, declared or given by hand."""
    for effect in combatant.effects:
        if isinstance(effect.data, Parry):
            return effect, effect.data
        if effect.name in GUARDS:
            return effect, Parry(guard_bonus(effect.name, cast(Creature, combatant.block).weapons[0].rank))
    return None


def guard_bonus(name: str, rank: int) -> int:
    """Return what a full or desperate defence adds to DEF (SJ-117, SJ-121).

    Besides its fixed number it is 2.5 a rank, rounded up.
    """
    return GUARDS[name] - (-5 * rank // 2)


def defence(state: State, who: Id, surprise: str = "none", free_attack: bool = False, unseen: int = 0) -> Derived:
    """Return the effective DEF with its parts (section 8, "Effective DEF")."""
    switches = rules(state)
    caught = surprise == "out_of_combat" or (switches.ambush_is_surprise and ambush_level(state, who) >= 4)
    ready = shield_ready(state, who)
    return _defence(state[who], ready, caught, surprise, free_attack, unseen, switches.negative_def)


@per_fields("block", "effects")
def _defence(
    combatant: Combatant, ready: bool, caught: bool, surprise: str, free_attack: bool, unseen: int, negative: bool
) -> Derived:
    held = cast(Creature, combatant.block).defence
    gone: dict[str, str] = {}
    if casting(combatant):
        gone |= dict.fromkeys(("dex", "skill", "shield"), "SJ-065")
    if combatant.has("careful_aim"):
        gone |= dict.fromkeys(("dex", "skill"), "SJ-152")
    if free_attack or not ready:
        gone["shield"] = "SJ-133" if free_attack else "SJ-090"
    if caught:
        gone |= dict.fromkeys(("dex", "skill", "shield", "other"), "SJ-051")
    amounts = ((name, getattr(held, name)) for name in Defence.__struct_fields__ if name not in gone)
    parts = [Part("DEF", 0), *[Part(name, amount) for name, amount in amounts if amount]]
    parts += _added(combatant, "def")
    total = sum(part.amount for part in parts)
    if surprise == "in_combat" and total > 0:
        parts.append(Part("surprised: half", total // 2 - total, "SJ-050"))
    parts += _situation(combatant, surprise, unseen)
    value = sum(part.amount for part in parts)
    if value < 0 and not negative:
        parts.append(Part("not below 0", -value, "SJ-A04"))
    return Derived.total(parts)


def _situation(combatant: Combatant, surprise: str, unseen: int) -> list[Part]:
    parts: list[Part] = []
    if combatant.has("no_movement"):
        parts.append(Part("no movement", -20, "SJ-017"))
    if combatant.has("retrieving"):
        parts.append(Part("retrieving", -15, "SJ-126"))
    if load := ENCUMBERED[cast(Creature, combatant.block).encumbered]:
        parts.append(Part("encumbered", load, "SJ-110"))
    held = parry(combatant)
    if held is not None and surprise == "none" and not (held[0].name == "defending" and casting(combatant)):
        rule = {"defending": "SJ-112", "full_defense": "SJ-117", "desperate_defense": "SJ-121"}[held[0].name]
        parts.append(Part(held[0].shown, held[1].bonus, rule))
    if unseen:
        parts.append(Part("foe unseen", unseen, "SJ-097"))
    return parts


def derived(state: State, who: Id, name: str) -> Derived:
    """Return a number of the stat-block panel with its parts."""
    held = block(state, who)
    match name:
        case "def":
            return defence(state, who)
        case "prot":
            return protection(state[who])
        case "im":
            return Derived.total((Part("IM", held.im), *modified(state, who, "im")))
        case "stun":
            plain = stun_threshold(held.con, held.size, full_hp(state, who))
            return Derived.total((Part("stun threshold", plain, "SJ-038"), *modified(state, who, "stun")))
        case "tmr":
            parts = (Part("TMR", int(held.tmr)), Part("wounds", *wound(state, who)), *modified(state, who, "tmr"))
            return Derived(int(tmr(state, who)), Derived.total(parts).parts, text=f"{tmr(state, who):g} ft")
        case "dex":
            return Derived.total((Part("DEX", held.dex), *modified(state, who, "dex")))
        case "bleeding":
            return Derived.total((Part("bleeding", 0), *chain.from_iterable(bleeding(state, who).values())))
        case "wound_mod":
            return Derived.total(
                (Part("wounds", *wound_mod(state[who].hp, start_hp(state, who))), *modified(state, who, "wound_mod"))
            )
        case "sc":
            return Derived.total((Part("strike chance", 0), *modified(state, who, "sc")))
        case _:
            return Derived(0, text="-")


def targets(state: State, who: Id) -> tuple[Option, ...]:
    """Return everybody else who can be struck.

    Standing foes come first, then friends, then those who are down.
    """
    return tuple([option for option in _struck(state, state[who].side) if option.key != who])


@per_state
def _struck(state: State, side: Id) -> tuple[Option, ...]:
    fallen = [one for one in state.combatants if one.status == "down"]
    friends = [one for one in standing(state) if one.side == side]
    fallen.sort(key=lambda one: one.side == side)
    return tuple([Option(one.id, one.name) for one in (*_against(state, side), *friends, *fallen)])


def unlikely(state: State, who: Id, target: Id) -> bool:
    """Tell whether only purpose makes this a target: a friend, or one who is down."""
    one = state[target]
    return down(one) or one.side == state[who].side
