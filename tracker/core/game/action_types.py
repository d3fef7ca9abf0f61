"""Action types: one record for each kind of action, a game's own and the GM's commands alike.

    ActionType("attack", "Attack", "KN-03", "Action", budget(action=1), perform=attack, fields=attack_fields)

What is offered and what is accepted cannot differ: both come from its specification (`specification`).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeAlias

from msgspec import Struct
from msgspec.structs import replace

from tracker.core.fight.slots import Id
from tracker.core.fight.state import State
from tracker.core.step.ctx import Ctx
from tracker.core.terms.actions import Action, ActionSpec, Field
from tracker.core.terms.errors import Refusal, RulesBug
from tracker.core.terms.requests import Window

Budget: TypeAlias = tuple[tuple[str, int], ...]
Answers: TypeAlias = Callable[[State, Window], Sequence[Action]]
"""From a window to the actions that may answer it, filled in as far as the window says."""


class ActionType(Struct, frozen=True, eq=False):
    """One kind of action, known by identity.

    Attributes:
        key, label: its name in scripts, and on the screen.
        rule: the rule that describes it.
        cost: the price in the game's words.
        price: what it takes from the budget; a function if that depends on the form.
        when: `turn`: in the actor's own slot; `round`: while a round runs; `any`; or a word of the game's own, which
            its `untimely` reads.
        perform: what it does, after it is paid.
        fields: its form, as far as it is filled in.
        refusal: what else forbids it.
        cites: further rules by which it is paid.
        group: a heading to list it under; `order` for ways to act later.
        listed: whether it is on the list of a combatant or the GM; what only comes with another action is not.
        available_to: which combatants have it at all.
        answers: the windows it may answer, and whose.
        form: the whole specification at once, in place of `fields` and `refusal`.
        opens: whether a form that is refused is tried with other choices; needless if its fields begin with what is
            possible.
    """

    key: str
    label: str
    rule: str = ""
    cost: str = ""
    price: Budget | Callable[[State, Action], Budget] = ()
    when: str = "turn"
    perform: Callable[[Ctx, Action], object] = lambda ctx, action: None
    fields: Callable[[State, Action], tuple[Field, ...]] = lambda state, action: ()
    refusal: Callable[[State, Action], Refusal | None] = lambda state, action: None
    cites: tuple[str, ...] = ()
    group: str = ""
    listed: bool = True
    available_to: Callable[[State, Id], bool] | None = None
    answers: Answers | None = None
    form: Callable[[State, Action], ActionSpec | None] | None = None
    opens: bool = True

    def price_of(self, state: State, action: Action) -> Budget:
        """Return what this very action takes from the budget."""
        return self.price(state, action) if callable(self.price) else self.price


def _refusal_of(kind: ActionType, state: State, action: Action) -> Refusal | None:
    """Return the refusal of an action's own check, or raise RulesBug where it gives something else."""
    given: object = kind.refusal(state, action)
    if given is None or isinstance(given, Refusal):
        return given
    name = getattr(kind.refusal, "__name__", "refusal")
    raise RulesBug(f'{name} of the action "{kind.key}" gives a {type(given).__name__}, not a Refusal or None')


def _fields_of(kind: ActionType, state: State, action: Action) -> tuple[Field, ...]:
    given: object = kind.fields(state, action)
    if isinstance(given, tuple):
        return given
    name = getattr(kind.fields, "__name__", "fields")
    raise RulesBug(f'{name} of the action "{kind.key}" gives a {type(given).__name__}, not a tuple of Fields')


def specification(kind: ActionType, state: State, action: Action, refused: Refusal | None = None) -> ActionSpec | None:
    """Return the specification of an action of this type, as far as it is filled in.

    `refused`: what forbids it already, before its own check.
    """
    if kind.form is not None:
        spec = kind.form(state, action)
        return spec if spec is None or refused is None else replace(spec, refusal=refused)
    fields, refusal = _fields_of(kind, state, action), refused
    if refused is None or refused.forcible:  # what makes no sense is told first: it cannot be forced
        own = _refusal_of(kind, state, action)
        if refused is None or (own is not None and not own.forcible):
            refusal = own
    return ActionSpec(kind.key, kind.label, action.by, kind.cost, kind.rule, fields, refusal, kind.group)
