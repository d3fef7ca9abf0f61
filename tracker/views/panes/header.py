"""The header line: fight, game, moment, and whether this is the present."""

from __future__ import annotations

from collections.abc import Sequence

from tracker.core.fight.settings import exceptions, rolls_for, side_rolled
from tracker.core.fight.slots import Id
from tracker.core.fight.state import State
from tracker.core.game.ruleset import Ruleset
from tracker.core.terms.words import minus, possessive
from tracker.views.panes.side_points import Totals, points_spans
from tracker.views.words.moments import time_words
from tracker.views.words.sides import allegiance_of
from tracker.views.words.spans import Row, Span, cells, cut, cut_spans, width_of
from tracker.views.words.text import clean, key_words

SHORTEST = 6
BETWEEN = 4
"""Cells between the sides' points and the texts beside them."""
LONGEST_DICE, MOST_SINGLE = 24, 4
PAST, READ_ONLY, WHAT_IF, HELD = "PAST", "READ ONLY", "WHAT-IF", "SCREEN HELD"


def header_line(
    ruleset: Ruleset,
    state: State,
    width: int,
    *,
    title: str = "",
    resumed: str = "",
    past: bool = False,
    read_only: bool = False,
    problem: str = "",
    trial: bool = False,
    held: bool = False,
    dice: bool = False,
    active: Id | None = None,
    earlier: Sequence[Totals] = (),
    lasted: int | None = None,
) -> Row:
    """Return title and game at the left, then the moment and the acting combatant, the sides' points, then marks.

    With `dice` the first mark names the sides whose dice the program rolls. `earlier` has the sides' points at the
    beginning of the last rounds. `lasted`: the seconds for which this turn has lasted, None if they are not shown.
    If the line is too long, the game's name is left out first, then the points, then the title is cut.
    """
    name, game = clean(title or state.title), clean(ruleset.title)
    turn = "" if lasted is None else f" · turn {lasted // 60}:{lasted % 60:02}"
    time = Span(f" · {time_words(state.clock.seconds)}{turn}")
    moment = [*_moment(ruleset, state, active), time]
    shown = (
        (trial, WHAT_IF, "trial"),
        (past, PAST, "past"),
        (read_only, READ_ONLY, "warn"),
        (held, HELD, "warn"),
        (bool(problem), clean(problem), "bad"),
    )
    marks = [span for is_on, words, style in shown if is_on for span in (Span(" "), Span(words, style))]
    if width_of(moment) + width_of(marks) + 3 + SHORTEST > width:
        moment = [*_moment(ruleset, state, None), time]
    middle = width_of(moment)
    if resumed and not marks and width - middle - cells(name) >= len(resumed) + 12:
        marks = [Span(" "), Span(f"resumed {clean(resumed)}", "dim")]
    if dice:
        marks = [Span(" "), Span(dice_words(state), "dim"), *marks]
    end, kind = width_of(marks), "past" if past else "trial" if trial else ""
    if middle + end + 3 + SHORTEST > width:  # the moment is most important, then the marks
        return Row("header", cut_spans([Span(" "), *moment, *marks], width), kind)
    room = width - middle - end - 3
    full = f"{name} · {game}"
    points = _points(ruleset, state, earlier, room - cells(name) - BETWEEN) if not state.clock.over else ()
    if points:
        marks = [Span(" "), *points, *((Span("  "), *marks) if marks else ())]
        end, room = width_of(marks), width - middle - width_of(marks) - 3
    left = full if cells(full) <= room else cut(name, room)
    start = max(cells(left) + 3, min((width - middle) // 2, width - end - middle - 1))
    spans = (Span(" "), Span(left, "title"), Span(" " * (start - 1 - cells(left))), *moment)
    if marks:
        spans = (*spans, Span(" " * (width - start - middle - end)), *marks)
    return Row("header", spans, kind)


def _points(ruleset: Ruleset, state: State, earlier: Sequence[Totals], room: int) -> tuple[Span, ...]:
    """Return the points of all sides, without bars if these do not fit; none if a side does not fit."""
    for bars in (earlier, ()) if earlier else ():
        spans = points_spans(ruleset, state, bars)
        if width_of(spans) <= room:
            return spans
    return ()


def _moment(ruleset: Ruleset, state: State, active: Id | None) -> list[Span]:
    words, clock = moment_words(state), state.clock
    actor, slot = state.get(active), clock.current
    if slot is None or clock.over or slot.turns == "none" or (actor is None and slot.side is None):
        return [Span(words, "strong")]
    style = f"turn-{allegiance_of(ruleset, state, slot.side or '' if actor is None else actor.side)}"
    lead, between, what = words.rpartition(" · ")
    named = actor is None or clean(actor.name) in what
    behind = ", then" if slot.turns == "opened" and clock.acting is not None else ":"
    whose = what if named or actor is None else f"{what}{behind} {actor.label} {clean(actor.name)}"
    return [Span(lead + between, "strong"), Span(whose, style)]


def dice_words(state: State) -> str:
    """Return the sides whose dice the program rolls: `⚄ foes`, or `⚄ foes −h` if h is an exception."""
    sides = [side for side in state.sides if side_rolled(state, side.id)]
    foes = [side for side in state.sides if side.control == "gm"]
    if len(sides) == len(state.sides):
        words = "all"
    elif sides == foes:
        words = "foes"
    else:
        words = ", ".join(clean(side.name) for side in sides) or "none"
    single = [f"{'+' if rolls_for(state, who) else '−'}{state[who].label}" for who in exceptions(state)]
    return " ".join((f"⚄ {cut(words, LONGEST_DICE)}", *single[:MOST_SINGLE]))


def moment_words(state: State) -> str:
    """Return the moment of a fight: `Round 2 · Party's turn`."""
    clock = state.clock
    slot = clock.current
    if slot is None or (clock.over and slot.stage != "closing"):
        return "Fight over" if clock.over else f"Round {clock.round}" if clock.round else "Set-up"
    words = slot.title or key_words(slot.phase)
    if clock.acting is not None and slot.turns == "opened":
        words = f"{possessive(state.name(clock.acting))} turn"
    elif slot.turns != "none":
        owners = [slot.side] if slot.side is not None else []
        owners += slot.members if len(slot.members) == 1 else ()
        names = [state.name(owner) for owner in owners]
        words = next((f"{possessive(name)} turn" for name in names if slot.title in ("", name)), words)
    if slot.segment is not None:
        words = f"segment {minus(slot.segment)} · {words}" if words else f"segment {slot.segment}"
    lead = "Fight over" if clock.over else f"Round {clock.round}" if clock.round or clock.in_round else "Set-up"
    return clean(lead if words in ("", lead) else f"{lead} · {words}")
