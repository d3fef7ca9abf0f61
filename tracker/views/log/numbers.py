"""Numbers of the story: comparisons and points, with their dice and parts."""

from __future__ import annotations

import re

from tracker.core.fight import events as ev
from tracker.core.terms.derived import Part
from tracker.views.log.lines import Icon, Rolled, result_icon
from tracker.views.log.log_builder import LogBuilder
from tracker.views.words.spans import Span
from tracker.views.words.sums import TableRoll, sum_spans
from tracker.views.words.text import clean, key_words

PLAIN = ("attack", "hit", "to hit")
"""Comparisons that the line of the action has named already."""
DICE = re.compile(r"\d*d\d+ ")


def add_check(teller: LogBuilder, checked: ev.Checked, entry: ev.Entry) -> None:
    """Add a comparison."""
    against = checked.against or 0
    spans, used = sum_spans(checked.parts, checked.total, teller.dice, checked.who)
    known = bool(used) and all(roll.told for roll in used) and not teller.full
    theirs, theirs_used = sum_spans(checked.against_parts, against, teller.dice, checked.target, named=True)
    used += theirs_used
    again = bool(used) and all(roll.told for roll in used) and not theirs_used and not teller.full
    again = again and teller.compared == (len(teller.lines), checked.what, checked.parts)
    if known and teller.compared[1:] == (checked.what, checked.parts):
        spans = [Span(str(checked.total), "strong")]  # the roll before is compared once more
    rules = teller.account(used, entry, checked.parts)
    lead = _lead(teller, checked, bool(spans))
    line = ([Span(lead)] if lead else []) + (spans or [Span(str(checked.total), "strong")])
    rolled = len(line)
    if checked.against is not None:
        what = clean(key_words(checked.against_what))
        line.append(Span(_against(what, checked.against)))
        if len(checked.against_parts) > 1:
            parts = theirs[:-1] if theirs[-1].text.startswith(" = ") else theirs
            line += [Span(" (", "dim"), *parts, Span(")", "dim")]
    action = teller.action
    if action is not None and checked.target is not None and checked.who == action.by:
        teller.struck.add(checked.target)
    answers = action is not None and checked.target == action.by and checked.who in teller.targets
    own = teller.targets == (checked.target,) or checked.target == checked.who or answers
    own = own or checked.against_what.startswith(f"{teller.state.name(checked.target)}'")
    if checked.target is not None and not own:
        line.append(Span(f" ({teller.name(checked.target)})"))
    if checked.result and checked.result != str(checked.total):
        line.append(Span("  " + clean(checked.result), "strong"))
    name = f"{teller.name(checked.who)} " if checked.who is not None else ""
    named = bool(lead) and bool(name) and lead.startswith(name)
    if named:
        line[:1] = [Span(name), Span(lead.removeprefix(name))]
    same = (Span(name.rstrip()), *line[rolled + named :]) if again and name else ()
    joins = checked.who is None or teller.is_involved(checked.who)
    _add(
        teller,
        line,
        rules,
        used,
        checked.who,
        named,
        joins,
        same=same,
        roll=_of_side(teller, checked, line),
        sign=result_icon(checked),
    )
    teller.compared = (len(teller.lines), checked.what, checked.parts)


def _of_side(teller: LogBuilder, checked: ev.Checked, line: list[Span]) -> Rolled | None:
    """Return a roll that the game asks for, to be shown beside others.

    The result is left out if it only repeats the number.
    """
    who = teller.state.get(checked.who)
    if who is None or checked.target is not None or (teller.action is not None and teller.action.by is not None):
        return None
    head, _, number = checked.result.rpartition(" ")
    said = bool(head) and number == str(checked.total).replace("-", "−") and checked.against is None
    what, spans = clean(key_words(checked.what)), tuple(line[2 : -1 if said else None])
    dice = bool(DICE.match(spans[0].text)) if spans else False
    return Rolled(teller.name(who.side), what, teller.name(who.id), spans, dice)


def _against(what: str, number: int) -> str:
    """Return what a number is compared with: `AC 15`, `3 or less`, `12 (8 + Maud)`."""
    if str(number) in what.split():
        return f" vs {what}"
    return f" vs {number} ({what})" if what[:1].isdigit() else f" vs {what} {number}" if what else f" vs {number}"


def _lead(teller: LogBuilder, checked: ev.Checked, with_sum: bool) -> str:
    """Return the name and purpose of a number; "" if the line of the action has said so."""
    action = teller.action
    actor = action.by if action else None
    what = clean(key_words(checked.what))
    known = what in PLAIN or (action is not None and checked.what == action.key)
    if checked.who == actor and known and with_sum:
        return ""
    return f"{what}: " if checked.who in (None, actor) else f"{teller.name(checked.who)} {what}: "


def add_points(teller: LogBuilder, change: ev.PoolChanged, entry: ev.Entry) -> None:
    """Add points lost or gained."""
    spans, used = _loss(teller, change)
    rules = teller.account(used, entry, change.parts)
    first = teller.ruleset.schema.pools[:1] == (change.pool,)
    pool = "" if first else " " + clean(key_words(change.pool))
    style = "bad" if change.now < change.was else "good"
    line = [*spans, Span(" → ")] if spans else []
    line += [
        Span(f"{teller.name(change.who)} "),
        Span(f"{pool.lstrip()} " if pool else ""),
        Span(f"{change.was}→{change.now}".replace("-", "−"), style),
    ]
    why = clean(key_words(change.why))
    if why and change.why not in PLAIN and (teller.full or not _is_said(why, teller.headline)):
        line.append(Span(f" ({why})", "dim"))
    if change.source is not None and (teller.action is None or teller.action.by != change.source):
        line.append(Span(f" by {teller.name(change.source)}", "dim"))
    action = teller.action
    joins = action is not None and (
        teller.is_involved(change.who) if change.source is None else change.source == action.by
    )
    _add(teller, line, rules, used, change.who, not spans, joins, points=True)


def _is_said(why: str, headline: str) -> bool:
    """Tell whether the line of the action names a weapon or spell already."""
    return re.search(rf"[(,] ?{re.escape(why)}[,)]", headline) is not None


def _loss(teller: LogBuilder, change: ev.PoolChanged) -> tuple[list[Span], list[TableRoll]]:
    """Return the sum behind a change of points, or the plain number.

    All parts are shown even if the pool could not take all.
    """
    moved = abs(change.now - change.was)
    if not change.parts:
        return sum_spans((), moved, teller.dice, change.source)
    whole = sum(part.amount for part in change.parts)
    sign = -1 if whole < 0 else 1
    parts = [Part(part.label, sign * part.amount, part.rule) for part in change.parts] if sign < 0 else change.parts
    spans, used = sum_spans(parts, sign * whole, teller.dice, change.source)
    if not used and sign * whole != moved:  # perhaps the dice are no part of the parts
        other, dice = sum_spans(parts, moved, teller.dice, change.source)
        return (other, dice) if dice else (spans, used)
    return spans, used


def _add(
    teller: LogBuilder,
    line: list[Span],
    rules: tuple[str, ...],
    used: list[TableRoll],
    whose: str | None,
    named: bool,
    joins: bool,
    points: bool = False,
    same: tuple[Span, ...] = (),
    roll: Rolled | None = None,
    sign: Icon = "",
) -> None:
    secret = any(roll.rolled.secret for roll in used)
    asked = used[-1].rolled.key if used else ""
    teller.add(
        line,
        rules,
        secret=secret,
        asked=asked,
        whose=whose,
        lead=1 if named else 0,
        joins=joins,
        points=points,
        same=() if secret else same,
        roll=roll,
        sign=sign,
    )
