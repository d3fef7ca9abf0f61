"""What combatants do in their turns and out of them."""

from fifth_edition import blocks, places
from fifth_edition.blocks import BY_NAME, D20, Power, able, block, speed
from fifth_edition.checks import DAMAGE, contest, edge, hold, rolled, strike, suffer, temp
from fifth_edition.places import MAP
from fifth_edition.turns import ECONOMY, ORDER, use
from tracker import kit
from tracker.kit import Action, ActionType, Budget, Ctx, Field, Id, Option, Refusal, State, budget, fields, refusals

WORDS = {1: "advantage", -1: "disadvantage", 0: ""}
ACTION, BONUS, REACTION = budget(action=1), budget(bonus=1), budget(reaction=1)


def unable(state: State, who: Id) -> Refusal | None:
    """Refuse combatants that cannot act at all (FE-30)."""
    one = state[who]
    word = next((effect.shown for effect in one.effects if effect.name in blocks.UNABLE), "")
    return refusals.first(
        refusals.fight_over(state),
        refusals.down(state, who, "FE-21"),
        refusals.unless(not word, "unable", f"{one.name} is {word} and can do nothing", "FE-30"),
    )


def living(one: kit.Combatant) -> bool:
    return one.status not in ("dead", "gone")


def power_of(state: State, action: Action, name: str, offered: tuple[Power, ...]) -> Power:
    """Return the attack or power that a form means, the first one by default."""
    return next((power for power in offered if power.name == action.get(name)), offered[0])


def armed(state: State, who: Id) -> bool:
    return bool(block(state, who).attacks)


def swings(state: State, who: Id) -> tuple[str, ...]:
    return fields.texts(state[who].fact("swings"))


def fits(state: State, who: Id, power: Power) -> Refusal | None:
    """Refuse an attack that the rest of the action does not hold (FE-04)."""
    left = swings(state, who)
    if power.cost != "action" or not state[who].left("attacks") or power.name in left or "any" in left:
        return None
    return Refusal("not_in_it", f"{power.name} is no attack that is left of this action ({', '.join(left)})", "FE-04")


def too_far(state: State, who: Id, power: Power, target: Id) -> Refusal | None:
    """Refuse a target out of reach, range or sight (FE-05)."""
    far = max(power.reach, power.range[1] if power.range else 0)
    return MAP.beyond(state, who, target, far, power.name, "FE-05")


def attack_fields(state: State, action: Action) -> tuple[Field, ...]:
    """Return the form of an attack: with what, at whom."""
    who = fields.actor(action)
    offered = block(state, who).attacks
    weapons = [
        Option(one.name, one.name, damage_words(one), spent(state, who, one) or fits(state, who, one))
        for one in offered
    ]
    open_ones = [option.key for option in weapons if option.refusal is None]
    chosen = power_of(
        state, action if action.get("weapon") else action.put(weapon=(open_ones or [""])[0]), "weapon", offered
    )
    people = fields.options(
        fields.foes(state, who, living),
        lambda one: too_far(state, who, chosen, one.id),
        lambda one: WORDS[edge(state, who, one.id, chosen)],
    )
    return fields.target(people), fields.choice("weapon", weapons, chosen.name)


def damage_words(power: Power) -> str:
    return " + ".join(f"{hurt.dice} {hurt.kind}" for hurt in power.damage)


def spent(state: State, who: Id, power: Power) -> Refusal | None:
    """Refuse a limited power that is used up, and a spell without a slot (FE-24, FE-25)."""
    one = state[who]
    if power.limited and not one.left(use(power.name)):
        back = f"comes back on {power.recharge} or more" if power.recharge else "is used up"
        return Refusal("spent", f"{power.name} {back}", "FE-25")
    pool = f"slot{power.slot}"
    if power.slot and not (one.has_pool(pool) and one.pool(pool).now):
        return Refusal("no_slot", f"{one.name} has no spell slot of level {power.slot} left", "FE-24")
    return None


def price_of_attack(state: State, action: Action) -> Budget:
    """Return what an attack costs: the action, one of those it holds, or a bonus action (FE-04)."""
    who = fields.actor(action)
    power = power_of(state, action, "weapon", block(state, who).attacks)
    return BONUS if power.cost == "bonus" else budget(attacks=1) if state[who].left("attacks") else ACTION


def do_attack(ctx: Ctx, action: Action) -> None:
    """Attack, and keep what else the action holds (FE-04, FE-11)."""
    who = fields.actor(action)
    held = block(ctx.state, who)
    power = power_of(ctx.state, action, "weapon", held.attacks)
    if power.cost == "action" and len(held.multiattack) > 1:
        left = list(swings(ctx.state, who) or held.multiattack)
        if power.name in left or "any" in left:
            left.remove(power.name if power.name in left else "any")
            ctx.fact(who, "swings", tuple(left) or None, "FE-04")
            ECONOMY.put(ctx, who, "attacks", len(left), "FE-04")
    pay(ctx, who, power)
    strike(ctx, who, fields.text(action, "target"), power)


def pay(ctx: Ctx, who: Id, power: Power) -> None:
    """Take what a power costs besides a part of the turn (FE-24, FE-25)."""
    if power.limited:
        ctx.spend(who, use(power.name), "FE-25")
    if power.slot and ctx.state[who].has_pool(f"slot{power.slot}"):
        ctx.change(who, f"slot{power.slot}", ctx.state[who].pool(f"slot{power.slot}").now - 1, "FE-24")


def powers(state: State, who: Id, *costs: str) -> tuple[Power, ...]:
    return tuple(power for power in block(state, who).powers if power.cost in costs)


def helps(power: Power) -> bool:
    harms = power.damage or power.condition or power.save or power.hit is not None
    return bool(power.heals.maximum or power.temp.maximum or (power.gives and not harms))


def power_fields(state: State, action: Action) -> tuple[Field, ...]:
    """Return the form of a power: which one, and whom it is aimed at or catches (FE-26)."""
    who = fields.actor(action)
    costs = ("legendary",) if action.key == "legendary" else ("bonus",) if action.key == "bonus_power" else ("action",)
    offered = powers(state, who, *costs)
    listed = [Option(one.name, one.name, power_words(one), spent(state, who, one)) for one in offered]
    open_ones = [option.key for option in listed if option.refusal is None]
    chosen = power_of(
        state, action if action.get("power") else action.put(power=(open_ones or [""])[0]), "power", offered
    )
    first = fields.choice("power", listed, chosen.name)
    if chosen.targets == 0:
        return (first,)
    people = fields.everyone(state, None, living)
    if not helps(chosen) and not chosen.shape:
        people = fields.foes(state, who, living)
    options = fields.options(
        people, lambda one: None if chosen.shape or one.id == who else too_far(state, who, chosen, one.id)
    )
    most = None if chosen.shape else chosen.targets
    usual = next(((option.key,) for option in options if option.refusal is None), ()) if most == 1 else ()
    return first, Field("targets", "combatants", default=usual, options=options, required=True, maximum=most,
                        repeats=chosen.hit is not None and (most or 0) > 1)  # fmt: skip # one form


def power_words(power: Power) -> str:
    parts = (
        damage_words(power),
        f"{power.save} {power.dc}" if power.save else "",
        power.condition,
        f"heals {power.heals}" if power.heals.maximum else "",
        f"{power.size} ft {power.shape}" if power.shape else "",
        f"slot {power.slot}" if power.slot else "",
    )
    return " · ".join(part for part in parts if part)


def do_power(ctx: Ctx, action: Action) -> None:
    """Use a power on everybody it is aimed at or catches (FE-18, FE-20, FE-26)."""
    who = fields.actor(action)
    power = power_of(ctx.state, action, "power", block(ctx.state, who).powers)
    pay(ctx, who, power)
    given = action.get("targets")
    targets = tuple(str(one) for one in given) if isinstance(given, tuple) else ()
    parent = None
    if power.concentration:
        ctx.end_named(who, "concentrating", "another spell", "FE-20")
        parent = ctx.add_effect(kit.Effect("concentrating", who, title=f"concentrating: {power.name}"), "FE-20")
    if power.hit is not None:
        for number, target in enumerate(targets):
            with ctx.scope(f"{number}:{target}"):
                if target in ctx.state and living(ctx.state[target]):
                    strike(ctx, who, target, power, "FE-26")
        return
    ctx.guard(lambda state: who in state, "it is gone")
    harms = rolled(ctx, who, power.damage, power.name, False)
    given_back = ctx.roll("heals", power.heals.natural, "FE-26", who=who, why=power.name) if power.heals.terms else 0
    points = ctx.roll("temp", power.temp.natural, "FE-19", who=who, why=power.name) if power.temp.terms else 0
    for target in dict.fromkeys(targets or (who,)):
        if target not in ctx.state or not living(ctx.state[target]):
            continue
        if power.heals.maximum:
            pool = ctx.state[target].pool("hp")
            ctx.change(target, "hp", pool.capped(pool.now + given_back + power.heals.plus), "FE-26", source=who)
            ctx.settle()
        elif power.temp.maximum:
            ctx.change(target, "temp", max(temp(ctx.state, target), points + power.temp.plus), "FE-19", source=who)
        elif helps(power):
            hold(ctx, who, target, power, parent)
        else:
            suffer(ctx, who, target, power, harms, parent)
    ctx.settle()


def where(state: State, action: Action) -> tuple[Field, ...]:
    """Return the form of a move: to which square (FE-06)."""
    squares = tuple(Option(f"{x},{y}", note=f"{cost} ft") for (x, y), cost in MAP.reach(state, fields.actor(action)))
    return (Field("to", "square", required=True, options=squares),)


def price_of_move(state: State, action: Action) -> Budget:
    who, to = fields.actor(action), fields.square(action, "to")
    way = None if to is None else MAP.trail(state, who, to)
    return budget(move=0 if way is None else way.cost * (2 if state[who].has("prone") else 1))


def rooted(state: State, action: Action) -> Refusal | None:
    """Refuse to go where there is no map, or when held fast."""
    one = state[fields.actor(action)]
    return refusals.first(
        refusals.unless(one.position is not None, "no_map", "this fight has no map", "FE-05", forcible=False),
        refusals.unless(speed(state, one.id), "held_fast", f"{one.name} is held fast", "FE-30"),
    )


def move(ctx: Ctx, action: Action) -> None:
    """Go, past everybody who strikes on the way (FE-06, FE-07)."""
    who, to = fields.actor(action), fields.square(action, "to")

    def leaving(to: tuple[int, int]) -> bool:
        ctx.window("leaves", who, why=f"{ctx.state.name(who)} leaves a reach")
        return able(ctx.state, who) and speed(ctx.state, who) > 0

    if to is not None:
        MAP.go(ctx, who, to, "FE-06", leaving=leaving)


def may_strike(state: State, window: kit.Window) -> tuple[Action, ...]:
    if window.name != "leaves" or window.actor is None or window.actor not in state:
        return ()
    here = MAP.body(state, window.actor)
    near = [foe for foe in fields.foes(state, window.actor) if able(state, foe.id) and here is not None]
    return tuple(
        Action("", foe.id, (("target", window.actor),))
        for foe in near
        if (MAP.apart(state, foe.id, window.actor) or 0) <= places.arm(state, foe.id)
    )


def melee_fields(state: State, action: Action) -> tuple[Field, ...]:
    offered = [power for power in block(state, fields.actor(action)).attacks if power.melee]
    return (
        fields.target(fields.options(fields.foes(state, action.by, living))),
        fields.choice("weapon", [Option(power.name, power.name, damage_words(power)) for power in offered]),
    )


def react(ctx: Ctx, action: Action) -> None:
    who = fields.actor(action)
    if action.key == "readied_attack":
        ctx.end_named(who, "readied", "used", "FE-10")
    strike(
        ctx,
        who,
        fields.text(action, "target"),
        power_of(ctx.state, action, "weapon", block(ctx.state, who).attacks),
        "FE-07",
    )


def parries(state: State, window: kit.Window) -> tuple[Action, ...]:
    """Return the reactions that add to AC against this attack (FE-29)."""
    target = window.target
    if window.name != "struck" or target is None or target not in state or not able(state, target):
        return ()
    found = [
        power for power in powers(state, target, "reaction") if power.guard and spent(state, target, power) is None
    ]
    return tuple(Action("", target, (("power", power.name),)) for power in found if "hit" in window.info)


def parry(ctx: Ctx, action: Action) -> None:
    who = fields.actor(action)
    power = power_of(ctx.state, action, "power", powers(ctx.state, who, "reaction"))
    pay(ctx, who, power)
    if power.ends:
        more = (kit.Modifier("ac", power.guard),)
        ctx.add_effect(
            kit.Effect(power.name.casefold(), who, until=(kit.At("turn_start", "bearer"),), modifiers=more), "FE-29"
        )
    else:
        ctx.return_value(power.guard)


def guard_fields(state: State, action: Action) -> tuple[Field, ...]:
    return (fields.choice("power", [power.name for power in powers(state, fields.actor(action), "reaction")]),)


def at_turns_end(state: State, window: kit.Window) -> tuple[Action, ...]:
    """Return who has legendary actions at the end of another's turn (FE-33)."""
    if window.name != "turn_over":
        return ()
    return tuple(Action("", one.id) for one in state.combatants if one.id != window.actor and one.left("legendary"))


def price_of_legend(state: State, action: Action) -> Budget:
    return budget(legendary=power_of(state, action, "power", powers(state, fields.actor(action), "legendary")).price)


def gain(effect: kit.NamedEffect, rule: str):  # type: ignore[no-untyped-def]
    return lambda ctx, action: ctx.add_effect(effect.on(fields.actor(action), source=action.by), rule)


def dash(ctx: Ctx, action: Action) -> None:
    who = fields.actor(action)
    ECONOMY.put(ctx, who, "move", ctx.state[who].left("move") + speed(ctx.state, who), "FE-08")


def stand(ctx: Ctx, action: Action) -> None:
    ctx.end_named(fields.actor(action), "prone", "stands up", "FE-06")


def beside(state: State, action: Action) -> tuple[Field, ...]:
    """Return the form of what is done to a foe at hand."""
    who = fields.actor(action)
    fist = Power("a hand", hit=0)
    return (fields.target(fields.options(fields.foes(state, who), lambda one: too_far(state, who, fist, one.id))),)


def friends(state: State, action: Action) -> tuple[Field, ...]:
    return (fields.target(fields.options(fields.allies(state, action.by, living))),)


def help_out(ctx: Ctx, action: Action) -> None:
    ctx.add_effect(blocks.HELPED.on(fields.text(action, "target"), source=action.by), "FE-09")


def grip(ctx: Ctx, action: Action) -> None:
    who, target = fields.actor(action), fields.text(action, "target")
    name = "grappled" if action.key == "grapple" else "prone"
    if contest(ctx, who, target, "FE-28") and name not in block(ctx.state, target).unaffected:
        ctx.add_effect(BY_NAME[name].on(target, source=who), "FE-28")


def escape(ctx: Ctx, action: Action) -> None:
    who = fields.actor(action)
    held = ctx.state[who].effect("grappled")
    holder = None if held is None else held.source
    if holder is None or holder not in ctx.state or contest(ctx, who, holder, "FE-28"):
        ctx.end_named(who, "grappled", "got free", "FE-28")


def stabilise(ctx: Ctx, action: Action) -> None:
    """Keep a dying friend from dying: Medicine against 10 (FE-22)."""
    who, target = fields.actor(action), fields.text(action, "target")
    plus = blocks.skill(block(ctx.state, who), "medicine", "wis")
    ctx.guard(lambda state: target in state, "the target is gone")
    die = ctx.roll("medicine", D20, "FE-22", who=who, why="Medicine", needed="10 holds")
    parts = (kit.Part("d20", die), kit.Part("medicine", plus))
    word = "holds" if die + plus >= 10 else "fails"
    ctx.emit(kit.Checked("medicine", who, die + plus, word, target, parts, 10, "DC"), "FE-22")
    if word == "holds":
        ctx.fact(target, "failures", None, "FE-22")
        ctx.fact(target, "successes", 3, "FE-22")
        ctx.settle()


def dying(one: kit.Combatant) -> bool:
    return one.status == "dying"


def the_dying(state: State, action: Action) -> tuple[Field, ...]:
    return (fields.target(fields.options(fields.allies(state, action.by, dying))),)


def drop(ctx: Ctx, action: Action) -> None:
    ctx.end_named(fields.actor(action), "concentrating", "let go", "FE-20")


def has(*costs: str):  # type: ignore[no-untyped-def]
    return lambda state, who: bool(powers(state, who, *costs))


def bears(name: str):  # type: ignore[no-untyped-def]
    return lambda state, who: state[who].has(name)


# fmt: off
ACTIONS = kit.ActionTable(
    (
        ActionType("attack", "Attack", "FE-11", "Action", price_of_attack, perform=do_attack, fields=attack_fields,
                   available_to=armed),
        ActionType("power", "Power or spell", "FE-26", "Action", ACTION, perform=do_power, fields=power_fields,
                   available_to=has("action")),
        ActionType("bonus_power", "Bonus power", "FE-26", "Bonus", BONUS, perform=do_power, fields=power_fields,
                   available_to=has("bonus")),
        ActionType("move", "Move", "FE-06", "Feet", price_of_move, perform=move, fields=where, refusal=rooted,
                   available_to=lambda state, who: state[who].position is not None),
        ActionType("stand", "Stand up", "FE-06", "Feet", lambda state, action: budget(
            move=speed(state, fields.actor(action)) // 2), perform=stand, available_to=bears("prone")),
        ActionType("dash", "Dash", "FE-08", "Action", ACTION, perform=dash),
        ActionType("disengage", "Disengage", "FE-08", "Action", ACTION, perform=gain(blocks.DISENGAGED, "FE-08")),
        ActionType("dodge", "Dodge", "FE-08", "Action", ACTION, perform=gain(blocks.DODGING, "FE-08")),
        ActionType("help", "Help", "FE-09", "Action", ACTION, perform=help_out, fields=friends),
        ActionType("grapple", "Grapple", "FE-28", "Action", ACTION, perform=grip, fields=beside),
        ActionType("shove", "Shove over", "FE-28", "Action", ACTION, perform=grip, fields=beside),
        ActionType("escape", "Escape", "FE-28", "Action", ACTION, perform=escape, available_to=bears("grappled")),
        ActionType("stabilise", "Stabilise", "FE-22", "Action", ACTION, perform=stabilise, fields=the_dying,
                   available_to=lambda state, who: bool(fields.allies(state, who, dying))),
        ActionType("drop", "Let a spell go", "FE-20", "", (), perform=drop, available_to=bears("concentrating")),
        ActionType("ready", "Ready an attack", "FE-10", "Action", ACTION, perform=gain(blocks.READIED, "FE-10"),
                   group="order", available_to=armed),
        ActionType("readied_attack", "Attack as readied", "FE-10", "Reaction", REACTION, "round", react, attack_fields,
                   available_to=lambda state, who: armed(state, who) and state[who].has("readied")),
        ActionType("opportunity", "Opportunity attack", "FE-07", "Reaction", REACTION, "any", react, melee_fields,
                   listed=False, answers=may_strike,
                   available_to=lambda state, who: places.arm(state, who) > 0),
        ActionType("guard", "Guard", "FE-29", "Reaction", REACTION, "any", parry, guard_fields, listed=False,
                   answers=parries, available_to=has("reaction")),
        ActionType("legendary", "Legendary action", "FE-33", "Legendary", price_of_legend, "any", do_power,
                   power_fields, listed=False, answers=at_turns_end, available_to=has("legendary")),
    ),
    ECONOMY,
    gm=(DAMAGE.gm_action("FE-16"), ORDER.gm_action("FE-01")),
    unable=unable,
)
# fmt: on
