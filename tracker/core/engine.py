"""The engine: one game at work.

It joins the ruleset, the clock and the GM's generic commands behind the few doors a step knows (`ctx.Engine`).

Here, and nowhere else, is decided whose action it is: the ruleset's, or the generic one of the same key.
"""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from tracker.core.clock import leaving, walk
from tracker.core.fight.state import Id, State
from tracker.core.game.ruleset import Ruleset
from tracker.core.master import table
from tracker.core.step.ctx import Ctx
from tracker.core.step.forms import Accepted, fill, singled
from tracker.core.terms.actions import Action, ActionSpec
from tracker.core.terms.errors import Refusal
from tracker.core.terms.moments import Edge
from tracker.core.terms.requests import Window


def offers(
    game: Ruleset, state: State, by: Id | None, generic: bool = True, but: frozenset[str] = frozenset()
) -> tuple[ActionSpec, ...]:
    """Return everything a combatant can do now, or is refused.

    For None what the GM and the sides can, the generic actions too unless they are not wanted.

    Of the generic ones those whose keys are in `but` are left out.
    """
    own = game.actions(state, by)
    if by is not None or not generic:
        return own
    return own + table.actions(game, state, but.union([spec.key for spec in own]))


def spec_of(game: Ruleset, state: State, action: Action) -> ActionSpec:
    """Return the specification of a half-filled action.

    An unknown action comes refused.
    """
    return _find(game, state, action)[0]


def accept(game: Ruleset, state: State, action: Action, forced: bool = False) -> Accepted:
    """Return the action as it would be performed.

    Raises what `fill` raises.
    """
    spec, single, _ = _find(game, state, action)
    return fill(spec, state, single, forced)


def _find(game: Ruleset, state: State, action: Action) -> tuple[ActionSpec, Action, bool]:
    """Return an action's specification, the action without doubles, and whether it is the ruleset's own.

    No form sees the same name twice, but in fields that say so.
    """
    if action.by is not None and action.by not in state:
        text = f"{state.name(action.by)} is not in the fight"
        return _impossible(action, "no_such_combatant", text), action, False
    single = singled(action)
    spec, own = _form(game, state, single)
    if single is not action:
        repeating = {field.name for field in spec.fields if field.repeats}
        wanted = singled(action, repeating)
        if wanted != single:
            return _form(game, state, wanted)[0], wanted, own
    return spec, single, own


def _form(game: Ruleset, state: State, action: Action) -> tuple[ActionSpec, bool]:
    spec = game.form(state, action)
    if spec is not None:
        return spec, True
    spec = table.form(game, state, action)
    return _impossible(action, "unknown_action", f'there is no action "{action.key}"') if spec is None else spec, False


def _impossible(action: Action, reason: str, text: str) -> ActionSpec:
    return ActionSpec(action.key, action.key, action.by, refusal=Refusal(reason, text, forcible=False))


class Machine(Struct, frozen=True):
    """What a step is run on."""

    game: Ruleset

    def accept(self, state: State, action: Action, forced: bool) -> tuple[Accepted, bool]:
        """Return an action ready to be performed, and whether it is the ruleset's own."""
        spec, single, own = _find(self.game, state, action)
        return fill(spec, state, single, forced), own

    def perform(self, ctx: Ctx, action: Action, own: bool) -> None:
        """Do an accepted action."""
        if own:
            self.game.perform(ctx, action)
        else:
            table.perform(ctx, self.game, action)

    def windows(self, state: State, window: Window) -> tuple[ActionSpec, ...]:
        """Return who may interrupt here, with what."""
        return self.game.windows(state, window)

    def settle(self, ctx: Ctx) -> None:
        """Draw the ruleset's conclusions."""
        self.game.settle(ctx)

    def cross(self, ctx: Ctx, edge: Edge, actors: Sequence[Id], sides: Sequence[Id]) -> None:
        """Pass an edge of the clock."""
        walk.pass_edge(ctx, self.game, edge, actors, sides)

    def walk(self, ctx: Ctx) -> None:
        """Go on to the next stop."""
        walk.walk(ctx, self.game)

    def end_fight(self, ctx: Ctx) -> None:
        """Pass the end of the fight."""
        walk.end_fight(ctx, self.game)

    def leave(self, ctx: Ctx, who: Id, reason: str, rules: Sequence[str]) -> None:
        """Take a combatant out of the fight."""
        leaving.leave(ctx, who, reason, *rules)
