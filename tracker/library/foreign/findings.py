"""What is found in other programs' files."""

from __future__ import annotations

from typing import TypeAlias

from msgspec import Struct

from tracker.core.game.creatures import Creature

__all__ = ["Found", "Group", "Meeting", "Nothing", "Printed"]


class Group(Struct, frozen=True):
    """Some combatants of an encounter.

    Attributes:
        creature: what they are; without numbers of its own it is looked up by name.
        count: how many, a number or dice.
        name: what they are called here, "" for the creature's name.
        side: `foes`, `friends` or `players`.
        hidden: players do not see them.
    """

    creature: Creature
    count: str = "1"
    name: str = ""
    side: str = "foes"
    hidden: bool = False


class Meeting(Struct, frozen=True):
    """An encounter as a file has it."""

    name: str
    groups: tuple[Group, ...]
    notes: tuple[str, ...] = ()
    lost: tuple[str, ...] = ()


class Printed(Struct, frozen=True):
    """A text that is no file of a program: perhaps printed stat blocks."""

    text: str


class Nothing(Struct, frozen=True):
    """What cannot be read: which file or part, and why."""

    what: str
    why: str


Found: TypeAlias = Creature | Meeting | Printed | Nothing
