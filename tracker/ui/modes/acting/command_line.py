"""The command line: a line for any command or action, shown as it is parsed before Enter.

`w att g 14 5` is Wolf's attack on g with a 14 and a 5; `damage 7 g`, `undo`, `end fight` are commands.

A line that begins with a label or name is an action of that combatant. Any other line begins with a GM command, another
command of the table, an action of the acting combatant, or an action of the GM or a side. The best match wins; of equal
matches the first in this order.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import ClassVar, Literal, TypeAlias

from msgspec import Struct
from msgspec.structs import replace
from typing_extensions import override

from tracker.core.fight.slots import Id
from tracker.core.run import Step
from tracker.core.terms.actions import Action, ActionSpec, Option
from tracker.core.terms.errors import Refusal
from tracker.core.terms.labels import folded
from tracker.ui.keys.command import Command, Footer
from tracker.ui.keys.table import LINES, UNKEYED, face
from tracker.ui.modes.acting.action_form import Form
from tracker.ui.modes.acting.picker import default_action, possible_first
from tracker.ui.typing.action_line import LABELS_ONLY, read_action_line
from tracker.ui.typing.entry import Entry
from tracker.ui.typing.gm_lines import parse_command
from tracker.ui.typing.mode import InputMode, Mode, ModeContext, Result, deliver, name_spans, target_field
from tracker.ui.typing.parser import ParsedCommand, action_words, options_of, parse_action
from tracker.ui.typing.rows import (
    asked_spans,
    entry_row,
    listed_rows,
    problem_rows,
    refusal_spans,
    visible_rows,
    wrapped_rows,
)
from tracker.ui.typing.tokens import BEGINS, WORST, DryRun, rank, tried
from tracker.views.words.spans import Row, Span
from tracker.views.words.text import clean

HINT = "who, what, on whom, dice: w att g 14 5 · damage 7 g · undo"


class CommandLine(InputMode, frozen=True):
    """The command line; `back` is the number of the earlier line that it shows, 1 for the newest, 0 for none."""

    place: ClassVar[Footer] = "line"
    title: ClassVar[str] = "Command"
    takes_labels: ClassVar[bool] = True
    chosen: int = -1
    back: int = 0

    @override
    def typed(self, scene: ModeContext, entry: Entry) -> Mode:
        if entry.text == self.entry.text:
            return replace(self, entry=entry, problem="")
        return CommandLine(entry=entry)

    @override
    def rows(self, scene: ModeContext, width: int, height: int) -> tuple[Row, ...]:
        phrase = self._phrase(scene)
        shown = [entry_row(self.entry.spans(width - 2, HINT), width)]
        if phrase.named is not None or phrase.by is not None:
            shown += wrapped_rows(_meaning(scene, phrase), width, "means")
        for word, request in phrase.dry_run.given:
            shown += wrapped_rows(
                (Span(f"  {word} ", "typed"), *asked_spans(scene.model.state, request)), width, "given"
            )
        shown += problem_rows(self.problem, width)
        if phrase.refusal is not None:
            shown += wrapped_rows(refusal_spans(phrase.refusal), width, "refusal")
        if not self.problem and (later := _later(scene, phrase)):
            shown += wrapped_rows(later, width, "wants")
        for warning in phrase.parsed.warns if phrase.parsed is not None else ():
            shown += wrapped_rows((Span("! " + warning, "warn"),), width, "warning")
        if phrase.completions:
            keys = [option.key if len(option.key) < 3 else "" for option in phrase.completions]
            listed = listed_rows(phrase.completions, self.chosen, width, keys=keys)
            shown += visible_rows(listed, max(0, self.chosen), max(1, height - len(shown)))
        return tuple(shown[: max(1, height)])

    def _phrase(self, scene: ModeContext) -> ParsedLine:
        return parse_line(scene, self.entry.text, self.chosen)

    @override
    def step(self, scene: ModeContext, by: int) -> Result:
        lines = scene.files.earlier_lines()
        if not self.entry.text or self.back:
            back = max(0, min(len(lines), self.back - by))
            return Result(CommandLine(entry=Entry.of(lines[-back]) if back else Entry(), back=back))
        completions = self._phrase(scene).completions
        if not completions:
            return Result(self)
        start = self.chosen if self.chosen >= 0 else (-1 if by > 0 else 0)
        return Result(replace(self, chosen=(start + by) % len(completions), problem=""))

    @override
    def take(self, scene: ModeContext, form: bool) -> Result:
        return Result(self._completed(scene)) if form else self._enter(scene)

    def _completed(self, scene: ModeContext) -> CommandLine:
        completions = self._phrase(scene).completions
        if not completions:
            return self
        text = completions[max(0, min(self.chosen, len(completions) - 1))].key
        kept = self.entry.text
        plain = kept.casefold()
        lengths = range(min(len(text), len(kept)), 0, -1)
        begins = (length for length in lengths if _whole(kept, length) and plain.endswith(text[:length].casefold()))
        last_word = 0 if not kept or kept[-1].isspace() else len(kept) - kept.rfind(" ") - 1
        begun = next(begins, last_word)
        return CommandLine(entry=Entry.of(kept[: len(kept) - begun] + text + ("" if text.endswith("=") else " ")))

    def _enter(self, scene: ModeContext) -> Result:
        phrase = self._phrase(scene)
        text, named = self.entry.text.strip(), phrase.named
        if not text:
            return Result(None)
        if named is None:
            return Result(replace(self, problem=phrase.wants))
        if named.command is not None:
            if phrase.wants:
                return Result(replace(self, problem=phrase.wants))
            call = named.command.call
            if call is not None and phrase.text:
                call = replace(call, value=phrase.text)
            return Result(None, call=call, remember=text)
        assert phrase.parsed is not None
        if phrase.parsed.form:
            return Result(Form.open(scene.spec(phrase.parsed.action), phrase.parsed.action), remember=text)
        if phrase.wants and phrase.refusal is None:
            return Result(replace(self, problem=phrase.wants))
        parsed = phrase.parsed
        done = deliver(scene, parsed.action)
        return replace(done, typed_answers=phrase.typed_answers, call=parsed.keep, remember=text)


def _whole(text: str, length: int) -> bool:
    """Tell whether the last `length` characters of a text begin a word."""
    return length == len(text) or text[-length - 1].isspace()


def _meaning(scene: ModeContext, phrase: ParsedLine) -> tuple[Span, ...]:
    whose = (*name_spans(scene, phrase.by), Span("  ")) if phrase.by is not None else ()
    if phrase.named is None:
        return whose
    what = (Span(clean(phrase.named.option.shown) + "  ", "title"),)
    note = (Span(clean(phrase.named.option.note), "key"),) if phrase.named.kind == "command" else ()
    return (*whose, *what, *note, *(phrase.parsed.says if phrase.parsed is not None else ()))


def _later(scene: ModeContext, phrase: ParsedLine) -> tuple[Span, ...]:
    if phrase.wants:
        return (Span(("✗ " if phrase.wrong else "") + phrase.wants, "bad" if phrase.wrong else "dim"),)
    trial = phrase.dry_run
    spans: list[Span] = []
    if trial.left:
        known = not (trial.open or trial.refused) and phrase.parsed is not None and scene.model.pending is None
        words = f"  {' '.join(trial.left)} " + ("is not asked for" if known else "in hand")
        spans.append(Span(words, "warn" if known else "typed"))
    if trial.asks is not None:
        spans += [Span("  then asked: ", "dim"), *asked_spans(scene.model.state, trial.asks)]
    return tuple(spans)


Kind: TypeAlias = Literal["verb", "command", "action"]
NUMBERED = ("end_effect", "move")
"""The commands whose options are chosen by numbers, since their words are not unique."""
SCATTERED = 4
MOST = 40
_TOKEN = re.compile(r"\S+")


class LineStart(Struct, frozen=True):
    """The possible beginning of a line: a GM command, another command, or an action."""

    kind: Kind
    option: Option
    verb: str = ""
    command: Command | None = None
    spec: ActionSpec | None = None


class ParsedLine(Struct, frozen=True):
    """A parsed line.

    Attributes:
        named: the command or action that it begins with; None: not recognized yet.
        wants: what is missing or wrong, as one line; "": nothing.
        completions: the completions of the last word; the key of an option is the text.
        wrong: a word is unknown; else the line is only incomplete.
        text: the words that the command of the table takes.
    """

    named: LineStart | None = None
    by: Id | None = None
    parsed: ParsedCommand | None = None
    refusal: Refusal | None = None
    dry_run: DryRun = DryRun()
    typed_answers: tuple[str, ...] = ()
    wants: str = ""
    completions: tuple[Option, ...] = ()
    wrong: bool = False
    text: str = ""


def line_starts(scene: ModeContext, by: Id | None = None) -> tuple[LineStart, ...]:
    """Return the possible starts of a line: a combatant's actions, without a combatant all commands and actions."""
    if by is not None:
        return tuple(_action(spec) for spec in possible_first(scene.offers(by)))
    verbs = [LineStart("verb", Option(name, line.title), name) for name, line in LINES.items() if line.does]
    keys = [
        LineStart("command", Option(command.id, command.word, face(command.key)), command=command)
        for command in scene.table
        if command.call and command.word and command.line is None
    ]
    taken = frozenset([line.does for line in LINES.values()] + [command.id for command in scene.table])
    active = scene.active
    acts = possible_first(scene.offers(active)) if active is not None else ()
    rest = [spec for spec in scene.offers(None, but=taken) if spec.key not in taken]
    unkeyed = [
        LineStart("command", Option(command.id, command.word, command.description), command=command)
        for command in UNKEYED
        if command.call
    ]
    return (*verbs, *keys, *map(_action, acts), *map(_action, rest), *unkeyed)


def _action(spec: ActionSpec) -> LineStart:
    return LineStart("action", Option(spec.key, spec.label, spec.cost, spec.refusal), spec=spec)


def parse_line(scene: ModeContext, text: str, marked: int = -1) -> ParsedLine:
    """Parse a line; `marked` is the completion under the cursor, or -1."""
    tokens = list(_TOKEN.finditer(text))
    if not tokens:
        return ParsedLine(wants="", completions=_listed(line_starts(scene), ""))
    words = [token[0] for token in tokens]
    open_word = "" if text[-1].isspace() else words[-1]
    who = _actor(scene, words[0])
    if who is not None:
        found = _begin(line_starts(scene, who), words[1:])
        if found is not None:
            return _rest(scene, _Begun(found[0], tokens[found[1]][0], text[tokens[found[1]].end() :], who), marked)
        # Else the letter may begin a command (d 7 g), or a word is an option of an action.
        meant = _by_option(scene, who, text[tokens[0].end() :])
        if meant is not None:
            return meant
        if len(words) == 1 or (words[1].isalpha() and len(words[1]) > 2):
            completions = _listed(line_starts(scene, who), words[1] if len(words) == 2 else "")
            wants = _unknown_action_words(scene, who, words[1:])
            return ParsedLine(by=who, wants=wants, completions=completions, wrong=len(words) > 1)
    names = line_starts(scene)
    found = _begin(names, words)
    if found is None and scene.active is not None and (meant := _by_option(scene, scene.active, text)) is not None:
        return meant
    if found is None and (first := next((at for at, word in enumerate(words) if not word.isdigit()), 0)):
        behind = parse_line(scene, " ".join((*words[first:], *words[:first])), marked)  # 7 damage wolf
        if not behind.wrong:
            return behind
    if found is None:
        completions = _listed(names, open_word) if len(words) == 1 else ()
        return ParsedLine(wants=f'there is no "{clean(words[0])}"', completions=completions, wrong=True)
    last = tokens[found[1] - 1]
    return _rest(scene, _Begun(found[0], last[0], text[last.end() :]), marked)


def _by_option(scene: ModeContext, who: Id, text: str) -> ParsedLine | None:
    """Return the line of the action that an option in the text names, None if no word is one."""
    if not any(len(word) > LABELS_ONLY for word in text.split()):
        return None
    specs = possible_first(scene.offers(who))
    usual = default_action(scene, who)
    line = read_action_line(scene, specs, text.strip(), usual=usual, numbered=False)
    if line.spec is None or line.action is None or line.problem:
        return None
    parsed = ParsedCommand(line.action, action_words(scene, line.spec, line.action))
    trial = _dry_run(scene, replace(parsed, answers=line.answers))
    open_word = "" if text[-1:].isspace() else text.split()[-1]
    return ParsedLine(
        _action(specs[line.place]),
        who,
        parsed=parsed,
        refusal=line.spec.refusal,
        dry_run=trial,
        typed_answers=line.answers,
        wants=line.wants,
        completions=_fields(scene, line.spec, line.action, open_word),
    )


def _unknown_action_words(scene: ModeContext, who: Id, words: Sequence[str]) -> str:
    name = clean(scene.model.state.name(who))
    return f'{name} has no action "{clean(words[0])}"' if words else f"what does {name} do?"


def _actor(scene: ModeContext, word: str) -> Id | None:
    plain = word.casefold()
    if plain in scene.labels:
        return scene.labels[plain]
    if plain in scene.model.state:
        return plain
    named = [person.id for person in scene.model.state.combatants if folded(person.name) == folded(word)]
    return named[0] if len(named) == 1 else None


def _begin(names: Sequence[LineStart], words: Sequence[str]) -> tuple[LineStart, int] | None:
    if not words:
        return None
    ranked = [(rank(words[0], named.option), place) for place, named in enumerate(names)]
    worth, place = min(ranked, default=(WORST, 0))
    if worth > BEGINS:
        return None
    best, many = names[place], 1
    while many < len(words) and len(words[many]) > 2 and words[many].isalpha():
        longer = " ".join(words[: many + 1])
        begun = [named for named in names if rank(longer, named.option) < BEGINS]
        if not begun:
            break
        best, many = begun[0], many + 1
    return best, many


def _listed(names: Sequence[LineStart], word: str) -> tuple[Option, ...]:
    ranked = sorted((rank(word, named.option) if word else 0, place) for place, named in enumerate(names))
    fitting = [names[place] for worth, place in ranked if worth < SCATTERED]
    fitting = fitting or [names[place] for worth, place in ranked if worth < WORST]
    return tuple(
        Option(named.option.key, clean(named.option.shown), clean(named.option.note), named.option.refusal)
        for named in fitting[:MOST]
    )


class _Begun(Struct, frozen=True):
    """A line whose beginning is understood: the last word of the beginning, and the text behind it."""

    named: LineStart
    word: str
    behind: str
    by: Id | None = None

    @property
    def open_word(self) -> str:
        return "" if self.behind[-1:].isspace() else (self.behind.split() or [""])[-1]


def _rest(scene: ModeContext, begun: _Begun, marked: int) -> ParsedLine:
    named, behind = begun.named, begun.behind
    completions = () if behind else _listed(line_starts(scene, begun.by), begun.word)  # the name itself may still grow
    match named.kind:
        case "command":
            extra = behind.strip()
            if named.command is not None and named.command.text:
                return ParsedLine(named, completions=completions, text=extra)
            wants = f'{named.option.shown} takes no more words: leave out "{clean(extra)}"' if extra else ""
            return ParsedLine(named, wants=wants, completions=completions, wrong=bool(wants))
        case "verb":
            parsed = parse_command(scene, named.verb, behind.strip(), marked if behind else -1)
            spec = scene.spec(parsed.action)
            if behind:
                completions = tuple(_of_verb(named.verb, place, option) for place, option in enumerate(parsed.options))
            return ParsedLine(named, None, parsed, spec.refusal, wants=parsed.wants, completions=completions)
        case _:
            return _act(scene, begun, completions)


def _of_verb(verb: str, place: int, option: Option) -> Option:
    """Return an option of a GM command as a completion: its word, or its number."""
    text = str(place + 1) if verb in NUMBERED else option.shown
    return Option(clean(text), clean(option.shown), clean(option.note), option.refusal)


def _dry_run(scene: ModeContext, parsed: ParsedCommand) -> DryRun:
    model = scene.model
    if model.pending is not None or model.looking_at is not None:
        return DryRun(left=parsed.answers)
    return tried(scene.ruleset, scene.history.settings, model.state, Step("do", (parsed.action,)), parsed.answers)


def _act(scene: ModeContext, begun: _Begun, completions: tuple[Option, ...]) -> ParsedLine:
    named, behind = begun.named, begun.behind
    assert named.spec is not None
    action = Action(named.spec.key, named.spec.by)
    parsed = parse_action(scene, action, behind, dice=True)
    trial = DryRun(left=parsed.answers)
    if not parsed.wants:
        trial = _dry_run(scene, parsed)
        if parsed.answers and not trial.rolls and not trial.refused and scene.model.pending is None:
            looser = parse_action(scene, action, behind, dice=True, loose=True)
            if looser.answers != parsed.answers:
                parsed, trial = looser, _dry_run(scene, looser)
    spec = scene.spec(parsed.action)
    if behind:
        completions = _fields(scene, spec, parsed.action, begun.open_word)
    return ParsedLine(
        named,
        named.spec.by,
        parsed=parsed,
        refusal=spec.refusal,
        dry_run=trial,
        typed_answers=parsed.answers,
        wants=parsed.wants or trial.problem,
        completions=completions,
        wrong=parsed.wrong or bool(trial.problem),
    )


def _fields(scene: ModeContext, spec: ActionSpec, action: Action, word: str) -> tuple[Option, ...]:
    found: list[Option] = []
    target = target_field(spec)
    if target is not None and (action.get(target.name) is None or word):
        for option in options_of(scene, target):
            person = scene.model.state.get(option.key)
            label = person.label if person is not None else option.key
            found.append(Option(label, clean(option.shown or option.key), target.shown, option.refusal))
    for field in spec.fields:
        if field.kind in ("choice", "choices") and (word or (field.required and action.get(field.name) is None)):
            found += [
                Option(clean(option.shown).replace(" ", "_"), clean(option.shown), clean(field.shown), option.refusal)
                for option in field.options
            ]
    found += [Option(f"{field.name}=", f"{field.name}=", field.kind) for field in spec.fields if field is not target]
    if word:
        ranked = sorted(
            (min(rank(word, option), 0 if option.key == word else WORST), place) for place, option in enumerate(found)
        )
        found = [found[place] for worth, place in ranked if worth <= BEGINS]
    return tuple(found[:MOST])
