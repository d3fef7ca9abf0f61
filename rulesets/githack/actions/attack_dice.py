"""Dice of a monster's attack: rolled together, judged one by one against armour (8.3)."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct
from msgspec.structs import replace

from rulesets.githack.stat_blocks.models import UNNAMED, Mode, Part, Special
from rulesets.githack.stats import stats
from rulesets.githack.stats.checks import Edge, judge, worse
from tracker.core.fight.slots import Id
from tracker.core.fight.state import State
from tracker.core.step.ctx import Ctx
from tracker.core.terms.dice import Dice


class Die(Struct, frozen=True):
    """One die of an attack: its face, its part, and the mark it makes.

    `wounds`: whether it is 3 or more over AC.
    """

    face: int
    part: str
    mark: str | None
    wounds: bool = False


class Blow(Struct, frozen=True):
    """One attack on one target, with what the form says about its rolls.

    `friend`: the target was on the attacker's side from the beginning. `alone`: it is the only target.
    """

    who: Id
    target: Id
    mode: Mode
    defence: str
    edge: Edge
    save_edge: Edge
    save_ability: str
    undefended: bool = False
    friend: bool = False
    alone: bool = True


def concerns(special: Special, part: str) -> bool:
    """Tell whether a special has to do with a part.

    Several parts are listed with commas.
    """
    return not special.part or part in special.part.split(", ")


def stop_or_lands(ctx: Ctx, blow: Blow) -> bool:
    """Tell whether the target is still there to be hit, and no friend by now.

    The attack stops where its attacker has left, fallen or been paralysed.
    """
    attacker = ctx.state.get(blow.who)
    if attacker is None or not stats.acts(attacker):
        ctx.stop(f"{ctx.state.name(blow.who)} can no longer attack")
    return _reaches(ctx.state, blow)


def is_possible(state: State, blow: Blow) -> bool:
    """Tell whether an attack lands, without stopping it."""
    attacker = state.get(blow.who)
    return attacker is not None and stats.acts(attacker) and _reaches(state, blow)


def _reaches(state: State, blow: Blow) -> bool:
    friend = stats.friends(state, blow.who, blow.target) and not blow.friend
    return stats.here(state, blow.target) and not friend


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
    """Roll all dice of the parts in one request and judge each against AC (GH-026, GH-043, GH-044, GH-053)."""
    adds = stats.rules(ctx.state).damage_adds == "extra_d4"
    own = [part.dice.plus_dice(Dice.of(1, 4)) if adds and part.add > 0 else part.dice for part in parts]
    dice = Dice([term for one in own for term in one.terms], sum([one.plus for one in own]))
    owners = [part.label for part, one in zip(parts, own, strict=True) for _ in one.sides]
    if not owners:
        return []
    rules = ("GH-043", "GH-026", "GH-053", "GH-007") + (("GH-308", "GH-A24") if adds else ())
    faces = ctx.faces(
        f"damage:{blow.target}",
        dice,
        *rules,
        who=blow.who,
        why=_why("damage" if blow.mode.name == UNNAMED else blow.mode.name, ctx, blow),
        to="gm",
        apart=True,
        asked_if=lambda state: is_possible(state, blow),
    )
    if faces is None:
        return []
    soaked = stats.ac(ctx.state, blow.target)
    judged = [
        Die(face, owner, judge(face, soaked), judge(face, soaked) == "x")
        for face, owner in zip(faces, owners, strict=True)
    ]
    _say(ctx, blow.target, judged, soaked)
    return judged


def _why(what: str, ctx: Ctx, blow: Blow) -> str:
    return what if blow.alone else f"{what} on {ctx.state.name(blow.target)}"


def _say(ctx: Ctx, target: Id, dice: Sequence[Die], soaked: int) -> None:
    """Write into the log what each die does through the armour (8.3)."""
    names = {None: "none", "/": "tick", "x": "cross"}
    words = ", ".join(names[die.mark] for die in dice) if any(die.mark for die in dice) else "no mark"
    equal = ("GH-A29",) if any(die.face == soaked for die in dice) else ()
    ctx.note(f"vs AC {soaked}: {words}", "GH-044", "GH-027", "GH-A02", *equal, about=target)


def marked(ctx: Ctx, blow: Blow, special: Special, dice: Sequence[Die]) -> list[Die]:
    """Return the dice with the marks of a special that takes hold (GH-048, GH-056).

    Stars where it is deep, else one step worse where it worsens.
    """
    if not (special.deep or special.worsen) or not any(die.mark and concerns(special, die.part) for die in dice):
        return list(dice)
    what, rule = ("deep", "GH-048") if special.deep else ("one step worse", "GH-056")
    ctx.note(f"{special.name}: {what}", rule, about=blow.target)
    return [
        replace(die, mark="*" if special.deep else worse(die.mark)) if die.mark and concerns(special, die.part) else die
        for die in dice
    ]


def special_dice(ctx: Ctx, blow: Blow, special: Special, saved: bool, *rules: str, armour: bool) -> list[Die]:
    """Roll the dice of a special, those a save has left, and judge them.

    GH-061, GH-063. Without `armour` no AC stops them (GH-058).
    """
    if special.dice is None:
        return []
    sides = special.dice.sides
    count = kept(len(sides), special.keep_on_save, stats.rules(ctx.state).save_rounding) if saved else len(sides)
    if not count:
        return []
    dice = Dice(tuple((1, side) for side in sides[:count])) if len(set(sides)) > 1 else Dice.of(count, sides[0])
    reduced = ("GH-063", "GH-070", "GH-111", "GH-A07", "GH-A08") if saved else ()
    faces = ctx.faces(
        f"damage:{special.name}:{blow.target}",
        dice,
        "GH-061",
        *rules,
        *reduced,
        who=blow.who,
        why=_why(special.name, ctx, blow),
        to="gm",
        apart=True,
        asked_if=lambda state: stats.here(state, blow.target),
    )
    if faces is None:
        return []
    soaked = stats.ac(ctx.state, blow.target) if armour else 0
    judged = [Die(face, special.part, judge(face, soaked), judge(face, soaked) == "x") for face in faces]
    _say(ctx, blow.target, judged, soaked)
    return judged
