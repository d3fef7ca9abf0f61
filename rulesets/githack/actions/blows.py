"""A monster's attack on one target, from the defence to its marks (4.5)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import cast

from rulesets.githack.actions.attack_dice import (
    Blow,
    Die,
    concerns,
    is_possible,
    kept,
    marked,
    roll_damage,
    special_dice,
    stop_or_lands,
)
from rulesets.githack.actions.attack_specials import (
    applies,
    in_play,
    inflict,
    put_off,
    queue,
    saved,
    spend_use,
    triggered,
    waits,
)
from rulesets.githack.aftermath.wounds import take_harm, track_check
from rulesets.githack.stat_blocks.models import Ability, Part, Special
from rulesets.githack.stats import stats
from rulesets.githack.stats.checks import Words, check
from tracker.core.fight.state import State
from tracker.core.step.ctx import Ctx
from tracker.core.terms.values import Value

DEFENCE = Words("defended", "hit", ("GH-041", "GH-009"), ("GH-042", "GH-009"))


def resolve(ctx: Ctx, blow: Blow) -> None:
    """Let an attack meet one target.

    An effect instead of the damage roll replaces all dice, or those of its part (GH-058).
    """
    failed = _defend(ctx, blow)
    if failed is None:
        return
    riders = in_play(ctx.state, blow, failed)
    replacing = [special for special in riders if special.when == "instead_of_damage"]
    whole = [special for special in replacing if not special.part]
    held: list[Special] = []
    extra: list[Die] = []
    for special in whole or replacing:
        spend_use(ctx, blow.who, special)
        extra += instead(ctx, blow, special, held, "GH-058", armour=False)
    if whole:
        take_marks(ctx, blow, extra, held, "GH-058")
        return
    own = [part for part in failed if not any(concerns(special, part.label) for special in replacing)]
    dice = roll_damage(ctx, blow, own)
    if not stop_or_lands(ctx, blow):
        return
    delayed: list[Special] = []
    for special in riders:
        if special in replacing or not triggered(ctx, special, dice):
            continue
        if special.effect == "paralysed" and ctx.state[blow.target].has("paralysed"):
            continue  # A17: it is neither saved against again nor prolonged
        spend_use(ctx, blow.who, special)
        if waits(special):
            delayed.append(special)
        elif applies(ctx, blow, special, sum(1 for die in dice if die.mark and concerns(special, die.part))):
            held.append(special)
            dice = marked(ctx, blow, special, dice)
        if not stats.here(ctx.state, blow.target):
            return
    marks = [die.mark for die in (*dice, *extra) if die.mark]
    boxes = take_harm(ctx, blow.target, marks, *_harm_rules(marks, len(dice), held))
    for special in delayed:
        queue(ctx, put_off(blow, special, ctx.state, boxes))
    take_hold(ctx, blow, held, bool(marks))


def _harm_rules(marks: Sequence[str], dice: int, held: Sequence[Special]) -> list[str]:
    found = {
        "GH-056": any(special.worsen for special in held),
        "GH-046": "/" in marks,
        "GH-047": "x" in marks,
        "GH-048": "*" in marks,
        "GH-045": dice == 1,
    }
    return ["GH-043", "GH-044", "GH-027", *(rule for rule, cited in found.items() if cited)]


def _defend(ctx: Ctx, blow: Blow) -> tuple[Part, ...] | None:
    """Return the parts that were not defended against, None if the attack fails (GH-005, GH-036 to GH-042)."""
    target, mode = blow.target, stats.rules(ctx.state).defence_rolls
    if mode == "per_part" and len(blow.mode.parts) > 1:
        return _defend_parts(ctx, blow)

    def earlier(state: State) -> Value:
        """Return the result of the target's defence in this phase, where it counts again."""
        return state[target].fact("phase_defence") if mode == "per_target" and blow.alone else None

    alike = ("GH-203",) if stats.rules(ctx.state).stances else ()
    result = check(
        ctx,
        f"defence:{target}",
        target,
        lambda state: _defence_ability(state, blow)[0],
        "defence",
        *("GH-005", "GH-006", "GH-039", "GH-A06", _defence_ability(ctx.state, blow)[1], *alike),
        edge=blow.edge,
        target=blow.who,
        words=DEFENCE,
        asked_if=lambda state: _defends(state, blow) and earlier(state) is None,
    )
    if not stop_or_lands(ctx, blow):
        return None
    if result is None:
        if (undefended := _undefended(ctx, blow)) is not None:
            return undefended
        ctx.note(f"the defence of this phase {earlier(ctx.state)}", "GH-040", about=target)
        return blow.mode.parts if earlier(ctx.state) == "failed" else None
    if mode == "per_target" and blow.alone:
        ctx.fact(target, "phase_defence", "held" if result.success else "failed", "GH-040")
    return None if result.success else blow.mode.parts


def _no_defence(state: State, blow: Blow) -> tuple[str, tuple[str, ...]] | None:
    """Return why the target has no defence, with the rules, or None."""
    helpless = stats.blocked(state[blow.target])
    if blow.target in stats.hosts(state, blow.who):
        return "stuck", ("GH-073", "GH-A10")
    if helpless:
        return helpless, ("GH-A18",) if helpless == "paralysed" else ("GH-121",)
    return ("the referee says so", ("GH-005",)) if blow.undefended else None


def _defence_ability(state: State, blow: Blow) -> tuple[Ability, str]:
    """Return the ability of the defence and its rule (GH-036 to GH-038)."""
    usual = blow.mode.defence or stats.pc(state, blow.target).defend_with
    ability = cast(Ability, blow.defence if blow.defence != "usual" else usual)
    return ability, {"dex": "GH-036", "con": "GH-037", "wis": "GH-038"}.get(ability, "GH-A23")


def _defends(state: State, blow: Blow) -> bool:
    return is_possible(state, blow) and _no_defence(state, blow) is None


def _undefended(ctx: Ctx, blow: Blow) -> tuple[Part, ...] | None:
    undefended = _no_defence(ctx.state, blow)
    if undefended is None:
        return None
    why, rules = undefended
    ctx.note(f"no defence: {why}", *rules, about=blow.target)
    return blow.mode.parts


def _defend_parts(ctx: Ctx, blow: Blow) -> tuple[Part, ...] | None:
    """Roll a defence against each part of an attack (GH-040).

    A target struck helpless between two parts has no more defence.
    """
    target = blow.target
    ability, rule = _defence_ability(ctx.state, blow)
    failed = []
    for place, part in enumerate(blow.mode.parts, start=1):
        key = f"defence:{target}" if place == 1 else f"defence:{target}#{place}"
        what = f"defence against {part.label or part.dice}"
        result = check(
            ctx,
            key,
            target,
            ability,
            what,
            "GH-040",
            rule,
            edge=blow.edge,
            target=blow.who,
            words=DEFENCE,
            asked_if=lambda state: _defends(state, blow),
        )
        if result is None and not stop_or_lands(ctx, blow):
            return None
        if result is None and place == 1:
            return _undefended(ctx, blow)
        if result is None or not result.success:
            failed.append(part)
    return tuple(failed) or None


def instead(ctx: Ctx, blow: Blow, special: Special, held: list[Special], *rules: str, armour: bool) -> list[Die]:
    """Resolve what replaces damage or the whole attack, and return its dice (GH-058, GH-060).

    A save, then the dice it leaves; without dice an effect that waits is saved against after the fight.
    """
    if not stop_or_lands(ctx, blow):
        return []
    if waits(special) and special.dice is None:
        queue(ctx, put_off(blow, special, ctx.state, ()))
        return []
    spared: bool | None = False
    if special.save:
        words = _save_words(ctx.state, special)
        spared = saved(ctx, blow, special, words=words, asked_if=lambda state: is_possible(state, blow))
        if spared is None and not stop_or_lands(ctx, blow):
            return []
    dice = special_dice(ctx, blow, special, bool(spared), *rules, armour=armour)
    if spared or not stats.here(ctx.state, blow.target):
        return dice
    if not waits(special):
        held.append(special)
    elif stats.lasting(special):
        queue(ctx, put_off(blow, special, ctx.state, (), saved=True))
    return marked(ctx, blow, special, dice)


def _save_words(state: State, special: Special) -> Words:
    """Return what a save against a special comes to: how many dice it leaves (GH-063)."""
    if special.dice is None:
        return Words()
    count, rounding = len(special.dice.sides), stats.rules(state).save_rounding
    return Words(f"{kept(count, special.keep_on_save, rounding)} of {count} dice", f"all {count} dice")


def take_marks(ctx: Ctx, blow: Blow, dice: Sequence[Die], held: Sequence[Special], *rules: str) -> None:
    marks = [die.mark for die in dice if die.mark]
    deep = ("GH-048",) if "*" in marks else ()
    worse = ("GH-056",) if any(special.worsen for special in held) else ()
    take_harm(ctx, blow.target, marks, *rules, *deep, *worse)
    take_hold(ctx, blow, held, bool(marks))


def take_hold(ctx: Ctx, blow: Blow, held: Sequence[Special], hit: bool) -> None:
    """Put effects on the target, then see whether it stays active (steps 7 to 9)."""
    for special in held:
        inflict(ctx, blow, special)
    track_check(ctx, f"con:{blow.target}", blow.target, int(hit), blow.save_edge)
