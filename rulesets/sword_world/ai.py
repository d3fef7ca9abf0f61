"""What a combatant does where no person chooses for it.

It starts its turn, heals a friend in need, casts or shoots where that takes more from enemies than the crossfire
could take from friends (along a line only where it can hit no friend), or gets into a brawl and strikes. Those who cast
or shoot keep out of brawls; they go up to the enemy only when they have nothing to send over.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache

from msgspec import Struct

from rulesets.sword_world.actions.actions import ACTIONS
from rulesets.sword_world.actions.attack import UNTRAINED, attacks_in, attacks_of
from rulesets.sword_world.actions.turns import begun
from rulesets.sword_world.order import zones
from rulesets.sword_world.order.opening import in_range
from rulesets.sword_world.order.zones import candidates
from rulesets.sword_world.stat_blocks.models import Attack, Feat, Spell
from rulesets.sword_world.stats import stats
from rulesets.sword_world.stats.impact_table import impact_result
from tracker.core.fight.cache import per_object, per_state
from tracker.core.fight.slots import Id
from tracker.core.fight.state import Combatant, State
from tracker.core.step.fields import texts
from tracker.core.terms.actions import Action, action
from tracker.core.terms.dice import Dice
from tracker.core.terms.tactics import Aim, Tactics, equals, ranked

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
        stats.fixed(combatant, "evasion") is None,
        stats.derived_of(combatant, "willpower").value,
        stats.fixed(combatant, "willpower") is None,
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
    parts = stats.check_parts(state[who], "accuracy", weapon.accuracy)
    feat = feat_of(state, who)
    accuracy = sum(part.amount for part in parts) + (0 if feat is None else feat.accuracy)
    if weapon.accuracy_fixed is not None:
        chance = _wins(weapon.accuracy_fixed - held.evasion - 7, held.evasion_rolled)
    else:
        chance = _wins(accuracy - held.evasion, held.evasion_rolled)
    extra = sum(amount for amount, _, _ in stats.added_damage(state[who])) + (0 if feat is None else feat.damage)
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


def _castable(state: State, who: Id) -> list[Spell]:
    if stats.moved(state, who) in ("normal", "full") or state[who].left("standard") <= 0:
        return []
    held = state[who].pool("mp").now
    own = stats.block(state, who).spells
    reserve = min((spell.cost for spell in own if spell.heal), default=0)
    return [spell for spell in own if spell.cost + (0 if spell.heal else reserve) <= held and not spell.free_action]


@per_state
def _cast(state: State, who: Id, spell: Spell, target: Id) -> float:
    """Return the points a spell takes from a target on average; a magic point counts for half a hit point."""
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
            if not any(stats.camp_of(state, one) == own for one in met):  # each on the line is hit half of the time
                yield _aim(state, cast, taken(foe.id) + sum(HALF * taken(one) for one in met), foe)
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


HEALS_BELOW: dict[Tactics, float] = {"focused": 0.5, "spread": 0.5, "cautious": 0.65, "ruthless": 0.3}
"""Below which share of its points a friend is healed."""
HURT = 3


def unplayed(block: object) -> tuple[str, ...]:
    """Return what a stat block can do that the forecast leaves out."""
    spells: tuple[Spell, ...] = getattr(block, "spells", ())
    left_out = any(spell.impact is None or spell.free_action for spell in spells if not spell.heal)
    return ("spells without damage",) if left_out else ()


def policy(state: State, who: Id, tactics: Tactics) -> Action | None:
    """Return what a combatant does now, None where it has nothing left to do.

    Its first action begins its turn, so it is judged there.
    """
    state = begun(state, who)
    if not stats.turn_of(state, who) or not stats.able(state, who):
        return None
    for wanted in _choices(state, who, tactics):
        if _starts(state, wanted) if wanted.key == "declare_brawl" else ACTIONS.accepts(state, wanted):
            return wanted
    return None


def _starts(state: State, wanted: Action) -> bool:
    """Tell whether a brawl can begin, near enough to the enemy (SW-067)."""
    who, enemy = str(wanted.by), str(wanted.get("enemy"))
    room = sum(stats.sections(state, one) for one in (who, enemy, *texts(wanted.get("together_with"))))
    here, there = state[who].position, state[enemy].position
    near = not here or not there or abs(here[0] - there[0]) <= zones.guide_radius(state, room)
    return near and ACTIONS.accepts(state, wanted)


def _choices(state: State, who: Id, tactics: Tactics) -> Iterator[Action]:
    """Yield what it would do, the first possible one is done."""
    combatant = state[who]
    if combatant.has("prone"):
        yield action("stand_up", who)
    inside = stats.zone_of(state, who)
    if inside is not None and combatant.fact("leave_permission") == inside:
        yield from _out(state, combatant)
    if combatant.left("standard") <= 0:
        return
    yield from heals(state, who, HEALS_BELOW[tactics])
    if inside is not None:
        yield from _in_brawl(state, combatant, inside, tactics)
        return
    sent = ranked((*shots(state, who), *spell_aims(state, who)), tactics)
    yield from (aim.action for aim in sent)
    yield from _closer_to_shoot(state, combatant)
    if not _keeps_out(state, combatant):
        yield from _into_brawl(state, combatant, tactics)


def _in_brawl(state: State, combatant: Combatant, inside: str, tactics: Tactics) -> Iterator[Action]:
    """Yield what those in a brawl do: the cautious leave if badly hurt."""
    who, own = combatant.id, stats.camp_of(state, combatant.id)
    held = stats.zone(state, inside).participants
    others = [one for one in held if one != who and stats.able(state, one) and stats.camp_of(state, one) == own]
    if tactics == "cautious" and combatant.hp * HURT <= combatant.pool("hp").max and others:
        yield action("leave_brawl", who)
    met = tuple(foe for foe in foes(state, own) if foe.id in held)
    found: tuple[Aim, ...] = (*by_hand(state, who, met), *shots(state, who), *spell_aims(state, who))
    yield from (blow for aim in ranked(found, tactics) for blow in aim.actions)


def _keeps_out(state: State, combatant: Combatant) -> bool:
    """Tell whether a combatant leaves brawls to others: it casts or shoots, and others strike."""
    own = stats.camp_of(state, combatant.id)
    return _sends(state, combatant) and any(
        one.id != combatant.id and one.status == "up" and not _sends(state, one) for one in friends(state, own)
    )


def _sends(state: State, combatant: Combatant) -> bool:
    own = stats.block(state, combatant.id)
    hand = str(combatant.fact("hand", "")) or (own.attacks[0].name if own.attacks else "")
    if any(one.name == hand and one.mode != "melee" for one in own.attacks):
        return True
    points = combatant.pool("mp").now
    if any(spell.heal and spell.cost <= points for spell in own.spells):
        return True
    return any(
        spell.impact is not None and spell.cost <= points and spell.area != "touch" and not spell.free_action
        for spell in own.spells
    )


def _into_brawl(state: State, combatant: Combatant, tactics: Tactics) -> Iterator[Action]:
    """Yield the way into a brawl: join, start one, or move up."""
    who, own = combatant.id, stats.camp_of(state, combatant.id)
    if stats.moved(state, who) == "full":
        return
    for blow in (blow for aim in ranked(by_hand(state, who, foes(state, own)), tactics) for blow in aim.actions):
        target = str(blow.get("target"))
        place = stats.place_of(state, target)
        if place is not None:
            yield action("join_brawl", who, zone=place)
            yield from _towards(state, combatant, stats.zone(state, place).center, ("normal",))
            continue
        yield action("declare_brawl", who, enemy=target)
        for company in _companies(state, who, own):
            yield action("declare_brawl", who, enemy=target, together_with=company)
        there = state[target].position
        yield from _towards(state, combatant, there[0] if there else None, ("normal",))
    nearest = _nearest(state, combatant, own)
    yield from _towards(state, combatant, nearest, ("normal", "full"), part=True)


def _companies(state: State, who: Id, own: str) -> Iterator[tuple[Id, ...]]:
    """Yield the friends who could hold a big enemy with it, fewest first (SW-088)."""
    companions = [one for one in friends(state, own) if one.id != who and _together(state, one.id, who)]
    companions.sort(key=lambda one: (_sends(state, one), -one.hp))
    for many in range(1, len(companions) + 1):
        yield tuple(one.id for one in companions[:many])


def _together(state: State, one: Id, who: Id) -> bool:
    free = stats.able(state, one) and stats.place_of(state, one) is None
    return free and state[one].position == state[who].position


def _nearest(state: State, combatant: Combatant, own: str) -> float | None:
    here = combatant.position
    spots = [foe.position[0] for foe in foes(state, own) if foe.position]
    return min(spots, key=lambda spot: (abs(spot - here[0]), spot)) if here and spots else None


def _towards(
    state: State, combatant: Combatant, spot: float | None, kinds: tuple[str, ...], part: bool = False
) -> Iterator[Action]:
    here = combatant.position
    if not here or spot is None or combatant.left("move") <= 0 or spot == here[0]:
        return
    away = abs(spot - here[0])
    for kind in kinds:
        limit = stats.move_limit(state, combatant.id, kind)
        if away <= limit or (part and kind == kinds[-1]):
            metres = min(away, limit)
            to = spot if away <= limit else here[0] + (metres if spot > here[0] else -metres)
            yield action("move", combatant.id, kind=kind, metres=metres, to=to)


def _closer_to_shoot(state: State, combatant: Combatant) -> Iterator[Action]:
    """Yield the movement that brings an enemy into range."""
    if not _sends(state, combatant) or stats.moved(state, combatant.id) != "none":
        return
    own = stats.block(state, combatant.id)
    reaches = [*(one.range for one in own.attacks), *(one.range for one in own.spells)]
    reach = max((one or 0 for one in reaches), default=0)
    spot, here = _nearest(state, combatant, stats.camp_of(state, combatant.id)), combatant.position
    if not here or spot is None or abs(spot - here[0]) <= reach:
        return
    away = abs(spot - here[0]) - reach
    step = -1 if spot < here[0] else 1
    for kind in ("short", "normal"):
        metres = min(away, stats.move_limit(state, combatant.id, kind))
        if away <= metres or kind == "normal":
            yield action("move", combatant.id, kind=kind, metres=metres, to=here[0] + step * metres)


def _out(state: State, combatant: Combatant) -> Iterator[Action]:
    """Yield the movement out of a brawl, away from the enemies (SW-097)."""
    here, spot = combatant.position, _nearest(state, combatant, stats.camp_of(state, combatant.id))
    limit = stats.move_limit(state, combatant.id, "normal")
    if not here:
        yield action("move", combatant.id, kind="normal", metres=limit)
    else:
        step = 1 if spot is None or spot <= here[0] else -1
        yield action("move", combatant.id, kind="normal", metres=limit, to=here[0] + step * limit)
