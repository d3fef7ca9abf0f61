"""What a combatant does where no person chooses for it.

A PC takes up a stance (the strongest Pursuit, the others Defend), helps the dying, tears loose what eats its armour,
and attacks with the weapon that takes most. A monster turns to the PCs as their stances draw it, uses an area special
on two or more, and otherwise the mode that marks most boxes.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from typing import cast

from rulesets.githack.actions.actions import MONSTERS, PCS
from rulesets.githack.stat_blocks.models import PC, STANCES, Ability, Mode, Monster, Special, Weapon
from rulesets.githack.stats import stats
from tracker.core.fight.cache import per_fields, per_object
from tracker.core.fight.slots import Id
from tracker.core.fight.state import Combatant, State
from tracker.core.terms.actions import Action, action
from tracker.core.terms.dice import Dice
from tracker.core.terms.requests import Answer, Choice, ChoiceAnswer, Request, Responded, Window
from tracker.core.terms.tactics import Aim, Tactics, equals, ranked
from tracker.kit.actions import ActionTable

DIE = 20
EMPTY = "."
USUAL_AC, USUAL_SCORE = 2, 11
CROSS, RIDER = 3, 0.5
"""From how far above AC a die makes a cross; what a rider adds to the boxes an attack marks."""
ALONE = 4
"""The attention of a PC without a stance."""
RULED = ("paralysed", "stuck")
"""Effects of specials that have rules."""
HURT = 0.6
"""The share of marked boxes from which the cautious give up Pursuit."""


def unplayed(block: object) -> tuple[str, ...]:
    """Return what a stat block can do that the forecast leaves out."""
    if isinstance(block, PC):
        return ("the stances Flank, Talk, Observe and Device",)
    if not isinstance(block, Monster):
        return ()
    own = (*block.specials, *(special for mode in block.attacks for special in mode.specials))
    alone = any(one.when == "instead_of_attack" and not one.area for one in block.specials) and block.attacks
    words = any(stats.lasting(one) not in ("", *RULED) for one in own)
    texts = ("specials in place of an attack, at one target",) if alone else ()
    return (*texts, "effects of specials that are words") if words else texts


def policy(state: State, who: Id, tactics: Tactics) -> Action | None:
    combatant = state[who]
    if not combatant.left("main") or combatant.status in ("dead", "gone"):
        return None
    slot = state.clock.current
    if slot is None or who not in slot.members:
        return None
    if stats.is_pc(combatant):
        return _first(PCS, state, _pc(state, combatant, tactics))
    return _first(MONSTERS, state, _monster(state, combatant, tactics))


def _first(table: ActionTable, state: State, choices: Iterable[Action]) -> Action | None:
    return next((wanted for wanted in choices if table.accepts(state, wanted)), None)


def _pc(state: State, combatant: Combatant, tactics: Tactics) -> Iterator[Action]:
    who = combatant.id
    if stats.rules(state).stances:
        yield from _stances(state, combatant, tactics)
    found = ranked(_attacks(state, combatant), tactics)
    mates = [one for one in stats.pcs(state) if one.id != who and one.side == combatant.side]
    for dying in (one for one in mates if stats.dying(one)):
        others = [one for one in mates if stats.acts(one) and one.left("main")]
        if all(stats.score(one, "wis") <= stats.score(combatant, "wis") for one in others):
            yield action("stabilise", who, ally=dying.id)
    for monster in stats.holders(state, who):
        if not found or found[0].taken < found[0].left:
            yield action("pull_off", who, monster=monster)
    for aim in found:
        yield from aim.actions


def _stances(state: State, combatant: Combatant, tactics: Tactics) -> Iterator[Action]:
    """Yield a stance, where the PC has none or the cautious are hurt (GH-204, GH-205)."""
    who, held = combatant.id, stats.stance(state, combatant.id)
    hurt = tactics == "cautious" and _marks(combatant) >= HURT * len(stats.harm(combatant))
    if held and STANCES[held].attack and not (hurt and held == "pursuit"):
        return
    strongest = [one for one in stats.pcs(state) if stats.acts(one) and one.side == combatant.side]
    strongest.sort(key=lambda one: -threat(one))
    first = combatant.id in [one.id for one in strongest[: (len(strongest) + 1) // 2]]
    pursues = not hurt and (tactics == "ruthless" or (first and tactics != "cautious"))
    weakest = max((one for one in strongest if one.id != who), key=_marks, default=None)
    defend = action("stance", who, stance="defend")
    if pursues:
        yield action("stance", who, stance="pursuit")
    if weakest is not None and not first:
        yield defend.put(ward=weakest.id)
    yield defend
    yield action("stance", who, stance="pursuit")


def _attacks(state: State, combatant: Combatant) -> list[Aim]:
    who, block = combatant.id, cast(PC, combatant.block)
    weapons = [
        (weapon.name, weapon.dice, stats.score(combatant, weapon.attack_with or block.attack_with))
        for weapon in stats.weapons(block)
    ]
    standing = [one for one in stats.monsters(state) if one.status == "up" and one.side != combatant.side]
    foes = [
        (one, one.pool("hp"), stats.ac(one), threat(one), tuple([other.id for other in others]))
        for one, *others in equals(standing, lambda one: (id(one.block), one.pools, one.effects, one.facts))
    ]
    return [
        Aim(_attack(who, foe.id, name), _blow(score, dice, armour, hp.now), hp.now, hp.max, danger, alike=alike)
        for name, dice, score in weapons
        for foe, hp, armour, danger, alike in foes
    ]


@lru_cache(maxsize=4096)
def _attack(who: Id, foe: Id, weapon: str) -> Action:
    return action("attack", who, target=foe, weapon=weapon)


@lru_cache(maxsize=2048)
def _blow(score: int, dice: Dice, armour: int, left: int) -> float:
    """Return the mean points of an attack: d20 and dice, less AC (GH-030)."""
    sums = dice.chances() if dice.terms else ((0, 1.0),)
    numbers = range(1, max(1, min(DIE, score)) + 1)
    taken = sum(chance * min(left, max(0, number + rolled - armour)) for number in numbers for rolled, chance in sums)
    return taken / DIE


def _marks(combatant: Combatant) -> int:
    harm = stats.harm(combatant)
    return len(harm) - harm.count(EMPTY)


def _monster(state: State, combatant: Combatant, tactics: Tactics) -> Iterator[Action]:
    who = combatant.id
    foes = [one for one in stats.pcs(state) if stats.in_fight(one) and one.side != combatant.side]
    standing = [one for one in foes if one.status == "up" and not one.has("hidden")]
    own = [one for one in stats.specials(state, who) if one.when == "instead_of_attack"]
    for special in own:
        if stats.uses_left(state, who, special) != 0 and (special.area or not stats.monster(state, who).attacks):
            targets = tuple(one.id for one in standing)
            if special.area and len(targets) > 1:
                yield action("special", who, special=special.name, targets=targets)
            elif targets and not stats.monster(state, who).attacks:
                yield action("special", who, special=special.name, targets=targets[:1])
    hosts = stats.hosts(state, who)
    met = [one for one in standing if one.id in hosts] or _noticed(state, standing, tactics) or foes
    yield from (aim.action for aim in ranked(_marking(combatant, met), tactics))


def _noticed(state: State, standing: list[Combatant], tactics: Tactics) -> list[Combatant]:
    """Return the PCs to whom a monster turns first, by their stances (GH-202); the ruthless turn to any."""
    if not stats.rules(state).stances or tactics == "ruthless":
        return standing
    ranks = {one.id: STANCES[held].priority if (held := stats.stance(state, one.id)) else ALONE for one in standing}
    first = min(ranks.values(), default=ALONE)
    return [one for one in standing if ranks[one.id] == first]


def _marking(combatant: Combatant, met: Sequence[Combatant]) -> Iterator[Aim]:
    who, targets = combatant.id, [(foe, _target(foe)) for foe in met]
    for mode in cast(Monster, combatant.block).attacks:
        for foe, (boxes, left, armour, danger) in targets:
            taken = _undefended(foe, mode.defence) * _boxes(mode, armour)
            yield Aim(_assault(who, foe.id, mode.name), taken, left, boxes, danger)


@lru_cache(maxsize=4096)
def _assault(who: Id, foe: Id, mode: str) -> Action:
    return action("attack", who, targets=(foe,), mode=mode)


@per_fields("block", "effects", "facts")
def _target(foe: Combatant) -> tuple[int, int, int, float]:
    boxes = len(stats.harm(foe))
    return boxes, max(1, boxes - _marks(foe)), stats.ac(foe), threat(foe)


def _undefended(foe: Combatant, ability: Ability | None) -> float:
    score = stats.score(foe, ability or cast(PC, foe.block).defend_with)
    return max(0.05, 1.0 if foe.has("paralysed") else 1 - min(DIE, score) / DIE)


def _boxes(mode: Mode, armour: int) -> float:
    """Return the boxes a mode marks where no defence succeeds (GH-044 to GH-047)."""
    known = _known_boxes(mode)
    if armour not in known:
        known[armour] = _boxes_of(mode, armour)
    return known[armour]


@per_object
def _known_boxes(mode: Mode) -> dict[int, float]:
    return {}


def _boxes_of(mode: Mode, armour: int) -> float:
    dice = [part.dice for part in mode.parts]
    dice += [special.dice for special in mode.specials if special.dice is not None and _replaces(special)]
    riders = sum(RIDER for special in mode.specials if special.effect or special.worsen or special.deep)
    return sum(_die(sides, armour) * count for one in dice for count, sides in one.terms) + riders


def _replaces(special: Special) -> bool:
    return special.when == "instead_of_damage"


def _die(sides: int, armour: int) -> float:
    return (max(0, sides - armour) + RIDER * max(0, sides - armour - CROSS + 1)) / sides


def threat(combatant: Combatant) -> float:
    return _threat(combatant.block)


@per_object
def _threat(block: object) -> float:
    if isinstance(block, PC):
        weapons: tuple[Weapon, ...] = block.weapons
        return max((_usual(block, weapon) for weapon in weapons), default=1.0)
    if isinstance(block, Monster):
        return max((_boxes(mode, USUAL_AC) for mode in block.attacks), default=RIDER)
    return 1.0


def _usual(block: PC, weapon: Weapon) -> float:
    score: int = getattr(block.scores, weapon.attack_with or block.attack_with, USUAL_SCORE)
    return _blow(score, weapon.dice, USUAL_AC, DIE)


def reply(state: State, request: Request, tactics: Tactics) -> Answer | None:
    """Return the answer to a question, None where the usual one will do.

    A defender strikes at the monster that attacks with what takes most; what Angst does is held for later.
    """
    if isinstance(request, Choice):
        held = any(option.key == "hold" for option in request.options)
        return ChoiceAnswer("hold") if held and request.default is None else None
    if not isinstance(request, Window):
        return None
    for spec in request.offers:
        if spec.key == "strike" and spec.by in state and request.actor in state:
            found = [aim for aim in _attacks(state, state[str(spec.by)]) if aim.action.get("target") == request.actor]
            best = max(found, key=lambda aim: aim.taken, default=None)
            weapon = None if best is None else best.action.get("weapon")
            return Responded((action("strike", spec.by, target=request.actor, weapon=weapon),))
    return None
