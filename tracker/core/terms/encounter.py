"""A prepared fight, read from files and complete in itself.

What the first step of a journal opens.
"""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import UNSET, Meta, Struct, UnsetType

from tracker.core.terms.dice import Dice
from tracker.core.terms.effects import Effect
from tracker.core.terms.values import Data, Value


class Condition(Struct, frozen=True):
    """What a newcomer has of an earlier fight, on top of a fresh stat block.

    Attributes:
        pools: what is left of them, by key.
        status: a key of the ruleset's statuses; "": the one it joins with.
        facts: the ruleset's facts about it.
        effects: what still holds; bearer and number are given when it joins.
    """

    pools: tuple[tuple[str, int], ...] = ()
    status: str = ""
    facts: tuple[tuple[str, Value], ...] = ()
    effects: tuple[Effect, ...] = ()


class Member(Struct, Data, frozen=True, tag=True):
    """Combatants to enlist from one stat block.

    Attributes:
        block: the stat block, with everything overridden in place.
        name: what to call them; numbered when there are several.
        kind: `pc` or `monster`, or another kind of the ruleset's.
        count: how many; dice are rolled when they join.
        data: the ruleset's own keys of a member (a place on the map), or None.
        id: the id to use, if the file names one.
        ref: the stat block's id in its file, for inserting more of the same.
        condition: what it brings along from an earlier fight; None: nothing, it is as its stat block says.
        notes: the file's notes on it, where its stat block has no place for them; in journals only if there are any.
        hidden: players do not see them until they are revealed.
        public: what players read as their name until they are named.
    """

    block: Data
    name: str
    kind: str
    count: Dice = Dice(plus=1)
    data: Data | None = None
    id: str = ""
    ref: str = ""
    condition: Condition | None = None
    notes: str | UnsetType = UNSET
    hidden: bool | UnsetType = UNSET
    public: str | UnsetType = UNSET


class SideSetup(Struct, frozen=True):
    """A side of the encounter.

    Attributes:
        data: the ruleset's own keys of a side.
        public: what players read as its name.
        health: whether players read how its combatants are.
        dice: who rolls its dice: the program, or those who are asked.
    """

    id: str
    name: str
    control: Literal["players", "gm"]
    members: tuple[Member, ...] = ()
    data: Data | None = None
    public: str | UnsetType = UNSET
    health: bool | UnsetType = UNSET
    dice: Literal["program", "asked"] | UnsetType = UNSET


class ScreenSetup(Struct, frozen=True):
    """What players see of a fight, as far as the file says."""

    title: Annotated[str, Meta(description="what players read as the title")] = ""
    points: Annotated[bool, Meta(description="`false`: no hit points of their own characters")] = True
    map: Annotated[bool, Meta(description="`false`: no map")] = True
    unseen: Annotated[
        Literal["reveal", "name"],
        Meta(description="a hidden combatant that attacks is revealed, or acts as an unseen foe"),
    ] = "reveal"


class MapSetup(Struct, frozen=True):
    """What fog keeps of the map from the players when a fight opens.

    Attributes:
        fog: all of it; all but what the party sees; or these squares.
        sees: how far the party sees, in the game's unit; 0: as far as it usually does.
        squares: the squares, as stretches: row, first and last column.
    """

    fog: Literal["all", "party", "squares"]
    sees: int = 0
    squares: tuple[tuple[int, int, int], ...] = ()


class Wave(Struct, Data, frozen=True, tag=True):
    """Combatants who come later.

    `when` is "round 3" or "end of round 2"; empty: by hand. `hidden`: players do not see them come.
    """

    side: str
    members: tuple[Member, ...]
    when: str = ""
    title: str = ""
    hidden: bool | UnsetType = UNSET


class TimedNote(Struct, frozen=True):
    """A reminder for the GM, at "start of round 2", "end of round 3", or always if `when` is empty."""

    text: str
    when: str = ""


class Encounter(Struct, frozen=True):
    """A fight ready to be opened.

    `handout` is the file name of a picture that players see, beside the encounter's file. `clock`: the header says how
    long each turn has lasted.
    """

    ruleset: str
    title: str
    sides: tuple[SideSetup, ...]
    house_rules: Data | None = None
    setup: Data | None = None
    waves: tuple[Wave, ...] = ()
    reminders: tuple[TimedNote, ...] = ()
    notes: str = ""
    screen: ScreenSetup | UnsetType = UNSET
    map: MapSetup | UnsetType = UNSET
    handout: str | UnsetType = UNSET
    clock: bool | UnsetType = UNSET

    @property
    def members(self) -> tuple[Member, ...]:
        """All members: those of the sides, then those of the waves."""
        groups = [side.members for side in self.sides] + [wave.members for wave in self.waves]
        return tuple(member for members in groups for member in members)
