"""The pending request in words: who answers it, what for, and what can be answered."""

from __future__ import annotations

from tracker.core.fight.state import State
from tracker.core.terms.requests import Choice, Number, Pick, Request, Roll, Window
from tracker.views.words.spans import Span
from tracker.views.words.text import clean, listed, possessive

__all__ = ["asked_words", "hint_words", "prompt_title"]


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
            bounds = (
                f" ({'' if least is None else least}..{'' if most is None else most})"
                if least is not None or most is not None
                else ""
            )
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
            typed = (
                "type each face" if every and several else "type a total or the faces" if several else "type the die"
            )
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
