"""GitHack as a record of functions."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rulesets.githack.actions import actions
from rulesets.githack.aftermath import after
from rulesets.githack.aftermath.settling import finished_side, settle
from rulesets.githack.ai import policy, reply, unplayed
from rulesets.githack.order import advance, join, meant, on_boundary, open_fight, open_round, skip
from rulesets.githack.screen import COLUMNS, TELLING, badges, outcomes, pending, printed
from rulesets.githack.stat_blocks.importing import import_print
from rulesets.githack.stat_blocks.models import ABILITIES, PC, HouseRules, Monster, Setup
from rulesets.githack.stat_blocks.shorthand import shorthand
from rulesets.githack.stats import stats
from rulesets.githack.stats.stats import EFFECTS, MOMENTS, STATUSES, Delayed, Grip, Ward
from tracker.core.game.ruleset import Ruleset
from tracker.core.game.schema import Schema
from tracker.kit.rulebook import rules_beside

if TYPE_CHECKING:
    from tracker.core.game.file_syntax import FileSyntax
    from tracker.core.game.foreign import Creature
    from tracker.core.game.schema import Imported
    from tracker.core.terms.values import Data


def _doubts(block: Data) -> tuple[str, ...]:
    return block.review if isinstance(block, Monster) else ()


def _adopt(creature: Creature) -> Imported:
    from rulesets.githack.stat_blocks.convert import adopt

    return adopt(creature)


def _file_syntax() -> FileSyntax:
    from rulesets.githack.stat_blocks.file_syntax import FILE_SYNTAX

    return FILE_SYNTAX


SCHEMA = Schema(
    blocks=(("pc", PC), ("monster", Monster)),
    house_rules=HouseRules,
    setup=Setup,
    data=(Ward, Delayed, Grip),
    derived=("ac", *ABILITIES, "angst"),
    pools=("hp",),
    round_seconds=10,
    named=(("systems", "system"),),
    shorthand=shorthand,
    warnings=_doubts,
    file_syntax=_file_syntax,
    importer=import_print,
    convert_creature=_adopt,
)

RULESET = Ruleset(
    key="githack",
    title="GitHack",
    version=1,
    schema=SCHEMA,
    rulebook=rules_beside(__file__),
    open_round=open_round,
    actions=actions.actions,
    form=actions.form,
    perform=actions.perform,
    columns=COLUMNS,
    statuses=STATUSES,
    moments=MOMENTS,
    meant=meant,
    effects=EFFECTS,
    telling=TELLING,
    open_fight=open_fight,
    join=join,
    on_boundary=on_boundary,
    settle=settle,
    close_fight=after.close_fight,
    carry=after.carry,
    skip=skip,
    advance=advance,
    windows=actions.windows,
    derived=stats.derived,
    printed=printed,
    pending=pending,
    badges=badges,
    outcomes=outcomes,
    policy=policy,
    unplayed=unplayed,
    out_of_turn=False,
    reply=reply,
    finished=finished_side,
)
