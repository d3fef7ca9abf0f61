"""A map of squares for a game: the ground, reachable squares, threatened squares, areas and their targets.

    def terrain(state: State) -> Terrain | None:
        return read(state.setup.grid) if state.setup.grid else None      # `read`: a cached grid.read_terrain

    MAP = SquareMap(terrain, feet=lambda state, who: 30, arm=lambda state, who: 5)
    RULESET = Ruleset(..., schema=Schema(..., board="square"), map=MAP.rules())

    MAP.go(ctx, who, to)                     # by the cheapest path, for the action that moves
    MAP.caught(state, template)              # the combatants in an area, for an action that has one
    MAP.apart(state, who, target)            # feet between two combatants

Combatants are at `Combatant.position`, the north-west square of a footprint. A game replaces a function for its own
rules: which combatants bar the way, the size of a footprint, which may strike at a combatant that leaves a square.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache

from msgspec import Struct

from tracker.core.fight.board import Board, Cell, Shape, Template, Trail
from tracker.core.fight.events import Moved
from tracker.core.fight.slots import Id
from tracker.core.fight.state import State
from tracker.core.game.ruleset import MapRules
from tracker.core.step.ctx import Ctx
from tracker.core.terms.actions import Action
from tracker.core.terms.errors import Refusal
from tracker.kit.squares import sight as lines
from tracker.kit.squares.grid import FEET, Body, Square, Terrain, distance, footprint
from tracker.kit.squares.paths import UNBOUND, Crowd, cost_of, nearest, reachable, route
from tracker.kit.squares.setup import Standing

GLYPHS = {"open": "·", "difficult": "~", "wall": "▒", "chasm": ":"}
FILLS = {"wall": "▒", "chasm": ":"}
STYLES = {"open": "", "difficult": "warn", "wall": "dim", "chasm": "dim"}
MOVES = 2
"""A path of up to this number of moves is still searched, to show its cost."""
ALL_SHAPES: tuple[Shape, ...] = ("circle", "cone", "line")


def standing(state: State, who: Id) -> Body | None:
    """Return a combatant's footprint: its position, with the squares a side of its stat block's `space`."""
    one = state.get(who)
    if one is None or one.position is None or len(one.position) != 2:
        return None
    return Body((int(one.position[0]), int(one.position[1])), int(getattr(one.block, "space", 1) or 1))


def crowd(state: State, who: Id) -> Crowd:
    """Return the crowd for a mover: foes that are up bar the way, and no move ends on a square of a combatant."""
    side = state[who].side if who in state else ""
    barring: set[Square] = set()
    taken: set[Square] = set()
    for one in state.combatants:
        body = standing(state, one.id)
        if body is None or one.id == who or one.status != "up":
            continue
        taken.update(footprint(body))
        if one.side != side:
            barring.update(footprint(body))
    return Crowd(frozenset(barring), frozenset(), frozenset(taken))


@lru_cache(maxsize=4)
def drawn(ground: Terrain, shapes: tuple[Shape, ...] = ALL_SHAPES) -> Board:
    """Return the board of a terrain for the map pane."""
    cells = []
    for y in range(ground.height):
        for x in range(ground.width):
            word, height = ground.ground((x, y)), ground.feet_up((x, y))
            if word != "open" or height:
                named = "high ground" if word == "open" else word
                cells.append(Cell(x, y, GLYPHS[word], named, STYLES[word], height, FILLS.get(word, "")))
    return Board("square", ground.width, ground.height, "5 ft", tuple(cells), shapes=shapes)


@lru_cache(maxsize=2048)
def around(ground: Terrain, here: Body, feet: int) -> tuple[Square, ...]:
    """Return the passable squares within `feet` of a body that it sees."""
    own, far = footprint(here), feet // FEET
    squares = (
        (x, y)
        for y in range(here.at[1] - far, here.at[1] + here.space + far)
        for x in range(here.at[0] - far, here.at[0] + here.space + far)
    )
    return tuple(at for at in squares if at not in own and ground.passable(at) and lines.sight(ground, here, Body(at)))


class SquareMap(Struct, frozen=True):
    """The map of a game on squares of five feet.

    Attributes:
        terrain: the ground of a fight; None: it has no map.
        feet: the distance a combatant can move now.
        arm: its reach in melee, in feet; 0: no melee attack.
        body: its footprint; None: it is not on the map.
        crowd: the squares that bar its way, slow it, or on which it cannot end.
        provokes: the combatants that may strike at a combatant that moves from one square to the next.
        shapes: the forms of areas of the game.
        go_to: the action by which a combatant moves to a square, for `approaches`.
        strike: the action by which it strikes at a target in reach.
    """

    terrain: Callable[[State], Terrain | None]
    feet: Callable[[State, Id], int] = lambda state, who: 30
    arm: Callable[[State, Id], int] = lambda state, who: FEET
    body: Callable[[State, Id], Body | None] = standing
    crowd: Callable[[State, Id], Crowd] = crowd
    provokes: Callable[[State, Id, Body, Body], Sequence[Id]] = lambda state, who, here, there: ()
    shapes: tuple[Shape, ...] = ALL_SHAPES
    go_to: Callable[[State, Id, Square], Action] | None = None
    strike: Callable[[State, Id, Id], Action] | None = None

    def rules(self) -> MapRules:
        """Return the functions of the map, for `Ruleset.map`."""
        return MapRules(
            board=self.board,
            reach=self.reach,
            trail=self.trail,
            sight=self.sight,
            area=self.area,
            threat=self.threat,
            gauge=self.gauge,
            approaches=self.approaches,
        )

    # -- the functions of the map ----------------------------------------------------------------------------------

    def board(self, state: State) -> Board | None:
        """Return the board of a fight, or None without a map."""
        ground = self.terrain(state)
        return None if ground is None else drawn(ground, self.shapes)

    def reach(self, state: State, who: Id) -> tuple[tuple[Square, int], ...]:
        """Return the squares a combatant can end a move on with their costs, row by row."""
        ground, here = self.terrain(state), self.body(state, who)
        if ground is None or here is None:
            return ()
        costs = reachable(ground, self.crowd(state, who), here, self.feet(state, who))
        return tuple(sorted(costs.items(), key=lambda item: (item[0][1], item[0][0])))

    def trail(self, state: State, who: Id, to: Square) -> Trail | None:
        """Return a cheapest path to a square with the foes it provokes, or its refusal; None: the square is no goal."""
        ground, here = self.terrain(state), self.body(state, who)
        if ground is None or here is None or not ground.passable(to):
            return None
        crowd, limit = self.crowd(state, who), self.feet(state, who)
        path = route(ground, crowd, here, to, MOVES * max(limit, FEET))
        if path is None:
            return Trail(refusal=Refusal("too_far", "no way there that is short enough"), limit=limit)
        cost = cost_of(ground, crowd, here, path)
        if not isinstance(cost, int):
            return Trail(path, refusal=Refusal(cost.reason, cost.text), limit=limit)
        too_far = Refusal("too_far", f"the way costs {cost} feet, {limit} at most") if cost > limit else None
        strikers, struck = self.struck(state, who, path)
        return Trail(path, cost, strikers, too_far, limit, struck)

    def threat(self, state: State, who: Id) -> tuple[Square, ...]:
        """Return the squares on which a combatant could strike another one."""
        ground, here, arm = self.terrain(state), self.body(state, who), self.arm(state, who)
        return () if ground is None or here is None or not arm else around(ground, here, arm)

    def sight(self, state: State, who: Id, target: Id) -> str:
        """Return how a combatant sees a target: its cover, or no line of sight."""
        ground, here, there = self.terrain(state), self.body(state, who), self.body(state, target)
        if ground is None or here is None or there is None:
            return ""
        if not lines.sight(ground, here, there):
            return "no line of sight"
        cover = lines.cover(ground, here, there)
        return "no cover" if cover == "none" else f"{cover} cover"

    def gauge(self, state: State, one: Square, other: Square) -> str:
        """Return the distance of two squares, and whether they have no line of sight."""
        ground = self.terrain(state)
        words = f"{distance(Body(one), Body(other))} ft"
        seen = ground is None or lines.sight(ground, Body(one), Body(other))
        return words if seen else f"{words} · no line of sight"

    def area(self, state: State, template: Template) -> tuple[Square, ...]:
        """Return the squares of an area that its corner or its combatant sees."""
        ground = self.terrain(state)
        if ground is None:
            return ()
        if template.shape == "circle":
            return lines.around(ground, template.to, template.size)
        here = None if template.who is None else self.body(state, template.who)
        if here is None:
            return ()
        shaped = lines.cone if template.shape == "cone" else lines.ray
        return shaped(ground, here, template.to, template.size)

    def approaches(self, state: State, who: Id, target: Id) -> tuple[tuple[Action, ...], ...]:
        """Return how a combatant can strike at a target: at once, or after a move to the nearest square in reach."""
        ground, here, there = self.terrain(state), self.body(state, who), self.body(state, target)
        arm = self.arm(state, who)
        if ground is None or here is None or there is None or not arm or self.strike is None:
            return ()
        if distance(here, there) <= arm and lines.sight(ground, here, there):
            return ((self.strike(state, who, target),),)
        places = [at for at, _ in self.reach(state, who) if distance(Body(at, here.space), there) <= arm]
        seen = [at for at in places if lines.sight(ground, Body(at, here.space), there)]
        to = nearest(ground, self.crowd(state, who), here, seen, self.feet(state, who))
        if to is None or self.go_to is None:
            return ()
        return ((self.go_to(state, who, to), self.strike(state, who, target)),)

    def toward(self, state: State, who: Id, foes: Sequence[Id]) -> Action | None:
        """Return a combatant's move into reach of the nearest of these foes, or else closer, for a policy."""
        here = self.body(state, who)
        near = sorted((foe for foe in foes if self.body(state, foe)), key=lambda foe: self.apart(state, who, foe) or 0)
        if here is None or not near or self.go_to is None:
            return None
        for foe in near:
            for actions in self.approaches(state, who, foe):
                if len(actions) > 1:
                    return actions[0]
        there = self.body(state, near[0]) or here
        places = [(distance(Body(at, here.space), there), feet, at) for at, feet in self.reach(state, who)]
        best = min(places, default=None)
        return self.go_to(state, who, best[2]) if best is not None and best[0] < distance(here, there) else None

    # -- functions for a game's own actions ------------------------------------------------------------------------

    def apart(self, state: State, who: Id, target: Id) -> int | None:
        """Return the feet between two combatants, None if one of them is not on the map."""
        here, there = self.body(state, who), self.body(state, target)
        return None if here is None or there is None else distance(here, there)

    def near(self, state: State, who: Id, target: Id, feet: int = FEET) -> bool:
        """Tell whether two combatants are on the map and within `feet` of one another."""
        apart = self.apart(state, who, target)
        return apart is not None and apart <= feet

    def beyond(self, state: State, who: Id, target: Id, feet: int, what: str, rule: str = "") -> Refusal | None:
        """Refuse a target that is farther than `feet` or not in sight; without a map, no target is refused."""
        apart, name = self.apart(state, who, target), state.name(target)
        if apart is not None and apart > feet:
            return Refusal("too_far", f"{name} is {apart} feet away, {what} reaches {feet}", rule)
        if self.sight(state, who, target) == "no line of sight":
            return Refusal("not_seen", f"there is no line of sight to {name}", rule)
        return None

    def spots(
        self, state: State, who: Id, shape: Shape, size: int, foes: Sequence[Id], around: bool = False
    ) -> tuple[tuple[Id, ...], ...]:
        """Return the combatants in each area that covers one of these foes and no friend, for a policy.

        `around`: the area is a circle around the combatant itself. Without a map, each area has one foe.
        """
        spots: dict[tuple[Id, ...], None] = {}
        for foe in foes:
            at = self.body(state, who if around else foe)
            if at is None:
                spots[(foe,)] = None
                continue
            caught = self.caught(state, Template(shape, None if shape == "circle" else who, at.at, size))
            up = tuple(one for one in caught if one != who and state[one].status == "up")
            if up and all(state[one].side != state[who].side for one in up):
                spots[up] = None
        return tuple(spots)

    def caught(self, state: State, template: Template) -> tuple[Id, ...]:
        """Return the combatants with a square in an area, in order of joining."""
        squares = frozenset(self.area(state, template))
        bodies = [(one.id, self.body(state, one.id)) for one in state.combatants]
        return tuple(who for who, body in bodies if body is not None and not squares.isdisjoint(footprint(body)))

    def struck(self, state: State, who: Id, path: Sequence[Square]) -> tuple[tuple[Id, ...], tuple[Square, ...]]:
        """Return the combatants that may strike at a mover on its path, and the squares on which they strike."""
        here, every, squares = self.body(state, who), dict[Id, None](), list[Square]()
        if here is None:
            return (), ()
        for at in path:
            there = Body(at, here.space)
            if strikers := self.provokes(state, who, here, there):
                squares.append(here.at)
                every.update(dict.fromkeys(strikers))
            here = there
        return tuple(every), tuple(squares)

    def go(
        self,
        ctx: Ctx,
        who: Id,
        to: Square,
        *rules: str,
        leaving: Callable[[Square], bool] | None = None,
    ) -> tuple[Square, ...]:
        """Move a combatant to a square by the cheapest path, and return the path it has gone; (): no path.

        `leaving` is called before each step that provokes a strike, with the next square; it opens the window for the
        strikes, and the path ends there if it returns False. The form has to check the distance, because the move has
        been paid.
        """
        ground, here = self.terrain(ctx.state), self.body(ctx.state, who)
        if ground is None or here is None:
            return ()
        path = route(ground, self.crowd(ctx.state, who), here, to, UNBOUND) or ()
        gone = 0
        for number, at in enumerate(path):
            there = Body(at, here.space)
            if leaving is not None and self.provokes(ctx.state, who, here, there):
                self._step(ctx, who, path[gone:number], rules)
                gone = number
                if not leaving(at) or who not in ctx.state or self.body(ctx.state, who) != here:
                    return path[:gone]
            here = there
        self._step(ctx, who, path[gone:], rules)
        return path

    def _step(self, ctx: Ctx, who: Id, path: Sequence[Square], rules: Sequence[str]) -> None:
        if path:
            ctx.emit(Moved(who, ctx.state[who].position, path[-1], tuple(path)), *rules)

    def free(self, state: State, near: Square, space: int = 1) -> Square | None:
        """Return the nearest square on which a footprint of this size is free, or None."""
        ground = self.terrain(state)
        if ground is None:
            return None
        bodies = [self.body(state, one.id) for one in state.combatants]
        taken = {square for body in bodies if body is not None for square in footprint(body)}
        squares = ((x, y) for y in range(ground.height) for x in range(ground.width))
        for at in sorted(squares, key=lambda at: (max(abs(at[0] - near[0]), abs(at[1] - near[1])), at[1], at[0])):
            wanted = footprint(Body(at, space))
            if taken.isdisjoint(wanted) and all(ground.passable(square) for square in wanted):
                return at
        return None

    def settle(self, ctx: Ctx, newcomers: Sequence[Id], *rules: str) -> None:
        """Put newcomers on the squares of their members (`Standing`), one for each copy, for `join`.

        Newcomers without a square start at an edge, the first side in the west. Each gets the nearest free square, or
        stays off the map if there is none.
        """
        ground, copies = self.terrain(ctx.state), dict[Standing, int]()
        for who in newcomers if ground is not None else ():
            one = ctx.state[who]
            west = one.side == ctx.state.sides[0].id
            near = (0 if west or ground is None else ground.width - 1, 0 if ground is None else ground.height // 2)
            if isinstance(one.data, Standing) and one.data.squares:
                squares, number = one.data.squares, copies.get(one.data, 0)
                copies[one.data] = number + 1
                near = squares[min(number, len(squares) - 1)]
            square = self.free(ctx.state, near, int(getattr(one.block, "space", 1) or 1))
            if square is not None:
                ctx.emit(Moved(who, one.position, square), *rules)
