"""The players' view in the journal, in parts: a step writes only those it changes.

A part is what does not change with the others: the fight itself, each place in the order, each combatant. A view that
came whole, from a file or an older journal, is the fight's part alone until the next step.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TypeAlias

import msgspec
from msgspec import Raw
from msgspec.structs import replace

from tracker.core.fight.memo import differing
from tracker.session.rows import ShownRow
from tracker.views.public import Public, PublicCombatant, PublicSlot

__all__ = ["WHOLE", "Shown", "whole"]

WHOLE = ("fight", 0)
"""The key of the fight's own part: kind and place."""

_Parts: TypeAlias = dict[str, tuple[Public | PublicSlot | PublicCombatant, ...]]


class Shown:
    """What stands in the journal of one fight's view."""

    def __init__(self, rows: Iterable[ShownRow] = ()) -> None:
        self._texts = _texts(rows)
        self._parts: _Parts = {}
        self._next: _Parts = {}

    def changes(self, view: Public | None, encode: Callable[[object], bytes]) -> tuple[ShownRow, ...]:
        """Return the rows that bring the stored view to this one.

        None: no view could be made. They count once `took` is told that they were written.
        """
        self._next = (
            {}
            if view is None
            else {
                "fight": (replace(view, order=(), combatants=()),),
                "order": view.order,
                "combatants": view.combatants,
            }
        )
        texts = self._texts
        rows: list[ShownRow] = []
        for kind, parts in self._next.items():
            known = self._parts.get(kind, ())
            shared = min(len(parts), len(known))
            for place in (*differing(parts[:shared], known), *range(shared, len(parts))):
                text = encode(parts[place])
                if texts.get((kind, place)) != text:
                    rows.append(ShownRow(kind, place, text))
        wanted = sum(map(len, self._next.values()))
        if len(texts) + sum((row.kind, row.place) not in texts for row in rows) != wanted:
            rows += [ShownRow(kind, place, None) for kind, place in texts if place >= len(self._next.get(kind, ()))]
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
    first = texts.pop(WHOLE, None)
    if first is None or not texts:
        return first
    try:
        view = msgspec.json.decode(first, type=dict[str, Raw])
    except (msgspec.DecodeError, UnicodeDecodeError):
        return None
    for name in ("order", "combatants"):
        view[name] = Raw(b"[" + b",".join(texts[key] for key in sorted(texts) if key[0] == name) + b"]")
    return msgspec.json.encode(view)
