"""The prompt: the question of a step, and how its answer is typed.

A prompt holds only typed text, no progress of the fight. Windows are shown in the prompt of the request behind them:
its answer passes them, a label opens the reactions of that combatant.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING, ClassVar

from msgspec import Struct
from msgspec.structs import replace
from typing_extensions import override

from tracker.core.terms.actions import Option
from tracker.core.terms.requests import Answer, ChoiceAnswer, Passed, PickAnswer, Request, Roll
from tracker.core.terms.words import listed
from tracker.session.intents import Intent, Reply, RollRest, Undo
from tracker.ui.keys.command import Footer
from tracker.ui.modes.acting.dice_row import (
    BLANKS,
    LEFT,
    ROW_HINT,
    can_show,
    dice_row_hint,
    dice_row_title,
    dice_rows,
    is_short,
    missing_words,
    one_roller,
    packed,
    read_dice_row,
    roll_word,
    row_words,
    sent_for,
    sent_line,
    with_dice_behind,
    with_sent,
    wrong_so_far,
)
from tracker.ui.modes.acting.reactions import (
    ReactionList,
    is_option,
    only_reaction,
    open_reactions,
    reaction_lines,
    reactions_of,
)
from tracker.ui.typing.entry import Entry
from tracker.ui.typing.mode import InputMode, ModeContext, Result
from tracker.ui.typing.parser import option_named
from tracker.ui.typing.rows import (
    entry_row,
    first_rows,
    listed_rows,
    option_number,
    problem_rows,
    visible_rows,
    wrapped_rows,
)
from tracker.ui.typing.tokens import DryRun, option_called, tokenize, tried
from tracker.views.words.prompts import hint_words, option_keys, prompt_title
from tracker.views.words.spans import Row, Span, cut_spans, wrap_spans
from tracker.views.words.text import clean

if TYPE_CHECKING:
    from tracker.ui.platform.phones import SubmittedRoll


class Prompt(InputMode, frozen=True):
    """The pending request being answered.

    Attributes:
        picked: the options picked so far, if the request takes several.
        counted: the keys of a row's rolls that phones had sent when the GM began to type.
    """

    place: ClassVar[Footer] = "prompt"
    title: ClassVar[str] = "Question"
    chosen: int = -1
    picked: tuple[str, ...] | None = None
    counted: tuple[str, ...] | None = None

    @override
    def rows(self, scene: ModeContext, width: int, height: int) -> tuple[Row, ...]:
        following = scene.following
        if following is None:
            return ()
        request, row = following.request, following.row
        state = scene.model.state
        shown = [
            *wrapped_rows(
                dice_row_title(row, one_roller(state, row)) if row else prompt_title(state, request), width, "question"
            ),
            *self._line(scene, width),
        ]
        shown += problem_rows(self.problem, width)
        offers = reaction_lines(scene, self.entry.text)
        between = [Row("offer", spans) for offer in offers for spans in wrap_spans(offer, width, 2)]
        meant = self._meant(scene, request)
        advice = hint_words(state, request) if self.problem else self._hint(scene, request, meant)
        advice = self._row_hint(scene, row) if row else advice
        more = BLANKS if advice == ROW_HINT else ""
        hint = wrapped_rows((Span(advice + more, "dim"),), width, "hint")
        again: tuple[Row, ...] = ()
        if many := len(scene.model.waiting):  # a correction waits for this answer
            words = f"then {many} step{'' if many == 1 else 's'} {'is' if many == 1 else 'are'} played again"
            again = wrapped_rows((Span(words, "warn"),), width, "again")
        least = min(len(row), 3) if row else min(len(request.options), 2)
        taken = len(shown) + least + len(between) + len(again)
        if more and taken + len(hint) > height:
            hint = wrapped_rows((Span(advice, "dim"),), width, "hint")
        if taken + len(hint) > height:  # the beginning of the hint stays
            offers = reaction_lines(scene, self.entry.text, short=True)
            room = max(1, height - len(shown) - least - len(again))
            between = [Row("offer", spans) for offer in offers for spans in wrap_spans(offer, width, 2)]
            if len(between) >= room:
                between = [Row("offer", cut_spans(offer, width)) for offer in offers][: room - 1]
            hint = first_rows(hint, room - len(between), width)
        end = (*between, *again, *hint)
        room = max(1, height - len(shown) - len(end))
        if row:
            rolls, text = self._reached(scene, row)
            shown += visible_rows(
                dice_rows(scene, rolls, text, width), min(len(row_words(rolls, text)), len(rolls) - 1), room
            )
        if request.options:
            picked = self._picked(request) if meant is None or not request.several else meant.keys
            place = self._place(request)
            if self.entry.text.strip() and not request.several:
                keys_meant = () if meant is None else meant.keys
                place = next((at for at, option in enumerate(request.options) if option.key in keys_meant), -1)
            keys = option_keys(state, request.options)
            listed_options = listed_rows(request.options, place, width=width, picked=picked, keys=keys, room=room)
            shown += visible_rows(listed_options, max(0, place), room)
        return (*shown[: max(1, height - len(end))], *end)[: max(1, height)]

    def _line(self, scene: ModeContext, width: int) -> tuple[Row, ...]:
        """Return the typed text; for a row with the dice that phones have sent, in as many lines as needed."""
        following, typed = scene.following, tuple(self.entry.spans(width - 2))
        if following is not None and following.row and (sent := self._sent(scene, following.row)):
            words = row_words(following.row, self._row_text(scene, following.row))
            line = sent_line(scene, following.row, sent, words)
            first, *more = wrap_spans(
                (Span("> ", "title"), *((*typed, Span("  ")) if self.entry.text else ()), *line), width, 2
            )
            return (Row("entry", first, "current"), *[Row("sent", spans) for spans in more])
        handed = None if self.entry.text or following is None else following.submitted(following.request)
        if handed is not None:
            typed = (Span(handed.text, "typed"), Span(f" · {clean(handed.whose)}", "dim"))
        return (entry_row(typed, width),)

    def _text(self, scene: ModeContext) -> str:
        """Return the text that Enter takes: the typed text, else the dice that a phone has sent."""
        following = scene.following
        if following is not None and following.row:
            return self._row_text(scene, following.row).strip()
        handed = following.submitted(following.request) if following is not None else None
        return self.entry.text.strip() or (handed.text if handed is not None else "")

    def _sent(self, scene: ModeContext, rolls: Sequence[Roll]) -> tuple[SubmittedRoll | None, ...]:
        """Return the dice that phones have sent for a row, without those sent since the GM began to type."""
        sent = sent_for(scene, rolls)
        if self.counted is None or not self.entry.text:
            return sent
        return tuple([one if roll.key in self.counted else None for roll, one in zip(rolls, sent, strict=False)])

    def _row_text(self, scene: ModeContext, rolls: Sequence[Roll]) -> str:
        """Return the words for a row: the dice that phones have sent, and the typed words for the other dice."""
        return with_sent(rolls, self._sent(scene, rolls), row_words, self.entry.text)

    def _reached(self, scene: ModeContext, rolls: Sequence[Roll]) -> tuple[tuple[Roll, ...], str]:
        text = self._row_text(scene, rolls)
        try:
            return with_dice_behind(scene, rolls, text)
        except ValueError:
            return tuple(rolls), text

    def _row_hint(self, scene: ModeContext, rolls: Sequence[Roll]) -> str:
        sent = self._sent(scene, rolls)
        try:
            reached, typed = with_dice_behind(scene, rolls, self.entry.text)
        except ValueError as error:
            return str(error)
        if (wrong := wrong_so_far(scene, reached, typed)) and not self.problem:
            return wrong
        if len(reached) > len(rolls):
            behind = ", ".join(str(roll.dice) for roll in reached[len(row_words(reached, typed)) :])
            return f"Enter · behind these: {behind}" if behind else "Enter takes all"
        ways = packed(rolls, self._row_text(scene, rolls).split()) if not is_short(rolls) else ()
        if len(ways) > 1:
            return f"{' '.join(ways[0])}, or {' '.join(ways[1])}? type blanks between"
        taken = len(row_words(rolls, self._row_text(scene, rolls)))
        if not any(sent):
            return dice_row_hint(rolls)
        if taken == len(rolls):
            return "Enter takes all"
        names = missing_words(scene, rolls, sent)
        return f"{f'Enter takes {taken} · ' if taken else ''}{names}: type it, or - for the program's · *: its for all"

    def _meant(self, scene: ModeContext, request: Request) -> Answer | None:
        text = self._text(scene)
        try:
            answer = request.typed(text, _Named(scene)) if text else None
        except ValueError:
            return None
        return answer if answer is not None and request.problem(answer) is None else None

    def _hint(self, scene: ModeContext, request: Request, meant: Answer | None) -> str:
        """Return what Enter does with the typed text, else how to answer."""
        text = self._text(scene)
        found = reactions_of(scene, text) if text else ()
        people = dict.fromkeys(clean(scene.model.state.name(offer.by)) for _, offer in found)
        if found and meant is not None and is_option(scene, text):
            words = clean(listed(meant.words(lambda key: _shown(scene, request, key))))
            return f"Enter: {words} · tab: what {listed(list(people))} can do in between"
        if (plain := only_reaction(found)) is not None:
            return f"Enter: {clean(plain[1].label)} · tab: all that can be done in between"
        if found:
            return f"Enter: what {listed(list(people))} can do in between"
        dice = DryRun() if meant is not None else dice_behind(scene, request, text)
        if dice.problem:
            return dice.problem
        if dice.given:
            asked = [f"{word} {roll_word(roll)}" for word, roll in dice.given if isinstance(roll, Roll)]
            return f"Enter: {clean(listed([*asked, *(f'{word} not asked for' for word in dice.left)]))}"
        if meant is not None:
            words = clean(listed(meant.words(lambda key: _shown(scene, request, key))))
            return f"Enter: {words or 'none'}"
        if text and request.options:
            return f'"{clean(text)}" is not on offer'
        return self._wrong(scene, request, text) or _with_follower(scene, request)

    def _wrong(self, scene: ModeContext, request: Request, text: str) -> str:
        """Return why what is typed is no answer, "" if it is one or nothing is typed."""
        try:
            if text:
                self._answer(scene, request, text)
        except ValueError as error:
            return clean(str(error))
        return ""

    def _place(self, request: Request) -> int:
        if self.chosen >= 0 or request.several:
            return self.chosen
        usual = _usual(request)
        return next((place for place, option in enumerate(request.options) if option.key in usual), -1)

    def _picked(self, request: Request) -> tuple[str, ...]:
        if not request.several:
            return ()
        return _usual(request) if self.picked is None else self.picked

    @override
    def press(self, scene: ModeContext, key: str, character: str | None) -> Result | None:
        following = scene.following
        if following is None:
            return None
        request = following.request
        if key in ("escape", "enter", "tab"):
            return super().press(scene, key, character)
        if character == "*" and not request.accepts_prefix(self.entry.text.strip()):
            return self._rest(scene)
        if character is not None and not self.entry.text and _alone(scene, request, character):
            return replace(self, entry=Entry.of(character))._enter(scene, request)
        if not self.entry.text and (key == "backspace" or (scene.command(key) == "undo" and not _means(scene, key))):
            return Result(None, (Undo(),))
        if request.several and key == "space" and not self.entry.text and 0 <= self.chosen < len(request.options):
            picked = _toggled(self._picked(request), request.options[self.chosen].key)
            return Result(replace(self, picked=picked, problem=""))
        if following.row and not self.entry.text:
            sent = zip(following.row, sent_for(scene, following.row), strict=False)
            return replace(self, counted=tuple([roll.key for roll, one in sent if one is not None]))._typed(
                scene, key, character
            )
        return super().press(scene, key, character)

    def leaves_key(self, scene: ModeContext, key: str, command: str) -> bool:
        """Tell whether a prompt leaves the key of a command to the panes, since it begins no answer here."""
        request = None if scene.following is None else scene.following.request
        return not (
            request is None
            or self.entry.text
            or scene.command(key) != command
            or _means(scene, key.casefold())
            or not (request.options or request.numeric or request.kind == "window")
        )

    def _typed(self, scene: ModeContext, key: str, character: str | None) -> Result | None:
        return super().press(scene, key, character)

    @override
    def step(self, scene: ModeContext, by: int) -> Result | None:
        options = scene.following.request.options if scene.following is not None else ()
        if scene.following is None or not options:
            return None
        place = (self._place(scene.following.request) + by) % len(options)
        return Result(replace(self, chosen=place, entry=Entry(), problem=""))

    @override
    def take(self, scene: ModeContext, form: bool) -> Result | None:
        if scene.following is None:
            return None
        if not form:
            return self._enter(scene, scene.following.request)
        found = reactions_of(scene, self.entry.text.strip())
        return Result(ReactionList(found)) if found else None

    @override
    def point(self, scene: ModeContext, row: str) -> Result | None:
        request, number = scene.following.request if scene.following is not None else None, option_number(row)
        if number is None or request is None or number >= len(request.options):
            return None
        if not request.several and number == self._place(request):
            return self._enter(scene, request)
        picked = _toggled(self._picked(request), request.options[number].key) if request.several else None
        return Result(replace(self, chosen=number, picked=picked, entry=Entry(), problem=""))

    def _enter(self, scene: ModeContext, request: Request) -> Result:
        text = self._text(scene)
        if text == "*":  # pasted
            return self._rest(scene)
        done = None if is_option(scene, text) else open_reactions(scene, text)
        if done is not None:
            return done
        row = scene.following.row if scene.following is not None else ()
        try:
            if row and not text and (sent := self._sent(scene, row)):
                names = missing_words(scene, row, sent)
                return Result(replace(self, problem=f"{names}: nothing has come; type it, or - for the program's"))
            if row:
                return Result(None, read_dice_row(scene, *with_dice_behind(scene, row, text)))
            answer = self._answer(scene, request, text)
        except ValueError as error:
            given = DryRun() if row else dice_behind(scene, request, text)
            if not given.given:
                return Result(replace(self, problem=given.problem or str(error)))
            words = (*(word for word, _ in given.given), *given.left)
            first, many = request.from_words(words, option_called)
            return Result(None, (*_passes(scene), Reply(first)), typed_answers=words[many:])
        return Result(None, (*_passes(scene), Reply(answer)))

    def _rest(self, scene: ModeContext) -> Result:
        """Let the program roll, unless a player may still react first."""
        deciding = _players(scene)
        if deciding:
            return Result(replace(self, problem=f"{deciding} may still act: Enter passes, * never does"))
        row = scene.following.row if scene.following is not None else ()
        if sent := self._sent(scene, row):
            words = " ".join(LEFT if roll_sent is None else roll_sent.text for roll_sent in sent)
            try:
                return Result(None, read_dice_row(scene, row, words))
            except ValueError as error:
                return Result(replace(self, problem=str(error)))
        return Result(None, (*_passes(scene), RollRest(leave_player_choices=True)))

    def _answer(self, scene: ModeContext, request: Request, text: str) -> Answer | None:
        answer = request.typed(text, _Named(scene)) if text or not request.options else self._under_cursor(request)
        problem = None if answer is None else request.problem(answer)
        if problem is not None:
            raise ValueError(problem)
        return answer

    def _under_cursor(self, request: Request) -> Answer:
        if request.several:
            return PickAnswer(self._picked(request))
        place = self._place(request)
        if place < 0:
            raise ValueError("choose one: its key, or up and down")
        return ChoiceAnswer(request.options[place].key)


def _shown(scene: ModeContext, request: Request, key: str | None) -> str:
    shown = {option.key: option.shown for option in request.options}
    return shown.get(key or "") or scene.model.state.name(key)


class _Named(Struct, frozen=True):
    """Finds the options that a typed text means, by their keys in this scene."""

    scene: ModeContext

    def one(self, options: tuple[Option, ...], text: str) -> str:
        return option_named(self.scene, options, text).key

    def several(self, options: tuple[Option, ...], text: str) -> tuple[str, ...]:
        """Return the options that numbers, labels or words mean, none for 0 and -."""
        if text in ("0", "-"):
            return ()
        typed = tokenize(text, self.scene.labels)
        keys = {option.key for option in options}
        people = self.scene.combatants_of(typed.labels)
        if people and not typed.words and not typed.numbers and all(person in keys for person in people):
            return people
        return tuple(dict.fromkeys(self.one(options, word) for word in re.split(r"[\s,]+", text) if word))


def _alone(scene: ModeContext, request: Request, key: str) -> bool:
    """Tell whether a key is an answer by itself.

    An option's own is, where no default stands. Where Enter has a default to take, and where a key could be the
    beginning of more, Enter takes what is typed.
    """
    if not request.options or request.several or request.default_answer is not None:
        return False
    keys = option_keys(scene.model.state, request.options)
    offers = scene.following.reactions if scene.following is not None else ()
    labels = [person.label for _, offer in offers if (person := scene.model.state.get(offer.by)) is not None]
    return key in keys and sum(name.startswith(key) for name in (*keys, *labels)) == 1


def _means(scene: ModeContext, key: str) -> bool:
    """Tell whether a key begins an answer here: a label, or an option's word."""
    following = scene.following
    if following is None or len(key) > 1:
        return False
    state, options = scene.model.state, following.request.options
    people = [person for _, offer in following.reactions if (person := state.get(offer.by)) is not None]
    people += [person for option in options if (person := state.get(option.key)) is not None]
    words = [person.label for person in people] + [word for option in options for word in (option.key, option.shown)]
    return any(word.casefold().startswith(key) for word in (*words, *option_keys(state, options)))


def _usual(request: Request) -> tuple[str, ...]:
    return () if request.default_answer is None else request.default_answer.keys


def _toggled(picked: tuple[str, ...], key: str) -> tuple[str, ...]:
    return tuple(other for other in picked if other != key) if key in picked else (*picked, key)


def _passes(scene: ModeContext) -> tuple[Intent, ...]:
    return () if scene.following is None else (Reply(Passed()),) * len(scene.following.windows)


def _players(scene: ModeContext) -> str:
    offers = scene.following.reactions if scene.following is not None else ()
    state = scene.model.state
    people = [person for _, offer in offers if not offer.moot and (person := state.get(offer.by)) is not None]
    players = [person.name for person in people if state.side(person.side).control == "players"]
    return ", ".join(map(clean, dict.fromkeys(players)))


ONE_DIE = "type the die"
NEEDED = re.compile(r"(\d+) or (?:less|more)\b")
LONGEST_RUN = 6
"""Digits at most that are split into an attack's dice and the dice after them."""


def dice_behind(scene: ModeContext, request: Request, text: str) -> DryRun:
    """Return which questions numbers answer that are too many for one roll: the roll and those after it (`145`).

    Digits without blanks are split only if there is one way to do so; a number too many is ignored only if it is typed
    as a word of its own.
    """
    model, words = scene.model, tuple(text.split())
    nothing = DryRun()
    if not isinstance(request, Roll) or model.pending is None or model.pending_step is None or not words:
        return nothing
    if not all(map(str.isdigit, words)) or not request.total_ok or model.waiting:
        return nothing
    if len(words) > 1:
        return _reached(scene, words)
    (run,) = words
    if len(run) > LONGEST_RUN:
        return nothing
    cuts = [cut for cut in range(1, len(run)) if can_show(request, run[:cut]) and run[cut] != "0"]
    hands = [_reached(scene, (run[:cut], run[cut:])) for cut in cuts]
    whole = [one for one in hands if len(one.given) == 2 and not one.left]
    return whole[0] if len(whole) == 1 else nothing


def _reached(scene: ModeContext, words: tuple[str, ...]) -> DryRun:
    """Return which questions of the pending step numbers answer, nothing if one of these is no roll."""
    model = scene.model
    if model.pending is None or model.pending_step is None:
        return DryRun()
    before = scene.history.state_at(model.head)
    found = tried(scene.ruleset, scene.history.settings, before, model.pending_step, words, model.pending.answers)
    if found.problem and found.given:
        return DryRun(problem=found.problem)
    rolls = all(isinstance(one, Roll) for _, one in found.given)
    return found if found.given and rolls and not found.problem and not found.refused else DryRun()


def _with_follower(scene: ModeContext, request: Request) -> str:
    """Return how to answer; for an attack also the dice after a hit, which may be typed with it."""
    words = hint_words(scene.model.state, request)
    needed = NEEDED.search(f"{request.why} {request.needed}") if isinstance(request, Roll) else None
    if needed is None or ONE_DIE not in words:
        return words
    follower = None if scene.model.waiting else _reached(scene, (needed[1],)).asks
    if not isinstance(follower, Roll) or not follower.total_ok or follower.to != request.to:
        return words
    return words.replace(ONE_DIE, f"{ONE_DIE}, {follower.dice} behind it")
