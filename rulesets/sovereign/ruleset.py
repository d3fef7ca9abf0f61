"""Sovereign as a ruleset: the record core works with."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rulesets.sovereign import screen
from rulesets.sovereign.actions.fighting.opportunity import Cleared
from rulesets.sovereign.actions.fighting.screening import Blocked
from rulesets.sovereign.actions.fighting.swarm import Swarm
from rulesets.sovereign.actions.gm import ACTIONS
from rulesets.sovereign.actions.waiting import HeldTurn
from rulesets.sovereign.actions.windows import matters, windows
from rulesets.sovereign.aftermath import wounds
from rulesets.sovereign.ai.approaches import approaches
from rulesets.sovereign.ai.policy import flees, policy, sides_left
from rulesets.sovereign.ai.targets import reply
from rulesets.sovereign.order import boundaries, schedule, setup
from rulesets.sovereign.stat_blocks.models import Fighter, HouseRules, MemberKeys, Setup, SideKeys
from rulesets.sovereign.stat_blocks.shorthand import shorthand
from rulesets.sovereign.stats import checks as numbers
from rulesets.sovereign.stats.attack_outcomes import EFFECTS, MOMENTS
from rulesets.sovereign.stats.stats import friendly_sides
from rulesets.without_number.aftermath import outcomes
from rulesets.without_number.screen import unplayed
from tracker.core.game.ruleset import MapRules, Ruleset
from tracker.core.game.schema import Schema
from tracker.kit.rulebook import rules_beside

if TYPE_CHECKING:
    from tracker.core.game.file_syntax import FileSyntax
    from tracker.core.game.foreign import Creature
    from tracker.core.game.schema import Imported


def _adopt(creature: Creature) -> Imported:
    """Make a stat block of another program's creature, which only an import needs."""
    from rulesets.sovereign.stat_blocks.convert import adopt

    return adopt(creature)


def _file_syntax() -> FileSyntax:
    """Return what may be typed in its files, which only checks and schemas need."""
    from rulesets.sovereign.stat_blocks.file_syntax import FILE_SYNTAX

    return FILE_SYNTAX


# The functions stand in one line for each subject.
# fmt: off
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
        data=(Blocked, Cleared, HeldTurn, Swarm, wounds.Fallen, wounds.Grip, wounds.Ward),
        derived=numbers.DERIVED,
        pools=("hp",),
        round_seconds=6,
        board="square",
        shorthand=shorthand,
        convert_creature=_adopt,
        file_syntax=_file_syntax,
    ),
    rulebook=rules_beside(__file__),
    open_fight=setup.open_fight, join=setup.join, open_round=schedule.open_round, skip=schedule.skip,
    on_boundary=boundaries.on_boundary, settle=boundaries.settle_all, carry=boundaries.carry, finished=screen.finished,
    actions=ACTIONS.actions, form=ACTIONS.form, perform=ACTIONS.perform, windows=windows,
    window_matters=matters,
    policy=policy, flees=flees, unplayed=unplayed, out_of_turn=False, reply=reply, sides_left=sides_left,
    friendly=friendly_sides,
    columns=screen.COLUMNS, badges=screen.badges, statuses=screen.STATUSES, effects=EFFECTS, moments=MOMENTS,
    telling=screen.TELLING,
    pending=screen.pending, derived=numbers.derived, outcomes=outcomes, printed=screen.printed,
    map=MapRules(
        board=screen.board, reach=screen.reach, trail=screen.trail, sight=screen.sight, area=screen.area,
        threat=screen.threat, gauge=screen.gauge, approaches=approaches, course=screen.course,
    ),
)
# fmt: on
