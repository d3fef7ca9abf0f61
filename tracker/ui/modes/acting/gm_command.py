"""The commands of the GM, typed in one line and shown as they are parsed before Enter."""

from __future__ import annotations

from typing import ClassVar

from msgspec.structs import replace
from typing_extensions import override

from tracker.core.fight.cache import per_state
from tracker.core.fight.state import Combatant, State
from tracker.core.game.ruleset import Ruleset, status_of
from tracker.core.run import Done, Pending, Step
from tracker.core.terms.actions import Action
from tracker.session.step.runner import dry_run
from tracker.ui.keys.command import Footer
from tracker.ui.keys.table import LINES
from tracker.ui.modes.acting.action_form import Form
from tracker.ui.typing.entry import Entry
from tracker.ui.typing.gm_lines import parse_command, repeat
from tracker.ui.typing.mode import InputMode, Mode, ModeContext, Result, deliver
from tracker.ui.typing.parser import ParsedCommand
from tracker.ui.typing.rows import entry_row, listed_rows, problem_rows, refusal_spans, visible_rows, wrapped_rows
from tracker.views.words.spans import Row, Span
from tracker.views.words.text import clean

CHANGES_POINTS = ("damage", "heal", "status")
"""Commands that say so if they change no combatant's points or status."""


class GmCommandMode(InputMode, frozen=True):
    """A GM command being typed; `again` is the action to repeat on other targets."""

    place: ClassVar[Footer] = "verb"
    takes_labels: ClassVar[bool] = True
    verb: str
    chosen: int = -1
    again: Action | None = None

    @property
    @override
    def title(self) -> str:
        return LINES[self.verb].title

    @override
    def typed(self, scene: ModeContext, entry: Entry) -> Mode:
        same = entry.text == self.entry.text
        return replace(self, entry=entry, chosen=self.chosen if same else -1, problem="")

    def _parsed(self, scene: ModeContext) -> ParsedCommand:
        if self.again is not None:
            return repeat(scene, self.again, self.entry.text)
        return parse_command(scene, self.verb, self.entry.text, self.chosen)

    @override
    def rows(self, scene: ModeContext, width: int, height: int) -> tuple[Row, ...]:
        parsed = self._parsed(scene)
        hint = "labels of the new targets" if self.again is not None else LINES[self.verb].hint
        shown = [entry_row(self.entry.spans(width - 2, hint), width)]
        if parsed.says:
            shown += wrapped_rows(parsed.says, width, "draft")
        shown += problem_rows(self.problem, width)
        spec = scene.spec(parsed.action)
        if spec.refusal is not None:
            shown += wrapped_rows(refusal_spans(spec.refusal), width, "refusal")
        if spec.refusal is None and not parsed.wants and self.entry.text.strip():
            comes = preview_spans(scene, parsed.action)
            if not comes and self.verb in CHANGES_POINTS:
                comes = (Span("nothing changes", "dim"),)
            shown += wrapped_rows((Span("→ ", "dim"), *comes), width, "comes") if comes else ()
        if parsed.wants and not self.problem:
            shown += wrapped_rows((Span(parsed.wants, "dim"),), width, "wants")
        for warning in parsed.warns:
            shown += wrapped_rows((Span("! " + warning, "warn"),), width, "warning")
        if parsed.options:
            listed = listed_rows(parsed.options, parsed.at, width, keys=parsed.keys)
            shown += visible_rows(listed, max(0, parsed.at), max(1, height - len(shown)))
        return tuple(shown[: max(1, height)])

    @override
    def step(self, scene: ModeContext, by: int) -> Result | None:
        parsed = self._parsed(scene)
        if not parsed.options:
            return None
        return Result(replace(self, chosen=(parsed.at + by) % len(parsed.options), problem=""))

    @override
    def take(self, scene: ModeContext, form: bool) -> Result:
        parsed = self._parsed(scene)
        spec = scene.spec(parsed.action)
        if parsed.form or (form and spec.fields):
            return Result(Form.open(spec, parsed.action))
        if parsed.wants:
            return Result(replace(self, problem=parsed.wants))
        return replace(deliver(scene, parsed.action), call=parsed.keep)


def preview_spans(scene: ModeContext, action: Action) -> tuple[Span, ...]:
    """Return how an action changes combatants: `h 5→0 dead · u 16→12 (half)`."""
    halved = action.get("halved")
    spans: list[Span] = []
    for was, now in _changed(scene, action):
        spans += [Span(" · ", "dim")] if spans else []
        spans += [Span(f"{was.label} ", "strong"), *_change_spans(scene.ruleset, was, now)]
        spans += [Span(" (half)", "dim")] if isinstance(halved, tuple) and was.id in halved else []
    return tuple(spans)


def _changed(scene: ModeContext, action: Action) -> tuple[tuple[Combatant, Combatant], ...]:
    now = _after(scene.model.state, scene.ruleset, action)
    if now is None:
        return ()
    pairs = [(was, new) for was in scene.model.state.combatants if (new := now.get(was.id)) is not None]
    return tuple((was, new) for was, new in pairs if (was.pools, was.status) != (new.pools, new.status))


@per_state
def _after(state: State, ruleset: Ruleset, action: Action) -> State | None:
    outcome = dry_run(ruleset, state, Step("do", (action,)), ())
    return outcome.state if isinstance(outcome, Done | Pending) else None


def _change_spans(ruleset: Ruleset, was: Combatant, now: Combatant) -> list[Span]:
    spans: list[Span] = []
    for place, pool in enumerate(was.pools):
        after = now.pool(pool.key).now if now.has_pool(pool.key) else pool.now
        if after != pool.now:
            name = "" if place == 0 else f"{clean(pool.key.replace('_', ' '))} "
            points = f"{pool.now}→{after}".replace("-", "−")
            spans.append(Span(f"{' ' if spans else ''}{name}{points}"))
    if was.status != now.status:
        word = clean(status_of(ruleset, now.status).word)
        spans.append(Span(f"{' ' if spans else ''}{word}", "" if status_of(ruleset, now.status).acts else "bad"))
    return spans
