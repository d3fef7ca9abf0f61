"""Actions: the table of a game's action types, which plugs into a `Ruleset`.

    ACTIONS = ActionTable(
        (
            ActionType("attack", "Attack", "KN-03", "Action", budget(action=1), perform=attack, fields=attack_fields),
            ActionType("guard", "Guard", "KN-04", "Action", budget(action=1), perform=guard),
            ActionType("twist", "Twist away", "KN-05", "Twist", budget(twist=1), "any", twist,
                 listed=False, answers=answering("after_roll", "target")),
        ),
        ECONOMY,
        gm=(ActionType("rest", "Rest", "KN-09", perform=rest),),
    )
    RULESET = Ruleset(..., actions=ACTIONS.actions, form=ACTIONS.form, perform=ACTIONS.perform, windows=ACTIONS.windows)

What is offered and what is accepted cannot differ: both come from `form`. `perform` pays before it does. What a game
decides in its own way (who is able, in time, able to pay; how it is paid) replaces a field of `ActionTable`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cached_property
from itertools import combinations, islice, product
from typing import TypeAlias

from msgspec import Struct
from msgspec.structs import replace

from tracker.core.fight.cache import per_state
from tracker.core.fight.slots import Id
from tracker.core.fight.state import State
from tracker.core.game.action_types import ActionType, Answers, specification
from tracker.core.gm.commands import KEYS
from tracker.core.step.ctx import Ctx
from tracker.core.step.forms import fill
from tracker.core.terms.actions import Action, ActionSpec, Field
from tracker.core.terms.errors import Refusal, Refused, RulesBug
from tracker.core.terms.requests import Window
from tracker.core.terms.values import Value
from tracker.kit import refusals
from tracker.kit.economy import Economy


def answering(name: str, by: str = "target", **fields: str) -> Answers:
    """Let the target of a window answer it, or its actor.

    `by` and the values of `fields` say `actor` or `target`: `answering("moves", "target", target="actor")` lets the
    target answer and aims at the actor.
    """

    def answers(state: State, window: Window) -> tuple[Action, ...]:
        people = {"actor": window.actor, "target": window.target}
        if window.name != name or people[by] is None:
            return ()
        given = {field: people[who] for field, who in fields.items()}
        return (Action("", people[by], tuple(sorted((field, who) for field, who in given.items() if who))),)

    return answers


def _untimely(state: State, kind: ActionType, action: Action) -> Refusal | None:
    match kind.when:
        case "turn":
            return refusals.not_your_turn(state, action.by, kind.rule)
        case "round":
            return refusals.no_round(state, kind.rule)
        case _:
            return None


def _has(kind: ActionType, state: State, who: Id | None) -> bool:
    """Tell whether a combatant has this action at all; the GM and the sides have every one."""
    return who is None or kind.available_to is None or kind.available_to(state, who)


def _is_listed(spec: ActionSpec) -> bool:
    return spec.refusal is None or spec.refusal.forcible


class ActionTable(Struct, frozen=True, dict=True, eq=False):
    """Every action of a game, offered, specified and performed from one table.

    A table is known by identity.

    Attributes:
        types: the combatants' actions, in the order of the list.
        economy: what they are paid with; without one nothing costs anything.
        gm: the actions of the GM and the sides; one with the key of a generic action replaces it.
        unable: why a combatant can do nothing now.
        untimely: why an action cannot be done at this moment, or cannot be paid if no economy tells.
        pay: called before a combatant's action is done; by default the economy takes its price.
        usual: the key of the action listed first for a combatant.
        shown: which specifications are listed; by default not those that make no sense at all.
    """

    types: tuple[ActionType, ...] = ()
    economy: Economy | None = None
    gm: tuple[ActionType, ...] = ()
    unable: Callable[[State, Id], Refusal | None] = refusals.down
    untimely: Callable[[State, ActionType, Action], Refusal | None] = _untimely
    pay: Callable[[Ctx, ActionType, Action], None] | None = None
    usual: Callable[[State, Id], str] | None = None
    shown: Callable[[ActionSpec], bool] = _is_listed

    @cached_property
    def _by_key(self) -> dict[str, ActionType]:
        return {kind.key: kind for kind in self.types}

    @cached_property
    def _gm_by_key(self) -> dict[str, ActionType]:
        return {kind.key: kind for kind in self.gm}

    def find(self, action: Action) -> ActionType | None:
        """Return the type of an action: of the GM's first where no combatant does it."""
        first, second = (self._gm_by_key, self._by_key) if action.by is None else (self._by_key, self._gm_by_key)
        return first.get(action.key) or second.get(action.key)

    def _is_gms(self, kind: ActionType) -> bool:
        return self._gm_by_key.get(kind.key) is kind

    def _is_generic(self, kind: ActionType, action: Action) -> bool:
        """Tell whether the GM means the generic command, not a combatant's action of that key."""
        return action.by is None and not self._is_gms(kind) and kind.key in KEYS

    def actions(self, state: State, by: Id | None) -> tuple[ActionSpec, ...]:
        """Return what a combatant, or for None the GM, can do or is refused."""
        found = []
        for kind in self.gm if by is None else self.types:
            if not kind.listed or not _has(kind, state, by):
                continue
            spec = self.form(state, Action(kind.key, by))
            if spec is not None and (by is None or self.shown(spec)):
                found.append(spec)
        if by is None or self.usual is None:
            return tuple(found)
        usual = self.usual(state, by)
        return tuple(sorted(found, key=lambda spec: spec.key != usual))

    def form(self, state: State, action: Action) -> ActionSpec | None:
        """Return the specification of an action, or None for one outside the table.

        Where its defaults are refused, it opens on choices that are possible; where there are none, it is refused.
        """
        kind = self.find(action)
        if kind is None or self._is_generic(kind, action) or not _has(kind, state, action.by):
            return None
        early = None if self._is_gms(kind) else self._early(state, kind, action)
        spec = self._spec(state, kind, action, early)
        if spec is None or early is not None or action.by is None:
            return spec
        return self._possible(state, kind, action, spec)

    def _possible(self, state: State, kind: ActionType, action: Action, spec: ActionSpec) -> ActionSpec:
        refusal = spec.refusal or blocked_by(spec.fields, action)
        if refusal is None:
            return spec
        refused = spec if spec.refusal is not None else replace(spec, refusal=refusal)
        return self._opened(state, kind, action, refused) if kind.opens else refused

    def _spec(self, state: State, kind: ActionType, action: Action, early: Refusal | None = None) -> ActionSpec | None:
        """Return the specification of an action, refused by what forbids it before its own check.

        It is remembered while the state is the same: what chooses an action asks the same as what performs it.
        """
        if early is not None:
            return specification(kind, state, action, early)
        try:
            hash(action)
        except TypeError:  # a value that cannot be looked up
            return specification(kind, state, action)
        return _remembered(state, action, kind)

    def _opened(self, state: State, kind: ActionType, action: Action, spec: ActionSpec) -> ActionSpec:
        """Return a refused specification with defaults that are possible, or as it is."""

        def refusal_of(filled: Action) -> Refusal | None:
            refusal = self._early(state, kind, filled)
            if refusal is None and kind.form is None:
                refusal = kind.refusal(state, filled)
            if refusal is not None:
                return refusal
            other = self._spec(state, kind, filled)
            return spec.refusal if other is None else other.refusal or blocked_by(other.fields, filled)

        filled = first_legal_form(spec.fields, action, spec.refusal, refusal_of)
        found = None if filled is None else self._spec(state, kind, filled)
        if filled is None or found is None:
            return spec
        chosen = {name: value for name, value in filled.fields if action.get(name) is None}
        fields = [replace(field, default=chosen.get(field.name, field.default)) for field in found.fields]
        return replace(found, fields=tuple(fields))

    def accepts(self, state: State, action: Action) -> bool:
        """Tell whether a combatant's action would be performed as it is filled in, for a policy."""
        kind = self.find(action)
        if kind is None or action.by is None or not _has(kind, state, action.by):
            return False
        if not self._is_gms(kind) and self._early(state, kind, action) is not None:
            return False
        spec = self._spec(state, kind, action)
        if spec is None or spec.refusal is not None:
            return False
        try:
            fill(spec, state, action)
        except Refused:
            return False
        return True

    def legality(self, state: State, kind: ActionType, action: Action) -> Refusal | None:
        """Return why an action is not possible now, or None.

        The actor comes first, then the moment, the price, and what the action demands.
        """
        if not self._is_gms(kind) and (refusal := self._early(state, kind, action)) is not None:
            return refusal
        return kind.refusal(state, action)

    def _early(self, state: State, kind: ActionType, action: Action) -> Refusal | None:
        """Return what forbids a combatant's action before its own check."""
        if action.by is None:
            return refusals.no_actor(None, kind.label, kind.rule)
        refusal = self.unable(state, action.by) or self.untimely(state, kind, action)
        if refusal is not None or self.economy is None:
            return refusal
        return self.economy.unpaid(state, action.by, kind.price_of(state, action), kind.rule)

    def perform(self, ctx: Ctx, action: Action) -> None:
        """Pay for an action whose form has been accepted, and do it."""
        kind = self.find(action)
        if kind is None:
            raise RulesBug(f"{action.key} is no action of this table")
        if action.by is not None and not self._is_gms(kind):
            if self.pay is not None:
                self.pay(ctx, kind, action)
            elif self.economy is not None:
                rules = (kind.rule, *kind.cites) if kind.rule else kind.cites
                self.economy.take(ctx, action.by, kind.price_of(ctx.state, action), *rules)
        kind.perform(ctx, action)

    def windows(self, state: State, window: Window) -> tuple[ActionSpec, ...]:
        """Return the legal answers to a window, for `Ruleset.windows`."""
        found = []
        for kind in self.types:
            for answer in () if kind.answers is None else kind.answers(state, window):
                spec = self.form(state, replace(answer, key=kind.key)) if answer.by in state else None
                if spec is not None and spec.refusal is None:
                    fields = tuple(_given(field, answer) for field in spec.fields)
                    found.append(replace(spec, fields=fields, fixed=_fixed(spec, answer)))
        return tuple(found)


@per_state
def _remembered(state: State, action: Action, kind: ActionType) -> ActionSpec | None:
    return specification(kind, state, action)


def _given(field: Field, answer: Action) -> Field:
    value = answer.get(field.name)
    return field if value is None else replace(field, default=value)


def _fixed(spec: ActionSpec, answer: Action) -> tuple[tuple[str, Value], ...]:
    return tuple((name, value) for name, value in answer.fields if value is not None and spec.field(name) is not None)


# -- choices with which a half-filled form is possible


MOST, EACH = 40, 12
"""How many pairs of choices are tried, and how many of each field; what has more ways is left to the GM."""
PROBES = 3
"""After how many choices without any difference a field counts as one that makes none."""
KINDS = ("choice", "combatant", "combatants", "square")
"""The kinds of field that are tried, those first whose change alters least."""
PEOPLE = ("combatant", "combatants")
Choice: TypeAlias = tuple[str, Value]


def first_legal_form(
    fields: Sequence[Field], action: Action, first: Refusal | None, refusal_of: Callable[[Action], Refusal | None]
) -> Action | None:
    """Return the action with the fewest fields filled in that make it possible.

    One is tried, then two that each make a difference; None where none do. What is filled in already stays, and so does
    what is on a further page, and a choice that need not be made. Where anything but people is filled in, the form
    is taken at its word. `first`: why the action is refused as it is.
    """
    given = {name for name, _ in action.fields}
    if any(field.name in given and field.kind not in PEOPLE for field in fields):
        return None
    free = [field for field in fields if field.kind in KINDS and field.name not in given and not field.page]
    needless = ("choice", *PEOPLE)
    free = [field for field in free if field.required or field.kind not in needless or _refusal_of_field(field)]
    ways = [ways for field in sorted(free, key=lambda field: KINDS.index(field.kind)) if (ways := _ways(field))]
    telling: list[tuple[Choice, ...]] = []
    for choices in ways:
        alike = 0
        for choice in choices:
            refusal = refusal_of(filled := action.put(**dict([choice])))
            if refusal is None:
                return filled
            alike += refusal == first
            if alike == PROBES:
                break
        else:
            telling += [choices] if alike < len(choices) else []
    pairs = (pair for some in combinations(telling, 2) for pair in product(*some))
    fillings = (action.put(**dict(pair)) for pair in islice(pairs, MOST))
    return next((filled for filled in fillings if refusal_of(filled) is None), None)


def blocked_by(fields: Sequence[Field], action: Action) -> Refusal | None:
    """Return why the options of a form forbid it with its defaults.

    A default is refused, or a field that has to be filled in has options and none of them is open.
    """
    given = {name for name, _ in action.fields}
    for field in fields:
        if field.options and field.kind in KINDS and field.name not in given:
            refusal = _refusal_of_field(field)
            if refusal is not None:
                return refusal
    return None


def _refusal_of_field(field: Field) -> Refusal | None:
    """Return why a field cannot stay as it is."""
    for option in field.options:
        if option.refusal is not None:
            break
    else:
        return None  # as most are: nothing of it is refused
    if field.default is None or field.default == ():
        refused = field.required and all(option.refusal is not None for option in field.options)
        return field.options[0].refusal if refused and field.options else None
    default = ",".join(map(str, field.default)) if field.kind == "square" and isinstance(field.default, tuple) else ""
    chosen = (default,) if default else field.default if isinstance(field.default, tuple) else (field.default,)
    refusals = (option.refusal for option in field.options if option.key in chosen)
    return next((refusal for refusal in refusals if refusal is not None), None)


def _ways(field: Field) -> tuple[Choice, ...]:
    keys = (option.key for option in field.options if option.refusal is None and option.key)
    values = [_value(field, key) for key in islice(keys, EACH)]
    return tuple((field.name, value) for value in values if value != field.default)


def _value(field: Field, key: str) -> Value:
    if field.kind == "combatants":
        return (key,)
    return tuple(int(part) for part in key.split(",")) if field.kind == "square" else key
