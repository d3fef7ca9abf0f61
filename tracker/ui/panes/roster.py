"""The pane of the combatants."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Sequence
from contextlib import suppress

from msgspec import Struct

from tracker.core.fight.events import Entry as Happened
from tracker.core.fight.slots import Id
from tracker.core.fight.state import State
from tracker.core.game.ruleset import Ruleset, status_of
from tracker.core.terms.errors import CorruptJournal
from tracker.core.terms.labels import folded
from tracker.session.model import Model
from tracker.session.session import Session
from tracker.ui.keys.command import Pane
from tracker.ui.panes.pane import FightPane
from tracker.ui.typing.mode import ModeContext, Result
from tracker.ui.widgets.lines import ErrorRows, window
from tracker.views.log.lines import gravest_icons
from tracker.views.panes.columns import Wanted, layout, wanted
from tracker.views.panes.roster import (
    FOLD,
    Entry,
    EqualCombatants,
    RosterContent,
    Since,
    combatant_header,
    combatant_rows,
    effect_end_context,
    fold_row,
    listing,
    places_of,
    roster_content,
)
from tracker.views.words.sides import names_of
from tracker.views.words.spans import Row, cells

MOST_KEPT = 4000
"""Rows that are cached."""
MOST_STEPS = 60
"""Steps since the last key whose icons are shown, at most."""
LISTS_KEPT = 16
"""Lists of the last states that are cached, for undo."""


class RosterPane(FightPane):
    """The combatants, a line for each or for several alike; `opened` has the unfolded groups, the dead among them."""

    def __init__(self, row: Pane, session: Session) -> None:
        super().__init__(row, session)
        self.opened: frozenset[str] = frozenset()
        self._rows: dict[tuple[Id, int], _Drawn] = {}
        self._effect_ends: tuple[State | None, tuple[object, ...]] = (None, ())
        self._errors = ErrorRows()
        self._equal = EqualCombatants()
        self._texts: tuple[object, Wanted] = (None, Wanted())
        self._stretched: tuple[object, Wanted, Wanted] = (None, Wanted(), Wanted())
        self._grown = False
        self._before = Before(self.ruleset, session.state_at)
        self._since = Since()
        self._listed = _Listed()
        self._lists: deque[_Listed] = deque(maxlen=LISTS_KEPT)

    def follow(self, model: Model | None, selected: Id | None) -> None:
        if model is not None and model is not self.model:
            self._since = self._before.seen(model)
        super().follow(model, selected)

    # What is listed

    def full(self, state: State) -> int:
        out = {status.key for status in self.ruleset.statuses if not status.takes_part}
        here = sum([one.status not in out for one in state.combatants])
        return here + (here < len(state.combatants))

    def entries(self, room: int) -> tuple[Entry, ...]:
        if self.model is None:
            return ()
        state, signs = self.model.state, self._since.signs
        since = self._since if self.narrowed else None  # the filter compares the text of rows
        how = (self.active, room, self.opened, self.narrowed, signs)
        if not self._listed.fits(state, since, how):  # after an undo the list is in the cache
            cached = next((one for one in self._lists if one.fits(state, since, how)), None)
            self._listed = cached or _Listed(state, since, how, new := self._new_entries(state, room), places_of(new))
            if cached is None:
                self._lists.append(self._listed)
        return self._listed.entries

    def _new_entries(self, state: State, room: int) -> tuple[Entry, ...]:
        if self.narrowed:
            return tuple([Entry("one", (one.id,)) for one in state.combatants if self._holds(state, one.id)])
        signs, opened = self._since.signs, self.opened
        return listing(self.ruleset, state, room, active=self.active, opened=opened, signs=signs, cache=self._equal)

    def _holds(self, state: State, who: Id) -> bool:
        return self.narrowed in folded(self._rows_of(state, Entry("one", (who,)), max(40, self.room[0]))[0].text)

    def seen(self, who: Id | None) -> Id | None:
        entries = self.entries(self._room())
        return who if not entries or who in self._listed.places else entries[0].who[0]

    def _room(self) -> int:
        return max(1, self.room[1] - 1)

    def lines(self, width: int, height: int) -> tuple[Sequence[Row], int, int]:
        if self.model is None:
            return (), -1, 0
        state = self.model.state
        self._errors.begin(state)
        entries = self.entries(height - 1)
        cursor = self._cursor()
        rows = self._visible(state, entries, width, height - 1)
        if self._grown:
            self._grown = False
            rows = self._visible(state, entries, width, height - 1)
        failures = self._errors.rows(self.app, width)[: height // 2]
        self.beside = 1 + len(failures)
        if failures and len(rows) + len(failures) >= height:
            rows = self._visible(state, entries, width, height - 1 - len(failures))
        lines, before = self._in_lines(rows, height - 1 - len(failures), cursor - self.top)
        shown = [combatant_header(self.ruleset, width, self._wanted(state)), *lines, *failures]
        return shown, before + 1 if cursor >= 0 else -1, len(entries) + len(lines) - len(rows)

    @staticmethod
    def _in_lines(rows: list[tuple[Row, ...]], room: int, cursor: int) -> tuple[list[Row], int]:
        """Return the lines of rows, two for rows with cut effects while there is room, and the line of the cursor."""
        lines: list[Row] = []
        spare, at = room - len(rows), cursor
        for place, (one, *two) in enumerate(rows):
            if place == cursor:
                at = len(lines)
            broken = bool(two) and spare > 0
            lines += two if broken else (one,)
            spare -= broken
        return lines, at

    def _visible(self, state: State, entries: tuple[Entry, ...], width: int, height: int) -> list[tuple[Row, ...]]:
        self.top = window(self.top, self._cursor(), height, len(entries))
        return [self._rows_of(state, entry, width) for entry in entries[self.top : self.top + height]]

    def _cursor(self) -> int:
        return -1 if self.selected is None else self._listed.places.get(self.selected, -1)

    def _wanted(self, state: State) -> Wanted:
        """Return the width of the columns' texts, measured when combatants join."""
        names = names_of(state)
        if self._texts[0] is not names:
            name = max(map(cells, names), default=0) + any(name[-1:].isdigit() for name in names)
            self._texts = (names, wanted(self.ruleset, state, name))
        if self._stretched[0] is not state or self._stretched[1] is not self._texts[1]:
            self._stretched = (state, self._texts[1], self._texts[1].stretched(self.ruleset, state))
        return self._stretched[2]

    def _rows_of(self, state: State, entry: Entry, width: int) -> tuple[Row, ...]:
        """Return a row, and its two lines if it is too short for the effects."""
        if entry.kind == "fold":
            return (fold_row(self.ruleset, state, entry, width),)
        who, texts = entry.who[0], self._wanted(state)
        drawn = self._rows.get((who, width))
        now = who == self.active
        if drawn is not None and drawn.fits(state, self._since, entry, texts, now):
            return drawn.rows
        if self._effect_ends[0] is not state:
            context = effect_end_context(state)
            self._effect_ends = (state, self._effect_ends[1] if context == self._effect_ends[1] else context)
        plan = layout(self.ruleset, width, texts)
        content = roster_content(
            self.ruleset,
            state,
            who,
            plan,
            self._effect_ends[1],
            active=self.active,
            since=self._since,
            alike=entry.who[1:],
            fails=self._errors.note,
        )
        names, usual = self._texts
        grown = usual.grown(self.ruleset, plan, content.cells)
        if grown != usual:
            self._texts, self._grown = (names, grown), True
        rows = (
            drawn.rows
            if drawn is not None and drawn.content == content and drawn.texts == texts
            else combatant_rows(self.ruleset, state, who, width, content, texts)
        )
        if len(self._rows) > MOST_KEPT:
            self._rows.clear()
        self._rows[who, width] = _Drawn(state, self._since, entry, texts, now, content, rows)
        return rows

    # What keys do

    def go(self, by: int) -> Id | None:
        """Return the combatant `by` lines below the cursor; the cursor follows the selection."""
        entries = self.entries(self._room())
        places = [place for place, entry in enumerate(entries) if not entry.open]
        if not places:
            return None
        cursor = self._cursor()
        start = next((number for number, place in enumerate(places) if place >= cursor), len(places) - 1)
        return entries[places[max(0, min(len(places) - 1, start + by))]].who[0]

    def go_aside(self, by: int) -> None:
        entries, cursor = self.entries(self._room()), self._cursor()
        if not 0 <= cursor < len(entries):
            return
        entry = entries[cursor]
        if by > 0 and entry.kind != "one":
            self.opened |= {FOLD if entry.kind == "fold" else entry.who[0]}
        elif by < 0 and self.model is not None and self.selected is not None:
            self.opened -= self._around(self.model.state, self.selected)
        self.update()

    def _around(self, state: State, who: Id) -> frozenset[str]:
        if not status_of(self.ruleset, state[who].status).takes_part:
            return frozenset((FOLD,))
        stem = state[who].name.rpartition(" ")[0]
        return frozenset(one for one in self.opened if one in state and state[one].name.rpartition(" ")[0] == stem)

    def open(self, scene: ModeContext) -> Result | None:
        cursor = self._cursor()
        entries = self.entries(self._room())
        if 0 <= cursor < len(entries) and entries[cursor].kind == "fold":
            self.go_aside(1)
            return None
        return super().open(scene)


class _Listed(Struct, frozen=True):
    """The entries of the list, the line of each combatant, and what they were made from."""

    state: State | None = None
    since: Since | None = None
    how: tuple[object, ...] = ()
    entries: tuple[Entry, ...] = ()
    places: dict[Id, int] = {}

    def fits(self, state: State, since: Since | None, how: tuple[object, ...]) -> bool:
        return self.state is state and self.since is since and self.how == how


class _Drawn(Struct, frozen=True):
    """A drawn row, also in two lines, and what it was drawn from."""

    state: State
    since: Since
    entry: Entry
    texts: Wanted
    now: bool
    content: RosterContent
    rows: tuple[Row, ...]

    def fits(self, state: State, since: Since, entry: Entry, texts: Wanted, now: bool) -> bool:
        same = self.state is state and self.since is since and self.entry == entry
        return same and (self.texts, self.now) == (texts, now)


class Before:
    """Finds the state before the last key, and the icons of what has happened to each combatant since."""

    def __init__(self, ruleset: Ruleset, state_at: Callable[[int | None], State]) -> None:
        self._ruleset, self._state_at = ruleset, state_at
        self._head: int | None = None
        self._state: State | None = None
        self._last = Since()

    def seen(self, model: Model) -> Since:
        """Return the changes since the last key; after an undo or a jump, the changes of the last step."""
        if model.looking_at is not None:
            return self._by_step(model, model.looking_at)
        if self._state is None and model.pending is not None:  # the fight was resumed in the middle of a step
            with suppress(CorruptJournal):
                self._head, self._state = model.head, self._state_at(model.head)
        head, before, moved = self._head, self._state, model.head != self._head
        if model.pending is None:
            self._head, self._state = model.head, model.state
        if not moved and model.pending is None and before is not None:
            return self._last
        done = _between(model, head) if before is not None else None
        if done is None or before is None:
            self._last = self._by_step(model, model.head)
        else:
            entries = () if model.pending is None else model.pending.entries
            self._last = Since(before, gravest_icons(self._ruleset, model.state, (*done, *entries)))
        return self._last

    def _by_step(self, model: Model, seq: int | None) -> Since:
        record = next((step for step in reversed(model.steps) if step.seq == seq), None)
        if record is None or record.parent is None:
            return Since()
        try:
            return Since(self._state_at(record.parent), gravest_icons(self._ruleset, model.state, record.entries))
        except CorruptJournal:
            return Since()


def _between(model: Model, head: int | None) -> tuple[Happened, ...] | None:
    """Return the entries of the steps since a head; None if it is not among the last steps."""
    newest_first: list[tuple[Happened, ...]] = []
    for record in reversed(model.steps[-MOST_STEPS:]):
        if record.seq == head:
            return tuple([entry for entries in reversed(newest_first) for entry in entries])
        newest_first.append(record.entries)
    return None
