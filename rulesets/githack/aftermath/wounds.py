"""Wounds: Harm, the save on a full track, dying, a monster's hit points."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from rulesets.githack.stats import checks as track
from rulesets.githack.stats import stats
from rulesets.githack.stats.checks import Edge, Words, save
from rulesets.githack.stats.stats import DYING, set_harm
from tracker.core.fight.slots import Id
from tracker.core.fight.state import State
from tracker.core.step.ctx import Ctx
from tracker.core.terms.derived import Part

STAYS = Words("goes on", "fails", ("GH-124",))


def hurt_monster(ctx: Ctx, who: Id, damage: int, parts: Sequence[Part], source: Id, *rules: str) -> None:
    """Take damage off a monster's hit points (GH-021, A21)."""
    ctx.change(who, "hp", ctx.state[who].hp - damage, *rules, "GH-021", "GH-A21", parts=parts, source=source)


def take_harm(ctx: Ctx, who: Id, marks: Sequence[str], *rules: str, source: Id | None = None) -> tuple[int | None, ...]:
    """Place marks in dice order, and return the box of each (GH-116, A14); harm ends hiding."""
    if not marks or who not in ctx.state:
        return ()
    held = stats.harm(ctx.state[who])
    after, boxes = track.place(held, marks)
    over = ["GH-118", "GH-124", "GH-A14"] if None in boxes else ["GH-A16"] if len(marks) > 1 else []
    set_harm(
        ctx,
        who,
        after,
        *rules,
        *("GH-022", "GH-116", "GH-115"),
        *(["GH-117"] if track.EMPTY in held.rstrip(track.EMPTY) else []),
        *over,
        source=source,
    )
    ctx.end_named(who, "hidden", "harmed", "GH-213")
    return boxes


def track_check(ctx: Ctx, key: str, who: Id, hits: int, edge: Edge = "none", source: Id | None = None) -> None:
    """Roll the CON save to stay active after a hit on a full track (GH-120).

    A failure incapacitates, and may be the beginning of dying (GH-121, GH-122, A11, A33).
    """
    if not hits:
        return
    rules = ("GH-120", "GH-A14")
    full = partial(_full_track, who=who)
    made = save(ctx, key, who, "con", "save to stay active", *rules, edge=edge, words=STAYS, asked_if=full)
    if made is None:
        one = ctx.state.get(who)
        down = one is not None and one.status == "incapacitated" and not stats.dying(one)
        if down and _outweighed(ctx.state, stats.harm(ctx.state[who])):
            _begin_dying(ctx, key, who, source, "GH-A33")
        return
    if made.success:
        return
    ticks, crosses, stars = track.tally(stats.harm(ctx.state[who]))
    ctx.fact(who, "fell", ctx.state.clock.round, "GH-121")
    ctx.status(who, "incapacitated", "GH-121", *(["GH-A11"] if ticks == crosses + stars else []))
    if _outweighed(ctx.state, stats.harm(ctx.state[who])):
        _begin_dying(ctx, key, who, source, "GH-A11")


def _full_track(state: State, who: Id) -> bool:
    return state[who].status != "incapacitated" and track.EMPTY not in stats.harm(state[who])


def _outweighed(state: State, held: str) -> bool:
    """Tell whether crosses and stars outnumber ticks, or equal them by the switch (A11)."""
    ticks, crosses, stars = track.tally(held)
    worse = crosses + stars
    return worse > ticks or (worse == ticks and stats.rules(state).tie_is == "dying")


def _begin_dying(ctx: Ctx, key: str, who: Id, source: Id | None, *rules: str) -> None:
    ctx.add_effect(DYING.on(who, source, stacking="keep"), "GH-122", *rules)
    bleed(ctx, f"{key}/dying", who, "dead", "GH-122")


def bleed(ctx: Ctx, key: str, who: Id, default: str, *rules: str) -> None:
    """Worsen the lowest tick of a dying PC (GH-123); without one the referee decides whether this is death (A12)."""

    def dying(state: State) -> bool:
        return stats.here(state, who) and stats.dying(state[who])

    fate = ctx.choose(
        key,
        ("dead", "still_dying"),
        *rules,
        *("GH-123", "GH-A12"),
        default=default,
        who=who,
        why="no tick left to worsen",
        to="gm",
        asked_if=lambda state: dying(state) and track.lowest(stats.harm(state[who]), "/") is None,
    )
    if fate is None and dying(ctx.state):
        held = stats.harm(ctx.state[who])
        if (box := track.lowest(held, "/")) is not None:
            effect = ctx.state[who].effect("dying")
            source = None if effect is None or effect.source not in ctx.state else effect.source
            set_harm(ctx, who, track.put(held, box, "x"), *rules, "GH-123", source=source)
    elif fate == "dead":
        ctx.end_named(who, "dying", "dead", "GH-123")
        ctx.status(who, "dead", "GH-123")
