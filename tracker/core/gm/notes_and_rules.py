"""Commands about house rules, notes, reminders and free dice."""

from __future__ import annotations

import re
from functools import partial

import msgspec

from tracker.core.fight.events import HouseRulesChanged, Noted, ReminderDismissed
from tracker.core.fight.state import State
from tracker.core.game.action_types import ActionType
from tracker.core.game.ruleset import Ruleset
from tracker.core.game.schema import codec_of
from tracker.core.step.ctx import Ctx
from tracker.core.step.fields import all_combatants
from tracker.core.terms.actions import Action, Field, Option
from tracker.core.terms.dice import Dice
from tracker.core.terms.errors import impossible


def _house_rule_fields(game: Ruleset) -> tuple[Field, ...]:
    kind = game.schema.house_rules
    names = kind.__struct_fields__ if kind is not None and issubclass(kind, msgspec.Struct) else ()
    return (
        Field("name", "choice", required=True, options=tuple(map(Option, names))),
        Field("value", "text", required=True),
    )


def _set_house_rule(game: Ruleset, ctx: Ctx, action: Action) -> None:
    kind, before = game.schema.house_rules, ctx.state.house_rules
    name, text = str(action.get("name")), str(action.get("value"))
    if kind is None or before is None:
        raise impossible("bad_field", "this game has no switches", field="name")
    codec = codec_of(game.schema)
    plain, problem = codec.builtins(before), ""
    for value in _readings(text):
        try:
            now = codec.convert({**plain, name: value}, kind)
        except msgspec.ValidationError as error:
            problem = str(error)
        else:
            ctx.emit(HouseRulesChanged(before, now))
            return
    raise impossible("bad_field", f"{name}: {problem}", field="value")


def _readings(text: str) -> list[str | int | bool]:
    """Return the values that typed text can mean: a text, a flag, a number."""
    flag = {"true": True, "yes": True, "on": True, "false": False, "no": False, "off": False}.get(text.casefold())
    readings: list[str | int | bool] = [text] if flag is None else [text, flag]
    return [*readings, int(text)] if re.fullmatch(r"[+-]?[0-9]{1,9}", text) else readings


def _note(state: State, action: Action) -> tuple[Field, ...]:
    return (Field("text", "text", required=True), Field("about", "combatant", options=all_combatants(state)))


def _do_note(ctx: Ctx, action: Action) -> None:
    about = action.get("about")
    ctx.emit(Noted(str(action.get("text")), None if about is None else str(about), keep=True))


def _roll(state: State, action: Action) -> tuple[Field, ...]:
    return (
        Field("dice", "dice", required=True, default="1d20"),
        Field("who", "combatant", options=all_combatants(state)),
        Field("why", "text"),
        Field("secret", "flag"),
    )


def _do_roll(ctx: Ctx, action: Action) -> None:
    dice, who = Dice.parse(str(action.get("dice"))), action.get("who")
    ctx.roll(
        "roll",
        dice,
        who=None if who is None else str(who),
        why=str(action.get("why") or "free roll"),
        secret=action.get("secret") is True,
    )


def commands(game: Ruleset) -> tuple[ActionType, ...]:
    """Return the commands of this module, for a game."""
    return (
        ActionType(
            "house_rule",
            "Change a house rule",
            perform=partial(_set_house_rule, game),
            fields=lambda state, action: _house_rule_fields(game),
        ),
        ActionType("note", "Note", perform=_do_note, fields=_note),
        ActionType("roll", "Roll dice", perform=_do_roll, fields=_roll),
        ActionType(
            "dismiss",
            "Dismiss a reminder",
            perform=lambda ctx, action: ctx.emit(ReminderDismissed(str(action.get("key")))),
            fields=lambda state, action: (Field("key", "text", required=True),),
        ),
    )
