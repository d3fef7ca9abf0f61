"""The base of both screens: the user's keymap, where a key goes, and the overlays over the panes.

No widget has Textual's focus: the screen gets each key, gives it to the open page or mode, and runs a command only if
these do not use the key. So a letter typed into a question is never a command, and changing the pane needs no
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
"""The keys that scroll a page, and by how many lines."""

Page = Callable[[int], Sequence[Row]]


class Reader(RowsWidget):
    """A page to read, scrolled by the arrow keys and closed by Escape."""

    def __init__(self) -> None:
        super().__init__(0, "", "reader")
        self.page: Page | None = None
        self._rows: Sequence[Row] = ()
        self._width = 0

    def show(self, title: str, page: Page, widest: int = 0) -> None:
        self.page, self._width, self.top = page, 0, 0
        self.styles.max_width = widest or None
        self.lit = True
        self.title, self.note = title, "esc closes"
        self._shown = []

    def renew(self) -> None:
        self._width = 0
        self.update()

    def lines(self, width: int, height: int) -> tuple[Sequence[Row], int, int]:
        if self.page is None:
            return (), -1, 0
        if self._width != width:
            self._rows, self._width = self.page(width), width
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
    """A page to read and a dialog; `cover` is the one that is open over the `covered` panes, None if neither is."""

    def __init__(self, dialog: RowsWidget, covered: Sequence[RowsWidget]) -> None:
        self.reader, self.over, self.covered = Reader(), dialog, covered
        self.cover: RowsWidget | None = None

    def put_over(self, cover: RowsWidget | None) -> None:
        """Show the page, the dialog or an enlarged pane over the other panes; None: show all panes."""
        self.cover = cover
        for overlay in (self.reader, self.over):
            overlay.display = overlay is cover
            overlay.update()
        for pane in self.covered:
            pane.dim(cover in (self.reader, self.over))


class KeyScreen(Screen[None]):
    """A screen whose keys go to its open page or mode, then to the commands of the user's keymap."""

    AUTO_FOCUS = ""
    ALLOW_SELECT = False
    # A dialog leaves a margin on large screens; the style sheet says how wide.
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
        """Read the user's keymap once: after the first paint, which does not need it, or at the first key."""
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
        """Use the keymap that was read, and report its mistakes."""

    def on_key(self, event: KeyPress) -> None:
        """Handle a key; Textual reports Escape with a character right after it as alt and that character."""
        if event.key.startswith("alt+") and event.is_printable:
            event.stop()
            self.press(KeyPress("escape", None))
            self.press(KeyPress(event.character or "", event.character))
        else:
            self.press(event)

    def press(self, event: KeyPress) -> None:
        """Do at once what a key means: the next key needs what this key has opened."""
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
        """Scroll the open page, or close it; ctrl+q is left to its command."""
        if key in MOVES:
            self.overlays.reader.move(MOVES[key])
        elif key != "ctrl+q":
            self.close_page()
        return key != "ctrl+q"

    def close_page(self) -> None:
        raise NotImplementedError
