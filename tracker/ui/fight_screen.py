"""The cockpit: the one screen of a fight. It alone assigns the model; panes are bound to it and touch only what differs.

Nothing here has the terminal library's focus: keys come to the screen, go to the open mode first, and only what that leaves reaches the bindings.
So a letter typed into a question can never be a command, and moving between panes costs no restyling.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding
from textual.containers import Horizontal
from textual.events import Key as KeyPress
from textual.events import Paste
from textual.reactive import var
from textual.screen import Screen

from tracker.core.actions import Action, Refusal
from tracker.core.encounter import Member
from tracker.core.state import Id
from tracker.session.intents import Advance, Amend, Branch, Do, LookAt, Redo, Undo
from tracker.session.model import AmendReport, Model
from tracker.session.session import Session
from tracker.ui.bars import FooterLine, HeaderLine
from tracker.ui.console_pane import ConsolePane, Desk
from tracker.ui.entry import Entry
from tracker.ui.following import following
from tracker.ui.keys import KEYS, Place
from tracker.ui.log_pane import LogPane
from tracker.ui.lookups import Filter, Jump, Lookup, Missed
from tracker.ui.map_pane import MAP, MapPane
from tracker.ui.modes import BESIDE, Following, Mode, Result, Scene, deliver
from tracker.ui.odds_line import OddsLine
from tracker.ui.panes import LinesPane, OrderPane, RosterPane
from tracker.ui.past import Amending, Branches
from tracker.ui.picker import Picker, Responses
from tracker.ui.prompt import Prompt
from tracker.ui.reader import BlockPane, Page, Reader, help_page, rules_page
from tracker.ui.verbs import Command

__all__ = ["FightScreen"]

ORDER, ROSTER, LOG, CONSOLE = 1, 2, 3, 4
AREAS = (5, 10, 15, 20, 30)


class FightScreen(Screen[None]):
    """The four panes, the stat block, the reader, and the lines above and below them."""

    BINDINGS = [Binding(key.key, key.action, key.description, show=False, id=key.id) for key in KEYS if key.action and key.action != "quit"]  # noqa: RUF012
    HORIZONTAL_BREAKPOINTS = [(0, "-narrow"), (100, "-normal"), (160, "-wide")]  # noqa: RUF012 - the base class declares it so
    AUTO_FOCUS = ""
    ALLOW_SELECT = False

    model: var[Model | None] = var(None, init=False)
    selected: var[Id | None] = var(None, init=False)

    def __init__(self, session: Session, find: Callable[[str], Sequence[Member]] = lambda text: BESIDE, odds: bool = False) -> None:
        super().__init__()
        self.session, self.find, self.odds = session, find, odds
        self.mode: Mode | None = None
        self.pane, self.big = ROSTER, 0
        self.cover: LinesPane | None = None
        self.refused: tuple[Action | None, Refusal] | None = None
        self.problem = ""
        self.last: Action | None = None
        self._left: str | None = None
        self._shown_once: set[str] = set()
        self._where: object = None
        self._following: tuple[object, Following | None] = (None, None)

    def compose(self) -> ComposeResult:
        """Lay out the panes."""
        ruleset = self.session.ruleset
        yield HeaderLine(ruleset).data_bind(FightScreen.model)
        with Horizontal(id="above"):
            yield OrderPane(ruleset).data_bind(FightScreen.model)
            yield RosterPane(ruleset).data_bind(FightScreen.model, FightScreen.selected)
            yield MapPane(ruleset).data_bind(FightScreen.model, FightScreen.selected)
            yield BlockPane(ruleset).data_bind(FightScreen.model, FightScreen.selected)
        with Horizontal(id="below"):
            yield ConsolePane()
            yield LogPane(ruleset).data_bind(FightScreen.model)
        yield FooterLine()
        yield Reader()

    def on_mount(self) -> None:
        """Show the fight as it stands."""
        self._panes: dict[int, LinesPane] = {pane.number: pane for pane in self.query(LinesPane) if pane.number}
        self._reader = self.query_one(Reader)
        self._action = self.query_one(ConsolePane)
        self._footer = self.query_one(FooterLine)
        self._block, self._log = self.query_one(BlockPane), self.query_one(LogPane)
        self._order, self._roster = self.query_one(OrderPane), self.query_one(RosterPane)
        self._map = self.query_one(MapPane)
        self._odds = OddsLine(self, self._action.tell_odds)
        self._panes[self.pane].choose(True)
        self._take(self.session.model, None)

    # The one place where the fight changes on the screen

    def _take(self, model: Model, mode: Mode | None) -> None:
        """Show a model, and open what belongs there: a mode, else the question that waits."""
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
        self.model = model
        if where != self._where or self.selected not in model.state:
            self._where = where
            people = model.state.combatants
            self.selected = fresh.active or (people[0].id if people else None)
        self._open(mode)

    def _scene(self, model: Model) -> Scene:
        if self._following[0] is not model.pending:
            before = self.session.state_at(model.head)
            self._following = (model.pending, following(self.session.ruleset, self.session.settings, before, model))
        selected = self.selected if self.selected in model.state else None
        return Scene(self.session.ruleset, model, selected, self._following[1], self.find, self.last, self._preview)

    def _preview(self, intent: Amend) -> AmendReport:
        return self.session.preview_amend(intent.step, intent.answers, intent.refused)

    def _open(self, mode: Mode | None) -> None:
        """Open a mode, or close the open one, and draw the action pane."""
        if mode is not None and self.big not in (0, CONSOLE):
            self.big = 0
            self._uncover()
        self.mode = mode
        model = self.model
        if model is None:
            return
        self._light()
        scene = self._scene(model)
        if self.odds:
            self._odds.follow(scene, mode)
        self._action.desk = Desk(scene, mode, self.refused[1] if self.refused else None, self.problem)
        self._foot()

    def _light(self) -> None:
        """Mark the pane that takes the keys: the action pane while a mode is open."""
        lit = CONSOLE if self.mode is not None else self.pane
        for number, pane in self._panes.items():
            pane.light(number == lit)

    def _foot(self) -> None:
        """Name the keys of the moment."""
        waiting = self.model is not None and self.model.pending is not None
        idle: Place = "waiting" if waiting else "fight"
        self._footer.place = "reader" if self.cover is self._reader else self.mode.place if self.mode is not None else idle

    def apply(self, result: Result) -> None:
        """Do what came of a key: dispatch its intents; where one is refused, what was open stays open."""
        model, before = self.model, self.mode
        for intent in result.intents:
            model = self.session.dispatch(intent)
            if model.refusal is not None or model.problem:
                break
        self.refused, self.problem = None, ""
        if result.narrow is not None:
            self._panes[self.pane].narrow(result.narrow)
        if result.select is not None:
            self.selected = result.select
        if not result.intents or model is None:
            self._leave(before, result.mode)
            self._open(result.mode)
        elif model.refusal is not None or model.problem:
            self.refused = (result.action, model.refusal) if model.refusal is not None else None
            self.problem = model.problem
            self._take(model, before)
        else:
            self.last = result.action or self.last
            self._take(model, result.mode)
        if result.reading:
            self._read_rules((result.reading,))

    def _leave(self, before: Mode | None, after: Mode | None) -> None:
        """Remember which question was left standing, so that it does not open again by itself."""
        if isinstance(before, Prompt) and after is None and self.model is not None and self.model.pending is not None:
            self._left = self.model.pending.request.key

    # Keys

    def on_key(self, event: KeyPress) -> None:
        """Give a key to the reader or the open mode; what is printable goes no further."""
        character = event.character if event.is_printable else None
        if self.cover is self._reader:
            if self._read_key(event.key):
                event.stop()
            return
        if event.character == "!" and self.refused is not None and self._force():
            event.stop()
            return
        if self.mode is None or self.model is None:
            return
        result = self.mode.press(self._scene(self.model), event.key, character)
        if result is not None:
            event.stop()
            self.apply(result)
        elif character is not None:
            event.stop()

    def on_paste(self, event: Paste) -> None:
        """Type a pasted text."""
        event.stop()
        if self.mode is not None and self.model is not None and self.cover is not self._reader:
            self._open(self.mode.paste(self._scene(self.model), event.text))

    def _read_key(self, key: str) -> bool:
        moves = {"up": -1, "down": 1, "pageup": -10, "pagedown": 10, "space": 10, "home": -1_000_000, "end": 1_000_000}
        if key in moves:
            self._reader.move(moves[key])
        elif key == "ctrl+q":
            return False
        else:
            self._uncover()
        return True

    def _force(self) -> bool:
        """Do again what was refused, overruling the rules."""
        assert self.refused is not None
        action, refusal = self.refused
        if action is None or not refusal.forcible or (self.model is not None and self.model.pending is not None):
            return False
        self.apply(Result(None, (Do((action,), forced=True),), action))
        return True

    # Commands

    def action_open(self) -> None:
        """Go on from the past that is shown; answer what waits; else open what the cursor is on."""
        model = self.model
        if model is not None and model.looking_at is not None:
            self._left = None
            self.apply(Result(None, (Branch(model.looking_at),)))
        elif model is not None and model.pending is not None:
            self._left = None
            self._open(Prompt())
        elif self.pane == MAP and (going := self._map.going()) is not None:
            self._clear()
            self.apply(deliver(self._scene(model), going) if model is not None else Result(None))
        elif self.pane == LOG:
            self._read_rules(self._panes[LOG].chosen_rules())
        elif self.selected is not None:
            self._open(Picker(self.selected))

    def action_act(self) -> None:
        """Act with whoever is active."""
        if self.model is not None:
            self._clear()
            self._open(Picker(self._scene(self.model).active))

    def action_advance(self) -> None:
        """Go on, unless something is asked or may have been missed."""
        model = self.model
        if model is None:
            return
        if model.pending is not None:
            self.action_open()
            return
        missed = tuple(reminder for reminder in self.session.ruleset.pending(model.state) if reminder.key not in model.state.dismissed)
        self._clear()
        if any(reminder.key not in self._shown_once for reminder in missed):
            self._shown_once |= {reminder.key for reminder in missed}
            self._open(Missed(missed))
        else:
            self.apply(Result(None, (Advance(),)))

    def action_jump(self) -> None:
        """Go to somebody."""
        self._clear()
        self._open(Jump())

    def action_verb(self, name: str) -> None:
        """Begin a command."""
        self._clear()
        self._open(Command(name))

    def action_repeat(self) -> None:
        """Do the last action again on new targets."""
        self._clear()
        if self.last is None:
            self.problem = "there is nothing to do again yet"
            self._open(None)
        else:
            self._open(Command("repeat", again=self.last))

    def action_undo(self) -> None:
        """Take back the last answer or step."""
        self._left = None
        self.apply(Result(None, (Undo(),)))

    def action_look(self, by: int) -> None:
        """Look at the fight one step earlier or later."""
        model = self.model
        if model is None or not model.steps:
            return
        seqs = [record.seq for record in model.steps]
        last = len(seqs) - 1 if model.pending is None else len(seqs)
        place = seqs.index(model.looking_at) if model.looking_at in seqs else last
        there = max(0, place + by)
        self._clear()
        self.apply(Result(None, (LookAt(seqs[there] if there < last else None),)))

    def action_correct(self) -> None:
        """Correct an earlier die or decision."""
        self._clear()
        self._open(Amending())

    def action_branches(self) -> None:
        """List the other ways the fight has gone."""
        self._clear()
        self._open(Branches(self.session.branches()))

    def action_redo(self) -> None:
        """Do it again."""
        self._left = None
        self.apply(Result(None, (Redo(),)))

    def action_pane(self, number: int) -> None:
        """Give a pane the arrow keys; the second time, the screen."""
        if number == MAP and self._map.board is None:
            self.problem = "this fight has no map"
            self._open(self.mode)
            return
        if self.pane == number:
            self.big = 0 if self.big else number
            self._enlarge(self.big)
            return
        if self.big:
            self.big = 0
            self._uncover()
        self._panes[self.pane].choose(False)
        self.pane = number
        if number in (ROSTER, MAP):  # the one stands where the other stood
            self._map.display, self._roster.display = number == MAP, number == ROSTER
        self._panes[number].choose(True)
        self._light()

    def _enlarge(self, number: int) -> None:
        self._raise(self._panes[number]) if number else self._uncover()

    def _raise(self, pane: LinesPane) -> None:
        """Let a pane cover the others."""
        self.cover = pane
        pane.update()
        for other in self.query(LinesPane):
            other.refresh()

    def _uncover(self) -> None:
        """Show all panes again; under a page to read the enlarged one."""
        self.cover = self._panes[self.big] if self.cover is self._reader and self.big else None
        self._foot()
        for pane in self.query(LinesPane):
            pane.update()
            pane.refresh()

    def action_block(self) -> None:
        """Show the stat block in the place of the log, or the log again; where it has a place of its own, hold it fast or let it follow the cursor."""
        if self._block.display:
            self._block.pin()
        else:
            self._log.show_guest(None if self._log.guest is not None else self._block)

    def watch_selected(self) -> None:
        """Let a stat block in the place of the log follow the cursor."""
        if self.is_mounted and self._log.guest is not None:
            self._block.selected = self.selected  # now, not when the binding comes to it
            self._log.update()

    def action_move(self, by: int) -> None:
        """Move the cursor of the chosen pane."""
        if self.pane in (ROSTER, CONSOLE):
            self.selected = self._roster.neighbour(by)
        else:
            self._panes[self.pane].move(by)
            if self.pane == ORDER:
                self.selected = self._order.person() or self.selected
        if self.model is not None and self.mode is None and self.pane != LOG:
            self._open(None)

    def action_odds(self) -> None:
        """Show the odds, or do without them."""
        self.odds = not self.odds
        if not self.odds:
            self._action.tell_odds("")
        self._open(self.mode)

    def action_aside(self, by: int) -> None:
        """Move the cursor of the map to the side."""
        if self.pane == MAP:
            self._map.step(by, 0)

    def action_template(self) -> None:
        """Show an area around the cursor of the map; each time a wider one, at last none."""
        if self.pane == MAP:
            sizes = (*AREAS, 0)
            self._map.template(sizes[(sizes.index(self._map.radius) + 1) % len(sizes)] if self._map.radius in sizes else AREAS[0])

    def action_filter(self) -> None:
        """Narrow the chosen pane."""
        self._clear()
        self._open(Filter(Entry.of(self._panes[self.pane].narrowed), self._panes[self.pane].title.lower()))

    def action_rule(self) -> None:
        """Open the rule behind the line under the cursor, or look rules up."""
        rules = self._panes[LOG].chosen_rules() if self.pane == LOG else ()
        if rules:
            self._read_rules(rules)
        else:
            self._open(Lookup())

    def action_help(self) -> None:
        """Open the list of keys."""
        self._read("Keys", help_page())

    def action_back(self) -> None:
        """Close what is open; change nothing."""
        if self.refused is not None or self.problem:
            self._clear()
            self._open(self.mode)
        elif self.model is not None and self.model.looking_at is not None:
            self.apply(Result(None, (LookAt(None),)))
        elif self.pane == MAP and self._map.radius:
            self._map.template(0)
        elif self._panes[self.pane].narrowed:
            self._panes[self.pane].narrow("")
        elif self.big:
            self.big = 0
            self._uncover()

    def _clear(self) -> None:
        self.refused, self.problem = None, ""

    def _read_rules(self, rules: Sequence[str]) -> None:
        if rules:
            self._read("Rules", rules_page(self.session.ruleset, rules))

    def _read(self, title: str, page: Page) -> None:
        self._reader.show(title, page)
        self._raise(self._reader)
        self._foot()

    # The mouse

    @on(LinesPane.Chosen)
    def _clicked(self, event: LinesPane.Chosen) -> None:
        """Choose a pane and the line in it."""
        event.stop()
        if event.pane.number and event.pane.number != self.pane:
            self.action_pane(event.pane.number)
        who = event.key.partition("#")[2] or event.key
        if self.model is not None and who in self.model.state:
            self.selected = who
            if self.mode is None:
                self._open(None)

    @on(LinesPane.Scrolled)
    def _wheeled(self, event: LinesPane.Scrolled) -> None:
        """Scroll a pane."""
        event.stop()
        if event.pane is self._roster:
            self.selected = self._roster.neighbour(event.by)
        else:
            event.pane.move(event.by)
