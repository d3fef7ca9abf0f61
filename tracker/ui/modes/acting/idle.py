"""What the action pane shows while nothing is asked or typed.

That is who acts, what they can do, and what may have been missed.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from tracker.core.fight.state import Clock, State
from tracker.core.game.reminding import owed
from tracker.core.game.schema import Reminding
from tracker.core.terms.actions import ActionSpec, Refusal
from tracker.ui.modes.acting.folded import FEWEST, fold_row, possible_first
from tracker.ui.modes.acting.standing import next_row, to_act
from tracker.ui.typing.mode import Scene, name_spans, refusal_spans, refused_row, said
from tracker.views.words.moments import time_words
from tracker.views.words.prompts import prompt_title
from tracker.views.words.sides import camp_of
from tracker.views.words.spans import Row, Span, cut_spans, spread
from tracker.views.words.text import clean

__all__ = ["AT_ONCE", "at_moment", "idle_rows", "summary_rows", "told_rows"]

AT_ONCE = 3
"""Reminders that are shown in the resting pane."""


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
    room = 1 + height // 3
    rows += _reminders(scene, missed, width, room - len(rows))
    if model.state.clock.over and model.state.clock.current is None:
        return _over(scene, rows, width, height)
    first = next_row(scene, width)
    who = scene.selected if scene.selected is not None else scene.active  # as `a` has it
    ended = ruleset.finished(model.state)
    if ended and not any(reminder.key.startswith("decided:") for reminder in missed):
        rows.append(Row("finished", cut_spans((Span("! ", "warn"), Span(clean(ended), "warn")), width)))
    if model.state.clock.over:  # what comes after the fight, with its summary
        rows = [*summary_rows(scene, width), *rows]
    rows = [first, *rows[:room]]
    if who is None:
        return tuple(rows)
    offers = scene.offers(who)
    if who not in to_act(ruleset, model.state):
        rows.append(
            Row("whose", cut_spans((*name_spans(scene, who), Span(f"  {_standing(scene, who)}", "dim")), width))
        )
    return (*rows, *_offered(offers, width, height - len(rows)))


def _reminders(scene: Scene, missed: Sequence[Reminding], width: int, room: int) -> list[Row]:
    """Return what may have been missed, each thing once, first what can be settled.

    Unused actions are told by the first line, which says who is still up. Where there is no room, all but the first
    are a line each.
    """
    clock = scene.model.state.clock
    fresh = [
        one for one in missed if at_moment(one, clock) not in scene.seen and not (one.lapses and one.about is not None)
    ]
    fresh.sort(key=lambda one: one.settle is None)
    if len(fresh) > AT_ONCE:
        more = f"and {len(fresh) - AT_ONCE + 1} more"
        last = Row("owed", (Span("! ", "warn"), Span(f"{more}: ", "warn"), Span(scene.key("remind"), "key")))
        return [*(_line(scene, one, width) for one in fresh[: AT_ONCE - 1]), last]
    rows = [row for one in fresh for row in _told(scene, one, width)]
    if len(rows) <= room or len(fresh) < 2:
        return rows
    return [*_told(scene, fresh[0], width), *(_line(scene, one, width) for one in fresh[1:])]


def at_moment(one: Reminding, clock: Clock) -> str:
    """Return the key under which a reminder is shown once.

    The offer to end the fight comes in each round anew.
    """
    return f"{one.key}:r{clock.round}" if one.settle is not None and one.settle.key == "end_fight" else one.key


def _told(scene: Scene, one: Reminding, width: int) -> tuple[Row, ...]:
    """Return a reminder in as many lines as it takes."""
    return said(_words(scene, one), width, "owed")


def _line(scene: Scene, one: Reminding, width: int) -> Row:
    return Row("owed", cut_spans(_words(scene, one), width))


def _words(scene: Scene, one: Reminding) -> tuple[Span, ...]:
    """Return a reminder, with the key of what settles it."""
    told = (Span("! ", "warn"), Span(clean(one.text), "warn"))
    way = (Span(" · ", "dim"), Span(scene.key("remind"), "key"), Span(" settles it", "dim")) if one.settle else ()
    return (*told, *way)


def _standing(scene: Scene, who: str) -> str:
    """Return whether a combatant has acted, waits for its moment, or is out of it."""
    state = scene.model.state
    status, slot = scene.ruleset.status(state[who].status), state.clock.current
    if not status.acts:
        return clean(status.word)
    return "has acted" if slot is not None and who in slot.members else "waits"


def _over(scene: Scene, rows: list[Row], width: int, height: int) -> tuple[Row, ...]:
    """Return that the fight is over, how it went, and the ways on."""
    hints = ((scene.key("undo"), " takes that back · "), (scene.key("palette"), " another fight"))
    ways = [span for key, word in hints for span in (Span(key, "key"), Span(word, "dim"))]
    shown = (
        *said((Span("the fight is over", "strong"), Span(f" · {_length(scene.model.state)}", "dim")), width, "over"),
        *summary_rows(scene, width),
        *rows[: height - 2],
        *said(ways, width, "hint"),
    )
    left = [spec for spec in scene.offers(None, generic=False) if spec.refusal is None]
    return (*shown, *_offered(left, width, height - len(shown)))


def _length(state: State) -> str:
    """Return how long a fight has lasted."""
    rounds = "1 round" if state.clock.round == 1 else f"{state.clock.round} rounds"
    return f"{rounds}, {time_words(state.clock.seconds)}"


def summary_rows(scene: Scene, width: int) -> list[Row]:
    """Return a line for each side: how many are up, down, dead or gone."""
    state, rows = scene.model.state, []
    for side in state.sides:
        counts = Counter(scene.ruleset.status(member.status).word for member in state.members(side.id))
        words = ", ".join(f"{many} {clean(word)}" for word, many in counts.items())
        if words:
            whose = Span(f"  {clean(side.name)}", camp_of(scene.ruleset, state, side.id))
            rows.append(Row("side", cut_spans((whose, Span(f": {words}")), width)))
    return rows


def _offered(specs: Sequence[ActionSpec], width: int, room: int) -> list[Row]:
    """Return what is on offer as far as there is room, refused ones last."""
    rows: list[Row] = []
    refused = [spec for spec in specs if spec.refusal is not None]
    able, folds = len(specs) - len(refused), len(refused) >= FEWEST
    for spec in possible_first(specs)[: min(able, max(0, room - folds)) if folds else max(0, room)]:
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
    return [*rows, fold_row(f"action:{refused[0].key}", refused, width)] if folds and room > 0 else rows


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
