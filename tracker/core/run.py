"""The step: a function replayed with its answers.

`run` performs a step on a state with the answers given so far. A request without an answer ends the pass; the caller
asks, and runs again with one answer more. So a pending step can be saved, resumed, amended and enumerated.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal, TypeAlias

from msgspec import UNSET, Struct

from tracker.core.clock import advance, joining, schedule
from tracker.core.engine import GameStep, spec_of
from tracker.core.fight.events import Entry, FightOpened
from tracker.core.fight.settings import CLOCK, DICE, ON, SCREEN, side_key
from tracker.core.fight.state import Side, State
from tracker.core.game.ruleset import Ruleset
from tracker.core.step.ctx import Ctx, Interruption
from tracker.core.step.prompts import NeedAnswer
from tracker.core.terms.actions import Action
from tracker.core.terms.encounter import Encounter
from tracker.core.terms.errors import Refusal, Refused, RulesBug, impossible
from tracker.core.terms.requests import Answer, Request
from tracker.core.terms.values import Value
from tracker.core.visibility import knowledge
from tracker.core.visibility.fog import cover_map, lay_initial_fog, settle_fog
from tracker.core.visibility.reveal import reveal_attackers, set_visibility


def open_fight(ctx: Ctx, game: Ruleset, encounter: Encounter) -> None:
    """Open the fight of an encounter: all members join, then the clock goes on to the first stop."""
    switches = game.schema.house_rules
    sides = tuple(Side(side.id, side.name, side.control, side.data) for side in encounter.sides)
    ctx.emit(
        FightOpened(
            encounter.ruleset,
            game.version,
            encounter.title,
            switches() if encounter.house_rules is None and switches is not None else encounter.house_rules,
            encounter.setup,
            sides,
            encounter.waves,
            encounter.reminders,
            encounter.notes,
        )  # fmt: skip - one record
    )
    _set_screen(ctx, encounter)
    if encounter.clock is True:
        ctx.fact(SCREEN, CLOCK, ON)
    for side in encounter.sides:
        if side.dice is not UNSET:
            ctx.fact(DICE, side_key(side.id), side.dice)
    fogged = cover_map(ctx, game, encounter)
    joining.admit(ctx, game, {side.id: side.members for side in encounter.sides}, fogged=fogged)
    if fogged:
        lay_initial_fog(ctx, game, encounter)
    game.open_fight(ctx, encounter)
    ctx.settle()
    advance.advance(ctx, game)


def _set_screen(ctx: Ctx, encounter: Encounter) -> None:
    """Store the file's settings of the players' screen."""
    for side in encounter.sides:
        if side.public:
            set_visibility(ctx, f"side:{side.id}", side.public)
        if side.health is False:
            set_visibility(ctx, f"health:{side.id}", False)
    screen = encounter.screen
    if screen is UNSET:
        return
    if screen.title:
        set_visibility(ctx, "title", screen.title)
    for key, shown in (("points", screen.points), ("map", screen.map)):
        if not shown:
            set_visibility(ctx, key, False)
    if screen.unseen != "reveal":
        set_visibility(ctx, "unseen", screen.unseen)


Answers: TypeAlias = tuple[tuple[str, Answer], ...]
Source: TypeAlias = Callable[[Request], Answer | None]
MOST_ADVANCES = 500


class Step(Struct, frozen=True):
    """One undoable part of the fight, as input.

    Attributes:
        kind: `start` opens the fight, `do` performs one action or a group, `advance` goes on to the next stop.
        actions: the actions; several are one step, performed in order, all or none.
        encounter: the encounter of a start.
        to: of an advance that is replayed: the slot to reach, if it has not begun yet.
        forced: refusals of rules are overruled.
        interrupts: actions that interrupt before requests, in order.
        overrides: values that replace computed ones, by the key of the ruling.
        told: how the first action differs from the plan that the GM has seen; it is logged before the action.
    """

    kind: Literal["start", "do", "advance"]
    actions: tuple[Action, ...] = ()
    encounter: Encounter | None = None
    to: str = ""
    forced: bool = False
    interrupts: tuple[Interruption, ...] = ()
    overrides: tuple[tuple[str, Value], ...] = ()
    told: str = ""


class Pending(Struct, frozen=True):
    """The step waits for an answer; its events so far are shown, but not stored."""

    request: Request
    state: State
    entries: tuple[Entry, ...]
    answers: Answers


class Done(Struct, frozen=True):
    """The step is complete.

    Attributes:
        state: the state after it.
        entries: its events.
        answers: every answer that was used, including those of the source, in the order of the requests.
        unused: keys of answers without a request, of interruptions without their request (`attack!1`), and of overrides
            without a ruling.
        reached: the slot an advance reached, "" if it stayed in its slot.
    """

    state: State
    entries: tuple[Entry, ...]
    answers: Answers
    unused: tuple[str, ...] = ()
    reached: str = ""


Outcome: TypeAlias = Pending | Done | Refusal


def run(
    ruleset: Ruleset,
    state: State,
    step: Step,
    answers: Answers = (),
    source: Source | None = None,
    *,
    watched: bool = False,
    unread: bool = False,
) -> Outcome:
    """Perform a step with these answers.

    `source` answers requests without a person. `watched`: its dice may be `watched.WatchedTotal`s, and windows are
    passed. `unread`: the texts of requests about the needed numbers are left out, and windows without any answer that
    matters are passed.

    Returns a `Refusal`, with the state unchanged, if a rule, the form or an answer forbids it; raises RulesBug if the
    ruleset breaks the protocol.
    """
    ctx = GameStep(ruleset, state, dict(answers), source, step.interrupts, dict(step.overrides), step.forced)
    ctx.watched, ctx.unread = watched, watched or unread
    try:
        reached = _perform(ctx, ruleset, step)
        if ctx.unanswered:
            raise RulesBug(f'the question "{ctx.unanswered}" was swallowed: let every BaseException pass')
        if knowledge.used(ctx.state):
            reveal_attackers(ctx)
            settle_fog(ctx)
            _note_stop(ctx, ruleset)
    except NeedAnswer as need:
        return Pending(need.request, ctx.state, tuple(ctx.entries), tuple(ctx.given.items()))
    except Refused as refused:
        return refused.refusal
    return Done(
        ctx.state,
        tuple(ctx.entries),
        tuple(ctx.given.items()),
        (*(key for key, _ in answers if key not in ctx.given), *ctx.unused_interrupts),
        reached,
    )


def _note_stop(ctx: Ctx, game: Ruleset) -> None:
    """Store the last stop that players may see, while combatants are hidden.

    The clock may also stop in slots of hidden combatants alone; players must not see these stops.
    """
    slot, unseen, before = ctx.state.clock.current, knowledge.hidden(ctx.state), ctx.state_at_start
    if not unseen or slot is None:
        return
    last = before.clock.at if not knowledge.hidden(before) else None
    if unseen.isdisjoint(slot.members) or schedule.open_to_players(game, ctx.state, slot):
        last = slot.id
    if last is not None and knowledge.setting(ctx.state, knowledge.STOPPED_AT) != last:
        set_visibility(ctx, knowledge.STOPPED_AT, last)


def _perform(ctx: Ctx, game: Ruleset, step: Step) -> str:
    match step.kind:
        case "start":
            if step.encounter is None:
                raise RulesBug("a fight starts without an encounter")
            open_fight(ctx, game, step.encounter)
        case "advance":
            return _advance(ctx, game, step.to)
        case "do":
            if step.told and step.actions:
                ctx.note(step.told, about=step.actions[0].by)
            _do(ctx, game, step.actions)
    return ""


def _do(ctx: Ctx, game: Ruleset, actions: tuple[Action, ...]) -> None:
    """Perform one action, or a group in order, all or none; after the first roll, impossible actions are skipped."""
    if len(actions) == 1:
        ctx.perform(actions[0])
        return
    sound = [ctx.refusal_of(action) is None for action in actions]
    for place, action in enumerate(actions, start=1):
        refusal = ctx.refusal_of(action)
        if refusal is not None and sound[place - 1] and ctx.given:
            label = spec_of(game, ctx.state, action).label
            ctx.skip(label, refusal.text, *((refusal.rule,) if refusal.rule else ()), who=action.by)
        else:
            ctx.perform(action, f"{place}:{action.by or action.key}")


def _advance(ctx: Ctx, game: Ruleset, to: str) -> str:
    before = ctx.state.clock.at
    if to and not schedule.ahead(ctx.state, to):
        raise impossible("already_there", "that moment has passed already")
    for times in range(1, MOST_ADVANCES):
        action = game.advance(ctx.state)
        if action is None:
            raise impossible("nothing_to_come", "the fight is over")
        ctx.perform(action, "" if times == 1 else f"advance:{times}")
        reached = ctx.state.clock.at or ""
        # A closing slot is always ahead during a fight; advancing up to it would play the whole fight.
        if not to or reached == to or schedule.closing(to) or not schedule.ahead(ctx.state, to):
            return "" if reached == before else reached
    raise RulesBug(f"the clock never reached {to}")
