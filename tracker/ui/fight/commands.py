"""The commands of the cockpit: what each key of the table and the mouse do there."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable

from textual import on
from textual.message import Message

from tracker.core.game.reminding import owed
from tracker.core.terms.errors import TrackerError
from tracker.session.intents import Advance, Branch, LookAt, Redo, Undo, WhatIf
from tracker.session.model import Model
from tracker.ui.drawing.lines import LinesPane
from tracker.ui.fight.cockpit import CONSOLE, LOG, ORDER, ROSTER, Cockpit
from tracker.ui.fight.mouse import name, point
from tracker.ui.keys.table import ON_THE_MAP
from tracker.ui.modes.acting.picker import Picker
from tracker.ui.modes.acting.prompt import Prompt
from tracker.ui.modes.lines.verbs import Command
from tracker.ui.modes.looking.lookups import Filter, Jump, Lookup, Missed
from tracker.ui.panes.ground import MAP
from tracker.ui.panes.reader import Page, help_page
from tracker.ui.typing.entry import Entry
from tracker.ui.typing.mode import Result, Scene, deliver
from tracker.views.words.deeds import step_words

__all__ = ["FightScreen"]

AREAS = (5, 10, 15, 20, 30)


class FightScreen(Cockpit):
    """The cockpit with its commands."""

    class Another(Message):
        """The game master wants to leave this fight for another one."""

    # Commands

    def action_another(self) -> None:
        """Leave this fight, which is in the journal as it stands, and choose another one."""
        self.post_message(self.Another())

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
        missed = owed(self.session.ruleset, model.state)
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

    def action_line(self) -> None:
        """Open the command line."""
        from tracker.ui.modes.lines.line import CommandLine  # not needed before somebody wants it

        self._clear()
        self._open(CommandLine())

    def action_palette(self) -> None:
        """Open the palette."""
        from textual.theme import BUILTIN_THEMES

        from tracker.core.terms.actions import Option
        from tracker.ui.drawing.look import themes
        from tracker.ui.modes.looking.palette import Item, Palette, theme_items  # not needed before somebody wants it

        away = "out of the lists, not out of the journal; choosing this again brings it back"
        more = [
            Item(
                Option("name_branch", "name this way the fight has gone", "for the list of branches"),
                command="name_branch",
            ),
            Item(Option("put_away", "put this fight away", "or take it out again"), command="put_away", about=away),
            Item(Option("another", "another fight", "this one stays in the journal as it is"), command="another"),
        ]
        self._clear()
        self._open(Palette((*more, *theme_items([*(theme.name for theme in themes()), *BUILTIN_THEMES]))))

    def action_theme(self, name: str) -> None:
        """Choose how the screen looks, also for the next start."""
        self.app.theme = name
        self.memory.theme = name
        self.note = f"theme {name}"
        self._open(self.mode)

    def action_put_away(self) -> None:
        """Put the fight away, out of the lists; one that is put away is taken out again."""
        fight, journal = self.session.model.fight, self.session.journal
        try:
            away = any(listed.id == fight for listed in journal.fights(discarded=True))
            journal.discard(fight, not away)
            self.note = (
                "the fight is in the lists again"
                if away
                else f'the fight is put away; "put this fight away" once more takes it out again, or: tracker {fight}'
            )
        except TrackerError as error:
            self.problem = error.message
        self._open(self.mode)

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
        before = self.model
        self.apply(Result(None, (Undo(),)))
        self._say_moved("taken back", before, before)

    def action_look(self, by: int) -> None:
        """Look at the fight one step earlier or later."""
        model = self.model
        if model is None or not model.steps:
            return
        steps = model.steps
        last = len(steps) - 1 if model.pending is None else len(steps)
        place = (
            last if model.looking_at is None else bisect_left(steps, model.looking_at, key=lambda record: record.seq)
        )
        there = max(0, place + by)
        self._clear()
        self.apply(Result(None, (LookAt(steps[there].seq if there < last else None),)))

    def action_correct(self) -> None:
        """Correct an earlier die, decision or action: what the line under the cursor of the log tells of, else the last die or decision."""
        from tracker.ui.modes.past.correcting import Amending
        from tracker.ui.modes.past.givens import givens  # the first picture does without

        model = self.model
        if model is None:
            return
        self._clear()
        step, key = self._panes[LOG].chosen_given() if self.pane == LOG else (None, "")
        listed = givens(model.state, model.steps, step)
        if step is not None and not any(given.step == step for given in listed):
            waits = step < 0
            self.problem = (
                "this step still waits for an answer: undo takes the last one back"
                if waits
                else "nothing in this step was rolled, decided or chosen"
            )
            self._open(None)
            return
        places = range(len(listed))
        of_step = [place for place in places if step is None or listed[place].step == step]
        fitting = (
            [place for place in of_step if key and listed[place].key == key]
            or [place for place in of_step if listed[place].key]
            or of_step
        )
        self._open(Amending(listed, fitting[0] if fitting else 0))

    def action_branches(self) -> None:
        """List the ways the fight has gone."""
        self._list_ways(1)

    def action_name_branch(self) -> None:
        """Name the way the fight has gone so far."""
        self._list_ways(0, naming=True)

    def _list_ways(self, chosen: int, naming: bool = False) -> None:
        """Open the list of branches, the present one first."""
        from tracker.ui.modes.past.ways import Branches  # the first picture does without

        self._clear()
        present = self.session.present()
        tips = ((present,) if present is not None else ()) + self.session.branches()
        self._open(
            Branches(
                tips,
                self.session.state_at,
                min(chosen, max(0, len(tips) - 1)),
                Entry.of(tips[0].name) if naming and tips else None,
            )
        )

    def action_what_if(self) -> None:
        """Begin to try things, or ask what becomes of what was tried."""
        model = self.model
        if model is None:
            return
        self._clear()
        if model.trial is None or model.looking_at is not None:
            self.apply(Result(None, (WhatIf("begin"),)))
        else:
            from tracker.ui.modes.past.ways import Deciding  # the first picture does without

            tried = len(model.steps) - bisect_left(model.steps, model.trial.first, key=lambda record: record.seq)
            self._open(Deciding(self.session.real_state(), model.state, tried))

    def action_redo(self) -> None:
        """Do it again."""
        self._left = None
        before = self.model
        self.apply(Result(None, (Redo(),)))
        self._say_moved("done again", before, self.model)

    def _say_moved(self, what: str, before: Model | None, longer: Model | None) -> None:
        """Say which step was taken back or done again, for nothing of it may be in sight; `longer` has it. A question that stands open says enough."""
        after = self.model
        if (
            before is None
            or after is None
            or longer is None
            or before.head == after.head
            or before.pending is not None
            or after.pending is not None
        ):
            return
        record = next((record for record in reversed(longer.steps) if record.seq == longer.head), None)
        if record is not None:
            step = (
                "the correction"
                if record.back is not None
                else step_words(self.session.ruleset, longer.state, record.entries)
            )
            self.note = f"{what}: {step}" if step else ""
            self._open(self.mode)

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
            self._lower()
        self._panes[self.pane].choose(False)
        self.pane = number
        if number in (ROSTER, MAP):  # the one stands where the other stood
            self._map.display, self._roster.display = number == MAP, number == ROSTER
        self._panes[number].choose(True)
        self._light()

    def action_block(self) -> None:
        """Show the stat block in the place of the log, or the log again; where it has a place of its own, hold it fast or let it follow the cursor."""
        if self._block.display:
            self._block.pin()
        else:
            self._log.show_guest(None if self._log.guest is not None else self._block)

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
            self._map.template(
                sizes[(sizes.index(self._map.radius) + 1) % len(sizes)] if self._map.radius in sizes else AREAS[0]
            )

    def action_filter(self) -> None:
        """Narrow the chosen pane, if it is a list."""
        self._clear()
        if self.pane in (CONSOLE, MAP):
            self.problem = f"the {self._panes[self.pane].title.lower()} is no list to be filtered"
            self._open(self.mode)
            return
        self._open(Filter(Entry.of(self._panes[self.pane].narrowed), self._panes[self.pane].title.lower()))

    def action_rule(self) -> None:
        """Open the rule behind the line under the cursor, or look rules up."""
        rules = self._panes[LOG].chosen_rules() if self.pane == LOG else ()
        if rules:
            self._read_rules(rules)
        else:
            self._open(Lookup())

    def action_help(self) -> None:
        """Open the list of keys, those of what is open or chosen first."""
        self._read("Keys", self._help())

    def _help(self) -> Page:
        pane = self._panes[self.pane]
        here, title = (self.mode.place, self.mode.title) if self.mode is not None else (pane.id or "", pane.title)
        mapped = self._map.board is not None
        table = tuple([key for key in self._table if mapped or key.id not in ON_THE_MAP])
        return help_page(table, here, title, self.keys.problems)

    def ahead(self) -> tuple[Callable[[], object], ...]:
        """Return what can be worked out before somebody asks for it: the lines of the help too."""
        return (*super().ahead(), lambda: self._help()(max(1, self.size.width - 4)))

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
            self._lower()

    # The mouse

    @on(LinesPane.Chosen)
    async def _clicked(self, event: LinesPane.Chosen) -> None:
        """Choose a pane and the line in it; a second click opens it. While a mode is open, its lines and its people are chosen."""
        event.stop()
        model = self.model
        if model is None:
            return
        who = event.key.partition("#")[2] or event.key
        if event.pane is self._action:
            await self._clicked_action(self._scene(model), event.key)
            return
        if self.mode is not None and who in model.state:
            named = name(self._scene(model), self.mode, who)
            if named is not None:
                await self.take(named)
                return
        again = event.pane.number == self.pane and event.again
        if event.pane.number and event.pane.number != self.pane:
            self.action_pane(event.pane.number)
        if event.pane is self._map:
            again = self._map.point(event.key, event.across)
        elif event.key and event.pane in (self._log, self._order):
            event.pane.put_on(event.place)
        if who in model.state:
            again = again and self.selected == who
            self.selected = who
        if self.mode is None:
            self._open(None)
            if again:
                self.action_open()

    async def _clicked_action(self, scene: Scene, row: str) -> None:
        """Choose what was clicked in the action pane."""
        if self.mode is not None:
            result = point(scene, self.mode, row)
            if result is not None:
                await self.take(result)
        elif scene.model.pending is not None:
            self.action_open()
        elif row.startswith("action:"):
            self._clear()
            over = scene.model.state.clock.over and scene.model.state.clock.current is None
            self._open(Picker(None if over else scene.active).on(scene, row.removeprefix("action:")))
        elif row == "owed":
            self.action_advance()
        elif row == "who":
            self.action_act()

    @on(LinesPane.Scrolled)
    def _wheeled(self, event: LinesPane.Scrolled) -> None:
        """Scroll a pane."""
        event.stop()
        if event.pane is self._roster:
            self.selected = self._roster.neighbour(event.by)
        else:
            event.pane.move(event.by)
