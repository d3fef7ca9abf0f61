"""What the screen shows of this game: columns, statuses, badges, moments, named effects, reminders."""

from __future__ import annotations

from rulesets.without_number.screen import HP, TURN, budget_badge, dying, held_turns, swarming, unused_mains
from rulesets.worlds_without_number.aftermath import morale
from rulesets.worlds_without_number.stats.stats import able, armor_class, rules
from tracker.core.fight.slots import Id
from tracker.core.fight.state import Combatant, State
from tracker.core.game.schema import Badge, Column, Reminder, Status
from tracker.core.terms.actions import Action
from tracker.core.terms.actions import action as act

STATUSES = (
    Status("up", "up", " ", acts=True),
    Status("incapacitated", "out cold", "z"),
    Status("mortal", "dying", "!"),
    Status("stable", "stable", "~"),
    Status("dead", "dead", "x", takes_part=False),
    Status("gone", "gone", "-", takes_part=False, stays=False, left=True),
)


def _ac(state: State, who: Id) -> str:
    melee, ranged = armor_class(state[who], "melee").value, armor_class(state[who], "ranged").value
    return str(melee) if melee == ranged else f"{melee}/{ranged}"


COLUMNS = (
    HP,
    Column(
        "ac", "AC", 5, _ac, "right", priority=1, about="Armor Class; 13/14: in melee and against missiles", own=True
    ),
    TURN,
)


def badges(state: State, who: Id) -> tuple[Badge, ...]:
    """Return what stands beside a combatant."""
    combatant = state[who]
    if combatant.status != "up":
        return ()
    found = [budget_badge(state, who)]
    if combatant.fact("finished") is True:
        found.append(Badge("✓", "finished for this phase"))
    if combatant.has("broken"):
        found.append(Badge("broken", "flees or yields", "bad"))
    return tuple(found)


def pending(state: State) -> tuple[Reminder, ...]:
    """Return what may have been missed: Mains, the dying, Morale, open swarms."""
    clock = state.clock
    if clock.over:
        return ()
    found = [
        *unused_mains(state, lambda one: not able(state, one.id) or _waits(one), "WN-030"),
        *held_turns(state, lambda who: None, "WN-097"),
        *dying(state, lambda one: able(state, one.id), _treat, "WN-C12"),
    ]
    found += morale.reminders(state)
    if not rules(state).companion:
        found += [
            Reminder(f"morale:{side.id}:{trigger}", f"{side.name}: reason for a Morale check", rule="WN-007")
            for side in state.sides
            if morale.testable(state, side.id)
            for trigger in morale.new_triggers(state, side.id)
        ]
    found += swarming(state, f"swarm:r{clock.round}:", "WN-053", asked=False)
    return tuple(item for item in found if item.key not in state.dismissed)


def _waits(combatant: Combatant) -> bool:
    """Tell whether a Main is held, given up, or its owner has broken."""
    return combatant.has("held") or combatant.has("broken") or combatant.fact("finished") is True


def _treat(helper: Id, patient: Id) -> Action:
    return act("stabilise", helper, target=patient)
