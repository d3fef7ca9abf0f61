"""The parser of typed actions: labels, names, numbers and words become the fields of an action.

Labels or names are targets, words choose options, `6,9` is a square, numbers are numbers, `name=value` sets any field,
in any order. A field that a word has filled is not filled again. Numbers that no field takes answer the questions about
dice, in order; a word without a meaning is an error.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from msgspec import Struct
from msgspec.structs import replace

from tracker.core.fight.slots import Id
from tracker.core.step.fields import shares
from tracker.core.terms.actions import Action, ActionSpec, Field, Option
from tracker.core.terms.labels import folded, read_labels
from tracker.core.terms.values import Value
from tracker.ui.keys.command import Call
from tracker.ui.typing.mode import ModeContext, name_spans, put_targets, target_field, targets_of
from tracker.ui.typing.names import ambiguous, label_of_name, label_of_whole_name, named_so
from tracker.ui.typing.tokens import (
    BEGINS,
    MOST_NAME_WORDS,
    WORST,
    Tokens,
    is_answer,
    is_name_word,
    matching_options,
    no_such_number,
    option_called,
    rank,
    tokenize,
)
from tracker.views.words.prompts import option_keys
from tracker.views.words.spans import Span
from tracker.views.words.text import clean
from tracker.views.words.values import field_words

MOST_LISTED = 20
"""Most options that a list shows; more are chosen in a form."""
MOST_OPTION_WORDS = 3
"""Most words of a line that together name one option."""
YES = ("y", "yes", "x", "true", "1", "on")
NO = ("n", "no", "", "false", "0", "off", "-")
_NUMBER = re.compile(r"\d+")
_SIGNED = re.compile(r"[+-]\d+")
_PLACE = re.compile(r"\d+,\d+")
_SQUARE = re.compile(r"^\s*(-?\d+)\s*[,/ ]\s*(-?\d+)\s*$")


class ParsedCommand(Struct, frozen=True):
    """A parsed action.

    Attributes:
        action: the action with the values typed so far, for Enter.
        says: the action in words.
        wants: the missing value or the error, as a question or a sentence; "": neither.
        options: the options to choose from; `at` is the index of the chosen one.
        keys: the text to type for each option, if it is not its number.
        form: whether the missing value is better asked for in a form.
        warns: the problems of a file that the parser has read.
        keep: the call that saves an effect in the GM's file after the action is done.
        answers: typed numbers that no field takes; they answer the questions about dice.
        wrong: whether the line has an error.
    """

    action: Action
    says: tuple[Span, ...] = ()
    wants: str = ""
    options: tuple[Option, ...] = ()
    at: int = -1
    form: bool = False
    warns: tuple[str, ...] = ()
    keep: Call | None = None
    keys: tuple[str, ...] | None = None
    answers: tuple[str, ...] = ()
    wrong: bool = False


def parse_action(
    scene: ModeContext,
    action: Action,
    text: str,
    dice: bool = False,
    loose: bool = False,
    at: int = -1,
    people: Sequence[Id] = (),
) -> ParsedCommand:
    """Fill the fields of an action from the line after its name; `people` are the targets if none are typed.

    With `dice` a number fills only a field that needs a number, else it answers a question about dice; `loose`, for an
    action without such questions, lets it fill any field. `at` is the option under the cursor, used if none is typed.
    """
    spec = scene.spec(action)
    if dice and spec.fields and all(field.kind in ("text", "flag") for field in spec.fields) and "=" not in text:
        name = next((field.name for field in spec.fields if field.kind == "text"), "")
        action = action.put(**{name: text.strip()}) if name and text.strip() else action
        return _parsed(scene, action, (), dice)
    in_words = dice and spec.fields[:1] and spec.fields[0].kind == "text" and target_field(spec) is None
    options = _named_options(spec)
    tokens = _in_words(scene, text) if in_words else tokens_of(scene, text, options)
    read = _read(scene, action, tokens, people)
    while not in_words and (more := _more_options(scene, read.action, options)):
        options += more  # a choice has added options: their names are no labels
        read = _read(scene, action, tokens_of(scene, text, options), people)
    action, wrong = read.action, read.wrong
    action, answers = _put_squares(scene, action, read.tokens.answers)
    action, left = _put_numbers(scene, action, answers, not dice or loose)
    listed: tuple[Option, ...] = ()
    if not dice and read.open_choice:
        listed, at, action, left = _choose_listed(scene, action, read.open_choice, left, at)
    else:
        at = -1
    if not wrong and not dice and left:
        wrong = left_over(left)
    parsed = _parsed(scene, action, read.targets, dice, wrong)
    return replace(parsed, options=listed, at=at, answers=left if dice else ())


def _in_words(scene: ModeContext, text: str) -> Tokens:
    """Split the line of an action without targets: names and labels are words too, numbers are dice."""
    chunks = text.split()
    answers = tuple(
        place
        for place, word in enumerate(chunks)
        if is_answer(word) and not (place and named_so(scene, " ".join(chunks[place - 1 : place + 1])))
    )
    pairs = tuple((name, value) for name, sign, value in (word.partition("=") for word in chunks) if sign)
    words = tuple(word for place, word in enumerate(chunks) if place not in answers and "=" not in word)
    return Tokens(answers=tuple(chunks[place] for place in answers), words=words, pairs=pairs)


def left_over(words: Sequence[str]) -> str:
    """Return the sentence about typed words that no field and no question takes."""
    return f"{clean(' '.join(words))} {'is' if len(words) == 1 else 'are'} left over"


class _Read(Struct, frozen=True):
    """A line parsed except for its numbers: the action, its targets, the open choice, and the error."""

    action: Action
    tokens: Tokens
    targets: tuple[Id, ...] = ()
    open_choice: str = ""
    wrong: str = ""


def _read(scene: ModeContext, action: Action, tokens: Tokens, people: Sequence[Id]) -> _Read:
    spec = scene.spec(action)
    targets, halved = scene.combatants_of(tokens.labels) or tuple(people), scene.combatants_of(tokens.capitals)
    parts = tuple((scene.labels[label], times) for label, times in tokens.shares)
    typed = put_targets(spec, action, targets, halved, parts)
    open_choice = next(
        (field.name for field in scene.spec(typed).fields if _needs_choice(field) and typed.get(field.name) is None), ""
    )
    wrong = ""
    for name, written in tokens.pairs:
        typed, wrong = _set_field(scene, typed, name, written)
        if wrong:
            break
    if not wrong:
        typed, unknown = _put_words(scene, typed, tokens.words, [name for name, _ in typed.fields])
        wrong = _unknown(scene, unknown[0]) if unknown else ""
        if wrong and action.key == "set" and not ambiguous(scene, unknown[0]):
            values = ", ".join(clean(option.shown) for option in _named_options(scene.spec(typed)))
            wrong = f'"{clean(unknown[0])}" is no label or name, and cannot be set; {values} can'
    spec = scene.spec(typed)
    if target_field(scene.spec(Action(typed.key, typed.by))) is None and targets:  # a choice has added the field
        typed = put_targets(spec, typed, targets, halved, parts)
    if tokens.shares and spec.field("shares") is None and not wrong:
        wrong = "everybody takes the same here"
    return _Read(typed, tokens, targets, open_choice, wrong or _too_many(scene, scene.spec(typed), tokens))


def _too_many(scene: ModeContext, spec: ActionSpec, tokens: Tokens) -> str:
    """Return the sentence about typed combatants that the action cannot take; "": none, or the action is refused."""
    if spec.refusal is not None:
        return ""
    people, field = scene.combatants_of(tokens.labels), target_field(spec)
    room = 0 if field is None else 1 if field.kind == "combatant" else len(people)
    names = [clean(scene.model.state.name(who)) for who in people[room:]]
    if not names:
        return ""
    text = f"{', '.join(names)} {'is' if len(names) == 1 else 'are'} left over"
    return f"{text}: {clean(spec.label)} has {'one target' if room else 'no target'}"


def _unknown(scene: ModeContext, word: str) -> str:
    return ambiguous(scene, word) or f'"{clean(word)}" is no label, name or option here'


def _more_options(scene: ModeContext, action: Action, known: Sequence[Option]) -> list[Option]:
    return [option for option in _named_options(scene.spec(action)) if option not in known]


def _named_options(spec: ActionSpec) -> list[Option]:
    return [option for field in spec.fields if field.kind in ("choice", "choices") for option in field.options]


def _parsed(scene: ModeContext, action: Action, people: Sequence[Id], dice: bool, wrong: str = "") -> ParsedCommand:
    spec = scene.spec(action)
    wants, form = (wrong, False) if wrong else missing_words(spec, action)
    says = (_words_with_names if dice else action_spans)(scene, spec, action, people)
    return ParsedCommand(action, says, wants=wants, form=form, wrong=bool(wrong))


def tokens_of(scene: ModeContext, text: str, options: Sequence[Option] = ()) -> Tokens:
    return tokenize(
        text,
        scene.labels,
        options,
        lambda word: label_of_name(scene, word),
        lambda word: label_of_whole_name(scene, word),
    )


def people_of(scene: ModeContext, word: str) -> tuple[Id, ...]:
    return tuple(scene.labels[label] for label in labels_of(scene, word))


def leading_labels(scene: ModeContext, words: Sequence[str]) -> tuple[tuple[str, ...], int]:
    """Return the labels or the name at the beginning of the words, and the number of words used; 0: none."""
    for count in range(min(len(words), MOST_NAME_WORDS), 1, -1):
        if words[0][:1].isalpha() and all(is_name_word(word) for word in words[:count]):
            label = label_of_name(scene, " ".join(words[:count]))
            if label is not None:
                return (label,), count
    labels = labels_of(scene, words[0]) if words else ()
    return labels, 1 if labels else 0


def labels_of(scene: ModeContext, word: str, names: bool = True) -> tuple[str, ...]:
    pairs = read_labels(word, tuple(scene.labels)) if word.isalpha() else None
    if pairs is not None:
        return tuple(label for label, _ in pairs)
    label = label_of_name(scene, word) if names else None
    return () if label is None else (label,)


def _put_words(
    scene: ModeContext, action: Action, words: Sequence[str], named: list[str]
) -> tuple[Action, tuple[str, ...]]:
    """Put the options and flags that words name into their fields; return the action and the unused words.

    A field in `named` is not filled again. An unused word may name an option that another word adds, so it is tried
    again. The rest fills the text field that is the action's first field, or that a GM command requires.
    """
    left, before = tuple(words), None
    while left and left != before:
        before = left
        action, left = _put_words_once(scene, action, left, named)
    text = _text_field(scene.spec(action)) if left else None
    if text is not None and action.get(text.name) is None:
        return action.put(**{text.name: " ".join(left)}), ()
    return action, left


def _text_field(spec: ActionSpec) -> Field | None:
    """Return the text field for unused words: the first field, or a required text field of a GM command."""
    texts = [field for field in spec.fields if field.kind == "text" and (field.required or field is spec.fields[0])]
    return texts[0] if texts and (spec.by is None or texts[0] is spec.fields[0]) else None


def _put_words_once(
    scene: ModeContext, action: Action, words: tuple[str, ...], named: list[str]
) -> tuple[Action, tuple[str, ...]]:
    left: list[str] = []
    place = 0
    while place < len(words):
        for count in range(min(MOST_OPTION_WORDS, len(words) - place), 0, -1):
            taken = _choose(scene, action, " ".join(words[place : place + count]), named, whole=count > 1)
            if taken is not None:
                action, place = taken, place + count
                break
        else:
            left.append(words[place])
            place += 1
    return action, tuple(left)


class _Choice(Struct, frozen=True):
    """An option or flag that a word may name: the rank of the word, the field and the value."""

    worth: int
    refused: bool
    place: int
    field: Field
    value: Value

    @property
    def order(self) -> tuple[int, bool, int]:
        return self.worth, self.refused, self.place


def _choices(scene: ModeContext, spec: ActionSpec, word: str) -> list[_Choice]:
    """Return the choices that a word may name, the best first; a single letter must be a combatant's option's name."""
    most = 0 if spec.by is not None and len(word) == 1 else BEGINS
    found: list[_Choice] = []
    for place, field in enumerate(spec.fields):
        if field.kind == "flag":
            found.append(_Choice(_field_rank(word, field), False, place, field, True))
        elif field.kind in ("choice", "choices"):
            found += [
                _Choice(rank(word, option), option.refusal is not None, place, field, option.key)
                for option in options_of(scene, field)
            ]
    return sorted((choice for choice in found if choice.worth <= most), key=lambda choice: choice.order)


def option_rank(scene: ModeContext, spec: ActionSpec, word: str) -> int:
    """Return the best rank of a word among the options and flags of an action: 0 best, `WORST` not at all."""
    return min((choice.worth for choice in _choices(scene, spec, word)), default=WORST)


def _choose(scene: ModeContext, action: Action, word: str, named: list[str], *, whole: bool) -> Action | None:
    """Return the action with the option or flag that a word names, in the best field, or None.

    With `whole`, for several words, they must be the name or its beginning.
    """
    spec = scene.spec(action)
    choices = [choice for choice in _choices(scene, spec, word) if not whole or choice.worth < BEGINS]
    best = next((choice for choice in choices if choice.field.name not in named), None)
    same = next((choice for choice in choices if action.get(choice.field.name) == choice.value), None)
    if same is not None and (best is None or same.worth <= best.worth):
        return action  # another word of the same option
    if best is None:
        return None if whole else _choose_by_letters(action, spec, word, named)
    value = best.value
    if best.field.kind == "choices":
        present = action.get(best.field.name)
        value = (*(present if isinstance(present, tuple) else ()), value)
    else:
        named.append(best.field.name)
    return action.put(**{best.field.name: value})


def _choose_by_letters(action: Action, spec: ActionSpec, word: str, named: list[str]) -> Action | None:
    for field in spec.fields:
        if _needs_choice(field) and action.get(field.name) is None and (found := matching_options(word, field.options)):
            named.append(field.name)
            return action.put(**{field.name: found[0].key})
    return None


def _needs_choice(field: Field) -> bool:
    return field.kind == "choice" and field.required and field.default is None


def _field_rank(wanted: str, field: Field) -> int:
    return rank(wanted, Option(field.name, field.shown))


def _set_field(scene: ModeContext, action: Action, name: str, written: str) -> tuple[Action, str]:
    spec = scene.spec(action)
    wanted = folded(name)
    fields = sorted((_field_rank(wanted, field), place) for place, field in enumerate(spec.fields))
    if not fields or fields[0][0] > BEGINS:
        return action, f'{clean(spec.label)} has no "{clean(name)}" ({", ".join(field.name for field in spec.fields)})'
    field = spec.fields[fields[0][1]]
    try:
        value = read_field(scene, field, written.replace("_", " ") if field.kind == "text" else written)
    except ValueError as error:
        return action, f"{clean(field.shown)}: {error}"
    return action.put(**{field.name: value}), ""


def _put_squares(scene: ModeContext, action: Action, answers: Sequence[str]) -> tuple[Action, tuple[str, ...]]:
    """Put typed squares into the empty field that fits them best, and return the rest; a path also sets its end."""
    spec = scene.spec(action)
    places = [word for word in answers if _PLACE.fullmatch(word)]
    kinds = ("square", "path", "area") if len(places) == 1 else ("path", "area", "square")
    open_fields = [field for field in spec.fields if field.kind in kinds and action.get(field.name) is None]
    field = min(open_fields, key=lambda field: kinds.index(field.kind), default=None) if places else None
    if field is None:
        return action, tuple(answers)
    taken = places[:1] if field.kind == "square" else places
    squares = tuple(_square(word) for word in taken)
    left = list(answers)
    for word in taken:
        left.remove(word)
    action = action.put(**{field.name: squares[0] if field.kind == "square" else squares})
    end = next((other for other in open_fields if other.kind == "square"), None)
    if field.kind == "path" and end is not None:
        action = action.put(**{end.name: squares[-1]})
    return action, tuple(left)


def _put_numbers(
    scene: ModeContext, action: Action, answers: Sequence[str], loose: bool
) -> tuple[Action, tuple[str, ...]]:
    """Put numbers into the fields that need one, and return the rest; `loose`: into any number field."""
    spec = scene.spec(action)
    left = list(answers)
    open_fields = [field for field in spec.fields if field.kind == "number" and action.get(field.name) is None]
    for field in sorted(open_fields, key=lambda field: (not field.required, field.default is not None)):
        plain = loose or (field.required and field.default is None)
        signed = loose or field.default is not None
        fits = (word for word in left if (plain and _NUMBER.fullmatch(word)) or (signed and _SIGNED.fullmatch(word)))
        fitting = next(fits, None)
        if fitting is not None:
            action = action.put(**{field.name: int(fitting)})
            left.remove(fitting)
    return action, tuple(left)


def _choose_listed(
    scene: ModeContext, action: Action, name: str, left: tuple[str, ...], at: int
) -> tuple[tuple[Option, ...], int, Action, tuple[str, ...]]:
    """Choose an option of a required choice by its number or by the cursor, unless a word has named it."""
    field = scene.spec(action).field(name)
    options = () if field is None else field.options
    value = action.get(name)
    if value is not None:
        return options, next((place for place, option in enumerate(options) if option.key == value), -1), action, left
    if left and _NUMBER.fullmatch(left[0]):
        at, left = int(left[0]) - 1, left[1:]
    if not 0 <= at < len(options):
        return options, -1, action, left
    return options, at, action.put(**{name: options[at].key}), left


def missing_field(spec: ActionSpec, action: Action) -> Field | None:
    return next((field for field in spec.fields if field.required and value_of(field, action) in (None, (), "")), None)


def missing_words(spec: ActionSpec, action: Action) -> tuple[str, bool]:
    field = missing_field(spec, action)
    if field is None:
        return "", False
    if field.kind in ("combatant", "combatants"):
        return "whom? labels or names", False
    if field.kind == "number":
        return "how much? type a number", False
    if field.kind == "choice" and 0 < len(field.options) <= MOST_LISTED:
        return f"which {clean(field.shown)}? its number, up and down, or a word", False
    return f"{clean(field.shown)} is missing", True


def action_spans(scene: ModeContext, spec: ActionSpec, action: Action, people: Sequence[Id]) -> tuple[Span, ...]:
    words = []
    for field in spec.fields:
        value = action.get(field.name)
        shown = field.default if value is None and field.kind == "choice" else value
        if shown is not None and field.kind not in ("combatant", "combatants", "rows"):
            words.append(_value_words(scene, field, shown))
    spans = [Span(clean(" ".join(words)), "strong")] if words else []
    taken = {who: why for who, _, why in shares(action, 0)}
    for number, who in enumerate(people if target_field(spec) is not None else ()):
        spans += [Span(" → " if number == 0 else ", ", "dim"), *name_spans(scene, who)]
        if taken.get(who):
            spans.append(Span(f" {taken[who]}", "warn"))
    return tuple(spans)


def _value_words(scene: ModeContext, field: Field, value: Value) -> str:
    if field.kind == "flag":
        return field.shown if value else f"not {field.shown}"
    return field_words(scene.model.state, field, value)


def action_words(scene: ModeContext, spec: ActionSpec, action: Action) -> tuple[Span, ...]:
    return _words_with_names(scene, spec, action, targets_of(spec, action))


def _words_with_names(scene: ModeContext, spec: ActionSpec, action: Action, people: Sequence[Id]) -> tuple[Span, ...]:
    """Return an action in words; a value that is not required has the name of its field."""
    plain = tuple(field for field in spec.fields if field.required or field.kind in ("combatant", "combatants"))
    words = [
        f"{clean(field.shown)} {field_words(scene.model.state, field, value)}"
        for field in spec.fields
        if field not in plain and (value := action.get(field.name)) is not None
    ]
    spans = action_spans(scene, replace(spec, fields=plain), action, people)
    return (*spans, Span("  " + ", ".join(words), "strong")) if words else spans


def value_of(field: Field, action: Action) -> Value:
    value = action.get(field.name)
    return field.default if value is None else value


def options_of(scene: ModeContext, field: Field) -> tuple[Option, ...]:
    if field.kind == "flag":
        return (Option("no"), Option("yes"))
    if not field.takes_all:
        return field.options
    return tuple(Option(person.id, person.name) for person in scene.model.state.combatants)


def read_field(scene: ModeContext, field: Field, text: str) -> Value:
    """Parse a typed value; raises ValueError with a message of one line for the user."""
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
            return _people(scene, field, typed)
        case "choice":
            return option_named(scene, options_of(scene, field), typed).key
        case "choices":
            return tuple(option_named(scene, options_of(scene, field), word).key for word in _listed(typed))
        case "square":
            return _square(typed)
        case "path" | "area":
            return tuple(_square(part) for part in re.split(r"\s+|;", typed) if part)
        case "rows":
            return tuple(_row(scene, field, part) for part in re.split(r"[,;\n]", typed) if part.strip())
        case _:
            return typed


def _listed(typed: str) -> list[str]:
    return [word.strip() for word in (typed.split(",") if "," in typed else typed.split()) if word.strip()]


def _people(scene: ModeContext, field: Field, typed: str) -> tuple[str, ...]:
    tokens = tokens_of(scene, typed)
    if tokens.labels and not tokens.words and not tokens.answers:
        return scene.combatants_of(tokens.labels)
    people = []
    for word in typed.split(","):
        fitting = matching_options(word, options_of(scene, field))
        if not fitting:
            raise ValueError(f'nobody here is called "{word.strip()}"')
        people.append(fitting[0].key)
    return tuple(people)


def option_named(scene: ModeContext, options: Sequence[Option], text: str) -> Option:
    """Return the option that a key, number, label or word names; raises ValueError with one line for the user."""
    keys = {option.key: option for option in options}
    lettered = dict(zip(option_keys(scene.model.state, options), options, strict=True))
    if text in keys or text.casefold() in lettered:
        return keys.get(text) or lettered[text.casefold()]
    if text.isascii() and text.isdigit():
        if not 1 <= int(text) <= len(options):
            raise ValueError(no_such_number(int(text), len(options)))
        return options[int(text) - 1]
    person = scene.labels.get(text.casefold())
    if person is not None and person in keys:
        return keys[person]
    fitting = [option for option in matching_options(text, options) if len(text) > 1 or rank(text, option) <= BEGINS]
    found = option_called(text, options) or (fitting[0] if fitting else None)
    if found is None:
        raise ValueError(f'"{text}" is not on offer')
    return found


def _square(typed: str) -> Value:
    match = _SQUARE.match(typed)
    if match is None:
        raise ValueError(f'"{typed}" is no square, such as 3,4')
    return (int(match[1]), int(match[2]))


def _row(scene: ModeContext, field: Field, typed: str) -> Value:
    """Parse a row: one word for each column in order, the remaining words for the last column."""
    words = typed.split(maxsplit=max(0, len(field.columns) - 1))
    pairs = zip(field.columns, words, strict=False)
    return tuple((column.name, read_field(scene, column, word)) for column, word in pairs)
