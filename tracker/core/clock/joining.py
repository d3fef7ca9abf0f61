"""Joining: how members of a side become combatants, at set-up and later."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping, Sequence

from msgspec.structs import replace

from tracker.core.fight.events import CombatantJoined, CombatantLeft, EffectChanged, SideJoined
from tracker.core.fight.slots import Id
from tracker.core.fight.state import FIGHT, Combatant, Side
from tracker.core.game.ruleset import Ruleset
from tracker.core.step.ctx import Ctx
from tracker.core.terms.effects import Effect
from tracker.core.terms.encounter import Condition, Member
from tracker.core.terms.labels import next_label
from tracker.core.terms.moments import At, Edge, Until, side_anchor, who_anchor
from tracker.core.visibility.fog import mark_fogged
from tracker.core.visibility.knowledge import numbered
from tracker.core.visibility.reveal import introduce, on_leave

MOST_COPIES = 500
"""Combatants of one entry."""
MOST_COMBATANTS = 1_000
"""Combatants of a whole encounter, or of a fight in which the GM lets others join."""


def slug(name: str) -> str:
    """Return a name as an id: lower-case letters, digits and dashes."""
    plain = unicodedata.normalize("NFKD", name).encode("ascii", "ignore").decode().lower()
    return re.sub(r"[^a-z0-9]+", "-", plain).strip("-") or "combatant"


def side_called(ctx: Ctx, wanted: str) -> Id:
    """Return the side of that id or name, or let a new side of the GM's join."""
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

    Counts are rolled; newcomers get names, numbers and labels, and are handed to the ruleset. `hidden` says whether
    players see them come; None: as each member says. `fogged`: fog hides the GM's until they have their places.

    Player characters get their labels first, in any order of the sides.
    """
    enlisted: list[tuple[Id, Member]] = []
    asked: set[str] = set()
    for side, members in newcomers.items():
        for member in members:
            enlisted += [(side, member)] * _count(ctx, member, asked)
    names = _names(ctx, enlisted)
    labels = list(ctx.state.labels)
    given: dict[int, str] = {}
    for place in sorted(
        range(len(enlisted)), key=lambda place: ctx.state.side(enlisted[place][0]).control != "players"
    ):
        given[place] = next_label(labels, names[place])
        labels.append(given[place])
    # Effects and facts name the fight as their bearer or owner, so nobody may be called like it.
    taken = {FIGHT} | {combatant.id for combatant in ctx.state.combatants} | {key for key, _ in ctx.state.gone}
    ids: list[Id] = []
    with ctx.scope("", interruptible=False):  # until the ruleset has given the newcomers what they need
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
        come = list(zip(ids, (member for _, member in enlisted), strict=True))
        unseen = [key for key, member in come if (member.hidden is True if hidden is None else hidden)]
        sunk = [key for key in ids if fogged and key not in unseen and ctx.state.side_of(key).control != "players"]
        if sunk:
            mark_fogged(ctx, sunk)
        introduce(ctx, ids, [*unseen, *sunk], [(key, member.public) for key, member in come if member.public])
        game.join(ctx, tuple(ids))
        for key, (_, member) in zip(ids, enlisted, strict=True):
            if member.condition is not None:
                _give(ctx, key, member.condition)
    ctx.settle()
    return tuple(ids)


def _count(ctx: Ctx, member: Member, asked: set[str]) -> int:
    key, times = f"count:{member.ref or slug(member.name)}", 2
    while key in asked:
        key, times = f"count:{member.ref or slug(member.name)}#{times}", times + 1
    asked.add(key)
    rolled = ctx.roll(key, member.count, to="gm", why=f"number of combatants ({member.name})", setup=True)
    return max(0, min(rolled + member.count.plus, MOST_COPIES))


def _names(ctx: Ctx, enlisted: Sequence[tuple[Id, Member]]) -> list[str]:
    """Return a name for each newcomer: as written if it is free and alone in its group, else numbered."""
    used = {combatant.name for combatant in ctx.state.combatants} | {name for _, name in ctx.state.gone}
    return numbered([member.name for _, member in enlisted], used)


def _free(key: Id, taken: set[Id]) -> Id:
    number, free = 2, key
    while free in taken:
        free, number = f"{key}-{number}", number + 1
    return free


def _give(ctx: Ctx, who: Id, condition: Condition) -> None:
    """Give a newcomer what it brings along, its pools within what its stat block has now."""
    for key, now in condition.pools:
        if ctx.state[who].has_pool(key):
            held = ctx.state[who].pool(key)
            if held.now != held.capped(now):
                ctx.change(who, key, held.capped(now), why="carried over")
    for key, value in condition.facts:
        ctx.fact(who, key, value)
    if condition.status:
        ctx.status(who, condition.status)
    for effect in condition.effects:
        ctx.add_effect(replace(effect, bearer=who))


# The owner of a fact about two: `pair:<a>|<b>`.
PAIR = "pair:"


def leave(ctx: Ctx, who: Id, reason: str, *rules: str) -> None:
    """Take a combatant out of the fight.

    What waits for its edges is tied to others, what holds on it ends, what is known of it and another is forgotten.
    """
    reanchor(ctx, who)
    for owner, key, _ in ctx.state.facts:
        if owner.startswith(PAIR) and who in owner.removeprefix(PAIR).split("|"):
            ctx.fact(owner, key, None)
    for effect in ctx.state[who].effects:
        held = ctx.state.effect(who, effect.id)
        if held is not None:
            ctx.end_effect(held, f"{ctx.state.name(who)} leaves the fight")
    on_leave(ctx, who)
    ctx.emit(CombatantLeft(ctx.state[who], reason), *rules)


def reanchor(ctx: Ctx, who: Id) -> None:
    """Tie what waits for a leaver's edges to those of its side, or of the round if the side is empty."""
    side = ctx.state[who].side
    company = any(member.id != who for member in ctx.state.members(side))
    for effect in ctx.state.all_effects:
        if effect.bearer == who:
            continue
        until = tuple(_reanchored(end, who, side, company) for end in effect.until)
        if until != effect.until:
            _tell(ctx, effect, until, who)


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


def _tell(ctx: Ctx, effect: Effect, until: tuple[Until, ...], who: Id) -> None:
    ctx.emit(
        EffectChanged(
            effect,
            replace(effect, until=until),
            f"{ctx.state.name(who)} leaves; it ends with the side or the round instead",
        )
    )
