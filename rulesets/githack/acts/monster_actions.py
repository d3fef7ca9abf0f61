"""What monsters do, with the players' rolls (GH-005, GH-007).

The order of requests is 4.5.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import cast

from rulesets.githack.acts.attack_dice import Blow, Die, concerns, deepened, roll_damage, special_dice, worsened
from rulesets.githack.acts.monster_forms import attack_fields, no_attack, no_special, other_fields, special_fields
from rulesets.githack.acts.riders import applies, inflict, queue, saved, triggered, usual_save
from rulesets.githack.blocks.canonical import Ability, Mode, Part, Special
from rulesets.githack.ending.wounds import take_harm, track_check
from rulesets.githack.numbers import stats
from rulesets.githack.numbers.checks import Edge, check
from rulesets.githack.numbers.data import Delayed, Ward
from rulesets.githack.numbers.effects import DISTURBED, SPOILED_TURN
from rulesets.githack.numbers.harm import worse
from tracker.core.fight.events import Noted, StatusChanged
from tracker.core.fight.state import Combatant, Id, State
from tracker.core.step.ctx import Ctx
from tracker.core.terms.actions import Action, Option, action
from tracker.kit import fields
from tracker.kit.deeds import Deed
from tracker.kit.economy import budget

__all__ = ["MONSTER_DEEDS", "pay"]


def _attack(ctx: Ctx, act: Action) -> None:
    who = cast(Id, act.by)
    targets = fields.ids(act, "targets")
    mode = next(mode for mode in stats.monster(ctx.state, who).attacks if mode.name == act.get("mode"))
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
    """Settle hiding, guards and their strikes, and return the target (GH-209, GH-210)."""
    who = cast(Id, act.by)
    if ctx.state[named].has("hidden") and act.get("spotted") is True:
        ctx.end_named(named, "hidden", "spotted", "GH-213")
        if stats.stance(ctx.state, named) == "flank":
            ctx.add_effect(SPOILED_TURN.on(named), "GH-214")
    if not stats.rules(ctx.state).stances or stats.stuck_to(ctx.state, who) is not None:
        return named
    guards = [one.id for one in stats.pcs(ctx.state) if one.id != named and _guards(ctx, one.id, named)]
    target = _redirected(ctx, named, guards) if guards else named
    for combatant in stats.pcs(ctx.state):
        if combatant.id == target or combatant.id in guards:
            _struck_first(ctx, who, combatant)
    if stats.stance(ctx.state, target) == "device":
        ctx.add_effect(DISTURBED.on(target, stacking="keep"), "GH-221")
    return target


def _redirected(ctx: Ctx, named: Id, guards: Sequence[Id]) -> Id:
    """Ask whether a guard takes the attack (GH-209)."""
    options = [Option(f"redirect:{guard}", f"against {ctx.state.name(guard)}, who guards") for guard in guards]
    chosen = ctx.choose(
        "guard",
        [*options, Option("past_the_guard")],
        "GH-209",
        default=options[0].key,
        who=guards[0],
        why=f"{ctx.state.name(named)} is guarded",
        to="gm",
    )
    return named if chosen == "past_the_guard" else chosen.removeprefix("redirect:")


def _struck_first(ctx: Ctx, who: Id, defender: Combatant) -> None:
    """Let a defender with a main action left strike at the attacker (GH-210)."""
    able = stats.stance(ctx.state, defender.id) == "defend" and stats.acts(defender) and defender.left("main")
    if not able:
        return
    key, why = f"strike:{defender.id}", "strike at the attacker?"
    if ctx.choose(key, ("strike", "hold"), "GH-210", default="strike", who=defender.id, why=why) == "strike":
        ctx.perform(action("strike", defender.id, target=who), key)
        if not stats.in_fight(ctx.state[who]):
            ctx.stop("the attacker is slain")


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
    """Return the parts that were not defended against, None if the attack fails.

    GH-005, GH-036 to GH-042.
    """
    state, target = ctx.state, blow.target
    if undefended := _no_defence(state, blow):
        why, rules = undefended
        ctx.note(f"no defence: {why}", *rules, about=target)
        return blow.mode.parts
    mode = stats.rules(state).defence_rolls
    if mode == "per_part" and len(blow.mode.parts) > 1:
        return _defend_parts(ctx, blow)
    if mode == "per_target" and alone and (kept_result := state[target].fact("phase_defence")) is not None:
        ctx.note(f"the defence of this phase {kept_result}", "GH-040", about=target)
        return blow.mode.parts if kept_result == "failed" else None
    ability, rule = _defence_ability(state, blow)
    alike = ("GH-203",) if stats.rules(state).stances else ()
    cited = ("GH-005", "GH-006", "GH-039", "GH-A06", rule, *alike)
    key = f"defence:{target}"
    result = check(ctx, key, target, ability, "defence", *cited, edge=blow.edge, target=blow.who)
    if mode == "per_target" and alone:
        ctx.fact(target, "phase_defence", "held" if result.success else "failed", "GH-040")
    ctx.emit(
        Noted("the attack is defended" if result.success else "the attack connects", target),
        "GH-041" if result.success else "GH-042",
        "GH-009",
    )
    return None if result.success else blow.mode.parts


def _no_defence(state: State, blow: Blow) -> tuple[str, tuple[str, ...]] | None:
    """Return why the target has no defence, with the rules, or None."""
    helpless = stats.blocked(state[blow.target])
    if stats.stuck_to(state, blow.who) == blow.target:
        return "stuck", ("GH-073", "GH-A10")
    if helpless:
        return helpless, ("GH-A18",) if helpless == "paralysed" else ("GH-121",)
    return ("the referee says so", ("GH-005",)) if blow.undefended else None


def _defence_ability(state: State, blow: Blow) -> tuple[Ability, str]:
    """Return the ability of the defence and its rule (GH-036 to GH-038)."""
    usual = blow.mode.defence or stats.pc(state, blow.target).defend_with
    ability = cast(Ability, blow.defence if blow.defence != "usual" else usual)
    return ability, {"dex": "GH-036", "con": "GH-037", "wis": "GH-038"}.get(ability, "GH-A23")


def _defend_parts(ctx: Ctx, blow: Blow) -> tuple[Part, ...] | None:
    """Roll a defence against each part of an attack (GH-040)."""
    target = blow.target
    ability, rule = _defence_ability(ctx.state, blow)
    failed = []
    for place, part in enumerate(blow.mode.parts, start=1):
        key = f"defence:{target}" if place == 1 else f"defence:{target}#{place}"
        what = f"defence against {part.label or part.dice}"
        if not check(ctx, key, target, ability, what, "GH-040", rule, edge=blow.edge, target=blow.who).success:
            failed.append(part)
    return tuple(failed) or None


def _instead(ctx: Ctx, blow: Blow, special: Special, effects: list[Special]) -> list[Die]:
    """Resolve an effect that replaces damage (GH-058).

    A save, then dice that no armour stops.
    """
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
    """Breathe, cast, gaze: saves replace the attack (GH-060, A19)."""
    who = cast(Id, act.by)
    special = next(special for special in stats.specials(ctx.state, who) if special.name == act.get("special"))
    if special.uses is not None:
        used = ctx.state[who].fact(f"used:{special.name}", 0)
        ctx.fact(who, f"used:{special.name}", (used if isinstance(used, int) else 0) + 1, "GH-069", "GH-A26")
    mode = Mode(name=special.name)
    ctx.guard(lambda state: not state.clock.over, "the combat is over")
    targets = fields.ids(act, "targets")
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
    if act.get("what") == "flee":
        ctx.emit(StatusChanged(who, ctx.state[who].status, "gone"), "GH-010")
    ctx.note(f"{act.get('what')}: {act.get('text') or '-'}", "GH-002", about=who)


def pay(ctx: Ctx, deed: Deed, act: Action) -> None:
    """Spend the action of the round."""
    several = ("GH-A05", "GH-040") if len(fields.ids(act, "targets")) > 1 else ()
    by_stance = ("GH-202",) if stats.rules(ctx.state).stances else ()
    ctx.spend(str(act.by), "main", *deed.cites, *((*several, *by_stance) if deed.key == "attack" else ()))


_deed = partial(Deed, cost="turn", price=budget(main=1), cites=("GH-A22",), group="monster")

MONSTER_DEEDS = (
    _deed("attack", "Attack", "GH-004", perform=_attack, fields=attack_fields, refusal=no_attack),
    _deed("special", "Special", "GH-060", perform=_special, fields=special_fields, refusal=no_special),
    _deed("other", "Something else", "GH-002", perform=_other, fields=other_fields),
)
"""What a monster can do."""
