"""Requests for a roll of dice."""

from __future__ import annotations

import re
from typing import ClassVar

from tracker.core.terms.dice import Dice
from tracker.core.terms.errors import impossible
from tracker.core.terms.requests.answers import Answer, DiceAnswer, Name
from tracker.core.terms.requests.kind import (
    ActionReader,
    Asked,
    Kind,
    OptionFinder,
    OptionReader,
    Plain,
    RandInt,
    about,
    document,
)
from tracker.core.terms.words import last_part

NOUGHT = (10, 100)
"""Sides of dice whose highest face is written with noughts."""
_TYPED = re.compile(r"[\d\s,+]+")
_NUMBER = re.compile(r"\d+")


class Roll(Kind, frozen=True, tag=True):
    """A request for natural dice.

    Attributes:
        key: unique within the step, a path.
        dice: the dice without a fixed number; the rules add every modifier.
        who: the combatant concerned.
        to: whether the GM or a player rolls them.
        why: the purpose in a few words.
        faces: each face is needed, the total is not enough.
        secret: players do not see the result.
        setup: dice of the set-up (counts, hit points), which the program rolls unless the GM decides otherwise.
        needed: the modifier and the number to reach, for the GM ("+6 vs AC 12 · 6 or more hits").
    """

    kind: ClassVar[str] = "roll"
    numeric: ClassVar[bool] = True

    key: str
    dice: Dice
    who: str | None = None
    to: Asked = "gm"
    why: str = ""
    faces: bool = False
    secret: bool = False
    setup: bool = False
    needed: str = ""

    @property
    def total_ok(self) -> bool:
        """Whether a total is enough."""
        return not self.faces or len(self.dice.sides) == 1

    @property
    def can_auto_answer(self) -> bool:
        """True: the program has dice."""
        return True

    def problem(self, answer: Answer) -> str | None:
        """Return why an answer is not possible, in one line, or None."""
        if not isinstance(answer, DiceAnswer):
            return "a roll is asked for"
        sides = self.dice.sides
        if answer.faces:
            if len(answer.faces) != len(sides):
                return f"{self.dice} has {len(sides)} {'die' if len(sides) == 1 else 'dice'}, not {len(answer.faces)}"
            for face, most in zip(answer.faces, sides, strict=True):
                if not 1 <= face <= most:
                    return f"{face} is not on a d{most}"
            if answer.total != sum(answer.faces):
                return f"the faces add up to {sum(answer.faces)}, not {answer.total}"
            return None
        if not self.total_ok:
            return f"{self.dice}: type each face, the total is not enough"
        if not self.dice.minimum <= answer.total <= self.dice.maximum:
            return f"{answer.total} is not possible on {self.dice}"
        return None

    @property
    def defect(self) -> str:
        """Impossible dice."""
        sides = self.dice.sides
        return "" if sides and min(sides) >= 1 else f'asks for impossible dice: "{self.dice}"'

    def sample(self, pick: RandInt) -> Answer | None:
        """Return a face for each die."""
        faces = tuple(pick(1, sides) for sides in self.dice.sides)
        return DiceAnswer(sum(faces), faces)

    def to_dict(self) -> Plain:
        """Return the dice in plain values."""
        return document(self, {"dice": str(self.dice)}, None, total_ok=self.total_ok)

    @property
    def expected(self) -> str:
        """The dice."""
        return str(self.dice)

    @property
    def brief(self) -> str:
        """The dice and their purpose."""
        return f"{self.dice} {self.why or self.key}"

    def aim(self, whose: str = "") -> str:
        """Return what the dice are rolled for: `for damage`, `to stabilise Dobb`, `against shove`."""
        words = f"{whose}{self.why}"
        return words if words.startswith(("to ", "against ")) else f"for {words}"

    def question(self, name: Name) -> tuple[str, str]:
        """Return which dice to roll, and what for."""
        dice, whose = str(self.dice), about(self, name)
        purpose = f" {self.aim(whose)}" if self.why else f" ({whose}{last_part(self.key)})"
        return f"roll {dice[1:] if dice in ('1d20', '1d100') else dice}", purpose

    @property
    def hint(self) -> str:
        """How to type dice."""
        several = "type each face" if self.faces else "type a total or the faces"
        how = several if len(self.dice.sides) > 1 else "type the die"
        return f"{how} · Enter: the program rolls · *: the rest too"

    def read(self, value: object, acts: ActionReader) -> Answer | None:
        """Return a total, or a list of faces, as dice; Refused for a total if each face is needed."""
        if isinstance(value, int) and not isinstance(value, bool) and not self.total_ok:
            text = f"{self.dice}: each face is needed, as a list; {value} is a total"
            raise impossible("bad_answer", text, at=self.key)
        sides = self.dice.sides
        if isinstance(value, tuple):
            faces = tuple(part for part in value if isinstance(part, int) and not isinstance(part, bool))
            if not faces or len(faces) != len(value):
                return None
            read = _faces(faces, sides)
            return DiceAnswer(sum(read), read, typed=True)
        if not isinstance(value, int) or isinstance(value, bool):
            return None
        if len(sides) == 1:
            (face,) = _faces((value,), sides)
            return DiceAnswer(face, (face,), typed=True)
        return DiceAnswer(value, typed=True)

    def accepts_prefix(self, text: str) -> bool:
        """Tell whether the text has a digit."""
        return any(map(str.isdigit, text))

    def typed(self, text: str, names: OptionReader) -> Answer | None:
        """Return typed dice, None for an empty text; raises ValueError if they are impossible."""
        return self.dice_typed(text) if text else None

    def dice_typed(self, text: str) -> DiceAnswer:
        """Return typed dice: the faces, one number for each die, or the total.

        Raises:
            ValueError: the numbers are impossible.
        """
        if not _TYPED.fullmatch(text):
            raise ValueError("dice are numbers: a total, or the faces with blanks between")
        sides = self.dice.sides
        numbers = _faces(tuple(int(number) for number in _NUMBER.findall(text)), sides)
        if len(numbers) == len(sides):
            answer = DiceAnswer(sum(numbers), numbers, typed=True)
        elif len(numbers) == 1:
            answer = DiceAnswer(numbers[0], typed=True)
        else:
            many = f"{len(sides)} dice: type their total or {len(sides)} faces"
            raise ValueError(f"{self.dice} is {'one die: type its face' if len(sides) == 1 else many}")
        if problem := self.problem(answer):
            raise ValueError(problem)
        return answer

    def from_words(self, words: tuple[str, ...], find: OptionFinder) -> tuple[Answer | None, int]:
        """Return dice from one word, or from one word for each die if every face is needed.

        Raises:
            ValueError: the numbers are impossible.
        """
        count = len(self.dice.sides)
        faces = words[:count]
        many = count if not self.total_ok and len(faces) == count and all(face.isdigit() for face in faces) else 1
        return self.dice_typed(" ".join(words[:many])), many


def _faces(numbers: tuple[int, ...], sides: tuple[int, ...]) -> tuple[int, ...]:
    """Return the faces that numbers on dice mean: 0 is a ten, 00 a hundred."""
    if len(numbers) != len(sides):
        return numbers
    return tuple(die if number == 0 and die in NOUGHT else number for number, die in zip(numbers, sides, strict=True))
