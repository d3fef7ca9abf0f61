"""Wounds: Harm, the save on a full track, dying, a monster's hit points."""

from __future__ import annotations

from collections.abc import Sequence

from rulesets.githack.numbers import harm as track
from rulesets.githack.numbers import stats
from rulesets.githack.numbers.checks import Edge, save
from rulesets.githack.numbers.effects import DYING
from rulesets.githack.numbers.facts import set_harm
from tracker.core.fight.events import FightEnded
from tracker.core.fight.state import Id, State
from tracker.core.step.ctx import Ctx
from tracker.core.terms.derived import Part

__all__ = ["bleed", "finished_side", "hurt_monster", "settle", "take_harm", "track_check"]


def hurt_monster(ctx: Ctx, who: Id, damage: int, parts: Sequence[Part], source: Id, *rules: str) -> None:
    """Take damage off a monster's hit points (GH-021, A21)."""
    ctx.change(who, "hp", ctx.state[who].hp - damage, *rules, "GH-021", "GH-A21", parts=parts, source=source)


def take_harm(ctx: Ctx, who: Id, marks: Sequence[str], *rules: str) -> tuple[int | None, ...]:
    """Place marks in dice order, and return the box of each (GH-116, A14).

    Harm ends hiding.
    """
    if not marks:
        return ()
    held = stats.harm(ctx.state, who)
    after, boxes = track.place(held, marks)
    over = ["GH-118", "GH-124", "GH-A14"] if None in boxes else ["GH-A16"] if len(marks) > 1 else []
    set_harm(
        ctx,
        who,
        after,
        *rules,
        "GH-022",
        "GH-116",
        "GH-115",
        *(["GH-117"] if track.EMPTY in held.rstrip(track.EMPTY) else []),
        *over,
    )
    ctx.end_named(who, "hidden", "harmed", "GH-213")
    return boxes


def track_check(ctx: Ctx, key: str, who: Id, hits: int, edge: Edge = "none") -> None:
    """Roll the CON save to stay active after a hit on a full track (GH-120).

    A failure incapacitates, and may be the beginning of dying (GH-121, GH-122, A11, A33).
    """
    combatant = ctx.state[who]
    held = stats.harm(ctx.state, who)
    if not hits or combatant.status == "dead":
        return
    if combatant.status == "incapacitated":
        if not stats.dying(combatant) and _outweighed(ctx.state, held):
            _begin_dying(ctx, key, who, "GH-A33")
        return
    if track.EMPTY in held:
        return
    if save(ctx, key, who, "con", "stay active", "GH-120", "GH-A14", edge=edge).success:
        ctx.note("goes on", "GH-124", about=who)
        return
    ticks, crosses, stars = track.tally(stats.harm(ctx.state, who))
    ctx.fact(who, "fell", ctx.state.clock.round, "GH-121")
    ctx.status(who, "incapacitated", "GH-121", *(["GH-A11"] if ticks == crosses + stars else []))
    if _outweighed(ctx.state, stats.harm(ctx.state, who)):
        _begin_dying(ctx, key, who, "GH-A11")


def _outweighed(state: State, held: str) -> bool:
    """Tell whether crosses and stars outnumber ticks, or equal them by the switch (A11)."""
    ticks, crosses, stars = track.tally(held)
    worse = crosses + stars
    return worse > ticks or (worse == ticks and stats.rules(state).tie_is == "dying")


def _begin_dying(ctx: Ctx, key: str, who: Id, *rules: str) -> None:
    ctx.add_effect(DYING.on(who, stacking="keep"), "GH-122", *rules)
    bleed(ctx, f"{key}/dying", who, "dead", "GH-122")


def bleed(ctx: Ctx, key: str, who: Id, default: str, *rules: str) -> None:
    """Worsen the lowest tick of a dying PC (GH-123).

    Without one the referee decides whether this is death (A12).
    """
    held = stats.harm(ctx.state, who)
    box = track.lowest(held, "/")
    if box is not None:
        set_harm(ctx, who, track.put(held, box, "x"), *rules, "GH-123")
        return
    if (
        ctx.choose(
            key,
            ("dead", "still_dying"),
            *rules,
            "GH-123",
            "GH-A12",
            default=default,
            who=who,
            why="no tick left to worsen",
            to="gm",
        )
        == "dead"
    ):
        ctx.end_named(who, "dying", "dead", "GH-123")
        ctx.status(who, "dead", "GH-123")


def settle(ctx: Ctx) -> None:
    """Slay monsters, free the hosts of those gone, and ask about the end (4.2)."""
    for combatant in stats.monsters(ctx.state):
        if combatant.status == "up" and combatant.has_pool("hp") and combatant.hp <= 0:
            ctx.status(combatant.id, "slain", "GH-017")
    for combatant in stats.pcs(ctx.state):
        for effect in stats.host_of(ctx.state, combatant.id):
            source = ctx.state.get(effect.source)
            if source is None or not stats.in_fight(source):
                ctx.end_effect(effect, "gone with the monster", "GH-073")
        if not stats.acts(combatant) and combatant.has("guarding"):
            ctx.end_named(combatant.id, "guarding", "cannot guard", "GH-209")
    side = finished_side(ctx.state)
    if side is None:
        ctx.fact("fight", "asked_end", None, "GH-010")
    elif not ctx.state.clock.over and ctx.state.clock.round and ctx.state.fact("fight", "asked_end") is None:
        ctx.fact("fight", "asked_end", side, "GH-010")
        if ctx.confirm("end_combat", "GH-010", default=True, why=f"{side}: end the combat?", to="gm"):
            ctx.emit(FightEnded(side), "GH-010")
            ctx.end_fight()
            ctx.walk()


def finished_side(state: State) -> str | None:
    """Return which side is finished: no monster left, or no PC standing (4.2)."""
    if not state.combatants:
        return None
    if not any(combatant.status == "up" for combatant in stats.monsters(state)):
        return "no monster is left"
    if not any(combatant.status == "up" for combatant in stats.pcs(state)):
        return "no PC is standing"
    return None
