"""What a correction asks and forces, and how the fight would stand."""

from __future__ import annotations

from collections import Counter
from typing import ClassVar

from msgspec.structs import replace

from tracker.core.terms.requests import Roll
from tracker.session.intents import Amend
from tracker.session.model import AmendReport, Assumed, StepOutcome
from tracker.ui.modes.past.givens import answer_words
from tracker.ui.modes.past.report import Report, hint
from tracker.ui.typing.mode import Result, Scene, Scroll, said
from tracker.views.panes.changes import change_rows
from tracker.views.words.spans import Row, Span
from tracker.views.words.text import clean, key_words, listed

__all__ = ["Amended"]

WORDS = {
    "changed": "has another result",
    "unused": "has another result; some answers are no longer asked for",
    "open": "asks something that has no answer yet",
    "gone": "falls away: its moment has come already",
    "waiting": "waits for the open question",
}
ONE = "one"
MOST_TOLD = 3
"""How many of the answers that the preview goes on with are told."""


class Amended(Report, frozen=True):
    """What would differ: take it or leave it."""

    title: ClassVar[str] = "What would differ"
    intent: Amend
    report: AmendReport
    headline: str

    def head(self, scene: Scene, width: int) -> tuple[Row, ...]:
        """Return what will happen, and what to press."""
        tone = "warn" if self.report.asks or _refused(self.report) else "strong"
        pairs = [("enter", "takes it")]
        if _refused(self.report):
            pairs.append(("x", f"{'keeps' if self.intent.refused == 'drop' else 'drops'} what is not allowed"))
        return (
            *said((Span(_summary(self.report), tone),), width, "summary"),
            *hint(width, *pairs, ("esc", "leaves all as it was")),
        )

    def body(self, scene: Scene, width: int) -> list[Row]:
        """Return before and after, then the steps that change."""
        report = self.report
        refused = [outcome for outcome in report.outcomes if outcome.outcome == "refused"]
        rows = [*said((Span(clean(self.headline), "strong"),), width, "headline")]
        for outcome in sorted(refused, key=lambda outcome: not outcome.kept):
            rows += said((Span(_refusal_words(scene, outcome), "warn"),), width, "refused")
        if report.asks:
            rows += said((Span(_assumed_words(scene, report.asks), "dim"),), width, "assumed")
        if report.until is not None:
            words = f"compared before step {report.until}, which asks what nobody can foresee"
            rows += said((Span(words, "warn"),), width, "until")
        rows += change_rows(scene.ruleset, *report.states, report.changes, width)
        for outcome in report.outcomes:
            if outcome not in refused and (words := WORDS.get(outcome.outcome, "")):
                rows += said((Span(f"{_called(scene, outcome)} {words}", "dim"),), width, "outcome")
        return rows

    def decide(self, scene: Scene, key: str, character: str | None) -> Result:
        """Take it, or see it without what the rules refuse."""
        if key == "enter":
            return Result(None, (self.intent,))
        if character == "x":
            intent = replace(self.intent, refused="keep" if self.intent.refused == "drop" else "drop")
            return Result(replace(self, intent=intent, report=scene.preview(intent), scroll=Scroll()))
        return Result(self)


def _refused(report: AmendReport) -> int:
    return sum(outcome.outcome == "refused" for outcome in report.outcomes)


def _summary(report: AmendReport) -> str:
    """Return what is asked, played again, forced and left out."""
    later = report.outcomes[1:]
    kinds = Counter(outcome.outcome for outcome in later)
    parts = []
    if report.asks:
        parts.append(f"asks {_asks(report.asks)}")
    if later:
        steps = f"{len(later)} step{'' if len(later) == 1 else 's'}"
        changed = sum(kinds[kind] for kind in ("changed", "unused", "open"))
        parts.append(f"plays {steps} again" + (f" ({changed} with another result)" if changed else " (all the same)"))
    forced = sum(outcome.outcome == "refused" and outcome.kept for outcome in report.outcomes)
    left = _refused(report) - forced
    tail = [f"{count} {word}" for count, word in ((forced, "forced"), (left, "left out")) if count]
    return "; ".join(part for part in (", then ".join(parts) or "changes this step alone", ", ".join(tail)) if part)


def _asks(asks: tuple[Assumed, ...]) -> str:
    """Return how many dice and decisions are asked anew, as `one 2d6`."""
    dice = Counter(str(asked.request.dice) for asked in asks if isinstance(asked.request, Roll))
    decisions = len(asks) - dice.total()
    words = [f"{ONE} {name}" if count == 1 else f"{count} × {name}" for name, count in dice.items()]
    if decisions:
        words.append(f"{ONE} decision" if decisions == 1 else f"{decisions} decisions")
    return listed(words)


def _assumed_words(scene: Scene, asks: tuple[Assumed, ...]) -> str:
    """Return the answers the preview goes on with."""
    state = scene.model.state
    told = []
    for asked in asks[:MOST_TOLD]:
        request = asked.request
        whose = f"{state.name(request.who)}, " if request.who is not None else ""
        matter = request.why or key_words(request.key.rpartition("/")[2].partition(":")[0])
        told.append(f"{whose}{matter}: {answer_words(state, asked.answer)}")
    more = f" and {len(asks) - MOST_TOLD} more" if len(asks) > MOST_TOLD else ""
    return clean(f"as if {'; '.join(told)}{more}")


def _called(scene: Scene, outcome: StepOutcome) -> str:
    """Return what to call a step of a report."""
    state = scene.model.state
    actions = [f"{state.name(action.by)}: {action.key.replace('_', ' ')}" for action in outcome.step.actions] or [
        outcome.step.kind
    ]
    return clean(
        f"step {outcome.seq} ({listed(actions)})"
        if outcome.seq is not None
        else f"the step that waits ({listed(actions)})"
    )


def _refusal_words(scene: Scene, outcome: StepOutcome) -> str:
    """Return what is forced or left out, and why."""
    why = f": {clean(outcome.refusal.text)}" if outcome.refusal is not None else ""
    return f"{'forced' if outcome.kept else 'left out'}: {_called(scene, outcome)}{why}"
