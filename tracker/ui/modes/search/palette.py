"""The palette and the help: actions, commands, keys, signs and rules by name."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from msgspec import field
from msgspec.structs import replace
from typing_extensions import override

from tracker.core.terms.actions import ActionSpec, Option
from tracker.core.terms.labels import folded
from tracker.ui.keys.command import Call, Command
from tracker.ui.keys.table import LINES, UNKEYED, Groups, described, face, help_page, usable
from tracker.ui.modes.acting.picker import possible_first
from tracker.ui.modes.search.lookups import Item, SearchMode, rule_items, searched
from tracker.ui.typing.mode import MOVES, Mode, ModeContext, Result, Scroll
from tracker.ui.typing.rows import entry_row
from tracker.ui.typing.tokens import same_meaning
from tracker.views.panes.legend import Sign, legend
from tracker.views.words.spans import Row
from tracker.views.words.text import clean

LASTING = ("end_fight", "remove")
MASTER = "The GM and the sides"


class Palette(SearchMode, frozen=True):
    """A search over actions, commands and themes."""

    title: ClassVar[str] = "Palette"
    hint: ClassVar[str] = "a command, an action, a theme"
    themes: tuple[str, ...] = ()

    @override
    def found(self, scene: ModeContext) -> tuple[Item, ...]:
        return searched(self.entry.text, (*items(scene), *theme_items(self.themes)))


def theme_items(names: Sequence[str]) -> tuple[Item, ...]:
    about = "how the screen looks; kept for the next start"
    return tuple(
        Item(Option(f"theme_{name}", f"theme: {name}"), call=Call("theme", name), about=about, group="Looks")
        for name in names
    )


def items(scene: ModeContext) -> tuple[Item, ...]:
    """Return the actions of the active and the selected combatant, the commands, and the GM's actions."""
    found = list(action_items(scene))
    for command in usable(scene.table, scene.ruleset.map.board(scene.model.state) is not None):
        if command.call and command.id != "palette":
            line = described(command, scene.table)
            option = Option(command.id, command.word or line, line if command.word else "")
            found.append(Item(option, face(command.key), command.call, None, "", line, command.group, command.synonyms))
    found += gm_items(scene)
    found += [
        Item(Option(row.id, row.word, row.description), "", row.call, None, "", row.detail, row.group, row.synonyms)
        for row in UNKEYED
    ]
    return tuple(found)


def action_items(scene: ModeContext) -> tuple[Item, ...]:
    people = [scene.model.state.get(key) for key in dict.fromkeys((scene.active, scene.selected))]
    return tuple(
        _of_spec(scene, spec, clean(combatant.name))
        for combatant in people
        if combatant is not None
        for spec in possible_first(scene.offers(combatant.id))
    )


def gm_items(scene: ModeContext) -> tuple[Item, ...]:
    typed = frozenset(line.does for line in LINES.values())
    offers = possible_first(scene.offers(None, but=typed))
    return tuple(_of_spec(scene, spec, MASTER) for spec in offers if spec.key not in typed)


def _of_spec(scene: ModeContext, spec: ActionSpec, whose: str) -> Item:
    about = f"{scene.key('undo')} takes it back, as every step" if spec.by is None and spec.key in LASTING else ""
    option = Option(spec.key, spec.label, clean(spec.cost), spec.refusal)
    return Item(option, spec=spec, rule=spec.rule, about=about, group=whose)


MOST_RULES = 60
READING = {**MOVES, "home": -1_000_000, "end": 1_000_000}
"""Keys that scroll the page of keys, and by how many lines."""


class HelpPage(Scroll):
    """The page of keys, cached for a width, and how far it is scrolled."""

    width: int = 0
    rows: Sequence[Row] = ()
    signs: tuple[Sign, ...] | None = None


class Help(SearchMode, frozen=True):
    """All keys, first those of the place `here`; or the keys, signs, actions and rules that match typed words."""

    title: ClassVar[str] = "Keys"
    hint: ClassVar[str] = "type what you want to do: flee, save, prone …"
    table: tuple[Command, ...]
    here: str = ""
    heading: str = ""
    problems: tuple[str, ...] = ()
    back: Mode | None = None
    leaf: HelpPage = field(default_factory=HelpPage)

    def _signs(self, scene: ModeContext) -> tuple[Sign, ...]:
        if self.leaf.signs is None:
            self.leaf.signs = legend(scene.ruleset, scene.model.state, self.here)
        return self.leaf.signs

    @override
    def found(self, scene: ModeContext) -> tuple[Item, ...]:
        text = self.entry.text
        every = [
            *(_of_command(command, self.table) for command in self.table),
            *action_items(scene),
            *gm_items(scene),
        ]
        signs = [
            Item(Option(sign.sign, sign.means), sign.sign, group=sign.group, words=sign.sign)
            for sign in self._signs(scene)
        ]
        return (*searched(text, every), *searched(text, signs), *_rules(scene, text))

    @override
    def rows(self, scene: ModeContext, width: int, height: int) -> tuple[Row, ...]:
        if self.entry.text.strip():
            return super().rows(scene, width, height)
        leaf = self.leaf
        if leaf.width != width:
            page = help_page(self.table, self.here, self.heading, self.problems, grouped(self._signs(scene)))
            leaf.rows, leaf.width = page(width), width
        head = entry_row(self.entry.spans(width - 2, self.hint), width)
        return (head, *leaf.seen(leaf.rows, height - 1))[:height]

    @override
    def scrolled(self) -> Scroll | None:
        return None if self.entry.text.strip() else self.leaf

    @override
    def press(self, scene: ModeContext, key: str, character: str | None) -> Result | None:
        if not self.entry.text.strip() and key in READING:
            self.leaf.top = max(0, self.leaf.top + READING[key])
            return Result(self)
        result = super().press(scene, key, character)
        return Result(self) if result is None and scene.command(key) not in ("quit", "palette") else result

    @override
    def leave(self, scene: ModeContext) -> Result:
        return Result(self.back)

    @override
    def take(self, scene: ModeContext, form: bool) -> Result:
        return super().take(scene, form) if self.entry.text.strip() else Result(self)


def _of_command(command: Command, table: tuple[Command, ...]) -> Item:
    line = described(command, table)
    words = f"{command.word} {command.synonyms}"
    return Item(Option(command.id, line), face(command.key), command.call, group=command.group, words=words)


def grouped(signs: tuple[Sign, ...]) -> Groups:
    headings = dict.fromkeys(sign.group for sign in signs)
    return tuple(
        (heading, tuple((sign.sign, sign.means) for sign in signs if sign.group == heading)) for heading in headings
    )


def _rules(scene: ModeContext, text: str) -> tuple[Item, ...]:
    rules: dict[str, Item] = {}
    for word in same_meaning(folded(text)):
        for item in rule_items(scene, word):
            rules.setdefault(item.rule, replace(item, group="Rules"))
    return tuple(rules.values())[:MOST_RULES]
