"""The picker: letters are labels of targets, a number or the arrows choose the action, Enter does it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import ClassVar

from msgspec.structs import replace
from typing_extensions import override

from tracker.core.fight.slots import Id
from tracker.core.terms.actions import Action, ActionSpec
from tracker.core.terms.errors import Refusal
from tracker.core.terms.labels import folded
from tracker.ui.keys.command import Footer
from tracker.ui.modes.acting.action_form import Form
from tracker.ui.typing.entry import Entry
from tracker.ui.typing.mode import (
    InputMode,
    ModeContext,
    Result,
    deliver,
    name_spans,
    put_targets,
    target_field,
    targets_of,
)
from tracker.ui.typing.parser import missing_field, tokens_of
from tracker.ui.typing.rows import refusal_spans, refused_row, visible_rows, wrapped_rows
from tracker.ui.typing.tokens import Tokens
from tracker.views.words.spans import Row, Span, cut_spans, spread
from tracker.views.words.text import clean
from tracker.views.words.values import field_words


def spec_row(key: str, head: Sequence[Span], spec: ActionSpec, width: int, here: bool = False) -> Row:
    label = clean(spec.label)
    if spec.refusal is not None:
        return refused_row(key, (*head, Span(label + "  ", "dim")), spec.refusal, width)
    end = [Span(clean(spec.cost), "dim")] if spec.cost else []
    if spec.rule:
        end += [Span(" "), Span(spec.rule, "rule")] if end else [Span(spec.rule, "rule")]
    spans = spread((*head, Span(label, "strong" if here else "")), end, width)
    return Row(key, spans, "current" if here else "", (spec.rule,) if spec.rule else ())


def spec_rows(specs: tuple[ActionSpec, ...], place: int, width: int) -> tuple[Row, ...]:
    return tuple(
        spec_row(f"option:{number}", _numbered(number, number == place), spec, width, number == place)
        for number, spec in enumerate(specs)
    )


def _numbered(number: int, here: bool) -> tuple[Span, Span]:
    return Span("▸ " if here else "  ", "title"), Span(f"{number + 1:>2} ", "key")


def filled_rows(scene: ModeContext, spec: ActionSpec, action: Action, width: int) -> tuple[Row, ...]:
    rows = []
    for field in spec.fields:
        value = action.get(field.name)
        shown = field_words(scene.model.state, field, field.default if value is None else value)
        if not shown and not field.required:
            continue
        text = Span(shown, "strong") if shown else Span("?", "warn")
        rows.append(Row(f"field:{field.name}", cut_spans((Span(f"   {clean(field.shown)} ", "dim"), text), width)))
    return tuple(rows)


class Picker(InputMode, frozen=True):
    """The actions of a combatant, or of the GM and the sides if `by` is None.

    At first the default action of the game is marked. If it has none, no row is: no Enter ends a turn by accident.
    """

    place: ClassVar[Footer] = "picker"
    title: ClassVar[str] = "Act"
    takes_labels: ClassVar[bool] = True
    by: Id | None
    chosen: int | None = None

    def on(self, scene: ModeContext, key: str) -> Picker:
        places = [place for place, spec in enumerate(self._specs(scene)) if spec.key == key]
        return replace(self, chosen=places[0]) if places else self

    def _specs(self, scene: ModeContext) -> tuple[ActionSpec, ...]:
        return possible_first(scene.offers(self.by))

    def _read(self, scene: ModeContext, specs: tuple[ActionSpec, ...]) -> tuple[Tokens, int]:
        """Return the typed line and the action it means by number, by name or by the cursor, -1 if it names none."""
        words = self.entry.text.replace("/", " ").split()
        names = tuple(word for word in words if _means_action(specs, word))
        typed = tokens_of(scene, " ".join(word for word in words if word not in names))
        typed = replace(typed, words=(*names, *typed.words))
        if _unread(specs, typed):
            return typed, -1
        if typed.number is not None:
            return typed, typed.number - 1
        for word in typed.words:
            named = [place for place, spec in enumerate(specs) if is_called(spec, word)]
            if named:
                return typed, named[0]
        if self.chosen is None:
            return typed, self._meant(scene, specs, typed)
        return typed, min(self.chosen, max(0, len(specs) - 1))

    def _meant(self, scene: ModeContext, specs: tuple[ActionSpec, ...], typed: Tokens) -> int:
        """Return the place of the plain choice; where that cannot reach whom is typed, it is the first that can."""
        place = usual_place(scene, self.by, specs)
        if place < 0 or not typed.labels or target_field(specs[place]) is None:
            return place
        targeted = [number for number, spec in enumerate(specs) if spec.refusal is None and target_field(spec)]
        order = sorted(targeted, key=lambda number: number != place)
        return next((number for number in order if self._reaches(scene, specs[number], typed)), place)

    def _reaches(self, scene: ModeContext, spec: ActionSpec, typed: Tokens) -> bool:
        full, action = self._draft(scene, spec, typed)
        return full.refusal is None and not _refused(full, action)

    def _draft(self, scene: ModeContext, spec: ActionSpec, typed: Tokens) -> tuple[ActionSpec, Action]:
        usual = default_action(scene, self.by)
        targets = scene.combatants_of(typed.labels)
        if usual is not None and usual.key == spec.key and (not targets or targets == targets_of(spec, usual)):
            needed = _needed(spec, usual)
            return scene.spec(needed), needed
        action = put_targets(spec, Action(spec.key, spec.by), targets, scene.combatants_of(typed.capitals))
        full = scene.spec(action) if action.fields or not spec.fields else spec
        field = target_field(full)
        if field is not None and action.get(field.name) is None and typed.labels:
            action = put_targets(full, action, scene.combatants_of(typed.labels), scene.combatants_of(typed.capitals))
            full = scene.spec(action)
        return full, action

    @override
    def rows(self, scene: ModeContext, width: int, height: int) -> tuple[Row, ...]:
        specs = self._specs(scene)
        whose = name_spans(scene, self.by) if self.by is not None else (Span("GM", "gm"),)
        shown = [
            Row("who", cut_spans((*whose, Span(self._turn(scene), "dim")), width)),
            *self.head(width, "labels of targets · number or name of an action"),
        ]
        if not specs:
            return (*shown, Row("none", (Span("  nothing to do here", "dim"),)))
        typed, place = self._read(scene, specs)
        if place < 0:
            problem = "" if self.problem else _unread(specs, typed)
            shown += wrapped_rows((Span(problem, "dim"),), width, "unread") if problem else ()
            return (*shown, *_folded(specs, place, width))[: max(1, height)]
        full, action = self._draft(scene, specs[place], typed)
        fields = filled_rows(scene, full, action, width)
        if full.refusal is not None:
            fields = (*wrapped_rows((Span("  "), *refusal_spans(full.refusal)), width, "refusal"), *fields)
        fields = fields[: max(2, (height - len(shown)) // 2)]
        room = max(1, height - len(shown) - len(fields))
        listed = list(visible_rows(_folded(specs, place, width), place, room))
        at = next((number for number, row in enumerate(listed) if row.key == f"option:{place}"), len(listed) - 1)
        return (*shown, *listed[: at + 1], *fields, *listed[at + 1 :])[: max(1, height)]

    def _turn(self, scene: ModeContext) -> str:
        slot = scene.model.state.clock.current
        up = self.by is None or slot is None or not slot.members or self.by in slot.members
        return "  acts" if up else "  out of turn"

    @override
    def aim(self, scene: ModeContext) -> Action | None:
        specs = self._specs(scene)
        if not specs:
            return None
        typed, place = self._read(scene, specs)
        if place < 0:
            return None
        full, action = self._draft(scene, specs[place], typed)
        ready = action.by is not None and full.refusal is None and missing_field(full, action) is None
        return action if ready else None

    @override
    def press(self, scene: ModeContext, key: str, character: str | None) -> Result | None:
        if key in ("left", "right") and not self.entry.text and (key == "right") == (self.by is not None):
            return Result(Picker(scene.active if key == "left" else None))
        return super().press(scene, key, character)

    @override
    def step(self, scene: ModeContext, by: int) -> Result | None:
        specs = self._specs(scene)
        if not specs:
            return None
        _, place = self._read(scene, specs)
        kept = "".join(letter for letter in self.entry.text if not letter.isdigit())
        return Result(replace(self, chosen=_moved(place, by, len(specs)), entry=Entry.of(kept), problem=""))

    @override
    def take(self, scene: ModeContext, form: bool) -> Result | None:
        specs = self._specs(scene)
        if not specs:
            return None
        typed, place = self._read(scene, specs)
        if place < 0:
            problem = _unread(specs, typed) or "which? a number, a name, or up and down"
            return Result(replace(self, problem=problem))
        return self._done(scene, specs[place], typed, form)

    def _done(self, scene: ModeContext, spec: ActionSpec, typed: Tokens, form: bool) -> Result:
        full, action = self._draft(scene, spec, typed)
        if not form and (full.refusal is not None or missing_field(full, action) is None):
            return deliver(scene, action)
        if full.refusal is not None and not full.fields:
            return deliver(scene, action)
        return Result(Form.open(full, action))


def _folded(specs: tuple[ActionSpec, ...], place: int, width: int) -> tuple[Row, ...]:
    """Return actions as a list, the refused ones in one line; with the cursor on one of them all are listed."""
    able = sum(spec.refusal is None for spec in specs)
    rows = spec_rows(specs, place, width)
    if not able and (why := same_reason(specs)) is not None:
        rows_above = wrapped_rows(refusal_spans(why), width, "refusal")
        return (
            *rows_above,
            *(row_without_reason(number, spec, number == place, width) for number, spec in enumerate(specs)),
        )
    if not able or place >= able or len(specs) - able < FEWEST:
        return rows
    return (*rows[:able], collapsed_row(f"option:{able}", specs[able:], width))


def _needed(spec: ActionSpec, action: Action) -> Action:
    """Return a default action with its target and required fields; the rest is for the player to declare."""
    target = target_field(spec)
    needed = {field.name for field in spec.fields if field.required or field is target}
    return replace(action, fields=tuple(pair for pair in action.fields if pair[0] in needed))


def _refused(spec: ActionSpec, action: Action) -> bool:
    """Tell whether a target is not among the options, or refused."""
    field = target_field(spec)
    possible = {option.key for option in field.options if option.refusal is None} if field is not None else set()
    return field is not None and bool(field.options) and not possible.issuperset(targets_of(spec, action))


def _unread(specs: tuple[ActionSpec, ...], typed: Tokens) -> str:
    if typed.number is not None and not 1 <= typed.number <= len(specs):
        return no_such_number(typed.number, len(specs))
    strange = next((word for word in typed.words if not any(is_called(spec, word) for spec in specs)), None)
    return "" if strange is None else f'"{clean(strange)}" is neither a label nor an action'


def no_such_number(number: int, count: int) -> str:
    return f"there is no {number}: 1 to {count}" if count > 1 else f"there is no {number}: 1 is the only one"


def _means_action(specs: tuple[ActionSpec, ...], word: str) -> bool:
    """Tell whether a word begins an action's name and is no run of labels; up to two letters are rather labels."""
    return len(word) > 2 and any(is_called(spec, word) for spec in specs)


def _moved(place: int, by: int, many: int) -> int:
    if place < 0:
        return 0 if by > 0 else many - 1
    return (place + by) % many


def default_action(scene: ModeContext, by: Id | None) -> Action | None:
    """Return the game's default action for a combatant, its opener first."""
    if by is None:
        return None
    from tracker.ui.modes.acting.default_actions import default_line  # it fills in forms as this module does

    line = default_line(scene.model.state, by, scene.ruleset)
    return None if line is None else line.opener or line.action


def usual_place(scene: ModeContext, by: Id | None, specs: tuple[ActionSpec, ...]) -> int:
    chosen = default_action(scene, by)
    places = [place for place, spec in enumerate(specs) if chosen is not None and spec.key == chosen.key]
    return next((place for place in places if specs[place].refusal is None), -1)


def is_called(spec: ActionSpec, word: str) -> bool:
    wanted = folded(word)
    return folded(spec.key).startswith(wanted) or any(part.startswith(wanted) for part in folded(spec.label).split())


FEWEST = 2
"""Refused actions that are worth a fold."""


def possible_first(specs: Sequence[ActionSpec]) -> tuple[ActionSpec, ...]:
    return tuple(sorted(specs, key=lambda spec: spec.refusal is not None))


def collapsed_row(key: str, refused: Sequence[ActionSpec], width: int, indent: int = 2) -> Row:
    """Return one line for several refused actions, with their reasons, the commonest first."""
    reasons = Counter(clean(spec.refusal.text) for spec in refused if spec.refusal is not None)
    words = " · ".join(reason for reason, _ in reasons.most_common())
    lead = (Span(" " * indent), Span("✗ ", "bad"), Span(f"{len(refused)} more: ", ""), Span(words, "dim"))
    return Row(key, cut_spans(lead, width), "refused")


def same_reason(specs: Sequence[ActionSpec]) -> Refusal | None:
    first = specs[0].refusal if len(specs) >= FEWEST else None
    same = first is not None and all(spec.refusal is not None and spec.refusal.text == first.text for spec in specs)
    return first if same else None


def row_without_reason(number: int, spec: ActionSpec, here: bool, width: int) -> Row:
    head = (*_numbered(number, here), Span(clean(spec.label), "dim"))
    rules = (spec.refusal.rule,) if spec.refusal is not None and spec.refusal.rule else ()
    return Row(f"option:{number}", cut_spans(head, width), "refused", rules)
