"""Rows of the journal, with their texts unparsed."""

from __future__ import annotations

from typing import Literal, TypeAlias

from msgspec import Struct

RedoChange: TypeAlias = Literal["keep", "clear", "push", "pop", "restore"]


class StepRow(Struct, frozen=True, array_like=True):
    """A step as it is stored; its fields are the journal's columns, in their order.

    Attributes:
        seq: its number in the fight, over all branches.
        parent: the step it follows; None for the first.
        at: when it was done, in ISO form.
        reached: the slot an advance reached, or "".
        step, answers, entries: the step, its answers and its events, as JSON.
        back: the position that `Undo` leads to; None: that after the parent.
    """

    seq: int
    parent: int | None
    at: str
    reached: str
    step: bytes
    answers: bytes
    entries: bytes
    back: bytes | None = None

    @property
    def texts(self) -> tuple[bytes, bytes, bytes]:
        """The step without its place in the tree."""
        return self.step, self.answers, self.entries


class PlayerViewRow(Struct, frozen=True):
    """The players' view as it is stored: two texts, since the table may change without the view.

    Attributes:
        salt: salt of the opaque ids of this fight.
        view: the fight as players see it; None: none could be made.
        table: what the GM does and which dice players are asked for; None: the view's own.
    """

    salt: str = ""
    view: bytes | None = None
    table: bytes | None = None


class FightSummary(Struct, frozen=True):
    """A fight in the list of fights.

    Attributes:
        up: the acting combatant or slot; of a fight that is over its outcome.
        at: when it was last played.
        pending: the pending question, in words.
        discarded: when it was put away; None: it was not.
        trying: a what-if is open; all other fields are of the real fight.
    """

    id: str
    title: str
    ruleset: str
    round: int
    up: str
    at: str
    steps: int
    over: bool
    pending: str
    created: str
    discarded: str | None
    trying: bool = False


class NewFight(Struct, frozen=True):
    """A new fight without its steps."""

    title: str
    ruleset: str
    version: int
    encounter: bytes
    source: str = ""
    created: str = ""


class Head(Struct, frozen=True):
    """The position of a fight; `draft` is its pending step, `sandbox` the open what-if."""

    seq: int | None
    at: str
    round: int = 0
    up: str = ""
    steps: int = 0
    over: bool = False
    pending: str = ""
    draft: bytes | None = None
    sandbox: bytes | None = None


class Commit(Struct, frozen=True):
    """All changes of one intent, written together or not at all.

    Attributes:
        redo: the change of the positions that `Redo` leads to: `pushed` is added, or `restored` replaces them.
        names: of branches, by a step on each; "" takes a name away.
        shown: the players' view; None: it stays as it is.
    """

    head: Head
    steps: tuple[StepRow, ...] = ()
    redo: RedoChange = "keep"
    pushed: bytes = b""
    restored: tuple[bytes, ...] = ()
    names: tuple[tuple[int, str], ...] = ()
    shown: PlayerViewRow | None = None


class Stored(Struct, frozen=True):
    """A fight as the journal has it."""

    number: int
    id: str
    fight: NewFight
    head: Head
    steps: tuple[StepRow, ...]
    redo: tuple[bytes, ...]
    names: tuple[tuple[int, str], ...] = ()
    shown: PlayerViewRow | None = None
