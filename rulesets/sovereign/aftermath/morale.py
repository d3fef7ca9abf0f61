"""Morale: the GM decides about retreats, without dice (SV-167 to SV-170, R19)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from rulesets.sovereign.stats.attack_outcomes import RETREATING
from rulesets.sovereign.stats.stats import able, block, rules
from tracker.core.fight.cache import per_state, settled
from tracker.core.fight.slots import Id
from tracker.core.fight.state import Combatant, State
from tracker.core.step.ctx import Ctx
from tracker.core.terms.actions import Option

ENLISTED = "enlisted"
ASKED = "morale_asked"
# The value of that fact where a line is crossed as newcomers arrive.
CROSSED = "crossed"
# What of a combatant says whether its group has lost it.
COUNTED = ("status", "side", "block", "kind")
ANSWERS = (Option("fight_on", "fights on"), Option("flee", "retreats"))


def group_of(state: State, combatant: Combatant) -> str:
    """Return the group whose losses are counted together.

    "" for PCs, who never retreat by a rule.
    """
    stat_block = block(combatant)
    if stat_block.kind == "pc":
        return ""
    side = state.side(combatant.side).name
    return "group:" + (stat_block.group or (f"{side} henchmen" if stat_block.kind == "henchman" else side))


def enlist(ctx: Ctx, newcomers: Sequence[Id]) -> None:
    """Count the highest number that ever belonged to each group (R19)."""
    for group in dict.fromkeys(group_of(ctx.state, ctx.state[who]) for who in newcomers):
        if not group:
            continue
        known = ctx.state.fact(group, ENLISTED)
        joined = sum(group_of(ctx.state, ctx.state[who]) == group for who in newcomers)
        ctx.fact(group, ENLISTED, (known if isinstance(known, int) else 0) + joined, "SV-R19")
        if ctx.state.fact(group, ASKED) is not True:  # newcomers cross no line
            ctx.fact(group, ASKED, CROSSED if _losses(ctx.state, group)[2] else None, "SV-R19")
    for who in newcomers:
        if _halved(ctx.state[who]):
            ctx.fact(who, ASKED, True, "SV-R19")


def prompt(ctx: Ctx) -> None:
    """Ask when a line is crossed, once for each creature and group (SV-169, SV-170)."""
    if not _asks(ctx.state):
        return
    for who in [one.id for one in _changed(ctx, "pools", *COUNTED) if one.status == "up" and _halved(one)]:
        if _shaken(ctx.state, who):
            ctx.fact(who, ASKED, True, "SV-169")
            pool = ctx.state[who].pool("hp")
            why = f"Morale of {ctx.state.name(who)}, {pool.max - pool.now} of {pool.max} hit points lost"
            _ask(ctx, f"morale:{who}", (who,), why, "SV-169")
    for group in groups(ctx.state) if _changed(ctx, *COUNTED) else ():
        if ctx.state.fact(group, ASKED) is not True:
            _group(ctx, group)


def _changed(ctx: Ctx, *fields: str) -> Sequence[Combatant]:
    """Return in whom one of these fields has changed since Morale was last asked about, all if it was not before."""
    known = all(map(_asks, settled(ctx.state)))
    return ctx.changed_since_settle(*fields) if known else ctx.state.combatants


@per_state
def groups(state: State) -> Mapping[str, Sequence[Id]]:
    """Return the members of every group, in the order of joining."""
    found: dict[str, list[Id]] = {}
    for combatant in state.combatants:
        if group := group_of(state, combatant):
            found.setdefault(group, []).append(combatant.id)
    return found


def _asks(state: State) -> bool:
    """Tell whether Morale is asked about now."""
    clock = state.clock
    return not clock.over and (clock.in_round or clock.round > 0) and rules(state).morale_prompts


def _shaken(state: State, who: Id) -> bool:
    """Tell whether a standing creature has lost half its hit points just now."""
    combatant = state.get(who)
    if combatant is None or combatant.status != "up" or combatant.fact(ASKED) is not None:
        return False
    if block(combatant).kind == "pc" or block(combatant).morale != "normal":
        return False
    return _halved(combatant)


def _halved(combatant: Combatant) -> bool:
    """Tell whether half of its hit points are gone."""
    pool = combatant.pool("hp")
    return 2 * (pool.max - pool.now) >= pool.max


def _losses(state: State, group: str) -> tuple[int, int, bool]:
    """Return how many a group has lost, how many it had, and whether that is a third."""
    members = groups(state).get(group, ())
    enlisted = state.fact(group, ENLISTED)
    had = enlisted if isinstance(enlisted, int) else len(members)
    lost = had - sum(state[who].status == "up" for who in members)
    return lost, had, 0 < had <= 3 * lost


def _group(ctx: Ctx, group: str) -> None:
    """Ask a group that has just lost a third of its number."""
    lost, had, crossed = _losses(ctx.state, group)
    if not crossed:
        ctx.fact(group, ASKED, None, "SV-R19")
        return
    standing = (who for who in groups(ctx.state).get(group, ()) if ctx.state[who].status == "up")
    fearful = tuple(who for who in standing if block(ctx.state[who]).morale == "normal")
    if not fearful or ctx.state.fact(group, ASKED) == CROSSED:
        return
    ctx.fact(group, ASKED, True, "SV-170")
    _ask(
        ctx,
        group.replace("group:", "morale:group:"),
        fearful,
        f"Morale of {group.removeprefix('group:')}, {lost} of {had} lost",
        "SV-170",
    )


def _ask(ctx: Ctx, key: str, who: tuple[Id, ...], why: str, rule: str) -> None:
    answer = ctx.choose(
        key,
        ANSWERS,
        rule,
        "SV-167",
        "SV-R19",
        default="fight_on",
        to="gm",
        why=why,
        asked_if=lambda state: any(able(state, one) for one in who),
    )
    if answer == "flee":
        for one in who:
            if able(ctx.state, one):
                ctx.add_effect(RETREATING.on(one, stacking="keep"), rule, "SV-167")
