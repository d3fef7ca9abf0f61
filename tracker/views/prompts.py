"""The pending request in words: who answers it, what for, what has happened in this step so far, and what can be answered."""

from __future__ import annotations

from tracker.core.actions import ActionSpec, Refusal
from tracker.core.requests import Choice, Number, Pick, Request, Roll, Window
from tracker.core.ruleset import Ruleset
from tracker.core.state import State
from tracker.core.step import Pending
from tracker.views.keys import option_keys
from tracker.views.log import log_rows
from tracker.views.spans import Row, Span, cells, cut, fit, spread, wrap_spans
from tracker.views.text import clean, listed, possessive

__all__ = ["asked_words", "hint_words", "prompt_rows", "prompt_title", "refusal_rows", "refusal_text"]

MOST_SO_FAR = 6


def prompt_rows(ruleset: Ruleset, state: State, pending: Pending, width: int, so_far: int = MOST_SO_FAR) -> tuple[Row, ...]:
    """Return the pending request: its question, the options with their keys (row key `option:<key>`, `offer:<number>` in windows), how to
    answer, and at most `so_far` lines of what has happened in this step.
    """
    request = pending.request
    rows = [Row("question", spans, "head") for spans in wrap_spans(prompt_title(state, request), width, 2)]
    if isinstance(request, Choice | Pick):
        rows += _options(state, request, width)
    elif isinstance(request, Window):
        rows += [_offer(state, number, spec, width) for number, spec in enumerate(request.offers)]
    rows += [Row("hint", spans, "hint") for spans in wrap_spans((Span(hint_words(state, request), "dim"),), width, 2)]
    if so_far:
        told = log_rows(ruleset, pending.state, pending.entries, 0, width)
        if len(told) > so_far:
            rows.append(Row("so_far", (Span(cut(f"({len(told) - so_far} lines before)", width), "dim"),)))
        rows += [Row(f"so_far:{row.key}", row.spans, row.state, row.rules) for row in told[-so_far:]]
    return tuple(rows)


def asked_words(state: State, request: Request) -> str:
    """Return who is to answer: `Ava's player`, `Players`, or `GM`."""
    if request.to == "gm":
        return "GM"
    return f"{possessive(clean(state.name(request.who)))} player" if request.who is not None else "Players"


def prompt_title(state: State, request: Request) -> tuple[Span, ...]:
    """Return the question in one line, however long."""
    spans = [Span(asked_words(state, request), "players" if request.to == "player" else "gm"), Span(": ")]
    why = clean(request.why)
    about = f"{clean(state.name(request.who))}, " if request.who is not None and request.to == "gm" else ""
    match request:
        case Roll(dice=dice):
            name = str(dice)
            spans += [
                Span(f"roll {name[1:] if name in ('1d20', '1d100') else name}", "strong"),
                Span(f" for {about}{why}" if why else f" ({about}{_last(request.key)})"),
            ]
        case Window(name=name, actor=actor, target=target):
            moment = why or clean(name.replace("_", " "))
            who = " → ".join(clean(state.name(key)) for key in (actor, target) if key is not None)
            spans.append(Span(f"{who}: {moment}" if who else moment))
        case Number(minimum=least, maximum=most):
            bounds = f" ({'' if least is None else least}..{'' if most is None else most})" if least is not None or most is not None else ""
            spans.append(Span(f"{about}{why or _last(request.key)}{bounds}"))
        case _:
            spans.append(Span(f"{about}{why or _last(request.key)}"))
    if request.secret:
        spans.append(Span("  secret", "dim"))
    return tuple(spans)


def _last(key: str) -> str:
    """Return the end of a request's path as words."""
    return clean(key.rpartition("/")[2].replace("_", " ").replace(":", " "))


def hint_words(state: State, request: Request) -> str:
    """Return how to answer, what Enter does first."""
    match request:
        case Roll(dice=dice, faces=every):
            several = len(dice.sides) > 1
            typed = "type each face" if every and several else "type a total or the faces" if several else "type the die"
            return f"Enter: the program rolls · {typed} · *: it rolls the rest of the step too"
        case Choice(default=default, options=options):
            found = next((option for option in options if option.key == default), None)
            return f"Enter: {clean(found.shown)}" if found is not None else "press an option's key"
        case Pick(default=chosen, minimum=least, maximum=most, options=options):
            known = {option.key: clean(option.shown) for option in options}
            taken = None if chosen is None else listed([known.get(key, key) for key in chosen]) or "none"
            count = f"{least} to {len(options) if most is None else most}"
            return f"Enter: {taken} · or pick {count}" if taken is not None else f"pick {count}, then Enter"
        case Number(default=value):
            return f"Enter: {value} · or type a number" if value is not None else "type a number"
        case Window():
            return "Enter: nobody interrupts · a label: their responses"


def _options(state: State, request: Choice | Pick, width: int) -> list[Row]:
    chosen = (request.default,) if isinstance(request, Choice) else request.default or ()
    keys = option_keys(state, request.options)
    column = max((len(key) for key in keys), default=1)
    rows: list[Row] = []
    for key, option in zip(keys, request.options, strict=True):
        label = clean(state.name(option.key) if option.key in state and not option.label else option.shown)
        start = [Span(f"  {fit(key, column)} ", "strong"), Span(label, "dim" if option.refusal else "strong" if option.key in chosen else "")]
        if option.note:
            start.append(Span(f"  {clean(option.note)}", "dim"))
        rule = ""
        if option.refusal is not None:
            start.append(Span(f"  {clean(option.refusal.text)}", "bad"))
            rule = option.refusal.rule
        spans = spread(start, [Span(rule, "rule")], width) if rule else spread(start, (), width)
        rows.append(Row(f"option:{option.key}", spans, "refused" if option.refusal else "chosen" if option.key in chosen else "", (rule,) if rule else ()))
    return rows


def _offer(state: State, number: int, spec: ActionSpec, width: int) -> Row:
    combatant = state.get(spec.by)
    lead = f"  {combatant.label} {clean(combatant.name)}: " if combatant is not None else "  GM: "
    start = [Span(lead, "strong"), Span(clean(spec.label))]
    if spec.cost:
        start.append(Span(f" ({clean(spec.cost)})", "dim"))
    end = [Span(spec.rule, "rule")] if spec.rule and width > cells(spec.rule) + 16 else []
    return Row(f"offer:{number}", spread(start, end, width), "", (spec.rule,) if spec.rule else ())


def refusal_text(refusal: Refusal) -> str:
    """Return a refusal in one line: what, why, the rule, and whether it can be forced."""
    rule = f"  [{refusal.rule}]" if refusal.rule else ""
    return f"{clean(refusal.text)}{rule}" + ("  (can be forced)" if refusal.forcible else "")


def refusal_rows(refusal: Refusal, width: int) -> tuple[Row, ...]:
    """Return a refusal in lines of a pane, the rule with each of them."""
    rules = (refusal.rule,) if refusal.rule else ()
    spans = [Span("✗ ", "bad"), Span(clean(refusal.text))]
    if refusal.rule:
        spans.append(Span(f"  {refusal.rule}", "rule"))
    spans.append(Span("  can be forced" if refusal.forcible else "  cannot be forced", "dim"))
    return tuple(Row("refusal", line, "refused", rules) for line in wrap_spans(spans, width, 2))
