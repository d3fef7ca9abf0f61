"""Every action of GitHack: the PCs', the monsters' and the referee's tables (section 6)."""

from __future__ import annotations

from msgspec.structs import replace

from rulesets.githack.actions import monster_actions, pc_actions
from rulesets.githack.actions.gm_actions import GM_ACTIONS
from rulesets.githack.stats import stats
from tracker.core.fight.slots import Id
from tracker.core.fight.state import State
from tracker.core.step.ctx import Ctx
from tracker.core.terms.actions import Action, ActionSpec
from tracker.core.terms.requests import Window
from tracker.kit.actions import ActionTable

PCS = ActionTable(
    pc_actions.PC_ACTIONS,
    gm=GM_ACTIONS,
    unable=lambda state, who: None,
    untimely=pc_actions.untimely,
    pay=pc_actions.pay,
    usual=pc_actions.usual,
    shown=lambda spec: True,
)
MONSTERS = ActionTable(
    monster_actions.MONSTER_ACTIONS,
    gm=GM_ACTIONS,
    unable=lambda state, who: None,
    untimely=monster_actions.untimely,
    pay=monster_actions.pay,
    shown=lambda spec: True,
)


def _table(state: State, by: Id | None) -> ActionTable:
    return PCS if by is None or stats.is_pc(state[by]) else MONSTERS


def actions(state: State, by: Id | None) -> tuple[ActionSpec, ...]:
    return _table(state, by).actions(state, by)


def form(state: State, action: Action) -> ActionSpec | None:
    return _table(state, action.by).form(state, action)


def perform(ctx: Ctx, action: Action) -> None:
    _table(ctx.state, action.by).perform(ctx, action)


def windows(state: State, window: Window) -> tuple[ActionSpec, ...]:
    """Return who may interrupt here: a defender strikes (GH-210)."""
    attacker = state.name(window.actor)
    return tuple(replace(spec, does=f"strikes before {attacker} does") for spec in PCS.windows(state, window))
