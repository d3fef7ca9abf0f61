"""The toolkit of a ruleset: everything an author imports, from one place."""

from tracker.core.fight.board import Board, Cell, Square, Trail, Zone
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
from tracker.core.fight.memo import differing, per_state
from tracker.core.fight.state import FIGHT, Combatant, Id, Pool, Side, Slot, State
from tracker.core.game.ruleset import (
    Badge,
    Column,
    Imported,
    Moment,
    NamedEffect,
    Question,
    Reminding,
    Ruleset,
    Schema,
    Status,
)
from tracker.core.step.ctx import Ctx, Response
from tracker.core.step.shares import share_fields, shares
from tracker.core.terms.actions import Action, ActionSpec, Field, Option, action
from tracker.core.terms.derived import Derived, Part
from tracker.core.terms.dice import Dice
from tracker.core.terms.effects import Effect, Modifier
from tracker.core.terms.encounter import Condition, Encounter, Member, Wave
from tracker.core.terms.errors import Refusal, Refused, RulesBug
from tracker.core.terms.moments import At, Boundary, OnUse, Until, side_anchor, who_anchor
from tracker.core.terms.requests import Window
from tracker.core.terms.rulebook import Rule, RuleBook
from tracker.core.terms.values import Data, Value

__all__ = [
    "FIGHT",
    "Action",
    "ActionSpec",
    "At",
    "Badge",
    "Board",
    "Boundary",
    "Cell",
    "Checked",
    "Column",
    "Combatant",
    "CombatantJoined",
    "Condition",
    "Ctx",
    "Data",
    "Derived",
    "Dice",
    "Effect",
    "EffectChanged",
    "Encounter",
    "Entry",
    "Field",
    "Id",
    "Imported",
    "Member",
    "Modifier",
    "Moment",
    "Moved",
    "NamedEffect",
    "OnUse",
    "Option",
    "OrderSet",
    "Part",
    "Pool",
    "PoolChanged",
    "PoolSet",
    "Question",
    "Refusal",
    "Refused",
    "Reminding",
    "Response",
    "Rule",
    "RuleBook",
    "RulesBug",
    "Ruleset",
    "Schema",
    "Side",
    "Slot",
    "Square",
    "State",
    "Status",
    "TimePassed",
    "Trail",
    "TurnOpened",
    "Until",
    "Value",
    "Wave",
    "Window",
    "Zone",
    "action",
    "as_left",
    "differing",
    "per_state",
    "share_fields",
    "shares",
    "side_anchor",
    "who_anchor",
]
