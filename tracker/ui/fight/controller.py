"""The controller of a fight: model, cursor and open mode change here and nowhere else."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec.structs import replace
from textual.screen import Screen

from tracker.core.engine import offers, spec_of
from tracker.core.fight.board import Trail
from tracker.core.fight.cache import per_state
from tracker.core.fight.events import ActionTaken
from tracker.core.fight.slots import Id
from tracker.core.terms.actions import Action
from tracker.core.terms.encounter import Member
from tracker.core.terms.errors import Refusal, RulesBug
from tracker.session.intents import Do, Intent, Reply
from tracker.session.model import Model
from tracker.session.session import Session
from tracker.session.step.runner import consecutive_rolls, next_decision
from tracker.ui.fight.cursor import Cursor
from tracker.ui.fight.panes import Panes
from tracker.ui.keys.command import Footer
from tracker.ui.keys.keymap import Keymap
from tracker.ui.keys.table import on
from tracker.ui.modes.acting.odds_line import OddsLine
from tracker.ui.modes.acting.prompt import Prompt
from tracker.ui.modes.acting.reactions import ReactionList
from tracker.ui.modes.search.lookups import ReminderMode
from tracker.ui.panes.bars import FooterLine, HeaderLine
from tracker.ui.panes.console import WIDEST, ConsoleState
from tracker.ui.panes.log import LogPane
from tracker.ui.panes.map_pane import MapPane
from tracker.ui.panes.pane import BlockPane
from tracker.ui.panes.reader import Page, rules_page
from tracker.ui.platform.settings import EffectPresets, UiState
from tracker.ui.typing.mode import DryRun, Mode, ModeContext, PendingQuestion, PlannedTurn, Result, UntilActor
from tracker.ui.widgets.lines import describe_error
from tracker.ui.widgets.theme_styles import Timeline
from tracker.views.time.turn_marks import active_of

if TYPE_CHECKING:
    from tracker.ui.fight.run_turns import ActQueue, TurnQueue
    from tracker.ui.modes.forecast.runner import ForecastRunner
    from tracker.ui.platform.phones import Phones, SubmittedRoll

SLICE = 0.008
"""Seconds for which a mode goes on between two pictures."""
MOST_REMINDED = 500
"""Reminders of which is known that they were shown."""


class FightController:
    """A fight on a screen: what is shown of it, and what a key does.

    Panes follow it and redraw only what differs.

    Attributes:
        session: the fight. screen: where it is shown. memory: what lasts from one start to the next.
        find: searches the bestiary. leave: goes to another fight.
        panes: the panes, and what covers them. header, footer: the lines above and below.
        keymap: the keys as the user has them. table: the commands of a fight with these keys.
        model: the fight as it is shown; None before the first picture.
        selected: the combatant under the cursor.
        mode: what is open in the action pane.
        refused: what the rules refused last, and why, for forcing it.
        problem, note: what is said of the last key.
        last: the last action done here.
        drawn: the first picture is there.
        odds: the odds of the action in hand.
        phones, foresight: the players' phones and the forecasts, once there are any.
        handed: the dice that a phone has sent for a model's question.
    """

    def __init__(
        self,
        screen: Screen[None],
        session: Session,
        *,
        find: Callable[[str], Sequence[Member]],
        odds: bool,
        effects: Callable[[], Path] | None,
        memory: UiState,
        leave: Callable[[], object],
    ) -> None:
        self.screen, self.session, self.memory = screen, session, memory
        self.find, self.leave = find, leave
        self.header, self.footer = HeaderLine(session.ruleset), FooterLine()
        self.panes = Panes(session)
        self.keymap, self.table = Keymap(), on("fight")
        self.model: Model | None = None
        self.selected: Id | None = None
        self.mode: Mode | None = None
        self.refused: tuple[Result, Refusal] | None = None
        self.problem = self.note = ""
        self.last: Action | None = None
        self.drawn = False
        self.phones: Phones | None = None
        self.forecast_runner: ForecastRunner | None = None
        self.handed: Callable[[Model], SubmittedRoll | None] = lambda model: None
        self.odds = OddsLine(screen, self.panes.console.tell_odds, on=odds, redraw=self.panes.tell_odds)
        self.panes.of(MapPane).aim.chance = self.odds.chance
        self._kept = EffectPresets(effects)
        self._offers = per_state(partial(offers, session.ruleset))
        self._forms = per_state(partial(spec_of, session.ruleset))
        self._following: tuple[object, PendingQuestion | None] = (None, None)
        self._cursor = Cursor()
        self._reminded: dict[str, int] = {}
        self._left: str | None = None
        self._queue: TurnQueue | ActQueue | None = None

    # What a mode sees

    @property
    def context(self) -> ModeContext:
        """What the open mode sees."""
        assert self.model is not None
        return self.context_of(self.model, self.selected)

    def context_of(self, model: Model, selected: Id | None) -> ModeContext:
        """Return what a mode sees of a model with the cursor on a combatant."""
        session = self.session
        if self._following[0] is not model.pending:
            self._following = (model.pending, self._asked_behind_windows(model))
        return ModeContext(
            session.ruleset,
            model,
            selected=selected if selected in model.state else None,
            following=self._following[1],
            find=self.find,
            last=self.last,
            preview=session.preview,
            table=self.table,
            cached_offers=self._offers,
            cached_specs=self._forms,
            effect_presets=self._kept.offered,
            earlier_lines=lambda: self.memory.lines,
            dry_run=partial(self._trial, model),
            replayed_question=session.asked_at,
            state_after=session.state_at,
            submitted_roll=partial(self.handed, model),
            chance=self.odds.chance,
            seen=frozenset(self._reminded),
            first_picture_drawn=self.drawn,
        )

    def _asked_behind_windows(self, model: Model) -> PendingQuestion | None:
        """Return what is asked once the windows in front of it are passed.

        A window behind which no person is asked anything is the question itself.
        """
        pending, step = model.pending, model.pending_step
        if pending is None or step is None:
            return None
        ruleset, settings, before = self.session.ruleset, self.session.settings, self.session.state_at(model.head)
        found = next_decision(ruleset, settings, before, pending=pending, step=step)
        row = () if found.windows else consecutive_rolls(ruleset, settings, before, pending=pending, step=step)
        return PendingQuestion(found.request, found.windows, row)

    def _trial(self, model: Model, action: Action, hand: tuple[str, ...]) -> DryRun:
        from tracker.ui.typing.tokens import tried  # only a command line has dice in hand

        if model.pending is not None or model.looking_at is not None:
            return DryRun(left=hand)
        return tried(self.session.ruleset, self.session.settings, state=model.state, action=action, hand=hand)

    # Reminders

    def note_reminded(self, keys: Sequence[str]) -> None:
        """Note which reminders have been shown at this moment, so that going on does not stop for them again."""
        now = 0 if self.model is None else len(self.model.steps)
        for key in keys:
            self._reminded.setdefault(key, now)
        while len(self._reminded) > MOST_REMINDED:  # those of rounds long past do not come again
            del self._reminded[next(iter(self._reminded))]

    # The fight and the cursor

    def show(self, model: Model, mode: Mode | None) -> None:
        """Show a model, and open what belongs there: a mode, else the question that waits."""
        if self.model is not None and has_gone_back(self.model, model):
            self._go_back(model)
        fresh = self.context_of(model, self.selected)
        mode = self._belonging(model, mode)
        was, self.model = self.model, model
        realm: Timeline = "past" if model.looking_at is not None else "trial" if model.trial is not None else "now"
        self.panes.frame(realm)
        self.footer.trying = model.trial is not None
        self.selected = self._cursor.after(self.selected, was, fresh)
        try:
            self.open(mode)
        finally:
            self._share()

    def _go_back(self, model: Model) -> None:
        """Forget everything that was remembered of steps and answers that are taken back.

        This is the only place that hears of it, whatever took them back: undo, backspace in a prompt, undo beneath a
        forecast, Enter in the past, a what-if that is dropped.
        """
        self._queue = self._left = None
        self._reminded = {key: at for key, at in self._reminded.items() if at < len(model.steps)}
        self._cursor.go_back()
        if self.forecast_runner is not None:
            self.forecast_runner.go_back(len(model.steps))

    def take_up(self) -> None:
        """Put the cursor on who can act, once the first picture stands."""
        who = self.selected if self.mode is not None or self.model is None else self._cursor.taken_up(self.context)
        if who != self.selected:
            self.select(who)
            self.open(None)

    def select(self, who: Id | None) -> None:
        """Put the cursor on a combatant."""
        if who != self.selected:
            self.selected = who
            self._share()

    def _share(self) -> None:
        """Let header and panes follow."""
        active, model = None, self.model
        if model is not None:  # in the past nobody can be chosen to act
            selected = self.selected if model.looking_at is None else None
            active = _doing(model) or active_of(self.session.ruleset, model.state, selected)
        self.header.follow(self.model, active)
        self.panes.apply_layout(self.model)
        for pane in self.panes.fight:
            pane.active = active
            if not isinstance(pane, BlockPane):
                pane.follow(self.model, self.selected)
        self._look_at()

    def _look_at(self) -> None:
        """Show the stat block of whom the cursor of the chosen pane is on."""
        block, log = self.panes.of(BlockPane), self.panes.of(LogPane)
        try:
            who = self.panes.chosen.about()
        except RulesBug:  # the pane itself says what failed
            who = None
        now = self.selected if self.model is None or who is None or who not in self.model.state else who
        if block.model is not self.model or block.selected != now:
            block.follow(self.model, now)
            if log.guest is block:
                log.update()

    def _belonging(self, model: Model, mode: Mode | None) -> Mode | None:
        """Return the mode wanted, unless a question comes between or is gone."""
        asked = model.pending.request.key if model.pending is not None else None
        if asked is None or asked != self._left:
            self._left = None
        if asked is None:
            settled = isinstance(mode, ReminderMode) and not mode.left(self.session.ruleset, model.state)
            return None if settled or isinstance(mode, Prompt | ReactionList) else mode
        if isinstance(mode, ReminderMode):
            mode = None  # what settles it asks something first
        return Prompt() if mode is None and self._left is None and model.looking_at is None else mode

    # The open mode

    def open(self, mode: Mode | None) -> None:
        """Open a mode, or close the open one, and draw the action pane."""
        panes = self.panes
        over, beside = mode is not None and mode.over, mode is not None and mode.beside_pane
        if mode is not None and not beside and panes.big is not panes.console:
            panes.shrink()
        self.mode = mode
        if self.model is None:
            return
        scene = self.context
        panes.trace(_course(scene, mode))
        self.aim()
        refusal = self.refused[1] if self.refused is not None else None
        desk = ConsoleState(scene, mode, refusal=refusal, problem=self.problem, note=self.note)
        panes.console.state = replace(desk, mode=None) if over else desk
        panes.over.show(desk if over else None)
        # Fights side by side take all the room there is.
        report = mode is not None and mode.place == "report"
        panes.overlay(panes.over if over else panes.console if report else None)
        panes.focus(mode is not None and not over and not beside)
        self._foot()
        if mode is not None and mode.unfinished:
            self.screen.call_after_refresh(self._fill_contained)

    def aim(self) -> None:
        """Count the odds of what the open mode or the cursor aims at."""
        self._look_at()
        if self.odds.on:
            mode = None if self.mode is not None and self.mode.beside_pane else self.mode
            self.odds.follow(self.context, mode, self.panes.chosen.aims(self.context) if mode is None else None)

    def _fill_contained(self) -> None:
        with self.contained():
            self.fill()

    def fill(self) -> None:
        """Go on for a moment with what the open mode has not worked out yet."""
        if self.mode is not None and self.mode.unfinished and self.model is not None:
            self.open(self.mode.filled(self.context, SLICE))

    def refresh(self) -> None:
        """Draw the action pane again, with what is to be said now."""
        self.open(self.mode)

    def renew(self, mode: Mode | None) -> None:
        """Open a mode and say no more of the key before."""
        self.clear()
        self.open(mode)

    def say(self, problem: str = "", note: str = "") -> None:
        """Say something of the last key, whatever is open."""
        self.problem, self.note = problem or self.problem, note or self.note
        self.refresh()

    def clear(self) -> None:
        """Say nothing of the last key any more."""
        self.refused, self.problem, self.note = None, "", ""

    def answer_again(self) -> None:
        """Let the question that was closed open again by itself."""
        self._left = None

    def _foot(self) -> None:
        """Name the keys of the moment."""
        model = self.model
        idle: Footer = "fight" if model is None or model.pending is None else "waiting"
        if model is not None and model.looking_at is not None:
            idle = "past"
        reading = self.panes.cover is self.panes.reader
        self.footer.place = "reader" if reading else self.mode.place if self.mode is not None else idle

    # What comes of a key

    def apply(self, result: Result) -> None:
        """Do what came of a key, and tell of a fight it has ended."""
        was = self.model
        self._dispatch(result)
        if (
            self.mode is None
            and was is not None
            and _is_over(self.model)
            and was.looking_at is None
            and not was.state.clock.over
        ):
            from tracker.ui.modes.history.summary import summary_of  # most keys do without

            self.open(summary_of(self.session))

    def _dispatch(self, result: Result) -> None:
        """Dispatch the intents of a key's result.

        Where one is refused, what was open stays open.
        """
        if result.plan:
            self._play(result.plan)
            return
        model, before = self.model, self.mode
        asked = model.pending.request.key if model is not None and model.pending is not None else None
        for key, intent in (*(("", intent) for intent in result.intents), *_replies(result)):
            if key and (model is None or model.pending is None or model.pending.request.key != key):
                break
            model = self.session.dispatch(intent)
            if model.refusal is not None or model.problem:
                break
        self.clear()
        if result.remember:
            self.memory.add(result.remember)
        if result.narrow is not None:
            self.panes.chosen.narrow(result.narrow)
            self.select(self.panes.chosen.seen(self.selected))
        if result.select is not None:
            self.select(result.select)
        done = bool(result.intents or result.answers)
        if not done or model is None:
            self._leave(before, result.mode)
            self.open(result.mode)
        elif model.refusal is not None or model.problem:
            self.refused = (result, model.refusal) if model.refusal is not None else None
            self.problem = model.problem
            self.show(model, before)
        else:
            self.last = result.action or self.last
            if result.keep is not None:
                self.problem = self._kept.keep(result.keep)
            if result.note is not None:
                self.note = result.note(model)
            if model.left_out:
                from tracker.ui.modes.history.corrections import left_out_words  # most keys do without

                self.problem = left_out_words(model)
            model = self._with_typed_answers(model, result.typed_answers, asked) if result.typed_answers else model
            if self._queue is not None and (self.model is None or not has_gone_back(self.model, model)):
                self._play_on(result.mode)
            else:
                self.show(model, result.mode)
        self.read_rules(result.reading)

    def _play(self, plan: tuple[PlannedTurn, ...] | UntilActor) -> None:
        """Do the turns of a sheet, or the acts that are due, one after another."""
        from tracker.ui.fight.run_turns import ActQueue, TurnQueue  # the first picture does without

        self.clear()
        self._queue = ActQueue(self.session, plan) if isinstance(plan, UntilActor) else TurnQueue(self.session, plan)
        self._play_on(None)

    def _play_on(self, mode: Mode | None) -> None:
        """Go on with a sheet, as far as nothing is asked."""
        queue = self._queue
        assert queue is not None
        model = queue.go()
        self.last = queue.last or self.last
        if model.refusal is not None and queue.refused is not None:
            action = queue.refused
            self.refused = (Result(None, (Do((action,)),), action), model.refusal)
        self.problem = model.problem
        self.note = " · ".join(queue.told)
        if model.pending is None:
            self._queue = None
        else:
            self.note = queue.so_far
        self.show(model, mode)

    def _with_typed_answers(self, model: Model, hand: tuple[str, ...], asked: str | None) -> Model:
        """Give dice in hand to the questions of the step that was begun."""
        from tracker.ui.typing.tokens import apply_answers

        model, self.note, self.problem = apply_answers(self.session.dispatch, model, hand, asked)
        if model.refusal is not None or model.problem:
            self.problem = model.problem or (model.refusal.text if model.refusal is not None else "")
        return model

    def _leave(self, before: Mode | None, after: Mode | None) -> None:
        """Remember which question was left standing, so that it does not open again by itself."""
        if isinstance(before, Prompt) and after is None and self.model is not None and self.model.pending is not None:
            self._left = self.model.pending.request.key

    # Pages to read

    def read_rules(self, rules: Sequence[str]) -> None:
        """Open the texts of some rules, if there are any."""
        if rules:
            self.read("Rules", rules_page(self.session.ruleset, rules), WIDEST)

    def read(self, title: str, page: Page, widest: int = 0) -> None:
        """Open a page to read."""
        self.panes.read(title, page, widest)
        self._foot()

    def close_page(self) -> None:
        """Close the page that is read."""
        self.panes.lower()
        self._foot()

    @contextmanager
    def contained(self) -> Iterator[None]:
        """Let a ruleset fail at the cost of one key or click, then count odds."""
        try:
            yield
        except Exception as error:  # noqa: BLE001 - a ruleset may stumble over a form or a list of actions
            self.clear()
            self.problem = describe_error(error, self.screen.app)
            with suppress(Exception):  # what the action pane shows of it has said enough
                self.open(None)
        self.odds.begin()


def _doing(model: Model) -> Id | None:
    """Return whose deed a question interrupts, None where it is nobody's."""
    entries = () if model.pending is None else model.pending.entries
    deeds = (entry.event.action.by for entry in entries if isinstance(entry.event, ActionTaken))
    return next((who for who in deeds if who in model.state), None)


def _course(scene: ModeContext, mode: Mode | None) -> tuple[Id, Trail] | None:
    """Return the way a mode would have a combatant go.

    What fails is said by its own rows.
    """
    with suppress(Exception):
        return mode.path(scene) if mode is not None else None
    return None


def _is_over(model: Model | None) -> bool:
    """Tell whether the fight is over, here and now."""
    return model is not None and model.state.clock.over and model.pending is None and model.looking_at is None


def _replies(result: Result) -> tuple[tuple[str, Intent], ...]:
    return tuple((key, Reply(answer)) for key, answer in result.answers)


def has_gone_back(was: Model, now: Model) -> bool:
    """Tell whether steps or answers of the first model are not in the second one any more."""
    if len(now.steps) < len(was.steps):
        return True
    if was.steps and now.steps[len(was.steps) - 1].seq != was.steps[-1].seq:
        return True
    if len(now.steps) > len(was.steps) or was.pending is None:
        return False
    return now.pending is None or len(now.pending.answers) < len(was.pending.answers)
