"""Actions, and the specifications of actions on offer."""

from __future__ import annotations

from collections.abc import Hashable
from typing import Literal, TypeAlias, TypeVar

from msgspec import Struct
from msgspec.structs import replace

from tracker.core.terms.errors import Refusal
from tracker.core.terms.values import Data, Value

V = TypeVar("V", bound=Hashable)

FieldKind: TypeAlias = Literal[
    "combatant", "combatants", "choice", "choices", "number", "dice", "text", "flag", "square", "path", "area", "rows",
]  # fmt: skip # a plain list of names
"""The kinds of fields in the action forms of a game."""


class Option(Struct, frozen=True):
    """An option of a field or a question."""

    key: str
    label: str = ""
    note: str = ""
    refusal: Refusal | None = None

    @property
    def shown(self) -> str:
        """The label, or the key as words."""
        return self.label or self.key.replace("_", " ")


class Field(Struct, frozen=True):
    """One field of an action form.

    Attributes:
        name: the key of its value (`target`).
        kind: its editor and the type of its value: an id, a tuple of ids, an option's key, a tuple of keys, a number,
            dice as text, text, true or false, `(x, y)`, a tuple of squares, or for `rows` a tuple of rows, each a tuple
            of `(name, value)` pairs. `members`, stat blocks, are only for the GM's command.
        default: its value before the GM types.
        options: the values on offer, for combatants, choices and squares; a combatant field without options takes no
            combatant.
        anybody: a combatant field without options takes every combatant of the fight.
        minimum, maximum: bounds of a number, or of the count of picks or rows; an empty list of picks is checked by
            `required` alone.
        required: an empty value is refused.
        page: the page of a long form.
        columns: the fields of each row, for `rows`.
        repeats: a list may repeat a value (the target of each attack); in other lists a repeated value counts once.
        told: a plan shows its value even if it is the default, because it gives something up.
    """

    name: str
    kind: FieldKind | Literal["members"]
    label: str = ""
    default: Value = None
    options: tuple[Option, ...] = ()
    minimum: int | None = None
    maximum: int | None = None
    required: bool = False
    note: str = ""
    page: str = ""
    columns: tuple[Field, ...] = ()
    repeats: bool = False
    anybody: bool = False
    told: bool = False

    @property
    def shown(self) -> str:
        """The label, or the name as words."""
        return self.label or self.name.replace("_", " ")

    @property
    def of_people(self) -> bool:
        """Whether its values are combatants."""
        return self.kind in ("combatant", "combatants")

    @property
    def takes_all(self) -> bool:
        """Whether every combatant of the fight is allowed as its value."""
        return self.of_people and self.anybody and not self.options


class Action(Struct, Data, frozen=True, cache_hash=True, tag=True):
    """An action: its key, its actor (None for the GM or a side), and the values of its form, sorted by name."""

    key: str
    by: str | None = None
    fields: tuple[tuple[str, Value], ...] = ()

    def get(self, name: str, default: Value = None) -> Value:
        """Return a field's value."""
        for key, value in self.fields:
            if key == name:
                return value
        return default

    def rows(self, name: str) -> tuple[dict[str, Value], ...]:
        """Return the rows of a field as dictionaries."""
        value = self.get(name)
        rows = value if isinstance(value, tuple) else ()
        return tuple(
            {str(cell[0]): cell[1] for cell in row if isinstance(cell, tuple)} for row in rows if isinstance(row, tuple)
        )

    def put(self, **values: Value) -> Action:
        """Return the action with these fields set."""
        return replace(self, fields=tuple(sorted((dict(self.fields) | values).items())))


class Response(Struct, frozen=True):
    """An action performed inside another one: whether it finished, and its value."""

    action: Action
    finished: bool
    value: Value = None


def once(values: tuple[V, ...]) -> tuple[V, ...]:
    """Return values without doubles, each at its first place."""
    return tuple(dict.fromkeys(values))


def action(key: str, /, by: str | None = None, **fields: Value) -> Action:
    """Make an action from keyword fields."""
    return Action(key, by, tuple(sorted(fields.items())))


class ActionSpec(Struct, frozen=True):
    """An action on offer, or refused: the data of a form, a command line, a palette, a script or the forecast.

    Attributes:
        key: the action's key.
        label: its name in the game's words.
        by: its actor; None for the GM and the sides.
        cost: in the game's action economy ("Main", "Move", "Instant", "").
        rule: the rule that describes it.
        fields: its form.
        refusal: why it cannot be done now, or None.
        group: its heading in a list; `order` for ways to act later, which are offered when the GM moves a combatant in
            the order.
        does: its result in a few words: of an answer in a window ("the hit becomes a miss"), of any other action its
            risk ("may hit Wolf instead").
        moot: of an answer in a window: why it cannot change what follows; "" if it can.
        fixed: of an answer: the values that its window fixes, without mere defaults of the form.
        again: of a declaration: it is that of the round before, so the log need not repeat it.
    """

    key: str
    label: str
    by: str | None = None
    cost: str = ""
    rule: str = ""
    fields: tuple[Field, ...] = ()
    refusal: Refusal | None = None
    group: str = ""
    does: str = ""
    moot: str = ""
    fixed: tuple[tuple[str, Value], ...] = ()
    again: bool = False

    @property
    def bare(self) -> Action:
        """The action with only the values that its window fixes."""
        return Action(self.key, self.by, self.fixed)

    def field(self, name: str) -> Field | None:
        """Return the field of that name."""
        return next((field for field in self.fields if field.name == name), None)
