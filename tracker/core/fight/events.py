"""Events: changes of a fight, named in the past tense, with the value before and after.

A closed union: a ruleset adds no events; its own facts are `FactSet`, its own words are in `Checked` and `Noted`.
"""

from __future__ import annotations

from typing import TypeAlias

from msgspec import UNSET, Struct, UnsetType

from tracker.core.fight.slots import Id, Slot
from tracker.core.fight.state import Combatant, Pool, Side
from tracker.core.terms.actions import Action
from tracker.core.terms.derived import Part
from tracker.core.terms.dice import Dice
from tracker.core.terms.effects import Effect
from tracker.core.terms.encounter import TimedNote, Wave
from tracker.core.terms.moments import Boundary
from tracker.core.terms.values import Data, Value


class FightOpened(Struct, frozen=True, tag=True):
    """The fight begins, with the data of the encounter."""

    ruleset: str
    version: int
    title: str
    house_rules: Data | None
    setup: Data | None
    sides: tuple[Side, ...]
    waves: tuple[Wave, ...] = ()
    reminders: tuple[TimedNote, ...] = ()
    notes: str = ""


class SideJoined(Struct, frozen=True, tag=True):
    """A side that the encounter did not have."""

    side: Side


class CombatantJoined(Struct, frozen=True, tag=True):
    """A combatant enters the fight."""

    combatant: Combatant


class CombatantLeft(Struct, frozen=True, tag=True):
    """A combatant is taken out of the fight."""

    was: Combatant
    reason: str = ""


class SideChanged(Struct, frozen=True, tag=True):
    """A combatant changes sides."""

    who: Id
    was: Id
    now: Id


class Renamed(Struct, frozen=True, tag=True):
    """A combatant has another name."""

    who: Id
    was: str
    now: str


class StatusChanged(Struct, frozen=True, tag=True, gc=False):
    """A combatant has another status, such as down or dead."""

    who: Id
    was: str
    now: str


class PoolSet(Struct, frozen=True, tag=True, gc=False):
    """A pool appears or gets another maximum."""

    who: Id
    was: Pool | None
    now: Pool


class PoolChanged(Struct, frozen=True, tag=True, gc=False):
    """Points lost or regained, with the parts of the number."""

    who: Id
    pool: str
    was: int
    now: int
    parts: tuple[Part, ...] = ()
    why: str = ""
    source: Id | None = None


class BudgetChange(Struct, frozen=True, gc=False):
    """One combatant's budget before and after; `short`: the part that was too small for a price."""

    who: Id
    was: tuple[tuple[str, int], ...]
    now: tuple[tuple[str, int], ...]
    short: str | UnsetType = UNSET


class BudgetsChanged(Struct, frozen=True, tag=True, gc=False):
    """Parts of turns spent or given back."""

    changes: tuple[BudgetChange, ...]


class Moved(Struct, frozen=True, tag=True):
    """A combatant has moved along this path."""

    who: Id
    was: tuple[int | float, ...] | None
    now: tuple[int | float, ...] | None
    path: tuple[tuple[int | float, ...], ...] = ()


class FactSet(Struct, frozen=True, tag=True, gc=False):
    """A fact of the ruleset is set, changed, or removed (None); `source`: the combatant that caused it."""

    owner: str
    key: str
    was: Value
    now: Value
    source: Id | UnsetType = UNSET


class EffectAdded(Struct, frozen=True, tag=True, gc=False):
    """An effect begins."""

    effect: Effect


class EffectChanged(Struct, frozen=True, tag=True, gc=False):
    """An effect is changed in place."""

    was: Effect
    now: Effect
    why: str = ""


class EffectUsed(Struct, frozen=True, tag=True, gc=False):
    """One use of an effect that ends on use."""

    bearer: str
    effect: int
    key: str


class EffectEnded(Struct, frozen=True, tag=True, gc=False):
    """An effect ends, and why."""

    was: Effect
    reason: str


class OrderSet(Struct, frozen=True, tag=True):
    """The schedule of the current round is set or changed; slots that have begun stay."""

    was: tuple[Slot, ...]
    now: tuple[Slot, ...]


class SlotReached(Struct, frozen=True, tag=True):
    """The clock enters a slot, or leaves the last one."""

    was: Id | None
    now: Id | None


class BoundaryCrossed(Struct, frozen=True, tag=True):
    """The clock crosses an edge, and the effects that wait for it count down."""

    boundary: Boundary


class TimePassed(Struct, frozen=True, tag=True):
    """Game time passes outside the rounds."""

    seconds: int
    why: str = ""


class Found(Struct, frozen=True, tag=True):
    """Spoils that the defeated leave behind; `who` is None if they belong to no combatant."""

    items: tuple[str, ...]
    who: Id | None = None


class TurnOpened(Struct, frozen=True, tag=True):
    """Another combatant's turn is open now, or none (None)."""

    was: Id | None
    now: Id | None


class Rolled(Struct, frozen=True, tag=True, gc=False):
    """Dice have been rolled: natural faces or their total.

    `key`: the request's key, to correct the answer; `plus`: the fixed number of the dice; `apart`: do not add them up.
    """

    key: str
    dice: Dice
    total: int
    faces: tuple[int, ...] = ()
    who: Id | None = None
    why: str = ""
    typed: bool = False
    secret: bool = False
    plus: int | UnsetType = UNSET
    apart: bool | UnsetType = UNSET


class Decided(Struct, frozen=True, tag=True):
    """A question has been answered (`key` as in `Rolled`).

    `shown`: the labels of the chosen options; unset if they only name combatants and sides or repeat the keys.
    """

    key: str
    answer: str
    who: Id | None = None
    why: str = ""
    secret: bool = False
    shown: str | UnsetType = UNSET


class Checked(Struct, frozen=True, tag=True, gc=False):
    """A number is compared: its parts, the number to reach with its parts, and the result ("hit").

    `success`: for the combatant who rolled; unset if it is neither, or unknown.
    """

    what: str
    who: Id | None
    total: int
    result: str
    target: Id | None = None
    parts: tuple[Part, ...] = ()
    against: int | None = None
    against_what: str = ""
    against_parts: tuple[Part, ...] = ()
    success: bool | UnsetType = UNSET


class ActionTaken(Struct, frozen=True, tag=True):
    """A combatant, the GM or a side begins an action."""

    action: Action
    label: str


class ActionStopped(Struct, frozen=True, tag=True):
    """An action cannot go on; its cost and its results so far stay."""

    by: Id | None
    label: str
    why: str = ""


class Skipped(Struct, frozen=True, tag=True):
    """A turn, slot or action that was due does not happen, and why."""

    what: str
    why: str
    who: Id | None = None


class Noted(Struct, frozen=True, tag=True):
    """Words for the log, of a ruleset or the GM; the GM's notes are stored with their subject (`keep`)."""

    text: str
    about: str | None = None
    keep: bool = False


class Forced(Struct, frozen=True, tag=True):
    """The GM overruled a refusal."""

    by: Id | None
    label: str
    text: str


class Overruled(Struct, frozen=True, tag=True):
    """The GM replaced a computed value."""

    key: str
    computed: Value
    value: Value


class HouseRulesChanged(Struct, frozen=True, tag=True):
    """The house rules have changed."""

    was: Data | None
    now: Data | None


class WaveArrived(Struct, frozen=True, tag=True):
    """A wave joins the fight."""

    wave: Wave


class ReminderDismissed(Struct, frozen=True, tag=True):
    """A reminder is dismissed and not offered again."""

    key: str


class FightEnded(Struct, frozen=True, tag=True):
    """The fight is over."""

    reason: str = ""


RulesetEvent: TypeAlias = PoolSet | Moved | EffectChanged | OrderSet | TimePassed | Checked | Found | ActionTaken
"""Events that a ruleset emits itself; methods of the step emit the others."""
CoreEvent: TypeAlias = (
    FightOpened | SideJoined | CombatantJoined | CombatantLeft | SideChanged | Renamed | StatusChanged | PoolChanged |
    BudgetsChanged | FactSet | EffectAdded | EffectUsed | EffectEnded | SlotReached | TurnOpened | BoundaryCrossed |
    Rolled | Decided | ActionStopped | Skipped | Noted | Forced | Overruled | HouseRulesChanged | WaveArrived |
    ReminderDismissed | FightEnded
)  # fmt: skip # a plain list of names
Event: TypeAlias = RulesetEvent | CoreEvent


class Entry(Struct, frozen=True, gc=False):
    """An event and the ids of the rules that made it."""

    event: Event
    rules: tuple[str, ...] = ()
