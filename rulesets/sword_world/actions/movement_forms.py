"""The forms of movement and of brawls in a turn (6.1, 6.3, SW-039 to SW-049, SW-067 to SW-098)."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from msgspec.structs import replace

from rulesets.sword_world.actions.attack_forms import no_standard
from rulesets.sword_world.actions.movement import barred_by_size
from rulesets.sword_world.fields import brawls, first, given
from rulesets.sword_world.order import zones
from rulesets.sword_world.stat_blocks.shorthand import MOST_CAPACITY
from rulesets.sword_world.stats import stats
from tracker.core.fight.cache import per_state
from tracker.core.fight.slots import Id
from tracker.core.fight.state import Combatant, State
from tracker.core.step import fields
from tracker.core.terms.actions import Action, Field, Option
from tracker.core.terms.errors import Refusal

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


# -- brawls ------------------------------------------------------------------------------------------------------------


def declare_fields(state: State, action: Action) -> tuple[Field, ...]:
    who = str(action.by)
    enemies = _free_enemies(state, action)
    own = stats.members(state, stats.camp_of(state, who))
    beside = [one for one in own if one.id != who and stats.able(state, one.id)]
    friends = fields.options(beside, _apart(state, action))
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
