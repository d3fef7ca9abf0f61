"""The toolkit of a ruleset: everything an author imports, from one place.

Core's vocabulary is here as it is. What every game needs on top of it has a module for each subject:

* `fields`: reading an action's fields, options, targets. `refusals`: down, not your turn, nothing left.
* `actions`: one record per action and the table of them. `economy`: what a turn holds and how it is paid.
* `order`: the order kept over rounds, newcomers, moves, delay. `conditions`: effects with a value that falls.
* `modifiers`: numbers from parts, kinds that do not add up. `damage`: kinds, resistances, shields, the GM's `-7g`.
* `degrees`: degrees of success. `readers`: reading typed stat blocks. `rules_beside`: a rulebook from `rules.md`.
* `grid`, `paths`, `sight`: squares, ways over them, and who sees whom. `generic`: the GM's commands, with more to them.

Everything is loaded when it is first asked for, so importing the kit costs nothing.

    from tracker.kit import ActionType, ActionTable, Economy, budget, fields, refusals
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tracker.core.fight.board import Board, Cell, Shape, Square, Template, Trail, Zone
    from tracker.core.fight.carrying import as_left
    from tracker.core.fight.events import (
        Checked,
        CombatantJoined,
        EffectChanged,
        Entry,
        Moved,
        OrderSet,
        PoolChanged,
        PoolSet,
        TimePassed,
        TurnOpened,
    )
    from tracker.core.fight.memo import differing, per_fields, per_object, per_state
    from tracker.core.fight.state import FIGHT, Combatant, Id, Pool, Side, Slot, State
    from tracker.core.game.action_types import ActionType
    from tracker.core.game.ruleset import MapRules, Ruleset
    from tracker.core.game.schema import Badge, Column, Imported, NamedEffect, Question, Reminding, Schema, Status
    from tracker.core.step import fields
    from tracker.core.step.ctx import Ctx
    from tracker.core.step.shares import share_fields, shares
    from tracker.core.step.windows import Response
    from tracker.core.terms.actions import Action, ActionSpec, Field, Option, action
    from tracker.core.terms.derived import Derived, Part
    from tracker.core.terms.dice import Dice
    from tracker.core.terms.effects import Effect, Modifier
    from tracker.core.terms.encounter import Condition, Encounter, Member, Wave
    from tracker.core.terms.errors import Refusal, Refused, RulesBug
    from tracker.core.terms.moments import At, Boundary, OnUse, Until, side_anchor, who_anchor
    from tracker.core.terms.moments.offered import Moment
    from tracker.core.terms.requests import Answer, Choice, Chosen, Request, Responded, Window
    from tracker.core.terms.rulebook import Rule, RuleBook
    from tracker.core.terms.tactics import TACTICS, Aim, Tactics, best
    from tracker.core.terms.values import Data, Value
    from tracker.core.terms.words import needs
    from tracker.kit import degrees, generic, modifiers, readers, refusals
    from tracker.kit.actions import ActionTable, answering
    from tracker.kit.conditions import ConditionKind, Conditions, value_of
    from tracker.kit.damage import Damage, Defences, Harm, suffered
    from tracker.kit.degrees import Degree, degree
    from tracker.kit.economy import Budget, Economy, budget, pay_exactly, paying_instead
    from tracker.kit.order import Order, Rank, takes_turn
    from tracker.kit.rulebook import read_rules, rules_beside
    from tracker.kit.squares import grid, paths, sight

__all__ = [
    "FIGHT",
    "TACTICS",
    "Action",
    "ActionSpec",
    "ActionTable",
    "ActionType",
    "Aim",
    "Answer",
    "At",
    "Badge",
    "Board",
    "Boundary",
    "Budget",
    "Cell",
    "Checked",
    "Choice",
    "Chosen",
    "Column",
    "Combatant",
    "CombatantJoined",
    "Condition",
    "ConditionKind",
    "Conditions",
    "Ctx",
    "Damage",
    "Data",
    "Defences",
    "Degree",
    "Derived",
    "Dice",
    "Economy",
    "Effect",
    "EffectChanged",
    "Encounter",
    "Entry",
    "Field",
    "Harm",
    "Id",
    "Imported",
    "MapRules",
    "Member",
    "Modifier",
    "Moment",
    "Moved",
    "NamedEffect",
    "OnUse",
    "Option",
    "Order",
    "OrderSet",
    "Part",
    "Pool",
    "PoolChanged",
    "PoolSet",
    "Question",
    "Rank",
    "Refusal",
    "Refused",
    "Reminding",
    "Request",
    "Responded",
    "Response",
    "Rule",
    "RuleBook",
    "RulesBug",
    "Ruleset",
    "Schema",
    "Shape",
    "Side",
    "Slot",
    "Square",
    "State",
    "Status",
    "Tactics",
    "Template",
    "TimePassed",
    "Trail",
    "TurnOpened",
    "Until",
    "Value",
    "Wave",
    "Window",
    "Zone",
    "action",
    "answering",
    "as_left",
    "best",
    "budget",
    "degree",
    "degrees",
    "differing",
    "fields",
    "generic",
    "grid",
    "modifiers",
    "needs",
    "paths",
    "pay_exactly",
    "paying_instead",
    "per_fields",
    "per_object",
    "per_state",
    "read_rules",
    "readers",
    "refusals",
    "rules_beside",
    "share_fields",
    "shares",
    "side_anchor",
    "sight",
    "suffered",
    "takes_turn",
    "value_of",
    "who_anchor",
]

_HOMES = {
    "tracker.core.fight.board": "Board Cell Shape Square Template Trail Zone",
    "tracker.core.fight.carrying": "as_left",
    "tracker.core.fight.events": "Checked CombatantJoined EffectChanged Entry Moved OrderSet PoolChanged PoolSet "
    "TimePassed TurnOpened",
    "tracker.core.fight.memo": "differing per_fields per_object per_state",
    "tracker.core.fight.state": "Combatant FIGHT Id Pool Side Slot State",
    "tracker.core.game.action_types": "ActionType",
    "tracker.core.game.ruleset": "MapRules Ruleset",
    "tracker.core.terms.moments.offered": "Moment",
    "tracker.core.game.schema": "Badge Column Imported NamedEffect Question Reminding Schema Status",
    "tracker.core.step.ctx": "Ctx",
    "tracker.core.step.windows": "Response",
    "tracker.core.step.shares": "share_fields shares",
    "tracker.core.terms.actions": "Action ActionSpec Field Option action",
    "tracker.core.terms.derived": "Derived Part",
    "tracker.core.terms.dice": "Dice",
    "tracker.core.terms.effects": "Effect Modifier",
    "tracker.core.terms.encounter": "Condition Encounter Member Wave",
    "tracker.core.terms.errors": "Refusal Refused RulesBug",
    "tracker.core.terms.moments": "At Boundary OnUse Until side_anchor who_anchor",
    "tracker.core.terms.requests": "Answer Choice Chosen Request Responded Window",
    "tracker.core.terms.rulebook": "Rule RuleBook",
    "tracker.core.terms.tactics": "TACTICS Aim Tactics best",
    "tracker.core.terms.values": "Data Value",
    "tracker.core.terms.words": "needs",
    "tracker.kit.conditions": "ConditionKind Conditions value_of",
    "tracker.kit.damage": "Damage Defences Harm suffered",
    "tracker.kit.actions": "ActionTable answering",
    "tracker.kit.degrees": "Degree degree",
    "tracker.kit.economy": "Budget Economy budget pay_exactly paying_instead",
    "tracker.kit.order": "Order Rank takes_turn",
    "tracker.kit.rulebook": "read_rules rules_beside",
}
_MODULES = {
    "tracker.core.step": "fields",
    "tracker.kit": "degrees generic modifiers readers refusals",
    "tracker.kit.squares": "grid paths sight",
}
_WHERE = {name: home for home, names in _HOMES.items() for name in names.split()}
_FOLDERS = {name: folder for folder, names in _MODULES.items() for name in names.split()}


def __getattr__(name: str) -> object:
    """Load a name when it is first asked for."""
    if name in _FOLDERS:
        return import_module(f"{_FOLDERS[name]}.{name}")
    home = _WHERE.get(name)
    if home is None:
        raise AttributeError(f"tracker.kit has no {name}")
    found = globals()[name] = getattr(import_module(home), name)
    return found


def __dir__() -> list[str]:
    """Return the public names."""
    return sorted(__all__)
