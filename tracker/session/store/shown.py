"""The players' view in the journal, in parts: a step writes only those it changes.

A part is what does not change with the others: the fight itself, each place in the order, each combatant, the map, how
it stands at the table. A view that came whole, from a file or an older journal, is the fight's part alone until the
next step. While the GM holds the screen, only the table is written: what players see stays as it was.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable
from typing import TypeAlias, TypeVar

import msgspec
from msgspec import Raw, Struct
from msgspec.structs import replace

from tracker.core.fight.memo import differing
from tracker.session.rows import ShownRow
from tracker.views.public.shape import Public, PublicAsk, Table

__all__ = ["WHOLE", "Shown", "whole"]

WHOLE = ("fight", 0)
"""The key of the fight's own part: kind and place."""
LISTS, SINGLES = ("order", "combatants"), ("board", "table")
SALT = ("salt", 0)

_Kind = TypeVar("_Kind")
_Parts: TypeAlias = dict[str, tuple[Struct | str, ...]]


class Shown:
    """What stands in the journal of one fight's view.

    Attributes:
        salt: what the ids of this fight are made with.
        paused: the GM holds the screen.
    """

    def __init__(self, rows: Iterable[ShownRow] = ()) -> None:
        self._texts = _texts(rows)
        self._parts: _Parts = {}
        self._next: _Parts = {}
        self.salt = _read(self._texts.get(SALT), str) or os.urandom(16).hex()
        self.paused = (_read(self._texts.get(("table", 0)), Table) or Table()).mode == "paused"

    @property
    def ask(self) -> PublicAsk | None:
        """The die a player is asked for, as it stands in the journal."""
        table = _read(self._texts.get(("table", 0)), Table)
        return None if table is None else table.ask

    def changes(self, view: Public | None, encode: Callable[[object], bytes], table: Table) -> tuple[ShownRow, ...]:
        """Return the rows that bring the stored view to this one.

        None: no view could be made. They count once `took` is told that they were written.
        """
        if self.paused:
            return self.tabled(encode, table)
        parts: _Parts = {"salt": (self.salt,), "table": (self._mode(table),)}
        if view is not None:
            parts["fight"] = (replace(view, order=(), combatants=(), board=None, table=Table()),)
            parts |= {"order": view.order, "combatants": view.combatants}
            parts["board"] = () if view.board is None else (view.board,)
        return self._rows(parts, encode)

    def tabled(self, encode: Callable[[object], bytes], table: Table) -> tuple[ShownRow, ...]:
        """Return the rows that bring only the table to this one."""
        text = encode(self._mode(table))
        self._next = self._parts | {"table": (self._mode(table),)}
        return () if self._texts.get(("table", 0)) == text else (ShownRow("table", 0, text),)

    def _mode(self, table: Table) -> Table:
        return Table("paused", table.ask) if self.paused else table

    def _rows(self, parts: _Parts, encode: Callable[[object], bytes]) -> tuple[ShownRow, ...]:
        self._next, texts = parts, self._texts
        rows: list[ShownRow] = []
        for kind, made in parts.items():
            known = self._parts.get(kind, ())
            shared = min(len(made), len(known))
            for place in (*differing(made[:shared], known), *range(shared, len(made))):
                text = encode(made[place])
                if texts.get((kind, place)) != text:
                    rows.append(ShownRow(kind, place, text))
        wanted = sum(map(len, parts.values()))
        if len(texts) + sum((row.kind, row.place) not in texts for row in rows) != wanted:
            rows += [ShownRow(kind, place, None) for kind, place in texts if place >= len(parts.get(kind, ()))]
        return tuple(rows)

    def took(self, rows: Iterable[ShownRow]) -> None:
        """Remember what was written."""
        for row in rows:
            if row.text is None:
                self._texts.pop((row.kind, row.place), None)
            else:
                self._texts[row.kind, row.place] = row.text
        self._parts = self._next


def _texts(rows: Iterable[ShownRow]) -> dict[tuple[str, int], bytes]:
    return {(row.kind, row.place): row.text for row in rows if row.text is not None}


def whole(rows: Iterable[ShownRow]) -> bytes | None:
    """Return a view put together from its rows.

    None where there is none, or where it cannot be read.
    """
    texts = _texts(rows)
    texts.pop(SALT, None)
    first = texts.pop(WHOLE, None)
    if first is None or not texts:
        return first
    view = _read(first, dict[str, Raw])
    if view is None:
        return None
    for name in LISTS:
        view[name] = Raw(b"[" + b",".join(texts[key] for key in sorted(texts) if key[0] == name) + b"]")
    for name in SINGLES:
        if (name, 0) in texts:
            view[name] = Raw(texts[name, 0])
    return msgspec.json.encode(view)


def _read(text: bytes | None, kind: type[_Kind]) -> _Kind | None:
    """Return a part, or None where it is not there or cannot be read."""
    if text is None:
        return None
    try:
        return msgspec.json.decode(text, type=kind)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return None
