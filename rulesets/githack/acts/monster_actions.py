"""What monsters do: they attack, and the players roll (GH-005, GH-007). The order of requests is 4.5."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import cast

from rulesets.githack.acts.attack_dice import Blow, Die, concerns, deepened, roll_damage, special_dice, worsened
from rulesets.githack.acts.riders import applies, inflict, queue, saved, triggered, usual_save
from rulesets.githack.blocks.canonical import Ability, Mode, Part, Special
from rulesets.githack.ending.wounds import take_harm, track_check
from rulesets.githack.numbers import stats
from rulesets.githack.numbers.checks import Edge, check
from rulesets.githack.numbers.data import Delayed, Ward
from rulesets.githack.numbers.harm import worse
from tracker.core.fight.events import Noted, StatusChanged
from tracker.core.fight.state import Id
from tracker.core.step.ctx import Ctx
from tracker.core.terms.actions import Action, Option, action
from tracker.core.terms.effects import Effect
from tracker.core.terms.moments import At

__all__ = ["PERFORM"]


def _attack(ctx: Ctx, act: Action) -> None:
    who = cast(Id, act.by)
    targets = tuple(dict.fromkeys(cast("tuple[Id, ...]", act.get("targets"))))
    mode = next(mode for mode in stats.monster(ctx.state, who).attacks if mode.name == act.get("mode"))
    own = (("GH-A05", "GH-040") if len(targets) > 1 else ()) + (("GH-202",) if stats.rules(ctx.state).stances else ())
    ctx.spend(who, "main", "GH-A22", *own)
    ctx.guard(
        lambda state: not state.clock.over and who in state and stats.in_fight(state[who]),
        "the attacker is out of the fight",
    )
    for target in targets:
        with ctx.scope(target if len(targets) > 1 else ""):
            blow = Blow(
                who,
                _meet(ctx, act, target),
                mode,
                str(act.get("defence")),
                cast(Edge, str(act.get("edge"))),
                cast(Edge, str(act.get("save_edge"))),
                str(act.get("save_ability")),
                act.get("undefended") is True,
            )
            _resolve(ctx, blow, alone=len(targets) == 1)


def _meet(ctx: Ctx, act: Action, named: Id) -> Id:
    """Deal with hiding, guards and their strikes; return who is the target now (GH-209, GH-210)."""
    who = cast(Id, act.by)
    if ctx.state[named].has("hidden") and act.get("spotted") is True:
        ctx.end_named(named, "hidden", "spotted", "GH-213")
        if stats.stance(ctx.state, named) == "flank":
            ctx.add_effect(Effect("spoiled_turn", named, until=(At("round_end"),)), "GH-214")
    if not stats.rules(ctx.state).stances or stats.stuck_to(ctx.state, who) is not None:
        return named
    target = named
    guards = [
        combatant.id
        for combatant in stats.pcs(ctx.state)
        if combatant.id != named and _guards(ctx, combatant.id, named)
    ]
    if guards:
        options = [Option(f"redirect:{guard}", f"against {ctx.state.name(guard)}, who guards") for guard in guards] + [
            Option("past_the_guard")
        ]
        chosen = ctx.choose(
            "guard",
            options,
            "GH-209",
            default=options[0].key,
            who=guards[0],
            why=f"{ctx.state.name(named)} is guarded",
            to="gm",
        )
        if chosen != "past_the_guard":
            target = chosen.removeprefix("redirect:")
    for combatant in stats.pcs(ctx.state):
        strikes = combatant.id == target or combatant.id in guards
        able = stats.stance(ctx.state, combatant.id) == "defend" and stats.acts(combatant) and combatant.left("main")
        if not (strikes and able):
            continue
        why = "strike at the attacker?"
        if (
            ctx.choose(
                f"strike:{combatant.id}", ("strike", "hold"), "GH-210", default="strike", who=combatant.id, why=why
            )
            == "strike"
        ):
            ctx.perform(action("strike", combatant.id, target=who), f"strike:{combatant.id}")
            if not stats.in_fight(ctx.state[who]):
                ctx.stop("the attacker is slain")
    if stats.stance(ctx.state, target) == "device":
        ctx.add_effect(Effect("disturbed", target, until=(At("combat_end"),), stacking="keep"), "GH-221")
    return target


def _guards(ctx: Ctx, who: Id, ward: Id) -> bool:
    effect = ctx.state[who].effect("guarding")
    return (
        effect is not None and isinstance(effect.data, Ward) and effect.data.who == ward and stats.acts(ctx.state[who])
    )


def _resolve(ctx: Ctx, blow: Blow, alone: bool) -> None:
    """Steps (1) to (9) of a monster's attack on one target."""
    failed = _defend(ctx, blow, alone)
    if failed is None:
        return
    state, target = ctx.state, blow.target
    riders = [
        special
        for special in (*stats.monster(state, blow.who).specials, *blow.mode.specials)
        if special.when != "instead_of_attack"
    ]
    riders = [
        special for special in riders if not special.part or any(concerns(special, part.label) for part in failed)
    ]
    instead = [special for special in riders if special.when == "instead_of_damage"]
    whole = [special for special in instead if not special.part]
    effects: list[Special] = []
    if whole:
        dice: list[Die] = []
        for special in whole:
            dice += _instead(ctx, blow, special, effects)
        boxes = take_harm(ctx, target, [die.mark for die in dice if die.mark], "GH-058")
        _finish(ctx, blow, effects, bool(boxes))
        return
    extra: list[Die] = []
    for special in instead:
        extra += _instead(ctx, blow, special, effects)
    dice = roll_damage(
        ctx, blow, [part for part in failed if not any(concerns(special, part.label) for special in instead)]
    )
    dice = deepened(dice, riders)
    delayed: list[Special] = []
    for special in riders:
        if special.when == "instead_of_damage" or not triggered(ctx, special, dice):
            continue
        if special.timing == "after_combat":
            delayed.append(special)
        elif applies(ctx, blow, special, sum(1 for die in dice if die.mark and concerns(special, die.part))):
            effects.append(special)
            if special.worsen:
                dice = [worsened(die) if concerns(special, die.part) else die for die in dice]
    marks = [die.mark for die in (*dice, *extra) if die.mark]
    rules = ["GH-043", "GH-044", "GH-027"] + (["GH-056"] if any(special.worsen for special in effects) else [])
    rules += ["GH-046"] if "/" in marks else []
    rules += ["GH-047"] if "x" in marks else []
    rules += ["GH-048"] if "*" in marks else []
    rules += ["GH-045"] if len(dice) == 1 else []
    boxes = take_harm(ctx, target, marks, *rules)
    for special in delayed:
        placed = tuple(box for box in boxes if box is not None)
        queue(ctx, Delayed(target, special.name, usual_save(ctx, special) if special.save else "", placed))
    _finish(ctx, blow, effects, bool(marks))


def _defend(ctx: Ctx, blow: Blow, alone: bool) -> tuple[Part, ...] | None:
    """Return the parts that were not defended against; None: nothing gets through (GH-005, GH-036 to GH-042)."""
    state, target = ctx.state, blow.target
    continuing = stats.stuck_to(state, blow.who) == target
    helpless = stats.blocked(state[target])
    if continuing or helpless or blow.undefended:
        rules = (
            ("GH-073", "GH-A10")
            if continuing
            else ("GH-A18",)
            if helpless == "paralysed"
            else ("GH-121",)
            if helpless
            else ("GH-005",)
        )
        ctx.note(f"no defence: {'stuck' if continuing else helpless or 'the referee says so'}", *rules, about=target)
        return blow.mode.parts
    mode = stats.rules(state).defence_rolls
    ability = cast(
        Ability, blow.defence if blow.defence != "usual" else blow.mode.defence or stats.pc(state, target).defend_with
    )
    rule = {"dex": "GH-036", "con": "GH-037", "wis": "GH-038"}.get(ability, "GH-A23")
    if mode == "per_part" and len(blow.mode.parts) > 1:
        failed = []
        for place, part in enumerate(blow.mode.parts, start=1):
            key = f"defence:{target}" if place == 1 else f"defence:{target}#{place}"
            if not check(
                ctx,
                key,
                target,
                ability,
                f"defence against {part.label or part.dice}",
                "GH-040",
                rule,
                edge=blow.edge,
                target=blow.who,
            ).success:
                failed.append(part)
        return tuple(failed) or None
    if mode == "per_target" and alone and (kept_result := state[target].fact("phase_defence")) is not None:
        ctx.note(f"the defence of this phase {kept_result}", "GH-040", about=target)
        return blow.mode.parts if kept_result == "failed" else None
    alike = ("GH-203",) if stats.rules(state).stances else ()
    result = check(
        ctx,
        f"defence:{target}",
        target,
        ability,
        "defence",
        "GH-005",
        "GH-006",
        "GH-039",
        "GH-A06",
        rule,
        *alike,
        edge=blow.edge,
        target=blow.who,
    )
    if mode == "per_target" and alone:
        ctx.fact(target, "phase_defence", "held" if result.success else "failed", "GH-040")
    ctx.emit(
        Noted("the attack is defended" if result.success else "the attack connects", target),
        "GH-041" if result.success else "GH-042",
        "GH-009",
    )
    return None if result.success else blow.mode.parts


def _instead(ctx: Ctx, blow: Blow, special: Special, effects: list[Special]) -> list[Die]:
    """Resolve an effect in the place of damage: a save, then dice that no armour stops (GH-058)."""
    held = bool(special.save) and saved(ctx, blow, special)
    if not held:
        effects.append(special)
    return special_dice(ctx, blow, special, held, 0, "GH-058")


def _finish(ctx: Ctx, blow: Blow, effects: Sequence[Special], hit: bool) -> None:
    """Put effects on the target, then see whether it stays active (steps 7 to 9)."""
    for special in effects:
        inflict(ctx, blow, special)
    track_check(ctx, f"con:{blow.target}", blow.target, int(hit), blow.save_edge)


def _special(ctx: Ctx, act: Action) -> None:
    """Breathe, cast, gaze: a saving throw in the place of the attack (GH-060, A19)."""
    who = cast(Id, act.by)
    special = next(special for special in stats.specials(ctx.state, who) if special.name == act.get("special"))
    ctx.spend(who, "main", "GH-A22")
    if special.uses is not None:
        used = ctx.state[who].fact(f"used:{special.name}", 0)
        ctx.fact(who, f"used:{special.name}", (used if isinstance(used, int) else 0) + 1, "GH-069", "GH-A26")
    mode = Mode(name=special.name)
    ctx.guard(lambda state: not state.clock.over, "the combat is over")
    targets = tuple(dict.fromkeys(cast("tuple[Id, ...]", act.get("targets"))))
    for target in targets:
        blow = Blow(
            who, target, mode, "usual", "none", cast(Edge, str(act.get("save_edge"))), str(act.get("save_ability"))
        )
        held = bool(special.save) and saved(ctx, blow, special)
        dice = special_dice(ctx, blow, special, held, stats.ac(ctx.state, target), "GH-060", "GH-069", "GH-A19")
        marks = [
            "*" if special.deep else worse(die.mark) if special.worsen and not held else die.mark
            for die in dice
            if die.mark
        ]
        take_harm(ctx, target, marks, "GH-060", "GH-044")
        if held and special.keep_on_save != "0" and special.dice is not None:
            ctx.note(f"the save leaves {len(dice)} dice", "GH-063", about=target)
        _finish(ctx, blow, [] if held else [special], bool(marks))


def _other(ctx: Ctx, act: Action) -> None:
    who = cast(Id, act.by)
    ctx.spend(who, "main", "GH-A22")
    if act.get("what") == "flee":
        ctx.emit(StatusChanged(who, ctx.state[who].status, "gone"), "GH-010")
    ctx.note(f"{act.get('what')}: {act.get('text') or '-'}", "GH-002", about=who)


PERFORM: dict[str, Callable[[Ctx, Action], None]] = {"attack": _attack, "special": _special, "other": _other}
