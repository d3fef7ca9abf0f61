"""The parser of the line of a combatant's action: some words name the action, the other words fill its fields.

A word names an action, else an option of an action (`pursuit` is the stance, `cure m` the spell); a leading number is
the number of a list row. A named action is never replaced by another action; a word that it cannot use is a problem.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from msgspec import Struct

from tracker.core.run import Step
from tracker.core.terms.actions import Action, ActionSpec, Field, Option
from tracker.core.terms.labels import read_labels
from tracker.core.terms.requests import Request
from tracker.core.terms.values import Value
from tracker.ui.typing.mode import ModeContext, target_field, targets_of
from tracker.ui.typing.names import ambiguous
from tracker.ui.typing.parser import left_over, missing_words, option_rank, parse_action, tokens_of
from tracker.ui.typing.tokens import BEGINS, DryRun, is_answer, no_such_number, rank, tried
from tracker.views.words.text import clean

LABELS_ONLY = 2
"""Most letters of a word that is read as labels, not as the beginning of an action's name."""
MOST_WORDS = 50
"""Most words of a line that are searched for an option of an action; a longer text was pasted."""

_GLUED = re.compile(r"(\d+)([^\W\d_]+)|([^\W\d_]+)(\d+)")


class ActionLine(Struct, frozen=True):
    """A parsed line.

    Attributes:
        place: the index of the action among the offered actions; -1: none.
        spec, action: the action with the typed values and the usual values of the game.
        typed: the action with only the typed values.
        rest: the line without the words that name the action.
        answers, given: the typed numbers that answer questions about dice, and the answered questions.
        wants: the missing value, as a question or a sentence; "": nothing is missing.
        problem: the error in the line; "": no error.
        unread: whether a word in it has no meaning.
        unasked: numbers typed after the dice that are asked for; they are rolled too, but do not matter.
    """

    place: int
    rest: str
    spec: ActionSpec | None = None
    action: Action | None = None
    typed: Action | None = None
    answers: tuple[str, ...] = ()
    given: tuple[tuple[str, Request], ...] = ()
    wants: str = ""
    problem: str = ""
    unread: bool = False
    unasked: tuple[str, ...] = ()


def read_action_line(
    scene: ModeContext,
    specs: Sequence[ActionSpec],
    text: str,
    *,
    usual: Action | None = None,
    marked: int | None = None,
    numbered: bool = True,
) -> ActionLine:
    """Parse a line about one of the actions of a combatant.

    `usual` is the action that the game would choose, `marked` the index of the action under the cursor; `numbered`: a
    number may be the number of an action.
    """
    chunks = _apart(scene, text)
    at = marked if marked is not None else _usual_place(specs, usual)
    named, left = _named(scene, specs, chunks, at, usual)
    if named >= 0:
        return filled_line(scene, specs, named, " ".join(left), usual)
    number = _line_number(scene, chunks) if numbered else -1
    if number >= 0:
        rest = " ".join((*chunks[:number], *chunks[number + 1 :]))
        place = int(chunks[number]) - 1
        if not 0 <= place < len(specs):
            return ActionLine(-1, rest, problem=no_such_number(place + 1, len(specs)))
        return filled_line(scene, specs, place, rest, usual)
    return _meant(scene, specs, text, at, usual, chosen=marked is not None)


def _apart(scene: ModeContext, text: str) -> list[str]:
    """Return the words of a line; a number and labels without a blank are split: `3g`, `g3`."""
    chunks: list[str] = []
    for chunk in text.split():
        pieces = _GLUED.fullmatch(chunk)
        labels = pieces is not None and read_labels(pieces[2] or pieces[3], tuple(scene.labels)) is not None
        chunks += [piece for piece in pieces.groups() if piece] if pieces is not None and labels else [chunk]
    return chunks


def filled_line(
    scene: ModeContext, specs: Sequence[ActionSpec], place: int, rest: str, usual: Action | None = None
) -> ActionLine:
    """Return the parsed line of one of the actions, its fields filled from the rest of the text."""
    bare = Action(specs[place].key, specs[place].by)
    parsed = parse_action(scene, bare, rest, dice=True)
    action = with_caught(scene, parsed.action, with_usual(scene, parsed.action, usual))
    trial = _dry_run(scene, action, parsed.answers)
    if parsed.answers and not parsed.wrong and not trial.rolls and not trial.refused:
        looser = parse_action(scene, bare, rest, dice=True, loose=True)
        if looser.answers != parsed.answers:
            parsed, action = looser, with_caught(scene, looser.action, with_usual(scene, looser.action, usual))
            trial = _dry_run(scene, action, parsed.answers)
    spec = scene.spec(action)
    known = not (trial.open or trial.refused) and scene.model.pending is None
    problem = parsed.wants if parsed.wrong else trial.problem
    unasked = trial.left if known and trial.given else ()
    if not problem and trial.left and known and not unasked:
        problem = left_over(trial.left)
    wants = missing_words(spec, action)[0]
    return ActionLine(
        place,
        rest,
        spec,
        action,
        parsed.action,
        parsed.answers,
        trial.given,
        wants,
        problem,
        unread=parsed.wrong,
        unasked=tuple(unasked),
    )


def _dry_run(scene: ModeContext, action: Action, answers: tuple[str, ...]) -> DryRun:
    if not answers:
        return DryRun()
    if missing_words(scene.spec(action), action)[0]:
        return DryRun(left=answers)
    if scene.model.pending is not None or scene.model.looking_at is not None:
        return DryRun(left=answers, open=True)
    return tried(scene.ruleset, scene.history.settings, scene.model.state, Step("do", (action,)), answers)


def with_usual(scene: ModeContext, typed: Action, usual: Action | None) -> Action:
    """Return a typed action, its empty fields filled with the game's usual values that still fit.

    If the typed target is not the usual one, or a typed choice changes a default of the game, the usual values are not
    filled in: the defaults of the typed action apply.
    """
    if usual is None or (usual.key, usual.by) != (typed.key, typed.by):
        return typed
    spec = scene.spec(usual)
    values = tuple((name, value) for name, value in usual.fields if name in _needed(spec))
    if all(usual.get(name) == value for name, value in typed.fields):
        return typed.put(**dict(values))
    before, now = scene.spec(Action(typed.key, typed.by)), scene.spec(typed)
    target = target_field(now)
    if target is not None and typed.get(target.name) is not None and targets_of(now, typed) != targets_of(spec, usual):
        return typed
    left = [(name, value) for name, value in values if typed.get(name) is None]
    if not all(_as_usual(before.field(name), now.field(name)) for name, _ in left):
        return typed
    full = scene.spec(typed.put(**dict(left)))
    return typed.put(**{name: value for name, value in left if _fits(full.field(name), value)})


def with_caught(scene: ModeContext, typed: Action, action: Action) -> Action:
    """Return an action with the combatants in the area on the map as its targets, unless targets are typed."""
    field = next((field for field in scene.spec(action).fields if field.kind == "combatants"), None)
    if field is None or not scene.caught or typed.get(field.name) is not None:
        return action
    possible = [option.key for option in field.options if option.refusal is None]
    found = tuple(who for who in scene.caught if who in possible)[: field.maximum]
    return action.put(**{field.name: found}) if found else action


def _as_usual(before: Field | None, now: Field | None) -> bool:
    """Tell whether the default of a field is the same before and after the typed choices."""
    return before is not None and now is not None and before.default == now.default


def _fits(field: Field | None, value: Value) -> bool:
    if field is None:
        return False
    possible = {option.key for option in field.options if option.refusal is None}
    return not field.options or possible.issuperset(value if isinstance(value, tuple) else (value,))


def _needed(spec: ActionSpec) -> frozenset[str]:
    """Return the fields to take from a usual action: target and required fields; the player declares the rest."""
    target = target_field(spec)
    return frozenset(field.name for field in spec.fields if field.required or field is target)


def action_rank(word: str, spec: ActionSpec) -> int:
    return rank(word, Option(spec.key, spec.label))


def is_called(spec: ActionSpec, word: str) -> bool:
    return action_rank(word, spec) <= BEGINS


def _named(
    scene: ModeContext, specs: Sequence[ActionSpec], chunks: Sequence[str], at: int, usual: Action | None
) -> tuple[int, list[str]]:
    """Return the index of the action that words of the line name, or -1, and the other words."""
    found: list[int] = []
    worth = [0] * len(specs)
    left: list[str] = []
    for word in chunks:
        fitting = [place for place in found or range(len(specs)) if is_called(specs[place], word)]
        if not fitting or not _can_name(scene, word) or (not found and _rather_option(scene, specs, word, at, fitting)):
            left.append(word)
            continue
        found = fitting
        for place in fitting:
            worth[place] += action_rank(word, specs[place])
    usual_place = _usual_place(specs, usual)
    best = min(found, key=lambda at: (specs[at].refusal is not None, worth[at], at != usual_place), default=-1)
    return best, left if best >= 0 else list(chunks)


def _can_name(scene: ModeContext, word: str) -> bool:
    """Tell whether a word may name an action; up to two letters are labels if combatants have them."""
    plain = len(word) > 1 and word[0].isalpha() and "=" not in word
    return plain and (len(word) > LABELS_ONLY or read_labels(word, tuple(scene.labels)) is None)


def _rather_option(scene: ModeContext, specs: Sequence[ActionSpec], word: str, at: int, fitting: Sequence[int]) -> bool:
    """Tell whether a word names an option of the action at `at` better than it names another action."""
    if not 0 <= at < len(specs) or specs[at].refusal is not None:
        return False
    named = min(action_rank(word, specs[place]) for place in fitting)
    worth = option_rank(scene, scene.spec(Action(specs[at].key, specs[at].by)), word)
    refused = all(specs[place].refusal is not None for place in fitting)
    return worth < BEGINS if refused else worth < named == BEGINS


def only_labels(scene: ModeContext, text: str) -> str:
    """Return the labels and names of a line."""
    return " ".join(word for word in text.split() if _is_label(scene, word))


def _is_label(scene: ModeContext, word: str) -> bool:
    typed = tokens_of(scene, word)
    return bool(typed.labels) and not typed.words and not typed.answers


def _line_number(scene: ModeContext, chunks: Sequence[str]) -> int:
    """Return the index of the word that is a row number: the first word, or the only number after labels; -1: none."""
    numbers = [place for place, word in enumerate(chunks) if is_answer(word)]
    if not numbers or not chunks[numbers[0]].isdigit():
        return -1
    first = numbers[0]
    named = not tokens_of(scene, " ".join(chunks[: first + 1])).answers  # the number is part of a name: goblin 2
    behind = len(numbers) == 1 and all(_is_label(scene, word) for word in chunks[:first])
    return first if not named and (first == 0 or behind) else -1


def _usual_place(specs: Sequence[ActionSpec], usual: Action | None) -> int:
    places = (place for place, spec in enumerate(specs) if usual is not None and spec.key == usual.key)
    return next((place for place in places if specs[place].refusal is None), -1)


def _meant(
    scene: ModeContext, specs: Sequence[ActionSpec], text: str, at: int, usual: Action | None, *, chosen: bool
) -> ActionLine:
    """Parse a line that names no action: it is for the marked or usual action, else the first that takes the text."""
    first = None if at < 0 else filled_line(scene, specs, min(at, len(specs) - 1), text, usual)
    if not text.strip():
        return first or ActionLine(-1, text)
    read = first is not None and not first.unread and not _only_text(first)
    if first is not None and read and (chosen or _reaches(first)):
        return first
    typed = tokens_of(scene, text)
    labels_only = not (typed.words or typed.answers or typed.pairs)
    if labels_only and first is None:
        return ActionLine(-1, text)  # labels alone choose no action if none is usual
    places = sorted(range(len(specs)), key=lambda place: specs[place].refusal is not None)
    several = next(filter(None, (ambiguous(scene, word) for word in typed.words)), "")
    squares = any("," in answer for answer in typed.answers)
    letter = any(len(word) == 1 for word in typed.words)  # the word is still being typed
    if several or letter or not (labels_only or typed.words or typed.pairs or squares):
        places = []
    if typed.words and not typed.pairs:
        places = [place for place in places if _knows(scene, specs[place], typed.words)]
    lines = [filled_line(scene, specs, place, text, usual) for place in places if place != at]
    fitting = [line for line in lines if not line.problem and not _only_text(line) and _takes(line)]
    best = next((line for line in fitting if _reaches(line)), None)
    if best is not None:
        return best
    if first is not None and (read or labels_only or _knows_all(scene, specs[first.place], typed.words)):
        return first
    if fitting and not labels_only:
        return fitting[0]
    unknown = next(iter(typed.words or typed.answers), text.split()[0])
    return ActionLine(-1, text, problem=several or f'"{clean(unknown)}" is neither a label nor an action')


def _knows(scene: ModeContext, spec: ActionSpec, words: Sequence[str]) -> bool:
    """Tell whether any of the words names an option of an action; cheaper than parsing the whole line for it."""
    full = scene.spec(Action(spec.key, spec.by))
    return any(option_rank(scene, full, word) <= BEGINS for word in words[:MOST_WORDS])


def _knows_all(scene: ModeContext, spec: ActionSpec, words: Sequence[str]) -> bool:
    return bool(words) and all(_knows(scene, spec, (word,)) for word in words[:MOST_WORDS])


def _reaches(line: ActionLine) -> bool:
    """Tell whether an action is possible with its targets."""
    if line.spec is None or line.action is None or line.spec.refusal is not None:
        return False
    field = target_field(line.spec)
    possible = {option.key for option in field.options if option.refusal is None} if field is not None else set()
    return field is None or not field.options or possible.issuperset(targets_of(line.spec, line.action))


def _takes(line: ActionLine) -> bool:
    """Tell whether the text has filled a field of the action or answered a question."""
    return line.typed is not None and bool(line.typed.fields or line.given)


def _only_text(line: ActionLine) -> bool:
    """Tell whether words went into a text field, which takes any word."""
    if line.spec is None or line.typed is None:
        return False
    texts = [field.name for field in line.spec.fields if field.kind == "text"]
    return any(line.typed.get(name) is not None for name in texts) and "=" not in line.rest
