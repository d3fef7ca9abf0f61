"""The combatants pane: one row for each, in columns that depend on the width alone."""

from __future__ import annotations

from msgspec import Struct

from tracker.core.fight.hiding import seen_words
from tracker.core.fight.state import Combatant, Id, Pool, State
from tracker.core.game.ruleset import Ruleset
from tracker.core.game.schema import Badge, Column
from tracker.views.panes.failing import Fails, badges_of, cell_of, no_matter
from tracker.views.time.marks import ACTING, DONE, budget_words, marks_of, other_badges
from tracker.views.words.moments import effect_words
from tracker.views.words.names import names_of
from tracker.views.words.spans import Row, Span, cells, cut, cut_name, fit
from tracker.views.words.text import clean

__all__ = [
    "Layout",
    "Place",
    "Standing",
    "combatant_header",
    "combatant_row",
    "ground_of",
    "health",
    "layout",
    "standing",
]

MARK, LABEL, TURN, BAR = 2, 3, 6, 9
NAME, NAME_WANTED, NAME_AT_MOST, EFFECTS = 10, 15, 24, 14
GAP = 2
FULL, EMPTY = "█", "░"


class Place(Struct, frozen=True):
    """One of the ruleset's columns as it is shown.

    Its width in all, and whether the bar is drawn.
    """

    column: Column
    width: int
    bar: bool


class Layout(Struct, frozen=True):
    """The columns that fit into a width.

    The widths of the name, of the ruleset's own columns, of the turn and the effects; 0: not shown.
    """

    name: int
    places: tuple[Place, ...]
    turn: int
    effects: int


def layout(ruleset: Ruleset, width: int) -> Layout:
    """Choose the columns for a width.

    Those of the greatest priority number go first, then the bars, the turn, and those of 1. A memo of the ruleset.
    """
    layouts: dict[int, Layout] = ruleset.__dict__.setdefault("_layouts", {})
    if width not in layouts:
        layouts[width] = _layout(ruleset, width)
    return layouts[width]


def _layout(ruleset: Ruleset, width: int) -> Layout:
    columns = list(ruleset.columns)
    bars, turn = True, TURN if _has_badges(ruleset) else 0
    free = width - MARK - LABEL
    while True:
        places = tuple(_place(column, bars) for column in columns)
        left = free - NAME - sum(place.width + GAP for place in places) - turn
        if left >= EFFECTS + GAP:
            break
        optional = [column for column in columns if column.priority > 0]
        bars = bars and any(place.bar for place in places)
        if optional and (max(column.priority for column in optional) > 1 or not (bars or turn)):
            columns.remove(max(reversed(optional), key=lambda column: column.priority))
        elif bars:
            bars = False
        elif turn:
            turn = 0
        elif len(columns) > 1:
            columns.pop()
        else:
            break
    if left < GAP + 3:  # not even a few letters of an effect
        return Layout(
            max(0, NAME + left if not places else min(NAME + left, free)), places if left >= 0 else (), turn, 0
        )
    spare = max(0, left - EFFECTS - GAP)
    name = min(NAME_AT_MOST, NAME + max(min(spare, NAME_WANTED - NAME), spare // 3))
    return Layout(name, places, turn, left - GAP - (name - NAME))


def _place(column: Column, bars: bool) -> Place:
    bar = bars and bool(column.bar)
    return Place(column, max(column.width, len(column.title)) + (BAR if bar else 0), bar)


def _has_badges(ruleset: Ruleset) -> bool:
    """Tell whether badges say what is left of a turn, without a column for it."""
    if any(column.key == "turn" for column in ruleset.columns):
        return False
    return all(ruleset.badges is not default for default in Ruleset.__struct_defaults__)


def combatant_header(ruleset: Ruleset, width: int) -> Row:
    """Return the headings of the columns."""
    places = layout(ruleset, width)
    parts = [" " * (MARK + LABEL) + fit("Name", places.name)]
    for place in places.places:
        parts.append(" " * GAP + fit(place.column.title, place.width, "left" if place.bar else place.column.align))
    if places.turn:
        parts.append(" " * GAP + fit("Turn", places.turn - GAP))
    if places.effects:
        parts.append(" " * GAP + fit("Effects", places.effects))
    return Row("", (Span(cut("".join(parts), width).rstrip(), "dim"),), "head")


class Standing(Struct, frozen=True):
    """All that a combatant's row says.

    As long as it is the same, so is the row.

    Attributes:
        combatant: who it is.
        mark: their glyph in the current slot.
        badges: the ruleset's.
        cells: what the ruleset's columns say, those that are shown.
        ground: what the ends of effects are named after.
        seen: how players see it, where that is not as the GM does.
    """

    combatant: Combatant
    mark: str
    badges: tuple[Badge, ...]
    cells: tuple[str, ...]
    ground: tuple[object, ...]
    seen: str = ""


def ground_of(state: State) -> tuple[object, ...]:
    """Return what the ends of effects are worded with besides the effects.

    That is the round, and all names.
    """
    return (state.clock.round, state.clock.in_round, state.sides, state.gone, names_of(state))


def standing(
    ruleset: Ruleset,
    state: State,
    who: Id,
    width: int,
    ground: tuple[object, ...] = (),
    fails: Fails = no_matter,
) -> Standing:
    """Return what a combatant's row of a width is made of.

    The ground can be shared by many. `fails` is told of each badge or cell that the ruleset fails to give.
    """
    combatant = state[who]
    mark = marks_of(state.clock).of(combatant, ruleset.status(combatant.status))
    cells_of = tuple([cell_of(place.column, state, who, fails) for place in layout(ruleset, width).places])
    return Standing(
        combatant,
        mark,
        badges=badges_of(ruleset, state, who, fails),
        cells=cells_of,
        ground=ground,
        seen=seen_words(state, combatant),
    )


def combatant_row(ruleset: Ruleset, state: State, who: Id, width: int, stands: Standing | None = None) -> Row:
    """Return one combatant's row."""
    stands = standing(ruleset, state, who, width) if stands is None else stands
    combatant, mark, badges = stands.combatant, stands.mark, stands.badges
    places = layout(ruleset, width)
    status = ruleset.status(combatant.status)
    word = "" if status.key == ruleset.statuses[0].key else clean(status.word)
    look = "dim" if not status.acts else state.side(combatant.side).control
    label = combatant.label
    room = places.name + min(0, LABEL - 1 - len(label))
    name = fit(cut_name(clean(combatant.name), room), room)
    spans = [
        Span(f"{mark} ", "strong" if mark == ACTING else "dim"),
        Span(f"{label:<{LABEL - 1}} ", "strong"),
        Span(name, look),
    ]
    for place, said in zip(places.places, stands.cells, strict=True):
        column = place.column
        spans.append(Span(" " * GAP))
        pool = _pool(combatant, column.bar)
        if pool is not None and word and not status.acts and pool.now <= 0:
            spans.append(Span(fit(word, place.width), "bad"))
            word = ""
            continue
        cell = clean(said)
        if not place.bar:
            spans.append(
                Span(fit(cell, place.width, column.align), "" if pool is None or not status.acts else health(pool))
            )
        elif pool is None:
            spans.append(Span(" " * BAR + fit(cell, place.width - BAR, column.align)))
        else:
            level = health(pool)
            spans += (Span(_bar(pool) + " ", level), Span(fit(cell, place.width - BAR, column.align)))
    if places.turn:
        left = clean(budget_words(badges)) if status.acts else ""
        spans.append(Span(" " * GAP + fit(left, places.turn - GAP), "dim" if mark == DONE else ""))
    if places.effects:
        spans.append(Span(" " * GAP))
        texts = _Texts(places.effects)
        if word:
            texts.add(word, "strong" if status.acts else "bad")
        if stands.seen:
            texts.add(clean(stands.seen), "warn")
        looks = {badge.text: "" if badge.kind == "plain" else badge.kind for badge in other_badges(badges)}
        shown = {effect.shown for effect in combatant.effects}
        for text in looks:
            if text not in shown:
                texts.add(clean(text), looks[text])
        for effect in combatant.effects:
            if texts.left <= 1:
                break
            texts.add(effect_words(state, effect), looks.get(effect.shown, ""))
        spans += texts.spans
    kind = "acting" if mark == ACTING else "down" if not status.acts else "done" if mark == DONE else ""
    return Row(who, _within(spans, width), kind)


def _pool(combatant: Combatant, key: str) -> Pool | None:
    if key:
        for pool in combatant.pools:
            if pool.key == key:
                return pool
    return None


def health(pool: Pool) -> str:
    """Return the style of a pool's level.

    `good`, `warn` at a half, `bad` at a quarter.
    """
    if pool.max <= 0 or pool.now * 2 > pool.max:
        return "good"
    return "warn" if pool.now * 4 > pool.max else "bad"


def _bar(pool: Pool) -> str:
    """Return a pool as eight cells.

    Only what is full looks full, only what is empty looks empty.
    """
    size = BAR - 1
    if pool.now <= 0 or pool.max <= 0:
        return EMPTY * size
    full = size if pool.now >= pool.max else max(1, min(size - 1, round(size * pool.now / pool.max)))
    return FULL * full + EMPTY * (size - full)


class _Texts:
    """Texts with commas between them, as many as there is room for."""

    def __init__(self, width: int) -> None:
        self.spans: list[Span] = []
        self.left = width

    def add(self, text: str, style: str) -> None:
        """Add one text, or what of it fits."""
        if self.spans:
            if self.left < 4:
                self.spans.append(Span("…"[: self.left], style))
                self.left = 0
                return
            self.spans.append(Span(", "))
            self.left -= 2
        shown = cut(text, self.left)
        self.spans.append(Span(shown, style))
        self.left = 0 if shown is not text and len(shown) < len(text) else self.left - cells(shown)


def _within(spans: list[Span], width: int) -> tuple[Span, ...]:
    """Return the spans cut to the width where the pane is narrower than any layout."""
    taken = 0
    for place, span in enumerate(spans):
        taken += cells(span.text)
        if taken > width:
            size = cells(span.text)
            return (*spans[:place], Span(cut(span.text, max(0, width - taken + size)), span.style))
    return tuple(spans)
