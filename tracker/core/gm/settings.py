"""Commands about settings: dice rolled by the program, questions about interruptions, the numbers in questions."""

from __future__ import annotations

from collections.abc import Iterable

from msgspec.structs import replace

from tracker.core.fight.settings import (
    ALWAYS,
    ASKED,
    CLOCK,
    DICE,
    NEEDED,
    ON,
    PLAYERS,
    PROGRAM,
    SCREEN,
    WINDOWS,
    numbers_shown,
    side_key,
    turn_clock,
    who_key,
)
from tracker.core.fight.slots import Id
from tracker.core.fight.state import State
from tracker.core.game.action_types import ActionType
from tracker.core.step.ctx import Ctx
from tracker.core.step.fields import all_combatants, ids
from tracker.core.terms.actions import Action, Field, Option
from tracker.core.terms.values import Value

ASK, ROLL = "ask", "roll_for"
MUTE, UNMUTE = "quiet", "listen"
EVERYBODY = Option("everybody", note="all sides")
GROUPS = (Option("foes", note="all sides of the GM"), Option("players", note="all sides of players"))
GROUP_OF = {"gm": "foes", "players": "players"}
SIDES_NOTE = "foes, players, or a side"


def sides_named(state: State, keys: Iterable[str]) -> tuple[Id, ...]:
    """Return the sides that the chosen options of a form mean."""
    chosen = frozenset(keys)
    return tuple(
        [side.id for side in state.sides if chosen & {EVERYBODY.key, GROUP_OF[side.control], side_key(side.id)}]
    )


def _sides(state: State) -> tuple[Option, ...]:
    return (*GROUPS, *(Option(side_key(side.id), side.name) for side in state.sides))


def _is_empty(action: Action) -> bool:
    return not ids(action, "sides") and not ids(action, "targets")


def _dice_fields(state: State, action: Action) -> tuple[Field, ...]:
    return (
        Field("sides", "choices", required=_is_empty(action), options=_sides(state), note=SIDES_NOTE),
        Field("targets", "combatants", options=all_combatants(state), note="or single combatants"),
    )


def dice_settings(state: State, action: Action) -> tuple[tuple[str, Value], ...]:
    """Return the facts that a command about dice sets; combatants of a chosen side lose their own setting."""
    roller = PROGRAM if action.key == ROLL else ASKED
    sides, targets = sides_named(state, ids(action, "sides")), ids(action, "targets")
    followers = [one.id for side in sides for one in state.members(side) if one.id not in targets]
    return (
        *((side_key(side), roller) for side in sides),
        *((who_key(who), None) for who in followers),
        *((who_key(who), roller) for who in targets),
    )


def with_dice(state: State, actions: Iterable[Action]) -> State:
    """Return a state with the settings about dice that these actions make."""
    for action in actions:
        if action.key in (ASK, ROLL):
            known = {(owner, key): value for owner, key, value in state.facts}
            known |= {(DICE, key): value for key, value in dice_settings(state, action)}
            facts = [(owner, key, value) for (owner, key), value in sorted(known.items()) if value is not None]
            state = replace(state, facts=tuple(facts))
    return state


def _set_dice(ctx: Ctx, action: Action) -> None:
    state = ctx.state
    for key, now in dice_settings(state, action):
        ctx.fact(DICE, key, now)
    names = [state.name(key) for key in (*sides_named(state, ids(action, "sides")), *ids(action, "targets"))]
    ctx.note(f"{'the program rolls' if action.key == ROLL else 'dice are asked for'}: {', '.join(names)}")


def _interrupt_fields(state: State, action: Action) -> tuple[Field, ...]:
    sides = (EVERYBODY, *_sides(state))
    return (
        Field("targets", "combatants", options=all_combatants(state), note="for this round"),
        Field("sides", "choices", required=_is_empty(action), options=sides, note=f"everybody, {SIDES_NOTE}"),
    )


def _set_interrupts(ctx: Ctx, action: Action) -> None:
    state, mute, now = ctx.state, action.key == MUTE, ctx.state.clock.round
    sides, targets = sides_named(state, ids(action, "sides")), ids(action, "targets")
    rounds: dict[str, Value] = {side_key(side): ALWAYS if mute else None for side in sides}
    rounds |= {who_key(one.id): None for side in sides for one in state.members(side)}
    rounds |= {who_key(who): now if mute else None for who in targets}
    for key, value in rounds.items():
        ctx.fact(WINDOWS, key, value)
    ends = [(state.side(side).name, "") for side in sides] + [(state.name(who), f" in round {now}") for who in targets]
    for name, end in ends:
        how = f"no more whether to interrupt{end}" if mute else "again whether to interrupt"
        ctx.note(f"the program asks {name} {how}")


def _numbers_fields(state: State, action: Action) -> tuple[Field, ...]:
    return (Field("shown", "flag", default=not numbers_shown(state), note="at every question for dice"),)


def _set_numbers(ctx: Ctx, action: Action) -> None:
    shown = action.get("shown") is True
    ctx.fact(SCREEN, NEEDED, None if shown else False)
    ctx.note(f"questions {'tell' if shown else 'keep secret'} what a roll needs")


def _clock_fields(state: State, action: Action) -> tuple[Field, ...]:
    ways = (Option(ON, "on", "in the header"), Option(PLAYERS, "players", "on their screens too"), Option("off", "off"))
    usual = "off" if turn_clock(state) else ON
    return (Field("shown", "choice", label="turn clock", default=usual, options=ways, required=True),)


def _set_clock(ctx: Ctx, action: Action) -> None:
    shown = action.get("shown")
    ctx.fact(SCREEN, CLOCK, shown if shown in (ON, PLAYERS) else None)
    ctx.note(f"the turn clock is {f'shown to {PLAYERS}' if shown == PLAYERS else shown}")


COMMANDS = (
    ActionType(ASK, "Ask for the dice", perform=_set_dice, fields=_dice_fields),
    ActionType(ROLL, "Let the program roll", perform=_set_dice, fields=_dice_fields),
    ActionType(MUTE, "Ask no more whether to interrupt", perform=_set_interrupts, fields=_interrupt_fields),
    ActionType(UNMUTE, "Ask again whether to interrupt", perform=_set_interrupts, fields=_interrupt_fields),
    ActionType(CLOCK, "Show how long a turn lasts", perform=_set_clock, fields=_clock_fields),
    ActionType("numbers", "Show what rolls need", perform=_set_numbers, fields=_numbers_fields),
)
