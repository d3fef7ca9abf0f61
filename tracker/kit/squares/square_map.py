"""A map of squares for a game: the ground, who can go where, who threatens what, areas and their targets.

    def terrain(state: State) -> Terrain | None:
        return read(state.setup.grid) if state.setup.grid else None      # `read`: a cached grid.read_terrain

    MAP = SquareMap(terrain, feet=lambda state, who: 30, arm=lambda state, who: 5)
    RULESET = Ruleset(..., schema=Schema(..., board="square"), map=MAP.rules())

    MAP.go(ctx, who, to)                     # by the cheapest way, for the action that moves
    MAP.caught(state, template)              # who is in an area, for an action that has one
    MAP.apart(state, who, target)            # feet between two combatants

Combatants are at `Combatant.position`, the north-west square of a footprint. What a game has other rules for is
one function: who bars the way, how large a footprint is, who may strike at a combatant that leaves a square.
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
"""So many moves away a way is still looked for, to say what it would cost."""
ALL_SHAPES: tuple[Shape, ...] = ("circle", "cone", "line")


def standing(state: State, who: Id) -> Body | None:
    """Return a combatant's footprint: its position, as many squares a side as its stat block's `space` says."""
    one = state.get(who)
    if one is None or one.position is None or len(one.position) != 2:
        return None
    return Body((int(one.position[0]), int(one.position[1])), int(getattr(one.block, "space", 1) or 1))


def crowd(state: State, who: Id) -> Crowd:
    """Return the combatants in the way: foes that are up bar it, and no move ends on another combatant's square."""
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
    """Return a terrain as the map pane draws it."""
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
    """Return the squares within so many feet of a body that it sees and that can be entered."""
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
        feet: how far a combatant can go now.
        arm: how far it strikes in melee, in feet; 0: it does not.
        body: its footprint; None: it is not on the map.
        crowd: combatants that bar its way, slow it, or are where it cannot end.
        provokes: who may strike at a combatant that goes from one place to the next.
        shapes: the forms of areas that the game has.
        go_to: the action by which a combatant goes to a square, for what it can do by going there first.
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
        """Return what the program's map asks, for `Ruleset.map`."""
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

    # -- what the map asks -----------------------------------------------------------------------------------------

    def board(self, state: State) -> Board | None:
        """Return the ground as it is drawn, or None where a fight has no map."""
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
        """Return a cheapest way to a square with the foes it provokes, and why it is too far; None: there is none."""
        ground, here = self.terrain(state), self.body(state, who)
        if ground is None or here is None or not ground.passable(to):
            return None
        around_it, limit = self.crowd(state, who), self.feet(state, who)
        found = route(ground, around_it, here, to, MOVES * max(limit, FEET))
        if found is None:
            return Trail(refusal=Refusal("too_far", "no way there that is short enough"), limit=limit)
        cost = cost_of(ground, around_it, here, found)
        if not isinstance(cost, int):
            return Trail(found, refusal=Refusal(cost.reason, cost.text), limit=limit)
        too_far = Refusal("too_far", f"the way costs {cost} feet, {limit} at most") if cost > limit else None
        strikers, struck = self.struck(state, who, found)
        return Trail(found, cost, strikers, too_far, limit, struck)

    def threat(self, state: State, who: Id) -> tuple[Square, ...]:
        """Return the squares on which a combatant could strike another one."""
        ground, here, arm = self.terrain(state), self.body(state, who), self.arm(state, who)
        return () if ground is None or here is None or not arm else around(ground, here, arm)

    def sight(self, state: State, who: Id, target: Id) -> str:
        """Say how a combatant sees a target: its cover, or no line of sight."""
        ground, here, there = self.terrain(state), self.body(state, who), self.body(state, target)
        if ground is None or here is None or there is None:
            return ""
        if not lines.sight(ground, here, there):
            return "no line of sight"
        cover = lines.cover(ground, here, there)
        return "no cover" if cover == "none" else f"{cover} cover"

    def gauge(self, state: State, one: Square, other: Square) -> str:
        """Say how far apart two squares are, and whether they see each other."""
        ground = self.terrain(state)
        words = f"{distance(Body(one), Body(other))} ft"
        seen = ground is None or lines.sight(ground, Body(one), Body(other))
        return words if seen else f"{words} · no line of sight"

    def area(self, state: State, template: Template) -> tuple[Square, ...]:
        """Return the squares of an area that are seen from its corner or its combatant."""
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
        """Return how a combatant can strike at a target: at once, or from the nearest place it can go to."""
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
        """Return the move that brings a combatant into reach of the nearest of these, or else closer, for a policy."""
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

    # -- what a game's own actions ask ----------------------------------------------------------------------------

    def apart(self, state: State, who: Id, target: Id) -> int | None:
        """Return the feet between two combatants, None where one of them is not on the map."""
        here, there = self.body(state, who), self.body(state, target)
        return None if here is None or there is None else distance(here, there)

    def near(self, state: State, who: Id, target: Id, feet: int = FEET) -> bool:
        """Tell whether two combatants are known to be within so many feet of one another."""
        apart = self.apart(state, who, target)
        return apart is not None and apart <= feet

    def beyond(self, state: State, who: Id, target: Id, feet: int, what: str, rule: str = "") -> Refusal | None:
        """Refuse a target that is farther than so many feet or not in sight; without a map nobody is."""
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

        `around`: it is a circle around the combatant itself. Without a map each foe is caught alone.
        """
        found: dict[tuple[Id, ...], None] = {}
        for foe in foes:
            at = self.body(state, who if around else foe)
            if at is None:
                found[(foe,)] = None
                continue
            caught = self.caught(state, Template(shape, None if shape == "circle" else who, at.at, size))
            up = tuple(one for one in caught if one != who and state[one].status == "up")
            if up and all(state[one].side != state[who].side for one in up):
                found[up] = None
        return tuple(found)

    def caught(self, state: State, template: Template) -> tuple[Id, ...]:
        """Return the combatants with a square in an area, in order of joining."""
        squares = frozenset(self.area(state, template))
        bodies = [(one.id, self.body(state, one.id)) for one in state.combatants]
        return tuple(who for who, body in bodies if body is not None and not squares.isdisjoint(footprint(body)))

    def struck(self, state: State, who: Id, path: Sequence[Square]) -> tuple[tuple[Id, ...], tuple[Square, ...]]:
        """Return who may strike at a combatant on its way, and the squares on which it is struck at."""
        here, found, squares = self.body(state, who), dict[Id, None](), list[Square]()
        if here is None:
            return (), ()
        for at in path:
            there = Body(at, here.space)
            if strikers := self.provokes(state, who, here, there):
                squares.append(here.at)
                found.update(dict.fromkeys(strikers))
            here = there
        return tuple(found), tuple(squares)

    def go(
        self,
        ctx: Ctx,
        who: Id,
        to: Square,
        *rules: str,
        leaving: Callable[[Square], bool] | None = None,
    ) -> tuple[Square, ...]:
        """Move a combatant to a square by the cheapest way, and return the way it has gone; () where there is none.

        `leaving` is called wherever it is struck at, on the square it is about to leave, with the next one; it opens
        the window for those strikes, and the way ends there if it returns False. How far a combatant may go is for the
        form to say: a move that has been paid is over there already.
        """
        ground, here = self.terrain(ctx.state), self.body(ctx.state, who)
        if ground is None or here is None:
            return ()
        way = route(ground, self.crowd(ctx.state, who), here, to, UNBOUND) or ()
        gone = 0
        for number, at in enumerate(way):
            there = Body(at, here.space)
            if leaving is not None and self.provokes(ctx.state, who, here, there):
                self._step(ctx, who, way[gone:number], rules)
                gone = number
                if not leaving(at) or who not in ctx.state or self.body(ctx.state, who) != here:
                    return way[:gone]
            here = there
        self._step(ctx, who, way[gone:], rules)
        return way

    def _step(self, ctx: Ctx, who: Id, way: Sequence[Square], rules: Sequence[str]) -> None:
        if way:
            ctx.emit(Moved(who, ctx.state[who].position, way[-1], tuple(way)), *rules)

    def free(self, state: State, near: Square, space: int = 1) -> Square | None:
        """Return the square nearest to one on which a footprint of this size is free, None if there is none."""
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
        """Put newcomers on the squares their members name (`Standing`), one for each copy, for `join`.

        Those without one are placed at an edge, the first side in the west. Each gets the free square nearest to its
        own, or off the map where there is no room.
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
            found = self.free(ctx.state, near, int(getattr(one.block, "space", 1) or 1))
            if found is not None:
                ctx.emit(Moved(who, one.position, found), *rules)
