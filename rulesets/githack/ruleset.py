"""GitHack as a record of functions."""

from __future__ import annotations

from rulesets.githack.acts import actions
from rulesets.githack.blocks.canonical import ABILITIES, PC, HouseRules, Monster, Setup
from rulesets.githack.blocks.importing import import_print
from rulesets.githack.blocks.shorthand import shorthand
from rulesets.githack.ending import after, wounds
from rulesets.githack.numbers import stats
from rulesets.githack.numbers.data import Delayed, Ward
from rulesets.githack.numbers.harm import tally
from rulesets.githack.order import rounds
from tracker.core.fight.events import Entry
from tracker.core.fight.state import Id, State
from tracker.core.game.ruleset import Badge, Column, Moment, NamedEffect, Reminding, Ruleset, Schema, Status
from tracker.core.terms.actions import action
from tracker.core.terms.moments import At
from tracker.kit.rulebook import rules_beside

__all__ = ["RULESET"]


WIDEST = 17
"""Boxes that the column has room for; a longer track is written without its empty end."""


def _health(state: State, who: Id) -> str:
    """Return AC and track, or hit points: what each die is held against, and what it does there."""
    combatant = state[who]
    if not stats.is_pc(combatant):
        pool = combatant.pool("hp")
        return f"{stats.ac(state, who):>2} {pool.now}/{pool.max}"
    held = stats.harm(state, who)
    marked = held.rstrip(".")
    shown = held if len(held) <= WIDEST or marked == held else f"{marked} +{len(held) - len(marked)}"
    return f"{stats.ac(state, who):>2} {shown}"


def _marks(state: State, who: Id) -> str:
    if not stats.is_pc(state[who]):
        return ""
    ticks, crosses, stars = tally(stats.harm(state, who))
    return f"{ticks}/ {crosses}x {stars}*"


MARK_NAMES = ("tick", "wound", "deep wound")


def _outcomes(before: State, after: State, entries: tuple[Entry, ...], who: Id) -> tuple[str, ...]:
    """Return which marks an attack leaves on a PC's track (GH-043 to GH-048), and what it does besides."""
    if not stats.is_pc(after[who]):
        return ()
    counts = zip(MARK_NAMES, tally(stats.harm(before, who)), tally(stats.harm(after, who)), strict=True)
    marks = tuple(f"{now - was} {name}s" if now - was > 1 else name for name, was, now in counts if now > was)
    return (*marks, *(effect.shown for effect in after[who].effects if not before[who].has(effect.name)))


def _badges(state: State, who: Id) -> tuple[Badge, ...]:
    combatant = state[who]
    marks = [
        Badge(
            "M" if combatant.left("main") else "·", "main action" if combatant.left("main") else "has acted", "budget"
        )
    ]
    held = stats.stance(state, who)
    if held:
        marks.append(Badge(held[:2].title(), f"stance: {held}"))
    if stats.dying(combatant):
        marks.append(Badge("dying", "bleeds until stabilised", "bad"))
    return tuple(marks)


def _pending(state: State) -> tuple[Reminding, ...]:
    """Say what may have been missed: who has not acted in this phase, who bleeds."""
    slot = state.clock.current
    idle = (
        []
        if slot is None
        else [member for member in slot.members if state[member].left("main") and stats.acts(state[member])]
    )
    reminders = [
        Reminding(f"idle:{slot.id}:{who}", f"{state.name(who)} has not acted", who, rule="GH-001")
        for who in idle
        if slot is not None
    ]
    if state.clock.phase == "round_end" and stats.rules(state).bleed == "manual":
        dying = [combatant for combatant in stats.pcs(state) if stats.dying(combatant)]
        number = state.clock.round
        reminders += [
            Reminding(f"bleed:{number}:{pc.id}", f"{pc.name} is dying", pc.id, action("bleed", who=pc.id), "GH-123")
            for pc in dying
        ]
    if state.clock.at == "end/after_combat":
        reminders.append(Reminding("after_combat", "the after-combat form", None, action("after_combat"), "GH-076"))
    return tuple(reminder for reminder in reminders if reminder.key not in state.dismissed)


SCHEMA = Schema(
    blocks=(("pc", PC), ("monster", Monster)),
    house_rules=HouseRules,
    setup=Setup,
    data=(Ward, Delayed),
    derived=("ac", *ABILITIES, "angst"),
    pools=("hp",),
    round_seconds=10,
    named=(("systems", "system"),),
    shorthand=shorthand,
    importer=import_print,
)

RULESET = Ruleset(
    key="githack",
    title="GitHack",
    version=1,
    schema=SCHEMA,
    rulebook=rules_beside(__file__),
    open_round=rounds.open_round,
    actions=actions.actions,
    form=actions.form,
    perform=actions.perform,
    columns=(
        Column("health", "AC Harm / HP", WIDEST + 3, _health),
        Column("marks", "Marks", 9, _marks, priority=1),
    ),
    statuses=(
        Status("up", "up", " ", acts=True),
        Status("incapacitated", "incapacitated", "z"),
        Status("dead", "dead", "†", takes_part=False),
        Status("slain", "slain", "x", takes_part=False),
        Status("gone", "gone", "-", takes_part=False),
    ),
    moments=(
        Moment("until removed", ()),
        Moment("{n} rounds", (At("round_start"),)),
        Moment("{n} monster phases", (At("phase_start", phase="monsters"),)),
        Moment("end of the round", (At("round_end"),)),
        Moment("end of the next round", (At("round_end", count=2),)),
        Moment("start of the next monster phase", (At("phase_start", phase="monsters"),)),
        Moment("end of the combat", (At("combat_end"),)),
    ),
    effects=(
        NamedEffect("paralysed", "paralysed", (At("combat_end"),), "GH-067"),
        NamedEffect("hidden", "hidden", (At("combat_end"),), "GH-016"),
        NamedEffect("advised", "advised", (At("round_end", count=2),), "GH-218"),
        NamedEffect("ready", "ready", (At("combat_end"),), "GH-219"),
        NamedEffect("stuck", "stuck", (), "GH-072"),
        NamedEffect("poisoned", "poisoned", (At("combat_end"),), "GH-055"),
    ),
    open_fight=rounds.open_fight,
    join=rounds.join,
    on_boundary=rounds.on_boundary,
    settle=wounds.settle,
    close_fight=after.close_fight,
    carry=after.carry,
    skip=rounds.skip,
    advance=rounds.advance,
    derived=stats.derived,
    pending=_pending,
    badges=_badges,
    outcomes=_outcomes,
    policy=actions.policy,
    finished=wounds.finished_side,
)
