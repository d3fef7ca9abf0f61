"""Lists to choose from: items of one or more lines; only the visible items are made into rows."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Sequence

from msgspec import Struct

from tracker.ui.widgets.lines import Beyond, RowsWidget, window
from tracker.views.words.spans import Row


class Listed(Struct, frozen=True):
    """An item of a list: its key, its rows at a width, their number, and whether the cursor can be on it."""

    key: str
    rows: Callable[[int], Sequence[Row]]
    height: Callable[[int], int]
    free: bool = True


class ListWidget(RowsWidget):
    """A list to choose from; `cursor` is the key of the chosen item, "" for none."""

    def __init__(self, number: int, title: str, name: str) -> None:
        super().__init__(number, title, name)
        self.items: Sequence[Listed] = ()
        self.cursor = ""
        self._made: tuple[Sequence[Listed], int] = ((), 0)
        self._starts: list[int] = [0]
        self._places: dict[str, int] = {}
        self._rows: dict[str, Sequence[Row]] = {}

    def fill(self, items: Sequence[Listed]) -> None:
        """Show other items; the cursor stays on its item, or goes to the nearest item that is left."""
        keys = [item.key for item in self.items if item.free]
        before = keys.index(self.cursor) if self.cursor in keys else 0
        self.items = items
        left = self.choices()
        if self.cursor not in left:
            self.cursor = left[min(before, len(left) - 1)] if left else ""
        self.update()

    def height_of(self, items: Sequence[Listed], width: int) -> int:
        return sum(item.height(max(10, width - 4)) for item in items)

    def choices(self) -> list[str]:
        return [item.key for item in self.items if item.free]

    def put(self, key: str) -> None:
        if key in self.choices():
            self.cursor = key
            self.update()

    def step(self, by: int) -> int:
        """Move the cursor, and return the steps that remain at an end of the list."""
        keys = self.choices()
        place = keys.index(self.cursor) + by if self.cursor in keys else 0
        kept = max(0, min(len(keys) - 1, place))
        if keys:
            self.put(keys[kept])
        return place - kept

    def lines(self, width: int, height: int) -> tuple[Sequence[Row], int, int]:
        if self._made[0] is not self.items or self._made[1] != width:
            self._lay_out(width)
        place = self._places.get(self.cursor, -1)
        first, last = (self._starts[place], self._starts[place + 1] - 1) if place >= 0 else (-1, -1)
        total = self._starts[-1]
        shown = window(self.top, first, height, total)
        self.top = shown if last < shown + height else max(0, min(first, last - height + 1))
        cursor = first - self.top if self.chosen_pane and first >= 0 else -1
        return self._between(self.top, self.top + height, width), cursor, total

    def beyond(self, height: int, total: int) -> Beyond:
        ends, starts = self._starts[1:], self._starts[:-1]
        return bisect_right(ends, self.top), len(starts) - bisect_left(starts, self.top + height)

    def _lay_out(self, width: int) -> None:
        self._made, self._rows, self._starts = (self.items, width), {}, [0]
        for item in self.items:
            self._starts.append(self._starts[-1] + item.height(width))
        self._places = {item.key: place for place, item in enumerate(self.items)}

    def _between(self, first: int, last: int, width: int) -> list[Row]:
        rows: list[Row] = []
        place = max(0, bisect_right(self._starts, first) - 1)
        start = self._starts[place]
        while place < len(self.items) and start + len(rows) < last:
            item = self.items[place]
            made = self._rows.get(item.key)
            if made is None:
                made = self._rows[item.key] = item.rows(width)
            rows += made
            place += 1
        return rows[first - start : last - start]
