"""Searches: items found by name, combatants, lines of a pane, rules, reminders."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import ClassVar, Literal

from msgspec import Struct
from msgspec.structs import replace
from typing_extensions import override

from tracker.core.fight.state import State
from tracker.core.game.ruleset import Ruleset, open_reminders
from tracker.core.game.schema import Reminder
from tracker.core.terms.actions import Action, ActionSpec, Option
from tracker.core.terms.errors import BadData
from tracker.core.terms.labels import folded, read_labels
from tracker.session.intents import Advance, Do
from tracker.ui.keys.command import Call, Footer
from tracker.ui.keys.table import commands
from tracker.ui.modes.acting.action_form import Form, missing_fields
from tracker.ui.modes.acting.picker import Picker
from tracker.ui.typing.entry import Entry
from tracker.ui.typing.mode import InputMode, ListMode, Mode, ModeContext, Result, deliver
from tracker.ui.typing.rows import (
    entry_row,
    key_hint,
    listed_rows,
    refusal_spans,
    refused_row,
    visible_rows,
    wrapped_rows,
)
from tracker.ui.typing.tokens import WORST, matching_options, name_rank, rank, same_meaning
from tracker.views.panes.blocks import mistake_rows
from tracker.views.words.spans import Row, Span, cells, cut_spans, fit, spread, wrap_spans, wrap_text
from tracker.views.words.text import clean

DIGITS = 3
BESIDE = 4
"""Cells before an item's name, and between the name and its note."""


class AreaSizeMode(Mode, frozen=True):
    """The line for the size of an area: size and unit, the name of its shape, the typed digits."""

    place: ClassVar[Footer] = "area"
    title: ClassVar[str] = "Area"
    where: ClassVar[Literal["beside"]] = "beside"
    size: int
    unit: str
    form: str
    typed: str = ""

    @override
    def rows(self, scene: ModeContext, width: int, height: int) -> tuple[Row, ...]:
        hint = f"{self.size} {self.unit} {self.form}: digits for another size"
        entry = Entry.of(self.typed)
        spans = (*entry.spans(width - 2), Span(f" {self.unit} {self.form}", "dim")) if self.typed else ()
        more = (
            f"{scene.key('template')}: wider · {scene.key('shape')}: another form · "
            f"{scene.key('damage')} {scene.key('effect')}: begins with those it catches"
        )
        return (entry_row(spans or entry.spans(width - 2, hint), width), *wrapped_rows((Span(more, "dim"),), width))

    @override
    def press(self, scene: ModeContext, key: str, character: str | None) -> Result | None:
        if key == "escape":
            return Result(None, call=Call("size", 0))
        if key == "enter":
            return Result(None)
        if key in ("backspace", "ctrl+h"):
            return self._sized(self.typed[:-1]) if self.typed else Result(self)
        if character is not None and character.isascii() and character.isdigit():
            return self._sized((self.typed + character)[:DIGITS])
        command = commands(scene.table).get(key)
        if character is None or command is None:
            return None
        return Result(replace(self, typed="") if command.board else None, call=command.call)

    def _sized(self, typed: str) -> Result:
        size = int(typed or 0)
        return Result(replace(self, typed=typed, size=size or self.size), call=Call("size", size) if size else None)


HELD = 3
FACES = 10
MOST_RULES = 200


class Item(Struct, frozen=True):
    """An item that is searched by its name and `words`: Enter runs its call, does its action or opens its rule."""

    option: Option
    key: str = ""
    call: Call | None = None
    spec: ActionSpec | None = None
    rule: str = ""
    about: str = ""
    group: str = ""
    words: str = ""


def searched(text: str, every: Sequence[Item]) -> tuple[Item, ...]:
    """Return the items that match a text, in groups, the best first; of equal ones those whose name shows the text."""
    wanted = folded(text)
    if not wanted:
        return grouped(every)
    ranked = sorted((worth, place) for place, item in enumerate(every) if (worth := _worth(wanted, item)) < WORST)
    named = [pair for pair in ranked if pair[0] <= HELD] or ranked
    shown = {place: name_rank(wanted, folded(every[place].option.shown)) for _, place in named}
    return grouped(every[place] for _, place in sorted(named, key=lambda pair: (pair[0], shown[pair[1]], pair[1])))


def grouped(items: Iterable[Item]) -> tuple[Item, ...]:
    groups: dict[str, list[Item]] = {}
    for item in items:
        groups.setdefault(item.group, []).append(item)
    return tuple(item for group in groups.values() for item in group)


def _worth(wanted: str, item: Item) -> int:
    """Return how well a text matches an item; all words in the description rank like its letters in the name."""
    worth = rank(wanted, item.option)
    if worth <= HELD:
        return worth
    option = item.option
    text = folded(f"{option.key} {option.shown} {option.note} {item.about} {item.words}")
    all_in = all(any(word in text for word in same_meaning(part)) for part in wanted.split())
    return HELD if all_in else worth


def moved(chosen: int, by: int, many: int) -> int:
    """Return the place `by` rows further in a list; a single step wraps around its ends."""
    place = min(chosen, many - 1)
    if not many:
        return 0
    return (place + by) % many if abs(by) == 1 else max(0, min(many - 1, place + by))


def item_rows(items: Sequence[Item], place: int, width: int, room: int) -> tuple[Row, ...]:
    if not items:
        return (Row("none", (Span("  nothing fits", "dim"),)),)
    noted = (item for item in items if item.option.refusal is not None or item.option.note)
    longest = max((len(_face(item)) + cells(clean(item.option.shown)) for item in noted), default=0)
    name = min(42, max(24, width * 2 // 5), longest)
    lines: list[tuple[int, int]] = []  # the place of an item and the line of its note; -1: the heading of its group
    at = 0
    for number, item in enumerate(items):
        if number == 0 or item.group != items[number - 1].group:
            lines += [(number, -1)] if item.group else []
        if number == place:
            at = len(lines)
        lines += [(number, part) for part in range(len(_notes(item, width - name)))]
    return tuple(
        Row(f"group:{items[number].group}", (Span(clean(items[number].group), "title"),), "head")
        if part < 0
        else _row(items[number], number, number == place, width, name, part)
        for number, part in visible_rows(lines, at, max(1, room))
    )


def _notes(item: Item, room: int) -> tuple[str, ...]:
    """Return an item's note in lines; the note of a rule has one line."""
    note = clean(item.option.note)
    return (note,) if item.rule or not note else wrap_text(note, max(1, room - BESIDE))


def _face(item: Item) -> str:
    """Return the column of an item's key, "" without a key."""
    return fit(item.key, FACES, "right") + "  " if item.key else ""


def _row(item: Item, number: int, here: bool, width: int, name: int, part: int) -> Row:
    """Return the line of an item, or line `part` of its note; `name`: the cells of its key and name."""
    option, key = item.option, f"option:{number}"
    shown, face = clean(option.shown), _face(item)
    name -= len(face)
    head = (Span("▸ " if here else "  ", "title"), Span(face, "key"))
    if option.refusal is not None:
        return refused_row(key, (*head, Span(fit(shown, name) + "  ", "dim")), option.refusal, width)
    words = _notes(item, width - name - len(face))[part]
    if part:
        spans = (Span(" " * (name + len(face) + BESIDE)), Span(words, "dim"))
        return Row(key, spread(spans, (), width), "current" if here else "")
    note = (Span("  " + words, "dim"),) if words else ()
    rule = (Span(item.rule, "rule"),) if item.rule and item.spec is not None else ()
    named = Span(fit(shown, name) if note else shown, "strong" if here else "")
    return Row(key, spread((*head, named, *note), rule, width), "current" if here else "")


def about_rows(item: Item, width: int) -> tuple[Row, ...]:
    rows: tuple[Row, ...] = ()
    if item.spec is not None and item.spec.refusal is not None:
        rows += wrapped_rows((Span("  "), *refusal_spans(item.spec.refusal)), width, "refusal")
    if item.about:
        rows += wrapped_rows((Span(f"  {clean(item.about)}", "dim"),), width, "about")
    return rows[:3]


def rule_items(scene: ModeContext, text: str) -> tuple[Item, ...]:
    try:
        rules = scene.ruleset.rulebook.search(text)
    except BadData:
        return ()
    return grouped(
        Item(Option(rule.id, rule.title, rule.text.partition("\n")[0]), rule.id, rule=rule.id, group=rule.chapter)
        for rule in rules[:MOST_RULES]
    )


def do_item(scene: ModeContext, mode: Mode, item: Item) -> Result | None:
    """Do an item's action, open the action's form if it has fields, run a command, or open a rule over the mode."""
    spec = item.spec
    if spec is not None:
        return Result(Form.open(spec, Action(spec.key, spec.by))) if spec.fields else deliver(scene, spec.bare)
    if item.rule:
        return Result(mode, call=Call("read", (item.rule,)))
    return Result(None, call=item.call) if item.call is not None else None


class Jump(InputMode, frozen=True):
    """Selects a combatant by label or name; `act`: opens its actions out of turn."""

    place: ClassVar[Footer] = "palette"
    takes_labels: ClassVar[bool] = True
    act: bool = False
    chosen: int = 0

    @property
    @override
    def title(self) -> str:
        return "Act out of turn" if self.act else "Go to"

    def _found(self, scene: ModeContext) -> tuple[Option, ...]:
        text = self.entry.text.strip()
        people = tuple(Option(person.id, clean(person.name), person.label) for person in scene.model.state.combatants)
        return matching_options(text, people) if text else people

    @override
    def rows(self, scene: ModeContext, width: int, height: int) -> tuple[Row, ...]:
        again = f"label; {_again(scene)} again: act as that one; a blank, then a name"
        head = entry_row(self.entry.spans(width - 2, "label of the one to act" if self.act else again), width)
        found = self._found(scene)
        bare = tuple(Option(option.key, option.label) for option in found)
        listed = listed_rows(bare, self.chosen, width, keys=[option.note for option in found])
        return (head, *visible_rows(listed, self.chosen, height - 1))

    @override
    def press(self, scene: ModeContext, key: str, character: str | None) -> Result | None:
        if key != "escape" and (character == "'" or (scene.command(key) == "jump" and not (character or "").isalnum())):
            return Result(replace(self, act=True))
        return super().press(scene, key, character)

    @override
    def step(self, scene: ModeContext, by: int) -> Result | None:
        found = self._found(scene)
        return Result(replace(self, chosen=(self.chosen + by) % len(found))) if found else None

    @override
    def take(self, scene: ModeContext, form: bool) -> Result:
        found = self._found(scene)
        return self._to(scene, found[min(self.chosen, len(found) - 1)].key) if found else Result(self)

    @override
    def changed(self, scene: ModeContext, entry: Entry) -> Result:
        labels = read_labels(entry.text, tuple(scene.labels)) if entry.text.isalpha() else None
        if labels:
            return self._to(scene, scene.labels[labels[0][0]])
        return Result(replace(self, entry=entry, chosen=0))

    def _to(self, scene: ModeContext, who: str) -> Result:
        return Result(Picker(who) if self.act else None, call=Call("select", who))


def _again(scene: ModeContext) -> str:
    """Return the key that, pressed again, means to act: a letter would be a label."""
    key = scene.key("jump")
    return "'" if key.isalnum() else key


class Filter(InputMode, frozen=True):
    place: ClassVar[Footer] = "palette"
    title: ClassVar[str] = "Filter"
    name: str = ""

    @override
    def rows(self, scene: ModeContext, width: int, height: int) -> tuple[Row, ...]:
        hint = Span(f"only the lines of {self.name} that hold it; empty: all", "dim")
        return (entry_row(self.entry.spans(width - 2, "a word"), width), Row("hint", cut_spans((hint,), width)))

    @override
    def leave(self, scene: ModeContext) -> Result:
        return Result(None, call=Call("narrow", ""))

    @override
    def take(self, scene: ModeContext, form: bool) -> Result | None:
        return None if form else Result(None, call=Call("narrow", self.entry.text))

    @override
    def changed(self, scene: ModeContext, entry: Entry) -> Result:
        return Result(self.typed(scene, entry), call=Call("narrow", entry.text))


class SearchMode(InputMode, frozen=True, kw_only=True):
    """A typed line over the panes, and the items that match it."""

    place: ClassVar[Footer] = "palette"
    where: ClassVar[Literal["over"]] = "over"
    hint: ClassVar[str] = ""
    chosen: int = 0

    def found(self, scene: ModeContext) -> tuple[Item, ...]:
        raise NotImplementedError

    @override
    def rows(self, scene: ModeContext, width: int, height: int) -> tuple[Row, ...]:
        found = self.found(scene)
        place = min(self.chosen, len(found) - 1)
        head = entry_row(self.entry.spans(width - 2, self.hint), width)
        foot = about_rows(found[place], width) if found else ()
        return (head, *item_rows(found, place, width, height - 1 - len(foot)), *foot)[: max(1, height)]

    @override
    def take(self, scene: ModeContext, form: bool) -> Result:
        found = self.found(scene)
        return (do_item(scene, self, found[min(self.chosen, len(found) - 1)]) if found else None) or Result(self)

    @override
    def typed(self, scene: ModeContext, entry: Entry) -> Mode:
        return replace(self, entry=entry, chosen=self.chosen if entry.text == self.entry.text else 0)

    @override
    def step(self, scene: ModeContext, by: int) -> Result:
        return Result(replace(self, chosen=moved(self.chosen, by, len(self.found(scene)))))


class Lookup(SearchMode, frozen=True):
    title: ClassVar[str] = "Rules"
    hint: ClassVar[str] = "words or a rule's id"

    @override
    def found(self, scene: ModeContext) -> tuple[Item, ...]:
        return rule_items(scene, self.entry.text)

    @override
    def rows(self, scene: ModeContext, width: int, height: int) -> tuple[Row, ...]:
        if problems := mistake_rows(scene.ruleset.rulebook, width):
            return (entry_row(self.entry.spans(width - 2, self.hint), width), *problems[: height - 1])
        return super().rows(scene, width, height)


class ReminderMode(ListMode, frozen=True):
    """Reminders that are shown once before time goes on; the key for going on, pressed again, goes on.

    A settled reminder leaves the list; the last one closes it. `then`: the call after going on.
    """

    place: ClassVar[Footer] = "missed"
    title: ClassVar[str] = "Before going on"
    reminders: tuple[Reminder, ...]
    chosen: int = 0
    then: Call | None = None

    def left(self, ruleset: Ruleset, state: State) -> tuple[Reminder, ...]:
        """Return the listed reminders that are still open."""
        now = {reminder.key: reminder for reminder in open_reminders(ruleset, state)}
        return tuple(now[listed.key] for listed in self.reminders if listed.key in now)

    @override
    def rows(self, scene: ModeContext, width: int, height: int) -> tuple[Row, ...]:
        left = self.left(scene.ruleset, scene.model.state)
        ways = (("enter", "settles"), ("tab", "opens"), ("x", "drops"), ("*", "settles all"))
        head = key_hint(width, (scene.key("next"), "goes on"), *ways)
        rows: list[Row] = []
        chosen, place = min(self.chosen, len(left) - 1), 0
        for number in range(max(0, chosen - height), min(len(left), chosen + height + 1)):
            reminder, here = left[number], number == chosen
            words = (
                Span("▸ " if here else "  ", "title"),
                Span(f"{number + 1} ", "key"),
                Span(clean(reminder.text), "strong" if here else ""),
            )
            place = len(rows) if here else place
            rows += [
                Row(f"option:{number}", spans, "current" if here else "")
                for spans in wrap_spans((*words, Span(f"  {reminder.rule}", "rule")), width, 4)
            ]
        return (*head, *visible_rows(rows, place, height - len(head)))

    @override
    def press(self, scene: ModeContext, key: str, character: str | None) -> Result | None:
        left = self.left(scene.ruleset, scene.model.state)
        if key == "escape":
            return Result(None)
        if scene.command(key) == "next":
            return Result(None, (Advance(),), call=self.then)
        if not left:
            return Result(None)
        chosen = min(self.chosen, len(left) - 1)
        if key in ("up", "down"):
            return Result(replace(self, chosen=(chosen + (1 if key == "down" else -1)) % len(left)))
        if character is not None and character.isdigit() and 1 <= int(character) <= len(left):
            return Result(replace(self, chosen=int(character) - 1))
        reminder = left[chosen]
        if key == "x":
            return replace(deliver(scene, Action("dismiss").put(key=reminder.key)), mode=self)
        if key == "tab" and reminder.about is not None:
            return Result(Picker(reminder.about), call=Call("select", reminder.about))
        settle = reminder.settle
        if key == "enter" and settle is not None and missing_fields(scene.spec(settle), settle):
            return Result(replace(Form.open(scene.spec(settle), settle), back=self))
        if key == "enter":  # a reminder without an action is dismissed
            done = deliver(scene, settle or Action("dismiss").put(key=reminder.key))
            return replace(done, mode=self if len(left) > 1 else None)
        offered = [other.settle for other in left if other.settle is not None]
        settled = tuple(one for one in offered if not missing_fields(scene.spec(one), one))
        if character == "*" and settled:
            return Result(self, (Do(settled),))
        return Result(self)
