"""What each weapon and spell would take from each enemy, or give a friend."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache

from msgspec import Struct

from rulesets.sword_world.actions.attack import UNTRAINED, attacks_in, attacks_of
from rulesets.sword_world.order.opening import in_range
from rulesets.sword_world.order.zones import candidates
from rulesets.sword_world.stat_blocks.models import Attack, Feat, Spell
from rulesets.sword_world.stats import stats
from rulesets.sword_world.stats.impact_table import impact_result
from tracker.core.fight.cache import per_object, per_state
from tracker.core.fight.slots import Id
from tracker.core.fight.state import Combatant, State
from tracker.core.terms.actions import Action, action
from tracker.core.terms.dice import Dice
from tracker.core.terms.tactics import Aim, equals

TWO_DICE = Dice.of(2, 6)
FRIENDLY = 2.0
"""How much more a point taken from a friend counts than one taken from an enemy."""
USUAL_CHANCE = 0.5
HALF = 0.5


class Defence(Struct, frozen=True, gc=False):
    """What keeps harm off a combatant: Evasion and Willpower, fixed or rolled, and Defense."""

    evasion: int
    evasion_rolled: bool
    willpower: int
    willpower_rolled: bool
    defense: int


@lru_cache(maxsize=512)
def _wins(ahead: int, rolled: bool) -> float:
    """Return the chance that 2d and a lead beat 0, or the other's 2d (SW-105)."""
    own = TWO_DICE.chances()
    if not rolled:
        return sum(chance for total, chance in own if total + ahead > 0)
    return sum(one * other for total, one in own for theirs, other in own if total + ahead > theirs)


@lru_cache(maxsize=512)
def _impact(row: int, crit: int) -> float:
    """Return the mean of a row of the Impact table, criticals counted (SW-125)."""
    mean = sum(chance * (impact_result(row, total) or 0) for total, chance in TWO_DICE.chances())
    again = sum(chance for total, chance in TWO_DICE.chances() if total >= crit)
    return mean / (1 - min(again, HALF))


def _mean_of(attack: Attack) -> float:
    added = attack.bonus + sum(one.amount for one in attack.additional)
    if attack.damage is not None:
        dice = attack.damage
        return sum(count * (sides + 1) / 2 for count, sides in dice.terms) + dice.plus + added
    return _impact(attack.impact or 0, attack.crit) + added


@per_object
def _defence(combatant: Combatant) -> Defence:
    return Defence(
        stats.derived_of(combatant, "evasion").value,
        stats.fixed_of(combatant, "evasion") is None,
        stats.derived_of(combatant, "willpower").value,
        stats.fixed_of(combatant, "willpower") is None,
        stats.derived_of(combatant, "defense").value,
    )


@per_state
def foes(state: State, camp: str) -> tuple[Combatant, ...]:
    return tuple(one for one in stats.members(state, stats.other(camp)) if one.status == "up")


@per_state
def friends(state: State, camp: str) -> tuple[Combatant, ...]:
    return tuple(one for one in stats.members(state, camp) if stats.present(one))


@per_object
def threat(combatant: Combatant) -> float:
    block = stats.block_of(combatant)
    struck = [_mean_of(attack) for attack in attacks_in(block)]
    mp = combatant.pool("mp").now
    power = stats.derived_of(combatant, "magic_power").value
    sent = [
        _impact(spell.impact, spell.crit) + power + spell.bonus
        for spell in block.spells
        if spell.impact is not None and not spell.heal and spell.cost <= mp
    ]
    return max((*(USUAL_CHANCE * mean for mean in struck), *sent), default=0.0)


def _aim(
    state: State, blow: Action, taken: float, foe: Combatant, risk: float = 0.0, alike: tuple[Id, ...] = ()
) -> Aim:
    place = stats.place_of(state, foe.id)
    met = 0 if place is None else len(stats.zone(state, place).participants) - 1
    return Aim(blow, taken, foe.hp, foe.pool("hp").max, threat(foe), risk, met, alike)


@per_state
def _struck(state: State, who: Id, weapon: Attack, target: Id) -> float:
    held = _defence(state[target])
    parts = stats.check_parts(state, who, "accuracy", weapon.accuracy)
    feat = feat_of(state, who)
    accuracy = sum(part.amount for part in parts) + (0 if feat is None else feat.accuracy)
    if weapon.accuracy_fixed is not None:
        chance = _wins(weapon.accuracy_fixed - held.evasion - 7, held.evasion_rolled)
    else:
        chance = _wins(accuracy - held.evasion, held.evasion_rolled)
    extra = sum(amount for amount, _, _ in stats.added_damage(state, who)) + (0 if feat is None else feat.damage)
    magical = weapon.damage_type == "magical" or weapon.mode == "gun"
    mean = max(HALF, _mean_of(weapon) + extra - (0 if magical else held.defense))
    return chance * min(mean, max(1, state[target].hp))


def _usable(state: State, who: Id) -> list[Attack]:
    """Return the weapons in hand: a monster's all are (SW-R46)."""
    combatant = state[who]
    everything = [one for one in attacks_of(state, who) if one.name != UNTRAINED or len(attacks_of(state, who)) == 1]
    if combatant.kind != "character":
        return everything
    return [one for one in everything if one.name in (combatant.fact("hand", ""), UNTRAINED)]


def by_hand(state: State, who: Id, against: tuple[Combatant, ...]) -> Iterator[Aim]:
    for weapon in _usable(state, who):
        if weapon.mode == "melee":
            for foe, *others in _alike(state, against):
                blow, taken = _blow(state, who, foe.id, weapon), _struck(state, who, weapon, foe.id)
                yield _aim(state, blow, taken, foe, alike=tuple([other.id for other in others]))


def _alike(state: State, against: tuple[Combatant, ...]) -> Sequence[Sequence[Combatant]]:
    return equals(
        against, lambda foe: (id(foe.block), foe.pools, foe.effects, foe.facts, foe.data, stats.place_of(state, foe.id))
    )


def _blow(state: State, who: Id, target: Id, weapon: Attack) -> Action:
    blow, feat = action("attack", who, target=target, weapon=weapon.name), feat_of(state, who)
    return blow if feat is None else blow.put(feat=feat.name)


@per_state
def feat_of(state: State, who: Id) -> Feat | None:
    """Return the declared feat that gives more than it costs, or None (SW-055)."""
    if state[who].left("feat") <= 0:
        return None
    found = [feat for feat in stats.block(state, who).feats if feat.declared]
    return max((feat for feat in found if _gain(feat) > 0), key=_gain, default=None)


def _gain(feat: Feat) -> int:
    return feat.accuracy + feat.damage + feat.evasion


def shots(state: State, who: Id) -> Iterator[Aim]:
    """Yield the shots that are worth their crossfire (SW-114)."""
    for weapon in _usable(state, who):
        if weapon.mode != "melee" and stats.moved(state, who) in ("none", "short"):
            for foe in foes(state, stats.camp_of(state, who)):
                if _is_reached(state, who, foe.id, weapon.range):
                    blow = _blow(state, who, foe.id, weapon)
                    yield from _through(state, who, foe, blow, lambda one, arm=weapon: _struck(state, who, arm, one))


def _is_reached(state: State, who: Id, target: Id, reach: float | None) -> bool:
    """Tell whether a target is within range, with no brawl in between (SW-112, SW-115)."""
    return in_range(state, who, target, reach) and stats.cover(state, who, target) is None


def _through(state: State, who: Id, foe: Combatant, blow: Action, taken: object) -> Iterator[Aim]:
    """Yield a shot with what its crossfire takes on average (SW-166)."""
    assert callable(taken)
    place = stats.place_of(state, foe.id)
    if place is None or place == stats.zone_of(state, who):
        yield _aim(state, blow, taken(foe.id), foe)
        return
    own = stats.camp_of(state, who)
    risked = candidates(state, place, foe.id)
    harm = [taken(one) * (-FRIENDLY if stats.camp_of(state, one) == own else 1.0) for one in risked]
    mean = sum(harm) / max(1, len(harm))
    if mean > 0:
        yield _aim(state, blow, mean, foe)


# -- spells ------------------------------------------------------------------------------------------------------------


def _castable(state: State, who: Id) -> list[Spell]:
    if stats.moved(state, who) in ("normal", "full") or state[who].left("standard") <= 0:
        return []
    held = state[who].pool("mp").now
    own = stats.block(state, who).spells
    reserve = min((spell.cost for spell in own if spell.heal), default=0)
    return [spell for spell in own if spell.cost + (0 if spell.heal else reserve) <= held and not spell.free_action]


@per_state
def _cast(state: State, who: Id, spell: Spell, target: Id) -> float:
    """Return the points a spell takes from a target on average.

    A magic point counts for half a hit point.
    """
    held = _defence(state[target])
    mean = _impact(spell.impact or 0, spell.crit) + stats.total(state, who, "magic_power") + spell.bonus
    if spell.damage_type == "physical":
        mean -= held.defense
    share = 1.0
    if spell.resist != "none":
        lead = stats.total(state, who, "spellcasting") - held.willpower
        won = _wins(lead, held.willpower_rolled)
        share = won + (HALF * (1 - won) if spell.resist == "half" else 0.0)
    if spell.pool == "mp":
        return share * HALF * min(mean, state[target].pool("mp").now)
    return share * min(max(HALF, mean), max(1, state[target].hp))


def spell_aims(state: State, who: Id) -> Iterator[Aim]:
    own = stats.camp_of(state, who)
    for spell in _castable(state, who):
        if spell.impact is None or spell.heal:
            continue
        for foe in foes(state, own):
            if not _is_reached(state, who, foe.id, spell.range):
                continue
            yield from _spell_aims(state, who, spell, foe, own)


def _spell_aims(state: State, who: Id, spell: Spell, foe: Combatant, own: str) -> Iterator[Aim]:
    cast = action("cast", who, spell=spell.name, targets=(foe.id,))
    place, here = stats.place_of(state, foe.id), stats.zone_of(state, who)

    def taken(one: Id) -> float:
        return _cast(state, who, spell, one)

    match spell.area:
        case "touch" if place == here:
            yield _aim(state, cast, taken(foe.id), foe)
        case "target":
            yield _aim(state, cast, taken(foe.id), foe)
        case "shot":
            yield from _through(state, who, foe, cast, taken)
        case "radius" if place is not None:
            met = candidates(state, place)
            share = min(1.0, (spell.max_targets or len(met)) / max(1, len(met)))
            yield from _area(state, action("cast", who, spell=spell.name, zone=place), met, share, taken, foe, own)
        case "radius":
            near = [one.id for one in foes(state, own) if _beside(state, one.id, foe.id)]
            met = (foe.id, *near)[: spell.max_targets or 1]
            yield from _area(state, cast.put(targets=met), met, 1.0, taken, foe, own)
        case "line":
            met = () if place is None else tuple(one for one in candidates(state, place) if one not in (foe.id, who))
            others = sum(HALF * taken(one) * (-FRIENDLY if stats.camp_of(state, one) == own else 1.0) for one in met)
            if taken(foe.id) + others > 0:
                yield _aim(state, cast, taken(foe.id) + others, foe)
        case _:
            return


def _area(
    state: State, cast: Action, met: tuple[Id, ...], share: float, taken: object, foe: Combatant, own: str
) -> Iterator[Aim]:
    assert callable(taken)
    harm = sum(taken(one) * (-FRIENDLY if stats.camp_of(state, one) == own else 1.0) for one in met)
    if harm > 0:
        yield _aim(state, cast, share * harm, foe)


def _beside(state: State, one: Id, other: Id) -> bool:
    here, there = state[one].position, state[other].position
    return one != other and stats.place_of(state, one) is None and bool(here) and here == there


def needs_healing(combatant: Combatant, share: float, worst: float) -> bool:
    full = combatant.pool("hp").max
    return combatant.hp < full * share or (combatant.hp < full * 2 * share and combatant.hp <= worst)


def heals(state: State, who: Id, share: float) -> Iterator[Action]:
    """Yield the healing of the friend who needs it most (SW-128)."""
    spells = sorted((one for one in _castable(state, who) if one.heal), key=lambda one: -(one.impact or 0))
    if not spells:
        return
    own = stats.camp_of(state, who)
    worst = max(map(threat, foes(state, own)), default=0.0)
    hurt = [one for one in friends(state, own) if needs_healing(one, share, worst)]
    for patient in sorted(hurt, key=lambda one: one.hp / one.pool("hp").max):
        for spell in spells:
            place = stats.place_of(state, patient.id)
            if spell.area == "touch" and patient.id != who and place != stats.zone_of(state, who):
                continue
            if spell.area == "radius" and place is not None:
                continue  # it would heal the enemies in the brawl as well
            if spell.area == "touch" or _is_reached(state, who, patient.id, spell.range):
                yield action("cast", who, spell=spell.name, targets=(patient.id,))
