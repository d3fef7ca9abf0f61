"""The schema of the players' view: everything that a screen for players needs, and nothing else.

It is plain data (msgspec Structs, JSON by `msgspec.json.encode`). Every text is one line without control characters and
without markup: escape it before it is shown. Ids are opaque and valid within one fight only.

In the journal it is a row of the table `shown`:

* `view`: the `Public`, as JSON; null: none could be made;
* `at_table`: the `Table` that replaces the view's own: paused, looking back, and the dice that players are to roll;
* `salt`: ids are made with it; it never leaves the program.

`view` and `at_table` are written in one transaction, and then `PRAGMA data_version` of other connections changes, which
takes microseconds to read. `tracker.session.store.player_view_reader.PlayerViewReader` does all of this.
"""

from __future__ import annotations

from typing import Literal, TypeAlias

from msgspec import Struct

VERSION = 3
"""The version of the schema. A reader of another version asks to open the fight once with this program."""

When: TypeAlias = Literal["past", "now", "later"]
Health: TypeAlias = Literal["unhurt", "hurt", "badly hurt", "out", ""]
"""The health of a combatant: `out` cannot act, "" is not told."""


class PublicPool(Struct, frozen=True):
    """Points of a player character; `title` is the game's word for them ("HP"), "" if a bar says enough."""

    key: str
    now: int
    max: int
    title: str = ""


class PublicEffect(Struct, frozen=True):
    """An effect on a combatant.

    Attributes:
        name: its name ("prone").
        words: its name and numbers, on player characters only ("charging −2 AC").
        until: its end, on player characters and if players may know it; "": not told, or until removed.
        about: the text of its rule, on player characters.
    """

    name: str
    words: str = ""
    until: str = ""
    about: str = ""


class PublicSide(Struct, frozen=True):
    """A side with visible combatants; `friend`: the players run it."""

    id: str
    name: str
    friend: bool


class PublicCombatant(Struct, frozen=True):
    """A combatant as players see it.

    Attributes:
        id: opaque, stays the same within a fight.
        name, label: as players read them; the label is also its token on the map.
        side: the id of its side.
        friend: the players run its side.
        ally: the GM runs its side, which is friendly to the players'.
        pc: it is a player character, which a player can claim.
        status: the game's word for its status ("up", "down").
        mark: one sign for the status, readable without colour.
        acts: it can act.
        present: it takes part in the fight; a combatant that is dead or fled does not.
        health: its health, for colours.
        words: its health in words ("badly hurt", or the status); "": not told.
        pools: points of player characters, the hit points first; empty: not told.
        effects: its effects.
        acting: it acts now.
        at: its place: (column, row) on squares, (distance,) on a line.
        space: its width and height in squares.
        left: the unused actions of its turn, on player characters ("main, move"); "": none, or not told.
    """

    id: str
    name: str
    label: str
    side: str
    friend: bool = False
    ally: bool = False
    pc: bool = False
    status: str = ""
    mark: str = ""
    acts: bool = True
    present: bool = True
    health: Health = ""
    words: str = ""
    pools: tuple[PublicPool, ...] = ()
    effects: tuple[PublicEffect, ...] = ()
    acting: bool = False
    at: tuple[int | float, ...] | None = None
    space: int = 1
    left: str = ""


class PublicSlot(Struct, frozen=True):
    """A slot of the order.

    Attributes:
        id: opaque, stays the same within a round.
        title: its combatant, side or phase.
        members: ids of its visible combatants.
        when: it is past, now or later; at most one slot is now.
        side: id of its side; "": it has no side.
        friend: all its combatants are the players'.
        segment: the segment of the round.
        phase: its phase in words.
    """

    id: str
    title: str
    members: tuple[str, ...] = ()
    when: When = "later"
    side: str = ""
    friend: bool = False
    segment: int | None = None
    phase: str = ""


class PublicEnd(Struct, frozen=True):
    """An effect that ends next: its name, the id of the player character, and the moment in words."""

    what: str
    who: str
    when: str


class PublicTile(Struct, frozen=True):
    """A square that is not plain floor.

    It has a sign, a word, a style (`wall`, `water` ..., as the game names it) and a height in feet; `fill`: a sign that
    fills the square.
    """

    x: int
    y: int
    sign: str
    word: str = ""
    style: str = ""
    height: int = 0
    fill: str = ""


class PublicZone(Struct, frozen=True):
    """An area with members, such as a brawl; middle and radius are in the board's unit, None if unknown."""

    title: str
    members: tuple[str, ...] = ()
    middle: float | None = None
    radius: float | None = None


class PublicBoard(Struct, frozen=True, cache_hash=True):
    """The ground: squares in two dimensions, or one line of distances.

    Tokens are at the places of the combatants (`at`). `fog`: the squares that players do not see, as row, first and
    last column of each stretch; the view has no data of these squares.
    """

    kind: Literal["square", "line"]
    width: int
    height: int = 1
    unit: str = ""
    tiles: tuple[PublicTile, ...] = ()
    zones: tuple[PublicZone, ...] = ()
    fog: tuple[tuple[int, int, int], ...] = ()


class PublicAsk(Struct, frozen=True):
    """A die that a player is asked for.

    Attributes:
        key: opaque; an answer names it, so that it fits this request only.
        who: id of the combatant or side whose player rolls.
        dice: the dice without fixed numbers ("d20", "2d6").
        sides: the sides of each die, in the order of `dice`.
        faces: the answer gives each die; otherwise a total is enough.
        what: the purpose in one or two words ("attack"); never a number, a target or a reason.
        name: the combatant or side as players read it.
        shared: any player may roll it: a die of the party, or of a combatant that is no player character.
    """

    key: str
    who: str
    dice: str
    sides: tuple[int, ...]
    faces: bool = False
    what: str = "roll"
    name: str = ""
    shared: bool = False


class Table(Struct, frozen=True):
    """The state of the GM's table, besides the fight.

    Attributes:
        mode: `live`; `paused`: the GM holds the view, which does not change; `back`: the GM looks at the past; `trial`:
            the GM tries something. In all these modes the view shows only the real fight. `setup`: the GM has not shown
            this fight yet, and the view is empty.
        asks: the dice that players are to roll, all at the same time.
    """

    mode: Literal["live", "paused", "back", "trial", "setup"] = "live"
    asks: tuple[PublicAsk, ...] = ()


class Public(Struct, frozen=True):
    """A fight as the players see it.

    Attributes:
        title: the GM's title for the players, else the encounter's title.
        ruleset: the game's title.
        round: the number of the round; 0 before the first.
        moment: round and turn in words ("Round 2 · Ava").
        seconds, time: game time that has passed, as a number and in words ("0:12").
        over: the fight is over.
        order: the visible slots of this round.
        combatants: the visible combatants, in order of joining.
        version: of this schema; a view of another version was written by another program.
        stage: before the fight, in it or after it, for colours.
        phase: the phase in words; "": the game has none.
        segment: the segment of the round, if the game counts segments.
        side: id of the side of the current slot; "": it has no side.
        now, next: the places in `order` of the current slot and of the next one; None: there is none.
        sides: the sides with visible combatants.
        ends: the effects that end next on player characters, soonest first.
        board: the map; None: there is none, or it is not shown.
        story: the story, once the fight is over: titles ("" or the round) and paragraphs.
        log: the latest events in words, the newest last: losses, falls, effects, rounds.
        table: the state of the GM's table.
        clock: players see how long a turn has lasted.
    """

    title: str
    ruleset: str
    round: int
    moment: str
    seconds: int
    over: bool
    order: tuple[PublicSlot, ...] = ()
    combatants: tuple[PublicCombatant, ...] = ()
    version: int = 0
    time: str = ""
    stage: Literal["before", "round", "after"] = "round"
    phase: str = ""
    segment: int | None = None
    side: str = ""
    now: int | None = None
    next: int | None = None
    sides: tuple[PublicSide, ...] = ()
    ends: tuple[PublicEnd, ...] = ()
    board: PublicBoard | None = None
    story: tuple[tuple[str, str], ...] = ()
    log: tuple[str, ...] = ()
    table: Table = Table()
    clock: bool = False


COVERED = Public(
    "", "", 0, "The GM is setting up", 0, over=False, version=VERSION, stage="before", table=Table("setup")
)
"""The players' view of a fight until the GM shows it."""
