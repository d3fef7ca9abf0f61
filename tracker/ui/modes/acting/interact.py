"""The actions of a combatant on another one, also those after a move."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

from msgspec import Struct
from msgspec.structs import replace
from typing_extensions import override

from tracker.core.engine import offers, spec_of
from tracker.core.fight.board import Trail
from tracker.core.fight.cache import per_state
from tracker.core.fight.slots import Id
from tracker.core.fight.state import State
from tracker.core.game.ruleset import Ruleset
from tracker.core.terms.actions import Action, ActionSpec
from tracker.ui.keys.command import Footer
from tracker.ui.modes.acting.action_form import Form
from tracker.ui.modes.acting.default_actions import default_line
from tracker.ui.typing.mode import (
    ListMode,
    ModeContext,
    PlannedTurn,
    Result,
    deliver,
    name_spans,
    put_targets,
    target_field,
    targets_of,
)
from tracker.ui.typing.parser import missing_field
from tracker.ui.typing.rows import problem_rows, refusal_spans, visible_rows, wrapped_rows
from tracker.ui.typing.tokens import no_such_number
from tracker.views.words.spans import Row, Span, cut_spans, spread, width_of
from tracker.views.words.text import clean


class Approach(Struct, frozen=True):
    """A way to act on a combatant: actions in order, each with its specification."""

    actions: tuple[Action, ...]
    specs: tuple[ActionSpec, ...]


@per_state
def approaches_to(state: State, ruleset: Ruleset, by: Id, target: Id) -> tuple[Approach, ...]:
    """Return the ways of a combatant to act on another one, the game's default first."""
    offered = offers(ruleset, state, by, generic=False)
    ways = [way for spec in offered if (way := _on_target(ruleset, state, spec, target)) is not None]
    for actions in ruleset.map.approaches(state, by, target):
        ways.append(Approach(actions, tuple(spec_of(ruleset, state, action) for action in actions)))
    line = default_line(state, by, ruleset)
    usual = None if line is None else line.opener or line.action
    return tuple(sorted(ways, key=lambda way: not _is_usual(way, usual, target)))


def _is_usual(way: Approach, usual: Action | None, target: Id) -> bool:
    spec = way.specs[0]
    return usual is not None and spec.key == usual.key and (len(way.actions) > 1 or target in targets_of(spec, usual))


def first_attack(scene: ModeContext, by: Id, target: Id) -> Approach | None:
    for spec in scene.offers(by, generic=False):
        if (way := _on_target(scene.ruleset, scene.model.state, spec, target)) is not None:
            return way
    return None


def _on_target(ruleset: Ruleset, state: State, spec: ActionSpec, target: Id) -> Approach | None:
    field = target_field(spec) if spec.refusal is None else None
    if field is None or not any(option.key == target and option.refusal is None for option in field.options):
        return None
    action = put_targets(spec, Action(spec.key, spec.by), (target,), ())
    full = spec_of(ruleset, state, action)
    return Approach((action,), (full,)) if full.refusal is None else None


def _course(scene: ModeContext, way: Approach) -> Trail | None:
    """Return the trail of the move before the action, None if no move is needed."""
    return scene.ruleset.map.course(scene.model.state, way.actions[0])


class InteractMode(ListMode, frozen=True):
    place: ClassVar[Footer] = "picker"
    title: ClassVar[str] = "Act"
    by: Id
    target: Id
    chosen: int = 0
    problem: str = ""

    @override
    def rows(self, scene: ModeContext, width: int, height: int) -> tuple[Row, ...]:
        ways = approaches_to(scene.model.state, scene.ruleset, self.by, self.target)
        head = (*name_spans(scene, self.by), Span(" → ", "dim"), *name_spans(scene, self.target))
        shown = [Row("who", cut_spans(head, width))]
        shown += problem_rows(self.problem, width)
        if not ways:
            return (*shown, *self._why_not(scene, width))[: max(1, height)]
        listed = [self._row(scene, way, place, width) for place, way in enumerate(ways)]
        return (*shown, *visible_rows(listed, self.chosen, max(1, height - len(shown))))[: max(1, height)]

    def _row(self, scene: ModeContext, way: Approach, place: int, width: int) -> Row:
        here = place == self.chosen
        style = "strong" if here else ""
        head = [Span("▸ " if here else "  ", "title"), Span(f"{place + 1:>2} ", "key"), *self._words(scene, way, style)]
        cost = clean(way.specs[0].cost) if len(way.specs) == 1 else ""
        rule = way.specs[-1].rule
        end = [Span(cost, "dim"), Span(f" {rule}" if cost else rule, "rule")]
        for shorter in ([Span(f" {rule}", "rule")], []):  # the chance is never left out
            end = end if width_of((*head, *end)) <= width else shorter
        rules = tuple(spec.rule for spec in way.specs if spec.rule)
        return Row(f"option:{place}", spread(head, end, width), "current" if here else "", rules)

    def _words(self, scene: ModeContext, way: Approach, style: str) -> list[Span]:
        state, spec = scene.model.state, way.specs[0]
        trail = _course(scene, way)
        feet, foes = (f" {trail.cost} ft" if trail is not None else ""), ""
        if trail is not None and trail.provokes:
            foes = f" (provokes {' '.join(state[foe].label for foe in trail.provokes)})"
        rest = "".join(f" + {clean(spec.label)}" for spec in way.specs[1:])
        chance = scene.chance(way.actions[-1])
        start, end = Span(f"{clean(spec.label)}{feet}", style), Span(f"  {chance}" if chance else "", "dim")
        return [start, Span(foes, "warn"), Span(rest, style), end]

    def _why_not(self, scene: ModeContext, width: int) -> tuple[Row, ...]:
        for spec in scene.offers(self.by, generic=False):
            if target_field(spec) is not None:
                action = put_targets(spec, Action(spec.key, self.by), (self.target,), ())
                refusal = scene.spec(action).refusal
                if refusal is not None:
                    return wrapped_rows((Span(f"{clean(spec.label)}: "), *refusal_spans(refusal)), width, "refusal")
        return wrapped_rows((Span("nothing can be done to it now", "dim"),), width, "none")

    def path(self, scene: ModeContext) -> tuple[Id, Trail] | None:
        """Return the combatant and the trail of its move, for the map."""
        ways = approaches_to(scene.model.state, scene.ruleset, self.by, self.target)
        trail = _course(scene, ways[min(self.chosen, len(ways) - 1)]) if ways else None
        return None if trail is None else (self.by, trail)

    @override
    def aims(self, scene: ModeContext) -> Mapping[Action, Action | None]:
        ways = approaches_to(scene.model.state, scene.ruleset, self.by, self.target)
        return {way.actions[-1]: way.actions[0] if len(way.actions) == 2 else None for way in ways}

    @override
    def press(self, scene: ModeContext, key: str, character: str | None) -> Result | None:
        ways = approaches_to(scene.model.state, scene.ruleset, self.by, self.target)
        if key == "escape":
            return Result(None)
        if character is not None and character.isdigit() and ways:
            place = int(character) - 1
            if not 0 <= place < len(ways):
                return Result(replace(self, problem=no_such_number(int(character), len(ways))))
            return Result(replace(self, chosen=place, problem=""))
        if key in ("up", "down") and ways:
            place = (self.chosen + (1 if key == "down" else -1)) % len(ways)
            return Result(replace(self, chosen=place, problem=""))
        if key == "enter" and self.problem:
            return Result(self)  # the refused number is still shown
        if key in ("enter", "tab") and ways:
            return self._take(scene, ways[min(self.chosen, len(ways) - 1)], key == "tab")
        return None

    def _take(self, scene: ModeContext, way: Approach, form: bool) -> Result:
        action, spec = way.actions[0], way.specs[0]
        if len(way.actions) > 1 and not form:
            return Result(None, plan=tuple(PlannedTurn(self.by, action, fixed=True) for action in way.actions))
        if form or missing_field(spec, action) is not None:
            return Result(Form.open(spec, action))
        return deliver(scene, action)
