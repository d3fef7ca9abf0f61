"""The stat block panel: a combatant as printed, with its present numbers."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import msgspec
from msgspec.structs import replace

from tracker.core.fight.slots import Id
from tracker.core.fight.state import Combatant, State
from tracker.core.fight.update import replace_combatant
from tracker.core.game.durations import until_words
from tracker.core.game.ruleset import Ruleset, status_of
from tracker.core.game.schema import Part, Printed
from tracker.core.terms.derived import Derived
from tracker.core.terms.effects import Effect
from tracker.core.terms.errors import BadData
from tracker.core.terms.labels import Rule, RuleBook
from tracker.core.terms.words import minus
from tracker.views.panes.roster import danger
from tracker.views.words.moments import modifier_words, stat_words
from tracker.views.words.ruleset_answers import Fails, badges_of, derived_of, printed_of, reminders_of, tolerate
from tracker.views.words.sides import allegiance_of
from tracker.views.words.spans import Row, Span, cells, fit, spread, wrap_spans, wrap_text
from tracker.views.words.sums import parts_spans
from tracker.views.words.text import clean, clean_lines, key_words
from tracker.views.words.values import fields_of, is_default, plain_words, struct_words

KIND = "kind"
"""The key of the lines with side and kind."""
LABEL_AT_MOST = 16
PARTS: tuple[tuple[Part, bool], ...] = (("defences", True), ("attacks", False), ("specials", False), ("skills", True))
"""The parts of a printed stat block in order, and whether their lines make one paragraph."""


def block_rows(ruleset: Ruleset, state: State, who: Id, width: int, fails: Fails = tolerate) -> tuple[Row, ...]:
    """Return all rows of a combatant.

    First the stat block as printed, with the changes by effects marked, then the state of the combatant and the parts
    of its numbers. If the game has no printed stat block, the fields of the stat block are listed.
    """
    combatant = state[who]
    status = status_of(ruleset, combatant.status)
    side = state.side(combatant.side)
    panel = _Panel(width)
    name = (Span(f"{combatant.label} ", "strong"), Span(clean(combatant.name), "title"))
    end = [Span(clean(status.word), "good" if status.acts else "bad")]
    panel.rows.append(Row(who, spread(name, end, width), "head"))
    printed = printed_of(ruleset, state, who, fails)
    kinds = " · ".join(clean(line.name) for line in printed if line.part == "kind") or clean(combatant.kind)
    panel.text((Span(clean(side.name), allegiance_of(ruleset, state, side.id)), Span(f" · {kinds}", "dim")), key=KIND)
    if printed:
        bare = replace_combatant(state, replace(combatant, effects=())) if combatant.effects else state
        _print(panel, printed, printed_of(ruleset, bare, who, fails))
        notes = str(getattr(combatant.block, "notes", "")).strip()
        panel.lines("notes", clean_lines(notes) if notes else ())
        panel.heading("now")
    names = {line.name for line in printed}
    for pool in combatant.pools:
        if stat_words(pool.key) not in names:
            style = "" if pool.now >= pool.max else danger(pool.now, pool.max)
            panel.field(stat_words(pool.key), (Span(pool.shown, style),))
    if not printed:
        _numbers(panel, ruleset, state, who, fails)
    _standing(panel, ruleset, state, combatant, fails)
    if panel.rows[-1].state == "head":  # a heading without rows
        panel.rows.pop()
    if printed:
        _numbers(panel, ruleset, state, who, fails, sums=True)
    else:
        panel.heading("stat block")
        _fields(panel, combatant.block)
        _fields(panel, combatant.data)
    return tuple(panel.rows)


def _print(panel: _Panel, now: Sequence[Printed], bare: Sequence[Printed]) -> None:
    """Add the lines of a printed stat block; changed lines also show the printed value."""
    was = {(line.part, line.name): line.words for line in bare}
    for part, inline in PARTS:
        lines = [line for line in now if line.part == part]
        if not lines:
            continue
        panel.heading(part)
        texts = [_printed(line, was.get((part, line.name), ""), inline) for line in lines]
        if inline:
            joined = [span for spans in texts for span in (*spans, Span(" · ", "dim"))][:-1]
            panel.text(tuple(joined), tuple(dict.fromkeys(line.rule for line in lines if line.rule)))
            continue
        for line, spans in zip(lines, texts, strict=True):
            panel.field(line.name, spans, (line.rule,) if line.rule else ())


def _printed(line: Printed, was: str, named: bool) -> tuple[Span, ...]:
    words, before = minus(clean(line.words)), minus(clean(was))
    name = (Span(f"{clean(line.name)} " if words else clean(line.name), "dim"),) if named else ()
    if words == before:
        return (*name, Span(words))
    printed = f" (printed: {before})" if was else " (not printed)"
    return (*name, Span(words, "warn"), Span(printed, "dim"))


def _standing(panel: _Panel, ruleset: Ruleset, state: State, combatant: Combatant, fails: Fails) -> None:
    """Add the combatant's resources, effects, open reminders and notes."""
    badges = badges_of(ruleset, state, combatant.id, fails)
    if combatant.budget and all(badge.kind != "budget" for badge in badges):
        panel.field("left", (Span(clean(", ".join(f"{key_words(key)} {amount}" for key, amount in combatant.budget))),))
    if combatant.position is not None:
        panel.field("place", (Span(plain_words(combatant.position)),))
    for badge in badges:
        words = clean(badge.text)
        if badge.note:
            words += f"  {clean(badge.note) or words}"
        panel.field("turn" if badge.kind == "budget" else "", (Span(words),))
    for effect in combatant.effects:
        _effect(panel, state, effect)
    for reminder in reminders_of(ruleset, state, combatant.id, fails):
        panel.field("owed", (Span(clean(reminder.text), "warn"),), (reminder.rule,) if reminder.rule else ())
    for note in combatant.notes:
        panel.lines("note", clean_lines(note))


class _Panel:
    """Rows in two columns: a name and its value."""

    def __init__(self, width: int) -> None:
        self.width = width
        self.column = min(LABEL_AT_MOST, width // 3)
        self.rows: list[Row] = []

    def text(self, spans: tuple[Span, ...], rules: tuple[str, ...] = (), key: str = "") -> None:
        self.rows += [Row(key, line, "", rules) for line in wrap_spans(spans, self.width, 2)]

    def heading(self, words: str) -> None:
        self.rows.append(Row("", spread((Span(words, "dim"),), (), self.width), "head"))

    def lines(self, label: str, lines: Iterable[str]) -> None:
        """Add lines, the first with a label."""
        for number, line in enumerate(lines):
            self.field("" if number else label, (Span(line),))

    def field(self, label: str, spans: tuple[Span, ...], rules: tuple[str, ...] = ()) -> None:
        """Add a value under its label; a label too long for its column has a line of its own."""
        shown = clean(label)
        column = self.column
        if cells(shown) > column:
            self.text((Span(shown, "dim"),), rules)
            shown = ""
        room = self.width - column - 1
        for number, line in enumerate(wrap_spans(spans, max(2, room), 1)):
            row = (Span(fit(shown if not number else "", column) + " ", "dim"), *line)
            self.rows.append(Row(label, row if room >= 2 else spread(row, (), self.width), "", rules))


def _numbers(panel: _Panel, ruleset: Ruleset, state: State, who: Id, fails: Fails, sums: bool = False) -> None:
    """Add derived numbers; `sums`: only those of several parts, below a printed stat block that has the others."""
    numbers = {name: derived_of(ruleset, state, who, name, fails) for name in ruleset.schema.derived}
    if sums:
        numbers = {name: derived for name, derived in numbers.items() if len(derived.parts) > 1}
        if numbers:
            panel.heading("worked out")
    for name, derived in numbers.items():
        rules = tuple(dict.fromkeys(part.rule for part in derived.parts if part.rule))
        panel.field(stat_words(name), _derived(derived), rules)


def _derived(derived: Derived) -> tuple[Span, ...]:
    spans = [Span(minus(clean(derived.text) or derived.value), "strong")]
    parts = derived.parts
    label = parts[0].label if parts else ""
    if len(parts) > 1 or (label and parts[0].amount != derived.value):
        spans += [Span(" = ", "dim"), *parts_spans(parts)]
    elif label:
        spans.append(Span(f"  {clean(key_words(label))}", "dim"))
    return tuple(spans)


def _effect(panel: _Panel, state: State, effect: Effect) -> None:
    changes = f" {clean(modifier_words(effect.modifiers))}" if effect.modifiers else ""
    until = clean(until_words(state, effect))
    spans = [Span(clean(effect.shown) + changes, "strong"), Span(f", until {until}" if effect.until else f", {until}")]
    if effect.source is not None and effect.source != effect.bearer:
        spans.append(Span(f", by {clean(state.name(effect.source))}"))
    if not _names_its_data(state, effect) and (words := _words(effect.data)):
        spans.append(Span(f" ({words})", "dim"))
    if effect.secret:
        spans.append(Span("  secret", "dim"))
    if effect.rule:
        spans.append(Span(f"  {effect.rule}", "rule"))
    panel.field("effect", tuple(spans), (effect.rule,) if effect.rule else ())


def _names_its_data(state: State, effect: Effect) -> bool:
    """Tell whether an effect has no data, or only combatants that its words name."""
    data: object = effect.data
    if not isinstance(data, msgspec.Struct):
        return data is None
    values = (getattr(data, field.name) for field in fields_of(type(data)))
    return all(isinstance(who, str) and who in state and state.name(who) in effect.shown for who in values)


def _fields(panel: _Panel, struct: object) -> None:
    """Add the fields of a Struct; a list of Structs has a line for each, a text keeps its lines."""
    if not isinstance(struct, msgspec.Struct):
        return
    for field in fields_of(type(struct)):
        value = getattr(struct, field.name)
        if field.name == "name" or is_default(field, value) or value in ((), None, ""):
            continue
        if isinstance(value, tuple) and any(isinstance(item, msgspec.Struct) for item in value):
            panel.lines(key_words(field.name), map(_words, value))
        else:
            panel.lines(key_words(field.name), clean_lines(value) if isinstance(value, str) else [_words(value)])


def _words(value: object) -> str:
    if isinstance(value, str):
        return clean(value)
    return clean(struct_words(value) if isinstance(value, msgspec.Struct) else plain_words(value))


KINDS = {
    "auto": "applied by the program",
    "ask": "the program asks",
    "option": "a house rule switches it",
    "manual": "applied by the game master",
    "reference": "for reference",
    "ruling": "a ruling",
}


def rule_rows(rule: Rule, width: int) -> tuple[Row, ...]:
    rules = (rule.id,)
    about = KINDS[rule.kind] + (f" · switch: {clean(rule.switch)}" if rule.switch else "")
    rows = [Row(rule.id, spread((Span(clean(rule.title), "title"),), (Span(rule.id, "rule"),), width), "head", rules)]
    rows += [Row(rule.id, spans, "", rules) for spans in wrap_spans((Span(about, "dim"),), width)]
    for line in clean_lines(rule.text):
        rows += [Row(rule.id, (Span(text),), "", rules) for text in wrap_text(line, width)]
    return tuple(rows)


def mistake_rows(book: RuleBook, width: int) -> tuple[Row, ...]:
    """Return the mistakes in the file of a rulebook, each with its line; no rows if it has none."""
    try:
        book.rules  # noqa: B018 - read for its mistakes
    except BadData as error:
        lines = [line for problem in error.problems for line in wrap_text(clean(str(problem)), width)]
        return tuple(Row("", (Span(line, "bad"),)) for line in lines)
    return ()
