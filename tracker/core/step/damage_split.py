"""One amount dealt to several, of which each can take a share of their own.

Half, double, another multiple, or nothing.
"""

from __future__ import annotations

from tracker.core.fight.slots import Id
from tracker.core.step.fields import ids
from tracker.core.terms.actions import Action, Field, Option

TIMES = ("0", "1/4", "1/3", "1/2", "2", "3", "4")
"""What an amount can be multiplied by for one of those who take it."""
_WORDS = {"0": "none", "1/4": "a quarter", "1/3": "a third", "1/2": "half", "2": "double"}


def share_words(times: str) -> str:
    """Return what a share is called: "half", "double", "×3"."""
    return _WORDS.get(times, f"×{times}")


def share_fields(people: tuple[Option, ...]) -> tuple[Field, ...]:
    """Return the fields of a form that say who takes another share.

    `halved`, and `shares` with a multiple for each.
    """
    who = Field("who", "combatant", required=True, options=people)
    times = Field("times", "choice", required=True, options=tuple(Option(times, share_words(times)) for times in TIMES))
    return (
        Field("halved", "combatants", "saved: half", options=people),
        Field("shares", "rows", "other shares", columns=(who, times)),
    )


def shares(action: Action, amount: int, up: bool = False) -> tuple[tuple[Id, int, str], ...]:
    """Return who takes how much of an amount, and the share's name.

    Each once; "" for the whole of it.

    Fractions are rounded down, or up where the game says so.
    """
    times = dict.fromkeys(ids(action, "targets"), "1") | dict.fromkeys(ids(action, "halved"), "1/2")
    # The form asks too, before every cell of a row is filled in.
    times |= {
        str(row["who"]): str(row["times"])
        for row in action.rows("shares")
        if "who" in row and row.get("times") in TIMES
    }
    return tuple(
        (who, _part(amount, part, up), "" if part == "1" else share_words(part)) for who, part in times.items()
    )


def _part(amount: int, times: str, up: bool) -> int:
    over, _, under = times.partition("/")
    whole, rest = divmod(amount * int(over), int(under or 1))
    return whole + (1 if up and rest else 0)
