"""Fog on the map, as the GM covers and uncovers squares for the players."""

from __future__ import annotations

from functools import partial

from tracker.core.clock.covering import FAR, ground_of, in_sight, whole
from tracker.core.fight import hiding
from tracker.core.fight.state import State
from tracker.core.game.action_types import ActionType
from tracker.core.game.ruleset import Ruleset
from tracker.core.step import showing
from tracker.core.step.ctx import Ctx
from tracker.core.step.fields import number, squares
from tracker.core.terms.actions import Action, Field, Option
from tracker.core.terms.errors import Refusal

NO_MAP = Refusal("no_map", "this fight has no map of squares", forcible=False, field="what")
NO_FOG = Refusal("no_fog", "there is no fog", forcible=False, field="what")


def _fields(game: Ruleset, state: State, action: Action) -> tuple[Field, ...]:
    why = NO_MAP if ground_of(game, state) is None else None
    fogged, named = bool(hiding.fog(state)), bool(squares(action, "squares"))
    what = (
        Option("party", "all but what the party sees", refusal=why),
        Option("lift", "lift it from these squares", refusal=why or (None if fogged else NO_FOG)),
        Option("cover", "cover these squares", refusal=why),
        Option("all", "cover everything", refusal=why),
        Option("off", "no fog", refusal=why or (None if fogged else NO_FOG)),
    )
    usual = "party" if not named else "lift" if set(squares(action, "squares")) & hiding.fog(state) else "cover"
    chosen = action.get("what") or usual
    return (
        Field("what", "choice", default=usual, required=True, options=what),
        *(
            (Field("far", "number", "how far it sees", default=FAR, minimum=0, maximum=500),)
            if chosen == "party"
            else ()
        ),
        *((Field("squares", "path", "which squares", required=True),) if chosen in ("lift", "cover") else ()),
    )


def _do(game: Ruleset, ctx: Ctx, action: Action) -> None:
    """Change the fog.

    Who stands in it is hidden at the end of the step.
    """
    board = ground_of(game, ctx.state)
    if board is None:
        return
    every = whole(board)
    now, named = hiding.fog(ctx.state), every.intersection(squares(action, "squares"))
    match action.get("what"):
        case "party":
            far = number(action, "far") if action.get("far") is not None else FAR
            now = (now or every) - in_sight(game, ctx.state, board, far)
        case "lift":
            now -= named
        case "cover":
            now |= named
        case "all":
            now = every
        case _:
            now = frozenset()
    showing.say(ctx, hiding.FOG, hiding.stretches(now) or None)
    ctx.note(f"players see {len(every - now)} of {len(every)} squares" if now else "players see all of the map")


def commands(game: Ruleset) -> tuple[ActionType, ...]:
    """Return the commands of this module, for a game with maps of squares."""
    fog = ActionType("fog", "Fog on the map", perform=partial(_do, game), fields=partial(_fields, game))
    return (fog,) if game.schema.board == "square" else ()
