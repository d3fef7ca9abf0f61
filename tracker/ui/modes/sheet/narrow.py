"""Lines with names that give way where there is little room."""

from __future__ import annotations

from collections.abc import Sequence

from tracker.ui.typing.mode import Scene, name_spans
from tracker.views.words.spans import Span, cells, cut_name, width_of

__all__ = ["squeezed"]

LEAST = (8, 4)
"""Cells that a name keeps as long as that is enough, and then: `Gale… 1`, `Ga…1`."""


def squeezed(scene: Scene, parts: Sequence[Span | str], width: int) -> list[Span]:
    """Return spans in which each text is a combatant's id, with its label and name.

    The last names are cut first, as far as there is no room for all.
    """
    spans: list[Span] = []
    names: list[int] = []
    for part in parts:
        if isinstance(part, Span):
            spans.append(part)
            continue
        spans += name_spans(scene, part)
        names.append(len(spans) - 1)
    whole = {place: spans[place] for place in names}
    for least in LEAST:
        for place in reversed(names):
            over = width_of(spans) - width
            if over <= 0:
                return spans
            taken = cells(spans[place].text)
            short = cut_name(whole[place].text, max(min(least, taken), taken - over))
            spans[place] = Span(short, spans[place].style)
    return spans
