"""What the screen shows of Sword World.

Columns, statuses, badges, reminders, the stat block as printed, and the words of the report.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Literal

from rulesets.sword_world.actions.actions import form
from rulesets.sword_world.actions.turns import begun
from rulesets.sword_world.order import opening, zones
from rulesets.sword_world.stat_blocks.models import Attack, Change, Feat, Spell, StatBlock
from rulesets.sword_world.stats import stats
from rulesets.sword_world.stats.stats import added_damage, block, check_parts, fixed, is_monster, total
from tracker.core.fight.board import Board, Square, Trail, Zone
from tracker.core.fight.events import Entry, PoolChanged
from tracker.core.fight.slots import Id
from tracker.core.fight.state import Combatant, State
from tracker.core.game.schema import Badge, Column, Printed, Reminder, Status
from tracker.core.game.telling import ActionWords, CheckWords, EffectWords, StatusWords, Telling
from tracker.core.terms.actions import Action, action
from tracker.core.terms.derived import Derived

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


CHECKS = ("initiative", "hide", "danger_sense", "monster_knowledge", "spellcasting")
AGAINST = {"magic": "magic", "physical": "physical attacks", "any": "everything"}
RESISTED = {"none": "", "half": "half if resisted", "negate": "nothing if resisted"}


def printed(state: State, who: Id) -> tuple[Printed, ...]:
    combatant, own = state[who], block(state, who)
    return (
        Printed("kind", f"level {own.level} {combatant.kind}"),
        *_defences(state, combatant, own),
        *(_attack(state, who, attack) for attack in own.attacks),
        *(_spell(state, who, own, spell) for spell in own.spells),
        *(Printed("specials", feat.name, _feat(feat)) for feat in own.feats),
        *_traits(own),
        *_skills(state, who),
    )


def _defences(state: State, combatant: Combatant, own: StatBlock) -> list[Printed]:
    who = combatant.id
    found = [
        Printed("defences", pool.key.upper(), f"{pool.now}/{pool.max}")
        for pool in combatant.pools
        if pool.max or pool.now
    ]
    worn = "" if own.armor == "none" else f" ({own.armor})"
    found.append(Printed("defences", "Defense", f"{total(state, who, 'defense')}{worn}"))
    found += [_check(state, who, stat, "defences") for stat in ("evasion", "fortitude", "willpower")]
    found.append(Printed("defences", "Move", f"{total(state, who, 'move')} m", "SW-044"))
    if own.sections > 1:
        found.append(Printed("defences", "Sections", str(own.sections)))
    if is_monster(combatant) and own.knowledge_target is not None:
        weak = "" if own.weakness_target is None else f"/{own.weakness_target}"
        found.append(Printed("defences", "Knowledge", f"{own.knowledge_target}{weak}", "SW-009"))
    return found


def _check(state: State, who: Id, stat: str, part: Literal["defences", "skills"]) -> Printed:
    bonus = total(state, who, stat)
    shown = str(bonus) if fixed(state[who], stat) is not None else f"2d{bonus:+d}" if bonus else "2d"
    return Printed(part, stat.replace("_", " ").capitalize(), shown)


def _attack(state: State, who: Id, attack: Attack) -> Printed:
    base = attack.accuracy if attack.accuracy_fixed is None else attack.accuracy_fixed
    hit = Derived.total(check_parts(state[who], "accuracy", base)).value
    more = sum(amount for amount, _, _ in added_damage(state[who])) + sum(each.amount for each in attack.additional)
    words = [f"Accuracy {hit}" if attack.accuracy_fixed is not None else f"Accuracy 2d{hit:+d}"]
    words += _harm(attack.impact, attack.crit, attack.bonus + more) if attack.damage is None else []
    if attack.damage is not None:
        words.append(f"{attack.damage}{attack.bonus + more:+d}" if attack.bonus + more else str(attack.damage))
    words += [f"{attack.damage_type} damage"] if attack.damage_type != "physical" else []
    words += [*attack.energy, *([attack.mode] if attack.mode != "melee" else [])]
    words += [f"{attack.range:g} m"] if attack.range is not None else []
    return Printed("attacks", attack.name, ", ".join(words))


def _harm(impact: int | None, crit: int, bonus: int) -> list[str]:
    """Return a row of the Impact Table with its critical number and what is added."""
    if impact is None:
        return []
    return [f"Impact {impact}{f'{bonus:+d}' if bonus else ''}, critical {crit}"]


def _spell(state: State, who: Id, own: StatBlock, spell: Spell) -> Printed:
    bonus = spell.bonus + total(state, who, "magic_power") - own.magic_power
    words = [f"{spell.cost} MP", spell.area]
    words += [f"{spell.range:g} m"] if spell.range else []
    words += [f"up to {spell.max_targets} targets"] if spell.max_targets is not None else []
    words += ["heals"] if spell.heal else []
    words += _harm(spell.impact, spell.crit, bonus)
    words += [*spell.energy, RESISTED[spell.resist]]
    words += [", ".join(_change(change) for change in spell.effect or ())]
    if spell.duration is not None:
        words.append(
            "for the fight"
            if spell.duration == "combat"
            else f"{spell.duration} round{'' if spell.duration == 1 else 's'}"
        )
    words.append(spell.note)
    return Printed("specials", spell.name, ", ".join(filter(None, words)))


def _change(change: Change) -> str:
    return f"{change.amount:+d} {change.stat.replace('_', ' ')}"


def _feat(feat: Feat) -> str:
    names = ("accuracy", "evasion", "damage", "crit")
    words = [f"{getattr(feat, name):+d} {name}" for name in names if getattr(feat, name)]
    return ", ".join(filter(None, ("declared" if feat.declared else "always", *words, feat.note)))


def _traits(own: StatBlock) -> list[Printed]:
    found = [
        Printed("specials", f"against {AGAINST.get(weak.when, weak.when)}", f"takes {weak.extra} more", "SW-R30")
        for weak in own.weaknesses
    ]
    found += [
        Printed("specials", f"from {AGAINST.get(less.when, less.when)}", f"takes {less.amount} less", "SW-R30")
        for less in own.reductions
    ]
    marks = {"fencer": "fencer", "hawkeye": "shoots into melees unhindered", "death_checks": "makes Death Checks"}
    names = [words for key, words in marks.items() if getattr(own, key)]
    names += [f"{own.sword_shards} sword shards"] if own.sword_shards else []
    return [*found, *(Printed("specials", "also", ", ".join(names)) for _ in names[:1])]


def _skills(state: State, who: Id) -> list[Printed]:
    power = total(state, who, "magic_power")
    known = [stat for stat in CHECKS if total(state, who, stat) or fixed(state[who], stat) is not None]
    return [
        *(_check(state, who, stat, "skills") for stat in known),
        *([Printed("skills", "Magic power", str(power))] if power else ()),
    ]


TELLING = Telling(
    action_words=(
        ActionWords("attack", "attack", hits="hit|strike|catch", great="land a telling blow on", tries="go for"),
        ActionWords(
            "cast",
            "attack",
            hits="catch",
            great="strike {whom} hard",
            tries="turn to",
            misses="cast {means} on {whom} in vain",
            over="cast {means} on",
            does="cast {means}",
            fails="fail to cast {means}",
        ),
        ActionWords("declare_brawl", "silent"),
        ActionWords("join_brawl", "silent"),
        ActionWords("end_turn", "silent"),
        ActionWords("start_turn", "silent"),
        ActionWords("change_weapon", does="change weapons"),
        ActionWords("leave_brawl", "move", does="try to leave the brawl"),
        ActionWords("move", "move", does="move"),
        ActionWords("stand_up", does="get up"),
        ActionWords("other_action", does="do something else"),
    ),
    status_words=(
        StatusWords("dead", "dead", by="kill", alone="die"),
        StatusWords("unconscious", "down", by="fell|strike {whom} down", alone="go down"),
        StatusWords("up", "saved", by="bring {whom} back to consciousness", alone="be up again"),
        StatusWords("fled", "gone", by="drive {whom} off", alone="flee"),
        StatusWords("surrendered", "gone", by="make {whom} give up", alone="surrender"),
    ),
    effect_words=(EffectWords("surprised", "be caught unaware"),),
    check_words=(CheckWords("Death Check", "success", "hold on to life"),),
)
