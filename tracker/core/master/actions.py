"""What the game master can do in every game, whatever its rules.

A ruleset's action of the same key takes the place of the one here. All of them end in `settle` like every action.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Sequence

import msgspec
from msgspec import UNSET
from msgspec.structs import replace

from tracker.core.clock import joining
from tracker.core.clock import walk as clock
from tracker.core.fight.events import (
    FightEnded,
    HouseRulesChanged,
    Moved,
    Noted,
    OrderSet,
    PoolSet,
    ReminderDismissed,
    Renamed,
    SideChanged,
    WaveArrived,
)
from tracker.core.fight.memo import per_state
from tracker.core.fight.state import FIGHT, State
from tracker.core.game import durations
from tracker.core.game.ruleset import Moment, Ruleset
from tracker.core.step.ctx import Ctx
from tracker.core.step.shares import share_fields, shares
from tracker.core.terms.actions import Action, ActionSpec, Field, Option
from tracker.core.terms.dice import Dice
from tracker.core.terms.effects import Effect, Modifier
from tracker.core.terms.encounter import Member
from tracker.core.terms.errors import Refusal, Refused
from tracker.core.terms.moments import At, OnUse
from tracker.core.terms.values import Value

__all__ = ["actions", "form", "perform"]


@per_state
def _people(state: State) -> tuple[Option, ...]:
    return tuple([Option(combatant.id, combatant.name) for combatant in state.combatants])


def _sides(state: State) -> tuple[Option, ...]:
    return tuple(Option(side.id, side.name) for side in state.sides)


def _pools(ruleset: Ruleset) -> Field:
    pools = ruleset.schema.pools
    return Field(
        "pool",
        "choice",
        default=pools[0] if pools else None,
        options=tuple(Option(pool) for pool in pools),
        required=True,
    )


def _holders(ruleset: Ruleset, state: State, action: Action) -> tuple[Option, ...]:
    """Return everybody; who has no such pool comes refused."""
    return _with_pool(state, str(action.get("pool") or next(iter(ruleset.schema.pools), "")))


@per_state
def _with_pool(state: State, key: str) -> tuple[Option, ...]:
    missing = Refusal("no_pool", f"has no {key}", forcible=False, field="targets")
    return tuple([Option(one.id, one.name, refusal=None if one.has_pool(key) else missing) for one in state.combatants])


def _damage(ruleset: Ruleset, state: State, action: Action) -> tuple[Field, ...]:
    people = _holders(ruleset, state, action)
    return (
        Field("amount", "number", required=True, minimum=0),
        Field("targets", "combatants", required=True, options=people),
        *share_fields(people),
        _pools(ruleset),
    )


def _heal(ruleset: Ruleset, state: State, action: Action) -> tuple[Field, ...]:
    return (
        Field("amount", "number", required=True, minimum=0),
        Field("targets", "combatants", required=True, options=_holders(ruleset, state, action)),
        _pools(ruleset),
    )


def _set(ruleset: Ruleset, state: State, action: Action) -> tuple[Field, ...]:
    combatant = state.get(str(action.get("who")))
    pools = [pool.key for pool in combatant.pools] if combatant else list(ruleset.schema.pools)
    parts = [f"left_{key}" for key, _ in combatant.budget] if combatant else []
    values = tuple(Option(value) for pool in pools for value in (pool, f"{pool}_max")) + tuple(
        Option(part) for part in parts
    )
    return (
        Field("who", "combatant", required=True, options=_people(state)),
        Field("what", "choice", required=True, options=values, default=values[0].key if values else None),
        Field("value", "number", required=True),
    )


def _add_effect(ruleset: Ruleset, state: State, action: Action) -> tuple[Field, ...]:
    moments = ruleset.moments or durations.MOMENTS
    stats = tuple(Option(stat) for stat in ruleset.schema.derived)
    named, _ = ruleset.effect_called(str(action.get("name")))
    amount = Field("amount", "number", required=True)
    stat = Field("stat", "choice", required=True, options=stats) if stats else Field("stat", "text", required=True)
    usual = "" if named is None else _usual(moments, named.until)
    return (
        Field("name", "text", required=True, note=", ".join(effect.name for effect in ruleset.effects)),
        Field("targets", "combatants", options=_people(state), note="nobody: on the fight"),
        Field("until", "text", default=usual, note=", ".join(moment.words.replace("{n}", "3") for moment in moments)),
        Field("modifiers", "rows", columns=(stat, amount, *_kind(ruleset))),
        Field("source", "combatant", options=_people(state)),
        Field("secret", "flag"),
    )


def _usual(moments: Sequence[Moment], until: tuple[At | OnUse, ...]) -> str:
    """Return the words of an end; those without a count before those that would need a 1."""
    fitting = sorted((moment.words for moment in moments if moment.until == until), key=lambda words: "{n}" in words)
    return fitting[0].replace("{n} rounds", "1 round").replace("{n}", "1") if fitting else ""


def _kind(ruleset: Ruleset) -> tuple[Field, ...]:
    """Return the column for the kind of a modifier, where the game knows kinds."""
    kinds = tuple(Option(kind) for kind in ruleset.schema.modifier_kinds)
    return (Field("kind", "choice", options=kinds),) if kinds else ()


def _endable(state: State, who: Value) -> dict[str, Effect]:
    """Return the effects on somebody, or all of them, by what to call them: their name, with their number where it is not the only one."""
    effects = state.borne(str(who)) if who is not None else state.all_effects
    times = Counter([effect.name for effect in effects])
    return {effect.name if times[effect.name] == 1 else f"{effect.name}#{effect.id}": effect for effect in effects}


def _end_effect(ruleset: Ruleset, state: State, action: Action) -> tuple[Field, ...]:
    endable = _endable(state, action.get("who"))
    names = {bearer: state.name(bearer) for bearer in {effect.bearer for effect in endable.values()}}
    options = tuple([Option(key, f"{effect.shown} ({names[effect.bearer]})") for key, effect in endable.items()])
    default = options[0].key if len(options) == 1 else None
    return (
        Field("who", "combatant", options=_people(state)),
        Field("effect", "choice", required=True, options=options, default=default),
    )


def _status(ruleset: Ruleset, state: State, action: Action) -> tuple[Field, ...]:
    statuses = tuple(Option(status.key, status.word) for status in ruleset.statuses)
    return (
        Field("targets", "combatants", required=True, options=_people(state)),
        Field("status", "choice", required=True, options=statuses),
    )


def _insert(ruleset: Ruleset, state: State, action: Action) -> tuple[Field, ...]:
    foes = next((side.id for side in state.sides if side.control == "gm"), state.sides[0].id if state.sides else None)
    return (
        Field("members", "members", required=True),
        Field("side", "text", default=foes, required=True, note="a side here, or the name of a new one"),
    )


def _wave(ruleset: Ruleset, state: State, action: Action) -> tuple[Field, ...]:
    waves = tuple(
        Option(str(place), wave.title or wave.when or f"wave {place}")
        for place, wave in enumerate(state.waves, start=1)
    )
    return (Field("wave", "choice", required=True, options=waves, default="1" if waves else None),)


def _targets(ruleset: Ruleset, state: State, action: Action) -> tuple[Field, ...]:
    return (Field("targets", "combatants", required=True, options=_people(state)),)


def _move(ruleset: Ruleset, state: State, action: Action) -> tuple[Field, ...]:
    slots = tuple(Option(slot.id, slot.title) for slot in state.clock.upcoming)
    return (
        Field("slot", "choice", required=True, options=slots),
        Field("before", "choice", options=slots, note="empty: last of the round"),
    )


def _house_rule(ruleset: Ruleset, state: State, action: Action) -> tuple[Field, ...]:
    kind = ruleset.schema.house_rules
    names = tuple(
        Option(name)
        for name in (kind.__struct_fields__ if kind is not None and issubclass(kind, msgspec.Struct) else ())
    )
    return (Field("name", "choice", required=True, options=names), Field("value", "text", required=True))


def _note(ruleset: Ruleset, state: State, action: Action) -> tuple[Field, ...]:
    return (Field("text", "text", required=True), Field("about", "combatant", options=_people(state)))


def _side(ruleset: Ruleset, state: State, action: Action) -> tuple[Field, ...]:
    return (
        Field("who", "combatant", required=True, options=_people(state)),
        Field("side", "choice", required=True, options=_sides(state)),
    )


def _rename(ruleset: Ruleset, state: State, action: Action) -> tuple[Field, ...]:
    return (Field("who", "combatant", required=True, options=_people(state)), Field("name", "text", required=True))


def _place(ruleset: Ruleset, state: State, action: Action) -> tuple[Field, ...]:
    return (
        Field("who", "combatant", required=True, options=_people(state)),
        Field("x", "number", required=True),
        Field("y", "number"),
    )


def _roll(ruleset: Ruleset, state: State, action: Action) -> tuple[Field, ...]:
    return (
        Field("dice", "dice", required=True, default="1d20"),
        Field("who", "combatant", options=_people(state)),
        Field("why", "text"),
        Field("secret", "flag"),
    )


def _end_fight(ruleset: Ruleset, state: State, action: Action) -> tuple[Field, ...]:
    return (Field("reason", "text", default=ruleset.finished(state) or ""),)


def _dismiss(ruleset: Ruleset, state: State, action: Action) -> tuple[Field, ...]:
    return (Field("key", "text", required=True),)


def _bare(ruleset: Ruleset, state: State, action: Action) -> tuple[Field, ...]:
    return ()


def _do_next(ctx: Ctx, game: Ruleset, action: Action) -> None:
    clock.walk(ctx, game)


def _do_damage(ctx: Ctx, game: Ruleset, action: Action) -> None:
    pool = str(action.get("pool"))
    for who, taken, why in shares(action, _number(action, "amount")):
        ctx.change(who, pool, ctx.state[who].pool(pool).now - taken, why=why)


def _do_heal(ctx: Ctx, game: Ruleset, action: Action) -> None:
    pool = str(action.get("pool"))
    for who in _ids(action, "targets"):
        held = ctx.state[who].pool(pool)
        ctx.change(who, pool, max(held.now, min(held.max, held.now + _number(action, "amount"))))


def _do_set(ctx: Ctx, game: Ruleset, action: Action) -> None:
    who, what, value = str(action.get("who")), str(action.get("what")), _number(action, "value")
    combatant = ctx.state[who]
    if what.startswith("left_"):
        ctx.refill({who: tuple((key, value if f"left_{key}" == what else left) for key, left in combatant.budget)})
    elif what.endswith("_max"):
        held = combatant.pool(what.removesuffix("_max"))
        ctx.emit(PoolSet(who, held, replace(held, max=value)))
    else:
        ctx.change(who, what, value)


def _do_add_effect(ctx: Ctx, game: Ruleset, action: Action) -> None:
    name, words, source = str(action.get("name")), str(action.get("until") or ""), action.get("source")
    named, value = game.effect_called(name)
    until = named.until if named is not None and not words else _until(game, ctx.state, words)
    if source is None and any(isinstance(end, At) and end.anchor in ("source", "source_side") for end in until):
        raise Refused(Refusal("bad_field", "whose moment is meant? name the source", forcible=False, field="source"))
    modifiers = tuple(
        Modifier(str(row["stat"]), _whole(row["amount"]), kind=str(row.get("kind") or "") or UNSET)
        for row in action.rows("modifiers")
    )
    for bearer in _ids(action, "targets") or (FIGHT,):
        made = Effect(name, bearer) if named is None else named.effect(bearer, value)
        ctx.add_effect(
            replace(
                made,
                source=None if source is None else str(source),
                until=until,
                modifiers=modifiers or made.modifiers,
                secret=action.get("secret") is True,
            )
        )


def _until(ruleset: Ruleset, state: State, words: str) -> tuple[At | OnUse, ...]:
    try:
        return durations.read(words, ruleset.moments or durations.MOMENTS, state.clock, ruleset.schema.round_seconds)
    except ValueError as error:
        raise Refused(Refusal("bad_field", str(error), forcible=False, field="until")) from error


def _do_end_effect(ctx: Ctx, game: Ruleset, action: Action) -> None:
    ctx.end_effect(_endable(ctx.state, action.get("who"))[str(action.get("effect"))], "removed")


def _do_status(ctx: Ctx, game: Ruleset, action: Action) -> None:
    for who in _ids(action, "targets"):
        ctx.status(who, str(action.get("status")))


def _do_insert(ctx: Ctx, game: Ruleset, action: Action) -> None:
    members, side = action.get("members"), joining.side_called(ctx, str(action.get("side")))
    joining.admit(
        ctx,
        game,
        {side: [member for member in members if isinstance(member, Member)] if isinstance(members, tuple) else []},
    )


def _do_wave(ctx: Ctx, game: Ruleset, action: Action) -> None:
    wave = ctx.state.waves[int(str(action.get("wave"))) - 1]
    ctx.emit(WaveArrived(wave))
    joining.admit(ctx, game, {joining.side_called(ctx, wave.side): wave.members})


def _do_remove(ctx: Ctx, game: Ruleset, action: Action) -> None:
    for who in _ids(action, "targets"):
        ctx.leave(who, "removed")


def _do_move(ctx: Ctx, game: Ruleset, action: Action) -> None:
    slots = ctx.state.clock.slots
    moved = next(slot for slot in slots if slot.id == action.get("slot"))
    others = [slot for slot in slots if slot.id != moved.id]
    before = action.get("before")
    if before == moved.id:
        return
    place = next((place for place, slot in enumerate(others) if slot.id == before), len(others))
    ctx.emit(OrderSet(slots, (*others[:place], moved, *others[place:])))


def _do_house_rule(ctx: Ctx, game: Ruleset, action: Action) -> None:
    kind, held = game.schema.house_rules, ctx.state.house_rules
    name, text = str(action.get("name")), str(action.get("value"))
    if kind is None or held is None:
        raise Refused(Refusal("bad_field", "this game has no switches", forcible=False, field="name"))
    codec = game.schema.codec
    plain, problem = codec.builtins(held), ""
    for value in _readings(text):
        try:
            now = codec.convert({**plain, name: value}, kind)
        except msgspec.ValidationError as error:
            problem = str(error)
        else:
            ctx.emit(HouseRulesChanged(held, now))
            return
    raise Refused(Refusal("bad_field", f"{name}: {problem}", forcible=False, field="value"))


def _readings(text: str) -> list[str | int | bool]:
    """Return what typed words can mean, the plainest first."""
    meant = {"true": True, "yes": True, "on": True, "false": False, "no": False, "off": False}.get(text.casefold())
    readings: list[str | int | bool] = [text] if meant is None else [text, meant]
    return [*readings, int(text)] if re.fullmatch(r"[+-]?[0-9]{1,9}", text) else readings


def _do_note(ctx: Ctx, game: Ruleset, action: Action) -> None:
    about = action.get("about")
    ctx.emit(Noted(str(action.get("text")), None if about is None else str(about), keep=True))


def _do_side(ctx: Ctx, game: Ruleset, action: Action) -> None:
    who, now = str(action.get("who")), str(action.get("side"))
    was = ctx.state[who].side
    if was != now:
        ctx.emit(SideChanged(who, was, now))


def _do_rename(ctx: Ctx, game: Ruleset, action: Action) -> None:
    who = str(action.get("who"))
    ctx.emit(Renamed(who, ctx.state[who].name, str(action.get("name"))))


def _do_place(ctx: Ctx, game: Ruleset, action: Action) -> None:
    who, y = str(action.get("who")), action.get("y")
    now = tuple(part for part in (action.get("x"), y) if isinstance(part, int | float))
    ctx.emit(Moved(who, ctx.state[who].position, now))


def _do_roll(ctx: Ctx, game: Ruleset, action: Action) -> None:
    dice, who = Dice.parse(str(action.get("dice"))), action.get("who")
    total = ctx.roll(
        "roll",
        dice,
        who=None if who is None else str(who),
        why=str(action.get("why") or "free roll"),
        secret=action.get("secret") is True,
    )
    if dice.plus:
        ctx.note(f"{dice} = {total + dice.plus}")


def _do_end_fight(ctx: Ctx, game: Ruleset, action: Action) -> None:
    ctx.emit(FightEnded(str(action.get("reason") or "")))
    clock.end_fight(ctx, game)
    clock.walk(ctx, game)


def _do_dismiss(ctx: Ctx, game: Ruleset, action: Action) -> None:
    ctx.emit(ReminderDismissed(str(action.get("key"))))


def _number(action: Action, name: str) -> int:
    return _whole(action.get(name))


def _whole(value: Value) -> int:
    return int(value) if isinstance(value, int | float) else 0


def _ids(action: Action, name: str) -> tuple[str, ...]:
    """Return the ids in a field, each once."""
    value = action.get(name)
    return tuple(dict.fromkeys(str(item) for item in value)) if isinstance(value, tuple) else ()


Fields = Callable[[Ruleset, State, Action], Sequence[Field]]
Deed = Callable[[Ctx, Ruleset, Action], None]

_TABLE: dict[str, tuple[str, Fields, Deed]] = {
    "next": ("Next", _bare, _do_next),
    "damage": ("Damage", _damage, _do_damage),
    "heal": ("Heal", _heal, _do_heal),
    "set": ("Set a value", _set, _do_set),
    "add_effect": ("Add an effect", _add_effect, _do_add_effect),
    "end_effect": ("End an effect", _end_effect, _do_end_effect),
    "status": ("Change the status", _status, _do_status),
    "insert": ("Insert combatants", _insert, _do_insert),
    "wave": ("Bring in a wave", _wave, _do_wave),
    "remove": ("Remove from the fight", _targets, _do_remove),
    "move": ("Move in the order", _move, _do_move),
    "house_rule": ("Change a house rule", _house_rule, _do_house_rule),
    "note": ("Note", _note, _do_note),
    "side": ("Change sides", _side, _do_side),
    "rename": ("Rename", _rename, _do_rename),
    "place": ("Put somewhere", _place, _do_place),
    "roll": ("Roll dice", _roll, _do_roll),
    "dismiss": ("Dismiss a reminder", _dismiss, _do_dismiss),
    "end_fight": ("End the fight", _end_fight, _do_end_fight),
}


def form(ruleset: Ruleset, state: State, action: Action) -> ActionSpec | None:
    """Return the specification of a generic action, or None for a key that is none."""
    row = _TABLE.get(action.key)
    if row is None:
        return None
    label, fields, _ = row
    return ActionSpec(
        action.key,
        label,
        None,
        fields=tuple(fields(ruleset, state, action)),
        refusal=_refusal(state, action),
        group="game master",
    )


def _refusal(state: State, action: Action) -> Refusal | None:
    if action.key == "end_fight" and state.clock.over:
        return Refusal("fight_over", "the fight is over already", forcible=False)
    if action.key == "next" and clock.finished(state):
        return Refusal("fight_over", "the fight is over", forcible=False)
    if action.key == "wave" and not state.waves:
        return Refusal("no_wave", "no wave is waiting", forcible=False)
    return None


def actions(ruleset: Ruleset, state: State, but: frozenset[str] = frozenset()) -> tuple[ActionSpec, ...]:
    """Return the specifications of everything here but some."""
    specs = (form(ruleset, state, Action(key)) for key in _TABLE if key not in but)
    return tuple(spec for spec in specs if spec is not None)


def perform(ctx: Ctx, game: Ruleset, action: Action) -> None:
    """Do a generic action whose form has been accepted."""
    _TABLE[action.key][2](ctx, game, action)
