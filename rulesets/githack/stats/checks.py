"""Checks and saves on a d20 (GH-101), with Advantage and Angst."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Literal, TypeAlias, TypeVar, cast

from msgspec import Struct

from rulesets.githack.stat_blocks.models import Ability
from rulesets.githack.stats import stats
from rulesets.githack.stats.stats import set_harm
from tracker.core.fight.events import Checked
from tracker.core.fight.slots import Id
from tracker.core.fight.state import State
from tracker.core.step.ctx import Ctx
from tracker.core.step.prompts import AskedIf, FromState, evaluated
from tracker.core.terms.actions import Option
from tracker.core.terms.derived import Part
from tracker.core.terms.dice import Dice
from tracker.core.terms.words import up_to

Mark: TypeAlias = Literal["/", "x", "*"]
EMPTY = "."
_WORSE = {".": "/", "/": "x", "x": "*", "*": "*"}


def judge(die: int, ac: int) -> Mark | None:
    """Return what one die does through an AC (GH-044 to GH-047).

    Nothing up to it, a tick over it by 1 or 2, a cross from 3 on.
    """
    over = die - ac
    return None if over <= 0 else "/" if over < 3 else "x"


def worse(mark: str) -> str:
    """Return a box one step worse (GH-118)."""
    return _WORSE[mark]


def put(track: str, box: int, mark: str) -> str:
    return track[:box] + mark + track[box + 1 :]


def lowest(track: str, marks: str) -> int | None:
    return next((box for box, held in enumerate(track) if held in marks), None)


def surplus(track: str, mark: str) -> str:
    """Return a full track after a hit that finds no box (A14).

    The lowest tick worsens, else the lowest cross. A star takes the lowest other box.
    """
    if mark == "*":
        box = lowest(track, "/x")
        return track if box is None else put(track, box, "*")
    box = lowest(track, "/")
    if box is None:
        box = lowest(track, "x")
    return track if box is None else put(track, box, worse(track[box]))


def place(track: str, marks: Sequence[str]) -> tuple[str, tuple[int | None, ...]]:
    """Place marks in order into the lowest empty boxes (GH-116).

    Returns the track and the box of each, None where it found none.
    """
    boxes: list[int | None] = []
    for mark in marks:
        box = lowest(track, EMPTY)
        track = surplus(track, mark) if box is None else put(track, box, mark)
        boxes.append(box)
    return track, tuple(boxes)


def neighbours(track: str, box: int) -> tuple[int, ...]:
    """Return the boxes beside one that can still get worse."""
    return tuple(other for other in (box - 1, box + 1) if 0 <= other < len(track) and track[other] != "*")


def fester(track: str, box: int, neighbour: int) -> str:
    """Return the track after a star has spread one step into a neighbour (GH-119)."""
    if track[box] != "*" or neighbour not in neighbours(track, box):
        raise ValueError("only a star festers, into a neighbour that is no star")
    return put(track, neighbour, worse(track[neighbour]))


def wipe(track: str, mark: str, count: int) -> str:
    """Return the track with `count` of a mark gone, highest-numbered boxes first (A27)."""
    for _ in range(count):
        box = track.rfind(mark)
        if box < 0:
            raise ValueError("there are not that many")
        track = put(track, box, EMPTY)
    return track


def tally(track: str) -> tuple[int, int, int]:
    return track.count("/"), track.count("x"), track.count("*")


B = TypeVar("B")
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
    rolled_with: FromState[Ability],
    what: str,
    *rules: str,
    edge: Edge = "none",
    target: Id | None = None,
    words: Words = PLAIN,
    asked_if: AskedIf | None = None,
) -> Check | None:
    """Roll a check (GH-104, GH-105, A15).

    Being `advised` gives Advantage on it. Advantage and Disadvantage cancel each other. None if it is not rolled: by
    `asked_if`, or because who rolls has left. If who rolls or the target leaves after the roll, nothing fails.
    """
    ctx.run_interrupts(key)  # the advice is used up before the roll, by a check that is made
    if who not in ctx.state or (asked_if is not None and not asked_if(ctx.state)):
        return None
    ability: Ability = evaluated(rolled_with, ctx.state)
    score = stats.score(ctx.state[who], ability)
    paired = ("GH-A15",) if edge != "none" else ()
    if ctx.state[who].has("advised"):
        paired = ("GH-A15",)
        ctx.end_named(who, "advised", "used", "GH-218")
        edge = "none" if edge == "disadvantage" else "advantage"
    purpose = _purpose(what, None if target is None else ctx.state.name(target))
    made = f"leaves {words.won}" if words.won[:1].isdigit() else words.won
    why = f"{purpose}: {ability.upper()} {up_to(score, D20.maximum, made)}"
    if edge == "none":
        number = ctx.roll(key, D20, *rules, who=who, why=why)
    else:
        rule = "GH-104" if edge == "advantage" else "GH-105"
        faces = ctx.faces(key, Dice.of(2, 20), *rules, rule, who=who, why=f"{why}, {edge}", apart=True)
        there = [one for one in (who, target) if one is not None]
        picked = ctx.choose(
            f"{key}/die",
            lambda state: _die_options(faces, stats.score(state[who], ability)),
            rule,
            "GH-A15",
            default=lambda state: str(chosen_die(edge, faces, stats.score(state[who], ability))),
            who=who,
            why="which die counts?",
            to="gm" if edge == "disadvantage" else None,
            asked_if=lambda state: len(set(faces)) > 1 and all(one in state for one in there),
        )
        if not all(one in ctx.state for one in there):
            return Check(0, True)
        number = faces[0] if picked is None else int(picked)
    success = number <= stats.score(ctx.state[who], ability)
    result, more = (_degree(ctx, number, words.won), words.won_by) if success else (words.lost, words.lost_by)
    graded = ("GH-102",) if success and stats.rules(ctx.state).degrees else ()
    parts = (Part("d20", number, "GH-101"),)
    checked = Checked(what, who, number, result, target, parts, score, ability.upper(), success=success)
    ctx.emit(checked, *rules, "GH-101", "GH-125", *paired, *graded, *more)
    return Check(number, success)


def check_or_stop(
    ctx: Ctx,
    key: str,
    who: Id,
    ability: Ability,
    what: str,
    *rules: str,
    hindrance: Callable[[State], str],
    edge: Edge,
    target: Id | None = None,
    words: Words = PLAIN,
) -> Check:
    """Roll a check that an action needs, or stop the action where something hinders it by then."""

    def asked_if(state: State) -> bool:
        return not hindrance(state)

    result = check(ctx, key, who, ability, what, *rules, edge=edge, target=target, words=words, asked_if=asked_if)
    if result is None:
        ctx.stop(hindrance(ctx.state))
    return result


def _die_options(faces: Sequence[int], score: int) -> list[Option]:
    return [Option(str(face), f"{face} ({'succeeds' if face <= score else 'fails'})") for face in faces]


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


def ask_ability(
    ctx: Ctx, key: str, who: Id, special: str, offered: Sequence[str], asked_if: AskedIf | None = None
) -> Ability | None:
    """Ask with which ability a save is rolled (GH-109), None if it is not asked."""
    why = f"save against {special} with"
    usual = asked_if or (lambda state: stats.here(state, who))
    return cast(
        Ability | None,
        ctx.choose(f"{key}/ability", offered, "GH-109", default=offered[0], who=who, why=why, asked_if=usual),
    )


def save(
    ctx: Ctx,
    key: str,
    who: Id,
    ability: Ability,
    what: str,
    *rules: str,
    edge: Edge = "none",
    words: Words = PLAIN,
    asked_if: AskedIf | None = None,
) -> Check | None:
    """Roll a save, with a price for success at or below Angst (GH-113).

    None if it is not rolled, or if who rolls it leaves or dies meanwhile: the dead have nothing to fear.
    """

    def rolled(state: State) -> bool:
        return stats.here(state, who) and (asked_if is None or bool(asked_if(state)))

    result = check(ctx, key, who, ability, what, *rules, edge=edge, words=words, asked_if=rolled)
    if result is None or not stats.here(ctx.state, who):
        return None
    if result.success and result.number <= stats.dread(ctx.state, who):
        _angst(ctx, f"{key}/angst", who)
    return result


def _angst(ctx: Ctx, key: str, who: Id) -> None:
    """Let the referee pick what Angst does (GH-114, A34)."""
    match ctx.choose(
        key,
        lambda state: _angst_options(stats.harm(state[who])),
        *("GH-113", "GH-114", "GH-A34"),
        who=who,
        why="Angst bites",
        to="gm",
        asked_if=lambda state: stats.here(state, who),
    ):
        case None:
            return
        case "fester":
            _fester(ctx, key, who)
        case "deepen":
            _deepen(ctx, key, who)
        case "hold":
            tokens = ctx.state.fact("fight", "tokens", 0)
            ctx.fact("fight", "tokens", (tokens if isinstance(tokens, int) else 0) + 1, "GH-114")
        case _:
            ctx.note("the referee decides what Angst does", "GH-114", about=who)


def _angst_options(held: str) -> list[Option]:
    return [
        *([Option("fester", "a Deep Wound festers")] if _festering(held) else []),
        *([Option("deepen", "a Wound becomes Deep")] if "x" in held else []),
        Option("background", "a corrupted Background comes into the story"),
        Option("hold", "hold one"),
        Option("other", "something else"),
    ]


def _festering(held: str) -> dict[str, tuple[int, int]]:
    pairs = [(box, other) for box, mark in enumerate(held) if mark == "*" for other in neighbours(held, box)]
    return {f"{box + 1}-{other + 1}": (box, other) for box, other in pairs}


def _crosses(held: str) -> dict[str, int]:
    return {str(box + 1): box for box, mark in enumerate(held) if mark == "x"}


def _fester(ctx: Ctx, key: str, who: Id) -> None:
    """Let a star spread (GH-119)."""
    pair = _ask_box(ctx, key, who, _festering, "GH-119", "which box festers")
    if pair is not None:
        set_harm(ctx, who, fester(stats.harm(ctx.state[who]), *pair), "GH-119", "GH-114")


def _deepen(ctx: Ctx, key: str, who: Id) -> None:
    """Make a star of a cross (GH-114)."""
    box = _ask_box(ctx, key, who, _crosses, "GH-114", "which Wound becomes Deep")
    if box is not None:
        set_harm(ctx, who, put(stats.harm(ctx.state[who]), box, "*"), "GH-114", "GH-118")


def _ask_box(ctx: Ctx, key: str, who: Id, boxes: Callable[[str], dict[str, B]], rule: str, why: str) -> B | None:
    """Ask for one of several boxes of a harm track, None if there is none."""

    def offered(state: State) -> dict[str, B]:
        return boxes(stats.harm(state[who])) if stats.here(state, who) else {}

    chosen = ctx.choose(
        f"{key}/box",
        lambda state: [Option(name, f"box {name.replace('-', ' into box ')}") for name in offered(state)],
        rule,
        default=lambda state: next(iter(offered(state))),
        who=who,
        why=why,
        to="gm",
        asked_if=lambda state: len(offered(state)) > 1,
    )
    found = offered(ctx.state)
    return found[chosen] if chosen is not None else next(iter(found.values()), None)
