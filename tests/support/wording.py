"""What may not stand in a text for people. A key, a class of the program, a value as Python prints it."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import get_args

from tracker.core.fight.events import Entry, Event
from tracker.core.fight.state import State
from tracker.core.game.ruleset import Ruleset
from tracker.views.log.steps import tell

CLASSES = sorted(kind.__name__ for kind in get_args(Event) if re.search("[a-z][A-Z]", kind.__name__))
VALUES = (
    r"\bNone\b",
    r"\bTrue\b",
    r"\bFalse\b",
    r"\bUNSET\b",
    r"\(-?[\d.]+(?:, ?-?[\d.]+)+,?\)",  # a tuple of numbers
    r"\(['\"]",  # a tuple of texts
    r"<\w+[ .]",  # an object
    r"\w+\(\w+=",  # a Struct
)
STRANGE = re.compile("|".join((r"\w_\w", *VALUES, rf"\b(?:{'|'.join(CLASSES)})\b")))


def strange(texts: Iterable[str], names: Iterable[str] = ()) -> list[str]:
    """Return the texts that hold something which is not words.

    These names are not judged: a list of combatants called 2 is no tuple of numbers.
    """
    typed = set(names)
    odd = [re.escape(name) for name in sorted(typed, key=len, reverse=True) if STRANGE.search(name)]
    masked = re.compile(rf"(?<!\w)(?:{'|'.join(odd)})(?!\w)") if odd else None

    def judged(text: str) -> bool:
        found = STRANGE.finditer(masked.sub("Name", text) if masked else text)
        return any(not typed.issuperset(re.findall(r"[^(), ]+", one.group())) for one in found)

    return [text for text in texts if judged(text)]


def names_in(*states: State) -> set[str]:
    """Return what people have called the combatants and sides of these states."""
    return {
        name
        for state in states
        for name in (
            *(one.name for one in state.combatants),
            *(side.name for side in state.sides),
            *(name for _, name in state.gone),
        )
    }


def log_of(ruleset: Ruleset, state: State, entries: tuple[Entry, ...], before: State | None = None) -> list[str]:
    """Return a step's lines of the log, with bookkeeping and without."""
    return [line.text for full in (False, True) for line in tell(ruleset, state, entries, full=full, before=before)]
