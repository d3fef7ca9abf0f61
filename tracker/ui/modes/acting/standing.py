"""What next: the first line of the resting action pane.

It says who is up, what to press, and who follows.
"""

from __future__ import annotations

from collections.abc import Sequence

from tracker.core.clock import schedule
from tracker.core.engine import spec_of
from tracker.core.fight.memo import per_state
from tracker.core.fight.state import Id, Slot, State
from tracker.core.game.reminding import owed
from tracker.core.game.ruleset import Ruleset
from tracker.core.terms.actions import Action
from tracker.ui.typing.mode import Scene, name_spans
from tracker.views.time.marks import spent
from tracker.views.words.spans import Row, Span, cells, spread, width_of
from tracker.views.words.text import clean

__all__ = ["next_row", "skipped", "to_act"]

LONGEST_NEXT, LONGEST_DEED = 20, 22
MOST_LOOKED_AT = 12
NEXT = ("next", "end_phase")


def to_act(ruleset: Ruleset, state: State) -> tuple[Id, ...]:
    """Return those who can still act in the slot in hand.

    The game counts them by what going on would give up, else those of a small slot who have something plain to do.
    """
    return _to_act(state, ruleset)


@per_state
def _to_act(state: State, ruleset: Ruleset) -> tuple[Id, ...]:
    clock, due = state.clock, ruleset.advance(state)
    found = [one.about for one in owed(ruleset, state) if one.lapses and one.about is not None]
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


def _may_act(ruleset: Ruleset, state: State, who: Id) -> bool:
    person = state.get(who)
    if person is None or who in state.clock.acted or spent(state.clock, person):
        return False
    from tracker.ui.modes.sheet.lines import chooses  # not needed for the first picture

    return chooses(ruleset, state, who)


def next_row(scene: Scene, width: int) -> Row:
    """Return the line that says who is up, what to press, and who follows."""
    acting = to_act(scene.ruleset, scene.model.state)
    end: tuple[Span, ...] = ()
    taken = width_of(_who(scene, acting, 0)) + 2
    for fewer in (0, 1, 2):
        end = _keys(scene, acting, fewer)
        if taken + width_of(end) <= width:
            break
    return Row("who", spread(_who(scene, acting, width - width_of(end) - 2), end, width), "head")


def _who(scene: Scene, acting: Sequence[Id], room: int) -> tuple[Span, ...]:
    """Return who is up: the one under the cursor, and how many can act besides."""
    slot = scene.model.state.clock.current
    first = scene.selected if scene.selected in acting else next(iter(acting), None)
    if first is None:
        return (Span(_nobody(scene, slot), "strong"),)
    name, others = name_spans(scene, first), len(acting) - 1
    if not others:
        return name
    more = f" + {others} more"
    return (*name, Span(more if width_of(name) + cells(more) <= room else f" +{others}", "dim"))


def _nobody(scene: Scene, slot: Slot | None) -> str:
    """Return what a moment is called in which nobody is left to act."""
    state = scene.model.state
    if slot is None:
        return "between rounds" if state.clock.round else "before the fight"
    if slot.turns == "none":
        return clean(slot.title or slot.phase.replace("_", " "))
    lone = state.get(slot.members[0]) if len(slot.members) == 1 else None
    if lone is None:
        return "all have acted"
    status = scene.ruleset.status(lone.status)
    return f"{clean(lone.name)} has acted" if status.acts else f"{clean(lone.name)} is {clean(status.word)}"


def _keys(scene: Scene, acting: Sequence[Id], fewer: int = 0) -> tuple[Span, ...]:
    """Return what to press to act and to go on.

    `fewer` leaves out what the footer says too.
    """
    found: list[tuple[str, str]] = []
    state, whole = scene.model.state, _whole_side(scene, acting)
    foes = whole and acting and state.side_of(acting[0]).control == "gm"
    if acting and fewer < (1 if foes else 2):
        found.append((_act_keys(scene, acting), " act"))
    if whole and fewer < (2 if foes or not acting else 1):
        found.append((scene.key("sheet"), " all"))
    words = going_on(scene.ruleset, state)
    if words:
        found.append((scene.key("next"), f" {words}"))
    return tuple(
        span
        for place, (key, word) in enumerate(found)
        for span in (*((Span(" · ", "dim"),) if place else ()), Span(key, "key"), Span(word, "dim"))
    )


def _act_keys(scene: Scene, acting: Sequence[Id]) -> str:
    """Return what to press to act, by way of the one who can."""
    up = scene.person(next(iter(acting), None))
    away = up is not None and scene.selected not in acting and scene.person(scene.selected) is not None
    return f"{scene.key('jump')}{up.label}{scene.key('act')}" if up is not None and away else scene.key("act")


def _whole_side(scene: Scene, acting: Sequence[Id]) -> bool:
    """Tell whether a sheet has several turns or acts here, or at the next moment."""
    state = scene.model.state
    slot, due = state.clock.current, scene.ruleset.advance(state)
    if slot is None or due is None or scene.ruleset.finished(state):
        return False
    declares = slot.turns == "none" and due.by is not None
    if slot.segment is not None or declares:
        return True
    if acting:
        return len(acting) > 1 and _planned(scene, acting)
    named = due.get("side")
    if due.by is None and named is not None:
        return any(side.id == named and side.control == "gm" for side in state.sides)
    following = _following(scene.ruleset, state)
    return slot.turns != "none" and (following is None or following.turns != "none")


def _planned(scene: Scene, acting: Sequence[Id]) -> bool:
    """Tell whether one of them has a plain choice.

    The first picture does not ask the game.
    """
    return not scene.drawn or any(_may_act(scene.ruleset, scene.model.state, who) for who in acting[:MOST_LOOKED_AT])


def going_on(ruleset: Ruleset, state: State) -> str:
    """Return what going on does: a deed, else who comes then."""
    due = ruleset.advance(state)
    if due is None:
        return ""
    slot = state.clock.current
    if due.by is None and (due.key in NEXT or (slot is not None and slot.turns != "none")):
        return f"→ {follows(ruleset, state)}"
    return _deed(ruleset, state, due)


def _deed(ruleset: Ruleset, state: State, due: Action) -> str:
    label, slot = clean(spec_of(ruleset, state, due).label), state.clock.current
    if slot is not None and label.casefold() == slot.title.casefold():
        return "fill it in"
    for rest in (" and ", " of "):
        label = label.partition(rest)[0] if cells(label) > LONGEST_NEXT else label
    return "go on" if cells(label) > LONGEST_DEED else label[:1].casefold() + label[1:]


def follows(ruleset: Ruleset, state: State) -> str:
    """Return who or what comes next in the order, as it stands now."""
    clock = state.clock
    slot = _following(ruleset, state)
    if slot is not None:
        return _called(state, slot)
    if clock.over:
        return "the end"
    return f"Round {clock.round + 1}" if clock.in_round or clock.round or clock.current is not None else "Round 1"


def _following(ruleset: Ruleset, state: State) -> Slot | None:
    """Return the slot the clock stops at next, None where the round is used up."""
    clock = state.clock
    coming = (slot for slot in clock.upcoming if not clock.over or slot.stage == "closing")
    return next((slot for slot in coming if slot.stop and skipped(ruleset, state, slot) is None), None)


def skipped(ruleset: Ruleset, state: State, slot: Slot) -> object:
    """Return why the clock passes over a slot, None where it does not."""
    return schedule.nobody_able(ruleset, state, slot) if ruleset.skip is None else ruleset.skip(state, slot)


def _called(state: State, slot: Slot) -> str:
    """Return a slot's name in a line: its side, one member, or title."""
    one = state.get(slot.members[0]) if len(slot.members) == 1 else None
    if one is not None:
        words = clean(one.name)
    elif slot.side is not None:
        words = clean(state.name(slot.side))
    else:
        words = clean(slot.title or slot.phase.replace("_", " "))
    at = "" if slot.segment is None else f"{slot.segment} ".replace("-", "−")
    short = words if cells(words) <= LONGEST_NEXT else f"{words[: LONGEST_NEXT - 1]}…"
    return f"{at}{short}"
