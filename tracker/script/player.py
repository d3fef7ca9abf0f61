"""The player of scripts: it plays entries on a session and reports each result.

1. An entry is played completely or not at all: if it is refused, or an answer is impossible, it is taken back, and the
run stops.
2. A request gets its written answer, else dice of the seeded generator, else its default; without any of these the run
stops with a pending step.
3. A step stays pending at the first request without an answer if the entry has `pending: true`, or if the next entry
acts on a pending step.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Literal

from msgspec import Struct

from tracker.core.fight.events import Overruled
from tracker.core.fight.state import State
from tracker.core.game.ruleset import Ruleset
from tracker.core.terms.errors import Refusal, Refused
from tracker.core.terms.moments import NamedRound
from tracker.core.terms.requests import Request
from tracker.script.entries import (
    Advancing,
    Amending,
    Answering,
    Branching,
    DoActions,
    Entry,
    Expecting,
    Interrupting,
    Listed,
    Naming,
    Opening,
    Overriding,
    Plain,
    Redoing,
    Refusing,
    Trying,
    Undoing,
    WrittenAction,
    WrittenAnswer,
)
from tracker.script.expectations import (
    Difference,
    clock_reached,
    differences,
    different_checks,
    different_questions,
    shown,
)
from tracker.script.names import AnswerQueue, FindMembers, answer_to, answers_of, value_of
from tracker.script.table import MOST_ADVANCES, ScriptedFight, Unscripted
from tracker.session import intents
from tracker.session.model import Model, StepRecord
from tracker.session.session import Session
from tracker.views.log.steps import tell


class PlayedStep(Struct, frozen=True):
    """A step that was done, and the states after and before it."""

    record: StepRecord
    state: State
    before: State


class Played(Struct, frozen=True):
    """The result of an entry.

    Attributes:
        entry: the entry.
        outcome: `done`, `pending`, `refused`, or `failed` if the script is wrong about it.
        ok: whether the script expects this outcome.
        told: the steps it did, or did again.
        request: the pending request.
        reason, text, rule: why it was refused or failed.
        expected: the outcome that the script expects instead.
    """

    entry: Entry
    outcome: Literal["done", "pending", "refused", "failed"]
    ok: bool = True
    told: tuple[PlayedStep, ...] = ()
    request: Request | None = None
    reason: str = ""
    text: str = ""
    rule: str = ""
    expected: str = ""


class Player:
    """Plays entries on one fight, which `begin` opens; with `rolls`, the session's roller rolls unwritten dice.

    Attributes:
        shown: the state to print: of the fight now, or before an entry that failed.
    """

    def __init__(
        self, ruleset: Ruleset, begin: Callable[[], Session], *, rolls: bool = False, enlist: FindMembers | None = None
    ) -> None:
        self._table = ScriptedFight(ruleset, begin, rolls=rolls, enlist=enlist)
        self._log: tuple[str, ...] = ()
        self.shown = State()

    def play(self, entries: Sequence[Entry]) -> Iterator[Played]:
        """Play entries until one fails; a start that the script leaves out comes first."""
        script = list(entries)
        first = script[0].command if script else None
        if not isinstance(first.command if isinstance(first, Refusing) else first, Opening):
            script.insert(0, Entry(Opening()))
        for entry, following in zip(script, [*script[1:], None], strict=True):
            self._table.hold = entry.pending or (following is not None and following.on_pending)
            played = self._played(entry)
            if entry.number or not played.ok:
                yield played
            if not played.ok:
                return

    @property
    def model(self) -> Model:
        return self._table.model

    def close(self) -> None:
        self._table.close()

    def _played(self, entry: Entry) -> Played:
        table = self._table
        before = table.model if table.started else None
        try:
            table.interrupts = {key: list(acts) for key, acts in entry.interrupts}
            refusal = self._perform(entry)
            self._compare(entry, before)
            if entry.pending and self._table.model.pending is None:
                raise Unscripted("not_pending", "nothing is pending: the step is done", "a pending step")
        except Refused as refused:
            self.shown = self._table.take_back(before)
            why = refused.refusal
            return Played(entry, "refused", ok=False, reason=why.reason, text=why.text, rule=why.rule, expected="done")
        except Unscripted as failure:
            kept = failure.reason == "no_answer"
            self.shown = self._table.model.state if kept else self._table.take_back(before)
            return Played(
                entry,
                "failed",
                ok=False,
                request=failure.request,
                reason=failure.reason,
                text=failure.message,
                expected=failure.expected,
            )
        self.shown = self._table.model.state if table.started else State()
        if not isinstance(entry.command, Expecting):
            self._log = self._lines(before)
        if refusal is not None:
            return Played(entry, "refused", reason=refusal.reason, text=refusal.text, rule=refusal.rule)
        if self._table.model.pending is not None and not isinstance(entry.command, Expecting):
            return Played(entry, "pending", request=self._table.model.pending.request)
        return Played(entry, "done", told=self._played_since(before))

    def _steps_since(self, before: Model | None) -> list[StepRecord]:
        known = set() if before is None else {record.seq for record in before.steps}
        return [record for record in self._table.model.steps if record.seq not in known]

    def _played_since(self, before: Model | None) -> tuple[PlayedStep, ...]:
        state_at = self._table.session.state_at
        steps = self._steps_since(before)
        return tuple(PlayedStep(record, state_at(record.seq), state_at(record.parent)) for record in steps)

    def _lines(self, before: Model | None) -> tuple[str, ...]:
        """Return the log lines of the steps since then, and of the pending step."""
        if not self._table.started:
            return ()
        session, model = self._table.session, self._table.model
        steps = [(step.state, step.record.entries, step.before) for step in self._played_since(before)]
        if model.pending is not None:
            steps.append((model.state, model.pending.entries, session.state_at(model.head)))
        return tuple(
            line.text
            for state, entries, earlier in steps
            for line in tell(self._table.ruleset, state, entries, before=earlier)
        )

    # -- entries -------------------------------------------------------------------------------------------------------

    def _perform(self, entry: Entry) -> Refusal | None:
        match entry.command:
            case Opening(answers=answers):
                self._table.open()
                self._table.finish(self._table.feed(answers))
            case DoActions() as command:
                self._table.finish(self._start(command))
            case Advancing() as command:
                self._advance(command)
            case Answering(answer=written):
                self._reply(written)
            case Interrupting(act=act):
                self._interrupt(act)
            case Overriding() as command:
                self._override(command)
            case Amending() as command:
                self._amend(command)
            case Undoing():
                if not self._table.model.can_undo:
                    raise Unscripted("nothing_to_undo", "there is nothing to take back")
                self._table.dispatch(intents.Undo())
            case Redoing():
                if not self._table.model.can_redo:
                    raise Unscripted("nothing_to_redo", "there is nothing to bring back")
                self._table.dispatch(intents.Redo())
            case Branching(step=step):
                self._table.dispatch(intents.Branch(self._table.branch_end(step) if isinstance(step, str) else step))
            case Naming(name=name, step=step):
                self._table.dispatch(intents.NameBranch(self._table.model.head or 0 if step is None else step, name))
            case Trying(what=what):
                self._table.dispatch(intents.WhatIf(what))
            case Refusing() as command:
                return self._refuse(command)
            case Expecting(state=expected):
                self._expect(expected, self._log)
        return None

    def _expect(self, expected: Mapping[str, Plain], log: Sequence[str]) -> None:
        model = self._table.model
        request = None if model.pending is None else model.pending.request
        _unless(differences(self._table.ruleset, model.state, expected, request=request, log=log))

    def _compare(self, entry: Entry, before: Model | None) -> None:
        if left := [key for key, acts in self._table.interrupts.items() if acts]:
            raise Unscripted("interrupt_left", f"nothing asked for {left[0]}", "every interrupted request to be asked")
        if entry.asks is not None or entry.checked is not None:
            made, pending = self._steps_since(before), self._table.model.pending
            answers = [*(record.answers for record in made), *([] if pending is None else [pending.answers])]
            entries = [*(record.entries for record in made), *([] if pending is None else [pending.entries])]
            if entry.asks is not None:
                _unless(different_questions([key for each in answers for key, _ in each], entry.asks))
            if entry.checked is not None:
                _unless(different_checks([one for each in entries for one in each], entry.checked))
        if entry.expect is not None:
            self._expect(entry.expect, self._lines(before))

    def _start(self, command: DoActions) -> AnswerQueue:
        actions = tuple(self._table.compile(act) for act in command.acts)
        answers = answers_of(command, actions, self._table.compile)
        self._table.dispatch(intents.Do(actions, command.forced))
        return answers

    def _advance(self, command: Advancing) -> None:
        feed = self._table.feed(command.answers)
        if command.until is None:
            for left in range(command.times - 1, -1, -1):
                self._table.dispatch(intents.Advance())
                self._table.finish(self._table.feed(Listed()) if left else feed)
            return
        for _ in range(MOST_ADVANCES):
            reached = clock_reached(self._table.model.state, command.until)
            if reached is None:
                raise Unscripted("passed", f"the clock is at {self._now()} already", _until_words(command.until))
            if reached:
                self._table.exhausted(feed)
                return
            self._table.dispatch(intents.Advance())
            self._table.finish(feed, last=False)
            if self._table.model.pending is not None:
                return
        text = f"{MOST_ADVANCES} steps on, the clock is at {self._now()}"
        raise Unscripted("never_reached", text, _until_words(command.until))

    def _now(self) -> str:
        clock = self._table.model.state.clock
        return f"round {clock.round}" + (f", {clock.at}" if clock.at else "")

    def _reply(self, written: WrittenAnswer) -> None:
        request = self._table.wait()
        feed = self._table.feed(Listed((written,)))
        answer = feed.take_only(request)
        self._table.dispatch(intents.Reply(answer))
        self._table.finish(feed)
        self._overruled()

    def _interrupt(self, act: WrittenAction) -> None:
        feed = self._table.feed(Listed())
        self._table.interrupt(feed, act)
        self._table.finish(feed)
        self._overruled()

    def _override(self, command: Overriding) -> None:
        if command.step is None:
            self._table.wait()
        else:
            self._table.record(command.step)
        self._table.dispatch(intents.Override(command.key, value_of(command.value), command.step))
        self._table.finish(self._table.feed(command.answers))
        self._overruled()

    def _overruled(self) -> None:
        """Check that each override of the last step replaced a computed value."""
        if self._table.model.pending is not None or self._table.model.head is None:
            return
        record = self._table.record(self._table.model.head)
        overruled = {entry.event.key for entry in record.entries if isinstance(entry.event, Overruled)}
        for key, _ in record.step.overrides:
            if key not in overruled:
                raise Unscripted("no_such_value", f'the step computed no "{key}"', "a value to overrule")

    def _amend(self, command: Amending) -> None:
        record = self._table.record(command.step)
        asked_then = self._table.session.asked_at(command.step, command.key)
        if asked_then is None:
            keys = ", ".join(key for key, _ in record.answers) or "nothing"
            raise Unscripted("no_such_answer", f'step {command.step} did not ask "{command.key}" (it asked {keys})')
        answer = answer_to(asked_then.request, command.answer, self._table.compile)
        feed = self._table.feed(command.answers)
        feed.add_nested(asked_then.request, answer, command.answer)
        self._table.dispatch(intents.Amend(command.step, ((command.key, answer),), command.refused))
        self._table.finish(feed)

    def _refuse(self, command: Refusing) -> Refusal:
        """Try a command that must be refused, and leave the fight unchanged."""
        before = self._table.model if self._table.started else None
        try:
            match command.command:
                case Opening(answers=answers):
                    self._table.open()
                    self._table.finish(self._table.feed(answers))
                case DoActions() as doing:
                    feed = self._start(doing)
                    while feed.unused and self._table.model.pending is not None:
                        request = self._table.model.pending.request
                        answer = feed.take(request)
                        self._table.dispatch(intents.Reply(answer) if answer else self._table.unscripted(feed, request))
                case Answering(answer=written):
                    answer = self._table.feed(Listed((written,))).take_only(self._table.wait())
                    self._table.dispatch(intents.Reply(answer))
                case Interrupting(act=act):
                    self._table.wait()
                    self._table.dispatch(intents.Interrupt(self._table.compile(act)))
                case Advancing():
                    self._table.dispatch(intents.Advance())
        except Refused as refused:
            refusal = refused.refusal
        else:
            came = "pending" if self._table.model.pending is not None else "done"
            expected = f"refused by {command.rule}" if command.rule else "refused"
            raise Unscripted("not_refused", f"it was not refused: {came}", expected)
        self._table.take_back(before)
        if command.rule and refusal.rule != command.rule:
            came = f"{refusal.text} ({refusal.rule or refusal.reason})"
            raise Unscripted("other_rule", came, f"refused by {command.rule}")
        if command.says not in refusal.text:
            raise Unscripted("other_words", refusal.text, f'refused with "{command.says}"')
        if before is not None and self._table.model.state != before.state:
            raise Unscripted("changed", "what was refused changed the state", "refused, the state unchanged")
        return refusal


def _unless(found: Sequence[Difference]) -> None:
    if found:
        came = "; ".join(f"{part.path} is {part.came}" for part in found)
        raise Unscripted("expectation", came, "; ".join(map(str, found)))


def _until_words(until: Mapping[str, Plain] | NamedRound) -> str:
    return until.words if isinstance(until, NamedRound) else shown(until)
