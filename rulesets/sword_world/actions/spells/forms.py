"""The form of casting: cost, whom a spell meets, how long it holds (6.1, 6.3, SW-089 to SW-091, SW-107 to SW-116)."""

from __future__ import annotations

from msgspec import Struct

from rulesets.sword_world.actions.attack import around, between, blocked, covered, feats_field, no_standard, risked
from rulesets.sword_world.actions.spells.cast import spell_of
from rulesets.sword_world.fields import ADDITIONAL, ROLL_FIXED, brawls, first, given
from rulesets.sword_world.order import zones
from rulesets.sword_world.stat_blocks.models import Spell
from rulesets.sword_world.stats import stats
from rulesets.sword_world.stats.effects import end_words, rounds_until
from tracker.core.fight.slots import Id
from tracker.core.fight.state import Combatant, State
from tracker.core.terms.actions import Action, ActionSpec, Field, Option
from tracker.core.terms.effects import Effect
from tracker.core.terms.errors import Refusal
from tracker.core.terms.moments import At, side_anchor


class _Aim(Struct, frozen=True):
    """The zone or the targets of a spell, as far as they are filled in; `options` are those who may be named."""

    zone: str | None
    targets: tuple[Id, ...]
    options: tuple[Option, ...]


def cast_form(state: State, action: Action) -> ActionSpec:
    who = str(action.by)
    spells = stats.block(state, who).spells
    options = tuple(Option(one.name, note=_note(one), refusal=_unaffordable(state, who, one)) for one in spells)
    default = first(options)
    spell = spell_of(state, who, action.get("spell") or default)
    fields = [Field("spell", "choice", default=default, options=options, required=True)]
    refusal, risk = None, ""
    if not spells:
        refusal = Refusal("no_spells", f"{state.name(who)} has no spells", forcible=False)
    if spell is not None:
        aim = _aim(state, action, who, spell)
        fields += _target_fields(state, who, spell, aim)
        refusal = refusal or _not_now(state, who, spell) or _not_there(state, action, who, spell, aim)
        if spell.area == "shot" and aim.targets:
            risk = risked(state, who, aim.targets[0])
    fields += [feats_field(state, who), Field("modifier", "number", "Spellcasting modifier", default=0)]
    if spell is not None and spell.impact is not None and not spell.heal:
        fields.append(ADDITIONAL)
    if spell is not None and isinstance(spell.duration, int):
        fields += _duration_fields(state, who, action, spell, spell.duration)
    fields.append(ROLL_FIXED)
    cost = "free" if spell is not None and spell.free_action else "standard"
    return ActionSpec("cast", "Cast a spell", who, cost, "SW-051", tuple(fields), refusal, "standard", risk)


def _note(spell: Spell) -> str:
    parts = [f"{spell.cost} MP", spell.area]
    if spell.impact is not None:
        parts.append(f"Impact {spell.impact}{spell.bonus:+d}")
    return ", ".join(parts if spell.resist == "none" else [*parts, f"resist {spell.resist}"])


def _unaffordable(state: State, who: Id, spell: Spell) -> Refusal | None:
    held = state[who].pool("mp").now
    return (
        None
        if held >= spell.cost
        else Refusal("no_mp", f"{spell.name} costs {spell.cost} MP, {held} are left", "SW-R35")
    )


def _not_now(state: State, who: Id, spell: Spell) -> Refusal | None:
    """Return why no spell can be cast now: movement, or the standard action spent (SW-045, SW-059, SW-R13)."""
    kind = stats.moved(state, who)
    if kind in ("normal", "full"):
        return Refusal(
            "moved",
            f"no casting after {kind} movement",
            "SW-059" if spell.free_action else "SW-045" if kind == "normal" else "SW-043",
        )
    return None if spell.free_action else no_standard(state, who)


def _aim(state: State, action: Action, who: Id, spell: Spell) -> _Aim:
    """Return the aim of a spell: what is typed, else a usual target.

    Usual is the first enemy, a friend for a spell that helps, or the brawl it is in.
    """
    helps = spell.heal or spell.impact is None
    people: list[Combatant] = around(state, who)
    if helps or spell.area in ("radius", "line"):
        people = [state[who], *people]
    options = tuple(Option(one.id, one.name, refusal=_untouchable(state, who, one.id, spell)) for one in people)
    zone, named = action.get("zone"), action.get("targets")
    if spell.area == "radius" and isinstance(zone, str) and state.fact(zone, "zone") is not None:
        return _Aim(zone, (), options)
    if isinstance(named, tuple) and named:
        return _Aim(None, tuple(str(one) for one in named if str(one) in state), options)
    own = stats.camp_of(state, who)
    fitting = [
        option.key
        for option in options
        if option.refusal is None
        and (stats.camp_of(state, option.key) == own) == (spell.heal or (spell.resist == "none" and helps))
    ]
    if spell.area == "radius":
        outside = next((one for one in fitting if stats.place_of(state, one) is None), None)
        inside = next((place for one in fitting if (place := stats.place_of(state, one))), None)
        return _Aim(None, (outside,), options) if outside is not None else _Aim(inside, (), options)
    return _Aim(None, tuple(fitting[:1]), options)


def _target_fields(state: State, who: Id, spell: Spell, aim: _Aim) -> list[Field]:
    if spell.area == "self":
        return []
    fields: list[Field] = []
    if spell.area == "radius":
        fields.append(Field("zone", "choice", "into the brawl", default=aim.zone, options=brawls(state)))
    most = 1 if spell.area in ("touch", "shot") else spell.max_targets
    fields.append(
        Field(
            "targets",
            "combatants",
            default=aim.targets or None,
            options=aim.options,
            required=aim.zone is None,
            maximum=most,
        )
    )
    first = aim.targets[0] if aim.targets else None
    if spell.area in ("radius", "line"):
        found = tuple(
            dict.fromkeys(one for place in _touched(state, spell, aim) for one in zones.candidates(state, place))
        )
        there = tuple(Option(one, state.name(one)) for one in found)
        fields.append(
            Field(
                "candidates", "combatants", "in its way", default=found or None, options=there, note="untick to spare"
            )
        )
    if spell.area == "radius":
        fields.append(Field("covers_center", "flag", "covers the center of the brawl", default=True))
    if spell.area != "touch":
        metres = (
            _to_center(state, who, aim.zone)
            if aim.zone is not None
            else None
            if first is None
            else stats.distance(state, who, first)
        )
        aims = aim.targets if aim.zone is None else (aim.zone,)
        covers = between(stats.cover(state, who, one) for one in aims)
        fields += [Field("distance", "number", default=metres, minimum=0), covers]
    return fields


def _touched(state: State, spell: Spell, aim: _Aim) -> tuple[str, ...]:
    """Return the brawls an area or a line goes into (SW-091, SW-116)."""
    if spell.area == "radius":
        return () if aim.zone is None else (aim.zone,)
    places = (stats.place_of(state, target) for target in aim.targets)
    return tuple(dict.fromkeys(place for place in places if place is not None))


def _to_center(state: State, who: Id, zone: str) -> float | None:
    """Return the metres to the center of a zone (SW-116)."""
    here, center = state[who].position, stats.zone(state, zone).center
    return None if not here or center is None or stats.zone_of(state, who) == zone else abs(here[0] - center)


def _untouchable(state: State, who: Id, target: Id, spell: Spell) -> Refusal | None:
    """Return why a spell of Touch does not reach its target.

    Both have to be in one zone, or in none (SW-107, SW-111, SW-R25).
    """
    if spell.area != "touch" or target == who:
        return None
    here, there = stats.zone_of(state, who), stats.place_of(state, target)
    if here == there:
        return None
    return Refusal(
        "out_of_touch",
        f"no Touch from outside a brawl: {state.name(target)}",
        "SW-111" if there is not None else "SW-R25",
    )


def _not_there(state: State, action: Action, who: Id, spell: Spell, aim: _Aim) -> Refusal | None:
    """Return why a spell does not reach what it is aimed at.

    The center not covered, targets named inside a brawl, range, cover.
    """
    if spell.area in ("self", "touch"):
        return None
    if aim.zone is not None:
        if action.get("covers_center") is False:
            return Refusal(
                "off_center", "an area cast into a brawl has to cover its center", "SW-089", field="covers_center"
            )
        typed = given(action, "distance")
        metres = _to_center(state, who, aim.zone) if typed is None else typed
        if metres is not None and spell.range is not None and metres > spell.range:
            return Refusal(
                "out_of_range", f"{metres:g} m is farther than {spell.range:g} m", "SW-116", field="distance"
            )
        return covered(state, action, who, aim.zone)
    if spell.area == "radius":
        inside = next((one for one in aim.targets if stats.place_of(state, one) is not None), None)
        if inside is not None:
            return Refusal(
                "in_brawl", f"{state.name(inside)} is in a brawl: aim at the brawl", "SW-116", field="targets"
            )
    if spell.area == "line":
        places = [place for one in aim.targets if (place := stats.place_of(state, one)) is not None]
        if twice := next((place for place in places if places.count(place) > 1), None):
            text = f"a line is aimed at one target in a brawl: {zones.zone_name(state, twice)}"
            return Refusal("one_each", text, "SW-091", field="targets")
    refusals = (blocked(state, action, who, target, spell.range) for target in aim.targets)
    return next((refusal for refusal in refusals if refusal is not None), None)


def _duration_fields(state: State, who: Id, action: Action, spell: Spell, duration: int) -> list[Field]:
    """Return the fields for the end of a spell, with the end in words (SW-R05)."""
    typed, anchor = given(action, "rounds"), str(action.get("ends_with") or stats.rules(state).duration_anchor)
    rounds = int(typed) if typed is not None and typed >= 1 else duration
    target = next(iter(_aim(state, action, who, spell).targets), who) if spell.area != "self" else who
    bearer = side_anchor(state[target].side)
    until = tuple(
        At(end.edge, bearer if end.anchor == "bearer_side" else end.anchor, end.count)
        for end in rounds_until(state, rounds, anchor)
    )
    words = end_words(state, Effect(spell.name, target, until=until))
    anchors = (
        Option("affected_party", "phases of the affected side"),
        Option("casting_phase", "phases of the side that acts now"),
    )
    return [
        Field("rounds", "number", default=duration, minimum=1, maximum=1000, note=words),
        Field("ends_with", "choice", "counted by", default=anchor, options=anchors),
    ]
