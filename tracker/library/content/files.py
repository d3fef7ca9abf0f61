"""The keys of encounters, campaigns and their parts, each described once.

Readers convert files to these Structs; the JSON Schemas for editors and the key tables of `docs/yaml.md` are made from
them too. Keys of a game's own are `Any` here: `takes` names their definition in its schema.
"""

# Annotations are evaluated when the module is loaded: postponed, each would be compiled again at every start.

import re
from collections.abc import Callable
from typing import Annotated, Any, Literal, TypeAlias

from msgspec import Meta, Struct

from tracker.core.fight.board import Board
from tracker.core.game.file_syntax import key
from tracker.core.terms.dice import Dice
from tracker.core.terms.encounter import MapSetup, ScreenSetup
from tracker.core.terms.moments import NamedRound, named_place, named_round
from tracker.library.yaml.problems import Path, described

LAST_ROUND = 9999
FARTHEST = 500
SQUARES = 'all, party, or squares such as "3,4" and "0-5,0-3"'


class Text(str):
    """A text, which may be typed as a number."""


class Moment(str):
    pass


def read_dice(plain: object) -> Dice:
    if isinstance(plain, bool) or not isinstance(plain, str | int | float):
        raise ValueError(f"should be dice, not {described(plain)}", "such as 2d6+1")
    return Dice.parse(str(plain))


def _text(plain: object) -> Text:
    if plain is None:
        return Text()
    if isinstance(plain, bool) or not isinstance(plain, str | int | float):
        raise ValueError(f"should be text, not {described(plain)}")
    return Text(plain)


def _moment(plain: object) -> Moment:
    when = _text(plain)
    round_ = named_round(when)
    place = named_place(when)
    if place is not None and place.round <= LAST_ROUND:
        return Moment(when.casefold().strip())
    if when and (round_ is None or not 1 <= round_.number <= LAST_ROUND):
        raise ValueError(f"{described(when)} is no moment", _meant_moment(when))
    return Moment(when.casefold().strip())


def _meant_moment(when: str) -> str:
    """Return the hint for a wrong moment; a text with a single number probably means that round."""
    numbers = re.findall(r"\d+", when)
    if numbers == ["0"]:
        return "the first round is round 1"
    if len(numbers) != 1 or not 1 <= int(numbers[0]) <= LAST_ROUND:
        return 'such as "round 3" or "end of round 2"'
    meant = NamedRound(int(numbers[0]), "end" if "end" in when.casefold() else "start")
    return f"did you mean {meant.short}?"


PARSERS: dict[type, Callable[[Any], object]] = {Dice: read_dice, Text: _text, Moment: _moment}
"""Parsers of custom types; they raise ValueError with the message, and perhaps a hint."""

Roller: TypeAlias = Literal["program", "asked"]
Members: TypeAlias = Annotated[Any, key("a file of stat blocks, or a list", takes="members")]
Hidden: TypeAlias = Annotated[bool, key("players see them once the GM reveals them")]
Screen: TypeAlias = Annotated[ScreenSetup | None, key("what players see: `{title: The ford, points: false}`")]
Clock: TypeAlias = Annotated[bool, key("`true`: the header says how long each turn has lasted; `:clock` changes it")]
Notes: TypeAlias = Annotated[Text, key("for the GM")]


class BlockKeys(Struct, frozen=True):
    """The keys of a stat block in every game."""

    id: Annotated[Text, key("what references use; without one the name serves")] = Text()
    name: Annotated[Text, key("what it is called")] = Text()
    notes: Annotated[str, key("free text, shown in the stat-block panel")] = ""
    hidden: Annotated[bool, key("players see it once the GM reveals it")] = False
    public: Annotated[str, key("what players read until the GM names it")] = ""


class MemberKeys(BlockKeys, frozen=True):
    """The keys of a member of a side in every game."""

    count: Annotated[Dice, key("how many; the names are numbered", like=("3", "1d4+1"))] = Dice(plus=1)
    ref: Annotated[str, key("the id or name of a stat block beside the encounter or in your folders")] = ""


class SideKeys(Struct, frozen=True):
    """The keys of a side in every game."""

    name: Annotated[Text, key("what the side is called")] = Text()
    id: Annotated[Text, key("what scripts call it; made of the name")] = Text()
    control: Annotated[Literal["players", "gm"] | None, key("whose side it is: `players` or `gm`, which is usual")] = (
        None
    )
    pc: Annotated[bool, key("short for `control: players`")] = False
    members: Members = []
    public: Annotated[str, key("what players read as its name")] = ""
    health: Annotated[bool, key("`false`: players do not read how its combatants are")] = True
    hidden: Hidden = False
    dice: Annotated[Roller | None, key("who rolls for this side: the program, or those who are asked")] = None


class WaveKeys(Struct, frozen=True):
    side: Annotated[Text, key("the side they join", needed=True)] = Text()
    when: Annotated[Moment, key("when they come; without it you bring them in by hand")] = Moment()
    members: Annotated[Any, key("a file of stat blocks, or a list", takes="members", needed=True)] = []
    title: Annotated[Text, key("what the wave is called")] = Text()
    hidden: Hidden = False


class ReminderKeys(Struct, frozen=True):
    text: Annotated[Text, key("the sentence")]
    when: Annotated[Moment, key("when it appears; without it anew in every round")] = Moment()


class MapKeys(Struct, frozen=True):
    fog: Annotated[
        Any,
        key(
            "what players do not see of the map, and who stands there: all of it, all but what the party sees, or "
            "these squares",
            takes="fog",
        ),
    ] = "party"
    sees: Annotated[
        int, Meta(ge=0, le=FARTHEST), key("with `fog: party`: how far the party sees, in the game's unit")
    ] = 0


class EncounterKeys(Struct, frozen=True, kw_only=True):
    """The keys of an encounter without a map of squares."""

    ruleset: Annotated[str, key("the game; decides which fields exist", takes="ruleset")]
    title: Annotated[Text, key("shown at the top of the screen")] = Text()
    house_rules: Annotated[
        dict[str, Any] | None, key("the game's switches; what is not named keeps its default", takes="switches")
    ] = None
    setup: Annotated[
        dict[str, Any] | None,
        key("the game's own start conditions, such as distance or a map", takes="set-up"),
    ] = None
    sides: Annotated[
        list[Any],
        key("everybody who fights, in groups; their order settles some ties", takes="list of side"),
    ] = []
    party: Annotated[Any, key("short for a side of the players, instead of `sides`", takes="members")] = None
    monsters: Annotated[Any, key("short for a side of the GM, instead of `sides`", takes="members")] = None
    waves: Annotated[list[Any], key("combatants who come later", takes="list of wave")] = []
    reminders: Annotated[list[Any], key("sentences that appear at their moment", takes="list of reminder")] = []
    notes: Notes = Text()
    screen: Screen = None
    clock: Clock = False
    handout: Annotated[
        Text, key("a PNG or JPEG picture beside this file, at most 4 MB, that phones and TV show: `gate.png`")
    ] = Text()
    dice: Annotated[
        Roller | None,
        key(
            "who rolls for every side: the program, or those who are asked. Without it the program rolls for the GM's "
            "sides, and players are asked. A side may have a `dice` of its own"
        ),
    ] = None


class SquaresEncounterKeys(EncounterKeys, frozen=True, kw_only=True):
    """The keys of an encounter of a game with a map of squares."""

    map: Annotated[MapKeys | None, key("what fog covers when the fight opens: `{fog: party, sees: 40}`")] = None


class CampaignKeys(Struct, frozen=True, kw_only=True):
    """The keys of `campaign.yaml`, which apply to every encounter in and below its folder."""

    ruleset: Annotated[
        str,
        key("the game; an encounter of another one inherits nothing, and is told so", takes="ruleset", needed=True),
    ] = ""
    title: Annotated[Text, key("what the campaign is called")] = Text()
    party: Annotated[
        Any,
        key(
            "comes into every encounter without players of its own. A `party` or a side of the players in the "
            "encounter replaces it",
            takes="members",
        ),
    ] = None
    house_rules: Annotated[
        dict[str, Any] | None, key("the game's switches, one by one: what the encounter says wins", takes="switches")
    ] = None
    dice: Annotated[Roller | None, key("who rolls, where neither the encounter nor the side says so")] = None
    screen: Annotated[ScreenSetup | None, key("what players see, key by key: what the encounter says wins")] = None
    clock: Clock = False
    library: Annotated[
        str | list[Any] | None,
        key("further folders with stat blocks, after the encounter's own and the campaign's", takes="text or words"),
    ] = None
    carry: Annotated[bool, key("`true`: the party comes as its last fight left it")] = False
    notes: Notes = Text()


MOST_LISTED = {"sides": 50, "waves": 200, "reminders": 500}
FEWER = "leave some out, or make a second encounter of them"


# -- fog ---------------------------------------------------------------------------------------------------------------

Report = Callable[[Path, str, str], None]
"""Reports a problem: where, what, and a hint."""
RowSpan: TypeAlias = tuple[int, int, int]
"""Squares of a row: the row, its first and last column."""


def map_of(keys: MapKeys, board: Board | None, report: Report) -> MapSetup | None:
    """Return the fog on a board, or None if that has no squares."""
    if board is None or board.kind != "square":
        report(("map",), "this fight has no map of squares", "give it one in `setup`, or leave `map` out")
        return None
    if keys.sees and keys.fog != "party":
        report(("map", "sees"), "it is of use with `fog: party` only", "fog: party")
    if isinstance(keys.fog, str) and keys.fog in ("all", "party"):
        return MapSetup(keys.fog, keys.sees)  # type: ignore[arg-type]  # mypy does not narrow a text to a Literal
    listed = keys.fog if isinstance(keys.fog, list) else [keys.fog]
    squares: list[RowSpan] = []
    for place, item in enumerate(listed):
        path: Path = ("map", "fog", place) if isinstance(keys.fog, list) else ("map", "fog")
        spans, wrong = _spans(item, board)
        if wrong:
            report(path, f"{described(item)} {wrong}", SQUARES)
        squares += spans
    return MapSetup("squares", squares=tuple(squares))


def _spans(item: object, board: Board) -> tuple[list[RowSpan], str]:
    """Return the squares of an entry of a list, and what is wrong with it."""
    words = ",".join(map(str, item)) if isinstance(item, list) else str(item)
    match = re.fullmatch(r"\s*(\d{1,4})(?:-(\d{1,4}))?\s*,\s*(\d{1,4})(?:-(\d{1,4}))?\s*", words)
    if match is None:
        return [], "is no square"
    left, top = int(match[1]), int(match[3])
    right, bottom = int(match[2] or left), int(match[4] or top)
    if right < left or bottom < top:
        return [], "is no square"
    if right >= board.width or bottom >= board.height:
        return [], f"is not on the map, which has {board.width} x {board.height} squares"
    return [(y, left, right) for y in range(top, bottom + 1)], ""
