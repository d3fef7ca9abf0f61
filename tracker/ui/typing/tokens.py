"""The syntax of typed lines: letters are labels, digits are amounts, in any order.

`7g`, `g7` and `7 g` are the same. `21abCD` is 21 for four combatants, and the two with capitals take half. `21ab c*2
d/4 e*0`: c takes double, d a quarter, e nothing. `7 goblin 2` and `7 archer` name combatants; `7g fire` names an
option, `bonus=2` a field.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Sequence

from msgspec import Struct

from tracker.core.fight.state import State
from tracker.core.game.ruleset import Ruleset
from tracker.core.run import Answers, Done, Pending, Step
from tracker.core.terms.actions import Option
from tracker.core.terms.labels import folded, read_labels
from tracker.core.terms.requests import Passed, Request, Roll, Window
from tracker.session.intents import Intent, Reply, RollRest
from tracker.session.model import Model
from tracker.session.settings import Settings, source_of
from tracker.session.step.runner import dry_run, without_dice

REST = "*"
"""The answer that lets the program roll the rest."""
BEGINS = 2
"""The rank of a word inside an option's name; a lower rank is the name or its beginning."""
WORST = 9
SYNONYMS = (
    ("fled", "flees", "flee", "gone", "escaped", "away"),
    ("dead", "dies", "killed", "slain"),
    ("down", "out", "out cold", "unconscious", "incapacitated"),
)
"""Words of one meaning: a game has one of them, and the GM may type another."""
SEARCH_SYNONYMS = (("save", "saves", "saved", "saving", "half"),)
"""Words of one meaning in the search of help and rules."""

_ANSWER = re.compile(r"\d+([+,]\d+)*|\*")
_SIGNED = re.compile(r"[+-]\d+")
_PAIR = re.compile(r"([^\W\d]\w*)=(.*)")
_SHARE = re.compile(r"([^\W\d_]+)([*×/])([0-9]*)")
_PIECE = re.compile(r"[+-]?\d+|[^\W\d_]+(?:[*×/][0-9]*)?")
_DICE = re.compile(r"\d+[dD]\d+([+-]\d+)?")
_COMMAS = re.compile(r"[,;]")
MOST_NAME_WORDS = 4


class Tokens(Struct, frozen=True):
    """The parts of a typed line.

    Attributes:
        labels: the labels in the order typed, in lower case; a combatant's name counts as its label.
        capitals: the labels typed in capitals; they take half.
        answers: numbers, faces such as `4+2`, and `*`, as typed.
        words: all other words.
        shares: labels with a multiple of their own, as `("c", "2")` or `("d", "1/4")`.
        pairs: names of fields with the text of their value: `bonus=2`.
    """

    labels: tuple[str, ...] = ()
    capitals: tuple[str, ...] = ()
    answers: tuple[str, ...] = ()
    words: tuple[str, ...] = ()
    shares: tuple[tuple[str, str], ...] = ()
    pairs: tuple[tuple[str, str], ...] = ()

    @property
    def numbers(self) -> tuple[int, ...]:
        return tuple(int(number) for answer in self.answers for number in re.findall(r"[+-]?\d+", answer))

    @property
    def number(self) -> int | None:
        return next(iter(self.numbers), None)


SHORTEST_NAME = 3
"""Fewest letters of a typed name of a combatant; fewer letters are labels."""


def is_name_word(word: str) -> bool:
    """Tell whether a word can be part of a combatant's name: enough letters, or a number."""
    plain = word.rstrip(",")
    return plain.isdigit() or (len(plain) >= SHORTEST_NAME and plain[0].isalpha())


def is_answer(word: str) -> bool:
    return _ANSWER.fullmatch(word) is not None


def tokenize(
    text: str,
    labels: Collection[str],
    options: Sequence[Option] = (),
    label_of_name: Callable[[str], str | None] = lambda word: None,
    label_of_whole_name: Callable[[str], str | None] = lambda word: None,
) -> Tokens:
    """Split a typed line into labels, answers and words.

    Three or more letters that begin an option's name are a word. Other letters are tried in this order: a combatant's
    whole name, labels, the beginning of a name, a word. A name may have several words: `goblin archer 2`. After the
    first label two letters are enough to name an option.
    """
    reader = _Reader(tuple(labels), options, label_of_name, label_of_whole_name)
    chunks = text.split()
    place = 0
    while place < len(chunks):
        chunk = chunks[place]
        place += 1
        pair = _PAIR.fullmatch(chunk)
        if pair is not None:
            reader.pairs.append((pair[1], pair[2]))
        elif is_answer(chunk):
            reader.answers.append(chunk)
        elif used := reader.read_long_name(chunks[place - 1 :]):
            place += used - 1
        else:
            for part in filter(None, _COMMAS.split(chunk)):
                reader.read(part)
    return Tokens(
        tuple(reader.labels),
        tuple(reader.capitals),
        answers=tuple(reader.answers),
        words=tuple(reader.words),
        shares=tuple(reader.shares.items()),
        pairs=tuple(reader.pairs),
    )


class _Reader:
    def __init__(
        self,
        known: tuple[str, ...],
        options: Sequence[Option],
        label_of_name: Callable[[str], str | None],
        label_of_whole_name: Callable[[str], str | None],
    ) -> None:
        self._known, self._options = known, options
        self._label_of_name, self._label_of_whole_name = label_of_name, label_of_whole_name
        self.labels: list[str] = []
        self.capitals: list[str] = []
        self.answers: list[str] = []
        self.words: list[str] = []
        self.shares: dict[str, str] = {}
        self.pairs: list[tuple[str, str]] = []

    def read_long_name(self, chunks: Sequence[str]) -> int:
        """Read a name of several words at the beginning, and return its number of words; 0: no such name."""
        if not is_name_word(chunks[0]) or chunks[0].isdigit():
            return 0
        many = 1
        while many < min(len(chunks), MOST_NAME_WORDS) and is_name_word(chunks[many]):
            many += 1
        for count in range(many, 1, -1):
            label = self._label_of_name(" ".join(chunks[:count]).rstrip(","))
            if label is not None:
                self._add(label, capital=False)
                return count
        return 0

    def read(self, part: str) -> None:
        if is_answer(part) or _SIGNED.fullmatch(part):
            self.answers.append(part)
        elif self._names_option(part):
            self.words.append(part)
        elif (whole := self._label_of_whole_name(part)) is not None:
            self._add(whole, capital=False)
        elif not self._read_labels(part):
            label = self._label_of_name(part)
            pieces = _PIECE.findall(part)
            if label is not None:
                self._add(label, capital=False)
            elif len(pieces) > 1 and "".join(pieces) == part and self._can_be_split(part, pieces):
                for piece in pieces:
                    self.read(piece)
            else:
                self.words.append(part)

    def _names_option(self, part: str) -> bool:
        if self.labels and option_called(part, self._options) is not None:
            return True
        return len(part) > 2 and any(rank(part, option) < BEGINS for option in self._options)

    def _can_be_split(self, part: str, pieces: Sequence[str]) -> bool:
        """Tell whether each word between digits has a meaning: `7g`, `7goblin`, `7fire`, but not dice such as `2d6`.

        A word after a number that is long enough for a name is split off even if no combatant has the name, so that the
        error names the word.
        """
        if len(pieces) == 2 and part[0].isdigit() and pieces[1].isalpha() and len(pieces[1]) >= SHORTEST_NAME:
            return True
        return _DICE.fullmatch(part) is None and all(
            not piece.isalpha()
            or read_labels(piece, self._known)
            or self._label_of_name(piece)
            or any(rank(piece, option) <= BEGINS for option in self._options)
            for piece in pieces
        )

    def _read_labels(self, part: str) -> bool:
        """Read a run of labels and the multiple after it, and tell whether the part is such a run."""
        share = _SHARE.fullmatch(part)
        run = part if share is None else share[1]
        pairs = read_labels(run, self._known) if run.isalpha() else None
        for label, capital in pairs or ():
            self._add(label, capital)
            if share is not None and share[3] and int(share[3]) != 1:
                self.shares[label] = f"1/{int(share[3])}" if share[2] == "/" else str(int(share[3]))
        if pairs is not None and share is not None and not share[3]:
            self.words.append(share[2])  # the number is not typed yet
        return pairs is not None

    def _add(self, label: str, capital: bool) -> None:
        if label not in self.labels:
            self.labels.append(label)
        if capital and label not in self.capitals:
            self.capitals.append(label)


def matching_options(word: str, options: Sequence[Option]) -> tuple[Option, ...]:
    """Return the options that a word may name: by name, beginning, beginning of a word, or letters in order."""
    ranked = [(rank(word, option), option) for option in options]
    fitting = sorted((pair for pair in ranked if pair[0] < WORST), key=lambda pair: pair[0])
    return tuple(option for _, option in fitting)


def rank(word: str, option: Option) -> int:
    """Return the rank of a word: 0 the option's name, 1 its beginning, 2 a word's beginning, `WORST` no match."""
    wanted, names = folded(word), (folded(option.key), folded(option.shown))
    worth = min(name_rank(wanted, name) for name in names)
    return min(worth, 2) if worth and _means(wanted, names) else worth


def same_meaning(word: str) -> tuple[str, ...]:
    groups = (group for group in (*SYNONYMS, *SEARCH_SYNONYMS) if word in group)
    return (word, *(other for group in groups for other in group if other != word))


def _means(wanted: str, names: Sequence[str]) -> bool:
    return any(wanted in group and any(name in group for name in names) for group in SYNONYMS)


def name_rank(wanted: str, name: str) -> int:
    if wanted == name:
        return 0
    if name.startswith(wanted):
        return 1
    if any(word.startswith(wanted) for word in name.split()):
        return 2
    if wanted in name:
        return 3
    letters = iter(name)
    return 4 if all(letter in letters for letter in wanted if letter != " ") else WORST


def option_called(word: str, options: Sequence[Option]) -> Option | None:
    """Return the option with this key or label, or the only option that begins with the word's two or more letters."""
    wanted = folded(word)
    named = [(option, (folded(option.key), folded(option.shown))) for option in options]
    exact = [option for option, names in named if wanted in names]
    if exact:
        return exact[0]
    if len(wanted) < 2:
        return None
    begun = [option for option, names in named if any(name.startswith(wanted) for name in names)]
    meant = begun or [option for option, names in named if _means(wanted, names)]
    return meant[0] if len(meant) == 1 or (meant and not begun) else None


class DryRun(Struct, frozen=True):
    """The questions of an action that typed answers would answer.

    Attributes:
        given: each answer as typed, with its question.
        left: the answers that no question has taken.
        problem: why the next answer is impossible; "": it is possible.
        asks: the next question without a typed answer.
        open: whether the next question is unknown, since the program rolls dice first.
        refused: whether the action is refused.
    """

    given: tuple[tuple[str, Request], ...] = ()
    left: tuple[str, ...] = ()
    problem: str = ""
    asks: Request | None = None
    open: bool = False
    refused: bool = False

    @property
    def rolls(self) -> bool:
        """Whether any question asks for a number, or the next question is unknown."""
        requests = [request for _, request in self.given] + ([self.asks] if self.asks is not None else [])
        return any(request.numeric for request in requests) or self.open


MOST = 50


def tried(
    ruleset: Ruleset, settings: Settings, state: State, step: Step, words: tuple[str, ...], answers: Answers = ()
) -> DryRun:
    """Return the questions that typed words would answer after the earlier `answers`, by a dry run of the step.

    The dry run stops before dice that the program would roll.
    """
    unasked = source_of(without_dice(settings), state, {})
    given: list[tuple[str, Request]] = []
    for _ in range(MOST):
        outcome = dry_run(ruleset, state, step, answers)
        if not isinstance(outcome, Pending):
            return DryRun(tuple(given), words, refused=not isinstance(outcome, Done))
        request = outcome.request
        answer, many = unasked(request), 0
        if answer is not None and isinstance(request, Roll):
            return DryRun(tuple(given), words, open=True)
        if words and words[0] == REST:
            return DryRun((*given, (REST, request)), words[1:], open=True)
        if answer is None and not words:
            if not isinstance(request, Window):
                return DryRun(tuple(given), asks=request)
            answer = Passed()
        elif answer is None:
            try:
                answer, many = request.from_words(words, option_called)
            except ValueError as error:
                return DryRun(tuple(given), words, str(error), request)
            if answer is None:
                return DryRun(tuple(given), words, asks=request)
        if many:
            given.append((" ".join(words[:many]), request))
            words = words[many:]
        answers = (*outcome.answers, (request.key, answer))
    return DryRun(tuple(given), words, open=True)


def apply_answers(
    dispatch: Callable[[Intent], Model], model: Model, words: tuple[str, ...], stop: str | None
) -> tuple[Model, str, str]:
    """Answer the questions of the open step with typed words, up to the question `stop` that was open before.

    Return the model, the note about unused words, and the problem of an impossible answer.
    """
    given: list[str] = []
    while words and model.pending is not None and model.pending.request.key != stop:
        request, many = model.pending.request, 0
        intent: Intent
        if words[0] == REST:
            intent, many = RollRest(leave_player_choices=True), 1
        else:
            try:
                answer, many = request.from_words(words, option_called)
            except ValueError as error:
                so_far = f"; {', '.join(given)} {'is' if len(given) == 1 else 'are'} given" if given else ""
                return model, "", f"{error}{so_far}: type the rest here"
            if answer is None:
                return model, f"{' '.join(words)} not used: this is asked first", ""
            intent = Reply(answer)
        model = dispatch(intent)
        if model.refusal is not None or model.problem:
            return model, "", ""
        given += [" ".join(words[:many])] if many else []
        words = words[many:]
    were = "were" if len(words) > 1 else "was"
    return model, f"{' '.join(words)} {were} not asked for" if words else "", ""


def no_such_number(number: int, count: int) -> str:
    return f"there is no {number}: 1 to {count}" if count > 1 else f"there is no {number}: 1 is the only one"
