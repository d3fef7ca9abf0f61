"""Names and actions of a script, made into ids and forms."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from difflib import get_close_matches
from typing import TypeAlias

from tracker.core import engine
from tracker.core.fight.state import Combatant, Id, Side, State
from tracker.core.game.ruleset import Ruleset
from tracker.core.terms.actions import Action, Field, Option, Refusal
from tracker.core.terms.encounter import Member
from tracker.core.terms.errors import Refused
from tracker.core.terms.values import Value
from tracker.script.entries import Act, Plain

__all__ = ["Enlist", "combatant_named", "compile_act", "side_named", "value_of"]

Enlist: TypeAlias = Callable[[Plain], tuple[Member, ...]]
"""Finds the stat blocks that `members` of an `insert` names; raises ValueError with a message."""

MOST_PASSES = 6


def combatant_named(state: State, name: str) -> Id:
    """Return the id of the combatant with this id, name or label.

    An exact match counts first, then one that differs in case alone.

    Raises:
        Refused: where nobody, or more than one, is called so.
    """
    if name in state:
        return name
    plain = name.casefold()
    exact = [combatant.id for combatant in state.combatants if name in _names(combatant)]
    found = exact or [
        combatant.id for combatant in state.combatants if plain in [word.casefold() for word in _names(combatant)]
    ]
    if len(found) == 1:
        return found[0]
    if found:
        raise Refused(Refusal("ambiguous_name", f'"{name}" may be {", ".join(found)}: use the id', forcible=False))
    left = next((key for key, was in state.gone if plain in (key.casefold(), was.casefold())), None)
    if left is not None:
        raise Refused(Refusal("no_such_combatant", f"{state.name(left)} is not in the fight any more", forcible=False))
    words = {word.casefold(): word for combatant in state.combatants for word in (combatant.id, combatant.name)}
    near = get_close_matches(plain, words, 1)
    hint = f" (did you mean {words[near[0]]}?)" if near else ""
    raise Refused(Refusal("no_such_combatant", f'there is no "{name}" in the fight{hint}', forcible=False))


def _names(combatant: Combatant) -> tuple[str, ...]:
    return combatant.id, combatant.name, combatant.label


def side_named(state: State, name: str) -> Side:
    """Return the side with this id or name, whatever the case.

    Raises:
        Refused: where there is none.
    """
    for side in state.sides:
        if name in (side.id, side.name):
            return side
    for side in state.sides:
        if name.casefold() in (side.id.casefold(), side.name.casefold()):
            return side
    raise Refused(
        Refusal(
            "no_such_side",
            f'there is no side "{name}" ({", ".join(side.name for side in state.sides)})',
            forcible=False,
        )
    )


def compile_act(ruleset: Ruleset, state: State, act: Act, enlist: Enlist | None = None) -> Action:
    """Return the action a script means, with ids for names.

    Values are read as the fields of its form take them.

    Raises:
        Refused: where a name is nobody's.
    """
    by = None if act.by is None else combatant_named(state, act.by)
    written = {name: value_of(plain) for name, plain in act.fields if not isinstance(plain, Mapping)}
    action = Action(act.key, by, tuple(sorted(written.items())))
    for _ in range(MOST_PASSES):  # the options of a field may follow from the value of another
        spec = engine.spec_of(ruleset, state, action)
        known = {field.name: field for field in spec.fields}
        values = {name: _field_value(state, known.get(name), plain, enlist) for name, plain in act.fields}
        following = Action(act.key, by, tuple(sorted(values.items())))
        if following == action:
            break
        action = following
    return action


def value_of(plain: Plain) -> Value:
    """Return a value as written.

    A mapping becomes pairs of names and values.
    """
    if isinstance(plain, tuple):
        return tuple(value_of(part) for part in plain)
    if isinstance(plain, Mapping):
        return tuple((name, value_of(part)) for name, part in plain.items())
    return plain


def _field_value(state: State, field: Field | None, plain: Plain, enlist: Enlist | None) -> Value:
    if field is None or plain is None:
        return value_of(plain)
    match field.kind:
        case "combatant":
            return _who(state, field, plain)
        case "combatants":
            return tuple(_who(state, field, part) for part in _several(plain))
        case "choice":
            return _option(state, field.options, plain)
        case "choices":
            return tuple(_option(state, field.options, part) for part in _several(plain))
        case "rows":
            return tuple(_row(state, field, row, enlist) for row in _several(plain))
        case "text" | "dice" if isinstance(plain, int | float) and not isinstance(plain, bool):
            return str(plain)
        case "members" if enlist is not None:
            try:
                return enlist(plain)
            except ValueError as error:
                raise Refused(
                    Refusal("bad_field", f"{field.shown}: {error}", forcible=False, field=field.name)
                ) from error
        case _:
            return value_of(plain)


def _several(plain: Plain) -> tuple[Plain, ...]:
    return plain if isinstance(plain, tuple) else (plain,)


def _who(state: State, field: Field, plain: Plain) -> Value:
    """Return the id that is meant.

    A form may also offer what is no combatant (a swarm, a square).
    """
    text = _text(plain)
    if text is None:
        return value_of(plain)
    if any(option.key == text for option in field.options):
        return text
    return combatant_named(state, text)


def _option(state: State, options: Sequence[Option], plain: Plain) -> Value:
    """Return the key of an option that is named.

    By its key, its label, or the name of the combatant or side it stands for.

    True and false stand for yes and no, a number for the key that is written so.
    """
    text = _text(plain)
    if text is None:
        return value_of(plain)
    keys = [option.key for option in options]
    if text in keys:
        return text
    wanted = text.casefold()
    for called in (lambda option: option.key, lambda option: option.shown, lambda option: state.name(option.key)):
        found = [option.key for option in options if called(option).casefold() == wanted]
        if len(found) == 1:
            return found[0]
    labels = [combatant.id for combatant in state.combatants if combatant.label == text and combatant.id in keys]
    return labels[0] if labels else text


def _text(plain: Plain) -> str | None:
    if isinstance(plain, bool):
        return "yes" if plain else "no"
    return str(plain) if isinstance(plain, str | int | float) else None


def _row(state: State, field: Field, row: Plain, enlist: Enlist | None) -> Value:
    if not isinstance(row, Mapping):
        return value_of(row)
    columns = {column.name: column for column in field.columns}
    return tuple((name, _field_value(state, columns.get(name), plain, enlist)) for name, plain in row.items())
