"""Worlds Without Number as a ruleset: the record core works with."""

from __future__ import annotations

from rulesets.without_number.outcomes import outcomes
from rulesets.worlds_without_number import actions, boundaries, columns, numbers, schedule, setup, wounds
from rulesets.worlds_without_number.blocks import PC, HouseRules, Monster, Setup, SideKeys
from rulesets.worlds_without_number.importing import import_line
from rulesets.worlds_without_number.policy import policy
from rulesets.worlds_without_number.rulebook import RULEBOOK
from rulesets.worlds_without_number.screen import Blocked
from rulesets.worlds_without_number.settling import settle
from rulesets.worlds_without_number.shorthand import shorthand
from rulesets.worlds_without_number.swarm import Swarm
from rulesets.worlds_without_number.windows import windows
from tracker.core.ruleset import Ruleset, Schema

__all__ = ["RULESET"]

RULESET = Ruleset(
    key="worlds_without_number",
    title="Worlds Without Number",
    version=1,
    schema=Schema(
        blocks=(("pc", PC), ("monster", Monster)),
        house_rules=HouseRules,
        setup=Setup,
        side=SideKeys,
        data=(Blocked, Swarm, wounds.Dying, wounds.Grip, wounds.Ward),
        derived=numbers.DERIVED,
        pools=("hp",),
        round_seconds=6,
        shorthand=shorthand,
        importer=import_line,
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
    settle=settle,
    carry=boundaries.carry,
    skip=schedule.skip,
    windows=windows,
    derived=numbers.derived,
    pending=columns.pending,
    badges=columns.badges,
    outcomes=outcomes,
    policy=policy,
    finished=columns.finished,
)
