"""The one place where the model, the cursor and the open mode change."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING

from msgspec.structs import replace

from tracker.core.fight.board import Trail
from tracker.core.fight.events import ActionTaken
from tracker.core.fight.state import Id
from tracker.core.terms.actions import Refusal
from tracker.core.terms.errors import RulesBug
from tracker.session.intents import Do, Intent, Interrupt, Override, Reply, RollRest
from tracker.session.model import Model
from tracker.session.session import Session
from tracker.ui.desk.kept import KeptEffects
from tracker.ui.desk.memory import Memory
from tracker.ui.drawing.look import Realm
from tracker.ui.fight.cursor import Cursor
from tracker.ui.fight.panes import Panes
from tracker.ui.fight.scenes import Scenes
from tracker.ui.keys.command import Place
from tracker.ui.modes.acting.odds_line import OddsLine
from tracker.ui.modes.acting.prompt import Prompt
from tracker.ui.modes.acting.reactions import Responses
from tracker.ui.modes.looking.search import Missed
from tracker.ui.panes.bars import FooterLine, HeaderLine
from tracker.ui.panes.block import BlockPane
from tracker.ui.panes.console import Desk
from tracker.ui.panes.log import LogPane
from tracker.ui.panes.over import WIDEST
from tracker.ui.panes.reader import Page, rules_page
from tracker.ui.typing.mode import Acts, Mode, Result, Scene, Turn
from tracker.views.time.marks import active_of

if TYPE_CHECKING:
    from tracker.ui.fight.playing import Acting, Playing

__all__ = ["Showing"]

SLICE = 0.008
"""Seconds for which a mode goes on between two pictures."""
ANSWERS = (Reply, RollRest, Interrupt, Override)
"""What answers a question, so that a sheet goes on after it."""


class Showing:
    """What is on the screen.

    Panes follow it and touch only what differs.

    Attributes:
        model: the fight; None before the first picture.
        selected: the combatant under the cursor.
        mode: what is open in the action pane.
        refused: what the rules refused last, and why, for forcing it.
        problem, note: what is said of the last key.
        later: has `fill` called after the next picture.
    """

    def __init__(
        self,
        session: Session,
        scenes: Scenes,
        panes: Panes,
        bars: tuple[HeaderLine, FooterLine],
        kept: KeptEffects,
        memory: Memory,
        odds: OddsLine,
    ) -> None:
        self._session, self._scenes, self._panes = session, scenes, panes
        self._header, self._footer = bars
        self._kept, self._memory, self.odds = kept, memory, odds
        self.model: Model | None = None
        self.selected: Id | None = None
        self.mode: Mode | None = None
        self.refused: tuple[Result, Refusal] | None = None
        self.problem = self.note = ""
        self.later: Callable[[], object] = lambda: None
        self._cursor = Cursor()
        self._left: str | None = None
        self._playing: Playing | Acting | None = None

    @property
    def scene(self) -> Scene:
        """What the open mode sees."""
        assert self.model is not None
        return self._scenes.of(self.model, self.selected)

    # The fight and the cursor

    def show(self, model: Model, mode: Mode | None) -> None:
        """Show a model, and open what belongs there: a mode, else the question that waits."""
        fresh = self._scenes.of(model, self.selected)
        mode = self._belonging(model, mode)
        was, self.model = self.model, model
        realm: Realm = "past" if model.looking_at is not None else "trial" if model.trial is not None else "now"
        self._panes.frame(realm)
        self._footer.trying = model.trial is not None
        self.selected = self._cursor.after(self.selected, was, fresh)
        try:
            self.open(mode)
        finally:
            self._share()

    def take_up(self) -> None:
        """Put the cursor on who can act, once the first picture stands."""
        who = self.selected if self.mode is not None or self.model is None else self._cursor.taken_up(self.scene)
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
            active = _doing(model) or active_of(self._session.ruleset, model.state, selected)
        self._header.follow(self.model, active)
        self._panes.stand(self.model)
        for pane in self._panes.fight:
            pane.active = active
            if not isinstance(pane, BlockPane):
                pane.follow(self.model, self.selected)
        self._look_at()

    def _look_at(self) -> None:
        """Show the stat block of whom the cursor of the chosen pane is on."""
        block, log = self._panes.of(BlockPane), self._panes.of(LogPane)
        try:
            who = self._panes.chosen.about()
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
            settled = isinstance(mode, Missed) and not mode.left(self._session.ruleset, model.state)
            return None if settled or isinstance(mode, Prompt | Responses) else mode
        if isinstance(mode, Missed):
            mode = None  # what settles it asks something first
        return Prompt() if mode is None and self._left is None and model.looking_at is None else mode

    # The open mode

    def open(self, mode: Mode | None) -> None:
        """Open a mode, or close the open one, and draw the action pane."""
        panes = self._panes
        over, beside = mode is not None and mode.over, mode is not None and mode.beside
        if mode is not None and not beside and panes.big is not panes.console:
            panes.shrink()
        self.mode = mode
        if self.model is None:
            return
        scene = self.scene
        panes.trace(_course(scene, mode))
        self.aim()
        refusal = self.refused[1] if self.refused is not None else None
        desk = Desk(scene, mode, refusal=refusal, problem=self.problem, note=self.note)
        panes.console.desk = replace(desk, mode=None) if over else desk
        panes.over.show(desk if over else None)
        # Fights side by side take all the room there is.
        report = mode is not None and mode.place == "report"
        panes.spread(panes.over if over else panes.console if report else None)
        panes.light(mode is not None and not over and not beside)
        self._foot()
        if mode is not None and mode.unfinished:
            self.later()

    def aim(self) -> None:
        """Count the odds of what the open mode or the cursor aims at."""
        self._look_at()
        if self.odds.on:
            mode = None if self.mode is not None and self.mode.beside else self.mode
            self.odds.follow(self.scene, mode, self._panes.chosen.aims(self.scene) if mode is None else None)

    def fill(self) -> None:
        """Go on for a moment with what the open mode has not worked out yet."""
        if self.mode is not None and self.mode.unfinished and self.model is not None:
            self.open(self.mode.filled(self.scene, SLICE))

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
        """Let the question that was left standing open again by itself."""
        self._left = None

    def _foot(self) -> None:
        """Name the keys of the moment."""
        model = self.model
        idle: Place = "fight" if model is None or model.pending is None else "waiting"
        if model is not None and model.looking_at is not None:
            idle = "past"
        reading = self._panes.cover is self._panes.reader
        self._footer.place = "reader" if reading else self.mode.place if self.mode is not None else idle

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
            from tracker.ui.modes.past.ended import ended_of  # most keys do without

            self.open(ended_of(self._session))

    def _dispatch(self, result: Result) -> None:
        """Dispatch the intents of a key's result.

        Where one is refused, what was open stays open.
        """
        if result.plan:
            self._play(result.plan)
            return
        model, before = self.model, self.mode
        asked = model.pending.request.key if model is not None and model.pending is not None else None
        if not all(isinstance(intent, ANSWERS) for intent in result.intents):
            self._playing = None
        for key, intent in (*(("", intent) for intent in result.intents), *_replies(result)):
            if key and (model is None or model.pending is None or model.pending.request.key != key):
                break
            model = self._session.dispatch(intent)
            if model.refusal is not None or model.problem:
                break
        self.clear()
        if result.remember:
            self._memory.add(result.remember)
        if result.narrow is not None:
            self._panes.chosen.narrow(result.narrow)
            self.select(self._panes.chosen.seen(self.selected))
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
            self._scenes.last = result.action or self._scenes.last
            if result.keep is not None:
                self.problem = self._kept.keep(result.keep)
            if result.told is not None:
                self.note = result.told(model)
            model = self._dealt(model, result.hand, asked) if result.hand else model
            if self._playing is not None:
                self._play_on(result.mode)
            else:
                self.show(model, result.mode)
        self.read_rules(result.reading)

    def _play(self, plan: tuple[Turn, ...] | Acts) -> None:
        """Do the turns of a sheet, or the acts that are due, one after another."""
        from tracker.ui.fight.playing import Acting, Playing  # the first picture does without

        self.clear()
        self._playing = Acting(self._session, plan) if isinstance(plan, Acts) else Playing(self._session, plan)
        self._play_on(None)

    def _play_on(self, mode: Mode | None) -> None:
        """Go on with a sheet, as far as nothing is asked."""
        playing = self._playing
        assert playing is not None
        model = playing.go()
        self._scenes.last = playing.last or self._scenes.last
        if model.refusal is not None and playing.refused is not None:
            action = playing.refused
            self.refused = (Result(None, (Do((action,)),), action), model.refusal)
        self.problem = model.problem
        self.note = " · ".join(playing.told)
        if model.pending is None:
            self._playing = None
        else:
            self.note = playing.so_far
        self.show(model, mode)

    def _dealt(self, model: Model, hand: tuple[str, ...], asked: str | None) -> Model:
        """Give dice in hand to the questions of the step that was begun."""
        from tracker.ui.typing.hand import deal

        model, self.note, self.problem = deal(self._session.dispatch, model, hand, asked)
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
            self.read("Rules", rules_page(self._session.ruleset, rules), WIDEST)

    def read(self, title: str, page: Page, widest: int = 0) -> None:
        """Open a page to read."""
        self._panes.read(title, page, widest)
        self._foot()

    def close_page(self) -> None:
        """Close the page that is read."""
        self._panes.lower()
        self._foot()


def _doing(model: Model) -> Id | None:
    """Return whose deed a question interrupts, None where it is nobody's."""
    entries = () if model.pending is None else model.pending.entries
    deeds = (entry.event.action.by for entry in entries if isinstance(entry.event, ActionTaken))
    return next((who for who in deeds if who in model.state), None)


def _course(scene: Scene, mode: Mode | None) -> tuple[Id, Trail] | None:
    """Return the way a mode would have a combatant go.

    What fails is said by its own rows.
    """
    with suppress(Exception):
        return mode.course(scene) if mode is not None else None
    return None


def _is_over(model: Model | None) -> bool:
    """Tell whether the fight is over, here and now."""
    return model is not None and model.state.clock.over and model.pending is None and model.looking_at is None


def _replies(result: Result) -> tuple[tuple[str, Intent], ...]:
    return tuple((key, Reply(answer)) for key, answer in result.answers)
