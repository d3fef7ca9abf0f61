"""Whom a spell meets: those named, those the dice name, and those in the line.

SW-089 to SW-091, SW-107 to SW-116, SW-R23 to SW-R25.
"""

from __future__ import annotations

from functools import partial

from rulesets.sword_world.actions.attack import crossfire, reach_rules
from rulesets.sword_world.order.opening import in_range, there, within_reach
from rulesets.sword_world.order.zones import brawl, candidates
from rulesets.sword_world.stat_blocks.models import Spell
from rulesets.sword_world.stats import stats
from tracker.core.fight.events import Checked
from tracker.core.fight.slots import Id
from tracker.core.fight.state import State
from tracker.core.step import fields
from tracker.core.step.ctx import Ctx
from tracker.core.terms.actions import Action
from tracker.core.terms.dice import Dice
from tracker.core.terms.words import listed


def targets_of(ctx: Ctx, action: Action, who: Id, spell: Spell) -> tuple[Id, ...]:
    """Return the targets of a spell, all known before the first Spellcasting die (4.4, SW-R23, SW-R24)."""
    named = fields.texts(action.get("targets"))
    zone = action.get("zone")
    match spell.area:
        case "self":
            return (who,)
        case "shot":
            return (crossfire(ctx, who, named[0]),)
        case "radius" if isinstance(zone, str) and zone:
            return _at_random(ctx, action, zone, who, spell)
        case "line":
            hit: dict[Id, None] = {}
            rolled = set(named)  # one whom the GM moves meanwhile is in the way once
            for one in named:
                place = stats.place_of(ctx.state, one)
                met = [one] if place is None else _along_the_line(ctx, who, one, place, action, rolled)
                hit.update(dict.fromkeys(met))
            return tuple(hit)
        case _:
            return named


def meets(state: State, who: Id, spell: Spell, target: Id) -> bool:
    if spell.area == "touch":
        return target == who or within_reach(state, who, target)
    return in_range(state, who, target, spell.range) and stats.cover(state, who, target) is None


def reach_of(state: State, who: Id, spell: Spell, targets: tuple[Id, ...]) -> tuple[str, ...]:
    """Return the rules by which a spell meets its targets (SW-107, SW-109, SW-113, SW-R24)."""
    if spell.area == "shot":
        return ("SW-R24", *reach_rules(state, who, targets[0]))
    inside = [one for one in targets if stats.place_of(state, one) is not None]
    if spell.area == "touch":
        return ("SW-R25", *(("SW-107",) if inside else ()))
    return (
        "SW-R24",
        *(("SW-113",) if spell.area == "target" and inside else ()),
        *(("SW-089",) if spell.area == "radius" and inside else ()),
    )


def _ticked(state: State, action: Action, zone: str) -> tuple[Id, ...]:
    kept = action.get("candidates")
    found = candidates(state, zone) if stats.has_zone(state, zone) else ()
    return tuple(one for one in found if not isinstance(kept, tuple) or one in kept)


def _at_random(ctx: Ctx, action: Action, zone: str, who: Id, spell: Spell) -> tuple[Id, ...]:
    """Pick random targets up to the maximum, without putting back (SW-090, SW-116, SW-R23)."""
    most, picked = spell.max_targets, list[Id]()
    found = _ticked(ctx.state, action, zone)

    def rest(state: State) -> list[Id]:
        now = _ticked(state, action, zone) if stats.has_zone(state, zone) or not picked else found
        return [one for one in now if one not in picked and there(state, one)]

    def numbers(state: State) -> str:
        return ", ".join(f"{place} {state.name(one)}" for place, one in enumerate(rest(state), start=1))

    for number in range(1, (most or 0) + 1):
        face = ctx.roll(
            f"random:{number}",
            lambda state: Dice.of(1, len(rest(state))),
            *("SW-090", "SW-116", "SW-R23"),
            who=who,
            why=lambda state: f"{spell.name}: {numbers(state)}",
            asked_if=lambda state: len(rest(state)) > (most or 0) - len(picked),
        )
        found = found if picked else _ticked(ctx.state, action, zone)
        if face is None:
            break
        hit, what = rest(ctx.state)[face - 1], f"target {number} in {brawl(zone)} ({numbers(ctx.state)})"
        picked.append(hit)
        ctx.emit(Checked(what, who, face, ctx.state.name(hit)), "SW-090")
    if not picked and (most is None or most >= len(found)):
        everyone = stats.has_zone(ctx.state, zone) and found == candidates(ctx.state, zone)
        names = f": {listed([ctx.state.name(one) for one in found], len(found))}" if everyone else ""
        ctx.note(f"into {brawl(zone)}{names}", "SW-116", "SW-R23", about=who)
        return found
    # where some are gone meanwhile, all others are hit
    return tuple(picked) if len(picked) == most else (*picked, *rest(ctx.state))


def _in_line(state: State, who: Id, zone: str) -> bool:
    return there(state, who) and (not stats.has_zone(state, zone) or stats.place_of(state, who) == zone)


def _along_the_line(ctx: Ctx, who: Id, meant: Id, zone: str, action: Action, rolled: set[Id]) -> tuple[Id, ...]:
    """Hit the target meant, and others in the zone that roll 3 or less (SW-091)."""
    hit = [meant]
    for other in _ticked(ctx.state, action, zone):
        if other in (meant, who) or other in rolled:
            continue
        rolled.add(other)
        face = ctx.roll(
            f"line:{other}",
            Dice.of(1, 6),
            "SW-091",
            who=other,
            why="in the line on 3 or less",
            asked_if=partial(_in_line, who=other, zone=zone),
        )
        if face is None:
            continue
        ctx.emit(
            Checked("in the line", other, face, "hit" if face <= 3 else "missed", against=3, against_what="3 or less"),
            "SW-091",
        )
        if face <= 3:
            hit.append(other)
    return tuple(hit)
