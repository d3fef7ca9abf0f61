"""The player of scripts: it does to a session what the entries of a script say, and reports what came of each.

1. An entry is played whole or not at all: what is refused, or answered as it cannot be, is taken back, and the run
stops there.
2. A request gets the answer written for it, else a throw of the seeded generator, else its default; with none of them
the run stops, the step pending.
3. An entry holds its step at the first request without an answer where it says `pending: true`, or where the next entry
acts on a pending step.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Literal

from msgspec import Struct

from tracker.core import run as step
from tracker.core.fight.events import Overruled
from tracker.core.fight.state import State
from tracker.core.game.ruleset import Ruleset
from tracker.core.terms.actions import Action, Refusal
from tracker.core.terms.errors import Refused, RulesBug, TrackerError
from tracker.core.terms.requests import Request
from tracker.script.answers import Feed, answer_to, asked
from tracker.script.document import clock_reached, differences, shown
from tracker.script.entries import (
    Act,
    Advancing,
    Amending,
    Answering,
    Branching,
    Doing,
    Entry,
    Expecting,
    Interrupting,
    Listed,
    Naming,
    Opening,
    Overriding,
    Redoing,
    Refusing,
    Trying,
    Undoing,
    Written,
)
from tracker.script.names import Enlist, compile_act, value_of
from tracker.session import intents
from tracker.session.model import Model, StepRecord
from tracker.session.session import Session

__all__ = ["Played", "Player", "Told"]

MOST_ADVANCES = 2_000


class Unscripted(TrackerError):
    """A run that did not go as the script says: what was expected, and what came."""

    def __init__(self, reason: str, text: str, expected: str = "", request: Request | None = None) -> None:
        super().__init__(text, reason)
        self.expected, self.request = expected, request


class Told(Struct, frozen=True):
    """A step that was done, and the states after and before it."""

    record: StepRecord
    state: State
    before: State


class Played(Struct, frozen=True):
    """What came of an entry.

    Attributes:
        entry: the entry.
        outcome: `done`, `pending`, `refused`, or `failed` where the script was wrong about it.
        ok: whether the script said so.
        told: the steps it made, or brought back.
        request: what the pending step asks.
        reason, text, rule: why it was refused or failed.
        expected: what the script said instead.
    """

    entry: Entry
    outcome: Literal["done", "pending", "refused", "failed"]
    ok: bool = True
    told: tuple[Told, ...] = ()
    request: Request | None = None
    reason: str = ""
    text: str = ""
    rule: str = ""
    expected: str = ""


class Player:
    """Plays entries on one fight, which `begin` opens when it is time; `throws`: what the script leaves out, the session's roller throws.

    Attributes:
        shown: the state to print: of the fight as it stands, or as it was before an entry that failed.
    """

    def __init__(
        self, ruleset: Ruleset, begin: Callable[[], Session], throws: bool = False, enlist: Enlist | None = None
    ) -> None:
        self.ruleset, self.shown = ruleset, State()
        self._begin, self._throws, self._enlist = begin, throws, enlist
        self._session: Session | None = None
        self._hold = False

    def play(self, entries: Sequence[Entry]) -> Iterator[Played]:
        """Play entries until one fails; the start is played first where the script leaves it out, and is only reported if it fails or stays open."""
        script = list(entries)
        if not script or not isinstance(script[0].deed, Opening):
            script.insert(0, Entry(Opening()))
        for entry, following in zip(script, [*script[1:], None], strict=True):
            self._hold = entry.pending or (following is not None and following.on_pending)
            played = self._played(entry)
            if entry.number or not played.ok:
                yield played
            if not played.ok:
                return

    @property
    def model(self) -> Model:
        """The fight as it stands."""
        return self._fight.model

    @property
    def _fight(self) -> Session:
        if self._session is None:
            raise Unscripted("not_started", "the fight has not started")
        return self._session

    def close(self) -> None:
        """Let others write the fight, if one was opened."""
        if self._session is not None:
            self._session.close()

    def _played(self, entry: Entry) -> Played:
        before = None if self._session is None else self._session.model
        try:
            refusal = self._perform(entry)
        except Refused as refused:
            self._take_back(before)
            found = refused.refusal
            return Played(
                entry, "refused", False, reason=found.reason, text=found.text, rule=found.rule, expected="done"
            )
        except Unscripted as failure:
            if failure.reason == "no_answer":
                self.shown = self.model.state
            else:
                self._take_back(before)
            return Played(
                entry,
                "failed",
                False,
                request=failure.request,
                reason=failure.reason,
                text=failure.message,
                expected=failure.expected,
            )
        self.shown = self.model.state
        if refusal is not None:
            return Played(entry, "refused", reason=refusal.reason, text=refusal.text, rule=refusal.rule)
        held = set() if before is None else {record.seq for record in before.steps}
        if self.model.pending is not None and not isinstance(entry.deed, Expecting):
            return Played(entry, "pending", request=self.model.pending.request)
        told = tuple(
            Told(record, self._fight.state_at(record.seq), self._fight.state_at(record.parent))
            for record in self.model.steps
            if record.seq not in held
        )
        return Played(entry, "done", told=told)

    def _take_back(self, before: Model | None) -> None:
        """Bring the fight back to where it was before an entry; the state that is shown is that one in any case."""
        if before is None:
            self.shown = State() if self._session is None else self._session.model.state
            return
        self.shown = before.state
        for _ in range(MOST_ADVANCES):
            now = self.model
            if not now.can_undo or _same(now, before) or _further_back(now, before):
                return
            self._fight.dispatch(intents.Undo())

    # -- entries -------------------------------------------------------------------------------------------------------

    def _perform(self, entry: Entry) -> Refusal | None:
        """Play one entry; return the refusal that it asked for."""
        match entry.deed:
            case Opening(answers=answers):
                self._open()
                self._finish(Feed(answers, self._compile))
            case Doing() as deed:
                self._finish(self._start(deed))
            case Advancing() as deed:
                self._advance(deed)
            case Answering(answer=said):
                self._reply(said)
            case Interrupting(act=act):
                self._interrupt(act)
            case Overriding() as deed:
                self._override(deed)
            case Amending() as deed:
                self._amend(deed)
            case Undoing():
                if not self.model.can_undo:
                    raise Unscripted("nothing_to_undo", "there is nothing to take back")
                self._dispatch(intents.Undo())
            case Redoing():
                if not self.model.can_redo:
                    raise Unscripted("nothing_to_redo", "there is nothing to bring back")
                self._dispatch(intents.Redo())
            case Branching(step=step):
                self._dispatch(intents.Branch(self._end_of(step) if isinstance(step, str) else step))
            case Naming(name=name, step=step):
                self._dispatch(intents.NameBranch(self.model.head or 0 if step is None else step, name))
            case Trying(what=what):
                self._dispatch(intents.WhatIf(what))
            case Refusing() as deed:
                return self._refuse(deed)
            case Expecting(state=expected):
                found = differences(self.ruleset, self.model.state, expected)
                if found:
                    raise Unscripted(
                        "expectation",
                        "; ".join(f"{part.path} is {part.came}" for part in found),
                        "; ".join(map(str, found)),
                    )
        return None

    def _end_of(self, name: str) -> int:
        tips = self._fight.branches()
        found = [tip.seq for tip in tips if tip.name == name]
        if not found:
            known = ", ".join(dict.fromkeys(tip.name for tip in tips if tip.name))
            raise Unscripted(
                "no_such_branch",
                f'there is no branch "{name}" ({f"there are {known}" if known else "none has a name"})',
            )
        return found[0]

    def _open(self) -> None:
        try:
            self._session = self._begin()
        except RulesBug as bug:
            raise Unscripted("problem", bug.message) from bug
        self._checked(self.model)

    def _start(self, deed: Doing) -> Feed:
        """Set out to do an action or a group; return the answers for it."""
        actions = tuple(self._compile(act) for act in deed.acts)
        alone = len(actions) == 1
        feed = Feed(deed.acts[0].answers or deed.answers if alone else deed.answers, self._compile)
        if not alone:
            for place, (act, action) in enumerate(zip(deed.acts, actions, strict=True), start=1):
                feed.below(f"{place}:{action.by or action.key}/", act.answers)
        self._dispatch(intents.Do(actions, deed.forced))
        return feed

    def _advance(self, deed: Advancing) -> None:
        feed = Feed(deed.answers, self._compile)
        if deed.until is None:
            self._dispatch(intents.Advance())
            self._finish(feed)
            return
        for _ in range(MOST_ADVANCES):
            there = clock_reached(self.model.state, deed.until)
            if there is None:
                raise Unscripted("passed", f"the clock is at {self._now()} already", shown(deed.until))
            if there:
                self._exhausted(feed)
                return
            self._dispatch(intents.Advance())
            self._finish(feed, last=False)
            if self.model.pending is not None:
                return
        raise Unscripted("never_reached", f"{MOST_ADVANCES} steps on, the clock is at {self._now()}", shown(deed.until))

    def _now(self) -> str:
        clock = self.model.state.clock
        return f"round {clock.round}" + (f", {clock.at}" if clock.at else "")

    def _reply(self, said: Written) -> None:
        request = self._request()
        feed = Feed(Listed((said,)), self._compile)
        answer = feed.demand(request)
        self._dispatch(intents.Reply(answer))
        self._finish(feed)
        self._overruled()

    def _interrupt(self, act: Act) -> None:
        request = self._request()
        interrupted = self.model.pending_step
        place = 1 + (0 if interrupted is None else len(interrupted.interrupts))
        feed = Feed(Listed(), self._compile)
        feed.below(f"{request.key}!{place}/", act.answers)
        self._dispatch(intents.Interrupt(self._compile(act)))
        self._finish(feed)
        self._overruled()

    def _override(self, deed: Overriding) -> None:
        if deed.step is None:
            self._request()
        else:
            self._record(deed.step)
        self._dispatch(intents.Override(deed.key, value_of(deed.value), deed.step))
        self._finish(Feed(deed.answers, self._compile))
        self._overruled()

    def _overruled(self) -> None:
        """See to it that every value put into the step that is done now took the place of a computed one."""
        if self.model.pending is not None or self.model.head is None:
            return
        record = self._record(self.model.head)
        found = {entry.event.key for entry in record.entries if isinstance(entry.event, Overruled)}
        for key, _ in record.step.overrides:
            if key not in found:
                raise Unscripted("no_such_value", f'the step computed no "{key}"', "a value to overrule")

    def _amend(self, deed: Amending) -> None:
        record = self._record(deed.step)
        others = tuple((key, answer) for key, answer in record.answers if key != deed.key)
        asked_then = step.run(self.ruleset, self._fight.state_at(record.parent), record.step, others)
        if not isinstance(asked_then, step.Pending) or asked_then.request.key != deed.key:
            keys = ", ".join(key for key, _ in record.answers) or "nothing"
            raise Unscripted("no_such_answer", f'step {deed.step} did not ask "{deed.key}" (it asked {keys})')
        answer = answer_to(asked_then.request, deed.answer, self._compile)
        feed = Feed(deed.answers, self._compile)
        feed.nest(asked_then.request, answer, deed.answer)
        self._dispatch(intents.Amend(deed.step, ((deed.key, answer),), deed.refused))
        self._finish(feed)

    def _refuse(self, deed: Refusing) -> Refusal:
        """Try what must be refused; the fight is as it was afterwards."""
        before = self.model
        try:
            match deed.deed:
                case Doing() as doing:
                    feed = self._start(doing)
                    while feed.unused and self.model.pending is not None:
                        request = self.model.pending.request
                        answer = feed.take(request)
                        self._dispatch(intents.Reply(answer) if answer else self._unscripted(feed, request))
                case Answering(answer=said):
                    self._dispatch(intents.Reply(Feed(Listed((said,)), self._compile).demand(self._request())))
                case Interrupting(act=act):
                    self._request()
                    self._dispatch(intents.Interrupt(self._compile(act)))
                case Advancing():
                    self._dispatch(intents.Advance())
        except Refused as refused:
            refusal = refused.refusal
        else:
            came = "pending" if self.model.pending is not None else "done"
            raise Unscripted(
                "not_refused", f"it was not refused: {came}", f"refused by {deed.rule}" if deed.rule else "refused"
            )
        self._take_back(before)
        if deed.rule and refusal.rule != deed.rule:
            raise Unscripted(
                "other_rule", f"{refusal.text} ({refusal.rule or refusal.reason})", f"refused by {deed.rule}"
            )
        if self.model.state != before.state:
            raise Unscripted("changed", "what was refused changed the state", "refused, the state unchanged")
        return refusal

    # -- requests ------------------------------------------------------------------------------------------------------

    def _finish(self, feed: Feed, last: bool = True) -> None:
        """Answer what the step asks until it is done or held; `last`: every answer must have been used by then."""
        while self.model.pending is not None:
            request = self.model.pending.request
            answer = feed.take(request)
            if answer is None and self._hold and not feed.waiting(request):
                break
            self._dispatch(intents.Reply(answer) if answer else self._unscripted(feed, request))
        if last or self.model.pending is not None:
            self._exhausted(feed)

    def _unscripted(self, feed: Feed, request: Request) -> intents.Reply | intents.RollRest:
        """Return the reply to a request that the script says nothing about: the program's dice, or the default."""
        answer = request.usual
        if self._throws and request.drawable:
            return (
                intents.Reply() if feed.unused or self._hold else intents.RollRest()
            )  # the rest in one pass: it may be hundreds of dice
        if answer is None:
            came = (
                f"; the next answer, {feed.unused}, is none" if feed.waiting(request) else "; the script has no answer"
            )
            raise Unscripted("no_answer", asked(request) + came, "an answer", request)
        return intents.Reply(answer)

    def _exhausted(self, feed: Feed) -> None:
        if feed.unused:
            raise Unscripted("answer_left", f"nothing asked for {feed.unused}", "every answer to be asked for")

    def _request(self) -> Request:
        if self.model.pending is None:
            raise Unscripted("nothing_pending", "no request is pending", "a pending request")
        return self.model.pending.request

    def _record(self, number: int) -> StepRecord:
        found = next((record for record in self.model.steps if record.seq == number), None)
        if found is None:
            steps = ", ".join(str(record.seq) for record in self.model.steps)
            raise Unscripted("no_such_step", f"there is no step {number} here (there are {steps or 'none'})")
        return found

    def _dispatch(self, intent: intents.Intent) -> None:
        self._checked(self._fight.dispatch(intent))

    def _checked(self, model: Model) -> None:
        if model.refusal is not None:
            raise Refused(model.refusal)
        if model.problem:
            raise Unscripted("problem", model.problem)

    def _compile(self, act: Act) -> Action:
        return compile_act(self.ruleset, self.model.state, act, self._enlist)


def _same(now: Model, before: Model) -> bool:
    waiting = (
        None if model.pending is None else (model.pending_step, model.pending.answers) for model in (now, before)
    )
    return now.head == before.head and next(waiting) == next(waiting)


def _further_back(now: Model, before: Model) -> bool:
    """Tell whether more has been taken back than the entry did: the step that was pending is gone, or the fight stands at an earlier one."""
    if now.head == before.head:
        return now.pending is None
    return any(record.seq == now.head for record in before.steps) and now.pending is None
