"""Names, actions and answers of a script, resolved in a fight."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from difflib import get_close_matches
from typing import TypeAlias

from tracker.core import engine
from tracker.core.fight.slots import Id
from tracker.core.fight.state import Combatant, Side, State
from tracker.core.game.ruleset import Ruleset
from tracker.core.terms.actions import Action, Field, Option
from tracker.core.terms.encounter import Member
from tracker.core.terms.errors import impossible
from tracker.core.terms.requests import Answer, Request, Responded
from tracker.core.terms.values import Value
from tracker.script.entries import DoActions, GivenAnswers, Listed, Named, Plain, WrittenAction, WrittenAnswer

FindMembers: TypeAlias = Callable[[Plain], tuple[Member, ...]]
"""Finds the stat blocks for the `members` of an `insert`; raises ValueError with a message."""

MOST_PASSES = 6


def combatant_named(state: State, name: str) -> Id:
    """Return the id of the combatant with this id, name or label; an exact match comes before one in another case.

    Raises:
        Refused: no combatant, or more than one, has this name.
    """
    if name in state:
        return name
    plain = name.casefold()
    exact = [combatant.id for combatant in state.combatants if name in _names(combatant)]
    matching = exact or [
        combatant.id for combatant in state.combatants if plain in [word.casefold() for word in _names(combatant)]
    ]
    if len(matching) == 1:
        return matching[0]
    if matching:
        raise impossible("ambiguous_name", f'"{name}" may be {", ".join(matching)}: use the id')
    left = next((key for key, was in state.gone if plain in (key.casefold(), was.casefold())), None)
    if left is not None:
        raise impossible("no_such_combatant", f"{state.name(left)} is not in the fight any more")
    words = {word.casefold(): word for combatant in state.combatants for word in (combatant.id, combatant.name)}
    near = get_close_matches(plain, words, 1)
    hint = f" (did you mean {words[near[0]]}?)" if near else ""
    raise impossible("no_such_combatant", f'there is no "{name}" in the fight{hint}')


def _names(combatant: Combatant) -> tuple[str, ...]:
    return combatant.id, combatant.name, combatant.label


def side_named(state: State, name: str) -> Side:
    """Return the side with this id or name, in any case; raises Refused."""
    for side in state.sides:
        if name in (side.id, side.name):
            return side
    for side in state.sides:
        if name.casefold() in (side.id.casefold(), side.name.casefold()):
            return side
    raise impossible("no_such_side", f'there is no side "{name}" ({", ".join(side.name for side in state.sides)})')


def compile_act(ruleset: Ruleset, state: State, act: WrittenAction, enlist: FindMembers | None = None) -> Action:
    """Return the action of a script, with ids for names and values for the fields of its form.

    Raises:
        Refused: a name is unknown.
    """
    by = None if act.by is None else combatant_named(state, act.by)
    written = {name: value_of(plain) for name, plain in act.fields if not isinstance(plain, Mapping)}
    action = Action(act.key, by, tuple(sorted(written.items())))
    for _ in range(MOST_PASSES):  # the options of a field may depend on the value of another field
        spec = engine.spec_of(ruleset, state, action)
        known = {field.name: field for field in spec.fields}
        values = {name: _field_value(state, known.get(name), plain, enlist) for name, plain in act.fields}
        following = Action(act.key, by, tuple(sorted(values.items())))
        if following == action:
            break
        action = following
    return action


def value_of(plain: Plain) -> Value:
    """Return a written value; a mapping becomes pairs of names and values."""
    if isinstance(plain, tuple):
        return tuple(value_of(part) for part in plain)
    if isinstance(plain, Mapping):
        return tuple((name, value_of(part)) for name, part in plain.items())
    return plain


def _field_value(state: State, field: Field | None, plain: Plain, enlist: FindMembers | None) -> Value:
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
                raise impossible("bad_field", f"{field.shown}: {error}", field=field.name) from error
        case _:
            return value_of(plain)


def _several(plain: Plain) -> tuple[Plain, ...]:
    return plain if isinstance(plain, tuple) else (plain,)


def _who(state: State, field: Field, plain: Plain) -> Value:
    """Return the id of a combatant, or another option of the form (a swarm, a square)."""
    text = _text(plain)
    if text is None:
        return value_of(plain)
    if any(option.key == text for option in field.options):
        return text
    return combatant_named(state, text)


def _option(state: State, options: Sequence[Option], plain: Plain) -> Value:
    """Return the key of the option with this key or label, or with this name of a combatant or side.

    True and false mean yes and no; a number means the key with these digits.
    """
    text = _text(plain)
    if text is None:
        return value_of(plain)
    keys = [option.key for option in options]
    if text in keys:
        return text
    wanted = text.casefold()
    for name_of in (lambda option: option.key, lambda option: option.shown, lambda option: state.name(option.key)):
        matching = [option.key for option in options if name_of(option).casefold() == wanted]
        if len(matching) == 1:
            return matching[0]
    labels = [combatant.id for combatant in state.combatants if combatant.label == text and combatant.id in keys]
    return labels[0] if labels else text


def _text(plain: Plain) -> str | None:
    if isinstance(plain, bool):
        return "yes" if plain else "no"
    return str(plain) if isinstance(plain, str | int | float) else None


def _row(state: State, field: Field, row: Plain, enlist: FindMembers | None) -> Value:
    if not isinstance(row, Mapping):
        return value_of(row)
    columns = {column.name: column for column in field.columns}
    return tuple((name, _field_value(state, columns.get(name), plain, enlist)) for name, plain in row.items())


Compile: TypeAlias = Callable[[WrittenAction], Action]


class _Scope:
    """The answers for the requests whose keys begin with `prefix`."""

    def __init__(self, prefix: str, given: GivenAnswers) -> None:
        self.prefix = prefix
        self.listed = list(given.items) if isinstance(given, Listed) else None
        self.named = dict(given.items) if isinstance(given, Named) else {}

    @property
    def left(self) -> int:
        return len(self.named) if self.listed is None else len(self.listed)

    def shown(self) -> str:
        """Return the unused answers as written."""
        if self.listed is None:
            return ", ".join(f"{key}: {written(answer)}" for key, answer in self.named.items())
        return ", ".join(written(answer) for answer in self.listed)


class AnswerQueue:
    """The answers of one entry, taken request by request."""

    def __init__(self, given: GivenAnswers, compile_act: Compile) -> None:
        self._scopes = [_Scope("", given)]
        self._compile = compile_act

    def add_scope(self, prefix: str, given: GivenAnswers | None) -> None:
        """Add answers for the requests below a path; None: these use the answers of the entry."""
        if given is not None:
            self._scopes.append(_Scope(prefix, given))

    def take(self, request: Request) -> Answer | None:
        """Return the answer to a request, or None; raises Refused if the answer does not fit."""
        scope = self._scope(request.key)
        if scope.listed is None:
            key = request.key.removeprefix(scope.prefix)
            ends = (name for name in scope.named if name == request.key or request.key.endswith(f"/{name}"))
            name = key if key in scope.named else next(ends, None)
            if name is None:
                return None
            value = scope.named[name]
            answer = answer_to(request, value, self._compile)
            del scope.named[name]
        else:
            if not scope.listed or not request.matches(scope.listed[0], ActionReader(self._compile)):
                return None
            value = scope.listed[0]
            answer = answer_to(request, value, self._compile)
            del scope.listed[0]
        self.add_nested(request, answer, value)
        return answer

    def take_only(self, request: Request) -> Answer:
        """Return the only answer, which must be for this request; raises Refused."""
        (scope,) = self._scopes
        value = scope.listed.pop(0) if scope.listed else None
        answer = answer_to(request, value, self._compile)
        self.add_nested(request, answer, value)
        return answer

    def waiting(self, request: Request) -> bool:
        """Tell whether answers are left for later requests, so that this one may get its default."""
        scope = self._scope(request.key)
        return scope.listed is not None and bool(scope.listed)

    @property
    def unused(self) -> str:
        """The unused answers as written, or ""."""
        return ", ".join(scope.shown() for scope in self._scopes if scope.left)

    def _scope(self, key: str) -> _Scope:
        fitting = [scope for scope in self._scopes if key.startswith(scope.prefix)]
        return max(fitting, key=lambda scope: len(scope.prefix))

    def add_nested(self, request: Request, answer: Answer, value: WrittenAnswer) -> None:
        """Add the answers in the actions of a window's answer, for the requests of these actions."""
        if not isinstance(answer, Responded):
            return
        acts = value if isinstance(value, tuple) else (value,)
        for place, (act, action) in enumerate(zip(acts, answer.actions, strict=False), start=1):
            if isinstance(act, WrittenAction):
                owner = action.by or (place if answer.together else "")
                self.add_scope(f"{request.key}/{action.key}{f':{owner}' if owner else ''}/", act.answers)


def answers_of(doing: DoActions, actions: Sequence[Action], compile_act: Compile) -> AnswerQueue:
    """Return the answers of an action, or of a group, in which each action may have its own."""
    if len(actions) == 1:
        return AnswerQueue(doing.acts[0].answers or doing.answers, compile_act)
    queue = AnswerQueue(doing.answers, compile_act)
    for place, (act, action) in enumerate(zip(doing.acts, actions, strict=True), start=1):
        queue.add_scope(f"{place}:{action.by or action.key}/", act.answers)
    return queue


class ActionReader:
    """Reads the actions of a script's answer."""

    def __init__(self, compile_act: Compile) -> None:
        self._compile = compile_act

    def whose(self, value: object) -> tuple[str, str | None] | None:
        """Return the key and the actor of an action or of `key:actor`, or None."""
        if isinstance(value, str):
            key, _, by = value.partition(":")
            value = WrittenAction(key, by or None)
        if not isinstance(value, WrittenAction):
            return None
        return value.key, self._compile(WrittenAction(value.key, value.by)).by

    def action(self, value: object) -> Action | None:
        return self._compile(value) if isinstance(value, WrittenAction) else None


def answer_to(request: Request, value: WrittenAnswer, compile_act: Compile) -> Answer:
    """Return a written value as the answer to a request; raises Refused if it is none."""
    answer = request.read(value, ActionReader(compile_act))
    if answer is None:
        raise impossible("bad_answer", f"{written(value)} is no answer: {asked(request)}", at=request.key)
    return answer


def asked(request: Request) -> str:
    """Return a request in words: "attack asks for 1d20 (Wolf: to hit)"."""
    return f"{request.key} asks for {request.expected}" + (f" ({request.why})" if request.why else "")


def written(value: WrittenAnswer) -> str:
    """Return an answer as a script writes it, for messages."""
    if isinstance(value, WrittenAction):
        return f"{{do: {value.key}" + (f", by: {value.by}" if value.by else "") + "}"
    if isinstance(value, tuple):
        return f"[{', '.join(written(part) for part in value)}]"
    return "true" if value is True else "false" if value is False else "nothing" if value is None else str(value)
