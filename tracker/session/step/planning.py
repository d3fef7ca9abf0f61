"""Planning: what an intent would make of a fight. Nothing is written or changed here; the session carries a plan out."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from itertools import count

from msgspec import UNSET, Struct, UnsetType
from msgspec.structs import replace

from tracker.core.fight.events import Entry, Overruled
from tracker.core.fight.state import State
from tracker.core.run import Interruption, Pending, Step
from tracker.core.terms.actions import Action, Refusal
from tracker.core.terms.errors import CorruptJournal, Refused
from tracker.core.terms.requests import Answer, Thrown
from tracker.core.terms.values import Value
from tracker.session.intents import Amend, Do, Trying
from tracker.session.model import AmendReport, StepRecord
from tracker.session.rows import RedoChange
from tracker.session.settings import by_program
from tracker.session.step.amending import Amendment, Drawn
from tracker.session.step.draft import Draft, Mark, Position, Sandbox, read_position
from tracker.session.step.runner import Outcome, Runner

__all__ = ["Plan", "Planner", "question"]

LONGEST_NAME = 60

# What the GM may do to a fight in the middle of a step, whatever the game: it enters the step as an interruption.
_ANY_TIME = frozenset(
    {
        "damage",
        "heal",
        "set",
        "add_effect",
        "end_effect",
        "status",
        "insert",
        "wave",
        "remove",
        "move",
        "house_rule",
        "note",
        "side",
        "rename",
        "place",
        "roll",
        "dismiss",
    }
)  # fmt: skip - a plain list of names


class Plan(Struct, frozen=True):
    """What changes: new steps with the states after them, where the fight stands then, and what `Redo` leads to.

    `notice` says what could not be taken over as it was; `restored` is what `Redo` leads to where `redo` says so;
    `sandbox`: the what-if that is open
    then, if that changes; `names` are given to branches by a step on each.
    """

    position: Position
    pending: Pending | None = None
    done: tuple[tuple[StepRecord, State], ...] = ()
    redo: RedoChange = "clear"
    report: AmendReport | None = None
    notice: str = ""
    restored: tuple[Position, ...] = ()
    sandbox: Sandbox | UnsetType | None = UNSET
    names: tuple[tuple[int, str], ...] = ()


class Planner(Struct, frozen=True):
    """A fight, where it stands, the request it waits with, and the what-if that is open."""

    runner: Runner
    position: Position
    pending: Pending | None
    sandbox: Sandbox | None = None

    # -- steps ---------------------------------------------------------------------------------------------------------

    def begin(self, step: Step) -> Plan:
        """Begin a step; raises Refused where the rules do not allow it."""
        if self.pending is not None:
            raise _refused("pending", f"first answer what is asked: {question(self.pending)}")
        return self._run(Draft(step))

    def do(self, intent: Do) -> Plan:
        """Begin a step of actions; while another step waits, one GM action may interrupt it."""
        actions = intent.actions
        if not actions:
            raise _refused("nothing_to_do", "there is no action in this")
        if self.pending is not None and len(actions) == 1 and actions[0].by is None and actions[0].key in _ANY_TIME:
            return self.interrupt(actions[0])
        return self.begin(Step("do", actions, forced=intent.forced))

    def reply(self, answer: Answer | None) -> Plan:
        """Answer the pending request."""
        draft, pending = self._waiting()
        if answer is None:
            answer = by_program(self.runner.settings, pending.request, dict(draft.aside))
            if answer is None:
                raise _refused("no_default", f"there is no default: {question(pending)}", at=pending.request.key)
        elif isinstance(answer, Thrown):
            answer = replace(answer, typed=True)
        key = pending.request.key
        mark = Mark("answer", draft.asked, len(draft.answers))
        return self._run(replace(draft, answers=(*draft.answers, (key, answer)), marks=(*draft.marks, mark)), key)

    def rest(self) -> Plan:
        """Let the program answer the rest of the step, as far as it can."""
        draft, pending = self._waiting()
        plan = self._run(
            replace(draft, marks=(*draft.marks, Mark("answer", draft.asked, len(draft.answers)))), rest=True
        )
        if plan.pending is not None and plan.pending.request.key == pending.request.key:
            raise _refused("no_default", f"the program cannot answer this: {question(pending)}", at=pending.request.key)
        return plan

    def interrupt(self, action: Action) -> Plan:
        """Perform an action before the pending request."""
        draft, _ = self._waiting()
        step = replace(draft.step, interrupts=(*draft.step.interrupts, Interruption(draft.asked, action)))
        return self._run(
            replace(draft, step=step, marks=(*draft.marks, Mark("interrupt", draft.asked, len(draft.answers))))
        )

    def override(self, key: str, value: Value) -> Plan:
        """Put a value in the place of a computed one of the pending step."""
        draft, _ = self._waiting()
        step = replace(draft.step, overrides=(*draft.step.overrides, (key, value)))
        return self._run(
            replace(
                draft, step=step, marks=(*draft.marks, Mark("override", draft.asked, len(draft.answers), draft.answers))
            )
        )

    def _waiting(self) -> tuple[Draft, Pending]:
        draft = self.position.draft
        if draft is None or self.pending is None:
            raise _refused("nothing_asked", "nothing is being asked")
        return draft, self.pending

    def _run(self, draft: Draft, key: str = "", rest: bool = False) -> Plan:
        head = self.position.head
        outcome, draft = self.runner.run(self.runner.history.state(head), draft, {key} if key else (), rest)
        return self._after(draft, outcome)

    def _after(self, draft: Draft, outcome: Outcome) -> Plan:
        head = self.position.head
        if isinstance(outcome, Refusal):
            raise Refused(outcome)
        if isinstance(outcome, Pending):
            return Plan(Position(head, draft), outcome)
        record = self.runner.record(self.runner.history.next, head, draft, outcome)
        if not draft.amends or draft.back is None:
            return Plan(Position(record.seq), done=((record, outcome.state),))
        amendment = Amendment(self.runner, head, draft.refused, draft.back, {})
        amendment.take(record, outcome.state)
        amendment.later(draft.later, draft.carried)
        return Plan(amendment.position, amendment.pending, amendment.steps(), report=amendment.report(record.seq))

    # -- amending ------------------------------------------------------------------------------------------------------

    def amend(self, intent: Amend, drawn: Drawn, override: tuple[str, Value] | None = None) -> Plan:
        """Do a step again with other answers or actions in the place of its own, or with an override, and every later one after it."""
        seq, answers, refused = intent.step, intent.answers, intent.refused
        path = self.runner.history.path(self.position.head)
        place = next((place for place, record in enumerate(path) if record.seq == seq), None)
        if place is None:
            raise _refused("no_such_step", f"step {seq} is not on this branch")
        old = path[place]
        step, recorded = old.step, dict(old.answers)
        if strange := [key for key, _ in answers if key not in recorded]:
            raise _refused(
                "no_such_request",
                f'step {seq} did not ask for "{strange[0]}" ({", ".join(recorded) or "it asked nothing"})',
            )
        if intent.actions is not None:
            if step.kind != "do" or not intent.actions:
                raise _refused("no_action", f"step {seq} is no action that could be another one")
            step = replace(step, actions=intent.actions)
        given = recorded | {key: _amended(recorded[key], answer) for key, answer in answers}
        if override is not None:
            step = replace(step, overrides=(*step.overrides, override))
        amendment = Amendment(self.runner, old.parent, refused, self.position, drawn)
        later, carried = tuple(record.seq for record in path[place + 1 :]), self.position.draft
        if amendment.first(old, step, tuple(given.items()), [key for key, _ in answers]):
            amendment.later(later, carried)
        else:
            amendment.wait(later, carried)
        if override is not None and not _overruled(amendment, override[0]):
            raise _refused("no_such_ruling", f'step {seq} has no ruling "{override[0]}"')
        return Plan(amendment.position, amendment.pending, amendment.steps(), report=amendment.report(seq))

    # -- there and back ------------------------------------------------------------------------------------------------

    def can_undo(self) -> bool:
        """Tell whether there is anything to take back."""
        return not self._at_start() and self._before() is not None

    def undo(self) -> Plan:
        """Take back the last thing that was done."""
        if self._at_start():
            raise _refused("what_if_begins", "the what-if begins here: to go further back, drop it (w)")
        before = self._before()
        if before is None:
            raise _refused("nothing_to_undo", "nothing is left to take back")
        return self.stand(before, "push")

    def what_if(self, what: Trying, redo: tuple[Position, ...], names: Mapping[int, str]) -> Plan:
        """Begin to try things, or end it; `redo` is what `Redo` leads to, `names` those that branches have."""
        sandbox, history = self.sandbox, self.runner.history
        if what == "begin":
            if sandbox is not None:
                raise _refused("what_if_open", "a what-if is open already: keep it or drop it first")
            begun = Sandbox(self.position, history.next, question(self.pending), redo)
            return Plan(self.position, self.pending, redo="clear", sandbox=begun)
        if sandbox is None:
            raise _refused("no_what_if", f"there is nothing to {what}: no what-if is open")
        dropped = what == "drop" or self.position == sandbox.start
        plan = (
            replace(self.stand(sandbox.start, "restore"), restored=sandbox.redo)
            if dropped
            else Plan(self.position, self.pending, redo="keep")
        )
        ends = history.ends(plan.position.head)
        left = [seq for seq in ends if seq >= sandbox.first and seq not in names]
        return replace(plan, sandbox=None, names=tuple(zip(left, _free_names(names.values()), strict=False)))

    def name(self, step: int, name: str) -> Plan:
        """Name the branch a step lies on."""
        if step not in self.runner.history.records:
            raise _refused("no_such_step", f"there is no step {step}")
        words = " ".join(name.split())
        if len(words) > LONGEST_NAME:
            raise _refused("name_too_long", f"a name has at most {LONGEST_NAME} letters; this has {len(words)}")
        return Plan(self.position, self.pending, redo="keep", names=((step, words),))

    def _at_start(self) -> bool:
        """Tell whether nothing that was tried leads to where the fight stands, so that there is nothing to take back before the what-if is dropped."""
        sandbox, position = self.sandbox, self.position
        if sandbox is None or (position.head or 0) >= sandbox.first:
            return False
        draft, begun = position.draft, sandbox.start.draft
        if draft is None:
            return True
        same = (
            begun is not None and position.head == sandbox.start.head and draft.marks[: len(begun.marks)] == begun.marks
        )
        return (
            same
            and begun is not None
            and begun.step.actions == draft.step.actions
            and len(draft.marks) <= len(begun.marks)
        )

    def stand(self, position: Position, redo: RedoChange) -> Plan:
        """Take up a position: replay its pending step; where the rules ask otherwise now, offer it again from its first question."""
        draft = position.draft
        if draft is None:
            return Plan(position, redo=redo)
        state = self.runner.history.state(position.head)
        pending = self.runner.replay(state, draft)
        if pending is not None:
            return Plan(Position(position.head, replace(draft, answers=pending.answers)), pending, redo=redo)
        aside = tuple((dict(draft.aside) | dict(draft.recorded) | dict(draft.answers)).items())
        outcome, draft = self.runner.run(state, replace(draft, answers=(), recorded=(), marks=(), aside=aside))
        if isinstance(outcome, Pending):
            again = "the rules ask otherwise than when this step was begun: it starts again from its first question"
            return Plan(Position(position.head, draft), outcome, redo=redo, notice=again)
        why = outcome.text if isinstance(outcome, Refusal) else "it asks nothing any more"
        return Plan(
            Position(position.head),
            redo=redo,
            notice=f"the step that was pending is left out, for the rules have changed: {why}",
        )

    def _before(self) -> Position | None:
        head, draft = self.position.head, self.position.draft
        if draft is None:
            if head is None:
                return None
            record = self.runner.history.records[head]
            if record.back is not None:
                with suppress(CorruptJournal):  # the step before is there all the same
                    return read_position(self.runner.reader, record.back)
            return None if record.parent is None else Position(record.parent)
        if draft.marks:
            return Position(head, _taken_back(draft))
        if draft.back is not None:
            return draft.back
        return None if head is None else Position(head)


def _taken_back(draft: Draft) -> Draft:
    """Return a draft without the last thing a person did to it. Dice the program threw since stay as they fell."""
    *marks, last = draft.marks
    step = draft.step
    if last.kind == "interrupt":
        step = replace(step, interrupts=step.interrupts[:-1])
    elif last.kind == "override":
        return replace(
            draft,
            step=replace(step, overrides=step.overrides[:-1]),
            answers=last.answers,
            marks=tuple(marks),
            asked=last.asked,
        )
    kept, dropped = draft.answers[: last.count], draft.answers[last.count :]
    recorded = dict(draft.recorded)
    aside = dict(draft.aside) | {
        key: answer
        for key, answer in dropped
        if key not in recorded and not (isinstance(answer, Thrown) and answer.typed)
    }
    return replace(draft, step=step, answers=kept, aside=tuple(aside.items()), marks=tuple(marks), asked=last.asked)


def _amended(old: Answer, answer: Answer) -> Answer:
    if not isinstance(answer, Thrown):
        return answer
    same = isinstance(old, Thrown) and (old.total, old.faces) == (answer.total, answer.faces)
    return old if same else replace(answer, typed=True, amended=True)


def _overruled(amendment: Amendment, key: str) -> bool:
    entries: tuple[Entry, ...] = amendment.done[0][0].entries if amendment.done else ()
    if amendment.pending is not None:
        entries += amendment.pending.entries
    return any(isinstance(entry.event, Overruled) and entry.event.key == key for entry in entries)


def _refused(reason: str, text: str, at: str = "") -> Refused:
    return Refused(Refusal(reason, text, forcible=False, at=at))


def question(pending: Pending | None) -> str:
    """Return what is asked, in a few words; "" for nothing."""
    return "" if pending is None else pending.request.why or pending.request.key


def _free_names(taken: Iterable[str]) -> Iterator[str]:
    """Yield names for what was tried: `what-if`, `what-if 2` ..."""
    known = set(taken)
    return (name for number in count(1) if (name := "what-if" if number == 1 else f"what-if {number}") not in known)
