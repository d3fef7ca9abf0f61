"""The palette: actions, commands and themes by name."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct
from msgspec.structs import replace

from tracker.core.fight.state import Id
from tracker.core.terms.actions import Action, ActionSpec, Option
from tracker.ui.keys.command import Call, Place
from tracker.ui.keys.names import face
from tracker.ui.keys.table import LINES, UNKEYED, described, usable
from tracker.ui.modes.acting.action_form import Form
from tracker.ui.typing.command import WORST, rank
from tracker.ui.typing.entry import Entry
from tracker.ui.typing.mode import Mode, Result, Scene, deliver, entry_row, refusal_spans, refused_row, said, scrolled
from tracker.views.words.spans import Row, Span, spread
from tracker.views.words.text import clean

__all__ = ["Item", "Palette", "items", "theme_items"]

HELD = 3
LASTING = ("end_fight", "remove")


class Item(Struct, frozen=True):
    """One thing the palette can do: a command of the screen or an action."""

    option: Option
    key: str = ""
    call: Call | None = None
    spec: ActionSpec | None = None
    about: str = ""


class Palette(Struct, frozen=True):
    """A search over everything, the named themes included."""

    themes: tuple[str, ...] = ()
    entry: Entry = Entry()
    chosen: int = 0

    @property
    def place(self) -> Place:
        """Whose footer it has."""
        return "palette"

    @property
    def title(self) -> str:
        """What the pane is called meanwhile."""
        return "Palette"

    def paste(self, scene: Scene, text: str) -> Mode:
        """Return the palette with a pasted text in its line."""
        return replace(self, entry=self.entry.typed(text), chosen=0)

    def _found(self, scene: Scene) -> tuple[Item, ...]:
        every = (*items(scene), *theme_items(self.themes))
        text = self.entry.text.strip()
        if not text:
            return every
        ranked = sorted((_worth(text, item), place) for place, item in enumerate(every))
        return tuple(every[place] for worth, place in ranked if worth < WORST)

    def rows(self, scene: Scene, width: int, height: int) -> tuple[Row, ...]:
        """Return the line typed in, what fits it, and more of what is marked."""
        found = self._found(scene)
        place = min(self.chosen, len(found) - 1)
        head = [entry_row(self.entry.spans(width - 2, "a command, an action, a theme"), width)]
        foot: list[Row] = []
        if found:
            spec = found[place].spec
            if spec is not None and spec.refusal is not None:
                foot += said((Span("  "), *refusal_spans(spec.refusal)), width, "refusal")
            foot += said((Span(f"  {found[place].about}", "dim"),), width, "about") if found[place].about else ()
        foot = foot[:3]
        seen = scrolled(tuple(enumerate(found)), max(0, place), max(1, height - len(head) - len(foot)))
        listed = [_row(item, number, number == place, width) for number, item in seen] or [
            Row("none", (Span("  nothing fits", "dim"),))
        ]
        return (*head, *listed, *foot)[: max(1, height)]

    def press(self, scene: Scene, key: str, character: str | None) -> Result | None:
        """Search, choose, or do it."""
        if key == "escape":
            return Result(None)
        found = self._found(scene)
        steps = {"up": -1, "down": 1, "pageup": -10, "pagedown": 10}
        if key in steps and not found:
            return Result(self)
        if key in steps:
            place = min(self.chosen, len(found) - 1) + steps[key]
            return Result(
                replace(self, chosen=place % len(found) if abs(steps[key]) == 1 else max(0, min(len(found) - 1, place)))
            )
        if key in ("enter", "tab"):
            return _taken(scene, found[min(self.chosen, len(found) - 1)]) if found else Result(self)
        entry = self.entry.press(key, character)
        return (
            None
            if entry is None
            else Result(replace(self, entry=entry, chosen=0 if entry.text != self.entry.text else self.chosen))
        )


def theme_items(names: Sequence[str]) -> tuple[Item, ...]:
    """Return an item for each theme."""
    about = "how the screen looks; kept for the next start"
    return tuple(
        Item(Option(f"theme_{name}", f"theme: {name}"), call=Call("theme", name), about=about) for name in names
    )


def _row(item: Item, number: int, here: bool, width: int) -> Row:
    """Return an item's line: name, note and key, or why it is refused."""
    option = item.option
    mark = Span("▸ " if here else "  ", "title")
    if option.refusal is not None:
        return refused_row(f"option:{number}", (mark, Span(clean(option.shown) + "  ", "dim")), option.refusal, width)
    note = (Span("  " + clean(option.note), "dim"),) if option.note else ()
    key = (Span(f" {item.key}", "key"),) if item.key else ()
    return Row(
        f"option:{number}",
        spread((mark, Span(clean(option.shown), "strong" if here else ""), *note), key, width),
        "current" if here else "",
    )


def _worth(text: str, item: Item) -> int:
    """Return how well a text names an item.

    All its words somewhere in what is said of the item are as good as its letters in a row.
    """
    worth = rank(text, item.option)
    if worth <= HELD:
        return worth
    words = f"{item.option.key} {item.option.shown} {item.option.note} {item.about}".casefold()
    return HELD if all(word in words for word in text.casefold().split()) else worth


def _taken(scene: Scene, item: Item) -> Result:
    """Do what an item says, an action with fields by its form."""
    spec = item.spec
    if spec is None:
        return Result(None, call=item.call)
    action = Action(spec.key, spec.by)
    return Result(Form.open(spec, action)) if spec.fields else deliver(scene, action)


def items(scene: Scene) -> tuple[Item, ...]:
    """Return what the palette lists.

    Actions of the active and the chosen combatant come first, then commands, then what the GM and the sides can do.
    """
    people: list[Id] = [
        who for who in dict.fromkeys((scene.active, scene.selected)) if who is not None and who in scene.model.state
    ]
    found = [
        _of_spec(scene, spec, clean(scene.model.state.name(who)))
        for who in people
        for spec in _willing(scene.offers(who))
    ]
    for command in usable(scene.table, scene.ruleset.board(scene.model.state) is not None):
        if command.action and command.id != "palette":
            line = described(command, scene.table)
            option = Option(command.id, command.word or line, line if command.word else "")
            found.append(Item(option, face(command.key), command.call, about=line))
    typed = frozenset(line.does for line in LINES.values())
    found += [_of_spec(scene, spec, "GM") for spec in _willing(scene.offers(None, but=typed)) if spec.key not in typed]
    found += [Item(Option(row.id, row.word, row.description), "", row.call, about=row.about) for row in UNKEYED]
    return tuple(found)


def _willing(specs: Sequence[ActionSpec]) -> list[ActionSpec]:
    return sorted(specs, key=lambda spec: spec.refusal is not None)


def _of_spec(scene: Scene, spec: ActionSpec, whose: str) -> Item:
    note = " · ".join(part for part in (whose, clean(spec.cost), spec.rule) if part)
    about = f"{scene.key('undo')} takes it back, as every step" if spec.by is None and spec.key in LASTING else ""
    return Item(Option(spec.key, spec.label, note, spec.refusal), spec=spec, about=about)
