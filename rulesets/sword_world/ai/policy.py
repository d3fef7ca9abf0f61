"""What a combatant does where no person chooses for it.

It starts its turn, heals a friend in need, casts or shoots where that takes more from enemies than the crossfire
could take from friends, or gets into a brawl and strikes. Those who cast or shoot keep out of brawls; they go up to
the enemy only when they have nothing to send over.
"""

from __future__ import annotations

from collections.abc import Iterator

from rulesets.sword_world.actions.actions import ACTIONS
from rulesets.sword_world.actions.turns import begun
from rulesets.sword_world.ai.targets import by_hand, foes, friends, heals, shots, spell_aims
from rulesets.sword_world.order import zones
from rulesets.sword_world.stats import stats
from tracker.core.fight.slots import Id
from tracker.core.fight.state import Combatant, State
from tracker.core.step.fields import texts
from tracker.core.terms.actions import Action, action
from tracker.core.terms.tactics import Aim, Tactics, ranked

HEALS_BELOW: dict[Tactics, float] = {"focused": 0.5, "spread": 0.5, "cautious": 0.65, "ruthless": 0.3}
"""Below which share of its points a friend is healed."""
HURT = 3


def policy(state: State, who: Id, tactics: Tactics) -> Action | None:
    """Return what a combatant does now, None where it has nothing left to do.

    Its first deed begins its turn, so it is judged there.
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
    beside = [one for one in friends(state, own) if one.id != who and _together(state, one.id, who)]
    beside.sort(key=lambda one: (_sends(state, one), -one.hp))
    for many in range(1, len(beside) + 1):
        yield tuple(one.id for one in beside[:many])


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
