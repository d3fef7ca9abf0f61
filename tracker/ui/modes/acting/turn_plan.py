"""The lines of a sheet, each planned in the expected state after the lines before it.

So no two combatants take the same place, and no line aims at a target that is probably down.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from msgspec.structs import replace

from tracker.core.engine import spec_of
from tracker.core.fight.slots import Id
from tracker.core.fight.state import State
from tracker.core.game.ruleset import Ruleset
from tracker.core.run import Done, Step
from tracker.core.terms.actions import Action
from tracker.core.terms.errors import Refusal
from tracker.session.step.runner import dry_run
from tracker.ui.modes.acting.default_actions import (
    Outlook,
    PlannedLine,
    default_line,
    opens_turn,
    targets_down,
)
from tracker.ui.modes.acting.expected import expected
from tracker.ui.modes.acting.sheet_rows import action_words, way_words
from tracker.ui.typing.mode import put_targets, target_field, targets_of
from tracker.ui.typing.parser import missing_field


def next_line(ruleset: Ruleset, state: State, lines: Sequence[PlannedLine], who: Id) -> PlannedLine | None:
    """Return the game's choice for a combatant after the lines of a sheet begun in a state."""
    there = _expected_state(state, lines)
    line = default_line(there, who, ruleset)
    if line is None and there is not state:  # it has nothing to do because the fight is probably won by then
        there, line = state, default_line(state, who, ruleset)
    return None if line is None else _with_outlook(ruleset, there, line, lines)


def replanned(ruleset: Ruleset, state: State, lines: Sequence[PlannedLine], first: int) -> tuple[PlannedLine, ...]:
    """Return the lines of a sheet, those from `first` on planned again after the lines before them.

    A choice that is still possible is kept; typed lines are always kept.
    """
    done = list(lines[:first])
    for line in lines[first:]:
        there = _expected_state(state, done)
        kept = line if line.typed or line.out or line.action is None else as_it_stands(ruleset, there, line)
        done.append(_with_outlook(ruleset, there, kept or line, done))
    return tuple(done)


def planned_after(ruleset: Ruleset, state: State, lines: Sequence[PlannedLine]) -> tuple[PlannedLine, ...]:
    """Return the same lines, each with its expected states after the lines before it."""
    done = list[PlannedLine]()
    for line in lines:
        done.append(_with_outlook(ruleset, _expected_state(state, done), line, done))
    return tuple(done)


def as_it_stands(ruleset: Ruleset, state: State, line: PlannedLine, risk: str | None = None) -> PlannedLine | None:
    """Return a line, or the game's choice if the line is impossible in a state; None: the game has no choice.

    The game chooses again as well if the target is down, or the risk differs from the shown one. A typed line keeps its
    action until its target is down; only its opener is chosen again.
    """
    action = line.action
    if action is None:
        return line
    if opens_turn(state) and (state.clock.acting == line.by or line.by in state.clock.turned):
        line = replace(line, opener=None)
    gone = targets_down(ruleset, state, action)
    if line.opener is not None:
        stale = isinstance(dry_run(ruleset, begun(ruleset, state, line.by), Step("do", (line.opener,))), Refusal)
    else:
        spec = spec_of(ruleset, state, action)
        known = line.outlook.spec.does if risk is None and line.outlook and line.outlook.spec else risk or ""
        stale = not line.typed and (spec.refusal is not None or spec.does not in ("", known))
    if not gone and not stale:
        return line
    chosen = default_line(state, line.by, ruleset)
    if line.typed and not gone:
        return replace(line, opener=chosen.opener if chosen is not None and opens_turn(state) else None)
    wanted = None if chosen is None else chosen.action or chosen.opener
    if chosen is None or wanted is None:
        return None
    return replace(line, action=wanted, opener=chosen.opener if chosen.action is not None else None)


def _expected_state(state: State, lines: Sequence[PlannedLine]) -> State:
    """Return the expected state after some lines, the last in which the same combatants can still act."""
    expected_states = [line.outlook.after for line in lines if line.outlook is not None]
    return next((one for one in reversed(expected_states) if one.clock.at == state.clock.at), state)


def begun(ruleset: Ruleset, state: State, who: Id) -> State:
    """Return the state in which the turn of a combatant begins: an open turn of another is ended."""
    if not opens_turn(state) or state.clock.acting in (None, who):
        return state
    ended = dry_run(ruleset, state, Step("advance"))
    return ended.state if isinstance(ended, Done) else state


def _with_outlook(ruleset: Ruleset, state: State, line: PlannedLine, lines: Sequence[PlannedLine]) -> PlannedLine:
    """Return a line with its expected states after the lines before it."""
    before = begun(ruleset, state, line.by)
    at = before if line.opener is None else expected(ruleset, before, line.opener) or before
    if line.action is None:
        return replace(line, outlook=Outlook(state, at, state if line.out else at))
    spec = spec_of(ruleset, at, line.action)
    aimed = set(targets_of(spec, line.action))
    nth = sum(not aimed.isdisjoint(_targets(other)) for other in lines if not other.out)
    after = None if line.out else expected(ruleset, at, line.action, nth)
    way = "" if line.opener is None or not line.opener.fields else way_words(ruleset, before, line.opener)
    words, short = action_words(ruleset, at, spec, line.action)
    return replace(line, outlook=Outlook(before, at, state if line.out else after or at, spec, way, words, short))


def _targets(line: PlannedLine) -> Sequence[Id]:
    spec = None if line.outlook is None else line.outlook.spec
    return () if spec is None or line.action is None else targets_of(spec, line.action)


def with_action(
    ruleset: Ruleset, state: State, line: PlannedLine, action: Action, named: Sequence[str] = ()
) -> PlannedLine:
    """Return a line with another action and its opener; the GM has typed the fields `named`."""
    there = line.outlook.before if line.outlook is not None else begun(ruleset, state, line.by)
    before = line.named if line.action is not None and line.action.key == action.key else ()
    kept = tuple(dict.fromkeys((*before, *named)))
    changed = replace(line, action=action, out=False, typed=True, named=kept, dice=())
    return _with_outlook(ruleset, there, _with_opener(ruleset, there, changed), ())


def _with_opener(ruleset: Ruleset, state: State, line: PlannedLine) -> PlannedLine:
    """Return a line with the opener that its action needs: none, the present one, or the game's choice."""
    action = line.action
    if action is None or _possible(ruleset, state, action):
        return replace(line, opener=None)
    gone = None if line.opener is None else expected(ruleset, state, line.opener)
    if gone is not None and _possible(ruleset, gone, action):
        return line
    named = {name: value for name, value in action.fields if name in line.named}
    for target in targets_of(spec_of(ruleset, state, action), action)[:1]:
        for way in _ways(ruleset, state, line.by, target):
            last = way[-1].put(**named) if way[-1].key == action.key else way[-1]
            if last == way[-1] or _after(ruleset, state, way[:-1], last) is not None:
                return replace(line, action=last, opener=way[0] if len(way) > 1 else None)
    return replace(line, opener=None)


def _after(ruleset: Ruleset, state: State, openers: Sequence[Action], action: Action) -> State | None:
    """Return the expected state after some openers, None if the action is impossible in it."""
    there: State | None = state
    for opener in openers:
        there = None if there is None else expected(ruleset, there, opener)
    return there if there is not None and _possible(ruleset, there, action) else None


def with_target(
    ruleset: Ruleset, state: State, line: PlannedLine, target: Id, offered: Sequence[Action]
) -> PlannedLine | None:
    """Return a line with another target and its opener, or None if its combatant has no action with a target.

    A line without an action with a target gets the first of the actions `offered`. If the target is out of reach, the
    opener is the game's choice against this enemy alone.
    """
    there = line.outlook.before if line.outlook is not None else begun(ruleset, state, line.by)
    action = line.action
    if action is None or target_field(spec_of(ruleset, there, action)) is None:
        if not offered:
            return None
        action = offered[0]
    spec = spec_of(ruleset, there, action)
    field = target_field(spec)
    if field is None:
        return None
    bare = replace(action, fields=tuple(pair for pair in action.fields if pair[0] != field.name))
    aimed = put_targets(spec, bare, (target,), ())
    return with_action(ruleset, state, line, aimed, (field.name,))


def _possible(ruleset: Ruleset, state: State, action: Action) -> bool:
    spec = spec_of(ruleset, state, action)
    if spec.refusal is not None or missing_field(spec, action) is not None:
        return spec.refusal is None
    return not isinstance(dry_run(ruleset, state, Step("do", (action,))), Refusal)


def _ways(ruleset: Ruleset, state: State, who: Id, target: Id) -> Iterator[tuple[Action, ...]]:
    """Yield sequences of actions that end at a target: the game's choice against this enemy alone, then any other."""
    person, other = state.get(who), state.get(target)
    if person is None or other is None:
        return
    away = next((status.key for status in reversed(ruleset.statuses) if not status.acts), None)
    if away is not None and not ruleset.friendly(state, person.side, other.side):
        alone = replace(
            state,
            combatants=tuple(
                one if one.id == target or ruleset.friendly(state, person.side, one.side) else replace(one, status=away)
                for one in state.combatants
            ),
        )
        line = default_line(alone, who, ruleset)
        if line is not None and line.action is not None:
            yield from _checked(ruleset, state, (line.opener, line.action), target)
    for way in ruleset.map.approaches(state, who, target):
        yield from _checked(ruleset, state, way, target)


def _checked(ruleset: Ruleset, state: State, way: Sequence[Action | None], target: Id) -> Iterator[tuple[Action, ...]]:
    """Yield the actions if each is possible after the action before it, and the last has the target."""
    actions = tuple(action for action in way if action is not None)
    there = _after(ruleset, state, actions[:-1], actions[-1])
    if there is not None and target in targets_of(spec_of(ruleset, there, actions[-1]), actions[-1]):
        yield actions
