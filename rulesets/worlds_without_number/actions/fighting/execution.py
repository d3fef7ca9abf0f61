"""Execution attacks on an unsuspecting target (WN-171 to WN-183, R28)."""

from __future__ import annotations

from collections.abc import Sequence

from rulesets.without_number.stats import cited
from rulesets.without_number.turn import FREE, MAIN, in_setup, own_phase
from rulesets.worlds_without_number.actions.fighting import strike
from rulesets.worlds_without_number.actions.fighting.strike import loose
from rulesets.worlds_without_number.actions.fighting.strikes import described
from rulesets.worlds_without_number.actions.fighting.weapons import alerted, attack_of, default_target, target_field
from rulesets.worlds_without_number.actions.validity import attack_lapse, goes_on, lapses
from rulesets.worlds_without_number.aftermath import wounds
from rulesets.worlds_without_number.stat_blocks.models import PC, Monster, Use
from rulesets.worlds_without_number.stats.attack import Attack
from rulesets.worlds_without_number.stats.checks import against, save, total
from rulesets.worlds_without_number.stats.effects import ALERT
from rulesets.worlds_without_number.stats.stats import block, check_parts, expects_trouble, level, rules
from tracker.core.fight.slots import Id
from tracker.core.fight.state import State
from tracker.core.game.action_types import ActionType, Budget
from tracker.core.step.ctx import Ctx
from tracker.core.step.fields import flag, text
from tracker.core.terms.actions import Action, Field, Option
from tracker.core.terms.derived import Part
from tracker.core.terms.errors import Refusal

DIFFICULTY = {"near": 6, "normal": 8, "long": 10}
USES: dict[str, tuple[Use, ...]] = {"melee": ("melee",), "ranged": ("ranged", "thrown")}


def _mode(state: State, action: Action) -> str:
    """Return whether it is done at hand or from afar, as chosen or usual."""
    chosen = text(action, "mode")
    if chosen in USES or action.by is None:
        return chosen or "melee"
    arms = block(state[action.by]).arms
    arm = next((arm for arm in arms if arm.name == text(action, "weapon")), arms[0])
    return "melee" if "melee" in arm.kind else "ranged"


def _attack(state: State, action: Action) -> Attack | None:
    return attack_of(state, action, USES[_mode(state, action)])


def _fields(state: State, action: Action) -> tuple[Field, ...]:
    who = action.by
    if who is None:
        return ()
    mode, attack = _mode(state, action), _attack(state, action)
    arms = tuple(
        Option(arm.name, note=str(arm.dmg))
        for arm in block(state[who]).arms
        if any(use in arm.kind for use in USES[mode])
    )
    attribute: tuple[Field, ...] = ()
    if attack is not None and isinstance(block(state[who]), PC):
        options = tuple(Option(name) for name in attack.weapon.attr)
        attribute = (Field("attribute", "choice", default=attack.attribute, options=options),)
    return (
        target_field(state, who, default_target(state, who)),
        Field("confirmed", "flag", "after a minute undisturbed and unsuspected", default=False),
        Field("mode", "choice", default=mode, options=(Option("melee"), Option("ranged"))),
        Field("weapon", "choice", default=attack.weapon.name if attack else None, options=arms, required=True),
        Field(
            "band",
            "choice",
            default="normal",
            options=(Option("near", "within 6 feet"), Option("normal", "normal range"), Option("long", "long range")),
        ),
        *attribute,
        Field("nonlethal", "flag", "non-lethal", default=False),
    )


def _refusal(state: State, action: Action) -> Refusal | None:
    who = action.by
    if who is None:
        return None
    if not in_setup(state) and not own_phase(state, who):
        return Refusal("not_own_phase", f"it is not {state.name(who)}'s phase", "WN-006")
    attack = _attack(state, action)
    if attack is not None:
        stat_block = block(state[attack.target])
        wary = (isinstance(stat_block, Monster) and stat_block.expects_trouble) or expects_trouble(
            state, state[attack.target].side
        )
        if wary or alerted(state, attack.target):
            return Refusal("alert", f"{state.name(attack.target)} suspects danger", "WN-172")
    if not flag(action, "confirmed"):
        minute = "WN-177" if _mode(state, action) == "melee" else "WN-173"
        return Refusal("unconfirmed", "an execution needs a full undisturbed minute: confirm it", minute)
    return None


def _price(state: State, action: Action) -> Budget:
    return FREE if in_setup(state) else MAIN


def _execute(ctx: Ctx, action: Action) -> None:
    mode = _mode(ctx.state, action)
    attack = described(ctx, action, USES[mode])
    if mode == "melee":
        ctx.note("hits by itself", "WN-178", "WN-171", "WN-177", about=attack.actor)
    if mode == "melee" or _aimed(ctx, attack, text(action, "band")):
        _land(ctx, attack)
    if attack.target in ctx.state:
        _alert(ctx, attack.target)


def _aimed(ctx: Ctx, attack: Attack, band: str) -> bool:
    """Make the check of a shot: Dex and Shoot against the distance (WN-175, WN-176)."""
    if not goes_on(ctx, f"check:{attack.actor}", "execution", attack.actor, lambda state: _spoilt(state, attack)):
        return False
    loose(ctx, attack)
    own = total(
        ctx,
        attack.actor,
        lambda state: check_parts(state[attack.actor], "shoot", "dex"),
        f"check:{attack.actor}",
        "WN-175",
        "WN-171",
        "WN-173",
        why="execution",
    )
    return against(
        ctx, "execution", attack.actor, own, (Part(f"{band} range", DIFFICULTY[band], "WN-175"),), "WN-175", "WN-176"
    )


def _spoilt(state: State, attack: Attack) -> str:
    """Return what spoils an execution: its victim is gone, or on its guard (WN-172, WN-174)."""
    why = attack_lapse(state, attack)
    return why or (f"{state.name(attack.target)} suspects danger" if alerted(state, attack.target) else "")


def _land(ctx: Ctx, attack: Attack) -> None:
    """Let the victim save against the blow (WN-179 to WN-182)."""
    if not goes_on(ctx, "save", "execution", attack.actor, lambda state: _spoilt(state, attack)):
        return
    traumatic = rules(ctx.state).trauma and strike.applies(ctx.state, attack)
    if traumatic:
        strike.mark(ctx, attack.target)
    skill = max(0, level(block(ctx.state[attack.actor]), attack.skill))
    saved = save(
        ctx,
        attack.target,
        "physical",
        "WN-179",
        penalty=Part("assailant's combat skill", -skill, "WN-179"),
        why="execution",
    )
    if lapses(ctx, "execution", attack.actor, attack_lapse(ctx.state, attack)):
        return
    if saved:
        _resisted(ctx, attack, traumatic)
        return
    amount = ctx.state[attack.target].hp
    _deal(ctx, attack, amount, (Part("all", amount, "WN-180"),), "WN-180", harm="execution")


def _deal(ctx: Ctx, attack: Attack, amount: int, parts: Sequence[Part], *cites: str, harm: wounds.Harm) -> None:
    harm = "nonlethal" if attack.nonlethal else harm
    wounds.deal(ctx, attack.target, amount, *cites, parts=parts, why="execution", source=attack.actor, harm=harm)


def _resisted(ctx: Ctx, attack: Attack, traumatic: bool) -> None:
    """Do the most a hit can do, with trauma a rolled hit that is traumatic (WN-181, WN-182)."""
    dice = attack.weapon.dmg.natural
    rolled: int | None = dice.maximum
    if traumatic:
        rolled = ctx.roll(
            "damage",
            dice,
            "WN-182",
            who=attack.actor,
            why="execution",
            asked_if=lambda state: not attack_lapse(state, attack),
        )
    if rolled is None:
        lapses(ctx, "damage", attack.actor, attack_lapse(ctx.state, attack))
        return
    rule = "WN-182" if traumatic else "WN-181"
    die = Part(str(dice) if traumatic else f"{dice} at its most", rolled, rule)
    amount, parts, _ = strike.damage_of(ctx.state, attack, (die,))
    more = strike.multiplied(amount, attack) if traumatic else None
    if more is not None:
        parts.append(more)
        amount += more.amount
    _deal(ctx, attack, amount, parts, *cited(parts, rule), harm="lethal")


def _alert(ctx: Ctx, target: Id) -> None:
    """Put the target on its guard, whatever came of it (WN-172)."""
    ctx.add_effect(ALERT.on(target, stacking="keep"), "WN-172")


ACTIONS = (ActionType("execution", "Execution attack", "WN-171", "Main", _price, "any", _execute, _fields, _refusal),)
