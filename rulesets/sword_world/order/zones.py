"""Brawl zones: making, joining, leaving, fusing, and their size (SW-069 to SW-100)."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from rulesets.sword_world.stat_blocks.models import Zone
from rulesets.sword_world.stat_blocks.shorthand import MOST_CAPACITY, zone_capacity, zone_radius
from rulesets.sword_world.stats import stats
from tracker.core.fight.events import Moved
from tracker.core.fight.slots import Id
from tracker.core.fight.state import FIGHT, State
from tracker.core.step.ctx import Ctx
from tracker.core.terms.actions import Option


def brawl(key: str) -> str:
    return f"brawl {key.partition(':')[2]}"


def zone_name(state: State, key: str) -> str:
    held = stats.zone(state, key)
    return f"{brawl(key)}: {', '.join(state.name(who) for who in held.participants)}"


def guide_radius(state: State, fighters: int) -> float:
    """Return the guide's radius for so many sections (SW-078, SW-R20)."""
    return zone_radius(fighters, stats.setup(state).indoor, stats.rules(state).indoor_zone_table == "as_printed")


def fitting_capacity(state: State) -> int:
    """Return the capacity that suits the field (SW-074, SW-079)."""
    return min(MOST_CAPACITY, zone_capacity(stats.setup(state).field_width))


def form_zone(
    ctx: Ctx,
    participants: Sequence[Id],
    *rules: str,
    radius: float | None = None,
    capacity: int | None = None,
    starter: Id | None = None,
) -> str:
    """Make a zone centered on its starter, by default the first participant (SW-069 to SW-072, SW-078)."""
    number = ctx.state.fact(FIGHT, "zones", 0)
    key = f"zone:{(number if isinstance(number, int) else 0) + 1}"
    ctx.fact(FIGHT, "zones", int(key.partition(":")[2]))
    order = (starter, *participants) if starter is not None else tuple(participants)
    spots = [spot[0] for who in order if (spot := ctx.state[who].position)]
    guide = guide_radius(ctx.state, sum(stats.sections(ctx.state, who) for who in participants))
    typed = radius is not None and radius != guide
    held = Zone(
        tuple(dict.fromkeys(participants)),
        radius=guide if radius is None else radius,
        typed=typed,
        capacity=fitting_capacity(ctx.state) if capacity is None else capacity,
        center=spots[0] if spots else None,
    )
    for who in held.participants:
        leave_others(ctx, key, who)
    put(
        ctx,
        key,
        held,
        *("SW-070", "SW-071", "SW-072"),
        "SW-074" if held.capacity == MOST_CAPACITY else "SW-079",
        *("SW-078", "SW-086"),
        *(("SW-R20",) if stats.setup(ctx.state).indoor else ()),
        *rules,
    )
    for who in participants:
        draw_in(ctx, key, who)
    return key


def put(ctx: Ctx, key: str, held: Zone, *rules: str) -> None:
    """Store a zone with its size kept at the guide's value (SW-077)."""
    if not held.typed:
        held = replace(held, radius=guide_radius(ctx.state, stats.occupancy(ctx.state, held)))
    ctx.fact(key, "zone", held, *rules)


def draw_in(ctx: Ctx, key: str, who: Id) -> None:
    """Put a participant's token at the center, where places are kept."""
    center, here = stats.zone(ctx.state, key).center, ctx.state[who].position
    if center is not None and here is not None and here[0] != center:
        ctx.emit(Moved(who, here, (center,)))


def join_zone(ctx: Ctx, key: str, who: Id, *rules: str) -> None:
    """Make a combatant the last participant (SW-076, SW-084).

    One who is a participant already, on the GM's word, still takes part once, and nowhere else.
    """
    leave_others(ctx, key, who)
    held = stats.zone(ctx.state, key)
    put(ctx, key, replace(held, participants=(*(one for one in held.participants if one != who), who)), *rules)
    draw_in(ctx, key, who)


def leave_zone(ctx: Ctx, key: str, who: Id, *rules: str) -> None:
    held = stats.zone(ctx.state, key)
    without = replace(
        held,
        participants=tuple(one for one in held.participants if one != who),
        fallen=tuple(one for one in held.fallen if one != who),
    )
    put(ctx, key, without, *rules)
    _forget_leaving(ctx, key, who)


def leave_others(ctx: Ctx, key: str, who: Id) -> None:
    """Take a combatant out of every zone but one: nobody is in two brawls (SW-073)."""
    for other, held in stats.zones(ctx.state):
        if other != key and who in (*held.participants, *held.fallen):
            ctx.note(f"leaves {brawl(other)}", "SW-073", about=who)
            leave_zone(ctx, other, who, "SW-073")


def _forget_leaving(ctx: Ctx, key: str, who: Id, *rules: str) -> None:
    """Drop what a combatant has declared about leaving a zone, and its permission (SW-R14)."""
    for fact in ("leaving", "leave_permission"):
        if ctx.state[who].fact(fact) == key:
            ctx.fact(who, fact, None, "SW-R14", *rules)


def dissolve(ctx: Ctx, key: str, why: str, *rules: str) -> None:
    """End a brawl, and drop what its participants have declared about leaving it."""
    ctx.note(f"{brawl(key)} ends: {why}" if why else f"{brawl(key)} ends", *rules)
    ctx.fact(key, "zone", None, *rules)
    for combatant in ctx.state.combatants:
        _forget_leaving(ctx, key, combatant.id, *rules)


def fuse(ctx: Ctx, first: str, second: str, radius: float | None, capacity: int) -> None:
    """Make one zone of two, centered between them (SW-092, SW-093, SW-R54).

    Participants of the first come before those of the second.
    """
    one, two = stats.zone(ctx.state, first), stats.zone(ctx.state, second)
    center = (one.center + two.center) / 2 if one.center is not None and two.center is not None else None
    both = Zone((*one.participants, *two.participants), (*one.fallen, *two.fallen), capacity=capacity, center=center)
    guide = guide_radius(ctx.state, stats.occupancy(ctx.state, both))
    if radius is not None and radius != guide:
        both = replace(both, radius=radius, typed=True)
    ctx.fact(second, "zone", None, "SW-093")
    put(ctx, first, both, "SW-092", "SW-093", "SW-R54")
    for who in both.participants:
        draw_in(ctx, first, who)
        for fact in ("leaving", "leave_permission"):  # SW-R14: the permission follows the zone
            if ctx.state[who].fact(fact) == second:
                ctx.fact(who, fact, first, "SW-R14")


def candidates(state: State, key: str, meant: Id | None = None) -> tuple[Id, ...]:
    """Return those who may be hit by chance, in order of joining.

    SW-166, SW-R16, SW-R22. The fallen follow in order of falling; `meant` comes last if it only lies there.
    """
    held = stats.zone(state, key)
    found = tuple(who for who in held.participants if stats.able(state, who))
    if stats.rules(state).unconscious_are_candidates:
        found += tuple(who for who in held.fallen if stats.present(state[who]))
    if meant is not None and meant not in found and stats.place_of(state, meant) == key:
        found += (meant,)
    return found


def passing(state: State, who: Id, key: str) -> str:
    """Return what comes of passing through a zone.

    `full`, `passes`, `no_room` or `choice` (SW-081 to SW-087, SW-R17, SW-R18).
    """
    held, own = stats.zone(state, key), stats.camp_of(state, who)
    used = stats.occupancy(state, held)
    allies, enemies = stats.occupancy(state, held, own), stats.occupancy(state, held, stats.other(own))
    if used >= held.capacity:
        return "full"
    if enemies * 2 < allies or stats.body_sections(state, who) > enemies:
        return "passes"
    return "no_room" if used + stats.sections(state, who) > held.capacity else "choice"


def settle_zones(ctx: Ctx) -> None:
    """Settle who takes part in each zone, its size, and whether the brawl is over.

    SW-077, SW-099, SW-100, SW-R15, SW-R16.
    """
    for key, _ in stats.zones(ctx.state):
        if not stats.has_zone(ctx.state, key):  # ended while the GM was asked about another one
            continue
        _put_out(ctx, key)
        for who in stats.zone(ctx.state, key).fallen:
            _return(ctx, key, who)
        if stats.has_zone(ctx.state, key) and (reason := _over(ctx.state, stats.zone(ctx.state, key))):
            dissolve(ctx, key, reason, "SW-099", "SW-100", "SW-R15")


def _put_out(ctx: Ctx, key: str) -> None:
    """Take those who are gone or elsewhere out of a zone; the unconscious lie in it and take no part."""
    state, held = ctx.state, stats.zone(ctx.state, key)
    everyone = (*held.participants, *held.fallen)
    here = [who for who in everyone if who in state and stats.present(state[who]) and _inside(state, held, who)]
    active = tuple(who for who in held.participants if who in here and stats.able(state, who))
    fallen = tuple(who for who in (*held.fallen, *held.participants) if who in here and who not in active)
    if (active, fallen) != (held.participants, held.fallen):
        put(ctx, key, replace(held, participants=active, fallen=fallen), "SW-077", "SW-R16")
    for who in everyone:
        if who not in here and who in state:
            _forget_leaving(ctx, key, who)
            if stats.present(state[who]):
                ctx.note(f"is out of {brawl(key)}", "SW-080", about=who)


def _inside(state: State, held: Zone, who: Id) -> bool:
    """Tell whether a combatant stands inside a zone, as far as known (SW-080)."""
    here = state[who].position
    return held.center is None or not here or abs(here[0] - held.center) <= held.radius


def _return(ctx: Ctx, key: str, who: Id) -> None:
    """Let a combatant that woke up take part again, as the last (SW-R16); without room the game master decides."""
    if not _is_back(ctx.state, key, who):
        return
    room = ctx.choose(
        f"room:{who}",
        (Option("outside", "is pushed out of the zone"), Option("inside", "takes part all the same")),
        "SW-R16",
        default="outside",
        who=who,
        why=f"{ctx.state.name(who)} wakes up in a full brawl",
        to="gm",
        asked_if=lambda state: _is_back(state, key, who) and _crowded(state, key, who),
    )
    if not _is_back(ctx.state, key, who):
        return
    if room == "outside":
        leave_zone(ctx, key, who, "SW-R16")
        return
    held = stats.zone(ctx.state, key)
    fallen = tuple(one for one in held.fallen if one != who)
    put(ctx, key, replace(held, participants=(*held.participants, who), fallen=fallen), "SW-077", "SW-R16")
    ctx.note(f"is in {brawl(key)} again", "SW-R16", about=who)


def _is_back(state: State, key: str, who: Id) -> bool:
    return stats.has_zone(state, key) and who in stats.zone(state, key).fallen and stats.able(state, who)


def _crowded(state: State, key: str, who: Id) -> bool:
    held = stats.zone(state, key)
    return stats.occupancy(state, held) + stats.sections(state, who) > held.capacity


def _over(state: State, held: Zone) -> str:
    for camp_name in ("pcs", "foes"):
        able = [who for who in held.participants if stats.camp_of(state, who) == camp_name]
        lying = [who for who in held.fallen if stats.camp_of(state, who) == camp_name]
        if not able and not lying:
            return f"no fighter of {stats.camp_title(state, camp_name)} is left in it"
        if not able and stats.rules(state).brawl_end == "side_down":
            return f"no fighter of {stats.camp_title(state, camp_name)} in it is able"
    if not held.participants:
        return "no fighter in it is able"
    return ""
