"""The core: the vocabulary and machinery that every game shares.

Pure functions of plain data.

From the ground up: `terms` (dice, moments, actions, requests, effects), `fight` (state, events, fold), `step` (what a
step can do and ask), `game` (the record a game is), `clock`, `master` (the GM's generic commands), `engine`, and `run`,
which performs a step.

Every public name can be had from here, and is loaded when it is first asked for.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tracker.core.engine import Machine, accept, offers, spec_of
    from tracker.core.fight.board import Board, Cell, Shape, Square, Template, Trail, Zone
    from tracker.core.fight.carrying import as_left
    from tracker.core.fight.events import (
        ActionStopped,
        ActionTaken,
        BoundaryCrossed,
        BudgetChange,
        BudgetsChanged,
        Checked,
        CombatantJoined,
        CombatantLeft,
        Decided,
        EffectAdded,
        EffectChanged,
        EffectEnded,
        EffectUsed,
        Entry,
        Event,
        FactSet,
        FightEnded,
        FightOpened,
        Forced,
        HouseRulesChanged,
        Moved,
        Noted,
        OrderSet,
        Overruled,
        PoolChanged,
        PoolSet,
        ReminderDismissed,
        Renamed,
        Rolled,
        SideChanged,
        SideJoined,
        Skipped,
        SlotReached,
        StatusChanged,
        TimePassed,
        TurnOpened,
        WaveArrived,
    )
    from tracker.core.fight.fold import fold, fold_all
    from tracker.core.fight.memo import differing, per_state
    from tracker.core.fight.rebase import rebase
    from tracker.core.fight.state import FIGHT, Clock, Combatant, Id, Pool, Side, Slot, State
    from tracker.core.game.durations import MOMENTS, moments_of, until_words
    from tracker.core.game.reminding import owed
    from tracker.core.game.ruleset import Ruleset
    from tracker.core.game.schema import (
        Badge,
        Column,
        Imported,
        NamedEffect,
        Printed,
        Question,
        Reminding,
        Schema,
        Status,
    )
    from tracker.core.master.command import Command
    from tracker.core.master.table import COMMANDS, any_time
    from tracker.core.run import Answers, Done, Interruption, Outcome, Pending, Source, Step
    from tracker.core.step.ctx import Ctx, Engine, Response
    from tracker.core.step.forms import Accepted, fill
    from tracker.core.step.shares import share_fields, share_words, shares
    from tracker.core.terms.actions import Action, ActionSpec, Field, FieldKind, Option, action
    from tracker.core.terms.derived import Derived, Part
    from tracker.core.terms.dice import Dice
    from tracker.core.terms.effects import Effect, Modifier
    from tracker.core.terms.encounter import Condition, Encounter, Member, Reminder, SideSetup, Wave
    from tracker.core.terms.errors import BadData, CorruptJournal, Refusal, Refused, RulesBug, TrackerError
    from tracker.core.terms.labels import next_label, read_labels
    from tracker.core.terms.moments import ANY, At, Boundary, Edge, OnUse, Until, side_anchor, who_anchor
    from tracker.core.terms.moments.offered import Moment
    from tracker.core.terms.moments.rounds import NamedRound, named_round
    from tracker.core.terms.requests import (
        Answer,
        Asked,
        Choice,
        Chosen,
        Number,
        Passed,
        Pick,
        Picked,
        Request,
        Responded,
        Roll,
        Stated,
        Thrown,
        Window,
    )
    from tracker.core.terms.rulebook import Rule, RuleBook
    from tracker.core.terms.values import Codec, Data, Value
    from tracker.core.terms.words import listed, needs, possessive

__all__ = [
    "ANY",
    "COMMANDS",
    "FIGHT",
    "MOMENTS",
    "Accepted",
    "Action",
    "ActionSpec",
    "ActionStopped",
    "ActionTaken",
    "Answer",
    "Answers",
    "Asked",
    "At",
    "BadData",
    "Badge",
    "Board",
    "Boundary",
    "BoundaryCrossed",
    "BudgetChange",
    "BudgetsChanged",
    "Cell",
    "Checked",
    "Choice",
    "Chosen",
    "Clock",
    "Codec",
    "Column",
    "Combatant",
    "CombatantJoined",
    "CombatantLeft",
    "Command",
    "Condition",
    "CorruptJournal",
    "Ctx",
    "Data",
    "Decided",
    "Derived",
    "Dice",
    "Done",
    "Edge",
    "Effect",
    "EffectAdded",
    "EffectChanged",
    "EffectEnded",
    "EffectUsed",
    "Encounter",
    "Engine",
    "Entry",
    "Event",
    "FactSet",
    "Field",
    "FieldKind",
    "FightEnded",
    "FightOpened",
    "Forced",
    "HouseRulesChanged",
    "Id",
    "Imported",
    "Interruption",
    "Machine",
    "Member",
    "Modifier",
    "Moment",
    "Moved",
    "NamedEffect",
    "NamedRound",
    "Noted",
    "Number",
    "OnUse",
    "Option",
    "OrderSet",
    "Outcome",
    "Overruled",
    "Part",
    "Passed",
    "Pending",
    "Pick",
    "Picked",
    "Pool",
    "PoolChanged",
    "PoolSet",
    "Printed",
    "Question",
    "Refusal",
    "Refused",
    "Reminder",
    "ReminderDismissed",
    "Reminding",
    "Renamed",
    "Request",
    "Responded",
    "Response",
    "Roll",
    "Rolled",
    "Rule",
    "RuleBook",
    "RulesBug",
    "Ruleset",
    "Schema",
    "Shape",
    "Side",
    "SideChanged",
    "SideJoined",
    "SideSetup",
    "Skipped",
    "Slot",
    "SlotReached",
    "Source",
    "Square",
    "State",
    "Stated",
    "Status",
    "StatusChanged",
    "Step",
    "Template",
    "Thrown",
    "TimePassed",
    "TrackerError",
    "Trail",
    "TurnOpened",
    "Until",
    "Value",
    "Wave",
    "WaveArrived",
    "Window",
    "Zone",
    "accept",
    "action",
    "any_time",
    "as_left",
    "differing",
    "fill",
    "fold",
    "fold_all",
    "listed",
    "moments_of",
    "named_round",
    "needs",
    "next_label",
    "offers",
    "owed",
    "per_state",
    "possessive",
    "read_labels",
    "rebase",
    "share_fields",
    "share_words",
    "shares",
    "side_anchor",
    "spec_of",
    "until_words",
    "who_anchor",
]

_HOMES = {
    "engine": "Machine accept offers spec_of",
    "fight.board": "Board Cell Shape Square Template Trail Zone",
    "fight.carrying": "as_left",
    "fight.events": (
        "ActionStopped ActionTaken BoundaryCrossed BudgetChange BudgetsChanged Checked CombatantJoined "
        "CombatantLeft Decided EffectAdded EffectChanged EffectEnded EffectUsed Entry Event FactSet "
        "FightEnded FightOpened Forced HouseRulesChanged Moved Noted OrderSet Overruled PoolChanged PoolSet "
        "ReminderDismissed Renamed Rolled SideChanged SideJoined Skipped SlotReached StatusChanged TimePassed "
        "TurnOpened WaveArrived"
    ),
    "fight.fold": "fold fold_all",
    "fight.memo": "differing per_state",
    "fight.rebase": "rebase",
    "fight.state": "Clock Combatant FIGHT Id Pool Side Slot State",
    "game.durations": "MOMENTS moments_of until_words",
    "game.reminding": "owed",
    "game.ruleset": "Ruleset",
    "game.schema": "Badge Column Imported NamedEffect Printed Question Reminding Schema Status",
    "master.command": "Command",
    "master.table": "COMMANDS any_time",
    "run": "Answers Done Interruption Outcome Pending Source Step",
    "step.ctx": "Ctx Engine Response",
    "step.forms": "Accepted fill",
    "step.shares": "share_fields share_words shares",
    "terms.actions": "Action ActionSpec Field FieldKind Option action",
    "terms.derived": "Derived Part",
    "terms.dice": "Dice",
    "terms.effects": "Effect Modifier",
    "terms.encounter": "Condition Encounter Member Reminder SideSetup Wave",
    "terms.errors": "BadData CorruptJournal Refusal Refused RulesBug TrackerError",
    "terms.labels": "next_label read_labels",
    "terms.moments": "ANY At Boundary Edge OnUse Until side_anchor who_anchor",
    "terms.moments.offered": "Moment",
    "terms.moments.rounds": "NamedRound named_round",
    "terms.requests": (
        "Answer Asked Choice Chosen Number Passed Pick Picked Request Responded Roll Stated Thrown Window"
    ),
    "terms.rulebook": "Rule RuleBook",
    "terms.values": "Codec Data Value",
    "terms.words": "listed needs possessive",
}
_WHERE = {name: home for home, names in _HOMES.items() for name in names.split()}


def __getattr__(name: str) -> object:
    """Load a name when it is first asked for."""
    home = _WHERE.get(name)
    if home is None:
        raise AttributeError(f"tracker.core has no {name}")
    found = globals()[name] = getattr(import_module(f"tracker.core.{home}"), name)
    return found


def __dir__() -> list[str]:
    """Return the public names."""
    return sorted(__all__)
