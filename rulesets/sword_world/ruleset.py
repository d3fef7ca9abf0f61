"""Sword World 2.0 as a record of functions."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rulesets.sword_world import screen
from rulesets.sword_world.actions.actions import ACTIONS, actions, form
from rulesets.sword_world.ai import policy, unplayed
from rulesets.sword_world.order import opening, rounds
from rulesets.sword_world.stat_blocks.models import HouseRules, MemberKeys, Ruled, Setup, StatBlock, Zone
from rulesets.sword_world.stat_blocks.shorthand import ROUND_SECONDS, shorthand
from rulesets.sword_world.stats import stats
from rulesets.sword_world.stats.effects import EFFECTS, MOMENTS, meant
from tracker.core.game.ruleset import MapRules, Ruleset
from tracker.core.game.schema import Schema
from tracker.kit.rulebook import rules_beside

if TYPE_CHECKING:
    from tracker.core.game.file_syntax import FileSyntax


def _file_syntax() -> FileSyntax:
    from rulesets.sword_world.stat_blocks.file_syntax import FILE_SYNTAX

    return FILE_SYNTAX


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
        modifier_kinds=("physical", "magical"),
        board="line",
        shorthand=shorthand,
        group_warnings=opening.doubtful_bodies,
        file_syntax=_file_syntax,
    ),
    rounds.open_round,
    actions,
    form,
    ACTIONS.perform,
    rulebook=rules_beside(__file__),
    moments=MOMENTS,
    meant=meant,
    effects=EFFECTS,
    map=MapRules(board=screen.board, reach=screen.reach, trail=screen.trail),
    columns=screen.COLUMNS,
    telling=screen.TELLING,
    statuses=screen.STATUSES,
    pending=screen.pending,
    badges=screen.badges,
    outcomes=screen.outcomes,
    policy=policy,
    unplayed=unplayed,
    open_fight=opening.open_fight,
    join=opening.enlist,
    settle=rounds.settle,
    close_fight=rounds.close_fight,
    carry=rounds.carry,
    friendly=stats.allied,
    finished=rounds.finished,
    derived=stats.derived,
    printed=screen.printed,
    on_boundary=rounds.on_boundary,
    advance=rounds.advance,
    skip=rounds.skip,
)
