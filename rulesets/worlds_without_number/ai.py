"""What a combatant does where no person chooses for it.

It strikes or shoots what its best weapon is worth most against, goes for the second rank of its enemies only when
nobody of the first is free to stop it, gives first aid, and flees when its Morale has broken.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from msgspec import Struct
from msgspec.structs import replace

from rulesets.without_number.aftermath import TRIED
from rulesets.without_number.screen import Replies, first_legal
from rulesets.without_number.stats import grappling
from rulesets.without_number.turn import own_phase
from rulesets.worlds_without_number.actions.actions import ACTIONS
from rulesets.worlds_without_number.actions.fighting.strikes import ANY_USE
from rulesets.worlds_without_number.actions.fighting.weapons import empty, engaged
from rulesets.worlds_without_number.actions.windows import asked
from rulesets.worlds_without_number.stat_blocks.models import Monster, Use, Weapon
from rulesets.worlds_without_number.stats.attack import Attack, best_skill, damage_parts, skill_parts
from rulesets.worlds_without_number.stats.shock import shock_parts
from rulesets.worlds_without_number.stats.stats import (
    able,
    allies,
    armor_class,
    bare_handed,
    best_attribute,
    block,
    level,
)
from tracker.core.fight.cache import per_fields, per_state
from tracker.core.fight.slots import Id
from tracker.core.fight.state import Combatant, State
from tracker.core.terms.actions import Action, action
from tracker.core.terms.requests import Answer, Choice, ChoiceAnswer, Request, Window
from tracker.core.terms.tactics import Aim, Tactics, ranked

DIE = 20
ANY_AC = 99
IN_MELEE = -4
USUAL_CHANCE = 0.5
HURT = 3
"""Who has a third of its points left is badly hurt."""


class AttackEstimate(Struct, frozen=True, gc=False):
    """What one use of a weapon adds, deals, and threatens on a miss."""

    arm: Weapon
    use: Use
    adds: int
    mean: float
    blows: int
    shock: int = 0
    rating: int = 0


class TargetDefences(Struct, frozen=True, gc=False):
    """What an attack on a combatant depends on, its points aside, and its threat."""

    ac: dict[Use, int]
    prone: bool
    immune: bool
    threat: float


class Group(Struct, frozen=True, gc=False):
    """A foe and its equals, their points, and how many beset each of them."""

    foe: Id
    alike: tuple[Id, ...]
    left: int
    full: int
    beset: int
    defences: TargetDefences


def policy(state: State, who: Id, tactics: Tactics) -> Action | None:
    """Return what a combatant does now, None where it has nothing left to do.

    Without a Main only those move on whom something holds, and the cautious.
    """
    combatant = state[who]
    if not combatant.left("main") and not combatant.effects and tactics != "cautious":
        return None
    if not able(state, who) or not own_phase(state, who):
        return None
    return first_legal(ACTIONS, state, _choices(state, combatant, tactics))


def flees(state: State, who: Id) -> bool:
    """Tell whether a combatant has broken and stands in no melee (WN-C20)."""
    return state[who].has("broken") and not beset(state, who)


def _choices(state: State, combatant: Combatant, tactics: Tactics) -> Iterator[Action]:
    """Yield what it would do, the first possible one is done."""
    who = combatant.id
    main, move = combatant.left("main") > 0, combatant.left("move") > 0
    if not main and not move:
        return
    if combatant.has("broken"):
        yield from _away(state, combatant, main, move)
        return
    if main and combatant.has("grappled"):
        yield action("escape_grapple", who)
    if move and combatant.has("prone"):
        yield action("stand_up", who)
    withdraws = tactics == "cautious" and combatant.hp * HURT <= combatant.pool("hp").max
    if withdraws and beset(state, who) and _has_cover(state, who):
        yield from _away(state, combatant, main, move)
        return
    if move and combatant.has("withdrawn") and beset(state, who):
        yield action("run", who)
    if not main:
        return
    yield from _first_aid(state, who)
    for aim in ranked(_weighed(state, who), tactics):
        yield from aim.actions
    for arm in block(combatant).arms:
        if empty(combatant, arm) and not grappling(state, who):
            yield action("reload", who, weapon=arm.name)


def _away(state: State, combatant: Combatant, main: bool, move: bool) -> Iterator[Action]:
    """Yield the way out of a melee, with a Fighting Withdrawal if possible (WN-082)."""
    if not beset(state, combatant.id):
        return
    if main and move and not combatant.has("withdrawn"):
        yield action("fighting_withdrawal", combatant.id)
    if move:
        yield action("run", combatant.id)


def _has_cover(state: State, who: Id) -> bool:
    """Tell whether an ally who is better off goes on fighting."""
    return any(one.status == "up" and one.hp * HURT > one.pool("hp").max for one in allies(state, who))


def _first_aid(state: State, who: Id) -> Iterator[Action]:
    """Yield first aid by a side's best healer outside a melee (WN-C13)."""
    dying = [one for one in allies(state, who) if one.status == "mortal" and not one.has(TRIED)]
    if not dying or beset(state, who):
        return
    skill = level(block(state[who]), "heal")
    others = (one for one in allies(state, who) if able(state, one.id) and one.left("main") > 0)
    if skill >= 0 and all(level(block(one), "heal") <= skill or beset(state, one.id) for one in others):
        for patient in dying:
            yield action("stabilise", who, target=patient.id)


def beset(state: State, who: Id) -> tuple[Id, ...]:
    """Return the enemies who hold a combatant in a melee."""
    return tuple([other for other in engaged(state, who) if able(state, other) and not state[other].has("broken")])


def aims(state: State, who: Id, extra: int = 0, at: Id | None = None) -> Iterator[Aim]:
    """Yield every attack worth thinking of, with what it takes on average.

    `at`: only those on this foe and its equals.
    """
    for aim in _weighed(state, who, extra, at):
        for blow in aim.actions:
            yield replace(aim, action=blow, alike=())


def _weighed(state: State, who: Id, extra: int = 0, at: Id | None = None) -> Iterator[Aim]:
    """Yield every attack, weighed once against those who are equals.

    A combatant of the second rank stays there as long as it has anything to shoot with. Who is armed for a melee
    throws and shoots at nobody while in one.
    """
    met = beset(state, who)
    ways = _ways(state[who])
    foes = _foes(state, state[who].side)
    held = grappling(state, who)
    loads = {way.arm.name for way in ways if empty(state[who], way.arm)} if state[who].effects else ()
    grouped: dict[bool, list[Group]] = {}
    stays = not met and not held and _shoots(state[who])
    fights = bool(met) and any(way.use == "melee" and not bare_handed(way.arm) for way in ways)
    for way in ways:
        by_hand = way.use == "melee"
        if (held and not (by_hand and way.arm.natural)) or (not by_hand and met and way.arm.hands == 2):
            continue
        if stays if by_hand else fights:
            continue
        adds = way.adds + extra + (IN_MELEE if met and not by_hand else 0)
        if by_hand not in grouped:
            grouped[by_hand] = _groups(state, _reached(state, foes, met) if by_hand else foes)
        for one in grouped[by_hand]:
            if at is not None and at != one.foe and at not in one.alike:
                continue
            taken = _taken(way, adds, one.defences, one.left)
            if way.arm.name in loads:
                load = action("reload", who, weapon=way.arm.name)
                yield Aim(load, taken / 2, one.left, one.full, one.defences.threat)
                continue
            blow = Action(
                "melee_attack" if by_hand else "ranged_attack", who, (("target", one.foe), ("weapon", way.arm.name))
            )
            if not by_hand and met:
                blow = blow.put(in_melee=True)
            yield Aim(blow, taken, one.left, one.full, one.defences.threat, beset=one.beset, alike=one.alike)


def _groups(state: State, foes: Sequence[Combatant]) -> list[Group]:
    """Return foes by what an attack on them is worth, equals together."""
    found: dict[tuple[int, int, int, int, int], list[Combatant]] = {}
    for foe in foes:
        hp, eyes = foe.pool("hp"), len(engaged(state, foe.id)) if foe.facts else 0
        kind = (hp.now, hp.max, eyes, id(foe.block), id(foe.effects))
        if kind in found:
            found[kind].append(foe)
        else:
            found[kind] = [foe]
    return [
        Group(one.id, tuple([foe.id for foe in equals]), left, full, eyes, _defences(one))
        for (left, full, eyes, _, _), (one, *equals) in found.items()
    ]


def _taken(way: AttackEstimate, adds: int, defences: TargetDefences, left: int) -> float:
    """Return the points one action takes on average from a target with so many left."""
    by_hand, against = way.use == "melee", defences.ac[way.use]
    if defences.prone:
        adds += 2 if by_hand else -2
    faces = DIE + 1 - against + adds
    chance = 0.0 if faces <= 0 else 1.0 if faces >= DIE else faces / DIE
    shock = way.shock if by_hand and against <= way.rating and not defences.immune else 0
    hurt, grazed = (way.mean if way.mean < left else left), (shock if shock < left else left)
    return way.blows * (chance * hurt + (1 - chance) * grazed)


@per_fields("block", "effects")
def _defences(foe: Combatant) -> TargetDefences:
    ac = {use: armor_class(foe, use).value for use in ANY_USE}
    return TargetDefences(ac, foe.has("prone"), block(foe).shock_immune, threat(foe))


@per_state
def _foes(state: State, side: Id) -> tuple[Combatant, ...]:
    """Return a side's enemies who fight on, where there are any, else those who flee."""
    standing = [one for one in state.combatants if one.side != side and one.status == "up"]
    return tuple([one for one in standing if not one.has("broken")] or standing)


def _reached(state: State, foes: tuple[Combatant, ...], met: tuple[Id, ...]) -> tuple[Combatant, ...]:
    """Return whom a blow can be aimed at.

    In a melee its enemies (WN-080), else the first rank while one of it is free.
    """
    if met:
        return tuple(foe for foe in foes if foe.id in met) or foes
    first = tuple(foe for foe in foes if not _shoots(foe))
    free = any(not beset(state, foe.id) for foe in first)
    return first if free else foes


def _shoots(combatant: Combatant) -> bool:
    """Tell whether a combatant stands in the second rank: its first weapon is for shooting."""
    arm = block(combatant).arms[0]
    return "melee" not in arm.kind


@per_fields("block", "effects")
def threat(combatant: Combatant) -> float:
    """Return the points a combatant takes in a round, with an even chance to hit."""
    found = [way.mean * way.blows for way in _ways(combatant)]
    return USUAL_CHANCE * max(found, default=0.0)


@per_fields("block", "effects")
def _ways(combatant: Combatant) -> tuple[AttackEstimate, ...]:
    """Return every use of every weapon of a combatant."""
    stat_block = block(combatant)
    if isinstance(stat_block, Monster) and stat_block.attacks == 0:
        return ()
    return tuple(_estimate(combatant, arm, use) for arm in stat_block.arms if not arm.harmless for use in arm.kind)


def _estimate(combatant: Combatant, arm: Weapon, use: Use) -> AttackEstimate:
    stat_block = block(combatant)
    attribute, skill = best_attribute(stat_block, arm.attr), best_skill(stat_block, arm, use)
    attack = Attack(combatant.id, combatant.id, arm, use, attribute, skill)
    adds = sum(part.amount for part in skill_parts(combatant, attack))
    extra = sum(part.amount for part in damage_parts(combatant, attack))
    mean = max(1.0, sum(count * (sides + 1) / 2 for count, sides in arm.dmg.terms) + extra)
    blows = (arm.attacks or max(1, stat_block.attacks)) if isinstance(stat_block, Monster) else 1
    if arm.shock is None:
        return AttackEstimate(arm, use, adds, mean, blows)
    shock = sum(part.amount for part in shock_parts(combatant, attack))
    return AttackEstimate(arm, use, adds, mean, blows, shock, ANY_AC if arm.shock.ac is None else arm.shock.ac)


REPLIES = Replies(
    "use",
    ("target", "weapon", "in_melee"),
    threat,
    aims=lambda state, who, extra, at: [aim for aim in aims(state, who, extra, at) if aim.action.get("target") == at],
    asked=asked,
)


def reply(state: State, request: Request, tactics: Tactics) -> Answer | None:
    """Return the answer to a question, None where the usual one will do."""
    if isinstance(request, Choice) and request.key.rpartition("/")[2].startswith("morale:"):
        return ChoiceAnswer("check")
    return REPLIES.to(state, request, tactics) if isinstance(request, Window) else None
