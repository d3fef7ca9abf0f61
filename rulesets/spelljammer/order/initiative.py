"""Initiative: dice, modifiers and the segment on which an act stands (4.5)."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from rulesets.spelljammer.stat_blocks.facts import Act, Declaration, Waiting
from rulesets.spelljammer.stat_blocks.models import Spell
from rulesets.spelljammer.stat_blocks.tables import D100, INITIATIVE_DICE, casting_time, multiple
from rulesets.spelljammer.stats import stats
from rulesets.spelljammer.stats.costs import attacks_left
from rulesets.spelljammer.stats.effects import RETRIEVING, SPELL_WAITING, quietly
from tracker.core.fight.events import Checked
from tracker.core.fight.slots import Id
from tracker.core.fight.state import State
from tracker.core.step.ctx import Ctx
from tracker.core.step.prompts import AskedIf
from tracker.core.terms.derived import Part
from tracker.core.terms.dice import Dice
from tracker.core.terms.words import minus

LAST = -5
"""The last segment of a round (SJ-028)."""
FIRST_MOVING = ("half_then_act", "run_then_act")
Place = tuple[Act, int]


def initiative(ctx: Ctx, who: Id, declared: Declaration) -> list[Place]:
    """Roll for one combatant in slot order, and return its acts with their segments.

    SJ-009 to SJ-016, A-07 to A-09.
    """
    n = stats.block(ctx.state, who).attacks
    plans: list[Place] = []
    match declared.main:
        case "attack":
            left = max(
                attacks_left(n, declared), len(declared.blows)
            )  # more were declared only if the GM overruled the refusal
            plans = [(Act("attack", place, blow), 0) for place, blow in enumerate(declared.blows[:left], start=1)]
        case "retrieve_weapon":
            plans = _retrieve(ctx, who, declared)
        case "other":
            plans = [(Act("other", text=declared.text), 0)]
        case "cast":
            return _begins(ctx, who, declared)
    taken: list[int] = []
    acts: list[Place] = []
    for act, extra in plans:
        segment = _segment(ctx, who, declared, act.place, extra, taken)
        if who not in ctx.state or stats.down(ctx.state[who]):
            return []
        if segment is None:
            ctx.skip(
                f"attack {act.place}" if act.kind == "attack" else act.text or "the act",
                "its initiative is -6 or later",
                "SJ-014",
                "SJ-028",
                who=who,
            )
            continue
        taken.append(segment)
        acts.append((act, segment))
    return acts


def _retrieve(ctx: Ctx, who: Id, declared: Declaration) -> list[Place]:
    """Roll DEX for a dropped weapon: 4× picks it up, 1× leaves one attack.

    SJ-126, SJ-127.
    """
    ctx.add_effect(quietly(RETRIEVING.on(who)), "SJ-126")
    standing = partial(stats.stands, who=who)
    level = dex_roll(ctx, f"retrieve:{who}", who, "retrieve the weapon", "SJ-126", asked_if=standing)
    if level is None:
        return []
    ctx.note("the weapon is in hand" if level <= 4 else "the weapon is not in hand", "SJ-126", about=who)
    return [(Act("attack", 1, declared.blows[0]), -5)] if level == 1 and declared.blows else []


def dex_roll(ctx: Ctx, key: str, who: Id, what: str, *rules: str, asked_if: AskedIf) -> int | None:
    """Roll against multiples of DEX, and return the level, 5 for 5× or worse, None if it is not asked.

    A-01, A-19.
    """

    def numbers(state: State) -> tuple[int, int]:
        """Return DEX, and what wounds add."""
        mod = stats.wound(state, who)[0] if stats.rules(state).wound_mod_on_dex_rolls else 0
        return stats.dex(state, who), mod

    def why(state: State) -> str:
        dex, mod = numbers(state)
        return f"{what}: DEX {dex}, 4× is {4 * dex + mod}"

    roll = ctx.roll(key, D100, *rules, who=who, why=why, asked_if=asked_if)
    if roll is None:
        return None
    dex, mod = numbers(ctx.state)
    level = multiple(roll, dex, mod)
    against = tuple(part for part in (Part("4× DEX", 4 * dex, "SJ-A01"), Part("wounds", mod, "SJ-A19")) if part.amount)
    result = f"{level}×" if level <= 4 else "5× or worse"
    ctx.emit(
        Checked(
            what,
            who,
            roll,
            result,
            parts=(Part("d100", roll),),
            against=4 * dex + mod,
            against_what="4× DEX",
            against_parts=against,
        ),
        *rules,
    )
    return level


def _segment(
    ctx: Ctx, who: Id, declared: Declaration, place: int, extra: int, taken: Sequence[int], *more: str
) -> int | None:
    """Roll one initiative die and return its segment, None if the act is lost.

    It is lost at -6 or later (SJ-014, SJ-028).
    """
    rules = {1: ("SJ-010", "SJ-012"), 2: ("SJ-010",)}.get(place, ("SJ-015",))
    die = INITIATIVE_DICE[place - 1] if place <= len(INITIATIVE_DICE) else 1
    key = f"initiative:{who}" if place == 1 else f"initiative:{who}#{place}"
    act, standing = f"initiative, act {place}", partial(stats.stands, who=who)
    rolled: int | None = 1
    if die > 1:
        rolled = ctx.roll(key, Dice.of(1, die), "SJ-009", *rules, who=who, why=act, asked_if=standing)
    if rolled is None:
        return None
    parts = [
        Part(f"d{die}" if die > 1 else "fixed", rolled, "" if die > 1 else "SJ-A07"),
        Part("IM", stats.block(ctx.state, who).im, "SJ-012"),
        *stats.modified(ctx.state, who, "im"),
        Part("half move", -5 if declared.movement == "half_then_act" else 0, "SJ-073"),
        Part("run", -7 if declared.movement == "run_then_act" else 0, "SJ-083"),
        Part("draw", -5 if declared.draw else 0, "SJ-087"),
        Part("sheath", -5 if declared.sheath else 0, "SJ-088"),
        Part("no movement", 3 if declared.movement == "none" else 0, "SJ-016"),
        Part("weapon retrieved", extra, "SJ-127"),
    ]
    total = sum(part.amount for part in parts)
    arrival = _arrival(ctx.state, who, declared)
    segment = waited = total if arrival is None else min(total, arrival)
    while segment in taken:
        segment -= 1
    cited = [
        *rules,
        *more,
        "SJ-013",
        *(["SJ-A08"] if waited != total else []),
        *(["SJ-011"] if segment != waited else []),
    ]
    if lost := segment < LAST:
        cited += ["SJ-014", "SJ-028", *(["SJ-086"] if declared.movement in FIRST_MOVING else [])]
    shown = tuple(part for number, part in enumerate(parts) if part.amount or not number)
    why = [*(["on arrival"] if waited != total else []), *([f"{waited} is taken"] if segment != waited else [])]
    comes = f"segment {segment} ({', '.join(why)})" if why else f"segment {segment}"
    comes = minus(comes)
    ctx.emit(Checked("initiative", who, total, "too late" if lost else comes, parts=shown), *cited)
    return None if lost else segment


def _arrival(state: State, who: Id, declared: Declaration) -> int | None:
    """Return the segment on which a combatant that moves first has arrived (A-08).

    None: it does not have to wait.
    """
    if (
        declared.movement not in FIRST_MOVING
        or not stats.rules(state).delay_attack_until_arrival
        or declared.distance == 0
    ):
        return None
    if declared.distance is None:
        return 10
    allowance = state[who].fact("allowance")
    step = (float(allowance) if isinstance(allowance, int | float) else 0.0) / (
        20 if declared.movement == "half_then_act" else 10
    )
    ticks = next((ticks for ticks in range(1, 11) if step * ticks >= declared.distance - 1e-9), 10)
    return 11 - ticks


def duration(spell: Spell) -> int | None:
    """Return a spell's casting time in segments, None for a whole round."""
    if spell.casting_time == "round":
        return None
    return int(spell.casting_time) if spell.casting_time is not None else casting_time(spell.type, spell.rank)


def put_off(ctx: Ctx, who: Id, spell: str, *rules: str) -> None:
    """Let a spell wait that could no longer go off in this round (SJ-030)."""
    ctx.note(f"{spell} could not go off in this round and begins on 10 of the next", *rules, about=who)
    ctx.add_effect(quietly(SPELL_WAITING.on(who, data=Waiting(spell), title=f"{spell} waits for 10")), *rules)


def _begins(ctx: Ctx, who: Id, declared: Declaration) -> list[Place]:
    """Place the beginning of a spell.

    One that could not end in this round waits for 10 of the next (SJ-029 to SJ-031, SJ-062, SJ-067).
    """
    spell = stats.spell(ctx.state, who, declared.spell)
    if spell is None:
        return []
    length, combatant = duration(spell), ctx.state[who]
    waiting, held = stats.waiting(combatant), combatant.effect("held_action")
    rule = "SJ-062" if spell.type == "cleric" else "SJ-067"
    still = declared.movement in ("free", "none") and not declared.draw and not declared.sheath
    begins: int | None
    if waiting is not None and stats.waiting_spell(combatant) == declared.spell and still:
        begins = 10
    elif length is None and held is not None and still:
        begins = 10
        ctx.end_effect(held, "used", "SJ-031")
    else:
        begins = _segment(ctx, who, declared, 1, 0, (), rule, *(("SJ-031",) if length is None else ()))
        if who not in ctx.state or stats.down(ctx.state[who]):
            return []
        waiting = stats.waiting(ctx.state[who])
    if waiting is not None:
        ctx.end_effect(waiting, "begins on 10" if begins == 10 else "declared otherwise", "SJ-030")
    if begins is None or (begins < 10 if length is None else begins - length < LAST):
        rules = ("SJ-029", "SJ-030", *(("SJ-031",) if length is None else ()))
        put_off(ctx, who, declared.spell, *rules)
        return []
    rolled, begins = begins, min(begins, 10) if length is None else begins
    if waiting is not None or held is not None or rolled != begins:
        ctx.note(f"{declared.spell} begins on {begins}", rule, *(("SJ-031",) if length is None else ()), about=who)
    return [(Act("spell", spell=declared.spell, target=declared.target), begins)]
