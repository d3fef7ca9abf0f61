"""Moving or letting go of a grappled victim: carry, throw, release (SV-151, SV-152, R15)."""

from __future__ import annotations

from msgspec.structs import replace

from rulesets.sovereign.actions.fighting.validity import log_lost, new_refusal
from rulesets.sovereign.actions.moving.maneuvers import GRAPPLE, contest, grip, penalty_of, shoved_to, size_field
from rulesets.sovereign.aftermath import wounds
from rulesets.sovereign.stats import field
from rulesets.sovereign.stats.attack_outcomes import PRONE
from rulesets.without_number.actions import go_on_while_up
from rulesets.without_number.aftermath import release
from rulesets.without_number.turn import FREE, main_action
from tracker.core.fight.slots import Id
from tracker.core.fight.state import State
from tracker.core.game.action_types import ActionType
from tracker.core.step.ctx import Ctx
from tracker.core.step.fields import square, squares, text
from tracker.core.terms.actions import Action, Field, Option
from tracker.core.terms.errors import Refusal
from tracker.kit.squares.grid import FEET, Body, Square
from tracker.kit.squares.paths import fault

DRAG = 10


def _drag_fields(state: State, action: Action) -> tuple[Field, ...]:
    if action.by is None:
        return ()
    held = grip(state[action.by])
    mode = Field(
        "mode",
        "choice",
        default="drag",
        options=(Option("drag", "carry along up to 10 feet"), Option("throw", "throw 5 feet, prone")),
    )
    where = (
        (Field("path", "path", "own path"), Field("square", "square", "victim to"))
        if field.on_grid(state, action.by)
        else ()
    )
    usual = str(held.penalty) if held is not None else "0"
    return (mode, *where, replace(size_field(state, held.victim if held else None), default=usual))


def _drag_refusal(state: State, action: Action) -> Refusal | None:
    who = action.by
    held = None if who is None else grip(state[who])
    if who is None:
        return None
    if held is None:
        return Refusal("not_grappling", f"{state.name(who)} holds nobody", "SV-151", forcible=False)
    here, victim = field.body(state, who), field.body(state, held.victim)
    ground = field.terrain(state)
    if here is None or victim is None or ground is None:
        return None
    if text(action, "mode") == "throw":
        if not _thrown_to(state, held.victim, action):
            return Refusal("no_room", f"there is no free square for {state.name(held.victim)}", "SV-R15")
        return None
    wrong = fault(ground, field.crowd(state, who, (held.victim,)), here, squares(action, "path"), DRAG)
    if wrong is not None:
        return field.faulted(wrong, too_far="SV-151")
    if not _dragged_to(state, who, held.victim, squares(action, "path"), action):
        return Refusal(
            "no_room", f"there is no free square for {state.name(held.victim)} beside the path's end", "SV-R15"
        )
    return None


def _thrown_to(state: State, victim: Id, action: Action) -> tuple[Square, ...]:
    wanted = square(action, "square")
    return tuple(at for at in shoved_to(state, victim) if wanted in (None, at))


def _dragged_to(state: State, who: Id, victim: Id, path: tuple[Square, ...], action: Action) -> tuple[Square, ...]:
    """Return where the victim may end (R15).

    The squares are free, adjacent to the path's end and at most 10 feet from where it was.
    """
    here, other = field.body(state, who), field.body(state, victim)
    if here is None or other is None:
        return ()
    end = Body(path[-1] if path else here.at, here.space)
    wanted = square(action, "square")
    reach = DRAG // FEET
    return tuple(
        at
        for at in field.free_squares(state, end, other.space, (who, victim))
        if wanted in (None, at) and max(abs(at[0] - other.at[0]), abs(at[1] - other.at[1])) <= reach
    )


def _drag(ctx: Ctx, action: Action) -> None:
    """Carry or throw the victim, or lose hold of it (SV-151, SV-152, R15)."""
    who = str(action.by)
    held, planned = grip(ctx.state[who]), _drag_refusal(ctx.state, action)
    if held is None:
        return
    victim = held.victim
    go_on_while_up(ctx, who)

    def wrong(state: State) -> str:
        return new_refusal(planned, _drag_refusal(state, action))

    won = contest(
        ctx, "drag", who, victim, GRAPPLE, penalty_of(action), "SV-151", asked_if=lambda state: not wrong(state)
    )
    if won is None:
        log_lost(ctx, who, "drag", wrong(ctx.state))
        return
    if not won:
        release(ctx, victim, "breaks free", "SV-152", "SV-R15", only=who)
        return
    now = grip(ctx.state[who])
    if now is None or now.victim != victim:
        log_lost(ctx, who, "drag", f"{ctx.state.name(victim)} is free")
        return
    wounds.mark(ctx, victim)
    if text(action, "mode") == "throw":
        release(ctx, victim, "thrown", "SV-151", "SV-R15")
        places = _thrown_to(ctx.state, victim, action)
        field.move(ctx, victim, places[:1], "SV-151")
        ctx.add_effect(PRONE.on(victim, who, stacking="keep"), "SV-151")
        return
    release(ctx, victim, "carried away", "SV-R15", but=who)
    path = squares(action, "path")
    places = _dragged_to(ctx.state, who, victim, path, action)
    field.move(ctx, who, path, "SV-151")
    field.move(ctx, victim, places[:1], "SV-151")
    if not places:
        ctx.note(f"carries {ctx.state.name(victim)} along up to 10 feet", "SV-151", about=who)


def _release_refusal(state: State, action: Action) -> Refusal | None:
    if action.by is None or state[action.by].has("grappling"):
        return None
    return Refusal("not_grappling", f"{state.name(action.by)} holds nobody", "SV-146", forcible=False)


def _release(ctx: Ctx, action: Action) -> None:
    held = grip(ctx.state[str(action.by)])
    if held is not None:
        release(ctx, held.victim, "released", "SV-146", "SV-043", only=action.by)


ACTIONS = (
    main_action("drag", "Move the victim", "SV-151", _drag, _drag_fields, _drag_refusal, group="grapple"),
    ActionType(
        "release", "Release", "SV-146", "Free", FREE, "turn", _release, refusal=_release_refusal, group="grapple"
    ),
)
