"""Commands about effects: the GM adds and ends them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from functools import partial

from msgspec import UNSET, UnsetType
from msgspec.structs import replace

from tracker.core.fight.state import FIGHT, State
from tracker.core.game import durations
from tracker.core.game.action_types import ActionType
from tracker.core.game.ruleset import Ruleset, effect_called
from tracker.core.step.ctx import Ctx
from tracker.core.step.fields import all_combatants, ids, whole
from tracker.core.terms.actions import Action, Field, Option
from tracker.core.terms.dice import Dice
from tracker.core.terms.effects import Effect, Modifier, changed_by
from tracker.core.terms.errors import impossible
from tracker.core.terms.moments import At, Moment, Until
from tracker.core.terms.values import Value


def _add_effect(game: Ruleset, state: State, action: Action) -> tuple[Field, ...]:
    moments = durations.moments_of(game)
    stats = tuple(Option(stat) for stat in game.schema.derived)
    named, _ = effect_called(game, str(action.get("name")))
    amount = Field("amount", "number", required=True)
    dice = (Field("dice", "text", note="a die in place of the number, as 1d4"),) if game.schema.rolled else ()
    stat = Field("stat", "choice", required=True, options=stats) if stats else Field("stat", "text", required=True)
    usual = "" if named is None else _usual(moments, named.until)
    return (
        Field("name", "text", required=True, note=", ".join(effect.name for effect in game.effects)),
        Field("targets", "combatants", options=all_combatants(state), note="nobody: on the fight"),
        Field("until", "text", default=usual, note=durations.offered_words(moments)),
        Field("modifiers", "rows", columns=(stat, amount, *dice, *_kind(game))),
        Field("source", "combatant", options=all_combatants(state)),
        Field("secret", "flag"),
    )


def _usual(moments: Sequence[Moment], until: tuple[Until, ...]) -> str:
    """Return the words of an end, if possible without a count."""
    fitting = sorted((moment.words for moment in moments if moment.until == until), key=lambda words: "{n}" in words)
    return fitting[0].replace("{n} rounds", "1 round").replace("{n}", "1") if fitting else ""


def _kind(game: Ruleset) -> tuple[Field, ...]:
    """Return the column for the kind of a modifier, if the game has kinds."""
    kinds = tuple(Option(kind) for kind in game.schema.modifier_kinds)
    return (Field("kind", "choice", options=kinds),) if kinds else ()


def _do_add_effect(game: Ruleset, ctx: Ctx, action: Action) -> None:
    name, words, source = str(action.get("name")), str(action.get("until") or ""), action.get("source")
    named, value = effect_called(game, name)
    until = named.until if named is not None and not words else _until(game, ctx.state, words)
    if source is None and any(isinstance(end, At) and end.anchor in ("source", "source_side") for end in until):
        raise impossible("bad_field", "whose moment is meant? name the source", field="source")
    modifiers = tuple(_modifier(game, row) for row in action.rows("modifiers"))
    bearers = ids(action, "targets") or (FIGHT,)
    read = {bearer: durations.read_for(words, game, ctx.state, bearer) for bearer in bearers} if words else {}
    for bearer in bearers:
        effect = Effect(name, bearer) if named is None else named.effect(bearer, value)
        ctx.add_effect(
            replace(
                effect,
                source=None if source is None else str(source),
                until=read.get(bearer, until),
                modifiers=modifiers or effect.modifiers,
                secret=action.get("secret") is True,
            )
        )


def _modifier(game: Ruleset, row: Mapping[str, object]) -> Modifier:
    stat, amount, kind = str(row["stat"]), whole(row["amount"]), str(row.get("kind") or "")
    dice: Dice | UnsetType = UNSET
    if row.get("dice"):
        try:
            sign, dice = changed_by(str(row["dice"]))
        except ValueError as error:
            raise impossible("bad_field", str(error), field="modifiers") from error
        if stat not in game.schema.rolled:
            known = ", ".join(game.schema.rolled)
            raise impossible("bad_field", f"no die can be added to {stat}, only to {known}", field="modifiers")
        amount = sign if amount >= 0 else -sign
    return Modifier(stat, amount, kind=kind or UNSET, dice=dice)


def _until(game: Ruleset, state: State, words: str) -> tuple[Until, ...]:
    try:
        return durations.read(words, game, state)
    except ValueError as error:
        raise impossible("bad_field", str(error), field="until") from error


def _endable(state: State, who: Value) -> dict[str, Effect]:
    """Return the effects on a bearer, or all effects, by name; a name that is not unique gets a number."""
    effects = state.borne(str(who)) if who is not None else state.all_effects
    times = Counter([effect.name for effect in effects])
    return {effect.name if times[effect.name] == 1 else f"{effect.name}#{effect.id}": effect for effect in effects}


def _end_effect(state: State, action: Action) -> tuple[Field, ...]:
    endable = _endable(state, action.get("who"))
    names = {bearer: state.name(bearer) for bearer in {effect.bearer for effect in endable.values()}}
    options = tuple([Option(key, f"{effect.shown} ({names[effect.bearer]})") for key, effect in endable.items()])
    default = options[0].key if len(options) == 1 else None
    return (
        Field("who", "combatant", options=all_combatants(state)),
        Field("effect", "choice", required=True, options=options, default=default),
    )


def _do_end_effect(ctx: Ctx, action: Action) -> None:
    ctx.end_effect(_endable(ctx.state, action.get("who"))[str(action.get("effect"))], "removed")


def commands(game: Ruleset) -> tuple[ActionType, ...]:
    """Return the commands of this module, for a game."""
    return (
        ActionType(
            "add_effect", "Add an effect", perform=partial(_do_add_effect, game), fields=partial(_add_effect, game)
        ),
        ActionType("end_effect", "End an effect", perform=_do_end_effect, fields=_end_effect),
    )
