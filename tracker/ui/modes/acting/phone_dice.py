"""Dice of a row: what they are for, and those that players' phones have sent beside what the GM types."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from tracker.core.fight.settings import numbers_shown
from tracker.core.fight.state import State
from tracker.core.terms.requests import Roll
from tracker.core.terms.words import minus
from tracker.ui.typing.mode import ModeContext
from tracker.views.words.spans import Span, join
from tracker.views.words.text import clean

if TYPE_CHECKING:
    from tracker.ui.platform.phones import SubmittedRoll

PHONE, MISSING = "☎", "–"


def sent_for(scene: ModeContext, rolls: Sequence[Roll]) -> tuple[SubmittedRoll | None, ...]:
    """Return what phones have sent for each roll of a row; () if nothing has come."""
    if scene.following is None:
        return ()
    found = tuple(map(scene.following.submitted, rolls))
    return found if any(found) else ()


def with_sent(
    rolls: Sequence[Roll],
    sent: Sequence[SubmittedRoll | None],
    typed: Callable[[Sequence[Roll], str], list[str]],
    text: str,
) -> str:
    """Return the words for a row from its first die to the first that is missing.

    What is typed is for the dice that no phone has sent. If more is typed, it replaces what the phones have sent.
    `typed` splits what is typed into the words for each roll.
    """
    missing = [roll for roll, roll_sent in zip(rolls, sent, strict=False) if roll_sent is None]
    if not sent or (text.strip() and not _fits(missing, typed, text)):
        return text
    words = iter(typed(missing, text) if text.strip() else ())
    found: list[str] = []
    for roll_sent in sent:
        word = next(words, None) if roll_sent is None else roll_sent.text
        if word is None:
            break
        found.append(word)
    return " ".join(found)


def _fits(missing: Sequence[Roll], typed: Callable[[Sequence[Roll], str], list[str]], text: str) -> bool:
    """Tell whether what is typed is no more than the dice that are missing."""
    if not missing:
        return False
    said = "".join(" ".join(typed(missing, text)).split())
    return said == "".join(text.replace("*", "-").split())


def sent_line(
    scene: ModeContext, rolls: Sequence[Roll], sent: Sequence[SubmittedRoll | None], words: Sequence[str]
) -> tuple[Span, ...]:
    """Return what has come for each roll of a row: `b 3 ☎ · i – · t 7 ☎`."""
    chips: list[tuple[Span, ...]] = []
    for place, (roll, roll_sent) in enumerate(zip(rolls, sent, strict=False)):
        one = scene.model.state.get(roll.who)
        name = one.label if one is not None else clean(scene.model.state.name(roll.key.rpartition(":")[2]))
        typed = roll_sent.text if roll_sent is not None else words[place] if place < len(words) else ""
        end = Span(f" {PHONE}" if roll_sent is not None else "", "dim")
        chips.append((Span(f"{name} ", "dim"), Span(typed or MISSING, "typed" if typed else "dim"), end))
    return tuple(join(chips, " · "))


def missing_words(scene: ModeContext, rolls: Sequence[Roll], sent: Sequence[SubmittedRoll | None]) -> str:
    """Return who has not sent a die yet, "" if all have."""
    names = [
        clean(scene.model.state.name(roll.who or roll.key.rpartition(":")[2]))
        for roll, roll_sent in zip(rolls, sent, strict=False)
        if roll_sent is None
    ]
    return ", ".join(names)


SHORT = (
    (re.compile(r"^(?:on|at|against) (.+): (.+)$"), r"\2 → \1"),
    (re.compile(r"(\d+) or more(?: hits)?\b"), r"\1+"),
    (re.compile(r"(\d+) or less(?: hits)?\b"), r"≤\1"),
    (re.compile(r" · (?:attacks|on|at|against) "), " → "),
)


def dice_row_title(rolls: Sequence[Roll], one_roller: str = "") -> tuple[Span, ...]:
    style = "players" if rolls[0].to == "player" else "gm"
    whose = Span(one_roller or ("Players" if rolls[0].to == "player" else "GM"), style)
    dice = f"{dice_of_each(rolls[0])} " if dice_alike(rolls) else ""
    many = f", {len(rolls)} {dice}in order"
    return (whose, Span(": roll for "), Span(clean(roll_word(rolls[0])), "strong"), Span(many))


def one_roller(state: State, rolls: Sequence[Roll]) -> str:
    """Return the name of the combatant for whom all of these dice are rolled, "" if there are several."""
    alone = len({roll.who for roll in rolls}) == 1 and dice_alike(rolls)
    return clean(state.name(rolls[0].who)) if alone and rolls[0].who is not None else ""


def dice_of_each(roll: Roll) -> str:
    return f"× {roll.dice}" if len(roll.dice.sides) > 1 else str(roll.dice).removeprefix("1")


def dice_alike(rolls: Sequence[Roll]) -> bool:
    return len({roll.dice for roll in rolls}) == 1


def roll_word(roll: Roll) -> str:
    return roll.key.rpartition("/")[2].partition(":")[0].replace("_", " ")


def roll_purpose(state: State, roll: Roll) -> str:
    """Return what a die of a row is for, first what it must show."""
    why = clean(roll.why.removeprefix(roll_word(roll)).lstrip(":, "))
    why = why.removeprefix(clean(state.name(roll.who)) + " ") if roll.who is not None else why
    needed = minus(clean(roll.needed)).split(" · ") if roll.needed and numbers_shown(state) else []
    return " · ".join(filter(None, (*needed[-1:], why, *needed[:-1])))


def short_purpose(words: str) -> str:
    """Return what a die is for in fewer letters, its target whole: `DEX ≤16 → Goblin 1`."""
    for long, short in SHORT:
        words = long.sub(short, words)
    return words
