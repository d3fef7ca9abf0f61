"""Deeds: one record per action, and the table of them that plugs into a `Ruleset`.

    DEEDS = Deeds(
        (
            Deed("attack", "Attack", "KN-03", "Action", budget(action=1), perform=attack, fields=attack_fields),
            Deed("guard", "Guard", "KN-04", "Action", budget(action=1), perform=guard),
            Deed("twist", "Twist away", "KN-05", "Twist", budget(twist=1), "any", twist,
                 listed=False, answers=answering("after_roll", "target")),
        ),
        ECONOMY,
        gm=(Deed("rest", "Rest", "KN-09", perform=rest),),
    )
    RULESET = Ruleset(..., actions=DEEDS.actions, form=DEEDS.form, perform=DEEDS.perform, windows=DEEDS.windows)

What is offered and what is accepted cannot differ: both come from `form`. `perform` pays before it does. What a game
decides in its own way (who is able, in time, able to pay; how it is paid) replaces a field of `Deeds`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cached_property
from typing import TypeAlias

from msgspec import Struct
from msgspec.structs import replace

from tracker.core.fight.memo import per_state
from tracker.core.fight.state import Id, State
from tracker.core.master.table import COMMANDS
from tracker.core.step.ctx import Ctx
from tracker.core.step.forms import fill
from tracker.core.step.openings import opening, shut
from tracker.core.terms.actions import Action, ActionSpec, Field
from tracker.core.terms.errors import Refusal, Refused, RulesBug
from tracker.core.terms.requests import Window
from tracker.core.terms.values import Value
from tracker.kit import refusals
from tracker.kit.economy import Budget, Economy

Answers: TypeAlias = Callable[[State, Window], Sequence[Action]]
"""From a window to the actions by which a deed may answer it, filled in as far as the window says."""


def _no_fields(state: State, action: Action) -> tuple[Field, ...]:
    return ()


def _no_refusal(state: State, action: Action) -> Refusal | None:
    return None


class Deed(Struct, frozen=True, eq=False):
    """One action of a game, known by identity.

    Attributes:
        key, label: its name in scripts, and on the screen.
        rule: the rule that describes it.
        cost: the price in the game's words.
        price: what it takes from the budget; a function where that depends on the form.
        when: `turn`: in the actor's own slot; `round`: while a round runs; `any`; or a word of the game's own, which
            its `untimely` reads.
        perform: what it does, after it is paid.
        fields: its form, as far as it is filled in.
        refusal: what else forbids it.
        cites: further rules by which it is paid.
        group: a heading to list it under; `order` for ways to act later.
        listed: whether it is on the list of a combatant or the GM; what only comes with another action is not.
        whose: which combatants have it at all.
        answers: the windows it may answer, and for whom.
        form: the whole specification at once, in place of `fields` and `refusal`.
        opens: whether a form that is refused is tried with other choices; needless where its fields begin with what
            is possible.
    """

    key: str
    label: str
    rule: str = ""
    cost: str = ""
    price: Budget | Callable[[State, Action], Budget] = ()
    when: str = "turn"
    perform: Callable[[Ctx, Action], object] = lambda ctx, action: None
    fields: Callable[[State, Action], tuple[Field, ...]] = _no_fields
    refusal: Callable[[State, Action], Refusal | None] = _no_refusal
    cites: tuple[str, ...] = ()
    group: str = ""
    listed: bool = True
    whose: Callable[[State, Id], bool] | None = None
    answers: Answers | None = None
    form: Callable[[State, Action], ActionSpec | None] | None = None
    opens: bool = True

    def price_of(self, state: State, action: Action) -> Budget:
        """Return what this very action takes from the budget."""
        return self.price(state, action) if callable(self.price) else self.price


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


def _able(state: State, who: Id) -> Refusal | None:
    return refusals.down(state, who)


def _untimely(state: State, deed: Deed, action: Action) -> Refusal | None:
    match deed.when:
        case "turn":
            return refusals.not_your_turn(state, action.by, deed.rule)
        case "round":
            return refusals.no_round(state, deed.rule)
        case _:
            return None


def _worth_showing(spec: ActionSpec) -> bool:
    return spec.refusal is None or spec.refusal.forcible


class Deeds(Struct, frozen=True, dict=True, eq=False):
    """Every action of a game, offered, specified and performed from one table.

    A table is known by identity.

    Attributes:
        deeds: the combatants' deeds, in the order of the list.
        economy: what they are paid with; without one nothing costs anything.
        gm: the deeds of the GM and the sides; one with the key of a generic action replaces it.
        unable: why a combatant can do nothing now.
        untimely: why a deed cannot be done at this moment.
        unpaid: why a deed cannot be paid; by default the economy's answer.
        pay: how a deed is paid; by default from the economy.
        before: called before a combatant's deed is paid.
        usual: the key of the deed listed first for a combatant.
        shown: which specifications are listed; by default not those that make no sense at all.
    """

    deeds: tuple[Deed, ...] = ()
    economy: Economy | None = None
    gm: tuple[Deed, ...] = ()
    unable: Callable[[State, Id], Refusal | None] = _able
    untimely: Callable[[State, Deed, Action], Refusal | None] = _untimely
    unpaid: Callable[[State, Deed, Action], Refusal | None] | None = None
    pay: Callable[[Ctx, Deed, Action], None] | None = None
    before: Callable[[Ctx, Deed, Action], None] | None = None
    usual: Callable[[State, Id], str] | None = None
    shown: Callable[[ActionSpec], bool] = _worth_showing

    @cached_property
    def own(self) -> dict[str, Deed]:
        """The combatants' deeds by key."""
        return {deed.key: deed for deed in self.deeds}

    @cached_property
    def masters(self) -> dict[str, Deed]:
        """The GM's deeds by key."""
        return {deed.key: deed for deed in self.gm}

    def find(self, action: Action) -> Deed | None:
        """Return the deed of an action: of the GM's first where no combatant does it."""
        first, second = (self.masters, self.own) if action.by is None else (self.own, self.masters)
        return first.get(action.key) or second.get(action.key)

    def _is_gms(self, deed: Deed) -> bool:
        return self.masters.get(deed.key) is deed

    def _is_generic(self, deed: Deed, action: Action) -> bool:
        """Tell whether the GM means the generic command, not a combatant's deed of that key."""
        return action.by is None and not self._is_gms(deed) and deed.key in COMMANDS

    def actions(self, state: State, by: Id | None) -> tuple[ActionSpec, ...]:
        """Return what a combatant, or for None the GM, can do or is refused."""
        found = []
        for deed in self.gm if by is None else self.deeds:
            if not deed.listed or (by is not None and deed.whose is not None and not deed.whose(state, by)):
                continue
            spec = self.form(state, Action(deed.key, by))
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
        deed = self.find(action)
        if deed is None or self._is_generic(deed, action):
            return None
        if action.by is not None and deed.whose is not None and not deed.whose(state, action.by):
            return None
        early = None if self._is_gms(deed) else self._early(state, deed, action)
        spec = self._spec(state, deed, action, early)
        if spec is None or early is not None or action.by is None:
            return spec
        return self._possible(state, deed, action, spec)

    def _possible(self, state: State, deed: Deed, action: Action, spec: ActionSpec) -> ActionSpec:
        """Return a specification that opens on choices that are possible, refused where there are none."""
        refusal = spec.refusal or shut(spec.fields, action)
        if refusal is None:
            return spec
        refused = spec if spec.refusal is not None else replace(spec, refusal=refusal)
        return self._opened(state, deed, action, refused) if deed.opens else refused

    def _spec(self, state: State, deed: Deed, action: Action, early: Refusal | None = None) -> ActionSpec | None:
        """Return the specification of a deed, refused by what forbids it before its own check.

        It is remembered while a state stands still: what chooses an action asks the same as what performs it.
        """
        if early is not None:
            return _specified(state, deed, action, early)
        try:
            hash(action)
        except TypeError:  # a value that cannot be looked up
            return _specified(state, deed, action)
        return _remembered(state, action, deed)

    def _opened(self, state: State, deed: Deed, action: Action, spec: ActionSpec) -> ActionSpec:
        """Return a refused specification with defaults that are possible, or as it is."""

        def refusal_of(filled: Action) -> Refusal | None:
            refusal = self._early(state, deed, filled)
            if refusal is None and deed.form is None:
                refusal = deed.refusal(state, filled)
            if refusal is not None:
                return refusal
            other = self._spec(state, deed, filled)
            return spec.refusal if other is None else other.refusal or shut(other.fields, filled)

        filled = opening(spec.fields, action, spec.refusal, refusal_of)
        found = None if filled is None else self._spec(state, deed, filled)
        if filled is None or found is None:
            return spec
        chosen = {name: value for name, value in filled.fields if action.get(name) is None}
        fields = [replace(field, default=chosen.get(field.name, field.default)) for field in found.fields]
        return replace(found, fields=tuple(fields))

    def accepts(self, state: State, action: Action) -> bool:
        """Tell whether a combatant's action would be performed as it is filled in, for a policy."""
        deed = self.find(action)
        if deed is None or action.by is None or (deed.whose is not None and not deed.whose(state, action.by)):
            return False
        if not self._is_gms(deed) and self._early(state, deed, action) is not None:
            return False
        spec = self._spec(state, deed, action)
        if spec is None or spec.refusal is not None:
            return False
        try:
            fill(spec, state, action)
        except Refused:
            return False
        return True

    def legality(self, state: State, deed: Deed, action: Action) -> Refusal | None:
        """Return why a deed is not possible now, or None.

        The actor comes first, then the moment, the price, and what the deed demands.
        """
        if not self._is_gms(deed) and (refusal := self._early(state, deed, action)) is not None:
            return refusal
        return deed.refusal(state, action)

    def _early(self, state: State, deed: Deed, action: Action) -> Refusal | None:
        """Return what forbids a combatant's deed before its own check."""
        if action.by is None:
            return refusals.no_actor(None, deed.label, deed.rule)
        return (
            self.unable(state, action.by)
            or self.untimely(state, deed, action)
            or self.unaffordable(state, deed, action)
        )

    def unaffordable(self, state: State, deed: Deed, action: Action) -> Refusal | None:
        """Return why a deed cannot be paid."""
        if self.unpaid is not None:
            return self.unpaid(state, deed, action)
        if self.economy is None or action.by is None:
            return None
        return self.economy.unpaid(state, action.by, deed.price_of(state, action), deed.rule)

    def charge(self, ctx: Ctx, deed: Deed, action: Action) -> None:
        """Take the price of a deed from its actor."""
        if self.pay is not None:
            self.pay(ctx, deed, action)
        elif self.economy is not None and action.by is not None:
            rules = (deed.rule, *deed.cites) if deed.rule else deed.cites
            self.economy.take(ctx, action.by, deed.price_of(ctx.state, action), *rules)

    def perform(self, ctx: Ctx, action: Action) -> None:
        """Pay for an action whose form has been accepted, and do it."""
        deed = self.find(action)
        if deed is None:
            raise RulesBug(f"{action.key} is no deed of this table")
        if action.by is not None and not self._is_gms(deed):
            if self.before is not None:
                self.before(ctx, deed, action)
            self.charge(ctx, deed, action)
        deed.perform(ctx, action)

    def windows(self, state: State, window: Window) -> tuple[ActionSpec, ...]:
        """Return the legal answers to a window, for `Ruleset.windows`."""
        found = []
        for deed in self.deeds:
            for answer in () if deed.answers is None else deed.answers(state, window):
                spec = self.form(state, replace(answer, key=deed.key)) if answer.by in state else None
                if spec is not None and spec.refusal is None:
                    fields = tuple(_given(field, answer) for field in spec.fields)
                    found.append(replace(spec, fields=fields, fixed=_fixed(spec, answer)))
        return tuple(found)


@per_state
def _remembered(state: State, action: Action, deed: Deed) -> ActionSpec | None:
    return _specified(state, deed, action)


def _specified(state: State, deed: Deed, action: Action, early: Refusal | None = None) -> ActionSpec | None:
    if deed.form is not None:
        spec = deed.form(state, action)
        return spec if spec is None or early is None else replace(spec, refusal=early)
    fields, refusal = deed.fields(state, action), early or deed.refusal(state, action)
    return ActionSpec(deed.key, deed.label, action.by, deed.cost, deed.rule, fields, refusal, deed.group)


def _given(field: Field, answer: Action) -> Field:
    """Return a field with the value that its window gives it as the default."""
    value = answer.get(field.name)
    return field if value is None else replace(field, default=value)


def _fixed(spec: ActionSpec, answer: Action) -> tuple[tuple[str, Value], ...]:
    """Return the values of a form that its window gives it."""
    return tuple((name, value) for name, value in answer.fields if value is not None and spec.field(name) is not None)
