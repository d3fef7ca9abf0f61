"""Forms of attacking and casting: weapons, targets, ranges, brawls in the way (6.1, 6.3, SW-101 to SW-116)."""

from __future__ import annotations

from rulesets.sword_world import stats, zones
from rulesets.sword_world.attack import UNTRAINED, attacks_of, weapon_of
from rulesets.sword_world.blocks import Attack, Spell
from rulesets.sword_world.cast import spell_of
from rulesets.sword_world.durations import end_words, rounds_until
from rulesets.sword_world.impact_table import HIGHEST
from tracker.core.actions import Action, ActionSpec, Field, Option, Refusal
from tracker.core.effects import Effect
from tracker.core.moments import At, side_anchor
from tracker.core.state import Combatant, Id, State

__all__ = ["attack_form", "cast_form"]

TYPES = (Option("physical"), Option("magical"))
ADDITIONAL = Field("additional", "rows", "additional damage", columns=(Field("amount", "number", required=True), Field("type", "choice", options=TYPES)))
ROLL_FIXED = Field("roll_fixed", "flag", "roll 2d in place of fixed values")
ZONE_BETWEEN = Field("zone_between", "flag", "a brawl lies between")


def _around(state: State, who: Id) -> list[Combatant]:
    """Return everybody who may be named: enemies first, then allies; the able before the unconscious."""
    own = stats.camp_of(state, who)
    others = [one for one in state.combatants if one.id != who and stats.present(one)]
    return sorted(others, key=lambda one: (stats.camp_of(state, one.id) == own, not stats.able(state, one.id)))


def _feats(state: State, who: Id) -> Field:
    used = None if state[who].left("feat") else Refusal("feat_used", "one declared combat feat a turn", "SW-056")
    options = tuple(Option(feat.name, note=feat.note, refusal=used) for feat in stats.block(state, who).feats if feat.declared)
    return Field("feat", "choice", "declared feat", options=options)


def _no_standard(state: State, who: Id) -> Refusal | None:
    return None if state[who].left("standard") else Refusal("no_standard", f"{state.name(who)} has used the standard action", "SW-050")


# -- attacks ------------------------------------------------------------------------------------------------------------------------------


def attack_form(state: State, action: Action, closed: Refusal | None) -> ActionSpec:
    """Return the form of an attack."""
    who = str(action.by)
    weapons = tuple(Option(one.name, note=_weapon_note(one), refusal=_unusable(state, who, one)) for one in attacks_of(state, who))
    default = next((option.key for option in weapons if option.refusal is None), weapons[0].key if weapons else None)
    weapon = weapon_of(state, who, str(action.get("weapon") or default))
    targets = tuple(Option(one.id, one.name, refusal=_out_of_reach(state, who, one.id, weapon)) for one in _around(state, who))
    first = next((option.key for option in targets if option.refusal is None), targets[0].key if targets else None)
    chosen = action.get("target") if action.get("target") is not None else first
    target = chosen if isinstance(chosen, str) and chosen in state else None
    far = weapon is not None and weapon.mode != "melee"
    fields = [
        Field("weapon", "choice", default=default, options=weapons, required=True),
        Field("target", "combatant", default=first, options=targets, required=True),
        _feats(state, who),
        Field("modifier", "number", "Accuracy modifier", default=0),
        Field("evasion_modifier", "number", default=0),
        Field("crit_modifier", "number", "crit rate modifier", default=0),
        ADDITIONAL,
        Field("no_evasion", "flag", "hits without a roll", default=target is not None and not stats.able(state, target)),
        ROLL_FIXED,
    ]
    if far:
        fields += [Field("distance", "number", default=None if target is None else stats.distance(state, who, target), minimum=0), ZONE_BETWEEN]
    if weapon is not None and weapon.name == UNTRAINED:
        fields += [
            Field("impact", "number", default=0, minimum=0, maximum=HIGHEST),
            Field("crit", "number", default=10, minimum=2),
            Field("bonus", "number", default=0),
        ]
    refusal = closed or _no_standard(state, who) or _too_far_moved(state, who, weapon)
    if refusal is None and far and weapon is not None and target is not None:
        refusal = _blocked(state, action, who, target, weapon.range)
    return ActionSpec("attack", "Attack", who, "standard", "SW-051", tuple(fields), refusal, "standard")


def _weapon_note(weapon: Attack) -> str:
    if weapon.impact is None:
        return f"{weapon.mode}, {weapon.damage}"
    return f"{weapon.mode}, Impact {weapon.impact}, crit {weapon.crit}, {weapon.bonus:+d}"


def _unusable(state: State, who: Id, weapon: Attack) -> Refusal | None:
    """Return why a weapon cannot be used: not in hand (SW-R46), or moved too far for it."""
    if state[who].kind == "character" and weapon.name != UNTRAINED and state[who].fact("hand", "") != weapon.name:
        return Refusal("not_in_hand", f"{weapon.name} is not in hand", "SW-R46")
    return _too_far_moved(state, who, weapon)


def _too_far_moved(state: State, who: Id, weapon: Attack | None) -> Refusal | None:
    kind = stats.moved(state, who)
    if kind == "full":
        return Refusal("full_move", "nothing but free actions after full movement", "SW-043")
    if kind == "normal" and weapon is not None and weapon.mode != "melee":
        return Refusal("moved", "no ranged attack after normal movement", "SW-045")
    return None


def _out_of_reach(state: State, who: Id, target: Id, weapon: Attack | None) -> Refusal | None:
    """Return why a melee weapon does not reach a target: only inside one zone (SW-106, SW-110, SW-R25)."""
    if weapon is None or weapon.mode != "melee":
        return None
    here, there = stats.zone_of(state, who), stats.place_of(state, target)
    if there is not None and here == there:
        return None
    if there is None:
        return Refusal("no_brawl", f"{state.name(target)} is in no brawl with {state.name(who)}", "SW-R25")
    return Refusal("other_brawl", f"no melee attack from outside the brawl on {state.name(target)}", "SW-110")


def _blocked(state: State, action: Action, who: Id, target: Id, reach: float | None) -> Refusal | None:
    """Return why a shot or a spell does not get there: range, or a zone in between (SW-112, SW-115)."""
    typed = action.get("distance")
    metres = float(typed) if isinstance(typed, int | float) and not isinstance(typed, bool) else stats.distance(state, who, target)
    if metres is not None and reach is not None and metres > reach:
        return Refusal("out_of_range", f"{metres:g} m is farther than {reach:g} m", "SW-112", field="distance")
    return _covered(state, action, who)


def _covered(state: State, action: Action, who: Id) -> Refusal | None:
    if action.get("zone_between") is True and not stats.block(state, who).hawkeye:
        return Refusal("zone_between", "a brawl in between covers the target; only Hawkeye sees past it", "SW-115", field="zone_between")
    return None


# -- spells -------------------------------------------------------------------------------------------------------------------------------


def cast_form(state: State, action: Action, closed: Refusal | None) -> ActionSpec:
    """Return the form of casting."""
    who = str(action.by)
    spells = stats.block(state, who).spells
    options = tuple(Option(one.name, note=_spell_note(one), refusal=_unaffordable(state, who, one)) for one in spells)
    default = next((option.key for option in options if option.refusal is None), options[0].key if options else None)
    spell = spell_of(state, who, action.get("spell") or default)
    fields = [Field("spell", "choice", default=default, options=options, required=True), *_target_fields(state, action, who, spell)]
    fields += [_feats(state, who), Field("modifier", "number", "Spellcasting modifier", default=0)]
    if spell is not None and spell.impact is not None and not spell.heal:
        fields.append(ADDITIONAL)
    if spell is not None and isinstance(spell.duration, int):
        fields += _duration_fields(state, who, action, spell)
    fields.append(ROLL_FIXED)
    refusal = closed
    if refusal is None and not spells:
        refusal = Refusal("no_spells", f"{state.name(who)} has no spells", forcible=False)
    if refusal is None and spell is not None:
        refusal = _not_now(state, who, spell) or _not_there(state, action, who, spell)
    cost = "free" if spell is not None and spell.free_action else "standard"
    return ActionSpec("cast", "Cast a spell", who, cost, "SW-051", tuple(fields), refusal, "standard")


def _spell_note(spell: Spell) -> str:
    parts = [f"{spell.cost} MP", spell.area]
    if spell.impact is not None:
        parts.append(f"Impact {spell.impact}{spell.bonus:+d}")
    return ", ".join(parts if spell.resist == "none" else [*parts, f"resist {spell.resist}"])


def _unaffordable(state: State, who: Id, spell: Spell) -> Refusal | None:
    held = state[who].pool("mp").now
    return None if held >= spell.cost else Refusal("no_mp", f"{spell.name} costs {spell.cost} MP, {held} are left", "SW-R35")


def _not_now(state: State, who: Id, spell: Spell) -> Refusal | None:
    """Return why no spell can be cast now: movement, or the standard action spent (SW-045, SW-059)."""
    kind = stats.moved(state, who)
    if kind in ("normal", "full"):
        return Refusal("moved", f"no casting after {kind} movement", "SW-059" if spell.free_action else "SW-045" if kind == "normal" else "SW-043")
    return None if spell.free_action else _no_standard(state, who)


def _target_fields(state: State, action: Action, who: Id, spell: Spell | None) -> list[Field]:
    if spell is None or spell.area == "self":
        return []
    people = [state[who], *_around(state, who)] if spell.heal or spell.impact is None or spell.area in ("radius", "line") else _around(state, who)
    options = tuple(Option(one.id, one.name, refusal=_untouchable(state, who, one.id, spell)) for one in people)
    first = next((option.key for option in options if option.refusal is None), None)
    fields: list[Field] = []
    in_zone = tuple(Option(key, zones.zone_name(state, key)) for key, _ in stats.zones(state))
    zone = action.get("zone")
    if spell.area == "radius":
        fields.append(Field("zone", "choice", "into the brawl", options=in_zone))
    single = spell.area in ("touch", "shot")
    default = None if isinstance(zone, str) and zone else (first,) if first is not None else None
    fields.append(Field("targets", "combatants", default=default, options=options, required=spell.area != "radius", maximum=1 if single else spell.max_targets))
    aimed = zone if isinstance(zone, str) and zone else _zone_aimed_at(state, action) if spell.area == "line" else None
    if spell.area in ("radius", "line"):
        found = zones.candidates(state, aimed) if isinstance(aimed, str) and state.fact(aimed, "zone") is not None else ()
        people_there = tuple(Option(one, state.name(one)) for one in found)
        fields.append(Field("candidates", "combatants", "in its way (untick to spare)", default=found or None, options=people_there))
    if spell.area == "radius":
        fields.append(Field("covers_center", "flag", "covers the center of the brawl", default=True))
    if spell.area != "touch":
        target = _first_target(state, action, default)
        fields += [Field("distance", "number", default=None if target is None else stats.distance(state, who, target), minimum=0), ZONE_BETWEEN]
    return fields


def _zone_aimed_at(state: State, action: Action) -> str | None:
    target = _first_target(state, action, None)
    return None if target is None else stats.place_of(state, target)


def _first_target(state: State, action: Action, default: tuple[str, ...] | None) -> Id | None:
    named = action.get("targets") or default
    first = named[0] if isinstance(named, tuple) and named else None
    return first if isinstance(first, str) and first in state else None


def _untouchable(state: State, who: Id, target: Id, spell: Spell) -> Refusal | None:
    """Return why a spell of Touch does not reach: the same zone, or both in none (SW-107, SW-111, SW-R25)."""
    if spell.area != "touch" or target == who:
        return None
    here, there = stats.zone_of(state, who), stats.place_of(state, target)
    if here == there:
        return None
    return Refusal("out_of_touch", f"no Touch from outside a brawl: {state.name(target)}", "SW-111" if there is not None else "SW-R25")


def _not_there(state: State, action: Action, who: Id, spell: Spell) -> Refusal | None:
    """Return why a spell does not get where it is meant to: the center not covered, an area on people in a brawl, range, cover."""
    zone = action.get("zone")
    if spell.area == "radius":
        if isinstance(zone, str) and zone:
            if action.get("covers_center") is False:
                return Refusal("off_center", "an area cast into a brawl has to cover its center", "SW-089", field="covers_center")
        else:
            named = action.get("targets")
            inside = next((str(one) for one in named if str(one) in state and stats.place_of(state, str(one))), None) if isinstance(named, tuple) else None
            if inside is not None:
                return Refusal("in_brawl", f"{state.name(inside)} is in a brawl: aim at the brawl", "SW-116", field="targets")
            if not named and not any(stats.place_of(state, one.id) is None for one in _around(state, who)):
                return Refusal("no_target", "aim at a brawl", "SW-116", field="zone")
    if spell.area in ("self", "touch"):
        return None
    if spell.area == "radius" and isinstance(zone, str) and state.fact(zone, "zone") is not None:
        typed, here, center = action.get("distance"), state[who].position, stats.zone(state, zone).center
        known = abs(here[0] - center) if here and center is not None else None
        metres = float(typed) if isinstance(typed, int | float) and not isinstance(typed, bool) else known
        if metres is not None and spell.range is not None and metres > spell.range:
            return Refusal("out_of_range", f"{metres:g} m is farther than {spell.range:g} m", "SW-116", field="distance")
        return _covered(state, action, who)
    target = _first_target(state, action, None)
    return _covered(state, action, who) if target is None else _blocked(state, action, who, target, spell.range)


def _duration_fields(state: State, who: Id, action: Action, spell: Spell) -> list[Field]:
    """Return the fields of an end that can be changed; the note says it in words (SW-R05)."""
    typed, anchor = action.get("rounds"), str(action.get("ends_with") or stats.rules(state).duration_anchor)
    rounds = int(typed) if isinstance(typed, int | float) and not isinstance(typed, bool) else spell.duration
    target = _first_target(state, action, (who,)) or who
    count = rounds if isinstance(rounds, int) and rounds > 0 else 1
    until = tuple(
        At(end.edge, side_anchor(state[target].side), end.count) if end.anchor == "bearer_side" else end for end in rounds_until(state, count, anchor)
    )
    words = end_words(state, Effect(spell.name, target, until=until))
    return [
        Field("rounds", "number", default=spell.duration if isinstance(spell.duration, int) else 1, minimum=1, maximum=1000, note=words),
        Field("ends_with", "choice", "counted by", default=anchor, options=(Option("affected_party", "phases of the affected side"), Option("casting_phase"))),
    ]
