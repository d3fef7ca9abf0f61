"""Set-up: who is in melee, who is ambushed, and what newcomers bring (4.1, 4.2)."""

from __future__ import annotations

from functools import partial

from rulesets.spelljammer.order.schedule import declarations
from rulesets.spelljammer.stat_blocks.models import Creature
from rulesets.spelljammer.stat_blocks.tables import AMBUSH, D100, multiple
from rulesets.spelljammer.stats import stats
from tracker.core.fight.events import Checked, PoolSet
from tracker.core.fight.slots import Id
from tracker.core.fight.state import Combatant, Pool, State, condition_after
from tracker.core.step.ctx import Ctx
from tracker.core.terms.derived import Part
from tracker.core.terms.encounter import Condition, Encounter, Member
from tracker.core.terms.words import up_to


def join(ctx: Ctx, newcomers: tuple[Id, ...]) -> None:
    """Give newcomers their hit points.

    They declare with the others, or from the next round on.
    """
    for who in newcomers:
        block = ctx.state[who].block
        if isinstance(block, Creature):
            ctx.emit(PoolSet(who, None, Pool("hp", block.hp, block.hp_max, None)))


def carry(state: State, who: Id, member: Member) -> Condition:
    """Carry hit points and wounds into the next fight, without fallen combatants.

    The steps of new wounds count from there (SJ-049, A-14).
    """
    return condition_after(state, who, ("fallen",), {"gone": "up"}, {stats.START_HP: state[who].hp})


def open_fight(ctx: Ctx, encounter: Encounter) -> None:
    """Engage those in melee already, and play the ambush if there is one.

    SJ-055 to SJ-061.
    """
    setup = stats.setup(ctx.state)
    for one, other in setup.engaged:
        pair = [combatant.id for name in (one, other) for combatant in _called(ctx.state, name)[:1]]
        if len(pair) == 2:
            ctx.fact(stats.pair(*pair), "engaged", True, "SJ-128")
    victims = tuple(dict.fromkeys(combatant.id for name in setup.ambush for combatant in _called(ctx.state, name)))
    if victims:
        ambush(ctx, victims)
        declarations(ctx, "SJ-055", "SJ-001")


def _called(state: State, name: str) -> tuple[Combatant, ...]:
    """Return the combatants a name of the set-up means.

    A combatant by id or name, a group by its name without numbers, or a side.
    """
    wanted = name.casefold()
    exact = tuple(
        combatant
        for combatant in state.combatants
        if wanted in (combatant.id, combatant.name.casefold(), combatant.ref)
    )
    if exact:
        return exact
    return tuple(
        combatant
        for combatant in state.combatants
        if wanted in (combatant.side, state.side(combatant.side).name.casefold())
    )


def ambush(ctx: Ctx, victims: tuple[Id, ...]) -> None:
    """Roll how badly the victims of an ambush are caught (SJ-055 to SJ-061).

    A shout helps the others by one step.
    """
    rolled: dict[Id, int] = {}
    for who in victims:
        roll = ctx.roll(
            f"ambush:{who}",
            D100,
            "SJ-055",
            who=who,
            why=partial(_against_ambush, who=who),
            needed=partial(_to_see_it, who=who),
            asked_if=partial(_present, who=who),
        )
        if roll is None:
            continue
        level, rolled[who] = multiple(roll, stats.block(ctx.state, who).per), roll
        ctx.emit(
            Checked("ambush", who, roll, f"{level}× PER" if level < 5 else "over 4× PER", parts=(Part("d100", roll),)),
            "SJ-055",
            "SJ-A01",
        )
        ctx.fact(who, "ambush_level", level, AMBUSH[level][2])
    first = [who for who in victims if _level(ctx.state, who) == 1]
    shouts = [
        ctx.confirm(
            f"shout:{who}",
            "SJ-056",
            default=True,
            who=who,
            why="shouts a warning?",
            asked_if=partial(stats.stands, who=who),
        )
        for who in first
    ]
    for who in victims if any(shouts) else ():
        level = _level(ctx.state, who)
        if level > 1:
            ctx.emit(Checked("ambush", who, rolled[who], f"{level - 1}× PER"), "SJ-056")
            ctx.fact(who, "ambush_level", level - 1, "SJ-056", AMBUSH[level - 1][2])


def _level(state: State, who: Id) -> int:
    return stats.ambush_level(state, who) if who in state else 0


def _present(state: State, who: Id) -> bool:
    return who in state


def _to_see_it(state: State, who: Id) -> str:
    """Return which rolls see an ambush coming."""
    return up_to(stats.block(state, who).per, D100.maximum, "sees it")


def _against_ambush(state: State, who: Id) -> str:
    return f"PER {stats.block(state, who).per} against the ambush"
