"""What the action pane shows while no mode is open: who acts, the possible actions, reminders."""

from __future__ import annotations

from collections import Counter
from collections.abc import Container, Sequence

from msgspec.structs import replace

from tracker.core.clock import schedule
from tracker.core.engine import spec_of
from tracker.core.fight.cache import per_state
from tracker.core.fight.slots import Clock, Id, Slot
from tracker.core.fight.state import State
from tracker.core.game.ruleset import Ruleset, open_reminders, status_of
from tracker.core.game.schema import Reminder
from tracker.core.terms.actions import Action, ActionSpec
from tracker.core.terms.errors import Refusal
from tracker.core.terms.words import minus
from tracker.ui.modes.acting.picker import FEWEST, collapsed_rows, possible_first, spec_row
from tracker.ui.typing.mode import ModeContext, name_spans
from tracker.ui.typing.rows import refusal_spans, wrapped_rows
from tracker.views.time.turn_marks import spent
from tracker.views.words.moments import time_words
from tracker.views.words.prompts import prompt_title
from tracker.views.words.sides import allegiance_of
from tracker.views.words.spans import Row, Span, cells, cut_spans, spread, width_of, wrap_spans
from tracker.views.words.text import clean

REASONS = 2
"""Lines for the reasons why the other actions are refused."""
ACTED = "has acted"
AT_ONCE = 3
"""Reminders that are shown while no mode is open."""


def idle_rows(
    scene: ModeContext, width: int, height: int, reminded: Container[str] = (), whole: bool = False
) -> tuple[Row, ...]:
    """Return what the action pane shows while no mode is open: who acts, reminders, and the possible actions.

    `whole`: the refused actions have a line each if all of them fit.
    """
    model, ruleset, onwards = scene.model, scene.ruleset, scene.key("next")
    if model.looking_at is not None:
        hint = f"  {scene.key('answer')} goes on from here as a branch, {scene.key('back')} comes back to now"
        return wrapped_rows((Span("the past", "past"), Span(hint, "dim")), width)
    if model.pending is not None:
        asked = wrapped_rows(prompt_title(model.state, model.pending.request), width, "question")
        keys = Span(f"{scene.key('answer')} or {onwards}", "key")
        return (*asked, *wrapped_rows((Span("waits for an answer: ", "dim"), keys), width))
    rows: list[Row] = []
    if model.trial is not None:
        tried = Span("? what-if: not real yet", "warn")
        rows.append(Row("trial", spread((tried,), (Span(scene.key("what_if"), "key"), Span(" ends it", "dim")), width)))
    missed = open_reminders(ruleset, model.state)
    room = 1 + height // 3
    rows += _reminders(scene, missed, reminded, width=width, room=room - len(rows))
    if model.state.clock.over and model.state.clock.current is None:
        return _over(scene, rows, width, height)
    first = next_rows(scene, width)
    who = scene.selected if scene.selected is not None else scene.active  # as for the key `a`
    ended = ruleset.finished(model.state)
    if ended and not any(reminder.key.startswith("decided:") for reminder in missed):
        rows.append(Row("finished", cut_spans((Span("! ", "warn"), Span(clean(ended), "warn")), width)))
    if model.state.clock.over:  # what comes after the fight, with its summary
        rows = [*summary_rows(scene, width), *rows]
    rows = [*first, *rows[:room]]
    if who is None:
        return tuple(rows)
    offers, acting = scene.offers(who), still_to_act(model.state, ruleset)
    if who not in acting:
        standing = _standing(scene, who)
        can = not acting and standing == ACTED and any(spec.refusal is None for spec in offers)
        spans = (*name_spans(scene, who), Span(f"  {'can still' if can else standing}", "dim"))
        rows.append(Row("whose", cut_spans(spans, width)))
        offers = offers if whole else tuple([spec for spec in offers if spec.refusal is None])
    return (*rows, *_offered(offers, width, height - len(rows), whole))


def _reminders(
    scene: ModeContext, missed: Sequence[Reminder], reminded: Container[str], *, width: int, room: int
) -> list[Row]:
    """Return the reminders that are not shown yet, first those that an action settles.

    Unused actions are left out: the first line of the pane names the combatants that can still act. If there is no
    room, all reminders but the first have one line.
    """
    clock = scene.model.state.clock
    fresh = [one for one in shown_first(missed, reminded, clock) if _is_shown(one, reminded, clock)]
    if len(fresh) > AT_ONCE:
        more = f"and {len(fresh) - AT_ONCE + 1} more"
        last = Row("owed", (Span("! ", "warn"), Span(f"{more}: ", "warn"), Span(scene.key("remind"), "key")))
        return [*(_line(scene, one, width) for one in fresh[: AT_ONCE - 1]), last]
    rows = [row for one in fresh for row in _reminder_rows(scene, one, width)]
    if len(rows) <= room or len(fresh) < 2:
        return rows
    return [*_reminder_rows(scene, fresh[0], width), *(_line(scene, one, width) for one in fresh[1:])]


def shown_first(missed: Sequence[Reminder], reminded: Container[str], clock: Clock) -> tuple[Reminder, ...]:
    """Return reminders in the order of the action pane, then those that it does not show."""
    return tuple(sorted(missed, key=lambda one: (not _is_shown(one, reminded, clock), one.settle is None)))


def _is_shown(one: Reminder, reminded: Container[str], clock: Clock) -> bool:
    return not one.unused and reminder_key(one, clock) not in reminded


def reminder_key(one: Reminder, clock: Clock) -> str:
    """Return the key under which a reminder is shown once, and once more when going on gives it up.

    The offer to end the fight is shown once in each round.
    """
    ends = one.settle is not None and one.settle.key == "end_fight"
    return f"{one.key}{f':r{clock.round}' if ends else ''}{':lapses' if one.lapses else ''}"


def _reminder_rows(scene: ModeContext, one: Reminder, width: int) -> tuple[Row, ...]:
    return wrapped_rows(_words(scene, one), width, "owed")


def _line(scene: ModeContext, one: Reminder, width: int) -> Row:
    return Row("owed", cut_spans(_words(scene, one), width))


def _words(scene: ModeContext, one: Reminder) -> tuple[Span, ...]:
    text = (Span("! ", "warn"), Span(clean(one.text), "warn"))
    way = (Span(" · ", "dim"), Span(scene.key("remind"), "key"), Span(" settles it", "dim")) if one.settle else ()
    return (*text, *way)


def _standing(scene: ModeContext, who: str) -> str:
    state = scene.model.state
    status, slot = status_of(scene.ruleset, state[who].status), state.clock.current
    if not status.acts:
        return clean(status.word)
    return ACTED if slot is not None and who in slot.members else "waits"


def _over(scene: ModeContext, rows: list[Row], width: int, height: int) -> tuple[Row, ...]:
    hints = ((scene.key("undo"), " takes that back · "), (scene.key("palette"), " another fight"))
    ways = [span for key, word in hints for span in (Span(key, "key"), Span(word, "dim"))]
    over = (Span("the fight is over", "strong"), Span(f" · {_length(scene.model.state)}", "dim"))
    shown = (
        *wrapped_rows(over, width, "over"),
        *summary_rows(scene, width),
        *rows[: height - 2],
        *wrapped_rows(ways, width, "hint"),
    )
    left = [spec for spec in scene.offers(None, generic=False) if spec.refusal is None]
    return (*shown, *_offered(left, width, height - len(shown)))


def _length(state: State) -> str:
    rounds = "1 round" if state.clock.round == 1 else f"{state.clock.round} rounds"
    return f"{rounds}, {time_words(state.clock.seconds)}"


def summary_rows(scene: ModeContext, width: int) -> list[Row]:
    state, rows = scene.model.state, []
    for side in state.sides:
        counts = Counter(status_of(scene.ruleset, member.status).word for member in state.members(side.id))
        words = ", ".join(f"{many} {clean(word)}" for word, many in counts.items())
        if words:
            whose = Span(f"  {clean(side.name)}", allegiance_of(scene.ruleset, state, side.id))
            rows.append(Row("side", cut_spans((whose, Span(f": {words}")), width)))
    return rows


def _offered(specs: Sequence[ActionSpec], width: int, room: int, whole: bool = False) -> list[Row]:
    """Return the possible actions; if there is none, or with `whole`, also the refused ones with their reasons."""
    possible = [spec for spec in specs if spec.refusal is None]
    if whole and len(specs) - len(possible) >= FEWEST:
        rows = [row for spec in possible_first(specs) for row in _whole(spec, width)]
        if len(rows) <= room:
            return rows
    if not possible and len(specs) >= FEWEST and room > 0:
        return list(collapsed_rows(f"action:{specs[0].key}", specs, width, min(REASONS, room)))
    return [spec_row(f"action:{spec.key}", (Span("  "),), spec, width) for spec in (possible or specs)[: max(0, room)]]


def _whole(spec: ActionSpec, width: int) -> list[Row]:
    """Return the line of an action; a refused one has as many lines as its reason needs."""
    row = spec_row(f"action:{spec.key}", (Span("  "),), spec, width)
    if spec.refusal is None or not row.text.endswith("…"):
        return [row]
    words = (Span(f"  {clean(spec.label)}  ", "dim"), Span("✗ ", "bad"), Span(clean(spec.refusal.text), "dim"))
    return [replace(row, spans=line) for line in wrap_spans(words, width, 4)]


def message_rows(refusal: Refusal | None, problem: str, width: int, note: str = "") -> tuple[Row, ...]:
    if note and not problem and refusal is None:
        return wrapped_rows((Span(clean(note), "dim"),), width, "note")
    if problem:
        return wrapped_rows((Span("✗ ", "bad"), Span(clean(problem), "bad")), width, "problem")
    if refusal is None:
        return ()
    force = (Span("  ! ", "key"), Span("forces it", "dim")) if refusal.forcible and not refusal.at else ()
    return wrapped_rows((*refusal_spans(refusal), *force), width, "refusal")


LONGEST_NEXT, LONGEST_LABEL, BETWEEN = 20, 22, 2
MOST_LOOKED_AT = 12
NEXT = ("next", "end_phase")


@per_state
def still_to_act(state: State, ruleset: Ruleset) -> tuple[Id, ...]:
    """Return the combatants that can still act in the current slot.

    They are the combatants with unused actions by the game's reminders, else, in a small slot, the combatants that have
    a default action.
    """
    clock, due = state.clock, ruleset.advance(state)
    found = [one.about for one in open_reminders(ruleset, state) if one.unused and one.about is not None]
    if due is not None and due.by is not None and due.key != "end_turn":
        found.insert(0, due.by)
    members = clock.current.members if clock.current is not None and clock.current.turns != "none" else ()
    if not found and len(members) <= MOST_LOOKED_AT:
        found = [who for who in members if _may_act(ruleset, state, who)]
    if not found and clock.current is not None and clock.current.turns == "opened":
        begun = {clock.acting, *clock.acted, *clock.turned}
        found = [who for who in members if who not in begun]
    acts = {status.key for status in ruleset.statuses if status.acts}
    able = [person for who in dict.fromkeys(found) if (person := state.get(who)) is not None]
    return tuple([person.id for person in able if person.status in acts])


def ends_spent_turn(ruleset: Ruleset, state: State) -> bool:
    """Tell whether going on ends an open turn without anything left to do, so that it continues at once."""
    slot, due, acting = state.clock.current, ruleset.advance(state), state.clock.acting
    if slot is None or slot.turns != "opened" or due is None or acting is None:
        return False
    return due.by == acting and acting not in still_to_act(state, ruleset)


def closes_declarations(ruleset: Ruleset, state: State) -> bool:
    """Tell whether all combatants have declared, so that going on only closes the declarations."""
    slot, due = state.clock.current, ruleset.advance(state)
    declares = slot is not None and slot.turns == "none"
    return declares and due is not None and due.by is None and not due.fields and ruleset.finished(state) is None


def _may_act(ruleset: Ruleset, state: State, who: Id) -> bool:
    person = state.get(who)
    if person is None or who in state.clock.acted or spent(state.clock, person):
        return False
    from tracker.ui.modes.acting.default_actions import default_choice  # not needed for the first paint

    return default_choice(state, who, ruleset) is not None


def next_rows(scene: ModeContext, width: int) -> tuple[Row, ...]:
    """Return the acting combatant and the keys to press, in two lines if one is too short."""
    acting = still_to_act(scene.model.state, scene.ruleset)
    who, keys = _who(scene, acting), _key_words(scene, acting)
    if width_of((*who, *keys)) + BETWEEN <= width:
        return (Row("who", spread(who, keys, width), "head"),)
    return (Row("who", cut_spans(who, width), "head"), Row("who", spread((), keys, width), "head"))


def _who(scene: ModeContext, acting: Sequence[Id]) -> tuple[Span, ...]:
    """Return the acting combatant, the selected one if it can act, and how many others can act."""
    slot = scene.model.state.clock.current
    first = scene.selected if scene.selected in acting else next(iter(acting), None)
    if first is None:
        return (Span(_nobody(scene, slot), "strong"),)
    others = len(acting) - 1
    return (*name_spans(scene, first), *((Span(f" + {others} more", "dim"),) if others else ()))


def _nobody(scene: ModeContext, slot: Slot | None) -> str:
    """Return the name of a moment in which no combatant can act."""
    state = scene.model.state
    if slot is None:
        return "between rounds" if state.clock.round else "before the fight"
    if slot.turns == "none":
        return clean(slot.title or slot.phase.replace("_", " "))
    lone = state.get(slot.members[0]) if len(slot.members) == 1 else None
    if lone is None:
        return "all have acted"
    status = status_of(scene.ruleset, lone.status)
    return f"{clean(lone.name)} {ACTED}" if status.acts else f"{clean(lone.name)} is {clean(status.word)}"


def _key_words(scene: ModeContext, acting: Sequence[Id]) -> tuple[Span, ...]:
    """Return what to press to act and to go on."""
    found = [(_act_keys(scene, acting), " act")] if acting else []
    if _whole_side(scene, acting):
        found.append((scene.key("sheet"), " all"))
    if words := next_step_words(scene.ruleset, scene.model.state):
        found.append((scene.key("next"), f" {words}"))
    return tuple(
        span
        for place, (key, word) in enumerate(found)
        for span in (*((Span(" · ", "dim"),) if place else ()), Span(key, "key"), Span(word, "dim"))
    )


def _act_keys(scene: ModeContext, acting: Sequence[Id]) -> str:
    up = scene.model.state.get(next(iter(acting), None))
    away = up is not None and scene.selected not in acting and scene.model.state.get(scene.selected) is not None
    return f"{scene.key('jump')}{up.label}{scene.key('act')}" if up is not None and away else scene.key("act")


def _whole_side(scene: ModeContext, acting: Sequence[Id]) -> bool:
    """Tell whether the sheet has several turns or acts now, or at the next moment."""
    state = scene.model.state
    slot, due = state.clock.current, scene.ruleset.advance(state)
    if slot is None or due is None or state.clock.over or scene.ruleset.finished(state):
        return False
    declares = slot.turns == "none" and due.by is not None
    if slot.segment is not None or declares:
        return True
    if acting:
        return len(acting) > 1 and _planned(scene, acting)
    if due.by is None and (named := due.get("side")) is not None:
        return any(side.id == named and side.control == "gm" for side in state.sides)
    return slot.turns != "none" or (due.by is None and not needs_form(scene.spec(due)))


def needs_form(spec: ActionSpec) -> bool:
    """Tell whether the action of going on has fields to fill in first."""
    return any(field.page or (field.required and field.default is None) for field in spec.fields)


def sheet_follows(ruleset: Ruleset, state: State) -> bool:
    """Tell whether going on from a moment in which all have acted leads to a sheet in the same round."""
    slot, following = state.clock.current, _following(ruleset, state)
    return slot is not None and slot.turns != "none" and following is not None and following.turns != "none"


def _planned(scene: ModeContext, acting: Sequence[Id]) -> bool:
    """Tell whether one of the combatants has a default action; before the first paint the game is not asked."""
    return not scene.drawn or any(_may_act(scene.ruleset, scene.model.state, who) for who in acting[:MOST_LOOKED_AT])


def next_step_words(ruleset: Ruleset, state: State) -> str:
    """Return what going on does: its action, else the next slot."""
    due = ruleset.advance(state)
    if due is None:
        return ""
    slot = state.clock.current
    by_side = due.by is None and (due.key in NEXT or (slot is not None and slot.turns != "none"))
    if by_side or ends_spent_turn(ruleset, state):
        return f"→ {next_slot_words(ruleset, state)}"
    return _due_words(ruleset, state, due)


def _due_words(ruleset: Ruleset, state: State, due: Action) -> str:
    label, slot = clean(spec_of(ruleset, state, due).label), state.clock.current
    if (side := due.get("side")) is not None:
        return f"{clean(state.name(str(side)))} as usual"
    if slot is not None and label.casefold() == slot.title.casefold():
        return "fill it in"
    for rest in (" and ", " of "):
        label = label.partition(rest)[0] if cells(label) > LONGEST_NEXT else label
    return "go on" if cells(label) > LONGEST_LABEL else label[:1].casefold() + label[1:]


def next_slot_words(ruleset: Ruleset, state: State) -> str:
    clock = state.clock
    slot = _following(ruleset, state)
    if slot is not None:
        return _called(state, slot)
    if clock.over:
        return "the end"
    return f"Round {clock.round + 1}" if clock.in_round or clock.round or clock.current is not None else "Round 1"


def _following(ruleset: Ruleset, state: State) -> Slot | None:
    """Return the next slot at which the clock stops, None if the round has none left."""
    clock = state.clock
    coming = (slot for slot in clock.upcoming if not clock.over or slot.stage == "closing")
    return next((slot for slot in coming if slot.stop and schedule.why_skipped(ruleset, state, slot) is None), None)


def _called(state: State, slot: Slot) -> str:
    """Return the name of a slot: its only member, its side, or its title."""
    one = state.get(slot.members[0]) if len(slot.members) == 1 else None
    if one is not None:
        words = clean(one.name)
    elif slot.side is not None:
        words = clean(state.name(slot.side))
    else:
        words = clean(slot.title or slot.phase.replace("_", " "))
    at = "" if slot.segment is None else minus(f"{slot.segment} ")
    short = words if cells(words) <= LONGEST_NEXT else f"{words[: LONGEST_NEXT - 1]}…"
    return f"{at}{short}"
