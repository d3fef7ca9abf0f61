"""Pure arithmetic both games share: attack rows, Shock, swarms and screens."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Literal, TypeAlias, overload

from msgspec import Struct

from tracker.core.fight.events import Checked
from tracker.core.fight.slots import Id
from tracker.core.fight.state import Combatant, State
from tracker.core.step.ctx import Ctx
from tracker.core.step.prompts import AskedIf
from tracker.core.terms.derived import Derived, Part
from tracker.core.terms.dice import Dice
from tracker.core.terms.values import Data
from tracker.core.terms.words import needs

# -- the parts of a number: their rules, what effects add, what lying down takes ---------------------------------------


def cited(parts: Iterable[Part], *rules: str) -> tuple[str, ...]:
    """Return rules, then those the parts name, each once."""
    return tuple(dict.fromkeys((*rules, *[part.rule for part in parts if part.rule])))


def shown(parts: Iterable[Part]) -> tuple[Part, ...]:
    """Return the parts that change anything."""
    return tuple([part for part in parts if part.amount])


def effect_parts(combatant: Combatant, stat: str) -> tuple[Part, ...]:
    """Return what the effects on a combatant add to a number."""
    if not combatant.effects:
        return ()
    return tuple(
        Part(effect.shown, change.amount, effect.rule)
        for effect in combatant.effects
        for change in effect.modifiers
        if change.stat == stat
    )


def grappling(state: State, who: Id) -> bool:
    """Tell whether a combatant holds another or is held."""
    return in_grapple(state[who])


def in_grapple(combatant: Combatant) -> bool:
    """Tell the same of a combatant at hand."""
    return bool(combatant.effects) and (combatant.has("grappling") or combatant.has("grappled"))


def halved(combatant: Combatant, rate: Derived, rule: str) -> Derived:
    """Return a movement rate, halved and rounded down for the prone."""
    if not combatant.has("prone"):
        return rate
    return Derived.total((*rate.parts, Part("prone", rate.value // 2 - rate.value, rule)))


def dice_text(dice: str, added: Derived) -> Derived:
    """Return damage as it is written: dice and what is added to them."""
    return Derived(added.value, added.parts, f"{dice}{added.value:+d}" if added.value else dice)


def damage_dice(dice: Dice, natural: int | None, rule: str, ruling: str) -> tuple[Part, ...]:
    """Return the dice of a damage as a part; None: they are not rolled, and the least they could be counts."""
    if not dice.terms:
        return ()
    if natural is None:
        return (Part(f"{dice.natural} at least", dice.natural.minimum, ruling),)
    return (Part(str(dice.natural), natural, rule),)


# -- skill checks with two dice: alone against a number, or against an opponent ----------------------------------------


TWO_DICE = Dice.of(2, 6)
D20 = Dice.of(1, 20)


Parts: TypeAlias = Sequence[Part] | Callable[[State], Sequence[Part]]
"""What is added to dice: as it is, or worked out from the state after the roll."""


Goal: TypeAlias = int | Callable[[State], int | None] | None
"""The number that a check has to reach, if it is known before the roll."""


class Total(Struct, frozen=True, gc=False):
    """A check's total and its parts, the dice among them."""

    sum: int
    parts: tuple[Part, ...]


class Checks(Struct, frozen=True):
    """How a game makes checks.

    By which rule, and what the number to reach is called.
    """

    rule: str
    word: str

    @overload
    def total(
        self, ctx: Ctx, who: Id, parts: Parts, key: str, *rules: str, why: str = "", goal: Goal = None
    ) -> Total: ...
    @overload
    def total(
        self,
        ctx: Ctx,
        who: Id,
        parts: Parts,
        key: str,
        *rules: str,
        why: str = "",
        goal: Goal = None,
        asked_if: AskedIf,
    ) -> Total | None: ...
    def total(
        self,
        ctx: Ctx,
        who: Id,
        parts: Parts,
        key: str,
        *rules: str,
        why: str = "",
        goal: Goal = None,
        asked_if: AskedIf | None = None,
    ) -> Total | None:
        """Roll 2d6 and add the parts, as they are after the roll, None if it is not asked.

        `goal`: the number to reach, if it is known before the roll; the question says it.
        """

        def needed(state: State) -> str:
            reached = goal(state) if callable(goal) else goal
            if reached is None:
                return ""
            added = sum(part.amount for part in (parts(state) if callable(parts) else parts))
            return needs(added, reached, self.word, TWO_DICE.minimum, TWO_DICE.maximum, "succeeds", sure=False)

        natural = ctx.roll(key, TWO_DICE, *rules, self.rule, who=who, why=why, needed=needed, asked_if=asked_if)
        if natural is None:
            return None
        kept = (Part("2d6", natural, self.rule), *shown(parts(ctx.state) if callable(parts) else parts))
        return Total(sum(part.amount for part in kept), kept)

    def against(self, ctx: Ctx, what: str, who: Id, own: Total, difficulty: Sequence[Part], *rules: str) -> bool:
        """Tell whether a check reaches a number."""
        needed = sum(part.amount for part in difficulty)
        made = own.sum >= needed
        result = "success" if made else "failure"
        ctx.emit(
            Checked(what, who, own.sum, result, None, own.parts, needed, self.word, tuple(difficulty), success=made),
            *cited((*own.parts, *difficulty), *rules, self.rule),
        )
        return made


def contest(
    ctx: Ctx, what: str, who: Id, own: Total, opponent: Id, theirs: Total, won: bool, words: str, *rules: str
) -> None:
    """Tell a comparison with an opponent, whose number `words` name."""
    ctx.emit(
        Checked(
            what,
            who,
            own.sum,
            "won" if won else "lost",
            opponent,
            own.parts,
            theirs.sum,
            words,
            theirs.parts,
            success=won,
        ),
        *cited((*own.parts, *theirs.parts), *rules),
    )


def hits(natural: int, added: int, against: int, naturals: bool) -> bool:
    """Compare an attack total with an AC: equal hits.

    With `naturals` a 1 misses and a 20 hits.
    """
    if naturals and natural in (1, 20):
        return natural == 20
    return natural + added >= against


# -- screening: how many attackers a screener blocks, and whom a blocked attack hits -----------------------------------


def has_quota(skill: int, counted: Sequence[Id], attacker: Id) -> bool:
    """Tell whether a screener may block this attacker.

    It may block those it has met in this round, and one more within its combat skill.
    """
    return attacker in counted or len(counted) < skill


class Blocked(Struct, Data, frozen=True):
    """The attackers a screener has met in this round."""

    attackers: tuple[Id, ...] = ()


def blocked(screener: Combatant, counter: str) -> tuple[Id, ...]:
    """Return the attackers a screener has met in this round, as an effect of this name counts them."""
    effect = screener.effect(counter)
    return effect.data.attackers if effect is not None and isinstance(effect.data, Blocked) else ()


def new_target(successes: Sequence[tuple[Id, int]]) -> Id | None:
    """Return the successful screener with the lowest total, the first of equals, or None."""
    return min(successes, key=lambda success: success[1])[0] if successes else None


# -- shock: the harm of a missed melee attack, and what keeps it away --------------------------------------------------


ShockResult: TypeAlias = Literal["harms", "none", "armored", "immune", "shield", "total_defense"]


class Guard(Struct, frozen=True, gc=False):
    """What keeps Shock from a target.

    `shield` is one that has not ignored any in this round.
    """

    ac: int
    immune: bool = False
    shield: bool = False
    total_defense: bool = False


def reaches(points: int, rating: int | None, guard: Guard, surrounded: bool = False) -> ShockResult:
    """Tell whether Shock harms, or what keeps it away.

    `rating` None reaches any AC.

    A swarm's Shock is the hazard of being surrounded: only Total Defense helps against it. A shield ignores only what
    would really hurt.
    """
    if points <= 0:
        return "none"
    if guard.total_defense:
        return "total_defense"
    if surrounded:
        return "harms"
    if rating is not None and guard.ac > rating:
        return "armored"
    if guard.immune:
        return "immune"
    return "shield" if guard.shield else "harms"


# -- what the situation does to an attack roll: the table both games print ---------------------------------------------


Use: TypeAlias = Literal["melee", "ranged", "thrown"]
Cover: TypeAlias = Literal["none", "half", "almost"]
Visibility: TypeAlias = Literal["seen", "known", "unknown"]
Reach: TypeAlias = Literal["normal", "long", "beyond"]

MODIFIERS = {
    "shoot_distant_prone": -2,
    "adjacent_prone": 2,
    "melee_while_prone": -4,
    "long_range": -2,
    "half_cover": -2,
    "near_total_cover": -4,
    "one_handed_in_melee": -4,
    "unseen_known": -4,
    "snap_attack": -4,
    "charge": 2,
    "dual_wield": -1,
}
# What the log calls the rows about the prone and the unseen.
ROW_WORDS = {
    "shoot_distant_prone": "distant prone target",
    "adjacent_prone": "prone target",
    "melee_while_prone": "prone",
    "one_handed_in_melee": "in melee",
    "unseen_known": "unseen target",
}
DUAL_WIELD_DAMAGE = 2


class Situation(Struct, frozen=True, gc=False):
    """Where attacker and target are, as far as it counts."""

    use: Use
    adjacent: bool
    target_prone: bool = False
    attacker_prone: bool = False
    cover: Cover = "none"
    visibility: Visibility = "seen"
    reach: Reach = "normal"
    in_melee: bool = False


def rows(situation: Situation) -> tuple[str, ...]:
    """Return the rows that apply, which add up.

    Of cover only the worse row counts, and one row for a missile in melee.
    """
    shot = situation.use != "melee"
    found = []
    if situation.target_prone and situation.adjacent:
        found.append("adjacent_prone")
    elif situation.target_prone and shot:
        found.append("shoot_distant_prone")
    if situation.attacker_prone and not shot:
        found.append("melee_while_prone")
    if shot and situation.reach == "long":
        found.append("long_range")
    if situation.cover != "none":
        found.append("half_cover" if situation.cover == "half" else "near_total_cover")
    if shot and situation.in_melee:
        found.append("one_handed_in_melee")
    if shot and situation.visibility == "known":
        found.append("unseen_known")
    return tuple(found)


def impossible(situation: Situation, hands: int) -> str:
    """Return the row that forbids the attack, or ""."""
    if situation.use == "melee":
        return ""
    if situation.reach == "beyond":
        return "beyond_range"
    if situation.visibility == "unknown":
        return "unseen_unknown"
    if situation.use == "ranged" and situation.in_melee and hands == 2:
        return "two_handed_in_melee"
    return ""


# -- the bonus of a Swarm Attack for the other assailants --------------------------------------------------------------


MOST_TO_HIT = 6
MOST_DAMAGE = 3


def bonus(others: int) -> tuple[int, int]:
    """Return what other assailants add to hit and to damage."""
    return min(2 * others, MOST_TO_HIT), min(others, MOST_DAMAGE)


def capped(usual: int, extra: int, most: int) -> int:
    """Return the damage with the swarm's extra points, at most the attack's usual maximum."""
    return max(usual, min(usual + extra, most))


def least_damage(dice: Dice, added: Iterable[Part], others: int) -> int:
    """Return the least damage of a hit without its Shock, with what is added and the other assailants of a swarm."""
    extra = sum(part.amount for part in added)
    least = max(0, dice.minimum + extra)
    return capped(least, bonus(others)[1], max(0, dice.maximum + extra)) if others else least


def swarm_part(usual: int, others: int, dice: Dice, added: Iterable[Part], rules: tuple[str, str]) -> Part:
    """Return what a swarm adds to damage, by the first rule, or by the second one, that of the cap, which is told."""
    extra, most = bonus(others)[1], max(0, dice.maximum + sum(part.amount for part in added))
    more = capped(usual, extra, most) - usual
    return (
        Part("swarm", more, rules[0]) if more == extra else Part(f"swarm, {max(most, usual)} at most", more, rules[1])
    )


def shock_text(points: Derived, rating: int | None) -> Derived:
    """Return Shock as it is written: its points and the highest AC it harms."""
    return Derived(points.value, points.parts, f"{max(0, points.value)}/{'-' if rating is None else rating}")
