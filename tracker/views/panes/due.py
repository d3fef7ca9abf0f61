"""What ends or fires next, one line each: `R4 · h: blessed`."""

from __future__ import annotations

import re
from collections.abc import Iterator

from msgspec import Struct

from tracker.core.fight.state import State
from tracker.core.game.ruleset import Ruleset
from tracker.core.terms.words import possessive
from tracker.views.time.calendar import Due, When, calendar
from tracker.views.words.spans import Row, Span, cells, cut, wrap_spans
from tracker.views.words.text import clean

MOST_DUE, MOST_LINES = 12, 6
LEAST = 6
"""Cells that what happens keeps beside a long moment."""
_ROUND = re.compile(r"(start|end) of round (\d+)")
_TURN = re.compile(r"(start|end) of (?:the )?(.+?)(?:, round \d+)?")
FIGHT_END = "end of the fight"


def due_rows(ruleset: Ruleset, state: State, width: int, room: int | None = None) -> list[Row]:
    """Return what comes next, the same of several at one moment in one line.

    Long lines are wrapped as far as there is room, the soonest first, else cut.
    """
    told = [_told(state, dues) for dues in _alike(calendar(ruleset, state, MOST_DUE))][:MOST_LINES]
    spare = 100 if room is None else max(0, room - len(told))
    rows: list[Row] = []
    for one in told:
        lines = one.rows(width, 1 + spare)
        spare -= len(lines) - 1
        rows += lines
    return rows


class _Told(Struct, frozen=True):
    """One line of what comes: the moment, whose labels, and what."""

    key: str
    when: str
    labels: str
    what: str
    rules: tuple[str, ...]

    def rows(self, width: int, most: int) -> list[Row]:
        """Return it in so many lines at most."""
        spans = (Span(self.when, "dim"), Span(" · ", "dim"), Span(self.labels + self.what))
        lines = wrap_spans(spans, width, 2)
        if len(lines) > most:
            if most == 1:
                return [self.row(width)]
            rest = " ".join("".join(span.text for span in line).strip() for line in lines[most - 1 :])
            lines = (*lines[: most - 1], (Span("  " + cut(rest, width - 2)),))
        return [Row(self.key, line, rules=self.rules) for line in lines]

    def row(self, width: int) -> Row:
        """Return what of it fits in one line: labels give way first."""
        when = cut(self.when, max(4, width - min(cells(self.what), LEAST) - 3))
        left = max(1, width - cells(when) - 3)
        labels = self.labels
        if cells(labels + self.what) > left:
            labels = cut(labels, max(3, left - cells(self.what)))
        spans = (Span(when, "dim"), Span(" · ", "dim"), Span(cut(labels + self.what, left)))
        return Row(self.key, spans, rules=self.rules)


def _told(state: State, dues: list[Due]) -> _Told:
    first = dues[0]
    people = [one for due in dues if (one := state.get(due.key.partition("#")[0])) is not None]
    labels, what = " ".join(one.label for one in people), first.line
    if first.kind == "effect":
        named = first.what.removesuffix(" ends")
        what = f": {named}" if labels else f"{named} ({first.who})" if first.who else named
    if first.secret:
        labels, what = f"({labels}", f"{what}, secret)"
    who = clean(people[0].name) if people else ""
    when = " or ".join(_when(moment, who) for moment in first.moments)
    return _Told(f"due:{first.key}", when, labels, what, (first.rule,) if first.rule else ())


def _alike(dues: tuple[Due, ...]) -> Iterator[list[Due]]:
    """Yield what comes, the same of several combatants at one moment together."""
    groups: dict[object, list[Due]] = {}
    for due in dues:
        same = (due.moment, due.what, due.secret) if due.kind == "effect" else due.key
        groups.setdefault(same, []).append(due)
    yield from groups.values()


def _when(moment: When, who: str) -> str:
    """Return a moment in few signs: `R4`, `R4 end`, `R4 Ava's turn`, `fight end`.

    The turn of the one it is about needs no name.
    """
    if moment.words == FIGHT_END:
        return "fight end"
    found = _ROUND.fullmatch(moment.words)
    if found is not None:
        return f"R{found[2]}" + (" end" if found[1] == "end" else "")
    found = _TURN.fullmatch(moment.words)
    if found is None or not moment.round:
        return moment.words
    what = found[2].replace("next turn", "turn")
    what = what if not who or what != f"{possessive(who)} turn" else "turn"
    return f"R{moment.round} {what}" + (" end" if found[1] == "end" else "")
