"""What the screen shows of Sovereign: columns, badges, statuses, reminders, the end."""

from __future__ import annotations

from rulesets.sovereign.actions.waiting import Held
from rulesets.sovereign.aftermath.wounds import DOWN
from rulesets.sovereign.stats.field import engaged, next_to, on_grid
from rulesets.sovereign.stats.stats import armor_class, block, free, hostile
from rulesets.without_number.order import INITIATIVE
from rulesets.without_number.screen import HP, TURN, budget_badge, dying, held_turns, swarming, unused_mains
from tracker.core.fight.cache import per_state
from tracker.core.fight.slots import Id
from tracker.core.fight.state import Combatant, State
from tracker.core.game.schema import Badge, Column, Reminder, Status
from tracker.core.terms.actions import Action
from tracker.core.terms.actions import action as act
from tracker.core.terms.moments import side_anchor

STATUSES = (
    Status("up", "up", acts=True),
    Status("down", "down", "x"),
    Status("mortal", "dying", "!"),
    Status("stable", "stable", "~"),
    Status("dead", "dead", "x", takes_part=False),
    Status("gone", "gone", "-", takes_part=False, stays=False, left=True),
)


def _place(state: State, who: Id) -> str:
    combatant = state[who]
    if on_grid(state, who) and combatant.position is not None:
        return ",".join(str(int(part)) for part in combatant.position)
    met = engaged(state, who)
    return "+".join(state[other].label for other in met)


def _ac(state: State, who: Id) -> str:
    return str(armor_class(state[who]).value)


COLUMNS = (
    HP,
    Column("ac", "AC", 3, _ac, "right", priority=1, about="Armor Class", own=True),
    TURN,
    Column(
        "place",
        "At",
        6,
        _place,
        "right",
        priority=3,
        about="the square, or without a map who is in melee with them",
        own=True,
    ),
)


def badges(state: State, who: Id) -> tuple[Badge, ...]:
    """Return what stands beside a combatant."""
    combatant = state[who]
    if combatant.status != "up":
        return ()
    found = [budget_badge(state, who)]
    held = combatant.effect("held")
    if held is not None:
        waits = held.data.trigger if isinstance(held.data, Held) else ""
        found.append(Badge("holds", f"waits for: {waits}" if waits else "a held turn is waiting"))
    if combatant.has("retreating"):
        found.append(Badge("retreats", "wants to get away", "bad"))
    return tuple(found)


def pending(state: State) -> tuple[Reminder, ...]:
    """Return what may have been missed: Mains, held turns, swarms, the dying."""
    if state.clock.over:
        return ()
    found = [
        *unused_mains(state, lambda one: not free(state, one.id) or _waits(one), "SV-039"),
        *held_turns(state, lambda who: act("use_held", who), "SV-112"),
        *swarming(state, "swarm:", "SV-065", asked=True),
        *dying(
            state,
            lambda one: free(state, one.id) and block(one).healers_kit,
            _treat,
            "SV-P07",
            lambda helper, patient: not on_grid(state, helper, patient) or next_to(state, helper, patient),
        ),
    ]
    return tuple(item for item in found if item.key not in state.dismissed)


def _waits(combatant: Combatant) -> bool:
    """Tell whether a Main is held, or its owner in retreat."""
    return combatant.has("held") or combatant.has("retreating")


def _treat(helper: Id, patient: Id) -> Action:
    return act("stabilise", helper, victim=patient)


@per_state
def finished(state: State) -> str | None:
    """Return why the fight seems to be over: at most one side fights on (SV-173)."""
    if state.clock.over or len(state.sides) < 2:
        return None
    standing = {
        combatant.side: combatant.id
        for combatant in state.combatants
        if combatant.status == "up" and not combatant.has("retreating")
    }
    if any(hostile(state, one, other) for one in standing.values() for other in standing.values()):
        return None
    if not standing:
        return "nobody is left standing"
    losers = [
        side
        for side in state.sides
        if side.id not in standing
        and (state.members(side.id) or state.fact(side_anchor(side.id), INITIATIVE) is not None)
    ]
    if not losers:
        return None
    down = all(member.status in (*DOWN, "gone") for side in losers for member in state.members(side.id))
    names = " and ".join(side.name for side in losers)
    return f"no fighter of {names} is left" if down else f"the fighters of {names} are in retreat"
