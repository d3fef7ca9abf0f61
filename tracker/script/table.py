"""The fight of a script, whose requests are answered by the script, the program's dice and the defaults."""

from __future__ import annotations

from collections.abc import Callable

from tracker.core.fight.state import State
from tracker.core.game.ruleset import Ruleset
from tracker.core.terms.actions import Action
from tracker.core.terms.errors import Refused, RulesBug, TrackerError
from tracker.core.terms.requests import Request
from tracker.script.entries import GivenAnswers, WrittenAction
from tracker.script.names import AnswerQueue, FindMembers, asked, compile_act
from tracker.session import intents
from tracker.session.model import Model, StepRecord
from tracker.session.session import Session

MOST_ADVANCES = 2_000


class Unscripted(TrackerError):
    """A difference between a run and its script: what was expected, and what happened."""

    def __init__(self, reason: str, text: str, expected: str = "", request: Request | None = None) -> None:
        super().__init__(text, reason)
        self.expected, self.request = expected, request


class ScriptedFight:
    """A fight that `begin` opens; with `rolls`, the session's roller rolls unwritten dice.

    Attributes:
        hold: leave the step pending at the first request without an answer.
        interrupts: the remaining actions that interrupt before requests, by the keys of the requests.
    """

    def __init__(
        self, ruleset: Ruleset, begin: Callable[[], Session], *, rolls: bool = False, enlist: FindMembers | None = None
    ) -> None:
        self.ruleset, self.hold = ruleset, False
        self._begin, self._rolls, self._enlist = begin, rolls, enlist
        self._session: Session | None = None
        self.interrupts: dict[str, list[WrittenAction]] = {}

    # -- the session ---------------------------------------------------------------------------------------------------

    @property
    def session(self) -> Session:
        """The session; raises Unscripted before the start."""
        if self._session is None:
            raise Unscripted("not_started", "the fight has not started")
        return self._session

    @property
    def model(self) -> Model:
        return self.session.model

    @property
    def started(self) -> bool:
        return self._session is not None

    def open(self) -> None:
        try:
            self._session = self._begin()
        except RulesBug as bug:
            raise Unscripted("problem", bug.message) from bug
        _check(self.model)

    def close(self) -> None:
        if self._session is not None:
            self._session.close()

    def dispatch(self, intent: intents.Intent) -> None:
        """Dispatch an intent.

        Raises:
            Refused: the rules forbid it.
            Unscripted: the session has a problem.
        """
        _check(self.session.dispatch(intent))

    def compile(self, act: WrittenAction) -> Action:
        return compile_act(self.ruleset, self.model.state, act, self._enlist)

    def feed(self, given: GivenAnswers) -> AnswerQueue:
        return AnswerQueue(given, self.compile)

    def record(self, number: int) -> StepRecord:
        record = next((record for record in self.model.steps if record.seq == number), None)
        if record is None:
            steps = ", ".join(str(record.seq) for record in self.model.steps)
            raise Unscripted("no_such_step", f"there is no step {number} here (there are {steps or 'none'})")
        return record

    def branch_end(self, name: str) -> int:
        """Return the last step of the branch of this name."""
        tips = self.session.branches()
        end = next((tip.seq for tip in tips if tip.name == name), None)
        if end is None:
            known = ", ".join(dict.fromkeys(tip.name for tip in tips if tip.name))
            words = f"there are {known}" if known else "none has a name"
            raise Unscripted("no_such_branch", f'there is no branch "{name}" ({words})')
        return end

    def take_back(self, before: Model | None) -> State:
        """Undo back to before an entry, if possible, and return that state."""
        if before is None:
            return self.model.state if self.started else State()
        for _ in range(MOST_ADVANCES):
            now = self.model
            if not now.can_undo or _same(now, before) or _further_back(now, before):
                break
            self.session.dispatch(intents.Undo())
        return before.state

    # -- requests ------------------------------------------------------------------------------------------------------

    def wait(self) -> Request:
        """Return the pending request; raises Unscripted if there is none."""
        if self.model.pending is None:
            raise Unscripted("nothing_pending", "no request is pending", "a pending request")
        return self.model.pending.request

    def finish(self, feed: AnswerQueue, *, last: bool = True) -> None:
        """Answer the requests of the step until it is done or held; `last`: every answer must be used by then."""
        while self.model.pending is not None:
            request = self.model.pending.request
            if self.interrupts.get(request.key):
                self.interrupt(feed, self.interrupts[request.key].pop(0))
                continue
            answer = feed.take(request)
            if answer is None and self.hold and not feed.waiting(request):
                break
            self.dispatch(intents.Reply(answer) if answer else self.unscripted(feed, request))
        if last or self.model.pending is not None:
            self.exhausted(feed)

    def interrupt(self, feed: AnswerQueue, act: WrittenAction) -> None:
        """Put an action before the pending request."""
        request, interrupted = self.wait(), self.model.pending_step
        place = 1 + (0 if interrupted is None else len(interrupted.interrupts))
        feed.add_scope(f"{request.key}!{place}/", act.answers)
        self.dispatch(intents.Interrupt(self.compile(act)))

    def unscripted(self, feed: AnswerQueue, request: Request) -> intents.Reply | intents.RollRest:
        """Return the reply that the script leaves out: the program's dice, or the default."""
        answer = request.default_answer
        if self._rolls and request.can_auto_answer:
            alone = feed.unused or self.hold
            return intents.Reply() if alone else intents.RollRest()  # the rest in one pass: it may be hundreds of dice
        if answer is None:
            waiting = f"the next answer, {feed.unused}, does not fit" if feed.waiting(request) else ""
            text = f"{asked(request)}; {waiting or 'the script has no answer'}"
            raise Unscripted("no_answer", text, "an answer", request)
        return intents.Reply(answer)

    def exhausted(self, feed: AnswerQueue) -> None:
        """Raise Unscripted if an answer is left."""
        if feed.unused:
            raise Unscripted("answer_left", f"nothing asked for {feed.unused}", "every answer to be asked for")


def _check(model: Model) -> None:
    if model.refusal is not None:
        raise Refused(model.refusal)
    if model.problem:
        raise Unscripted("problem", model.problem)


def _same(now: Model, before: Model) -> bool:
    return now.head == before.head and _pending(now) == _pending(before)


def _pending(model: Model) -> object:
    return None if model.pending is None else (model.pending_step, model.pending.answers)


def _further_back(now: Model, before: Model) -> bool:
    """Tell whether more has been taken back than the entry did."""
    return now.pending is None and now.head in (before.head, *(record.seq for record in before.steps))
