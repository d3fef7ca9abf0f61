"""The values of form fields, read from what is typed."""

from __future__ import annotations

import re

from tracker.core.terms.actions import Action, Field, Option
from tracker.core.terms.values import Value
from tracker.ui.typing.command import chosen, matching, read
from tracker.ui.typing.mode import Scene
from tracker.views.words.prompts import option_keys

__all__ = ["options_of", "read_field", "value_of"]

_SQUARE = re.compile(r"^\s*(-?\d+)\s*[,/ ]\s*(-?\d+)\s*$")
YES = ("y", "yes", "x", "true", "1", "on")
NO = ("n", "no", "", "false", "0", "off", "-")


def value_of(field: Field, action: Action) -> Value:
    """Return what stands in a field: what was typed, else its default."""
    value = action.get(field.name)
    return field.default if value is None else value


def options_of(scene: Scene, field: Field) -> tuple[Option, ...]:
    """Return what can be chosen in a field."""
    if field.kind == "flag":
        return (Option("no"), Option("yes"))
    if not field.takes_all:
        return field.options
    return tuple(Option(person.id, person.name) for person in scene.model.state.combatants)


def read_field(scene: Scene, field: Field, text: str) -> Value:
    """Read a typed value.

    Raises ValueError with one line for people.
    """
    typed = text.strip()
    if field.kind == "flag":
        if typed.casefold() in YES:
            return True
        if typed.casefold() in NO:
            return False
        raise ValueError("yes or no")
    if not typed:
        return None
    match field.kind:
        case "number":
            try:
                return int(typed)
            except ValueError as error:
                raise ValueError(f'"{typed}" is not a number') from error
        case "combatant":
            people = _people(scene, field, typed)
            if len(people) > 1:
                raise ValueError(f"only one: {typed}")
            return people[0]
        case "combatants":
            return people_value(_people(scene, field, typed))
        case "choice":
            return _option(scene, field, typed).key
        case "choices":
            return tuple(_option(scene, field, word).key for word in _listed(typed))
        case "square":
            return _square(typed)
        case "path" | "area":
            return tuple(_square(part) for part in re.split(r"\s+|;", typed) if part)
        case "rows":
            return tuple(_row(scene, field, part) for part in re.split(r"[,;\n]", typed) if part.strip())
        case _:
            return typed


def people_value(people: tuple[str, ...]) -> Value:
    """Return ids as a field's value."""
    return people


def _listed(typed: str) -> list[str]:
    return [word.strip() for word in (typed.split(",") if "," in typed else typed.split()) if word.strip()]


def _people(scene: Scene, field: Field, typed: str) -> tuple[str, ...]:
    found = read(typed, scene.labels)
    if found.labels and not found.words and not found.numbers:
        return scene.who(found.labels)
    people = []
    for word in typed.split(","):
        fitting = matching(word, options_of(scene, field))
        if not fitting:
            raise ValueError(f'nobody here is called "{word.strip()}"')
        people.append(fitting[0].key)
    return tuple(people)


def _option(scene: Scene, field: Field, typed: str) -> Option:
    options = options_of(scene, field)
    if typed.isascii() and typed.isdigit() and not any(option.key == typed for option in options):
        place = int(typed)
        if not 1 <= place <= len(options):
            raise ValueError(f"1 to {len(options)}")
        return options[place - 1]
    keyed = dict(zip(option_keys(scene.model.state, options), options, strict=True))
    if typed.casefold() in keyed:
        return keyed[typed.casefold()]
    named = chosen(typed, options)
    fitting = (named,) if named is not None else matching(typed, options)
    if not fitting:
        raise ValueError(f'"{typed}" is not on offer')
    return fitting[0]


def _square(typed: str) -> Value:
    match = _SQUARE.match(typed)
    if match is None:
        raise ValueError(f'"{typed}" is no square, such as 3,4')
    return (int(match[1]), int(match[2]))


def _row(scene: Scene, field: Field, typed: str) -> Value:
    """Read one row: a word for each column in order, the rest for the last."""
    words = typed.split(maxsplit=max(0, len(field.columns) - 1))
    return tuple(
        (column.name, read_field(scene, column, word)) for column, word in zip(field.columns, words, strict=False)
    )
