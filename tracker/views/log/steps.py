"""The log of a step: its entries as lines, readable and complete.

Dice are shown in their sum. Bookkeeping (budgets, facts, edges of the clock) is shown only with `full`.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import takewhile

from tracker.core.fight import events as ev
from tracker.core.fight.slots import Id, Slot
from tracker.core.fight.state import State
from tracker.core.game.ruleset import Ruleset
from tracker.core.terms.actions import Action
from tracker.core.terms.effects import Effect
from tracker.core.terms.moments import Boundary
from tracker.core.terms.words import listed, possessive
from tracker.views.log.lines import Line, joined_lines, status_icon
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
"""Words of statuses that a combatant has done, not is."""


def tell(
    ruleset: Ruleset, state: State, entries: Sequence[ev.Entry], *, full: bool = False, before: State | None = None
) -> tuple[Line, ...]:
    """Return the lines of one step.

    `state` is the state after it, `before` the state before it if that is known.
    """
    teller = LogBuilder(ruleset, state, ReplayedStates(state, entries, before), full=full)
    for place, entry in enumerate(entries):
        _add_entry(teller, entry, place)
    teller.flush()
    return tuple(told.line for told in teller.lines) if full else joined_lines(teller.lines)


def _add_entry(teller: LogBuilder, entry: ev.Entry, place: int) -> None:
    teller.place = place
    match entry.event:
        case ev.Rolled() as rolled:
            if teller.joining or teller.filling or teller.placing:
                teller.flush()
            if place in teller.known:
                return
            teller.dice.add(rolled, entry)
            teller.asked = True
        case ev.Checked() as checked:
            add_check(teller, checked, entry)
        case ev.PoolChanged() as change:
            add_points(teller, change, entry)
        case ev.ActionTaken(action=action, label=label):
            _add_action(teller, action, label, entry, place)
        case ev.BoundaryCrossed(boundary=boundary):
            add_boundary(teller, boundary, entry)
        case ev.SlotReached(now=now):
            add_slot(teller, now, entry, place)
        case ev.TurnOpened(now=acting):
            add_turn(teller, acting, entry, place)
        case ev.OrderSet(was=before, now=after):
            add_order(teller, before, after, entry, place)
        case ev.EffectAdded(effect=effect):
            _add_effect_begin(teller, effect, entry)
        case ev.EffectEnded(was=was, reason=reason):
            _add_effect_end(teller, was, reason, entry)
        case ev.StatusChanged(who=who, now=status):
            word = teller.ruleset.status(status)
            has, shown = word.word in DONE, clean(word.word)
            text = f"{teller.name(who)} {'has' if has else 'is'} {shown}"
            teller.status = text
            style, ends = "" if word.acts else "bad", f"has {shown}" if has else shown
            teller.add_words(text, entry, style, whose=who, ends=ends, sign=status_icon(teller.state.get(who), word))
        case ev.Decided() as decided:
            _add_answer(teller, decided, entry)
        case ev.CombatantJoined(combatant=combatant):
            if not teller.joining:
                teller.flush()
            teller.joining.append(combatant.id)
        case ev.Moved(was=None):
            if not teller.placing:
                teller.flush()
            teller.placing.append(entry)
        case ev.BudgetsChanged() | ev.FactSet() | ev.ReminderDismissed() if not teller.full:
            pass
        case ev.PoolSet() as change:
            _add_pool(teller, change, entry)
        case _:
            add_plain(teller, entry)


def _add_action(teller: LogBuilder, action: Action, label: str, entry: ev.Entry, place: int) -> None:
    """Add the line of an action."""
    teller.flush()
    teller.dice, teller.headline = DiceTable(), ""
    following = teller.states.following(place)
    if action.key == "note" and not teller.full and any(isinstance(each.event, ev.Noted) for each in following):
        teller.begins = True  # what it interrupts goes on afterwards
        return
    teller.action, teller.targets, teller.struck = action, (), set()
    if not teller.full and any(isinstance(each.event, ev.ReminderDismissed) for each in following):
        return
    if action.key == "next":
        teller.action = None
        return
    if teller.states.chosen(place) and not teller.full:
        teller.chosen = (f"{clean(label)}: ", entry.rules)
        return
    (first, first_rules), teller.chosen = teller.chosen, ("", ())
    line, teller.targets = action_spans(
        teller.ruleset,
        teller.state,
        action,
        f"{first}{label}",
        before=teller.states.at(place),
        name=teller.name,
        told=() if teller.full else following,
    )
    head = f"{teller.name(action.by)}: {clean(label)}"
    plain = "".join(span.text for span in line) == head
    if plain and not teller.full and (action.by is None or _is_of_turn(following, action.by)) and _opens(following):
        return
    slot, announced = teller.slot_of(action, place)
    if slot is None and action.by is None and _is_said(teller, plain, label, place):
        teller.action = None
        return
    rules = (*first_rules, *entry.rules)
    if slot is not None and announced:
        line = [Span(f"{segment_words(slot)}: {clean(slot.title)}", "title")]
    elif slot is not None:
        line = [Span(f"{segment_words(slot)}: ", "title"), *line]
    whose = action.by if action.by is not None or len(teller.targets) != 1 else teller.targets[0]
    aim = (
        teller.targets[0]
        if len(teller.targets) == 1 and line[-1].text.endswith(teller.name(teller.targets[0]))
        else None
    )
    teller.headline = "".join([span.text for span in line])
    teller.add(line, rules, depth=0, whose=whose, deed=clean(label), aim=aim)


def _is_of_turn(following: Sequence[ev.Entry], by: str) -> bool:
    """Tell whether an action only opens or closes the turn of its actor."""
    return any(
        isinstance(entry.event, ev.TurnOpened) and by in (entry.event.was, entry.event.now) for entry in following
    )


def _is_said(teller: LogBuilder, plain: bool, label: str, place: int) -> bool:
    """Tell whether a heading says the GM's action already, or only others act.

    An action on all combatants needs no list of them.
    """
    everybody = {one.id for one in teller.state.combatants} <= set(teller.targets)
    if teller.full or (teller.targets and not everybody):
        return False
    if (plain or everybody) and teller.is_heading(label, place):
        return True
    following = [entry.event for entry in teller.states.entries[place + 1 : place + 2]]
    return any(isinstance(event, ev.ActionTaken) and event.action.by is not None for event in following)


def _opens(following: Sequence[ev.Entry]) -> bool:
    """Tell whether an action only moves the clock, which has a line of its own."""
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


def _add_effect_begin(teller: LogBuilder, effect: Effect, entry: ev.Entry) -> None:
    """Add an effect that begins, with its end."""
    if effect.quiet is True and not teller.full:
        return
    change = f" {modifier_words(effect.modifiers)}" if effect.modifiers else ""
    until = f", until {teller.until(effect)}" if effect.until else ""
    known = (None, effect.bearer, teller.action.by if teller.action else None)
    by = "" if effect.source in known else f" (by {teller.name(effect.source)})"
    if not (change or until or by or effect.secret or teller.full) and teller.is_said_by_answer(effect):
        return
    words = clean(f"{teller.name(effect.bearer)}: {effect.shown}{change}{until}{by}")
    teller.add_words(words, entry, secret=effect.secret, whose=effect.bearer)


def _add_effect_end(teller: LogBuilder, effect: Effect, reason: str, entry: ev.Entry) -> None:
    """Add an effect that ends, with the reason.

    Effects that end at one moment share a line; those that end with the fight have none.
    """
    over = reason == OVER or (teller.edge is not None and teller.edge.edge == "combat_end")
    if not teller.full and (effect.quiet is True or over or teller.chosen[0]):
        return
    why = "" if reason == teller.status else reason
    if effect.due and teller.edge is not None and reason == "its time is up":
        why = boundary_words(teller.state, teller.edge)
    if effect.secret or teller.full:
        teller.add_words(clean(f"{teller.name(effect.bearer)}: {ends_words(effect, why)}"), entry, secret=effect.secret)
        return
    if not teller.ending or teller.ending[0][1] != why:
        teller.flush()
    teller.ending.append((effect, why, entry.rules))


def _add_answer(teller: LogBuilder, decided: ev.Decided, entry: ev.Entry) -> None:
    """Add an answer to a question.

    If it ends the fight as was offered, the line of the end shows it, with the question's key.
    """
    teller.asked = True
    if not teller.full and _ends_it(teller, decided):
        teller.agreed = (decided.key, entry.rules)
        return
    answers = decided.answer.split(", ")
    sides = [side.id for side in teller.state.sides]
    named = [teller.name(part) if part in teller.state or part in sides else key_words(part) for part in answers]
    words = ", ".join(named)
    question = clean(decided.why or decided.key.rpartition("/")[2].replace("_", " "))
    own = decided.who is None or (teller.action is not None and teller.action.by == decided.who)
    whose = () if own else (Span(f"{teller.name(decided.who)}: ", "dim"),)
    teller.flush()
    asked = Span(f"{question}{'' if question.endswith('?') else ':'} ", "dim")
    teller.add(
        (*whose, asked, Span(clean(words) or "none")),
        entry.rules,
        secret=decided.secret,
        asked=decided.key,
        whose=decided.who,
        lead=len(whose),
        joins=teller.is_involved(decided.who),
    )


def _ends_it(teller: LogBuilder, decided: ev.Decided) -> bool:
    """Tell whether an answer ends the fight for the reason the question gave."""
    later = (entry.event for entry in teller.states.entries[teller.place + 1 :])
    end = next((event for event in later if not isinstance(event, ev.FactSet)), None)
    return isinstance(end, ev.FightEnded) and bool(end.reason) and end.reason in decided.why and not decided.secret


def _add_pool(teller: LogBuilder, change: ev.PoolSet, entry: ev.Entry) -> None:
    if teller.place in teller.known:
        return
    fresh = [roll for roll in teller.dice.untold if roll.rolled.who == change.who]
    if fresh:
        dice = [span for roll in fresh for span in (Span(" "), *dice_spans(roll.rolled, alone=True))]
        teller.add((Span(plain_text(teller, change)), Span(" ←", "dim"), *dice), teller.account(fresh, entry, ()))
    elif change.was is None:
        teller.filling.append(entry)
    else:
        add_plain(teller, entry)


MOST_TITLES = 12
SHORT_INFO = 4


def add_boundary(teller: LogBuilder, boundary: Boundary, entry: ev.Entry) -> None:
    """Keep an edge of the clock, and add the line of a new round."""
    if boundary.edge == "round_start":
        teller.flush()
        teller.round, teller.in_round, teller.action = boundary.round, True, None
        title = f"Round {boundary.round}" if boundary.round else "Before the first round"
        teller.add_words(title, entry, "title", depth=0, kind="round")
    elif boundary.edge == "round_end":
        teller.in_round = False
    teller.edge = boundary
    if boundary.edge != "turn_start":
        teller.action = None
    if teller.full and boundary.edge != "round_start":
        teller.add_words(boundary_words(teller.state, boundary), entry, "dim")


def add_slot(teller: LogBuilder, now: Id | None, entry: ev.Entry, place: int) -> None:
    """Add the heading of a slot.

    A skipped slot is shown by the next line, a slot of a single act by the line of the act.
    """
    if now is None:
        return
    teller.action, teller.targets = None, ()
    slot = teller.states.slot(now)
    passed = slot is not None and not slot.stop
    if not teller.full and (passed or is_skipped(teller.states.entries, place, now, slot.title if slot else None)):
        return
    if slot is not None and not teller.full and _has_its_act(teller, slot, place):
        return
    title = _title(teller, slot) if slot is not None else slot_words(teller.state, now)
    if slot is not None and slot.segment is not None:
        title = f"{segment_words(slot)}: {title}"
    if title:
        teller.add_words(title, entry, "title", depth=0, kind="turn")


def _has_its_act(teller: LogBuilder, slot: Slot, place: int) -> bool:
    """Tell whether a slot is a single act that has a line of its own.

    In this step, or when the clock goes on.
    """
    if not is_act(slot) or teller.states.at(place) is None:
        return False
    return teller.state.clock.at == slot.id or any(
        entry.event.action.by in slot.members
        for entry in takewhile(
            lambda later: not isinstance(later.event, ev.SlotReached), teller.states.entries[place + 1 :]
        )
        if isinstance(entry.event, ev.ActionTaken)
    )


def _title(teller: LogBuilder, slot: Slot) -> str:
    """Return a slot's title; as a turn if it only names the owner."""
    title = clean(slot.title or key_words(slot.phase))
    if slot.turns == "none":
        return title
    owners = [teller.name(owner) for owner in (*([slot.side] if slot.side else []), *slot.members[:1])]
    title = title or next(iter(owners), "")
    return f"{possessive(title)} turn" if title in owners else title


def add_turn(teller: LogBuilder, acting: Id | None, entry: ev.Entry, place: int) -> None:
    """Add the heading of a turn, unless the action that comes next opens it.

    If an action of the same combatant opens the turn, the heading comes before that action.
    """
    following = teller.states.entries[place + 1 : place + 2]
    if acting is None or any(isinstance(later.event, ev.ActionTaken) for later in following):
        return
    teller.add_words(f"{possessive(teller.name(acting))} turn", entry, "title", depth=0, kind="turn")
    deed = teller.lines[-2] if len(teller.lines) > 1 and not teller.full else None
    if deed is not None and deed.action and deed.whose == acting:
        teller.lines[-2:] = [teller.lines[-1], deed]
        before = reversed(teller.states.entries[:place])
        teller.action = next((each.event.action for each in before if isinstance(each.event, ev.ActionTaken)), None)


def add_order(
    teller: LogBuilder, before: tuple[Slot, ...], after: tuple[Slot, ...], entry: ev.Entry, place: int
) -> None:
    """Add a new order: the first one, one made by dice, or a changed one.

    The first heading says which of two sides comes first.
    """
    found = teller.states.at(place)
    begun = () if found is None or teller.full else found.clock.begun
    titles = _titles(slot for slot in after if slot.id not in begun)
    last = before or (() if found is None else found.clock.slots) or teller.states.opening
    known = _titles(slot for slot in last if slot.id not in begun) or _titles(last)
    if teller.full:
        told = bool(titles)
    elif all(slot.segment is not None for slot in after if slot.stop and slot.id not in begun):
        told = False  # each has told its segment, and has a line of its own when it comes
    elif not before:
        own = any(slot.turns != "none" and len(slot.members) == 1 for slot in after)
        told = len(titles) > 2 and titles != known and (teller.asked or (own and teller.round <= 1))
    else:
        told = len(titles) > 1 and titles != known
    if told:
        teller.add_words(f"order: {listed(titles, MOST_TITLES)}", entry)


def _titles(slots: Iterable[Slot]) -> list[str]:
    """Return what the slots of a round are called, each once."""
    titles = [
        clean(f"{slot.title} {slot.info}" if slot.info and len(slot.info) <= SHORT_INFO else slot.title)
        for slot in slots
        if slot.stage == "round"
    ]
    return list(dict.fromkeys(titles))
