"""Reading an action's fields, and building the fields of a form.

A value is plain data and may be missing while the form is filled in, so every reader has a default.

    def _fields(state: State, action: Action) -> tuple[Field, ...]:
        target = fields.target(fields.options(fields.foes(state, action.by)))
        return (target, fields.choice("way", ("cut", "thrust")), Field("careful", "flag"))

    def _perform(ctx: Ctx, action: Action) -> None:
        target, way = fields.text(action, "target"), fields.text(action, "way")
        careful = fields.flag(action, "careful")
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from tracker.core.fight.board import Square
from tracker.core.fight.cache import per_state
from tracker.core.fight.slots import Id
from tracker.core.fight.state import Combatant, State
from tracker.core.terms.actions import Action, Field, Option
from tracker.core.terms.errors import Refusal


def whole(value: object, default: int = 0) -> int:
    """Return a stored value as a whole number, or the default if it is no number."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return default
    return value if isinstance(value, int) else int(value)


def texts(value: object) -> tuple[str, ...]:
    """Return the texts of a stored tuple, or an empty tuple."""
    return tuple(str(one) for one in value) if isinstance(value, tuple) else ()


def actor(action: Action) -> Id:
    """Return the id of an action's actor, or ""."""
    return action.by or ""


def ids(action: Action, name: str) -> tuple[Id, ...]:
    """Return the ids or keys in a field, each once."""
    return tuple(dict.fromkeys(texts(action.get(name))))


def text(action: Action, name: str, default: str = "") -> str:
    """Return the text, id or key in a field."""
    value = action.get(name)
    return value if isinstance(value, str) else default


def number(action: Action, name: str, default: int = 0) -> int:
    """Return the whole number in a field."""
    return whole(action.get(name), default)


def measure(action: Action, name: str, default: float = 0) -> float:
    """Return the number in a field with its fraction: metres, hours."""
    value = action.get(name)
    return float(value) if isinstance(value, int | float) and not isinstance(value, bool) else default


def flag(action: Action, name: str, default: bool = False) -> bool:
    """Return the yes or no in a field."""
    value = action.get(name)
    return value if isinstance(value, bool) else default


def square(action: Action, name: str) -> Square | None:
    """Return the square in a field."""
    return _square(action.get(name))


def squares(action: Action, name: str) -> tuple[Square, ...]:
    """Return the squares in a field: a path or an area."""
    value = action.get(name)
    every = (_square(one) for one in (value if isinstance(value, tuple) else ()))
    return tuple(one for one in every if one is not None)


def _square(value: object) -> Square | None:
    match value:
        case (int(x), int(y)):
            return x, y
        case _:
            return None


def standing(combatant: Combatant) -> bool:
    """Tell whether a combatant has the status `up`."""
    return combatant.status == "up"


def everyone(
    state: State, but: Id | None = None, able: Callable[[Combatant], bool] | None = None
) -> tuple[Combatant, ...]:
    """Return every able combatant, except one."""
    return tuple([one for one in state.combatants if one.id != but and (able is None or able(one))])


def foes(state: State, who: Id | None, able: Callable[[Combatant], bool] | None = standing) -> tuple[Combatant, ...]:
    """Return the able combatants of the other sides, in order of joining."""
    actor = state.get(who)
    others = everyone(state, who, able)
    return others if actor is None else tuple([one for one in others if one.side != actor.side])


def allies(state: State, who: Id | None, able: Callable[[Combatant], bool] | None = standing) -> tuple[Combatant, ...]:
    """Return the other able combatants of the same side, in order of joining."""
    actor = state.get(who)
    return () if actor is None else tuple([one for one in everyone(state, who, able) if one.side == actor.side])


def options(
    combatants: Iterable[Combatant],
    refusal: Callable[[Combatant], Refusal | None] | None = None,
    note: Callable[[Combatant], str] | None = None,
) -> tuple[Option, ...]:
    """Return combatants as options, each with its note and its refusal."""
    return tuple(
        [
            Option(one.id, one.name, "" if note is None else note(one), None if refusal is None else refusal(one))
            for one in combatants
        ]
    )


@per_state
def all_combatants(state: State) -> tuple[Option, ...]:
    """Return every combatant as an option."""
    return options(state.combatants)


def target(people: Sequence[Option], name: str = "target", label: str = "", required: bool = True) -> Field:
    """Return the field for one combatant; its default is the first one that is not refused."""
    return Field(name, "combatant", label, _usual(people), tuple(people), required=required)


def choice(name: str, keys: Sequence[Option | str], default: str | None = None, label: str = "") -> Field:
    """Return a required field of options; its default is the first one that is not refused."""
    offered = tuple(Option(key) if isinstance(key, str) else key for key in keys)
    return Field(name, "choice", label, _usual(offered) if default is None else default, offered, required=True)


def _usual(offered: Sequence[Option]) -> str | None:
    return next((option.key for option in offered if option.refusal is None), None)


TIMES = ("0", "1/4", "1/3", "1/2", "2", "3", "4")
"""The multiples of an amount for single targets."""
_WORDS = {"0": "none", "1/4": "a quarter", "1/3": "a third", "1/2": "half", "2": "double"}


def share_words(times: str) -> str:
    """Return the word for a share: "half", "double", "×3"."""
    return _WORDS.get(times, f"×{times}")


def share_fields(people: tuple[Option, ...]) -> tuple[Field, ...]:
    """Return the fields of a form for targets with another share: `halved`, `shares`."""
    who = Field("who", "combatant", required=True, options=people)
    times = Field("times", "choice", required=True, options=tuple(Option(times, share_words(times)) for times in TIMES))
    return (
        Field("halved", "combatants", "saved: half", options=people),
        Field("shares", "rows", "other shares", columns=(who, times)),
    )


def shares(action: Action, amount: int, up: bool = False) -> tuple[tuple[Id, int, str], ...]:
    """Return each target with its part of an amount, and the word for its share ("" for all).

    Fractions are rounded down, or up with `up`.
    """
    times = dict.fromkeys(ids(action, "targets"), "1") | dict.fromkeys(ids(action, "halved"), "1/2")
    # While the form is filled in, a row may have empty cells.
    times |= {
        str(row["who"]): str(row["times"])
        for row in action.rows("shares")
        if "who" in row and row.get("times") in TIMES
    }
    return tuple(
        (who, _part(amount, part, up), "" if part == "1" else share_words(part)) for who, part in times.items()
    )


def _part(amount: int, times: str, up: bool) -> int:
    over, _, under = times.partition("/")
    whole, rest = divmod(amount * int(over), int(under or 1))
    return whole + (1 if up and rest else 0)
