"""Turns that begin by themselves.

The first action of a combatant begins its turn and ends the one that is open (SW-017, SW-037, SW-065).
"""

from __future__ import annotations

from rulesets.sword_world.actions.attack import no_standard
from rulesets.sword_world.fields import MODIFIER, given
from rulesets.sword_world.order import rounds
from rulesets.sword_world.order.rounds import close_turn, open_turn
from rulesets.sword_world.stat_blocks.models import StatBlock
from rulesets.sword_world.stat_blocks.shorthand import LONGEST_ACTION
from rulesets.sword_world.stats import stats
from rulesets.sword_world.stats.effects import STOOD_UP
from tracker.core.fight.cache import per_state
from tracker.core.fight.slots import Id
from tracker.core.fight.state import State
from tracker.core.game.action_types import ActionType
from tracker.core.game.ruleset import Ruleset
from tracker.core.game.schema import Schema
from tracker.core.run import Done, Step, run
from tracker.core.step import fields
from tracker.core.step.ctx import Ctx
from tracker.core.terms.actions import Action, ActionSpec, Field, Option
from tracker.core.terms.errors import Refusal, Refused


def start_turn(ctx: Ctx, action: Action) -> None:
    open_turn(ctx, str(action.by))


def end_turn(ctx: Ctx, action: Action) -> None:
    close_turn(ctx, str(action.by))


def may_begin(state: State, who: Id) -> bool:
    return state.clock.acting != who and stats.may_open(state, who)


@per_state
def begun(state: State, who: Id) -> State:
    if not may_begin(state, who):
        return state
    outcome = run(_TURNS, state, Step("do", (Action("start_turn", who),)))
    return outcome.state if isinstance(outcome, Done) else state


def _change_turns(ctx: Ctx, action: Action) -> None:
    if ctx.state.clock.acting is not None:
        close_turn(ctx, ctx.state.clock.acting)
    open_turn(ctx, str(action.by))


_TURNS = Ruleset(
    "sword_world",
    "Turns of Sword World 2.0",
    1,
    Schema((("character", StatBlock), ("monster", StatBlock))),
    rounds.open_round,
    actions=lambda state, who: (),
    form=lambda state, action: ActionSpec(action.key, action.key),
    perform=_change_turns,
    on_boundary=rounds.on_boundary,
    settle=rounds.settle,
)
"""What opening a turn changes, and no more: the game's own record is made of the actions below."""


def begin(ctx: Ctx, kind: ActionType, action: Action) -> None:
    """Begin the turn of a combatant that does something, after ending the open one."""
    who, acting = str(action.by), ctx.state.clock.acting
    if kind.when == "any" or not may_begin(ctx.state, who):
        return
    if ctx.depth > 1:  # SW-054: nothing comes between a question and what follows from it
        raise Refused(Refusal("not_your_turn", f"it is not {ctx.state.name(who)}'s turn", "SW-017"))
    if acting is not None:
        close_turn(ctx, acting)
    open_turn(ctx, who)


CHECKS = (
    "none",
    "fortitude",
    "willpower",
    "evasion",
    "spellcasting",
    "hide",
    "danger_sense",
    "monster_knowledge",
    "initiative",
    "2d",
)


def untimely(state: State, kind: ActionType, action: Action) -> Refusal | None:
    return None if kind.when == "any" else not_open(state, action)


def not_open(state: State, action: Action) -> Refusal | None:
    who = str(action.by)
    if stats.turn_of(state, who):
        return None
    if state.clock.acting is None and stats.may_open(state, who):
        return Refusal("turn_not_open", f"start {state.name(who)}'s turn first", "SW-017")
    return Refusal("not_your_turn", f"it is not {state.name(who)}'s turn", "SW-017")


def not_startable(state: State, action: Action) -> Refusal | None:
    """Return why a turn cannot be started: no phase, an open turn, a second turn."""
    who, slot, acting = str(action.by), state.clock.current, state.clock.acting
    if slot is None or slot.turns != "opened" or state.clock.over:
        return Refusal("no_turns", "no turns are taken now", "SW-019", forcible=False)
    if acting is not None:
        return Refusal("turn_open", f"{state.name(acting)}'s turn is open: end it first", "SW-065", forcible=False)
    if not stats.able(state, who):
        return Refusal("unable", f"{state.name(who)} is {state[who].status}", "SW-R09")
    if who not in slot.members:
        return Refusal(
            "other_phase", f"this is the {slot.phase} party's phase", "SW-020" if slot.phase == "leading" else "SW-019"
        )
    if who in state.clock.turned:
        return Refusal("turn_taken", f"{state.name(who)} has no turn left this round", "SW-017")
    return None


def not_prone(state: State, action: Action) -> Refusal | None:
    combatant = state[str(action.by)]
    if combatant.has("prone"):
        return None
    return Refusal("not_prone", f"{combatant.name} is not prone", "SW-060", forcible=False)


def _hand(state: State, who: Id) -> str:
    return str(state[who].fact("hand", "") or "")


def change_fields(state: State, action: Action) -> tuple[Field, ...]:
    who = str(action.by)
    hand, own = _hand(state, who), stats.block(state, who).attacks
    held = next((attack for attack in own if attack.name == hand), None)
    lost, fresh = fields.texts(state[who].fact("dropped", ())), stowed_now(state, who)
    no_stow = None if held is None or held.stow else Refusal("no_sheath", f"{hand} has to be dropped", "SW-064")
    put = (Option("stow", f"stow {hand}", "", no_stow), Option("drop", f"drop {hand}")) if hand else ()
    late = Refusal("just_stowed", "what is put away can be drawn in the next round", "SW-R45")
    take = tuple(
        Option(attack.name, f"take {attack.name}", refusal=late if attack.name in fresh else None)
        for attack in own
        if attack.name != hand and attack.name not in lost
    )
    return (Field("put_away", "choice", options=put), Field("take", "choice", options=take))


def no_change(state: State, action: Action) -> Refusal | None:
    who = str(action.by)
    hand = _hand(state, who)
    if state[who].kind != "character":
        return Refusal("monster", "a monster has all its weapons at hand", "SW-R46", forcible=False)
    if state[who].left("standard") <= 0:
        return Refusal("acted", "weapons are changed before the standard action", "SW-062")
    if hand and action.get("take") and not action.get("put_away"):
        return Refusal("hands_full", f"{hand} is in hand: put it away or drop it", "SW-R46")
    return None


def other_fields(state: State, action: Action) -> tuple[Field, ...]:
    return (
        Field("text", "text", "what"),
        Field("seconds", "number", default=5, minimum=0),
        Field("uses_standard", "flag", "a standard action", default=True),
        Field("gm_allows", "flag", "the GM allows it"),
        Field("time_consuming", "flag", "an item that takes its time"),
        Field("which", "choice", "check", default="none", options=tuple(map(Option, CHECKS))),
        MODIFIER,
        Field("target_number", "number"),
        Field("roll_fixed", "flag", "roll 2d in place of a fixed value"),
    )


def no_other(state: State, action: Action) -> Refusal | None:
    """Refuse what takes too long, and what full movement or a spent standard action bars."""
    who, uses = str(action.by), action.get("uses_standard") is not False
    typed = given(action, "seconds")
    length = 5 if typed is None else typed
    if length > LONGEST_ACTION:
        return Refusal("too_long", "checks of more than ten minutes are barred in combat", "SW-179", field="seconds")
    if action.get("time_consuming") is True:
        return Refusal(
            "time_consuming", "items that take their time are barred in combat", "SW-180", field="time_consuming"
        )
    kind = stats.moved(state, who)
    if kind == "full" and uses:
        return Refusal("full_move", "after full movement only free actions are left", "SW-043")
    if kind in ("normal", "short") and length >= 10 and action.get("gm_allows") is not True:
        return Refusal("moved", "ten seconds or more after movement need the GM's word", "SW-046", field="gm_allows")
    return no_standard(state, who) if uses else None


def stand_up(ctx: Ctx, action: Action) -> None:
    """Stand up, at a penalty to Fortitude and Willpower until the turn ends (SW-060, SW-061)."""
    who = str(action.by)
    ctx.end_named(who, "prone", "", "SW-053", "SW-060")
    ctx.add_effect(STOOD_UP.on(who, title="stood up"), "SW-061")


def stowed_now(state: State, who: Id) -> tuple[str, ...]:
    """Return the weapons put away in this round; they cannot be drawn before the next one (SW-063, SW-R45)."""
    held = state[who].fact("stowed", ())
    pairs = held if isinstance(held, tuple) else ()
    return tuple(str(pair[0]) for pair in pairs if isinstance(pair, tuple) and pair[1] == state.clock.round)


def change_weapon(ctx: Ctx, action: Action) -> None:
    """Put away or drop what is in hand, and take something else (SW-062 to SW-064, SW-R46)."""
    who, how, take = str(action.by), str(action.get("put_away") or ""), action.get("take")
    hand = str(ctx.state[who].fact("hand", "") or "")
    if hand and how == "stow":
        held = ctx.state[who].fact("stowed", ())
        kept = (
            tuple(pair for pair in held if isinstance(pair, tuple) and pair[0] != hand)
            if isinstance(held, tuple)
            else ()
        )
        ctx.fact(who, "stowed", (*kept, (hand, ctx.state.clock.round)), "SW-063", "SW-R45")
        ctx.fact(who, "hand", "", "SW-062", "SW-063")
    elif hand and how == "drop":
        dropped = ctx.state[who].fact("dropped", ())
        ctx.fact(who, "dropped", (*(dropped if isinstance(dropped, tuple) else ()), hand), "SW-064")
        ctx.fact(who, "hand", "", "SW-062", "SW-064")
    if isinstance(take, str) and take:
        ctx.fact(who, "hand", take, "SW-062", "SW-R46")
