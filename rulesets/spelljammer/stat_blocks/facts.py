"""What the percentile game stores in facts, slots and effects."""

from __future__ import annotations

from typing import ClassVar, Literal

from msgspec import Struct

from tracker.core.fight.slots import Id
from tracker.core.terms.values import Data


class DeclaredAttack(Struct, frozen=True):
    """One declared attack.

    `meant`: at a friend or a fallen one on purpose, so that no other target is asked for.
    """

    weapon: str
    target: Id
    offhand: bool = False
    double_shots: bool = False
    meant: bool = False


class Declaration(Struct, Data, frozen=True, tag="sj_declaration"):
    """What a combatant does in this round (SJ-003): one main, one movement mode, extras.

    `distance` None is the whole allowance; `target` is the one a spell is meant for.
    """

    main: str = "nothing"
    blows: tuple[DeclaredAttack, ...] = ()
    spell: str = ""
    target: Id = ""
    weapon: str = ""
    movement: str = "free"
    distance: float | None = None
    withdraw: bool = False
    defend: int = 0
    careful_aim: bool = False
    draw: bool = False
    sheath: bool = False
    ready_shield: bool = False
    potion: Literal["none", "attacks", "movement"] = "none"
    free_actions: int = 0
    text: str = ""


class Act(Struct, Data, frozen=True, tag="sj_act"):
    """What a slot holds: an attack, the beginning of a spell, another act."""

    kind: Literal["attack", "spell", "other"]
    place: int = 1
    blow: DeclaredAttack | None = None
    spell: str = ""
    target: Id = ""
    text: str = ""


class Casting(Struct, Data, frozen=True, tag="sj_casting"):
    """A spell under way, the segment on which it goes off, and whom it is meant for."""

    seen_as: ClassVar[str | None] = "casting"
    spell: str
    due: int
    target: Id = ""


class Waiting(Struct, Data, frozen=True, tag="sj_waiting"):
    """A spell that could not go off, and begins on 10 next round (SJ-030)."""

    seen_as: ClassVar[str | None] = ""
    spell: str


class Parry(Struct, Data, frozen=True, tag="sj_parry"):
    """A declared defence: what it adds to DEF, and the SC given up for it."""

    bonus: int
    sacrifice: int = 0
