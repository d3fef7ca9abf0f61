"""What PCs do in a turn, with its forms and what forbids it: attack, hide, pull off, stabilise and more (section 6)."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import partial
from typing import cast

from rulesets.githack.actions.gm_actions import ability, edge
from rulesets.githack.aftermath.wounds import hurt_monster
from rulesets.githack.order import ECONOMY, wait
from rulesets.githack.stat_blocks.models import PC, STANCES, Ability, Weapon
from rulesets.githack.stats import stats
from rulesets.githack.stats.checks import Edge, Words, check_or_stop
from rulesets.githack.stats.stats import ADVISED, GUARDING, HIDDEN, READY, Ward
from tracker.core.fight.cache import per_object
from tracker.core.fight.slots import Id
from tracker.core.fight.state import Combatant, State
from tracker.core.game.action_types import ActionType
from tracker.core.step import fields
from tracker.core.step.ctx import Ctx
from tracker.core.terms.actions import Action, Field, Option
from tracker.core.terms.derived import Part
from tracker.core.terms.errors import Refusal
from tracker.core.terms.requests import Window
from tracker.core.terms.words import felling
from tracker.kit.economy import budget

TEXT = Field("text", "text")
IN_RANGE = Field("in_range", "flag", "in range", True)


@per_object
def _advantage(block: PC) -> Field:
    """Return the field for Advantage, with the PC's Backgrounds as a reminder (GH-106)."""
    backgrounds = block.backgrounds
    return edge(label="Advantage", note=f"Backgrounds: {', '.join(backgrounds)}" if backgrounds else "")


def attack_fields(state: State, action: Action) -> tuple[Field, ...]:
    standing = [combatant for combatant in stats.monsters(state) if combatant.status == "up"]
    side = state[str(action.by)].side
    return _attack_on(state, action, tuple([_foe(state, side, one) for one in standing]))


def strike_fields(state: State, action: Action) -> tuple[Field, ...]:
    """Return the form of a strike: an attack on the monster that attacks (GH-210)."""
    attacker = state.get(state.clock.acting)
    if attacker is None or stats.is_pc(attacker):
        return _attack_on(state, action, ())
    return _attack_on(state, action, fields.options((attacker,)), attacker.id)


def _foe(state: State, side: Id, foe: Combatant) -> Option:
    return Option(foe.id, foe.name, refusal=stats.own_side(state, foe.id) if foe.side == side else None)


def _attack_on(state: State, action: Action, foes: tuple[Option, ...], default: Id | None = None) -> tuple[Field, ...]:
    who = str(action.by)
    block, wanted = stats.pc(state, who), action.get("weapon")
    weapons = stats.weapons(block)
    chosen = next((weapon for weapon in weapons if weapon.name == wanted), weapons[0])
    return (
        Field("target", "combatant", required=True, options=foes, default=default),
        Field("weapon", "choice", default=weapons[0].name, required=True, options=_armoury(block)),
        ability(chosen.attack_with or block.attack_with),
        _advantage(block),
        IN_RANGE,
    )


@per_object
def _armoury(block: PC) -> tuple[Option, ...]:
    return tuple(
        Option(weapon.name, f"{weapon.name} {weapon.dice}" if weapon.dice.terms else weapon.name)
        for weapon in stats.weapons(block)
    )


def checked_fields(default: str, text: bool = True) -> Callable[[State, Action], tuple[Field, ...]]:
    """Return a form with a check, which is optional in a form with text."""

    def form(state: State, action: Action) -> tuple[Field, ...]:
        rolled = ability(default, also=("none",)) if text else ability(default)
        return (*((TEXT,) if text else ()), rolled, _advantage(stats.pc(state, str(action.by))))

    return form


def _people_fields(
    name: str, default: str, people: Callable[[State], Iterable[Combatant]]
) -> Callable[[State, Action], tuple[Field, ...]]:
    def form(state: State, action: Action) -> tuple[Field, ...]:
        found = Field(name, "combatant", required=True, options=fields.options(people(state)))
        return (found, ability(default), _advantage(stats.pc(state, str(action.by))))

    return form


def _holders(state: State) -> tuple[Combatant, ...]:
    gripping = {effect.source for _, effect, held in stats.grips(state) if held.continuing}
    return tuple([one for one in stats.monsters(state) if one.id in gripping])


def _dying(state: State) -> tuple[Combatant, ...]:
    return tuple(one for one in stats.pcs(state) if stats.dying(one))


pull_off_fields = _people_fields("monster", "str", _holders)
ally_fields = _people_fields("ally", "wis", _dying)


def observe_fields(state: State, action: Action) -> tuple[Field, ...]:
    allies = fields.options(combatant for combatant in stats.pcs(state) if combatant.id != action.by)
    what = Field("what", "choice", default="ready", required=True, options=(Option("ready"), Option("warn")))
    return (what, Field("ally", "combatant", options=allies, required=action.get("what") == "warn"))


def stance_fields(state: State, action: Action) -> tuple[Field, ...]:
    who = str(action.by)
    wards = fields.options(combatant for combatant in stats.pcs(state) if combatant.id != who)
    stances = tuple(
        Option(name, f"{name}, {stance.ability.upper()}", refusal=_crowded(state, who, name))
        for name, stance in STANCES.items()
    )
    return (
        Field("stance", "choice", required=True, options=stances),
        Field("ward", "combatant", options=wards),
        Field("place", "text", "or a place"),
    )


def usual(state: State, who: Id) -> str:
    """Return what stands first in a PC's list: a stance where one is needed (GH-204)."""
    return "stance" if stats.rules(state).stances and not stats.stance(state, who) else "attack"


def text_fields(state: State, action: Action) -> tuple[Field, ...]:
    return (TEXT,)


def _crowded(state: State, who: Id, name: str) -> Refusal | None:
    """Refuse a stance whose limit is reached (GH-223)."""
    limit: int | None = getattr(stats.setup(state).stance_limits, name)
    holders = [
        combatant
        for combatant in stats.pcs(state)
        if combatant.id != who and stats.in_fight(combatant) and combatant.fact("stance") == name
    ]
    if limit is None or len(holders) < limit:
        return None
    return Refusal("stance_limit", f"there is room for {limit} in {name}", "GH-223")


def untimely(state: State, kind: ActionType, action: Action) -> Refusal | None:
    """Return why a PC cannot do this now: phase, main action, order, stance.

    `when` of a PC's action is the stance it needs, `any stance`, `attack` (a stance that attacks), `no stance`, `free`
    (not even a main action), or `reaction` (at any time).
    """
    if kind.when == "reaction":
        return None
    combatant = state[str(action.by)]
    return (
        stats.over(state)
        or _helpless(state, combatant, kind)
        or _other_phase(state, combatant)
        or (None if kind.when == "free" else _spent(state, combatant, kind))
        or _stance_forbids(state, combatant, kind)
    )


def _helpless(state: State, combatant: Combatant, kind: ActionType) -> Refusal | None:
    """Refuse the helpless, unless they swing in Pursuit (GH-207, A31)."""
    if stats.acts(combatant) or (kind.when == "attack" and stats.swings(state, combatant)):
        return None
    return Refusal(
        "unable",
        f"{combatant.name} is {stats.blocked(combatant) or combatant.status}",
        "GH-121" if combatant.status != "up" else "GH-A18",
    )


def _other_phase(state: State, combatant: Combatant) -> Refusal | None:
    slot = state.clock.current
    if slot is None or slot.phase not in ("fast", "slow"):
        return Refusal("wrong_phase", "PCs act in the fast and the slow phase, after initiative", "GH-013")
    if combatant.id not in slot.members:
        rule = "GH-014" if slot.phase == "fast" else "GH-013"
        return Refusal("wrong_phase", f"{combatant.name} acts in the other phase", rule)
    return None


def _spent(state: State, combatant: Combatant, kind: ActionType) -> Refusal | None:
    """Refuse a second main action, and in strict order those whose turn has not come.

    The helpless are not waited for; who swings in Pursuit comes in its place all the same (GH-207).
    """
    if not combatant.left("main"):
        return Refusal("no_action_left", f"{combatant.name} has no main action left this round", "GH-A22")
    slot = state.clock.current
    if stats.rules(state).pc_order == "strict" and slot is not None and kind.key != "stance":
        waiting = [state[member] for member in slot.members if state[member].left("main")]
        first = next((one.id for one in waiting if stats.acts(one) or one.id == combatant.id), combatant.id)
        if first != combatant.id:
            return Refusal("not_your_turn", f"it is {state.name(first)}'s turn first", "GH-018")
    return None


def _stance_forbids(state: State, combatant: Combatant, kind: ActionType) -> Refusal | None:
    if not stats.rules(state).stances:
        off = kind.key in ("stance", "observe")
        return Refusal("no_stances", "stances are switched off", "GH-011") if off else None
    if kind.when in ("free", "no stance"):
        return None
    held = stats.stance(state, combatant.id)
    if not held:
        return Refusal("no_stance", f"{combatant.name} has to take up a stance first", "GH-204")
    if kind.when == "attack":
        if not STANCES[held].attack:
            return Refusal("stance", f"no attack in {held}", "GH-206")
        if held == "flank" and not combatant.has("hidden"):
            return Refusal("not_hidden", "an attack in Flank needs an unseen position", "GH-213")
        if combatant.has("spoiled_turn"):
            return Refusal("spoiled", "the enemy has spotted this attack", "GH-214")
        return None
    if kind.when in ("any stance", held):
        return None
    return Refusal("stance", f"{kind.label} needs the stance {kind.when}", "GH-204")


def no_strike(state: State, action: Action) -> Refusal | None:
    """Refuse a strike without the stance Defend, without a main action, or at nobody (GH-210)."""
    combatant, attacker = state[str(action.by)], state.get(state.clock.acting)
    if attacker is None or stats.is_pc(attacker) or not stats.here(state, attacker.id):
        text = f"{combatant.name} strikes only at a monster that attacks"
        return Refusal("no_attacker", text, "GH-210", forcible=False)
    able = stats.stance(state, combatant.id) == "defend" and stats.acts(combatant) and combatant.left("main") > 0
    return None if able else Refusal("no_strike", f"{combatant.name} has no strike left", "GH-210")


def no_holder(state: State, action: Action) -> Refusal | None:
    return None if _holders(state) else Refusal("no_holder", "no monster clings to a PC", "GH-073", forcible=False)


def no_dying(state: State, action: Action) -> Refusal | None:
    return None if _dying(state) else Refusal("no_dying", "no PC is dying", "GH-123", forcible=False)


def out_of_range(state: State, action: Action) -> Refusal | None:
    out = action.get("in_range", True) is False
    return Refusal("out_of_range", "the target is out of range", "GH-004") if out else None


def too_late(state: State, action: Action) -> Refusal | None:
    late = state.clock.phase != "fast"
    return Refusal("wrong_phase", "only the fast can wait", "GH-019") if late else None


ATTACK = Words("hits", "misses")


def _weapon(ctx: Ctx, who: Id, name: str) -> Weapon:
    return next(weapon for weapon in stats.weapons(stats.pc(ctx.state, who)) if weapon.name == name)


def _attack(ctx: Ctx, action: Action) -> None:
    """Roll to hit, and deal the damage (GH-008, GH-030, A01).

    Damage is the number on the die and the weapon's dice, less AC.
    """
    who, target = cast(Id, action.by), str(action.get("target"))
    ability, weapon = cast(Ability, str(action.get("ability"))), _weapon(ctx, who, str(action.get("weapon")))
    rules = ("GH-006", "GH-031") if ability == "str" else ("GH-006", "GH-032", "GH-A23")
    friend = stats.friends(ctx.state, who, target)
    hindrance = partial(_hindrance, who=who, target=target, friend=friend)
    edge = cast(Edge, str(action.get("edge")))
    result = check_or_stop(
        ctx, "attack", who, ability, "attack", *rules, hindrance=hindrance, edge=edge, target=target, words=ATTACK
    )
    if result.success:
        _hit(ctx, who, target, result.number, weapon, hindrance)
    _after_hiding(ctx, who)


def _hindrance(state: State, who: Id, target: Id, friend: bool) -> str:
    """Return why an attack stops: its attacker or target is gone, down, or a friend by now.

    In Pursuit nothing that strikes its PC helpless keeps it from the attack (GH-207).
    """
    attacker = state.get(who)
    if (attacker is None or not stats.swings(state, attacker)) and (why := _unable(state, who)):
        return why
    if target not in state or state[target].status != "up":
        return f"{state.name(target)} is out of the combat"
    if stats.friends(state, who, target) and not friend:
        return f"{state.name(target)} is on the same side now"
    return ""


def _unable(state: State, who: Id) -> str:
    combatant = state.get(who)
    if combatant is None:
        return f"{state.name(who)} is out of the combat"
    return "" if stats.acts(combatant) else f"{combatant.name} is {stats.blocked(combatant) or combatant.status}"


def _hit(ctx: Ctx, who: Id, target: Id, number: int, weapon: Weapon, hindrance: Callable[[State], str]) -> None:
    size = "GH-029" if weapon.demon else "GH-028"
    why = f"{weapon.name} against {ctx.state.name(target)}"
    least, most = weapon.dice.natural.minimum, weapon.dice.natural.maximum

    def needed(state: State) -> str:
        soaked = stats.ac(state[target])
        return felling(weapon.dice.natural, lambda face: max(0, number + face - soaked), state[target].hp, "kills")

    def unrolled(state: State) -> tuple[str, int] | None:
        """Return the dice that count unrolled: the least slay the target, or the most do no harm (A36)."""
        soaked = stats.ac(state[target])
        if number + least - soaked >= state[target].hp:
            return f"{weapon.dice.natural} at least", least
        return (f"{weapon.dice.natural} at most", most) if number + most <= soaked else None

    rolled = ctx.roll(
        "weapon",
        weapon.dice,
        "GH-034",
        size,
        who=who,
        why=why,
        needed=needed,
        asked_if=lambda state: not hindrance(state) and unrolled(state) is None,
    )
    if rolled is None and (stopped := hindrance(ctx.state)):
        ctx.stop(stopped)
    soaked = stats.ac(ctx.state[target])
    label, ruling = str(weapon.dice.natural), "GH-034"
    if rolled is None:
        (label, rolled), ruling = unrolled(ctx.state) or (label, least), "GH-A36"
    dice = [Part(label, rolled, ruling)] if weapon.dice.terms else []
    parts = [*dice, Part("on the d20", number, "GH-030"), Part("AC", -soaked, "GH-020")]
    parts.append(Part("at least 0", max(0, soaked - number - rolled), "GH-A01"))
    rules = ("GH-008", "GH-030", "GH-A01") if weapon.dice.terms else ("GH-008", "GH-033", "GH-A01")
    hurt_monster(ctx, target, max(0, number + rolled - soaked), [part for part in parts if part.amount], who, *rules)


def _after_hiding(ctx: Ctx, who: Id) -> None:
    """End hiding after an attack, in Flank only if the attack is noticed (GH-213, GH-224)."""

    def unseen(state: State) -> bool:
        hidden = who in state and state[who].has("hidden")
        return hidden and stats.rules(state).stances and stats.stance(state, who) == "flank"

    answer = ctx.choose(
        "noticed",
        ("noticed", "still_unseen"),
        "GH-224",
        default="noticed",
        who=who,
        why="is the attack noticed?",
        to="gm",
        asked_if=unseen,
    )
    if answer != "still_unseen" and who in ctx.state:
        ctx.end_named(who, "hidden", "attacked", "GH-213", "GH-224")


def _hide(ctx: Ctx, action: Action) -> None:
    who = cast(Id, action.by)
    if _checked(ctx, action, "hide", "GH-016", "GH-212"):
        ctx.add_effect(HIDDEN.on(who, stacking="keep"), "GH-016", "GH-212")


def _pull_off(ctx: Ctx, action: Action) -> None:
    monster = fields.text(action, "monster")

    def loose(state: State) -> str:
        return "" if stats.hosts(state, monster) else f"{state.name(monster)} sticks to no PC"

    if _checked(ctx, action, action.key, "GH-073", "GH-A25", hindrance=loose):
        hosts = stats.hosts(ctx.state, monster)
        freed = action.by if action.by in hosts else next(iter(hosts), None)
        for host, effect, held in stats.grips(ctx.state):
            if host == freed and held.continuing and effect.source == monster:
                ctx.end_effect(effect, "pulled off", "GH-073", "GH-A25")


def _stabilise(ctx: Ctx, action: Action) -> None:
    ally = fields.text(action, "ally")

    def needless(state: State) -> str:
        return "" if ally in state and stats.dying(state[ally]) else f"{state.name(ally)} is not dying"

    if _checked(ctx, action, "stabilise", "GH-123", hindrance=needless):
        ctx.end_named(ally, "dying", "stabilised", "GH-123")


def _work(ctx: Ctx, action: Action) -> None:
    """Use a device, cast or handle things, with a check if one is asked.

    A disturbance may spoil it (GH-220, GH-221).
    """
    who = cast(Id, action.by)
    outcome = ctx.choose(
        "disturbed",
        ("spoiled", "delayed", "unharmed"),
        "GH-221",
        default="unharmed",
        who=who,
        why="attacked while at it",
        to="gm",
        asked_if=lambda state: not _unable(state, who) and state[who].has("disturbed"),
    )
    if outcome is None and (why := _unable(ctx.state, who)):
        ctx.stop(why)
    if outcome is not None:
        ctx.end_named(who, "disturbed", "resolved", "GH-221")
        if outcome != "unharmed":
            return
    if action.get("ability") not in (None, "none"):
        _checked(ctx, action, action.key, "GH-101")


def _talk(ctx: Ctx, action: Action) -> None:
    if action.get("ability") not in (None, "none"):
        _checked(ctx, action, action.key, "GH-101")


def _observe(ctx: Ctx, action: Action) -> None:
    """Warn an ally, or be ready oneself (GH-217 to GH-219)."""
    who = cast(Id, action.by)
    if action.get("what") == "ready":
        ctx.add_effect(READY.on(who, stacking="keep"), "GH-219", "GH-217")
    else:
        ally = str(action.get("ally"))
        ctx.add_effect(ADVISED.on(ally, source=who), "GH-218", "GH-217")


def _say(ctx: Ctx, action: Action) -> None:
    """Do what its own line in the log says, at no cost (GH-002, A22)."""


def _stance(ctx: Ctx, action: Action) -> None:
    """Take up a stance (GH-204, GH-205)."""
    who, chosen = cast(Id, action.by), str(action.get("stance"))
    _end_stance(ctx, who)
    ctx.fact(who, "stance", chosen, "GH-204", "GH-205", "GH-201")
    ward = action.get("ward") or action.get("place")
    if chosen == "defend" and ward:
        ctx.add_effect(GUARDING.on(who, data=Ward(str(ward)), title=f"guarding {ctx.state.name(str(ward))}"), "GH-209")


def _end_stance(ctx: Ctx, who: Id) -> None:
    ctx.end_named(who, "guarding", "stance changed", "GH-209")
    ctx.end_named(who, "disturbed", "stance changed", "GH-221")


def _wait(ctx: Ctx, action: Action) -> None:
    wait(ctx, cast(Id, action.by))


def _checked(
    ctx: Ctx, action: Action, what: str, *rules: str, hindrance: Callable[[State], str] = lambda state: ""
) -> bool:
    """Roll the check of an action, or stop it: for a hindrance, or because the PC can no longer act."""
    who, ability = cast(Id, action.by), cast(Ability, str(action.get("ability")))
    edge = cast(Edge, str(action.get("edge") or "none"))

    def wrong(state: State) -> str:
        return hindrance(state) or _unable(state, who)

    result = check_or_stop(ctx, "check", who, ability, what, *rules, hindrance=wrong, edge=edge)
    if why := _unable(ctx.state, who):
        ctx.stop(why)
    return result.success


def pay(ctx: Ctx, kind: ActionType, action: Action) -> None:
    """Spend the main action, also of a PC struck down in Pursuit (GH-207, A31)."""
    who = str(action.by)
    if kind.price:
        swings = kind.key == "attack" and not stats.acts(ctx.state[who])
        ECONOMY.take(ctx, who, kind.price_of(ctx.state, action), *kind.cites, *(("GH-207", "GH-A31") if swings else ()))


def _strikes(state: State, window: Window) -> tuple[Action, ...]:
    """Let the defender of a window strike (GH-210)."""
    return (Action("strike", window.target),) if window.name == f"strike:{window.target}" else ()


_main = partial(ActionType, cost="main", price=budget(main=1), cites=("GH-A22",), group="PC")
_free = partial(ActionType, group="PC")

PC_ACTIONS = (
    _main(
        "attack",
        "Attack",
        "GH-004",
        when="attack",
        perform=_attack,
        fields=attack_fields,
        refusal=out_of_range,
        cites=("GH-A22", "GH-004"),
    ),
    _main(
        "strike",
        "Strike",
        "GH-210",
        when="reaction",
        perform=_attack,
        fields=strike_fields,
        refusal=no_strike,
        cites=("GH-210",),
        answers=_strikes,
        listed=False,
    ),
    _main("hide", "Hide", "GH-016", when="flank", perform=_hide, fields=checked_fields("dex", text=False)),
    _main(
        "pull_off",
        "Pull off",
        "GH-073",
        when="any stance",
        perform=_pull_off,
        fields=pull_off_fields,
        refusal=no_holder,
    ),
    _main(
        "stabilise", "Stabilise", "GH-123", when="any stance", perform=_stabilise, fields=ally_fields, refusal=no_dying
    ),
    _main("interact", "Interact", "GH-002", when="device", perform=_work, fields=checked_fields("none")),
    _main("device", "Use a device", "GH-220", when="device", perform=_work, fields=checked_fields("none")),
    _main("cast", "Cast", "GH-127", when="device", perform=_work, fields=checked_fields("none")),
    _main("talk", "Talk", "GH-215", when="talk", perform=_talk, fields=checked_fields("cha")),
    _main("observe", "Observe", "GH-217", when="observe", perform=_observe, fields=observe_fields),
    _free("move", "Move a little", "GH-002", when="free", perform=_say, fields=text_fields),
    _free("shout", "Shout", "GH-002", when="free", perform=_say, fields=text_fields),
    _free("stance", "Take up a stance", "GH-204", when="no stance", perform=_stance, fields=stance_fields),
    ActionType("wait", "Wait for the slow", "GH-019", when="no stance", perform=_wait, refusal=too_late, group="order"),
)
"""What a PC can do: a new action is a row here."""
