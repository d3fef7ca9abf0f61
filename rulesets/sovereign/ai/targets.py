"""What each attack of a combatant would take from each enemy, from any place."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from msgspec import Struct
from msgspec.structs import replace

from rulesets.sovereign.stat_blocks.models import Arm, Fighter, Use
from rulesets.sovereign.stats import field
from rulesets.sovereign.stats.attack import Attack, at_hand, loaded, shock_parts, skill_parts
from rulesets.sovereign.stats.stats import armor_class, best_attribute, best_skill, block, enemies, modifier
from rulesets.without_number.screen import Replies
from rulesets.without_number.stats import MODIFIERS, effect_parts, grappling
from tracker.core.fight.cache import per_fields, per_object, per_state
from tracker.core.fight.slots import Id
from tracker.core.fight.state import Combatant, State
from tracker.core.terms.actions import Action
from tracker.core.terms.requests import Answer, Choice, ChoiceAnswer, Request, Window
from tracker.core.terms.tactics import Aim, Tactics, equals
from tracker.core.terms.values import Value
from tracker.kit.squares import sight
from tracker.kit.squares.grid import FEET, Body, distance

DIE = 20
ANY_AC = 99
PRONE = max(MODIFIERS["adjacent_prone"], MODIFIERS["shoot_distant_prone"])
USUAL_CHANCE = 0.5
COVER = {"none": 0, "half": MODIFIERS["half_cover"], "full": MODIFIERS["near_total_cover"]}


class AttackEstimate(Struct, frozen=True, gc=False):
    """What one use of a weapon adds, deals on average, and takes with a miss."""

    arm: Arm
    use: Use
    adds: int
    mean: float
    blows: int
    shock: int = 0
    rating: int = 0


def ways(combatant: Combatant) -> tuple[AttackEstimate, ...]:
    """Return every use of every weapon of a combatant."""
    for effect in combatant.effects:
        if effect.modifiers:
            return _affected(combatant)
    return _unaffected(combatant)


@per_fields("block", "effects")
def _affected(combatant: Combatant) -> tuple[AttackEstimate, ...]:
    return tuple(_estimate(combatant, arm, use) for arm in block(combatant).arms for use in arm.use)


@per_fields("block", "kind")
def _unaffected(combatant: Combatant) -> tuple[AttackEstimate, ...]:
    return _affected(replace(combatant, effects=()))


def _estimate(combatant: Combatant, arm: Arm, use: Use) -> AttackEstimate:
    stat_block = block(combatant)
    attribute, skill = best_attribute(stat_block, arm.attribute), best_skill(combatant, arm.skills_for(use))
    attack = Attack(combatant.id, combatant.id, arm, use, attribute, skill)
    adds = sum(part.amount for part in skill_parts(combatant, attack))
    mean = sum(count * (sides + 1) / 2 for count, sides in arm.damage.terms) + arm.damage.plus
    if arm.to_hit is None:
        mean += arm.magic + arm.damage_bonus
        if stat_block.trained:
            mean += modifier(stat_block, attribute) + (stat_block.level_of("brawl") if use == "unarmed" else 0)
    mean += sum(part.amount for part in effect_parts(combatant, "damage"))
    blows = max(1, stat_block.multiattack)
    if arm.shock is None or not at_hand(use):
        return AttackEstimate(arm, use, adds, max(1.0, mean), blows)
    shock = max(0, sum(part.amount for part in shock_parts(combatant, attack)))
    return AttackEstimate(
        arm, use, adds, max(1.0, mean), blows, shock, ANY_AC if arm.shock.ac is None else arm.shock.ac
    )


def threat(combatant: Combatant) -> float:
    """Return the points a combatant takes in a round, with an even chance to hit."""
    return _threat(ways(combatant))


@per_object
def _threat(known: tuple[AttackEstimate, ...]) -> float:
    return USUAL_CHANCE * max((way.mean * way.blows for way in known), default=0.0)


def _mean(way: AttackEstimate, adds: int, against: int, left: int, shock: int) -> float:
    """Return the points its blows take on average from what is left."""
    chance = min(1.0, max(0.0, (DIE + 1 - against + adds) / DIE))
    return way.blows * (chance * min(way.mean, left) + (1 - chance) * min(shock, left))


def shoots(combatant: Combatant) -> bool:
    """Tell whether a combatant fights from afar: its first weapon is for shooting."""
    return _shoots(block(combatant))


@per_object
def _shoots(stat_block: Fighter) -> bool:
    return not stat_block.arms[0].close


@per_state
def foes(state: State, side: Id) -> tuple[Combatant, ...]:
    """Return a side's enemies who fight on, or those who retreat if all do."""
    member = next((one.id for one in state.combatants if one.side == side), None)
    standing = [] if member is None else [one for one in enemies(state, member) if one.status == "up"]
    return tuple([one for one in standing if not one.has("retreating")] or standing)


@per_state
def met(state: State, who: Id) -> tuple[Id, ...]:
    """Return the enemies who hold a combatant in a melee."""
    return field.beside(state, who, lambda other: other.status == "up" and not other.has("retreating"))


def beset(state: State, foe: Id, tactics: Tactics) -> int:
    """Return how many hold a foe in a melee, which only a side that spreads its attacks asks."""
    return len(met(state, foe)) if tactics == "spread" else 0


def aims(state: State, who: Id, extra: int = 0, at: Id | None = None, tactics: Tactics = "focused") -> Iterator[Aim]:
    """Yield every attack possible from here, with what it takes on average.

    Who is armed for a melee throws and shoots at nobody while in one. `at`: only the attacks on this one.
    """
    combatant = state[who]
    held, close, own = grappling(state, who), met(state, who), ways(combatant)
    others = foes(state, combatant.side)
    here = field.place_of(state, combatant)
    reached = others if here is not None else _reached(state, others, close)
    if at is not None:
        reached, others = [foe for foe in reached if foe.id == at], tuple([foe for foe in others if foe.id == at])
    fights = bool(close) and any("melee" in way.arm.use for way in own)
    far = _alike(state, others, here)
    near = far if reached is others else _alike(state, reached, here)
    known: dict[Id, tuple[int, int, float, int]] = {}
    for way in own:
        by_hand = at_hand(way.use)
        if held and not (by_hand and (way.arm.natural or way.use == "unarmed")):
            continue
        if not by_hand and (fights or not loaded(combatant, way.arm)):
            continue
        if not by_hand and close and way.use == "ranged" and way.arm.hands == 2:
            continue
        if by_hand and here is None and not close and shoots(combatant):
            continue
        key = "attack_melee" if by_hand else "attack_ranged"
        use: tuple[tuple[str, Value], ...] = (("use", way.use),) if len(way.arm.use) > 1 else ()
        for foe, *others_alike in near if by_hand else far:
            taken = taken_from(state, combatant, way, foe, here, bool(close), extra)
            if taken > 0:
                if foe.id not in known:
                    known[foe.id] = foe.hp, foe.pool("hp").max, threat(foe), beset(state, foe.id, tactics)
                left, full, danger, held_by = known[foe.id]
                blow = Action(key, who, (("target", foe.id), *use, ("weapon", way.arm.name)))
                alike = tuple([other.id for other in others_alike])
                yield Aim(blow, taken, left, full, danger, beset=held_by, alike=alike)


def _alike(state: State, others: Sequence[Combatant], here: Body | None) -> Sequence[Sequence[Combatant]]:
    """Return foes, equals together where they are a crowd and no map tells them apart."""
    if here is not None:
        return [(foe,) for foe in others]
    return equals(others, lambda foe: (id(foe.block), foe.pools, foe.effects, _met(state, foe)))


def _met(state: State, foe: Combatant) -> int:
    """Return how many hold a foe in a melee.

    Nobody holds one that has met none and stands nowhere.
    """
    return len(met(state, foe.id)) if foe.facts or foe.position is not None else 0


def taken_from(
    state: State,
    combatant: Combatant,
    way: AttackEstimate,
    foe: Combatant,
    here: Body | None,
    crowded: bool,
    extra: int = 0,
) -> float:
    """Return the points an attack takes on average, 0 where it is impossible."""
    by_hand = at_hand(way.use)
    adds = way.adds + extra + (MODIFIERS["one_handed_in_melee"] if crowded and not by_hand else 0)
    there = None if here is None else field.place_of(state, foe)
    near = True
    if here is not None and there is not None:
        feet = distance(here, there)
        near = feet <= FEET
        if by_hand and feet > way.arm.reach:
            return 0.0
        if not by_hand and way.arm.range is not None:
            if feet > way.arm.range[1]:
                return 0.0
            adds += MODIFIERS["long_range"] if feet > way.arm.range[0] else 0
        ground = field.terrain(state)
        if ground is not None:
            if not sight.sight(ground, here, there):
                return 0.0
            adds += COVER[sight.cover(ground, here, there, block(combatant).size_ft[2])]
    if foe.has("prone"):
        adds += MODIFIERS["adjacent_prone"] if by_hand or near else MODIFIERS["shoot_distant_prone"]
    if combatant.has("prone") and by_hand:
        adds += MODIFIERS["melee_while_prone"]
    against = _armor(foe)
    return _mean(way, adds, against, foe.hp, way.shock if against <= way.rating else 0)


@per_fields("block", "effects")
def _armor(combatant: Combatant) -> int:
    return armor_class(combatant).value


def _reached(state: State, others: Sequence[Combatant], close: Sequence[Id]) -> Sequence[Combatant]:
    """Return whom a blow can be aimed at without a map.

    In a melee its enemies, else the first rank while one of it is free.
    """
    if close:
        return [foe for foe in others if foe.id in close] or others
    first = [foe for foe in others if not shoots(foe)]
    return first if any(not met(state, foe.id) for foe in first) else others


REPLIES = Replies("veterans_luck", ("target", "weapon", "use"), threat, aims, asked=lambda state, who: True)


def reply(state: State, request: Request, tactics: Tactics) -> Answer | None:
    """Return the answer to a question, None where the usual one will do."""
    if isinstance(request, Choice):
        _, _, asked = request.key.rpartition("/")[2].partition("morale:")
        return None if not asked or tactics == "ruthless" else ChoiceAnswer(_morale(state, asked.partition("~")[0]))
    return REPLIES.to(state, request, tactics) if isinstance(request, Window) else None


def _morale(state: State, asked: str) -> str:
    """Return what a creature or a group does, by the points both sides have left."""
    who = asked if asked in state else _member(state, asked.removeprefix("group:"))
    if who is None:
        return "fight_on"
    against = enemies(state, who)
    ours = sum(one.hp for one in state.combatants if one.status == "up" and one not in against)
    theirs = sum(one.hp for one in against if one.status == "up")
    return "flee" if theirs > ours else "fight_on"


def _member(state: State, group: str) -> Id | None:
    """Return a standing member of a group, or of the side it is called after."""
    for one in state.combatants:
        if one.status == "up" and group in (getattr(one.block, "group", ""), state.side_of(one.id).name):
            return one.id
    return None
