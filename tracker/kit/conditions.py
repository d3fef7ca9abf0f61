"""Conditions: effects with a value that rules set, raise and lower, and that may fall at an edge.

    def weaker_by(value: int) -> tuple[Modifier, ...]:
        return (Modifier("attack", -value, kind="status"),)

    CONDITIONS = Conditions(
        (
            ConditionKind("frightened", "TA-20", falls_at="turn_end", changes=weaker_by),
            ConditionKind("wounded", "TA-12"),
        )
    )
    CONDITIONS.raise_to(ctx, who, "frightened", 2, "TA-20")   # keeps the higher value
    CONDITIONS.change(ctx, who, "wounded", 1)                 # one more; at 0 it ends
    CONDITIONS.on_boundary(ctx, boundary)                     # in on_boundary: lowers values that fall at this edge
    RULESET = Ruleset(..., effects=CONDITIONS.effects)        # the GM types `e frightened 2 g`

A condition falls at an edge of its bearer's turn only if it is a real turn.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property

from msgspec import Struct
from msgspec.structs import replace

from tracker.core.fight.events import EffectChanged
from tracker.core.fight.slots import Id
from tracker.core.fight.state import State
from tracker.core.game.schema import NamedEffect
from tracker.core.step.ctx import Ctx
from tracker.core.terms.effects import Effect, Modifier
from tracker.core.terms.errors import RulesBug
from tracker.core.terms.moments import Boundary, Edge, Until


class ConditionKind(Struct, frozen=True):
    """A condition of the game.

    Attributes:
        name, title: its identifier, and its words on the screen.
        rule: the rule that describes it.
        changes: its modifiers at a value.
        falls_at: the edge of its bearer at which the value falls; None: it does not fall.
        falls_by: by how much it falls.
        most: the highest value; 0: no limit.
        usual: the value without a typed number.
        until: an end besides the value 0.
    """

    name: str
    rule: str = ""
    title: str = ""
    changes: Callable[[int], tuple[Modifier, ...]] | None = None
    falls_at: Edge | None = None
    falls_by: int = 1
    most: int = 0
    usual: int = 1
    until: tuple[Until, ...] = ()

    @property
    def effect(self) -> NamedEffect:
        """The effect the picker offers."""
        return NamedEffect(self.name, self.title, self.until, self.rule, self.usual, self.changes)

    def capped(self, value: int) -> int:
        """Return a value within the condition's bounds."""
        return max(0, min(value, self.most) if self.most else value)


def value_of(effect: Effect | None) -> int:
    """Return the value of an effect, or 0."""
    return effect.value if effect is not None and isinstance(effect.value, int) else 0


class Conditions(Struct, frozen=True, dict=True):
    """The conditions of a game."""

    kinds: tuple[ConditionKind, ...]

    @cached_property
    def by_name(self) -> dict[str, ConditionKind]:
        """The conditions by name."""
        return {kind.name: kind for kind in self.kinds}

    @cached_property
    def effects(self) -> tuple[NamedEffect, ...]:
        """The conditions as effects for `Ruleset.effects`."""
        return tuple(kind.effect for kind in self.kinds)

    def kind(self, name: str) -> ConditionKind:
        """Return a condition by name, or raise RulesBug."""
        if name not in self.by_name:
            raise RulesBug(f"there is no condition {name}")
        return self.by_name[name]

    def value(self, state: State, who: Id, name: str) -> int:
        """Return the value of a condition on a combatant, or 0."""
        combatant = state.get(who)
        return 0 if combatant is None else value_of(combatant.effect(name))

    def set(
        self, ctx: Ctx, who: Id, name: str, value: int, *rules: str, source: Id | None = None, why: str = ""
    ) -> int:
        """Set a condition to a value, or end it at 0, and return its value."""
        kind, effect = self.kind(name), ctx.state[who].effect(name)
        now = kind.capped(value)
        cited = rules or ((kind.rule,) if kind.rule else ())
        if effect is None:
            if now:
                ctx.add_effect(kind.effect.effect(who, now, source), *cited)
        elif not now:
            ctx.end_effect(effect, why or "its value is 0", *cited)
        elif now != value_of(effect):
            changed = effect.modifiers if kind.changes is None else kind.changes(now)
            ctx.emit(EffectChanged(effect, replace(effect, value=now, modifiers=changed), why), *cited)
        return now

    def raise_to(self, ctx: Ctx, who: Id, name: str, value: int, *rules: str, source: Id | None = None) -> int:
        """Raise a condition to a value, unless it is higher."""
        return self.set(ctx, who, name, max(value, self.value(ctx.state, who, name)), *rules, source=source)

    def change(
        self, ctx: Ctx, who: Id, name: str, by: int, *rules: str, source: Id | None = None, why: str = ""
    ) -> int:
        """Raise or lower a condition; at 0 it ends."""
        return self.set(ctx, who, name, self.value(ctx.state, who, name) + by, *rules, source=source, why=why)

    def end(self, ctx: Ctx, who: Id, name: str, why: str, *rules: str) -> bool:
        """End a condition of any value, and tell whether it applied."""
        return ctx.end_named(who, name, why, *rules)

    def on_boundary(self, ctx: Ctx, boundary: Boundary) -> None:
        """Lower the conditions that fall at this edge: of all combatants at an edge of the round, else of the actors.

        The edges of an empty turn lower nothing.
        """
        if boundary.edge.startswith("turn") and not boundary.slot:
            return
        rounds = boundary.edge in ("round_start", "round_end", "combat_end")
        people = [one.id for one in ctx.state.combatants] if rounds else boundary.actors
        for kind in self.kinds:
            if kind.falls_at == boundary.edge:
                for who in people:
                    if self.value(ctx.state, who, kind.name):
                        self.change(ctx, who, kind.name, -kind.falls_by, why="falls")


def end_childless(ctx: Ctx, *names: str, reason: str = "its last effect has ended") -> None:
    """End every effect of these names that is no other effect's parent, for `settle`.

    So concentration ends with the last effect of its spell, which has it as its parent: `Effect(..., parent=number)`.
    """
    for effect in ctx.state.all_effects:
        current = ctx.state.effect(effect.bearer, effect.id)
        if current is not None and current.name in names and not ctx.state.children.get(current.id):
            ctx.end_effect(current, reason)
