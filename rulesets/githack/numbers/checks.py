"""Checks and saves on a d20 (GH-101), with Advantage and Angst."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Literal, TypeAlias, cast

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

D20 = Dice.of(1, 20)
Edge: TypeAlias = Literal["none", "advantage", "disadvantage"]


class Words(Struct, frozen=True):
    """What a check is said to come to, and the rules behind either."""

    won: str = "succeeds"
    lost: str = "fails"
    won_by: tuple[str, ...] = ()
    lost_by: tuple[str, ...] = ()


class Check(Struct, frozen=True):
    """The result of a check: the die that counts, and whether it succeeded."""

    number: int
    success: bool


PLAIN = Words()


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
    ctx: Ctx,
    key: str,
    who: Id,
    ability: Ability,
    what: str,
    *rules: str,
    edge: Edge = "none",
    target: Id | None = None,
    words: Words = PLAIN,
) -> Check:
    """Roll a check (GH-104, GH-105, A15).

    Being `advised` gives Advantage on it. Advantage and Disadvantage cancel each other. Where the one
    who rolls or the one it is about has left in the meantime, nothing fails.
    """
    ctx.heed(key)
    if who not in ctx.state:
        return Check(0, True)
    score = stats.score(ctx.state, who, ability)
    if ctx.state[who].has("advised"):
        ctx.end_named(who, "advised", "used", "GH-218")
        edge = "none" if edge == "disadvantage" else "advantage"
    purpose = _purpose(what, None if target is None else ctx.state.name(target))
    why = f"{purpose}: {ability.upper()} {score} or less {words.won}"
    if edge == "none":
        number = ctx.roll(key, D20, *rules, who=who, why=why, classes=(1, score + 1))
    else:
        rule = "GH-104" if edge == "advantage" else "GH-105"
        faces = ctx.faces(key, Dice.of(2, 20), *rules, rule, who=who, why=f"{why}, {edge}", apart=True)
        number = faces[0]
        ctx.heed(f"{key}/die")
        if who not in ctx.state or (target is not None and target not in ctx.state):
            return Check(0, True)
        if len(set(faces)) > 1:
            score = stats.score(ctx.state, who, ability)
            options = [Option(str(face), f"{face} ({'succeeds' if face <= score else 'fails'})") for face in faces]
            default = str(chosen_die(edge, faces, score))
            picked = ctx.choose(
                f"{key}/die",
                options,
                rule,
                "GH-A15",
                default=default,
                who=who,
                why="which die counts?",
                to="gm" if edge == "disadvantage" else None,
            )
            number = int(picked)
    success = number <= stats.score(ctx.state, who, ability)
    result, more = (_degree(ctx, number, words.won), words.won_by) if success else (words.lost, words.lost_by)
    graded = ("GH-102",) if success and stats.rules(ctx.state).degrees else ()
    parts = (Part("d20", number, "GH-101"),)
    checked = Checked(what, who, number, result, target, parts, score, ability.upper())
    ctx.emit(checked, *rules, "GH-101", "GH-125", *graded, *more)
    return Check(number, success)


@lru_cache(maxsize=512)
def _purpose(what: str, name: str | None) -> str:
    """Return what a check is for: `attack on Rats`, `defence against Jelly (claws)`."""
    words = what.replace("_", " ")
    if name is None:
        return words
    act, _, part = words.partition(" against ")
    return f"attack on {name}" if words == "attack" else f"{act} against {name}{f' ({part})' if part else ''}"


def _degree(ctx: Ctx, number: int, word: str) -> str:
    """Return how good a success is, without an effect on numbers (GH-102)."""
    if not stats.rules(ctx.state).degrees:
        return word
    grade = "great success" if number >= 10 else "" if number >= 5 else "weak success"
    return (grade or "success") if word == PLAIN.won else f"{word}, {grade}" if grade else word


def ask_ability(ctx: Ctx, key: str, who: Id, special: str, offered: Sequence[str]) -> Ability:
    """Ask with which ability a save is rolled (GH-109)."""
    ctx.heed(f"{key}/ability")
    if not stats.here(ctx.state, who):
        return cast(Ability, offered[0])
    why = f"save against {special} with"
    return cast(Ability, ctx.choose(f"{key}/ability", offered, "GH-109", default=offered[0], who=who, why=why))


def save(
    ctx: Ctx,
    key: str,
    who: Id,
    ability: Ability,
    what: str,
    *rules: str,
    edge: Edge = "none",
    words: Words = PLAIN,
) -> Check:
    """Roll a save, with a price for success at or below Angst (GH-113).

    The dead and those who have left have nothing to fear.
    """
    ctx.heed(key)
    if not stats.here(ctx.state, who):
        return Check(0, True)
    result = check(ctx, key, who, ability, what, *rules, edge=edge, words=words)
    if not stats.here(ctx.state, who):
        return Check(0, True)
    if result.success and result.number <= stats.dread(ctx.state, who):
        _angst(ctx, f"{key}/angst", who)
    return result


def _angst(ctx: Ctx, key: str, who: Id) -> None:
    """Let the referee pick what Angst does (GH-114, A34)."""
    ctx.heed(key)
    if not stats.here(ctx.state, who):
        return
    held = stats.harm(ctx.state, who)
    options = [Option("fester", "a Deep Wound festers")] if _festering(held) else []
    options += [Option("deepen", "a Wound becomes Deep")] if "x" in held else []
    options += [
        Option("background", "a corrupted Background comes into the story"),
        Option("hold", "hold one"),
        Option("other", "something else"),
    ]
    match ctx.choose(key, options, "GH-113", "GH-114", "GH-A34", who=who, why="Angst bites", to="gm"):
        case "fester":
            _fester(ctx, key, who)
        case "deepen":
            _deepen(ctx, key, who)
        case "hold":
            tokens = ctx.state.fact("fight", "tokens", 0)
            ctx.fact("fight", "tokens", (tokens if isinstance(tokens, int) else 0) + 1, "GH-114")
        case _:
            ctx.note("the referee decides what Angst does", "GH-114", about=who)


def _festering(held: str) -> dict[str, tuple[int, int]]:
    """Return each star beside a box that can get worse, by its option."""
    pairs = [(box, other) for box, mark in enumerate(held) if mark == "*" for other in track.neighbours(held, box)]
    return {f"{box + 1}-{other + 1}": (box, other) for box, other in pairs}


def _fester(ctx: Ctx, key: str, who: Id) -> None:
    """Let a star spread (GH-119)."""
    ctx.heed(f"{key}/box")
    pairs = _festering(stats.harm(ctx.state, who)) if stats.here(ctx.state, who) else {}
    if not pairs:
        return
    chosen = next(iter(pairs))
    if len(pairs) > 1:
        names = [Option(name, f"box {box + 1} into box {other + 1}") for name, (box, other) in pairs.items()]
        why = "which box festers"
        chosen = ctx.choose(f"{key}/box", names, "GH-119", default=chosen, who=who, why=why, to="gm")
    set_harm(ctx, who, track.fester(stats.harm(ctx.state, who), *pairs[chosen]), "GH-119", "GH-114")


def _deepen(ctx: Ctx, key: str, who: Id) -> None:
    """Make a star of a cross (GH-114)."""
    ctx.heed(f"{key}/box")
    held = stats.harm(ctx.state, who) if stats.here(ctx.state, who) else ""
    crosses = {str(box + 1): box for box, mark in enumerate(held) if mark == "x"}
    if not crosses:
        return
    chosen = next(iter(crosses))
    if len(crosses) > 1:
        names, why = [Option(name, f"box {name}") for name in crosses], "which Wound becomes Deep"
        chosen = ctx.choose(f"{key}/box", names, "GH-114", default=chosen, who=who, why=why, to="gm")
    set_harm(ctx, who, track.put(held, crosses[chosen], "*"), "GH-114", "GH-118")
