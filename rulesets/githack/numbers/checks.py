"""Checks and saves on a d20 (GH-101), with Advantage and Angst."""

from __future__ import annotations

from typing import Literal, TypeAlias

from msgspec import Struct

from rulesets.githack.blocks.canonical import Ability
from rulesets.githack.numbers import harm as track
from rulesets.githack.numbers import stats
from rulesets.githack.numbers.facts import set_harm
from tracker.core.fight.events import Checked
from tracker.core.fight.state import Id
from tracker.core.step.ctx import Ctx
from tracker.core.terms.actions import Option
from tracker.core.terms.derived import Part
from tracker.core.terms.dice import Dice

__all__ = ["D20", "Check", "Edge", "check", "chosen_die", "save"]

D20 = Dice.of(1, 20)
Edge: TypeAlias = Literal["none", "advantage", "disadvantage"]


class Check(Struct, frozen=True):
    """The result of a check: the die that counts, and whether it succeeded."""

    number: int
    success: bool


def chosen_die(edge: Edge, faces: tuple[int, ...], score: int) -> int:
    """Return the die that is pre-selected (A15).

    Advantage: the highest success, else the lower failure. Disadvantage: the higher failure, else the lowest success.
    """
    made = [face for face in faces if face <= score]
    missed = [face for face in faces if face > score]
    if edge == "advantage":
        return max(made) if made else min(missed)
    return max(missed) if missed else min(made)


def check(
    ctx: Ctx, key: str, who: Id, ability: Ability, what: str, *rules: str, edge: Edge = "none", target: Id | None = None
) -> Check:
    """Roll a check (GH-104, GH-105, A15).

    Being `advised` gives Advantage on it. Advantage and Disadvantage cancel each other.
    """
    score = stats.score(ctx.state, who, ability)
    if ctx.state[who].has("advised"):
        ctx.end_named(who, "advised", "used", "GH-218")
        edge = "none" if edge == "disadvantage" else "advantage"
    why = f"{what}: {ability.upper()} {score}"
    if edge == "none":
        number = ctx.roll(key, D20, *rules, who=who, why=why, classes=(1, score + 1))
    else:
        rule = "GH-104" if edge == "advantage" else "GH-105"
        faces = ctx.faces(key, Dice.of(2, 20), *rules, rule, who=who, why=f"{why}, {edge}")
        number = faces[0]
        if len(set(faces)) > 1:
            options = [Option(str(face), f"{face} ({'succeeds' if face <= score else 'fails'})") for face in faces]
            default = str(chosen_die(edge, faces, score))
            picked = ctx.choose(
                f"{key}/die",
                options,
                rule,
                "GH-A15",
                default=default,
                who=who,
                why=what,
                to="gm" if edge == "disadvantage" else None,
            )
            number = int(picked)
    success = number <= score
    result = _degree(ctx, number) if success else "misses" if what in ("attack", "initiative") else "fails"
    ctx.emit(
        Checked(what, who, number, result, target, (Part("d20", number, "GH-101"),), score, ability.upper()),
        *rules,
        "GH-101",
        "GH-125",
        *(["GH-102"] if success and stats.rules(ctx.state).degrees else []),
    )
    return Check(number, success)


def _degree(ctx: Ctx, number: int) -> str:
    """Return how good a success is, without an effect on numbers (GH-102)."""
    if not stats.rules(ctx.state).degrees:
        return "succeeds"
    return "great success" if number >= 10 else "success" if number >= 5 else "weak success"


def save(ctx: Ctx, key: str, who: Id, ability: Ability, what: str, *rules: str, edge: Edge = "none") -> Check:
    """Roll a save, with a price for success at or below Angst (GH-113)."""
    result = check(ctx, key, who, ability, what, *rules, edge=edge)
    if result.success and result.number <= stats.dread(ctx.state, who):
        _angst(ctx, f"{key}/angst", who)
    return result


def _angst(ctx: Ctx, key: str, who: Id) -> None:
    """Let the referee pick what Angst does (GH-114, A34)."""
    held = stats.harm(ctx.state, who)
    pairs = [(box, other) for box, mark in enumerate(held) if mark == "*" for other in track.neighbours(held, box)]
    crosses = [box for box, mark in enumerate(held) if mark == "x"]
    options = [Option("fester", "a Deep Wound festers")] if pairs else []
    options += [Option("deepen", "a Wound becomes Deep")] if crosses else []
    options += [
        Option("background", "a corrupted Background comes into the story"),
        Option("hold", "hold one"),
        Option("other", "something else"),
    ]
    match ctx.choose(key, options, "GH-113", "GH-114", "GH-A34", who=who, why="Angst bites", to="gm"):
        case "fester":
            box, other = pairs[0]
            if len(pairs) > 1:
                names = [
                    Option(f"{star + 1}-{beside + 1}", f"box {star + 1} into box {beside + 1}")
                    for star, beside in pairs
                ]
                chosen = ctx.choose(
                    f"{key}/box", names, "GH-119", default=names[0].key, who=who, why="which box festers", to="gm"
                )
                box, other = (int(part) - 1 for part in chosen.split("-"))
            set_harm(ctx, who, track.fester(held, box, other), "GH-119", "GH-114")
        case "deepen":
            box = crosses[0]
            if len(crosses) > 1:
                names = [Option(str(cross + 1), f"box {cross + 1}") for cross in crosses]
                box = (
                    int(
                        ctx.choose(
                            f"{key}/box",
                            names,
                            "GH-114",
                            default=names[0].key,
                            who=who,
                            why="which Wound becomes Deep",
                            to="gm",
                        )
                    )
                    - 1
                )
            set_harm(ctx, who, track.put(held, box, "*"), "GH-114", "GH-118")
        case "hold":
            tokens = ctx.state.fact("fight", "tokens", 0)
            ctx.fact("fight", "tokens", (tokens if isinstance(tokens, int) else 0) + 1, "GH-114")
        case _:
            ctx.note("Angst: the referee decides", "GH-114", about=who)
