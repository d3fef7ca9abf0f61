"""What GitHack stores in effects and facts beside numbers and words."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

from tracker.core.fight.slots import Id
from tracker.core.terms.values import Data


class Ward(Struct, Data, frozen=True, tag="gh_ward"):
    """Whom or what a defender guards: a PC's id or a place (GH-209)."""

    who: str


class Grip(Struct, Data, frozen=True, tag="gh_grip"):
    """What an effect of a special does round by round (GH-073, GH-074).

    Whether its monster hits by itself while it lasts, and how much AC it destroys at each round's start.
    """

    continuing: bool = False
    destroys_ac: int = 0


class Delayed(Struct, Data, frozen=True, tag="gh_delayed"):
    """A rider that waits for the end of the fight (A28).

    Attributes:
        who: on whom.
        special: its name.
        save: the ability that saves, "" for none.
        boxes: those that its attack marked.
        worsen: they get one step worse; `deep`: they become stars.
        effect: what is put on the target, "" for nothing; `source`: whose special it is.
        edge: Advantage or Disadvantage on the save.
        asked: the abilities on offer, where the form asks for one.
    """

    who: Id
    special: str
    save: str
    boxes: tuple[int, ...]
    worsen: bool = True
    deep: bool = False
    effect: str = ""
    source: Id = ""
    edge: Literal["none", "advantage", "disadvantage"] = "none"
    asked: tuple[str, ...] = ()
