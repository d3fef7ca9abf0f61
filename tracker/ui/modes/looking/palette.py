"""The palette: actions, commands and themes by name."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import ClassVar

from msgspec.structs import replace
from typing_extensions import override

from tracker.core.fight.state import Id
from tracker.core.terms.actions import ActionSpec, Option
from tracker.ui.keys.command import Call, Place
from tracker.ui.keys.names import face
from tracker.ui.keys.table import LINES, UNKEYED, described, usable
from tracker.ui.modes.looking.items import Item, about_rows, item_rows, moved, searched, taken
from tracker.ui.typing.entry import Entry
from tracker.ui.typing.mode import MOVES, InputMode, Mode, Result, Scene, entry_row
from tracker.views.words.spans import Row
from tracker.views.words.text import clean

__all__ = ["Palette", "action_items", "items", "theme_items"]

LASTING = ("end_fight", "remove")
MASTER = "The GM and the sides"


class Palette(InputMode, frozen=True):
    """A search over everything, the named themes included."""

    place: ClassVar[Place] = "palette"
    title: ClassVar[str] = "Palette"
    over: ClassVar[bool] = True
    themes: tuple[str, ...] = ()
    chosen: int = 0
    steps: ClassVar[Mapping[str, int]] = MOVES

    @override
    def typed(self, scene: Scene, entry: Entry) -> Mode:
        return replace(self, entry=entry, chosen=self.chosen if entry.text == self.entry.text else 0)

    def found(self, scene: Scene) -> tuple[Item, ...]:
        """Return what fits the typed words, the likeliest first."""
        return searched(self.entry.text, (*items(scene), *theme_items(self.themes)))

    def rows(self, scene: Scene, width: int, height: int) -> tuple[Row, ...]:
        """Return the line typed in, what fits it, and more of what is marked."""
        found = self.found(scene)
        place = min(self.chosen, len(found) - 1)
        head = entry_row(self.entry.spans(width - 2, "a command, an action, a theme"), width)
        foot = about_rows(found[place], width) if found else ()
        return (head, *item_rows(found, place, width, height - 1 - len(foot)), *foot)[: max(1, height)]

    @override
    def step(self, scene: Scene, by: int) -> Result:
        return Result(replace(self, chosen=moved(self.chosen, by, len(self.found(scene)))))

    @override
    def take(self, scene: Scene, form: bool) -> Result:
        found = self.found(scene)
        return (taken(scene, found[min(self.chosen, len(found) - 1)]) if found else None) or Result(self)


def theme_items(names: Sequence[str]) -> tuple[Item, ...]:
    """Return an item for each theme."""
    about = "how the screen looks; kept for the next start"
    return tuple(
        Item(Option(f"theme_{name}", f"theme: {name}"), call=Call("theme", name), about=about, group="Looks")
        for name in names
    )


def items(scene: Scene) -> tuple[Item, ...]:
    """Return what the palette lists.

    Actions of the active and the chosen combatant come first, then commands, then what the GM and the sides can do.
    """
    found = list(action_items(scene))
    for command in usable(scene.table, scene.ruleset.board(scene.model.state) is not None):
        if command.action and command.id != "palette":
            line = described(command, scene.table)
            option = Option(command.id, command.word or line, line if command.word else "")
            words = command.finds
            found.append(Item(option, face(command.key), command.call, about=line, group=command.group, words=words))
    found += master_items(scene)
    found += [
        Item(Option(row.id, row.word, row.description), "", row.call, about=row.about, group=row.group, words=row.finds)
        for row in UNKEYED
    ]
    return tuple(found)


def action_items(scene: Scene) -> tuple[Item, ...]:
    """Return what the active and the chosen combatant can do, or are refused."""
    people: list[Id] = [
        who for who in dict.fromkeys((scene.active, scene.selected)) if who is not None and who in scene.model.state
    ]
    return tuple(
        _of_spec(scene, spec, clean(scene.model.state.name(who)))
        for who in people
        for spec in _willing(scene.offers(who))
    )


def master_items(scene: Scene) -> tuple[Item, ...]:
    """Return what the GM and the sides can do without a key of its own."""
    typed = frozenset(line.does for line in LINES.values())
    return tuple(
        _of_spec(scene, spec, MASTER) for spec in _willing(scene.offers(None, but=typed)) if spec.key not in typed
    )


def _willing(specs: Sequence[ActionSpec]) -> list[ActionSpec]:
    return sorted(specs, key=lambda spec: spec.refusal is not None)


def _of_spec(scene: Scene, spec: ActionSpec, whose: str) -> Item:
    about = f"{scene.key('undo')} takes it back, as every step" if spec.by is None and spec.key in LASTING else ""
    option = Option(spec.key, spec.label, clean(spec.cost), spec.refusal)
    return Item(option, spec=spec, rule=spec.rule, about=about, group=whose)
