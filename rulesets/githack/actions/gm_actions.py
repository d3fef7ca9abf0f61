"""What the referee does: phases, bleeding, boxes, AC, Angst, tokens (section 6)."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache, partial
from typing import cast

from rulesets.githack.actions import by_hand
from rulesets.githack.aftermath import after
from rulesets.githack.aftermath.wounds import bleed, take_harm
from rulesets.githack.order.rounds import group_of, reorder, roll_initiative, rollers
from rulesets.githack.stat_blocks.models import ABILITIES, Ability
from rulesets.githack.stats import checks as track
from rulesets.githack.stats import stats
from rulesets.githack.stats.checks import check
from rulesets.githack.stats.facts import set_ac, set_angst, set_harm
from tracker.core.fight.state import State
from tracker.core.game.action_types import ActionType
from tracker.core.step import fields
from tracker.core.step.ctx import Ctx
from tracker.core.terms.actions import Action, Field, Option
from tracker.core.terms.errors import Refusal

EDGES = tuple(Option(edge) for edge in ("none", "advantage", "disadvantage"))


@lru_cache(maxsize=32)
def ability(default: str, name: str = "ability", also: tuple[str, ...] = ()) -> Field:
    """Return the field for an ability, the default first.

    `also` are words that may stand for none.
    """
    listed = (default, *(ability for ability in ABILITIES if ability != default)) if default in ABILITIES else ABILITIES
    options = (*(Option(word) for word in also), *(Option(word, word.upper()) for word in listed))
    return Field(name, "choice", default=default, required=not also, options=options)


def edge(name: str = "edge", label: str = "", note: str = "") -> Field:
    return Field(name, "choice", label, "none", EDGES, note=note)


Fields = Callable[[State, Action], tuple[Field, ...]]

BOX = Field("box", "number", required=True, minimum=1)
VALUE = Field("value", "number", required=True, minimum=0)
MARKS = (Option("/", "tick"), Option("x", "cross"), Option("*", "star"), Option("worsen", "worsen a box"))


def _of_pc(*more: Field) -> Fields:

    def form(state: State, action: Action) -> tuple[Field, ...]:
        return (Field("who", "combatant", "PC", required=True, options=fields.options(stats.pcs(state))), *more)

    return form


def _edge_fields(state: State, action: Action) -> tuple[Field, ...]:
    who = Field("who", "combatant", required=True, options=fields.options(stats.pcs(state)))
    edges = Field("edge", "choice", default="none", options=EDGES)
    return (Field("edges", "rows", "Advantage", columns=(who, edges)),)


def _ac_fields(state: State, action: Action) -> tuple[Field, ...]:
    return (Field("who", "combatant", required=True, options=fields.options(state.combatants)), VALUE)


def _token_fields(state: State, action: Action) -> tuple[Field, ...]:
    return (Field("value", "number", "tokens held", required=True, minimum=0),)


def _order_fields(state: State, action: Action) -> tuple[Field, ...]:
    placed = [one for one in stats.pcs(state) if group_of(state, one.id)[0] >= 0]
    who = str(action.get("who"))
    fellows = [state[member] for member in group_of(state, who)[1].members if member != who]
    return (
        Field("who", "combatant", "PC", required=True, options=fields.options(placed)),
        Field("before", "combatant", options=fields.options(fellows), note="of the same group; nobody: last"),
    )


# -- what forbids it ---------------------------------------------------------------------------------------------------


def _no_round(state: State, action: Action) -> Refusal | None:
    if state.clock.over or state.clock.phase in ("setup", "round_end"):
        return stats.over(state)
    return Refusal("wrong_phase", "the round is running", "GH-001", forcible=False)


def _no_initiative(state: State, action: Action) -> Refusal | None:
    if state.clock.over or state.clock.phase == "initiative":
        return stats.over(state)
    rolled = state.clock.round and rollers(state)
    text = "initiative has been rolled" if rolled else "nobody has to roll initiative now"
    return Refusal("wrong_phase", text, "GH-012", forcible=False)


def _no_phase(state: State, action: Action) -> Refusal | None:
    if state.clock.over or state.clock.phase in ("fast", "monsters", "slow"):
        return stats.over(state)
    return Refusal("wrong_phase", "no phase is running", "GH-001", forcible=False)


def _not_dying(state: State, action: Action) -> Refusal | None:
    combatant = state.get(str(action.get("who")))
    if combatant is None or stats.dying(combatant):
        return None
    return Refusal("not_dying", f"{combatant.name} is not dying", "GH-123")


def _no_box(state: State, action: Action) -> Refusal | None:
    who, box = str(action.get("who")), action.get("box")
    if who not in state or not isinstance(box, int) or box <= len(stats.harm(state, who)):
        return None
    text = f"{state.name(who)} has {len(stats.harm(state, who))} boxes"
    return Refusal("no_box", text, "GH-115", forcible=False)


def _no_fester(state: State, action: Action) -> Refusal | None:
    who, box, other = str(action.get("who")), action.get("box"), action.get("neighbour")
    if who not in state or not isinstance(box, int) or not isinstance(other, int):
        return None
    held = stats.harm(state, who)
    if box > len(held) or held[box - 1] != "*":
        return Refusal("no_star", f"{state.name(who)} has no star in box {box}", "GH-119", forcible=False)
    if other - 1 not in track.neighbours(held, box - 1):
        return Refusal(
            "no_neighbour", f"box {other} is not beside box {box}, or cannot get worse", "GH-119", forcible=False
        )
    return None


def _no_groups(state: State, action: Action) -> Refusal | None:
    if any(group_of(state, one.id)[0] >= 0 for one in stats.pcs(state)):
        return None
    return stats.over(state) or Refusal("wrong_phase", "the PCs have no groups now", "GH-018", forcible=False)


# -- what it does ------------------------------------------------------------------------------------------------------


def _walk(ctx: Ctx, action: Action) -> None:
    ctx.walk()


def _bleed(ctx: Ctx, action: Action) -> None:
    bleed(ctx, "bleed", fields.text(action, "who"), "dead", "GH-123")


def _fester(ctx: Ctx, action: Action) -> None:
    who, box, other = fields.text(action, "who"), fields.number(action, "box"), fields.number(action, "neighbour")
    set_harm(ctx, who, track.fester(stats.harm(ctx.state, who), box - 1, other - 1), "GH-119")


def _mark(ctx: Ctx, action: Action) -> None:
    who, mark, box = fields.text(action, "who"), fields.text(action, "mark"), action.get("box")
    if mark != "worsen":
        rule = "GH-048" if mark == "*" else "GH-116"
        take_harm(ctx, who, [mark] * fields.number(action, "count", 1), "GH-126", rule)
        return
    held = stats.harm(ctx.state, who)
    place = box - 1 if isinstance(box, int) else track.lowest(held, "/x")
    if place is not None and place < len(held):
        set_harm(ctx, who, track.put(held, place, track.worse(held[place])), "GH-118", "GH-126")


def _unmark(ctx: Ctx, action: Action) -> None:
    who, box = fields.text(action, "who"), fields.number(action, "box")
    set_harm(ctx, who, track.put(stats.harm(ctx.state, who), box - 1, track.EMPTY), "GH-079", "GH-117")


def _order(ctx: Ctx, action: Action) -> None:
    who, before = fields.text(action, "who"), action.get("before")
    reorder(ctx, who, None if before is None else str(before))
    ctx.note("acts last" if before is None else f"acts before {ctx.state.name(str(before))}", "GH-A04", about=who)


def _set_ac(ctx: Ctx, action: Action) -> None:
    set_ac(ctx, fields.text(action, "who"), fields.number(action, "value"), "GH-020")


def _preset(ctx: Ctx, action: Action) -> None:
    """Preset the next initiative result (A20).

    With groups already made, it counts from the next round on.
    """
    ctx.fact(fields.text(action, "who"), "preset", fields.text(action, "group"), "GH-A20", "GH-003")


def _angst(ctx: Ctx, action: Action) -> None:
    set_angst(ctx, fields.text(action, "who"), fields.number(action, "value"), "GH-112")


def _token(ctx: Ctx, action: Action) -> None:
    value = action.get("value")
    ctx.fact("fight", "tokens", value, "GH-114")


def _check(ctx: Ctx, action: Action) -> None:
    ability = cast(Ability, fields.text(action, "ability"))
    check(ctx, "check", fields.text(action, "who"), ability, str(action.get("what")), "GH-101")


_deed = partial(ActionType, group="game master")

GM_ACTIONS = (
    _deed("start_round", "Start the round", "GH-001", perform=_walk, refusal=_no_round),
    _deed(
        "roll_initiative",
        "Roll initiative",
        "GH-012",
        perform=roll_initiative,
        fields=_edge_fields,
        refusal=_no_initiative,
    ),
    _deed("end_phase", "End the phase", "GH-001", perform=_walk, refusal=_no_phase),
    _deed("bleed", "Bleed", "GH-123", perform=_bleed, fields=_of_pc(), refusal=_not_dying),
    _deed(
        "fester",
        "Fester",
        "GH-119",
        perform=_fester,
        fields=_of_pc(BOX, Field("neighbour", "number", required=True, minimum=1)),
        refusal=_no_fester,
    ),
    _deed(
        "mark",
        "Mark boxes",
        "GH-126",
        perform=_mark,
        fields=_of_pc(
            Field("mark", "choice", default="/", required=True, options=MARKS),
            Field("count", "number", default=1, minimum=1, maximum=30),
            Field("box", "number", minimum=1, note="for worsening"),
            Field("why", "text"),
        ),
        refusal=_no_box,
    ),
    _deed(
        "unmark", "Empty boxes", "GH-079", perform=_unmark, fields=_of_pc(BOX, Field("why", "text")), refusal=_no_box
    ),
    _deed("set_ac", "Set AC", "GH-020", perform=_set_ac, fields=_ac_fields),
    _deed(
        "set_initiative",
        "Preset initiative",
        "GH-A20",
        perform=_preset,
        fields=_of_pc(Field("group", "choice", required=True, options=(Option("fast"), Option("slow")))),
    ),
    _deed("order", "Put in order", "GH-A04", perform=_order, fields=_order_fields, refusal=_no_groups),
    _deed("angst", "Set Angst", "GH-112", perform=_angst, fields=_of_pc(VALUE)),
    _deed("token", "Hold or spend a token", "GH-114", perform=_token, fields=_token_fields),
    _deed(
        "check",
        "Check",
        "GH-101",
        perform=_check,
        fields=_of_pc(
            Field("ability", "choice", default="wis", required=True, options=tuple(map(Option, ABILITIES))),
            Field("what", "text", default="check"),
        ),
    ),
    _deed(
        "after_combat", "After the combat", "GH-076", perform=after.perform, fields=after.pages, refusal=after.refusal
    ),
    _deed("damage", "Damage", "GH-126", perform=by_hand.damage, fields=by_hand.damage_fields),
    _deed("heal", "Heal", "GH-079", perform=by_hand.heal, fields=by_hand.heal_fields),
    _deed("status", "Change the status", "GH-A13", perform=by_hand.status, fields=by_hand.status_fields),
)
"""What the referee can do; `damage`, `heal` and `status` replace the generic ones."""
