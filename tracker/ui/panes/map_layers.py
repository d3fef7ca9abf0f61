"""The layers over the map: reach, threat, the trail, an area, a ruler.

Only a layer that has changed is computed: a step of the cursor computes the trail, not the reach.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence

from tracker.core.engine import offers, spec_of
from tracker.core.fight.board import Board, Shape, Square, Template, Trail
from tracker.core.fight.slots import Id
from tracker.core.fight.state import Combatant, State
from tracker.core.game.ruleset import Ruleset, status_of
from tracker.core.terms.actions import Action
from tracker.core.visibility.fog import fog
from tracker.ui.modes.acting.interact import first_attack
from tracker.ui.typing.mode import ModeContext
from tracker.views.maps.line import LineLook
from tracker.views.maps.tokens import Token, footprint, space_of, tokens_of
from tracker.views.maps.viewport import MapLook
from tracker.views.words.text import clean


class AttackPreview:
    """The attack on the combatant under the cursor, and its odds once they are computed."""

    def __init__(self, ruleset: Ruleset) -> None:
        self._ruleset = ruleset
        self._at: tuple[object, Id | None, Id | None] = (None, None, None)
        self._action: Action | None = None
        self._label = ""
        self.chance: Callable[[Action], str] = lambda action: ""

    def take(self, scene: ModeContext, who: Id | None, target: Id | None) -> Action | None:
        state, way = scene.model.state, None
        here = who is not None and target is not None and who in state and target in state
        if who is not None and target is not None and here and _foes(self._ruleset, state, who, target):
            way = first_attack(scene, who, target)
        self._action, self._label = (way.actions[0], clean(way.specs[0].label)) if way is not None else (None, "")
        self._at = (state.clock.at, who, target)
        return self._action

    def words(self, state: State, who: Id | None, target: Id | None) -> str:
        if self._action is None or self._at != (state.clock.at, who, target):
            return ""
        chance = self.chance(self._action)
        return f"{self._label} {chance}" if chance else ""


def _foes(ruleset: Ruleset, state: State, one: Id, other: Id) -> bool:
    return not ruleset.friendly(state, state[one].side, state[other].side)


def targets(ruleset: Ruleset, state: State, who: Id | None) -> tuple[Id, ...]:
    """Return the possible targets, the nearest first: foes that can act, else other foes, else all others."""
    own = state.get(who)
    side = own.side if own is not None else next((one.id for one in state.sides if one.control == "players"), "")
    others = [one for one in state.combatants if one.position and one.id != who and _is_describable(ruleset, one)]
    foes = [one for one in others if not ruleset.friendly(state, side, one.side)]
    able = [one for one in foes if status_of(ruleset, one.status).acts]
    here = own.position if own is not None and own.position else None
    return tuple(one.id for one in sorted(able or foes or others, key=lambda one: _apart(here, one.position)))


def _is_describable(ruleset: Ruleset, one: Combatant) -> bool:
    status = status_of(ruleset, one.status)
    return status.takes_part and status.stays


def _apart(one: tuple[int | float, ...] | None, other: tuple[int | float, ...] | None) -> tuple[float, ...]:
    place = tuple(map(float, other or ()))
    lengths = [abs(a - b) for a, b in zip(one or (), place, strict=False)] or [0.0]
    return (max(lengths), sum(length * length for length in lengths), *place)


def move_action(ruleset: Ruleset, state: State, who: Id, trail: Trail | None) -> Action | None:
    if trail is None or not trail.squares:
        return None
    squares = tuple(trail.squares)
    actions = [
        Action(spec.key, who).put(**{field.name: squares})
        for spec in offers(ruleset, state, who)
        for field in spec.fields
        if field.kind == "path"
    ]

    def plainness(action: Action) -> tuple[bool, int, int]:
        spec = spec_of(ruleset, state, action)
        return spec.refusal is not None, sum(field.required for field in spec.fields), len(spec.fields)

    return min(actions, key=plainness, default=None)


SIZES: Mapping[Shape, Sequence[int]] = {"circle": (1, 2, 3, 4, 6), "cone": (3, 6, 12), "line": (6, 12, 20)}
"""The sizes of areas in steps of the map, in the order of the key."""
TITLES: Mapping[Shape, str] = {"circle": "area", "cone": "cone", "line": "line"}


def step_of(board: Board) -> tuple[int, str]:
    """Return the length of one step of a map, and its unit: 5, "ft"."""
    number, _, unit = board.unit.rpartition(" ")
    return (int(number) if number.isdigit() and int(number) else 1), clean(unit)


class MapLayers:
    """The layers that the GM has put over the map.

    Attributes:
        reach, threat: whether they are shown.
        shape, size: shape and size of the area; 0: there is no area.
        pinned: the square at which the ruler begins; None: there is no ruler.
    """

    def __init__(self, ruleset: Ruleset) -> None:
        self._ruleset = ruleset
        self.reach, self.threat = True, False
        self.shape: Shape = "circle"
        self.size = 0
        self.pinned: Square | None = None
        self._turn: object = None
        self._reached: tuple[State | None, Id | None, frozenset[Square]] = (None, None, frozenset())
        self._threatened: tuple[State | None, Id | None, frozenset[Square]] = (None, None, frozenset())
        self._last: tuple[tuple[object, ...], State | None, MapLook | None] = ((), None, None)

    def follow(self, state: State) -> None:
        """Remove the area when the turn in which it was made is over."""
        turn = (state.clock.round, state.clock.at, state.clock.acting)
        if turn != self._turn:
            self._turn, self.size = turn, 0

    def widen(self, board: Board) -> None:
        self.size = next((size for size in self._sizes(board) if size > self.size), 0)

    def _sizes(self, board: Board) -> list[int]:
        return [steps * step_of(board)[0] for steps in SIZES[self.shape]]

    def reshape(self, board: Board) -> None:
        shapes = board.shapes or ("circle",)
        place = shapes.index(self.shape) if self.shape in shapes else -1
        self.shape = shapes[(place + 1) % len(shapes)]
        self.size = self._sizes(board)[0]

    def lay(self, what: str, board: Board, cursor: Square) -> None:
        if what == "shape":
            self.reshape(board)
        elif what == "reach":
            self.reach = not self.reach
        elif what == "threat":
            self.threat = not self.threat
        elif what == "ruler":
            self.pinned = None if self.pinned is not None else cursor

    def lift(self) -> bool:
        """Remove the area, else the ruler, and tell whether there was one."""
        if self.size:
            self.size = 0
        elif self.pinned is not None:
            self.pinned = None
        else:
            return False
        return True

    def look(
        self,
        state: State,
        cursor: Square,
        who: Id | None,
        odds: str,
        way: tuple[Id, Trail] | None = None,
        active: Id | None = None,
    ) -> MapLook:
        """Return all that is shown for the cursor, the same object if nothing has changed.

        `way`: the trail of a combatant that is drawn instead of the trail to the cursor.
        """
        key = (cursor, who, odds, way, active, self.reach, self.threat, self.shape, self.size, self.pinned)
        if self._last[1] is state and self._last[0] == key and self._last[2] is not None:
            return self._last[2]
        ruleset, at = self._ruleset, tokens_of(self._ruleset, state).at
        token = at.get(cursor)
        own = token is not None and token.who == who
        look = MapLook(
            cursor,
            who,
            active,
            reach=self._reach(state, who) if self.reach and who is not None else None,
            threat=self._threat(state, who) if self.threat else None,
            trail=way[1] if way is not None and way[0] == who else self._trail(state, who, cursor, token),
            area=self._area(state, cursor, who) if self.size else frozenset(),
            title=self._title(state) if self.size else "",
            ruler=_straight(self.pinned, cursor) if self.pinned is not None else (),
            length=_length(ruleset, state, self.pinned, cursor) if self.pinned is not None else "",
            sight=ruleset.map.sight(state, who, token.who) if who is not None and token is not None and not own else "",
            odds=odds,
            fog=fog(state),
        )
        self._last = (key, state, look)
        return look

    def _trail(self, state: State, who: Id | None, cursor: Square, token: Token | None) -> Trail | None:
        free = token is None or not token.label
        return self._ruleset.map.trail(state, who, cursor) if who is not None and free else None

    def _title(self, state: State) -> str:
        board = self._ruleset.map.board(state)
        unit = step_of(board)[1] if board is not None else ""
        return f"{self.size} {unit} {TITLES[self.shape]}"

    def line_look(self, state: State, cursor: Id | None, who: Id | None, odds: str, active: Id | None) -> LineLook:
        reach = None
        if self.reach and who is not None and state[who].position and (squares := self._reach(state, who)) is not None:
            here = float((state[who].position or (0,))[0])
            reach = (min(here, *(x for x, _ in squares)), max(here, *(x for x, _ in squares)))
        return LineLook(cursor, who, active, reach, odds)

    def _reach(self, state: State, who: Id) -> frozenset[Square] | None:
        if self._reached[0] is not state or self._reached[1] != who:
            squares = frozenset(square for square, _ in self._ruleset.map.reach(state, who))
            self._reached = (state, who, squares)
        return self._reached[2] if len(self._reached[2]) > 1 else None

    def _threat(self, state: State, who: Id | None) -> frozenset[Square]:
        """Return the squares that the foes of a combatant threaten; without a combatant, the foes of the players."""
        if self._threatened[0] is not state or self._threatened[1] != who:
            ruleset = self._ruleset
            own = [state[who].side] if who is not None else [one.id for one in state.sides if one.control == "players"]
            foes = [one for one in state.combatants if not any(ruleset.friendly(state, side, one.side) for side in own)]
            squares = frozenset(square for foe in foes for square in _threatened(ruleset, state, foe))
            self._threatened = (state, who, squares)
        return self._threatened[2]

    def _area(self, state: State, cursor: Square, who: Id | None) -> frozenset[Square]:
        if who is None and self.shape != "circle":
            return frozenset()
        return frozenset(self._ruleset.map.area(state, Template(self.shape, who, cursor, self.size)))


def _threatened(ruleset: Ruleset, state: State, foe: Combatant) -> Iterable[Square]:
    squares = ruleset.map.threat(state, foe.id)
    at = foe.position
    own = footprint((int(at[0]), int(at[1])), space_of(foe)) if squares and at is not None and len(at) == 2 else ()
    return (*squares, *own)


def _length(ruleset: Ruleset, state: State, start: Square, end: Square) -> str:
    squares = max(abs(end[0] - start[0]), abs(end[1] - start[1]))
    counted = f"{squares} squares" if squares != 1 else "1 square"
    words = ruleset.map.gauge(state, start, end)
    return f"{words} ({counted})" if words else counted


def _straight(start: Square, end: Square) -> tuple[Square, ...]:
    count = max(abs(end[0] - start[0]), abs(end[1] - start[1])) or 1
    across, down = end[0] - start[0], end[1] - start[1]
    steps = range(count + 1)
    squares = ((start[0] + round(step * across / count), start[1] + round(step * down / count)) for step in steps)
    return tuple(dict.fromkeys(squares))
