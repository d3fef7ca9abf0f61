"""Shoves and grapples: opposed checks instead of harm (WN-147 to WN-165, R25)."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from msgspec.structs import replace

from rulesets.without_number import aftermath as shared
from rulesets.without_number import stats as family
from rulesets.without_number.actions import not_grappled
from rulesets.without_number.stats import Total, cited
from rulesets.without_number.turn import FREE, Check, main_action
from rulesets.worlds_without_number.actions.fighting.strike import (
    Aimed,
    aim,
    damage_of,
    fells,
    fells_anyway,
    reconsider,
)
from rulesets.worlds_without_number.actions.fighting.strikes import MELEE, begin, described
from rulesets.worlds_without_number.actions.fighting.weapons import attack_fields, attack_of, fits, misfit
from rulesets.worlds_without_number.actions.validity import attack_lapse, lapses
from rulesets.worlds_without_number.aftermath import wounds
from rulesets.worlds_without_number.aftermath.wounds import Grip
from rulesets.worlds_without_number.stat_blocks.models import PC, Weapon
from rulesets.worlds_without_number.stats.attack import Attack
from rulesets.worlds_without_number.stats.checks import beats, opposed, tell
from rulesets.worlds_without_number.stats.effects import PRONE
from rulesets.worlds_without_number.stats.stats import best_attribute, block, check_parts, level, size_penalty, unarmed
from tracker.core.fight.slots import Id
from tracker.core.fight.state import Combatant, State
from tracker.core.game.action_types import ActionType
from tracker.core.step.ctx import Ctx
from tracker.core.step.fields import number, text
from tracker.core.terms.actions import Action, Field, Option
from tracker.core.terms.derived import Part
from tracker.core.terms.effects import Effect
from tracker.core.terms.errors import Refusal

SHOVE = ("exert", "punch")
GRAPPLE = ("punch",)


def grip(combatant: Combatant) -> Grip | None:
    held = shared.grip(combatant.effects)
    return held if isinstance(held, Grip) else None


def assailants(state: State, victim: Id) -> tuple[Id, ...]:
    """Return the grapplers of a victim, in file order (WN-161)."""
    holding = {effect.source for effect in state.borne(victim) if effect.name == "grappled"}
    return tuple(combatant.id for combatant in state.combatants if combatant.id in holding) if holding else ()


def _best(combatant: Combatant, skills: Sequence[str]) -> str:
    stat_block = block(combatant)
    return max(skills, key=lambda skill: level(stat_block, skill))


def _check_fields(state: State, action: Action, skills: Sequence[str]) -> tuple[Field, ...]:
    options = tuple(Option(skill) for skill in skills)
    attack = attack_of(state, action, MELEE)
    target = None if attack is None else state[attack.target]
    sides = (("my_skill", state.get(action.by)), ("their_skill", target))
    trained = ((name, one) for name, one in sides if one is None or isinstance(block(one), PC))
    chosen = (
        Field(name, "choice", default=skills[0] if one is None else _best(one, skills), options=options)
        for name, one in trained
    )
    return (*chosen, Field("modifier", "number", "to the check", default=0))


def _own(state: State, who: Id, skill: str, other: Id, extra: int = 0) -> tuple[Part, ...]:
    """Return the check of a grappler or shover, harder against larger targets (WN-164, WN-165)."""
    parts = (*check_parts(state[who], skill, "str"), *size_penalty(state, who, other))
    return (*parts, *_situation(extra))


def _landed(ctx: Ctx, attack: Attack, what: str) -> Aimed | None:
    """Return the attack of a shove or grapple if it hits and goes on to the check."""
    begin(ctx, attack)
    aimed = aim(ctx, attack)
    if aimed is None or not aimed.hit:
        return None
    aimed = reconsider(ctx, aimed, f"check:{attack.actor}", what)
    return aimed if aimed is not None and aimed.hit else None


def _contest(ctx: Ctx, what: str, action: Action, attack: Attack, skills: Sequence[str], *rules: str) -> bool:
    """Return whether the attacker wins the opposed check after a hit."""
    who, target = attack.actor, attack.target
    mine = text(action, "my_skill") or _best(ctx.state[who], skills)
    theirs = text(action, "their_skill") if target == text(action, "target") else ""
    theirs = theirs or _best(ctx.state[target], skills)  # a screener has a skill of its own
    made = opposed(
        ctx,
        what,
        who,
        lambda state: _own(state, who, mine, target, number(action, "modifier")),
        ((target, lambda state: check_parts(state[target], theirs, "str")),),
        lambda state, one: not attack_lapse(state, attack),
        *rules,
    )  # fmt: skip - one check
    if made is None:
        return False
    own, ((_, other),) = made
    won = beats(ctx.state, who, own, target, other)
    tell(ctx, what, who, own, target, other, won, *rules)
    return won


def _shove_fields(state: State, action: Action) -> tuple[Field, ...]:
    return (*attack_fields(state, action, MELEE), *_check_fields(state, action, SHOVE))


def _shove(ctx: Ctx, action: Action) -> None:
    """Hit, win the check, then push or fell (WN-147 to WN-149)."""
    attack = replace(described(ctx, action, MELEE), harmless=True)
    aimed = _landed(ctx, attack, "shove")
    if aimed is None:
        return
    target = aimed.attack.target
    if not _contest(ctx, "shove", action, aimed.attack, SHOVE, "WN-147", "WN-148"):
        return
    done = ctx.choose(
        "push_or_prone",
        (Option("push", "push up to 10 feet back"), Option("prone", "knock prone")),
        "WN-149",
        default="push",
        who=attack.actor,
        why=f"{ctx.state.name(target)} is shoved",
        asked_if=lambda state: not attack_lapse(state, aimed.attack),
    )
    if done is None:
        lapses(ctx, "shove", attack.actor, attack_lapse(ctx.state, aimed.attack))
    elif done == "prone":
        ctx.add_effect(PRONE.on(target, attack.actor, stacking="keep"), "WN-149")
    else:
        ctx.note("goes back up to 10 feet", "WN-149", about=target)


def _holds(state: State, who: Id) -> tuple[Weapon, ...]:
    """Return what a combatant can grapple with, the usual one first."""
    usual = unarmed(state, who)
    arms = [arm for arm in block(state[who]).arms if "melee" in arm.kind and (arm.natural or arm.name == usual.name)]
    return tuple(sorted(arms, key=lambda arm: arm.name != usual.name))


def _bare(state: State, action: Action) -> Action:
    """Return the grapple with the unarmed attack it is made with."""
    arms = () if action.by is None else _holds(state, action.by)
    chosen = any(arm.name == text(action, "weapon") for arm in arms)
    return action if chosen or not arms else action.put(weapon=arms[0].name)


def _grapple_fields(state: State, action: Action) -> tuple[Field, ...]:
    if action.by is None:
        return ()
    arms = _holds(state, action.by)
    usual = text(_bare(state, action), "weapon") if arms else None
    options = tuple(Option(arm.name) for arm in arms)
    found = (
        replace(field, options=options, default=usual) if field.name == "weapon" else field
        for field in attack_fields(state, _bare(state, action), MELEE)
    )
    return (
        *found,
        Field("hands_free", "flag", "both hands free", default=_empty_handed(state, action.by)),
        *_check_fields(state, action, GRAPPLE),
    )


def _empty_handed(state: State, who: Id) -> bool:
    """Tell whether a combatant carries no weapon: it has fangs and claws, or nothing."""
    return all(arm.natural for arm in block(state[who]).arms)


def _grapple_refusal(state: State, action: Action) -> Refusal | None:
    if action.by is None:
        return None
    combatant = state[action.by]
    if not _holds(state, action.by):
        return Refusal("no_weapon", f"{combatant.name} has no body for a grapple", "WN-150", forcible=False)
    if combatant.has("grappling"):
        return Refusal("grappling", f"{combatant.name} holds a victim already", "WN-160")
    free = action.get("hands_free")
    if not (_empty_handed(state, action.by) if free is None else free is True):
        return Refusal("hands_full", "a grapple takes both hands free", "WN-150")
    return misfit(state, _bare(state, action), MELEE)


def _grapple(ctx: Ctx, action: Action) -> None:
    """Hit unarmed, win the check, and hold on (WN-150 to WN-152)."""
    attack = replace(described(ctx, _bare(ctx.state, action), MELEE), harmless=True)
    aimed = _landed(ctx, attack, "grapple")
    if aimed is None:
        return
    who, victim = attack.actor, aimed.attack.target
    if not _contest(ctx, "grapple", action, aimed.attack, GRAPPLE, "WN-150", "WN-151"):
        return
    ctx.end_named(victim, "screening", "the screener is grappled", "WN-R26")
    found = ("WN-152", "WN-161") if ctx.state[victim].has("grappled") else ("WN-152",)
    title = f"grappled by {ctx.state.name(who)}"
    held = ctx.add_effect(Effect("grappled", victim, source=who, stacking="add", title=title), *found)
    title = f"grapples {ctx.state.name(victim)}"
    ctx.add_effect(
        Effect("grappling", who, source=who, parent=held, data=Grip(victim, attack.nonlethal), title=title, quiet=True),
        *found,
    )


def _modifier(state: State, action: Action) -> tuple[Field, ...]:
    return (Field("modifier", "number", "to the check", default=0),)


def _escape_refusal(state: State, action: Action) -> Refusal | None:
    return not_grappled(state, action, "WN-153")


def _escape(ctx: Ctx, action: Action) -> None:
    """Try to beat all assailants and break free (WN-153, WN-162)."""
    who, extra = str(action.by), number(action, "modifier")
    holding = assailants(ctx.state, who)
    rules = ("WN-153", "WN-162") if len(holding) > 1 else ("WN-153",)
    if not holding:
        shared.release(ctx, who, "nothing opposes it", *rules)
        return
    made = opposed(
        ctx,
        "escape",
        who,
        lambda state: (*check_parts(state[who], "punch", "str"), *_situation(extra)),
        [(other, partial(_own, who=other, skill="punch", other=who)) for other in holding],
        lambda state, other: other in assailants(state, who),
        *rules,
    )
    if made is None:
        return
    own, others = made
    free = True
    for other, theirs in others:
        won = own.sum > theirs.sum if len(others) > 1 else beats(ctx.state, who, own, other, theirs)
        tell(ctx, "escape", who, own, other, theirs, won, *rules)
        free = free and won
    if free:
        shared.release(ctx, who, "breaks free", *rules)


def _situation(extra: int) -> tuple[Part, ...]:
    return (Part("situation", extra, "WN-C01"),) if extra else ()


def _holding(rule: str) -> Check:
    """Return the check that an actor holds a victim."""

    def check(state: State, action: Action) -> Refusal | None:
        if action.by is None or state[action.by].has("grappling"):
            return None
        return Refusal("not_grappling", f"{state.name(action.by)} holds nobody", rule, forcible=False)

    return check


def _move(ctx: Ctx, action: Action) -> None:
    """Drag or throw the victim, or lose hold of it (WN-157 to WN-159)."""
    who, held = str(action.by), grip(ctx.state[str(action.by)])
    if held is None:
        return
    victim = held.victim
    rest = [other for other in assailants(ctx.state, victim) if other != who]
    made = opposed(
        ctx,
        "move the victim",
        who,
        lambda state: _own(state, who, "punch", victim, number(action, "modifier")),
        [
            (victim, lambda state: check_parts(state[victim], "punch", "str")),
            *((other, partial(_own, who=other, skill="punch", other=victim)) for other in rest),
        ],
        lambda state, one: who in assailants(state, victim) and one in (victim, *assailants(state, victim)),
        "WN-157",
    )
    if made is None:
        return
    own, ((_, theirs), *others) = made
    won = own.sum > theirs.sum
    tell(ctx, "move the victim", who, own, victim, theirs, won, "WN-157", *(() if won else ("WN-159",)))
    if won:
        _carry_or_throw(ctx, who, victim)
    elif _beats_all(ctx, victim, theirs, others):
        shared.release(ctx, victim, "escapes", "WN-159")


def _beats_all(ctx: Ctx, victim: Id, own: Total, others: Sequence[tuple[Id, Total]]) -> bool:
    """Tell whether the victim beats the other assailants too (WN-162, R25)."""
    free = True
    for other, theirs in others:
        won = own.sum > theirs.sum
        tell(ctx, "escape", victim, own, other, theirs, won, "WN-162")
        free = free and won
    return free


def _lost(state: State, who: Id, victim: Id) -> str:
    """Return why a grappler moves nobody any more."""
    return "" if who in assailants(state, victim) else f"{state.name(victim)} is held no more"


def _carry_or_throw(ctx: Ctx, who: Id, victim: Id) -> None:
    done = ctx.choose(
        "carry_or_throw",
        (Option("carry", "both move up to 10 feet"), Option("throw", "throw it 5 feet, prone")),
        "WN-158",
        default="carry",
        who=who,
        why=f"{ctx.state.name(victim)} is moved",
        asked_if=lambda state: not _lost(state, who, victim),
    )
    if done is None:
        lapses(ctx, "move the victim", who, _lost(ctx.state, who, victim))
    elif done == "carry":
        shared.release(ctx, victim, "carried away", "WN-R25", but=who)
        ctx.note("both move up to 10 feet", "WN-158", about=who)
    else:
        shared.release(ctx, victim, "thrown", "WN-158")
        ctx.add_effect(PRONE.on(victim, who, stacking="keep"), "WN-158")


def _release(ctx: Ctx, action: Action) -> None:
    held = grip(ctx.state[str(action.by)])
    if held is not None:
        shared.release(ctx, held.victim, "released", "WN-034", "WN-152", only=action.by)


def crush(ctx: Ctx) -> None:
    """Do the harm of every grapple at the end of a round (WN-156).

    Victims come in order of initiative, their assailants in file order.
    """
    ordered = dict.fromkeys(who for slot in ctx.state.clock.slots for who in slot.members)
    ordered.update(dict.fromkeys(combatant.id for combatant in ctx.state.combatants))
    for victim in ordered:
        for assailant in assailants(ctx.state, victim):
            _squeeze(ctx, assailant, victim)


def _hold(state: State, assailant: Id, victim: Id) -> tuple[Attack, bool]:
    """Return a grapple as an attack, and whether it spares the victim's life."""
    stat_block, held = block(state[assailant]), grip(state[assailant])
    arm = stat_block.unarmed
    attack = Attack(assailant, victim, arm, "melee", best_attribute(stat_block, arm.attr), "punch")
    return attack, held is not None and held.nonlethal


def _squeeze(ctx: Ctx, assailant: Id, victim: Id) -> None:
    def holds(state: State) -> bool:
        return assailant in assailants(state, victim)

    natural = ctx.roll(
        f"grapple:{assailant}:{victim}",
        lambda state: block(state[assailant]).unarmed.dmg.natural,
        "WN-156",
        who=assailant,
        why=f"the hold on {ctx.state.name(victim)}",
        needed=lambda state: fells(state, *_hold(state, assailant, victim), traumatic=False),
        asked_if=lambda state: holds(state) and not fells_anyway(state, _hold(state, assailant, victim)[0], "WN-156"),
    )
    if not holds(ctx.state):  # an earlier hit may have ended it
        return
    attack, nonlethal = _hold(ctx.state, assailant, victim)
    dice = family.damage_dice(attack.weapon.dmg, natural, "WN-156", "WN-R49")
    amount, parts, found = damage_of(ctx.state, attack, dice)
    harm: wounds.Harm = "nonlethal" if nonlethal else "lethal"
    cites = cited(parts, "WN-156", "WN-R25", *found)
    wounds.deal(ctx, victim, amount, *cites, parts=parts, why="grapple", source=assailant, harm=harm)
    ctx.settle()


ACTIONS = (
    main_action("shove", "Shove", "WN-147", _shove, _shove_fields, fits(MELEE), "grapple"),
    main_action("grapple", "Grapple", "WN-150", _grapple, _grapple_fields, _grapple_refusal, "grapple"),
    main_action("escape_grapple", "Escape", "WN-153", _escape, _modifier, _escape_refusal, "grapple"),
    main_action("move_grappled", "Move the victim", "WN-157", _move, _modifier, _holding("WN-157"), "grapple"),
    ActionType(
        "release", "Release", "WN-152", "On Turn", FREE, "turn", _release, refusal=_holding("WN-152"), group="grapple"
    ),
)
