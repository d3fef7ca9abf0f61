"""The columns of the combatants pane: names first, then ends of effects, then the rest."""

from __future__ import annotations

from msgspec import Struct
from msgspec.structs import replace

from tracker.core.fight.state import State
from tracker.core.game.ruleset import Ruleset
from tracker.core.game.schema import Column
from tracker.views.words.ruleset_answers import cell_of, tolerate
from tracker.views.words.spans import Row, Span, cells, cut, fit

MARK, WIDE_MARK, LABEL, TURN = 2, 4, 3, 6
BAR, WIDE_BAR = 8, 16
NAME, NAME_USUAL, NAME_AT_MOST, NAME_WITH_ROOM = 10, 15, 28, 60
EFFECTS, EFFECTS_LEAST, EFFECTS_CALM, EFFECTS_ENOUGH, EFFECTS_PLENTY = 14, 9, 9, 24, 56
ROOMY = 64
"""The least cells of a pane in which the icon of a combatant's gravest event has a column of its own."""
GAP = 2
CROWD = 60
"""The number of combatants above which not every cell is measured."""


class Place(Struct, frozen=True):
    """A column of the ruleset as shown: its whole width, and the width of its bar with the blank behind it."""

    column: Column
    width: int
    bar: int


class Layout(Struct, frozen=True):
    """The columns that fit into a width, with the widths of the program's own columns; 0: not shown.

    `flows`: no combatant has effects, and the last column takes their place; other texts follow its words.
    """

    mark: int
    name: int
    places: tuple[Place, ...]
    turn: int
    effects: int
    flows: bool = False

    def without(self, ruleset: Ruleset) -> tuple[Column, ...]:
        """Return the columns of long words that do not fit."""
        if not any(column.most for column in ruleset.columns):
            return ()
        shown = {place.column.key for place in self.places}
        return tuple(column for column in ruleset.columns if column.most and column.key not in shown)


class Wanted(Struct, frozen=True):
    """The width of texts: of the longest name, and of the longest cell of each column (default: the ruleset's width).

    `effects` is the width that long words leave for effects.
    """

    name: int = NAME_USUAL
    cells: tuple[int, ...] = ()
    effects: int = EFFECTS_ENOUGH

    def of(self, ruleset: Ruleset, column: Column) -> int:
        return max(min(self.full(ruleset, column), column.width), cells(column.title))

    def full(self, ruleset: Ruleset, column: Column) -> int:
        place = ruleset.columns.index(column)
        return self.cells[place] if place < len(self.cells) else column.width

    def grown(self, ruleset: Ruleset, plan: Layout, texts: tuple[str, ...]) -> Wanted:
        """Return the same, wide enough for the cells of a row."""
        shown = list(zip(plan.places, texts, strict=True))
        if not self.cells or all(len(text) <= place.width - place.bar for place, text in shown):
            return self
        wide = list(self.cells)
        for place, text in shown:
            at = ruleset.columns.index(place.column)
            if not place.column.most:
                wide[at] = max(wide[at], min(place.column.width, cells(text)))
        return Wanted(self.name, tuple(wide))

    def stretched(self, ruleset: Ruleset, state: State) -> Wanted:
        """Return the same with the full width for long words if some are long, and less for effects if none exist."""
        if not any(column.most for column in ruleset.columns):
            return self
        wide, people = list(self.cells), state.combatants
        for at, column in enumerate(ruleset.columns[: len(wide)]):
            if column.most:
                sizes = (cells(cell_of(column, state, one.id, tolerate)) for one in people)
                if len(people) > CROWD or any(size > column.width for size in sizes):
                    wide[at] = column.most
        calm = not any(one.effects for one in people)
        return Wanted(self.name, tuple(wide), EFFECTS_CALM if calm else EFFECTS_ENOUGH)


USUAL = Wanted()


def wanted(ruleset: Ruleset, state: State, name: int) -> Wanted:
    """Return the widths of the texts of a fight; of a crowd only the columns of every screen are measured."""
    wide: list[int] = []
    crowd = len(state.combatants) > CROWD
    for column in ruleset.columns:
        # Long words change often and are not measured: a state looks the same whichever way the fight reached it.
        people = () if column.most or (crowd and column.priority) else state.combatants
        widths = [cells(cell_of(column, state, one.id, tolerate)) for one in people]
        wide.append(min(max(column.width, column.most), max(widths)) if widths else column.width)
    return Wanted(name, tuple(wide))


def layout(ruleset: Ruleset, width: int, texts: Wanted = USUAL) -> Layout:
    """Choose the columns for a width.

    Names and effects are kept. Of the rest, columns of the greatest priority number are left out first, then the turn,
    the bars, and columns of priority 1. The layouts are cached in the ruleset.
    """
    layouts: dict[tuple[int, Wanted], Layout] = ruleset.__dict__.setdefault("_layouts", {})
    if (width, texts) not in layouts:
        if len(layouts) > 100:
            layouts.clear()
        layouts[width, texts] = _layout(ruleset, width, texts)
    return layouts[width, texts]


def _layout(ruleset: Ruleset, width: int, texts: Wanted) -> Layout:
    longest = max(NAME // 2, min(texts.name, NAME_WITH_ROOM))
    columns, name = list(ruleset.columns), min(longest, NAME_AT_MOST)
    bar, turn = BAR, TURN if _has_badges(ruleset) else 0
    mark = WIDE_MARK if width >= ROOMY else MARK
    free = width - mark - LABEL
    while True:
        places = tuple(_place(ruleset, column, texts, bar) for column in columns)
        left = free - name - sum(place.width + GAP for place in places) - turn
        if left >= EFFECTS + GAP:
            break
        optional = [column for column in columns if column.priority > 0]
        drawn = bar > 0 and any(place.bar for place in places)
        if optional and (max(column.priority for column in optional) > 1 or not (drawn or turn)):
            columns.remove(max(reversed(optional), key=lambda column: column.priority))
        elif turn:
            turn = 0
        elif drawn:
            bar = 0
        elif left >= EFFECTS_LEAST + GAP:
            break
        elif name > NAME:
            name = max(NAME, name - (EFFECTS_LEAST + GAP - left))
        elif len(columns) > 1:
            columns.pop()
        else:
            break
    if left < GAP + 3:  # not even a few letters of an effect
        narrow = name + left if not places else min(name + left, free)
        return Layout(mark, max(0, narrow), places if left >= 0 else (), turn, 0)
    more = max(0, min(longest - name, left - GAP - EFFECTS_ENOUGH))
    name, left = name + more, left - more
    for at, place in enumerate(places):
        wider = max(0, min(texts.full(ruleset, place.column) + place.bar - place.width, left - GAP - texts.effects))
        if place.column.most and wider:
            places, left = (*places[:at], replace(place, width=place.width + wider), *places[at + 1 :]), left - wider
    if bar and left >= EFFECTS_PLENTY + WIDE_BAR - BAR:
        longer = WIDE_BAR - BAR
        left -= longer * sum(place.bar > 0 for place in places)
        places = tuple(
            replace(place, width=place.width + longer, bar=place.bar + longer) if place.bar else place
            for place in places
        )
    if texts.effects == EFFECTS_CALM and places and places[-1].column.most and not turn:
        last = replace(places[-1], width=places[-1].width + left)
        return Layout(mark, name, (*places[:-1], last), turn, 0, flows=True)
    return Layout(mark, name, places, turn, left - GAP)


def _place(ruleset: Ruleset, column: Column, texts: Wanted, bar: int) -> Place:
    taken = bar + 1 if bar and (column.bar or column.gauge is not None) else 0
    return Place(column, texts.of(ruleset, column) + taken, taken)


def _has_badges(ruleset: Ruleset) -> bool:
    """Tell whether badges show the unused actions of a turn, and no column does."""
    if any(column.key == "turn" for column in ruleset.columns):
        return False
    return all(ruleset.badges is not default for default in Ruleset.__struct_defaults__)


def header(ruleset: Ruleset, plan: Layout, width: int) -> Row:
    parts = [" " * (plan.mark + LABEL) + fit("Name", plan.name)]
    for place in plan.places:
        parts.append(" " * GAP + fit(place.column.title, place.width, "left" if place.bar else place.column.align))
    if plan.turn:
        parts.append(" " * GAP + fit("Turn", plan.turn - GAP))
    if plan.effects:
        every = " · ".join([*(column.title for column in plan.without(ruleset)), "Effects"])
        parts.append(" " * GAP + fit(every if cells(every) <= plan.effects else "Effects", plan.effects))
    return Row("", (Span(cut("".join(parts), width).rstrip(), "dim"),), "head")
