"""The forms of the game master's actions: damage, falls, checks, brawls, status (6.2)."""

from __future__ import annotations

from rulesets.sword_world.fields import MODIFIER, TYPES, brawls, given
from rulesets.sword_world.order import zones
from rulesets.sword_world.stat_blocks.shorthand import MOST_CAPACITY
from rulesets.sword_world.stats import stats
from tracker.core.fight.state import Combatant, State
from tracker.core.step import fields
from tracker.core.step.fields import share_fields
from tracker.core.terms.actions import Action, Field, Option
from tracker.core.terms.errors import Refusal

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


# -- brawls ------------------------------------------------------------------------------------------------------------


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
