"""The percentile game as a record of functions."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec.structs import replace

from rulesets.spelljammer import aftermath
from rulesets.spelljammer.actions.actions import ACTIONS
from rulesets.spelljammer.actions.damage import bleeding_told, how_much_bleeding
from rulesets.spelljammer.ai import policy, unplayed
from rulesets.spelljammer.order.opening import carry, join, open_fight
from rulesets.spelljammer.order.schedule import advance, open_round, skip
from rulesets.spelljammer.screen import COLUMNS, STATUSES, TELLING, badges, outcomes, pending, printed
from rulesets.spelljammer.stat_blocks.facts import Act, Casting, Declaration, Parry, Waiting
from rulesets.spelljammer.stat_blocks.models import Creature, HouseRules, Setup
from rulesets.spelljammer.stat_blocks.tables import shorthand
from rulesets.spelljammer.stats import stats
from rulesets.spelljammer.stats.effects import EFFECTS, MOMENTS
from tracker.core.fight.state import State
from tracker.core.game.action_types import ActionType
from tracker.core.game.ruleset import Ruleset
from tracker.core.game.schema import Schema
from tracker.core.step.ctx import Ctx
from tracker.core.terms.actions import Action, ActionSpec
from tracker.kit import generic
from tracker.kit.rulebook import rules_beside

if TYPE_CHECKING:
    from tracker.core.game.file_syntax import FileSyntax


def _file_syntax() -> FileSyntax:
    """Return what may be typed in its files, which only checks and schemas need."""
    from rulesets.spelljammer.stat_blocks.file_syntax import FILE_SYNTAX

    return FILE_SYNTAX


SCHEMA = Schema(
    blocks=(("pc", Creature), ("monster", Creature)),
    house_rules=HouseRules,
    setup=Setup,
    data=(Act, Casting, Declaration, Parry, Waiting),
    derived=("def", "prot", "im", "stun", "tmr", "dex", "wound_mod", "sc", "bleeding"),
    pools=("hp",),
    round_seconds=10,
    shorthand=shorthand,
    file_syntax=_file_syntax,
)


def _effect_form(state: State, action: Action) -> ActionSpec | None:
    """Return the form of effects, which here asks how much a bleeding takes."""
    return how_much_bleeding(generic.form(RULESET, state, action), action)


def _add_effect(ctx: Ctx, action: Action) -> None:
    generic.perform(ctx, RULESET, bleeding_told(action))


ADD_EFFECT = ActionType("add_effect", "Add an effect", form=_effect_form, perform=_add_effect, group="game master")
ALL_ACTIONS = replace(ACTIONS, gm=(*ACTIONS.gm, ADD_EFFECT))

RULESET = Ruleset(
    "spelljammer",
    "Spelljammer",
    1,
    SCHEMA,
    rulebook=rules_beside(__file__),
    moments=MOMENTS,
    effects=EFFECTS,
    open_round=open_round,
    advance=advance,
    skip=skip,
    on_boundary=aftermath.on_boundary,
    settle=aftermath.settle,
    finished=aftermath.finished,
    pending=pending,
    badges=badges,
    outcomes=outcomes,
    actions=ALL_ACTIONS.actions,
    form=ALL_ACTIONS.form,
    perform=ALL_ACTIONS.perform,
    open_fight=open_fight,
    join=join,
    carry=carry,
    derived=stats.derived,
    printed=printed,
    columns=COLUMNS,
    telling=TELLING,
    statuses=STATUSES,
    policy=policy,
    unplayed=unplayed,
)
