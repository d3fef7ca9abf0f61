"""The rows of a sheet: the action of each line, in as many words as fit."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from msgspec import Struct
from msgspec.structs import replace

from tracker.core.engine import spec_of
from tracker.core.fight.slots import Id
from tracker.core.fight.state import State
from tracker.core.game.ruleset import Ruleset
from tracker.core.terms.actions import Action, ActionSpec, Field
from tracker.core.terms.values import Value
from tracker.core.terms.words import listed
from tracker.ui.modes.acting.default_actions import WITH_WHAT, PlannedLine, place_field
from tracker.ui.typing.mode import ModeContext, name_spans, target_field, targets_of
from tracker.ui.typing.parser import value_of
from tracker.ui.typing.rows import refusal_spans, visible_rows
from tracker.views.words.spans import Row, Span, cells, cut_name, cut_spans, spread, width_of, wrap_spans
from tracker.views.words.text import clean
from tracker.views.words.values import field_words

FLEES = "flees"
PLAIN = "attack"
"""The name of an action that a line with a target does not show."""


INDENT = 6
"""Cells by which the second row of a line is indented."""


class SheetLine(Struct, frozen=True):
    """A line of a sheet.

    Attributes:
        who: the acting combatant, its move and its targets; ids of combatants are shown with label and name.
        what: the weapon or action, and why it is refused.
        short: the same in fewer words, for one row; (): there are none.
        soft: how many of the last spans of `what` are cut before names are.
        end: the chance, at the right end.
    """

    key: str
    who: tuple[Span | str, ...]
    what: tuple[Span | str, ...] = ()
    short: tuple[Span | str, ...] = ()
    soft: int = 0
    end: str = ""
    style: str = ""

    def rows(self, scene: ModeContext, width: int, most: int) -> tuple[Row, ...]:
        """Return one row with names cut as far as needed, or up to `most` rows without cuts."""
        end = (Span(self.end, "strong"),) if self.end else ()
        taken = width_of(end) + 1 if end else 0
        if most < 2 or not self.is_long(scene, width):
            spans = self._in_one(scene, width - taken, width)
            return (Row(self.key, spread(spans, end if width_of(spans) <= width - taken else (), width), self.style),)
        room = width - INDENT - taken
        below = wrap_spans(_without_lead(truncate_names(scene, self.what, PLENTY)), room)
        if len(below) >= most:
            below = (_without_lead(truncate_names(scene, self.what, room)),)
        lines = [(Span(" " * INDENT), *spans) for spans in below]
        first = cut_spans(truncate_names(scene, self.who, width), width)
        shown = (first, spread(lines[0], end, width), *(cut_spans(line, width) for line in lines[1:]))
        return tuple([Row(self.key, spans, self.style) for spans in shown])

    def _in_one(self, scene: ModeContext, room: int, width: int) -> list[Span]:
        """Return the words for one row: names are cut first, then the action's name, then the chance is left out."""
        firm, soft = self.what[: len(self.what) - self.soft], self.what[len(self.what) - self.soft :]
        spans = list[Span]()
        for what, most in ((firm, room), (self.short or firm, room), (firm, width), (self.short or firm, width)):
            spans = truncate_names(scene, [*self.who, *what], most)
            if width_of(spans) <= most:
                break
        return [*spans, *(span for span in soft if isinstance(span, Span))]

    def is_long(self, scene: ModeContext, width: int) -> bool:
        """Tell whether one row is too short and there are words for a second one."""
        whole = truncate_names(scene, [*self.who, *self.what], PLENTY)
        return bool(self.what) and width_of(whole) + (cells(self.end) + 1 if self.end else 0) > width


PLENTY = 10_000


def _without_lead(spans: Sequence[Span]) -> tuple[Span, ...]:
    """Return the words of a second row, without the blanks or dot that separate them in one row."""
    lead, *rest = spans
    if not lead.text.strip() and rest:
        lead, *rest = rest
    return (Span(lead.text.removeprefix(" · ").lstrip(), lead.style), *rest)


def sheet_rows(scene: ModeContext, lines: Sequence[SheetLine], here: int, width: int, room: int) -> tuple[Row, ...]:
    """Return the rows of a sheet's lines: several for a long chosen line, then for as many long lines as fit.

    The rows of the chosen line never push another line out of sight.
    """
    if not lines:
        return ()
    chosen = lines[here].rows(scene, width, 1 if len(lines) == room else max(2, room - len(lines) + 1))
    spare = room - len(lines) + 1 - len(chosen)
    rows: list[Row] = []
    for place, line in visible_rows(tuple(enumerate(lines)), here, max(1, room - len(chosen) + 1)):
        made = chosen if place == here else line.rows(scene, width, 1 + max(0, spare))
        spare -= len(made) - 1 if place != here else 0
        rows += made
    return tuple(rows)[:room]


def planned_line(scene: ModeContext, line: PlannedLine, here: bool, number: int) -> SheetLine:
    key, style = f"line:{number}", "current" if here else ""
    parts: list[Span | str] = [Span("▸ " if here else "  ", "title"), line.by]
    outlook = line.outlook
    if line.out or outlook is None or outlook.spec is None or line.action is None:
        return SheetLine(key, (*parts, Span("  left out", "dim")), style=style)
    spec, people = outlook.spec, () if outlook.words == FLEES else targets_of(outlook.spec, line.action)
    parts += [Span(f" · {outlook.way}", "dim")] if outlook.way else []
    for place, who in enumerate(people):
        parts += [Span(" → " if place == 0 else ", ", "dim"), who]
    if spec.refusal is not None:
        why = (Span("  "), *refusal_spans(spec.refusal))
        what = () if people else _action_spans(line, outlook.words, alone=True)
        return SheetLine(key, tuple(parts), (*what, *why), soft=len(why), style=style)
    risk = (Span(f" ! {clean(spec.does)}", "warn"),) if spec.does else ()
    what, short = ((*_action_spans(line, words, alone=not people), *risk) for words in (outlook.words, outlook.short))
    return SheetLine(key, tuple(parts), what, short, end=scene.chance(line.action), style=style)


def _action_spans(line: PlannedLine, words: str, *, alone: bool) -> tuple[Span, ...]:
    """Return the action of a line, to follow its combatant (`alone`) or its targets."""
    return (Span(f"{'  ' if alone else ' · '}{words}", "strong" if line.typed else "dim"),) if words else ()


def idle_rows(scene: ModeContext, lines: Sequence[PlannedLine], width: int) -> tuple[Row, ...]:
    people = [scene.model.state.get(line.by) for line in lines if line.action is None and not line.out]
    labels = " ".join(person.label for person in people if person is not None)
    if not labels:
        return ()
    return (Row("idle", cut_spans((Span("  "), Span(labels, "strong"), Span(": nothing planned", "dim")), width)),)


def coming_line(who: Id) -> SheetLine:
    return SheetLine(f"coming:{who}", (Span("  "), who, Span("  …", "dim")))


def action_words(ruleset: Ruleset, state: State, spec: ActionSpec, action: Action) -> tuple[str, str]:
    """Return an action in words: weapon, spell or name, other choices, number of attacks, and the place.

    The second words leave out the name of the action if the other words are enough.
    """
    if action.by is None:
        return FLEES, FLEES
    target = target_field(spec)
    people = targets_of(spec, action)
    with_what, chosen = list[str](), list[str]()
    for field in spec.fields:
        value = value_of(field, action)
        shown = field_words(state, field, value) if field.kind == "choice" else ""
        if field.name in WITH_WHAT and shown:
            with_what.append(_short(value, shown))
        elif field.kind == "rows":
            with_what += _of_rows(field, value)
        elif field.required and field != target and shown:
            chosen.append(shown)
    label = clean(spec.label).casefold()
    plain = people and (with_what or label == PLAIN or PLAIN in chosen)
    words = with_what[:1] or chosen[:1]
    words += [more for more in _more(ruleset, state, spec, action) if more not in words]
    words = [word for word in words if word != PLAIN or not people]
    place = _place_words(state, spec, action)
    word = ", ".join(words)
    if plain and not place:
        return word, word
    where = place and f"to {place}"
    return " ".join(filter(None, (label, word, where))), " ".join(filter(None, (word or label, where)))


def way_words(ruleset: Ruleset, state: State, opener: Action) -> str:
    """Return the place to which an opener moves, else its name; and its helpers."""
    spec = spec_of(ruleset, state, opener)
    place = _place_words(state, spec, opener)
    target = target_field(spec)
    others = [
        field_words(state, field, value_of(field, opener))
        for field in spec.fields
        if field.kind == "combatants" and field != target and value_of(field, opener)
    ]
    helped = f" with {listed(others)}" if others else ""
    return f"{place or clean(spec.label).casefold()}{helped}"


def _short(value: Value, words: str) -> str:
    """Return the name in the words of an option: `mace` of `mace SC 84`."""
    name = clean(value) if isinstance(value, str) else ""
    return name if name and words.startswith(name) else words


def _of_rows(field: Field, value: Value) -> list[str]:
    """Return the weapons of several attacks, each with its number of uses: `longbow ×3`."""
    if not isinstance(value, tuple) or not any(column.name in WITH_WHAT for column in field.columns):
        return []
    cells = [cell for row in value if isinstance(row, tuple) for cell in row if isinstance(cell, tuple)]
    used = Counter(clean(str(cell[1])) for cell in cells if cell[0] in WITH_WHAT)
    return [", ".join(f"{name} ×{many}" if many > 1 else name for name, many in used.items())] if used else []


def _more(ruleset: Ruleset, state: State, spec: ActionSpec, action: Action) -> Iterator[str]:
    """Yield the other values of an action: those that are not defaults, and those that are always shown."""
    target, where = target_field(spec), place_field(spec)
    for field in spec.fields:
        if field.name in WITH_WHAT or field in (target, where) or field.kind == "rows":
            continue
        value = value_of(field, action)
        if not value or not (field.told or _is_chosen(ruleset, state, action, field.name)):
            continue
        if field.kind == "flag":
            yield clean(field.shown)
        elif field.kind == "number":
            yield f"{field.name.replace('_', ' ')} {value}"
        else:
            yield field_words(state, field, value)


def _is_chosen(ruleset: Ruleset, state: State, action: Action, name: str) -> bool:
    """Tell whether the value of a field is not the default of the form."""
    if action.get(name) is None:
        return False
    bare = replace(action, fields=tuple(pair for pair in action.fields if pair[0] != name))
    usual = spec_of(ruleset, state, bare).field(name)
    return usual is not None and usual.default != action.get(name)


def _place_words(state: State, spec: ActionSpec, action: Action) -> str:
    where = place_field(spec)
    return "" if where is None else field_words(state, where, value_of(where, action))


LEAST = 4
"""Cells that a readable name needs."""
TARGETS, ACTOR = slice(1, None), slice(1)
SHORTER = ((slice(None), 8), (ACTOR, 4), (ACTOR, 0), (TARGETS, 4), (TARGETS, 0))
"""Names that are cut one after another while a line is too long, and the cells each keeps: `Gale… 1`, `Ga…1`.

Of a name without cells only the label is shown. The acting combatant is cut before its targets.
"""


def truncate_names(scene: ModeContext, parts: Sequence[Span | str], width: int) -> list[Span]:
    """Return spans with a name for each combatant's id, the actor's first, cut if they do not fit."""
    spans: list[Span] = []
    names: list[int] = []
    for part in parts:
        if isinstance(part, Span):
            spans.append(part)
            continue
        spans += name_spans(scene, part)
        names.append(len(spans) - 1)
    whole = {place: spans[place] for place in names}
    for which, least in SHORTER:
        for place in reversed(names[which]):
            over = width_of(spans) - width
            if over <= 0:
                break
            taken = cells(spans[place].text)
            kept = max(min(least, taken), taken - over)
            short = cut_name(whole[place].text, kept) if kept >= LEAST else ""
            spans[place] = Span(short, spans[place].style)
            if not short and place:  # nothing follows the label
                spans[place - 1] = Span(spans[place - 1].text.rstrip(), spans[place - 1].style)
    for place in (*names[TARGETS], *names[ACTOR]):  # names get the cells that a removed name leaves
        room = width - width_of(spans) + cells(spans[place].text)
        if spans[place].text:
            spans[place] = Span(cut_name(whole[place].text, room), spans[place].style)
    return spans
