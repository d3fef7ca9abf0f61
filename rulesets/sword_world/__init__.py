"""Combat of Sword World 2.0."""

from __future__ import annotations

from rulesets.sword_world.acts import referee_forms, turn_forms
from rulesets.sword_world.acts.attack import attack
from rulesets.sword_world.acts.cast import cast
from rulesets.sword_world.acts.movement import TURN
from rulesets.sword_world.acts.referee import REFEREE, other_action
from rulesets.sword_world.blocks.canonical import HouseRules, MemberKeys, Setup, StatBlock
from rulesets.sword_world.blocks.facts import Ruled, Zone
from rulesets.sword_world.blocks.shorthand import shorthand
from rulesets.sword_world.blocks.tables import ROUND_SECONDS
from rulesets.sword_world.numbers import stats
from rulesets.sword_world.numbers.durations import EFFECTS, MOMENTS
from rulesets.sword_world.order import opening, rounds
from rulesets.sword_world.screen import columns as screen
from tracker.core.fight.state import Id, State
from tracker.core.game.ruleset import Ruleset
from tracker.core.game.schema import Schema
from tracker.core.step.ctx import Ctx
from tracker.core.terms.actions import Action, ActionSpec
from tracker.kit.rulebook import rules_beside

__all__ = ["RULESET"]

_PERFORM = {
    **TURN,
    **REFEREE,
    "attack": attack,
    "cast": cast,
    "other_action": other_action,
    "start_combat": opening.start_combat,
    "surprise_attempt": opening.surprise_attempt,
    "monster_knowledge": opening.monster_knowledge,
    "end_knowledge": opening.end_knowledge,
    "roll_initiative": opening.roll_initiative,
    "end_phase": rounds.pass_on,
    "end_fight": rounds.end_fight,
}


def _actions(state: State, who: Id | None) -> tuple[ActionSpec, ...]:
    return referee_forms.specs(state) if who is None else turn_forms.specs(state, who)


def _form(state: State, action: Action) -> ActionSpec | None:
    return turn_forms.form(state, action) if action.by is not None else referee_forms.form(state, action)


def _perform(ctx: Ctx, action: Action) -> None:
    _PERFORM[action.key](ctx, action)


RULESET = Ruleset(
    "sword_world",
    "Sword World 2.0",
    1,
    Schema(
        (("character", StatBlock), ("monster", StatBlock)),
        house_rules=HouseRules,
        setup=Setup,
        member=MemberKeys,
        data=(Zone, Ruled),
        derived=stats.DERIVED,
        pools=("hp", "mp"),
        round_seconds=ROUND_SECONDS,
        board="line",
        shorthand=shorthand,
    ),
    rounds.open_round,
    _actions,
    _form,
    _perform,
    rulebook=rules_beside(__file__),
    columns=screen.COLUMNS,
    statuses=screen.STATUSES,
    moments=MOMENTS,
    effects=EFFECTS,
    open_fight=opening.open_fight,
    join=opening.enlist,
    on_boundary=rounds.on_boundary,
    settle=rounds.settle,
    close_fight=rounds.close_fight,
    carry=rounds.carry,
    advance=rounds.advance,
    skip=rounds.skip,
    derived=stats.derived,
    pending=screen.pending,
    badges=screen.badges,
    outcomes=screen.outcomes,
    policy=screen.policy,
    finished=rounds.finished,
    board=screen.board,
    reach=screen.reach,
    trail=screen.trail,
)
