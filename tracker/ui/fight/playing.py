"""A sheet being played: turns done one after another, each a step of its own.

It stops where a question waits and goes on once that is answered. Where a target is gone, the game's choice replaces
what was planned.
"""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from tracker.core.engine import spec_of
from tracker.core.fight.state import State
from tracker.core.run import Step
from tracker.core.terms.actions import Action, Refusal
from tracker.session.intents import Advance, Do
from tracker.session.model import Model
from tracker.session.session import Session
from tracker.session.step.attempt import try_out
from tracker.ui.modes.sheet.lines import Line, down, plain_choice
from tracker.ui.typing.mode import Turn
from tracker.views.words.text import clean

__all__ = ["Playing"]


class Playing:
    """The turns of a sheet that are still to be done.

    Attributes:
        left: those not begun.
        last: the last action done.
        refused: the action that was refused.
        told: what did not happen, in words.
    """

    def __init__(self, session: Session, turns: Sequence[Turn]) -> None:
        self._session = session
        self.left = tuple(turns)
        self.last: Action | None = None
        self.refused: Action | None = None
        self.told: list[str] = []
        self._open: str | None = None
        self._where: object = _place(session.model.state)

    def go(self) -> Model:
        """Do turns until one asks something, is refused, or none is left."""
        model = self._session.model
        while model.pending is None and not self._over(model):
            if self._open is not None:
                model = self._close(model)
            elif not self.left:
                break
            else:
                model = self._begin(model)
            if model.refusal is not None or model.problem:
                self.left, self._open = (), None
                break
        return model

    def _over(self, model: Model) -> bool:
        """Tell whether the fight has gone on from where the sheet was made for."""
        if _place(model.state) == self._where:
            return False
        if self.left:
            self.told.append(f"{len(self.left)} of the sheet had no turn any more")
        self.left, self._open = (), None
        return True

    def _close(self, model: Model) -> Model:
        """End the turn of the last one, where the next one must be opened.

        The last turn stays open for what is free in it.
        """
        who, self._open = self._open, None
        if not self.left or self.left[0].opener is None or who != model.state.clock.acting:
            return model
        return self._session.dispatch(Advance())

    def _begin(self, model: Model) -> Model:
        """Do the next turn: open it where that is needed, then act."""
        turn, ruleset = self.left[0], self._session.ruleset
        self.left = self.left[1:]
        state = model.state
        person = state.get(turn.by)
        if person is None or not ruleset.status(person.status).acts:
            name = clean(state.name(turn.by))
            self.told.append(f"{name} cannot act any more")
            return model
        if state.clock.acting == turn.by or turn.by in state.clock.turned:
            turn = replace(turn, opener=None)
        opener = turn.opener
        if opener is not None and isinstance(try_out(ruleset, state, Step("do", (opener,))), Refusal):
            # what the turns before have changed
            line = plain_choice(ruleset, state, turn.by)
            turn = turn if line is None else _again(turn, line)
            opener = turn.opener
        if opener is not None:
            self.left = (replace(turn, opener=None), *self.left)
            self.last = opener
            return self._done(opener)
        action = self._fitting(state, turn)
        if action is None:
            self.told.append(f"{clean(state.name(turn.by))} has nothing left to do of itself")
            return model
        slot = state.clock.current
        self._open = turn.by if slot is not None and slot.turns == "opened" else None
        self.last = action
        return self._done(action)

    def _fitting(self, state: State, turn: Turn) -> Action | None:
        """Return the planned action, or the game's choice where that has lost its target."""
        ruleset = self._session.ruleset
        gone = down(ruleset, state, turn.action)
        refused = spec_of(ruleset, state, turn.action).refusal is not None
        if not gone and (turn.fixed or not refused):
            return turn.action
        line = plain_choice(ruleset, state, turn.by)
        return None if line is None else line.action

    def _done(self, action: Action) -> Model:
        model = self._session.dispatch(Do((action,)))
        if model.refusal is not None:
            self.refused = action
        return model


def _again(turn: Turn, line: Line) -> Turn:
    """Return a turn chosen anew, with what the GM has typed for it."""
    if turn.fixed or line.action is None:
        return replace(turn, opener=line.opener)
    return replace(turn, action=line.action, opener=line.opener)


def _place(state: State) -> object:
    clock = state.clock
    return clock.round, clock.at, clock.over
