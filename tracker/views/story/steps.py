"""The story of a step: its entries as lines, readable and complete.

Dice are told where their sum is; what is only bookkeeping (budgets, facts, edges of the clock) is told where `full`
asks for it.
"""

from __future__ import annotations

from collections.abc import Sequence

from tracker.core.fight import events as ev
from tracker.core.fight.state import State
from tracker.core.game.ruleset import Ruleset
from tracker.core.terms.actions import Action
from tracker.core.terms.effects import Effect
from tracker.views.story.numbers import tell_check, tell_points
from tracker.views.story.past import Past
from tracker.views.story.rare import Rare, rare_words
from tracker.views.story.teller import Line, Teller
from tracker.views.story.turns import tell_edge, tell_order, tell_slot, tell_turn
from tracker.views.words.deeds import deed_spans
from tracker.views.words.moments import boundary_words, modifier_words
from tracker.views.words.spans import Span
from tracker.views.words.sums import TableRoll, dice_spans
from tracker.views.words.text import clean, key_words

__all__ = ["Line", "tell"]


def tell(
    ruleset: Ruleset, state: State, entries: Sequence[ev.Entry], *, full: bool = False, before: State | None = None
) -> tuple[Line, ...]:
    """Return the lines of one step.

    `state` is the one after it, `before` the one before it, where that is known.
    """
    teller = Teller(ruleset, state, Past(state, entries, before), full=full)
    for place, entry in enumerate(entries):
        _tell(teller, entry, place)
    teller.clear_table()
    return tuple(teller.lines)


def _tell(teller: Teller, entry: ev.Entry, place: int) -> None:
    """Tell of one entry, the one at this place of the step."""
    match entry.event:
        case ev.Rolled() as rolled:
            if teller.joining or teller.filling or teller.placing:
                teller.clear_table()
            teller.table.append(TableRoll(rolled, entry))
            teller.asked = True
        case ev.Checked() as checked:
            tell_check(teller, checked, entry)
        case ev.PoolChanged() as change:
            tell_points(teller, change, entry)
        case ev.ActionTaken(action=action, label=label):
            _acted(teller, action, label, entry, place)
        case ev.BoundaryCrossed(boundary=boundary):
            tell_edge(teller, boundary, entry)
        case ev.SlotReached(now=now):
            tell_slot(teller, now, entry, place)
        case ev.TurnOpened(now=acting):
            tell_turn(teller, acting, entry, place)
        case ev.OrderSet(was=before, now=after):
            tell_order(teller, before, after, entry)
        case ev.EffectAdded(effect=effect):
            _begun(teller, effect, entry)
        case ev.EffectEnded(was=was, reason=reason):
            _ended(teller, was, reason, entry)
        case ev.StatusChanged(who=who, now=status):
            word = teller.ruleset.status(status)
            teller.words(f"{teller.name(who)} is {clean(word.word)}", entry, "" if word.acts else "bad")
        case ev.Decided() as decided:
            _decided(teller, decided, entry)
        case ev.CombatantJoined(combatant=combatant):
            if not teller.joining:
                teller.clear_table()
            teller.joining.append(combatant.id)
        case ev.Moved(was=None):
            if not teller.placing:
                teller.clear_table()
            teller.placing.append(entry)
        case ev.BudgetsChanged() | ev.FactSet() | ev.ReminderDismissed() if not teller.full:
            pass
        case ev.PoolSet() as change:
            _filled(teller, change, entry)
        case _:
            _rare(teller, entry.event, entry)


def _acted(teller: Teller, action: Action, label: str, entry: ev.Entry, place: int) -> None:
    """Tell who sets out to do what."""
    teller.clear_table()
    teller.table = []
    teller.action, teller.targets = action, ()
    if action.key == "next":
        teller.action = None
        return
    line, teller.targets = deed_spans(
        teller.ruleset, teller.state, action, label, before=teller.past.at(place), name=teller.name
    )
    teller.say(line, entry.rules, depth=0)


def _begun(teller: Teller, effect: Effect, entry: ev.Entry) -> None:
    """Tell what begins to hold, and until when."""
    change = f" {modifier_words(effect.modifiers)}" if effect.modifiers else ""
    until = f", until {teller.until(effect)}" if effect.until else ""
    known = (None, effect.bearer, teller.action.by if teller.action else None)
    by = "" if effect.source in known else f" (by {teller.name(effect.source)})"
    words = clean(f"{teller.name(effect.bearer)}: {effect.shown}{change}{until}{by}")
    teller.words(words, entry, secret=effect.secret)


def _ended(teller: Teller, effect: Effect, reason: str, entry: ev.Entry) -> None:
    """Tell what no longer holds, and why."""
    why = reason
    if effect.due and teller.edge is not None and reason == "its time is up":
        why = boundary_words(teller.state, teller.edge)
    teller.words(clean(f"{teller.name(effect.bearer)}: {effect.shown} ends ({why})"), entry, secret=effect.secret)


def _decided(teller: Teller, decided: ev.Decided, entry: ev.Entry) -> None:
    """Tell an answer to a question."""
    teller.asked = True
    answers = decided.answer.split(", ")
    words = ", ".join(teller.name(part) if part in teller.state else key_words(part) for part in answers)
    question = clean(decided.why or decided.key.rpartition("/")[2].replace("_", " "))
    own = decided.who is None or (teller.action is not None and teller.action.by == decided.who)
    whose = "" if own else f"{teller.name(decided.who)}: "
    teller.clear_table()
    asked = Span(f"{whose}{question}{'' if question.endswith('?') else ':'} ", "dim")
    teller.say((asked, Span(clean(words) or "none")), entry.rules, secret=decided.secret, asked=decided.key)


def _filled(teller: Teller, change: ev.PoolSet, entry: ev.Entry) -> None:
    """Tell of a pool that is set, with the dice rolled for it."""
    fresh = [roll for roll in teller.table if not roll.told and roll.rolled.who == change.who]
    if fresh:
        dice = [span for roll in fresh for span in (Span(" "), *dice_spans(roll.rolled))]
        text = rare_words(teller.state, change, teller.name, teller.until).text
        teller.say((Span(text), Span(" ←", "dim"), *dice), teller.account(fresh, entry, ()))
    elif change.was is None:
        teller.filling.append(entry)
    else:
        _rare(teller, change, entry)


def _rare(teller: Teller, event: Rare, entry: ev.Entry) -> None:
    """Tell of what happens once in a while."""
    told = rare_words(teller.state, event, teller.name, teller.until)
    if told.text:
        teller.words(told.text, entry, told.style, depth=told.depth, kind=told.kind, secret=told.secret)
