"""The engine: a ruleset, the clock and the GM's generic commands together.

`GameStep` is the step (`Ctx`) of a game. Only this module decides whether a key is the ruleset's action or a generic
one: the ruleset's comes first.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from tracker.core.clock import advance
from tracker.core.fight.slots import Id
from tracker.core.fight.state import State
from tracker.core.game.ruleset import Ruleset
from tracker.core.gm import commands
from tracker.core.step.ctx import Ctx, Interruption, TurnEdge
from tracker.core.step.forms import Accepted, fill, without_repeats
from tracker.core.terms.actions import Action, ActionSpec
from tracker.core.terms.errors import Refusal
from tracker.core.terms.requests import Answer, Request, Window
from tracker.core.terms.values import Value


def offers(
    game: Ruleset, state: State, by: Id | None, generic: bool = True, but: frozenset[str] = frozenset()
) -> tuple[ActionSpec, ...]:
    """Return the actions of a combatant, or for None of the GM and the sides, legal and refused.

    The GM's include the generic actions, unless `generic` is False, without those whose keys are in `but`.
    """
    own = game.actions(state, by)
    if by is not None or not generic:
        return own
    return own + commands.actions(game, state, but.union([spec.key for spec in own]))


def spec_of(game: Ruleset, state: State, action: Action) -> ActionSpec:
    """Return the specification of a partly filled action; an unknown action has a refusal."""
    return _find(game, state, action)[0]


def accept(game: Ruleset, state: State, action: Action, forced: bool = False) -> Accepted:
    """Return the completed action; raises what `fill` raises."""
    return _accept(game, state, action, forced)[0]


def _accept(game: Ruleset, state: State, action: Action, forced: bool) -> tuple[Accepted, bool]:
    spec, single, own = _find(game, state, action)
    return fill(spec, state, single, forced), own


def _find(game: Ruleset, state: State, action: Action) -> tuple[ActionSpec, Action, bool]:
    """Return an action's specification, the action, and whether it is the ruleset's own.

    Repeated names are removed, except in fields with `repeats`.
    """
    if action.by is not None and action.by not in state:
        text = f"{state.name(action.by)} is not in the fight"
        return _impossible(action, "no_such_combatant", text), action, False
    single = without_repeats(action)
    spec, own = _form(game, state, single)
    if single is not action:
        repeating = {field.name for field in spec.fields if field.repeats}
        wanted = without_repeats(action, repeating)
        if wanted != single:
            return _form(game, state, wanted)[0], wanted, own
    return spec, single, own


def _form(game: Ruleset, state: State, action: Action) -> tuple[ActionSpec, bool]:
    spec = game.form(state, action)
    if spec is not None:
        return spec, True
    spec = commands.form(game, state, action)
    return _impossible(action, "unknown_action", f'there is no action "{action.key}"') if spec is None else spec, False


def _impossible(action: Action, reason: str, text: str) -> ActionSpec:
    return ActionSpec(action.key, action.key, action.by, refusal=Refusal(reason, text, forcible=False))


class GameStep(Ctx):
    """A step of one game: `Ctx` with its ruleset, the clock and the generic commands."""

    def __init__(
        self,
        game: Ruleset,
        state: State,
        answers: Mapping[str, Answer],
        source: Callable[[Request], Answer | None] | None = None,
        interrupts: Sequence[Interruption] = (),
        overrides: Mapping[str, Value] | None = None,
        forced: bool = False,
    ) -> None:
        super().__init__(state, answers, source, interrupts, overrides, forced)
        self._game = game

    @property
    def unused_interrupts(self) -> tuple[str, ...]:
        """Keys of interruptions and overrides that the step has not used."""
        missed = (
            f"{item.key}!{place}"
            for place, item in enumerate(self._interrupts, start=1)
            if place not in self._performed
        )
        return (*missed, *(key for key in self._overrides if key not in self._overridden))

    def _accept(self, action: Action, forced: bool) -> tuple[Accepted, bool]:
        """Return an accepted action, and whether it is the ruleset's own; raises Refused."""
        return _accept(self._game, self.state, action, forced)

    def _do(self, action: Action, own: bool) -> None:
        if own:
            self._game.perform(self, action)
        else:
            commands.perform(self, self._game, action)

    def _conclude(self) -> None:
        self._game.settle(self)

    def _offers(self, window: Window) -> tuple[ActionSpec, ...]:
        return self._game.windows(self.state, window)

    def _matters(self, window: Window) -> bool:
        return self._game.window_matters(self.state, window)

    def turn(self, who: Id, edge: TurnEdge, *rules: str) -> bool:
        """Begin or end a combatant's turn, and return whether its edge is crossed now."""
        return advance.pass_turn_edge(self, self._game, who, edge, *rules)

    def walk(self) -> None:
        """Leave the current slot and go on to the next stop."""
        advance.advance(self, self._game)

    def end_fight(self, reason: str, *rules: str) -> None:
        """End the fight: cross its last edge and open the closing slots."""
        advance.end_fight(self, self._game, reason, *rules)
