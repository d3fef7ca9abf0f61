"""What the referee does: phases, bleeding, boxes, AC, Angst, tokens (section 6)."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache, partial
from typing import cast

from rulesets.githack.aftermath import after
from rulesets.githack.aftermath.wounds import bleed, take_harm, track_check
from rulesets.githack.order import group_of, reorder, roll_initiative, rollers
from rulesets.githack.stat_blocks.models import ABILITIES, Ability
from rulesets.githack.stats import checks as track
from rulesets.githack.stats import stats
from rulesets.githack.stats.checks import check
from rulesets.githack.stats.stats import STATUSES, set_ac, set_angst, set_harm
from tracker.core.fight.slots import Id
from tracker.core.fight.state import State
from tracker.core.game.action_types import ActionType
from tracker.core.step import fields
from tracker.core.step.ctx import Ctx
from tracker.core.step.fields import share_fields, shares
from tracker.core.terms.actions import Action, Field, Option
from tracker.core.terms.derived import Part
from tracker.core.terms.errors import Refusal

MARKS = (Option("/", "tick"), Option("x", "cross"), Option("*", "star"))


def damage_fields(state: State, action: Action) -> tuple[Field, ...]:
    """Return the form of damage, with a mark if a PC is among the targets.

    It may meet armour, and ask for the save on a full track.
    """
    people = _people(state)
    marks = _mark_field(state, action) if action.get("armour") is not True else ()
    save = Field("save", "flag", "CON save on a full track")
    return (*_who(people), *share_fields(people), Field("armour", "flag", "against AC"), *marks, save)


def heal_fields(state: State, action: Action) -> tuple[Field, ...]:
    return (*_who(_people(state)), *_mark_field(state, action))


def _people(state: State) -> tuple[Option, ...]:
    return fields.options(one for one in state.combatants if stats.is_pc(one) or one.has_pool("hp"))


def _who(people: tuple[Option, ...]) -> tuple[Field, ...]:
    amount = Field("amount", "number", "hit points or boxes", required=True, minimum=0)
    return (amount, Field("targets", "combatants", required=True, options=people))


def _mark_field(state: State, action: Action) -> tuple[Field, ...]:
    if not any(stats.is_pc(state[who]) for who, _, _ in shares(action, 0) if who in state):
        return ()
    return (Field("mark", "choice", "mark", default="/", required=True, options=MARKS),)


def damage(ctx: Ctx, action: Action) -> None:
    mark = fields.text(action, "mark")
    armour = action.get("armour") is True
    for who, points, why in shares(action, fields.number(action, "amount")):
        if who not in ctx.state:
            continue
        soaked = stats.ac(ctx.state[who]) if armour else 0
        if stats.is_pc(ctx.state[who]):
            _harm(ctx, action, who, _marks(points, soaked) if armour else [mark] * points)
        else:
            parts = [Part("damage", points), Part("AC", -soaked, "GH-020")] if soaked else []
            ctx.change(who, "hp", ctx.state[who].hp - max(0, points - soaked), "GH-021", parts=parts, why=why)


def _marks(points: int, soaked: int) -> list[str]:
    """Return the mark of one die with this face (GH-044)."""
    mark = track.judge(points, soaked)
    return [mark] if mark else []


def _harm(ctx: Ctx, action: Action, who: Id, marks: list[str]) -> None:
    """Mark a PC's boxes, with the save on a full track if asked for."""
    kinds = {"/": "GH-046", "x": "GH-047", "*": "GH-048"}
    armour = ("GH-044",) if action.get("armour") is True else ()
    take_harm(ctx, who, marks, "GH-126", *armour, *dict.fromkeys(kinds[mark] for mark in marks))
    if action.get("save") is True:
        track_check(ctx, f"con:{who}", who, len(marks))


def heal(ctx: Ctx, action: Action) -> None:
    mark = fields.text(action, "mark")
    for who, points, why in shares(action, fields.number(action, "amount")):
        if stats.is_pc(ctx.state[who]):
            harm = stats.harm(ctx.state[who])
            now = track.wipe(harm, mark, min(points, harm.count(mark)))
            set_harm(ctx, who, now, "GH-079", "GH-117")
        else:
            held = ctx.state[who].pool("hp")
            ctx.change(who, "hp", max(held.now, min(held.max, held.now + points)), "GH-021", why=why)


def status_fields(state: State, action: Action) -> tuple[Field, ...]:
    return (
        Field("targets", "combatants", required=True, options=fields.options(state.combatants)),
        Field("status", "choice", required=True, options=tuple(Option(each.key, each.word) for each in STATUSES)),
    )


def status(ctx: Ctx, action: Action) -> None:
    """Give a status, with what belongs to it.

    Up again a PC is no longer dying, and a monster has a hit point (A13, A21).
    """
    now = fields.text(action, "status")
    for who in fields.ids(action, "targets"):
        if now == "up":
            ctx.end_named(who, "dying", "up again", "GH-A13", "GH-123")
        monster = not stats.is_pc(ctx.state[who]) and ctx.state[who].has_pool("hp")
        if monster:
            ctx.fact(who, "felled", None, "GH-A21")
        if monster and now == "up" and ctx.state[who].hp <= 0:
            ctx.change(who, "hp", 1, "GH-A21")
        if now == "incapacitated":
            ctx.fact(who, "fell", ctx.state.clock.round, "GH-207")
        ctx.status(who, now, "GH-A13")


EDGES = tuple(Option(edge) for edge in ("none", "advantage", "disadvantage"))


@lru_cache(maxsize=32)
def ability(default: str, name: str = "ability", also: tuple[str, ...] = ()) -> Field:
    """Return the field for an ability, the default first; `also` are words that may stand for none."""
    listed = (default, *(ability for ability in ABILITIES if ability != default)) if default in ABILITIES else ABILITIES
    options = (*(Option(word) for word in also), *(Option(word, word.upper()) for word in listed))
    return Field(name, "choice", default=default, required=not also, options=options)


def edge(name: str = "edge", label: str = "", note: str = "") -> Field:
    return Field(name, "choice", label, "none", EDGES, note=note)


Fields = Callable[[State, Action], tuple[Field, ...]]

BOX = Field("box", "number", required=True, minimum=1)
VALUE = Field("value", "number", required=True, minimum=0)
MARKS_OR_WORSE = (*MARKS, Option("worsen", "worsen a box"))


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
    if who not in state or not isinstance(box, int) or box <= len(stats.harm(state[who])):
        return None
    text = f"{state.name(who)} has {len(stats.harm(state[who]))} boxes"
    return Refusal("no_box", text, "GH-115", forcible=False)


def _no_fester(state: State, action: Action) -> Refusal | None:
    who, box, other = str(action.get("who")), action.get("box"), action.get("neighbour")
    if who not in state or not isinstance(box, int) or not isinstance(other, int):
        return None
    held = stats.harm(state[who])
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


def _walk(ctx: Ctx, action: Action) -> None:
    ctx.walk()


def _bleed(ctx: Ctx, action: Action) -> None:
    bleed(ctx, "bleed", fields.text(action, "who"), "dead", "GH-123")


def _fester(ctx: Ctx, action: Action) -> None:
    who, box, other = fields.text(action, "who"), fields.number(action, "box"), fields.number(action, "neighbour")
    set_harm(ctx, who, track.fester(stats.harm(ctx.state[who]), box - 1, other - 1), "GH-119")


def _mark(ctx: Ctx, action: Action) -> None:
    who, mark, box = fields.text(action, "who"), fields.text(action, "mark"), action.get("box")
    if mark != "worsen":
        rule = "GH-048" if mark == "*" else "GH-116"
        take_harm(ctx, who, [mark] * fields.number(action, "count", 1), "GH-126", rule)
        return
    held = stats.harm(ctx.state[who])
    place = box - 1 if isinstance(box, int) else track.lowest(held, "/x")
    if place is not None and place < len(held):
        set_harm(ctx, who, track.put(held, place, track.worse(held[place])), "GH-118", "GH-126")


def _unmark(ctx: Ctx, action: Action) -> None:
    who, box = fields.text(action, "who"), fields.number(action, "box")
    set_harm(ctx, who, track.put(stats.harm(ctx.state[who]), box - 1, track.EMPTY), "GH-079", "GH-117")


def _order(ctx: Ctx, action: Action) -> None:
    who, before = fields.text(action, "who"), action.get("before")
    reorder(ctx, who, None if before is None else str(before))
    ctx.note("acts last" if before is None else f"acts before {ctx.state.name(str(before))}", "GH-A04", about=who)


def _set_ac(ctx: Ctx, action: Action) -> None:
    set_ac(ctx, fields.text(action, "who"), fields.number(action, "value"), "GH-020")


def _preset(ctx: Ctx, action: Action) -> None:
    """Preset the next initiative result (A20); with groups already made, it counts from the next round on."""
    ctx.fact(fields.text(action, "who"), "preset", fields.text(action, "group"), "GH-A20", "GH-003")


def _angst(ctx: Ctx, action: Action) -> None:
    set_angst(ctx, fields.text(action, "who"), fields.number(action, "value"), "GH-112")


def _token(ctx: Ctx, action: Action) -> None:
    value = action.get("value")
    ctx.fact("fight", "tokens", value, "GH-114")


def _check(ctx: Ctx, action: Action) -> None:
    ability = cast(Ability, fields.text(action, "ability"))
    check(ctx, "check", fields.text(action, "who"), ability, str(action.get("what")), "GH-101")


_gm = partial(ActionType, group="game master")

GM_ACTIONS = (
    _gm("start_round", "Start the round", "GH-001", perform=_walk, refusal=_no_round),
    _gm(
        "roll_initiative",
        "Roll initiative",
        "GH-012",
        perform=roll_initiative,
        fields=_edge_fields,
        refusal=_no_initiative,
    ),
    _gm("end_phase", "End the phase", "GH-001", perform=_walk, refusal=_no_phase),
    _gm("bleed", "Bleed", "GH-123", perform=_bleed, fields=_of_pc(), refusal=_not_dying),
    _gm(
        "fester",
        "Fester",
        "GH-119",
        perform=_fester,
        fields=_of_pc(BOX, Field("neighbour", "number", required=True, minimum=1)),
        refusal=_no_fester,
    ),
    _gm(
        "mark",
        "Mark boxes",
        "GH-126",
        perform=_mark,
        fields=_of_pc(
            Field("mark", "choice", default="/", required=True, options=MARKS_OR_WORSE),
            Field("count", "number", default=1, minimum=1, maximum=30),
            Field("box", "number", minimum=1, note="for worsening"),
            Field("why", "text"),
        ),
        refusal=_no_box,
    ),
    _gm("unmark", "Empty boxes", "GH-079", perform=_unmark, fields=_of_pc(BOX, Field("why", "text")), refusal=_no_box),
    _gm("set_ac", "Set AC", "GH-020", perform=_set_ac, fields=_ac_fields),
    _gm(
        "set_initiative",
        "Preset initiative",
        "GH-A20",
        perform=_preset,
        fields=_of_pc(Field("group", "choice", required=True, options=(Option("fast"), Option("slow")))),
    ),
    _gm("order", "Put in order", "GH-A04", perform=_order, fields=_order_fields, refusal=_no_groups),
    _gm("angst", "Set Angst", "GH-112", perform=_angst, fields=_of_pc(VALUE)),
    _gm("token", "Hold or spend a token", "GH-114", perform=_token, fields=_token_fields),
    _gm(
        "check",
        "Check",
        "GH-101",
        perform=_check,
        fields=_of_pc(
            Field("ability", "choice", default="wis", required=True, options=tuple(map(Option, ABILITIES))),
            Field("what", "text", default="check"),
        ),
    ),
    _gm("after_combat", "After the combat", "GH-076", perform=after.perform, fields=after.pages, refusal=after.refusal),
    _gm("damage", "Damage", "GH-126", perform=damage, fields=damage_fields),
    _gm("heal", "Heal", "GH-079", perform=heal, fields=heal_fields),
    _gm("status", "Change the status", "GH-A13", perform=status, fields=status_fields),
)
"""What the referee can do; `damage`, `heal` and `status` replace the generic ones."""
