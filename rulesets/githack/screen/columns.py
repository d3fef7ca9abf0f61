"""What the screen shows of GitHack: columns, statuses, badges, reminders, and what an attack leaves."""

from __future__ import annotations

from rulesets.githack.stats import stats
from rulesets.githack.stats.checks import tally
from tracker.core.fight.events import Entry
from tracker.core.fight.slots import Id
from tracker.core.fight.state import State
from tracker.core.game.schema import Badge, Column, Reminder
from tracker.core.terms.actions import Action, action

WIDEST = 17
"""Boxes that the column has room for; a longer track is written without its empty end."""


def _health(state: State, who: Id) -> str:
    """Return the Harm track, or hit points."""
    combatant = state[who]
    if not stats.is_pc(combatant):
        pool = combatant.pool("hp")
        return f"{pool.now}/{pool.max}"
    held = stats.harm(state[who])
    marked = held.rstrip(".")
    return held if len(held) <= WIDEST or marked == held else f"{marked} +{len(held) - len(marked)}"


def _free(state: State, who: Id) -> tuple[int, int] | None:
    """Return how many boxes of the Harm track are free, of how many."""
    if not stats.is_pc(state[who]):
        return None
    held = stats.harm(state[who])
    return held.count("."), len(held)


def _ac(state: State, who: Id) -> str:
    return str(stats.ac(state[who]))


def _marks(state: State, who: Id) -> str:
    if not stats.is_pc(state[who]):
        return ""
    counts = zip(MARK_NAMES, tally(stats.harm(state[who])), strict=True)
    return ", ".join(reversed([f"{many} {name}{'s' if many > 1 else ''}" for name, many in counts if many]))


MARK_NAMES = ("tick", "wound", "deep wound")


def outcomes(before: State, after: State, entries: tuple[Entry, ...], who: Id) -> tuple[str, ...]:
    """Return the marks and effects that an attack leaves (GH-043 to GH-048)."""
    if not stats.is_pc(after[who]):
        return ()
    counts = zip(MARK_NAMES, tally(stats.harm(before[who])), tally(stats.harm(after[who])), strict=True)
    marks = tuple(f"{now - was} {name}s" if now - was > 1 else name for name, was, now in counts if now > was)
    return (*marks, *(effect.shown for effect in after[who].effects if not before[who].has(effect.name)))


def badges(state: State, who: Id) -> tuple[Badge, ...]:
    combatant = state[who]
    marks = [
        Badge(
            "M" if combatant.left("main") else "·", "main action" if combatant.left("main") else "has acted", "budget"
        )
    ]
    held = stats.stance(state, who)
    if held:
        marks.append(Badge(held.replace("_", " "), "stance"))
    if stats.dying(combatant):
        marks.append(Badge("dying", "bleeds until stabilised", "bad"))
    return tuple(marks)


def bleed(who: Id) -> Action:
    """Return the bleeding of a dying PC."""
    return action("bleed", who=who)


def pending(state: State) -> tuple[Reminder, ...]:
    """Say what may have been missed: who has not acted in this phase, who bleeds."""
    slot = state.clock.current
    if slot is None:
        return ()
    idle = [one for member in slot.members if (one := state[member]).left("main") and stats.acts(one)]
    reminders = [
        Reminder(
            f"idle:{slot.id}:{one.id}", f"{one.name} has not acted", one.id, rule="GH-001", lapses=True, unused=True
        )
        for one in idle
    ]
    if slot.phase == "round_end" and stats.rules(state).bleed == "manual":
        dying = [combatant for combatant in stats.pcs(state) if stats.dying(combatant)]
        number = state.clock.round
        reminders += [
            Reminder(f"bleed:{number}:{pc.id}", f"{pc.name} is dying", pc.id, bleed(pc.id), "GH-123", lapses=True)
            for pc in dying
        ]
    return tuple([reminder for reminder in reminders if reminder.key not in state.dismissed])


COLUMNS = (
    Column(
        "health",
        "Harm / HP",
        WIDEST,
        _health,
        bar="hp",
        gauge=_free,
        about="the Harm track box by box (. free, / tick, x wound, * deep wound), or a monster's hit points",
        own=True,
    ),
    Column("ac", "AC", 2, _ac, "right", priority=1, own=True),
    Column("marks", "Marks", 15, _marks, "left", "", 2, "the marks on the Harm track, the deepest first", 30, own=True),
)
