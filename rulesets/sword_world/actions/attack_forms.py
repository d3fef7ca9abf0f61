"""The form of an attack: weapons, targets, ranges, brawls in the way (6.1, 6.3, SW-101 to SW-116)."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from rulesets.sword_world.actions.attack import UNTRAINED, attacks_of, weapon_of
from rulesets.sword_world.fields import ADDITIONAL, ROLL_FIXED, first, given
from rulesets.sword_world.order import zones
from rulesets.sword_world.order.zones import candidates
from rulesets.sword_world.stat_blocks.models import Attack
from rulesets.sword_world.stats import stats
from rulesets.sword_world.stats.impact_table import HIGHEST
from tracker.core.fight.slots import Id
from tracker.core.fight.state import Combatant, State
from tracker.core.step import fields
from tracker.core.terms.actions import Action, ActionSpec, Field, Option
from tracker.core.terms.errors import Refusal
from tracker.core.terms.words import listed


def around(state: State, who: Id) -> list[Combatant]:
    """Return every combatant that may be named, enemies before allies.

    In both groups the able come before the unconscious.
    """
    friends = {side.id for side in state.sides if stats.allied(state, side.id, state[who].side)}
    others = [one for one in state.combatants if one.id != who and stats.present(one)]
    return sorted(others, key=lambda one: (one.side in friends, one.status != "up"))


def feats_field(state: State, who: Id) -> Field:
    """Return the field of declared combat feats (SW-055, SW-056)."""
    used = None if state[who].left("feat") > 0 else Refusal("feat_used", "only one declared feat a turn", "SW-056")
    options = tuple(
        Option(feat.name, note=feat.note, refusal=used) for feat in stats.block(state, who).feats if feat.declared
    )
    return Field("feat", "choice", "declared feat", options=options)


def no_standard(state: State, who: Id) -> Refusal | None:
    """Return why there is no standard action left, or None (SW-050)."""
    return (
        None
        if state[who].left("standard") > 0
        else Refusal("no_standard", f"{state.name(who)} has no standard action left this turn", "SW-050")
    )


# -- attacks -----------------------------------------------------------------------------------------------------------


def attack_form(state: State, action: Action) -> ActionSpec:
    who = str(action.by)
    weapons = tuple(
        Option(one.name, note=_weapon_note(one), refusal=_unusable(state, who, one)) for one in attacks_of(state, who)
    )
    default = first(weapons)
    weapon = weapon_of(state, who, str(action.get("weapon") or default))
    targets = fields.options(around(state, who), _out_of_reach(state, who, weapon))
    usual = first(targets)
    chosen = action.get("target") if action.get("target") is not None else usual
    target = chosen if isinstance(chosen, str) and chosen in state else None
    far = weapon is not None and weapon.mode != "melee"
    shown = [
        Field("weapon", "choice", default=default, options=weapons, required=True),
        Field("target", "combatant", default=usual, options=targets, required=True),
        feats_field(state, who),
        Field("modifier", "number", "Accuracy modifier", default=0),
        Field("evasion_modifier", "number", default=0),
        Field("crit_modifier", "number", "crit rate modifier", default=0),
        ADDITIONAL,
        Field(
            "energy",
            "text",
            "special types",
            default=", ".join(weapon.energy) if weapon is not None else "",
            note="fire, ice ...: separated by commas",
        ),
        Field(
            "no_evasion", "flag", "hits without a roll", default=target is not None and not stats.able(state, target)
        ),
        ROLL_FIXED,
    ]
    if far:
        shown += [
            Field(
                "distance", "number", default=None if target is None else stats.distance(state, who, target), minimum=0
            ),
            between((stats.cover(state, who, target),) if target is not None else ()),
        ]
    if weapon is not None and weapon.name == UNTRAINED:
        shown += [
            Field("impact", "number", default=0, minimum=0, maximum=HIGHEST),
            Field("crit", "number", default=10, minimum=2),
            Field("bonus", "number", default=0),
        ]
    refusal = no_standard(state, who) or _too_far_moved(state, who, weapon)
    if refusal is None and far and weapon is not None and target is not None:
        refusal = blocked(state, action, who, target, weapon.range)
    risk = risked(state, who, target) if far and target is not None else ""
    return ActionSpec("attack", "Attack", who, "standard", "SW-051", tuple(shown), refusal, "standard", risk)


def _weapon_note(weapon: Attack) -> str:
    if weapon.impact is None:
        return f"{weapon.mode}, {weapon.damage}"
    return f"{weapon.mode}, Impact {weapon.impact}, crit {weapon.crit}, {weapon.bonus:+d}"


def _unusable(state: State, who: Id, weapon: Attack) -> Refusal | None:
    """Return why a weapon cannot be used: not in hand (SW-R46), or moved too far."""
    if state[who].kind == "character" and weapon.name != UNTRAINED and state[who].fact("hand", "") != weapon.name:
        return Refusal("not_in_hand", f"{weapon.name} is not in hand", "SW-R46")
    return _too_far_moved(state, who, weapon)


def _too_far_moved(state: State, who: Id, weapon: Attack | None) -> Refusal | None:
    kind = stats.moved(state, who)
    if kind == "full":
        return Refusal("full_move", "after full movement only free actions are left", "SW-043")
    if kind == "normal" and weapon is not None and weapon.mode != "melee":
        return Refusal("moved", "no ranged attack after normal movement", "SW-045")
    return None


def _out_of_reach(state: State, who: Id, weapon: Attack | None) -> Callable[[Combatant], Refusal | None] | None:
    """Return what refuses targets that a melee weapon does not reach.

    It reaches only inside one zone (SW-106, SW-110, SW-R25).
    """
    if weapon is None or weapon.mode != "melee":
        return None
    here, places, name = stats.zone_of(state, who), stats.places(state), state.name(who)

    def refusal(one: Combatant) -> Refusal | None:
        there = places.get(one.id)
        if there is None:
            return Refusal("no_brawl", f"{one.name} is in no brawl with {name}", "SW-R25")
        if here == there:
            return None
        return Refusal("other_brawl", f"no melee attack from outside the brawl on {one.name}", "SW-110")

    return refusal


def risked(state: State, who: Id, target: Id) -> str:
    """Return which friends the crossfire of a shot may hit, "" for none (SW-114)."""
    place = stats.place_of(state, target)
    if place is None or place == stats.zone_of(state, who):
        return ""
    own = stats.camp_of(state, who)
    found = [one for one in candidates(state, place, target) if one != target and stats.camp_of(state, one) == own]
    return f"may hit {listed([state.name(one) for one in found], 3)} instead" if found else ""


def blocked(state: State, action: Action, who: Id, target: Id, reach: float | None) -> Refusal | None:
    """Return why a shot or a spell does not reach: range, or a brawl between (SW-112, SW-115)."""
    typed = given(action, "distance")
    metres = stats.distance(state, who, target) if typed is None else typed
    if metres is not None and reach is not None and metres > reach:
        return Refusal("out_of_range", f"{metres:g} m is farther than {reach:g} m", "SW-112", field="distance")
    return covered(state, action, who, target)


def between(covers: Iterable[str | None]) -> Field:
    """Return the field for a brawl in between, ticked where one is known to cover a target (SW-115)."""
    return Field("zone_between", "flag", "a brawl lies between", True if any(covers) else None)


def covered(state: State, action: Action, who: Id, aim: str) -> Refusal | None:
    """Return why a brawl in between hides a target or another brawl, or None (SW-115).

    What is typed comes before the places that are known.
    """
    typed, key = action.get("zone_between"), stats.cover(state, who, aim)
    if stats.block(state, who).hawkeye or not (key is not None if typed is None else typed):
        return None
    name = "a brawl" if key is None else zones.brawl(key)
    text = f"{name} in between covers the target; only Hawkeye sees past it"
    return Refusal("zone_between", text, "SW-115", field="zone_between")
