"""Swarm Attacks: who has joined one, and who of them can still act."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

from msgspec import Struct
from msgspec.structs import replace

from tracker.core.fight.events import EffectChanged
from tracker.core.fight.state import Id, State
from tracker.core.step.ctx import Ctx
from tracker.core.terms.effects import Effect
from tracker.core.terms.moments import At
from tracker.core.terms.values import Data, Value

__all__ = ["Form", "Swarm", "Swarms"]


Form: TypeAlias = tuple[tuple[str, Value], ...]


class Swarm(Struct, Data, frozen=True):
    """Who has joined a swarm, of which side, and with which forms."""

    side: Id
    members: tuple[Id, ...] = ()
    forms: tuple[tuple[Id, Form], ...] = ()


class Swarms(Struct, frozen=True):
    """The swarms of a game.

    Attributes:
        kind: the Struct its journals keep them in.
        can_act: who may take part.
        joining: the rule by which an assailant joins.
        opened: the rules by which the swarm stands.
    """

    kind: type[Swarm]
    can_act: Callable[[State, Id], bool]
    joining: str
    opened: tuple[str, ...]

    def open(self, state: State, target: Id, side: Id, name: str = "swarm") -> Effect | None:
        """Return a side's swarm on a target that has not struck yet."""
        for effect in state.borne(target):
            if effect.name == name and isinstance(effect.data, Swarm) and effect.data.side == side:
                return effect
        return None

    def assailants(self, state: State, target: Id, side: Id) -> tuple[Id, ...]:
        """Return the members of a side's swarm on a target who can still act."""
        effect = self.open(state, target, side)
        data = effect.data if effect is not None else None
        members = data.members if isinstance(data, Swarm) else ()
        return tuple(who for who in members if self.can_act(state, who) and state[who].side == side)

    def form(self, state: State, target: Id, who: Id) -> Form:
        """Return what a member of a swarm has typed for its strike when it joined."""
        effect = self.open(state, target, state[who].side)
        data = effect.data if effect is not None else None
        return dict(data.forms).get(who, ()) if isinstance(data, Swarm) else ()

    def targets(self, state: State, who: Id) -> tuple[Id, ...]:
        """Return the targets of the swarms a combatant has joined."""
        side = state[who].side
        beset = [other.id for other in state.combatants if other.effects]
        return tuple(target for target in beset if who in self.assailants(state, target, side))

    def join(self, ctx: Ctx, who: Id, target: Id, form: Form = ()) -> None:
        """Join the swarm on a target, or open it."""
        side = ctx.state[who].side
        held = self.open(ctx.state, target, side)
        known = held.data if held is not None and isinstance(held.data, Swarm) else Swarm(side)
        members = (*(one for one in known.members if one != who), who)
        forms = (*(pair for pair in known.forms if pair[0] != who), *(((who, form),) if form else ()))
        title, data = f"swarmed by {len(members)}", self.kind(side, members, forms)
        if held is not None:
            ctx.emit(EffectChanged(held, replace(held, data=data, title=title)), self.joining)
            return
        until = (At("round_end"),)
        ctx.add_effect(Effect("swarm", target, until=until, data=data, stacking="add", title=title), *self.opened)
