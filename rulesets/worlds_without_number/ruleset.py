"""Worlds Without Number as a ruleset: the record core works with."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rulesets.without_number.aftermath import outcomes
from rulesets.without_number.screen import unplayed
from rulesets.worlds_without_number import screen
from rulesets.worlds_without_number.actions.actions import ACTIONS
from rulesets.worlds_without_number.actions.fighting.screening import Blocked
from rulesets.worlds_without_number.actions.fighting.swarm import Swarm
from rulesets.worlds_without_number.actions.windows import windows
from rulesets.worlds_without_number.aftermath import wounds
from rulesets.worlds_without_number.ai import flees, policy, reply
from rulesets.worlds_without_number.order import boundaries, schedule
from rulesets.worlds_without_number.order.boundaries import settle
from rulesets.worlds_without_number.stat_blocks.convert import import_line
from rulesets.worlds_without_number.stat_blocks.models import PC, HouseRules, Monster, Setup, SideKeys
from rulesets.worlds_without_number.stat_blocks.shorthand import shorthand
from rulesets.worlds_without_number.stats import shock as numbers
from rulesets.worlds_without_number.stats.effects import EFFECTS, MOMENTS
from tracker.core.game.ruleset import Ruleset
from tracker.core.game.schema import Schema
from tracker.kit.rulebook import rules_beside

if TYPE_CHECKING:
    from tracker.core.game.file_syntax import FileSyntax
    from tracker.core.game.foreign import Creature
    from tracker.core.game.schema import Imported
    from tracker.core.terms.values import Data


def _doubts(block: Data) -> tuple[str, ...]:
    return tuple(f"not read: {part}" for part in block.unread) if isinstance(block, Monster) else ()


def _adopt(creature: Creature) -> Imported:
    """Make a stat block of another program's creature, which only an import needs."""
    from rulesets.worlds_without_number.stat_blocks.convert import adopt

    return adopt(creature)


def _file_syntax() -> FileSyntax:
    """Return what may be typed in its files, which only checks and schemas need."""
    from rulesets.worlds_without_number.stat_blocks.file_syntax import FILE_SYNTAX

    return FILE_SYNTAX


# The functions stand in one line for each subject.
# fmt: off
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
        warnings=_doubts,
        file_syntax=_file_syntax,
        importer=import_line,
        convert_creature=_adopt,
    ),
    rulebook=rules_beside(__file__),
    open_fight=boundaries.open_fight, join=boundaries.join, open_round=schedule.open_round, skip=schedule.skip,
    on_boundary=boundaries.on_boundary, settle=settle, carry=boundaries.carry, finished=wounds.finished,
    actions=ACTIONS.actions, form=ACTIONS.form, perform=ACTIONS.perform, windows=windows,
    policy=policy, flees=flees, unplayed=unplayed, out_of_turn=False, reply=reply, sides_left=wounds.sides_left,
    columns=screen.COLUMNS, badges=screen.badges, statuses=screen.STATUSES, effects=EFFECTS, moments=MOMENTS,
    telling=screen.TELLING,
    pending=screen.pending, derived=numbers.derived, outcomes=outcomes, printed=screen.printed,
)
# fmt: on
