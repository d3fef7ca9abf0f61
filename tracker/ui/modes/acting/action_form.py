"""The action form: every field of an action's specification, changed by typing.

The specification is computed again with the present values, so options, defaults and refusals follow the choices.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import ClassVar

from msgspec.structs import replace
from typing_extensions import override

from tracker.core.terms.actions import Action, ActionSpec, Field
from tracker.core.terms.values import Value
from tracker.ui.keys.command import Footer
from tracker.ui.typing.action_line import with_usual
from tracker.ui.typing.entry import Entry
from tracker.ui.typing.mode import Delivery, Mode, ModeContext, Result, deliver, name_spans
from tracker.ui.typing.parser import options_of, read_field, value_of
from tracker.ui.typing.rows import listed_rows, option_number, problem_rows, refusal_spans, visible_rows, wrapped_rows
from tracker.views.words.prompts import option_keys
from tracker.views.words.spans import Row, Span, cells, cut_spans, fit
from tracker.views.words.text import clean
from tracker.views.words.values import field_words

CHOSEN = ("choice", "flag", "combatant")


class Form(Mode, frozen=True):
    """The form of an action.

    Attributes:
        at: the place of the field under the cursor.
        entry: the text typed in the field; None: the field keeps its value.
        way, passes: how the finished action is delivered.
        back: the mode that is open again after Escape.
        planned: takes the finished action instead of the fight, and returns the next mode.
        usual: the game's default action; fields that are not typed get its values, as far as these fit the typed ones.
        typed: the names of the typed fields.
    """

    place: ClassVar[Footer] = "form"
    title: ClassVar[str] = "Form"
    takes_labels: ClassVar[bool] = True
    action: Action
    at: int = 0
    entry: Entry | None = None
    way: Delivery = "do"
    passes: int = 0
    problem: str = ""
    back: Mode | None = None
    planned: Callable[[Action], Mode] | None = None
    usual: Action | None = None
    typed: tuple[str, ...] = ()

    @staticmethod
    def open(spec: ActionSpec, action: Action, way: Delivery = "do", passes: int = 0) -> Form:
        by = action.by if action.by is not None else spec.by
        place = next(iter(missing_fields(spec, action)), 0)
        return Form(action=Action(spec.key, by, action.fields), at=place, way=way, passes=passes)

    @staticmethod
    def with_usual(spec: ActionSpec, typed: Action, full: Action, usual: Action | None) -> Form:
        """Open the form of an action that is partly typed and partly as usual."""
        form = Form.open(spec, full)
        return replace(form, usual=usual, typed=tuple(name for name, _ in typed.fields))

    def _put(self, scene: ModeContext, name: str, value: Value) -> Form:
        """Return the form with another value in a field, and the usual values that follow from it."""
        if self.usual is None:
            return replace(self, action=self.action.put(**{name: value}), entry=None, problem="")
        typed = (*(other for other in self.typed if other != name), name)
        fields = tuple(pair for pair in self.action.put(**{name: value}).fields if pair[0] in typed)
        action = with_usual(scene, replace(self.action, fields=fields), self.usual)
        return replace(self, action=action, typed=typed, entry=None, problem="")

    @override
    def paste(self, scene: ModeContext, text: str) -> Mode:
        return replace(self, entry=(self.entry or Entry()).typed(text), problem="")

    @override
    def rows(self, scene: ModeContext, width: int, height: int) -> tuple[Row, ...]:
        spec = scene.spec(self.action)
        typed_in = spec.fields[min(self.at, len(spec.fields) - 1)].name if spec.fields else ""
        taken = self._following(scene, spec)
        if taken is not None:  # the typed text changes the other fields
            spec = scene.spec(taken.action)
        whose = (*name_spans(scene, self.action.by), Span("  ")) if self.action.by is not None else ()
        cost = (Span("  " + clean(spec.cost), "dim"),) if spec.cost else ()
        rule = (Span("  " + spec.rule, "rule"),) if spec.rule else ()
        spans = cut_spans((*whose, Span(clean(spec.label), "title"), *cost, *rule), width)
        head = [Row("head", spans, rules=(spec.rule,) if spec.rule else ())]
        if spec.refusal is not None:
            head += wrapped_rows(refusal_spans(spec.refusal), width, "refusal")
        elif spec.does:
            head += wrapped_rows((Span("! " + clean(spec.does), "warn"),), width, "risk")
        head += problem_rows(self.problem, width)
        at = next((place for place, field in enumerate(spec.fields) if field.name == typed_in), 0)
        names = min(max(8, width - 10), max((cells(field.shown) for field in spec.fields), default=0))
        fields: list[Row] = []
        place, page = 0, ""
        for number, field in enumerate(spec.fields):
            if field.page and field.page != page:
                page = field.page
                fields.append(Row("page:" + page, (Span(clean(page), "title"),), "head"))
            if number == at:
                place = len(fields)
            action = self.action if taken is None else taken.action
            fields.append(self._field_row(scene, field, action, current=number == at, names=names, width=width))
        below = self._below(scene, spec.fields[at], taken, width) if spec.fields else ()
        room = max(1, height - len(head))
        shown = visible_rows(fields, place, max(1, room - min(len(below), max(2, room // 2))))
        return (*head, *shown, *below)[: max(1, height)]

    def _following(self, scene: ModeContext, spec: ActionSpec) -> Form | None:
        try:
            return self._taken(scene, spec)
        except ValueError:
            return None

    def _field_row(
        self, scene: ModeContext, field: Field, action: Action, current: bool, names: int, width: int
    ) -> Row:
        value = field_words(scene.model.state, field, value_of(field, action))
        name = clean(field.shown)
        if cells(value) + 4 + max(names, cells(name)) <= width:  # else the value follows its name directly
            name = fit(name, names)
        head = (Span("▸ " if current else "  ", "title"), Span(name + "  ", "strong" if current else "dim"))
        if current and self.entry is not None:
            spans = (*head, *self.entry.spans(width - cells(name) - 4))
        elif value:
            spans = (*head, Span(value, "strong" if current else ""))
        else:
            spans = (*head, Span("?" if field.required else "–", "warn" if field.required else "dim"))
        return Row("field:" + field.name, cut_spans(spans, width), "current" if current else "")

    def _below(self, scene: ModeContext, field: Field, taken: Form | None, width: int) -> tuple[Row, ...]:
        rows: tuple[Row, ...] = ()
        options = options_of(scene, field)
        if options and field.kind in (*CHOSEN, "combatants", "choices"):
            value = None if taken is None else value_of(field, taken.action)
            picked = tuple(str(part) for part in value) if isinstance(value, tuple) else ()
            key = ("yes" if value else "no") if field.kind == "flag" else value
            place = next((number for number, option in enumerate(options) if option.key == key), -1)
            keys = option_keys(scene.model.state, options)
            rows = visible_rows(listed_rows(options, place, width=width, picked=picked, keys=keys), max(0, place), 8)
        hint = _hint(field)
        return (*rows, *wrapped_rows((Span(hint, "dim"),), width, "hint")) if hint else rows

    @override
    def aim(self, scene: ModeContext) -> Action | None:
        spec = scene.spec(self.action)
        try:
            taken = self._taken(scene, spec)
        except ValueError:
            return None
        spec = scene.spec(taken.action)
        ready = spec.refusal is None and not missing_fields(spec, taken.action)
        return taken.action if ready and taken.action.by is not None and self.way == "do" else None

    @override
    def press(self, scene: ModeContext, key: str, character: str | None) -> Result | None:
        spec = scene.spec(self.action)
        if key == "escape":
            return Result(replace(self, entry=None, problem="") if self.entry is not None else self.back)
        if key in ("tab", "down", "shift+tab", "up"):
            return Result(self._settled(scene, spec, 1 if key in ("tab", "down") else -1))
        if key == "enter":
            return self._enter(scene, spec)
        if not spec.fields:
            return None
        field = spec.fields[min(self.at, len(spec.fields) - 1)]
        if key in ("left", "right") and self.entry is None and field.kind in CHOSEN:
            return Result(self._turned(scene, field, 1 if key == "right" else -1))
        if self.entry is None and key in ("backspace", "delete", "left", "right", "home", "end"):
            typed = field.kind in ("text", "number", "dice", "square")
            entry = Entry.of(field_words(scene.model.state, field, value_of(field, self.action)) if typed else "")
        else:
            entry = self.entry or Entry()
        changed = entry.press(key, character)
        return None if changed is None else Result(replace(self, entry=changed, problem=""))

    @override
    def point(self, scene: ModeContext, row: str) -> Result | None:
        spec = scene.spec(self.action)
        kind, _, name = row.partition(":")
        places = [place for place, field in enumerate(spec.fields) if kind == "field" and field.name == name]
        if places:
            return Result(self._settled(scene, spec, places[0] - self.at))
        number = option_number(row)
        options = options_of(scene, spec.fields[self.at]) if number is not None and self.at < len(spec.fields) else ()
        if number is None or number >= len(options):
            return None
        field, key = spec.fields[self.at], options[number].key
        value: Value = key == "yes" if field.kind == "flag" else key
        if field.kind in ("combatants", "choices"):
            present = value_of(field, self.action)
            chosen = tuple(map(str, present)) if isinstance(present, tuple) else ()
            value = tuple(one for one in chosen if one != key) if key in chosen else (*chosen, key)
        return Result(self._put(scene, field.name, value))

    def _taken(self, scene: ModeContext, spec: ActionSpec) -> Form:
        """Return the form with the typed text as the value of its field; raises ValueError if it is no such value."""
        if self.entry is None or not spec.fields:
            return self
        field = spec.fields[min(self.at, len(spec.fields) - 1)]
        value = read_field(scene, field, self.entry.text)
        return self._put(scene, field.name, value)

    def _settled(self, scene: ModeContext, spec: ActionSpec, by: int) -> Form:
        try:
            taken = self._taken(scene, spec)
        except ValueError as error:
            return replace(self, problem=str(error))
        count = len(scene.spec(taken.action).fields)
        return replace(taken, at=(taken.at + by) % count if count else 0)

    def _turned(self, scene: ModeContext, field: Field, by: int) -> Form:
        options = [option for option in options_of(scene, field) if option.refusal is None]
        if not options:
            return self
        value = value_of(field, self.action)
        key = ("yes" if value else "no") if field.kind == "flag" else value
        place = next((number for number, option in enumerate(options) if option.key == key), -by if by > 0 else 0)
        now = options[(place + by) % len(options)].key
        chosen = now == "yes" if field.kind == "flag" else now
        return self._put(scene, field.name, chosen)

    def _enter(self, scene: ModeContext, spec: ActionSpec) -> Result:
        try:
            taken = self._taken(scene, spec)
        except ValueError as error:
            return Result(replace(self, problem=str(error)))
        spec = scene.spec(taken.action)
        if open_fields := missing_fields(spec, taken.action):
            typed_here = self.entry is not None
            at = next((place for place in open_fields if place > taken.at), open_fields[0])
            problem = "" if typed_here else f"{clean(spec.fields[at].shown)} is missing"
            return Result(replace(taken, at=at, problem=problem))
        if self.planned is not None:
            return Result(self.planned(taken.action))
        return deliver(scene, taken.action, taken.way, taken.passes)


def missing_fields(spec: ActionSpec, action: Action) -> list[int]:
    """Return the places of the required fields without a value."""
    fields = enumerate(spec.fields)
    return [place for place, field in fields if field.required and value_of(field, action) in (None, (), "")]


def _hint(field: Field) -> str:
    if field.note:
        return clean(field.note)
    match field.kind:
        case "number":
            low, high = ("" if limit is None else str(limit) for limit in (field.minimum, field.maximum))
            return f"a number {low}…{high}" if low or high else "a number"
        case "dice":
            return "dice, such as 2d6+3"
        case "square":
            return "a square: 3,4"
        case "path" | "area":
            return "squares: 3,4 4,4 5,4"
        case "rows":
            return "rows, with commas between: " + " ".join(clean(column.shown) for column in field.columns)
        case "combatants":
            return "labels or names"
        case _:
            return ""
