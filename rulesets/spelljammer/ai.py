"""What a combatant does where no person chooses for it.

No spell of this game has an effect that the rules count, so casters fight. In the declarations each attacks whom it
takes most from, of those whom the attacks declared before will probably leave standing: those in a melee its enemies,
those who strike at another go half a move first, and a shot into a melee counts what it does to friends. When an act is
due it is done, a shot at a freer target where the declared one has got into a melee.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from msgspec import Struct

from rulesets.spelljammer.actions.actions import ACTIONS
from rulesets.spelljammer.actions.attack_form import still_aimed
from rulesets.spelljammer.order import declare, schedule
from rulesets.spelljammer.stat_blocks.facts import Declaration
from rulesets.spelljammer.stat_blocks.models import Weapon
from rulesets.spelljammer.stat_blocks.tables import into_melee, special_hits
from rulesets.spelljammer.stats import stats
from rulesets.spelljammer.stats.costs import legal
from tracker.core.fight.cache import per_fields, per_object, per_state
from tracker.core.fight.slots import Id
from tracker.core.fight.state import Combatant, State
from tracker.core.terms.actions import Action, action
from tracker.core.terms.dice import Dice
from tracker.core.terms.tactics import Aim, Tactics, equals, ranked

PERCENT = 100
LEAST_SPECIAL, LEAST_HITS, MOST_HITS = 2, 3, 95
"""Rolls that are critical, hit or miss at any strike chance (SJ-138 to SJ-141)."""
LEAST_CHANCE = 0.05
EACH_ATTACKER = 10
"""What each further attacker of a target adds to the strike chance (SJ-101)."""
USUAL_DEF = 20
FRIENDLY = 2.0
"""How much more a point taken from a friend counts than one taken from an enemy."""
HURT = 4
"""Who has a quarter of its points left is badly hurt."""
BOWMAN = 2


class AttackOption(Struct, frozen=True, gc=False):
    """One way to attack: the weapons of its attacks in order."""

    weapons: tuple[Weapon, ...]
    shot: bool


def policy(state: State, who: Id, tactics: Tactics) -> Action | None:
    """Return what a combatant does now, None where it has nothing left to do."""
    combatant = state[who]
    if state.clock.over or combatant.status != "up":
        return None
    if state.clock.phase == "declare":
        if combatant.fact("declaration") is not None or stats.ambush_level(state, who) >= 3:
            return None
        wanted = next((one for one in _declarations(state, combatant, tactics) if _possible(state, one)), None)
        return wanted or Action("declare", who, (("main", "nothing"),))
    due = schedule.advance(state)
    if due is None or due.by != who:
        return None
    better = _turned(state, combatant, due, tactics) if due.key == "attack" else None
    return better if better is not None and ACTIONS.accepts(state, better) else due


def _possible(state: State, wanted: Action) -> bool:
    """Tell whether a declaration is legal.

    An attack's fields are known to be on offer, so its form need not be made.
    """
    if wanted.get("main") != "attack":
        return ACTIONS.accepts(state, wanted)
    return legal(state, str(wanted.by), Declaration("attack", movement=str(wanted.get("movement")))) is None


def unplayed(block: object) -> tuple[str, ...]:
    """Return what a stat block can do that the forecast leaves out."""
    return ("spells, whose effect is the GM's",) if getattr(block, "spells", ()) else ()


# -- declarations ------------------------------------------------------------------------------------------------------


def _declarations(state: State, combatant: Combatant, tactics: Tactics) -> Iterator[Action]:
    """Yield what it would declare, the first possible one is declared."""
    who, met = combatant.id, _met(state, combatant.id)
    if declare.carried_over(state, who) is not None:
        yield Action("declare", who)
    if tactics == "cautious" and met and _badly_hurt(combatant) and _has_cover(state, combatant):
        yield action("declare", who, main="full_defense")
    for aim in ranked(_aims(state, combatant, met), tactics):
        for choice in aim.actions:
            yield choice
            yield choice.put(movement="free")
    yield Action("declare", who)


def _badly_hurt(combatant: Combatant) -> bool:
    return combatant.hp * HURT <= combatant.pool("hp").max


def _has_cover(state: State, combatant: Combatant) -> bool:
    """Tell whether a friend who is better off goes on fighting."""
    return any(one.side == combatant.side and not _badly_hurt(one) for one in stats.standing(state))


def _aims(state: State, combatant: Combatant, met: tuple[Id, ...]) -> Iterator[Aim]:
    """Yield each attack with what it takes on average."""
    who, claimed = combatant.id, _claimed(state, combatant.side)
    foes = stats.foes(state, who)
    for option in _attack_options(combatant):
        named = () if _is_usual(combatant, option) else (("weapon", option.weapons[0].name),)
        reached = foes if option.shot else _reached(state, foes, met)
        left = [foe for foe in reached if claimed.get(foe.id, 0.0) < foe.hp]
        for foe, *others in _alike(state, left or reached):
            moves = not option.shot and foe.id not in met
            taken = _taken(state, who, option, foe, moves)
            if option.shot:
                taken -= _astray(state, who, option.weapons[0], foe) * (taken + FRIENDLY * taken)
            movement = "half_then_act" if moves else "free"
            fields = (("main", "attack"), ("movement", movement), ("target", foe.id), *named)
            full = stats.block(state, foe.id).hp_max
            beset, alike = len(stats.engaged(state, foe.id)), tuple([other.id for other in others])
            yield Aim(Action("declare", who, fields), taken, foe.hp, full, threat(foe), beset=beset, alike=alike)


@per_state
def _claimed(state: State, side: Id) -> dict[Id, float]:
    """Return the points that the attacks a side has declared take from each target on average."""
    claimed: dict[Id, float] = {}
    for one in state.combatants:
        declared = one.fact("declaration") if one.side == side and one.status == "up" else None
        if not isinstance(declared, Declaration) or declared.main != "attack":
            continue
        wounds = stats.wound(state, one.id)[0]
        for blow in declared.blows:
            foe = state.get(blow.target)
            if foe is not None:
                weapon, added = stats.weapon(state, one.id, blow.weapon), wounds - stats.defence(state, foe.id).value
                taken = _hit(weapon, added, stats.prot(state, foe.id), foe.hp)
                claimed[foe.id] = claimed.get(foe.id, 0.0) + taken
    return claimed


def _alike(state: State, foes: Sequence[Combatant]) -> list[list[Combatant]]:
    """Return foes in groups that an attack takes the same from."""

    def likeness(foe: Combatant) -> object:
        now = stats.engaged(state, foe.id), stats.ambush_level(state, foe.id)
        return (id(foe.block), foe.kind, foe.pools, foe.effects, foe.facts, *now)

    return equals(foes, likeness)


@per_fields("block", "kind")
def _attack_options(combatant: Combatant) -> tuple[AttackOption, ...]:
    """Return the melee routine, each melee weapon, and each weapon to shoot with."""
    block = combatant.block
    weapons: tuple[Weapon, ...] = getattr(block, "weapons", ())
    near = tuple(weapon for weapon in weapons if weapon.kind == "melee")
    shots = tuple(weapon for weapon in weapons if weapon.kind == "ranged")
    if combatant.kind == "monster":
        return tuple(AttackOption(group, shot) for group, shot in ((near, False), (shots, True)) if group)
    return (*(AttackOption((weapon,), False) for weapon in near), *(AttackOption((weapon,), True) for weapon in shots))


def _is_usual(combatant: Combatant, option: AttackOption) -> bool:
    """Tell whether the form fills in the weapons of this way by itself."""
    last = combatant.fact("last")
    if isinstance(last, Declaration) and last.blows:
        return {blow.weapon for blow in last.blows} <= {weapon.name for weapon in option.weapons}
    block = combatant.block
    routine: tuple[Weapon, ...] = getattr(block, "weapons", ())
    if combatant.kind != "monster":
        return routine[:1] == option.weapons
    return routine[: getattr(block, "attacks", 1)] == option.weapons[: getattr(block, "attacks", 1)]


def _taken(state: State, who: Id, option: AttackOption, foe: Combatant, moves: bool) -> float:
    """Return the points that the attacks of one round take on average."""
    attacks = stats.block(state, who).attacks
    attacks -= attacks // 2 if moves else 0
    added = stats.wound(state, who)[0] - stats.defence(state, foe.id).value
    if not option.shot:
        met = stats.engaged(state, foe.id)
        added += EACH_ATTACKER * (len(met) - (who in met))
    count, prot, left = max(1, attacks), stats.prot(state, foe.id), foe.hp
    hits = [_hit(weapon, added, prot, left) for weapon in option.weapons[:count]]
    return sum(hits + hits[-1:] * (count - len(hits)))


def _hit(weapon: Weapon, added: int, prot: int, left: int) -> float:
    """Return the points one attack takes on average, armour and doubled damage counted."""
    most, known = _known_hits(weapon)
    asked = (weapon.sc + added, prot, min(left, most))
    if asked not in known:
        known[asked] = expected_damage(weapon.dmg, *asked)
    return known[asked]


@per_object
def _known_hits(weapon: Weapon) -> tuple[int, dict[tuple[int, int, int], float]]:
    """Return the most points an attack can take, and those it takes on average, as far as they have been asked for."""
    return 2 * weapon.dmg.maximum, {}


def expected_damage(dice: Dice, chance: int, prot: int, left: int) -> float:
    """Return the mean of an attack (SJ-033, SJ-034).

    Hits count less armour, critical hits doubled without it.
    """
    special = max(LEAST_SPECIAL, *special_hits(chance))
    hits = max(LEAST_HITS, min(MOST_HITS, chance)) - special
    plain = sum(share * min(left, max(0, total - prot)) for total, share in dice.chances())
    doubled = sum(share * min(left, 2 * total) for total, share in dice.chances())
    return (max(0, hits) * plain + special * doubled) / PERCENT


@per_fields("block", "kind")
def threat(combatant: Combatant) -> float:
    """Return the points a combatant takes in a round from a usual enemy."""
    attacks = getattr(combatant.block, "attacks", 1)
    plans = [
        [option.weapons[min(place, len(option.weapons) - 1)] for place in range(attacks)]
        for option in _attack_options(combatant)
    ]
    return max((sum(_hit(one, -USUAL_DEF, 0, PERCENT) for one in plan) for plan in plans), default=0.0)


@per_state
def _met(state: State, who: Id) -> tuple[Id, ...]:
    """Return the standing enemies a combatant is in melee with."""
    side = state[who].side
    return tuple(one for one in stats.engaged(state, who) if state[one].side != side and not stats.down(state[one]))


def _reached(state: State, foes: tuple[Combatant, ...], met: tuple[Id, ...]) -> tuple[Combatant, ...]:
    """Return whom a blow can be aimed at.

    In a melee its enemies, else the first rank while one of it is free.
    """
    if met:
        return tuple(foe for foe in foes if foe.id in met)
    first = tuple(foe for foe in foes if not _keeps_back(foe))
    return first if any(not _met(state, foe.id) for foe in first) else foes


@per_fields("block", "kind")
def _keeps_back(combatant: Combatant) -> bool:
    """Tell whether a combatant stands in the second rank: it shoots or casts."""
    options = _attack_options(combatant)
    return bool(getattr(combatant.block, "spells", ())) or any(option.shot for option in options)


def _astray(state: State, who: Id, weapon: Weapon, foe: Combatant) -> float:
    """Return the chance that a shot goes at a friend (SJ-169 to SJ-177)."""
    side = state[who].side
    friends = [one for one in stats.engaged(state, foe.id) if state[one].side == side and one != who]
    friends = [one for one in friends if not stats.down(state[one])]
    if not friends:
        return 0.0
    opponents = {one for friend in friends for one in stats.engaged(state, friend) if state[one].side != side}
    most, _ = into_melee(len(friends), max(1, len(opponents | {foe.id})))
    added = weapon.rank + BOWMAN * stats.block(state, who).master_bowman
    return min(1.0, max(LEAST_CHANCE, (most - added) / PERCENT))


# -- acts that are due -------------------------------------------------------------------------------------------------


def _turned(state: State, combatant: Combatant, due: Action, tactics: Tactics) -> Action | None:
    """Return a shot at another target, where friends are in the declared one's melee."""
    act = stats.act_of(state.clock.current)
    if act is None or act.blow is None:
        return None
    arm = stats.weapon(state, combatant.id, act.blow.weapon)
    if arm.kind != "ranged":
        return None
    target = still_aimed(state, combatant.id, act.blow)
    if target is not None and not _astray(state, combatant.id, arm, state[target]):
        return None
    option = AttackOption((arm,), True)
    found = []
    for foe, *others in _alike(state, stats.foes(state, combatant.id)):
        taken = _taken(state, combatant.id, option, foe, False)
        taken -= _astray(state, combatant.id, arm, foe) * (taken + FRIENDLY * taken)
        alike = tuple([other.id for other in others])
        found.append(Aim(due.put(target=foe.id), taken, foe.hp, foe.pool("hp").max, threat(foe), alike=alike))
    better = ranked(found, tactics)
    return better[0].action if better else None
