"""The toolkit of a ruleset: all names that an author of a game imports.

They are core's vocabulary, and a module for each subject that most games need:

* `fields`: reading an action's fields, options, targets. `refusals`: down, not your turn, nothing left.
* `actions`: one record per action, and their table. `economy`: the budget of a turn and its prices.
* `order`: the order over rounds, newcomers, moves, delay. `conditions`: effects with a value that falls.
* `saves`: effects that a save ends, which the GM can type (`e held g save wis 15`).
* `modifiers`: numbers from parts, kinds that do not add up. `damage`: kinds, resistances, shields, the GM's `-7g`.
* `twice`: two dice, of which the better or the worse counts. `stat_lines`, `printed`: stat blocks of old-school games
  and of fifth edition, for importers.
* `degrees`: degrees of success. `readers`: reading typed stat blocks. `rules_beside`: a rulebook from `rules.md`.
* `Telling` and its parts: the words of reports, see docs/telling.md.
* `SquareMap`, `GridSetup`, `Standing`: a map of squares for a game; `grid`, `paths`, `sight`: squares, paths over them,
  lines of sight.
* `generic`: the GM's commands, for a game that extends one.

    from tracker.kit import ActionTable, ActionType, Economy, budget, fields, refusals
"""

from tracker.core.fight.board import Board, Cell, Square, Template, Trail, Zone
from tracker.core.fight.cache import per_fields, per_object, per_state
from tracker.core.fight.events import (
    Checked,
    EffectChanged,
    Entry,
    Found,
    Moved,
    OrderSet,
    PoolChanged,
    PoolSet,
    TimePassed,
)
from tracker.core.fight.slots import Id, Slot
from tracker.core.fight.state import FIGHT, Combatant, Pool, Side, State, condition_after
from tracker.core.game.action_types import ActionType, Budget
from tracker.core.game.ruleset import MapRules, Ruleset
from tracker.core.game.schema import Badge, Column, Imported, NamedEffect, Question, Reminder, Schema, Status
from tracker.core.game.telling import ActionWords, CheckWords, EffectWords, Marks, StatusWords, Telling
from tracker.core.gm import commands as generic
from tracker.core.step import fields
from tracker.core.step.ctx import Ctx
from tracker.core.step.fields import share_fields, shares
from tracker.core.terms.actions import Action, ActionSpec, Field, Option, Response, action
from tracker.core.terms.derived import Derived, Part
from tracker.core.terms.dice import Dice
from tracker.core.terms.effects import Effect, Modifier
from tracker.core.terms.encounter import Condition, Encounter, Member
from tracker.core.terms.errors import Refusal, Refused, RulesBug
from tracker.core.terms.moments import At, Boundary, Moment, OnSave, OnUse, Until, side_anchor, who_anchor
from tracker.core.terms.requests import Answer, Choice, ChoiceAnswer, Request, Responded, Window
from tracker.core.terms.tactics import Aim, Tactics, best
from tracker.core.terms.values import Data, Value
from tracker.core.terms.words import felling, needs, up_to
from tracker.kit import degrees, modifiers, printed, readers, refusals, saves, stat_lines, twice
from tracker.kit.actions import ActionTable, answering
from tracker.kit.conditions import ConditionKind, Conditions, end_childless
from tracker.kit.damage import Damage, Dealt, Defences, Harm
from tracker.kit.degrees import Degree, degree
from tracker.kit.economy import Economy, budget, paying_instead
from tracker.kit.order import Order, takes_turn
from tracker.kit.rulebook import rules_beside
from tracker.kit.squares import grid, paths, sight
from tracker.kit.squares.setup import GridSetup, Standing, ground_of
from tracker.kit.squares.square_map import SquareMap

__all__ = [
    "FIGHT", "Action", "ActionSpec", "ActionTable", "ActionType", "ActionWords", "Aim", "Answer", "At", "Badge",
    "Board", "Boundary", "Budget", "Cell", "CheckWords", "Checked", "Choice", "ChoiceAnswer", "Column", "Combatant",
    "Condition", "ConditionKind", "Conditions", "Ctx", "Damage", "Data", "Dealt", "Defences", "Degree", "Derived",
    "Dice", "Economy", "Effect", "EffectChanged", "EffectWords", "Encounter", "Entry", "Field", "Found", "GridSetup",
    "Harm", "Id", "Imported", "MapRules", "Marks", "Member", "Modifier", "Moment", "Moved", "NamedEffect", "OnSave",
    "OnUse", "Option", "Order", "OrderSet", "Part", "Pool", "PoolChanged", "PoolSet", "Question", "Refusal", "Refused",
    "Reminder", "Request", "Responded", "Response", "RulesBug", "Ruleset", "Schema", "Side", "Slot", "Square",
    "SquareMap", "Standing", "State", "Status", "StatusWords", "Tactics", "Telling", "Template", "TimePassed", "Trail",
    "Until", "Value", "Window", "Zone", "action", "answering", "best", "budget", "condition_after",
    "degree", "degrees", "end_childless", "felling", "fields", "generic", "grid", "ground_of", "modifiers", "needs",
    "paths", "paying_instead", "per_fields", "per_object", "per_state", "printed", "readers", "refusals",
    "rules_beside", "saves", "share_fields", "shares", "side_anchor", "sight", "stat_lines", "takes_turn", "twice",
    "up_to", "who_anchor",
]  # fmt: skip # a plain list of names
