"""What is done out of turn in both games: held turns and answers to attacks."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import product

from msgspec import Struct
from msgspec.structs import replace

from rulesets.without_number.turn import TRIGGERING
from tracker.core.fight.events import FactSet
from tracker.core.fight.fold import fold
from tracker.core.fight.slots import Id
from tracker.core.fight.state import State
from tracker.core.game.action_types import ActionType
from tracker.core.step.fields import text
from tracker.core.terms.actions import Action, ActionSpec, Option, action
from tracker.core.terms.errors import Refusal
from tracker.core.terms.requests import Window
from tracker.kit.actions import ActionTable

# -- held turns: what one may be spent on, and the form that chooses ---------------------------------------------------


def in_turn(state: State, who: Id) -> State:
    """Return the state while a held turn is used, in its user's own phase."""
    was = state[who].fact(TRIGGERING)
    return state if was is True else fold(state, FactSet(who, TRIGGERING, was, True))


def _holds(state: State, who: Id | None) -> bool:
    return who is not None and state[who].has("held")


class HeldTurnOptions(Struct, frozen=True):
    """What a held turn may be spent on.

    Attributes:
        rules: who can act, when, and how it is paid.
        types: the actions to choose from, by key.
        kept: the fields of the held turn itself; all others belong to the action that is chosen.
        nothing: the choice where no action is legal.
    """

    rules: ActionTable
    types: Mapping[str, ActionType]
    kept: tuple[str, ...]
    nothing: str

    def legality(self, turn: State, key: str, who: Id | None) -> Refusal | None:
        """Return why an action is not possible in a held turn."""
        return self.rules.legality(turn, self.types[key], Action(key, who))

    def chosen(self, turn: State, action: Action) -> Action:
        """Return the action that a form spends the held turn on.

        Where none is named it is the first legal one.
        """
        legal = (key for key in self.types if _holds(turn, action.by) and self.legality(turn, key, action.by) is None)
        key = text(action, "action") or next(legal, self.nothing)
        return Action(key, action.by, tuple((name, value) for name, value in action.fields if name not in self.kept))

    def options(self, turn: State, who: Id | None) -> tuple[Option, ...]:
        """Return the actions with their costs and what forbids them, whatever their forms say.

        Of one that holds no turn they are not judged: it can do none of them.
        """
        held = _holds(turn, who)
        return tuple(
            Option(key, kind.label, kind.cost, self.hindrance(turn, kind, who) if held else None)
            for key, kind in self.types.items()
        )

    def hindrance(self, turn: State, kind: ActionType, who: Id | None) -> Refusal | None:
        """Return why an action cannot be chosen at all.

        Its price or the moment forbids it, or it makes no sense. The rest is judged by its filled form.
        """
        if who is None:
            return None
        bare = Action(kind.key, who)
        if refusal := self.rules.unable(turn, who) or self.rules.untimely(turn, kind, bare):
            return refusal
        senseless = kind.refusal(turn, bare)
        return senseless if senseless is not None and not senseless.forcible else None

    def refusal(self, turn: State, action: Action) -> Refusal | None:
        """Return why the action that is chosen is not possible."""
        inner = self.chosen(turn, action)
        kind = self.types.get(inner.key)
        return None if kind is None else self.rules.legality(turn, kind, inner)


# -- the legal answers to an attack, each with what comes of it --------------------------------------------------------


HARMS, FALLEN, DEFENCE = "harms", "fallen", "defence:"
HARMLESS = "the attack does no harm"


def offer(table: ActionTable, state: State, action: Action) -> ActionSpec | None:
    """Return an answer's specification if it is legal."""
    kind = table.find(action)
    legal = kind is not None and table.legality(state, kind, action) is None
    return table.form(state, action) if legal else None


def narrowed(spec: ActionSpec, name: str, value: str) -> ActionSpec:
    """Return a specification with one field fixed by its window: one option, already chosen."""
    fields = (
        replace(field, default=value, options=tuple(option for option in field.options if option.key == value))
        if field.name == name
        else field
        for field in spec.fields
    )
    return replace(spec, fields=tuple(fields), fixed=((name, value),))


def stakes(hit: bool, harmful: bool, defence: str, fallen: bool = False) -> tuple[str, ...]:
    """Return what a window after an attack roll has to know of it.

    Hit or miss, whether it does anything as it stands, and what Total Defense would make of it ("" for nothing).
    `fallen`: its target falls to a miss as to a hit.
    """
    found = ("hit" if hit else "miss", *((HARMS,) if harmful else ()), *((FALLEN,) if fallen else ()))
    return (*found, DEFENCE + defence) if defence else found


def harms(window: Window) -> bool:
    """Tell whether the attack of a window does anything as it stands."""
    return HARMS in window.info


def fallen(window: Window) -> bool:
    """Tell whether the target of an attack falls to a miss too."""
    return FALLEN in window.info


def alters(window: Window) -> bool:
    """Tell whether the attack of a window does anything, or Total Defense makes anything of it."""
    return harms(window) or _defence(window) != ""


def _defence(window: Window) -> str:
    return next((word.removeprefix(DEFENCE) for word in window.info if word.startswith(DEFENCE)), "")


def defends(spec: ActionSpec, window: Window) -> ActionSpec:
    """Return Total Defense with what it makes of the attack in hand."""
    made = _defence(window)
    return replace(spec, does=made, moot="" if made else "the attack does the same")


def fells(spec: ActionSpec, state: State, window: Window, actor: Id, most: Callable[[int], int]) -> ActionSpec:
    """Return a Snap Attack, moot where its `most` points cannot fell the attacker.

    `most` is told how many points are enough.
    """
    if not harms(window):
        return replace(spec, moot=HARMLESS)
    name, points = state.name(actor), most(state[actor].hp)
    if points < state[actor].hp:
        return replace(spec, moot=f"its {points} at most leave {name} standing")
    return replace(spec, does=f"{name} may drop first")


def most_of(
    spec: ActionSpec, arms: Mapping[str, Sequence[str]], points: Callable[[Action], int], enough: int | None = None
) -> int:  # fmt: skip - a signature
    """Return the most points a Snap Attack on offer can take.

    With any weapon; the first found that are enough, where that is known, end the search.

    `arms`: what each weapon is used for. `points`: those of one filled form, 0 for one that is impossible.
    """
    given = {field.name: field.default for field in spec.fields if field.name == "target"}
    ways = ((weapon, use) for weapon in _open(spec, "weapon") for use in arms.get(weapon, ()))
    most = 0
    for (weapon, use), dual in product(ways, _open(spec, "dual") or [""]):
        if dual != weapon:
            most = max(most, points(action(spec.key, spec.by, **given, weapon=weapon, use=use, dual=dual)))
        if enough is not None and most >= enough:
            break
    return most


def _open(spec: ActionSpec, name: str) -> list[str]:
    """Return the options of a field that can be chosen."""
    field = spec.field(name)
    return [] if field is None else [option.key for option in field.options if option.refusal is None]
