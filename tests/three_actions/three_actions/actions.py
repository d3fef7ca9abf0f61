"""The deeds of a turn, the reactions, and what a spell does."""

from __future__ import annotations

from msgspec.structs import replace

from three_actions.blocks import CONDITIONS, Spell, block, points_of, stat
from three_actions.checks import check, hurt, strike
from three_actions.turns import DAMAGE, ECONOMY, ORDER
from tracker.kit import (
    Action,
    ActionTable,
    ActionType,
    At,
    Budget,
    Ctx,
    Degree,
    Dice,
    Effect,
    EffectChanged,
    Field,
    Harm,
    Id,
    Modifier,
    NamedEffect,
    Option,
    Part,
    Refusal,
    State,
    Tactics,
    Window,
    answering,
    budget,
    fields,
    refusals,
    who_anchor,
)

COVER = (Modifier("armour", 2, kind="circumstance"),)
RAISED = NamedEffect("shield_raised", "", (At("turn_start", "bearer"),), "TA-08", modifiers=lambda value: COVER)
READIED = NamedEffect("readied", "", (At("turn_start", "bearer"),), "TA-04")
SUSTAINING = "sustaining"


def at_whom(state: State, action: Action) -> tuple[Field, ...]:
    weapons = [Option(one.name, f"{one.name} {one.damage}") for one in block(state, fields.actor(action)).weapons]
    return fields.target(fields.options(fields.foes(state, action.by))), fields.choice("weapon", weapons)


def do_strike(ctx: Ctx, action: Action) -> None:
    """Strike in one's own turn, or as readied, which does not count."""
    who, readied = fields.actor(action), action.key == "readied_strike"
    if readied:
        ctx.end_named(who, "readied", "used", "TA-04")
    weapon = next(one for one in block(ctx.state, who).weapons if one.name == action.get("weapon"))
    strike(ctx, who, fields.text(action, "target"), weapon, counted=not readied)


def when_ready(state: State, window: Window) -> tuple[Action, ...]:
    """Let those who are ready strike at a foe that acts."""
    foes = fields.foes(state, window.actor) if window.name == "acts" else ()
    return tuple(Action("", one.id, (("target", window.actor),)) for one in foes if one.has("readied"))


def shieldless(state: State, action: Action) -> Refusal | None:
    """Refuse what needs a whole shield, and a block with one that is not raised."""
    one = state[fields.actor(action)]
    whole, raised = points_of(state, one.id, "shield"), one.has("shield_raised") or action.key == "raise"
    return refusals.first(
        refusals.unless(whole, "no_shield", f"{one.name} has no whole shield", "TA-08", forcible=False),
        refusals.unless(raised, "not_raised", f"{one.name} has the shield down", "TA-09"),
    )


def demoralise(ctx: Ctx, action: Action) -> None:
    """Frighten a foe (TA-14)."""
    who, target = fields.actor(action), fields.text(action, "target")
    theirs = stat(target, "will", Part("base", 10), Part("will", block(ctx.state, target).will))
    found = check(ctx, "demoralise", who, stat(who, "will"), theirs, "TA-14", target=target)
    if found >= Degree.SUCCESS and target in ctx.state and "fear" not in block(ctx.state, target).immune:
        CONDITIONS.raise_to(ctx, target, "frightened", found - 1, "TA-14", "TA-13", source=who)


def spell_of(state: State, action: Action) -> Spell:
    known = block(state, fields.actor(action)).spells
    return next((spell for spell in known if spell.name == action.get("spell")), known[0])


def price_of_spell(state: State, action: Action) -> Budget:
    """Return what a spell costs: as many actions as it is cast with (TA-15)."""
    spell = spell_of(state, action)
    return budget(actions=max(spell.least, min(spell.most, int(fields.text(action, "actions", "0")))))


def spell_fields(state: State, action: Action) -> tuple[Field, ...]:
    spell = spell_of(state, action)
    helps = spell.heals or spell.ward
    people = fields.everyone(state) if helps else fields.foes(state, action.by, lambda one: one.status != "dead")
    return (
        fields.choice("spell", [one.name for one in block(state, fields.actor(action)).spells], spell.name),
        fields.choice("actions", [str(count) for count in range(spell.least, spell.most + 1)]),
        Field("targets", "combatants", required=True, options=fields.options(people)),
    )


def cast(ctx: Ctx, action: Action) -> None:
    """Cast a spell at each of its targets (TA-15, TA-16)."""
    who, spell = fields.actor(action), spell_of(ctx.state, action)
    times = dict(price_of_spell(ctx.state, action))["actions"]
    dice = Dice([(number * times, sides) for number, sides in spell.dice.terms], spell.dice.plus * times)
    ctx.guard(lambda state: who in state and state[who].status == "up", "the caster cannot act any more")
    ctx.window("acts", who, why=f"{ctx.state.name(who)} casts {spell.name}", again=False)
    rolled = ctx.roll("spell", dice, "TA-15", who=who, why=spell.name) + dice.plus
    kept, ward = None, (Modifier("armour", spell.ward, kind="status"),)
    if spell.ward:
        until = (At("turn_end", "bearer", 2),)
        kept = ctx.add_effect(Effect(SUSTAINING, who, until=until, title=f"sustaining {spell.name}"), "TA-16")
    for target in [one for one in fields.ids(action, "targets") if one in ctx.state]:
        if spell.ward:
            ctx.add_effect(Effect(spell.name, target, source=who, modifiers=ward, parent=kept), "TA-16")
        elif spell.heals:
            pool = ctx.state[target].pool("hp")
            ctx.change(target, "hp", min(pool.max, pool.now + rolled), "TA-15", source=who)
            ctx.settle()
        elif target in ctx.state:
            will, magic = stat(target, "will"), stat(who, "magic", Part("magic", block(ctx.state, who).magic))
            found = check(ctx, f"resists:{target}", target, will, magic, "TA-15", target=who)
            harm = Harm((rolled * 2, rolled, rolled // 2, 0)[found], spell.kind)
            hurt(ctx, target, harm, found == Degree.CRITICAL_FAILURE, "TA-15", source=who)


def sustain(ctx: Ctx, action: Action) -> None:
    held = ctx.state[fields.actor(action)].effect(SUSTAINING)
    if held is not None:
        longer = replace(held, until=(At("turn_end", who_anchor(held.bearer), 2),))
        ctx.emit(EffectChanged(held, longer, "sustained"), "TA-16")


def not_to_sustain(state: State, action: Action) -> Refusal | None:
    """Refuse to sustain the same spell twice in a turn."""
    held = state[fields.actor(action)].effect(SUSTAINING)
    fresh = held is not None and any(isinstance(end, At) and end.count > 1 for end in held.until)
    return refusals.unless(not fresh, "sustained", "the spell lasts until the next turn already", "TA-16")


def no_token(state: State, action: Action) -> Refusal | None:
    """Refuse a second die to those without a token."""
    who = fields.actor(action)
    text = f"{state.name(who)} has no token left"
    return refusals.unless(points_of(state, who, "tokens"), "no_token", text, "TA-17", forcible=False)


def roll_again(ctx: Ctx, action: Action) -> None:
    """Give a token for another die (TA-17)."""
    who = fields.actor(action)
    ctx.change(who, "tokens", points_of(ctx.state, who, "tokens") - 1, "TA-17")


def ready(ctx: Ctx, action: Action) -> None:
    """Keep a strike for later (TA-04)."""
    ctx.add_effect(READIED.effect(fields.actor(action)), "TA-04")
    ctx.note(f"waits for: {fields.text(action, 'trigger', 'anything')}", "TA-04", about=action.by)


ONE, TWO, REACTION = budget(actions=1), budget(actions=2), budget(reaction=1)
# fmt: off
ACTIONS = ActionTable(
    (
        ActionType("strike", "Strike", "TA-05", "1 action", ONE, "turn", do_strike, at_whom),
        ActionType("raise", "Raise the shield", "TA-08", "1 action", ONE, refusal=shieldless,
             perform=lambda ctx, action: ctx.add_effect(RAISED.effect(fields.actor(action)), "TA-08")),
        ActionType("demoralise", "Demoralise", "TA-14", "1 action", ONE, "turn", demoralise,
             lambda state, action: at_whom(state, action)[:1]),
        ActionType("cast", "Cast", "TA-15", "spell", price_of_spell, "turn", cast, spell_fields,
             available_to=lambda state, who: bool(block(state, who).spells)),
        ActionType("sustain", "Sustain", "TA-16", "1 action", ONE, "turn", sustain, refusal=not_to_sustain,
             available_to=lambda state, who: state[who].has(SUSTAINING)),
        ActionType("ready", "Ready a strike", "TA-04", "2 actions", TWO, "turn", ready,
             lambda state, action: (Field("trigger", "text"),), group="order"),
        ActionType("readied_strike", "Strike as readied", "TA-04", "reaction", REACTION, "round", do_strike, at_whom,
             available_to=lambda state, who: state[who].has("readied"), answers=when_ready),
        ActionType("shield_block", "Block with the shield", "TA-09", "reaction", REACTION, "any", refusal=shieldless,
             listed=False, answers=answering("hurt")),
        ActionType("reroll", "Roll again", "TA-17", "token", (), "any", roll_again, refusal=no_token,
             listed=False, answers=answering("result", "actor")),
        *ORDER.waiting("TA-03"),
    ),
    ECONOMY,
    gm=(DAMAGE.gm_action("TA-07"), ORDER.gm_action("TA-01")),
    unable=lambda state, who: refusals.first(refusals.fight_over(state), refusals.down(state, who, "TA-11")),
)
# fmt: on


def policy(state: State, who: Id, tactics: Tactics) -> Action | None:
    """Strike twice while it can be done, else nothing."""
    spec = ACTIONS.form(state, Action("strike", who))
    tired = fields.whole(state[who].fact("strikes")) > 1
    target = None if spec is None or spec.refusal or tired else spec.fields[0].default
    return None if target is None else Action("strike", who, (("target", target),))
