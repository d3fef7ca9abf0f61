"""Before the first round: the field, what newcomers begin with, and Monster Knowledge (SW-001 to SW-010)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from typing import cast

from rulesets.sword_world.order import zones
from rulesets.sword_world.stat_blocks.models import StatBlock
from rulesets.sword_world.stat_blocks.shorthand import RECOMMENDED, starting_distance
from rulesets.sword_world.stats import stats
from rulesets.sword_world.stats.checks import Contest, Total, reaches, stat_total
from rulesets.sword_world.stats.effects import PRONE
from tracker.core.clock.joining import slug
from tracker.core.fight.events import Checked, Moved, OrderSet, PoolSet
from tracker.core.fight.slots import Id, Slot
from tracker.core.fight.state import FIGHT, Combatant, Pool, State
from tracker.core.step.ctx import Ctx
from tracker.core.terms.actions import Action, Option
from tracker.core.terms.encounter import Encounter, Member
from tracker.core.visibility.knowledge import is_hidden
from tracker.kit.economy import Economy, budget

WIDEST = 6.0
"""The radius of the widest brawl: a blow reaches no farther (SW-078)."""


def keep(ctx: Ctx, holds: Callable[[State], bool], why: str) -> None:
    """Let the action go on only while something holds that held at its start.

    What the GM has forced does not stop at the next question.
    """
    if holds(ctx.state):
        ctx.guard(holds, why)


def keep_here(ctx: Ctx, who: Id) -> None:
    ctx.guard(lambda state: who in state, f"{ctx.state.name(who)} has left the fight")


def keep_able(ctx: Ctx, who: Id) -> Callable[[], None]:
    """Let the action go on only while its actor is able and the fight goes on.

    Returns what to call once the action is decided: an actor that falls after that has done it (SW-054, SW-R52).
    """
    decided: list[bool] = []
    keep_here(ctx, who)
    keep(ctx, lambda state: not state.clock.over, "the fight is over")
    keep(ctx, lambda state: bool(decided) or stats.able(state, who), f"{ctx.state.name(who)} is no longer able")
    return lambda: decided.append(True)


def there(state: State, who: Id) -> bool:
    combatant = state.get(who)
    return combatant is not None and stats.present(combatant)


def within_reach(state: State, who: Id, target: Id) -> bool:
    """Tell whether two are in one brawl, or both in none (SW-106, SW-107, SW-R25)."""
    return stats.zone_of(state, who) == stats.place_of(state, target)


def in_range(state: State, who: Id, target: Id, reach: float | None) -> bool:
    """Tell whether a target is within a range, as far as places are known (SW-112)."""
    metres = stats.distance(state, who, target)
    return metres is None or reach is None or metres <= reach


ECONOMY = Economy(
    budget(move=1, standard=1, feat=1),
    words={"move": "movement", "standard": "standard action", "feat": "declared feat"},
)


def enlist(ctx: Ctx, newcomers: tuple[Id, ...]) -> None:
    for who in newcomers:
        combatant, own = ctx.state[who], stats.block(ctx.state, who)
        keys = stats.member(combatant)
        ctx.emit(PoolSet(who, None, Pool("hp", own.hp, own.hp, None)))
        ctx.emit(PoolSet(who, None, Pool("mp", own.mp, own.mp)), "SW-163")
        ECONOMY.empty(ctx, (who,))
        if combatant.kind == "character" and own.attacks:
            named = next((attack.name for attack in own.attacks if attack.name == keys.in_hand), own.attacks[0].name)
            ctx.fact(who, "hand", named, "SW-R46")
    _tell_bodies_apart(ctx, newcomers)
    for who in newcomers:
        pos = stats.member(ctx.state[who]).pos
        if pos is not None:
            ctx.emit(Moved(who, None, (pos,)))
    for who in newcomers:
        if stats.block(ctx.state, who).prone:
            ctx.add_effect(PRONE.on(who), "SW-060")


def _tell_bodies_apart(ctx: Ctx, newcomers: tuple[Id, ...]) -> None:
    """Number the bodies of one word and side, where each of their sections comes as often (SW-R43).

    The first of each section are one body, the second another. Otherwise newcomers belong to the latest body.
    """
    comers = [ctx.state[who] for who in newcomers if stats.block(ctx.state, who).body]
    for side, word in dict.fromkeys((one.side, stats.block_of(one).body) for one in comers):
        own = [one for one in ctx.state.combatants if (one.side, stats.block_of(one).body) == (side, word)]
        latest = max((stats.body_number(one) for one in own if one.id not in newcomers), default=0)
        sections: dict[str, list[Id]] = {}
        for one in own:
            if one.id in newcomers:
                sections.setdefault(one.ref or stats.block_of(one).name, []).append(one.id)
        whole = len(sections) > 1 and len({len(found) for found in sections.values()}) == 1
        for found in sections.values():
            for place, who in enumerate(found, start=1):
                number = latest + place if whole else max(1, latest)
                if number > 1:
                    ctx.fact(who, "body", number, "SW-R43")


def doubtful_bodies(members: tuple[Member, ...]) -> tuple[tuple[Member, str, str], ...]:
    """Return what joins as one body and may be meant as several (SW-R43): whole sections of it come more than once."""
    bodies: dict[str, list[Member]] = {}
    for one in members:
        if isinstance(one.block, StatBlock) and one.block.body:
            bodies.setdefault(one.block.body, []).append(one)
    found = []
    for word, parts in bodies.items():
        most = Counter[str]()
        for one in parts:
            most[one.ref or one.name] += one.count.maximum
        rolled = any(one.count.minimum != one.count.maximum for one in parts)
        if len(most) > 1 and len(set(most.values())) == 1 and not rolled:
            continue
        again = [one for one in parts if most[one.ref or one.name] > 1]
        if (len(most) > 1 and min(most.values()) > 1) or any(cast(StatBlock, one.block).sections > 1 for one in again):
            several = " and ".join(f"{'up to ' * rolled}{count} {name}" for name, count in _counted(parts, most))
            sections = sum(one.count.maximum * cast(StatBlock, one.block).sections for one in parts)
            words = f'body "{word}": {several} are one body of {"up to " * rolled}{sections} sections'
            found.append((again[0], "count", f"{words}; the same number of each section makes as many bodies (SW-R43)"))
    return tuple(found)


def _counted(parts: Sequence[Member], most: Mapping[str, int]) -> Iterator[tuple[str, int]]:
    """Yield the name of each section, with how many of it there are at most."""
    names = {one.ref or one.name: one.name for one in reversed(parts)}
    yield from ((names[key], count) for key, count in most.items())


def open_fight(ctx: Ctx, encounter: Encounter) -> None:
    """Note the field, make the brawls that exist, and lay out the opening (4.1)."""
    field = stats.setup(ctx.state)
    metres = field.distance
    if metres is None:
        metres = starting_distance(field.space, field.moving, field.large_monster)
    ctx.fact(FIGHT, "distance", metres, "SW-003", "SW-005", "SW-006", "SW-007")
    _warn(ctx, metres)
    for row in field.known:
        for who in _found(ctx, row.who, "known"):
            for name in row.monsters:
                for kind in {monster_kind(one) for one in ctx.state.combatants if name.casefold() in _names(one)}:
                    ctx.fact(f"pair:{who}|{kind}", "knowledge", "known", "SW-009")
    for wanted in field.zones:
        fighters = [who for name in wanted.participants for who in _found(ctx, name, "a brawl")]
        if not fighters:
            continue
        key = zones.form_zone(ctx, fighters, radius=wanted.radius, capacity=wanted.capacity)
        held = stats.zone(ctx.state, key)
        ctx.note(f"{zones.zone_name(ctx.state, key)}; radius {held.radius:g} m", "SW-070", "SW-078")
        if stats.occupancy(ctx.state, held) > held.capacity:
            ctx.note(f"{zones.brawl(key)} holds more than its capacity of {held.capacity}", "SW-075")
    slots = [Slot("r0/setup", "Set-up", "setup", turns="none", stage="opening")]
    if field.surprise:
        slots.append(Slot("r0/surprise", "Surprise attack", "surprise", turns="none", stage="opening"))
    slots.append(Slot("r0/knowledge", "Monster Knowledge", "knowledge", turns="none", stage="opening"))
    slots.append(Slot("r0/initiative", "Initiative", "initiative", turns="none", stage="opening"))
    ctx.emit(OrderSet(ctx.state.clock.slots, tuple(slots)), "SW-001", "SW-002", "SW-011")


def _names(combatant: Combatant) -> tuple[str, ...]:
    return tuple(
        name.casefold()
        for name in (combatant.id, combatant.name, combatant.ref, cast(StatBlock, combatant.block).name)
        if name
    )


def _found(ctx: Ctx, name: str, what: str) -> list[Id]:
    found = _named(ctx.state, name)
    if not found:
        ctx.note(f'warning: {what} names "{name}", who is not in the fight', "SW-003")
    return found


def _named(state: State, name: str) -> list[Id]:
    exact = [one.id for one in state.combatants if name.casefold() in (one.id.casefold(), one.name.casefold())]
    return exact or [one.id for one in state.combatants if name.casefold() in _names(one)][:1]


def _warn(ctx: Ctx, metres: float | None) -> None:
    least, most = RECOMMENDED
    if metres is not None and not least <= metres <= most:
        ctx.note(f"warning: a starting distance of {metres:g} m is outside {least} to {most} m", "SW-004")


def distance_now(state: State) -> float | None:
    held = state.fact(FIGHT, "distance")
    return float(held) if isinstance(held, int | float) else None


def start_combat(ctx: Ctx, action: Action) -> None:
    """Begin with the game master's word (SW-001)."""
    metres = action.get("distance")
    if isinstance(metres, int | float) and float(metres) != distance_now(ctx.state):
        ctx.fact(FIGHT, "distance", float(metres), "SW-003")
        _warn(ctx, float(metres))
    ctx.walk()


def monster_kind(combatant: Combatant) -> str:
    """Return a combatant's kind of monster: its stat block's id, or its name."""
    return combatant.ref or slug(cast(StatBlock, combatant.block).name)


def known_as(state: State, who: Id, kind: str) -> str:
    """Return what a character knows of a kind of monster: "", `failed`, `known` or `weakness`."""
    return str(state.fact(f"pair:{who}|{kind}", "knowledge", ""))


def to_find_out(state: State) -> tuple[tuple[Id, str], ...]:
    """Return the Monster Knowledge checks on offer (SW-009, SW-010, SW-R47).

    Every able character, with every kind of enemy monster in sight that it has neither known nor tried.
    """
    found: list[tuple[Id, str]] = []
    for one in state.combatants:
        if one.kind == "character" and stats.able(state, one.id):
            foes = stats.members(state, stats.other(stats.camp_of(state, one.id)))
            seen = (foe for foe in foes if stats.is_monster(foe) and not is_hidden(state, foe.id))
            kinds = dict.fromkeys(map(monster_kind, seen))
            found += [(one.id, kind) for kind in kinds if not known_as(state, one.id, kind)]
    return tuple(found)


def monster_knowledge(ctx: Ctx, action: Action) -> None:
    """Make one character's check on one kind of monster (SW-009, SW-010, SW-R47)."""
    who, kind = str(action.get("character")), str(action.get("monster"))
    keep_able(ctx, who)
    keep(ctx, lambda state: _of_kind(state, kind) is not None, "no monster of this kind is left")
    shown = cast(StatBlock, _of_kind(ctx.state, kind))
    why, contest = f"knowledge of {shown.name}", _to_recognise(ctx.state, kind)
    total = stat_total(ctx, "knowledge", who, "monster_knowledge", "SW-009", why=why, contest=contest)
    _learn(ctx, who, kind, cast(Total, total))
    if not to_find_out(ctx.state):
        ctx.walk()


def all_knowledge(ctx: Ctx, action: Action) -> None:
    chosen = action.get("who")
    wanted = [pair for pair in to_find_out(ctx.state) if isinstance(chosen, tuple) and pair[0] in chosen]
    totals: list[tuple[Id, str, Total]] = []
    for who, kind in wanted:
        open_check = partial(_can_learn, who=who, kind=kind)
        why = f"knowledge of {kind_name(ctx.state, kind)}"
        key = f"knowledge:{who}:{kind}"
        made = stat_total(
            ctx,
            key,
            who,
            "monster_knowledge",
            "SW-009",
            why=why,
            contest=_to_recognise(ctx.state, kind),
            asked_if=open_check,
        )
        if made is not None:
            totals.append((who, kind, made))
    for who, kind, total in totals:
        if _can_learn(ctx.state, who, kind):
            _learn(ctx, who, kind, total, f"result:{who}:{kind}")
    if not to_find_out(ctx.state):
        ctx.walk()


def _can_learn(state: State, who: Id, kind: str) -> bool:
    return stats.able(state, who) and _of_kind(state, kind) is not None


def _learn(ctx: Ctx, who: Id, kind: str, total: Total, key: str = "result") -> None:
    """Tell and keep what a check tells of a kind of monster."""
    shown = cast(StatBlock, _of_kind(ctx.state, kind))
    tellable = _tellable(ctx.state, shown, total)
    rules = ("SW-009", "SW-010", "SW-R47")
    ctx.emit(
        Checked(
            "Monster Knowledge check",
            who,
            total.value,
            tellable[0].shown if len(tellable) == 1 else "",
            parts=total.parts,
            against=shown.knowledge_target,
            against_what=shown.name,
        ),
        *rules,
        *(("SW-R36",) if stats.rules(ctx.state).automatic_results else ()),
    )
    result: str | None = tellable[0].key
    if len(tellable) > 1:
        why = f"what does a total of {total.value} tell about {shown.name}?"
        learns = partial(_can_learn, who=who, kind=kind)
        result = ctx.choose(key, tellable, "SW-R47", who=who, why=why, to="gm", asked_if=learns)
    if result is not None:
        ctx.fact(f"pair:{who}|{kind}", "knowledge", result, *rules)


def kind_name(state: State, kind: str) -> str:
    shown = _of_kind(state, kind)
    return kind if shown is None else shown.name


def _to_recognise(state: State, kind: str) -> Contest:
    """Return what a check on a kind of monster has to reach, for its question.

    It is rolled though the name is sure where the total may tell a weakness too (SW-010).
    """
    shown = _of_kind(state, kind)

    def goal(state: State) -> int | None:
        shown = _of_kind(state, kind)
        return None if shown is None else shown.knowledge_target

    demanded = shown is not None and shown.weakness_target is not None
    return Contest("target", "recognises", goal=goal, demanded=demanded)


def _of_kind(state: State, kind: str) -> StatBlock | None:
    """Return the stat block of a kind of monster that players see, or None."""
    kinds = (one for one in state.combatants if monster_kind(one) == kind and not is_hidden(state, one.id))
    return next((cast(StatBlock, one.block) for one in kinds), None)


def _tellable(state: State, shown: StatBlock, total: Total) -> tuple[Option, ...]:
    """Return what a check may tell (SW-R36, SW-R47); of several the game master chooses."""
    failed, known, weakness = (
        Option("failed", "not recognised"),
        Option("known", "recognised"),
        Option("weakness", "recognised with its weakness"),
    )
    if shown.knowledge_target is None:
        double = total.natural if stats.rules(state).automatic_results else None
        return (failed,) if double == 2 else (known, weakness) if double == 12 else (failed, known, weakness)
    if not reaches(state, total, shown.knowledge_target):
        return (failed,)
    weak = shown.weakness_target is not None and reaches(state, total, shown.weakness_target)
    return (weakness,) if weak else (known,)


def end_knowledge(ctx: Ctx, action: Action) -> None:
    ctx.walk()
