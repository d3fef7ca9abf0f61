"""The cockpit: the one screen of a fight. It alone assigns the model; panes follow it and touch only what differs.

Nothing here has the terminal library's focus: keys come to the screen, go to the open mode first, and only what that
leaves reaches the bindings. So a letter typed into a question can never be a command, and moving between panes costs no
restyling.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from textual.app import ComposeResult
from textual.containers import Horizontal
from textual.events import Key as KeyPress
from textual.events import Paste
from textual.reactive import var
from textual.screen import Screen
from textual.widget import Widget

from tracker.core.engine import offers
from tracker.core.fight.memo import per_state
from tracker.core.fight.state import Id
from tracker.core.terms.actions import Action, Refusal
from tracker.core.terms.encounter import Member
from tracker.session.intents import Do
from tracker.session.model import Model
from tracker.session.session import Session
from tracker.ui.desk.kept import KeptEffects
from tracker.ui.desk.memory import Memory
from tracker.ui.desk.starting import sweep
from tracker.ui.drawing.lines import Ground, LinesPane, stumbled
from tracker.ui.drawing.painting import paint
from tracker.ui.fight.following import following
from tracker.ui.fight.warming import warm
from tracker.ui.keys.keymap import Keymap
from tracker.ui.keys.table import Place, called, commands, on
from tracker.ui.modes.acting.odds_line import OddsLine
from tracker.ui.modes.acting.picker import Responses
from tracker.ui.modes.acting.prompt import Prompt
from tracker.ui.modes.looking.lookups import Missed
from tracker.ui.panes.bars import FooterLine, HeaderLine
from tracker.ui.panes.block import BlockPane
from tracker.ui.panes.console import ConsolePane, Desk
from tracker.ui.panes.ground import MapPane
from tracker.ui.panes.log import LogPane
from tracker.ui.panes.reader import Page, Reader, rules_page
from tracker.ui.panes.sides import OrderPane, RosterPane
from tracker.ui.typing.mode import BESIDE, Following, Mode, Result, Scene
from tracker.ui.typing.trial import Trial
from tracker.views.time.marks import spent

if TYPE_CHECKING:
    from tracker.ui.drawing.look import Realm

__all__ = ["CONSOLE", "LOG", "ORDER", "ROSTER", "Cockpit"]

ORDER, ROSTER, LOG, CONSOLE = 1, 2, 3, 4
PAUSE = 2.0


class Across(Ground, Horizontal):
    """Panes side by side."""


class Cockpit(Ground, Screen[None]):
    """The four panes, the stat block, the reader, and the lines above and below them."""

    HORIZONTAL_BREAKPOINTS = [(0, "-narrow"), (100, "-normal"), (160, "-wide")]  # noqa: RUF012 - the base class declares it so
    AUTO_FOCUS = ""
    ALLOW_SELECT = False

    model: var[Model | None] = var(None, init=False)
    selected: var[Id | None] = var(None, init=False)

    def __init__(
        self,
        session: Session,
        find: Callable[[str], Sequence[Member]] = lambda text: BESIDE,
        odds: bool = False,
        keymap: Callable[[], Keymap] = Keymap,
        effects: Callable[[], Path] | None = None,
        memory: Memory | None = None,
    ) -> None:
        super().__init__()
        self.kept = KeptEffects(effects)
        self.session, self.find, self.odds = session, find, odds
        self._keymap: Callable[[], Keymap] | None = keymap
        self.keys = Keymap()
        self.commands, self._table = commands(), on("fight")
        self.memory = memory or Memory()
        self.mode: Mode | None = None
        self.pane, self.big = ROSTER, 0
        self.cover: LinesPane | None = None
        self._taking = False
        self._spread = False
        self.refused: tuple[Result, Refusal] | None = None
        self.problem = self.note = ""
        self.last: Action | None = None
        self._left: str | None = None
        self._shown_once: set[str] = set()
        self._where: object = None
        self._able: Id | None = None
        self._typed = False
        self._cursor: Id | None = None
        self._offers = per_state(partial(offers, session.ruleset))
        self._following: tuple[object, Following | None] = (None, None)

    def compose(self) -> ComposeResult:
        """Lay out the panes."""
        ruleset = self.session.ruleset
        yield HeaderLine(ruleset)
        with Across(id="above"):
            yield OrderPane(ruleset)
            yield RosterPane(ruleset)
            yield MapPane(ruleset)
            yield BlockPane(ruleset)
        with Across(id="below"):
            yield ConsolePane()
            yield LogPane(ruleset, self.session.state_at)
        yield FooterLine()
        yield Reader()

    def on_mount(self) -> None:
        """Show the fight as it stands."""
        self._all: tuple[LinesPane, ...] = tuple(self.query(LinesPane))
        self._parts: tuple[Widget, ...] = tuple(self.query(Widget))
        self._panes: dict[int, LinesPane] = {pane.number: pane for pane in self._all if pane.number}
        self._reader = self.query_one(Reader)
        self._action = self.query_one(ConsolePane)
        self._footer = self.query_one(FooterLine)
        self._block, self._log = self.query_one(BlockPane), self.query_one(LogPane)
        self._order, self._roster = self.query_one(OrderPane), self.query_one(RosterPane)
        self._map = self.query_one(MapPane)
        self._followers = (self.query_one(HeaderLine), self._order, self._roster, self._map, self._block, self._log)
        self._odds = OddsLine(self, self._action.tell_odds)
        self._panes[self.pane].choose(True)
        self._take(self.session.model, None)
        self.call_after_refresh(self._learn)
        warm(self, *self.ahead())
        self.set_interval(PAUSE, self._rest)

    def ahead(self) -> tuple[Callable[[], object], ...]:
        """Return what can be worked out before somebody asks for it."""
        return (self.session.warm,)

    def _rest(self) -> None:
        """Tidy up where nobody has typed for a while."""
        if not self._typed:
            self.session.tidy()
            sweep()
        self._typed = False

    def _learn(self) -> None:
        """Read the user's keymap, once: after the first picture, which does not need it, or at the first key."""
        if self._keymap is None:
            return
        read, self._keymap = self._keymap, None
        self.keys = read()
        if self.keys == Keymap():
            return
        self.commands, self._table = commands(self.keys.table), on("fight", self.keys.table)
        self._footer.table = self.keys.table
        self._footer.refresh()
        if self.keys.problems:
            many, helps = (
                len(self.keys.problems),
                called(next(key.key for key in self.keys.table if key.id == "help").split(",")[-1]),
            )
            self.problem = (
                f"{many} mistakes in the keymap file, listed under {helps}: " if many > 1 else ""
            ) + self.keys.problems[0]
        self._open(self.mode)

    # The one place where the fight changes on the screen

    def _take(self, model: Model, mode: Mode | None) -> None:
        """Show a model, and open what belongs there: a mode, else the question that waits."""
        self._taking = True  # the panes follow once, when the cursor stands where it will
        try:
            self._show(model, mode)
        finally:
            self._taking = False
            self._share()

    def watch_model(self) -> None:
        """Let the panes follow the fight."""
        self._share()

    def watch_selected(self) -> None:
        """Let the panes follow the cursor."""
        self._share()

    def _share(self) -> None:
        if not self._taking:
            for follower in self._followers:
                follower.follow(self.model, self.selected)

    def _show(self, model: Model, mode: Mode | None) -> None:
        clock = model.state.clock
        where = (clock.at, clock.acting)
        fresh = self._scene(model)
        asked = model.pending.request.key if model.pending is not None else None
        if asked is None or asked != self._left:
            self._left = None
        if asked is None and isinstance(mode, Prompt | Responses):
            mode = None
        if asked is not None and isinstance(mode, Missed):
            mode = None  # what settles it asks something first
        if mode is None and asked is not None and self._left is None and model.looking_at is None:
            mode = Prompt()
        was, self.model = self.model, model
        self._frame(model)
        if was is not None and (was.looking_at is None) != (model.looking_at is None):
            if model.looking_at is not None:
                self._cursor = self.selected
            elif was.head == model.head and self._cursor in model.state:  # back from the past: everything as it was
                self.selected, self._where = self._cursor, where
        if where != self._where or self.selected not in model.state:
            self._where = where
            people = model.state.combatants
            self.selected = fresh.active or (people[0].id if people else None)
        if asked is None and (person := model.state.get(self.selected)) is not None:
            if person.id == self._able and spent(clock, person):
                person = model.state[fresh.following_up or person.id]  # after whoever has just used up their turn
                self.selected = person.id
            self._able = person.id if not spent(clock, person) else None
        self._open(mode)

    def _frame(self, model: Model) -> None:
        """Mark everything where this is not the real present."""
        realm: Realm = "past" if model.looking_at is not None else "trial" if model.trial is not None else "now"
        for pane in self._all:
            pane.enter(realm)
        self._footer.trying = model.trial is not None

    def _scene(self, model: Model) -> Scene:
        if self._following[0] is not model.pending:
            before = self.session.state_at(model.head)
            self._following = (model.pending, following(self.session.ruleset, self.session.settings, before, model))
        selected = self.selected if self.selected in model.state else None
        session = self.session
        told = (
            self.find,
            self.last,
            session.preview,
            self._table,
            self._offers,
            self.kept.offered,
            self._earlier,
            self._trial,
        )
        return Scene(session.ruleset, model, selected, self._following[1], *told, session.asked_at, session.state_at)

    def _earlier(self) -> tuple[str, ...]:
        return self.memory.lines

    def _trial(self, action: Action, hand: tuple[str, ...]) -> Trial:
        from tracker.ui.typing.hand import tried  # only a command line has dice in hand

        model = self.model
        if model is None or model.pending is not None or model.looking_at is not None:
            return Trial(left=hand)
        return tried(self.session.ruleset, self.session.settings, model.state, action, hand)

    def _open(self, mode: Mode | None) -> None:
        """Open a mode, or close the open one, and draw the action pane."""
        if mode is not None and self.big not in (0, CONSOLE):
            self.big = 0
            self._lower()
        self.mode = mode
        spread = mode is not None and mode.place == "report"  # fights side by side take all the room there is
        if spread != self._spread:
            self._spread = spread
            self._enlarge(CONSOLE if spread else self.big)
        model = self.model
        if model is None:
            return
        self._light()
        scene = self._scene(model)
        if self.odds:
            self._odds.follow(scene, mode)
        self._action.desk = Desk(scene, mode, self.refused[1] if self.refused else None, self.problem, self.note)
        self._foot()

    def _light(self) -> None:
        """Mark the pane that takes the keys: the action pane while a mode is open."""
        lit = CONSOLE if self.mode is not None else self.pane
        for number, pane in self._panes.items():
            pane.light(number == lit)

    def _foot(self) -> None:
        """Name the keys of the moment."""
        model = self.model
        idle: Place = "fight" if model is None or model.pending is None else "waiting"
        if model is not None and model.looking_at is not None:
            idle = "past"
        self._footer.place = (
            "reader" if self.cover is self._reader else self.mode.place if self.mode is not None else idle
        )

    def apply(self, result: Result) -> None:
        """Do what came of a key: dispatch its intents; where one is refused, what was open stays open."""
        model, before = self.model, self.mode
        asked = model.pending.request.key if model is not None and model.pending is not None else None
        for intent in result.intents:
            model = self.session.dispatch(intent)
            if model.refusal is not None or model.problem:
                break
        self._clear()
        if result.remember:
            self.memory.add(result.remember)
        if result.narrow is not None:
            self._panes[self.pane].narrow(result.narrow)
        if result.select is not None:
            self.selected = result.select
        if not result.intents or model is None:
            self._leave(before, result.mode)
            self._open(result.mode)
        elif model.refusal is not None or model.problem:
            self.refused = (result, model.refusal) if model.refusal is not None else None
            self.problem = model.problem
            self._take(model, before)
        else:
            self.last = result.action or self.last
            if result.keep is not None:
                self.problem = self.kept.keep(result.keep)
            self._take(self._dealt(model, result.hand, asked) if result.hand else model, result.mode)
        if result.reading:
            self._read_rules((result.reading,))

    def _dealt(self, model: Model, hand: tuple[str, ...], asked: str | None) -> Model:
        """Give dice in hand to the questions of the step that was begun, and say what became of them."""
        from tracker.ui.typing.hand import deal

        model, self.note, self.problem = deal(self.session.dispatch, model, hand, asked)
        if model.refusal is not None or model.problem:
            self.problem = model.problem or (model.refusal.text if model.refusal is not None else "")
        return model

    def _leave(self, before: Mode | None, after: Mode | None) -> None:
        """Remember which question was left standing, so that it does not open again by itself."""
        if isinstance(before, Prompt) and after is None and self.model is not None and self.model.pending is not None:
            self._left = self.model.pending.request.key

    # Keys

    async def on_key(self, event: KeyPress) -> None:
        """Give a key to the reader, the open mode or its command, at once: the next key must find what this one opened."""
        try:
            await self._key(event)
        except Exception as error:  # noqa: BLE001 - a ruleset may stumble over a form or a list of actions; that costs the key, not the evening
            event.stop()
            self.refused, self.problem = None, stumbled(error, self.app)
            self._open(None)
        paint(self, self._parts)

    async def _key(self, event: KeyPress) -> None:
        self._typed = True
        self._learn()
        character = event.character if event.is_printable else None
        if self.cover is self._reader:
            if self._read_key(event.key):
                event.stop()
            return
        if event.character == "!" and self.refused is not None and self._force():
            event.stop()
            return
        if self.mode is not None and self.model is not None:
            result = self.mode.press(self._scene(self.model), event.key, character)
            if result is not None:
                event.stop()
                await self.take(result)
                return
            if character is not None:
                event.stop()
                return
        bound = self.commands.get(event.key)
        if bound is not None:
            event.stop()
            await self.run_action(bound.action)

    async def take(self, result: Result) -> None:
        """Do what came of a key or a click, the command it names as well."""
        self.apply(result)
        if result.command:
            await self.run_action(result.command)

    def on_paste(self, event: Paste) -> None:
        """Type a pasted text."""
        event.stop()
        if self.mode is not None and self.model is not None and self.cover is not self._reader:
            self._open(self.mode.paste(self._scene(self.model), event.text))

    def _read_key(self, key: str) -> bool:
        moves = {"up": -1, "down": 1, "pageup": -10, "pagedown": 10, "space": 10, "home": -1_000_000, "end": 1_000_000}
        if key in moves:
            self._reader.move(moves[key])
        elif key == "ctrl+q":  # the app's own
            return False
        else:
            self._lower()
        return True

    def _force(self) -> bool:
        """Do again what was refused, overruling the rules."""
        assert self.refused is not None
        result, refusal = self.refused
        if result.action is None or not refusal.forcible or (self.model is not None and self.model.pending is not None):
            return False
        self.apply(Result(None, (Do((result.action,), forced=True),), result.action, hand=result.hand))
        return True

    # What covers the panes

    def _enlarge(self, number: int) -> None:
        self._raise(self._panes[number]) if number else self._lower()

    def _raise(self, pane: LinesPane) -> None:
        """Let a pane cover the others."""
        self.cover = pane
        pane.update()
        for other in self._all:
            other.refresh()

    def _lower(self) -> None:
        """Show all panes again; under a page to read the enlarged one."""
        self.cover = self._panes[self.big] if self.cover is self._reader and self.big else None
        self._foot()
        for pane in self._all:
            pane.update()
            pane.refresh()

    def _clear(self) -> None:
        self.refused, self.problem, self.note = None, "", ""

    def _read_rules(self, rules: Sequence[str]) -> None:
        if rules:
            self._read("Rules", rules_page(self.session.ruleset, rules))

    def _read(self, title: str, page: Page) -> None:
        self._reader.show(title, page)
        self._raise(self._reader)
        self._foot()
