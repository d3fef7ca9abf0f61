"""Action types: one record for each kind of action, of a game and of the GM's commands.

    ActionType("attack", "Attack", "KN-03", "Action", budget(action=1), perform=attack, fields=attack_fields)

The offered form and the check of a filled form both come from `specification`, so they cannot differ.
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
"""Returns the actions that may answer a window, with the fields that the window fixes."""


class ActionType(Struct, frozen=True, eq=False):
    """One kind of action, known by identity.

    Attributes:
        key, label: its name in scripts, and on the screen.
        rule: the rule that describes it.
        cost: the price in the game's words.
        price: what it takes from the budget; a function if that depends on the form.
        when: `turn`: in the actor's own slot; `round`: while a round runs; `any`; or a word of the game, which the
            game's `untimely` checks.
        perform: performs it, after it is paid.
        fields: the form of a partly filled action.
        refusal: why it is refused, beyond its price and time.
        cites: further rules by which it is paid.
        group: its heading in a list; `order` for ways to act later.
        listed: whether lists of actions have it; actions that only follow another one are not listed.
        available_to: tells whether a combatant has it at all.
        answers: the windows it may answer.
        form: the whole specification, which replaces `fields` and `refusal`.
        opens: whether a refused form is tried with other choices; needless if the defaults of its fields are possible.
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
        """Return what this action takes from the budget."""
        return self.price(state, action) if callable(self.price) else self.price


def _refusal_of(kind: ActionType, state: State, action: Action) -> Refusal | None:
    """Return the refusal of an action's own check; raises RulesBug for anything else than a Refusal or None."""
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
    """Return the specification of a partly filled action; `refused`: why it is refused before its own check."""
    if kind.form is not None:
        spec = kind.form(state, action)
        return spec if spec is None or refused is None else replace(spec, refusal=refused)
    fields, refusal = _fields_of(kind, state, action), refused
    if refused is None or refused.forcible:  # a refusal that cannot be forced comes first
        own = _refusal_of(kind, state, action)
        if refused is None or (own is not None and not own.forcible):
            refusal = own
    return ActionSpec(kind.key, kind.label, action.by, kind.cost, kind.rule, fields, refusal, kind.group)
