"""Dice of a row: their purpose, how they are typed, and the dice that players' phones have sent."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from itertools import islice
from typing import TYPE_CHECKING

from tracker.core.fight.settings import numbers_shown
from tracker.core.fight.state import State
from tracker.core.terms.requests import Roll
from tracker.core.terms.words import minus
from tracker.ui.typing.mode import ModeContext, ReplyTo, name_spans
from tracker.ui.typing.tokens import option_called
from tracker.views.words.spans import Row, Span, cells, join, spread, width_of
from tracker.views.words.text import clean

if TYPE_CHECKING:
    from tracker.ui.platform.phones import SubmittedRoll

PHONE, MISSING = "☎", "–"


def sent_for(scene: ModeContext, rolls: Sequence[Roll]) -> tuple[SubmittedRoll | None, ...]:
    """Return the dice that phones have sent for each roll of a row; () if there are none."""
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

    The typed words are for the dice that no phone has sent. If more words are typed, they replace the sent dice.
    `typed` splits the typed text into the words for each roll.
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
    """Tell whether the typed text has no more dice than are missing."""
    if not missing:
        return False
    normalized = "".join(" ".join(typed(missing, text)).split())
    return normalized == "".join(text.replace("*", "-").split())


def sent_line(
    scene: ModeContext, rolls: Sequence[Roll], sent: Sequence[SubmittedRoll | None], words: Sequence[str]
) -> tuple[Span, ...]:
    """Return the sent and typed dice of each roll of a row: `b 3 ☎ · i – · t 7 ☎`."""
    chips: list[tuple[Span, ...]] = []
    for place, (roll, roll_sent) in enumerate(zip(rolls, sent, strict=False)):
        one = scene.model.state.get(roll.who)
        name = one.label if one is not None else clean(scene.model.state.name(roll.key.rpartition(":")[2]))
        typed = roll_sent.text if roll_sent is not None else words[place] if place < len(words) else ""
        end = Span(f" {PHONE}" if roll_sent is not None else "", "dim")
        chips.append((Span(f"{name} ", "dim"), Span(typed or MISSING, "typed" if typed else "dim"), end))
    return tuple(join(chips, " · "))


def missing_words(scene: ModeContext, rolls: Sequence[Roll], sent: Sequence[SubmittedRoll | None]) -> str:
    """Return the names of the combatants without a sent die, "" if all are sent."""
    names = [
        clean(scene.model.state.name(roll.who or roll.key.rpartition(":")[2]))
        for roll, roll_sent in zip(rolls, sent, strict=False)
        if roll_sent is None
    ]
    return ", ".join(names)


SHORT = (
    (re.compile(r"^(?:on|at|against) (.+): (.+)$"), r"\2 → \1"),
    (re.compile(r"^(\d+(?: or (?:more|less))?) [^·]+( · .*)? · [^·]*\bvs [^·]+$"), r"\1\2"),
    (re.compile(r" · [^·]*\bvs [^·]+$"), ""),
    (re.compile(r"(\d+) or more(?: hits)?\b"), r"\1+"),
    (re.compile(r"(\d+) or less(?: hits)?\b"), r"≤\1"),
    (re.compile(r" · (?:attacks|of|on|at|against) "), " → "),
)
"""Shorter words for the purpose of a die: of a comparison only the needed number."""


def dice_row_title(rolls: Sequence[Roll], one_roller: str = "") -> tuple[Span, ...]:
    style = "players" if rolls[0].to == "player" else "gm"
    whose = Span(one_roller or ("Players" if rolls[0].to == "player" else "GM"), style)
    dice = f"{dice_of_each(rolls[0])} " if dice_alike(rolls) else ""
    many = f", {len(rolls)} {dice}in order"
    return (whose, Span(": roll for "), Span(clean(roll_word(rolls[0])), "strong"), Span(many))


def short_row_title(state: State, rolls: Sequence[Roll]) -> str:
    """Return which dice a row has in one short line: `Players: 3 d20 for attack`."""
    whose = one_roller(state, rolls) or ("Players" if rolls[0].to == "player" else "GM")
    dice = f"{len(rolls)} {dice_of_each(rolls[0])}" if len(rolls) > 1 else str(rolls[0].dice)
    return f"{whose}: {dice} for {clean(roll_word(rolls[0]))}"


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
    """Return the purpose of a die of a row, first the needed number."""
    why = clean(roll.why.removeprefix(roll_word(roll)).lstrip(":, "))
    why = why.removeprefix(clean(state.name(roll.who)) + " ") if roll.who is not None else why
    needed = minus(clean(roll.needed)).split(" · ") if roll.needed and numbers_shown(state) else []
    return " · ".join(filter(None, (*needed[-1:], why, *needed[:-1])))


def short_purpose(words: str) -> str:
    """Return the purpose of a die in fewer letters, with its whole target: `DEX ≤16 → Goblin 1`."""
    for long, short in SHORT:
        words = long.sub(short, words)
    return words


ROW_HINT = "one each · -: the program's · Enter: all its"
BLANKS = " · blanks only where it is unclear"
SHORT_ROW_HINT = "a digit each, 0 for 10 · -: the program's · Enter: all its"
LEFT = "-"
TEN = 10
LONGEST_FACE, MOST_DIGITS, MOST_DIGITS_BEHIND = 3, 60, 16
"""Digits of a number of dice, of a line of them, and of a line that may go on behind its row."""


def dice_row_hint(rolls: Sequence[Roll]) -> str:
    return SHORT_ROW_HINT if is_short(rolls) else ROW_HINT


def is_short(rolls: Sequence[Roll]) -> bool:
    return all(len(roll.dice.sides) == 1 and roll.dice.sides[0] <= TEN for roll in rolls)


def _split(rolls: Sequence[Roll], text: str) -> list[str]:
    """Return the typed words for each roll; digits that no die can show are several dice, if there is one way."""
    words = text.replace("*", LEFT).split()
    if len(words) == 1 and is_short(rolls):
        (word,) = words
        first = word.isdigit() and word[0] != "0" and int(word) <= rolls[0].dice.sides[0]
        return words if first or not all(letter.isdigit() or letter == LEFT for letter in word) else list(word)
    ways = packed(rolls, words)
    return list(ways[0]) if len(ways) == 1 else words


def packed(rolls: Sequence[Roll], words: Sequence[str]) -> tuple[tuple[str, ...], ...]:
    """Return the ways of reading words as one number for each roll, two of them at most.

    A word that its die can show is that number; the digits of another word are several numbers. () if no word is split.
    """
    if (
        not all(map(str.isdigit, words))
        or len("".join(words)) > MOST_DIGITS
        or not all(roll.total_ok for roll in rolls)
    ):
        return ()
    ways = tuple(islice(_unpacked(rolls, tuple(words)), 2))
    return () if ways == (tuple(words),) else ways


def _unpacked(rolls: Sequence[Roll], words: tuple[str, ...]) -> Iterator[tuple[str, ...]]:
    if not rolls or not words:
        yield from () if rolls or words else ((),)
    elif can_show(rolls[0], words[0]):
        yield from ((words[0], *more) for more in _unpacked(rolls[1:], words[1:]))
    else:
        for many in range(2, len(rolls) + 1):
            for way in _ways(rolls[:many], words[0]):
                yield from ((*way, *more) for more in _unpacked(rolls[many:], words[1:]))


def _ways(rolls: Sequence[Roll], run: str) -> Iterator[tuple[str, ...]]:
    return (words for words, rest in _beginnings(rolls, run) if not rest)


def _beginnings(rolls: Sequence[Roll], run: str) -> Iterator[tuple[tuple[str, ...], str]]:
    """Yield each way of reading one number for each roll, with the digits that are left."""
    if not rolls:
        yield (), run
        return
    for cut in range(1, min(LONGEST_FACE, len(run)) + 1):
        if can_show(rolls[0], run[:cut]):
            yield from (((run[:cut], *more), rest) for more, rest in _beginnings(rolls[1:], run[cut:]))


def with_dice_behind(scene: ModeContext, row: Sequence[Roll], text: str) -> tuple[tuple[Roll, ...], str]:
    """Return a row with the dice that follow from its typed numbers, and the typed text with blanks between them.

    Without following dice both are unchanged. Raises ValueError if the digits can be read in more than one way.
    """
    nothing, words = (tuple(row), text), text.split()
    if not words or scene.following is None or is_short(row) or not all(roll.total_ok for roll in row):
        return nothing
    heads = [(tuple(words[: len(row)]), words[len(row) :])] if len(words) >= len(row) else []
    if words[0].isdigit() and len(words[0]) <= MOST_DIGITS_BEHIND and not can_show(row[0], words[0]):
        rests = [(way, [*([rest] if rest else []), *words[1:]]) for way, rest in _beginnings(row, words[0])]
        heads = [head for head in rests if len(head[1]) == len(words) - 1] or rests
    found: list[tuple[tuple[Roll, ...], str]] = []
    for head, tail in heads:
        try:
            behind = scene.following.behind(read_dice_row(scene, row, " ".join(head)))
        except ValueError:
            continue
        if len(tail) == 1 and behind and not can_show(behind[0], tail[0]):
            found += [((*row, *behind), " ".join((*head, *way))) for way in _ways(behind, tail[0])]
        elif len(tail) <= len(behind) and all(map(can_show, behind, tail)):
            found.append(((*row, *behind), " ".join((*head, *tail))))
    if len(found) > 1 and any(len(rolls) > len(row) for rolls, _ in found):
        raise ValueError(f"{found[0][1]}, or {found[1][1]}? type blanks between")
    return found[0] if found and len(found[0][0]) > len(row) else nothing


def can_show(roll: Roll, word: str) -> bool:
    """Tell whether a roll can be this number; only a d100 may have a zero in front."""
    if not word.isdigit() or (word[0] == "0" and not (roll.dice.sides == (100,) and len(word) == 2)):
        return False
    return roll.dice.minimum <= int(word) <= roll.dice.maximum or (word == "00" and roll.dice.sides == (100,))


def dice_rows(scene: ModeContext, rolls: Sequence[Roll], text: str, width: int) -> tuple[Row, ...]:
    """Return a row for each die: combatant, purpose and typed number, in short words if the long ones do not fit."""
    typed, alone = row_words(rolls, text), bool(one_roller(scene.model.state, rolls))
    dice = [Span("" if dice_alike(rolls) else f"{roll.dice} ", "dim") for roll in rolls]
    names = [
        () if alone else name_spans(scene, roll.who) if roll.who is not None else (Span(clean(roll.why)),)
        for roll in rolls
    ]
    purposes = [roll_purpose(scene.model.state, roll) for roll in rolls]
    fits = all(
        width_of((*name, die)) + cells(words) + 4 <= width
        for name, die, words in zip(names, dice, purposes, strict=True)
    )
    rows = []
    for place, (name, die, words) in enumerate(zip(names, dice, purposes, strict=True)):
        here = place == min(len(typed), len(rolls) - 1)
        end = (Span(typed[place], "typed"),) if place < len(typed) else ()
        head = (Span("▸ " if here else "  ", "title"), *name, Span("  " if name else ""), die)
        why = Span(words if fits else short_purpose(words), "dim")
        rows.append(Row(f"roll:{place}", spread((*head, why), end, width), "current" if here else ""))
    return tuple(rows)


def row_words(rolls: Sequence[Roll], text: str) -> list[str]:
    left, found = _split(rolls, text), []
    for roll in rolls:
        many = 1 if roll.total_ok or not left or left[0] == LEFT else len(roll.dice.sides)
        if left:
            found.append(" ".join(left[:many]))
            left = left[many:]
    return found


def wrong_so_far(scene: ModeContext, rolls: Sequence[Roll], text: str) -> str:
    """Return what is wrong with the numbers for a row, "" if nothing is, or only one is typed."""
    if len(text.split()) < 2 or not all(roll.total_ok for roll in rolls):
        return ""
    try:
        read_dice_row(scene, rolls, text)
    except ValueError as error:
        return str(error)
    return ""


def read_dice_row(scene: ModeContext, rolls: Sequence[Roll], text: str) -> tuple[ReplyTo, ...]:
    """Return the typed answers for dice in a row, None for the program's; raises ValueError for impossible dice."""
    if not text.strip():
        return tuple(ReplyTo(roll.key, None) for roll in rolls)
    ways = packed(rolls, text.split()) if not is_short(rolls) else ()
    if len(ways) > 1:
        raise ValueError(f"{' '.join(ways[0])}, or {' '.join(ways[1])}? type blanks between")
    left = tuple(_split(rolls, text))
    if len(left) > len(rolls) and len(text.split()) == 1:
        raise ValueError(f"{len(left)} digits are too many for {len(rolls)} dice")
    found: list[ReplyTo] = []
    for roll in rolls:
        if not left:
            return tuple(found)
        many, answer = 1, None
        if left[0] != LEFT:
            try:
                answer, many = roll.from_words(left, option_called)
            except ValueError as error:
                who = f"{clean(scene.model.state.name(roll.who))}: " if roll.who is not None else ""
                raise ValueError(f"{who}{error}") from error
        found.append(ReplyTo(roll.key, answer))
        left = left[many:]
    if left:
        raise ValueError(f"{len(rolls)} are asked for: {' '.join(left)} is too much")
    return tuple(found)
