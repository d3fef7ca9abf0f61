"""The list of past dice, decisions and actions, one of which is put right."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import ClassVar

from msgspec.structs import replace
from typing_extensions import override

from tracker.core.engine import spec_of
from tracker.core.terms.labels import folded
from tracker.core.terms.requests import Answer, Passed, Request
from tracker.ui.keys.command import Place
from tracker.ui.modes.acting.action_form import Form
from tracker.ui.modes.acting.prompt import Prompt
from tracker.ui.modes.past.correcting import Correcting
from tracker.ui.modes.past.givens import FIRST_STEPS, Given, givens
from tracker.ui.typing.entry import Entry
from tracker.ui.typing.mode import MOVES, InputMode, Result, Scene, scrolled
from tracker.views.words.spans import Row, Span, cut_spans, fit, spread
from tracker.views.words.text import clean

__all__ = ["Amending"]

HINT = "a label or words find it; a number is the right value: o 14"
_TYPED = re.compile(r"(?P<words>[^\d*]*)(?P<value>.*)", re.DOTALL)


class Amending(InputMode, frozen=True):
    """Choosing what was given wrongly.

    Labels and words narrow the list; a number is what it should have been. Enter alone asks anew, or opens the action's
    form.

    Attributes:
        listed: what was given, the newest first.
        chosen: the place of the marked one among them.
    """

    place: ClassVar[Place] = "palette"
    title: ClassVar[str] = "Correct"
    over: ClassVar[bool] = True
    listed: tuple[Given, ...]
    chosen: int = 0
    steps: ClassVar[Mapping[str, int]] = MOVES

    # What it shows

    def rows(self, scene: Scene, width: int, height: int) -> tuple[Row, ...]:
        """Return the line typed in, and what was given in each deed, the newest first."""
        head = self.head(width, HINT)
        lines: list[tuple[int, bool]] = []
        at, before = 0, None
        for place in self._fitting(scene):
            given = self.listed[place]
            alone = not given.key and (given.step, given.deed) != before
            if not alone and (given.step, given.deed) != before:
                lines.append((place, True))
            before = (given.step, given.deed)
            if place == self.chosen:
                at = len(lines)
            lines.append((place, False))
        if not lines:
            words = "nothing fits" if self.listed else "nothing has been rolled or decided yet"
            return (*head, Row("none", cut_spans((Span(words, "dim"),), width)))
        shown = scrolled(tuple(enumerate(lines)), at, max(1, height - len(head)))
        return (*head, *(self._row(lines, number, width) for number, _ in shown))

    def _row(self, lines: Sequence[tuple[int, bool]], number: int, width: int) -> Row:
        """Return a deed as a heading, or what was given in it."""
        place, heading = lines[number]
        given = self.listed[place]
        when = f"R{given.round}" if given.round else ""
        if heading:
            start = (Span("  " + fit(when, 4), "dim"), Span(clean(given.deed), "head"))
            return Row(f"deed:{place}", spread(start, (Span(" " + clean(given.comes), "dim"),), width), "head")
        here = place == self.chosen
        mark, style = Span("▸ " if here else "  ", "title"), "strong" if here else ""
        state, key = "current" if here else "", f"option:{place}"
        if given.key:
            what = Span(" " * 6 + fit(clean(given.what), min(52, max(12, width - 26))), style)
            return Row(
                key,
                cut_spans((mark, what, Span("  " + clean(given.shown), "dim" if _quiet(given) else "typed")), width),
                state,
            )
        above = self.listed[lines[number - 1][0]] if number else None
        if above is not None and (above.step, above.deed) == (given.step, given.deed):
            return Row(key, cut_spans((mark, Span(" " * 6 + clean(given.what), style or "dim")), width), state)
        alone = (mark, Span(fit(when, 4), "dim"), Span(clean(given.deed), style))
        return Row(key, spread(alone, (Span(" " + clean(given.comes), "dim"),), width), state)

    # What is typed

    def _parts(self, scene: Scene) -> tuple[str, str]:
        """Return the words that narrow the list, and the right value.

        Words that no line holds, and that are no label, are the value.
        """
        text = self.entry.text.strip()
        match = _TYPED.fullmatch(text)
        words, value = ("", text) if match is None else (match["words"].strip(), match["value"].strip())
        narrows = not words or words.casefold() in scene.labels or self._holding(scene, words)
        return (words, value) if narrows else ("", text)

    def _holding(self, scene: Scene, words: str) -> tuple[int, ...]:
        """Return the places of what a label or all of some words name."""
        who = scene.labels.get(words.casefold())
        if who is not None:
            own = tuple(place for place, given in enumerate(self.listed) if who in given.by)
            return own or tuple(place for place, given in enumerate(self.listed) if who in given.at)
        parts = folded(words).split()
        held = (folded(f"{given.deed} {given.what} {given.shown}") for given in self.listed)
        return tuple(place for place, text in enumerate(held) if all(part in text for part in parts))

    def _fitting(self, scene: Scene) -> tuple[int, ...]:
        words, _ = self._parts(scene)
        return self._holding(scene, words) if words else tuple(range(len(self.listed)))

    @override
    def typed(self, scene: Scene, entry: Entry) -> Amending:
        """Return the list with another line typed, its newest die or decision marked."""
        typed = replace(self, entry=entry, problem="")
        was, now = self._parts(scene)[0], typed._parts(scene)[0]
        if was == now:
            return typed
        fitting = typed._fitting(scene)
        given = [place for place in fitting if self.listed[place].key and not _quiet(self.listed[place])]
        return replace(typed, chosen=(given or list(fitting) or [0])[0])

    # What keys do

    @override
    def leave(self, scene: Scene) -> Result:
        return Result(replace(self, entry=Entry(), problem="") if self.entry.text else None)

    @override
    def step(self, scene: Scene, by: int) -> Result | None:
        return Result(self._moved(scene, by)) if self.listed else None

    @override
    def take(self, scene: Scene, form: bool) -> Result | None:
        if form or not self.listed:
            return None
        return self._ask(scene, self.listed[self.chosen]) if self.chosen in self._fitting(scene) else Result(self)

    def _moved(self, scene: Scene, by: int) -> Amending:
        """Mark another line that fits, older ones read where it goes beyond the oldest."""
        fitting = self._fitting(scene)
        at = next((number for number, place in enumerate(fitting) if place >= self.chosen), 0) + by
        more = self._longer(scene) if at >= len(fitting) else self
        fitting = more._fitting(scene)
        return replace(more, chosen=fitting[max(0, min(len(fitting) - 1, at))], problem="") if fitting else more

    def _longer(self, scene: Scene) -> Amending:
        """Return the list with what was given before its oldest line, if anything was."""
        steps = scene.model.steps
        told = next(
            (number for number, record in enumerate(reversed(steps), start=1) if record.seq == self.listed[-1].step),
            len(steps),
        )
        return replace(self, listed=givens(scene.model.state, steps, most=2 * told + FIRST_STEPS))

    def _ask(self, scene: Scene, given: Given) -> Result | None:
        _, value = self._parts(scene)
        if not given.key:
            return self._reopen(scene, given, value)
        asked = scene.asked(given.step, given.key)
        if asked is None:
            return Result(
                replace(
                    self, problem="this cannot be asked again by itself: go back before it and on from there instead"
                )
            )
        correcting = Correcting(replace(self, entry=Entry()), given, _prompt(asked.request, given.answer), asked)
        if not value:
            return Result(correcting)
        return replace(correcting, inner=Prompt(entry=Entry.of(value))).press(scene, "enter", None)

    def _reopen(self, scene: Scene, given: Given, value: str) -> Result:
        """Open the form of an action as it stood."""
        if value:
            return Result(replace(self, problem="this is an action: enter alone opens its form"))
        record = next(record for record in scene.model.steps if record.seq == given.step)
        action = record.step.actions[given.place]
        state = scene.at(record.parent)
        if action.by is not None and action.by not in state:
            late = f"{clean(state.name(action.by))} came only in the middle of this step"
            return Result(replace(self, problem=f"{late}: its form cannot be opened again"))
        form = Form.open(spec_of(scene.ruleset, state, action), action)
        back = replace(self, entry=Entry())
        return Result(Correcting(back, given, inner=form, asked=None, actions=record.step.actions))


def _quiet(given: Given) -> bool:
    """Tell whether nobody did anything there."""
    return isinstance(given.answer, Passed)


def _prompt(request: Request, answer: Answer | None) -> Prompt:
    """Return the prompt of a request with what was answered under the cursor."""
    given = () if answer is None else answer.keys
    if request.several:
        return Prompt(picked=None if answer is None else given)
    return Prompt(chosen=next((place for place, option in enumerate(request.options) if option.key in given), -1))
