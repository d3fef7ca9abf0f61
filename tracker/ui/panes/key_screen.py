"""What both screens share: the user's keymap, the way of a key, and what covers the panes.

Nothing here has the terminal library's focus: keys come to the screen, go to what is open first, and only what that
leaves reaches the commands. So a letter typed into a question can never be a command, and moving between panes costs no
restyling.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import ClassVar

from textual.events import Key as KeyPress
from textual.screen import Screen

from tracker.core.game.ruleset import Ruleset
from tracker.ui.keys.command import Call, On
from tracker.ui.keys.keymap import Keymap
from tracker.ui.keys.table import commands
from tracker.ui.panes.bars import FooterLine
from tracker.ui.widgets.lines import RowsWidget
from tracker.views.panes.blocks import mistake_rows, rule_rows
from tracker.views.words.spans import Row, Span

MOVES = {"up": -1, "down": 1, "pageup": -10, "pagedown": 10, "space": 10, "home": -1_000_000, "end": 1_000_000}
"""The keys that move in a page, by how many lines."""

Page = Callable[[int], Sequence[Row]]


class Reader(RowsWidget):
    """A page to read, scrolled by the arrow keys and closed by Escape."""

    def __init__(self) -> None:
        super().__init__(0, "", "reader")
        self.page: Page | None = None
        self._rows: Sequence[Row] = ()
        self._made = 0

    def show(self, title: str, page: Page, widest: int = 0) -> None:
        self.page, self._made, self.top = page, 0, 0
        self.styles.max_width = widest or None
        self.lit = True
        self.title, self.note = title, "esc closes"
        self._shown = []

    def renew(self) -> None:
        self._made = 0
        self.update()

    def lines(self, width: int, height: int) -> tuple[Sequence[Row], int, int]:
        if self.page is None:
            return (), -1, 0
        if self._made != width:
            self._rows, self._made = self.page(width), width
            self.fit(len(self._rows))
        self.top = max(0, min(self.top, len(self._rows) - height))
        return self._rows[self.top : self.top + height], -1, len(self._rows)


def rules_page(ruleset: Ruleset, rules: Sequence[str]) -> Page:
    def page(width: int) -> Sequence[Row]:
        if problems := mistake_rows(ruleset.rulebook, width):
            return problems
        rows: list[Row] = []
        for key in rules:
            rule = ruleset.rulebook.find(key)
            if rule is None:
                rows.append(Row(key, (Span(key, "rule"), Span("  is not in the rulebook", "dim"))))
            else:
                rows += rule_rows(rule, width)
            rows.append(Row("", ()))
        return rows

    return page


class Overlays:
    """A page to read and a dialog, and which of them is open over the `covered` panes now."""

    def __init__(self, dialog: RowsWidget, covered: Sequence[RowsWidget]) -> None:
        self.reader, self.over, self.covered = Reader(), dialog, covered
        self.cover: RowsWidget | None = None

    def put_over(self, cover: RowsWidget | None) -> None:
        """Let a page, the dialog or an enlarged pane cover the others; None: show all."""
        self.cover = cover
        for pane in (self.reader, self.over):
            pane.display = pane is cover
            pane.update()
        for pane in self.covered:
            pane.dim(cover in (self.reader, self.over))


class KeyScreen(Screen[None]):
    """A screen whose keys go to what is open in it, then to the commands of the user's keymap."""

    AUTO_FOCUS = ""
    ALLOW_SELECT = False
    # A dialog leaves a rim of what it covers where there is room; the style sheet says how wide.
    HORIZONTAL_BREAKPOINTS = [(0, "-narrow"), (100, "-wide")]  # noqa: RUF012 - declared without ClassVar by the library
    VERTICAL_BREAKPOINTS = [(0, "-low"), (36, "-high")]  # noqa: RUF012 - the same
    NAME: ClassVar[On]

    overlays: Overlays

    def __init__(self, keymap: Callable[[], Keymap]) -> None:
        super().__init__()
        self._unread: Callable[[], Keymap] | None = keymap
        self.keymap = Keymap()
        self._by_key = commands(screen=self.NAME)
        self.footer = FooterLine()

    def learn(self) -> None:
        """Read the user's keymap, once: after the first picture, which does not need it, or at the first key."""
        if self._unread is None:
            return
        read, self._unread = self._unread, None
        self.keymap = read()
        if self.keymap != Keymap():
            self._by_key = commands(self.keymap.table, self.NAME)
            self.footer.table = self.keymap.table
            self.footer.refresh()
            self.use_keymap()

    def use_keymap(self) -> None:
        """Follow the keymap that was read, and tell of its mistakes."""

    def on_key(self, event: KeyPress) -> None:
        """Take a key; Escape with a sign right behind it reaches the terminal as that sign with alt."""
        if event.key.startswith("alt+") and event.is_printable:
            event.stop()
            self.press(KeyPress("escape", None))
            self.press(KeyPress(event.character or "", event.character))
        else:
            self.press(event)

    def press(self, event: KeyPress) -> None:
        """Do at once what a key means: the next one must find what this one has opened."""
        self.learn()
        if self.take(event, event.character if event.is_printable else None):
            event.stop()
            return
        command = self._by_key.get(event.key)
        if command is not None and command.call is not None:
            event.stop()
            self.run_call(command.call)

    def take(self, event: KeyPress, character: str | None) -> bool:
        raise NotImplementedError

    def run_call(self, call: Call) -> None:
        action = self.action_of(call.action)
        action() if call.value is None else action(call.value)

    def action_of(self, name: str) -> Callable[..., object]:
        raise NotImplementedError

    def read_key(self, key: str) -> bool:
        """Move in the page that is read, or close it; quitting is left to its command."""
        if key in MOVES:
            self.overlays.reader.move(MOVES[key])
        elif key != "ctrl+q":
            self.close_page()
        return key != "ctrl+q"

    def close_page(self) -> None:
        raise NotImplementedError
