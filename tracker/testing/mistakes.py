"""The mistakes in a ruleset's Structs and functions, in stored and replayed steps, and over whole rounds.

Each mistake has its place: of a Struct or function, of an event that cannot be stored or differs in a replay, or of a
hook that forgets newcomers, moves or budgets.
"""

from __future__ import annotations

import inspect as source
from collections.abc import Callable, Iterator
from pathlib import Path
from types import UnionType
from typing import Any, Union, get_args, get_origin, get_type_hints

import msgspec
from msgspec import Struct
from msgspec import inspect as layout

from tracker.core.fight.events import BudgetChange, BudgetsChanged, Entry
from tracker.core.fight.fold import fold
from tracker.core.fight.slots import Slot
from tracker.core.fight.state import State
from tracker.core.game.action_types import ActionType
from tracker.core.game.ruleset import MapRules, Ruleset
from tracker.core.game.schema import codec_of
from tracker.core.run import Answers, Done, Step, run
from tracker.core.terms.actions import Action
from tracker.core.terms.effects import Effect
from tracker.core.terms.encounter import Encounter
from tracker.core.terms.moments import Edge
from tracker.core.terms.values import Data
from tracker.kit.actions import ActionTable
from tracker.kit.economy import Economy
from tracker.kit.order import Order
from tracker.library.guard import unwrapped
from tracker.library.validation.issues import type_info

PROGRAM = "tracker"
Found = tuple[str, str]
"""A mistake: its text and its place."""
ADVANCES = 80
"""Most advances of a quiet fight over two rounds."""
AGAIN = 2
"""The number of replays of a step; chance seldom gives the same result in all."""


def place_of_function(function: object) -> str:
    """Return the place of a function, or "" if it is the program's."""
    bare: Any = function
    unwrapped_function: Any = source.unwrap(getattr(bare, "__func__", bare))
    code = getattr(unwrapped_function, "__code__", None)
    if code is None or str(getattr(unwrapped_function, "__module__", "")).partition(".")[0] == PROGRAM:
        return ""
    return f"{Path(code.co_filename).name}:{code.co_firstlineno} in {code.co_name}"


def place_of_class(kind: type) -> str:
    """Return the place of a class, or "" if it is unknown."""
    try:
        _, line = source.getsourcelines(kind)
        return f"{Path(source.getsourcefile(kind) or '').name}:{line} in {kind.__name__}"
    except (OSError, TypeError):
        return ""


# -- Structs and functions ---------------------------------------------------------------------------------------------


def problems_of_structs(ruleset: Ruleset) -> Iterator[Found]:
    """Yield why a ruleset's Structs cannot be stored and read back."""
    schema = ruleset.schema
    kinds = [kind for _, kind in schema.blocks]
    kinds += [kind for kind in (schema.house_rules, schema.setup, schema.side, schema.member) if kind is not None]
    for kind in dict.fromkeys((*kinds, *schema.data)):
        wanted = f"class {kind.__name__}(Struct, Data, frozen=True, tag=True)"
        config = getattr(kind, "__struct_config__", None)
        if config is None or not issubclass(kind, Data):
            yield f'"{kind.__name__}" is no Data of a fight: {wanted}', place_of_class(kind)
            continue
        if config.tag is None:
            text = f'"{kind.__name__}" has no tag, so a stored fight does not say what it is: {wanted}'
            yield text, place_of_class(kind)
        if not config.frozen:
            yield f'"{kind.__name__}" is not frozen, so it can change without an event: {wanted}', place_of_class(kind)
        for field in type_info(kind).fields:  # type: ignore[attr-defined]  # a Struct's
            if isinstance(field.type, layout.ListType | layout.SetType | layout.FrozenSetType):
                collection = type(field.type).__name__.removesuffix("Type").casefold()
                text = (
                    f'"{kind.__name__}.{field.name}" is a {collection}: a fight keeps tuples, such as tuple[str, ...]'
                )
                yield text, place_of_class(kind)


def problems_of_signatures(ruleset: Ruleset) -> Iterator[Found]:
    """Yield the functions of a ruleset that do not accept their arguments."""
    yield from _of_record(ruleset, Ruleset, "")
    yield from _of_record(ruleset.map, MapRules, "map.")
    table = table_of(ruleset)
    for kind in () if table is None else (*table.types, *table.gm):
        yield from _of_record(kind, ActionType, f'"{kind.key}": ')


def problems_of_prices(ruleset: Ruleset) -> Iterator[Found]:
    """Yield the actions whose price is not in the budget, and parts of the budget with an unknown edge."""
    table = table_of(ruleset)
    if table is None or table.economy is None:
        return
    edges = table.economy.refresh_at
    for edge in dict.fromkeys([edges] if isinstance(edges, str) else edges.values()):
        if edge not in get_args(Edge):
            yield f'the economy gives back at "{edge}", which is no edge ({", ".join(get_args(Edge))})', ""
    if table.pay is not None or callable(table.economy.full):
        return
    parts = [key for key, _ in table.economy.full]
    for kind in table.types:
        for key in [key for key, _ in kind.price if key not in parts] if isinstance(kind.price, tuple) else ():
            text = f'"{kind.key}" costs "{key}", which the economy does not have ({", ".join(parts)})'
            yield text, place_of_function(kind.perform)


def _of_record(record: object, owner: type[Struct], lead: str) -> Iterator[Found]:
    for name, hint in get_type_hints(owner).items():
        given, function = _arguments(hint), getattr(record, name, None)
        if given is None or not callable(function) or function in owner.__struct_defaults__:
            continue
        try:
            signature = source.signature(function)
        except (TypeError, ValueError):  # a function without a signature
            continue
        try:
            signature.bind(*given)
        except TypeError:
            takes = f"{getattr(function, '__name__', 'it')}({', '.join(signature.parameters)})"
            yield f"{lead}{name} is called with ({', '.join(given)}), not as {takes}", place_of_function(function)


def _arguments(hint: Any) -> tuple[str, ...] | None:
    """Return the names of the arguments of a function of this type, None for another type."""
    for part in get_args(hint) if get_origin(hint) in (Union, UnionType) else (hint,):
        if getattr(get_origin(part), "__name__", "") == "Callable" and isinstance(get_args(part)[0], list):
            return tuple(getattr(kind, "__name__", str(kind)).casefold() for kind in get_args(part)[0])
    return None


def table_of(ruleset: Ruleset) -> ActionTable | None:
    """Return the table of actions of a ruleset, or None."""
    table = getattr(unwrapped(ruleset).form, "__self__", None)
    return table if isinstance(table, ActionTable) else None


# -- storing and replaying ---------------------------------------------------------------------------------------------


def unstored(ruleset: Ruleset, entry: Entry) -> str:
    """Return the value of an event that a stored fight loses, or ""."""
    codec = codec_of(ruleset.schema)
    try:
        read = codec.decode(codec.encode((entry,)), tuple[Entry, ...])
    except (msgspec.MsgspecError, TypeError, ValueError, RecursionError) as error:
        why = f"cannot be stored: {' '.join(str(error).partition(' - at ')[0].split())[:160]}"
    else:
        why = "" if read == (entry,) else "is not read back as it was stored"
    return _strange(entry.event, ruleset, why) if why else ""


def _strange(event: object, ruleset: Ruleset, why: str) -> str:
    """Return which part of an event is no value of a fight."""
    known = {*(kind for _, kind in ruleset.schema.blocks), *ruleset.schema.data}
    kind, key = type(event).__name__, getattr(event, "key", "")
    lead = f'the fact "{key}"' if kind == "FactSet" else f'"{key}" of {kind}' if key else kind
    parts = [(lead, getattr(event, name)) for name in getattr(event, "__struct_fields__", ())]
    parts += [(f'the effect "{value.name}"', value.data) for _, value in parts if isinstance(value, Effect)]
    slots = (slot for _, value in parts if isinstance(value, tuple) for slot in value if isinstance(slot, Slot))
    for lead, value in [*parts, *((f'the slot "{slot.id}"', slot.data) for slot in slots)]:
        if isinstance(value, list | dict | set):
            return f"{lead} holds a {type(value).__name__}: a fight keeps tuples, and pairs instead of a dict"
        if isinstance(value, Data) and type(value) not in known:
            return f"{lead} holds a {type(value).__name__}, which is missing in Schema.data"
        own = isinstance(value, Struct) and type(value).__module__.partition(".")[0] != PROGRAM
        if own and not isinstance(value, Data):
            return f"{lead} holds a {type(value).__name__}, which is no Data of a fight"
    return f"{lead} {why}"


def different(ruleset: Ruleset, state: State, step: Step, answers: Answers, done: Done) -> int | None:
    """Return the index of the first event that differs when a step is done again, or None."""
    for _ in range(AGAIN):
        again = run(ruleset, state, step, answers)
        entries = again.entries if isinstance(again, Done) else ()
        if entries != done.entries or not isinstance(again, Done) or again.state != done.state:
            pairs = zip(entries, done.entries, strict=False)
            same = next((place for place, (one, other) in enumerate(pairs) if one != other), None)
            return min(len(entries), len(done.entries)) if same is None else same
    return None


# -- whole rounds ------------------------------------------------------------------------------------------------------

Take = Callable[[State, Step], State | None]
"""Does a step with any answers, and returns the state after it, or None if it is not done."""


class Rounds(Struct):
    """A quiet fight, which only goes on, with one newcomer and one move in the order."""

    ruleset: Ruleset
    encounter: Encounter
    take: Take

    def mistakes(self) -> Iterator[Found]:
        """Yield the mistakes that two rounds show."""
        ruleset = unwrapped(self.ruleset)
        order = getattr(ruleset.open_round, "__self__", None)
        opened = self.take(State(), Step("start", encounter=self.encounter))
        state = None if opened is None else self._onward(opened, lambda now: now.clock.in_round)
        if state is None:
            return
        if isinstance(order, Order):
            yield from self._newcomer(state, ruleset)
            yield from self._moved(state, order, ruleset)
        table = table_of(ruleset)
        if table is not None and table.economy is not None:
            yield from self._refreshed(state, table.economy, ruleset)

    def _onward(self, state: State, enough: Callable[[State], bool]) -> State | None:
        """Go on until `enough`, and return that state; None: the fight does not reach it."""
        for _ in range(ADVANCES):
            if enough(state):
                return state
            following = None if state.clock.over else self.take(state, Step("advance"))
            if following is None:
                return None
            state = following
        return None

    def _newcomer(self, state: State, ruleset: Ruleset) -> Iterator[Found]:
        side = next((side for side in self.encounter.sides if side.members), None)
        if side is None:
            return
        fields = (("members", (msgspec.structs.replace(side.members[0], id=""),)), ("side", side.id))
        joined = self.take(state, Step("do", (Action("insert", None, fields),)))
        if joined is None:
            return
        new = [one.id for one in joined.combatants if one.id not in state]
        placed = {who for slot in joined.clock.slots for who in slot.members}
        if new and not placed & set(new):
            text = "a newcomer has no place in the round: join does not call the order's join(ctx, newcomers)"
            yield text, place_of_function(ruleset.join)

    def _moved(self, state: State, order: Order, ruleset: Ruleset) -> Iterator[Found]:
        upcoming = state.clock.upcoming
        if len(upcoming) < 2:
            return
        first, last, number = upcoming[0], upcoming[-1], state.clock.round
        moved = self.take(state, Step("do", (Action("move", None, (("before", first.id), ("slot", last.id))),)))
        following = None if moved is None else self._onward(moved, lambda now: now.clock.round > number)
        if following is None:
            return
        keys = [slot.phase for slot in following.clock.slots]
        if first.phase in keys and last.phase in keys and keys.index(last.phase) > keys.index(first.phase):
            text = "what the GM moves in the order is lost in the next round: on_boundary does not call the order's "
            yield f"{text}on_boundary(ctx, boundary)", place_of_function(ruleset.on_boundary)

    def _refreshed(self, state: State, economy: Economy, ruleset: Ruleset) -> Iterator[Found]:
        """Spend every budget, and yield the parts that no combatant has again within two rounds."""
        changes = tuple(
            BudgetChange(one.id, one.budget, tuple((key, 0) for key, _ in one.budget)) for one in state.combatants
        )
        spent = fold(state, BudgetsChanged(tuple(change for change in changes if change.was != change.now)))
        fresh = {key for one in state.combatants for key, amount in economy.fresh(state, one.id) if amount}
        wanted = {key for key in fresh if economy.edge(key) is not None}
        number, had = state.clock.round + 2, set[str]()

        def sound(now: State) -> bool:
            had.update(key for one in now.combatants for key, amount in one.budget if amount)
            return now.clock.round >= number

        if self._onward(spent, sound) is None:
            return
        for key in sorted(wanted - had):
            text = f'nothing gives back "{key}": on_boundary does not call the economy\'s refresh(ctx, boundary)'
            yield text, place_of_function(ruleset.on_boundary)
