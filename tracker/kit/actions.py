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

The offered form and the check of a filled form both come from `form`, so they cannot differ. `perform` pays, then
performs. A game with its own checks of actor, time and price, or its own payment, replaces a field of `ActionTable`.
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

    `by` and the values of `fields` are `actor` or `target`: with `answering("moves", "target", target="actor")` the
    target answers, and the field `target` is the actor.
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
    """Tell whether a combatant has this action at all; the GM and the sides have all actions."""
    return who is None or kind.available_to is None or kind.available_to(state, who)


def _is_listed(spec: ActionSpec) -> bool:
    return spec.refusal is None or spec.refusal.forcible


class ActionTable(Struct, frozen=True, dict=True, eq=False):
    """All actions of a game in one table, which offers, specifies and performs them.

    Attributes:
        types: the combatants' actions, in the order of the list.
        economy: pays their prices; without one, actions are free.
        gm: the actions of the GM and the sides; one with the key of a generic action replaces it.
        unable: why a combatant cannot act at all now.
        untimely: why an action cannot be done now, or, without an economy, cannot be paid.
        pay: called before a combatant's action is performed; by default the economy takes its price.
        usual: the key of the action that is listed first for a combatant.
        shown: tells whether a specification is listed; by default not if its refusal cannot be forced.
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
        """Return the type of an action: the GM's type comes first for an action without a combatant."""
        first, second = (self._gm_by_key, self._by_key) if action.by is None else (self._by_key, self._gm_by_key)
        return first.get(action.key) or second.get(action.key)

    def _is_gms(self, kind: ActionType) -> bool:
        return self._gm_by_key.get(kind.key) is kind

    def _is_generic(self, kind: ActionType, action: Action) -> bool:
        """Tell whether an action is the generic command, not a combatant's action of the same key."""
        return action.by is None and not self._is_gms(kind) and kind.key in KEYS

    def actions(self, state: State, by: Id | None) -> tuple[ActionSpec, ...]:
        """Return the actions of a combatant, or for None of the GM, legal and refused."""
        specs = []
        for kind in self.gm if by is None else self.types:
            if not kind.listed or not _has(kind, state, by):
                continue
            spec = self.form(state, Action(kind.key, by))
            if spec is not None and (by is None or self.shown(spec)):
                specs.append(spec)
        if by is None or self.usual is None:
            return tuple(specs)
        usual = self.usual(state, by)
        return tuple(sorted(specs, key=lambda spec: spec.key != usual))

    def form(self, state: State, action: Action) -> ActionSpec | None:
        """Return the specification of an action, or None for an action outside the table.

        If its defaults are refused, it has possible choices as defaults; if there are none, it is refused.
        """
        kind = self.find(action)
        if kind is None or self._is_generic(kind, action) or not _has(kind, state, action.by):
            return None
        early = None if self._is_gms(kind) else self._early(state, kind, action)
        spec = self._spec(state, kind, action, early)
        if spec is None or early is not None or action.by is None:
            return spec
        refusal = spec.refusal or blocked_by(spec.fields, action)
        if refusal is None:
            return spec
        refused = spec if spec.refusal is not None else replace(spec, refusal=refusal)
        return self._opened(state, kind, action, refused) if kind.opens else refused

    def _spec(self, state: State, kind: ActionType, action: Action, early: Refusal | None = None) -> ActionSpec | None:
        """Return the specification of an action; `early`: its refusal before its own check.

        It is cached while the state is the same, because a policy and `perform` ask for the same.
        """
        if early is not None:
            return specification(kind, state, action, early)
        try:
            hash(action)
        except TypeError:  # a value that is not hashable
            return specification(kind, state, action)
        return _cached(state, action, kind)

    def _opened(self, state: State, kind: ActionType, action: Action, spec: ActionSpec) -> ActionSpec:
        """Return a refused specification with possible defaults, or unchanged."""

        def refusal_of(filled: Action) -> Refusal | None:
            refusal = self._early(state, kind, filled)
            if refusal is None and kind.form is None:
                refusal = kind.refusal(state, filled)
            if refusal is not None:
                return refusal
            other = self._spec(state, kind, filled)
            return spec.refusal if other is None else other.refusal or blocked_by(other.fields, filled)

        filled = first_legal_form(spec.fields, action, spec.refusal, refusal_of)
        legal = None if filled is None else self._spec(state, kind, filled)
        if filled is None or legal is None:
            return spec
        chosen = {name: value for name, value in filled.fields if action.get(name) is None}
        fields = [replace(field, default=chosen.get(field.name, field.default)) for field in legal.fields]
        return replace(legal, fields=tuple(fields))

    def accepts(self, state: State, action: Action) -> bool:
        """Tell whether a combatant's filled-in action can be performed, for a policy."""
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
        """Return why an action is not possible now, or None: its actor, time, price, then its own check."""
        if not self._is_gms(kind) and (refusal := self._early(state, kind, action)) is not None:
            return refusal
        return kind.refusal(state, action)

    def _early(self, state: State, kind: ActionType, action: Action) -> Refusal | None:
        """Return the refusal of a combatant's action before its own check, or None."""
        if action.by is None:
            return refusals.no_actor(None, kind.label, kind.rule)
        refusal = self.unable(state, action.by) or self.untimely(state, kind, action)
        if refusal is not None or self.economy is None:
            return refusal
        return self.economy.unpaid(state, action.by, kind.price_of(state, action), kind.rule)

    def perform(self, ctx: Ctx, action: Action) -> None:
        """Pay for an action whose form has been accepted, and perform it."""
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
        specs = []
        for kind in self.types:
            for answer in () if kind.answers is None else kind.answers(state, window):
                spec = self.form(state, replace(answer, key=kind.key)) if answer.by in state else None
                if spec is not None and spec.refusal is None:
                    names = {field.name for field in spec.fields}
                    fixed = {name: value for name, value in answer.fields if value is not None and name in names}
                    fields = [replace(field, default=fixed.get(field.name, field.default)) for field in spec.fields]
                    specs.append(replace(spec, fields=tuple(fields), fixed=tuple(fixed.items())))
        return tuple(specs)


@per_state
def _cached(state: State, action: Action, kind: ActionType) -> ActionSpec | None:
    return specification(kind, state, action)


# -- choices with which a partly filled form is possible


MOST, EACH = 40, 12
"""The most pairs of choices and the most choices of a field that are tried; the GM tries the others."""
PROBES = 3
"""A field makes no difference if this number of its choices makes none."""
KINDS = ("choice", "combatant", "combatants", "square")
"""The kinds of fields that are tried, those with the smallest changes first."""
PEOPLE = ("combatant", "combatants")
Choice: TypeAlias = tuple[str, Value]


def first_legal_form(
    fields: Sequence[Field], action: Action, first: Refusal | None, refusal_of: Callable[[Action], Refusal | None]
) -> Action | None:
    """Return the action with one field filled in that makes it possible, or else two; None if no fields do.

    Only required or refused fields of the first page without a value are tried, pairs only of fields that make a
    difference. If a field other than combatants has a value, the form is not changed. `first`: the action's refusal
    without a change.
    """
    given = {name for name, _ in action.fields}
    if any(field.name in given and field.kind not in PEOPLE for field in fields):
        return None
    free = [field for field in fields if field.kind in KINDS and field.name not in given and not field.page]
    needless = ("choice", *PEOPLE)
    free = [field for field in free if field.required or field.kind not in needless or _refusal_of_field(field)]
    ways = [ways for field in sorted(free, key=lambda field: KINDS.index(field.kind)) if (ways := _ways(field))]
    relevant: list[tuple[Choice, ...]] = []
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
            relevant += [choices] if alike < len(choices) else []
    pairs = (pair for two in combinations(relevant, 2) for pair in product(*two))
    fillings = (action.put(**dict(pair)) for pair in islice(pairs, MOST))
    return next((filled for filled in fillings if refusal_of(filled) is None), None)


def blocked_by(fields: Sequence[Field], action: Action) -> Refusal | None:
    """Return why a form is not possible with its defaults: a default is refused, or all options of a required field."""
    given = {name for name, _ in action.fields}
    for field in fields:
        if field.options and field.kind in KINDS and field.name not in given:
            refusal = _refusal_of_field(field)
            if refusal is not None:
                return refusal
    return None


def _refusal_of_field(field: Field) -> Refusal | None:
    """Return why the default of a field is not possible, or None."""
    for option in field.options:
        if option.refusal is not None:
            break
    else:
        return None  # the usual case: no option is refused
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
