"""The help: every key and sign of the moment, searched by what it does."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import ClassVar

from msgspec import Struct, field
from msgspec.structs import replace
from typing_extensions import override

from tracker.core.terms.actions import Option
from tracker.core.terms.labels import folded
from tracker.ui.keys.command import Command, Place
from tracker.ui.keys.names import face
from tracker.ui.keys.table import described
from tracker.ui.modes.looking.items import Item, about_rows, item_rows, moved, rule_items, searched, taken
from tracker.ui.modes.looking.palette import action_items, master_items
from tracker.ui.panes.reader import MOVES as READING
from tracker.ui.panes.reader import Groups, help_page
from tracker.ui.typing.entry import Entry
from tracker.ui.typing.mode import MOVES, InputMode, Mode, Result, Scene, entry_row
from tracker.ui.typing.tokens import same_meaning
from tracker.views.panes.legend import Sign, legend
from tracker.views.words.spans import Row

__all__ = ["Help", "grouped"]

MOST_RULES = 60


class Leaf(Struct):
    """The page of keys as made for a width, and how far it is scrolled."""

    top: int = 0
    width: int = 0
    rows: Sequence[Row] = ()
    signs: tuple[Sign, ...] | None = None


class Help(InputMode, frozen=True):
    """Every key, or what answers to the words that are typed.

    Attributes:
        table: the keys of this fight as they are now.
        here, heading: the pane or mode it was opened in, whose keys come first, and what that is called.
        problems: what is wrong with the keymap file.
        back: what was open before, and is again after Escape.
    """

    place: ClassVar[Place] = "palette"
    title: ClassVar[str] = "Keys"
    over: ClassVar[bool] = True
    table: tuple[Command, ...]
    here: str = ""
    heading: str = ""
    problems: tuple[str, ...] = ()
    back: Mode | None = None
    chosen: int = 0
    leaf: Leaf = field(default_factory=Leaf)
    steps: ClassVar[Mapping[str, int]] = MOVES

    @override
    def typed(self, scene: Scene, entry: Entry) -> Mode:
        return replace(self, entry=entry, chosen=self.chosen if entry.text == self.entry.text else 0)

    def _signs(self, scene: Scene) -> tuple[Sign, ...]:
        if self.leaf.signs is None:
            self.leaf.signs = legend(scene.ruleset, scene.model.state, self.here)
        return self.leaf.signs

    def found(self, scene: Scene) -> tuple[Item, ...]:
        """Return the keys, signs, actions and rules that answer to the typed words."""
        text = self.entry.text
        every = [
            *(_of_command(command, self.table) for command in self.table),
            *action_items(scene),
            *master_items(scene),
        ]
        signs = [
            Item(Option(sign.sign, sign.means), sign.sign, group=sign.group, words=sign.sign)
            for sign in self._signs(scene)
        ]
        return (*searched(text, every), *searched(text, signs), *_rules(scene, text))

    def rows(self, scene: Scene, width: int, height: int) -> tuple[Row, ...]:
        """Return the line typed in, and every key or what has been found."""
        head = entry_row(self.entry.spans(width - 2, "type what you want to do: flee, save, prone …"), width)
        if self.entry.text.strip():
            found = self.found(scene)
            foot = about_rows(found[min(self.chosen, len(found) - 1)], width) if found else ()
            return (head, *item_rows(found, min(self.chosen, len(found) - 1), width, height - 1 - len(foot)), *foot)
        leaf = self.leaf
        if leaf.width != width:
            page = help_page(self.table, self.here, self.heading, self.problems, grouped(self._signs(scene)))
            leaf.rows, leaf.width = page(width), width
        leaf.top = max(0, min(leaf.top, len(leaf.rows) - height + 1))
        return (head, *leaf.rows[leaf.top : leaf.top + height - 1])

    def press(self, scene: Scene, key: str, character: str | None) -> Result | None:
        """Search, move in the page, choose, or do it."""
        if not self.entry.text.strip() and key in READING and key != "space":
            self.leaf.top = max(0, self.leaf.top + READING[key])
            return Result(self)
        result = super().press(scene, key, character)
        return Result(self) if result is None and scene.command(key) not in ("quit", "palette") else result

    @override
    def leave(self, scene: Scene) -> Result:
        return Result(self.back)

    @override
    def step(self, scene: Scene, by: int) -> Result:
        return Result(replace(self, chosen=moved(self.chosen, by, len(self.found(scene)))))

    @override
    def take(self, scene: Scene, form: bool) -> Result:
        """Run the command, open the action's form, or open the rule."""
        found = self.found(scene) if self.entry.text.strip() else ()
        if not found:
            return Result(self)
        item = found[min(self.chosen, len(found) - 1)]
        if item.rule and item.spec is None:
            return Result(self, reading=(item.rule,))
        return taken(scene, item) or Result(self)


def _of_command(command: Command, table: tuple[Command, ...]) -> Item:
    """Return a key with what it does.

    Those of a mode are only told of.
    """
    line = described(command, table)
    call = command.call if command.action else None
    words = f"{command.word} {command.finds}"
    return Item(Option(command.id, line), face(command.key), call, group=command.group, words=words)


def grouped(signs: tuple[Sign, ...]) -> Groups:
    """Return signs under their headings."""
    headings = dict.fromkeys(sign.group for sign in signs)
    return tuple(
        (heading, tuple((sign.sign, sign.means) for sign in signs if sign.group == heading)) for heading in headings
    )


def _rules(scene: Scene, text: str) -> tuple[Item, ...]:
    """Return the rules that hold the words, or what another game calls them."""
    found: dict[str, Item] = {}
    for word in same_meaning(folded(text)):
        for item in rule_items(scene, word):
            found.setdefault(item.rule, replace(item, group="Rules"))
    return tuple(found.values())[:MOST_RULES]
