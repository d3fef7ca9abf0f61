"""The percentile game as a record of functions."""

from __future__ import annotations

from rulesets.spelljammer.acts.actions import DEEDS, policy
from rulesets.spelljammer.blocks.canonical import Creature, HouseRules, Setup
from rulesets.spelljammer.blocks.facts import Act, Casting, Declaration, Parry, Waiting
from rulesets.spelljammer.blocks.shorthand import shorthand
from rulesets.spelljammer.ending import boundaries, settling
from rulesets.spelljammer.numbers import stats
from rulesets.spelljammer.numbers.effects import EFFECTS, MOMENTS
from rulesets.spelljammer.order import opening, schedule
from rulesets.spelljammer.screen.columns import COLUMNS, STATUSES, badges, outcomes, pending
from tracker.core.game.ruleset import Ruleset
from tracker.core.game.schema import Schema
from tracker.kit.rulebook import rules_beside

__all__ = ["RULESET"]


SCHEMA = Schema(
    blocks=(("pc", Creature), ("monster", Creature)),
    house_rules=HouseRules,
    setup=Setup,
    data=(Act, Casting, Declaration, Parry, Waiting),
    derived=("def", "prot", "im", "stun", "tmr", "dex", "wound_mod", "sc", "bleeding"),
    pools=("hp",),
    round_seconds=10,
    shorthand=shorthand,
)

RULESET = Ruleset(
    "spelljammer",
    "Spelljammer",
    1,
    SCHEMA,
    rulebook=rules_beside(__file__),
    columns=COLUMNS,
    statuses=STATUSES,
    derived=stats.derived,
    moments=MOMENTS,
    effects=EFFECTS,
    open_fight=opening.open_fight,
    join=opening.join,
    carry=opening.carry,
    outcomes=outcomes,
    on_boundary=boundaries.on_boundary,
    settle=settling.settle,
    finished=settling.finished,
    actions=DEEDS.actions,
    form=DEEDS.form,
    perform=DEEDS.perform,
    policy=policy,
    pending=pending,
    badges=badges,
    open_round=schedule.open_round,
    advance=schedule.advance,
    skip=schedule.skip,
)
