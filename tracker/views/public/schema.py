"""The shape of the players' view: everything a screen for players needs, and nothing else.

It is plain data (msgspec Structs, JSON by `msgspec.json.encode`). Every text is one line without control characters,
and text only: escape it where it is shown. Ids are opaque and mean something within one fight only.

In the journal it is a row of the table `shown`:

* `view`: the `Public`, as JSON; null: none could be made;
* `at_table`: the `Table` that replaces the view's own: paused, looking back, and the dice that are asked of players;
* `salt`: what ids are made with; it never leaves the program.

Both are written in one transaction; the number `PRAGMA data_version` of another connection changes with it, and that
look costs some microseconds. `tracker.session.store.player_view_reader.PlayerViewReader` does all of this.
"""

from __future__ import annotations

from typing import Literal, TypeAlias

from msgspec import Struct

VERSION = 3
"""Of the shape. A reader that meets another one asks for the fight to be opened once by this program."""

When: TypeAlias = Literal["past", "now", "later"]
Health: TypeAlias = Literal["unhurt", "hurt", "badly hurt", "out", ""]
"""How a combatant is: `out` cannot act, "" is not told."""


class PublicPool(Struct, frozen=True):
    """Points of a player character; `title` is the game's word for them ("HP"), "" where a bar says enough."""

    key: str
    now: int
    max: int
    title: str = ""


class PublicEffect(Struct, frozen=True):
    """What holds on a combatant.

    Attributes:
        name: what it is ("prone").
        words: the same with its numbers, on player characters only ("charging −2 AC").
        until: when it ends, on player characters and where players may know; "": not told, or until removed.
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
    """What everybody at the table can see of a combatant.

    Attributes:
        id: opaque, stays the same within a fight.
        name, label: as players read them; the label is also its token on the map.
        side: the id of its side.
        friend: the players run its side.
        ally: another one runs its side, which is friendly to theirs.
        pc: it is a player character, which a player can claim.
        status: the game's word for how it is ("up", "down").
        mark: one sign for the status, which does without colour.
        acts: it can act.
        present: it takes part; one that is dead or fled does not.
        health: how it is, for colours; `words` says it.
        words: the same in words ("badly hurt", or the status); "": not told.
        pools: points of player characters, the hit points first; empty: not told.
        effects: what holds on it.
        acting: it acts now.
        at: where it stands: (column, row) on squares, (distance,) on a line.
        space: how many squares it is wide and high.
        left: what is left of its turn, on player characters ("main, move"); "": nothing, or not told.
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
    """A place in the order.

    Attributes:
        id: opaque, stays the same within a round.
        title: whose it is, or the phase.
        members: ids of the combatants whose it is, those that can be seen.
        when: it has been, is now, or comes; at most one is now.
        side: id of the side whose slot it is; "": nobody's in particular.
        friend: it belongs to the players, wholly.
        segment: the segment of the round it falls on.
        phase: the phase it belongs to, in words.
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
    """What ends next on a player character: what, on whom, and when in words."""

    what: str
    who: str
    when: str


class PublicTile(Struct, frozen=True):
    """A square that is not plain floor.

    Its sign and word, how it is drawn (`wall`, `water` ..., as the game names it), how high it lies in feet, and the
    sign that fills all of it, if one does.
    """

    x: int
    y: int
    sign: str
    word: str = ""
    style: str = ""
    height: int = 0
    fill: str = ""


class PublicZone(Struct, frozen=True):
    """An area with members, such as a brawl: its middle and radius in the board's unit, if they are known."""

    title: str
    members: tuple[str, ...] = ()
    middle: float | None = None
    radius: float | None = None


class PublicBoard(Struct, frozen=True, cache_hash=True):
    """The ground: squares in two dimensions, or one line of distances.

    Tokens are where combatants stand (`at`). `fog`: what players do not see, row, first and last column of each
    stretch; nothing is told of it.
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
        key: opaque; an answer names it, so that it fits this question only.
        who: id of the combatant, or of the side, whose player rolls.
        dice: what to roll, without fixed numbers ("d20", "2d6").
        sides: the sides of each die, in the order of `dice`.
        faces: each die counts: the answer gives them all; otherwise a total will do.
        what: what for, in one or two words ("attack"); never a number, a target or a reason.
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
    """How it stands at the GM's table, beside the fight.

    Attributes:
        mode: `live`; `paused`: the GM holds the screen, the view stays as it was; `back`: the GM looks at the past;
            `trial`: the GM tries something. In all of them the view shows the real fight and nothing else. `setup`:
            the GM has not shown this fight yet, and the view has nothing of it.
        asks: the dice players are asked for, all at the same time.
    """

    mode: Literal["live", "paused", "back", "trial", "setup"] = "live"
    asks: tuple[PublicAsk, ...] = ()


class Public(Struct, frozen=True):
    """A fight as the players see it.

    Attributes:
        title: the GM's words for the players, else the encounter's title.
        ruleset: the game's title.
        round: the number of the round; 0 before the first.
        moment: round and turn in words ("Round 2 · Ava").
        seconds, time: game time that has passed, the second in words ("0:12").
        over: the fight is over.
        order: the places of this round, those that can be seen.
        combatants: those that can be seen, in order of joining.
        version: of this shape; one that is not `VERSION` was written by another program.
        stage: where the fight is, for colours: before it, in it, after it.
        phase: the phase in words; "": the game has none.
        segment: the segment of the round, where the game counts them.
        side: id of the side whose slot is now; "": nobody's.
        now, next: the places in `order` of the slot that is now and of the one after it; None: there is none.
        sides: the sides with anybody to be seen.
        ends: what ends next on player characters, soonest first.
        board: the map; None: there is none, or it is not shown.
        story: what has happened, once the fight is over: titles ("" or the round) and paragraphs.
        log: what has happened last in words, the newest last: losses, falls, effects, rounds.
        table: how it stands at the GM's table.
        clock: players are told how long a turn has lasted.
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
"""What players see of a fight until the GM shows it."""
