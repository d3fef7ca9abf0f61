"""Numbers of the log: checks and points, with their dice and parts."""

from __future__ import annotations

import re

from msgspec import UNSET
from msgspec.structs import replace

from tracker.core.fight import events as ev
from tracker.core.terms.derived import Part
from tracker.core.terms.words import minus
from tracker.views.log.lines import LineDraft, Rolled, result_icon
from tracker.views.log.log_builder import LogBuilder
from tracker.views.words.spans import Span
from tracker.views.words.sums import TableRoll, sum_spans
from tracker.views.words.text import clean, key_words

PLAIN = ("attack", "hit", "to hit")
"""Checks that the line of the action has named already."""
DICE = re.compile(r"\d*d\d+ ")


def add_check(log: LogBuilder, checked: ev.Checked, entry: ev.Entry) -> None:
    """Add a check; without parts and a number to reach, it is a result that a power has changed."""
    turned = not checked.parts and checked.against is None and checked.success is not UNSET
    if turned and not log.full and log.dice.is_rolled_for(f"{checked.result}: {checked.what} "):
        return
    against = checked.against or 0
    spans, used = ([], []) if turned else sum_spans(checked.parts, checked.total, log.dice, checked.who)
    known = bool(used) and all(roll.told for roll in used) and not log.full
    theirs, theirs_used = sum_spans(checked.against_parts, against, log.dice, checked.target, named=True)
    used += theirs_used
    again = bool(used) and all(roll.told for roll in used) and not theirs_used and not log.full
    again = again and log.compared == (len(log.lines), checked.what, checked.parts)
    if known and log.compared[1:] == (checked.what, checked.parts):
        spans = [Span(str(checked.total), "strong")]  # the same roll is compared again
    rules = log.account(used, entry, checked.parts)
    lead = _lead(log, checked, bool(spans))
    number = [] if turned else spans or [Span(str(checked.total), "strong")]
    line = ([Span(lead)] if lead else []) + number
    rolled = len(line)
    if checked.against is not None:
        what = clean(key_words(checked.against_what))
        line.append(Span(_against(what, checked.against)))
        if len(checked.against_parts) > 1:
            parts = theirs[:-1] if theirs[-1].text.startswith(" = ") else theirs
            line += [Span(" (", "dim"), *parts, Span(")", "dim")]
    action = log.action
    if action is not None and checked.target is not None and checked.who == action.by:
        log.struck.add(checked.target)
    answers = action is not None and checked.target == action.by and checked.who in log.targets
    own = log.targets == (checked.target,) or checked.target in (checked.who, log.named) or answers
    own = own or checked.against_what.startswith(f"{log.state.name(checked.target)}'")
    if turned:
        line.append(Span(clean(checked.result), "strong"))
    if checked.target is not None and not own:
        line.append(Span(f" ({log.name(checked.target)})"))
    if checked.result and checked.result != str(checked.total) and not turned:
        line.append(Span("  " + clean(checked.result), "strong"))
    name = f"{log.name(checked.who)} " if checked.who is not None else ""
    named = bool(lead) and bool(name) and lead.startswith(name)
    if named:
        line[:1] = [Span(name), Span(lead.removeprefix(name))]
    same = (Span(name.rstrip()), *line[rolled + named :]) if again and name else ()
    joins = checked.who is None or log.is_involved(checked.who)
    draft = LineDraft(
        tuple(line),
        rules,
        icon=result_icon(checked),
        whose=checked.who,
        lead=1 if named else 0,
        joins=joins,
        same=same,
        roll=_of_side(log, checked, line),
    )
    log.add(_with_dice(draft, used))
    if not turned:
        log.compared = (len(log.lines), checked.what, checked.parts)


def _of_side(log: LogBuilder, checked: ev.Checked, line: list[Span]) -> Rolled | None:
    """Return a roll that no action asked for, without a result that only repeats the number."""
    who = log.state.get(checked.who)
    if who is None or checked.target is not None or (log.action is not None and log.action.by is not None):
        return None
    head, _, number = checked.result.rpartition(" ")
    repeated = bool(head) and number == minus(checked.total) and checked.against is None
    what, spans = clean(key_words(checked.what)), tuple(line[2 : -1 if repeated else None])
    dice = bool(DICE.match(spans[0].text)) if spans else False
    return Rolled(log.name(who.side), what, log.name(who.id), spans, dice)


def _against(what: str, number: int) -> str:
    """Return the number to reach: `AC 15`, `3 or less`, `12 (8 + Maud)`."""
    if str(number) in what.split():
        return f" vs {what}"
    return f" vs {number} ({what})" if what[:1].isdigit() else f" vs {what} {number}" if what else f" vs {number}"


def _lead(log: LogBuilder, checked: ev.Checked, with_sum: bool) -> str:
    """Return the combatant and purpose of a number; "" if the line of the action names them."""
    action = log.action
    actor = action.by if action else None
    what = clean(key_words(checked.what))
    known = what in PLAIN or (action is not None and checked.what == action.key)
    if checked.who == actor and known and with_sum:
        return ""
    return f"{what}: " if checked.who in (None, actor) else f"{log.name(checked.who)} {what}: "


def add_points(log: LogBuilder, change: ev.PoolChanged, entry: ev.Entry) -> None:
    spans, used = _loss(log, change)
    rules = log.account(used, entry, change.parts)
    first = log.ruleset.schema.pools[:1] == (change.pool,)
    pool = "" if first else f"{clean(key_words(change.pool)).lstrip()} "
    style = "dim" if change.now == change.was else "bad" if change.now < change.was else "good"
    line = [*spans, Span(" → ")] if spans else []
    line += [
        Span(f"{log.name(change.who)} "),
        Span(pool),
        Span(minus(f"{change.was}→{change.now}"), style),
    ]
    why = clean(key_words(change.why))
    if why and change.why not in PLAIN and (log.full or not _is_said(why, log.headline)):
        line.append(Span(f" ({why})", "dim"))
    if change.source is not None and (log.action is None or log.action.by != change.source):
        line.append(Span(f" by {log.name(change.source)}", "dim"))
    action = log.action
    joins = action is not None and (
        log.is_involved(change.who) if change.source is None else change.source == action.by
    )
    draft = LineDraft(tuple(line), rules, whose=change.who, lead=0 if spans else 1, joins=joins, points=True)
    log.add(_with_dice(draft, used))


def _is_said(why: str, headline: str) -> bool:
    """Tell whether the line of the action names a weapon or spell already."""
    return re.search(rf"[(,] ?{re.escape(why)}[,)]", headline) is not None


def _loss(log: LogBuilder, change: ev.PoolChanged) -> tuple[list[Span], list[TableRoll]]:
    """Return the sum of a change of points, with all parts even if the pool changed by less."""
    moved = abs(change.now - change.was)
    if not change.parts:
        return sum_spans((), moved, log.dice, change.source)
    whole = sum(part.amount for part in change.parts)
    sign = -1 if whole < 0 else 1
    parts = [Part(part.label, sign * part.amount, part.rule) for part in change.parts] if sign < 0 else change.parts
    spans, used = sum_spans(parts, sign * whole, log.dice, change.source)
    if not used and sign * whole != moved:  # perhaps the parts do not include the dice
        other, dice = sum_spans(parts, moved, log.dice, change.source)
        return (other, dice) if dice else (spans, used)
    return spans, used


def _with_dice(draft: LineDraft, used: list[TableRoll]) -> LineDraft:
    asked = used[-1].rolled.key if used else ""
    return replace(draft, secret=any(roll.rolled.secret for roll in used), asked=asked)
