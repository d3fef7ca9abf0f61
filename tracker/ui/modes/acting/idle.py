"""What the action pane shows while nothing is asked or typed.

That is who acts, what they can do, and what may have been missed.
"""

from __future__ import annotations

from collections.abc import Sequence

from tracker.core.game.reminding import owed
from tracker.core.terms.actions import ActionSpec, Refusal
from tracker.ui.typing.mode import Scene, name_spans, refusal_spans, refused_row, said
from tracker.views.words.prompts import prompt_title
from tracker.views.words.spans import Row, Span, cut_spans, spread
from tracker.views.words.text import clean

__all__ = ["idle_rows", "told_rows"]


def idle_rows(scene: Scene, width: int, height: int) -> tuple[Row, ...]:
    """Return the actions of the combatant that acts, refused ones last, under its name."""
    model, ruleset, onwards = scene.model, scene.ruleset, scene.key("next")
    if model.looking_at is not None:
        hint = f"  {scene.key('answer')} goes on from here as a branch, {scene.key('back')} comes back to now"
        return said((Span("the past", "past"), Span(hint, "dim")), width)
    if model.pending is not None:
        asked = said(prompt_title(model.state, model.pending.request), width, "question")
        return (
            *asked,
            *said((Span("waits for an answer: ", "dim"), Span(f"{scene.key('answer')} or {onwards}", "key")), width),
        )
    rows: list[Row] = []
    if model.trial is not None:
        tried = Span("? what-if: not real yet", "warn")
        rows.append(Row("trial", spread((tried,), (Span(scene.key("what_if"), "key"), Span(" ends it", "dim")), width)))
    missed = owed(ruleset, model.state)
    if missed:
        more = f" and {len(missed) - 1} more" if len(missed) > 1 else ""
        rows.append(
            Row(
                "owed",
                spread(
                    (Span("! ", "warn"), Span(clean(missed[0].text), "warn")),
                    (Span(more, "warn"), Span(f" {onwards}", "key")),
                    width,
                ),
            )
        )
    if model.state.clock.over and model.state.clock.current is None:
        return _over(scene, rows, width, height)
    who = scene.selected if scene.selected is not None else scene.active  # as `a` has it
    if who is None:
        ended = ruleset.finished(model.state)
        words = ended or "nobody acts now"
        return (
            *said((Span(clean(words), "strong"),), width, "who"),
            *rows[: height - 2],
            *said((Span(onwards, "key"), Span(" goes on", "dim")), width),
        )
    offers = scene.offers(who)
    whose = Row(
        "who",
        spread(
            (*name_spans(scene, who), Span(f"  {_standing(scene, who, offers)}", "dim")),
            (Span(scene.key("act"), "key"), Span(" act", "dim")),
            width,
        ),
        "head",
    )
    ended = ruleset.finished(model.state)
    if ended:
        rows.append(Row("finished", cut_spans((Span("! ", "warn"), Span(clean(ended), "warn")), width)))
    rows = [whose, *rows[: max(1, height // 3)]]
    return (*rows, *_offered(offers, width, height - len(rows)))


def _standing(scene: Scene, who: str, offers: Sequence[ActionSpec]) -> str:
    """Return whether a combatant acts, waits for its moment, or is out of it."""
    status = scene.ruleset.status(scene.model.state[who].status)
    if any(spec.refusal is None for spec in offers):
        return "acts"
    return "waits" if status.acts else clean(status.word)


def _over(scene: Scene, rows: list[Row], width: int, height: int) -> tuple[Row, ...]:
    """Return that the fight is over, the ways on, and actions of the time after."""
    hints = ((scene.key("undo"), " takes that back · "), (scene.key("palette"), " another fight"))
    ways = [span for key, word in hints for span in (Span(key, "key"), Span(word, "dim"))]
    shown = (
        *said((Span("the fight is over", "strong"),), width, "over"),
        *rows[: height - 2],
        *said(ways, width, "hint"),
    )
    left = [spec for spec in scene.offers(None, generic=False) if spec.refusal is None]
    return (*shown, *_offered(left, width, height - len(shown)))


def _offered(specs: Sequence[ActionSpec], width: int, room: int) -> list[Row]:
    """Return what is on offer as far as there is room, refused ones last."""
    rows: list[Row] = []
    for spec in sorted(specs, key=lambda spec: spec.refusal is not None)[: max(0, room)]:
        if spec.refusal is not None:
            rows.append(
                refused_row(
                    f"action:{spec.key}", (Span("  "), Span(clean(spec.label) + "  ", "dim")), spec.refusal, width
                )
            )
            continue
        end = [Span(clean(spec.cost), "dim")] if spec.cost else []
        if spec.rule:
            end += [Span(" "), Span(spec.rule, "rule")] if end else [Span(spec.rule, "rule")]
        rows.append(
            Row(
                f"action:{spec.key}",
                spread((Span("  "), Span(clean(spec.label))), end, width),
                rules=(spec.rule,) if spec.rule else (),
            )
        )
    return rows


def told_rows(refusal: Refusal | None, problem: str, width: int, note: str = "") -> tuple[Row, ...]:
    """Return why the last action was not done, else what is said of it."""
    if note and not problem and refusal is None:
        return said((Span(clean(note), "dim"),), width, "note")
    if problem:
        return said((Span("✗ ", "bad"), Span(clean(problem), "bad")), width, "problem")
    if refusal is None:
        return ()
    force = (Span("  ! ", "key"), Span("forces it", "dim")) if refusal.forcible and not refusal.at else ()
    return said((*refusal_spans(refusal), *force), width, "refusal")
