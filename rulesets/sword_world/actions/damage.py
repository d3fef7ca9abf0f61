"""Damage in its six steps: Impact, criticals, additions, reductions, and the loss (SW-117 to SW-164)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import TypeAlias

from msgspec import Struct

from rulesets.sword_world.order.rounds import fall
from rulesets.sword_world.stat_blocks.models import Addition, DamageType, Reduction
from rulesets.sword_world.stat_blocks.shorthand import crit_rate
from rulesets.sword_world.stats import stats
from rulesets.sword_world.stats.checks import TWO_DICE, gain_xp
from rulesets.sword_world.stats.impact_table import impact_result
from tracker.core.fight.events import Checked
from tracker.core.fight.slots import Id
from tracker.core.fight.state import State
from tracker.core.step.ctx import Ctx
from tracker.core.step.prompts import AskedIf
from tracker.core.terms.derived import Part
from tracker.core.terms.dice import Dice
from tracker.core.terms.words import felling

WEAKNESS = "weakness"

Crit: TypeAlias = Callable[[State], tuple[int | None, str, tuple[str, ...]]]
"""From a state to a crit rate, the words for it, and its rules."""


Needed: TypeAlias = Callable[[State, tuple[int, ...], int | None], str]
"""From a state, the results so far and the crit rate to what the question of an Impact roll says besides."""


class Chain(Struct, frozen=True):
    """The results of Impact rolls in order; `failed`: 1,1 on the first roll."""

    results: tuple[int, ...] = ()
    failed: bool = False

    def parts(self, criticals: bool = True) -> tuple[Part, ...]:
        """Return the results as parts, without criticals the first alone (SW-150)."""
        kept = self.results if criticals else self.results[:1]
        return tuple(
            Part("Impact" if not place else "critical", result, "SW-148" if place else "SW-131" if result else "SW-R28")
            for place, result in enumerate(kept)
        )


class BaseDamage(Struct, frozen=True):
    """Damage before additions and reductions.

    Attributes:
        parts: what the calculated damage is made of; their sum is the calculated damage.
        type: physical or magical.
        energy: its special types (SW-139).
        additions: additional damage (SW-134).
        reductions: further reductions beside those of the target (SW-136).
    """

    parts: tuple[Part, ...]
    type: DamageType = "physical"
    energy: tuple[str, ...] = ()
    additions: tuple[Addition, ...] = ()
    reductions: tuple[Reduction, ...] = ()


def fells(
    state: State, target: Id, row: int, before: tuple[int, ...], rate: int | None, harm: Callable[[Chain], int]
) -> str:
    """Return which Impact rolls drop a target, for the question; `harm`: the damage that it takes by some results."""

    def loss(natural: int) -> int:
        result = impact_result(row, natural)
        if result is None:
            return harm(Chain(before)) if before else 0
        return harm(Chain((*before, result)))

    sure = loss(TWO_DICE.minimum)
    words = felling_words(state, target, TWO_DICE, loss, below=rate is not None and sure < points_left(state, target))
    more = rate is not None and words and not words.startswith("any roll")
    return f"{words} by itself" if more else words


def points_left(state: State, target: Id) -> int:
    """Return the loss that makes a combatant unconscious (SW-R33)."""
    return state[target].hp + (0 if stats.rules(state).unconscious == "at_zero" else 1)


def felling_words(state: State, target: Id, dice: Dice, loss: Callable[[int], int], below: bool = False) -> str:
    """Return which rolls of damage drop a target; `below`: what is taken beyond its points counts."""
    if target not in state or state[target].status != "up":
        return ""
    deeper = below or stats.block(state, target).death_checks  # a Death Check adds what is below 0
    return felling(dice, loss, points_left(state, target), "drops", deeper)


def _why(lead: str, crit: Crit, state: State) -> str:
    return f"{lead}{crit(state)[1]}"


def impact_chain(
    ctx: Ctx,
    key: str,
    who: Id,
    row: int,
    crit: Crit,
    *rules: str,
    on: str = "",
    needed: Needed = lambda state, before, rate: "",
    asked_if: AskedIf | None = None,
) -> Chain | None:
    """Roll on a row of the Impact table until a roll is no critical, None if the first roll is not asked.

    Attributes:
        crit: the rate as it is when a roll is made, None where no roll criticals.
        on: whom it is rolled for, in words.
        needed: what its question says besides.

    SW-123 to SW-129, SW-145 to SW-157.
    """
    results: list[int] = []
    laws = ("SW-123", "SW-125", *rules)
    while True:
        times = len(results)
        lead = f"critical: Impact {row}" if times else f"Impact {row}"
        natural = ctx.roll(
            key if not times else f"{key}:{times + 1}",
            TWO_DICE,
            *laws,
            *crit(ctx.state)[2],
            who=who,
            why=partial(_why, lead, crit),
            needed=partial(_said, needed=needed, before=tuple(results), crit=crit),
            asked_if=None if times else asked_if,
        )
        if natural is None:
            return None
        rate = crit(ctx.state)[0]
        result = impact_result(row, natural)
        if result is None:
            if not times:
                gained = ", 50 xp" if stats.block(ctx.state, who).earns_xp else ""
                ctx.note(f"automatic failure{on}{gained}", "SW-126", "SW-127", "SW-R37", about=who)
                gain_xp(ctx, who, logged=True)
                return Chain((), failed=True)
            ctx.note("1,1: no more criticals, the sum so far counts", "SW-151", about=who)
            return Chain(tuple(results))
        results.append(result)
        if rate is None or natural < rate:
            return Chain(tuple(results))
        laws = ("SW-123", "SW-125", "SW-147", "SW-148", "SW-R26", *rules)


def tell_critical(ctx: Ctx, who: Id, target: Id, chain: Chain) -> None:
    """Tell that a blow or spell is a critical for a target (SW-147, SW-148)."""
    if len(chain.results) > 1:
        total = sum(chain.results)
        ctx.emit(Checked("Impact", who, total, "critical", target, success=True), "SW-147", "SW-148")


def _said(state: State, needed: Needed, before: tuple[int, ...], crit: Crit) -> str:
    return needed(state, before, crit(state)[0])


def crit_of(printed: int, changes: Sequence[Part] = ()) -> tuple[int | None, str, tuple[str, ...]]:
    """Return a crit rate, the words for it, and the rules that change it."""
    rate = crit_rate(printed, *(part.amount for part in changes))
    shown = "no crit" if rate is None else f"crit {rate}"
    if changes:
        shown += f" ({printed} {', '.join(f'{part.amount:+d} {part.label}' for part in changes)})"
    laws = ("SW-154", "SW-157", "SW-R27", *(part.rule for part in changes if part.rule)) if changes else ()
    return rate, f", {shown}", laws


def no_crit(state: State) -> tuple[None, str, tuple[str, ...]]:
    """Return that no roll criticals: healing, and spells that were resisted (SW-129, SW-150)."""
    return None, "", ()


def settled_damage(state: State, target: Id, base: BaseDamage) -> tuple[int, tuple[Part, ...]]:
    """Return the direct damage and its parts.

    Additions of either type come first, then Defense and the other reductions (SW-134 to SW-143, SW-R30).
    """
    own = stats.block(state, target)
    parts = list(base.parts)
    subtotal: dict[str, int] = {"physical": 0, "magical": 0}
    subtotal[base.type] += sum(part.amount for part in base.parts)
    for addition in (*base.additions, *_weak_points(state, target, base)):
        subtotal[addition.type or base.type] += addition.amount
        parts.append(
            Part(
                addition.note or "additional",
                addition.amount,
                "SW-140" if addition.note.startswith(WEAKNESS) else "SW-134",
            )
        )

    def lower(kind: str, amount: int, label: str, rule: str) -> int:
        """Take from a subtotal, not below 0, and return what is left of the reduction."""
        taken = max(0, min(amount, subtotal[kind]))
        subtotal[kind] -= taken
        if taken:
            parts.append(Part(label, -taken, rule))
        return amount - taken

    lower("physical", stats.total(state, target, "defense"), "Defense", "SW-121")
    reductions = (*own.reductions, *base.reductions)
    for entry in reductions:
        kind = {"physical": "physical", "magic": "magical", "magical": "magical"}.get(entry.when)
        if kind is None and entry.when != "any" and entry.when in base.energy:
            kind = base.type
        if kind is not None:
            lower(kind, entry.amount, f"reduction ({entry.when})", "SW-140" if entry.when in base.energy else "SW-136")
    anything = [(entry.amount, "reduction") for entry in reductions if entry.when == "any"]
    anything += [(part.amount, part.label) for part in stats.effect_parts(state[target], "reduction")]
    for amount, label in anything:
        lower("magical", lower("physical", amount, label, "SW-136"), label, "SW-136")
    for kind in ("physical", "magical"):
        if subtotal[kind] < 0:  # SW-137
            parts.append(Part("not below 0", -subtotal[kind], "SW-137"))
            subtotal[kind] = 0
    return subtotal["physical"] + subtotal["magical"], tuple(
        part for place, part in enumerate(parts) if part.amount or not place
    )


def mixed(parts: Sequence[Part]) -> tuple[str, ...]:
    """Return the ruling on additions and reductions, where a damage has some."""
    return ("SW-R30",) if any(part.rule in ("SW-134", "SW-136", "SW-140") for part in parts) else ()


def _weak_points(state: State, target: Id, base: BaseDamage) -> tuple[Addition, ...]:
    """Return what a monster's weaknesses add.

    Each asks for the attack's own type or energy and counts once (SW-140, SW-R30).
    """
    kinds = {"magic", "magical"} if base.type == "magical" else {"physical"}
    return tuple(
        Addition(entry.extra, entry.type, f"{WEAKNESS} ({entry.when})")
        for entry in stats.block(state, target).weaknesses
        if entry.when in {*kinds, *base.energy}
    )


def hurt(
    ctx: Ctx,
    target: Id,
    amount: int,
    *rules: str,
    pool: str = "hp",
    parts: Sequence[Part] = (),
    source: Id | None = None,
    why: str = "",
) -> None:
    """Take direct damage off HP or MP, with all that follows.

    Status, Death Check, zones and the flag of a decided fight (4.2, SW-143, SW-144).
    """
    amount = max(0, amount)
    held = ctx.state[target].pool(pool)
    laws = ["SW-117", "SW-143", "SW-144"]
    if any(part.amount < 0 for part in parts):
        laws.append("SW-136" if amount else "SW-137")
    if pool == "mp":
        laws += ["SW-161", "SW-163", *(("SW-164",) if amount >= held.now else ())]
    ctx.change(target, pool, held.now - amount, *laws, *rules, parts=parts, why=why, source=source)
    if pool == "hp" and amount:
        fall(ctx, target, fresh=True)
    ctx.settle()


def restore(
    ctx: Ctx,
    target: Id,
    amount: int,
    *rules: str,
    pool: str = "hp",
    parts: Sequence[Part] = (),
    source: Id | None = None,
) -> None:
    """Give back HP or MP, up to the maximum (SW-128, SW-R42)."""
    held = ctx.state[target].pool(pool)
    now = max(held.now, min(held.max, held.now + max(0, amount)))
    ctx.change(target, pool, now, "SW-128", "SW-R42", *rules, parts=parts, source=source)
    ctx.settle()
