"""Effects that a save ends, at the end of each turn of their bearer.

    def save(ctx: Ctx, effect: Effect, end: OnSave) -> bool:
        return saving_throw(ctx, effect.bearer, end.key, end.against)

    ctx.add_effect(Effect("held", target, until=(OnSave("wis", against=15),)))
    saves.on_boundary(ctx, boundary, save)                                      # in on_boundary
    RULESET = Ruleset(..., moments=(*MINE, *saves.moments("str", "con", "wis")))   # the GM types `e held g save wis 15`

If an effect has several ends, the first one counts.
"""

from __future__ import annotations

from collections.abc import Callable

from tracker.core.step.ctx import Ctx
from tracker.core.terms.effects import Effect
from tracker.core.terms.moments import Boundary, Edge, Moment, OnSave


def moments(*saves: str) -> tuple[Moment, ...]:
    """Return the ends `save <name> <number>` for these kinds of saves, for `Ruleset.moments`."""
    return tuple(Moment(f"save {save.replace('_', ' ')} {{n}}", (OnSave(save),)) for save in saves)


def on_boundary(
    ctx: Ctx, boundary: Boundary, save: Callable[[Ctx, Effect, OnSave], bool], edge: Edge = "turn_end"
) -> None:
    """Roll the saves that are due at this edge of their bearers' turns; a success ends the effect.

    `save` rolls one save and tells whether it succeeds; its requests are keyed by the effect.
    """
    for who in boundary.actors if boundary.edge == edge else ():
        for effect in ctx.state.borne(who) if who in ctx.state else ():
            for end in effect.until:
                current = ctx.state.effect(who, effect.id)
                if current is None or not isinstance(end, OnSave):
                    continue
                with ctx.scope(f"ends:{effect.id}"):
                    saved = save(ctx, current, end)
                current = ctx.state.effect(who, effect.id)
                if saved and current is not None:
                    ctx.end_effect(current, "saved")
