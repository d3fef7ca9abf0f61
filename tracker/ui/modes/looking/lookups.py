"""Modes for looking something up, and for what may have been missed."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

from msgspec.structs import replace
from typing_extensions import override

from tracker.core.fight.state import State
from tracker.core.game.reminding import owed
from tracker.core.game.ruleset import Ruleset
from tracker.core.game.schema import Reminding
from tracker.core.terms.actions import Action, Option
from tracker.core.terms.labels import read_labels
from tracker.session.intents import Advance, Do
from tracker.ui.keys.command import Place
from tracker.ui.modes.acting.picker import Picker
from tracker.ui.modes.looking.items import item_rows, moved, rule_items
from tracker.ui.modes.past.report import hint
from tracker.ui.typing.entry import Entry
from tracker.ui.typing.mode import (
    MOVES,
    InputMode,
    ListMode,
    Mode,
    Result,
    Scene,
    deliver,
    entry_row,
    listed_rows,
    scrolled,
)
from tracker.ui.typing.tokens import matching
from tracker.views.panes.rules import mistake_rows
from tracker.views.words.spans import Row, Span, cut_spans, wrap_spans
from tracker.views.words.text import clean

__all__ = ["Filter", "Jump", "Lookup", "Missed"]


class Jump(InputMode, frozen=True):
    """Going to a combatant by label or name.

    `act` is for acting out of turn as that one.
    """

    place: ClassVar[Place] = "palette"
    takes_labels: ClassVar[bool] = True
    act: bool = False
    chosen: int = 0

    @property
    def title(self) -> str:
        """What the pane is called meanwhile."""
        return "Act out of turn" if self.act else "Go to"

    def _found(self, scene: Scene) -> tuple[Option, ...]:
        text = self.entry.text.strip()
        people = tuple(Option(person.id, clean(person.name), person.label) for person in scene.model.state.combatants)
        return matching(text, people) if text else people

    def rows(self, scene: Scene, width: int, height: int) -> tuple[Row, ...]:
        """Return the line typed in and who may be meant."""
        hint = (
            "label of the one to act"
            if self.act
            else f"label; {_again(scene)} again: act as that one; a blank, then a name"
        )
        head = entry_row(self.entry.spans(width - 2, hint), width)
        found = self._found(scene)
        bare = tuple(Option(option.key, option.label) for option in found)
        return (
            head,
            *scrolled(
                listed_rows(bare, self.chosen, width, keys=[option.note for option in found]), self.chosen, height - 1
            ),
        )

    def press(self, scene: Scene, key: str, character: str | None) -> Result | None:
        """Go there as soon as a label is complete."""
        if key != "escape" and (character == "'" or (scene.command(key) == "jump" and not (character or "").isalnum())):
            return Result(replace(self, act=True))
        return super().press(scene, key, character)

    @override
    def step(self, scene: Scene, by: int) -> Result | None:
        found = self._found(scene)
        return Result(replace(self, chosen=(self.chosen + by) % len(found))) if found else None

    @override
    def take(self, scene: Scene, form: bool) -> Result:
        found = self._found(scene)
        return self._to(scene, found[min(self.chosen, len(found) - 1)].key) if found else Result(self)

    @override
    def changed(self, scene: Scene, entry: Entry) -> Result:
        labels = read_labels(entry.text, tuple(scene.labels)) if entry.text.isalpha() else None
        if labels:
            return self._to(scene, scene.labels[labels[0][0]])
        return Result(replace(self, entry=entry, chosen=0))

    def _to(self, scene: Scene, who: str) -> Result:
        return Result(Picker(who) if self.act else None, select=who)


def _again(scene: Scene) -> str:
    """Return the key that, pressed again, means acting: a letter would be a label."""
    key = scene.key("jump")
    return "'" if key.isalnum() else key


class Filter(InputMode, frozen=True):
    """Narrowing a pane to the lines that hold a word, while it is typed."""

    place: ClassVar[Place] = "palette"
    title: ClassVar[str] = "Filter"
    name: str = ""

    def rows(self, scene: Scene, width: int, height: int) -> tuple[Row, ...]:
        """Return the line typed in."""
        return (
            entry_row(self.entry.spans(width - 2, "a word"), width),
            Row("hint", cut_spans((Span(f"only the lines of {self.name} that hold it; empty: all", "dim"),), width)),
        )

    @override
    def leave(self, scene: Scene) -> Result:
        return Result(None, narrow="")

    @override
    def take(self, scene: Scene, form: bool) -> Result | None:
        return None if form else Result(None, narrow=self.entry.text)

    @override
    def changed(self, scene: Scene, entry: Entry) -> Result:
        return Result(self.typed(scene, entry), narrow=entry.text)


class Lookup(InputMode, frozen=True):
    """Looking a rule up by id or words."""

    place: ClassVar[Place] = "palette"
    title: ClassVar[str] = "Rules"
    over: ClassVar[bool] = True
    steps: ClassVar[Mapping[str, int]] = MOVES
    chosen: int = 0

    def rows(self, scene: Scene, width: int, height: int) -> tuple[Row, ...]:
        """Return the line typed in and the rules that hold its words."""
        head = entry_row(self.entry.spans(width - 2, "words or a rule's id"), width)
        if problems := mistake_rows(scene.ruleset.rulebook, width):
            return (head, *problems[: height - 1])
        found = rule_items(scene, self.entry.text)
        return (head, *item_rows(found, min(self.chosen, len(found) - 1), width, height - 1))

    @override
    def step(self, scene: Scene, by: int) -> Result:
        found = rule_items(scene, self.entry.text)
        return Result(replace(self, chosen=moved(self.chosen, by, len(found))))

    @override
    def take(self, scene: Scene, form: bool) -> Result:
        found = rule_items(scene, self.entry.text)
        return Result(self, reading=(found[min(self.chosen, len(found) - 1)].rule,)) if found else Result(self)

    @override
    def typed(self, scene: Scene, entry: Entry) -> Mode:
        return replace(self, entry=entry, chosen=0)


class Missed(ListMode, frozen=True):
    """What may have been missed, shown once before time goes on.

    The next `n` goes on. What has been settled leaves the list, and the last of it closes it.
    """

    place: ClassVar[Place] = "missed"
    title: ClassVar[str] = "Before going on"
    reminders: tuple[Reminding, ...]
    chosen: int = 0

    def left(self, ruleset: Ruleset, state: State) -> tuple[Reminding, ...]:
        """Return what is still open of it, as it stands now."""
        listed = {reminder.key for reminder in self.reminders}
        return tuple(now for now in owed(ruleset, state) if now.key in listed)

    def rows(self, scene: Scene, width: int, height: int) -> tuple[Row, ...]:
        """Return what may have been missed."""
        left = self.left(scene.ruleset, scene.model.state)
        ways = (
            (scene.key("next"), "goes on"),
            ("enter", "settles"),
            ("tab", "opens"),
            ("x", "drops"),
            ("*", "settles all"),
        )
        head = hint(width, *ways)
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
        return (*head, *scrolled(rows, place, height - len(head)))

    def press(self, scene: Scene, key: str, character: str | None) -> Result | None:
        """Go on, settle one or all, open one, or dismiss one."""
        left = self.left(scene.ruleset, scene.model.state)
        if key == "escape":
            return Result(None)
        if scene.command(key) == "next":
            return Result(None, (Advance(),))
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
            return Result(Picker(reminder.about), select=reminder.about)
        if key == "enter":  # what no action settles has been read now
            done = deliver(scene, reminder.settle or Action("dismiss").put(key=reminder.key))
            return replace(done, mode=self if len(left) > 1 else None)
        settled = tuple(other.settle for other in left if other.settle is not None)
        if character == "*" and settled:
            return Result(self, (Do(settled),))
        return Result(self)
