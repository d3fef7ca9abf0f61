"""Encounters: prepared fights, read from files and complete. The first step of a journal opens one."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import UNSET, Meta, Struct, UnsetType

from tracker.core.terms.dice import Dice
from tracker.core.terms.effects import Effect
from tracker.core.terms.values import Data, Value


class Condition(Struct, frozen=True):
    """The condition of a newcomer after an earlier fight, beyond its stat block.

    Attributes:
        pools: their values, by key.
        status: a key of the ruleset's statuses; "": that of any newcomer.
        facts: the ruleset's facts about it.
        effects: its effects; bearer and number are set when it joins.
    """

    pools: tuple[tuple[str, int], ...] = ()
    status: str = ""
    facts: tuple[tuple[str, Value], ...] = ()
    effects: tuple[Effect, ...] = ()


class Member(Struct, Data, frozen=True, tag=True):
    """One or several combatants of an encounter with one stat block.

    Attributes:
        block: the stat block, with the member's own values.
        name: their name; several are numbered.
        kind: `pc` or `monster`, or another kind of the ruleset.
        count: their number; dice are rolled when they join.
        data: the ruleset's own keys of a member (a position on the map), or None.
        id: the id to use, if the file has one.
        ref: the stat block's id in its file, for inserting more of the same.
        condition: its condition after an earlier fight; None: that of its stat block.
        notes: the file's notes on it, if its stat block has no field for notes; in journals only if not empty.
        hidden: players do not see them until they are revealed.
        public: the name that players read until the GM names them.
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
        public: the name that players read.
        health: whether players see the health of its combatants.
        dice: whether the program rolls its dice or asks for them.
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
    """The file's settings of what players see."""

    title: Annotated[str, Meta(description="what players read as the title")] = ""
    points: Annotated[bool, Meta(description="`false`: no hit points of their own characters")] = True
    map: Annotated[bool, Meta(description="`false`: no map")] = True
    unseen: Annotated[
        Literal["reveal", "name"],
        Meta(description="a hidden combatant that attacks is revealed, or acts as an unseen foe"),
    ] = "reveal"


class MapSetup(Struct, frozen=True):
    """The fog on the map when a fight opens.

    Attributes:
        fog: `all` squares; all that the `party` does not see; or these `squares`.
        sees: the party's range of sight, in the game's unit; 0: the default.
        squares: the squares, as spans: row, first and last column.
    """

    fog: Literal["all", "party", "squares"]
    sees: int = 0
    squares: tuple[tuple[int, int, int], ...] = ()


class Wave(Struct, Data, frozen=True, tag=True):
    """Combatants that join later.

    `when` is "round 3" or "end of round 2"; empty: the GM lets them join. `hidden`: players do not see them.
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

    `handout` is the file name of a picture for the players, beside the encounter's file. `clock`: the header shows the
    length of each turn.
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
