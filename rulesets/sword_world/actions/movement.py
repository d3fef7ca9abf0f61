"""Movement, brawls and free actions of a turn, with their forms (6.1, 6.3, SW-037 to SW-098)."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import partial

from msgspec.structs import replace

from rulesets.sword_world.actions.attack import no_standard
from rulesets.sword_world.fields import brawls, first, given
from rulesets.sword_world.order import zones
from rulesets.sword_world.order.opening import ECONOMY, keep_able
from rulesets.sword_world.stat_blocks.shorthand import MOST_CAPACITY
from rulesets.sword_world.stats import stats
from rulesets.sword_world.stats.effects import FULL_MOVE, LEAVING
from tracker.core.fight.cache import per_state
from tracker.core.fight.events import Checked, Moved
from tracker.core.fight.slots import Id
from tracker.core.fight.state import Combatant, State
from tracker.core.game.action_types import ActionType
from tracker.core.step import fields
from tracker.core.step.ctx import Ctx
from tracker.core.terms.actions import Action, Field, Option
from tracker.core.terms.derived import Part
from tracker.core.terms.errors import Refusal
from tracker.kit.economy import budget

FOLLOWS = {"full": ("SW-041", "SW-043"), "normal": ("SW-044", "SW-045", "SW-046"), "short": ("SW-047", "SW-049")}
"""The rules of each kind of movement, and of what may follow it."""


def interceptors(state: State, who: Id, named: tuple[Id, ...]) -> tuple[Id, ...]:
    """Return the enemies who may start a brawl with a mover that comes near.

    They are able, in no zone, and not outnumbered by its body (SW-068, SW-R19).
    """
    free = tuple(one for one in dict.fromkeys(named) if _is_free_enemy(state, one, who))
    together = sum(stats.sections(state, one) for one in free)
    return () if barred_by_size(stats.body_sections(state, who), together) else free


def _is_free_enemy(state: State, one: Id, who: Id) -> bool:
    if not stats.able(state, one) or stats.zone_of(state, one) is not None:
        return False
    return stats.camp_of(state, one) != stats.camp_of(state, who)


def barred_by_size(body: int, together: int) -> bool:
    """Tell whether a body is too big to be held by so many sections (SW-087, SW-088, SW-R19)."""
    return body > together


def move(ctx: Ctx, action: Action) -> None:
    """Move once, in one kind of movement (SW-039 to SW-049).

    An enemy on the way may start a brawl, and a zone may hold the mover.
    """
    who, kind = str(action.by), str(action.get("kind"))
    keep_able(ctx, who)
    ECONOMY.take(ctx, who, budget(move=1), "SW-039", "SW-R10")
    ctx.fact(who, "moved", kind, "SW-040", *FOLLOWS[kind])
    left = stats.zone_of(ctx.state, who)
    if left is not None:
        zones.leave_zone(ctx, left, who, "SW-097", "SW-098")
        ctx.note(f"leaves {zones.brawl(left)}", "SW-097", "SW-098", about=who)
    if kind == "full":
        ctx.add_effect(FULL_MOVE.on(who), "SW-042", "SW-R07")
    to = given(action, "to")
    if to is not None:
        ctx.emit(Moved(who, ctx.state[who].position, (to,)), "SW-039")
    ctx.settle()
    approached, passed = fields.texts(action.get("approaches")), fields.texts(action.get("passes"))
    named = tuple(dict.fromkeys((*approached, *passed)))
    for enemy in named:
        if _stopped(ctx, who, enemy, named, ("SW-068" if enemy in approached else "SW-083", "SW-069")):
            return
    if through := fields.text(action, "passes_through"):
        _pass_through(ctx, who, through)


def _stopped(ctx: Ctx, who: Id, enemy: Id, named: tuple[Id, ...], rules: tuple[str, ...]) -> bool:
    """Ask an enemy for a brawl, and return whether the mover is held."""

    def alone(state: State) -> bool:
        return stats.sections(state, enemy) >= stats.body_sections(state, who)

    def fighters(state: State) -> tuple[Id, ...]:
        return (enemy, who) if alone(state) else (*interceptors(state, who, named), who)

    answer = ctx.choose(
        f"brawl:{enemy}",
        lambda state: (
            Option("no_brawl", "no brawl"),
            Option("brawl", refusal=_too_many(state, fighters(state))),
            Option("forbidden", "the GM forbids it"),
        ),
        *rules,
        default="no_brawl",
        who=enemy,
        why=f"start a brawl with {ctx.state.name(who)}?",
        to="gm",
        asked_if=lambda state: stats.zone_of(state, who) is None and enemy in interceptors(state, who, named),
    )
    if answer != "brawl":
        return answer is None and stats.zone_of(ctx.state, who) is not None  # drawn into a brawl meanwhile
    more = () if alone(ctx.state) else ("SW-R19",)
    key = zones.form_zone(ctx, fighters(ctx.state), *rules, *more, starter=enemy)
    ctx.note(f"{zones.zone_name(ctx.state, key)}; the movement is over", *rules)
    return True


def _too_many(state: State, fighters: tuple[Id, ...]) -> Refusal | None:
    most = zones.fitting_capacity(state)
    if sum(stats.sections(state, one) for one in fighters) <= most:
        return None
    return Refusal("no_room", f"a brawl here holds {most}", "SW-079")


def _pass_through(ctx: Ctx, who: Id, key: str) -> None:
    """Pass through a zone, or be held in it (SW-082 to SW-085, SW-087, SW-R17, SW-R18)."""

    def open_way(state: State) -> bool:
        return stats.has_zone(state, key) and stats.zone_of(state, who) is None

    def enemy(state: State) -> Id | None:
        own = stats.camp_of(state, who)
        return next((one for one in stats.zone(state, key).participants if stats.camp_of(state, one) != own), None)

    chosen = ctx.choose(
        f"pass:{key}",
        (Option("let_pass", "let it pass"), Option("brawl", "hold it: a brawl")),
        *("SW-081", "SW-083", "SW-R17", "SW-R18"),
        default="let_pass",
        who=enemy,
        why=f"let {ctx.state.name(who)} pass through {zones.brawl(key)}?",
        to="gm",
        asked_if=lambda state: open_way(state) and zones.passing(state, who, key) != "passes",
    )
    if chosen is None and open_way(ctx.state):
        held, own = stats.zone(ctx.state, key), stats.camp_of(ctx.state, who)
        allies, enemies = stats.occupancy(ctx.state, held, own), stats.occupancy(ctx.state, held, stats.other(own))
        ctx.emit(
            Checked(
                "passing through",
                who,
                allies,
                "passes",
                parts=(Part("allies in the zone", allies),),
                against=enemies,
                against_what="enemies in it",
            ),
            "SW-082" if enemies * 2 < allies else "SW-087",
        )
    if chosen == "brawl":
        zones.join_zone(ctx, key, who, "SW-084")
        ctx.note(f"is held in {zones.brawl(key)}; the movement is over", "SW-084", about=who)


def declare_brawl(ctx: Ctx, action: Action) -> None:
    """Start a brawl: a free action (SW-057, SW-067, SW-069 to SW-071)."""
    key = zones.form_zone(
        ctx,
        (str(action.by), str(action.get("enemy")), *fields.texts(action.get("together_with"))),
        *("SW-057", "SW-067", "SW-069"),
        radius=given(action, "radius"),
        capacity=None if action.get("capacity") is None else fields.number(action, "capacity"),
    )
    radius = stats.zone(ctx.state, key).radius
    ctx.note(f"{zones.brawl(key)}, radius {radius:g} m", "SW-070", "SW-078", about=str(action.by))


def join_brawl(ctx: Ctx, action: Action) -> None:
    """Join a brawl: a free action (SW-076)."""
    zones.join_zone(ctx, str(action.get("zone")), str(action.by), "SW-057", "SW-076")


def leave_brawl(ctx: Ctx, action: Action) -> None:
    """Declare leaving a brawl, which is allowed from the next turn on (SW-094 to SW-097)."""
    who = str(action.by)
    ECONOMY.take(ctx, who, budget(standard=1), "SW-095", "SW-050")
    ctx.fact(who, "leaving", stats.zone_of(ctx.state, who), "SW-095", "SW-R14")
    ctx.add_effect(LEAVING.on(who), "SW-096", "SW-R07")


KINDS = ("normal", "short", "full")


def move_fields(state: State, action: Action) -> tuple[Field, ...]:
    who = str(action.by)
    inside, here = stats.zone_of(state, who), state[who].position
    kinds = tuple(
        Option(kind, kind, f"up to {stats.move_limit(state, who, kind)} m", _kind_refused(inside, kind))
        for kind in KINDS
    )
    enemies = fields.options(_enemies(state, who))
    through = tuple(
        Option(key, f"through {zones.zone_name(state, key)}", refusal=_no_passage(state, who, key))
        for key, _ in stats.zones(state)
        if key != inside
    )
    goal = _goal(state, action)
    line = () if here is None else (Field("to", "number", default=goal, note="metres along the line"),)
    return (
        Field("kind", "choice", default="normal", options=kinds, required=True),
        Field("metres", "number", default=_way(state, action), minimum=0),
        Field("approaches", "combatants", "comes next to", options=enemies, note="an enemy who may start a brawl"),
        Field("passes", "combatants", "passes by", options=enemies),
        Field("passes_through", "choice", "on the way", options=through),
        *line,
    )


def _goal(state: State, action: Action) -> float | None:
    """Return where along the line the mover goes, None where that is not known.

    What is typed, else the place of the one it comes next to, as far as the metres typed lead.
    """
    here, to, metres = state[str(action.by)].position, given(action, "to"), given(action, "metres")
    if not here or to is not None:
        return to
    spots = (stats.spot(state, one) for one in fields.texts(action.get("approaches")) if one in state)
    aim = next((spot for spot in spots if spot is not None), None)
    if aim is None or metres is None or metres >= abs(aim - here[0]):
        return aim
    return here[0] + metres if aim > here[0] else here[0] - metres


def _way(state: State, action: Action) -> float:
    here, goal = state[str(action.by)].position, _goal(state, action)
    return abs(goal - here[0]) if here and goal is not None else 0


def _kind_refused(inside: str | None, kind: str) -> Refusal | None:
    return (
        Refusal("too_short", "leaving a brawl takes normal or full movement", "SW-097")
        if inside is not None and kind == "short"
        else None
    )


def no_move(state: State, action: Action) -> Refusal | None:
    who, kind = str(action.by), str(action.get("kind") or "normal")
    if stats.moved(state, who) != "none" or state[who].left("move") <= 0:
        return Refusal("moved", f"{state.name(who)} has no movement left this turn", "SW-039")
    if state[who].left("standard") <= 0 and not stats.rules(state).move_after_action:
        return Refusal("acted", "movement comes before the standard action", "SW-R10")
    limit = stats.move_limit(state, who, kind) if kind in KINDS else 0
    typed, way = given(action, "metres"), _way(state, action)
    run = way if typed is None else max(typed, way)
    if run > limit:
        short = "SW-047" if limit == stats.SHORT else "SW-048"
        rule = {"full": "SW-041", "short": short}.get(str(action.get("kind")), "SW-044")
        return Refusal("too_far", f"{run:g} m is more than {limit} m", rule, field="metres")
    if typed is not None and typed < way:
        return Refusal("too_short", f"the way there is {way:g} m, not {typed:g} m", "SW-039", field="metres")
    return _not_out(state, who, kind, _goal(state, action), run)


def _not_out(state: State, who: Id, kind: str, goal: float | None, run: float) -> Refusal | None:
    """Refuse to leave a brawl without permission, or to a place inside it (SW-094 to SW-098)."""
    inside = stats.zone_of(state, who)
    if inside is None:
        return None
    if state[who].fact("leave_permission") != inside:
        return Refusal("in_brawl", f"{state.name(who)} is in a brawl: declare leaving it first", "SW-094")
    if kind == "short":
        return _kind_refused(inside, "short")
    held = stats.zone(state, inside)
    away = run if goal is None or held.center is None else abs(goal - held.center)
    if away > held.radius:
        return None
    text = f"{away:g} m does not lead out of the zone: its radius is {held.radius:g} m"
    return Refusal("not_out", text, "SW-098", field="metres" if away == run else "to")


def _no_passage(state: State, who: Id, key: str) -> Refusal | None:
    outcome = zones.passing(state, who, key)
    if outcome == "full":
        return Refusal("full", "the zone is full: no way through", "SW-085")
    if outcome == "no_room":
        return Refusal("no_room", "the zone has no room to hold the whole body", "SW-R18")
    return None


def declare_fields(state: State, action: Action) -> tuple[Field, ...]:
    who = str(action.by)
    enemies = _free_enemies(state, action)
    own = stats.members(state, stats.camp_of(state, who))
    others = [one for one in own if one.id != who and stats.able(state, one.id)]
    friends = fields.options(others, _apart(state, action))
    enemy, company = _party(state, action, enemies)
    note = "own characters already beside that enemy"
    return (
        Field("enemy", "combatant", default=enemy, options=enemies, required=True),
        Field("together_with", "combatants", options=friends, note=note),
        Field("radius", "number", default=zones.guide_radius(state, _room(state, who, enemy, company)), minimum=0),
        Field("capacity", "number", default=zones.fitting_capacity(state), minimum=1, maximum=MOST_CAPACITY),
    )


def no_declaring(state: State, action: Action) -> Refusal | None:
    """Refuse a brawl that is a second one, or has no room.

    Too big an enemy cannot be held either (SW-073 to SW-088).
    """
    who = str(action.by)
    enemy, company = _party(state, action, _free_enemies(state, action))
    if refusal := _in_brawl(state, who):
        return refusal
    own = stats.body_sections(state, who) + sum(stats.sections(state, one) for one in company)
    if enemy is not None and enemy in state and barred_by_size(stats.body_sections(state, enemy), own):
        return Refusal(
            "too_big",
            f"{state.name(enemy)} has more sections than the combatants that would hold it: name those beside it",
            "SW-088",
            field="together_with",
        )
    capacity = fields.number(action, "capacity", zones.fitting_capacity(state))
    room = _room(state, who, enemy, company)
    if room <= capacity:
        return None
    rule = "SW-075" if capacity == MOST_CAPACITY else "SW-079"
    return Refusal("no_room", f"{room} sections do not fit into a zone of {capacity}", rule)


def _free_enemies(state: State, action: Action) -> tuple[Option, ...]:
    return _drawn_in(state, str(action.by), given(action, "radius"), _company(state, action))


@per_state
def _drawn_in(state: State, who: Id, typed: float | None, company: tuple[Id, ...]) -> tuple[Option, ...]:
    places = stats.places(state)

    def refusal(one: Combatant) -> Refusal | None:
        if one.id in places:
            return _in_brawl(state, one.id)
        metres = _apart_by(state, who, one.id)
        if metres is None or metres <= _radius(state, who, typed, company, one.id):
            return None
        return Refusal("too_far", f"{one.name} is {metres:g} m away: move up to it first", "SW-067", field="enemy")

    return fields.options((one for one in _enemies(state, who) if one.status == "up"), refusal)


def _apart(state: State, action: Action) -> Callable[[Combatant], Refusal | None]:
    who, enemy, company = str(action.by), action.get("enemy"), _company(state, action)

    def refusal(one: Combatant) -> Refusal | None:
        metres = _apart_by(state, who, one.id)
        if taken := _in_brawl(state, one.id):
            return taken
        if metres is None or metres <= _radius(state, who, given(action, "radius"), company, str(enemy)):
            return None
        text = f"{one.name} is {metres:g} m away from {state.name(who)}"
        return Refusal("too_far", text, "SW-R19", field="together_with")

    return refusal


def _apart_by(state: State, who: Id, other: Id) -> float | None:
    """Return the metres between two places on the line, None where one is not known."""
    here, there = state[who].position, state[other].position
    return abs(here[0] - there[0]) if here and there else None


def _radius(state: State, who: Id, typed: float | None, company: tuple[Id, ...], enemy: Id) -> float:
    """Return the radius of a brawl that is about to begin with an enemy (SW-078)."""
    return zones.guide_radius(state, _room(state, who, enemy, company)) if typed is None else typed


def _company(state: State, action: Action) -> tuple[Id, ...]:
    return tuple(one for one in fields.texts(action.get("together_with")) if one in state)


def _party(state: State, action: Action, enemies: tuple[Option, ...]) -> tuple[str | None, tuple[Id, ...]]:
    chosen = action.get("enemy")
    usual = next((option.key for option in enemies if option.refusal is None), None)
    return (chosen if isinstance(chosen, str) else usual), _company(state, action)


def _room(state: State, who: Id, enemy: Id | None, company: tuple[Id, ...]) -> int:
    foe = (enemy,) if enemy and enemy in state else ()
    return sum(stats.sections(state, one) for one in (who, *company, *foe))


def _in_brawl(state: State, who: Id) -> Refusal | None:
    if stats.place_of(state, who) is None:
        return None
    return Refusal("in_brawl", f"{state.name(who)} is in a brawl", "SW-073")


def join_fields(state: State, action: Action) -> tuple[Field, ...]:
    who = str(action.by)
    options = tuple(
        replace(option, refusal=_no_room(state, who, option.key) or _far_off(state, who, option.key))
        for option in brawls(state)
    )
    here = state[who].position
    near = sorted(options, key=lambda option: abs((stats.zone(state, option.key).center or 0) - here[0]) if here else 0)
    return (Field("zone", "choice", default=first(tuple(near)), options=options, required=True),)


def no_brawl_to_join(state: State, action: Action) -> Refusal | None:
    """Refuse to join a second brawl, or where there is none."""
    if refusal := _in_brawl(state, str(action.by)):
        return refusal
    return None if brawls(state) else Refusal("no_brawl", "there is no brawl to join", "SW-076", forcible=False)


def _no_room(state: State, who: Id, key: str) -> Refusal | None:
    held = stats.zone(state, key)
    if stats.occupancy(state, held) + stats.sections(state, who) <= held.capacity:
        return None
    return Refusal("full", f"the zone holds {held.capacity} at most", "SW-075")


def _far_off(state: State, who: Id, key: str) -> Refusal | None:
    """Refuse a brawl that is farther away than its radius, where places are known (SW-076)."""
    here, held = state[who].position, stats.zone(state, key)
    if not here or held.center is None or abs(here[0] - held.center) <= held.radius:
        return None
    away = abs(here[0] - held.center)
    text = f"brawl {key.partition(':')[2]} is {away:g} m away: move up to it first"
    return Refusal("too_far", text, "SW-076", field="zone")


def not_leaving(state: State, action: Action) -> Refusal | None:
    who = str(action.by)
    if stats.zone_of(state, who) is None:
        return Refusal("no_brawl", f"{state.name(who)} is in no brawl", "SW-095", forcible=False)
    if stats.moved(state, who) == "full":
        return Refusal("full_move", "after full movement only free actions are left", "SW-043")
    return no_standard(state, who)


def _enemies(state: State, who: Id) -> Iterable[Combatant]:
    others = stats.members(state, stats.other(stats.camp_of(state, who)))
    return (one for one in others if stats.present(one))


_brawl = partial(ActionType, group="brawl")

ACTIONS = (
    ActionType("move", "Move", "SW-039", "move", perform=move, fields=move_fields, refusal=no_move, group="move"),
    _brawl(
        "declare_brawl",
        "Start a brawl",
        "SW-067",
        "free",
        perform=declare_brawl,
        fields=declare_fields,
        refusal=no_declaring,
    ),
    _brawl(
        "join_brawl", "Join a brawl", "SW-076", "free", perform=join_brawl, fields=join_fields, refusal=no_brawl_to_join
    ),
    _brawl("leave_brawl", "Declare leaving the brawl", "SW-095", "standard", perform=leave_brawl, refusal=not_leaving),
)
