"""The default action of each combatant of a side, with the opener of its turn if the game has one."""

from __future__ import annotations

from msgspec import Struct
from msgspec.structs import replace

from tracker.core.engine import spec_of
from tracker.core.fight.cache import per_state
from tracker.core.fight.slots import Id
from tracker.core.fight.state import State
from tracker.core.game.ruleset import Ruleset, status_of
from tracker.core.run import Done, Step
from tracker.core.terms.actions import Action, ActionSpec, Field
from tracker.core.terms.requests import Answer
from tracker.library.guard import unwrapped
from tracker.session.step.runner import dry_run
from tracker.ui.typing.mode import ModeContext, put_targets, target_field, targets_of
from tracker.ui.typing.parser import missing_field
from tracker.views.time.turn_marks import spent

WITH_WHAT = ("weapon", "spell")
"""Fields that a line always shows."""


class Outlook(Struct, frozen=True, eq=False):
    """The expected states before, in and after the turn of a line.

    Attributes:
        before: the state as the turn begins, after the lines before it.
        at: the state in which the action is done, after the opener.
        after: the state after the action.
        spec: the form of the action in the state `at`.
        way, words: the opener and the action in words.
        short: the words for a narrow pane.
    """

    before: State
    at: State
    after: State
    spec: ActionSpec | None = None
    way: str = ""
    words: str = ""
    short: str = ""


class PlannedLine(Struct, frozen=True):
    """The line of one combatant.

    Attributes:
        action: the planned action; None: the game has no default.
        opener: the action before it, which opens the turn or moves to where the action is possible.
        out: the GM has left the combatant out.
        typed: the GM has changed the line; `named`: the fields that the GM named.
        outlook: the expected states, if the line is planned as part of a sheet.
        dice: the answers that are typed already for its rolls, by their keys.
    """

    by: Id
    action: Action | None = None
    opener: Action | None = None
    out: bool = False
    typed: bool = False
    named: tuple[str, ...] = ()
    outlook: Outlook | None = None
    dice: tuple[tuple[str, Answer | None], ...] = ()


def able_combatants(scene: ModeContext) -> tuple[Id, ...]:
    """Return the combatants of the acting side, group or phase that can act, the GM's first."""
    state, ruleset = scene.model.state, scene.ruleset
    clock = state.clock
    if clock.current is None or scene.model.pending is not None:
        return ()
    members = clock.current.members or tuple(person.id for person in state.combatants)
    found = [
        person
        for who in members
        if (person := state.get(who)) is not None and who not in clock.acted and status_of(ruleset, person.status).acts
    ]
    return tuple(person.id for person in sorted(found, key=lambda person: state.side(person.side).control != "gm"))


@per_state
def default_choice(state: State, who: Id, ruleset: Ruleset) -> Action | None:
    """Return the default action of the game for a combatant now, None if it only ends the turn."""
    slot = state.clock.current
    due = slot is not None and who in slot.members and not spent(state.clock, state[who])
    if due and ruleset.flees(state, who):
        return leaving(ruleset, who)
    chosen = _policy(ruleset, state, who)
    ends = chosen is not None and state.clock.acting == who and ruleset.advance(state) == chosen
    return None if ends else chosen


def leaving(ruleset: Ruleset, who: Id) -> Action | None:
    """Return the GM's action by which a combatant leaves the fight, None if the game knows no such status."""
    status = next((status.key for status in ruleset.statuses if status.left), None)
    return None if status is None else Action("status").put(status=status, targets=(who,))


@per_state
def default_line(state: State, who: Id, ruleset: Ruleset) -> PlannedLine | None:
    chosen = default_choice(state, who, ruleset)
    if chosen is None:
        return None
    if chosen.by is None:
        return PlannedLine(who, chosen)
    slot = state.clock.current
    if slot is None or slot.turns != "opened" or who in state.clock.turned or state.clock.acting == who:
        return _with_what_follows(ruleset, state, chosen)
    before = state
    if state.clock.acting is not None:  # the open turn is ended first
        before = _after(ruleset, state, Step("advance")) or state
    begun = _after(ruleset, before, Step("do", (chosen,)))
    if begun is None:
        return PlannedLine(who, chosen)
    after = _policy(ruleset, begun, who)
    return PlannedLine(who, None if after is None or ruleset.advance(begun) == after else after, opener=chosen)


def _with_what_follows(ruleset: Ruleset, state: State, chosen: Action) -> PlannedLine:
    """Return the line of a default action; a move gets the attack after it."""
    who = str(chosen.by)
    spec = spec_of(ruleset, state, chosen)
    if target_field(spec) is not None or place_field(spec) is None:
        return PlannedLine(who, chosen)
    moved = _after(ruleset, state, Step("do", (chosen,)))
    after = None if moved is None else _policy(ruleset, moved, who)
    if moved is None or after is None or not targets_of(spec_of(ruleset, moved, after), after):
        return PlannedLine(who, chosen)
    return PlannedLine(who, after, opener=chosen)


def place_field(spec: ActionSpec) -> Field | None:
    return next((field for field in spec.fields if field.kind == "square" or field.name == "to"), None)


def opens_turn(state: State) -> bool:
    slot = state.clock.current
    return slot is not None and slot.turns == "opened"


def _after(ruleset: Ruleset, state: State, step: Step) -> State | None:
    done = dry_run(ruleset, state, step)
    return done.state if isinstance(done, Done) else None


def _policy(ruleset: Ruleset, state: State, who: Id) -> Action | None:
    """Return the action the game would choose, else the first action that is possible and complete."""
    if not any(unwrapped(ruleset).policy is default for default in Ruleset.__struct_defaults__):
        chosen = ruleset.policy(state, who, "focused")
        players = chosen is not None and state.side_of(who).control == "players"
        return _without_more(ruleset, state, chosen) if chosen is not None and players else chosen
    for spec in ruleset.actions(state, who):
        action = Action(spec.key, who)
        target = target_field(spec)
        if target is not None and target.default is None:
            first = next((option.key for option in target.options if option.refusal is None), None)
            action = action if first is None else put_targets(spec, action, (first,), ())
        full = spec_of(ruleset, state, action)
        if full.refusal is None and missing_field(full, action) is None:
            return action
    return None


def _without_more(ruleset: Ruleset, state: State, action: Action) -> Action:
    """Return a default action without the optional choices that its player may declare."""
    spec = spec_of(ruleset, state, action)
    extras = {
        field.name
        for field in spec.fields
        if not field.required and not field.page and field.kind in ("choice", "flag") and field.name not in WITH_WHAT
    }
    return replace(action, fields=tuple(pair for pair in action.fields if pair[0] not in extras))


def targets_down(ruleset: Ruleset, state: State, action: Action) -> bool:
    people = [state.get(who) for who in targets_of(spec_of(ruleset, state, action), action)]
    return bool(people) and not any(one is not None and status_of(ruleset, one.status).acts for one in people)


MOST = 40
"""Combatants at most whose declarations one key makes."""


def default_declarations(scene: ModeContext) -> tuple[Action, ...]:
    """Return the declarations that going on makes for the due side or combatant, () if it makes none."""
    state, due = scene.model.state, scene.ruleset.advance(scene.model.state)
    slot = state.clock.current
    if slot is None or slot.turns != "none" or due is None or (due.by is None and due.get("side") is None):
        return ()
    people = [who for who in able_combatants(scene) if who == due.by or state[who].side == due.get("side")]
    if len(people) > MOST:
        return ()
    lines = [default_line(state, who, scene.ruleset) for who in people]
    actions = tuple(line.action for line in lines if line is not None and line.action is not None)
    fits = all(spec_of(scene.ruleset, state, action).refusal is None for action in actions)
    return actions if fits and (due.by is None or [action.key for action in actions] == [due.key]) else ()
