"""What combatants do where nobody chooses for them: for the forecast, the sheet and the odds."""

from collections.abc import Iterator

from fifth_edition import blocks, places
from fifth_edition.actions import ACTIONS, helps, powers, swings
from fifth_edition.blocks import Power, ac, block, save_bonus
from fifth_edition.checks import DAMAGE, edge
from fifth_edition.places import MAP
from tracker import kit
from tracker.kit import Action, Aim, Id, State, Tactics, best, fields

ACTION_OF = {"action": "power", "bonus": "bonus_power", "legendary": "legendary"}


def policy(state: State, who: Id, tactics: Tactics) -> Action | None:
    """Return what a combatant does next: stand up, help the fallen, do the most harm, go where it can."""
    stand = Action("stand", who)
    if state[who].has("prone") and ACTIONS.accepts(state, stand):
        return stand
    return mend(state, who) or best(aims(state, who), tactics) or approach(state, who)


def mend(state: State, who: Id) -> Action | None:
    """Return how to bring a friend back to its feet, or to heal oneself."""
    fallen = [one.id for one in fields.allies(state, who, lambda one: one.status == "dying")]
    hurt = [who] if 2 * state[who].hp < state[who].pool("hp").max else []
    for power in powers(state, who, "bonus", "action"):
        if not power.heals.maximum:
            continue
        for target in hurt if power.targets == 0 else [*fallen, *hurt]:
            aimed = () if power.targets == 0 else (("targets", (target,)),)
            action = Action(ACTION_OF[power.cost], who, (("power", power.name), *aimed))
            if ACTIONS.accepts(state, action):
                return action
    return None


def aims(state: State, who: Id, *costs: str) -> Iterator[Aim]:
    """Yield everything that harms, each with what it takes on average."""
    costs = costs or ("action", "bonus")
    foes = [foe.id for foe in fields.foes(state, who)]
    for power in block(state, who).attacks if costs != ("legendary",) else ():
        if power.name in (left := swings(state, who)) or not left or "any" in left or power.cost == "bonus":
            for foe in foes:
                action = Action("attack", who, (("target", foe), ("weapon", power.name)))
                if ACTIONS.accepts(state, action):
                    yield aim(state, who, action, power, (foe,))
    for power in powers(state, who, *costs):
        if helps(power) or power.cost == "reaction":
            continue
        for targets in spots(state, who, power, foes):
            action = Action(ACTION_OF[power.cost], who, (("power", power.name), ("targets", targets)))
            if ACTIONS.accepts(state, action):
                yield aim(state, who, action, power, targets)


def spots(state: State, who: Id, power: Power, foes: list[Id]) -> Iterator[tuple[Id, ...]]:
    """Yield whom a power may be aimed at: each foe, or all in an area that catches no friend."""
    if power.shape is not None:
        yield from MAP.spots(state, who, power.shape, power.size, foes, power.shape == "circle" and not power.range)
    else:
        yield from ((foe,) * (power.targets if power.hit is not None else 1) for foe in foes)


def aim(state: State, who: Id, action: Action, power: Power, targets: tuple[Id, ...]) -> Aim:
    """Return what an action takes from those it is aimed at, on average."""
    taken = sum(expected(state, who, power, target) for target in targets)
    first, several = state[targets[0]], len(set(targets)) > 1
    left = max(first.hp, taken) if several else first.hp
    return Aim(action, taken, left, first.pool("hp").max, threat(state, first.id))


def expected(state: State, who: Id, power: Power, target: Id) -> float:
    """Return the points a power takes from a target on average."""
    harm = sum(dealt(state, target, hurt) for hurt in power.damage)
    under = sum(dealt(state, target, hurt) for hurt in power.extra)
    failing = 1.0
    if power.save is not None:
        failing = min(1.0, max(0.0, (power.dc - 1 - save_bonus(state, target, power.save).value) / 20))
    held = threat(state, target) * failing if power.condition in blocks.UNABLE else failing if power.condition else 0.0
    share = failing + (1 - failing) / 2 if power.half else failing
    if power.hit is None:
        return harm * share + held
    chance = min(0.95, max(0.05, (21 + power.hit - ac(state, target) - places.cover(state, who, target)) / 20))
    found = edge(state, who, target, power)
    chance = 1 - (1 - chance) ** 2 if found > 0 else chance**2 if found < 0 else chance
    return chance * (harm + under * share + held)


def dealt(state: State, target: Id, hurt: blocks.Hurt) -> float:
    harms = (kit.Harm(round(hurt.average * 10), hurt.kind),)
    return sum(part.amount for part in DAMAGE.through(state, target, harms)) / 10


@kit.per_state
def threat(state: State, who: Id) -> float:
    """Return the points a combatant does in a round on average, when half of its blows hit."""
    held = block(state, who)
    blows = [next((one for one in held.attacks if one.name == name), None) for name in held.multiattack or ("any",)]
    most = max((power.average for power in held.attacks), default=0.0)
    return sum((blow.average if blow is not None else most) / 2 for blow in blows)


def approach(state: State, who: Id) -> Action | None:
    one = state[who]
    if not (one.left("action") or one.left("attacks")) or not block(state, who).attacks:
        return None
    action = MAP.toward(state, who, [foe.id for foe in fields.foes(state, who)])
    return action if action is not None and ACTIONS.accepts(state, action) else None


def reply(state: State, request: kit.Request, tactics: Tactics) -> kit.Answer | None:
    """Return the answer to a window: strike at who leaves, guard, act at a turn's end."""
    if not isinstance(request, kit.Window):
        return None
    for offer in request.offers:
        if offer.by is None:
            continue
        whole = Action(offer.key, offer.by, tuple((one.name, one.default) for one in offer.fields if one.default))
        found = best(aims(state, offer.by, "legendary"), tactics) if offer.key == "legendary" else whole
        if found is not None:
            return kit.Responded((found,))
    return None


def unplayed(held: object) -> tuple[str, ...]:
    """Return what a stat block can do that the policy never does."""
    known = held.powers if isinstance(held, blocks.Being) else ()
    return tuple(power.name for power in known if helps(power) and not power.heals.maximum)
