"""A ruleset: a record of pure functions over core's vocabulary.

Most members have a neutral default: a small ruleset gives its schema, `open_round`, `actions`, `form` and `perform`.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from msgspec import Struct

from tracker.core.fight.board import Board, Square, Template, Trail
from tracker.core.fight.cache import per_state
from tracker.core.fight.events import Entry
from tracker.core.fight.places import has_come, slot_at
from tracker.core.fight.slots import Id, Slot
from tracker.core.fight.state import State, condition_after
from tracker.core.game.schema import Badge, Column, NamedEffect, Printed, Reminder, Schema, Status
from tracker.core.game.telling import Telling
from tracker.core.step.ctx import Ctx
from tracker.core.terms.actions import Action, ActionSpec
from tracker.core.terms.derived import Derived
from tracker.core.terms.encounter import Condition, Encounter, Member
from tracker.core.terms.errors import Refusal
from tracker.core.terms.labels import RuleBook
from tracker.core.terms.moments import Boundary, Moment, Until, named_place, named_round
from tracker.core.terms.requests import Answer, Request, Window
from tracker.core.terms.tactics import Tactics


def _carry(state: State, who: Id, member: Member) -> Condition:
    """Carry over a combatant's condition; a combatant that is `gone` is up again."""
    return condition_after(state, who, becomes={"gone": "up"})


def _next(state: State) -> Action | None:
    clock = state.clock
    return (
        None
        if clock.over and clock.at is None and all(slot.stage != "closing" for slot in clock.upcoming)
        else Action("next")
    )


class MapRules(Struct, frozen=True):
    """The functions of a game with positions, for the map; all are optional.

    Attributes:
        board: the ground and its zones; None: this fight has none.
        reach: the squares a combatant can move to now, each with its cost.
        trail: a combatant's path to a square, allowed or not, or None.
        sight: how a combatant sees another one, in words ("half cover", "no line of sight"), or "".
        area: the squares of an area that it affects, so none behind walls.
        threat: the squares on which a combatant could strike another one.
        gauge: the distance from one square to another, in words.
        approaches: ways to act against another combatant by moving first, the best first: complete actions in order,
            each a step of its own.
        course: the path of a partly filled action over the map, or None.
    """

    board: Callable[[State], Board | None] = lambda state: None
    reach: Callable[[State, Id], tuple[tuple[Square, int], ...]] = lambda state, who: ()
    trail: Callable[[State, Id, Square], Trail | None] = lambda state, who, to: None
    sight: Callable[[State, Id, Id], str] = lambda state, who, target: ""
    area: Callable[[State, Template], tuple[Square, ...]] = lambda state, template: ()
    threat: Callable[[State, Id], tuple[Square, ...]] = lambda state, who: ()
    gauge: Callable[[State, Square, Square], str] = lambda state, one, other: ""
    approaches: Callable[[State, Id, Id], tuple[tuple[Action, ...], ...]] = lambda state, who, target: ()
    course: Callable[[State, Action], Trail | None] = lambda state, action: None


def _points(state: State, who: Id) -> str:
    """Return a combatant's first pool in words; damage goes to it."""
    pools = state[who].pools
    return f"{pools[0].now}/{pools[0].max}" if pools else ""


class Ruleset(Struct, frozen=True, dict=True):
    """One game.

    Attributes:
        key, title, version: its identity; the version is stored with every fight.
        schema: its Structs and words.
        open_round: called after `round_start`; must emit `OrderSet`, the schedule of this round.
        actions: the actions of a combatant now, legal and refused, the default first; for None, those of the GM and
            the sides.
        form: the specification of a partly filled action; None for an action the ruleset does not know (then core's
            generic actions are tried).
        perform: performs an action whose form has been accepted and completed.
        rulebook: its rules.
        columns, statuses, moments, effects: what the screen and the pickers show; by default one column of points.
        telling: the words of its reports.
        meant: the end a moment means now, if a switch or the clock decides it.
        open_fight: called after the sides have joined, for surprise and the like; may emit opening slots and slots of
            a round 0.
        join: gives newcomers their pools, budgets and places in the schedule.
        on_boundary: refreshes budgets, applies bleeding, asks for morale.
        settle: applies what follows from the state, such as statuses and broken links.
        close_fight: called after `combat_end`; may emit closing slots.
        carry: the condition with which a combatant joins the next fight as this member; by default its pools, its
            status and the effects that last until removed. A game decides here which facts outlive a fight (a Harm
            track) and which effects do not (a grip, a fall). A combatant whose status then takes no part stays out
            unless the GM decides otherwise.
        advance: the action of the key `n`; core's `next` goes to the next stop of the clock.
        skip: why the clock does not stop in the slot it has just entered, or None if it stops. By default it skips
            slots of a round in which no member can act (`nobody_able`).
        windows: the legal actions that may interrupt at a window.
        window_matters: whether one of them may change what follows. Where nobody reads a step, the other windows are
            passed, and `windows` is not called.
        derived: a number with its parts.
        pending: reminders of what may have been missed.
        badges: marks beside a combatant.
        printed: a combatant's stat block in printed form; none: its fields are listed.
        outcomes: results of a step for a combatant, beyond comparisons and lost points ("Shock", "critical"), for the
            odds.
        policy: the next action of a combatant without a player, by the tactics of its side; None: nothing left to do
            now. Never an action of the GM, nor one that its form refuses.
        out_of_turn: whether `policy` may let a combatant act outside its slot; if not, only the slot's members are
            asked.
        reply: the answer to a question without a player, by the tactics of the side it concerns; None: the default, or
            dice. The state is the one before the step.
        friendly: whether a side counts another one as friends; by default only itself.
        unplayed: abilities of a stat block that `policy` never uses or that have no effect in a forecast, in words.
        sides_left: the sides that can still fight; None: the sides with a combatant that can act.
        flees: whether a combatant has given up the fight and is not held, so that it only leaves.
        finished: why the fight seems to be over, or None.
        map: its functions for the map.
    """

    key: str
    title: str
    version: int
    schema: Schema
    open_round: Callable[[Ctx], None]
    actions: Callable[[State, Id | None], tuple[ActionSpec, ...]]
    form: Callable[[State, Action], ActionSpec | None]
    perform: Callable[[Ctx, Action], None]
    rulebook: RuleBook = RuleBook()
    columns: tuple[Column, ...] = (Column("points", "Points", 7, _points, bar="hp"),)
    statuses: tuple[Status, ...] = (
        Status("up", "up", acts=True),
        Status("down", "down", "x"),
        Status("gone", "gone", "-", takes_part=False, left=True),
    )
    moments: tuple[Moment, ...] = ()
    meant: Callable[[State, Moment], tuple[Until, ...]] | None = None
    effects: tuple[NamedEffect, ...] = ()
    telling: Telling = Telling()
    open_fight: Callable[[Ctx, Encounter], None] = lambda ctx, encounter: None
    join: Callable[[Ctx, tuple[Id, ...]], None] = lambda ctx, newcomers: None
    on_boundary: Callable[[Ctx, Boundary], None] = lambda ctx, boundary: None
    settle: Callable[[Ctx], None] = lambda ctx: None
    close_fight: Callable[[Ctx], None] = lambda ctx: None
    carry: Callable[[State, Id, Member], Condition] = _carry
    advance: Callable[[State], Action | None] = _next
    skip: Callable[[State, Slot], Refusal | None] | None = None
    windows: Callable[[State, Window], tuple[ActionSpec, ...]] = lambda state, window: ()
    window_matters: Callable[[State, Window], bool] = lambda state, window: True
    derived: Callable[[State, Id, str], Derived] = lambda state, who, name: Derived(0)
    pending: Callable[[State], tuple[Reminder, ...]] = lambda state: ()
    badges: Callable[[State, Id], tuple[Badge, ...]] = lambda state, who: ()
    printed: Callable[[State, Id], tuple[Printed, ...]] = lambda state, who: ()
    outcomes: Callable[[State, State, tuple[Entry, ...], Id], tuple[str, ...]] = lambda before, after, entries, who: ()
    policy: Callable[[State, Id, Tactics], Action | None] = lambda state, who, tactics: None
    out_of_turn: bool = True
    reply: Callable[[State, Request, Tactics], Answer | None] = lambda state, request, tactics: None
    friendly: Callable[[State, Id, Id], bool] = lambda state, side, other: side == other
    unplayed: Callable[[object], tuple[str, ...]] = lambda block: ()
    sides_left: Callable[[State], tuple[Id, ...] | None] = lambda state: None
    flees: Callable[[State, Id], bool] = lambda state, who: False
    finished: Callable[[State], str | None] = lambda state: None
    map: MapRules = MapRules()


def status_of(ruleset: Ruleset, key: str) -> Status:
    """Return a status by key; a combatant with an unknown status cannot act."""
    known: dict[str, Status] | None = ruleset.__dict__.get("_by_key")
    if known is None:
        known = ruleset.__dict__["_by_key"] = {status.key: status for status in ruleset.statuses}
    return known.get(key) or Status(key, key.replace("_", " "), "?")


def effect_called(ruleset: Ruleset, words: str) -> tuple[NamedEffect | None, int]:
    """Return the game's effect of that name, and the value typed after it, or 0."""
    wanted = words.casefold()
    effect = next((one for one in ruleset.effects if wanted in (one.name.casefold(), one.title.casefold())), None)
    name, _, value = words.rpartition(" ")
    if effect is not None or not name or not re.fullmatch(r"[0-9]{1,3}", value):
        return effect, 0
    effect, _ = effect_called(ruleset, name)
    return (None, 0) if effect is None or not effect.value or not int(value) else (effect, int(value))


def open_reminders(ruleset: Ruleset, state: State) -> tuple[Reminder, ...]:
    """Return the open reminders: the encounter's, then the end of a decided fight, then the ruleset's.

    Dismissed reminders are left out. A reminder of the encounter is shown from its moment until the end of the round;
    without a moment, or at a place in the order without a round, it is shown again in each round. A reminder at the
    end of a turn `lapses` in that turn.
    """
    return _open_reminders(state, ruleset)


@per_state
def _open_reminders(state: State, ruleset: Ruleset) -> tuple[Reminder, ...]:
    clock = state.clock
    own = [
        Reminder(
            f"encounter:{number}{f':r{clock.round}' if _each_round(reminder.when) else ''}",
            reminder.text,
            lapses=_ends_here(reminder.when, state),
        )
        for number, reminder in enumerate(state.reminders, start=1)
        if _has_come(reminder.when, state)
    ]
    decided, pending = _decided(ruleset, state), ruleset.pending(state)
    return tuple(
        reminder
        for reminder in (*own, *decided, *pending)
        if reminder.key not in state.dismissed and not (decided and reminder.unused)  # no turn is needed any more
    )


def _decided(ruleset: Ruleset, state: State) -> tuple[Reminder, ...]:
    if state.clock.over or not state.clock.in_round:
        return ()
    why = ruleset.finished(state)
    coming = " A wave is still to come." if any(wave.when for wave in state.waves) else ""
    offer = f"{why}: end the fight?{coming}"
    return (Reminder(f"decided:{why}", offer, None, Action("end_fight"), lapses=True),) if why else ()


def _each_round(when: str) -> bool:
    place = named_place(when)
    return not when.strip() or (place is not None and not place.round)


def _ends_here(when: str, state: State) -> bool:
    """Tell whether a moment is the end of the current turn."""
    place = named_place(when)
    if place is None or place.edge == "start":
        return False
    slot = slot_at(state, place)
    return slot is not None and slot.id == state.clock.at


def _has_come(when: str, state: State) -> bool:
    clock = state.clock
    if clock.over:
        return False
    if not when.strip():
        return clock.in_round and clock.round > 0
    if (place := named_place(when)) is not None:
        return has_come(state, place)
    moment = named_round(when)
    return moment is not None and moment.number > 0 and moment.reached(clock.round, clock.in_round) is True
