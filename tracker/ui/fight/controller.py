"""The controller of a fight: only this module changes the shown model, the cursor and the open mode."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec.structs import replace

from tracker.core.fight.board import Trail
from tracker.core.fight.events import ActionTaken
from tracker.core.fight.slots import Id
from tracker.core.game.ruleset import open_reminders
from tracker.core.terms.actions import Action
from tracker.core.terms.encounter import Member
from tracker.core.terms.errors import Refusal, RulesBug
from tracker.core.terms.requests import Request
from tracker.core.terms.words import listed
from tracker.core.visibility.knowledge import SHOWN, setting
from tracker.session.intents import Advance, Do, Intent, Interrupt, Reply
from tracker.session.model import Model
from tracker.session.session import Session
from tracker.session.step.runner import consecutive_rolls, next_decision
from tracker.ui.fight.cursor import Cursor
from tracker.ui.fight.newcomers import Newcomers
from tracker.ui.fight.panes import Panes
from tracker.ui.keys.command import Call, Footer
from tracker.ui.keys.table import on
from tracker.ui.modes.acting.idle import closes_declarations, reminder_key, sheet_follows, still_to_act
from tracker.ui.modes.acting.interact import InteractMode
from tracker.ui.modes.acting.odds_line import OddsLine
from tracker.ui.modes.acting.prompt import Prompt
from tracker.ui.modes.acting.reactions import ReactionList
from tracker.ui.modes.search.lookups import ReminderMode
from tracker.ui.panes.bars import HeaderLine
from tracker.ui.panes.console import WIDEST, ConsoleState
from tracker.ui.panes.key_screen import KeyScreen, Page, rules_page
from tracker.ui.panes.log import LogPane
from tracker.ui.panes.map_pane import MapPane
from tracker.ui.panes.pane import BlockPane
from tracker.ui.platform.settings import EffectPresets, UiState
from tracker.ui.typing.entry import Entry
from tracker.ui.typing.mode import (
    GmFiles,
    GradualMode,
    Mode,
    ModeContext,
    PendingQuestion,
    PlannedTurn,
    ReplyTo,
    Result,
    UntilActor,
)
from tracker.ui.widgets.lines import describe_error
from tracker.ui.widgets.theme_styles import Timeline
from tracker.views.time.turn_marks import active_of
from tracker.views.words.text import clean

if TYPE_CHECKING:
    from tracker.ui.fight.run_turns import ActQueue, NextSheet, TurnQueue
    from tracker.ui.modes.forecast.runner import ForecastRunner
    from tracker.ui.platform.phones import Phones, SubmittedRoll

SLICE = 0.008
"""Seconds that a gradual mode may compute between two frames."""
MOST_REMINDED = 500
"""Most reminders that are remembered as shown."""
RENAMING = ("conceal", "call", "fog")
"""GM commands that may also change the players' names of other combatants before the first action."""
KEEP_NAMES = Action("players_see").put(what="names_kept")


class FightController:
    """The state of the screen of a fight, and the effects of keys on it.

    The panes are told each new model and redraw only the lines that differ.

    Attributes:
        memory: the settings that last beyond the end of the program. leave: goes to another fight.
        table: the commands of a fight with the user's keys.
        model: the shown model of the fight.
        selected: the combatant under the cursor.
        refused: the last refused result and its refusal, so that the GM can force it.
        problem, note: messages about the last key.
        last: the last action done on this screen.
        drawn: whether the first frame is drawn.
        reminded: the keys of the shown reminders, each with the number of steps at that time.
        handed: returns the dice that a phone has sent for a request of a model.
    """

    def __init__(
        self,
        screen: KeyScreen,
        session: Session,
        *,
        find: Callable[[str], Sequence[Member]],
        leave: Callable[[], object],
        odds: bool,
        effects: Callable[[], Path] | None,
        memory: UiState,
    ) -> None:
        self.screen, self.session, self.memory, self.leave = screen, session, memory, leave
        self.header, self.panes = HeaderLine(session.ruleset), Panes(session)
        self.table = on("fight")
        self.model = session.model
        self._shown = False
        self.selected: Id | None = None
        self.mode: Mode | None = None
        self.refused: tuple[Result, Refusal] | None = None
        self.problem = self.note = ""
        self.last: Action | None = None
        self.drawn = False
        self.phones: Phones | None = None
        self.forecast_runner: ForecastRunner | None = None
        self.handed: Callable[[Model, Request], SubmittedRoll | None] = lambda model, request: None
        self.odds = OddsLine(screen, self.panes.console.tell_odds, on=odds, redraw=self.panes.tell_odds)
        self.panes.of(MapPane).aim.chance = self.odds.chance
        self.presets = EffectPresets(effects)
        self.files = GmFiles(find, self.presets.offered, lambda: memory.lines)
        self._following: tuple[object, PendingQuestion | None] = (None, None)
        self._cursor = Cursor()
        self._newcomers = Newcomers(self.panes)
        self.reminded: dict[str, int] = {}
        self._left: str | None = None
        self._queue: TurnQueue | ActQueue | NextSheet | None = None

    # The context of modes

    @property
    def context(self) -> ModeContext:
        return self.context_of(self.model, self.selected)

    def context_of(self, model: Model, selected: Id | None) -> ModeContext:
        session = self.session
        if self._following[0] is not model.pending:
            self._following = (model.pending, self._asked_behind_windows(model))
        return ModeContext(
            session.ruleset,
            model,
            session,
            selected=selected if selected in model.state else None,
            following=self._following[1],
            files=self.files,
            table=self.table,
            caught=self.panes.of(MapPane).caught(),
            chance=self.odds.chance,
            drawn=self.drawn,
        )

    def _asked_behind_windows(self, model: Model) -> PendingQuestion | None:
        """Return the question that follows the open reaction windows; if no question follows, the last window."""
        pending, step = model.pending, model.pending_step
        if pending is None or step is None:
            return None
        ruleset, settings, before = self.session.ruleset, self.session.settings, self.session.state_at(model.head)
        found = next_decision(ruleset, settings, before, pending=pending, step=step)
        row = () if found.windows else consecutive_rolls(ruleset, settings, before, pending=pending, step=step)
        if not row and not found.windows and self._queue is not None:
            row = self._queue.like_rolls(model)
            return PendingQuestion(found.request, found.windows, row, self._submitted, self._queue.rolls_behind)
        return PendingQuestion(found.request, found.windows, row, self._submitted)

    def _submitted(self, request: Request) -> SubmittedRoll | None:
        return self.handed(self.model, request)

    # Reminders

    def note_reminded(self, keys: Sequence[str]) -> None:
        """Remember the shown reminders, so that `next` does not stop for them again."""
        now = len(self.model.steps)
        for key in keys:
            self.reminded.setdefault(key, now)
        while len(self.reminded) > MOST_REMINDED:  # reminders of early rounds do not return
            del self.reminded[next(iter(self.reminded))]

    # The fight and the cursor

    def show(self, model: Model, mode: Mode | None) -> None:
        rest: Sequence[PlannedTurn] = ()
        if has_gone_back(self.model, model):
            queue, same_step = self._queue, model.head == self.model.head and self.model.pending is not None
            rest = queue.taken_back() if queue is not None and same_step else ()
            self._go_back(model)
            if same_step and model.pending is not None:  # an answer of the open step is taken back
                self._queue, rest = queue, ()
        fresh = self.context_of(model, self.selected)
        mode = self._belonging(model, self._sheet_of(fresh, rest) if rest and mode is None else mode)
        if kept := sum(len(turn.dice) for turn in rest):
            self.note = f"{kept} typed {'die is' if kept == 1 else 'dice are'} kept"
        before, self.model, self._shown = self.model if self._shown else None, model, True
        realm: Timeline = "past" if model.looking_at is not None else "trial" if model.trial is not None else "now"
        self.panes.frame(realm)
        self.screen.footer.trying = model.trial is not None
        self.selected = self._cursor.after(self.selected, before, fresh)
        newcomer, asks = self._newcomers.next(model)
        if newcomer is not None:
            self.selected, self.note = newcomer, asks
        try:
            self.open(mode)
        finally:
            self._share()

    def _go_back(self, model: Model) -> None:
        """Forget everything remembered about steps and answers that are taken back.

        Every way back calls this method: undo, backspace in a prompt, undo during a forecast, Enter in the past, a
        dropped what-if.
        """
        self._queue = self._left = None
        self.reminded = {key: at for key, at in self.reminded.items() if at < len(model.steps)}
        self._cursor.go_back()
        if self.forecast_runner is not None:
            self.forecast_runner.go_back(len(model.steps))

    def _sheet_of(self, scene: ModeContext, turns: Sequence[PlannedTurn]) -> Mode:
        from tracker.ui.modes.acting.batch import TurnBatch  # not needed for the first frame

        return TurnBatch.of(scene, turns)

    def take_up(self) -> None:
        """After the first frame, select a combatant that can act.

        If the fight resumes at a question, also name the combatants that are still to act after it.
        """
        self.select(self.selected if self.mode is not None else self._cursor.taken_up(self.context))
        model = self.model
        if model.resumed and model.pending is not None:
            state, doing = model.state, _doing(model)
            left = [clean(state.name(who)) for who in still_to_act(state, self.session.ruleset) if who != doing]
            if left:
                self.say(note=f"still to act after this: {listed(left)}")

    def select(self, who: Id | None) -> None:
        """Put the cursor on a combatant; if no mode is open, the action pane shows the actions of that combatant."""
        if who != self.selected:
            self.selected = who
            self._share()
            if self.mode is None:
                self.open(None)

    def _share(self) -> None:
        model = self.model
        selected = self.selected if model.looking_at is None else None  # in the past no combatant can act
        active = _doing(model) or active_of(self.session.ruleset, model.state, selected)
        self.header.follow(self.model, active)
        self.panes.apply_layout(self.model)
        for pane in self.panes.fight:
            pane.active = active
            if not isinstance(pane, BlockPane):
                pane.follow(self.model, self.selected)
        self.panes.tell_newest()
        self._look_at()

    def _look_at(self) -> None:
        """Show the stat block of the combatant under the cursor of the chosen pane."""
        block, log = self.panes.of(BlockPane), self.panes.of(LogPane)
        try:
            who = self.panes.chosen.about()
        except RulesBug:  # the pane shows the error itself
            who = None
        now = who if who in self.model.state else self.selected
        if block.model is not self.model or block.selected != now:
            block.follow(self.model, now)
            if log.guest is block:
                log.update()

    def _belonging(self, model: Model, mode: Mode | None) -> Mode | None:
        """Return the mode that fits the model: the given one, or the prompt of an open question, or None."""
        asked = model.pending.request.key if model.pending is not None else None
        if asked is None or asked != self._left:
            self._left = None
        if asked is None:
            settled = isinstance(mode, ReminderMode) and not mode.left(self.session.ruleset, model.state)
            return None if settled or isinstance(mode, Prompt | ReactionList) else mode
        if isinstance(mode, ReminderMode):
            mode = None  # settling the reminder asks a question first
        return Prompt() if mode is None and self._left is None and model.looking_at is None else mode

    # The open mode

    def open(self, mode: Mode | None) -> None:
        panes = self.panes
        where = mode.where if mode is not None else ""
        report = mode is not None and mode.place == "report"
        over = where == "over" or report
        if mode is not None and where != "beside" and panes.big is not panes.console:
            panes.shrink()
        self.mode = mode
        scene = self.context
        panes.of(MapPane).trace(_course(scene, mode))
        self.aim()
        refusal = self.refused[1] if self.refused is not None else None
        state = ConsoleState(scene, mode, refusal=refusal, problem=self.problem, note=self.note, reminded=self.reminded)
        panes.console.state = replace(state, mode=None) if over else state
        panes.dialog.show(state if over else None)
        panes.overlay(panes.over if over else None)
        panes.focus(where == "pane")
        self.foot()
        if isinstance(mode, GradualMode) and mode.to_come:
            self.screen.call_after_refresh(self._fill_contained)

    def aim(self) -> None:
        self._look_at()
        if self.odds.on:
            mode = None if self.mode is not None and self.mode.where == "beside" else self.mode
            self.odds.follow(self.context, mode, self.panes.chosen.aims(self.context) if mode is None else None)

    def _fill_contained(self) -> None:
        with self.contained():
            self.fill()

    def fill(self) -> None:
        """Let the open mode compute more of its content, for `SLICE` seconds."""
        if isinstance(self.mode, GradualMode) and self.mode.to_come:
            self.open(self.mode.filled(self.context, SLICE))

    def refresh(self) -> None:
        self.open(self.mode)

    def renew(self, mode: Mode | None) -> None:
        self.clear()
        self.open(mode)

    def say(self, problem: str = "", note: str = "") -> None:
        self.problem, self.note = problem or self.problem, note or self.note
        self.refresh()

    def clear(self) -> None:
        self.refused, self.problem, self.note = None, "", ""

    def answer_again(self) -> None:
        """Let the closed question open again by itself."""
        self._left = None

    def foot(self) -> None:
        """Show the footer of the page or mode that reads the keys now."""
        model = self.model
        idle: Footer = "waiting" if model.pending is not None else "map" if self._on_squares() else "fight"
        if model.looking_at is not None:
            idle = "past"
        reading = self.panes.cover is self.panes.reader
        self.screen.footer.place = "reader" if reading else self.mode.place if self.mode is not None else idle

    def _on_squares(self) -> bool:
        board = self.panes.board_of(self.model.state) if isinstance(self.panes.chosen, MapPane) else None
        return board is not None and board.kind == "square"

    # The result of a key

    def apply(self, result: Result, note: Callable[[Model], str] | None = None) -> None:
        """Do the result of a key, show the `note` on the new model, and open the summary if the fight has ended."""
        before = self.model
        done = self._dispatch(result, note)
        if self.mode is None and _is_over(self.model) and before.looking_at is None and not self._was_over(before):
            self.open_summary()
        if done and result.call is not None:
            self.screen.run_call(result.call)
            if (
                result.mode is not None
                and result.mode.where == "over"
                and self.mode is None
                and self.model.pending is None
            ):
                self.open(result.mode)  # the dialog stays open during the step

    def _with_names_kept(self, intents: Sequence[Intent | ReplyTo]) -> Iterator[Intent | ReplyTo]:
        """Yield the intents; before an intent that hides or renames, keep the names that players have read."""
        for intent in intents:
            actions = (
                intent.actions if isinstance(intent, Do) else (intent.action,) if isinstance(intent, Interrupt) else ()
            )
            renames = any(action.key in RENAMING for action in actions)
            state = self.model.state
            if not renames or self.model.screen_covered or state.clock.round > 1 or setting(state, SHOWN):
                yield intent
            elif isinstance(intent, Do):
                yield Do((KEEP_NAMES, *actions))
            else:
                yield from (Interrupt(KEEP_NAMES), intent)

    def open_summary(self) -> None:
        """Open the numbers of a fight that is over."""
        from tracker.ui.modes.history.summary import summary_of  # not needed for most keys

        self.open(summary_of(self.session))

    @property
    def is_over(self) -> bool:
        return _is_over(self.model)

    def _was_over(self, model: Model) -> bool:
        """Tell whether a fight was over before its open step."""
        if model.pending is None or not model.steps:
            return model.state.clock.over
        return self.session.state_at(model.steps[-1].seq).clock.over

    def _dispatch(self, result: Result, note: Callable[[Model], str] | None) -> bool:
        """Dispatch the intents of a result, and tell whether none was refused; after a refusal the mode stays open."""
        if result.plan:
            self._play(result.plan)
            if result.typed_answers:
                self._answer_first(" ".join(result.typed_answers))
            return True
        model, before = self.model, self.mode
        question = model.pending.request.key if model.pending is not None else None
        intents = iter(self._with_names_kept(result.intents))
        for intent in intents:
            if isinstance(intent, ReplyTo):
                if model.pending is None or model.pending.request.key != intent.key:
                    if self._queue is not None:
                        self._queue.keep((intent, *intents))
                    break
                intent = Reply(intent.answer)
            model = self.session.dispatch(intent)
            if model.refusal is not None or model.problem:
                break
        self.clear()
        if result.remember:
            self.memory.add(result.remember)
        if not result.intents:
            self._leave(before, result.mode)
            self.open(result.mode)
            return True
        if model.refusal is not None or model.problem:
            self.refused = (result, model.refusal) if model.refusal is not None else None
            self.problem = model.problem
            self.show(model, before)
            return False
        self.last = result.action or self.last
        self.note = note(model) if note is not None else ""
        if model.left_out:
            from tracker.ui.modes.history.corrections import left_out_words  # not needed for most keys

            self.problem = left_out_words(model)
        model = self._with_typed_answers(model, result.typed_answers, question) if result.typed_answers else model
        if self._queue is not None and not has_gone_back(self.model, model):
            self._play_on(result.mode)
        else:
            self.show(model, result.mode)
        return True

    def _closes(self) -> bool:
        """Tell whether the played sheet completes the declarations, and no new reminder exists."""
        state, ruleset = self.model.state, self.session.ruleset
        reminders = open_reminders(ruleset, state)
        is_new = any(reminder_key(reminder, state.clock) not in self.reminded for reminder in reminders)
        return self.model.pending is None and closes_declarations(ruleset, state) and not is_new

    def _play(self, plan: tuple[PlannedTurn, ...] | UntilActor) -> None:
        from tracker.ui.fight.run_turns import ActQueue, TurnQueue  # not needed for the first frame

        self.clear()
        if not isinstance(plan, UntilActor):  # the sheet has shown the combatants without a plan
            state, planned = self.model.state, {turn.by for turn in plan}
            reminders = open_reminders(self.session.ruleset, state)
            unused = [reminder for reminder in reminders if reminder.unused and reminder.about not in planned]
            self.note_reminded([reminder_key(reminder, state.clock) for reminder in unused])
        self._queue = ActQueue(self.session, plan) if isinstance(plan, UntilActor) else TurnQueue(self.session, plan)
        self._play_on(None)

    def _play_on(self, mode: Mode | None) -> None:
        queue = self._queue
        assert queue is not None
        model = queue.go()
        self.last = queue.last or self.last
        if model.refusal is not None and queue.refused is not None:
            action = queue.refused
            self.refused = (Result(None, (Do((action,)),), action), model.refusal)
        self.problem = model.problem
        notes = [self.note] if self.note else []
        if model.pending is None:
            self._queue = None
        elif queue.so_far:
            notes += [*queue.messages, queue.so_far]
            queue.messages.clear()
        self.note = " · ".join((*notes, *queue.messages))
        self.show(model, mode)
        if self.refused is not None or self.problem or model.pending is not None:
            return
        if queue.stopped_at is not None:
            self.select(queue.stopped_at)
            self.refresh()
        elif queue.declared and self._closes():
            self.follow_with_sheet()
            self.apply(Result(None, (Advance(),)))
        elif self.mode is None and self._leads_on(queue):
            note = self.note
            self.screen.run_call(Call("sheet"))
            self.say(note=note)

    def _answer_first(self, text: str) -> None:
        """Answer the first question of a sheet with the dice typed on the sheet.

        If that question is no roll, or has a reaction window before it, the dice stay in its line.
        """
        asked, mode = self.context.following, self.mode
        if asked is None or not isinstance(mode, Prompt):
            were = "were" if " " in text else "was"
            self.say(note=" · ".join(filter(None, (self.note, f"{text} {were} not asked for"))))
            return
        typed = replace(mode, entry=Entry.of(text))
        answered = typed.take(self.context, form=False) if asked.request.kind == "roll" and not asked.windows else None
        if answered is None:
            self.open(typed)
        else:
            self.apply(answered)

    def follow_with_sheet(self) -> None:
        """Open the next sheet as soon as all questions are answered."""
        from tracker.ui.fight.run_turns import NextSheet  # not needed for the first frame

        self._queue = NextSheet(self.session)

    def _leads_on(self, queue: TurnQueue | ActQueue | NextSheet) -> bool:
        """Tell whether the next sheet may open by itself: no turn is left, and no reminder is unread."""
        state, ruleset = self.model.state, self.session.ruleset
        if self.is_over or ruleset.finished(state) is not None or self.model.looking_at is not None:
            return False
        if not queue.opens and (queue.left or still_to_act(state, ruleset) or not sheet_follows(ruleset, state)):
            return False
        missed = [reminder for reminder in open_reminders(ruleset, state) if not reminder.unused]
        return all(reminder_key(reminder, state.clock) in self.reminded for reminder in missed)

    def _with_typed_answers(self, model: Model, words: tuple[str, ...], asked: str | None) -> Model:
        from tracker.ui.typing.tokens import apply_answers

        model, self.note, self.problem = apply_answers(self.session.dispatch, model, words, asked)
        if model.refusal is not None or model.problem:
            self.problem = model.problem or (model.refusal.text if model.refusal is not None else "")
        return model

    def _leave(self, before: Mode | None, after: Mode | None) -> None:
        """Remember the question whose prompt the GM closed, so that the prompt does not open again by itself."""
        if isinstance(before, Prompt) and after is None and self.model.pending is not None:
            self._left = self.model.pending.request.key

    # Pages to read

    def read_rules(self, rules: Sequence[str]) -> None:
        if rules:
            self.read("Rules", rules_page(self.session.ruleset, rules), WIDEST)

    def read(self, title: str, page: Page, widest: int = 0) -> None:
        self.panes.read(title, page, widest)
        self.foot()

    def close_page(self) -> None:
        self.panes.lower()
        self.foot()

    @contextmanager
    def contained(self) -> Iterator[None]:
        """Show an exception of a ruleset as a problem of this key or click; then compute the odds."""
        try:
            yield
        except Exception as error:  # noqa: BLE001 - a ruleset may fail in a form or a list of actions
            self.clear()
            self.problem = describe_error(error, self.screen.app)
            with suppress(Exception):  # the action pane shows this error too
                self.open(None)
        self.odds.begin()


def _doing(model: Model) -> Id | None:
    """Return the combatant whose action the open question interrupts, or None."""
    entries = () if model.pending is None else model.pending.entries
    actors = (entry.event.action.by for entry in entries if isinstance(entry.event, ActionTaken))
    return next((who for who in actors if who in model.state), None)


def _course(scene: ModeContext, mode: Mode | None) -> tuple[Id, Trail] | None:
    """Return the path of the move that a mode prepares, or None; the rows of the mode show an error."""
    with suppress(Exception):
        return mode.path(scene) if isinstance(mode, InteractMode) else None
    return None


def _is_over(model: Model) -> bool:
    return model.state.clock.over and model.pending is None and model.looking_at is None


def has_gone_back(was: Model, now: Model) -> bool:
    """Tell whether steps or answers of the model `was` are missing in the model `now`."""
    if len(now.steps) < len(was.steps):
        return True
    if was.steps and now.steps[len(was.steps) - 1].seq != was.steps[-1].seq:
        return True
    if len(now.steps) > len(was.steps) or was.pending is None:
        return False
    return now.pending is None or len(now.pending.answers) < len(was.pending.answers)
