"""Dice of a monster's attack: rolled together, judged one by one against armour (8.3)."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct
from msgspec.structs import replace

from rulesets.githack.blocks.canonical import Mode, Part, Special
from rulesets.githack.numbers import stats
from rulesets.githack.numbers.checks import Edge
from rulesets.githack.numbers.harm import judge, worse
from tracker.core.fight.state import Id
from tracker.core.step.ctx import Ctx
from tracker.core.terms.dice import Dice

__all__ = ["Blow", "Die", "concerns", "deepened", "kept", "roll_damage", "special_dice", "worsened"]


class Die(Struct, frozen=True):
    """One die of an attack: its face, its part, and the mark it makes.

    `wounds`: whether it is 3 or more over AC.
    """

    face: int
    part: str
    mark: str | None
    wounds: bool = False


class Blow(Struct, frozen=True):
    """One attack on one target, with what the form says about its rolls."""

    who: Id
    target: Id
    mode: Mode
    defence: str
    edge: Edge
    save_edge: Edge
    save_ability: str
    undefended: bool = False


def concerns(special: Special, part: str) -> bool:
    """Tell whether a special has to do with a part.

    Several parts are listed with commas.
    """
    return not special.part or part in special.part.split(", ")


def kept(count: int, share: str, rounding: str) -> int:
    """Return how many dice a successful save leaves (GH-063, A07, A08).

    At least one, except for a share of 0.
    """
    if share == "0":
        return 0
    top, bottom = (int(part) for part in share.split("/"))
    dice = -(-count * top // bottom) if rounding == "up" else count * top // bottom
    return max(1, dice)


def roll_damage(ctx: Ctx, blow: Blow, parts: Sequence[Part]) -> list[Die]:
    """Roll all dice of the parts in one request and judge each against AC.

    GH-026, GH-043, GH-044, GH-053.
    """
    dice, owners = Dice(), list[str]()
    adds = stats.rules(ctx.state).damage_adds == "extra_d4"
    for part in parts:
        own = part.dice.plus_dice(Dice.of(1, 4)) if adds and part.add > 0 else part.dice
        dice = dice.plus_dice(own)
        owners += [part.label] * len(own.sides)
    if not owners:
        return []
    rules = ("GH-043", "GH-026", "GH-053", "GH-007") + (("GH-308", "GH-A24") if adds else ())
    faces = ctx.faces(
        f"damage:{blow.target}",
        dice,
        *rules,
        who=blow.who,
        why=f"{blow.mode.name} on {ctx.state.name(blow.target)}",
        to="gm",
    )
    soaked = stats.ac(ctx.state, blow.target)
    judged = [
        Die(face, owner, judge(face, soaked), judge(face, soaked) == "x")
        for face, owner in zip(faces, owners, strict=True)
    ]
    _say(ctx, blow.target, judged, soaked)
    return judged


def _say(ctx: Ctx, target: Id, dice: Sequence[Die], soaked: int) -> None:
    """Write into the log what each die does through the armour (8.3)."""
    words = ", ".join(
        f"{die.face} {'none' if die.mark is None else 'tick' if die.mark == '/' else 'cross'}" for die in dice
    )
    equal = ("GH-A29",) if any(die.face == soaked for die in dice) else ()
    ctx.note(f"against AC {soaked}: {words}", "GH-044", "GH-027", "GH-A02", *equal, about=target)


def deepened(dice: list[Die], riders: Sequence[Special]) -> list[Die]:
    """Return the dice with stars for marks if every hit is a Deep Wound (GH-048)."""
    deep = [special for special in riders if special.deep]
    return [
        replace(die, mark="*") if die.mark and any(concerns(special, die.part) for special in deep) else die
        for die in dice
    ]


def worsened(die: Die) -> Die:
    """Return a die whose mark is one step worse (GH-056)."""
    return replace(die, mark=worse(die.mark)) if die.mark else die


def special_dice(ctx: Ctx, blow: Blow, special: Special, saved: bool, soaked: int, *rules: str) -> list[Die]:
    """Roll the dice of a special, those a save has left, and judge them.

    GH-061, GH-063.
    """
    if special.dice is None:
        return []
    sides = special.dice.sides
    count = kept(len(sides), special.keep_on_save, stats.rules(ctx.state).save_rounding) if saved else len(sides)
    if not count:
        return []
    dice = Dice(tuple((1, side) for side in sides[:count])) if len(set(sides)) > 1 else Dice.of(count, sides[0])
    reduced = ("GH-063", "GH-070", "GH-111", "GH-A07", "GH-A08") if saved else ()
    key = f"damage:{special.name}:{blow.target}"
    faces = ctx.faces(
        key,
        dice,
        "GH-061",
        *rules,
        *reduced,
        who=blow.who,
        why=f"{special.name} on {ctx.state.name(blow.target)}",
        to="gm",
    )
    judged = [Die(face, special.part, judge(face, soaked), judge(face, soaked) == "x") for face in faces]
    _say(ctx, blow.target, judged, soaked)
    return judged
