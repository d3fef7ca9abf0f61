"""Filling an action's form from the words behind its name.

Labels or names are targets, words choose options, numbers are numbers.

`name=value` sets any field. A number goes to a field that needs one; what is left over is dice in hand.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from msgspec import Struct
from msgspec.structs import replace

from tracker.core.engine import spec_of
from tracker.core.fight.state import Id
from tracker.core.terms.actions import Action, ActionSpec, Field, Option
from tracker.core.terms.labels import folded, read_labels
from tracker.core.terms.values import Value
from tracker.ui.typing.command import rank
from tracker.ui.typing.drafts import Draft, missing_words, said_words
from tracker.ui.typing.field_text import options_of, read_field
from tracker.ui.typing.hand import is_answer
from tracker.ui.typing.mode import Scene, put_targets, target_field
from tracker.views.words.spans import Span
from tracker.views.words.text import clean
from tracker.views.words.values import field_words

__all__ = ["Filled", "fill"]

BEGINS = 2
_SIGNED = re.compile(r"[+-]\d+")
_RUN = re.compile(r"([^\W\d_]+)(\d+)|(\d+)([^\W\d_]+)")


class Filled(Struct, frozen=True):
    """An action as far as it is typed.

    It has a draft, the answers left over for its dice, and whether a word in it means nothing.
    """

    draft: Draft
    hand: tuple[str, ...] = ()
    strange: bool = False


class _Words(Struct):
    """The words sorted by what they can be."""

    labels: list[str]
    capitals: list[str]
    people: list[Id]
    words: list[str]
    numbers: list[str]
    pairs: list[tuple[str, str]]


def fill(scene: Scene, action: Action, text: str, loose: bool = False) -> Filled:
    """Return the action with its fields filled from a text.

    With `loose` numbers go to any field for one, for actions that ask for no dice.
    """
    state, ruleset = scene.model.state, scene.ruleset
    spec = spec_of(ruleset, state, action)
    if spec.fields and all(field.kind in ("text", "flag") for field in spec.fields) and "=" not in text:
        words = next((field.name for field in spec.fields if field.kind == "text"), "")
        done = action.put(**{words: text.strip()}) if words and text.strip() else action
        return Filled(_draft(scene, done, [], ""))
    sorted_words = _sorted(scene, spec, text.split())
    people = list(dict.fromkeys((*scene.who(tuple(sorted_words.labels)), *sorted_words.people)))
    halved = scene.who(tuple(sorted_words.capitals))
    action = put_targets(spec, action, people, halved)
    strange = ""
    for name, written in sorted_words.pairs:
        action, strange = _set(scene, action, name, written)
        if strange:
            break
    hand = list(sorted_words.numbers)
    for word in () if strange else sorted_words.words:
        chosen = _choose(scene, action, word)
        if chosen is None:
            strange = f'"{clean(word)}" is no label, name or option here'
            break
        action = chosen
    action, hand = _numbers(scene, action, hand, loose)
    if target_field(spec) is None and people:  # the field may come with what was chosen
        action = put_targets(spec_of(ruleset, state, action), action, people, halved)
    return Filled(_draft(scene, action, people, strange), tuple(hand), bool(strange))


def _draft(scene: Scene, action: Action, people: Sequence[Id], strange: str) -> Draft:
    spec = spec_of(scene.ruleset, scene.model.state, action)
    wants, form = (strange, False) if strange else missing_words(spec, action)
    plain = replace(
        spec,
        fields=tuple(field for field in spec.fields if field.required or field.kind in ("combatant", "combatants")),
    )
    words = [
        f"{clean(field.shown)} {field_words(scene.model.state, field, value)}"
        for field in spec.fields
        if field not in plain.fields and (value := action.get(field.name)) is not None
    ]
    says = (*said_words(scene, plain, action, people), *((Span("  " + ", ".join(words), "strong"),) if words else ()))
    return Draft(action, says, wants=wants, options=(), at=-1, form=form)


def _sorted(scene: Scene, spec: ActionSpec, tokens: Sequence[str]) -> _Words:
    """Sort what is typed.

    An option's name is one even where its letters could be labels.
    """
    found = _Words([], [], people=[], words=[], numbers=[], pairs=[])
    options = [option for field in spec.fields if field.kind in ("choice", "choices") for option in field.options]
    for token in tokens:
        name, equals, written = token.partition("=")
        if equals and name:
            found.pairs.append((name, written))
        elif is_answer(token) or _SIGNED.fullmatch(token):
            found.numbers.append(token)
        elif (run := _RUN.fullmatch(token)) and read_labels(letters := run[1] or run[4], tuple(scene.labels)):
            found.numbers.append(run[2] or run[3])
            _add_labels(scene, found, letters)
        elif len(token) > 2 and any(rank(token, option) < BEGINS for option in options):
            found.words.append(token)
        elif not (token.isalpha() and _add_labels(scene, found, token)):
            who = _person(scene, token)
            if who is None:
                found.words.append(token)
            elif who not in found.people:
                found.people.append(who)
    return found


def _add_labels(scene: Scene, found: _Words, token: str) -> bool:
    pairs = read_labels(token, tuple(scene.labels))
    for label, capital in pairs or ():
        if label not in found.labels:
            found.labels.append(label)
        if capital and label not in found.capitals:
            found.capitals.append(label)
    return pairs is not None


def _person(scene: Scene, token: str) -> Id | None:
    """Return the combatant named by an id or the beginning of one name only."""
    state, plain = scene.model.state, folded(token)
    if token.casefold() in state:
        return token.casefold()
    named = [person.id for person in state.combatants if len(plain) > 2 and folded(person.name).startswith(plain)]
    return named[0] if len(named) == 1 else None


def _set(scene: Scene, action: Action, name: str, written: str) -> tuple[Action, str]:
    """Set a field by the beginning of its name, and return what is wrong."""
    spec = spec_of(scene.ruleset, scene.model.state, action)
    wanted = folded(name)
    fields = sorted((_field_rank(wanted, field), place) for place, field in enumerate(spec.fields))
    if not fields or fields[0][0] > BEGINS:
        return action, f'{clean(spec.label)} has no "{clean(name)}" ({", ".join(field.name for field in spec.fields)})'
    field = spec.fields[fields[0][1]]
    try:
        return action.put(
            **{field.name: read_field(scene, field, written.replace("_", " ") if field.kind == "text" else written)}
        ), ""
    except ValueError as error:
        return action, f"{clean(field.shown)}: {error}"


def _field_rank(wanted: str, field: Field) -> int:
    return rank(wanted, Option(field.name, field.shown))


def _choose(scene: Scene, action: Action, word: str) -> Action | None:
    """Return the action with the option a word names, in the field it fits best.

    A flag is named by its field. A word that fits nothing gives None.
    """
    spec = spec_of(scene.ruleset, scene.model.state, action)
    best: tuple[int, int] | None = None
    value: Value = None
    for place, field in enumerate(spec.fields):
        ranked: list[tuple[int, Value]]
        if field.kind == "flag":
            ranked = [(_field_rank(word, field), True)]
        elif field.kind in ("choice", "choices"):
            ranked = [(rank(word, option), option.key) for option in options_of(scene, field)]
        else:
            continue
        worth, key = min(ranked, key=lambda pair: pair[0], default=(BEGINS + 1, None))
        if worth <= BEGINS and (best is None or worth < best[0]):
            best, value = (worth, place), key
    if best is None:
        return None
    field = spec.fields[best[1]]
    if field.kind == "choices":
        held = action.get(field.name)
        value = (*(held if isinstance(held, tuple) else ()), value)
    return action.put(**{field.name: value})


def _numbers(scene: Scene, action: Action, hand: list[str], loose: bool) -> tuple[Action, list[str]]:
    """Put numbers into the fields that need one, and return what is left over.

    A signed number goes into the first field that has a usual value.
    """
    spec = spec_of(scene.ruleset, scene.model.state, action)
    left = list(hand)
    open_fields = [field for field in spec.fields if field.kind == "number" and action.get(field.name) is None]
    for field in sorted(open_fields, key=lambda field: (not field.required, field.default is not None)):
        plain = loose or (field.required and field.default is None)
        fitting = next(
            (
                word
                for word in left
                if (word.isdigit() and plain) or (field.default is not None and _SIGNED.fullmatch(word))
            ),
            None,
        )
        if fitting is not None:
            action = action.put(**{field.name: int(fitting)})
            left.remove(fitting)
    return action, left
