"""A game master who sees the screen and presses what its Action pane says."""

from __future__ import annotations

import re
from collections import Counter
from random import Random

from tests.evenings.screen import people, seen

__all__ = ["ROLL", "GameMaster", "Lost"]

DICE = re.compile(r"roll (\d*d\d+(?: ?\+ ?\d*d\d+)*)")
ROLL = re.compile(r"\broll (\d*d\d|for )")
TERM = re.compile(r"(\d*)d(\d+)")
ATTACK = "for attack"
IN_ORDER = "in order"
"""One prompt for the dice of several: a total for each."""
COUNT = re.compile(r"(\d+) (?:× )?(?:\d*d\d+ )?in order")
OF_ONE = re.compile(r"(\d+) (?:× )?(\d*d\d+) in order")
"""The same dice several times."""
ASKED = re.compile(r": (?:(\d+) (?:× )?)?(\d*d\d+) for ")
"""The dice that a sheet asks for first, which may be typed there."""
DIGITS = "a digit each"
FOLLOWING = re.compile(r"behind these: ([\dd, +]+)")
"""The dice that follow those of a row."""
NEEDED = re.compile(r"(\d+) or (less|more)\b")
BEHIND = re.compile(r"(\d*d\d+) behind it")
"""The dice that follow if these hit."""
ENDS = re.compile(r"▸ 1 [^?]*end the fight\?")
BY_N = re.compile(r"· n (?!end the turn)[a-z]")
"""`n` does what is due: an act declared before, a declaration, the close of declarations."""
SEVERAL = re.compile(r"A all|\+ ?\d+ ")
"""Several can act: on one sheet."""
IDLE = re.compile(r"([\w ]+): nothing planned")
ROUND = re.compile(r"Round \d+")
NEXT_SHEET = re.compile(r"acted .*A all")
TRIES, PATIENCE = 2, 3
"""How often a combatant tries its usual action in one turn, and how often a screen may stay as it is."""


class Lost(AssertionError):
    """The screen does not say how to go on."""


def most(dice: str) -> int:
    """Return the highest total of dice."""
    return sum(int(count or 1) * int(sides) for count, sides in TERM.findall(dice))


def readings(run: str, dice: list[str]) -> int:
    """Return in how many ways digits without blanks are one total for each of some dice."""
    if not dice:
        return int(not run)
    least = sum(int(count or 1) for count, _ in TERM.findall(dice[0]))
    cuts = (cut for cut in (1, 2, 3) if cut <= len(run) and run[0] != "0")
    return sum(readings(run[cut:], dice[1:]) for cut in cuts if least <= int(run[:cut]) <= most(dice[0]))


class GameMaster:
    """Types the players' dice, and plays each side from its sheet; of everything else it takes what is offered."""

    def __init__(self, heroes: frozenset[str], seed: int) -> None:
        self._heroes, self._chance = heroes, Random(seed)
        self._tries: Counter[str] = Counter()
        self._idle: set[tuple[str, str]] = set()
        self._round, self._listed = "", 0
        self._moment, self._sheet, self._last, self._same = "", False, ("", ""), 0

    def keys(self, lines: list[str]) -> str:
        """Return what to press on this screen."""
        title, rows = seen(lines)
        text = " ".join(rows)
        moment = re.sub(r"(?<=turn): .*| · \d+:\d\d.*", "", lines[0]).strip()
        self._same = self._same + 1 if (moment, title + text) == self._last else 0
        if self._same > PATIENCE:
            raise Lost("\n".join(lines))
        if moment != self._moment:
            self._moment, self._sheet, self._tries = moment, False, Counter()
        self._last = (moment, title + text)
        self._round = "".join(ROUND.findall(moment)[:1])
        match title:
            case "Question":
                return self._answer(text, rows)
            case "Action":
                return self._act(" ".join(rows[:2]), lines)
            case "Sheet" | "Acts":
                return self._play(rows)
            case "Before going on":
                return "⏎" if ENDS.search(text) else "n"
            case _:
                return "⎋"

    def _answer(self, text: str, rows: list[str]) -> str:
        dice = DICE.search(text)
        if IN_ORDER in text:
            return self._in_order(text, rows)
        if dice is not None and not text.startswith("GM"):
            return f"{self._alone(text, dice[1])}⏎"
        return "y⏎" if "End the fight?" in text and "Enter: yes" not in text else "⏎"

    def _in_order(self, text: str, rows: list[str]) -> str:
        """Return the dice of a row; where its list has no room for all of them, the rest once they are listed."""
        if not any(row.startswith("> ") for row in rows):
            self._listed = 0
        elif self._listed == int(COUNT.findall(text)[0]):
            return self._following(text)
        here = next((place for place, row in enumerate(rows) if row.startswith("▸ ")), 0)
        of_each = [found[0] for row in rows[here:] if (found := TERM.search(row)) is not None]
        if (alike := OF_ONE.search(text)) is not None:
            of_each = [alike[2]] * int(alike[1])
        self._listed += len(of_each)
        if DIGITS in text:
            whole = self._listed == int(COUNT.findall(text)[0])
            return "".join(self._roll(dice, each=False)[-1] for dice in of_each) + ("⏎" if whole else "")
        return self._row(of_each) + ("" if ATTACK in text else "⏎")

    def _following(self, text: str) -> str:
        """Return the dice behind those of a row that has been typed."""
        following = FOLLOWING.search(text)
        if following is None:
            return "⏎"
        behind = re.findall(r"\d*d\d+", following[1])
        return f" {self._row(behind)}⏎"

    def _alone(self, text: str, dice: str) -> str:
        """Return a player's dice, with those for damage where they hit and the prompt says which follow."""
        needed, behind = NEEDED.search(text), BEHIND.search(text)
        first = self._roll(dice, "type each face" in text)
        if needed is None or behind is None or not first.isdigit():
            return first
        damage = behind[1]
        hits = int(first) <= int(needed[1]) if needed[2] == "less" else int(first) >= int(needed[1])
        if not hits:
            return first
        second = self._roll(damage, each=False)
        run = first + second
        clear = int(run) > most(dice) and readings(run, [dice, damage]) == 1
        return run if clear else f"{first} {second}"

    def _play(self, rows: list[str]) -> str:
        """Take a sheet as it stands, and remember who has nothing planned."""
        idle = [labels for row in rows if (labels := IDLE.match(row)) is not None]
        self._idle.update((self._round, label) for labels in idle for label in labels[1].split())
        if (asked := ASKED.search(rows[-1])) is None:
            return "⎋" if len(rows) - 1 == len(idle) else "⏎"
        return f"{self._row([asked[2]] * int(asked[1] or 1))}⏎"

    def _row(self, of_each: list[str]) -> str:
        """Return the dice of a row, without blanks where they can be read in one way."""
        fallen = [self._roll(dice, each=False) for dice in of_each]
        run = "".join(fallen)
        return run if int(run) > most(of_each[0]) and readings(run, of_each) == 1 else " ".join(fallen)

    def _roll(self, dice: str, each: bool) -> str:
        faces = [
            self._chance.randint(1, int(sides)) for count, sides in TERM.findall(dice) for _ in range(int(count or 1))
        ]
        return " ".join(map(str, faces)) if each else str(sum(faces))

    def _act(self, first: str, lines: list[str]) -> str:
        """Act with a hero or with all of a side, or go on."""
        if NEXT_SHEET.search(first):
            return "A"
        if SEVERAL.search(first) and not self._sheet and (self._round, first.split(" ", 1)[0]) not in self._idle:
            self._sheet = True
            return "A"
        if BY_N.search(first):
            return "n"
        label = first.split(" ", 1)[0]
        if "a act" in first and label in people(lines) and (self._round, label) not in self._idle:
            self._tries[label] += 1
            if self._tries[label] <= TRIES:
                return "a⏎"
        return "n"
