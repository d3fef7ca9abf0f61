"""Dice of a row that players' phones have sent, together with what the GM types for the others."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from tracker.core.terms.requests import Roll
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
