"""A sheet being played: turns done one after another, each a step of its own.

It stops where a question waits and goes on once that is answered. Where a planned action is impossible by now, the game
chooses another target, place or weapon for it, which is told; where it chooses another action, the sheet stops.
"""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from tracker.core.engine import spec_of
from tracker.core.fight.slots import Id, Slot
from tracker.core.fight.state import State
from tracker.core.game.ruleset import Ruleset, open_reminders
from tracker.core.run import Step
from tracker.core.terms.actions import Action
from tracker.core.terms.errors import Refusal
from tracker.session.intents import Advance, Do
from tracker.session.model import Model
from tracker.session.session import Session
from tracker.session.step.runner import dry_run
from tracker.ui.modes.acting.batch import act_due
from tracker.ui.modes.acting.default_actions import WITH_WHAT, default_line, opens_turn, place_field, targets_down
from tracker.ui.typing.mode import PlannedTurn, UntilActor, target_field
from tracker.ui.typing.parser import value_of
from tracker.views.words.text import clean
from tracker.views.words.values import field_words


class _Queue:
    """What is done one after another.

    Attributes:
        last, refused: the last action, and the refused one.
        messages: what did not happen as planned.
        stopped_at: the combatant whose player has to choose another action.
    """

    def __init__(self, session: Session) -> None:
        self._session = session
        self.last: Action | None = None
        self.refused: Action | None = None
        self.messages: list[str] = []
        self.stopped_at: Id | None = None


class TurnQueue(_Queue):
    """The turns of a sheet that are still to be done."""

    def __init__(self, session: Session, turns: Sequence[PlannedTurn]) -> None:
        super().__init__(session)
        self.left = tuple(turns)
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

    @property
    def so_far(self) -> str:
        state = self._session.model.state
        name = clean(state.name(self.last.by)) if self.last is not None else ""
        return f"{name} acts, the last of the sheet" if not self.left else f"{name} acts, then {len(self.left)} more"

    def _over(self, model: Model) -> bool:
        """Tell whether the fight has gone on from where the sheet was made for."""
        if _place(model.state) == self._where:
            return False
        if self.left and not model.state.clock.over:
            self.messages.append(f"{len(self.left)} of the sheet had no turn any more")
        self.left, self._open = (), None
        return True

    def _close(self, model: Model) -> Model:
        """End the last turn if the next one must be opened; the very last stays open for what is free in it."""
        who, self._open = self._open, None
        if not self.left or self.left[0].opener is None or who != model.state.clock.acting:
            return model
        return self._session.dispatch(Advance())

    def _begin(self, model: Model) -> Model:
        turn, ruleset = self.left[0], self._session.ruleset
        self.left = self.left[1:]
        state = model.state
        person = state.get(turn.by)
        if person is None or not ruleset.status(person.status).acts:
            name = clean(state.name(turn.by))
            self.messages.append(f"{name} cannot act any more")
            return model
        now = self._as_it_stands(state, turn)
        if now is None:
            self.messages.append(f"{clean(state.name(turn.by))} has nothing left to do of itself")
            return model
        if _is_another(turn.action, now.action):
            self._stop(state, turn)
            return model
        if now.action != turn.action:
            self.messages.append(f"{clean(state.name(turn.by))} now {_change(ruleset, state, turn.action, now.action)}")
        if now.opener is not None:
            self.left = (replace(now, opener=None), *self.left)
            self.last = now.opener
            return self._done(now.opener)
        self._open = turn.by if opens_turn(state) else None
        self.last = now.action
        return self._done(now.action)

    def _as_it_stands(self, state: State, turn: PlannedTurn) -> PlannedTurn | None:
        """Return the planned turn, or the game's choice where that is impossible by now."""
        ruleset = self._session.ruleset
        if opens_turn(state) and (state.clock.acting == turn.by or turn.by in state.clock.turned):
            turn = replace(turn, opener=None)
        gone = targets_down(ruleset, state, turn.action)
        if turn.opener is not None:
            stale = isinstance(dry_run(ruleset, state, Step("do", (turn.opener,))), Refusal)
        else:
            spec = spec_of(ruleset, state, turn.action)
            stale = not turn.fixed and (spec.refusal is not None or spec.does not in ("", turn.risk))
        if not gone and not stale:
            return turn
        line = default_line(state, turn.by, ruleset)
        if turn.fixed and not gone:  # only how it begins is chosen anew
            return replace(turn, opener=line.opener if line is not None and opens_turn(state) else None)
        wanted = None if line is None else line.action or line.opener
        if line is None or wanted is None:
            return None
        return replace(turn, action=wanted, opener=line.opener if line.action is not None else None)

    def _stop(self, state: State, turn: PlannedTurn) -> None:
        """Leave the rest of the sheet undone where a combatant would do another action than the planned one."""
        name, planned = clean(state.name(turn.by)), spec_of(self._session.ruleset, state, turn.action)
        rest = f", {len(self.left)} more wait" if self.left else ""
        self.messages.append(f"{name}: {clean(planned.label).casefold()} is no longer possible, choose another{rest}")
        self.left, self.stopped_at = (), turn.by

    def _done(self, action: Action) -> Model:
        model = self._session.dispatch(Do((action,)))
        if model.refusal is not None:
            self.refused = action
        return model


class ActQueue(_Queue):
    """The acts of a round still to be done, as they were declared."""

    def __init__(self, session: Session, acts: UntilActor) -> None:
        super().__init__(session)
        self._before = acts.before
        self._round = session.model.state.clock.round
        self._known = self._lapsing(session.model.state)
        self._decided = bool(session.ruleset.finished(session.model.state))
        self._begun = False

    @property
    def left(self) -> Sequence[Slot]:
        return [slot for slot in self._session.model.state.clock.upcoming if slot.segment is not None and slot.stop]

    @property
    def so_far(self) -> str:
        many = len(self.left)
        return f"then {many} more act{'' if many == 1 else 's'}" if many else "the last act"

    def go(self) -> Model:
        """Do acts until one asks something or is refused, or none is left."""
        model = self._session.model
        while model.pending is None and self._goes_on(model.state):
            self._begun = True
            model = self._session.dispatch(Advance())
            if model.refusal is not None or model.problem:
                break
        return model

    def _goes_on(self, state: State) -> bool:
        ruleset = self._session.ruleset
        who = act_due(ruleset, state)
        if who is None or state.clock.round != self._round or (ruleset.finished(state) and not self._decided):
            return False
        return not (self._begun and (who == self._before or self._lapsing(state) - self._known))

    def _lapsing(self, state: State) -> set[str]:
        """Return what going on would give up, by key."""
        return {one.key for one in open_reminders(self._session.ruleset, state) if one.lapses}


def _is_another(was: Action, now: Action) -> bool:
    """Tell whether an action is another one than the planned one, not the same weapon used at another target."""
    return was.key != now.key and all(now.get(name) is None or was.get(name) != now.get(name) for name in WITH_WHAT)


def _change(ruleset: Ruleset, state: State, was: Action, now: Action) -> str:
    """Return in which choices an action differs from the planned one: `at Smuggler 1`, `to 8,4`."""
    spec = spec_of(ruleset, state, now)
    target, where = target_field(spec), place_field(spec)
    words = [] if was.key == now.key else [clean(spec.label).casefold()]
    for field in spec.fields:
        if value_of(field, now) == (was.get(field.name) if was.get(field.name) is not None else field.default):
            continue
        lead = "at " if field == target else "to " if field == where else ""
        words.append(f"{lead}{field_words(state, field, value_of(field, now))}")
    return " ".join(words)


def _place(state: State) -> object:
    clock = state.clock
    return clock.round, clock.at, clock.over
