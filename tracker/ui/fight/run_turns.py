"""The playing of a sheet: its turns are done one after another, each as a step of its own.

A question stops the sheet until it is answered. If a planned action has become impossible, the game chooses another
target, place or weapon, and the log says so; if only another action is possible, the sheet ends.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import ClassVar, NamedTuple

from msgspec.structs import replace
from typing_extensions import override

from tracker.core.engine import spec_of
from tracker.core.fight.slots import Id, Slot
from tracker.core.fight.state import State
from tracker.core.game.ruleset import Ruleset, open_reminders, status_of
from tracker.core.run import Answers, Pending, Step
from tracker.core.step.fields import texts
from tracker.core.terms.actions import Action, Field
from tracker.core.terms.requests import Answer, DiceAnswer, Roll
from tracker.core.terms.words import listed
from tracker.session.intents import Advance, Do, Reply
from tracker.session.model import Model
from tracker.session.session import Session
from tracker.session.settings import source_of
from tracker.session.step.runner import dry_run, without_dice
from tracker.ui.modes.acting.batch import act_due
from tracker.ui.modes.acting.default_actions import WITH_WHAT, PlannedLine, opens_turn, place_field, targets_down
from tracker.ui.modes.acting.expected import asked_together, first_roll
from tracker.ui.modes.acting.sheet_rows import way_words
from tracker.ui.modes.acting.turn_plan import as_it_stands, planned_after
from tracker.ui.typing.mode import PlannedTurn, ReplyTo, UntilActor, target_field
from tracker.ui.typing.parser import value_of
from tracker.views.words.text import clean
from tracker.views.words.values import field_words

NOTHING_LEFT = "nothing left to do"
TURN = "turn of "
"""The prefix of the keys of rolls that later turns will ask for."""


class _Asked(NamedTuple):
    """A roll of a row, its combatant, step and state, and a cache of the rolls that follow its answers."""

    by: Id
    at: State
    step: Step | None
    answers: Answers
    roll: Roll
    behind: dict[Answer, Roll | None]


class _Queue:
    """Turns or acts that are done one after another.

    Attributes:
        last, refused: the last action, and the refused action.
        messages: the deviations from the plan.
        stopped_at: the combatant whose player has to choose another action.
        declared: whether these are declarations, not turns.
        opens: whether the next sheet opens at the end even if a combatant can still act.
    """

    opens: ClassVar[bool] = False

    def __init__(self, session: Session) -> None:
        self._session = session
        self.last: Action | None = None
        self.refused: Action | None = None
        self.messages: list[str] = []
        self.stopped_at: Id | None = None
        slot = session.model.state.clock.current
        self.declared = slot is not None and slot.turns == "none"

    def like_rolls(self, model: Model) -> tuple[Roll, ...]:
        """Return the open roll and the rolls of the same kind that the later turns will probably ask for first.

        The key of each later roll names its turn, so that its typed dice can be kept until the turn asks.
        """
        return ()

    def rolls_behind(self, replies: Sequence[ReplyTo]) -> tuple[Roll, ...]:
        """Return the rolls that the turns will probably ask for after these answers to their first rolls."""
        return ()

    def keep(self, replies: Sequence[object]) -> None:
        """Keep the answers to questions of later turns."""

    def taken_back(self) -> Sequence[PlannedTurn]:
        """Return the open turn and the turns left after it, each with the dice kept for it."""
        return ()


class NextSheet(_Queue):
    """The sheet that opens once the questions on the way to it are answered."""

    opens: ClassVar[bool] = True
    left: ClassVar[Sequence[object]] = ()
    so_far: ClassVar[str] = ""

    def go(self) -> Model:
        return self._session.model


class TurnQueue(_Queue):
    """The turns of a sheet that are still to be done."""

    def __init__(self, session: Session, turns: Sequence[PlannedTurn]) -> None:
        super().__init__(session)
        self.left = tuple(turns)
        self.now: PlannedTurn | None = None
        self._open: str | None = None
        self._where: object = _place(session.model.state)
        self._typed = {_turn_key(turn.by, key): answer for turn in turns for key, answer in turn.dice}
        self._row: dict[str, _Asked] = {}
        self._idle: tuple[str, ...] = ()

    def go(self) -> Model:
        """Do turns until one asks a question or is refused, or no turn is left."""
        model = self._with_typed_dice(self._session.model)
        while model.pending is None and not self._over(model):
            if self._open is not None:
                model = self._close(model)
            elif not self.left:
                break
            else:
                model = self._with_typed_dice(self._begin(model))
            if model.refusal is not None or model.problem:
                self.left, self._open = (), None
                break
        return model

    @property
    def so_far(self) -> str:
        state = self._session.model.state
        name = clean(state.name(self.last.by)) if self.last is not None else ""
        return f"{name} acts, the last of the sheet" if not self.left else f"{name} acts, then {len(self.left)} more"

    @override
    def like_rolls(self, model: Model) -> tuple[Roll, ...]:
        pending, turn = model.pending, self.now
        if pending is None or turn is None or not isinstance(pending.request, Roll) or not self.left:
            return ()
        if any(isinstance(answer, DiceAnswer) and answer.typed for _, answer in pending.answers):
            return ()  # this is not the first roll of the turn
        ruleset, first = self._session.ruleset, pending.request
        before = self._session.state_at(model.head)
        later = (PlannedLine(turn.by, turn.action, turn.opener) for turn in self.left)
        lines = (PlannedLine(turn.by, turn.action), *later)
        rolls = [first]
        self._row = {first.key: _Asked(turn.by, before, model.pending_step, pending.answers, first, {})}
        for line in planned_after(ruleset, before, lines)[1:]:
            if line.outlook is None or line.action is None:
                continue
            roll = first_roll(ruleset, self._session.settings, line.outlook.at, line.action)
            if roll is not None and asked_together(roll, first):
                key = _turn_key(line.by, roll.key)
                rolls += [] if key in self._typed else [replace(roll, key=key)]
                self._row[key] = _Asked(line.by, line.outlook.at, Step("do", (line.action,)), (), roll, {})
        return tuple(rolls) if len(rolls) > 1 else ()

    @override
    def rolls_behind(self, replies: Sequence[ReplyTo]) -> tuple[Roll, ...]:
        behind = (self._behind(self._row[reply.key], reply.answer) for reply in replies if reply.key in self._row)
        return tuple(roll for roll in behind if roll is not None)

    def _behind(self, asked: _Asked, answer: Answer | None) -> Roll | None:
        if asked.step is None or answer is None:
            return None
        if answer not in asked.behind:
            source = source_of(without_dice(self._session.settings), asked.at, {})
            answers = (*asked.answers, (asked.roll.key, answer))
            outcome = dry_run(self._session.ruleset, asked.at, asked.step, answers, source)
            roll = outcome.request if isinstance(outcome, Pending) else None
            asked.behind[answer] = None
            if isinstance(roll, Roll) and roll.to == asked.roll.to and roll.total_ok:
                asked.behind[answer] = replace(roll, key=_turn_key(asked.by, roll.key))
        return asked.behind[answer]

    @override
    def keep(self, replies: Sequence[object]) -> None:
        for reply in replies:
            if isinstance(reply, ReplyTo) and reply.key.startswith(TURN):
                self._typed[reply.key] = reply.answer

    @override
    def taken_back(self) -> Sequence[PlannedTurn]:
        turns = self.left if self.now is None else (self.now, *self.left)
        return [replace(turn, dice=tuple(self._dice_of(turn.by))) for turn in turns]

    def _dice_of(self, who: Id) -> Iterator[tuple[str, Answer | None]]:
        start = _turn_key(who, "")
        return ((key.removeprefix(start), answer) for key, answer in self._typed.items() if key.startswith(start))

    def _with_typed_dice(self, model: Model) -> Model:
        """Answer the questions of the current turn with the dice typed for it."""
        while model.pending is not None and self.now is not None:
            key = _turn_key(self.now.by, model.pending.request.key)
            if key not in self._typed or model.refusal is not None or model.problem:
                break
            model = self._session.dispatch(Reply(self._typed.pop(key)))
        unused = [key for key in self._typed if not any(key.startswith(_turn_key(turn.by, "")) for turn in self.left)]
        if unused and model.pending is None:
            for key in unused:
                del self._typed[key]
            self.messages.append(f"{len(unused)} typed {'die was' if len(unused) == 1 else 'dice were'} not needed")
        return model

    def _over(self, model: Model) -> bool:
        """Tell whether the clock has left the moment for which the sheet was made; then drop the turns left."""
        if _place(model.state) == self._where:
            return False
        if self.left and not model.state.clock.over:
            self.messages.append(f"{len(self.left)} of the sheet had no turn any more")
        self.left, self._open = (), None
        return True

    def _close(self, model: Model) -> Model:
        """End the last turn if the next turn needs an opener; the sheet's last turn stays open for free actions."""
        who, self._open = self._open, None
        if not self.left or self.left[0].opener is None or who != model.state.clock.acting:
            return model
        return self._session.dispatch(Advance())

    def _begin(self, model: Model) -> Model:
        turn, ruleset = self.left[0], self._session.ruleset
        self.left, self.now = self.left[1:], None
        state = model.state
        person = state.get(turn.by)
        if person is None or not status_of(ruleset, person.status).acts:
            name = clean(state.name(turn.by))
            self.messages.append(f"{name} cannot act any more")
            return model
        line = PlannedLine(turn.by, turn.action, turn.opener, typed=turn.fixed)
        now = as_it_stands(ruleset, state, line, turn.risk)
        if now is None or now.action is None:
            why = self._why_not(state, turn)
            if why and state.side_of(turn.by).control == "players":
                self._stop(state, turn, why)
            else:
                self._tell_idle(clean(state.name(turn.by)), why)
            return model
        if _is_another(turn.action, now.action):
            self._stop(state, turn, self._why_not(state, turn))
            return model
        change = _change(ruleset, state, turn, now)
        if change:
            self.messages.append(f"{clean(state.name(turn.by))} now {change}")
        self.now = replace(turn, action=now.action, opener=now.opener)
        if now.opener is not None:
            self.left = (replace(turn, action=now.action, opener=None), *self.left)
            self.last = now.opener
            return self._done(now.opener, change)
        self._open = turn.by if opens_turn(state) else None
        self.last = now.action
        return self._done(now.action, change)

    def _tell_idle(self, name: str, why: str) -> None:
        """Say that a combatant has nothing left to do; several without a reason share one message."""
        if why:
            self.messages.append(f"{name} has nothing left to do{why}")
            return
        if self._idle:
            self.messages = [message for message in self.messages if not message.endswith(NOTHING_LEFT)]
        self._idle += (name,)
        self.messages.append(f"{listed(self._idle)} {'have' if len(self._idle) > 1 else 'has'} {NOTHING_LEFT}")

    def _why_not(self, state: State, turn: PlannedTurn) -> str:
        """Return in brackets why a turn has become impossible; "" if only its target is down."""
        ruleset, first = self._session.ruleset, turn.opener or turn.action
        refusal = None if targets_down(ruleset, state, turn.action) else spec_of(ruleset, state, first).refusal
        return "" if refusal is None else f" ({clean(refusal.text)})"

    def _stop(self, state: State, turn: PlannedTurn, why: str) -> None:
        """End the sheet at a turn for which the GM has to choose another action."""
        name, planned = clean(state.name(turn.by)), spec_of(self._session.ruleset, state, turn.action)
        rest = f", {len(self.left)} more wait" if self.left else ""
        label = clean(planned.label).casefold()
        self.messages.append(f"{name}: {label} is no longer possible{why}, choose another{rest}")
        self.left, self.stopped_at = (), turn.by

    def _done(self, action: Action, change: str) -> Model:
        """Do an action; the log line before it tells the difference from the plan."""
        model = self._session.dispatch(Do((action,), told=f"now {change}" if change else ""))
        if model.refusal is not None:
            self.refused = action
        return model


class ActQueue(_Queue):
    """The declared acts of a round that are still to be done."""

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
        """Do acts until one asks a question or is refused, or no act is left."""
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
        """Return the keys of the reminders that lapse at the next act."""
        return {reminder.key for reminder in open_reminders(self._session.ruleset, state) if reminder.lapses}


def _is_another(was: Action, now: Action) -> bool:
    """Tell whether an action differs from the planned one in more than its target, for example in its weapon."""
    return was.key != now.key and all(now.get(name) is None or was.get(name) != now.get(name) for name in WITH_WHAT)


def _change(ruleset: Ruleset, state: State, turn: PlannedTurn, now: PlannedLine) -> str:
    """Return the choices that differ from the plan: `at Smuggler 1`, `by 8,4`, `has to join a brawl`."""
    assert now.action is not None
    was, words = turn.action, list[str]()
    if now.opener is not None and now.opener != turn.opener:
        way, label = way_words(ruleset, state, now.opener), spec_of(ruleset, state, now.opener).label
        words.append(f"{'has to' if way.startswith(clean(label).casefold()) else 'by'} {way}")
    spec = spec_of(ruleset, state, now.action)
    target, where = target_field(spec), place_field(spec)
    words += [] if was.key == now.action.key else [clean(spec.label).casefold()]
    for field in spec.fields:
        given = was.get(field.name)
        if value_of(field, now.action) == (field.default if given is None else given):
            continue
        lead = "at " if field == target else "to " if field == where else ""
        words.append(f"{lead}{_value_words(state, field, now.action)}")
    return " ".join(words)


def _value_words(state: State, field: Field, action: Action) -> str:
    value = value_of(field, action)
    if field.of_people:
        return clean(listed([state.name(who) for who in texts(value if isinstance(value, tuple) else (value,))]))
    return field_words(state, field, value)


def _turn_key(who: Id, key: str) -> str:
    return f"{TURN}{who}/{key}"


def _place(state: State) -> object:
    clock = state.clock
    return clock.round, clock.at, clock.over
