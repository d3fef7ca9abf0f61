"""Forms of the actions of a turn: who may do what after which movement (6.1, 6.3)."""

from __future__ import annotations

from collections.abc import Iterable

from msgspec.structs import replace

from rulesets.sword_world.acts.attack_forms import attack_form
from rulesets.sword_world.acts.cast_forms import cast_form
from rulesets.sword_world.acts.movement import barred_by_size, stowed_now
from rulesets.sword_world.blocks.tables import LONGEST_ACTION, MOST_CAPACITY
from rulesets.sword_world.numbers import stats
from rulesets.sword_world.order import zones
from tracker.core.fight.state import Combatant, Id, State
from tracker.core.terms.actions import Action, ActionSpec, Field, Option, Refusal

__all__ = ["KEYS", "form", "specs"]

KEYS = (
    "start_turn",
    "attack",
    "cast",
    "move",
    "declare_brawl",
    "join_brawl",
    "leave_brawl",
    "stand_up",
    "change_weapon",
    "other_action",
    "end_turn",
)
_CHECKS = (
    "fortitude",
    "willpower",
    "evasion",
    "spellcasting",
    "hide",
    "danger_sense",
    "monster_knowledge",
    "initiative",
    "2d",
)


def specs(state: State, who: Id) -> tuple[ActionSpec, ...]:
    """Return everything somebody can do in a turn, legal and refused; what belongs to the other half of the turn is left out."""
    spare = {"start_turn"} if stats.turn_of(state, who) else set()
    found = (form(state, Action(key, who)) for key in KEYS if key not in spare)
    return tuple(spec for spec in found if spec is not None)


def form(state: State, action: Action) -> ActionSpec | None:
    """Return the form of an action of a turn."""
    who = action.by
    if who is None or action.key not in KEYS:
        return None
    if action.key == "start_turn":
        return ActionSpec("start_turn", "Start the turn", who, "", "SW-065", (), _may_start(state, who), "turn")
    closed = _turn_closed(state, who)
    match action.key:
        case "end_turn":
            idle = None if closed is None else replace(closed, forcible=False)
            return ActionSpec("end_turn", "End the turn", who, "", "SW-037", (), idle, "turn")
        case "attack":
            return attack_form(state, action, closed)
        case "cast":
            return cast_form(state, action, closed)
        case "move":
            return _move(state, action, who, closed)
        case "declare_brawl":
            return _declare(state, action, who, closed)
        case "join_brawl":
            return _join(state, action, who, closed)
        case "leave_brawl":
            refusal = closed or _not_leaving(state, who)
            return ActionSpec(
                "leave_brawl", "Declare leaving the brawl", who, "standard", "SW-095", (), refusal, "brawl"
            )
        case "stand_up":
            lying = (
                None
                if state[who].has("prone")
                else Refusal("not_prone", f"{state.name(who)} is not prone", "SW-060", forcible=False)
            )
            return ActionSpec("stand_up", "Stand up", who, "free", "SW-060", (), closed or lying, "free")
        case "change_weapon":
            return _change(state, action, who, closed)
        case _:
            return _other(state, action, who, closed)


def _may_start(state: State, who: Id) -> Refusal | None:
    slot, acting = state.clock.current, state.clock.acting
    if slot is None or slot.turns != "opened" or state.clock.over:
        return Refusal("no_turns", "no turns are taken now", "SW-019", forcible=False)
    if acting is not None:
        return Refusal(
            "turn_open", f"the turn of {state.name(acting)} is still open: end it first", "SW-065", forcible=False
        )
    if not stats.able(state, who):
        return Refusal("unable", f"{state.name(who)} is {state[who].status}", "SW-R09")
    if who not in slot.members:
        return Refusal(
            "other_phase", f"this is the {slot.phase} party's phase", "SW-020" if slot.phase == "leading" else "SW-019"
        )
    if who in state.clock.turned:
        return Refusal("turn_taken", f"{state.name(who)} has had a turn in this round", "SW-017")
    return None


def _turn_closed(state: State, who: Id) -> Refusal | None:
    if stats.turn_of(state, who):
        return None
    if stats.able(state, who) and who in stats.eligible(state) and state.clock.acting is None:
        return Refusal("turn_not_open", f"start the turn of {state.name(who)} first", "SW-017")
    return Refusal("not_your_turn", f"it is not the turn of {state.name(who)}", "SW-017")


# -- movement and brawls -----------------------------------------------------------------------------------------------


def _move(state: State, action: Action, who: Id, closed: Refusal | None) -> ActionSpec:
    inside, permission = stats.zone_of(state, who), state[who].fact("leave_permission")
    kinds = tuple(
        Option(kind, f"{kind} (up to {stats.move_limit(state, who, kind)} m)", refusal=_kind_refused(inside, kind))
        for kind in ("normal", "short", "full")
    )
    default = "normal"
    kind = str(action.get("kind") or default)
    limit = stats.move_limit(state, who, kind) if kind in ("normal", "short", "full") else 0
    enemies = tuple(_option(state, one) for one in _enemies(state, who))
    through = tuple(
        Option(key, zones.zone_name(state, key), refusal=_no_passage(state, who, key))
        for key, _ in stats.zones(state)
        if key != inside
    )
    here = state[who].position
    fields = [
        Field("kind", "choice", default=default, options=kinds, required=True),
        Field("metres", "number", default=_run(action, here), minimum=0),
        Field("approaches", "combatants", "comes next to", options=enemies, note="an enemy who may start a brawl"),
        Field("passes", "combatants", "passes by", options=enemies),
        Field("passes_through", "choice", "passes through the brawl", options=through),
    ]
    if here is not None:
        fields.append(Field("to", "number", "to (metres along the line)"))
    return ActionSpec(
        "move",
        "Move",
        who,
        "move",
        "SW-039",
        tuple(fields),
        closed or _no_move(state, action, who, limit, inside, permission),
        "move",
    )


def _run(action: Action, here: tuple[int | float, ...] | None) -> float:
    """Return the metres to the place typed, 0 where none is."""
    to = action.get("to")
    return abs(float(to) - here[0]) if here and isinstance(to, int | float) and not isinstance(to, bool) else 0


def _kind_refused(inside: str | None, kind: str) -> Refusal | None:
    return (
        Refusal("too_short", "leaving a brawl takes normal or full movement", "SW-097")
        if inside is not None and kind == "short"
        else None
    )


def _no_move(
    state: State, action: Action, who: Id, limit: int, inside: str | None, permission: object
) -> Refusal | None:
    if stats.moved(state, who) != "none" or not state[who].left("move"):
        return Refusal("moved", f"{state.name(who)} has moved in this turn", "SW-039")
    if not state[who].left("standard") and not stats.rules(state).move_after_action:
        return Refusal("acted", "movement comes before the standard action", "SW-R10")
    metres = action.get("metres")
    run = (
        float(metres)
        if isinstance(metres, int | float) and not isinstance(metres, bool)
        else _run(action, state[who].position)
    )
    if run > limit:
        short = "SW-047" if limit == stats.SHORT else "SW-048"
        rule = {"full": "SW-041", "short": short}.get(str(action.get("kind")), "SW-044")
        return Refusal("too_far", f"{run:g} m is more than {limit} m", rule, field="metres")
    if inside is None:
        return None
    if permission != inside:
        return Refusal("in_brawl", f"{state.name(who)} is in a brawl: declare leaving it first", "SW-094")
    radius = stats.zone(state, inside).radius
    if action.get("kind") == "short":
        return _kind_refused(inside, "short")
    if run <= radius:
        return Refusal(
            "not_out",
            f"{run:g} m from the center do not lead out of a radius of {radius:g} m",
            "SW-098",
            field="metres",
        )
    return None


def _no_passage(state: State, who: Id, key: str) -> Refusal | None:
    outcome = zones.passing(state, who, key)
    if outcome == "full":
        return Refusal("full", "the zone is full, nobody passes through it", "SW-085")
    if outcome == "no_room":
        return Refusal("no_room", "the zone has no room to hold the whole body", "SW-R18")
    return None


def _declare(state: State, action: Action, who: Id, closed: Refusal | None) -> ActionSpec:
    enemies = tuple(
        _option(state, one, _in_brawl(state, one.id)) for one in _enemies(state, who) if stats.able(state, one.id)
    )
    friends = tuple(
        _option(state, one, _in_brawl(state, one.id)) for one in state.combatants if _beside(state, one, who)
    )
    chosen = action.get("enemy")
    enemy = (
        chosen if isinstance(chosen, str) else next((option.key for option in enemies if option.refusal is None), None)
    )
    together = action.get("together_with")
    company = [str(one) for one in together if str(one) in state] if isinstance(together, tuple) else []
    own = stats.body_sections(state, who) + sum(stats.sections(state, one) for one in company)
    room = sum(stats.sections(state, one) for one in (who, *company, *((enemy,) if enemy in state and enemy else ())))
    most = zones.fitting_capacity(state)
    typed = action.get("capacity")
    capacity = int(typed) if isinstance(typed, int | float) else most
    refusal = _in_brawl(state, who)
    if (
        refusal is None
        and enemy is not None
        and enemy in state
        and barred_by_size(stats.body_sections(state, enemy), own)
    ):
        refusal = Refusal("too_big", f"{state.name(enemy)} has more sections than those who want to hold it", "SW-088")
    if refusal is None and room > capacity:
        refusal = Refusal(
            "no_room",
            f"{room} sections do not fit into a zone of {capacity}",
            "SW-075" if capacity == MOST_CAPACITY else "SW-079",
        )
    fields = (
        Field("enemy", "combatant", default=enemy, options=enemies, required=True),
        Field("together_with", "combatants", options=friends, note="own characters already beside that enemy"),
        Field("radius", "number", default=zones.guide_radius(state, room), minimum=0),
        Field("capacity", "number", default=most, minimum=1, maximum=MOST_CAPACITY),
    )
    return ActionSpec("declare_brawl", "Start a brawl", who, "free", "SW-067", fields, closed or refusal, "brawl")


def _beside(state: State, one: Combatant, who: Id) -> bool:
    return one.id != who and stats.able(state, one.id) and stats.camp_of(state, one.id) == stats.camp_of(state, who)


def _in_brawl(state: State, who: Id) -> Refusal | None:
    if stats.place_of(state, who) is None:
        return None
    return Refusal("in_brawl", f"{state.name(who)} is in a brawl", "SW-073")


def _join(state: State, action: Action, who: Id, closed: Refusal | None) -> ActionSpec:
    options = tuple(
        Option(key, zones.zone_name(state, key), refusal=_no_room(state, who, key)) for key, _ in stats.zones(state)
    )
    refusal = _in_brawl(state, who)
    if refusal is None and not options:
        refusal = Refusal("no_brawl", "there is no brawl to join", "SW-076", forcible=False)
    default = next((option.key for option in options if option.refusal is None), options[0].key if options else None)
    fields = (Field("zone", "choice", default=default, options=options, required=True),)
    return ActionSpec("join_brawl", "Join a brawl", who, "free", "SW-076", fields, closed or refusal, "brawl")


def _no_room(state: State, who: Id, key: str) -> Refusal | None:
    held = stats.zone(state, key)
    if stats.occupancy(state, held) + stats.sections(state, who) <= held.capacity:
        return None
    return Refusal("full", f"the zone holds {held.capacity} at most", "SW-075")


def _not_leaving(state: State, who: Id) -> Refusal | None:
    if stats.zone_of(state, who) is None:
        return Refusal("no_brawl", f"{state.name(who)} is in no brawl", "SW-095", forcible=False)
    if stats.moved(state, who) == "full":
        return Refusal("full_move", "nothing but free actions after full movement", "SW-043")
    return _no_standard(state, who)


def _no_standard(state: State, who: Id) -> Refusal | None:
    return (
        None
        if state[who].left("standard")
        else Refusal("no_standard", f"{state.name(who)} has used the standard action", "SW-050")
    )


# -- weapons and the rest ----------------------------------------------------------------------------------------------


def _change(state: State, action: Action, who: Id, closed: Refusal | None) -> ActionSpec:
    hand = str(state[who].fact("hand", "") or "")
    own = stats.block(state, who).attacks
    held = next((attack for attack in own if attack.name == hand), None)
    dropped = state[who].fact("dropped", ())
    lost = {str(name) for name in dropped} if isinstance(dropped, tuple) else set()
    fresh = stowed_now(state, who)
    no_stow = None if held is None or held.stow else Refusal("no_sheath", f"{hand} has to be dropped", "SW-064")
    put: tuple[Option, ...] = ()
    if hand:
        put = (Option("stow", "stow", hand, no_stow), Option("drop", "drop", hand))
    take = tuple(
        Option(
            attack.name,
            refusal=Refusal("just_stowed", "what is put away can be drawn in the next round", "SW-R45")
            if attack.name in fresh
            else None,
        )
        for attack in own
        if attack.name != hand and attack.name not in lost
    )
    refusal = None
    if state[who].kind != "character":
        refusal = Refusal("monster", "a monster has all its weapons at hand", "SW-R46", forcible=False)
    elif not state[who].left("standard"):
        refusal = Refusal("acted", "weapons are changed before the standard action", "SW-062")
    elif hand and action.get("take") and not action.get("put_away"):
        refusal = Refusal("hands_full", f"{hand} is in hand: put it away or drop it", "SW-R46")
    fields = (Field("put_away", "choice", options=put), Field("take", "choice", options=take))
    return ActionSpec("change_weapon", "Change weapons", who, "free", "SW-062", fields, closed or refusal, "free")


def _other(state: State, action: Action, who: Id, closed: Refusal | None) -> ActionSpec:
    fields = (
        Field("text", "text", "what"),
        Field("seconds", "number", default=5, minimum=0),
        Field("uses_standard", "flag", "takes the standard action", default=True),
        Field("gm_allows", "flag", "the GM allows it"),
        Field("time_consuming", "flag", "an item that takes its time"),
        Field("which", "choice", "check", default="none", options=tuple(Option(name) for name in ("none", *_CHECKS))),
        Field("modifier", "number", default=0),
        Field("target_number", "number"),
        Field("roll_fixed", "flag", "roll 2d in place of a fixed value"),
    )
    return ActionSpec(
        "other_action",
        "Do something else",
        who,
        "standard",
        "SW-052",
        fields,
        closed or _no_other(state, action, who),
        "standard",
    )


def _no_other(state: State, action: Action, who: Id) -> Refusal | None:
    seconds, uses = action.get("seconds"), action.get("uses_standard") is not False
    length = float(seconds) if isinstance(seconds, int | float) else 5
    if length > LONGEST_ACTION:
        return Refusal("too_long", "checks of more than ten minutes are barred in combat", "SW-179", field="seconds")
    if action.get("time_consuming") is True:
        return Refusal(
            "time_consuming", "items that take their time are barred in combat", "SW-180", field="time_consuming"
        )
    kind = stats.moved(state, who)
    if kind == "full" and uses:
        return Refusal("full_move", "nothing but free actions after full movement", "SW-043")
    if kind in ("normal", "short") and length >= 10 and action.get("gm_allows") is not True:
        return Refusal("moved", "ten seconds or more after movement need the GM's word", "SW-046", field="gm_allows")
    return _no_standard(state, who) if uses else None


def _enemies(state: State, who: Id) -> Iterable[Combatant]:
    own = stats.camp_of(state, who)
    return (one for one in state.combatants if stats.present(one) and stats.camp_of(state, one.id) != own)


def _option(state: State, one: Combatant, refusal: Refusal | None = None) -> Option:
    return Option(one.id, one.name, refusal=refusal)
