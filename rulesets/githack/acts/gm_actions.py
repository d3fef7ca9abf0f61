"""What the referee does: phases, bleeding, boxes, AC, Angst, tokens (section 6)."""

from __future__ import annotations

from rulesets.githack.acts import by_hand
from rulesets.githack.ending import after
from rulesets.githack.ending.wounds import bleed, take_harm
from rulesets.githack.numbers import harm as track
from rulesets.githack.numbers import stats
from rulesets.githack.numbers.checks import check
from rulesets.githack.numbers.facts import set_ac, set_angst, set_harm
from rulesets.githack.order.rounds import roll_initiative, rollers
from tracker.core.fight.state import Id, State
from tracker.core.step.ctx import Ctx
from tracker.core.terms.actions import Action, ActionSpec, Field, Option, Refusal

__all__ = ["KEYS", "form", "perform"]

KEYS = (
    "start_round",
    "roll_initiative",
    "end_phase",
    "bleed",
    "fester",
    "mark",
    "unmark",
    "set_ac",
    "set_initiative",
    "angst",
    "token",
    "check",
    "after_combat",
    *by_hand.KEYS,
)  # fmt: skip - a plain list of keys
_LABELS = {
    "start_round": "Start the round",
    "roll_initiative": "Roll initiative",
    "end_phase": "End the phase",
    "bleed": "Bleed",
    "fester": "Fester",
    "mark": "Mark boxes",
    "unmark": "Empty boxes",
    "set_ac": "Set AC",
    "set_initiative": "Preset initiative",
    "angst": "Set Angst",
    "token": "Hold or spend a token",
    "check": "Check",
}
_RULES = {
    "start_round": "GH-001",
    "roll_initiative": "GH-012",
    "end_phase": "GH-001",
    "bleed": "GH-123",
    "fester": "GH-119",
    "mark": "GH-126",
    "unmark": "GH-079",
    "set_ac": "GH-020",
    "set_initiative": "GH-A20",
    "angst": "GH-112",
    "token": "GH-114",
    "check": "GH-101",
}


def form(state: State, action: Action) -> ActionSpec:
    """Return the specification of a referee's action."""
    if action.key == "after_combat":
        return after.form(state, action)
    if action.key in by_hand.KEYS:
        return by_hand.form(state, action)
    key = action.key
    return ActionSpec(
        key, _LABELS[key], None, "", _RULES[key], _fields(state, action), _refusal(state, action), "game master"
    )


def _people(state: State, only_pcs: bool = True) -> tuple[Option, ...]:
    return stats.among(stats.pcs(state) if only_pcs else state.combatants)


def _fields(state: State, action: Action) -> tuple[Field, ...]:
    pc = Field("who", "combatant", "PC", required=True, options=_people(state))
    box = Field("box", "number", required=True, minimum=1)
    match action.key:
        case "roll_initiative":
            edges = Field(
                "edge",
                "choice",
                default="none",
                options=tuple(Option(edge) for edge in ("none", "advantage", "disadvantage")),
            )
            return (
                Field(
                    "edges",
                    "rows",
                    "Advantage",
                    columns=(Field("who", "combatant", required=True, options=_people(state)), edges),
                ),
            )
        case "bleed":
            return (pc,)
        case "fester":
            return (pc, box, Field("neighbour", "number", required=True, minimum=1))
        case "mark":
            kinds = (Option("/", "tick"), Option("x", "cross"), Option("*", "star"), Option("worsen", "worsen a box"))
            return (
                pc,
                Field("mark", "choice", default="/", required=True, options=kinds),
                Field("count", "number", default=1, minimum=1, maximum=30),
                Field("box", "number", minimum=1, note="for worsening"),
                Field("why", "text"),
            )
        case "unmark":
            return (pc, box, Field("why", "text"))
        case "set_ac":
            who = Field("who", "combatant", required=True, options=_people(state, only_pcs=False))
            return (who, Field("value", "number", required=True, minimum=0))
        case "set_initiative":
            return (pc, Field("group", "choice", required=True, options=(Option("fast"), Option("slow"))))
        case "angst":
            return (pc, Field("value", "number", required=True, minimum=0))
        case "token":
            return (Field("value", "number", "tokens held", required=True, minimum=0),)
        case "check":
            abilities = tuple(Option(ability) for ability in ("str", "dex", "con", "int", "wis", "cha"))
            return (
                pc,
                Field("ability", "choice", default="wis", required=True, options=abilities),
                Field("what", "text", default="check"),
            )
        case _:
            return ()


def _refusal(state: State, action: Action) -> Refusal | None:
    phase, who = state.clock.phase, str(action.get("who"))
    waiting = phase in ("setup", "round_end")
    if state.clock.over and action.key in ("start_round", "roll_initiative", "end_phase"):
        return Refusal("fight_over", "the combat is over", "GH-010", forcible=False)
    match action.key:
        case "start_round" if not waiting:
            return Refusal("wrong_phase", "the round is running", "GH-001", forcible=False)
        case "roll_initiative" if phase != "initiative":
            text = (
                "initiative has been rolled"
                if state.clock.round and rollers(state)
                else "nobody has to roll initiative now"
            )
            return Refusal("wrong_phase", text, "GH-012", forcible=False)
        case "end_phase" if phase not in ("fast", "monsters", "slow"):
            return Refusal("wrong_phase", "no phase is running", "GH-001", forcible=False)
        case "bleed" if who in state and not stats.dying(state[who]):
            return Refusal("not_dying", f"{state.name(who)} is not dying", "GH-123")
        case "fester" if who in state:
            return _no_fester(state, who, action)
        case "mark" | "unmark" if who in state:
            box = action.get("box")
            if isinstance(box, int) and box > len(stats.harm(state, who)):
                return Refusal(
                    "no_box", f"{state.name(who)} has {len(stats.harm(state, who))} boxes", "GH-115", forcible=False
                )
    return None


def _no_fester(state: State, who: Id, action: Action) -> Refusal | None:
    held, box, other = stats.harm(state, who), action.get("box"), action.get("neighbour")
    if not isinstance(box, int) or not isinstance(other, int):
        return None
    if box > len(held) or held[box - 1] != "*":
        return Refusal("no_star", f"{state.name(who)} has no star in box {box}", "GH-119", forcible=False)
    if other - 1 not in track.neighbours(held, box - 1):
        return Refusal("no_neighbour", f"box {other} is no neighbour that can get worse", "GH-119", forcible=False)
    return None


def perform(ctx: Ctx, action: Action) -> None:
    """Do what the referee says."""
    who, value = str(action.get("who")), action.get("value")
    match action.key:
        case "start_round" | "end_phase":
            ctx.walk()
        case "roll_initiative":
            roll_initiative(ctx, action)
        case "bleed":
            bleed(ctx, "bleed", who, "dead", "GH-123")
        case "fester":
            box, other = action.get("box"), action.get("neighbour")
            if isinstance(box, int) and isinstance(other, int):
                set_harm(ctx, who, track.fester(stats.harm(ctx.state, who), box - 1, other - 1), "GH-119")
        case "mark":
            _mark(ctx, action, who)
        case "unmark":
            box = action.get("box")
            if isinstance(box, int):
                set_harm(ctx, who, track.put(stats.harm(ctx.state, who), box - 1, track.EMPTY), "GH-079", "GH-117")
        case "set_ac" if isinstance(value, int):
            set_ac(ctx, who, value, "GH-020")
        case "set_initiative":
            _preset(ctx, who, str(action.get("group")))
        case "angst" if isinstance(value, int):
            set_angst(ctx, who, value, "GH-112")
        case "token":
            ctx.fact("fight", "tokens", value, "GH-114")
            ctx.note(f"tokens held: {value}", "GH-114")
        case "check":
            check(ctx, "check", who, action.get("ability"), str(action.get("what")), "GH-101")  # type: ignore[arg-type]  # the form offers abilities only
        case "after_combat":
            after.perform(ctx, action)
        case _:
            by_hand.perform(ctx, action)


def _mark(ctx: Ctx, action: Action, who: Id) -> None:
    count, mark, box = action.get("count"), str(action.get("mark")), action.get("box")
    if mark == "worsen":
        held = stats.harm(ctx.state, who)
        place = box - 1 if isinstance(box, int) else track.lowest(held, "/x")
        if place is not None and place < len(held):
            set_harm(ctx, who, track.put(held, place, track.worse(held[place])), "GH-118", "GH-126")
        return
    take_harm(
        ctx, who, [mark] * (count if isinstance(count, int) else 1), "GH-126", "GH-048" if mark == "*" else "GH-116"
    )


def _preset(ctx: Ctx, who: Id, group: str) -> None:
    """Preset the next initiative result; with groups already made, it counts from the next round on (A20)."""
    ctx.fact(who, "preset", group, "GH-A20", "GH-003")
