"""The answers to requests, as journals store them."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

from msgspec import Struct

from tracker.core.terms.actions import Action

Name: TypeAlias = Callable[[str | None], str]
"""Returns the name of a combatant or an option; None is the GM."""


class Given(Struct, frozen=True):
    """The base of all answers: the options it names, and its words."""

    @property
    def keys(self) -> tuple[str, ...]:
        """The options it names, if any."""
        return ()

    def words(self, name: Name) -> tuple[str, ...]:
        """Return the answer in words."""
        raise NotImplementedError


class DiceAnswer(Given, frozen=True, tag=True):
    """Rolled dice.

    Attributes:
        total: what they add up to.
        faces: each face in written order; empty: only the total is known.
        typed: a person rolled them.
        amended: they replace an earlier answer.
    """

    total: int
    faces: tuple[int, ...] = ()
    typed: bool = False
    amended: bool = False

    def words(self, name: Name) -> tuple[str, ...]:
        """Return the total, and the faces of several dice."""
        return (f"{self.total} ({' '.join(map(str, self.faces))})" if len(self.faces) > 1 else str(self.total),)


class ChoiceAnswer(Given, frozen=True, tag=True):
    """The chosen option's key."""

    option: str

    @property
    def keys(self) -> tuple[str, ...]:
        """The option."""
        return (self.option,)

    def words(self, name: Name) -> tuple[str, ...]:
        """Return the option's name."""
        return (name(self.option),)


class PickAnswer(Given, frozen=True, tag=True):
    """The picked options' keys."""

    options: tuple[str, ...]

    @property
    def keys(self) -> tuple[str, ...]:
        """The options."""
        return self.options

    def words(self, name: Name) -> tuple[str, ...]:
        """Return the options' names."""
        return tuple(map(name, self.options))


class NumberAnswer(Given, frozen=True, tag=True):
    """A number."""

    value: int

    def words(self, name: Name) -> tuple[str, ...]:
        """Return the number."""
        return (str(self.value),)


class Passed(Given, frozen=True, tag=True):
    """No combatant interrupts."""

    def words(self, name: Name) -> tuple[str, ...]:
        """Return that nobody interrupts."""
        return ("nobody",)


class Responded(Given, frozen=True, tag=True):
    """One or several actions that interrupt; `together`: all are checked on the state before the first."""

    actions: tuple[Action, ...]
    together: bool = False

    def words(self, name: Name) -> tuple[str, ...]:
        """Return each action with its actor, by its title if `name` knows it."""
        return tuple(f"{name(action.by)}: {name(_plain(action.key)).replace('_', ' ')}" for action in self.actions)


Answer: TypeAlias = DiceAnswer | ChoiceAnswer | PickAnswer | NumberAnswer | Passed | Responded


def _plain(key: str) -> str:
    return key.rpartition("/")[2].partition(":")[0]
