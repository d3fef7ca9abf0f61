"""The screen: columns, badges, reminders and what an action leaves on a combatant."""

from __future__ import annotations

from rulesets.spelljammer.numbers import stats
from rulesets.spelljammer.order.round_end import END
from tracker.core.fight.events import Entry
from tracker.core.fight.state import Id, State
from tracker.core.game.schema import Badge, Column, Reminding, Status
from tracker.core.terms.actions import Action

__all__ = ["COLUMNS", "STATUSES", "badges", "outcomes", "pending"]


WOUNDS = {-10: "badly wounded", -20: "very badly wounded", -30: "very badly wounded"}


def _hp(state: State, who: Id) -> str:
    pool = state[who].pool("hp")
    return f"{pool.now}/{pool.max}"


def _defence(state: State, who: Id) -> str:
    return f"{stats.defence(state, who).value}/{stats.prot(state, who)}"


def outcomes(before: State, after: State, entries: tuple[Entry, ...], who: Id) -> tuple[str, ...]:
    """Return what a blow has left on a combatant (SJ-035, SJ-038).

    Critical and grievous hits are results of the roll.
    """
    had = {effect.id for effect in before[who].effects}
    return tuple(
        name.replace("_", " ")
        for name in ("stunned", "grievous_wound")
        if any(one.name == name and one.id not in had for one in after[who].effects)
    )


def _wounds(state: State, who: Id) -> str:
    mod = stats.wound(state, who)[0]
    return f"{mod:+d}" if mod else str(state[who].fact("wound_state", ""))[:8]


def badges(state: State, who: Id) -> tuple[Badge, ...]:
    """Return marks beside a combatant: its declaration, its wounds, its Luck."""
    combatant = state[who]
    badges = []
    if state.clock.phase == "declare" and not stats.down(combatant):
        said = stats.declaration(state, who)
        badges.append(
            Badge(
                "D" if said else "·",
                f"declares: {said.main}, {said.movement}".replace("_", " ") if said else "has still to declare",
                "budget",
            )
        )
    mod = stats.wound(state, who)[0]
    if mod and not stats.down(combatant):
        badges.append(Badge(f"{mod:+d}", WOUNDS.get(mod, "hampered"), "bad"))
    if combatant.has("no_movement"):
        badges.append(Badge("Luck-20", "Luck saves at -20", "bad"))  # SJ-018
    return tuple(badges)


def pending(state: State) -> tuple[Reminding, ...]:
    """Return what may have been missed: a desperate defender to be driven back.

    Missing declarations are asked one after the other by `n`.
    """
    found = []
    for combatant in stats.standing(state):
        for target in (
            key.removeprefix("drives:") for key, may in combatant.facts if may and key.startswith("drives:")
        ):
            if target in state and state[target].has("desperate_defense"):
                key, text = (
                    f"drive:{state.clock.round}:{combatant.id}:{target}",
                    f"{combatant.name} may drive {state.name(target)} back",
                )
                found.append(
                    Reminding(
                        key,
                        text,
                        combatant.id,
                        Action("force_move", combatant.id, (("target", target),)),
                        "SJ-122",
                        lapses=state.clock.phase == END,
                    )
                )
    return tuple(reminder for reminder in found if reminder.key not in state.dismissed)


STATUSES = (
    Status("up", "up", " ", acts=True),
    Status("down", "down", "x"),
    Status("dead", "dead", "†", takes_part=False),
    Status("gone", "gone", "-", takes_part=False, stays=False),
)

COLUMNS = (
    Column("hp", "HP", 16, _hp, bar="hp"),
    Column("def", "DEF/PROT", 8, _defence, align="right", priority=1, about="Defence and Protection"),
    Column("wounds", "Wounds", 8, _wounds, priority=2, about="the modifier of their wounds, or the state"),
)
