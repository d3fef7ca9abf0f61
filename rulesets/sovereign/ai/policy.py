"""What a combatant does where no person chooses for it.

It makes the attack that takes most from its enemies by the side's tactics, with any of its weapons; runs up to an
enemy it can strike from there where that takes more; an archer keeps its place as long as it has a line, and looks
for a high one when it has none. It gives first aid with a healer's kit, and withdraws when its Morale has broken.
"""

from __future__ import annotations

from collections.abc import Iterator

from rulesets.sovereign.actions.gm import ACTIONS
from rulesets.sovereign.ai.moves import approach, away, to_patient, to_shoot, to_strike
from rulesets.sovereign.ai.targets import aims, met, shoots
from rulesets.sovereign.stats import field
from rulesets.sovereign.stats.attack import loaded
from rulesets.sovereign.stats.stats import COMBAT_SKILLS, able, block, friendly, hostile, level
from rulesets.without_number.aftermath import TRIED
from rulesets.without_number.screen import first_legal
from rulesets.without_number.stats import grappling
from rulesets.without_number.turn import own_phase
from tracker.core.fight.slots import Id
from tracker.core.fight.state import Combatant, State
from tracker.core.terms.actions import Action, action
from tracker.core.terms.tactics import Tactics, ranked, worth

HURT = 3
"""Who has a third of its points left is badly hurt."""


def sides_left(state: State) -> tuple[Id, ...]:
    """Return the sides with a combatant who stands and does not retreat."""
    standing = {one.side: one.id for one in state.combatants if one.status == "up" and not one.has("retreating")}
    return tuple(side.id for side in state.sides if side.id in standing)


def flees(state: State, who: Id) -> bool:
    """Tell whether a combatant is in retreat and stands in no melee."""
    return state[who].has("retreating") and not met(state, who)


def policy(state: State, who: Id, tactics: Tactics) -> Action | None:
    """Return what a combatant does now, None where it has nothing left to do."""
    combatant = state[who]
    if not able(state, who) or combatant.has("surprised") or not own_phase(state, who):
        return None
    return first_legal(ACTIONS, state, _choices(state, combatant, tactics))


def _choices(state: State, combatant: Combatant, tactics: Tactics) -> Iterator[Action]:
    """Yield what it would do, the first possible one is done."""
    who = combatant.id
    main, move = combatant.left("main") > 0, combatant.left("move") > 0
    if not main and not move:
        return
    hurt = tactics == "cautious" and combatant.hp * HURT <= combatant.pool("hp").max
    if combatant.has("retreating") or (hurt and met(state, who) and _has_cover(state, combatant)):
        yield from away(state, combatant)
        return
    if main and combatant.has("grappled"):
        yield action("escape_grapple", who)
    if move and combatant.has("prone") and not met(state, who):
        yield action("stand_up", who)
    if main:
        yield from _first_aid(state, combatant)
        yield from _attack(state, combatant, tactics)
        yield from _reload(state, combatant)
    if move and not shoots(combatant) and not _keeps_back(state, combatant):
        walked = approach(state, combatant)
        if walked is not None:
            yield walked


def _attack(state: State, combatant: Combatant, tactics: Tactics) -> Iterator[Action]:
    """Yield attacks, a Run first where more can be struck from there."""
    found = ranked(aims(state, combatant.id, tactics=tactics), tactics)
    if shoots(combatant):
        yield from (blow for aim in found for blow in aim.actions)
        yield from to_shoot(state, combatant, tactics)
    runs = [] if _keeps_back(state, combatant) else ranked(to_strike(state, combatant, tactics), tactics)
    if runs and (not found or worth(runs[0], tactics) > worth(found[0], tactics)):
        yield runs[0].action
    yield from (blow for aim in found for blow in aim.actions)
    if not shoots(combatant) and combatant.left("move"):
        for aim in runs:
            yield aim.action
        if field.body(state, combatant.id) is not None and not runs and not met(state, combatant.id):
            yield from to_shoot(state, combatant, tactics)


def _reload(state: State, combatant: Combatant) -> Iterator[Action]:
    """Yield the loading of an empty weapon."""
    if grappling(state, combatant.id):
        return
    for arm in block(combatant).arms:
        if not loaded(combatant, arm):
            yield action("reload", combatant.id, weapon=arm.name)


def _first_aid(state: State, combatant: Combatant) -> Iterator[Action]:
    """Yield first aid by the best healer outside a melee, and its way there (SV-P09)."""
    who = combatant.id
    if not block(combatant).healers_kit or met(state, who):
        return
    dying = [
        one
        for one in state.combatants
        if one.status == "mortal" and friendly(state, who, one.id) and not one.has(TRIED)
    ]
    others = [one for one in state.combatants if one.id != who and friendly(state, who, one.id) and one.left("main")]
    if any(able(state, one.id) and block(one).healers_kit and _heals(one) > _heals(combatant) for one in others):
        return
    for patient in dying:
        if any(hostile(state, who, other) for other in met(state, patient.id)) and len(met(state, patient.id)) > 1:
            continue
        yield action("stabilise", who, victim=patient.id)
        walked = to_patient(state, combatant, patient.id)
        if walked is not None:
            yield walked


def _heals(combatant: Combatant) -> int:
    return level(combatant, "heal")


def _keeps_back(state: State, combatant: Combatant) -> bool:
    """Tell whether a combatant stays out of melees: untrained, while trained friends stand."""
    return _untrained(combatant) and any(
        other.status == "up" and friendly(state, combatant.id, other.id) and not _untrained(other)
        for other in state.combatants
    )


def _untrained(combatant: Combatant) -> bool:
    return block(combatant).trained and all(level(combatant, skill) < 0 for skill in COMBAT_SKILLS)


def _has_cover(state: State, combatant: Combatant) -> bool:
    """Tell whether a friend who is better off goes on fighting."""
    return any(
        other.id != combatant.id
        and other.status == "up"
        and friendly(state, combatant.id, other.id)
        and other.hp * HURT > other.pool("hp").max
        for other in state.combatants
    )
