"""Damage with kinds, of attacks and of the GM's command.

    def defences(state: State, who: Id) -> Defences:
        return Defences(resist=(("fire", 5),), weak=(("cold", 3),), immune=("poison",), protection=2)

    DAMAGE = Damage(("slashing", "fire", "cold", "poison"), defences, absorb=shield, rules=("TA-14",))
    DAMAGE.deal(ctx, target, (Harm(7, "slashing"), Harm(2, "fire")), "TA-05", source=who)
    ACTIONS = ActionTable(types, ECONOMY, gm=(DAMAGE.gm_action(),))     # for the GM's `-7g`

A resistance, weakness or immunity against `all` counts for every kind. Games that halve and double list kinds in `half`
and `double`; a game with its own rules computes the damage by a function: `Damage(kinds, suffers=suffers)`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from msgspec import Struct

from tracker.core.fight.slots import Id
from tracker.core.fight.state import State
from tracker.core.game.action_types import ActionType
from tracker.core.step import fields
from tracker.core.step.ctx import Ctx
from tracker.core.step.fields import share_fields, shares
from tracker.core.terms.actions import Action, Field, Option
from tracker.core.terms.derived import Part
from tracker.core.terms.errors import Refusal

ALL = "all"


class Harm(Struct, frozen=True):
    """Points of one kind before any reduction, with their name in the log."""

    amount: int
    kind: str = ""
    label: str = ""


class Defences(Struct, frozen=True):
    """The defences of a combatant against damage.

    Attributes:
        resist: points subtracted from each kind of damage.
        weak: points added to each kind of damage above 0.
        immune: kinds without any damage.
        protection: points subtracted from the sum.
        half: kinds that are halved, rounded down.
        double: kinds that are doubled, after halving.
    """

    resist: tuple[tuple[str, int], ...] = ()
    weak: tuple[tuple[str, int], ...] = ()
    immune: tuple[str, ...] = ()
    protection: int = 0
    half: tuple[str, ...] = ()
    double: tuple[str, ...] = ()


class Dealt(Struct, frozen=True):
    """Damage that a combatant has taken.

    Attributes:
        points: the points after its defences, before a shield.
        lost: the points for the pool, including those below its floor.
        held: the points of the pool before.
        source: the combatant that dealt it.
    """

    points: int
    lost: int
    held: int
    source: Id | None = None


def suffered(harms: Sequence[Harm], against: Defences) -> tuple[Part, ...]:
    """Return damage after defences, as parts whose sum is never below 0.

    In this order: immunity, the highest weakness and the highest resistance of each kind, half, double, protection.
    """
    parts: list[Part] = []
    left = 0
    for harm in harms:
        amount = max(0, harm.amount)
        named = harm.kind.replace("_", " ")
        parts.append(Part(harm.label or named or "damage", amount))
        if amount and _listed(against.immune, harm.kind):
            parts.append(Part(f"immune to {named or 'all'}", -amount))
            continue
        if amount and (extra := _highest(against.weak, harm.kind)):
            parts.append(Part(f"weak to {named or 'all'}", extra))
            amount += extra
        if less := min(amount, _highest(against.resist, harm.kind)):
            parts.append(Part(f"resists {named or 'all'}", -less))
            amount -= less
        if amount and _listed(against.half, harm.kind):
            parts.append(Part(f"half of {named or 'all'}", amount // 2 - amount))
            amount //= 2
        if amount and _listed(against.double, harm.kind):
            parts.append(Part(f"double {named or 'damage'}", amount))
            amount *= 2
        left += amount
    if less := min(left, against.protection):
        parts.append(Part("protection", -less))
    return tuple(parts)


def _listed(kinds: Sequence[str], kind: str) -> bool:
    return any(listed in (ALL, kind) for listed in kinds)


def _highest(listed: Sequence[tuple[str, int]], kind: str) -> int:
    return max((points for key, points in listed if key in (ALL, kind)), default=0)


class Damage(Struct, frozen=True):
    """The damage rules of a game, for attacks and the GM's command.

    Attributes:
        kinds: the kinds of damage.
        defences: the defences of a combatant.
        absorb: a shield that takes points before the pool: it gets the combatant and the points, may ask, damages the
            shield, and returns the points it takes as a part, or None.
        pool: the pool that loses the points.
        rules: cited for every loss.
        suffers: the damage that a combatant takes, as parts whose sum is never below 0; replaces `defences`.
        after: called after damage above 0, before the state is settled (concentration, dying combatants).
    """

    kinds: tuple[str, ...] = ()
    defences: Callable[[State, Id], Defences] = lambda state, who: Defences()
    absorb: Callable[[Ctx, Id, int, Sequence[Harm]], Part | None] | None = None
    pool: str = "hp"
    rules: tuple[str, ...] = ()
    suffers: Callable[[State, Id, Sequence[Harm]], Sequence[Part]] | None = None
    after: Callable[[Ctx, Id, Dealt], None] | None = None

    def through(self, state: State, who: Id, harms: Sequence[Harm]) -> tuple[Part, ...]:
        """Return the damage that a combatant takes, as parts, before a shield."""
        if self.suffers is not None:
            return tuple(self.suffers(state, who, harms))
        return suffered(harms, self.defences(state, who))

    def deal(
        self,
        ctx: Ctx,
        who: Id,
        harms: Sequence[Harm],
        *rules: str,
        source: Id | None = None,
        why: str = "",
        absorbed: bool = True,
    ) -> int:
        """Deal damage to a combatant, settle, and return the points it loses; without `absorbed`, no shield is used."""
        parts = self.through(ctx.state, who, harms)
        points = sum(part.amount for part in parts)
        if points and absorbed and self.absorb is not None:
            taken = self.absorb(ctx, who, points, harms)
            if taken is not None and taken.amount:
                parts = (*parts, Part(taken.label, -min(points, taken.amount), taken.rule))
        if who not in ctx.state:
            return 0
        before = ctx.state[who].pool(self.pool).now
        loss = sum(part.amount for part in parts)
        if not loss and not any(part.amount for part in parts):
            return 0
        shown = parts if len(parts) > 1 or any(harm.kind or harm.label for harm in harms) else ()
        ctx.change(who, self.pool, before - loss, *rules, *self.rules, parts=shown, why=why, source=source)
        if points and self.after is not None:
            self.after(ctx, who, Dealt(points, loss, before, source))
        ctx.settle()
        return loss

    def gm_action(self, rule: str = "", label: str = "Damage") -> ActionType:
        """Return the GM's command for damage, with the same rules as attacks."""
        return ActionType("damage", label, rule, perform=self._by_hand, fields=self._fields, group="game master")

    def _fields(self, state: State, action: Action) -> tuple[Field, ...]:
        missing = Refusal("no_pool", f"has no {self.pool}", forcible=False, field="targets")
        people = fields.options(state.combatants, lambda one: None if one.has_pool(self.pool) else missing)
        kinds = tuple(Option(kind) for kind in self.kinds)
        return (
            Field("amount", "number", required=True, minimum=0),
            Field("targets", "combatants", required=True, options=people),
            *share_fields(people),
            *((Field("kind", "choice", options=kinds),) if kinds else ()),
            Field("as_it_is", "flag", "nothing taken off"),
        )

    def _by_hand(self, ctx: Ctx, action: Action) -> None:
        kind = fields.text(action, "kind")
        for who, amount, share in shares(action, fields.number(action, "amount")):
            if who not in ctx.state:
                continue
            with ctx.scope(who):
                if fields.flag(action, "as_it_is"):
                    ctx.change(who, self.pool, ctx.state[who].pool(self.pool).now - amount, *self.rules, why=share)
                else:
                    self.deal(ctx, who, (Harm(amount, kind),), why=share)
