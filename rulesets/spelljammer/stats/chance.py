"""The modified strike chance of an attack, with its parts (T-3)."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

from rulesets.spelljammer.stat_blocks.facts import Act
from rulesets.spelljammer.stat_blocks.models import Weapon
from rulesets.spelljammer.stat_blocks.tables import (
    AMBUSH,
    COVER,
    ENCUMBERED,
    LIGHTING,
    MOVEMENT,
    RANGED_IN_MELEE,
    SIZES,
)
from rulesets.spelljammer.stats import stats
from tracker.core.fight.slots import Id
from tracker.core.fight.state import FIGHT, State
from tracker.core.terms.derived import Derived, Part


class Options(Struct, frozen=True):
    """What the form of an attack says beyond weapon and target.

    None and -1: as the state has it.
    """

    surprise: Literal["none", "in_combat", "out_of_combat"] = "none"
    lighting: str = ""
    unseen: Literal["none", "target", "attacker", "both"] = "none"
    cover: Literal["none", "soft", "hard"] = "none"
    target_movement: str = ""
    attackers: int = -1
    friends: int = -1
    opponents: int = -1
    modifier: int = 0
    offhand: bool = False
    free: bool = False

    def strayed(self) -> Options:
        """Return what still counts where another target is struck than was typed."""
        return Options(lighting=self.lighting, modifier=self.modifier, offhand=self.offhand, free=self.free)


STRUCK = "struck_by:"
"""Begins the fact by which a target knows who has struck at it in this round."""


def usual_movement(state: State, who: Id) -> str:
    """Return how a target of shots moves, for the whole round (A-23)."""
    declared = stats.declaration(state, who)
    if state[who].has("no_movement") or state[who].has("careful_aim"):
        return "stationary"
    modes = {"run": "running", "run_then_act": "running", "sprint": "sprinting", "fast_sprint": "fast_sprinting"}
    return modes.get(declared.movement, "walking") if declared else "walking"


def attackers_of(state: State, target: Id, who: Id) -> tuple[Id, ...]:
    """Return the attackers of a target in this round, this one included.

    Those who have struck at it, or still will (SJ-101 to SJ-103, A-21).
    """
    strikers = [
        state.get(key.removeprefix(STRUCK)) for key, value in state[target].facts if value and key.startswith(STRUCK)
    ]
    struck = {one.id for one in strikers if one is not None and one.status == "up" and not one.has("stunned")}
    current = state.clock.current
    for slot in (*((current,) if current is not None else ()), *state.clock.upcoming):
        act = slot.data  # of the hundreds in a big fight few are aimed at one target
        if not isinstance(act, Act) or act.blow is None or act.blow.target != target:
            continue
        attacker = slot.members[0] if slot.members else ""
        if attacker in struck or attacker not in state or stats.resolved(state, slot) or stats.unable(state[attacker]):
            continue
        if stats.weapon(state, attacker, act.blow.weapon).kind == "melee":
            struck.add(attacker)
    struck.add(who)
    return tuple([combatant.id for combatant in state.combatants if combatant.id in struck])


def chance(
    state: State, who: Id, target: Id, weapon: Weapon, options: Options, seen: tuple[int, int] = (0, 0)
) -> tuple[Derived, Derived]:
    """Return the modified strike chance and the DEF in it, with their parts (T-3).

    `seen`: what not being seen adds to SC and DEF.
    """
    shooter = stats.block(state, who)
    ranged = weapon.kind == "ranged"
    light, light_rule = (
        (0, "SJ-106") if shooter.darkvision else LIGHTING[options.lighting or stats.setup(state).lighting]
    )
    unseen = seen[0]
    if not stats.rules(state).lighting_and_unseen_stack and light and unseen:
        light, unseen = (light, 0) if light <= unseen else (0, unseen)
    own = stats.parry(state[who])
    parts = [
        Part(weapon.name, weapon.sc, "SJ-032"),
        Part(
            "surprise",
            {"none": 0, "in_combat": 10, "out_of_combat": 25}[options.surprise],
            "SJ-051" if options.surprise == "out_of_combat" else "SJ-050",
        ),
        Part("stunned", 10 if state[target].has("stunned") else 0, "SJ-105"),
        Part("light", light, light_rule),
        Part("foe unseen", unseen, "SJ-097"),
        Part("encumbered", ENCUMBERED[shooter.encumbered], "SJ-111"),
        Part("off hand", -20 if (options.offhand or weapon.offhand) and not shooter.ambidextrous else 0, "SJ-125"),
        Part("running", -25 if _runs(state, who) else 0, "SJ-084"),
        Part("defending", -own[1].sacrifice if own else 0, "SJ-135" if options.free else "SJ-112"),
        Part("wounds", *stats.wound(state, who)),
        *stats.modified(state, who, "sc"),
        Part("modifier", options.modifier, "SJ-142" if ranged else ""),
    ]
    level = ambush(state, who, target)
    parts.append(Part("ambush", AMBUSH[level][0], AMBUSH[level][2]))
    parts += _shot(state, who, target, weapon, options) if ranged else _blow(state, who, target, options)
    defence = stats.defence(state, target, options.surprise, options.free, seen[1])
    parts.append(Part("DEF", -defence.value, "SJ-032"))
    return Derived.total(parts), defence


def ambush(state: State, who: Id, target: Id) -> int:
    """Return the ambush level that counts for this attack, 0 for none (T-6).

    Only those who lie in ambush gain by it: everybody but its victims, or those named when it was sprung.
    """
    level = stats.ambush_level(state, target)
    if not level or stats.ambush_level(state, who):
        return 0
    sprung = state.fact(FIGHT, "ambushers")
    return 0 if isinstance(sprung, tuple) and who not in sprung else level


def _runs(state: State, who: Id) -> bool:
    declared = stats.declaration(state, who)
    return declared is not None and declared.movement == "run_then_act"


def _blow(state: State, who: Id, target: Id, options: Options) -> list[Part]:
    attackers = attackers_of(state, target, who)
    count = (
        options.attackers
        if options.attackers >= 0
        else sum(stats.block(state, name).attacker_count for name in attackers)
    )
    rule = "SJ-104" if options.attackers < 0 and count > len(attackers) else "SJ-101"
    more, field = 10 * (max(1, count) - 1), 2 * stats.block(state, target).range_of_field
    return [
        Part(f"{count} attackers", more, rule),
        Part("Range of Field", -min(more, field), "SJ-102"),
        Part("target takes aim", 10 if state[target].has("careful_aim") else 0, "SJ-151"),
    ]


def _shot(state: State, who: Id, target: Id, weapon: Weapon, options: Options) -> list[Part]:
    movement = options.target_movement or usual_movement(state, target)
    parts = [
        Part(movement.replace("_", " "), *MOVEMENT[movement]),
        Part("careful aim", 15 if aims(state, who) else 0, "SJ-150"),
        Part("cover", *COVER[options.cover]),
        Part("size", SIZES[stats.block(state, target).size], "SJ-158"),
    ]
    if weapon.type is not None and stats.engaged(state, who):
        table, rule = RANGED_IN_MELEE[weapon.type]
        parts.append(Part("in melee", table[weapon.spec], rule))
    return parts


def aims(state: State, who: Id) -> bool:
    """Tell whether this shot has the bonus of careful aim (SJ-150, A-22)."""
    if not state[who].has("careful_aim") and not state[who].has("aimed"):
        return False
    return not (stats.rules(state).careful_aim_single_shot and state[who].fact("aimed_shots"))
