"""What the action pane shows while nothing is asked or typed: who acts, what they can do, and what may have been missed."""

from __future__ import annotations

from tracker.core.actions import Refusal
from tracker.core.reminding import owed
from tracker.ui.modes import Scene, name_spans, refusal_spans, refused_row, said
from tracker.views.prompts import prompt_title
from tracker.views.spans import Row, Span, cut_spans, spread
from tracker.views.text import clean

__all__ = ["idle_rows", "told_rows"]


def idle_rows(scene: Scene, width: int, height: int) -> tuple[Row, ...]:
    """Return the actions of whoever acts, refused ones last, under a line that says whose they are."""
    model, ruleset, onwards = scene.model, scene.ruleset, scene.key("next")
    if model.looking_at is not None:
        hint = f"  {scene.key('answer')} goes on from here as a branch, {scene.key('back')} comes back to now"
        return said((Span("the past", "past"), Span(hint, "dim")), width)
    if model.pending is not None:
        asked = said(prompt_title(model.state, model.pending.request), width, "question")
        return (*asked, *said((Span("waits for an answer: ", "dim"), Span(f"{scene.key('answer')} or {onwards}", "key")), width))
    rows: list[Row] = []
    if model.trial is not None:
        tried = Span("? what-if: not real yet", "warn")
        rows.append(Row("trial", spread((tried,), (Span(scene.key("what_if"), "key"), Span(" ends it", "dim")), width)))
    missed = owed(ruleset, model.state)
    if missed:
        more = f" and {len(missed) - 1} more" if len(missed) > 1 else ""
        rows.append(Row("owed", spread((Span("! ", "warn"), Span(clean(missed[0].text), "warn")), (Span(more, "warn"), Span(f" {onwards}", "key")), width)))
    who = scene.active
    if who is None:
        ended = ruleset.finished(model.state)
        words = "the fight is over" if model.state.clock.over else ended or "nobody in particular acts"
        return (*said((Span(clean(words), "strong"),), width, "who"), *rows[: height - 2], *said((Span(onwards, "key"), Span(" goes on", "dim")), width))
    whose = Row("who", spread((*name_spans(scene, who), Span("  acts", "dim")), (Span(scene.key("act"), "key"), Span(" act", "dim")), width), "head")
    ended = ruleset.finished(model.state)
    if ended:
        rows.append(Row("finished", cut_spans((Span("! ", "warn"), Span(clean(ended), "warn")), width)))
    rows = [whose, *rows[: max(1, height // 3)]]
    specs = sorted(scene.offers(who), key=lambda spec: spec.refusal is not None)
    for spec in specs[: max(0, height - len(rows))]:
        if spec.refusal is not None:
            rows.append(refused_row(f"action:{spec.key}", (Span("  "), Span(clean(spec.label) + "  ", "dim")), spec.refusal, width))
            continue
        end = [Span(clean(spec.cost), "dim")] if spec.cost else []
        if spec.rule:
            end += [Span(" "), Span(spec.rule, "rule")] if end else [Span(spec.rule, "rule")]
        rows.append(Row(f"action:{spec.key}", spread((Span("  "), Span(clean(spec.label))), end, width), rules=(spec.rule,) if spec.rule else ()))
    return tuple(rows)


def told_rows(refusal: Refusal | None, problem: str, width: int, note: str = "") -> tuple[Row, ...]:
    """Return why the last thing asked for was not done, and whether it can be forced; else what is to be said of what was."""
    if note and not problem and refusal is None:
        return said((Span(clean(note), "dim"),), width, "note")
    if problem:
        return said((Span("✗ ", "bad"), Span(clean(problem), "bad")), width, "problem")
    if refusal is None:
        return ()
    force = (Span("  ! ", "key"), Span("forces it", "dim")) if refusal.forcible and not refusal.at else ()
    return said((*refusal_spans(refusal), *force), width, "refusal")
