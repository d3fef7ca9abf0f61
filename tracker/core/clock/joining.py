"""Joining: how members of a side become combatants, at set-up and later."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping, Sequence

from msgspec.structs import replace

from tracker.core.fight.events import CombatantJoined, CombatantLeft, EffectChanged, SideJoined, WaveArrived
from tracker.core.fight.slots import Id
from tracker.core.fight.state import FIGHT, Combatant, Side
from tracker.core.game.ruleset import Ruleset
from tracker.core.step.ctx import Ctx
from tracker.core.terms.encounter import Condition, Member, Wave
from tracker.core.terms.labels import next_label
from tracker.core.terms.moments import At, Edge, Until, side_anchor, who_anchor
from tracker.core.visibility.fog import mark_fogged
from tracker.core.visibility.knowledge import numbered, wave_hidden
from tracker.core.visibility.reveal import introduce, on_leave

MOST_COPIES = 500
"""Most combatants of one member."""
MOST_COMBATANTS = 1_000
"""Most combatants of a whole encounter, or of a fight that others join."""
PAIR = "pair:"
"""Start of the owner of a fact about two combatants: `pair:<a>|<b>`."""


def slug(name: str) -> str:
    """Return a name as an id: lower-case letters, digits and dashes."""
    plain = unicodedata.normalize("NFKD", name).encode("ascii", "ignore").decode().lower()
    return re.sub(r"[^a-z0-9]+", "-", plain).strip("-") or "combatant"


def side_called(ctx: Ctx, wanted: str) -> Id:
    """Return the side of this id or name; if there is none, a new side of the GM joins."""
    for side in ctx.state.sides:
        if wanted.casefold() in (side.id.casefold(), side.name.casefold()):
            return side.id
    key = _free(slug(wanted), {side.id for side in ctx.state.sides})
    ctx.emit(SideJoined(Side(key, wanted, "gm")))
    return key


def admit(
    ctx: Ctx, game: Ruleset, newcomers: Mapping[Id, Sequence[Member]], hidden: bool | None = None, fogged: bool = False
) -> tuple[Id, ...]:
    """Let the members of these sides join, and return their ids.

    Counts are rolled; newcomers get names, numbers and labels, then the ruleset's `join` is called. `hidden`: players
    do not see them; None: as each member says. `fogged`: fog hides the GM's combatants until they have positions.

    Player characters get their labels first, in any order of the sides.
    """
    enlisted: list[tuple[Id, Member]] = []
    asked: set[str] = set()
    for side, members in newcomers.items():
        for member in members:
            enlisted += [(side, member)] * _count(ctx, member, asked)
    used = {combatant.name for combatant in ctx.state.combatants} | {name for _, name in ctx.state.gone}
    names = numbered([member.name for _, member in enlisted], used)
    labels = list(ctx.state.labels)
    given: dict[int, str] = {}
    for place in sorted(
        range(len(enlisted)), key=lambda place: ctx.state.side(enlisted[place][0]).control != "players"
    ):
        given[place] = next_label(labels, names[place])
        labels.append(given[place])
    # Effects and facts name the fight as their bearer or owner, so no combatant may have this id.
    taken = {FIGHT} | {combatant.id for combatant in ctx.state.combatants} | {key for key, _ in ctx.state.gone}
    ids: list[Id] = []
    with ctx.scope("", interruptible=False):  # until the ruleset has set the newcomers up
        for place, (side, member) in enumerate(enlisted):
            key = _free(member.id if member.id and names[place] == member.name else slug(names[place]), taken)
            taken.add(key)
            ids.append(key)
            ctx.emit(
                CombatantJoined(
                    Combatant(
                        key,
                        names[place],
                        given[place],
                        side,
                        member.kind,
                        member.block,
                        ref=member.ref,
                        notes=(member.notes,) if member.notes else (),
                        data=member.data,
                    )
                )
            )
        joined = list(zip(ids, (member for _, member in enlisted), strict=True))
        unseen = [key for key, member in joined if (member.hidden is True if hidden is None else hidden)]
        in_fog = [key for key in ids if fogged and key not in unseen and ctx.state.side_of(key).control != "players"]
        if in_fog:
            mark_fogged(ctx, in_fog)
        introduce(ctx, ids, [*unseen, *in_fog], [(key, member.public) for key, member in joined if member.public])
        game.join(ctx, tuple(ids))
        for key, member in joined:
            if member.condition is not None:
                _set_condition(ctx, key, member.condition)
    ctx.settle()
    return tuple(ids)


def admit_wave(ctx: Ctx, game: Ruleset, wave: Wave, scope: str = "") -> None:
    """Let a wave join its side; the keys of its requests have this scope."""
    ctx.emit(WaveArrived(wave))
    with ctx.scope(scope):
        admit(ctx, game, {side_called(ctx, wave.side): wave.members}, wave_hidden(ctx.state, wave))


def _count(ctx: Ctx, member: Member, asked: set[str]) -> int:
    key, times = f"count:{member.ref or slug(member.name)}", 2
    while key in asked:
        key, times = f"count:{member.ref or slug(member.name)}#{times}", times + 1
    asked.add(key)
    rolled = ctx.roll(key, member.count, to="gm", why=f"number of combatants ({member.name})", setup=True)
    return max(0, min(rolled + member.count.plus, MOST_COPIES))


def _free(key: Id, taken: set[Id]) -> Id:
    number, free = 2, key
    while free in taken:
        free, number = f"{key}-{number}", number + 1
    return free


def _set_condition(ctx: Ctx, who: Id, condition: Condition) -> None:
    """Give a newcomer its condition of an earlier fight; pools stay within the maximum of its stat block."""
    for key, now in condition.pools:
        if ctx.state[who].has_pool(key):
            pool = ctx.state[who].pool(key)
            if pool.now != pool.capped(now):
                ctx.change(who, key, pool.capped(now), why="carried over")
    for key, value in condition.facts:
        ctx.fact(who, key, value)
    if condition.status:
        ctx.status(who, condition.status)
    for effect in condition.effects:
        ctx.add_effect(replace(effect, bearer=who))


def leave(ctx: Ctx, who: Id, reason: str, *rules: str) -> None:
    """Take a combatant out of the fight.

    Effects that wait for its edges get other edges, effects on it end, and facts about it and another are removed.
    """
    reanchor(ctx, who)
    for owner, key, _ in ctx.state.facts:
        if owner.startswith(PAIR) and who in owner.removeprefix(PAIR).split("|"):
            ctx.fact(owner, key, None)
    for effect in ctx.state[who].effects:
        remaining = ctx.state.effect(who, effect.id)
        if remaining is not None:
            ctx.end_effect(remaining, f"{ctx.state.name(who)} leaves the fight")
    on_leave(ctx, who)
    ctx.emit(CombatantLeft(ctx.state[who], reason), *rules)


def reanchor(ctx: Ctx, who: Id) -> None:
    """Let effects that wait for this combatant's edges wait for those of its side, or of the round if that is empty."""
    side = ctx.state[who].side
    company = any(member.id != who for member in ctx.state.members(side))
    for effect in ctx.state.all_effects:
        if effect.bearer == who:
            continue
        until = tuple(_reanchored(end, who, side, company) for end in effect.until)
        if until != effect.until:
            why = f"{ctx.state.name(who)} leaves; it ends with the side or the round instead"
            ctx.emit(EffectChanged(effect, replace(effect, until=until), why))


def _reanchored(end: Until, who: Id, side: Id, company: bool) -> Until:
    if (
        not isinstance(end, At)
        or end.anchor not in (who_anchor(who), side_anchor(side))
        or (end.anchor == side_anchor(side) and company)
    ):
        return end
    if company:
        return replace(end, anchor=side_anchor(side))
    edge: Edge = "round_start" if end.edge.endswith("start") else "round_end"
    return replace(end, edge=edge, anchor="any", phase=None, segment=None)
