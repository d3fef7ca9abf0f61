"""The game master's actions with their forms: damage, healing, falls, checks, zones, status, spoils (6.2)."""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import partial
from typing import cast

from msgspec import UNSET
from msgspec.structs import replace

from rulesets.sword_world.actions.attack import damage_type
from rulesets.sword_world.actions.damage import BaseDamage, hurt, mixed, restore, settled_damage
from rulesets.sword_world.fields import MODIFIER, TYPES, brawls, given, words
from rulesets.sword_world.order import zones
from rulesets.sword_world.order.opening import ECONOMY, keep, keep_here
from rulesets.sword_world.stat_blocks.models import Addition, DamageType, Drop, Reduction, Ruled, StatBlock, Zone
from rulesets.sword_world.stat_blocks.shorthand import FALL_PER_METRE, MOST_CAPACITY, PICKUP_SECONDS
from rulesets.sword_world.stats import stats
from rulesets.sword_world.stats.checks import TWO_DICE, Contest, Total, reaches, roll_total, stat_total
from rulesets.sword_world.stats.effects import PRONE
from tracker.core.fight.events import Checked, Found, TimePassed
from tracker.core.fight.slots import Id
from tracker.core.fight.state import FIGHT, Combatant, State
from tracker.core.game.action_types import ActionType
from tracker.core.step import fields
from tracker.core.step.ctx import Ctx
from tracker.core.step.fields import share_fields, shares
from tracker.core.terms.actions import Action, Field, Option
from tracker.core.terms.derived import Part
from tracker.core.terms.errors import Refusal
from tracker.kit.economy import budget


def damage(ctx: Ctx, action: Action) -> None:
    """Deal damage: calculated, through additions and reductions, or direct (SW-117, SW-118, SW-119)."""
    pool = str(action.get("pool"))
    kind: DamageType = "magical" if action.get("type") == "magical" else "physical"
    energy = words(action, "energy")
    added = tuple(
        Addition(fields.whole(row.get("amount")), damage_type(row.get("type")), "additional")
        for row in action.rows("additional")
    )
    lowered = tuple(
        Reduction(str(row.get("when") or "any"), fields.whole(row.get("amount"))) for row in action.rows("reductions")
    )
    for who, dealt, why in shares(action, fields.number(action, "amount"), up=True):
        if who not in ctx.state:  # removed while the GM was asked about another one
            continue
        if action.get("as") == "direct":
            hurt(ctx, who, dealt, "SW-118", pool=pool, parts=(Part("direct damage", dealt),), why=why)
            continue
        direct, parts = settled_damage(
            ctx.state, who, BaseDamage((Part("calculated", dealt, "SW-118"),), kind, energy, added, lowered)
        )
        rules = ("SW-118", "SW-121", "SW-158") if kind == "physical" else ("SW-118", "SW-122", "SW-159")
        hurt(ctx, who, direct, *rules, "SW-R30", *(("SW-139",) if energy else ()), pool=pool, parts=parts, why=why)


def heal(ctx: Ctx, action: Action) -> None:
    """Give HP or MP back (SW-R42)."""
    for who in (one for one in fields.ids(action, "targets") if one in ctx.state):
        restore(ctx, who, fields.number(action, "amount"), pool=str(action.get("pool")))


def fall(ctx: Ctx, action: Action) -> None:
    """Let combatants fall: 3 damage a metre.

    It is lowered like physical damage, and by what is absorbed (SW-177, SW-178, SW-R44).
    """
    points = math.ceil(FALL_PER_METRE * fields.measure(action, "metres"))
    absorbed = fields.number(action, "absorbed")
    reductions = (Reduction("physical", absorbed),) if absorbed else ()
    for who in (one for one in fields.ids(action, "targets") if one in ctx.state):
        direct, parts = settled_damage(
            ctx.state, who, BaseDamage((Part("fall", points, "SW-177"),), reductions=reductions)
        )
        laws = (*(("SW-178",) if absorbed else ()), *mixed(parts))
        hurt(ctx, who, direct, "SW-177", "SW-R44", *laws, parts=parts, why="fall")


def result_of(state: State, total: Total, target: int | None) -> str:
    """Say whether a check against a target number succeeds (SW-R01, SW-R36)."""
    return "rolled" if target is None else "success" if reaches(state, total, target) else "failure"


def check(ctx: Ctx, action: Action) -> None:
    """Make any check (SW-050)."""
    who, which = str(action.get("who")), str(action.get("which"))
    _checked(ctx, action, who, which, "check", "SW-050")


def _checked(
    ctx: Ctx, action: Action, who: Id, which: str, key: str, *rules: str, what: str = "", why: str = ""
) -> str:
    """Make a check and say what came of it; `what`: what the log calls it; `why`: what its question calls it."""
    keep_here(ctx, who)
    aim = given(action, "target_number")
    target = None if aim is None else int(aim)
    extra = (Part("modifier", fields.number(action, "modifier")),)
    contest = Contest("target", "succeeds", goal=lambda state: target, demanded=True)
    shown = what or (which if which == "2d" else which.replace("_", " ").title())
    if which in ("accuracy", "2d"):

        def base(state: State) -> tuple[Part, ...]:
            any_check = stats.effect_parts(state[who], "all_checks")
            return (*(any_check if which == "2d" else stats.derived(state, who, "accuracy").parts), *extra)

        text = str(action.get("text") or "check") * (which == "2d")
        made = roll_total(ctx, key, who, which, base, *rules, why=text, contest=contest)
    else:
        fixed = action.get("roll_fixed") is True
        made = stat_total(ctx, key, who, which, *rules, extra=extra, roll_fixed=fixed, why=why, contest=contest)
    total = cast(Total, made)
    result = result_of(ctx.state, total, target)
    rules += ("SW-R48",) if total.natural is None else ()
    success = UNSET if target is None else result == "success"
    ctx.emit(Checked(shown, who, total.value, result, parts=total.parts, against=target, success=success), *rules)
    return result


def death_check(ctx: Ctx, action: Action) -> None:
    """Make a Death Check with Fortitude against the game master's number (SW-160, SW-R34)."""
    who = str(action.get("who"))
    keep_here(ctx, who)
    keep(ctx, lambda state: state[who].status == "unconscious", f"{ctx.state.name(who)} is no longer unconscious")
    why = f"Death Check (HP {str(ctx.state[who].hp).replace('-', '−')})"
    result = _checked(ctx, action, who, "fortitude", "death_check", "SW-160", "SW-R34", what="Death Check", why=why)
    ctx.fact(who, "death_check_due", None, "SW-160", "SW-R34")
    if result == "failure":
        ctx.status(who, "dead", "SW-160", "SW-R34")


def other_action(ctx: Ctx, action: Action) -> None:
    """Do anything else: a note, a check if one is asked for (SW-046, SW-052, SW-179 to SW-181)."""
    who = str(action.by)
    if action.get("uses_standard") is True:
        ECONOMY.take(ctx, who, budget(standard=1), "SW-050", "SW-052")
    ruled = ("SW-R12",) if action.get("gm_allows") is True else ()
    ctx.note(str(action.get("text") or "something else"), "SW-052", "SW-053", *ruled, about=who)
    if action.get("which") not in (None, "none"):
        _checked(ctx, action, who, str(action.get("which")), "check", "SW-052")


def set_zone(ctx: Ctx, action: Action) -> None:
    """Make a zone or change one: size, capacity, participants (SW-077 to SW-079)."""
    key, people = action.get("zone"), fields.ids(action, "participants")
    metres, capacity = given(action, "radius"), fields.number(action, "capacity")
    if key is None or key == "new":
        zones.form_zone(ctx, people, "SW-078", "SW-079", radius=metres, capacity=capacity)
        return
    held = stats.zone(ctx.state, str(key))
    kept = people or held.participants
    for who in kept:
        zones.leave_others(ctx, str(key), who)
    typed = held.typed if metres is None or metres == held.radius else True
    now = Zone(
        kept,
        tuple(who for who in held.fallen if who not in kept),
        held.radius if metres is None else metres,
        typed,
        capacity,
        held.center,
    )
    zones.put(ctx, str(key), now, "SW-077", "SW-078", "SW-079")
    for who in kept:
        zones.draw_in(ctx, str(key), who)


def end_zone(ctx: Ctx, action: Action) -> None:
    """End a brawl on the game master's word (SW-072)."""
    zones.dissolve(ctx, str(action.get("zone")), "the GM ends it", "SW-072")


def move_participant(ctx: Ctx, action: Action) -> None:
    """Put a combatant into a zone, or out of one."""
    who, to = str(action.get("who")), action.get("zone")
    place = stats.place_of(ctx.state, who)
    if place is not None:
        zones.leave_zone(ctx, place, who, "SW-080")
    if isinstance(to, str) and to not in ("", "none"):
        held = stats.zone(ctx.state, to)
        if stats.able(ctx.state, who):
            zones.join_zone(ctx, to, who, "SW-076")
        else:
            zones.put(ctx, to, replace(held, fallen=(*held.fallen, who)), "SW-R16")
            zones.draw_in(ctx, to, who)


def fuse_zones(ctx: Ctx, action: Action) -> None:
    """Make one brawl of two (SW-092)."""
    first, second = (str(key) for key in cast("tuple[str, ...]", action.get("zones")))
    zones.fuse(ctx, first, second, given(action, "radius"), fields.number(action, "capacity"))


def status(ctx: Ctx, action: Action) -> None:
    """Set a status on the game master's word (SW-029, SW-181)."""
    status = str(action.get("status"))
    for who in fields.ids(action, "targets"):
        if status == "prone":
            ctx.add_effect(PRONE.on(who), "SW-060")
            continue
        now = "up" if status == "conscious" else status
        ctx.fact(who, "ruled", Ruled(now, ctx.state[who].hp) if now in ("up", "unconscious") else None)
        if now != "unconscious":
            ctx.fact(who, "death_check_due", None)
        ctx.status(who, now, "SW-029" if now in ("fled", "surrendered") else "SW-181")


def defeated(state: State) -> tuple[Combatant, ...]:
    """Return the opponents' monsters that are unconscious or dead (SW-034, SW-R41)."""
    return tuple(
        one for one in stats.members(state, "foes") if stats.is_monster(one) and one.status in ("unconscious", "dead")
    )


def _defeated(state: State, who: Id) -> Combatant | None:
    return next((one for one in defeated(state) if one.id == who), None)


def collect_spoils(ctx: Ctx, action: Action) -> None:
    """Roll for the defeated monsters, add up Sword Shards, and let ten minutes pass (SW-033 to SW-036, SW-R41)."""
    once = stats.rules(ctx.state).spoils_roll == "once"
    ctx.fact(FIGHT, "spoils_done", True, "SW-033")
    found: list[str] = []
    shared: int | None = None
    shards = 0
    chosen = fields.ids(action, "monsters")
    for who in [combatant.id for combatant in ctx.state.combatants if combatant.id in chosen]:
        one = _defeated(ctx.state, who)
        if one is None:  # gone, or on its feet again
            continue
        own = cast(StatBlock, one.block)
        items = [drop for drop in own.drops if not drop.low]
        rolled: int | None = None
        if any(drop.low for drop in own.drops):
            if not once or shared is None:
                key, why = ("spoils", "spoils") if once else (f"spoils:{who}", f"spoils of {one.name}")
                lies = partial(_defeated, who=who)
                shared = ctx.roll(key, TWO_DICE, "SW-034", "SW-R41", why=why, to="gm", asked_if=lies)
            if shared is None:
                continue
            rolled = shared
            items += [drop for drop in own.drops if drop.low <= shared <= drop.high and drop.low]
        shards += own.sword_shards
        found += [f"{one.name}: {_shown(drop)}" for drop in items]
        _tell_spoils(ctx, one, items, rolled)
    if shards:
        found.append(f"Sword Shards: {shards}")
        ctx.emit(Found((found[-1],)), "SW-035")
    ctx.fact(FIGHT, "spoils", tuple(found) or None, "SW-033")
    ctx.emit(TimePassed(PICKUP_SECONDS, "collecting spoils"), "SW-036", "SW-R41")


def _tell_spoils(ctx: Ctx, one: Combatant, items: Sequence[Drop], rolled: int | None) -> None:
    """Tell what is found on one monster, with the dice that were read for it."""
    spoils = ", ".join(map(_shown, items)) or "nothing"
    if rolled is not None:
        dice = (Part("2d", rolled),)
        ctx.emit(Checked(f"spoils of {one.name}", None, rolled, spoils, parts=dice), "SW-033", "SW-034")
    found = [_shown(drop) for drop in items if drop.item.casefold() != "nothing"]
    if found:
        ctx.emit(Found(tuple(found), one.id), "SW-033", "SW-034")


def _shown(drop: Drop) -> str:
    return f"{drop.item} ({drop.note})" if drop.note else drop.item


CHECKS = (
    "fortitude",
    "willpower",
    "evasion",
    "accuracy",
    "spellcasting",
    "initiative",
    "hide",
    "danger_sense",
    "monster_knowledge",
)
STATUSES = ("conscious", "unconscious", "prone", "fled", "surrendered", "dead", "up")
AMOUNT = Field("amount", "number", required=True, minimum=0)
POOL = Field("pool", "choice", default="hp", options=(Option("hp", "HP"), Option("mp", "MP")), required=True)


def _targets(people: tuple[Option, ...]) -> Field:
    return Field("targets", "combatants", required=True, options=people)


def damage_fields(state: State, action: Action) -> tuple[Field, ...]:
    people = fields.options(state.combatants)
    number = Field("amount", "number", required=True)
    kinds = (Option("calculated", note="Defense and reductions count"), Option("direct", note="simply taken off"))
    return (
        AMOUNT,
        _targets(people),
        *share_fields(people),
        Field("type", "choice", default="physical", options=TYPES, required=True),
        POOL,
        Field("as", "choice", default="calculated", options=kinds, required=True),
        Field("energy", "text", note="special types, separated by commas"),
        Field("additional", "rows", columns=(number, Field("type", "choice", options=TYPES))),
        Field("reductions", "rows", columns=(number, Field("when", "text", default="any"))),
    )


def heal_fields(state: State, action: Action) -> tuple[Field, ...]:
    dead = Refusal("dead", "the dead are not healed", "SW-R42")
    return (
        AMOUNT,
        _targets(fields.options(state.combatants, lambda one: dead if one.status == "dead" else None)),
        POOL,
    )


def fall_fields(state: State, action: Action) -> tuple[Field, ...]:
    metres = Field("metres", "number", required=True, minimum=0)
    return (_targets(fields.options(state.combatants)), metres, Field("absorbed", "number", default=0, minimum=0))


def check_fields(state: State, action: Action) -> tuple[Field, ...]:
    people = fields.options(state.combatants)
    return (
        Field("who", "combatant", options=people, required=True),
        Field("which", "choice", default="fortitude", options=tuple(Option(name) for name in CHECKS), required=True),
        Field("modifier", "number", default=0),
        Field("target_number", "number"),
        Field("roll_fixed", "flag", "roll 2d in place of a fixed value"),
    )


def _dying(state: State) -> tuple[Option, ...]:
    """Return the unconscious, those who make Death Checks first (SW-160, SW-R34)."""
    lying = [one for one in state.combatants if one.status == "unconscious"]
    due = [one for one in lying if one.fact("death_check_due")]
    usual = [one for one in lying if one not in due and _no_death_check(state, one) is None]
    rest = [one for one in lying if one not in due and one not in usual]
    return fields.options((*due, *usual, *rest), lambda one: _no_death_check(state, one))


def _no_death_check(state: State, one: Combatant) -> Refusal | None:
    """Return why a combatant makes no Death Checks, or None."""
    if one.fact("death_check_due"):
        return None
    if not stats.block(state, one.id).death_checks:
        return Refusal("no_death_checks", f"{one.name} makes no Death Checks", "SW-R34", field="who")
    if one.hp >= 0:
        return Refusal("not_below", f"{one.name} is not below 0 HP", "SW-160", field="who")
    return None


def death_check_fields(state: State, action: Action) -> tuple[Field, ...]:
    who = fields.target(_dying(state), "who")
    return (who, Field("target_number", "number", required=True), MODIFIER)


def nobody_due(state: State, action: Action) -> Refusal | None:
    return None if _dying(state) else Refusal("nobody_due", "nobody is unconscious", "SW-160", forcible=False)


def status_fields(state: State, action: Action) -> tuple[Field, ...]:
    status = Field("status", "choice", options=tuple(map(Option, STATUSES)), required=True)
    return (_targets(fields.options(state.combatants)), status)


def no_brawl(state: State, action: Action) -> Refusal | None:
    return None if brawls(state) else Refusal("no_brawl", "there is no brawl", "SW-070", forcible=False)


def end_zone_fields(state: State, action: Action) -> tuple[Field, ...]:
    found = brawls(state)
    only = found[0].key if len(found) == 1 else None
    return (Field("zone", "choice", default=only, options=found, required=True),)


def participant_fields(state: State, action: Action) -> tuple[Field, ...]:
    places = (Option("none", "out of the brawl"), *brawls(state))
    return (
        Field("who", "combatant", options=fields.options(state.combatants), required=True),
        Field("zone", "choice", default="none", options=places, required=True),
    )


def zone_fields(state: State, action: Action) -> tuple[Field, ...]:
    found, key, people = brawls(state), action.get("zone"), fields.options(state.combatants)
    held = stats.zone(state, key) if isinstance(key, str) and any(option.key == key for option in found) else None
    return (
        Field("zone", "choice", default="new", options=(Option("new", "a new brawl"), *found), required=True),
        Field("participants", "combatants", default=held.participants if held else None, options=people, required=True),
        Field("radius", "number", default=held.radius if held and held.typed else None, minimum=0),
        Field(
            "capacity",
            "number",
            default=held.capacity if held else zones.fitting_capacity(state),
            minimum=1,
            maximum=MOST_CAPACITY,
        ),
    )


def crowded(state: State, action: Action) -> Refusal | None:
    """Refuse more participants than the brawl has room for (SW-075)."""
    key, people, capacity = action.get("zone"), action.get("participants"), given(action, "capacity")
    held = stats.zone(state, key) if isinstance(key, str) and state.fact(key, "zone") is not None else None
    if not people and held is not None:
        people = held.participants
    most = int(capacity) if capacity is not None else held.capacity if held else zones.fitting_capacity(state)
    room = (
        sum(stats.sections(state, str(one)) for one in people if str(one) in state) if isinstance(people, tuple) else 0
    )
    return Refusal("no_room", f"{room} sections do not fit into {most}", "SW-075") if room > most else None


def _joined(state: State, action: Action) -> tuple[str, ...]:
    """Return the brawls to be fused: those named, else the first two."""
    return fields.texts(action.get("zones")) or tuple(option.key for option in brawls(state)[:2])


def _joint_room(state: State, action: Action) -> int:
    found = _joined(state, action)
    return sum(stats.occupancy(state, stats.zone(state, key)) for key in found if state.fact(key, "zone") is not None)


def fuse_fields(state: State, action: Action) -> tuple[Field, ...]:
    keys, found = _joined(state, action), brawls(state)
    guide = f"the guide says {zones.guide_radius(state, _joint_room(state, action)):g}"
    usual = keys if len(keys) == 2 else None
    return (
        Field("zones", "choices", default=usual, options=found, minimum=2, maximum=2, required=True),
        Field("radius", "number", default=None, minimum=0, note=guide),
        Field("capacity", "number", default=zones.fitting_capacity(state), minimum=1, maximum=MOST_CAPACITY),
    )


def no_fusing(state: State, action: Action) -> Refusal | None:
    if len(brawls(state)) < 2:
        return Refusal("no_brawls", "it takes two brawls to fuse", "SW-092", forcible=False)
    room = _joint_room(state, action)
    if room <= fields.number(action, "capacity", zones.fitting_capacity(state)):
        return None
    return Refusal("no_room", f"{room} sections do not fit into one zone", "SW-R21")


_own = partial(ActionType, group="game master")

ACTIONS = (
    _own("damage", "Damage", "SW-118", perform=damage, fields=damage_fields),
    _own("heal", "Heal", "SW-R42", perform=heal, fields=heal_fields),
    _own("fall", "Fall", "SW-177", perform=fall, fields=fall_fields),
    _own("check", "Check", "SW-050", perform=check, fields=check_fields),
    _own("death_check", "Death Check", "SW-160", perform=death_check, fields=death_check_fields, refusal=nobody_due),
    _own("set_zone", "Make or change a brawl", "SW-078", perform=set_zone, fields=zone_fields, refusal=crowded),
    _own("end_zone", "End a brawl", "SW-072", perform=end_zone, fields=end_zone_fields, refusal=no_brawl),
    _own(
        "move_participant",
        "Put into or out of a brawl",
        "SW-080",
        perform=move_participant,
        fields=participant_fields,
        refusal=no_brawl,
    ),
    _own("fuse_zones", "Fuse two brawls", "SW-092", perform=fuse_zones, fields=fuse_fields, refusal=no_fusing),
    _own("status", "Change the status", "SW-029", perform=status, fields=status_fields),
)
