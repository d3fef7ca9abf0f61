"""What the screen shows of Sword World.

Columns, statuses, badges, reminders, the line of distances.
"""

from __future__ import annotations

import math
from collections.abc import Callable

from rulesets.sword_world.actions.actions import form
from rulesets.sword_world.actions.turns import begun
from rulesets.sword_world.order import opening, zones
from rulesets.sword_world.stats import stats
from tracker.core.fight.board import Board, Square, Trail, Zone
from tracker.core.fight.events import Entry, PoolChanged
from tracker.core.fight.slots import Id
from tracker.core.fight.state import State
from tracker.core.game.schema import Badge, Column, Reminder, Status
from tracker.core.terms.actions import Action, action

STATUSES = (
    Status("up", "up", acts=True),
    Status("unconscious", "unconscious", "x"),
    Status("dead", "dead", "†", takes_part=False),
    Status("fled", "fled", "→", takes_part=False, stays=False, left=True),
    Status("surrendered", "surrendered", "~", takes_part=False, left=True),
)


def outcomes(before: State, after: State, entries: tuple[Entry, ...], who: Id) -> tuple[str, ...]:
    """Return whether a combatant has been struck critically (SW-147)."""
    struck = any(isinstance(entry.event, PoolChanged) and entry.event.who == who for entry in entries)
    return ("critical",) if struck and any("SW-147" in entry.rules for entry in entries) else ()


def _pool(key: str) -> Callable[[State, Id], str]:
    def cell(state: State, who: Id) -> str:
        """Return what is left of a pool and its maximum."""
        pool = state[who].pool(key)
        return f"{pool.now}/{pool.max}" if pool.max else "-"

    return cell


def _evasion(state: State, who: Id) -> str:
    value = stats.total(state, who, "evasion")
    return f"={value}" if stats.fixed(state[who], "evasion") is not None else f"{value:+d}"


def _defense(state: State, who: Id) -> str:
    return str(stats.total(state, who, "defense"))


def _brawl(state: State, who: Id) -> str:
    place = stats.place_of(state, who)
    return "" if place is None else f"#{place.partition(':')[2]}"


COLUMNS = (
    Column("hp", "HP", 7, _pool("hp"), "right", "hp", own=True),
    Column("mp", "MP", 6, _pool("mp"), "right", "", 1, own=True),
    Column("evasion", "EVA", 4, _evasion, "right", "", 3, "Evasion; =10: a fixed number, no dice", own=True),
    Column("defense", "DEF", 4, _defense, "right", "", 4, "Defense, which damage is reduced by", own=True),
    Column("brawl", "Brawl", 5, _brawl, "left", "", 0, "#1: in the first brawl"),
)


def badges(state: State, who: Id) -> tuple[Badge, ...]:
    combatant, found = state[who], list[Badge]()
    if stats.turn_of(state, who):
        left = "".join(
            letter if combatant.left(key) > 0 else "·"
            for key, letter in (("move", "M"), ("standard", "S"), ("feat", "F"))
        )
        found.append(Badge(left, "M: movement, S: standard action, F: declared feat left", "budget"))
    if combatant.fact("death_check_due"):
        found.append(Badge("death check", "owes a Death Check", "bad"))
    if combatant.fact("leaving"):
        found.append(Badge("leaving", "may leave the brawl in the next turn"))
    if combatant.fact("leave_permission"):
        found.append(Badge("may leave", "may leave the brawl in this turn", "good"))
    hand = combatant.fact("hand")
    if isinstance(hand, str) and combatant.kind == "character" and not hand:
        found.append(Badge("empty hands", "no weapon in hand", "bad"))
    earned = combatant.fact("xp")
    if isinstance(earned, int):
        found.append(Badge(f"+{earned} xp", "for automatic failures"))
    return tuple(found)


def board(state: State) -> Board | None:
    """Return the line of distances with its brawls (SW-003, SW-071).

    There is one where a place is known or a brawl is going on.
    """
    spots = [one.position[0] for one in state.combatants if one.position]
    held = tuple(
        Zone(
            zones.zone_name(state, key),
            zone.participants,
            zone.center,
            zone.radius,
            f"{stats.occupancy(state, zone)} of {zone.capacity}",
        )
        for key, zone in stats.zones(state)
    )
    return Board("line", math.ceil(max(spots, default=0)) + 1, unit="1 m", zones=held) if spots or held else None


def reach(state: State, who: Id) -> tuple[tuple[Square, int], ...]:
    """Return the metres of the line within reach in this turn, each with its distance.

    Normal or full movement (SW-041, SW-044).
    """
    state = begun(state, who)
    here = state[who].position
    if (
        not here
        or not stats.turn_of(state, who)
        or stats.moved(state, who) != "none"
        or stats.zone_of(state, who) is not None
    ):
        return ()
    far = stats.move_limit(state, who, "full")
    spots = range(math.ceil(here[0] - far), math.floor(here[0] + far) + 1)
    return tuple(((spot, 0), math.ceil(abs(spot - here[0]))) for spot in spots if spot != here[0] and spot >= 0)


def trail(state: State, who: Id, to: Square) -> Trail | None:
    """Return the way along the line, with the refusal of the movement it takes."""
    here = state[who].position
    if not here:
        return None
    metres = abs(to[0] - here[0])
    kind = "normal" if metres <= stats.move_limit(state, who, "normal") else "full"
    spec = form(state, action("move", who, kind=kind, metres=metres))
    return Trail((to,), math.ceil(metres), refusal=None if spec is None else spec.refusal)


def pending(state: State) -> tuple[Reminder, ...]:
    """Return what may have been missed: Death Checks, turns, touching brawls, permissions."""
    found: list[Reminder] = []
    clock = state.clock
    for one in state.combatants:
        if one.fact("death_check_due") and one.status == "unconscious":
            found.append(
                Reminder(
                    f"death:{one.id}:{one.hp}",
                    f"Death Check of {one.name} (HP {str(one.hp).replace('-', '−')})",
                    one.id,
                    action("death_check", who=one.id),
                    "SW-160",
                )
            )
        if stats.turn_of(state, one.id) and one.fact("leave_permission") is not None:
            found.append(
                Reminder(
                    f"r{clock.round}:leave:{one.id}",
                    f"{one.name} may leave the brawl now",
                    one.id,
                    action("move", one.id),
                    "SW-097",
                    lapses=True,
                )
            )
    if clock.acting is None:
        for who in stats.eligible(state):
            found.append(
                Reminder(
                    f"r{clock.round}:turn:{who}",
                    f"{state.name(who)} has not had a turn",
                    who,
                    Action("start_turn", who),
                    "SW-017",
                    lapses=True,
                    unused=True,
                )
            )
    if state.clock.phase == "knowledge" and (tries := opening.to_find_out(state)):
        many = "check is" if len(tries) == 1 else "checks are"
        text = f"{len(tries)} Monster Knowledge {many} open"
        found.append(Reminder("know", text, None, action("all_knowledge"), "SW-009", lapses=True))
    found += _touching(state)
    return tuple(reminding for reminding in found if reminding.key not in state.dismissed)


def _touching(state: State) -> list[Reminder]:
    """Return the pairs of zones of which one covers the center of the other (SW-092)."""
    held = [(key, zone) for key, zone in stats.zones(state) if zone.center is not None]
    found: list[Reminder] = []
    for place, (first, one) in enumerate(held):
        for second, two in held[place + 1 :]:
            apart = abs((one.center or 0) - (two.center or 0))
            if apart <= max(one.radius, two.radius):
                text = f"{zones.brawl(first)} and {zones.brawl(second)} touch: fuse them?"
                found.append(
                    Reminder(
                        f"fuse:{first}:{second}", text, None, action("fuse_zones", zones=(first, second)), "SW-092"
                    )
                )
    return found
