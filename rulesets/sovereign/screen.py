"""What the screen shows of Sovereign.

Columns, statuses, badges, reminders, the stat block as printed, the map, and the words of the report.
"""

from __future__ import annotations

from rulesets.sovereign.actions.fighting import opportunity
from rulesets.sovereign.actions.moving.movement import kept_feet, run_limit
from rulesets.sovereign.actions.moving.paths import charge, limit_of, path_of
from rulesets.sovereign.actions.waiting import HeldTurn
from rulesets.sovereign.aftermath.wounds import DOWN
from rulesets.sovereign.stat_blocks.models import Arm, Fighter, Use
from rulesets.sovereign.stats import field
from rulesets.sovereign.stats.attack import at_hand, damage_parts, shock_parts, skill_parts
from rulesets.sovereign.stats.checks import physical, plain_attack
from rulesets.sovereign.stats.field import engaged, next_to, on_grid
from rulesets.sovereign.stats.stats import (
    able,
    allies,
    armed,
    armor_class,
    block,
    check_parts,
    free,
    reach_of,
    speed,
)
from rulesets.without_number.order import INITIATIVE
from rulesets.without_number.screen import (
    BLOW,
    HP,
    TURN,
    attack_line,
    budget_badge,
    dying,
    held_turns,
    score_lines,
    swarming,
    telling,
    unused_mains,
    use_called,
)
from rulesets.without_number.stats import grappling
from rulesets.without_number.turn import ECONOMY, MOVE, own_phase
from tracker.core.fight.board import Trail
from tracker.core.fight.cache import per_state
from tracker.core.fight.slots import Id
from tracker.core.fight.state import Combatant, State
from tracker.core.game.schema import Badge, Column, Printed, Reminder, Status
from tracker.core.game.telling import ActionWords
from tracker.core.terms.actions import Action
from tracker.core.terms.actions import action as act
from tracker.core.terms.derived import Derived, Part
from tracker.core.terms.errors import Refusal
from tracker.core.terms.moments import side_anchor
from tracker.kit.squares.grid import Body, Square
from tracker.kit.squares.paths import cost_of, route
from tracker.kit.squares.square_map import SquareMap

STATUSES = (
    Status("up", "up", acts=True),
    Status("down", "down", "x"),
    Status("mortal", "dying", "!"),
    Status("stable", "stable", "~"),
    Status("dead", "dead", "x", takes_part=False),
    Status("gone", "gone", "-", takes_part=False, stays=False, left=True),
)


def _place(state: State, who: Id) -> str:
    combatant = state[who]
    if on_grid(state, who) and combatant.position is not None:
        return ",".join(str(int(part)) for part in combatant.position)
    met = engaged(state, who)
    return "+".join(state[other].label for other in met)


def _ac(state: State, who: Id) -> str:
    return str(armor_class(state[who]).value)


COLUMNS = (
    HP,
    Column("ac", "AC", 3, _ac, "right", priority=1, about="Armor Class", own=True),
    TURN,
    Column(
        "place",
        "At",
        6,
        _place,
        "right",
        priority=3,
        about="the square, or without a map who is in melee with them",
        own=True,
    ),
)


def badges(state: State, who: Id) -> tuple[Badge, ...]:
    """Return what stands beside a combatant."""
    combatant = state[who]
    if combatant.status != "up":
        return ()
    found = [budget_badge(state, who)]
    held = combatant.effect("held")
    if held is not None:
        waits = held.data.trigger if isinstance(held.data, HeldTurn) else ""
        found.append(Badge("holds", f"waits for: {waits}" if waits else "a held turn is waiting"))
    if combatant.has("retreating"):
        found.append(Badge("retreats", "wants to get away", "bad"))
    return tuple(found)


def pending(state: State) -> tuple[Reminder, ...]:
    """Return what may have been missed: Mains, held turns, swarms, the dying."""
    if state.clock.over:
        return ()
    found = [
        *unused_mains(state, lambda one: not free(state, one.id) or _waits(one), "SV-039"),
        *held_turns(state, lambda who: act("use_held", who), "SV-112"),
        *swarming(state, "swarm:", "SV-065", asked=True),
        *dying(
            state,
            lambda one: free(state, one.id) and block(one).healers_kit,
            _treat,
            "SV-P07",
            lambda helper, patient: not on_grid(state, helper, patient) or next_to(state, helper, patient),
        ),
    ]
    return tuple(item for item in found if item.key not in state.dismissed)


def _waits(combatant: Combatant) -> bool:
    """Tell whether a Main is held, or its owner in retreat."""
    return combatant.has("held") or combatant.has("retreating")


def _treat(helper: Id, patient: Id) -> Action:
    return act("stabilise", helper, victim=patient)


@per_state
def finished(state: State) -> str | None:
    """Return why the fight seems to be over: at most one side fights on (SV-173)."""
    if state.clock.over or len(state.sides) < 2:
        return None
    standing = {
        combatant.side for combatant in state.combatants if combatant.status == "up" and not combatant.has("retreating")
    }
    if any(not allies(state, side) >= standing for side in standing):
        return None
    if not standing:
        return "nobody is left standing"
    losers = [
        side
        for side in state.sides
        if side.id not in standing
        and (state.members(side.id) or state.fact(side_anchor(side.id), INITIATIVE) is not None)
    ]
    if not losers:
        return None
    down = all(member.status in (*DOWN, "gone") for side in losers for member in state.members(side.id))
    names = " and ".join(side.name for side in losers)
    return f"no fighter of {names} is left" if down else f"the fighters of {names} are in retreat"


def printed(state: State, who: Id) -> tuple[Printed, ...]:
    """Return a combatant's stat block with the numbers that hold now."""
    combatant = state[who]
    stat_block = block(combatant)
    return (
        Printed("kind", _kind(stat_block)),
        *_defences(state, combatant, stat_block),
        *(_attack(state, combatant, arm, use) for arm in stat_block.arms for use in arm.use),
        *_specials(stat_block),
        *_skills(combatant, stat_block),
    )


def _kind(stat_block: Fighter) -> str:
    rank = f"level {stat_block.level}" if stat_block.kind == "pc" else f"HD {stat_block.hd}"
    words = [f"{rank} {stat_block.kind}"]
    if stat_block.space != 1:
        words.append(f"{stat_block.space} × {stat_block.space} squares")
    if stat_block.group:
        words.append(f"of {stat_block.group}")
    return ", ".join(words)


def _sum(parts: tuple[Part, ...]) -> int:
    return Derived.total(parts).value if parts else 0


def _defences(state: State, combatant: Combatant, stat_block: Fighter) -> list[Printed]:
    hp = combatant.pool("hp")
    found = [
        Printed("defences", "HP", f"{hp.now}/{hp.max}"),
        Printed("defences", "AC", str(armor_class(combatant).value), "SV-116"),
        Printed("defences", "Speed", f"{speed(combatant).value} ft", "SV-040"),
        Printed("defences", "Physical", f"{physical(state, combatant.id).value}+"),
    ]
    if stat_block.morale == "fearless":
        found.append(Printed("defences", "Morale", "fearless"))
    return found


def _attack(state: State, combatant: Combatant, arm: Arm, use: Use) -> Printed:
    """Return what a use of a weapon adds and deals."""
    attack = plain_attack(combatant, arm, use)
    near = at_hand(use)
    return attack_line(
        use_called(arm.name, use, len(arm.use)),
        _sum(skill_parts(combatant, attack)),
        arm.damage.natural,
        _sum(damage_parts(state, attack)),
        arm.shock if near else None,
        _sum(shock_parts(combatant, attack)),
        f"reach {arm.reach} ft" if near and arm.reach != 5 else "",
        "" if near or arm.range is None else f"{arm.range[0]}/{arm.range[1]} ft",
        "two hands" if arm.hands == 2 else "",
        arm.traits,
    )


def _specials(stat_block: Fighter) -> list[Printed]:
    features = stat_block.features
    marks = [
        (f"{stat_block.multiattack} attacks in one Main action", stat_block.multiattack > 1),
        ("ignores the first Shock of each round", stat_block.shield),
        ("takes no Shock", features.shock_immune),
        ("is never surprised", features.cannot_be_surprised),
        ("leaves a melee freely", features.disengage_free),
        (f"{features.initiative_bonus:+d} initiative", features.initiative_bonus != 0),
        (f"{features.screen_bonus:+d} screening", features.screen_bonus != 0),
        (f"screens {features.screen_extra} more", features.screen_extra != 0),
        ("disciplined", stat_block.disciplined),
        ("frail", stat_block.frail),
        ("carries a healer's kit", stat_block.healers_kit),
        (f"fights with {' and '.join(stat_block.dual_wield or ())}", stat_block.dual_wield is not None),
    ]
    names = [words for words, held in marks if held]
    luck = [Printed("specials", "Veteran's Luck", f"{stat_block.veterans_luck} a fight")]
    return [
        *(luck if stat_block.veterans_luck else ()),
        *(Printed("specials", "also", ", ".join(names)) for _ in names[:1]),
    ]


def _skills(combatant: Combatant, stat_block: Fighter) -> list[Printed]:
    if not stat_block.trained:
        return [Printed("skills", "all skills", f"{_sum(check_parts(combatant, (), ())):+d}", "SV-P02")]
    return score_lines(stat_block.attributes, stat_block.skills, "SV-P01", "SV-P02")


def _limit(state: State, who: Id) -> int:
    """Return the feet that can be gone now.

    In its own phase a combatant without a Move has none.
    """
    if grappling(state, who) or (own_phase(state, who) and not _affords(state, who)):
        return 0
    return run_limit(state, who)


def _affords(state: State, who: Id) -> bool:
    """Tell whether a Move, a part of one, or a Main is left."""
    return kept_feet(state, who) > 0 or ECONOMY.left(state, who, MOVE) is not None


@per_state
def threat(state: State, who: Id) -> tuple[Square, ...]:
    """Return the squares within the reach of a combatant's melee weapons (SV-049, SV-097)."""
    return MAP.threat(state, who)


def trail(state: State, who: Id, to: Square) -> Trail | None:
    """Return a cheapest way to a square, or None.

    It says whom it provokes, and why it cannot be taken as one Move. Ways of more than two Moves are not looked for.
    """
    ground, here = field.terrain(state), field.body(state, who)
    if ground is None or here is None or not ground.passable(to):
        return None
    crowd, limit = field.crowd(state, who), run_limit(state, who)
    found = route(ground, crowd, here, to, 2 * limit)
    if found is None:
        return Trail(refusal=Refusal("too_far", f"no way there of {2 * limit} feet or less", "SV-040"), limit=limit)
    cost = cost_of(ground, crowd, here, found)
    if not isinstance(cost, int):
        return Trail(found, 0, (), field.faulted(cost))
    provoked, struck = MAP.struck(state, who, found)
    return Trail(found, cost, provoked, _refusal(state, who, cost, limit), limit, struck)


def course(state: State, action: Action) -> Trail | None:
    """Return the way of a Run or a Charge, with whom it provokes (SV-076, SV-096)."""
    who, ground = action.by, field.terrain(state)
    here = field.body(state, who) if who is not None else None
    if who is None or ground is None or here is None or action.key not in ("run", "charge"):
        return None
    rushes = action.key == "charge"
    limit = limit_of(state, who, 2) if rushes else run_limit(state, who)
    found = path_of(state, charge(state, action) if rushes else action, limit, straight=rushes)
    cost = cost_of(ground, field.crowd(state, who), here, found)
    if not found or not isinstance(cost, int):
        return None
    provoked, struck = MAP.struck(state, who, found)
    if rushes:
        provoked = opportunity.near(state, who)
        struck = (here.at,) if provoked else ()
    return Trail(found, cost, provoked, None, limit, struck)


def _refusal(state: State, who: Id, cost: int, limit: int) -> Refusal | None:
    if grappling(state, who):
        return Refusal("grappled", f"{state.name(who)} cannot leave its place in a grapple", "SV-149")
    return Refusal("too_far", f"the way costs {cost} feet, {limit} at most", "SV-040") if cost > limit else None


def _strikers(state: State, who: Id, here: Body, there: Body) -> tuple[Id, ...]:
    """Return who may strike at a combatant that leaves a place (SV-096)."""
    leaving = opportunity.leaving(state, who, here, there)
    return tuple(foe for foe in leaving if opportunity.may_strike(state, foe, who))


def _arm(state: State, who: Id) -> int:
    """Return the feet a combatant's melee weapons reach, 0 where it cannot strike (SV-049, SV-097)."""
    arms = armed(state, who)
    return reach_of(arms) if arms and able(state, who) else 0


def sight(state: State, who: Id, target: Id) -> str:
    """Say how a combatant sees a target: its cover, or no line of sight."""
    if not field.on_grid(state, who, target):
        return ""
    if not field.sees(state, who, target):
        return "no line of sight"
    cover = field.cover(state, who, target)
    return "no cover" if cover == "none" else f"{cover} cover"


# SV-009, SV-011, SV-015: distances and sight of squares; those of an area are seen from its corner or its combatant.
MAP = SquareMap(field.terrain, _limit, _arm, field.body, field.crowd, _strikers)
board, reach, area, gauge = MAP.board, MAP.reach, MAP.area, MAP.gauge


TELLING = telling(
    (
        ActionWords("attack_melee", "attack", **BLOW),
        ActionWords("attack_ranged", "attack", hits="hit|strike", tries="aim at", grazes="graze"),
        ActionWords("aoo", "attack", **BLOW),
        ActionWords("execute_melee", "attack", **{**BLOW, "tries": "stand over"}),
        ActionWords("execute_ranged", "attack", **{**BLOW, "tries": "take careful aim at"}),
        ActionWords("swarm_resolve", "attack", **BLOW),
        ActionWords("veterans_luck", "power", does="trust to a veteran's luck", turned="trust to a veteran's luck"),
        ActionWords("disengage", "move", does="fall back"),
        ActionWords("drag", does="drag {whom} along"),
        ActionWords("use_held", "silent"),
    ),
    unconscious="down",
    fleeing="retreating",
)
