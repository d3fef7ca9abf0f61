"""The log of a step: its entries as lines, readable and complete.

Dice are shown in their sum. Internal values (budgets, facts, edges of the clock) are shown only with `full`.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import takewhile

from msgspec import UNSET

from tracker.core.fight import events as ev
from tracker.core.fight.slots import Id, Slot
from tracker.core.fight.state import State
from tracker.core.game.ruleset import Ruleset, status_of
from tracker.core.terms.actions import Action
from tracker.core.terms.effects import Effect
from tracker.core.terms.moments import Boundary
from tracker.core.terms.words import listed, possessive
from tracker.views.log.lines import Line, LineDraft, joined_lines, status_icon
from tracker.views.log.log_builder import (
    LogBuilder,
    ReplayedStates,
    ends_words,
    is_act,
    is_skipped,
    segment_words,
    slot_words,
)
from tracker.views.log.numbers import add_check, add_points
from tracker.views.log.plain_events import add_plain, plain_text
from tracker.views.words.actions import action_spans
from tracker.views.words.moments import boundary_words, modifier_words
from tracker.views.words.spans import Span
from tracker.views.words.sums import DiceTable, dice_spans
from tracker.views.words.text import clean, key_words

OVER = "the fight is over"
DONE = ("fled", "surrendered")
"""Words of statuses that a combatant `has` and not `is`."""


def tell(
    ruleset: Ruleset, state: State, entries: Sequence[ev.Entry], *, full: bool = False, before: State | None = None
) -> tuple[Line, ...]:
    """Return the lines of one step; `state` is the state after it, `before` the state before it, if known."""
    log = LogBuilder(ruleset, state, ReplayedStates(state, entries, before), full=full)
    for place, entry in enumerate(entries):
        _add_entry(log, entry, place)
    log.flush()
    return tuple(draft.alone for draft in log.lines) if full else joined_lines(log.lines)


def _add_entry(log: LogBuilder, entry: ev.Entry, place: int) -> None:
    log.place = place
    match entry.event:
        case ev.Rolled() as rolled:
            if log.joining or log.filling or log.placing:
                log.flush()
            if place in log.known:
                return
            log.dice.add(rolled, entry)
            log.asked = True
        case ev.Checked() as checked:
            add_check(log, checked, entry)
        case ev.PoolChanged() as change:
            add_points(log, change, entry)
        case ev.ActionTaken(action=action, label=label):
            _add_action(log, action, label, entry, place)
        case ev.BoundaryCrossed(boundary=boundary):
            _add_boundary(log, boundary, entry)
        case ev.SlotReached(now=now):
            _add_slot(log, now, entry, place)
        case ev.TurnOpened(now=acting):
            _add_turn(log, acting, entry, place)
        case ev.OrderSet(was=before, now=after):
            _add_order(log, before, after, entry, place)
        case ev.EffectAdded(effect=effect):
            _add_effect_begin(log, effect, entry)
        case ev.EffectEnded(was=was, reason=reason):
            _add_effect_end(log, was, reason, entry)
        case ev.StatusChanged(who=who, was=was, now=status):
            log.left.add((who, status_of(log.ruleset, was).word))
            word = status_of(log.ruleset, status)
            has, shown = word.word in DONE, clean(word.word)
            text = f"{log.name(who)} {'has' if has else 'is'} {shown}"
            log.status = text
            span, icon = Span(text, "" if word.acts else "bad"), status_icon(log.ruleset, log.state.get(who), word)
            ends = f"has {shown}" if has else shown
            plural = f"{'have' if has else 'are'} {shown}"
            log.add_words(LineDraft((span,), entry.rules, icon=icon, whose=who, ends=ends, plural=plural))
        case ev.Decided() as decided:
            _add_answer(log, decided, entry)
        case ev.CombatantJoined(combatant=combatant):
            if not log.joining:
                log.flush()
            log.joining.append(combatant.id)
        case ev.Moved(was=None):
            if not log.placing:
                log.flush()
            log.placing.append(entry)
        case ev.BudgetsChanged() | ev.FactSet() | ev.ReminderDismissed() if not log.full:
            pass
        case ev.PoolSet() as change:
            _add_pool(log, change, entry)
        case _:
            add_plain(log, entry)


def _add_action(log: LogBuilder, action: Action, label: str, entry: ev.Entry, place: int) -> None:
    log.flush()
    log.dice, log.headline = DiceTable(), ""
    following = log.states.following(place)
    if action.key == "note" and not log.full and any(isinstance(each.event, ev.Noted) for each in following):
        log.begins = True  # the interrupted action goes on after the note
        return
    log.action, log.targets, log.struck, log.named = action, (), set(), ""
    if not log.full and any(isinstance(each.event, ev.ReminderDismissed) for each in following):
        return
    if action.key == "next":
        log.action = None
        return
    if log.states.chosen(place) and not log.full:
        log.chosen = (f"{clean(label)}: ", entry.rules)
        return
    (first, first_rules), log.chosen = log.chosen, ("", ())
    line, log.targets = action_spans(
        log.ruleset,
        log.state,
        action,
        f"{first}{label}",
        before=log.states.at(place),
        name=log.name,
        following=() if log.full else following,
    )
    head = f"{log.name(action.by)}: {clean(label)}"
    plain = "".join(span.text for span in line) == head
    if plain and not log.full and (action.by is None or _is_of_turn(following, action.by)) and _opens(following):
        return
    slot, announced = log.slot_of(action, place)
    if slot is None and action.by is None and _is_said(log, plain, label, place):
        log.action = None
        return
    rules = (*first_rules, *entry.rules)
    if slot is not None and announced:
        line = [Span(f"{segment_words(slot)}: {clean(slot.title)}", "title")]
    elif slot is not None:
        line = [Span(f"{segment_words(slot)}: ", "title"), *line]
    whose = action.by if action.by is not None or len(log.targets) != 1 else log.targets[0]
    only = log.targets[0] if len(log.targets) == 1 else None
    aim = only if only is not None and line[-1].text.endswith(log.name(only)) else None
    log.headline = "".join([span.text for span in line])
    log.add(LineDraft(tuple(line), rules, depth=0, whose=whose, action=clean(label), aim=aim))


def _is_of_turn(following: Sequence[ev.Entry], by: str) -> bool:
    """Tell whether an action only opens or closes the turn of its actor."""
    return any(
        isinstance(entry.event, ev.TurnOpened) and by in (entry.event.was, entry.event.now) for entry in following
    )


def _is_said(log: LogBuilder, plain: bool, label: str, place: int) -> bool:
    """Tell whether an action of the GM needs no line: a heading names it, or only the next action matters."""
    everybody = {one.id for one in log.state.combatants} <= set(log.targets)
    if log.full or (log.targets and not everybody):
        return False
    if (plain or everybody) and log.is_heading(label, place):
        return True
    following = [entry.event for entry in log.states.entries[place + 1 : place + 2]]
    return any(isinstance(event, ev.ActionTaken) and event.action.by is not None for event in following)


def _opens(following: Sequence[ev.Entry]) -> bool:
    """Tell whether an action only moves the clock, which has its own line."""
    for entry in following:
        match entry.event:
            case ev.BoundaryCrossed(boundary=boundary) if boundary.edge == "round_start":
                return True
            case ev.TurnOpened() | ev.SlotReached():
                return True
            case ev.BudgetsChanged() | ev.BoundaryCrossed() | ev.FactSet() | ev.OrderSet():
                pass
            case ev.FightEnded():
                return True
            case _:
                return False
    return False


def _add_effect_begin(log: LogBuilder, effect: Effect, entry: ev.Entry) -> None:
    """Add an effect that begins, with its end."""
    if effect.quiet is True and not log.full:
        return
    change = f" {modifier_words(effect.modifiers)}" if effect.modifiers else ""
    until = f", until {log.until(effect)}" if effect.until else ""
    known = (None, effect.bearer, log.action.by if log.action else None)
    by = "" if effect.source in known else f" (by {log.name(effect.source)})"
    if not (change or until or by or effect.secret or log.full) and log.is_said_by_answer(effect):
        return
    words = Span(clean(f"{log.name(effect.bearer)}: {effect.shown}{change}{until}{by}"))
    log.add_words(LineDraft((words,), entry.rules, secret=effect.secret, whose=effect.bearer))


def _add_effect_end(log: LogBuilder, effect: Effect, reason: str, entry: ev.Entry) -> None:
    """Add an effect that ends, with others of the same moment and reason; none if it ends with the fight or status."""
    over = reason == OVER or (log.edge is not None and log.edge.edge == "combat_end")
    left = (effect.bearer, effect.shown) in log.left
    if not log.full and (effect.quiet is True or over or left or log.chosen[0]):
        return
    why = "" if reason == log.status else reason
    if effect.due and log.edge is not None and reason == "its time is up":
        why = boundary_words(log.state, log.edge)
    if effect.secret or log.full:
        words = Span(clean(f"{log.name(effect.bearer)}: {ends_words(effect, why)}"))
        log.add_words(LineDraft((words,), entry.rules, secret=effect.secret))
        return
    if not log.ending or log.ending[0][1] != why:
        log.flush()
    log.ending.append((effect, why, entry.rules))


def _add_answer(log: LogBuilder, decided: ev.Decided, entry: ev.Entry) -> None:
    """Add an answer to a question; if it ends the fight as offered, the line of the end shows it."""
    log.asked = True
    if not log.full and _ends_it(log, decided):
        log.agreed = (decided.key, entry.rules)
        return
    answers = decided.answer.split(", ")
    sides = [side.id for side in log.state.sides]
    named = [log.name(part) if part in log.state or part in sides else key_words(part) for part in answers]
    words = ", ".join(named) if decided.shown is UNSET else decided.shown
    question = clean(decided.why or decided.key.rpartition("/")[2].replace("_", " "))
    own = decided.who is None or (log.action is not None and log.action.by == decided.who)
    log.named = decided.answer if own else ""
    whose = () if own else (Span(f"{log.name(decided.who)}: ", "dim"),)
    log.flush(log.first_compared())
    asked = Span(f"{question}{'' if question.endswith('?') else ':'} ", "dim")
    log.add(
        LineDraft(
            (*whose, asked, Span(clean(words) or "none")),
            entry.rules,
            secret=decided.secret,
            asked=decided.key,
            whose=decided.who,
            lead=len(whose),
            joins=log.is_involved(decided.who),
        )
    )


def _ends_it(log: LogBuilder, decided: ev.Decided) -> bool:
    """Tell whether an answer ends the fight for the reason in the question."""
    later = (entry.event for entry in log.states.entries[log.place + 1 :])
    end = next((event for event in later if not isinstance(event, ev.FactSet)), None)
    return isinstance(end, ev.FightEnded) and bool(end.reason) and end.reason in decided.why and not decided.secret


def _add_pool(log: LogBuilder, change: ev.PoolSet, entry: ev.Entry) -> None:
    if log.place in log.known:
        return
    fresh = [roll for roll in log.dice.untold if roll.rolled.who == change.who]
    if fresh:
        dice = [span for roll in fresh for span in (Span(" "), *dice_spans(roll.rolled, alone=True))]
        spans = (Span(plain_text(log, change)), Span(" ←", "dim"), *dice)
        log.add(LineDraft(spans, log.account(fresh, entry, ())))
    elif change.was is None:
        log.filling.append(entry)
    else:
        add_plain(log, entry)


MOST_TITLES = 12
SHORT_INFO = 4


def _add_boundary(log: LogBuilder, boundary: Boundary, entry: ev.Entry) -> None:
    """Record an edge of the clock, and add the line of a new round."""
    if boundary.edge == "round_start":
        log.flush()
        log.round, log.in_round, log.action = boundary.round, True, None
        title = f"Round {boundary.round}" if boundary.round else "Before the first round"
        log.add_words(LineDraft((Span(title, "title"),), entry.rules, depth=0, kind="round"))
    elif boundary.edge == "round_end":
        log.in_round = False
    log.edge = boundary
    if boundary.edge != "turn_start":
        log.action = None
    if log.full and boundary.edge != "round_start":
        log.add_words(LineDraft((Span(boundary_words(log.state, boundary), "dim"),), entry.rules))


def _add_slot(log: LogBuilder, now: Id | None, entry: ev.Entry, place: int) -> None:
    """Add the heading of a slot, unless the slot is skipped or the line of its only act names it."""
    if now is None:
        return
    log.action, log.targets = None, ()
    slot = log.states.slot(now)
    passed = slot is not None and not slot.stop
    if not log.full and (passed or is_skipped(log.states.entries, place, now, slot.title if slot else None)):
        return
    if slot is not None and not log.full and _has_its_act(log, slot, place):
        return
    title = _title(log, slot) if slot is not None else slot_words(log.state, now)
    if slot is not None and slot.segment is not None:
        title = f"{segment_words(slot)}: {title}"
    if title:
        log.add_words(LineDraft((Span(title, "title"),), entry.rules, depth=0, kind="turn"))


def _has_its_act(log: LogBuilder, slot: Slot, place: int) -> bool:
    """Tell whether a slot is a single act with its own line, in this step or when the clock goes on."""
    if not is_act(slot) or log.states.at(place) is None:
        return False
    return log.state.clock.at == slot.id or any(
        entry.event.action.by in slot.members
        for entry in takewhile(
            lambda later: not isinstance(later.event, ev.SlotReached), log.states.entries[place + 1 :]
        )
        if isinstance(entry.event, ev.ActionTaken)
    )


def _title(log: LogBuilder, slot: Slot) -> str:
    """Return the title of a slot; as a turn if it only names the owner."""
    title = clean(slot.title or key_words(slot.phase))
    if slot.turns == "none":
        return title
    owners = [log.name(owner) for owner in (*([slot.side] if slot.side else []), *slot.members[:1])]
    title = title or next(iter(owners), "")
    return f"{possessive(title)} turn" if title in owners else title


def _add_turn(log: LogBuilder, acting: Id | None, entry: ev.Entry, place: int) -> None:
    """Add the heading of a turn before the action that opens it, unless that action comes next."""
    following = log.states.entries[place + 1 : place + 2]
    if acting is None or any(isinstance(later.event, ev.ActionTaken) for later in following):
        return
    title = Span(f"{possessive(log.name(acting))} turn", "title")
    log.add_words(LineDraft((title,), entry.rules, depth=0, kind="turn"))
    action = log.lines[-2] if len(log.lines) > 1 and not log.full else None
    if action is not None and action.action and action.whose == acting:
        log.lines[-2:] = [log.lines[-1], action]
        before = reversed(log.states.entries[:place])
        log.action = next((each.event.action for each in before if isinstance(each.event, ev.ActionTaken)), None)


def _add_order(log: LogBuilder, before: tuple[Slot, ...], after: tuple[Slot, ...], entry: ev.Entry, place: int) -> None:
    """Add a new order: the first one, one made by dice, or a changed one."""
    found = log.states.at(place)
    begun = () if found is None or log.full else found.clock.begun
    titles = _titles(slot for slot in after if slot.id not in begun)
    last = before or (() if found is None else found.clock.slots) or log.states.opening
    known = _titles(slot for slot in last if slot.id not in begun) or _titles(last)
    if log.full:
        shown = bool(titles)
    elif all(slot.segment is not None for slot in after if slot.stop and slot.id not in begun):
        shown = False  # each has told its segment, and has a line of its own when it comes
    elif not before:
        own = any(slot.turns != "none" and len(slot.members) == 1 for slot in after)
        shown = len(titles) > 2 and titles != known and (log.asked or (own and log.round <= 1))
    else:
        shown = len(titles) > 1 and titles != known
    if shown:
        log.add_words(LineDraft((Span(f"order: {listed(titles, MOST_TITLES)}"),), entry.rules))


def _titles(slots: Iterable[Slot]) -> list[str]:
    """Return the titles of the slots of a round, each once."""
    titles = [
        clean(f"{slot.title} {slot.info}" if slot.info and len(slot.info) <= SHORT_INFO else slot.title)
        for slot in slots
        if slot.stage == "round"
    ]
    return list(dict.fromkeys(titles))
