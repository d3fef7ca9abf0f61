"""Sovereign as a ruleset: the record core works with."""

from __future__ import annotations

from rulesets.sovereign import actions, board, boundaries, columns, numbers, schedule, setup, wounds
from rulesets.sovereign.blocks import Fighter, HouseRules, MemberKeys, Setup, SideKeys
from rulesets.sovereign.opportunity import Cleared
from rulesets.sovereign.policy import policy
from rulesets.sovereign.rulebook import RULEBOOK
from rulesets.sovereign.screen import Blocked
from rulesets.sovereign.shorthand import shorthand
from rulesets.sovereign.swarm import Swarm
from rulesets.sovereign.windows import windows
from rulesets.without_number.outcomes import outcomes
from tracker.core.ruleset import Ruleset, Schema

__all__ = ["RULESET"]

RULESET = Ruleset(
    key="sovereign",
    title="Sovereign",
    version=1,
    schema=Schema(
        blocks=(("pc", Fighter), ("henchman", Fighter), ("npc", Fighter), ("monster", Fighter)),
        house_rules=HouseRules,
        setup=Setup,
        side=SideKeys,
        member=MemberKeys,
        data=(Blocked, Cleared, Swarm, wounds.Fallen, wounds.Grip, wounds.Ward),
        derived=numbers.DERIVED,
        pools=("hp",),
        round_seconds=6,
        board="square",
        shorthand=shorthand,
    ),
    open_round=schedule.open_round,
    actions=actions.actions,
    form=actions.form,
    perform=actions.perform,
    rulebook=RULEBOOK,
    columns=columns.COLUMNS,
    statuses=columns.STATUSES,
    moments=columns.MOMENTS,
    effects=columns.EFFECTS,
    open_fight=setup.open_fight,
    join=setup.join,
    on_boundary=boundaries.on_boundary,
    settle=boundaries.settle_all,
    skip=schedule.skip,
    windows=windows,
    derived=numbers.derived,
    pending=columns.pending,
    badges=columns.badges,
    outcomes=outcomes,
    policy=policy,
    finished=columns.finished,
    board=board.board,
    reach=board.reach,
    trail=board.trail,
    sight=board.sight,
    area=board.area,
)
