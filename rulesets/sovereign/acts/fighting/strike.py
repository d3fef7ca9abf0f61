"""The course of an attack: two windows, screens, the roll, the harm (4.4)."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import count

from msgspec import Struct
from msgspec.structs import replace

from rulesets.sovereign.acts.deeds import PAID_FACT
from rulesets.sovereign.acts.fighting import screening as screen
from rulesets.sovereign.blocks.canonical import Arm
from rulesets.sovereign.ending import wounds
from rulesets.sovereign.numbers import field
from rulesets.sovereign.numbers.attack import (
    Attack,
    at_hand,
    damage_parts,
    hit_parts,
    hit_rules,
    impossible,
    out_of_reach,
    shock_parts,
)
from rulesets.sovereign.numbers.effects import SHIELD_USED
from rulesets.sovereign.numbers.stats import armor_class, block, level, rules
from rulesets.without_number.acts.strike import classes, hits, ruled, tell
from rulesets.without_number.numbers import shock, swarm
from rulesets.without_number.numbers.checks import D20
from rulesets.without_number.numbers.parts import cited
from rulesets.without_number.turn import in_setup, own_phase
from tracker.core.fight.state import Id, State
from tracker.core.step.ctx import Ctx, Response
from tracker.core.terms.derived import Derived, Part
from tracker.core.terms.effects import Effect

__all__ = ["Aimed", "aim", "harm", "loose", "lose", "open_window", "quick", "strike"]

HINDRANCE = "the attack has become impossible"


class Aimed(Struct, frozen=True, gc=False):
    """How an attack roll came out: at whom in the end, and whether it hits."""

    attack: Attack
    hit: bool


def lose(ctx: Ctx, who: Id, why: str) -> None:
    """End an action that an interruption has made impossible (R26).

    Its cost stays spent, unless the table plays otherwise.
    """
    paid = ctx.state[who].fact(PAID_FACT)
    if rules(ctx.state).interrupted_action == "redeclare" and isinstance(paid, tuple):
        ctx.refill({who: tuple((key, left + paid.count(key)) for key, left in ctx.state[who].budget)}, "SV-R26")
        ctx.fact(who, PAID_FACT, None, "SV-R26")
    ctx.note(why, "SV-R26", about=who)
    ctx.stop(why)


def open_window(ctx: Ctx, actor: Id, target: Id | None, why: str, tag: str = "") -> None:
    """Let Instants come before what was declared, completely (SV-114, R46)."""
    for times in count(1):
        key = f"declared{tag}" if times == 1 else f"declared{tag}:{times}"
        if not ctx.window(key, actor, target, why=why, again=False):
            return


def strike(ctx: Ctx, attack: Attack) -> None:
    """Make a whole attack, with its harm."""
    aimed = aim(ctx, attack)
    if aimed is not None:
        harm(ctx, aimed)


def aim(ctx: Ctx, attack: Attack) -> Aimed | None:
    """Return how an attack roll comes out, None without a target."""
    state = ctx.state
    if attack.target not in state or state[attack.target].status in ("dead", "gone"):
        ctx.skip("attack", f"{state.name(attack.target)} is beyond harm", "SV-R42", who=attack.actor)
        return None
    if attack.declared:
        open_window(
            ctx,
            attack.actor,
            attack.target,
            f"{state.name(attack.actor)} sets out to attack {state.name(attack.target)}",
            attack.tag,
        )
        if attack.target not in ctx.state:
            ctx.stop(f"{state.name(attack.target)} is gone")
        attack = _again(ctx.state, attack)
        if ctx.state is not state and impossible(ctx.state, attack) is not None:
            lose(ctx, attack.actor, HINDRANCE)
    loose(ctx, attack)
    attack = screen.redirect(ctx, attack)
    _meet(ctx, attack)
    return _roll(ctx, attack)


def _again(state: State, attack: Attack) -> Attack:
    """Return an attack with the distance and the press of enemies as they are now."""
    feet = field.feet_between(state, attack.actor, attack.target)
    return attack if feet is None else replace(attack, feet=feet, crowded=field.in_melee(state, attack.actor))


def loose(ctx: Ctx, attack: Attack) -> None:
    """Fire a weapon, and load it where that is Free (SV-092, R40)."""
    arm, who = attack.weapon, attack.actor
    if attack.use != "ranged" or arm.reload == "none":
        return
    if quick(ctx.state, who, arm) and (own_phase(ctx.state, who) or in_setup(ctx.state)):
        ctx.note(f"{arm.name}: loaded again at once", "SV-092", "SV-043", "SV-R40", about=who)
        return
    ctx.add_effect(Effect(f"unloaded:{arm.name}", who, title=f"{arm.name} unloaded"), "SV-091")


def quick(state: State, who: Id, arm: Arm) -> bool:
    """Tell whether a bow is reloaded as a Free Action (SV-092, R11)."""
    return arm.reload == "bow" and (not block(state[who]).trained or level(state[who], "shoot") >= 1)


def _meet(ctx: Ctx, attack: Attack) -> None:
    """Remember who is in melee, and that the target suspects something now (SV-159)."""
    if at_hand(attack.use):
        field.engage(ctx, attack.actor, attack.target)
    for who in (attack.actor, attack.target):
        ctx.end_named(who, "unaware", "attacked" if who == attack.target else "attacks", "SV-159")


class Result(Struct, frozen=True, gc=False):
    """An attack roll as it stands: its parts, the AC, and whether it hits.

    Attributes:
        fixed: luck has made it a hit or a miss.
        over: nobody is left to be hit.
    """

    parts: tuple[Part, ...]
    against: Derived
    hit: bool
    fixed: bool = False
    over: bool = False

    @property
    def total(self) -> int:
        """The roll with all it adds."""
        return sum(part.amount for part in self.parts)


def _roll(ctx: Ctx, attack: Attack) -> Aimed | None:
    state, naturals = ctx.state, rules(ctx.state).natural_20 == "auto"
    why = f"{state.name(attack.actor)} attacks {state.name(attack.target)}"
    needed = armor_class(state[attack.target]).value - sum(part.amount for part in hit_parts(state, attack))
    odds = classes(needed, naturals)
    natural = ctx.roll(f"attack{attack.tag}", D20, "SV-115", who=attack.actor, why=why, classes=odds)

    def judge(last: Result | None, responses: Sequence[Response]) -> Result:
        return _judged(ctx, attack, natural, last, responses)

    def asks(result: Result) -> tuple[str, Sequence[str]] | None:
        word = "hit" if result.hit else "miss"
        return None if result.over else (f"{result.total} against AC {result.against.value}: {word}", (word,))

    result = ctx.weigh(f"rolled{attack.tag}", judge, asks, attack.actor, attack.target)
    return None if result.over else Aimed(attack, ctx.ruling(f"hit{attack.tag}", result.hit) is True)


def _judged(ctx: Ctx, attack: Attack, natural: int, last: Result | None, responses: Sequence[Response]) -> Result:
    """Compare an attack roll with the AC as both are now.

    It is told where it has changed.
    """
    state = ctx.state
    if last is not None:
        if attack.target not in state or attack.actor not in state or state[attack.target].status in ("dead", "gone"):
            return replace(last, over=True)
        moved = _again(state, attack)
        if out_of_reach(moved) or (moved != attack and not field.sees(state, attack.actor, attack.target)):
            lose(ctx, attack.actor, "the target is out of reach")
        luck = _luck(responses, attack)
        if luck is not None:
            return replace(last, hit=luck, fixed=True)
        if last.fixed:
            return last
    added, against = hit_parts(state, attack), armor_class(state[attack.target])
    parts = (Part("1d20", natural, "SV-115"), *(part for part in added if part.amount))
    total, naturals = sum(part.amount for part in added), rules(state).natural_20 == "auto"
    now = Result(parts, against, hits(natural, total, against.value, naturals))
    if last is not None and (last.total, last.against.value) == (now.total, now.against.value):
        return last
    _tell(ctx, attack, parts, against, now.hit)
    return now


def _luck(responses: Sequence[Response], attack: Attack) -> bool | None:
    """Return what Veteran's Luck has decided for good, or None (SV-P14)."""
    given = [(response.action.by, response.value) for response in responses]
    return True if (attack.actor, "hit") in given else False if (attack.target, "miss") in given else None


def _tell(ctx: Ctx, attack: Attack, parts: tuple[Part, ...], against: Derived, hit: bool) -> None:
    naturals = ("SV-R14",) if rules(ctx.state).natural_20 == "auto" else ()
    found = cited((*parts, *against.parts), *hit_rules(ctx.state, attack), *naturals)
    tell(ctx, attack.actor, attack.target, parts, against, "AC", hit, found)


# -- harm --------------------------------------------------------------------------------------------------------------


def missed(state: State, attack: Attack) -> tuple[shock.Verdict, int, tuple[Part, ...]]:
    """Tell what a miss would do (SV-134 to SV-140).

    The verdict says whether Shock harms or what keeps it away; its points and their parts follow.
    """
    target, parts = state[attack.target], shock_parts(state[attack.actor], attack)
    points = sum(part.amount for part in parts)
    if attack.weapon.shock is None or not parts or attack.harmless:
        return "none", 0, ()
    guard = shock.Guard(
        armor_class(target).value,
        block(target).features.shock_immune,
        block(target).shield and not target.has("shield_used"),
        target.has("total_defense"),
    )
    return shock.reaches(points, attack.weapon.shock.ac, guard, attack.others > 0), points, parts


VERDICT_RULES: dict[str, tuple[str, ...]] = {
    "harms": ("SV-134", "SV-135"),
    "none": ("SV-138",),
    "armored": ("SV-135",),
    "immune": ("SV-140", "SV-137"),
    "shield": ("SV-139", "SV-137"),
    "total_defense": ("SV-089", "SV-140"),
}


def harm(ctx: Ctx, aimed: Aimed) -> None:
    """Do the harm of a hit or the Shock of a miss, then settle."""
    if aimed.hit:
        _hurt(ctx, aimed.attack)
    else:
        _shock(ctx, aimed.attack)
    ctx.settle()


def _hurt(ctx: Ctx, attack: Attack) -> None:
    arm = attack.weapon
    why = f"{arm.name} against {ctx.state.name(attack.target)}"
    natural = ctx.roll(f"damage{attack.tag}", arm.damage.natural, "SV-130", who=attack.actor, why=why)
    dice = (Part(str(arm.damage.natural), natural, "SV-130"),) if arm.damage.terms else ()
    amount, parts, found = damage_of(ctx.state, attack, dice)
    amount = ruled(ctx, f"damage{attack.tag}", amount)
    if attack.target in ctx.state:
        wounds.deal(
            ctx, attack.target, amount, *cited(parts, "SV-130", *found), parts=parts, why=arm.name, source=attack.actor
        )


def damage_of(state: State, attack: Attack, dice: tuple[Part, ...]) -> tuple[int, tuple[Part, ...], tuple[str, ...]]:
    """Return the damage of a hit, its parts and further rules (SV-067, SV-068, SV-133).

    A swarm lifts it to the usual maximum at most, Shock is the least.
    """
    added = damage_parts(state, attack)
    parts = [*dice, *(part for part in added if part.amount)]
    found = ["SV-157"] if attack.dual and attack.weapon.shock is not None else []
    if attack.weapon.damage_bonus and block(state[attack.actor]).trained:
        found.append("SV-P13")
    amount = sum(part.amount for part in parts)
    if amount < 0:
        parts.append(Part("not below 0", -amount, "SV-R18"))
        amount = 0
    if attack.others:
        most = max(0, attack.weapon.damage.natural.maximum + sum(part.amount for part in added))
        extra = swarm.bonus(attack.others)[1]
        raised = swarm.capped(amount, extra, most)
        parts.append(Part("swarm", raised - amount, "SV-066" if raised == amount + extra else "SV-068"))
        amount = raised
    verdict, points, _ = missed(state, attack)
    literal = rules(state).hit_floor == "listed_shock"
    if at_hand(attack.use) and points > amount and (literal or verdict == "harms"):
        parts.append(Part("no less than Shock", points - amount, "SV-133" if literal else "SV-141"))
        found += ["SV-R07"] if literal else []
        found += ["SV-141"] if verdict == "harms" else []
        amount = points
    return amount, tuple(parts), tuple(found)


def _shock(ctx: Ctx, attack: Attack) -> None:
    """Do the Shock of a miss (SV-139).

    A shield ignores the first that would hurt in a round.
    """
    if attack.use == "thrown" and attack.weapon.shock is not None:
        ctx.skip("Shock", "a thrown weapon does none", "SV-P12", who=attack.target)
    verdict, points, parts = missed(ctx.state, attack)
    found = VERDICT_RULES[verdict]
    limit = attack.weapon.shock.ac if attack.weapon.shock else 0
    if limit is None:
        found = (*found, "SV-136")
    if attack.dual:
        found = (*found, "SV-157")
    if attack.weapon.shock_bonus and block(ctx.state[attack.actor]).trained:
        found = (*found, "SV-P13")
    if attack.others:
        found = (*found, "SV-067", "SV-069")
    if verdict == "shield":
        ctx.add_effect(
            SHIELD_USED.on(attack.target, stacking="keep", title="shield used"),
            *found,
        )
    if verdict == "harms":
        points = ruled(ctx, f"shock{attack.tag}", points)
        shown = tuple(part for part in parts if part.amount)
        wounds.deal(ctx, attack.target, points, *cited(shown, *found), parts=shown, why="Shock", source=attack.actor)
    elif parts:
        ctx.skip(
            "Shock",
            {"armored": "the AC is too high"}.get(verdict, verdict.replace("_", " ")),
            *found,
            who=attack.target,
        )
