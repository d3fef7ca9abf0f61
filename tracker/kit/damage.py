"""Damage of kinds, for a blow and for the GM alike.

    def defences(state: State, who: Id) -> Defences:
        return Defences(resist=(("fire", 5),), weak=(("cold", 3),), immune=("poison",), protection=2)

    DAMAGE = Damage(("slashing", "fire", "cold", "poison"), defences, absorb=shield, rules=("TA-14",))
    DAMAGE.deal(ctx, target, (Harm(7, "slashing"), Harm(2, "fire")), "TA-05", source=who)
    ACTIONS = ActionTable(types, ECONOMY, gm=(DAMAGE.gm_action(),))     # the GM's `-7g` takes the same way

A resistance, weakness or immunity against `all` counts for every kind. Games that halve and double name kinds in `half`
and `double`; a game with rules of its own says what comes through by a function: `Damage(kinds, suffers=suffers)`.
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
    """Points of one kind, before anything is taken off, with their name in the log."""

    amount: int
    kind: str = ""
    label: str = ""


class Defences(Struct, frozen=True):
    """What changes damage on its way to a combatant.

    Attributes:
        resist: points taken off each kind of damage.
        weak: points added to each kind of damage that does anything.
        immune: kinds that do nothing.
        protection: points taken off what is left altogether.
        half: kinds of which half is taken, rounded down.
        double: kinds of which twice as much is taken, after halving.
    """

    resist: tuple[tuple[str, int], ...] = ()
    weak: tuple[tuple[str, int], ...] = ()
    immune: tuple[str, ...] = ()
    protection: int = 0
    half: tuple[str, ...] = ()
    double: tuple[str, ...] = ()


class Dealt(Struct, frozen=True):
    """What damage has done to a combatant.

    Attributes:
        points: what came through, before a shield took any.
        lost: what was to be taken from the pool, also beyond its floor.
        held: what the pool held before.
        source: the combatant who did it.
    """

    points: int
    lost: int
    held: int
    source: Id | None = None


def suffered(harms: Sequence[Harm], against: Defences) -> tuple[Part, ...]:
    """Return what comes through, as parts whose sum is never below 0.

    Immunity comes first, then the highest weakness, then the highest resistance of each kind, then half and double,
    then protection.
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
    """How damage is done in a game.

    Attributes:
        kinds: what damage can be of.
        defences: what a combatant has against it.
        absorb: what takes some of the points before the pool does (a shield): it gets the combatant and the points, may
            ask, does to itself what has to be done, and returns how many points it takes, with its name.
        pool: the pool that loses the points.
        rules: cited for every loss.
        suffers: what comes through of this damage, as parts whose sum is never below 0, in place of `defences`; in a
            blow and by hand alike.
        after: what results from damage that came through, called before the state is settled (concentration, a wounded
            combatant that is dying already); in a blow and by hand alike.
    """

    kinds: tuple[str, ...] = ()
    defences: Callable[[State, Id], Defences] = lambda state, who: Defences()
    absorb: Callable[[Ctx, Id, int, Sequence[Harm]], Part | None] | None = None
    pool: str = "hp"
    rules: tuple[str, ...] = ()
    suffers: Callable[[State, Id, Sequence[Harm]], Sequence[Part]] | None = None
    after: Callable[[Ctx, Id, Dealt], None] | None = None

    def through(self, state: State, who: Id, harms: Sequence[Harm]) -> tuple[Part, ...]:
        """Return what comes through of damage to a combatant, as parts, before a shield takes any."""
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
        """Do damage to a combatant, settle, and return the points it loses; without `absorbed` no shield helps."""
        parts = self.through(ctx.state, who, harms)
        points = sum(part.amount for part in parts)
        if points and absorbed and self.absorb is not None:
            taken = self.absorb(ctx, who, points, harms)
            if taken is not None and taken.amount:
                parts = (*parts, Part(taken.label, -min(points, taken.amount), taken.rule))
        if who not in ctx.state:
            return 0
        held = ctx.state[who].pool(self.pool).now
        loss = sum(part.amount for part in parts)
        if not loss and not any(part.amount for part in parts):
            return 0
        shown = parts if len(parts) > 1 or any(harm.kind or harm.label for harm in harms) else ()
        ctx.change(who, self.pool, held - loss, *rules, *self.rules, parts=shown, why=why, source=source)
        if points and self.after is not None:
            self.after(ctx, who, Dealt(points, loss, held, source))
        ctx.settle()
        return loss

    def gm_action(self, rule: str = "", label: str = "Damage") -> ActionType:
        """Return the GM's command for damage, which goes the same way as a blow."""
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
