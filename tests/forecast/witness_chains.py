"""Exact chances of ten small fights, from the printed rules alone.

Nothing of the program is used: a state is a tuple, its chances are plain dictionaries, and a fight is an absorbing
Markov chain of rounds that is followed until less than one fight in a thousand million is still open.

`python -m tests.forecast.tables 20000` writes the tables of `docs/forecast.md`: what 20,000 fights of the program show
beside what is computed here.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import permutations, product
from typing import TypeAlias

Points: TypeAlias = tuple[int, ...]
"""What each combatant has left: the heroes, then their foe."""
Losses: TypeAlias = Mapping[int, float]
"""How likely an attack takes so many points."""
Orders: TypeAlias = Mapping[tuple[int, ...], float]
"""How likely the combatants act in an order."""

OPEN = 1e-9


# -- what all five games share -----------------------------------------------------------------------------------------


def rolls(*sides: int) -> dict[int, float]:
    """Return the chances of the sums of some dice."""
    found: dict[int, float] = {}
    for faces in product(*[range(1, each + 1) for each in sides]):
        total = sum(faces)
        found[total] = found.get(total, 0.0) + 1 / _product(sides)
    return found


def _product(sides: Iterable[int]) -> int:
    many = 1
    for each in sides:
        many *= each
    return many


def decided(points: Points) -> bool:
    *heroes, foe = points
    return foe <= 0 or all(each <= 0 for each in heroes)


def struck(points: Points, target: int, losses: Losses) -> Iterator[tuple[Points, float]]:
    for loss, chance in losses.items():
        left = max(0, points[target] - loss)
        yield (*points[:target], left, *points[target + 1 :]), chance


Strike: TypeAlias = Callable[[Points, int], Iterator[tuple[Points, float]]]
"""What becomes of a state when a combatant has its turn."""
Round: TypeAlias = Callable[[Mapping[Points, float], tuple[int, ...]], dict[Points, float]]
"""The chances of all states after a round with an order."""
Defended: TypeAlias = tuple[tuple[Points, tuple[int, ...]], float]
"""A state, those in Total Defense or with their Main left, and how likely both are."""


def turn_by_turn(strike: Strike) -> Round:
    """Return the rounds in which each in the order has its turn."""

    def round_of(open_: Mapping[Points, float], order: tuple[int, ...]) -> dict[Points, float]:
        now = dict(open_)
        for actor in order:
            after: dict[Points, float] = {}
            for points, chance in now.items():
                idle = decided(points) or points[actor] <= 0
                for then, share in [(points, 1.0)] if idle else strike(points, actor):
                    after[then] = after.get(then, 0.0) + chance * share
            now = after
        return now

    return round_of


def with_defence(
    start: tuple[int, ...],
    ways: Callable[[Points, tuple[int, ...], int, tuple[int, ...]], Iterator[Defended]],
) -> Round:
    """Return the rounds of a game in which a combatant defends itself with its Main.

    `start`: the combatants that are told apart when a round begins. `ways` yields the results of the turn at a place of
    an order.
    """

    def round_of(open_: Mapping[Points, float], order: tuple[int, ...]) -> dict[Points, float]:
        now: dict[tuple[Points, tuple[int, ...]], float] = {(points, start): chance for points, chance in open_.items()}
        for place in range(len(order)):
            after: dict[tuple[Points, tuple[int, ...]], float] = {}
            for (points, marked), chance in now.items():
                ended = decided(points)
                for then, part in [((points, marked), 1.0)] if ended else ways(points, marked, place, order):
                    after[then] = after.get(then, 0.0) + chance * part
            now = after
        found: dict[Points, float] = {}
        for (points, _), chance in now.items():
            found[points] = found.get(points, 0.0) + chance
        return found

    return round_of


def ends_of(start: Points, orders: Orders, round_of: Round, anew: bool) -> dict[Points, float]:
    """Return the chance of each end; the order is rolled once, or anew in each round."""
    ends: dict[Points, float] = {}
    begun = [{order: 1.0} for order in orders]
    for fixed, weight in ((orders, 1.0),) if anew else zip(begun, orders.values(), strict=True):
        open_: dict[Points, float] = {start: weight}
        while sum(open_.values()) > OPEN:
            after: dict[Points, float] = {}
            for order, share in fixed.items():
                for points, chance in round_of(open_, order).items():
                    found = ends if decided(points) else after
                    found[points] = found.get(points, 0.0) + share * chance
            open_ = after
    return ends


def told(ends: Mapping[Points, float]) -> tuple[float, ...]:
    """Return the chance that the heroes win, then each hero's to fall."""
    heroes = len(next(iter(ends))) - 1
    won = sum(chance for points, chance in ends.items() if points[-1] <= 0)
    falls = [sum(chance for points, chance in ends.items() if points[who] <= 0) for who in range(heroes)]
    return (won, *falls)


def duelling(hero: Losses, foe: Losses, share: Callable[[int], float]) -> Strike:
    """Return turns in which the heroes strike the foe, and it the hero of whom it takes the greatest share."""

    def strike(points: Points, actor: int) -> Iterator[tuple[Points, float]]:
        last = len(points) - 1
        if actor < last:
            return struck(points, last, hero)
        standing = [who for who in range(last) if points[who] > 0]
        return struck(points, max(standing, key=lambda who: share(points[who])), foe)

    return strike


def of_mean(mean: float) -> Callable[[int], float]:
    """Return the share that an attack of that mean takes of what is left; of equals the first is struck."""
    return lambda left: min(mean, left) / left


def sides_roll(heroes: int, first: float) -> Orders:
    """Return the two orders of sides, the heroes first with a chance."""
    own, foe = tuple(range(heroes)), (heroes,)
    return {(*own, *foe): first, (*foe, *own): 1 - first}


# -- Worlds Without Number (WN-003, WN-011, WN-013, WN-048, WN-075, WN-106, WN-140, WN-C10) -----


def d20(adds: int, armor: int, damage: Mapping[int, float], shock: int = 0) -> dict[int, float]:
    """Return the losses by an attack: d20 and a bonus reach AC, or the miss does Shock."""
    hit = sum(1 for face in range(1, 21) if face + adds >= armor) / 20
    found = {shock: 1 - hit}
    for total, chance in damage.items():
        found[total] = found.get(total, 0.0) + hit * chance
    return found


def worlds_without_number(heroes: int) -> tuple[float, ...]:
    """Heroes of 8 points, AC 13, +2, 1d6, Shock 1/15; a foe of AC 14, +4, 1d8, with 8 points, or 16 against two.

    A hero that has its Main left answers a hit. One that an average hit could fell turns a hit that is above its AC by
    less than two into a miss: Total Defense. At a foe with one point left, which even a miss fells by its Shock, a Snap
    Attack comes before the harm. Both cost the Main.
    """
    foe = heroes
    own, harm, mean = d20(2, 14, rolls(6), shock=1), rolls(8), 4.5
    first = sum(1 for one, other in product(range(1, 9), repeat=2) if one >= other) / 64  # file order breaks ties
    share = of_mean(mean)

    def strike(points: Points, ready: tuple[int, ...]) -> Iterator[Defended]:
        """Yield what a turn of the foe leads to, and who has its Main left."""
        standing = [who for who in range(heroes) if points[who] > 0]
        target = max(standing, key=lambda who: share(points[who]))
        snaps = next((who for who in ready if points[who] > 0 and points[foe] == 1), None)
        answers = 2 if target in ready and points[target] <= mean else 0  # hits by less than two are turned
        yield (points, ready), 8 / 20
        if answers:
            yield (points, tuple(who for who in ready if who != target)), answers / 20
        if snaps is not None:
            yield ((*points[:foe], 0), tuple(who for who in ready if who != snaps)), (12 - answers) / 20
        else:
            for then, chance in struck(points, target, harm):
                yield (then, ready), chance * (12 - answers) / 20

    def ways(points: Points, ready: tuple[int, ...], place: int, order: tuple[int, ...]) -> Iterator[Defended]:
        actor = order[place]
        if actor == foe:
            yield from strike(points, ready)
        elif points[actor] > 0 and actor in ready:
            left = tuple(who for who in ready if who != actor)
            yield from (((then, left), part) for then, part in struck(points, foe, own))
        else:
            yield (points, ready), 1.0

    round_of = with_defence(tuple(range(heroes)), ways)
    return told(ends_of((8,) * heroes + (8 * heroes,), sides_roll(heroes, first), round_of, anew=False))


# -- Sovereign (SV-030, SV-036, SV-089, SV-090, SV-116, SV-133, SV-177, SV-P08) ----------------------------------------


def sovereign(heroes: int) -> tuple[float, ...]:
    """Heroes of 9 points, AC 14, +3, 1d6, Shock 3/13; a foe of AC 15, +4, 1d8+1, Shock 2/13.

    Their Shock is for AC 13 at most, but a hit does at least as much. A combatant that has its Main left and could be
    felled by an average hit turns one that is above its AC by less than two into a miss: Total Defense, for its Main.
    """
    foe = heroes
    first = sum(1 for one, other in product(range(1, 9), repeat=2) if one > other) / 64  # the GM wins ties
    hero_dice = {max(3, total): 0.0 for total in range(1, 7)}
    for total, chance in rolls(6).items():
        hero_dice[max(3, total)] += chance
    foe_dice = {total + 1: chance for total, chance in rolls(8).items()}
    share = of_mean(5.5)

    def turns(points: Points, actor: int, waiting: tuple[int, ...], defending: tuple[int, ...]) -> Iterator[Defended]:
        adds, dice, armor, mean = (4, foe_dice, 14, 5.5) if actor == foe else (3, hero_dice, 15, 3.5)
        standing = [who for who in range(heroes) if points[who] > 0]
        target = max(standing, key=lambda who: share(points[who])) if actor == foe else foe
        # A total below AC misses; one by less than two above it may be turned into a miss, if the target does not yet
        # defend itself, which makes AC two higher.
        misses = min(20, max(0, armor + 2 * (target in defending) - adds - 1))
        turned = target in waiting and target not in defending and points[target] <= mean
        answers = min(20, max(0, armor + 1 - adds)) - misses if turned else 0
        yield (points, defending), misses / 20
        if answers:
            yield (points, (*defending, target)), answers / 20
        for then, chance in struck(points, target, dice):
            yield (then, defending), chance * (20 - misses - answers) / 20

    def ways(points: Points, defending: tuple[int, ...], place: int, order: tuple[int, ...]) -> Iterator[Defended]:
        if points[order[place]] <= 0 or order[place] in defending:
            yield (points, defending), 1.0
        else:
            yield from turns(points, order[place], order[place + 1 :], defending)

    round_of = with_defence((), ways)
    return told(ends_of((9,) * heroes + (12 * heroes,), sides_roll(heroes, first), round_of, anew=False))


# -- Sword World (SW-012, SW-019, SW-104, SW-105, SW-121) --------------------------------------------------------------


def sword_world(heroes: int) -> tuple[float, ...]:
    """Heroes of 15 points, Evasion 2d+3, Defense 2, 2d+4 to hit, 2d+1; a foe of Evasion 11, Defense 3, 2d+5, 2d+3."""
    two = rolls(6, 6)
    hit = sum(chance for total, chance in two.items() if total + 4 > 11)
    own = _reduced(hit, {total + 1: chance for total, chance in two.items()}, 3)
    struck_by = sum(a * b for one, a in two.items() for other, b in two.items() if one + 5 > other + 3)
    foe = _reduced(struck_by, {total + 3: chance for total, chance in two.items()}, 2)
    reach = sum(chance for total, chance in two.items() if total + 2 >= 10)
    strike = duelling(own, foe, of_mean(8.0))
    orders = sides_roll(heroes, 1 - (1 - reach) ** heroes)
    return told(ends_of((15,) * heroes + (14 * heroes,), orders, turn_by_turn(strike), anew=False))


def _reduced(hit: float, damage: Mapping[int, float], defense: int) -> dict[int, float]:
    found = {0: 1 - hit}
    for total, chance in damage.items():
        taken = max(0, total - defense)
        found[taken] = found.get(taken, 0.0) + hit * chance
    return found


# -- Spelljammer (SJ-002, SJ-010, SJ-032 to SJ-037, T-1) ---------------------------------------------------------------


def spelljammer(heroes: int) -> tuple[float, ...]:
    """Heroes of 4 points, 60 less 10 to hit, 1d3; a foe of 5 points, 80 less 15, 1d4; nobody is slowed by wounds."""
    own = _percent(50, 8, 3)
    foe = _percent(65, 10, 4)
    orders: dict[tuple[int, ...], float] = {}
    for faces in product(range(1, 11), repeat=heroes + 1):
        order = tuple(sorted(range(heroes + 1), key=lambda who: (-faces[who], who)))
        orders[order] = orders.get(order, 0.0) + 10.0 ** -(heroes + 1)
    assert set(orders) == set(permutations(range(heroes + 1)))

    def share(left: int) -> float:
        return sum(chance * min(loss, left) for loss, chance in foe.items()) / left

    strike = duelling(own, foe, lambda left: min(1.0, share(left)))
    return told(ends_of((4,) * heroes + (5,), orders, turn_by_turn(strike), anew=True))


def _percent(chance: int, critical: int, sides: int) -> dict[int, float]:
    """Return the losses by an attack: up to `critical` doubled, up to the chance plain; armour plays no part."""
    found = {0: (100 - chance) / 100}
    for face in range(1, sides + 1):
        found[face] = found.get(face, 0.0) + (chance - critical) / 100 / sides
        found[2 * face] = found.get(2 * face, 0.0) + critical / 100 / sides
    return found


# -- GitHack (GH-008, GH-013, GH-017, GH-044 to GH-046, GH-116, GH-120 to GH-124) --------------------------------------


BOXES, TO_HIT, QUICK, WISE = 3, 12, 4, 12
"""A hero's CON, STR, DEX and WIS."""
OUT, DYING = 0, -1
"""What a hero who cannot act has left: nothing, stable or in danger of death."""


def githack(heroes: int) -> tuple[float, ...]:
    """Heroes with three boxes of Harm, AC 2, 1d6; a foe of AC 3, 1d4, 24 points, or 48 against two.

    A hero has left as many harms as turn the last of its ticks into a cross, and one more.
    """
    foe = heroes
    hit: dict[int, float] = {}
    for face, (die, chance) in product(range(1, 21), rolls(6).items()):
        loss = max(0, face + die - 3) if face <= TO_HIT else 0
        hit[loss] = hit.get(loss, 0.0) + chance / 20
    harmed = (1 - QUICK / 20) * 0.5  # of a d4, 3 and 4 are above AC 2 by one or two: a tick

    def strike(points: Points, actor: int) -> Iterator[tuple[Points, float]]:
        if actor == foe:
            return _harm(points, harmed)
        if DYING in points[:foe]:
            return _stabilised(points, points.index(DYING))
        return struck(points, foe, hit)

    orders: dict[tuple[int, ...], float] = {}
    for fast in product((True, False), repeat=heroes):
        order = (*[who for who in range(heroes) if fast[who]], foe, *[who for who in range(heroes) if not fast[who]])
        share = 1.0
        for each in fast:
            share *= QUICK / 20 if each else 1 - QUICK / 20
        orders[order] = orders.get(order, 0.0) + share
    return told(ends_of((2 * BOXES + 1,) * heroes + (24 * heroes,), orders, turn_by_turn(strike), anew=True))


def _harm(points: Points, harmed: float) -> Iterator[tuple[Points, float]]:
    """Mark a box of the hero with the fewest empty ones, and roll against CON where none is left."""
    *heroes, _ = points
    standing = [who for who, left in enumerate(heroes) if left > 0]
    target = min(standing, key=lambda who: max(1, points[who] - BOXES - 1))
    harms = min(2 * BOXES + 1 - points[target] + 1, 2 * BOXES)
    stays = 2 * BOXES + 1 - harms
    yield points, 1 - harmed
    if harms < BOXES:
        yield _put(points, target, stays), harmed
        return
    saved = BOXES / 20
    crosses = harms - BOXES
    yield _put(points, target, stays), harmed * saved
    yield _put(points, target, DYING if crosses > BOXES - crosses else OUT), harmed * (1 - saved)


def _stabilised(points: Points, ally: int) -> Iterator[tuple[Points, float]]:
    yield _put(points, ally, OUT), WISE / 20
    yield points, 1 - WISE / 20


def _put(points: Points, who: int, left: int) -> Points:
    return (*points[:who], left, *points[who + 1 :])


WITNESSES: Mapping[str, Callable[[int], tuple[float, ...]]] = {
    "githack": githack,
    "sovereign": sovereign,
    "spelljammer": spelljammer,
    "sword_world": sword_world,
    "worlds_without_number": worlds_without_number,
}
