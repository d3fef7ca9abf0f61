"""The picker of an action: letters are labels of targets, a number or the arrows choose, Enter does it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import ClassVar

from msgspec.structs import replace
from typing_extensions import override

from tracker.core.fight.slots import Id
from tracker.core.step.forms import fill
from tracker.core.terms.actions import Action, ActionSpec
from tracker.core.terms.errors import Refusal, Refused
from tracker.ui.keys.command import Footer
from tracker.ui.modes.acting.action_form import Form
from tracker.ui.typing.action_line import ActionLine, only_labels, read_action_line
from tracker.ui.typing.entry import Entry
from tracker.ui.typing.mode import InputMode, ModeContext, Result, deliver, name_spans
from tracker.ui.typing.rows import asked_spans, refusal_spans, refused_row, visible_rows, wrapped_rows
from tracker.views.words.spans import Row, Span, cells, cut_spans, spread, width_of, wrap_spans
from tracker.views.words.text import clean
from tracker.views.words.values import field_words


def spec_row(key: str, head: Sequence[Span], spec: ActionSpec, width: int, here: bool = False) -> Row:
    label = clean(spec.label)
    if spec.refusal is not None:
        return refused_row(key, (*head, Span(label + "  ", "dim")), spec.refusal, width)
    cost = [Span(clean(spec.cost), "dim")] if spec.cost else []
    rule = [Span(spec.rule, "rule")] if spec.rule else []
    room = width - width_of(head) - cells(label) - 1
    ways = ([*cost, *([Span(" ")] if cost and rule else ()), *rule], cost, list[Span]())
    end = next((way for way in ways if width_of(way) <= room), [])  # the name is never cut for the rule
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


def _preview(scene: ModeContext, line: ActionLine, spec: ActionSpec, action: Action, width: int) -> tuple[Row, ...]:
    """Return the fields of an action and the typed dice, the typed fields first."""
    typed = {f"field:{name}" for name, _ in (line.typed.fields if line.typed is not None else ())}
    rows = filled_rows(scene, spec, action, width)
    shown = [row for row in rows if row.key in typed]
    for word, request in line.given:
        asked = (Span(f"   {word} ", "typed"), *asked_spans(scene.model.state, request))
        shown += wrapped_rows(asked, width, "given")
    if line.unasked:
        shown += wrapped_rows((Span(f"   {' '.join(line.unasked)} is not asked for", "warn"),), width, "given")
    return (*shown, *(row for row in rows if row.key not in typed))


def _refusal(scene: ModeContext, line: ActionLine) -> Refusal | None:
    """Return why an action, or what is typed for it, is refused; None: it is possible."""
    assert line.spec is not None
    assert line.action is not None
    if line.spec.refusal is not None or line.wants or line.typed is None or not line.typed.fields:
        return line.spec.refusal
    try:
        fill(line.spec, scene.model.state, line.action)
    except Refused as error:
        return error.refusal
    return None


class Picker(InputMode, frozen=True):
    """The actions of a combatant, or of the GM and the sides if `by` is None.

    At first the game's default action is marked. Without a default no row is, so that Enter ends no turn by accident.
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

    def _line(self, scene: ModeContext, specs: tuple[ActionSpec, ...]) -> ActionLine:
        usual = default_action(scene, self.by)
        marked = None if self.chosen is None else min(self.chosen, max(0, len(specs) - 1))
        return read_action_line(scene, specs, self.entry.text, usual=usual, marked=marked)

    @override
    def rows(self, scene: ModeContext, width: int, height: int) -> tuple[Row, ...]:
        specs = self._specs(scene)
        whose = name_spans(scene, self.by) if self.by is not None else (Span("GM", "gm"),)
        shown = [
            Row("who", cut_spans((*whose, Span(self._turn(scene), "dim")), width)),
            *self.head(width, "name of an action · labels · options · dice"),
        ]
        if not specs:
            return (*shown, Row("none", (Span("  nothing to do here", "dim"),)))
        line = self._line(scene, specs)
        if line.problem and not self.problem:
            style = "dim" if line.place < 0 else "warn"
            shown += wrapped_rows((Span(line.problem, style),), width, "unread")
        place = line.place
        if line.spec is None or line.action is None:
            return (*shown, *_folded(specs, place, width, height - len(shown)))[: max(1, height)]
        fields = _preview(scene, line, line.spec, line.action, width)
        if (refusal := _refusal(scene, line)) is not None:
            fields = (*wrapped_rows((Span("  "), *refusal_spans(refusal)), width, "refusal"), *fields)
        fields = fields[: max(2, (height - len(shown)) // 2)]
        room = max(1, height - len(shown) - len(fields))
        listed = list(visible_rows(_folded(specs, place, width, room), place, room))
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
        line = self._line(scene, specs)
        if line.spec is None or line.action is None or line.problem or line.wants:
            return None
        return line.action if line.action.by is not None and line.spec.refusal is None else None

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
        chosen = _moved(self._line(scene, specs).place, by, len(specs))
        kept = Entry.of(only_labels(scene, self.entry.text))
        return Result(replace(self, chosen=chosen, entry=kept, problem=""))

    @override
    def take(self, scene: ModeContext, form: bool) -> Result | None:
        specs = self._specs(scene)
        if not specs:
            return None
        line = self._line(scene, specs)
        if line.spec is None or line.action is None or line.typed is None or (line.problem and not form):
            problem = line.problem or "which? a number, a name, or up and down"
            return Result(replace(self, problem=problem))
        if not line.spec.fields or not (form or (line.wants and line.spec.refusal is None)):
            return replace(deliver(scene, line.action), typed_answers=line.answers)
        return Result(Form.with_usual(line.spec, line.typed, line.action, default_action(scene, self.by)))


def _folded(specs: tuple[ActionSpec, ...], place: int, width: int, room: int) -> tuple[Row, ...]:
    """Return the possible actions, then the refused ones folded; with the cursor on a refused one all are listed."""
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
    return (*rows[:able], *collapsed_rows(f"option:{able}", specs[able:], width, max(1, room - able)))


def _moved(place: int, by: int, many: int) -> int:
    if place < 0:
        return 0 if by > 0 else many - 1
    return (place + by) % many


def default_action(scene: ModeContext, by: Id | None) -> Action | None:
    """Return the opener of a combatant's default line, else its default action."""
    if by is None:
        return None
    from tracker.ui.modes.acting.default_actions import default_line  # it fills in forms as this module does

    line = default_line(scene.model.state, by, scene.ruleset)
    return None if line is None else line.opener or line.action


FEWEST = 2
"""The fewest refused actions that are folded."""


def possible_first(specs: Sequence[ActionSpec]) -> tuple[ActionSpec, ...]:
    return tuple(sorted(specs, key=lambda spec: spec.refusal is not None))


def collapsed_rows(key: str, refused: Sequence[ActionSpec], width: int, most: int) -> tuple[Row, ...]:
    """Return the reasons of refused actions in at most `most` lines, the most frequent first."""
    reasons = Counter(clean(spec.refusal.text) for spec in refused if spec.refusal is not None)
    words = " · ".join(reason for reason, _ in reasons.most_common())
    spans = (Span("  "), Span("✗ ", "bad"), Span(f"{len(refused)} more: ", ""), Span(words, "dim"))
    lines = wrap_spans(spans, width, 4)
    if len(lines) > most:
        rest = " ".join("".join(span.text for span in line).strip() for line in lines[most - 1 :])
        last = (Span("    "), Span(rest, "dim")) if most > 1 else spans
        lines = (*lines[: most - 1], cut_spans(last, width))
    return tuple([Row(key, line, "refused") for line in lines])


def same_reason(specs: Sequence[ActionSpec]) -> Refusal | None:
    first = specs[0].refusal if len(specs) >= FEWEST else None
    same = first is not None and all(spec.refusal is not None and spec.refusal.text == first.text for spec in specs)
    return first if same else None


def row_without_reason(number: int, spec: ActionSpec, here: bool, width: int) -> Row:
    head = (*_numbered(number, here), Span(clean(spec.label), "dim"))
    rules = (spec.refusal.rule,) if spec.refusal is not None and spec.refusal.rule else ()
    return Row(f"option:{number}", cut_spans(head, width), "refused", rules)
