"""The acts that are due in a declared game, done with one Enter.

What was declared stands, so nothing is planned here; a label stops them before that one's next act.
"""

from __future__ import annotations

from typing import ClassVar

from msgspec.structs import replace
from typing_extensions import override

from tracker.core.fight.state import Id, Slot, State
from tracker.core.game.ruleset import Ruleset
from tracker.ui.keys.command import Place
from tracker.ui.modes.acting.standing import skipped
from tracker.ui.modes.sheet.narrow import squeezed
from tracker.ui.typing.mode import InputMode, Result, Scene, scrolled
from tracker.ui.typing.parser import people_of
from tracker.ui.typing.plan import Acts
from tracker.views.words.spans import Row, Span, cut_spans
from tracker.views.words.text import clean

__all__ = ["Coming", "act_due"]

HINT = "Enter: all · s: as far as s"


def act_due(ruleset: Ruleset, state: State) -> Id | None:
    """Return whose act is due on its segment, or None."""
    slot = state.clock.current
    if slot is None or slot.segment is None or not slot.members or state.clock.over:
        return None
    return slot.members[0] if ruleset.advance(state) is not None else None


class Coming(InputMode, frozen=True):
    """The acts to come, as the schedule has them.

    The typed text is a label, or nothing.
    """

    place: ClassVar[Place] = "acts"
    title: ClassVar[str] = "Acts"
    takes_labels: ClassVar[bool] = True

    # What it shows

    def rows(self, scene: Scene, width: int, height: int) -> tuple[Row, ...]:
        """Return the line typed in, and each act on its segment."""
        shown = self.head(width, HINT)
        acts = _acts(scene)
        before = self._before(scene)
        end = next((place for place, slot in enumerate(acts) if place and slot.members[:1] == (before,)), len(acts))
        rows = [_row(scene, slot, width, done=place < end) for place, slot in enumerate(acts)]
        place = end if end < len(acts) else 0
        return (*shown, *scrolled(rows, place, max(1, height - len(shown))))

    # What keys do

    @override
    def take(self, scene: Scene, form: bool) -> Result | None:
        if form:
            return None
        text, before = self.entry.text.strip(), self._before(scene)
        if text and before is None:
            return Result(replace(self, problem=f'"{clean(text)}" is no label here'))
        if before is not None and not any(slot.members[:1] == (before,) for slot in _acts(scene)[1:]):
            name = clean(scene.model.state.name(before))
            return Result(replace(self, problem=f"no act of {name} follows in this round"))
        return Result(None, plan=Acts(before))

    def _before(self, scene: Scene) -> Id | None:
        """Return whom the typed label means."""
        people = people_of(scene, self.entry.text.strip())
        return people[0] if len(people) == 1 else None


def _acts(scene: Scene) -> tuple[Slot, ...]:
    """Return the act that is due and those that follow it."""
    state = scene.model.state
    clock = state.clock
    slots = (*(() if clock.current is None else (clock.current,)), *clock.upcoming)
    return tuple(
        slot
        for slot in slots
        if slot.segment is not None
        and slot.stop
        and slot.members
        and (slot is clock.current or skipped(scene.ruleset, state, slot) is None)
    )


def _row(scene: Scene, slot: Slot, width: int, *, done: bool) -> Row:
    """Return one act: its segment, whose it is, and what was declared."""
    name = scene.model.state.name(slot.members[0])
    what = slot.title.removeprefix(f"{name}: ")
    at = f"{slot.segment:>3} ".replace("-", "−")
    if not done:
        return Row(f"act:{slot.id}", cut_spans((Span(f"{at}{clean(name)} · {clean(what)}", "dim"),), width))
    deed, target = _aimed(scene.model.state, what)
    parts: list[Span | str] = [Span(at, "key"), slot.members[0], Span(f" · {clean(deed)}", "dim")]
    parts += [] if target is None else [Span(" → ", "dim"), target]
    return Row(f"act:{slot.id}", cut_spans(squeezed(scene, parts, width), width))


def _aimed(state: State, what: str) -> tuple[str, Id | None]:
    """Return what is done, and at whom where its words end so: `mace at Wolf`."""
    found = [one for one in state.combatants if what.endswith(f" at {one.name}")]
    target = max(found, key=lambda one: len(one.name), default=None)
    return (what, None) if target is None else (what.removesuffix(f" at {target.name}"), target.id)
