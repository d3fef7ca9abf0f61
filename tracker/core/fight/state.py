"""The state of a fight: plain frozen data, changed only by folding events.

Combatants, slots and effects are found by id, never by index. Tuples are in the order of joining. Indexes are memos:
computed at the first use, kept by `fold` while they are valid, and no part of the value of a state.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from functools import cached_property
from typing import Literal, TypeAlias

from msgspec import UNSET, Struct, UnsetType
from msgspec.structs import replace

from tracker.core.fight.slots import Clock, Id
from tracker.core.terms.effects import Effect
from tracker.core.terms.encounter import Condition, TimedNote, Wave
from tracker.core.terms.errors import Absent, RulesBug
from tracker.core.terms.moments import At
from tracker.core.terms.values import Data, Value

FIGHT = "fight"
WaitKey: TypeAlias = tuple[str, str]
EffectRef: TypeAlias = tuple[str, int]


class Pool(Struct, frozen=True, gc=False):
    """Points that change (`hp`, `mp`): now, the maximum, and the lowest value (None: no floor).

    `open`: without a maximum, and `max` is 0, such as temporary points (`temp 7`).
    """

    key: str
    now: int
    max: int
    floor: int | None = 0
    open: bool | UnsetType = UNSET

    def capped(self, now: int) -> int:
        """Return a value within the maximum, if there is one."""
        return now if self.open is True else min(now, self.max)

    @property
    def shown(self) -> str:
        """The points in words: `7/12`, or `7` of an open pool."""
        return str(self.now) if self.open is True else f"{self.now}/{self.max}"


class Side(Struct, frozen=True):
    """Combatants who act together; `data` holds the ruleset's own keys of a side."""

    id: Id
    name: str
    control: Literal["players", "gm"]
    data: Data | None = None


class Combatant(Struct, frozen=True, gc=False):
    """A combatant of the fight.

    Attributes:
        id: stays the same for the whole fight (`goblin-2`).
        name: as shown.
        label: the letters that name it on the keyboard.
        side: its side's id.
        kind: the kind of its stat block: `pc`, `monster`, or another one of the ruleset's.
        block: the stat block as it joined, never changed by damage.
        status: a key of the ruleset's statuses.
        pools: hit points and the like.
        budget: what is left of its turn, by key (`main`: 1).
        position: in the coordinates of the ruleset's board: `(x, y)`, `(metres,)`, or None.
        effects: its effects, in order of creation.
        facts: the ruleset's facts about it, sorted by key.
        notes: notes on it, from its file and by the GM.
        ref: its stat block's id in the library.
        data: the ruleset's own keys of a member.
    """

    id: Id
    name: str
    label: str
    side: Id
    kind: str
    block: Data
    status: str = "up"
    pools: tuple[Pool, ...] = ()
    budget: tuple[tuple[str, int], ...] = ()
    position: tuple[int | float, ...] | None = None
    effects: tuple[Effect, ...] = ()
    facts: tuple[tuple[str, Value], ...] = ()
    notes: tuple[str, ...] = ()
    ref: str = ""
    data: Data | None = None

    def pool(self, key: str) -> Pool:
        """Return a pool, or raise RulesBug if there is none of that name."""
        for pool in self.pools:
            if pool.key == key:
                return pool
        raise RulesBug(f"{self.id} has no {key}")

    def has_pool(self, key: str) -> bool:
        """Tell whether it has a pool of that name."""
        for pool in self.pools:  # noqa: SIM110 - asked a thousand times in a fight
            if pool.key == key:
                return True
        return False

    @property
    def hp(self) -> int:
        """Hit points now."""
        for pool in self.pools:
            if pool.key == "hp":
                return pool.now
        raise RulesBug(f"{self.id} has no hp")

    def left(self, key: str) -> int:
        """Return the remaining amount of a part of the budget, or 0."""
        for name, amount in self.budget:
            if name == key:
                return amount
        return 0

    def fact(self, key: str, default: Value = None) -> Value:
        """Return one of the ruleset's facts about it."""
        for name, value in self.facts:
            if name == key:
                return value
        return default

    def effect(self, name: str) -> Effect | None:
        """Return its first effect of that name."""
        for effect in self.effects:
            if effect.name == name:
                return effect
        return None

    def has(self, name: str) -> bool:
        """Tell whether it has an effect of that name."""
        for effect in self.effects:  # noqa: SIM110 - asked a thousand times in a fight
            if effect.name == name:
                return True
        return False


class State(Struct, frozen=True, dict=True):
    """Everything about a fight at one moment.

    Attributes:
        ruleset: its key.
        title: the encounter's.
        house_rules: the ruleset's switches.
        setup: the ruleset's set-up of this fight (map, lighting, distance).
        clock: the round, the slots and the time.
        sides: in the encounter's order.
        combatants: in order of joining.
        effects: the effects that no combatant bears.
        facts: `(owner, key, value)` of owners that are no combatants: `fight`, `side:<id>`, `pair:<a>|<b>`, `zone:1`;
            sorted.
        due: effects that have reached their end and that the next `expire` ends, in order of creation.
        serial: the number of the newest effect.
        waves: the waves that have not joined yet.
        reminders: all reminders of the encounter.
        dismissed: keys of dismissed reminders.
        gone: `(id, name)` of combatants that have left.
        labels: every label used in this fight.
        notes: the encounter's notes on the fight.
        journal_notes: the GM's last notes during it; the log has all.
    """

    ruleset: str = ""
    title: str = ""
    house_rules: Data | None = None
    setup: Data | None = None
    clock: Clock = Clock()
    sides: tuple[Side, ...] = ()
    combatants: tuple[Combatant, ...] = ()
    effects: tuple[Effect, ...] = ()
    facts: tuple[tuple[str, str, Value], ...] = ()
    due: tuple[EffectRef, ...] = ()
    serial: int = 0
    waves: tuple[Wave, ...] = ()
    reminders: tuple[TimedNote, ...] = ()
    dismissed: tuple[str, ...] = ()
    gone: tuple[tuple[Id, str], ...] = ()
    labels: tuple[str, ...] = ()
    notes: str = ""
    journal_notes: tuple[str, ...] = ()

    @cached_property
    def places(self) -> dict[Id, int]:
        """The index of each combatant in `combatants` (a memo)."""
        return {combatant.id: place for place, combatant in enumerate(self.combatants)}

    @cached_property
    def known(self) -> dict[tuple[str, str], Value]:
        """The facts by owner and key (a memo)."""
        return {(owner, key): value for owner, key, value in self.facts}

    @cached_property
    def waiting(self) -> dict[WaitKey, tuple[EffectRef, ...]]:
        """The effects that wait for each edge, by anchor (a memo)."""
        waits: dict[WaitKey, list[EffectRef]] = {}
        for effect in self.all_effects:
            for end in effect.until:
                if isinstance(end, At):
                    waits.setdefault((end.edge, end.anchor), []).append((effect.bearer, effect.id))
        return {key: tuple(refs) for key, refs in waits.items()}

    @cached_property
    def children(self) -> dict[int, tuple[EffectRef, ...]]:
        """The effects that end with each effect (a memo)."""
        children: dict[int, list[EffectRef]] = {}
        for effect in self.all_effects:
            if effect.parent is not None:
                children.setdefault(effect.parent, []).append((effect.bearer, effect.id))
        return {parent: tuple(refs) for parent, refs in children.items()}

    @property
    def all_effects(self) -> tuple[Effect, ...]:
        """Every effect of the fight, bearer by bearer."""
        return self.effects + tuple([effect for combatant in self.combatants for effect in combatant.effects])

    def __getitem__(self, key: Id) -> Combatant:
        try:
            return self.combatants[self.places[key]]
        except KeyError:
            raise Absent(key) from None

    def __contains__(self, key: object) -> bool:
        return key in self.places

    def get(self, key: Id | None) -> Combatant | None:
        """Return a combatant, or None."""
        place = self.places.get(key)  # type: ignore[arg-type]  # None has no place
        return None if place is None else self.combatants[place]

    def side(self, key: Id) -> Side:
        """Return a side."""
        for side in self.sides:
            if side.id == key:
                return side
        raise RulesBug(f"there is no side {key}")

    def side_of(self, key: Id) -> Side:
        """Return a combatant's side."""
        return self.side(self[key].side)

    def members(self, side: Id) -> tuple[Combatant, ...]:
        """Return the combatants of a side, in order of joining."""
        return tuple([combatant for combatant in self.combatants if combatant.side == side])

    def fact(self, owner: str, key: str, default: Value = None) -> Value:
        """Return a fact of a combatant or of another owner."""
        combatant = self.get(owner)
        if combatant is not None:
            return combatant.fact(key, default)
        return self.known.get((owner, key), default)

    def borne(self, bearer: str) -> tuple[Effect, ...]:
        """Return the effects of a bearer."""
        combatant = self.get(bearer)
        if combatant is not None:
            return combatant.effects
        return tuple(effect for effect in self.effects if effect.bearer == bearer)

    def effect(self, bearer: str, key: int) -> Effect | None:
        """Return one effect by its bearer and number."""
        return next((effect for effect in self.borne(bearer) if effect.id == key), None)

    def name(self, key: str | None) -> str:
        """Return the name of a combatant, here or gone, or of a side, else the id itself."""
        if key is None:
            return "GM"
        combatant = self.get(key)
        if combatant is not None:
            return combatant.name
        for gone, name in self.gone:
            if gone == key:
                return name
        for side in self.sides:
            if key in (side.id, "side:" + side.id):
                return side.name
        return key


def condition_after(
    state: State,
    who: Id,
    bound: Collection[str] = (),
    becomes: Mapping[str, str] | None = None,
    facts: Mapping[str, Value] | None = None,
) -> Condition:
    """Return a combatant's condition at the end of a fight: pools, status, and effects that last until removed.

    `bound`: names of effects (up to a colon in the name) that end with their fight; `becomes`: the status in the next
    fight for statuses of this one; `facts`: the ruleset's facts to keep.
    """
    combatant = state[who]
    lasting = tuple(
        replace(effect, id=0, bearer="", source=None, born=(0, ""))
        for effect in combatant.effects
        if not effect.until
        and effect.parent is None
        and effect.data is None
        and effect.name.partition(":")[0] not in bound
    )
    status = (becomes or {}).get(combatant.status, combatant.status)
    kept = tuple(sorted((key, value) for key, value in (facts or {}).items() if value is not None))
    return Condition(tuple((pool.key, pool.now) for pool in combatant.pools), status, kept, lasting)
