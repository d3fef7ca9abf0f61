"""Rows: what goes into the journal and comes out of it, still as text."""

from __future__ import annotations

from typing import Literal, TypeAlias

from msgspec import Struct

RedoChange: TypeAlias = Literal["keep", "clear", "push", "pop", "restore"]


class StepRow(Struct, frozen=True, array_like=True):
    """A step as it is stored.

    Its fields are the journal's columns, in their order.

    Attributes:
        seq: its number in the fight, over all branches.
        parent: the step it follows; None for the first.
        at: when it was done, in ISO form.
        reached: the slot an advance reached, or "".
        step, answers, entries: what was asked for, what was answered, what happened, as JSON.
        back: where `Undo` leads; None: to the parent.
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
        """What the step is, without its place in the tree."""
        return self.step, self.answers, self.entries


class PlayerViewRow(Struct, frozen=True):
    """The players' view as it is stored: two texts, since what is asked at the table changes alone.

    Attributes:
        salt: what the ids of this fight are made with.
        view: the fight as players see it; None: none could be made.
        table: what the GM does and which die a player is asked for; None: what the view has.
    """

    salt: str = ""
    view: bytes | None = None
    table: bytes | None = None


class FightSummary(Struct, frozen=True):
    """A fight in the list: its time and who is up, or its outcome if it is over.

    `pending` names what is asked, `discarded` when it was put away.

    `trying`: a what-if is open; everything else tells of the fight as it stood when that began.
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
    """What a fight is made of before its first step."""

    title: str
    ruleset: str
    version: int
    encounter: bytes
    source: str = ""
    created: str = ""


class Head(Struct, frozen=True):
    """Where a fight is; `sandbox`: the open what-if."""

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
    """All that one intent changes, written together or not at all.

    `restored` is what `Redo` leads to, where `redo` says so; an empty name takes one away; `shown` is the players'
    view, None if it stays as it is.
    """

    head: Head
    steps: tuple[StepRow, ...] = ()
    redo: RedoChange = "keep"
    pushed: bytes = b""
    restored: tuple[bytes, ...] = ()
    names: tuple[tuple[int, str], ...] = ()
    shown: PlayerViewRow | None = None


class Stored(Struct, frozen=True):
    """A fight as it was read."""

    number: int
    id: str
    fight: NewFight
    head: Head
    steps: tuple[StepRow, ...]
    redo: tuple[bytes, ...]
    names: tuple[tuple[int, str], ...] = ()
    shown: PlayerViewRow | None = None
